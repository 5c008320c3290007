package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/carrier"
)

// taker is a carrier that accepts every call.
type taker struct{ carrier.Carrier }

func (taker) Place(_ context.Context, p carrier.Placement) (string, error) {
	return "CA" + p.CallID.String(), nil
}

func TestTryAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(
		`update agent set script =
			'{"language": "en-US", "greeting": "Hello {{name|there}}, this is {{agent}} or {{agent_name}} of {{clinic}}, {{city}}.", "questions": [{"key": "pain", "ask": "Does it hurt, {{name}}?", "expect": "yes_no"}]}'`,
	)
	v := n.as(n.admin)
	path := "/agents/" + n.agent.String()
	v.get(path).want(http.StatusOK).has(path+"/try", path+"/call")
	v.get(path+"/try").want(http.StatusOK).has("Hello there, this is Aster Robin or Aster Robin of.", "Does it hurt").
		lacks(`name="variables.agent"`, `name="variables.agent_name"`)

	first := v.post(path+"/try", form("variables.name", "Ada", "say", "what was that")).want(http.StatusOK).
		has("Hello Ada, this is", "what was that").lacks("Start again<")
	answer := form("variables.name", "Ada", "conversation", first.field("conversation"), "say", "yes, a lot")
	for range 2 { // a form that is sent twice continues the same conversation
		v.post(path+"/try", answer).want(http.StatusOK).
			has("what was that", "Recorded pain: true", "The agent hung up", "Result", "Start again").
			lacks(`name="say"`)
	}
	v.post(path+"/try", form("action", "press", "keys", "9")).want(http.StatusOK).
		has("would now be on the do-not-call list")
	v.post(path+"/try", form("keys", "9")).want(http.StatusOK).has("Pressed 9")
	v.post(path+"/try", form("say", "stop calling me")).want(http.StatusOK).has("Opted out")
	v.post(path+"/try", form("say", "Call me next Monday at half past nine.")).want(http.StatusOK).
		has("Asked to be called at", ", 09:30")
	v.post(path+"/try", form("say", "Call me later.")).want(http.StatusOK).has("No time was understood")
	v.post(path+"/try", form("action", "silence")).want(http.StatusOK).has("Said nothing")
	v.post(path+"/try", form("action", "hang_up")).want(http.StatusOK).has("The recipient hung up", "Start again")
	v.post(path+"/try", form("action", "beep")).want(http.StatusOK).has("Voicemail was detected", "Result")
	v.post(path+"/try", form("conversation", first.field("conversation"), "action", "begin")).want(http.StatusOK).
		has("Hello there, this is").lacks("what was that")
	v.post(path+"/try", form("action", "press", "keys", "call")).wrong("keys", "Must be 1 to 20 of the keys")
	v.post(path+"/try", form("say", strings.Repeat("x", 1001))).wrong("say", "Must have at most 1,000 characters")
	if got := w.count(`select (select count(*) from call) + (select count(*) from do_not_call)`); got != 0 {
		t.Errorf("trying an agent left %d rows behind", got)
	}
}

// A try has a clock, so a date relative to today is understood, and the country of the agent's language.
func TestTryKindsOfAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update agent set script = '{"language": "en-US", "greeting": "Hello.", "questions": [
		{"key": "day", "ask": "Which day?", "expect": "date"},
		{"key": "phone", "ask": "Which number?", "expect": "phone"},
		{"key": "email", "ask": "Which address?", "expect": "email"}]}'`)
	said := n.as(n.admin).try("/agents/"+n.agent.String()+"/try", nil,
		"tomorrow", "312 555 0142", "anna at example dot com")
	said.has("Recorded day: 20", "Recorded phone: +13125550142", "Recorded email: anna@example.com")
}

// try begins a conversation with some fields and says the words, one after the other.
func (b *visitor) try(path string, fields url.Values, words ...string) *shown {
	b.t.Helper()
	fields = changed(fields, "action", "begin")
	v := b.post(path, fields).want(http.StatusOK)
	for _, say := range words {
		v = b.post(path, changed(fields, "conversation", v.field("conversation"), "action", "say", "say", say)).
			want(http.StatusOK)
	}
	return v
}

// tokensOfDay is what counts for the daily limit of the organization.
func (n *tenant) tokensOfDay() int {
	return n.w.count(`select coalesce(sum(tokens), 0) from model_day where organization_id = $1`, n.organization)
}

// An agent that a language model holds is tried from the form before it is saved.
func TestTryModelAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	held := changed(agentForm(), "kind", "model", "model.instructions", "Ask about the visit.",
		"model.connection_id", n.freshModel().String(), "greeting", "Hello {{name}}.")
	const path = "/agents/try"
	v.post(path, changed(held, "action", "try")).want(http.StatusOK).
		has("Start the conversation", "no message is sent", `name="variables.name"`).lacks("You say", "First token")
	if got := n.tokensOfDay(); got != 0 {
		t.Errorf("%d tokens before the conversation", got)
	}
	begun := v.try(path, changed(held, "variables.name", "Ada")).
		has("Hello Ada.", "First token after", "Answers 1", "at most 100,000 tokens and 60 turns")
	first := n.tokensOfDay()
	if first == 0 {
		t.Error("no tokens count for the day")
	}
	step := changed(held, "conversation", begun.field("conversation"), "action", "say", "say", "Yes, I am.")
	v.post(path, step).want(http.StatusOK).has("Yes, I am.", "Used the tool record_answer", "Answers 3", "input,")
	if got := n.tokensOfDay(); got <= first {
		t.Errorf("%d tokens after %d", got, first)
	}
	v.post(path, changed(step, "action", "press", "keys", "9")).want(http.StatusOK).
		has("would now be on the do-not-call list", "Result", "Start again")
	v.post(path, changed(step, "action", "beep")).want(http.StatusOK).has("Voicemail was detected", "Result")
	v.post(path, changed(step, "action", "silence")).want(http.StatusOK).has("Said nothing")
	if got := w.count(`select (select count(*) from call) + (select count(*) from do_not_call)`); got != 0 {
		t.Errorf("trying an agent left %d rows behind", got)
	}
}

// A model that fails shows why, and what a caller would hear. The agent's limits apply.
func TestTryFailingModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	id := n.heldAgent()
	path := "/agents/" + id.String() + "/try"
	v.get(path).want(http.StatusOK).has("Start the conversation")
	w.exec(`update model_connection set model = 'sandbox-401'`)
	v.try(path, nil).has("Hello.", "Stand-in: ", "No model answered", "technical problem", "Model failed")
	w.exec(`update model_connection set deactivated_at = clock()`)
	v.try(path, nil).has("Model connection not found", "No model answered")
	w.exec(`update model_connection set deactivated_at = null, model = 'sandbox', failures = 0`)
	w.exec(`update agent set script = jsonb_set(jsonb_set(script, '{model,max_turns}', '1'), '{questions}',
		'[{"key": "pain", "ask": "Does it hurt?", "expect": "yes_no"}]') where id = $1`, id)
	v.try(path, nil, "Who is this?").has("Answers 1", "Model budget")
}

// A model that is late shows what a caller would hear meanwhile, and who answers instead.
func TestTryLateModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	id, other := n.heldAgent(), n.freshModel()
	path := "/agents/" + id.String() + "/try"
	w.exec(`update agent set script = jsonb_set(script, '{questions}',
		'[{"key": "pain", "ask": "Does it hurt?", "expect": "yes_no"}]') where id = $1`, id)
	begun := v.try(path, nil)
	say := form("conversation", begun.field("conversation"), "action", "say", "say", "Who is this?")
	late := func(model string) *shown {
		t.Helper()
		w.exec(`update model_connection set model = $1, failures = 0, version = version + 1 where id <> $2`,
			model, other)
		return v.post(path, say).want(http.StatusOK)
	}
	late("sandbox-silent").has("Meanwhile the recipient hears: “One moment", "Meanwhile the recipient hears: “Sorry",
		"Stand-in: ", "No model answered", "goes on without its model", "Does it hurt?")
	late("sandbox-stall").has("goes on without its model")

	w.exec(`update agent set script = jsonb_set(script, '{model,fallback_connection_id}', to_jsonb($2::text))
		where id = $1`, id, other)
	w.exec(`update model_connection set model = 'sandbox', failures = 0, version = version + 1`)
	begun = v.try(path, nil).lacks("The fallback connection answered")
	say.Set("conversation", begun.field("conversation"))
	late("sandbox-silent").has("Meanwhile the recipient hears: “One moment", "The fallback connection answered").
		lacks("No model answered")
}

// A conversation is continued only where it began, and only as it was sealed.
func TestTrySealed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	pathOf := func(id uuid.UUID) string { return "/agents/" + id.String() + "/try" }
	v := n.as(n.admin)
	sealed := v.get(pathOf(n.agent)).want(http.StatusOK).field("conversation")
	refused := func(what string, got *shown) {
		t.Helper()
		got.what += " with " + what
		got.want(http.StatusUnprocessableEntity).has("This conversation can't be continued", "Start the conversation")
	}
	changedByte := []byte(sealed)
	changedByte[len(sealed)/2] ^= 1
	refused("a changed conversation", v.post(pathOf(n.agent), form("conversation", string(changedByte), "say", "yes")))
	refused("no conversation", v.post(pathOf(n.agent), form("conversation", "x!", "say", "yes")))
	refused("that of another agent", v.post(pathOf(n.freshAgent()), form("conversation", sealed, "say", "yes")))
	refused("that of another organization", other.as(other.admin).
		post(pathOf(other.agent), form("conversation", sealed, "say", "yes")))
	n.as(n.staff).post(pathOf(n.agent), form("conversation", sealed, "say", "yes")).want(http.StatusForbidden)
	v.post(pathOf(n.agent), form("conversation", sealed, "say", "what")).want(http.StatusOK).has("what")
}

// A conversation has at most 60 turns.
func TestTryIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update agent set script = jsonb_build_object('language', 'en-US', 'greeting', 'Hello.', 'questions', (
		select jsonb_agg(jsonb_build_object('key', 'q' || i, 'ask', 'Yes?', 'expect', 'yes_no'))
		from generate_series(1, 70) i))`)
	v := n.as(n.admin)
	path := "/agents/" + n.agent.String() + "/try"
	last := v.get(path)
	for range 60 {
		last = v.post(path, form("conversation", last.field("conversation"), "action", "press", "keys", "1"))
		if strings.Contains(last.body, ">Result<") {
			t.Fatalf("the conversation ended before its limit: %s", last.words())
		}
	}
	last.want(http.StatusOK).has("at most 60 turns", "Start again").lacks("You say")
	v.post(path, form("conversation", last.field("conversation"), "say", "yes")).
		want(http.StatusUnprocessableEntity).has("A trial has at most 60 turns")
}

func TestCallMe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wire(func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return taker{}, nil }
	})
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.admin)
	path := "/agents/" + n.agent.String() + "/call"
	v.get(path).want(http.StatusOK).has("Aster care line", "Aster reminders", "The call is simulated").
		lacks("Borealis")
	// A call asks for every variable, also those of a model's instructions, with samples.
	held := n.heldAgent()
	w.exec(`update agent set script = jsonb_set(jsonb_set(script, '{greeting}', '"Hello, about {{visit_date}}."'),
		'{model,instructions}', '"Speak about {{treatment}}."') where id = $1`, held)
	v.get("/agents/"+held.String()+"/call").want(http.StatusOK).
		has(`name="variables.visit_date"`, `value="2026-12-01"`, `name="variables.treatment"`, `value="Treatment"`)
	data := form("to_number", "(312) 555-0142", "name", "Ada", "phone_number_id", n.number.String(), "project_id",
		n.project.String())

	v.post(path, changed(data, "to_number", "12")).wrong("to_number", "")
	v.post(path, changed(data, "phone_number_id", other.number.String())).
		wrong("phone_number_id", "No such phone number")
	v.post(path, changed(data, "project_id", other.project.String())).wrong("project_id", "No such project")
	w.exec(
		`insert into do_not_call (id, organization_id, phone_number, source) values ($1, $2, '+13125550142', 'user')`,
		newID(), n.organization,
	)
	v.post(path, data).want(http.StatusUnprocessableEntity).
		has("This number is on the do-not-call list", "(312) 555-0142")
	if got := w.count(`select count(*) from call`); got != 0 {
		t.Fatalf("%d calls", got)
	}
	w.exec(`delete from do_not_call`)

	v.post(path, data).want(http.StatusSeeOther)
	id := value[uuid.UUID](
		w, `select id from call where person_number = '+13125550142' and organization_id = $1 and asked_at is not null`,
		n.organization,
	)
	v.get("/calls/"+id.String()).want(http.StatusOK).has("Ada", "+1 312 555 0142")
}
