package call

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

// history is the carrier's reports on one call, in the order of the events.
type history struct {
	name   string
	events []carrier.Event
	want   Call // at the end: status, outcome, reason, party, answered by
}

var histories = []history{
	{
		name: "human",
		events: []carrier.Event{
			{Kind: carrier.Accepted}, {Kind: carrier.Ringing}, {Kind: carrier.Answered},
			{Kind: carrier.Detected, AnsweredBy: carrier.Human},
			{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: 7 * time.Second},
		},
		want: Call{
			Status: Completed, Outcome: OutcomeCompleted, EndedReason: ReasonHungUp, EndedBy: ByRecipient,
			AnsweredBy: Human,
		},
	},
	{
		name: "machine",
		events: []carrier.Event{
			{Kind: carrier.Accepted}, {Kind: carrier.Ringing}, {Kind: carrier.Answered},
			{Kind: carrier.Detected, AnsweredBy: carrier.Unknown},
			{Kind: carrier.Detected, AnsweredBy: carrier.Machine, MessageEnd: true},
			{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: 7 * time.Second},
		},
		want: Call{
			Status: Completed, Outcome: OutcomeVoicemail, EndedReason: ReasonVoicemail, EndedBy: ByRecipient,
			AnsweredBy: Machine,
		},
	},
	{
		name: "never told of the answer",
		events: []carrier.Event{
			{Kind: carrier.Ringing}, {Kind: carrier.Ended, Outcome: carrier.Completed, Duration: 7 * time.Second},
		},
		want: Call{Status: Completed, Outcome: OutcomeCompleted, EndedReason: ReasonHungUp, EndedBy: ByRecipient},
	},
	{
		name: "busy",
		events: []carrier.Event{
			{Kind: carrier.Accepted}, {Kind: carrier.Ringing}, {Kind: carrier.Ended, Outcome: carrier.Busy},
		},
		want: Call{Status: Busy, Outcome: OutcomeBusy, EndedReason: ReasonBusy, EndedBy: ByRecipient},
	},
	{
		name: "no answer",
		events: []carrier.Event{
			{Kind: carrier.Accepted}, {Kind: carrier.Ringing}, {Kind: carrier.Ended, Outcome: carrier.NoAnswer},
		},
		want: Call{Status: NoAnswer, Outcome: OutcomeNoAnswer, EndedReason: ReasonNoAnswer, EndedBy: BySystem},
	},
	{
		name: "no such number",
		events: []carrier.Event{
			{Kind: carrier.Accepted},
			{Kind: carrier.Ended, Outcome: carrier.Failed, Code: "32011", SIPStatus: "404", Detail: "not in service"},
		},
		want: Call{
			Status: Failed, Outcome: OutcomeFailed, EndedReason: ReasonInvalidNumber, EndedBy: ByCarrier,
			Detail: "not in service",
		},
	},
	{
		name: "declined",
		events: []carrier.Event{
			{Kind: carrier.Accepted}, {Kind: carrier.Ringing},
			{Kind: carrier.Ended, Outcome: carrier.Failed, Code: "sip_603", SIPStatus: "603"},
		},
		want: Call{Status: Failed, Outcome: OutcomeFailed, EndedReason: ReasonRejected, EndedBy: ByRecipient},
	},
	{
		name:   "canceled elsewhere",
		events: []carrier.Event{{Kind: carrier.Accepted}, {Kind: carrier.Ended, Outcome: carrier.Canceled}},
		want:   Call{Status: Canceled, Outcome: OutcomeCanceled, EndedReason: ReasonCanceled, EndedBy: ByCarrier},
	},
}

// In whatever order and however often a carrier's reports come, a call ends in the same way, and
// never returns to an earlier state.
func TestEventsInAnyOrderEndTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rank := func(s Status) int { return min(slices.Index(Statuses, s), 3) }
	for _, h := range histories {
		t.Run(h.name, func(t *testing.T) {
			seed := rand.Uint64()
			r := rand.New(rand.NewPCG(seed, 1))
			for run := range 40 {
				events := slices.Clone(h.events)
				if run > 0 { // the first run is in order
					for range r.IntN(len(h.events) + 1) {
						events = append(events, h.events[r.IntN(len(h.events))])
					}
					r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
				}
				c := w.queue("+12025550199")
				w.place(c)
				w.hadLine(c)
				w.exec(`update call set carrier_call_id = null where id = $1`, c.ID) // Place has not returned yet
				var last, ended Call
				for i, e := range events {
					e.CarrierCallID = "CA1"
					w.deliver(c, e)
					now := w.get(c.ID)
					if rank(now.Status) < rank(last.Status) ||
						(last.Status.Terminal() && last.Status != "" && now.Status != last.Status) {
						t.Fatalf("seed %d, run %d, event %d %v: %s after %s", seed, run, i, kinds(events), now.Status,
							last.Status)
					}
					if ended.EndedAt != nil && !now.EndedAt.Equal(*ended.EndedAt) {
						t.Fatalf("seed %d, run %d: ended twice", seed, run)
					}
					if now.EndedAt != nil {
						ended = now
					}
					last = now
				}
				got := Call{
					Status: last.Status, Outcome: last.Outcome, EndedReason: last.EndedReason, EndedBy: last.EndedBy,
					AnsweredBy: last.AnsweredBy, Detail: last.Detail,
				}
				if got.Status != h.want.Status || got.Outcome != h.want.Outcome ||
					got.EndedReason != h.want.EndedReason ||
					got.EndedBy != h.want.EndedBy || got.AnsweredBy != h.want.AnsweredBy ||
					got.Detail != h.want.Detail {
					t.Fatalf("seed %d, run %d, %v: ended as %+v, want %+v", seed, run, kinds(events), got, h.want)
				}
				if last.CarrierCallID == nil || *last.CarrierCallID != "CA1" {
					t.Fatal("the carrier's id is missing")
				}
				if last.StartedAt == nil {
					t.Fatal("started_at is missing")
				}
				inOrder(t, last)
			}
		})
	}
}

// inOrder fails if the times of a call contradict each other.
func inOrder(t *testing.T, c Call) {
	t.Helper()
	before := c.CreatedAt
	for name, at := range map[string]*time.Time{
		"started": c.StartedAt, "ringing": c.RingingAt, "answered": c.AnsweredAt,
	} {
		if at != nil && at.Before(before) {
			t.Errorf("%s before the call was queued", name)
		}
		if at != nil && c.EndedAt != nil && at.After(*c.EndedAt) {
			t.Errorf("%s after the end", name)
		}
	}
	if c.RingingAt != nil && c.AnsweredAt != nil && c.RingingAt.After(*c.AnsweredAt) {
		t.Errorf("ringing at %v after the answer at %v", c.RingingAt, c.AnsweredAt)
	}
	if (c.Status == Completed) != (c.AnsweredAt != nil) {
		t.Errorf("%s, answered at %v", c.Status, c.AnsweredAt)
	}
}

func kinds(events []carrier.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, string(e.Kind)+string(e.AnsweredBy))
	}
	return all
}

// The settlement waits 5 s for detection. A result after the settlement changes answered_by, but
// not the outcome.
func TestLateDetection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	talk := func(to string) Claimed {
		c := w.queue(to)
		w.place(c)
		w.deliver(c, carrier.Event{Kind: carrier.Answered})
		w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
		return c
	}
	waits, comes, late := talk("+12025550199"), talk("+12025550198"), talk("+12025550197")
	if got := w.settle(); len(got) != 0 {
		t.Fatalf("settled while detection is open: %+v", got)
	}
	w.deliver(comes, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Machine})
	got := w.settle()
	if len(got) != 1 || got[0].ID != comes.ID || got[0].Outcome != OutcomeVoicemail ||
		got[0].EndedReason != ReasonVoicemail {
		t.Fatalf("settled %+v", got)
	}
	w.db.Advance(detectionGrace)
	if got := w.settle(); len(got) != 2 {
		t.Fatalf("settled %+v", got)
	}
	w.deliver(late, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Machine})
	if c := w.get(late.ID); c.AnsweredBy != Machine || c.Outcome != OutcomeCompleted || c.EndedReason != ReasonHungUp {
		t.Errorf("after a late result: %+v", c)
	}
	if c := w.get(waits.ID); c.AnsweredBy != "" || c.Outcome != OutcomeCompleted {
		t.Errorf("without a result: %+v", c)
	}
	if got := w.settle(); len(got) != 0 {
		t.Errorf("settled again: %+v", got)
	}
}

// A call that was not answered is settled at once.
func TestUnansweredCallsSettleAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Busy})
	if got := w.settle(); len(got) != 1 {
		t.Fatalf("settled %+v", got)
	}
}

// Information that the row has already is not written again, unless heard_at is old or a value is
// missing.
func TestNewsThatAreKnownWriteNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	version := func(c Claimed) (v string) {
		t.Helper()
		if err := w.calls.pool.QueryRow(
			t.Context(), `select ctid::text || xmin::text from call where id = $1`, c.ID,
		).Scan(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	writes := func(c Claimed, e carrier.Event) bool {
		t.Helper()
		before := version(c)
		w.deliver(c, e)
		return version(c) != before
	}
	c := w.queue("+12025550143")
	if !writes(c, carrier.Event{Kind: carrier.Accepted}) {
		t.Error("the first news of a call were not written")
	}
	if writes(c, carrier.Event{Kind: carrier.Accepted}) {
		t.Error("news that came twice were written twice")
	}
	if !writes(c, carrier.Event{Kind: carrier.Accepted, CarrierCallID: "CA1"}) {
		t.Error("the carrier's id was not written")
	}
	if !writes(c, carrier.Event{Kind: carrier.Ringing, CarrierCallID: "CA1"}) || w.get(c.ID).Status != Ringing {
		t.Error("ringing was not written")
	}
	w.exec(`update call set heard_at = heard_at - interval '10 seconds' where id = $1`, c.ID)
	if !writes(c, carrier.Event{Kind: carrier.Accepted, CarrierCallID: "CA1"}) {
		t.Error("a sign of life of a silent call was not written")
	}
}
