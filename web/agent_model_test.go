package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// heldAgent is an agent that a language model holds, without fields to collect.
func (n *tenant) heldAgent() uuid.UUID {
	id := newID()
	n.w.exec(`insert into agent (id, organization_id, name, kind, language, script)
		values ($1, $2, 'June', 'model', 'en-US', jsonb_build_object('language', 'en-US', 'greeting', 'Hello.',
			'questions', '[]'::jsonb, 'model', jsonb_build_object('instructions', 'Ask about the visit.',
			'connection_id', $3::text)))`, id, n.organization, n.freshModel())
	return id
}

// A person makes an agent that a language model holds, changes it and makes it scripted. Its questions stay.
func TestAgentModelForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const add = "/agents/new"
	none := v.get(add).want(http.StatusOK).has("How the agent talks", "There is no model connection yet",
		"Add a model connection",
		`value="/settings/integrations/models/new"`, "Empty means 100,000")
	if !none.ticked("kind", "scripted") {
		t.Error("a new agent is not scripted")
	}
	held := changed(agentForm(), "kind", "model", "model.instructions", "Ask {{name}}\r\nabout the visit.")
	v.post("/agents", held).wrong("model.connection_id", "Required").has("about the visit.")

	first, second := n.freshModel(), n.freshModel()
	foreign := w.newTenant("Birch").freshModel()
	w.exec(`update model_connection set name = 'Spare', failures = 5 where id = $1`, second)
	v.get(add).has("Stand-in (sandbox)", "Spare (sandbox), failing").
		lacks("There is no model connection yet", foreign.String())
	held = changed(held, "model.connection_id", first.String())
	for _, c := range []struct{ field, value, message string }{
		{"kind", "robot", "Must be scripted or model"},
		{"model.instructions", " ", "Required"},
		{"model.instructions", strings.Repeat("x", 8001), "Must have at most 8,000 characters"},
		{"model.connection_id", foreign.String(), "No such connection"},
		{"model.connection_id", "main", "Required"},
		{"model.fallback_connection_id", "main", "No such connection"},
		{"model.fallback_connection_id", first.String(), "Must be another connection"},
		{"model.tools", "dance", "Must be one of schedule_callback"},
		{"model.avoid_topics", "prices\r\n\r\n{{name}}", "Line 2: must not contain variables"},
		{"model.max_turns", "-1", "Must be between 1 and 500, or 0 for the default"},
		{"model.max_tokens", "many", "Must be a whole number"},
		{"model.max_tool_calls", "201", "Must be between 1 and 200"},
		{"model.max_seconds", "29", "Must be between 30 and 14,400"},
		{"model.temperature", "hot", "Must be a number"},
		{"model.temperature", "3", "Must be between 0 and 2"},
		{"analysis.connection_id", foreign.String(), "No such connection"},
		{"analysis.connection_id", "main", "No such connection"},
		{"analysis.success", strings.Repeat("x", 1001), "Must have at most 1,000 characters"},
	} {
		got := v.post("/agents", changed(held, c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.field, c.message)
	}

	full := changed(held, "model.fallback_connection_id", second.String(), "model.tools", "report_person",
		"model.avoid_topics", "prices\r\n\r\nlegal advice\r\n", "model.max_turns", "30", "model.max_tokens", "5000",
		"model.max_tool_calls", "9", "model.max_seconds", "300", "model.temperature", "0.4",
		"analysis.connection_id", second.String(), "analysis.success", "They come.\r\nOr they call.")
	v.post("/agents/try", full).want(http.StatusOK).
		has("Start the conversation", "legal advice", `name="model.tools" value="report_person"`).lacks("You say")
	v.post("/agents", full).leadsBelow("/agents/")
	v.get("/agents").has("Language model", "Scripted")
	id := idOf(w, "agent", "name", "Nora")
	if !value[bool](w, `select kind = 'model' and script -> 'model' = $2::jsonb from agent where id = $1`, id,
		`{"instructions": "Ask {{name}}\nabout the visit.", "connection_id": "`+first.String()+`",
		"fallback_connection_id": "`+second.String()+`", "temperature": 0.4, "avoid_topics": ["prices", "legal advice"],
		"tools": ["report_person"], "max_turns": 30, "max_tokens": 5000, "max_tool_calls": 9, "max_seconds": 300}`) {
		t.Errorf("stored %s", value[string](w, `select script from agent where id = $1`, id))
	}
	if !value[bool](w, `select script -> 'analysis' = $2::jsonb from agent where id = $1`, id,
		`{"connection_id": "`+second.String()+`", "success": "They come.\nOr they call."}`) {
		t.Errorf("stored %s", value[string](w, `select script from agent where id = $1`, id))
	}
	path := "/agents/" + id.String()
	shown := v.get(path).want(http.StatusOK).has("about the visit.", "prices\nlegal advice", `value="5000"`,
		`value="0.4"`, `<summary>Limits of a call and temperature</summary>`, "Well?")
	for field, want := range map[string]string{
		"kind": "model", "model.connection_id": first.String(), "model.fallback_connection_id": second.String(),
		"model.tools": "report_person",
	} {
		if !shown.ticked(field, want) {
			t.Errorf("%s does not show %s", field, want)
		}
	}
	if shown.ticked("model.tools", "schedule_callback") {
		t.Error("a tool is on that the agent does not have")
	}
	v.get(path + "/try").want(http.StatusOK).has("Start the conversation").lacks("You say")

	w.exec(`update model_connection set failures = 0`)
	changes := changed(full, "model.connection_id", second.String(), "model.fallback_connection_id", "",
		"model.max_turns", "", "publish", "yes")
	v.post(path, changes).leads(path)
	v.get(path+"/versions").has("Model connection", "Before: Stand-in (sandbox) After: Spare (sandbox)",
		"Fallback connection Before: Spare (sandbox) After: empty",
		"Limit of the model's answers Before: 30 After: the default")
	v.post(path, changed(changes, "kind", "scripted")).leads(path)
	v.get(path+"/versions").has("How the agent talks Before: Language model After: Scripted",
		"Instructions Before: Ask {{name}} about the visit. After: empty", "Tools Before: Report who answered",
		"Topics to avoid Before: prices, legal advice", "Temperature Before: 0.4").lacks("Max turns")
	if !value[bool](w, `select kind = 'scripted' and not script ? 'model'
		and jsonb_array_length(script -> 'questions') = 1 from agent where id = $1`, id) {
		t.Errorf("stored %s", value[string](w, `select script from agent where id = $1`, id))
	}
	v.get(path + "/try").want(http.StatusOK).has("You say")
}
