package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/demo/history"
)

const exportMemory = 64 << 20

// exportCalls reads GET /calls/export to its end from a server that has just
// started: rows a second, and by how much the most memory it ever had has grown.
func exportCalls(ctx context.Context, l *lab, o options) error {
	v, err := l.visit(ctx, manyName, o.calls)
	if err != nil {
		return err
	}
	defer v.leave(l)
	section("Exporting calls")
	out := newTable("rows", "MiB", "time", "rows a second", "first byte after", "growth of VmHWM", "aim", "")
	if _, err := v.ask(ctx, lined{path: inAPI("/calls"), rows: 25}); err != nil { // connections and plans are there
		return err
	}
	before, err := peakMemory(v.server.pid())
	if err != nil {
		return err
	}
	began := time.Now()
	body, err := v.stream(ctx, v.server.url+"/api/v1/calls/export")
	if err != nil {
		return err
	}
	defer body.Close()
	in := &counted{Reader: body}
	table := csv.NewReader(in)
	table.ReuseRecord = true
	lines := 0
	var first time.Duration
	for ; ; lines++ {
		if _, err := table.Read(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("read the export: %w", err)
		}
		if first == 0 {
			first = time.Since(began)
		}
	}
	took := time.Since(began)
	if want := v.Calls + history.LiveCalls + 1; lines != want {
		return fmt.Errorf("the export has %d rows, not %d", lines-1, want-1)
	}
	after, err := peakMemory(v.server.pid())
	if err != nil {
		return err
	}
	out.row(count(lines-1), fmt.Sprint(in.bytes>>20), seconds(took), count(int(float64(lines)/took.Seconds())), ms(first), mebibytes(after-before),
		"< "+mebibytes(exportMemory), met(after-before < exportMemory))
	out.print()
	return nil
}

type counted struct {
	io.Reader
	bytes int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.bytes += n
	return n, err
}

// stream asks for what is to be read as it comes.
func (v *visited) stream(ctx context.Context, address string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+v.site.key())
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, errors.New(answer.Status)
	}
	return answer.Body, nil
}
