package dialer

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
)

func TestWhatCountsAsAbandonedAndShort(t *testing.T) {
	t.Parallel()
	up := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		lasted time.Duration
		call   call.Ended
		want   campaign.Compliance
	}{
		"a conversation": {
			time.Minute, call.Ended{EndedReason: call.ReasonCompleted, EndedBy: call.ByAgent, AgentSpoke: true},
			campaign.Compliance{AnsweredByPerson: 1},
		},
		"six seconds": {
			6 * time.Second, call.Ended{EndedReason: call.ReasonHungUp, EndedBy: call.ByRecipient, AgentSpoke: true},
			campaign.Compliance{AnsweredByPerson: 1, ShortCalls: 1},
		},
		"a little more than six": {
			6*time.Second + time.Millisecond,
			call.Ended{EndedReason: call.ReasonHungUp, EndedBy: call.ByRecipient, AgentSpoke: true},
			campaign.Compliance{AnsweredByPerson: 1},
		},
		"an opt-out": {
			20 * time.Second, call.Ended{EndedReason: call.ReasonOptedOut, EndedBy: call.ByAgent, AgentSpoke: true},
			campaign.Compliance{AnsweredByPerson: 1, OptedOut: 1},
		},
		"a machine": {
			3 * time.Second,
			call.Ended{EndedReason: call.ReasonVoicemail, Outcome: call.OutcomeVoicemail, EndedBy: call.ByAgent},
			campaign.Compliance{ShortCalls: 1},
		},
		"hung up at once": {
			1900 * time.Millisecond, call.Ended{EndedReason: call.ReasonHungUp, EndedBy: call.ByRecipient},
			campaign.Compliance{AnsweredByPerson: 1, ShortCalls: 1},
		},
		"hung up after two seconds of silence": {
			2 * time.Second, call.Ended{EndedReason: call.ReasonHungUp, EndedBy: call.ByRecipient},
			campaign.Compliance{AnsweredByPerson: 1, Abandoned: 1, ShortCalls: 1},
		},
		"ended by us without a word": {
			time.Second, call.Ended{EndedReason: call.ReasonEndedByUser, EndedBy: call.BySystem},
			campaign.Compliance{AnsweredByPerson: 1, Abandoned: 1, ShortCalls: 1},
		},
		"the line failed": {
			time.Minute,
			call.Ended{
				EndedReason: call.ReasonLineFailed, EndedBy: call.BySystem, AgentSpoke: true,
				Outcome: call.OutcomeFailed,
			},
			campaign.Compliance{AnsweredByPerson: 1, Abandoned: 1},
		},
		"the line of a machine failed": {
			time.Minute,
			call.Ended{
				EndedReason: call.ReasonLineFailed,
				EndedBy:     call.BySystem,
				Outcome:     call.OutcomeFailed,
				ByMachine:   true,
			},
			campaign.Compliance{},
		},
		"the server was restarted": {
			time.Minute, call.Ended{EndedReason: call.ReasonServerRestart, EndedBy: call.BySystem, AgentSpoke: true},
			campaign.Compliance{AnsweredByPerson: 1, Abandoned: 1},
		},
		"nobody answered": {
			0, call.Ended{EndedReason: call.ReasonNoAnswer, Outcome: call.OutcomeNoAnswer}, campaign.Compliance{},
		},
	} {
		if c.lasted > 0 {
			c.call.AnsweredAt, c.call.EndedAt = &up, up.Add(c.lasted)
		}
		if c.call.Outcome == "" {
			c.call.Outcome = call.OutcomeCompleted
		}
		var got campaign.Compliance
		if got.Count(c.call); got != c.want {
			t.Errorf("%s counts as %+v, want %+v", name, got, c.want)
		}
	}
}

// A call takes over its recipient's consent from the list, and the settlement of calls
// updates the campaign's compliance counts.
func TestComplianceIsCountedAtSettlement(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	since := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	d := fast(b.draft(2))
	d.Recipients.Add(intake.Recipient{
		PhoneNumber: testNumber(2), Consent: &intake.Consent{Basis: "web form", At: &since},
	})
	c := b.create(t, d)
	for b.get(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	consented := value[uuid.UUID](t, b, `select id from call where person_number = $1`, testNumber(2))
	got, _, err := b.calls.Get(t.Context(), b.actor.OrganizationID, consented)
	if err != nil {
		t.Fatal(err)
	}
	if r := b.calls.Resource(got); r.Consent == nil || r.Consent.Basis != "web form" || r.Consent.At == nil ||
		!time.Time(*r.Consent.At).Equal(since) {
		t.Errorf("the call's consent is %+v", r.Consent)
	}
	b.exec(
		t,
		`insert into call_turn (call_id, index, organization_id, role, text) values ($1, 0, $2, 'agent', 'Hello.')`,
		consented, b.actor.OrganizationID,
	)
	b.endAll(t, call.OutcomeCompleted)
	b.checkCounters(t, c.ID) // calls that are not settled do not count
	b.exec(t, `update call set answered_at = answered_at - interval '3 s'`)
	b.settle(t)
	if got := b.checkCounters(t, c.ID).Compliance(); got != (campaign.Compliance{
		AnsweredByPerson: 3, Abandoned: 2, ShortCalls: 3,
	}) {
		t.Errorf("%+v", got)
	}
}

// The settlement counts opt-outs, abandoned calls and short calls once each, and the log
// covers the campaign from its creation to its completion.
func TestComplianceOfACompletedCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(4)))
	for b.get(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	for i, id := range b.network.up() {
		b.tell(t, id, ends([]call.Outcome{
			call.OutcomeCompleted, call.OutcomeVoicemail, call.OutcomeCompleted, call.OutcomeBusy,
		}[i])...)
	}
	b.exec(t, `update call set ended_reason = 'line_failed', outcome = 'failed' where outcome = 'voicemail'`)
	b.exec(t, `update call set answered_at = answered_at - interval '3 s' where outcome = 'completed'`)
	b.exec(
		t,
		`update call set ended_reason = 'opted_out' where id = (select id from call
			where outcome = 'completed' limit 1)`,
	)
	b.settle(t)
	want := campaign.Compliance{AnsweredByPerson: 2, OptedOut: 1, Abandoned: 2, ShortCalls: 3}
	if got := b.checkCounters(t, c.ID).Compliance(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	b.wantLog(t, c.ID, "Ada: Created with 4 recipients", "Dialwright: Started",
		"Dialwright: 1 recipient added to the do-not-call list for calls. Reason: opted out (1)",
		"Dialwright: Completed: all recipients processed")
}

// After the settlement, a recipient who opted out is marked, is found by the opt-out filter, and is
// marked in an export.
func TestOptOutIsKnownOfTheRecipient(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(3)))
	for b.get(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.exec(t, `update call set ended_reason = 'opted_out' where person_number = $1`, testNumber(1))
	b.settle(t)
	for number, r := range b.recipients(t, c.ID) {
		if r.OptedOut != (number == testNumber(1)) {
			t.Errorf("%s: opted out %t", number, r.OptedOut)
		}
	}
	column := slices.Index(campaign.ExportHeader, "opted_out")
	var exported []string
	for row, err := range b.svc.Export(t.Context(), b.actor.OrganizationID, c.ID, campaign.RecipientOptions{
		OptedOut: true, Statuses: []campaign.RecipientStatus{campaign.RecipientCompleted},
	}) {
		if err != nil {
			t.Fatal(err)
		}
		exported = append(exported, row[0]+" "+row[column])
	}
	if want := []string{testNumber(1) + " true"}; !slices.Equal(exported, want) {
		t.Errorf("exported %q, want %q", exported, want)
	}
}
