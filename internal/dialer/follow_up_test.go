package dialer

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

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
		"no attempt is left": {nil, `update campaign set max_attempts = 1`, nil, asked + noCallsLeft},
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
		{"key": "coming", "ask": "Are you coming on {{day}}, {{first_name}}, {{hour|at noon}}?", "expect": "yes_no", "follow_up": {"answer": false}},
		{"key": "how_many", "ask": "How many?", "expect": "number", "follow_up": {"at_most": 2, "at_least": 9}},
		{"key": "meal", "ask": "Which meal?", "expect": "choice", "options": ["Meat", "Fish"],
		 "follow_up": {"options": ["Fish"]}}]}'`)
	b.publish(t, false)
	c := b.create(t, fast(b.draft(5)))
	b.dialDue(t, c.ID)
	b.exec(t, `update call set variables = '{"day": "Tuesday"}', recipient_name = 'Ana Souza'`)
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
		"1 answer: Answered “no” to “Are you coming on Tuesday, Ana, at noon?” and “Fish” to “Which meal?”",
		"2 answer: Answered “2” to “How many?”",
		"3 answer: Answered “10” to “How many?”",
	)
}

// What a model left to people needs a person. It joins another follow-up of the call, unless that is an answer, and is
// dropped if the person talked to somebody or opted out.
func TestWhatAModelLeftNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(5)))
	b.dialDue(t, c.ID)
	transfer := b.transfers(t, c.ProjectID)
	transfer(2, 1, call.TransferBusy)
	transfer(3, 1, call.TransferEnded)
	b.endWith(t, 1, conversation.WantsHuman, nil)
	for _, i := range []int{0, 2, 3, 4} {
		b.tell(t, b.callTo(t, i), ends(call.OutcomeCompleted)...)
	}
	b.exec(t, `update call set ended_reason = 'transferred' where id = $1`, b.callTo(t, 3))
	b.exec(t, `update call set ended_reason = 'opted_out' where id = $1`, b.callTo(t, 4))
	b.exec(t, `update call set analysis = coalesce(analysis, '{}') || '{"needs": ["Is parking free?", "Is there a bus?"]}'`)
	b.settle(t)
	const left = "The agent left this to you: Is parking free? · Is there a bus?"
	b.wantFollowUps(t,
		"0 unsure: "+left,
		"1 wants_human: Asked to talk to a person. "+left,
		"2 transfer_failed: Was not connected with Front desk. "+left,
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
	transfer := b.transfers(t, c.ProjectID)
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

// transfers returns a function that adds a transfer to the call of the i-th recipient.
func (b *bench) transfers(t *testing.T, projectID uuid.UUID) func(i, number int, state call.TransferState) {
	t.Helper()
	desk, err := b.projects().CreateDestination(t.Context(), b.actor, project.DestinationSettings{
		ProjectID: projectID.String(), Name: "Front desk", PhoneNumber: "+13125550161",
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(i, number int, state call.TransferState) {
		b.exec(t, `
			insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
				language, state, ended_at)
			values ($1, $2, $3, $4, 'Front desk', 'warm', false, 'en-US', $5, clock())`,
			b.callTo(t, i), number, b.actor.OrganizationID, desk.ID, state)
	}
}

// A recipient who was promised a call by a person gets one, within the calling hours of the day, and no agent calls.
// One need has one follow-up: that of the transfer that failed, if there was one.
func TestPromisedCallsAreMadeByAPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(8))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{45}, On: []string{"busy"}}
	c := b.create(t, d)
	b.dialDue(t, c.ID)
	transfer := b.transfers(t, c.ProjectID)
	b.exec(t, `update recipient set zones = '{Europe/Athens}'`)
	b.exec(t, `update campaign set calling_hours = '{"timezone": "recipient", "windows": [
		{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start": "09:00", "end": "17:00"}]}'`)
	athens, err := time.LoadLocation("Europe/Athens")
	if err != nil {
		t.Fatal(err)
	}
	y, m, day := time.Now().In(athens).AddDate(0, 0, 7).Date()
	local := func(hour, minute int) *time.Time { return ptr(time.Date(y, m, day, hour, minute, 0, 0, athens)) }
	on := time.Date(y, m, day, 0, 0, 0, 0, athens).Format(" on 2 Jan")
	monday := local(0, 0).AddDate(0, 0, -(int(local(0, 0).Weekday())+6)%7)
	asked := func(i int, at *time.Time, leeway conversation.Leeway, byPerson bool) {
		b.endWith(t, i, conversation.CallBack, at)
		a := analyzed(conversation.CallBack, at)
		a.Leeway, a.ByPerson = leeway, byPerson
		b.exec(t, `update call set analysis = $2 where id = $1`, b.callTo(t, i), a)
	}
	for i := range 4 {
		transfer(i, 1, call.TransferBusy)
	}
	asked(0, local(18, 26), conversation.WholeDay, true)
	asked(1, local(15, 0), "", true)
	asked(2, nil, "", true)
	asked(3, local(15, 0), "", false)                     // after they went on with the questions, so the agent calls
	asked(4, local(7, 30), "", true)                      // nobody can be reached at that hour, so no transfer
	asked(5, local(18, 26), conversation.WholeDay, false) // of the agent
	asked(6, local(14, 0), conversation.PartOfDay, true)
	asked(7, local(18, 26), conversation.WholeWeek, true)
	b.settle(t)
	const failed = "transfer_failed: Was not connected with Front desk"
	const promised = ". Asked to be called back by a person"
	b.wantFollowUps(t,
		"0 "+failed+promised+on+" (due)",
		"1 "+failed+promised+on+", 15:00 (Europe/Athens) (due)",
		"2 "+failed+promised,
		"3 "+failed,
		"4 call_back: Asked to be called back by a person"+on+", 07:30 (Europe/Athens) (due)",
		"6 call_back: Asked to be called back by a person"+on+", in the afternoon (due)",
		"7 call_back: Asked to be called back by a person in the week of "+monday.Format("2 Jan")+" (due)",
	)
	if due := value[time.Time](t, b, `select due_at from follow_up where call_id = $1`, b.callTo(t, 0)); !due.Equal(
		*local(9, 0)) {
		t.Errorf("due at %s", due.In(athens))
	}
	recipients := b.recipients(t, c.ID)
	for i := range 8 {
		r := recipients[testNumber(i)]
		agent := map[int]*time.Time{3: local(15, 0), 5: local(9, 0)}[i]
		switch {
		case agent == nil && r.Status != campaign.RecipientCompleted:
			t.Errorf("recipient %d is %s", i, r.Status)
		case agent != nil && (r.Status != campaign.RecipientPending || !r.DueAt.Equal(*agent)):
			t.Errorf("recipient %d is %s, due %v", i, r.Status, r.DueAt)
		}
	}
}
