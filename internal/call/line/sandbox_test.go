package line

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

// onSandbox connects the world to the sandbox through the production adapter.
func (w *world) onSandbox(speed float64) *sandbox.Network {
	w.tb.Helper()
	w.claim.MaxDuration = 2 * testwait.Limit // both sides measure it in real time
	log := slog.New(slog.DiscardHandler)
	const token, sid = "token", "AC0123456789abcdef0123456789abcdef"
	phones := sandbox.New(sandbox.Options{Token: token, Speed: speed, RetryFor: testwait.Limit, Log: log})
	api := httptest.NewServer(phones)
	account := twilio.Account{SID: sid, AuthToken: sandbox.AccountToken(token, sid), APIURL: api.URL}
	hooks := httptest.NewUnstartedServer(nil)
	hub := postgres.NewHub(context.Background(), postgres.HubOptions{Pool: w.db.Pool, Log: log})
	var adapter *twilio.Adapter
	w.carriers = func(_ context.Context, connection uuid.UUID) (carrier.Carrier, error) {
		return adapter.Carrier(connection, account), nil
	}
	w.use(w.instance(func(o *Options) { o.Hub = hub }))
	adapter = twilio.New(twilio.Config{
		Host: w.lines, PublicURL: "http://" + hooks.Listener.Addr().String(), Log: log,
		Account: func(context.Context, uuid.UUID) (twilio.Account, error) { return account, nil },
	})
	hooks.Config.Handler = adapter.Handler()
	hooks.Start()
	w.hooks = hooks.URL + twilio.HooksPath + w.claim.ConnectionID.String()
	w.tb.Cleanup(func() {
		phones.Close()
		api.Close()
		_ = adapter.Shutdown(context.Background())
		hooks.Close()
		hub.Close()
	})
	return phones
}

// Tests every outcome of the sandbox, through the production adapter.
func TestSandboxOutcomes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	tests := map[string]expected{}
	var claims []call.Claim
	for name, test := range map[string]struct {
		to      string
		action  call.VoicemailAction
		status  call.Status
		outcome call.Outcome
		reason  call.Reason
		by      call.Party
	}{
		"00 answers": {
			"+15005000001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
		},
		"01 busy": {
			"+15005010001", call.HangUp, call.Busy, call.OutcomeBusy, call.ReasonBusy, call.ByRecipient,
		},
		"02 no answer": {
			"+15005020001", call.HangUp, call.NoAnswer, call.OutcomeNoAnswer, call.ReasonNoAnswer, call.BySystem,
		},
		"03 voicemail": {
			"+15005030001", call.HangUp, call.Completed, call.OutcomeVoicemail, call.ReasonVoicemail, call.ByAgent,
		},
		"03 voicemail, message": {
			"+15005030002", call.LeaveMessage, call.Completed, call.OutcomeVoicemail, call.ReasonVoicemailMessage,
			call.ByAgent,
		},
		"04 hangs up": {
			"+15005040001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonHungUp, call.ByRecipient,
		},
		"05 interrupts": {
			"+15005050001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
		},
		"06 presses 9": {
			"+15005060001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonOptedOut, call.ByAgent,
		},
		"07 says stop": {
			"+15005070001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonOptedOut, call.ByAgent,
		},
		"08 refused": {
			"+15005080001", call.HangUp, call.Failed, call.OutcomeFailed, call.ReasonInvalidNumber, call.ByCarrier,
		},
		"10 shuffles": {
			"+15005100001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
		},
		"11 loses the line": {
			"+15005110001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
		},
		"13 late": {
			"+15005130001", call.HangUp, call.Completed, call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent,
		},
	} {
		c := w.claim
		c.PersonNumber, c.VoicemailAction = test.to, test.action
		tests[test.to] = expected{name, test.status, test.outcome, test.reason, test.by}
		claims = append(claims, c)
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(queued))

	said := map[string][]string{}
	for _, dial := range phones.Dials() {
		for _, turn := range dial.Turns {
			if turn.Who == sandbox.Recipient && turn.Text != "" && turn.Acknowledged {
				said[dial.To] = append(said[dial.To], turn.Text)
			}
		}
	}
	for _, c := range queued {
		got, turns, err := w.calls.Get(t.Context(), c.OrganizationID, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		if want := tests[c.PersonNumber]; want != (expected{
			want.name, got.Status, got.Outcome, got.EndedReason, got.EndedBy,
		}) {
			t.Errorf("%s: %s, %s, %s by %s, answered by %s: %q", want.name,
				got.Status, got.Outcome, got.EndedReason, got.EndedBy, got.AnsweredBy, got.Detail)
		}
		var stored []string
		for _, turn := range turns {
			if turn.Role == call.Recipient {
				stored = append(stored, turn.Text)
			}
		}
		if !isWithin(said[c.PersonNumber], stored) {
			t.Errorf("%s: recipient said %q, transcript has %q", tests[c.PersonNumber].name,
				said[c.PersonNumber], stored)
		}
		if (got.AnsweredAt != nil) != (len(turns) > 0) && got.Outcome != call.OutcomeVoicemail {
			t.Errorf("%s: answered %v, %d turns", tests[c.PersonNumber].name, got.AnsweredAt, len(turns))
		}
		inOrder(t, got)
	}
}

// Whoever answers in place of a willing recipient is understood, by a script and by a model.
func TestSandboxWhoAnswered(t *testing.T) {
	t.Parallel()
	whoAnswered(t, newWorld(t))
}

func TestSandboxWhoAnsweredModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	whoAnswered(t, w)
}

func whoAnswered(t *testing.T, w *world) {
	t.Helper()
	phones := w.onSandbox(20)
	type result struct {
		outcome call.Outcome
		reason  call.Reason
		intent  conversation.Intent
	}
	machine := func(reason call.Reason) result { return result{call.OutcomeVoicemail, reason, ""} }
	person := func(reason call.Reason, intent conversation.Intent) result {
		return result{call.OutcomeCompleted, reason, intent}
	}
	left := machine(call.ReasonVoicemailMessage)
	hung := machine(call.ReasonVoicemail)
	spoke := person(call.ReasonCompleted, "")
	blocks := []struct {
		block  string
		action call.VoicemailAction
		want   result
	}{
		{"14", call.HangUp, hung}, {"14", call.LeaveMessage, left},
		{"15", call.HangUp, hung}, {"15", call.LeaveMessage, left},
		{"16", call.LeaveMessage, hung}, {"17", call.LeaveMessage, hung}, {"18", call.LeaveMessage, spoke},
		{"20", call.LeaveMessage, machine(call.ReasonMenu)}, {"21", call.HangUp, spoke},
		{"22", call.HangUp, person(call.ReasonWrongPerson, conversation.WrongPerson)},
		{"23", call.HangUp, person(call.ReasonDeceased, conversation.Deceased)},
		{"24", call.HangUp, person(call.ReasonCallBack, conversation.CallBack)},
		{"25", call.HangUp, person(call.ReasonRecipientBusy, conversation.Busy)},
		{"26", call.HangUp, person(call.ReasonMinor, conversation.Minor)},
		{"27", call.HangUp, person(call.ReasonWantsHuman, conversation.WantsHuman)},
	}
	want := map[string]result{}
	var claims []call.Claim
	for i, b := range blocks {
		for n := range 4 { // several wordings
			c := w.claim
			c.PersonNumber, c.VoicemailAction = fmt.Sprintf("+15005%s%02d%02d", b.block, i, n), b.action
			want[c.PersonNumber] = b.want
			claims = append(claims, c)
		}
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(queued))
	w.wantResults(t, phones, queued, func(got call.Call, said []string) {
		want := want[got.PersonNumber]
		var intent conversation.Intent
		if got.Analysis.Intent != nil {
			intent = *got.Analysis.Intent
		}
		if want != (result{got.Outcome, got.EndedReason, intent}) || got.EndedBy != call.ByAgent ||
			(got.AnsweredBy == call.Machine) != (got.Outcome == call.OutcomeVoicemail) ||
			(len(got.Analysis.Answers) > 0) != (want == spoke) {
			t.Errorf("%s: %s, %s by %s, answered by %s, %+v: %q", got.PersonNumber, got.Outcome, got.EndedReason,
				got.EndedBy, got.AnsweredBy, got.Analysis, said)
		}
		if at := got.Analysis.CallBackAt; intent == conversation.CallBack &&
			(at == nil || time.Until(time.Time(*at)) < 55*time.Minute) {
			t.Errorf("%s: called back at %v", got.PersonNumber, at)
		}
		if strings.HasPrefix(got.PersonNumber, "+1500518") && !slices.ContainsFunc(said, func(s string) bool {
			return strings.Contains(s, "automated call from Acme for Ada.")
		}) {
			t.Errorf("%s: the screener was told %q", got.PersonNumber, said)
		}
	})
}

// A call screener that puts nobody through hears who is calling, and from then on nothing else.
func TestSandboxScreener(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	w.lines.silence = time.Second
	var claims []call.Claim
	for n := range 6 {
		c := w.claim
		c.PersonNumber, c.VoicemailAction = fmt.Sprintf("+1500519%04d", n), call.LeaveMessage
		claims = append(claims, c)
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(queued))
	w.wantResults(t, phones, queued, func(got call.Call, said []string) {
		if got.Outcome != call.OutcomeVoicemail || got.EndedReason != call.ReasonScreened ||
			got.AnsweredBy != call.Machine || len(got.Analysis.Answers) > 0 {
			t.Errorf("%s: %s, %s, answered by %s: %q", got.PersonNumber, got.Outcome, got.EndedReason,
				got.AnsweredBy, said)
		}
		// The opening may have been played before the screener could be recognized.
		introduced := slices.Index(said, "This is an automated call from Acme for Ada.")
		if introduced < 0 || introduced > 1 || len(said) > introduced+1 {
			t.Errorf("%s: the screener was told %q", got.PersonNumber, said)
		}
	})
}

// wantResults checks settled calls, each with what the agent said to the end.
func (w *world) wantResults(
	t *testing.T, phones *sandbox.Network, queued []call.Claimed, check func(got call.Call, said []string),
) {
	t.Helper()
	said := map[string][]string{}
	for _, dial := range phones.Dials() {
		for _, turn := range dial.Turns {
			if turn.Who == sandbox.Agent && !turn.Cut {
				said[dial.To] = append(said[dial.To], turn.Text)
			}
		}
	}
	for _, c := range queued {
		got := w.get(c.ID)
		if got.Analysis == nil {
			t.Errorf("%s: no analysis", got.PersonNumber)
			continue
		}
		check(got, said[got.PersonNumber])
		inOrder(t, got)
	}
}

// Every way in which a line fails on the sandbox, by the production adapter: nobody is left
// in silence, no call counts as a success, and the connection's failures are counted.
func TestSandboxLinesThatFail(t *testing.T) {
	t.Parallel()
	const before = 4 // failures of lines
	for name, want := range map[string]struct {
		to       string
		outcome  call.Outcome
		reason   call.Reason
		by       call.Party
		detail   string
		code     string
		failures int
		apology  bool
		turns    []string // beginnings
	}{
		"30 no relay": {
			"+15005300001", call.OutcomeFailed, call.ReasonLineFailed, call.BySystem,
			"Unable to start the session", "64101", before + 1, true, nil,
		},
		"31 no socket": {
			"+15005310001", call.OutcomeFailed, call.ReasonLineFailed, call.BySystem,
			"Unable to connect to websocket URL", "64102", before + 1, true, nil,
		},
		"32 lost again and again": {
			"+15005320001", call.OutcomeFailed, call.ReasonLineFailed, call.BySystem,
			"Websocket ended", "64105", before + 1, true, nil,
		},
		"33 another voice": {
			"+15005330001", call.OutcomeCompleted, call.ReasonCompleted, call.ByAgent, "", "", 0, false,
			[]string{"agent: Hello Ada", "recipient: ", "agent: ", "recipient: ", "agent: "},
		},
		"34 words refused": {
			"+15005340001", call.OutcomeCompleted, call.ReasonLineFailed, call.BySystem,
			"Invalid message received: the token cannot be spoken", "64107", 1, true,
			[]string{"agent: Hello Ada", "recipient: ", "recipient: Hello? Are you still there?"},
		},
		"35 no callbacks": {
			"+15005350001", call.OutcomeFailed, call.ReasonLineFailed, call.BySystem,
			"no callback of the call arrived", "", before + 1, false, nil,
		},
		"36 no voice": {
			"+15005360001", call.OutcomeFailed, call.ReasonLineFailed, call.BySystem,
			"Invalid argument: the voice is not supported by the provider", "64106", before + 1, true, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.exec(`update agent set speech = '{"provider": "google", "voice": "en-US-Wavenet-C"}',
				script = jsonb_set(script::jsonb, '{questions}',
				'[{"key": "one", "ask": "Are you satisfied?", "expect": "yes_no"},
				  {"key": "two", "ask": "Shall we call again?", "expect": "yes_no"}]')`)
			w.exec(`update connection set line_failures = $1, probing = 'line'`, before)
			phones := w.onSandbox(20)
			c := w.queue(want.to)
			w.place(c)
			over := func(s sandbox.State) bool { return s.Dials == 1 && s.Live == 0 }
			if _, err := phones.Await(t.Context(), over); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "35") {
				w.db.Advance(31 * time.Second)
				w.reconcile()
			}
			w.untilEnded(t, c.ID)
			w.db.Advance(lineGrace)
			if settled := w.settle(); len(settled) != 1 || settled[0].Outcome != want.outcome {
				t.Errorf("settled %+v", settled)
			}
			got := w.get(c.ID)
			if got.Status != call.Completed || got.Outcome != want.outcome || got.EndedReason != want.reason ||
				got.EndedBy != want.by || !strings.HasPrefix(got.Detail, want.detail) ||
				want.detail == "" && got.Detail != "" || want.code != "" && *got.CarrierCode != want.code {
				t.Errorf("%s, %s, %s by %s: %q", got.Status, got.Outcome, got.EndedReason, got.EndedBy, got.Detail)
			}
			if strings.HasPrefix(name, "32") { // how much is heard before a line breaks depends on the machine
				for _, turn := range w.turns(c.ID) {
					if turn.Role != call.Agent || !turn.Interrupted {
						t.Errorf("the transcript has %+v", turn)
					}
				}
			} else {
				w.wantTranscript(c, want.turns...)
			}
			var failures int
			var probing bool
			err := w.db.Pool.QueryRow(t.Context(), `select line_failures, probing is not null from connection`).
				Scan(&failures, &probing)
			if err != nil || failures != want.failures || probing != (failures > before) {
				t.Errorf("%d failures, probing %t, %v", failures, probing, err)
			}
			apology := slices.ContainsFunc(phones.Dials()[0].Turns, func(turn sandbox.Turn) bool {
				return turn.Who == sandbox.Carrier && turn.Text == conversation.Trouble("en-US") && !turn.Cut
			})
			if apology != want.apology {
				t.Errorf("the recipient heard %+v", phones.Dials()[0].Turns)
			}
		})
	}
}

// In every language of agents, people on the sandbox answer, and the agent understands their
// opt-out.
func TestSandboxLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.onSandbox(20)
	language := map[uuid.UUID]string{}
	var claims []call.Claim
	for i, tag := range conversation.LanguageTags() {
		agent := uuid.Must(uuid.NewV7())
		w.exec(`insert into agent (id, organization_id, name, language, script)
			select $2, organization_id, 'Agent', $3::text, jsonb_build_object('language', $3::text, 'greeting', 'Hm.',
				'questions', $4::jsonb) from agent where id = $1`,
			w.claim.AgentID, agent, tag,
			`[{"key": "fine", "ask": "Are you fine?", "expect": "yes_no"}, {"key": "day", "ask": "On a scale of 1 `+
				`to 5, how was it?", "expect": "number"}]`)
		language[agent] = tag
		for _, block := range []string{"+150050000%02d", "+150050700%02d"} {
			c := w.claim
			c.AgentID, c.PersonNumber = agent, fmt.Sprintf(block, i)
			claims = append(claims, c)
		}
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(claims))
	for _, c := range queued {
		got, turns, err := w.calls.Get(t.Context(), c.OrganizationID, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := call.ReasonCompleted
		if strings.HasPrefix(c.PersonNumber, "+1500507") {
			want = call.ReasonOptedOut
		}
		var answers map[string]any
		if got.Analysis != nil {
			answers = got.Analysis.Answers
		}
		_, answered := answers["fine"].(bool)
		if got.EndedReason != want || want == call.ReasonCompleted && (!answered || answers["day"] == nil) {
			t.Errorf("%s: %s is %s, %s, %+v: %+v", language[*got.AgentID], c.PersonNumber, got.EndedReason,
				got.Outcome, answers, turns)
		}
	}
}

type expected struct {
	name    string
	status  call.Status
	outcome call.Outcome
	reason  call.Reason
	by      call.Party
}

// isWithin reports whether all has the elements of some in the same order.
func isWithin(some, all []string) bool {
	for _, s := range some {
		i := slices.Index(all, s)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// untilSettled waits until n calls have ended and were settled.
func (w *world) untilSettled(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); time.Now().Before(deadline); {
		if n -= len(w.settle()); n <= 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d calls do not end", n)
}

// untilEnded waits for the end of a call.
func (w *world) untilEnded(t *testing.T, id uuid.UUID) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if w.get(id).EndedAt != nil {
			return
		}
	}
	t.Fatal("the call does not end")
}

// inOrder fails if the times of a call contradict each other.
func inOrder(t *testing.T, c call.Call) {
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
	if (c.Status == call.Completed) != (c.AnsweredAt != nil) {
		t.Errorf("%s, answered at %v", c.Status, c.AnsweredAt)
	}
}
