package dialer

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
)

// followUps returns the follow-ups of the organization: "2 call_back: The campaign has ended".
func (b *bench) followUps(t testing.TB) []string {
	t.Helper()
	all := value[string](t, b, `
		select coalesce(string_agg(right(c.person_number, 1) || ' ' || f.kind || ': ' || f.reason
			|| case when f.due_at is null then '' else ' (due)' end, e'\n' order by c.person_number, f.kind), '')
		from follow_up f join call c on c.id = f.call_id where f.organization_id = $1`, b.actor.OrganizationID)
	if all == "" {
		return nil
	}
	return strings.Split(all, "\n")
}

func (b *bench) wantFollowUps(t testing.TB, want ...string) {
	t.Helper()
	if got := b.followUps(t); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the follow-ups are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Who wants a person needs one, whatever the campaign does next. Who opted out is not contacted.
func TestWhoWantsAPersonNeedsOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "follow_up.*")
	c := b.create(t, fast(b.draft(5)))
	b.dialDue(t, c.ID)
	b.endWith(t, 0, conversation.WantsHuman, nil)
	b.endWith(t, 1, conversation.Busy, nil)
	b.endWith(t, 2, conversation.WrongPerson, nil)
	b.endWith(t, 3, conversation.WantsHuman, nil)
	b.exec(t, `update call set ended_reason = 'opted_out' where id = $1`, b.callTo(t, 3))
	b.tell(t, b.callTo(t, 4), ends(call.OutcomeCompleted)...)
	b.settle(t)
	b.wantFollowUps(t, "0 wants_human: Asked to talk to a person")
	events := b.events(t)
	if len(events) != 1 || events[0].Type != "follow_up.created" {
		t.Fatalf("the events are %+v", events)
	}
	data := events[0].Data.(map[string]any)
	if data["call_id"] != b.callTo(t, 0).String() || data["phone_number"] != testNumber(0) ||
		data["status"] != "open" || data["id"] != events[0].Subject.String() {
		t.Errorf("the event has %v", data)
	}
}

// A callback needs a person if no agent calls at the time that the recipient asked for.
func TestCallbacksThatNoAgentMakes(t *testing.T) {
	t.Parallel()
	const asked = "0 call_back: Asked to be called back. "
	soon := time.Now().Add(3 * time.Hour).Truncate(time.Minute)
	for name, test := range map[string]struct {
		draft func(d *campaign.Draft)
		sql   string // before the settlement
		at    *time.Time
		want  string
	}{
		"the agent calls":     {at: &soon},
		"no time, an attempt": {},
		"not by this campaign": {func(d *campaign.Draft) { d.Intents = all(campaign.IntentStop) }, "", &soon,
			asked + "The campaign does not call back (due)"},
		"retry": {func(d *campaign.Draft) { d.Intents = all(campaign.IntentRetry) }, "", &soon,
			asked + "The campaign does not call back (due)"},
		"the campaign expires": {nil, `update campaign set expires_at = clock() + interval '2 hours'`, &soon,
			asked + "The campaign expires before that (due)"},
		"the campaign is over": {nil, `update campaign set expires_at = clock() - interval '1 second'`, &soon,
			asked + "The campaign has ended (due)"},
		"no attempt is left": {nil, `update campaign set max_attempts = 1`, nil, asked + "No attempt is left"},
		"no campaign": {nil, `update call set campaign_id = null, recipient_id = null`, &soon,
			asked + "The call belongs to no campaign (due)"},
		"closed": {nil, `update campaign set calling_hours = jsonb_build_object('timezone', 'Etc/UTC', 'windows',
			jsonb_build_array(jsonb_build_object(
			'days', jsonb_build_array('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
			'start', to_char((clock() + interval '5 hours') at time zone 'UTC', 'HH24:00'),
			'end', to_char((clock() + interval '6 hours') at time zone 'UTC', 'HH24:00'))))`, &soon,
			asked + "The requested time is outside the calling hours. The agent calls when they open (due)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			d := fast(b.draft(1))
			d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{45}, On: []string{"busy"}}
			if test.draft != nil {
				test.draft(d)
			}
			c := b.create(t, d)
			b.dialDue(t, c.ID)
			b.endWith(t, 0, conversation.CallBack, test.at)
			if test.sql != "" {
				b.exec(t, test.sql)
			}
			b.settle(t)
			if test.want == "" {
				b.wantFollowUps(t)
			} else {
				b.wantFollowUps(t, test.want)
			}
		})
	}
}

// An answer that matches the rule of its question needs a person, by the version of the agent that the call followed.
func TestAnswersThatNeedAPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update agent set script = script || '{"questions": [
		{"key": "coming", "ask": "Are you coming?", "expect": "yes_no", "follow_up": {"answer": false}},
		{"key": "how_many", "ask": "How many?", "expect": "number", "follow_up": {"at_most": 2, "at_least": 9}},
		{"key": "meal", "ask": "Which meal?", "expect": "choice", "options": ["Meat", "Fish"],
		 "follow_up": {"options": ["Fish"]}}]}'`)
	b.publish(t, false)
	c := b.create(t, fast(b.draft(5)))
	b.dialDue(t, c.ID)
	for i, answers := range []string{
		`{"coming": true, "how_many": 3, "meal": "Meat"}`, `{"coming": false, "meal": "Fish"}`, `{"how_many": 2}`,
		`{"how_many": 10, "coming": null}`, `{}`,
	} {
		id := b.callTo(t, i)
		b.tell(t, id, ends(call.OutcomeCompleted)...)
		b.exec(t, `update call set analysis = jsonb_build_object('answers', $2::jsonb) where id = $1`, id, answers)
	}
	b.exec(t, `update agent set script = '{}'`) // a draft that nobody published
	b.settle(t)
	b.wantFollowUps(t,
		"1 answer: Answered “no” to “coming” and “Fish” to “meal”",
		"2 answer: Answered “2” to “how many”",
		"3 answer: Answered “10” to “how many”",
	)
}

// However often and by how many processes the end of a call is settled, it has one follow-up and one event.
func TestAFollowUpIsOpenedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "follow_up.*")
	c := b.create(t, fast(b.draft(4)))
	b.dialDue(t, c.ID)
	for i := range 4 {
		b.endWith(t, i, conversation.WantsHuman, nil)
	}
	_, _, other := b.process(b.Pool)
	var work sync.WaitGroup
	for _, settler := range []*Settler{b.settler, other} {
		work.Go(func() {
			if _, err := settler.round(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	b.settle(t)
	b.exec(t, `update call set settled_at = null`) // as if the settlement had been repeated
	b.settle(t)
	if got := len(b.followUps(t)); got != 4 {
		t.Errorf("%d follow-ups", got)
	}
	if events := b.events(t); len(events) != 4 {
		t.Errorf("%d events: %v", len(events), types(events))
	}
}

// A call that nobody took at the end of its transfers has one follow-up, also if its ends are settled twice, and if the
// recipient had asked for a person. If a later destination took it, nobody is missing, and nobody calls again.
func TestFailedTransfersNeedAPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(4))
	d.Intents = all(campaign.IntentRetry)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{45}, On: []string{"busy"}}
	c := b.create(t, d)
	b.dialDue(t, c.ID)
	desk, err := b.projects().CreateDestination(t.Context(), b.actor, project.DestinationSettings{
		ProjectID: c.ProjectID.String(), Name: "Front desk", PhoneNumber: "+13125550161",
	})
	if err != nil {
		t.Fatal(err)
	}
	transfer := func(i, number int, state call.TransferState) {
		b.exec(t, `
			insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
				language, state, ended_at)
			values ($1, $2, $3, $4, 'Front desk', 'warm', false, 'en-US', $5, clock())`,
			b.callTo(t, i), number, b.actor.OrganizationID, desk.ID, state)
	}
	transfer(0, 1, call.TransferBusy)
	transfer(1, 1, call.TransferDeclined)
	transfer(1, 2, call.TransferEnded)
	transfer(2, 1, call.TransferNoAnswer)
	transfer(2, 2, call.TransferCanceled)
	for i := range 3 { // all of them asked for somebody
		b.endWith(t, i, conversation.WantsHuman, nil)
	}
	b.exec(t, `update call set ended_reason = 'transferred' where id = $1`, b.callTo(t, 1))
	b.tell(t, b.callTo(t, 3), ends(call.OutcomeCompleted)...)
	b.settle(t)
	if r := b.recipients(t, c.ID); r[testNumber(0)].Status != campaign.RecipientPending ||
		r[testNumber(1)].Status != campaign.RecipientCompleted {
		t.Errorf("whom nobody took is %s, who talked to a person is %s", r[testNumber(0)].Status,
			r[testNumber(1)].Status)
	}
	b.exec(t, `update call set settled_at = null`) // as if the settlement had been repeated
	b.settle(t)
	b.wantFollowUps(t,
		"0 transfer_failed: Was not connected with Front desk",
		"2 transfer_failed: Was not connected with Front desk",
	)
}
