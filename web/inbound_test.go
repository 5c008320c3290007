package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/project"
)

// The form of what happens when people call a number takes what the API takes, and keeps what was typed.
func TestInboundForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	id := n.connectedNumber()
	number := "/phone-numbers/" + id.String()
	path := number + "/inbound"
	v.get(number).want(http.StatusOK).has("They hear the standard message")
	v.get(path).want(http.StatusOK).has("/incoming#rc=5", "/incoming/status#rc=5", `data-copy="voice-url"`,
		"Call this number")

	agent := form("inbound", "agent", "agent_id", n.agent.String(), "calling_hours", "custom",
		"calling_hours.timezone", "America/Chicago", "calling_hours.windows[0].days", "mon",
		"calling_hours.windows[0].start", "08:00", "calling_hours.windows[0].end", "18:00",
		"outside", "message", "outside.message.text", "We are closed.", "outside.message.language", "en-US",
		"outside.message.voice", "amazon:Joanna-Neural", "message.text", "Not this one.", "message.language", "en-US")
	v.post(path, changed(agent, "action", "window")).want(http.StatusOK).
		has("calling_hours.windows[1].start", "We are closed.")
	v.post(path, changed(agent, "action", "language", "outside.message.language", "es-US")).want(http.StatusOK).
		has("Lupe")
	for _, c := range []struct{ field, value, message string }{
		{"agent_id", "", "Required"},
		{"agent_id", newID().String(), "No such agent"},
		{"project_id", newID().String(), "No such project"},
		{"calling_hours.timezone", "Nowhere", "time zone such as America/Chicago"},
		{"outside.message.text", "{{", "Must write variables as"},
		{"outside.message.text", "Hello, {{foo}}.", "Nothing is known for {{foo}}. Known are {{organization}}"},
		{"outside.message.voice", "amazon:Nobody", ""},
	} {
		got := v.post(path, changed(agent, c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.field, c.message)
	}
	v.post(path, changed(agent, "inbound", "forward", "forward_to", "12")).wrong("forward_to", "")
	v.post(path, form("inbound", "forward", "forward_to", "(312) 555-0177", "calling_hours", "always")).leads(number)
	v.get(number).has("They are forwarded to +1 312")
	v.post(path, agent).leads(number)
	v.get(number).has("Saved. It applies to the next call", "They talk with")
	if !value[bool](w, `
		select settings #>> '{outside,message,text}' = 'We are closed.' and settings -> 'message' = 'null'
		       and settings #>> '{outside,message,speech,voice}' = 'Joanna-Neural' and agent_id = $2
		       and settings #>> '{hours,timezone}' = 'America/Chicago'
		from inbound where phone_number_id = $1`, id, n.agent) {
		t.Errorf("stored %s", value[string](w, `select settings::text from inbound where phone_number_id = $1`, id))
	}
	shown := v.get(path).want(http.StatusOK).has("We are closed.", "America/Chicago")
	if !shown.ticked("outside.message.voice", "amazon:Joanna-Neural") || !shown.ticked("agent_id", n.agent.String()) {
		t.Error("the agent and the voice are not chosen")
	}
	v.post(path, form("inbound", "message", "calling_hours", "always", "message.text", "Hello, {{last_call.name}}.",
		"message.language", "en-US")).leads(number)
	v.get(number).has("They hear your message")
}

// Two people change what happens when people call a number. The second one reads what the first one has saved, and
// saves over it knowingly.
func TestInboundFormBesideAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	number := "/phone-numbers/" + n.connectedNumber().String()
	path := number + "/inbound"
	revision := v.get(path).want(http.StatusOK).revision()
	mine := form("inbound", "reject", "calling_hours", "always", "revision", revision)
	v.post(path, form("inbound", "message", "calling_hours", "always", "message.text", "We call back.",
		"message.language", "en-US", "revision", revision)).leads(number)
	shown := v.post(path, mine).want(http.StatusUnprocessableEntity).
		has("Changes were saved after you opened this form", "We call back.")
	v.get(number).has("They hear your message")
	v.post(path, changed(mine, "revision", shown.revision())).leads(number)
	v.post(path, mine).leads(number) // sent twice
	v.get(number).has("They are rejected")
}

// A number is set up as the person has seen it.
func TestInboundSetUpPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	path := "/phone-numbers/" + n.connectedNumber().String() + "/inbound"
	shown := v.get(path+"/set-up").want(http.StatusOK).has("Set up at the sandbox", "A call comes in", "Nothing",
		"/incoming#rc=5")
	v.post(path+"/set-up", form("revision", "another")).want(http.StatusConflict).
		has("The number was changed at the carrier since you looked", "/incoming#rc=5")
	v.post(path+"/set-up", form()).want(http.StatusConflict)
	v.post(path+"/set-up", form("revision", shown.revision())).leads(path)
	v.get(path).has("The number is set up")
}

// Only numbers of the sandbox have people who call.
func TestSandboxCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	id := n.connectedNumber()
	path := "/phone-numbers/" + id.String() + "/sandbox-call"
	v.get(path).want(http.StatusOK).has("withholds the number", "Presses 9 to opt out")
	v.post(path, form("who", "other", "from_number", "", "caller", "answers")).wrong("from_number", "")
	v.post(path, form("who", "other", "from_number", "12", "caller", "answers")).wrong("from_number", "")
	v.post(path, form("who", "withheld", "caller", "dances")).wrong("caller", "Choose what the caller does")
	v.post(path, form("who", "other", "from_number", "+1 312 555 0142", "caller", "answers")).
		leads("/calls?direction=inbound")
	w.exec(`update connection set kind = 'twilio'
		where id = (select connection_id from phone_number where id = $1)`, id)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		got := v.get(path)
		if method == http.MethodPost {
			got = v.post(path, form("who", "withheld", "caller", "answers"))
		}
		got.want(http.StatusNotFound)
	}
	v.get("/phone-numbers/" + id.String() + "/inbound").lacks("Call this number")
	_, err := n.w.app.Projects.SandboxNumber(t.Context(), n.organization, id)
	if err == nil {
		t.Errorf("%s is a number of the sandbox", project.Twilio)
	}
}

// Lists tell inbound calls from outbound calls, and the overview counts them apart.
func TestInboundCallsInLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	n.newCall()
	inbound := n.newCall()
	w.exec(`update call set direction = 'inbound', reception = '{"action": "message"}', campaign_id = null,
			recipient_id = null, recipient_name = 'Olu, who calls back' where id = $1`, inbound)
	v.get("/calls").want(http.StatusOK).has("Inbound call", "Any direction")
	v.get("/calls?direction=inbound").want(http.StatusOK).has("Olu, who calls back", "Direction Inbound Clear")
	v.get("/calls?direction=outbound").want(http.StatusOK).lacks("Olu, who calls back", "Inbound call")
	v.get("/calls?direction=sideways").want(http.StatusUnprocessableEntity).wrong("direction", "")
	v.get("/calls/" + inbound.String()).want(http.StatusOK).lacks("Forwarded to")
	w.exec(`update call set reception = '{"action": "forward", "forward_to": "+13125550161"}' where id = $1`, inbound)
	v.get("/calls/"+inbound.String()).want(http.StatusOK).has("Forwarded to", "+1 312 555 0161")
	rows := v.get("/calls/export?direction=inbound").want(http.StatusOK)
	if !strings.Contains(rows.body, ",inbound,") ||
		strings.Contains(rows.body, ",outbound,") {
		t.Error(rows.body)
	}
	v.get("/").want(http.StatusOK).lacks("inbound call")
	w.exec(`insert into phone_number_day (organization_id, phone_number_id, day, placed, reached, answered, short_calls,
			received) values ($1, $2, (clock() at time zone 'UTC')::date - 1, 0, 0, 0, 0, 2)
		on conflict (phone_number_id, day) do update set received = 2`, n.organization, n.number)
	v.get("/").want(http.StatusOK).has("2 inbound calls", "The figures count outbound calls only")
	v.get("/phone-numbers/"+n.number.String()).has("Calls received", "2 in 7 days")
}
