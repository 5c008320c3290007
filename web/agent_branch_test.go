package web

import (
	"net/http"
	"strings"
	"testing"
)

// The branches of an agent lead to the same questions when these move, say in words what they do, and stay when a model
// comes and goes.
func TestBranchesInTheForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	agent := changed(agentForm(),
		"questions[0].branches[0].answer", "no", "questions[0].branches[0].then", "question:2",
		"questions[0].branches[0].say", "Sorry to hear that.",
		"questions[1].key", "meal", "questions[1].ask", "Which meal?", "questions[1].expect", "choice",
		"questions[1].options", "Meat\nFish\nNone", "questions[1].branches[0].options", "Meat\r\nFish",
		"questions[1].branches[0].then", "end", "questions[1].branches[1].then", "question:2",
		"questions[2].ask", "How much does it hurt?", "questions[2].expect", "number",
		"questions[2].branches[0].at_most", "3", "questions[2].branches[0].at_least", "8",
		"questions[2].branches[0].then", "end")
	v.post("/agents", changed(agent, "action", "add")).want(http.StatusOK).has(
		"If no: goes to question 3", "If Meat or Fish: ends the call", "Otherwise: goes to question 3",
		"If at most 3 or at least 8: ends the call")
	moved := v.post("/agents", changed(agent, "action", "up:2")).want(http.StatusOK).
		has("If no: goes to question 2", "Otherwise: goes to question 2")
	if !moved.ticked("questions[0].branches[0].then", "question:1") {
		t.Error("the branch leads to another question")
	}
	v.post("/agents", changed(agent, "action", "insert:0")).want(http.StatusOK).has("goes to question 4")
	v.post("/agents", changed(agent, "action", "remove:2")).want(http.StatusOK).
		has("If no: choose what follows").lacks("goes to question 3")
	v.post("/agents", changed(agent, "action", "branch:2")).want(http.StatusOK).has("Otherwise: choose")
	v.post("/agents", changed(agent, "action", "unbranch:1:0")).want(http.StatusOK).
		has("After any answer: goes to question 3").lacks("If Meat")

	// Beside the form, a conversation follows it as it is, and the form is not sent back.
	try, beside := "/agents/try", changed(agent, "beside", "on", "action", "begin")
	v.post(try, changed(beside, "greeting", "", "questions[1].key", "Meal")).want(http.StatusUnprocessableEntity).
		has("The form has mistakes", "Greeting: required", "Question 2, key: must be 1 to 40").lacks("You say")
	v.post(try, changed(beside, "questions[1].branches[0].then", "")).want(http.StatusUnprocessableEntity).
		has("Question 2, branch 1, then: choose what follows")
	// An empty question keeps its number, because the form still shows it.
	gap := changed(beside, "questions[0].key", "", "questions[0].ask", "", "questions[1].branches[0].then", "",
		"questions[2].key", "meal")
	v.post(try, gap).want(http.StatusUnprocessableEntity).has("Question 2, branch 1, then: choose what follows",
		"Question 3, key: is also the key of question 2")
	v.post(try, beside).want(http.StatusOK).has("Try it", "Hello.", "You say").lacks(`name="greeting"`)

	for _, c := range []struct{ field, value, at, message string }{
		{"questions[2].branches[0].then", "question:0", "questions[2].branches[0].then",
			"Must be a question after this one"},
		{"questions[1].branches[0].options", "", "questions[1].branches[0].then", "Must be the last branch"},
		{"questions[1].branches[0].options", "Bread", "questions[1].branches[0].options",
			"Is none of the question's options"},
		{"questions[1].branches[0].say", "{{", "questions[1].branches[0].say", "Must write variables as {{name}}"},
	} {
		got := v.post("/agents", changed(agent, c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.at, c.message)
	}
	v.post("/agents", agent).leadsBelow("/agents/")
	id := idOf(w, "agent", "name", "Nora")
	stored := func(want string) {
		t.Helper()
		const all = `select jsonb_path_query_array(script, '$.questions[*].branches[*]') from agent where id = $1`
		if !value[bool](w, `select (`+all+`) = $2::jsonb`, id, want) {
			t.Errorf("stored %s", value[string](w, all, id))
		}
	}
	const branches = `{"answer": false, "options": null, "at_most": null, "at_least": null, "go_to": "hurt",
			"say": "Sorry to hear that."%s},
		{"answer": null, "options": ["Meat", "Fish"], "at_most": null, "at_least": null, "go_to": "end"},
		{"answer": null, "options": null, "at_most": null, "at_least": null, "go_to": "hurt"},
		{"answer": null, "options": null, "at_most": 3, "at_least": 8, "go_to": "end"}`
	stored("[" + strings.Replace(branches, "%s", "", 1) + "]")
	path := "/agents/" + id.String()
	v.get(path).want(http.StatusOK).has("If no: goes to question 3", "Versions version 1 published",
		"Tests not run yet", "Any other answer leads to field 2")
	n.as(n.staff).get(path).want(http.StatusOK).
		has("If no: goes to question 3, and says “Sorry to hear that.”", "Otherwise: goes to question 3")

	held := changed(agent, "kind", "model", "model.instructions", "Ask.",
		"model.connection_id", n.freshModel().String(),
		"languages[0].language", "es-US", "questions[0].branches[0].says[0]", "Lo siento.")
	v.post(path, held).leads(path)
	stored("[" + strings.Replace(branches, "%s", `, "says": {"es-US": "Lo siento."}`, 1) + "]")
	v.post(path, changed(held, "kind", "scripted", "questions[1].branches[1].then", "end")).leads(path)
	v.get(path + "/versions").want(http.StatusOK)
	v.get(path).has("Question meal, branches",
		"Before: If Meat or Fish: ends the call · Otherwise: goes to the question hurt",
		"After: If Meat or Fish: ends the call · Otherwise: ends the call", "Lo siento.")
}
