package line

import (
	"cmp"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

// onPhones opens a sandbox whose people can call the world's number, and returns what lets one call.
func (w *world) onPhones() func(from, caller string) {
	return w.callingIn(w.onSandbox(20))
}

// callingIn returns what lets somebody call the world's number in a sandbox.
func (w *world) callingIn(phones *sandbox.Network) func(from, caller string) {
	const account = "AC0123456789abcdef0123456789abcdef"
	phones.SetNumber(account, w.claim.OwnNumber, url.Values{
		"VoiceUrl": {w.hooks + "/incoming"}, "StatusCallback": {w.hooks + "/incoming/status"},
	})
	return func(from, caller string) {
		w.tb.Helper()
		_, err := phones.CallIn(sandbox.CallIn{Account: account, From: from, To: w.claim.OwnNumber, Caller: caller})
		if err != nil {
			w.tb.Fatal(err)
		}
	}
}

// inbound sets what happens to calls to the world's number.
func (w *world) inbound(settings string, agent *uuid.UUID) {
	w.tb.Helper()
	w.exec(`insert into inbound (phone_number_id, organization_id, agent_id, settings) values ($1, $2, $3, $4)
		on conflict (phone_number_id) do update set agent_id = excluded.agent_id, settings = excluded.settings`,
		w.claim.PhoneNumberID, w.claim.OrganizationID, agent, settings)
}

// received waits until a call from a number is settled, and returns it.
func (w *world) received(t *testing.T, from string) (call.Call, string) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		w.settle()
		var id uuid.UUID
		err := w.db.Pool.QueryRow(t.Context(), `
			select id from call
			where organization_id = $1 and person_number = $2 and direction = 'inbound' and settled_at is not null
			order by created_at desc limit 1`, w.claim.OrganizationID, from).Scan(&id)
		if err == nil {
			c := w.get(id)
			return c, c.TranscriptText
		}
	}
	t.Fatal("no call was received and settled")
	return call.Call{}, ""
}

// People who call hear what the number is set to, through the production adapter.
func TestPeopleCall(t *testing.T) {
	t.Parallel()
	const unavailable = "Nobody can take your call"
	const closed = `{"action": "forward", "forward_to": "+15005700001", "hours": {"timezone": "UTC", "windows": []}}`
	for name, test := range map[string]struct {
		settings string // empty: never set
		agent    bool
		from     string
		caller   string
		outcome  call.Outcome
		reason   call.Reason
		by       call.Party
		says     []string
	}{
		"nothing is set": {
			"", false, "+13125550142", "silent", call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
			[]string{"you have reached Acme", unavailable, "Press 9"},
		},
		"opts out of a message": {
			"", false, "+13125550142", "presses_9", call.OutcomeCompleted, call.ReasonOptedOut, call.ByAgent,
			[]string{"We will not call this number again"},
		},
		"asks a message": {
			"", false, "+13125550142", "asks_why", call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
			[]string{"Why did you call me?", "I know of no call from Acme to your number."},
		},
		"says stop to a message": {
			"", false, "+13125550142", "says_stop", call.OutcomeCompleted, call.ReasonOptedOut, call.ByAgent,
			[]string{"Please stop calling me", "We will not call this number again"},
		},
		"hangs up on a message": {
			"", false, "+13125550142", "hangs_up", call.OutcomeCompleted, call.ReasonHungUp, call.ByRecipient, nil,
		},
		"says stop outside the hours": {
			closed, false, "+13125550142", "says_stop", call.OutcomeCompleted, call.ReasonOptedOut, call.ByAgent,
			[]string{"Please stop calling me", "We will not call this number again"},
		},
		"asks outside the hours": {
			closed, false, "+13125550142", "asks_why", call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
			[]string{"Why did you call me?", "I know of no call from Acme to your number."},
		},
		"hangs up outside the hours": {
			closed, false, "+13125550142", "hangs_up", call.OutcomeCompleted, call.ReasonHungUp, call.ByRecipient, nil,
		},
		"a message": {
			`{"action": "message", "message": {"text": "This is {{organization}}. We are closed.", "language": "en-US"}}`,
			false, "+13125550142", "silent", call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
			[]string{"This is Acme. We are closed.", "Press 9"},
		},
		"an agent": {
			`{"action": "agent"}`, true, "+13125550142", "answers", call.OutcomeCompleted, call.ReasonCompleted,
			call.ByAgent,
			[]string{"Thank you for calling", "I am an automated assistant. Press 9", "Are you satisfied?"},
		},
		"an agent, withheld": {
			`{"action": "agent"}`, true, "", "says_stop", call.OutcomeCompleted, call.ReasonSaidGoodbye, call.ByAgent,
			[]string{"I am an automated voice", "Your number is withheld"},
		},
		"an agent, withheld, key": {
			`{"action": "agent"}`, true, "", "presses_9", call.OutcomeCompleted, call.ReasonSaidGoodbye, call.ByAgent,
			[]string{"I am an automated voice", "Your number is withheld"},
		},
		"a message, withheld": {
			"", false, "", "presses_9", call.OutcomeCompleted, call.ReasonSaidGoodbye, call.ByAgent,
			[]string{"you have reached Acme", "Your number is withheld", "Goodbye."},
		},
		"an agent, stop": {
			`{"action": "agent"}`, true, "+13125550142", "says_stop", call.OutcomeCompleted, call.ReasonOptedOut,
			call.ByAgent, nil,
		},
		"an agent, the line drops": {
			`{"action": "agent"}`, true, "+13125550142", "drops", call.OutcomeCompleted, call.ReasonCompleted,
			call.ByAgent, nil,
		},
		"an agent, hung up on": {
			`{"action": "agent"}`, true, "+13125550142", "hangs_up", call.OutcomeCompleted, call.ReasonHungUp,
			call.ByRecipient, nil,
		},
		"asked twice": {
			`{"action": "agent"}`, true, "+13125550142", "repeated", call.OutcomeCompleted, call.ReasonCompleted,
			call.ByAgent, nil,
		},
		"hung up before": {
			`{"action": "agent"}`, true, "+13125550142", "hangs_up_at_once", call.OutcomeNoAnswer, call.ReasonNoAnswer,
			call.ByRecipient, nil,
		},
		"forwarded": {
			`{"action": "forward", "forward_to": "+15005700001"}`, false, "+13125550142", "answers",
			call.OutcomeCompleted, call.ReasonForwarded, call.BySystem, nil,
		},
		"forwarded, nobody answers": {
			`{"action": "forward", "forward_to": "+15005720001"}`, false, "+13125550142", "silent",
			call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
			[]string{unavailable, "Press 9"},
		},
		"forwarded, busy, opts out": {
			`{"action": "forward", "forward_to": "+15005730001"}`, false, "+13125550142", "presses_9",
			call.OutcomeCompleted, call.ReasonOptedOut, call.ByAgent, []string{"We will not call this number again"},
		},
		"forwarded to no number": {
			`{"action": "forward", "forward_to": "+15005780001"}`, false, "+13125550142", "silent",
			call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent, []string{unavailable},
		},
		"rejected": {
			`{"action": "reject"}`, false, "+13125550142", "answers", call.OutcomeCanceled, call.ReasonNotAccepted,
			call.BySystem, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			callIn := w.onPhones()
			if test.settings != "" {
				var agent *uuid.UUID
				if test.agent {
					agent = &w.claim.AgentID
				}
				w.inbound(test.settings, agent)
			}
			callIn(test.from, test.caller)
			c, text := w.received(t, test.from)
			if c.Outcome != test.outcome || c.EndedReason != test.reason || c.EndedBy != test.by {
				t.Errorf("%s, %s by %s, want %s, %s by %s\n%s", c.Outcome, c.EndedReason, c.EndedBy, test.outcome,
					test.reason, test.by, text)
			}
			if to := c.ForwardedTo; (to != nil) != strings.HasPrefix(name, "forwarded") {
				t.Errorf("forwarded to %v", to)
			}
			if c.Direction != call.Inbound || c.From() != test.from || c.To() != w.claim.OwnNumber ||
				(c.AgentID != nil) != test.agent || c.CampaignID != nil {
				t.Errorf("%+v", c)
			}
			for _, part := range test.says {
				if !strings.Contains(text, part) {
					t.Errorf("nobody said %q:\n%s", part, text)
				}
			}
			if test.from == "" && (strings.Count(text, "automated") != 1 || c.MissingNumber() != call.NumberWithheld) {
				t.Errorf("the number is %q, and the caller does not hear once that the voice is automated:\n%s",
					c.MissingNumber(), text)
			}
			asked, withheld := test.caller == "asks_why", test.reason == call.ReasonSaidGoodbye
			a := cmp.Or(c.Analysis, &call.Analysis{}) // no analysis of a call without a conversation
			if sum := a.Summary; strings.Contains(sum, "Asked why they had been called.") != asked ||
				strings.Contains(sum, "Asked not to be called again, but withheld the number.") != withheld ||
				a.OptOut != (test.reason == call.ReasonOptedOut) {
				t.Errorf("the summary is %q, opt-out %t", sum, a.OptOut)
			}
			var calls, listed int
			err := w.db.Pool.QueryRow(t.Context(), `
				select (select count(*) from call where organization_id = $1),
				       (select count(*) from do_not_call where organization_id = $1 and call_id = $2)`,
				w.claim.OrganizationID, c.ID).Scan(&calls, &listed)
			if err != nil {
				t.Fatal(err)
			}
			if optedOut := test.reason == call.ReasonOptedOut; calls != 1 || (listed > 0) != optedOut {
				t.Errorf("%d calls, listed %d times", calls, listed)
			}
		})
	}
}

// Who asks why they were called hears on which day it was where they are.
func TestACallerHearsWhenTheyWereCalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const from = "+13125550142"
	c := w.queue(from)
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: "CA001", Outcome: carrier.NoAnswer})
	w.settle()
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().In(chicago)
	at := time.Date(now.Year(), now.Month(), now.Day()-3, 23, 30, 0, 0, chicago) // on the next day in UTC
	w.exec(`update call set created_at = $2, started_at = $2 where id = $1`, c.ID, at)

	w.onPhones()(from, "asks_why")
	_, text := w.received(t, from)
	if want := "Acme called you. That was on " + at.Format("Monday, January 2"); !strings.Contains(text, want) {
		t.Errorf("nobody said %q:\n%s", want, text)
	}
}

// Callers do to an agent with a model what they do to a scripted one, though its first words come in parts.
func TestPeopleCallAModel(t *testing.T) {
	t.Parallel()
	for caller, test := range map[string]struct {
		reason call.Reason
		says   []string
	}{
		"asks_why":  {call.ReasonCompleted, []string{"Why did you call me?"}},
		"says_stop": {call.ReasonOptedOut, []string{"Please stop calling me", "We will not call this number again"}},
		"hangs_up":  {call.ReasonHungUp, nil},
	} {
		t.Run(caller, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.withModel("sandbox", "")
			callIn := w.onPhones()
			w.inbound(`{"action": "agent"}`, &w.claim.AgentID)
			callIn("+13125550142", caller)
			c, text := w.received(t, "+13125550142")
			if c.EndedReason != test.reason {
				t.Errorf("%s, want %s\n%s", c.EndedReason, test.reason, text)
			}
			for _, part := range test.says {
				if !strings.Contains(text, part) {
					t.Errorf("nobody said %q:\n%s", part, text)
				}
			}
		})
	}
}

// When calling is stopped or a limit is reached, also that of a model's streams, callers hear that nobody can talk. Key
// 1 asks for a callback, unless the number is withheld.
func TestNobodyCanTalk(t *testing.T) {
	t.Parallel()
	const limit = ` set max_concurrency = 1`
	const streams = `
		with full_one as (
			insert into model_connection (id, organization_id, provider, name, model, key, streams)
			select gen_random_uuid(), id, 'sandbox', 'Model', 'sandbox', '', 1 from organization
			returning id),
		talks as (update call set model_connection_id = (select id from full_one))
		update agent set script = script || jsonb_build_object('model', jsonb_build_object(
			'connection_id', (select id from full_one)))`
	for name, test := range map[string]struct {
		full, from, caller string
		reason             call.Reason
	}{
		"stopped": {
			`update organization set calling_stopped_at = clock(), calling_stopped_by = 'Ada'`, "+13125550142",
			"presses_1", call.ReasonCallBack,
		},
		"organization": {`update organization` + limit, "+13125550142", "presses_1", call.ReasonCallBack},
		"connection":   {`update connection` + limit, "+13125550142", "silent", call.ReasonNoCapacity},
		"number":       {`update phone_number` + limit, "+13125550142", "presses_1", call.ReasonCallBack},
		"model":        {streams, "+13125550142", "presses_1", call.ReasonCallBack},
		"withheld":     {`update connection` + limit, "", "presses_1", call.ReasonNoCapacity},
		"opts out":     {`update connection` + limit, "+13125550142", "presses_9", call.ReasonOptedOut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			callIn := w.onPhones()
			w.inbound(`{"action": "agent"}`, &w.claim.AgentID)
			w.queue("+13125550199") // takes the only place
			w.exec(test.full)
			callIn(test.from, test.caller)
			c, text := w.received(t, test.from)
			if c.EndedReason != test.reason || c.AgentID != nil || !strings.Contains(text, "can't take your call") {
				t.Errorf("%s\n%s", c.EndedReason, text)
			}
			if offered := strings.Contains(text, "press 1"); offered != (test.from != "") {
				t.Errorf("a callback was offered: %t\n%s", offered, text)
			}
		})
	}
}

// The conversation with a caller continues at another process, which knows the caller.
func TestACallerAtAnotherProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.inbound(`{"action": "agent"}`, &w.claim.AgentID)
	r, err := w.calls.Receive(t.Context(), carrier.Incoming{
		ConnectionID: w.claim.ConnectionID, CarrierCallID: "CA001", From: "+13125550142", To: w.claim.OwnNumber,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := call.Claimed{Claim: w.claim, ID: r.CallID}
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.heardAll()
	line.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")

	line = newPhoneLine()
	done = w.instance().converseInBackground(c, line)
	if u := line.play(t); !strings.Contains(u.text, "Sorry") {
		t.Errorf("came back with %q", u.text)
	}
	line.tell(carrier.Prompt{Text: "Please stop calling me"})
	for confirmed := false; !confirmed; {
		confirmed = strings.Contains(line.play(t).text, "We will not call this number again. Goodbye.")
	}
	wait(t, done, "the second line is not let go")
	var listed bool
	err = w.db.Pool.QueryRow(t.Context(), `
		select exists (select from do_not_call where phone_number = '+13125550142' and call_id = $1)`,
		r.CallID).Scan(&listed)
	if err != nil || !listed {
		t.Errorf("listed %t, %v", listed, err)
	}
	if got := w.get(r.CallID); got.EndedReason != call.ReasonOptedOut {
		t.Errorf("%s", got.EndedReason)
	}
}
