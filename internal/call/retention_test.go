package call

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestOldCallsLoseTheirWordsAndKeepTheirFacts(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	ctx, organization, project := t.Context(), b.claim.OrganizationID, b.claim.ProjectID
	other := uuid.Must(uuid.NewV7())
	b.exec(
		`insert into project (id, organization_id, name, time_zone, region, calling_hours)
			select $1, organization_id, 'Other', time_zone, region, calling_hours from project where id = $2`,
		other, project,
	)
	b.exec(`update project set transcript_days = 30, recording_days = 7 where id = $1`, project)
	past := func(project uuid.UUID, age string) uuid.UUID {
		t.Helper()
		id, event := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
		b.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number,
				status, outcome, ring_timeout_seconds, max_duration_seconds, variables, analysis, transcript_text,
					record, recording_id, answered_at, ended_at, settled_at, direction, reception)
			values ($1, $2, $3, $4, $5, $6, 'sandbox', '+15005550000', '+13125550142', 'completed', 'completed', 30,
				600, '{"name": "Ana"}',
				'{"status": "ready", "summary": "secret", "answers": {"a": "secret"}, "successful": true,
				"needs": ["secret"],
				"fields": {"a": {"value": "secret", "confidence": 1, "quote": "secret", "turn": 0}}}', 'secret',
					true, 'RE1',
				clock() - $7::interval, clock() - $7::interval, clock(), 'inbound',
				'{"action": "agent", "caller": {"called": true, "answers": [{"key": "a", "value": "secret"}]}}')`,
			id, organization, project, b.claim.AgentID, b.claim.PhoneNumberID, b.claim.ConnectionID, age)
		b.exec(
			`insert into call_turn (call_id, index, organization_id, role, text)
				values ($1, 0, $2, 'recipient', 'secret')`,
			id, organization,
		)
		b.exec(`insert into call_analysis (id, organization_id, call_id, number, method, status, result)
			values (gen_random_uuid(), $1, $2, 1, 'model', 'ready', '{"summary": "secret"}')`, organization, id)
		b.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
			values ($1, $2, 'call.analyzed', $3,
				'{"data": {"to_number": "+13125550142", "transcript_text": "secret", "transcript": [{"text": "secret"}],
				"analysis": {"summary": "secret", "answers": {"a": "secret"}, "successful": true,
				"fields": {"a": {"quote": "secret"}}},
				"recording_url": "https://r/secret"}}', clock())`,
			event, organization, id)
		return id
	}
	// Nobody answered, so there is only a note for the agent.
	noted := func(age string) uuid.UUID {
		t.Helper()
		id := past(project, age)
		b.exec(`update call set transcript_text = '', notes = 1, record = false, recording_id = null,
			answered_at = null, analysis = null where id = $1`, id)
		b.exec(`delete from call_turn where call_id = $1`, id)
		b.exec(`insert into call_note (id, organization_id, call_id, number, text, author)
			values ($1, $2, $3, 1, 'secret', 'Ada')`, uuid.Must(uuid.NewV7()), organization, id)
		return id
	}
	unanswered, lately := noted("31 days"), noted("29 days")
	old, recent, forever := past(project, "31 days"), past(project, "29 days"), past(other, "3000 days")
	fresh := past(project, "1 day")
	if err := b.calls.Forget(ctx); err != nil {
		t.Fatal(err)
	}
	if err := b.calls.Forget(ctx); err != nil { // nothing is left to do
		t.Fatal(err)
	}
	for _, c := range []struct {
		what     string
		id       uuid.UUID
		words    bool
		recorded bool
	}{
		{"old", old, false, false}, {"recent", recent, true, false}, {"kept for ever", forever, true, true},
		{"new", fresh, true, true},
	} {
		got, turns, err := b.calls.Get(ctx, organization, c.id)
		if err != nil {
			t.Fatal(err)
		}
		if words := got.TranscriptText != ""; words != c.words || len(turns) > 0 != c.words ||
			got.Analysis.Summary != "" != c.words || len(got.Analysis.Answers) > 0 != c.words ||
			len(got.Analysis.Fields) > 0 != c.words || len(got.Analysis.Needs) > 0 != c.words ||
			b.calls.Resource(got).Analysis.Needs != nil {
			t.Errorf("%s: %+v, %d turns", c.what, got, len(turns))
		}
		if (got.RecordingID != nil) != c.recorded || (got.RecordingRemovedAt == nil) != c.recorded {
			t.Errorf("%s: recording %v, removed %v", c.what, got.RecordingID, got.RecordingRemovedAt)
		}
		left, err := b.calls.Undeleted(ctx, organization, c.id)
		if err != nil || (left.Count == 0) != c.recorded {
			t.Errorf("%s: %+v at the carrier, %v", c.what, left, err)
		}
		if got.PersonNumber != "+13125550142" || got.Status != Completed ||
			!strings.Contains(string(got.Variables), "Ana") {
			t.Errorf("%s: the facts are gone: %+v", c.what, got)
		}
		var payload string
		if err := b.db.Pool.QueryRow(
			ctx, `select payload from event where subject_id = $1`, c.id,
		).Scan(&payload); err != nil {
			t.Fatal(err)
		}
		var reception string
		if err := b.db.Pool.QueryRow(
			ctx, `select reception::text from call where id = $1`, c.id,
		).Scan(&reception); err != nil || strings.Contains(reception, "secret") != c.words ||
			!strings.Contains(reception, "called") {
			t.Errorf("%s: the caller was received with %s, %v", c.what, reception, err)
		}
		var results int
		if err := b.db.Pool.QueryRow(
			ctx, `select count(result) from call_analysis where call_id = $1`, c.id,
		).Scan(&results); err != nil || (results > 0) != c.words {
			t.Errorf("%s: %d results of analyses, %v", c.what, results, err)
		}
		secrets := 0
		if c.words {
			secrets += 5
		}
		if c.recorded {
			secrets++
		}
		if n := strings.Count(payload, "secret"); n != secrets || !strings.Contains(payload, "+13125550142") {
			t.Errorf("%s: %d secrets told in %s", c.what, n, payload)
		}
	}
	for id, want := range map[uuid.UUID]string{unanswered: "", lately: "secret"} {
		notes, err := b.calls.Notes(ctx, organization, id)
		if err != nil || len(notes) != 1 || notes[0].Text != want || notes[0].Author != "Ada" {
			t.Errorf("the notes are %+v, want %q, %v", notes, want, err)
		}
	}
}
