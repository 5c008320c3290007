package call

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
)

// seed inserts n ended calls of many kinds for each of two organizations, and queues some live
// calls.
func (w *world) seed(n int, campaigns []uuid.UUID) {
	w.tb.Helper()
	other := w.tenant("Elsewhere", "+12025550177")
	for _, c := range []Claim{w.claim, other} {
		w.exec(`
			insert into call (
				id, organization_id, project_id, campaign_id, recipient_id, agent_id, phone_number_id, connection_id,
					carrier,
				own_number, person_number, status, outcome, ended_reason, ended_by, answered_by, ring_timeout_seconds,
				max_duration_seconds, created_at, started_at, answered_at, ended_at, settle_after, settled_at, analysis)
			select gen_random_uuid(), $1, $2, ($8::uuid[])[1 + i % (1 + cardinality($8::uuid[]))], null,
			       case when i % 7 = 0 then gen_random_uuid() else $3 end, $4, $5, 'sandbox', $6,
				'+1202556' || lpad((i % 50)::text, 4, '0'),
			       case when k = 0 then 'completed' when k = 1 then 'completed' when k = 2 then 'busy'
				when k = 3 then 'no_answer' else 'failed' end,
			       case when k = 0 then 'completed' when k = 1 then 'voicemail' when k = 2 then 'busy'
				when k = 3 then 'no_answer' else 'failed' end,
			       'completed', 'agent', case when k = 0 then 'human' when k = 1 then 'machine' end, 30, 600,
			       -- several calls share each moment
			       now() - make_interval(secs => i / 3), now(),
			       case when k < 2 then now() - make_interval(secs => i % 100) end, now(), now(), now(),
			       case when i % 3 > 0 then jsonb_build_object(
					'intent', ($9::text[])[1 + i / 3 % (1 + cardinality($9::text[]))]) end
			from (select i, i % 5 as k from generate_series(1, $7::int) i) i`,
			c.OrganizationID, c.ProjectID, c.AgentID, c.PhoneNumberID, c.ConnectionID, c.OwnNumber, n, campaigns,
			conversation.Intents)
	}
	for i := range 7 {
		w.queue(fmt.Sprintf("+1202557%04d", i))
	}
	// The recipients of the calls, by which a part of a number is found. Their campaigns are not there.
	w.exec(`
		set session_replication_role = replica;
		insert into recipient (id, organization_id, campaign_id, phone_number, zone_source, status)
		select gen_random_uuid(), organization_id, gen_random_uuid(), person_number, 'project', 'completed'
		from (select distinct organization_id, person_number from call) number;
		set session_replication_role = origin`)
	w.exec(`update call set external_id = 'contact ' || (hashtext(id::text) & 7) where hashtext(id::text) & 8 = 0`)
}

// For every filter and page size, the pages together have the calls that pass the filter, each call
// once, newest first.
func TestListPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	campaigns := []uuid.UUID{uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())}
	w.seed(600, campaigns)
	all, err := w.calls.collect(t.Context(), `select `+columns+` from call where organization_id = @org`,
		map[string]any{"org": w.claim.OrganizationID})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b Call) int {
		return position{a.CreatedAt, a.ID}.compare(position{b.CreatedAt, b.ID})
	})
	middle := all[len(all)/2].CreatedAt
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	some := func(f func()) {
		if r.IntN(4) == 0 {
			f()
		}
	}
	for run := range 150 {
		w.calls.scanned = 1 + r.IntN(200)
		w.calls.patience = []time.Duration{0, time.Minute}[r.IntN(2)]
		var f Filter
		some(func() { f.CampaignID = &campaigns[r.IntN(2)] })
		some(func() { f.AgentID = &w.claim.AgentID })
		some(func() { f.ProjectID = &w.claim.ProjectID })
		some(func() { f.PhoneNumberID = &w.claim.PhoneNumberID })
		some(func() { f.Statuses = anyOf(r, Statuses) })
		some(func() { f.Outcomes = anyOf(r, Outcomes) })
		some(func() { f.Intents = anyOf(r, conversation.Intents) })
		some(func() { f.AnsweredBy = anyOf(r, Answerers) })
		some(func() { f.PersonNumber = all[r.IntN(len(all))].PersonNumber })
		some(func() { // some parts are frequent, and others are of two numbers
			f.NumberPart = person.Part{[]string{"202", "000", fmt.Sprintf("%04d", r.IntN(50)), "999"}[r.IntN(4)]}
		})
		some(func() { f.ExternalID = fmt.Sprint("contact ", r.IntN(8)) })
		some(func() { f.MinDuration = time.Duration(r.IntN(100)) * time.Second })
		some(func() { f.CreatedAfter = middle })
		some(func() { f.CreatedBefore = middle })
		f.Limit = 1 + r.IntN(40)

		var want, got []uuid.UUID
		for _, c := range all {
			if f.passes(c) {
				want = append(want, c.ID)
			}
		}
		for pages := 0; ; pages++ {
			if pages > 5000 {
				t.Fatalf("seed %d, run %d: no end", seed, run)
			}
			list, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Data) > f.Limit {
				t.Fatalf("%d calls on a page of %d", len(list.Data), f.Limit)
			}
			for _, c := range list.Data {
				got = append(got, c.ID)
			}
			if list.HasMore != (list.NextCursor != nil) {
				t.Fatal("has_more and next_cursor disagree")
			}
			if given := !list.LookedTo.IsZero(); given && !list.HasMore ||
				!given && list.HasMore && len(list.Data) < f.Limit {
				t.Fatalf("%d calls on a page of %d, looked through to %s", len(list.Data), f.Limit, list.LookedTo)
			}
			if !list.HasMore {
				break
			}
			f.Cursor = *list.NextCursor
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, run %d, %+v: %d calls, want %d", seed, run, f, len(got), len(want))
		}
	}
}

// List finds the few old calls of a project at once, however many newer calls other projects have.
func TestListOfASmallProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.seed(300, nil)
	w.calls.scanned, w.calls.patience = 10, 0
	small := uuid.Must(uuid.NewV7())
	w.exec(`insert into project
		select (jsonb_populate_record(p, jsonb_build_object('id', $2::uuid, 'name', 'Small'))).* from project p
			where id = $1`,
		w.claim.ProjectID, small)
	w.exec(
		`update call set project_id = $1 where id in (select id from call where organization_id = $2
			order by created_at, id limit 3)`,
		small, w.claim.OrganizationID,
	)
	list, err := w.calls.List(t.Context(), w.claim.OrganizationID, Filter{
		ProjectID: &small, Request: page.Request{Limit: 25},
	})
	if err != nil || len(list.Data) != 3 || list.HasMore {
		t.Errorf("%d calls, more: %t, %v", len(list.Data), list.HasMore, err)
	}
}

// anyOf returns one to three of the values, in any order and perhaps with a duplicate.
func anyOf[T any](r *rand.Rand, all []T) []T {
	values := make([]T, 1+r.IntN(3))
	for i := range values {
		values[i] = all[r.IntN(len(all))]
	}
	return values
}

func (f Filter) passes(c Call) bool {
	return (f.CampaignID == nil || (c.CampaignID != nil && *c.CampaignID == *f.CampaignID)) &&
		(f.AgentID == nil || *c.AgentID == *f.AgentID) &&
		(f.PhoneNumberID == nil || c.PhoneNumberID == *f.PhoneNumberID) &&
		(len(f.Statuses) == 0 || slices.Contains(f.Statuses, c.Status)) &&
		(len(f.Outcomes) == 0 || slices.Contains(f.Outcomes, c.Outcome)) &&
		(len(f.Intents) == 0 || c.Analysis != nil && c.Analysis.Intent != nil &&
			slices.Contains(f.Intents, *c.Analysis.Intent)) &&
		(len(f.AnsweredBy) == 0 || slices.Contains(f.AnsweredBy, c.AnsweredBy)) &&
		(f.PersonNumber == "" || c.PersonNumber == f.PersonNumber) &&
		(f.NumberPart == nil || strings.Contains(c.PersonNumber, f.NumberPart[0])) &&
		(f.ExternalID == "" || c.ExternalID != nil && *c.ExternalID == f.ExternalID) &&
		(f.MinDuration == 0 || (c.EndedAt != nil && c.TalkTime() >= f.MinDuration)) &&
		(f.CreatedAfter.IsZero() || c.CreatedAt.After(f.CreatedAfter)) &&
		(f.CreatedBefore.IsZero() || c.CreatedAt.Before(f.CreatedBefore))
}

func TestListRefusesUnknownValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.calls.List(t.Context(), w.claim.OrganizationID, Filter{
		Statuses:    []Status{Completed, "done"},
		Outcomes:    []Outcome{"good"},
		Intents:     []conversation.Intent{"lunch"},
		AnsweredBy:  []AnsweredBy{"dog"},
		ExternalID:  strings.Repeat("x", 201),
		MinDuration: -1,
		Request:     page.Request{Limit: 25},
	})
	f := fault.As(err)
	if f == nil || f.Kind != fault.Invalid || len(f.Fields) != 6 ||
		!strings.Contains(f.Message, "outcome: must be one of completed, no_answer") {
		t.Errorf("%v", err)
	}
}

func TestReadingIsTenantBound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.tenant("Other", "+12025550101")
	recipient := uuid.Must(uuid.NewV7())
	w.claim.RecipientID = &recipient
	c := w.talking("+12025550199")
	if _, _, err := w.calls.Get(t.Context(), other.OrganizationID, c.ID); fault.KindOf(err) != fault.NotFound ||
		err.Error() != "Call not found" {
		t.Errorf("foreign call: %v", err)
	}
	for organization, want := range map[uuid.UUID]int{w.claim.OrganizationID: 1, other.OrganizationID: 0} {
		attempts, err := w.calls.Attempts(t.Context(), organization, recipient)
		if err != nil || len(attempts) != want {
			t.Errorf("%d attempts, want %d (%v)", len(attempts), want, err)
		}
		live, err := w.calls.Live(t.Context(), organization)
		if err != nil || live[InProgress] != want {
			t.Errorf("live %v, want %d (%v)", live, want, err)
		}
	}
}

// The keys of a call, and which of their values may be null, are part of the API.
func TestResource(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	call, turns, err := w.calls.Get(t.Context(), c.OrganizationID, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(w.calls.Detail(call, turns))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	null := []string{
		"campaign_id", "recipient_id", "outcome", "ended_reason", "ended_by", "ended_by_name", "ended_detail",
		"carrier_code", "call_reason", "stir_attestation",
		"answered_by", "started_at", "answered_at",
		"ended_at", "recording_url", "analysis", "transfer", "forwarded_to", "resumes", "intent", "call_back_at",
		"carrier_call_id", "consent",
		"cost", "model", "language",
		"pre_dial_check", "calling_hours_decision", "agent_version", "last_call_id",
		"first_call_id", "next_call_id", "waiting", "due_at", "expires_at", "missing_number",
	}
	set := []string{
		"id", "project_id", "direction", "attempt", "agent_id", "agent_name", "phone_number_id",
		"from_number", "to_number", "status",
		"queued_at", "updated_at",
		"ring_seconds", "duration_seconds", "variables", "metadata", "carrier", "transcript_text", "transcript",
		"recipient",
	}
	for _, key := range null {
		if v, ok := got[key]; !ok || v != nil {
			t.Errorf("%s is %v, %v", key, v, ok)
		}
	}
	for _, key := range set {
		if got[key] == nil {
			t.Errorf("%s is missing", key)
		}
	}
	if len(got) != len(null)+len(set) {
		t.Errorf("%d keys, want %d", len(got), len(null)+len(set))
	}
}
