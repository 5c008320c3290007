package web

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/project"
)

// A column of a list becomes a variable that the agent says. People without a value are counted with what they hear,
// and the first row can be tried in a call.
func TestListFillsTheVariablesOfItsAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update agent set script = jsonb_set(script, '{greeting}',
		'"Hello {{first_name}}, see you on {{date|Monday}}."') where id = $1`, n.agent)
	_, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	b := n.as(n.admin)
	data := n.campaignForm(b, "action", "check",
		"recipients", "Telefon,Vorname,Note\n+15005550001,Olu,a\n+15005550002,,b\n")
	page := b.multi("/campaigns", data, "", nil).want(http.StatusOK).
		has("{{first_name}}, used by Aster Robin", "1 person has no {{first_name}}",
			"Aster Robin says: “Hello, see you on Monday.”", "2 people have no {{date}}", "Row for a test call",
			"Test call", "Row 2: ")
	if !page.chosen("column.1", "variable:first_name") || !page.chosen("column.2", "variable") {
		t.Error("the columns are not guessed")
	}
	data = changed(data, "recipients", "", "upload", page.field("upload"), "rejected", "0", "header", "on",
		"header_before", "on", "columns_of", page.field("columns_of"), "column.0", "phone_number",
		"column.1", "none", "column.2", "variable:first_name")
	page = b.multi("/campaigns", data, "", nil).want(http.StatusOK).lacks("no {{first_name}}")
	if !page.chosen("column.2", "variable:first_name") || !page.chosen("column.1", "none") {
		t.Error("the choice of a column is lost")
	}

	// The test call has the values of the first row, and leads back to the form.
	call := b.multi("/campaigns", changed(data, "action", "test"), "", nil).
		leadsBelow("/agents/" + n.agent.String() + "/call?kept=").header.Get("Location")
	form := b.get(call).want(http.StatusOK)
	if got := form.field("variables.first_name"); got != "a" {
		t.Errorf("the test call says %q", got)
	}
	back := form.field("return")
	other := b.multi("/campaigns", changed(data, "action", "test", "test_row", "1"), "", nil).
		leadsBelow("/agents/" + n.agent.String() + "/call?kept=").header.Get("Location")
	if got := b.get(other).field("variables.first_name"); got != "b" {
		t.Errorf("the test call with the second row says %q", got)
	}

	// Three phones ring at once. What is wrong with one of them keeps none of the others from ringing.
	filled := changed(form.fields(), "to_number", "+15005550007", "to_number_2", "12", "to_number_3", "+15005550008")
	again := b.post("/agents/"+n.agent.String()+"/call", filled).wrong("to_number_2", "ot a valid phone number").
		has("2 test calls are placed", "Call to +1 500 555 0007", "Call to +1 500 555 0008")
	if got := again.field("to_number"); got != "" {
		t.Errorf("the number %s would be called again", got)
	}
	placed := b.post("/agents/"+n.agent.String()+"/call", changed(again.fields(), "to_number_2", "+15005550009")).
		leadsBelow("/campaigns/new?kept=").header.Get("Location")
	b.get(placed).has("The test call is placed", "Call to +1 500 555 0009").
		chosen("column.2", "variable:first_name")
	if n := w.count(`select count(*) from call where variables ->> 'first_name' = 'a'`); n != 3 {
		t.Errorf("%d test calls", n)
	}
	if !strings.HasPrefix(back, "/campaigns/new?kept=") || !b.get(back).has("2 of 2 will be called").
		chosen("column.2", "variable:first_name") {
		t.Errorf("the test call leads back to %s", back)
	}

	// The columns stand for the variables of the version that the campaign follows, not of the published one.
	w.exec(`update agent set script = jsonb_set(script, '{greeting}', '"Hello {{nickname}}."') where id = $1`, n.agent)
	if _, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{}); err != nil {
		t.Fatal(err)
	}
	b.multi("/campaigns", data, "", nil).has("{{nickname}}, used by", "2 people have no {{nickname}}")
	pinned := changed(data, "agent_version.agent_id", n.agent.String(), "agent_version.version",
		strconv.Itoa(w.count(`select max(number) - 1 from agent_version`)))
	b.multi("/campaigns", pinned, "", nil).has("{{first_name}}, used by", "2 people have no {{date}}").lacks("nickname")
	b.multi("/campaigns", changed(pinned, "agent_version.split.version",
		strconv.Itoa(w.count(`select max(number) from agent_version`)), "agent_version.split.percent", "50"), "", nil).
		has("{{first_name}}, used by", "2 people have no {{nickname}}", "Aster Robin says: “Hello")

	b.multi("/campaigns", changed(data, "action", "create"), "", nil).leadsBelow("/campaigns/")
	if got := value[string](w, `
		select string_agg(variables::text, ' ' order by phone_number) from recipient`); got !=
		`{"first_name": "a"} {"first_name": "b"}` {
		t.Errorf("the variables are %s", got)
	}
}

// Nobody hears what people lack who are not called.
func TestOnlyCalledPeopleLackValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update agent set script = jsonb_set(script, '{greeting}', '"Hello {{nickname}}, bring {{item}}."')
		where id = $1`, n.agent)
	_, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	b := n.as(n.admin)
	w.exec(
		`insert into do_not_call (id, organization_id, phone_number, source) values ($1, $2, '+15005550002', 'user')`,
		newID(), n.organization,
	)
	data := n.campaignForm(b, "action", "check", "recipients",
		"Phone,Nickname,Item\n+15005550001,Olu,\n+15005550002,,\n12,,\n+15005550001,,\n+15005550003,Bea,\n")
	b.multi("/campaigns", data, "", nil).want(http.StatusOK).
		has("2 people have no {{item}}", "Aster Robin says: “Hello Olu, bring.”").lacks("no {{nickname}}")
	more := changed(data, "recipients", "Phone,Nickname,Item\n+15005550002,,\n+15005550004,Cy,\n")
	b.multi("/campaigns/"+n.newCampaign().String()+"/recipients", more, "", nil).
		has("1 person has no {{item}}").lacks("no {{nickname}}")
	// Without a date of their consent, these people are not called either.
	w.exec(`update organization set consent_required = true`)
	b.multi("/campaigns", data, "", nil).lacks("no {{item}}", "no {{nickname}}")
}

// A list with the parts of names shows the names, and which columns make them.
func TestListMakesNamesOfTheirParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	data := n.campaignForm(b, "action", "check", "recipients", "Phone,Last name,First name\n+15005550001,Okafor,Olu\n")
	page := b.multi("/campaigns", data, "", nil).want(http.StatusOK).
		has("The recipient's name is “First name” followed by “Last name”.", "Olu Okafor")
	if !page.chosen("column.1", "variable") || !page.chosen("column.2", "variable") {
		t.Error("the parts of the names are no variables")
	}
	data = changed(data, "recipients", "", "upload", page.field("upload"), "rejected", "0", "header", "on",
		"header_before", "on", "columns_of", page.field("columns_of"), "column.0", "phone_number",
		"column.1", "variable", "column.2", "variable", "action", "create")
	b.multi("/campaigns", data, "", nil).leadsBelow("/campaigns/")
	if got := value[string](w, `select name || ' ' || variables::text from recipient`); got !=
		`Olu Okafor {"last_name": "Okafor", "first_name": "Olu"}` {
		t.Errorf("the recipient is %s", got)
	}
	b.multi("/campaigns", changed(data, "action", "check", "upload", "", "recipients",
		"Phone,Name,First name\n+15005550001,Olu Okafor,Olu\n"), "", nil).lacks("followed by", "The recipient's name")
}
