package call

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

// onSandbox connects the world to the sandbox by the production adapter.
func (w *world) onSandbox(speed float64) *sandbox.Network {
	w.tb.Helper()
	w.claim.MaxDuration = 2 * testwait.Limit // both sides measure it in real time
	log := slog.New(slog.DiscardHandler)
	const token, sid = "token", "AC0123456789abcdef0123456789abcdef"
	phones := sandbox.New(sandbox.Options{Token: token, Speed: speed, Log: log})
	api := httptest.NewServer(phones)
	account := twilio.Account{SID: sid, AuthToken: sandbox.AccountToken(token, sid), APIURL: api.URL}
	hooks := httptest.NewUnstartedServer(nil)
	hub := postgres.NewHub(context.Background(), postgres.HubOptions{Pool: w.db.Pool, Log: log})
	var adapter *twilio.Adapter
	w.calls = w.instance(func(o *Options) {
		o.Hub = hub
		o.Carriers = func(_ context.Context, connection uuid.UUID) (carrier.Carrier, error) {
			return adapter.Carrier(connection, account), nil
		}
	})
	adapter = twilio.New(twilio.Config{
		Host: w.calls, PublicURL: "http://" + hooks.Listener.Addr().String(), Log: log,
		Account: func(context.Context, uuid.UUID) (twilio.Account, error) { return account, nil },
	})
	hooks.Config.Handler = adapter.Handler()
	hooks.Start()
	w.tb.Cleanup(func() {
		phones.Close()
		api.Close()
		_ = adapter.Shutdown(context.Background())
		hooks.Close()
		hub.Close()
	})
	return phones
}

// Every outcome the sandbox knows, by the production adapter.
func TestSandboxOutcomes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	tests := map[string]expected{}
	var claims []Claim
	for name, test := range map[string]struct {
		to      string
		action  VoicemailAction
		status  Status
		outcome Outcome
		reason  Reason
		by      Party
	}{
		"00 answers":            {"+15005000001", HangUp, Completed, OutcomeCompleted, ReasonCompleted, ByAgent},
		"01 busy":               {"+15005010001", HangUp, Busy, OutcomeBusy, ReasonBusy, ByRecipient},
		"02 no answer":          {"+15005020001", HangUp, NoAnswer, OutcomeNoAnswer, ReasonNoAnswer, BySystem},
		"03 voicemail":          {"+15005030001", HangUp, Completed, OutcomeVoicemail, ReasonVoicemail, ByAgent},
		"03 voicemail, message": {"+15005030002", LeaveMessage, Completed, OutcomeVoicemail, ReasonVoicemailMessage, ByAgent},
		"04 hangs up":           {"+15005040001", HangUp, Completed, OutcomeCompleted, ReasonHungUp, ByRecipient},
		"05 interrupts":         {"+15005050001", HangUp, Completed, OutcomeCompleted, ReasonCompleted, ByAgent},
		"06 presses 9":          {"+15005060001", HangUp, Completed, OutcomeCompleted, ReasonOptedOut, ByAgent},
		"07 says stop":          {"+15005070001", HangUp, Completed, OutcomeCompleted, ReasonOptedOut, ByAgent},
		"08 refused":            {"+15005080001", HangUp, Failed, OutcomeFailed, ReasonInvalidNumber, ByCarrier},
		"10 shuffles":           {"+15005100001", HangUp, Completed, OutcomeCompleted, ReasonCompleted, ByAgent},
		"11 loses the line":     {"+15005110001", HangUp, Completed, OutcomeCompleted, ReasonCompleted, ByAgent},
		"13 late":               {"+15005130001", HangUp, Completed, OutcomeCompleted, ReasonCompleted, ByAgent},
	} {
		c := w.claim
		c.ToNumber, c.VoicemailAction = test.to, test.action
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
		if want := tests[c.ToNumber]; want != (expected{want.name, got.Status, got.Outcome, got.EndedReason, got.EndedBy}) {
			t.Errorf("%s: %s, %s, %s by %s, answered by %s: %q", want.name,
				got.Status, got.Outcome, got.EndedReason, got.EndedBy, got.AnsweredBy, got.Detail)
		}
		var stored []string
		for _, turn := range turns {
			if turn.Role == Recipient {
				stored = append(stored, turn.Text)
			}
		}
		if !isWithin(said[c.ToNumber], stored) {
			t.Errorf("%s: recipient said %q, transcript has %q", tests[c.ToNumber].name, said[c.ToNumber], stored)
		}
		if (got.AnsweredAt != nil) != (len(turns) > 0) && got.Outcome != OutcomeVoicemail {
			t.Errorf("%s: answered %v, %d turns", tests[c.ToNumber].name, got.AnsweredAt, len(turns))
		}
		inOrder(t, got)
	}
}

// In every language of agents, people on the sandbox answer, and are heard when they
// ask not to be called again.
func TestSandboxLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.onSandbox(20)
	language := map[uuid.UUID]string{}
	var claims []Claim
	for i, tag := range conversation.LanguageTags() {
		agent := uuid.Must(uuid.NewV7())
		w.exec(`insert into agent (id, organization_id, name, language, script)
			select $2, organization_id, 'Agent', $3::text, jsonb_build_object('language', $3::text, 'greeting', 'Hm.', 'questions', $4::jsonb) from agent where id = $1`,
			w.claim.AgentID, agent, tag, `[{"key": "fine", "ask": "Are you fine?", "expect": "yes_no"}, {"key": "day", "ask": "On a scale of 1 to 5, how was it?", "expect": "number"}]`)
		language[agent] = tag
		for _, block := range []string{"+150050000%02d", "+150050700%02d"} {
			c := w.claim
			c.AgentID, c.ToNumber = agent, fmt.Sprintf(block, i)
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
		want := ReasonCompleted
		if strings.HasPrefix(c.ToNumber, "+1500507") {
			want = ReasonOptedOut
		}
		_, answered := got.Analysis.Answers["fine"].(bool)
		if got.EndedReason != want || want == ReasonCompleted && (!answered || got.Analysis.Answers["day"] == nil) {
			t.Errorf("%s: %s is %s, %+v: %+v", language[got.AgentID], c.ToNumber, got.EndedReason, got.Analysis.Answers, turns)
		}
	}
}

type expected struct {
	name    string
	status  Status
	outcome Outcome
	reason  Reason
	by      Party
}

// isWithin reports whether all of some is in all, in order.
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

// untilSettled waits until so many calls have come to their end and were settled.
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
