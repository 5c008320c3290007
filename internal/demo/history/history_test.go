package history_test

import (
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

func TestFilledHistoryAgreesWithItself(t *testing.T) {
	t.Parallel()
	const calls = 2000
	db := pgtest.New(t)
	p, err := history.Furnish(t.Context(), apptest.New(t, db.Pool, api.Reference))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.Fill(t.Context(), db.Pool, p, calls, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := history.Open(t.Context(), db.Pool); err != nil || again != h || h.Parts != p || h.Calls != calls {
		t.Errorf("the history is %+v, found again as %+v: %v", h, again, err)
	}
	count := func(what string, want int, sql string, args ...any) {
		t.Helper()
		var n int
		if err := db.Pool.QueryRow(t.Context(), `select count(*) from `+sql, args...).Scan(&n); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n != want {
			t.Errorf("%s: %d, want %d", what, n, want)
		}
	}
	count("calls", calls+history.LiveCalls, `call`)
	count("live calls", history.LiveCalls, `call where ended_at is null`)
	count("calls of the large campaign", calls*9/10, `call where campaign_id = $1`, h.Large)
	count("calls of a small campaign", history.SmallCalls, `call where campaign_id = $1`, h.Small)
	count("recipients of the large campaign", calls*9/100, `recipient where campaign_id = $1`, h.Large)
	count("recipients of a small campaign", history.SmallCalls, `recipient where campaign_id = $1`, h.Small)
	count("recipients that are not as their last call left them", 0, `recipient r where not exists (
		select from call c where c.id = r.last_call_id and c.recipient_id = r.id and c.attempt = r.attempts
			and c.outcome = r.outcome and c.person_number = r.phone_number and c.campaign_id = r.campaign_id)`)
	count("recipients with another number of calls than attempts", 0, `recipient r
		where attempts <> (select count(*) from call c where c.recipient_id = r.id)`)
	count("calls without their recipient or campaign", 0, `call c where ended_at is not null and not exists (
		select from recipient r join campaign m on m.id = r.campaign_id where r.id = c.recipient_id)`)
	count("campaigns with other counters than rows", 0, `campaign m
		where (total, completed, failed, calls_placed, calls_answered) <> (
			select count(*), count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
			       (select count(*) from call c where c.campaign_id = m.id),
			       (select count(answered_at) from call c where c.campaign_id = m.id)
			from recipient r where r.campaign_id = m.id)`)
	count("calls counted by the hour", 1, `(select sum(placed) as n from call_hour) h where n = $1`, calls)

	// Fill wrote the same rows as the trigger for transcripts.
	index := `select string_agg(s::text, ' ' order by call_id) from call_search s`
	var written, triggered string
	if err := db.Pool.QueryRow(t.Context(), index).Scan(&written); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(t.Context(), `
		delete from call_search;
		update call set transcript_text = transcript_text || ' ' where transcript_text <> ''`); err != nil {
		t.Fatal(err)
	}
	if err := db.Pool.QueryRow(t.Context(), index).Scan(&triggered); err != nil {
		t.Fatal(err)
	}
	if written != triggered {
		t.Errorf("with the calls were written %.300s, but the trigger writes %.300s", written, triggered)
	}
}
