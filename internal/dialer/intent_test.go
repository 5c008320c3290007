package dialer

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/wire"
)

// analyzed returns the analysis of a call that ended with an intent.
func analyzed(intent conversation.Intent, at *time.Time) conversation.Analysis {
	return conversation.Analysis{
		Status:     conversation.Ready,
		Answers:    map[string]any{},
		Intent:     &intent,
		CallBackAt: wire.Optional(at),
	}
}

// endWith ends the latest call to the i-th recipient with an intent. at is the time at which the
// recipient wants to be called back, or nil.
func (b *bench) endWith(t testing.TB, i int, intent conversation.Intent, at *time.Time) {
	t.Helper()
	id := b.callTo(t, i)
	b.tell(t, id, ends(call.OutcomeCompleted)...)
	b.exec(t, `update call set analysis = $2 where id = $1`, id, analyzed(intent, at))
}

// dialDue dials a campaign until none of its recipients is due.
func (b *bench) dialDue(t testing.TB, id uuid.UUID) {
	t.Helper()
	for value[bool](t, b, `select exists (select from recipient
		where campaign_id = $1 and status = 'pending' and due_at <= clock())`, id) {
		b.again(t, id)
	}
}

// all returns the setting in which every intent leads to an action.
func all(action campaign.IntentAction) (set campaign.Intents) {
	for _, intent := range conversation.Intents {
		*set.Of(intent) = action
	}
	return set
}

// Every intent leads to the action that the campaign sets, and to its default otherwise.
func TestWhatIntentsLeadTo(t *testing.T) {
	t.Parallel()
	callBacks := all(campaign.IntentStop)
	callBacks.CallBack = campaign.IntentCallBack
	for name, set := range map[string]campaign.Intents{
		"default":     {},
		"retry":       all(campaign.IntentRetry),
		"stop":        all(campaign.IntentStop),
		"do_not_call": all(campaign.IntentDoNotCall),
		"call_back":   callBacks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			n := len(conversation.Intents)
			d := fast(b.draft(n + 1)) // the last recipient has no intent
			d.Intents = set
			d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{45}, On: []string{"busy"}}
			c := b.create(t, d)
			b.dialDue(t, c.ID)
			asked := time.Now().Add(3 * time.Hour).Truncate(time.Minute)
			for i, intent := range conversation.Intents {
				b.endWith(t, i, intent, &asked)
			}
			b.tell(t, b.callTo(t, n), ends(call.OutcomeCompleted)...)
			b.checkCounters(t, c.ID)
			b.settle(t)
			b.checkCounters(t, c.ID)
			recipients := b.recipients(t, c.ID)
			for i, intent := range conversation.Intents {
				action := *c.Intents.Of(intent)
				r, listed := recipients[testNumber(i)], value[string](t, b, `
					select coalesce(string_agg(channel || ' ' || source || note, ', ' order by channel), '')
					from do_not_call
					where phone_number = $1
						and call_id = (select last_call_id from recipient where phone_number = $1)`, testNumber(i))
				if want := listedAfter(intent, action); listed != want {
					t.Errorf("%s, %s: %q on the do-not-call list, want %q", intent, action, listed, want)
				}
				switch action {
				case campaign.IntentStop, campaign.IntentDoNotCall:
					if r.Status != campaign.RecipientCompleted || r.DueAt != nil {
						t.Errorf("%s, %s: %+v", intent, action, r)
					}
				case campaign.IntentRetry:
					if r.Status != campaign.RecipientPending || *r.WaitReason != campaign.WaitRetry ||
						time.Until(*r.DueAt) > 45*time.Minute || time.Until(*r.DueAt) < 30*time.Minute {
						t.Errorf("%s, %s: %+v", intent, action, r)
					}
				case campaign.IntentCallBack:
					if r.Status != campaign.RecipientPending || *r.WaitReason != campaign.WaitCallBack ||
						!r.DueAt.Equal(asked) {
						t.Errorf("%s, %s: %+v, want %v", intent, action, r, asked)
					}
				default:
					t.Errorf("%s leads to %q", intent, action)
				}
			}
			if r := recipients[testNumber(n)]; r.Status != campaign.RecipientCompleted {
				t.Errorf("without an intent: %+v", r)
			}
			if name == "default" && c.Intents != campaign.DefaultIntents {
				t.Errorf("the default is %+v", c.Intents)
			}
		})
	}
}

// listedAfter returns the channels and the sources of the entries that an action leaves on the
// do-not-call list.
func listedAfter(intent conversation.Intent, action campaign.IntentAction) string {
	known := intent == conversation.Deceased || intent == conversation.WrongPerson
	switch {
	case action == campaign.IntentDoNotCall && known:
		return fmt.Sprintf("message %s, voice %[1]s", intent)
	case action == campaign.IntentDoNotCall:
		return "voice campaign" + intent.Words()
	case action == campaign.IntentStop && known:
		return fmt.Sprintf("message %s", intent)
	}
	return ""
}

// The campaign's log counts the recipients that calls have put on the do-not-call list.
func TestTheLogCountsWhoIsPutOnTheDoNotCallList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(4)))
	b.dialDue(t, c.ID)
	b.endWith(t, 0, conversation.Deceased, nil)
	b.endWith(t, 1, conversation.WrongPerson, nil)
	b.endWith(t, 2, conversation.WantsHuman, nil)
	b.endWith(t, 3, conversation.WantsHuman, nil)
	b.exec(t, `update call set ended_reason = 'opted_out' where id = $1`, b.callTo(t, 3))
	b.settle(t)
	const want = "3 recipients added to the do-not-call list: 2 for calls, 2 for messages. Reasons: " +
		"recipient has died (1), opted out (1), wrong person (1)"
	if got := b.logged(t, c.ID, campaign.LogDoNotCallAdded); !slices.Equal(got, []string{want}) {
		t.Errorf("the log is %q, want %q", got, want)
	}
}

// A retry after an intent obeys the limit on attempts.
func TestARetryAfterAnIntentIsAnAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	for range 2 {
		b.dialDue(t, c.ID)
		b.endWith(t, 0, conversation.Busy, nil)
		b.settle(t)
	}
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Completed != 1 || b.network.dials(testNumber(0)) != 2 {
		t.Errorf("%s, %+v, dialed %d times", got.Status, got.Counters(), b.network.dials(testNumber(0)))
	}
}

// An opt-out takes precedence over an intent.
func TestAnOptOutOutranksAnIntent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dialDue(t, c.ID)
	b.endWith(t, 0, conversation.CallBack, ptr(time.Now().Add(time.Hour)))
	b.exec(t, `update call set ended_reason = 'opted_out'`)
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Completed != 1 {
		t.Errorf("%+v", got.Counters())
	}
}

// A recipient is called back twice at the time they asked for, even beyond the campaign's attempts.
// A third wish is an ordinary attempt, and so is a wish without a time.
func TestCallBacksExceedTheAttempts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(1)))
	for n := range 2 {
		b.dialDue(t, c.ID)
		b.endWith(t, 0, conversation.CallBack, ptr(value[time.Time](t, b, `select clock() + interval '1 hour'`)))
		b.settle(t)
		r := b.recipients(t, c.ID)[testNumber(0)]
		if r.Status != campaign.RecipientPending || r.WaitReason == nil || *r.WaitReason != campaign.WaitCallBack {
			t.Fatalf("after wish %d: %+v", n+1, r)
		}
		b.again(t, c.ID)
		if dials := b.network.dials(testNumber(0)); dials != n+1 {
			t.Fatalf("dialed %d times before the hour passed", dials)
		}
		b.Advance(time.Hour + time.Second)
	}
	b.dialDue(t, c.ID)
	b.endWith(t, 0, conversation.CallBack, ptr(value[time.Time](t, b, `select clock() + interval '1 hour'`)))
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Completed != 1 || b.network.dials(testNumber(0)) != 3 {
		t.Errorf("%s, %+v, dialed %d times", got.Status, got.Counters(), b.network.dials(testNumber(0)))
	}
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.Attempts != 3 {
		t.Errorf("%d attempts", r.Attempts)
	}
}

func TestACallBackWithoutATimeIsARetry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{45}}
	c := b.create(t, d)
	b.dialDue(t, c.ID)
	b.endWith(t, 0, conversation.CallBack, nil)
	b.endWith(t, 1, conversation.CallBack, ptr(time.Now().Add(-time.Hour))) // the time has passed: at once
	b.settle(t)
	recipients := b.recipients(t, c.ID)
	if r := recipients[testNumber(0)]; r.Status != campaign.RecipientPending || *r.WaitReason != campaign.WaitRetry ||
		time.Until(*r.DueAt) < 30*time.Minute {
		t.Errorf("without a time: %+v", r)
	}
	if r := recipients[testNumber(1)]; r.Status != campaign.RecipientPending || time.Until(*r.DueAt) > time.Minute ||
		*r.WaitReason != campaign.WaitCallBack {
		t.Errorf("at a time that has passed: %+v", r)
	}
}

// A call back that was asked for outside the calling hours comes at their next opening by the
// recipient's clock, on both sides of a change to daylight saving time. The recipient still waits
// because they asked for it.
func TestACallBackComesWithinTheCallingHours(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	change := time.Date(time.Now().Year()+1, 3, 8, 0, 0, 0, 0, zone) // the second Sunday of March
	for change.Weekday() != time.Sunday {
		change = change.AddDate(0, 0, 1)
	}
	at := func(days, hour, minute int) time.Time {
		return time.Date(change.Year(), change.Month(), change.Day()+days, hour, minute, 0, 0, zone)
	}
	wishes := []struct{ asked, called time.Time }{
		{at(-1, 7, 30), at(-1, 8, 0)},
		{at(-1, 12, 0), at(-1, 12, 0)},
		{at(-1, 21, 30), at(0, 8, 0)}, // 10 hours and 30 minutes later by the clock, 9 hours and 30 minutes in fact
		{at(0, 1, 30), at(0, 8, 0)},
		{at(0, 7, 59), at(0, 8, 0)},
	}
	d := fast(b.draft(len(wishes)))
	d.CallingHours = &hours.Hours{
		Timezone: hours.Recipient, Windows: []hours.Window{{Days: hours.Days(), Start: "08:00", End: "21:00"}},
	}
	d.ScheduledAt = ptr(at(-3, 12, 0))
	c := b.create(t, d)
	b.exec(t, `update recipient set zones = '{America/New_York}', due_at = $1`, d.ScheduledAt)
	b.Advance(time.Until(*d.ScheduledAt) + time.Second)
	b.dialDue(t, c.ID)
	for i, wish := range wishes {
		b.endWith(t, i, conversation.CallBack, &wish.asked)
	}
	b.settle(t)
	recipients := b.recipients(t, c.ID)
	for i, wish := range wishes {
		r := recipients[testNumber(i)]
		if r.DueAt == nil || !r.DueAt.Equal(wish.called) || *r.WaitReason != campaign.WaitCallBack {
			t.Errorf("asked for %v: %+v, want %v", wish.asked, r, wish.called)
		}
	}
	b.again(t, c.ID)
	w := b.get(t, c.ID).Waiting
	if len(w) != 1 || w[0].Reason != campaign.WaitCallBack || w[0].Recipients != len(wishes) ||
		!time.Time(*w[0].Until).Equal(wishes[0].called) {
		t.Errorf("waiting: %+v", w)
	}
}

// No wish keeps a campaign dialing after its end time.
func TestNoCallBackAfterTheCampaignExpired(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	d.ExpiresAt = ptr(time.Now().Add(2 * time.Hour))
	c := b.create(t, d)
	b.dialDue(t, c.ID)
	b.endWith(t, 0, conversation.CallBack, ptr(time.Now().Add(3*time.Hour)))
	b.settle(t)
	b.Advance(2*time.Hour + time.Minute)
	b.again(t, c.ID)
	b.endWith(t, 1, conversation.CallBack, ptr(time.Now().Add(5*time.Hour))) // the campaign is over already
	b.settle(t)
	b.dial(t)
	b.Advance(24 * time.Hour)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || *got.EndedReason != campaign.EndedExpired || got.Expired != 1 ||
		got.Completed != 1 || b.network.dials(testNumber(0)) != 1 || b.network.dials(testNumber(1)) != 1 {
		t.Errorf("%s, %+v", got.Status, got.Counters())
	}
}

// The settlement of a call whose line was not closed takes over the intent from the line.
func TestTheIntentOfALineThatWasLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(1)))
	b.dialDue(t, c.ID)
	id := b.callTo(t, 0)
	b.tell(t, id, ends(call.OutcomeCompleted)...)
	asked := time.Now().Add(time.Hour).Truncate(time.Minute)
	b.exec(t, `insert into call_line (call_id, organization_id, analysis) values ($1, $2, $3)`,
		id, b.actor.OrganizationID, analyzed(conversation.CallBack, &asked))
	b.settle(t)
	r := b.recipients(t, c.ID)[testNumber(0)]
	if r.DueAt == nil || !r.DueAt.Equal(asked) {
		t.Errorf("%+v, want %v", r, asked)
	}
	b.checkCounters(t, c.ID)
}

// After a call that ended with an intent, the campaign's message is sent only if the campaign lists
// the intent, and it does not wait for another attempt.
func TestFollowUpsByIntent(t *testing.T) {
	t.Parallel()
	for _, list := range [][]conversation.Intent{nil, {conversation.Busy}, campaign.FollowUpIntents} {
		t.Run(fmt.Sprint(list), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.whatsapp(t)
			n := len(conversation.Intents)
			d := b.writing(n+1, campaign.TriggerAfterCall, "heads_up", `{}`)
			d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{45}}
			d.Messaging.FollowUp = list
			c := b.create(t, d)
			b.dialAll(t, c.ID, n+1)
			for i, intent := range conversation.Intents {
				b.endWith(t, i, intent, nil)
			}
			b.tell(t, b.callTo(t, n), ends(call.OutcomeCompleted)...)
			b.settle(t)
			messages := b.planned(t, c.ID)
			for i, intent := range conversation.Intents {
				_, sent := messages[testNumber(i)]
				if want := slices.Contains(list, intent); sent != want {
					t.Errorf("%s: a message %t, want %t", intent, sent, want)
				}
			}
			if _, sent := messages[testNumber(n)]; !sent {
				t.Error("no message after a call without an intent")
			}
		})
	}
}

// A number that is on the do-not-call list already keeps its entry. The numbers of wrong people
// are listed for calls and for messages.
func TestANumberIsListedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(5))
	d.Intents = all(campaign.IntentDoNotCall)
	c := b.create(t, d)
	b.dialDue(t, c.ID)
	for i := range 5 {
		b.endWith(t, i, conversation.WrongPerson, nil)
	}
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`, b.actor.OrganizationID, testNumber(3))
	b.settle(t)
	got := value[string](t, b, `
		select string_agg(source || ' ' || n, ', ' order by source)
		from (select source, count(*) as n from do_not_call group by 1) s`)
	if got != "user 1, wrong_person 9" {
		t.Error(got)
	}
	b.checkCounters(t, c.ID)
}
