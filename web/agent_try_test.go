package web

import (
	"context"
	"net/http"
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
	path := "/settings/agents/" + n.agent.String()
	v.get(path).want(http.StatusOK).has(path+"/try", path+"/call")
	v.get(path+"/try").want(http.StatusOK).has("Hello there, this is Aster Robin or Aster Robin of.", "Does it hurt").
		lacks(`name="variables.agent"`, `name="variables.agent_name"`)

	first := form("variables.name", "Ada", "say", "what was that")
	v.post(path+"/try", first).want(http.StatusOK).has("Hello Ada, this is", "what was that", "say:what was that").
		lacks("Start again")
	second := form("variables.name", "Ada", "said", "say:what was that", "say", "yes, a lot")
	v.post(path+"/try", second).want(http.StatusOK).
		has("Answer recorded: Pain, Yes", "The agent hangs up", "Result", "Start again").lacks(`name="say"`)
	v.post(path+"/try", form("said", "say:stop calling me", "action", "key:9")).want(http.StatusOK).
		has("would now be on the do-not-call list")
	v.post(path+"/try", form("say", "Call me next Monday at half past nine.")).want(http.StatusOK).
		has("Asked to be called at", ", 09:30")
	v.post(path+"/try", form("say", "Call me later.")).want(http.StatusOK).has("No time was understood")
	v.post(path+"/try", form("action", "silence")).want(http.StatusOK).has("You said nothing")
	v.post(path+"/try", form("action", "hang-up")).want(http.StatusOK).has("You hung up", "Start again")
	v.post(path+"/try", form("said", "say:yes", "action", "restart")).want(http.StatusOK).has("Hello there, this is").
		lacks("say:yes")
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
	n.as(n.admin).post("/settings/agents/"+n.agent.String()+"/try", form("said", "say:tomorrow",
		"said", "say:312 555 0142", "say", "anna at example dot com")).want(http.StatusOK).
		has("Answer recorded: Day, 20", "Answer recorded: Phone, +13125550142",
			"Answer recorded: Email, anna@example.com")
}

func TestCallMe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wire(func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return taker{}, nil }
	})
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.admin)
	path := "/settings/agents/" + n.agent.String() + "/call"
	v.get(path).want(http.StatusOK).has("Aster care line", "Aster reminders").lacks("Borealis")
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
		w, `select id from call where to_number = '+13125550142' and organization_id = $1 and asked_at is not null`,
		n.organization,
	)
	v.get("/calls/"+id.String()).want(http.StatusOK).has("Ada", "+1 312 555 0142")
}
