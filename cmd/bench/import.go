package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
)

const (
	importKeys   = 10
	importMemory = 128 << 20
)

// imported is one size of a recipient list with its aims.
type imported struct {
	recipients int
	within     time.Duration
	memory     int64 // 0: no aim
}

// importLists posts recipient lists to a server that has just started: the time
// until the whole answer is there, and by how much the most memory the server
// ever had has grown.
func importLists(ctx context.Context, l *lab, o options) error {
	s, err := l.site(ctx, "bench_import", importKeys)
	if err != nil {
		return err
	}
	defer s.close(l)
	section("Importing recipients")
	out := newTable("recipients in one POST", "body", "time of each run", "aim", "", "growth of VmHWM in each run", "aim", "")
	for _, size := range []imported{
		{recipients: 10_000, within: time.Second},
		{recipients: 100_000, within: 5 * time.Second, memory: importMemory},
	} {
		// Not due: nothing else works meanwhile.
		body, err := s.list(size.recipients, map[string]any{"scheduled_at": time.Now().Add(24 * time.Hour)})
		if err != nil {
			return err
		}
		var times, grown string
		quick, small := true, true
		for round := range o.rounds {
			took, growth, err := s.importOnce(ctx, l, body, size.recipients)
			if err != nil {
				return err
			}
			if round > 0 {
				times, grown = times+", ", grown+", "
			}
			times, grown = times+seconds(took), grown+mebibytes(growth)
			quick, small = quick && took < size.within, small && (size.memory == 0 || growth < size.memory)
		}
		aim, verdict := "–", ""
		if size.memory > 0 {
			aim, verdict = "< "+mebibytes(size.memory), met(small)
		}
		out.row(count(size.recipients), mebibytes(int64(len(body))), times, "< "+seconds(size.within), met(quick), grown, aim, verdict)
	}
	out.print()
	return s.importForms(ctx, l, o.rounds)
}

func (s *site) importOnce(ctx context.Context, l *lab, body []byte, recipients int) (took time.Duration, growth int64, err error) {
	server, err := l.serve(ctx, s)
	if err != nil {
		return 0, 0, err
	}
	defer server.stop()
	before, err := peakMemory(server.pid())
	if err != nil {
		return 0, 0, err
	}
	var c campaignAnswer
	err = l.profile(ctx, server, fmt.Sprintf("import-%d", recipients), 3*time.Second, func() (err error) {
		took, err = s.do(ctx, http.MethodPost, server.url+"/api/v1/campaigns", body, http.StatusCreated, &c)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	after, err := peakMemory(server.pid())
	if err != nil {
		return 0, 0, err
	}
	return took, after - before, s.checkList(ctx, c, recipients)
}

// checkList makes sure that everybody on the list is there, and empties it.
func (s *site) checkList(ctx context.Context, c campaignAnswer, recipients int) error {
	var stored, numbers int
	err := s.pool.QueryRow(ctx, `select count(*), count(distinct phone_number) from recipient where campaign_id = $1`, c.ID).Scan(&stored, &numbers)
	switch {
	case err != nil:
		return fmt.Errorf("count recipients: %w", err)
	case c.ID == uuid.Nil || c.Counters.Total != recipients || c.Counters.Pending != recipients:
		return fmt.Errorf("the answer counts %d recipients, %d of them pending; %d were sent", c.Counters.Total, c.Counters.Pending, recipients)
	case stored != recipients || numbers != recipients:
		return fmt.Errorf("%d recipients with %d numbers are stored; %d were sent", stored, numbers, recipients)
	}
	if _, err := s.pool.Exec(ctx, `truncate recipient`); err != nil {
		return fmt.Errorf("empty the list: %w", err)
	}
	return nil
}
