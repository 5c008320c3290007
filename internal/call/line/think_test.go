package line

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/testwait"
)

// withModel makes a model of the sandbox hold the calls of the world's agent, and a second one help if it is
// named.
func (w *world) withModel(name, fallback string, set ...func(*conversation.Script)) *pausable {
	w.tb.Helper()
	brain := &pausable{Handler: sandbox.New(sandbox.Options{Speed: 100})}
	server := httptest.NewServer(brain)
	w.tb.Cleanup(server.Close)
	vault, err := seal.NewVault(bytes.Repeat([]byte{7}, seal.MasterKeySize))
	if err != nil {
		w.tb.Fatal(err)
	}
	none, err := guard.NewModels(nil)
	if err != nil {
		w.tb.Fatal(err)
	}
	models := connection.New(connection.Options{
		Pool: w.db.Pool, Vault: vault, Guard: none, SandboxURL: server.URL + "/v1",
	})
	connect := func(name, model string) uuid.UUID {
		c, err := models.Create(w.tb.Context(), account.System(w.claim.OrganizationID), connection.NewConnection{
			Name: name, Provider: connection.Sandbox, Model: model, Streams: new(100),
			InputPrice: "0.4", OutputPrice: "1.6", Currency: "USD",
		})
		if err != nil {
			w.tb.Fatal(err)
		}
		return c.ID
	}
	var script conversation.Script
	w.scan(`select script from agent where id = $1`, w.claim.AgentID, &script)
	script.Language = "en-US"
	script.Model = &conversation.Model{
		Instructions: "Ask how it goes.", ConnectionID: connect(name, name),
		Tools: []conversation.ToolName{conversation.ScheduleCallback, conversation.ReportPerson},
	}
	if fallback != "" {
		id := connect("fallback "+fallback, fallback)
		script.Model.FallbackID = &id
	}
	for _, s := range set {
		s(&script)
	}
	w.exec(`update agent set script = $2 where id = $1`, w.claim.AgentID, script)
	w.models = models
	w.use(w.instance())
	return brain
}

// pausable is a server that keeps requests waiting while it is paused.
type pausable struct {
	http.Handler
	mu sync.Mutex
}

func (p *pausable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.mu.Unlock() //nolint:staticcheck // only waits
	p.Handler.ServeHTTP(w, r)
}

// scan reads one JSON value.
func (w *world) scan(sql string, id uuid.UUID, into any) {
	w.tb.Helper()
	var text []byte
	if err := w.db.Pool.QueryRow(w.tb.Context(), sql, id).Scan(&text); err != nil {
		w.tb.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		w.tb.Fatal(err)
	}
}

// kept is the stored state of a conversation.
func (w *world) kept(id uuid.UUID) (s conversation.State) {
	w.tb.Helper()
	w.scan(`select state from call_line where call_id = $1`, id, &s)
	return s
}

// The whole way: the greeting is ours, the words are the model's, answers are stored, and the call ends.
func TestModelHoldsACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	c, l, done := w.answered("+12025550101")
	greeting, disclosure := l.play(t), l.play(t)
	if greeting.uninterruptible || !strings.HasPrefix(greeting.text, "Hello Ada") {
		t.Errorf("greeted with %+v", greeting)
	}
	if !disclosure.uninterruptible || !strings.Contains(disclosure.text, "automated") {
		t.Errorf("disclosed with %+v", disclosure)
	}
	if u := l.play(t); u.text != "Are you satisfied?" || u.uninterruptible {
		t.Fatalf("the model says %+v", u)
	}
	l.tell(carrier.Prompt{Text: "Yes, I do."})
	if bye := l.play(t); !strings.Contains(bye.text, "oodbye") {
		t.Errorf("the last words are %q", bye.text)
	}
	l.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	w.wantTranscript(c, "agent: Hello Ada", "agent: I am an automated", "agent: Are you satisfied?",
		"recipient: Yes, I do.", "system: Used the tool record_answer", "system: Used the tool end_call",
		"agent: Thank you")
	got := w.get(c.ID)
	if got.EndedReason != call.ReasonCompleted || got.EndedBy != call.ByAgent || got.Outcome != call.OutcomeCompleted {
		t.Errorf("ended with %s by %s, %s", got.EndedReason, got.EndedBy, got.Outcome)
	}
	if a := got.Analysis; a == nil || !*a.Successful || a.Answers["satisfied"] != true {
		t.Errorf("analysis %+v", a)
	}
	if d := w.kept(c.ID).Dialog; d.Usage.Input == 0 || d.Model != "sandbox" {
		t.Errorf("used %+v of %q", d.Usage, d.Model)
	}
	use := got.Analysis.Model.Connections
	price := model.Price{Input: "0.4", Output: "1.6", Currency: "USD"}
	want, _ := price.Of(w.kept(c.ID).Dialog.Usage)
	if len(use) != 1 || use[0].ConnectionID != got.Analysis.Model.ConnectionID || use[0].Cost == nil ||
		*use[0].Cost != (conversation.TokenCost{Amount: want, Currency: "USD"}) || want == "0" {
		t.Errorf("used %+v, want the cost %s", use, want)
	}
}

// A call has the prices of its beginning. The tokens of the connection that lost are counted as its own.
func TestTokensByConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox-silent", "sandbox")
	w.lines.patience.hedge = time.Millisecond
	w.exec(`update model_connection set currency = 'EUR' where name = 'sandbox-silent'`)
	c, l, done := w.answered("+12025550101")
	l.play(t)
	l.play(t) // the disclosure
	w.exec(`update model_connection set input_price = 9, output_price = 9`)
	l.play(t)
	l.leave(t, done)
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	var got []string
	for _, u := range w.get(c.ID).Analysis.Model.Connections {
		price := model.Price{Input: "0.4", Output: "1.6", Currency: "USD"}
		want, _ := price.Of(model.Usage{Input: u.InputTokens, Cached: u.CachedTokens, Output: u.OutputTokens})
		if u.Cost == nil || u.Cost.Amount != want {
			t.Errorf("cost %+v of %+v, want %s", u.Cost, u, want)
			continue
		}
		got = append(got, fmt.Sprint(u.Cost.Currency, " ", u.Estimated, " ", u.OutputTokens > 0))
	}
	slices.Sort(got)
	if want := "[EUR true false USD false true]"; fmt.Sprint(got) != want {
		t.Errorf("used %v, want %s", got, want)
	}
}

// Every fault of a model leaves a person with somebody to talk to.
func TestModelThatFails(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"sandbox-401", "sandbox-500", "sandbox-429", "sandbox-cut", "sandbox-quota", "sandbox-silent", "sandbox-error",
		"sandbox-stall", "sandbox-endless", "sandbox-empty",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := func(c sandbox.Choice) bool { return c.Name == name }
			if !slices.ContainsFunc(sandbox.Choices(), known) {
				t.Fatalf("there is no model %s", name)
			}
			w := newWorld(t)
			w.withModel(name, "")
			switch name {
			case "sandbox-silent":
				w.lines.patience.most = 50 * time.Millisecond
			case "sandbox-stall":
				w.lines.patience.stall = 50 * time.Millisecond
			}
			_, l, done := w.answered("+12025550101")
			l.opening(t)
			for !strings.HasSuffix(l.play(t).text, "Are you satisfied?") {
			}
			var failures int
			err := w.db.Pool.QueryRow(t.Context(), `select failures from model_connection`).Scan(&failures)
			if err != nil {
				t.Fatal(err)
			}
			if counted := name != "sandbox-429"; (failures > 0) != counted {
				t.Errorf("%d failures were counted", failures)
			}
			l.leave(t, done)
		})
	}
}

func TestOtherModelHelps(t *testing.T) {
	t.Parallel()
	for name, hedge := range map[string]time.Duration{
		"sandbox-500": testwait.Limit, "sandbox-silent": time.Millisecond, "sandbox-empty": testwait.Limit,
	} {
		w := newWorld(t)
		w.withModel(name, "sandbox")
		w.lines.patience.hedge = hedge
		c, l, done := w.answered("+12025550101")
		l.opening(t)
		if u := l.play(t); !strings.Contains(u.text, "Are you satisfied?") {
			t.Errorf("%s: %q", name, u.text)
		}
		l.tell(carrier.Prompt{Text: "Yes, very."})
		l.play(t)
		if s := w.kept(c.ID); s.Dialog.Scripted || s.Dialog.Model != "sandbox" {
			t.Errorf("%s: %+v", name, s.Dialog)
		}
		l.leave(t, done)
	}
}

// What must not be spoken is replaced, and is no failure of the model, which goes on with the call.
func TestModelIsWithheld(t *testing.T) {
	t.Parallel()
	for name, topics := range map[string][]string{"sandbox": {"satisfied"}, "sandbox-card": nil} {
		w := newWorld(t)
		w.withModel(name, "", func(s *conversation.Script) { s.Model.AvoidTopics = topics })
		c, l, done := w.answered("+12025550101")
		l.opening(t)
		if u := l.play(t); u.text != "I'm sorry, I can't talk about that." {
			t.Errorf("%s: %q", name, u.text)
		}
		var failures int
		if err := w.db.Pool.QueryRow(t.Context(), `select failures from model_connection`).Scan(&failures); err != nil {
			t.Fatal(err)
		}
		if s := w.kept(c.ID); s.Dialog.Scripted || s.Dialog.Refusals != 1 || failures != 0 {
			t.Errorf("%s: %+v, %d failures", name, s.Dialog, failures)
		}
		l.tell(carrier.Prompt{Text: "Why not?"})
		if u := l.play(t); !strings.Contains(u.text, "Are you satisfied?") {
			t.Errorf("%s: after two answers %q", name, u.text)
		}
		l.leave(t, done)
		w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
		var left int
		if err := w.db.Pool.QueryRow(t.Context(), `select count(*) from call_turn where call_id = $1 and role = 'system'
			and text like 'Left out the model''s words: it %'`, c.ID).Scan(&left); err != nil || left != 2 {
			t.Errorf("%s: the transcript says %d times that words were left out, %v", name, left, err)
		}
	}
}

// While a model is late, the recipient hears something. The answer comes after it.
func TestModelThatIsLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	brain := w.withModel("sandbox", "")
	w.lines.patience.filler, w.lines.patience.sorry = time.Millisecond, 2*time.Millisecond
	brain.mu.Lock()
	c, l, done := w.answered("+12025550101")
	l.opening(t)
	l.heardAll() // nothing fills the time before the first question
	brain.mu.Unlock()
	if u := l.play(t); u.text != "Are you satisfied?" {
		t.Errorf("the model says %q", u.text)
	}
	brain.mu.Lock()
	l.tell(carrier.Prompt{Text: "Yes, very."})
	moment, sorry := l.play(t), l.play(t)
	brain.mu.Unlock()
	if moment.text != "One moment, please." || !strings.HasPrefix(sorry.text, "Sorry") {
		t.Errorf("filled the time with %q, %q", moment.text, sorry.text)
	}
	if bye := l.play(t); !strings.Contains(bye.text, "oodbye") {
		t.Errorf("then said %q", bye.text)
	}
	wait(t, done, "the line is not let go")
	for _, m := range w.kept(c.ID).Dialog.History {
		if strings.Contains(m.Text, "moment") {
			t.Errorf("the model sees the filler: %q", m.Text)
		}
	}
}

// An hour that only the model named is no hour, whatever the model claims.
func TestModelClaimsAnHour(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]conversation.Leeway{
		"Call me tomorrow afternoon.": conversation.PartOfDay,
		"Call me tomorrow at 14:00.":  conversation.NoLeeway,
	} {
		w := newWorld(t)
		w.withModel("sandbox-hours", "")
		c, l, done := w.answered("+12025550101")
		l.opening(t)
		l.play(t)
		l.tell(carrier.Prompt{Text: said})
		l.play(t)
		l.wantHangUp(t)
		wait(t, done, "the line is not let go")
		w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
		var a conversation.Analysis
		w.scan(`select analysis from call where id = $1`, c.ID, &a)
		if a.CallBackAt == nil || a.Leeway != want {
			t.Errorf("%q: at %v, %q is left open, want %q", said, a.CallBackAt, a.Leeway, want)
		}
	}
}

// The recipient interrupts an answer: the model sees what was heard, and is asked again.
func TestModelIsInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	c, l, done := w.answered("+12025550101")
	l.opening(t)
	u := l.listen(t)
	l.tell(carrier.Spoken{Utterance: u.number, Text: "Are you", Cut: carrier.CutRecipient, Confirmed: true})
	l.tell(carrier.Prompt{Text: "Hello, who is there?"})
	if u := l.play(t); !strings.HasSuffix(u.text, "Are you satisfied?") {
		t.Errorf("the model says %q", u.text)
	}
	l.tell(carrier.Prompt{Text: "Please never call me again."})
	if u := l.play(t); !u.uninterruptible || strings.Contains(u.text, "satisfied") {
		t.Errorf("after the opt-out: %+v", u)
	}
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	w.wantTranscript(c, "agent: Hello Ada", "agent: I am an automated", "agent: Are you /", "recipient: Hello",
		"agent: ", "recipient: Please never", "agent: ")
	if n := w.listed(c); n != 1 {
		t.Errorf("%d entries of the do-not-call list", n)
	}
	history := w.kept(c.ID).Dialog.History
	if !slices.ContainsFunc(history, func(m model.Message) bool { return m.Text == "Are you —" }) {
		t.Errorf("the model sees %+v", history)
	}
}

// At its own limit of seconds, an agent says goodbye, even while it speaks or waits for the model.
func TestModelTimeIsUp(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{false, true} {
		w := newWorld(t)
		brain := w.withModel("sandbox", "", func(s *conversation.Script) { s.Model.MaxSeconds = 3 })
		if waits {
			brain.mu.Lock()
		}
		c, l, done := w.answered("+12025550101")
		bye := l.play(t)
		for !strings.Contains(bye.text, "oodbye") {
			bye = l.play(t)
		}
		if !bye.uninterruptible {
			t.Errorf("the last words are %+v", bye)
		}
		l.wantHangUp(t)
		wait(t, done, "the line is not let go")
		if waits {
			brain.mu.Unlock()
		}
		w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
		if got := w.get(c.ID); got.EndedReason != call.ReasonModelBudget || got.EndedBy != call.BySystem {
			t.Errorf("ended with %s by %s", got.EndedReason, got.EndedBy)
		}
	}
}

// The disk may be away: the request goes out, and no word is spoken before the turn is stored.
func TestModelDuringAnOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	cable := w.cabled(w.lines)
	_, l, done := w.answered("+12025550101")
	l.opening(t)
	l.play(t)
	l.heardAll()
	cable.cut()
	l.tell(carrier.Prompt{Text: "Yes, very."})
	l.heardAll()
	l.nothingSaid(t)
	cable.restore()
	for !strings.Contains(l.play(t).text, "oodbye") {
	}
	wait(t, done, "the line is not let go")
}

// A conversation continues at another process, which asks the model again.
func TestModelAtAnotherProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	c, l, done := w.answered("+12025550101")
	l.opening(t)
	l.play(t)
	l.heardAll()
	l.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")
	another := w.instance()
	line := newPhoneLine()
	done = another.converseInBackground(c, line)
	if u := line.play(t); !strings.Contains(u.text, "Sorry") {
		t.Errorf("came back with %q", u.text)
	}
	if u := line.play(t); u.text != "Are you satisfied?" {
		t.Errorf("the model says %q", u.text)
	}
	line.tell(carrier.Closed{Reason: carrier.CloseRemote})
	wait(t, done, "the second line is not let go")
}

// answered begins the conversation of a call that was answered.
func (w *world) answered(to string) (call.Claimed, *phoneLine, chan struct{}) {
	w.tb.Helper()
	c, l := w.talking(to), newPhoneLine()
	return c, l, w.lines.converseInBackground(c, l)
}

// opening plays the greeting and the disclosure of an agent that a model holds.
func (l *phoneLine) opening(t *testing.T) {
	t.Helper()
	l.play(t)
	l.play(t)
}

// leave ends a line and waits until its conversation is over.
func (l *phoneLine) leave(t *testing.T, done chan struct{}) {
	t.Helper()
	l.tell(carrier.Closed{Reason: carrier.CloseRemote})
	wait(t, done, "the line is not let go")
}
