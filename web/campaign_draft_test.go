package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/project"
)

// The page of a draft has what the form of a new campaign shows of its list: who is called and when, what people hear
// who lack a value, and a test call with a recipient.
func TestDraftIsCheckedBeforeItStarts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update agent set script = jsonb_set(script, '{greeting}',
		'"Hello {{first_name}}, see you on {{visit_day}} at {{place}}."') where id = $1`, n.agent)
	_, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	b := n.as(n.admin)
	draft := b.multi("/campaigns", n.campaignForm(b, "action", "draft", "recipients",
		"phone,first_name,place\n+15005550001,Olu,2026-12-01\n+15005550002,Mei,Main St\n+15005550001,Olu,\n"), "", nil).
		leadsBelow("/campaigns/").header.Get("Location")
	page := b.get(draft).want(http.StatusOK).has("Before it starts", "2 of 3 will be called", "1 skipped: 1 duplicate",
		"2 people have no {{visit_day}}", "Aster Robin says: “Hello Olu, see you on at 2026-12-01.”", "First calls",
		"{{place}} has dates such as 2026-12-01", "They are read out as written", "Row for a test call", "Test call",
		"Start 2 calls", draft+"/edit#s-pace").lacks("no {{first_name}}")
	row := value[string](w, `select id::text from recipient where phone_number = '+15005550002'`)
	if !strings.Contains(page.body, `value="`+row+`"`) {
		t.Error("the second recipient is not offered for a test call")
	}

	// The test call has the values of the recipient, and leads back to the draft.
	call := b.post(draft+"/test-call", form("test_row", row)).
		leadsBelow("/agents/" + n.agent.String() + "/call?kept=").header.Get("Location")
	filled := b.get(call).want(http.StatusOK).has("Back to the campaign").lacks("Discard")
	if got := filled.field("variables.place"); got != "Main St" {
		t.Errorf("the test call says %q", got)
	}
	placed := b.post("/agents/"+n.agent.String()+"/call", changed(filled.fields(), "to_number", "+15005550007")).
		leadsBelow(draft + "?test_call=").header.Get("Location")
	b.get(placed).has("The test call is placed", "Before it starts").lacks("Save this filter")

	// Numbers that were put on the do-not-call list later are not called either.
	w.exec(`insert into do_not_call (id, organization_id, phone_number, source)
		values ($1, $2, '+15005550002', 'user')`,
		newID(), n.organization)
	b.get(draft).has("1 of 3 will be called", "1 on the do-not-call list", "1 person has no {{visit_day}}")
	n.as(n.staff).get(draft).has("Before it starts", "1 of 3 will be called").lacks("Test call", draft+"/start")

	// The page of a long list does not check it unasked.
	w.exec(`update campaign set total = 6000`)
	b.get(draft).has("Check 6,000 recipients", draft+"?check=yes#before", "Start campaign").
		lacks("1 of 6,000")
	b.get(draft+"?check=yes").has("1 of 6,000 will be called", "Start 1 call").
		lacks("Check 6,000 recipients", "Save this filter")
	w.exec(`update campaign set total = 3`)

	b.post(draft+"/start", nil).leads(draft)
	b.get(draft).lacks("Before it starts")
	b.post(draft+"/test-call", form("test_row", row)).want(http.StatusConflict)
}

// Who lacks a value can be chosen for a test call, however far down the list, before and after it is saved. A draft
// leaves invalid rows out and says which.
func TestDraftOfAListWithFaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update agent set script = jsonb_set(script, '{greeting}', '"Hello from {{city}}."') where id = $1`, n.agent)
	if _, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{}); err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	list.WriteString("phone,name,first_name,city\n")
	for i := range 10 {
		fmt.Fprintf(&list, "+150055500%02d,Olu %d,Olu,Rome\n", i, i)
	}
	list.WriteString("+15005550011,Jill Doe,Jill,\n12,Nobody,Nobody,Bonn\n")
	b := n.as(n.admin)

	data := n.campaignForm(b, "action", "check", "leave_out", "-", "recipients", list.String())
	page := b.multi("/campaigns", data, "", nil).want(http.StatusOK).has("Row 12: Jill Doe, without {{city}}")
	data = kept(data, page)
	call := b.multi("/campaigns", changed(data, "action", "test", "test_row", "lacking-city"), "", nil).
		leadsBelow("/agents/" + n.agent.String() + "/call?kept=").header.Get("Location")
	filled := b.get(call).want(http.StatusOK)
	if name, city := filled.field("name"), filled.field("variables.city"); name != "Jill Doe" || city != "" {
		t.Errorf("the test call is to %q in the city %q", name, city)
	}

	b.multi("/campaigns", changed(data, "action", "create"), "", nil).
		wrong("recipients", "1 invalid row. Replace the list or skip it")
	draft := b.multi("/campaigns", changed(data, "action", "draft"), "", nil).
		leadsBelow("/campaigns/").header.Get("Location")
	page = b.get(draft).has("Draft saved with 11 recipients",
		"Row 13 was left out because it is invalid. Correct it and add it to the draft", "Jill Doe, without {{city}}")
	jill := value[string](w, `select id::text from recipient where name = 'Jill Doe'`)
	if !strings.Contains(page.body, `value="`+jill+`"`) {
		t.Error("who lacks a value is not offered for a test call")
	}

	for _, want := range []string{"Rows 13, 14 and 15 were left out", "Rows 13, 14, 15 and 2 more were left out"} {
		list.WriteString(strings.Repeat("12,Nobody,Nobody,Bonn\n", 2))
		data := n.campaignForm(b, "action", "draft", "leave_out", "-", "recipients", list.String())
		saved := b.multi("/campaigns", data, "", nil).
			leadsBelow("/campaigns/").header.Get("Location")
		b.get(saved).has(want)
	}
	b.multi("/campaigns", n.campaignForm(b, "action", "draft", "recipients", "phone\n12\n"), "", nil).
		wrong("recipients", "No row is valid")
}
