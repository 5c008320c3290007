package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// An agent lives its life through the API, and calls are found by the version that they follow.
func TestAgents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	a := n.do("POST", "/agents", object{
		"name": "Nora", "language": "en-US", "greeting": "Hello.", "speech": object{"end_of_turn_ms": nil},
		"questions": []object{{"key": "ok", "ask": "Well?", "expect": "yes_no", "required": false, "max": nil}},
	}).want(http.StatusCreated)
	path := "/agents/" + a.get("id").(string)
	if a.get("published_version") != 1.0 || a.get("has_draft_changes") != false || a.get("record_calls") != false {
		t.Error(a)
	}
	n.do("POST", "/agents", object{"name": "Nora"}).refused(http.StatusBadRequest, `language: must be a language tag `+
		`such as "en-US"; greeting: required`)
	n.do("POST", path+"/publish", nil).
		refused(http.StatusConflict, "The draft is the same as version 1, which is published")

	// A change of what somebody else has changed is refused on request.
	tag := n.do("GET", path, nil).want(http.StatusOK).header.Get("ETag")
	n.do("PATCH", path, object{"goodbye": "Bye."}, "If-Match", `"other"`).
		refused(http.StatusPreconditionFailed, "It has changed since you read it. Read it again, then send your change")
	n.do("PATCH", path, object{"goodbye": "Bye."}, "If-Match", tag).want(http.StatusOK)
	n.do("PATCH", path, object{"goodbye": ""}, "If-Match", tag).
		refused(http.StatusPreconditionFailed, "It has changed since you read it. Read it again, then send your change")
	n.do("PATCH", path, object{"goodbye": ""}, "If-Match", "*").want(http.StatusOK)

	// A client may send back what it read.
	a = n.do("PATCH", path, json.RawMessage(a.body)).want(http.StatusOK)
	if a.get("has_draft_changes") != false {
		t.Error(a)
	}
	n.do("PATCH", path, object{"published_version": 7, "id": "x"}).
		refused(http.StatusBadRequest, "id: cannot be changed; published_version: cannot be changed")
	a = n.do("PATCH", path, object{"goodbye": "Bye."}).want(http.StatusOK)
	if a.get("has_draft_changes") != true || a.get("published_version") != 1.0 || a.get("greeting") != "Hello." {
		t.Error(a)
	}
	a = n.do("POST", path+"/publish", object{"note": "Ends"}).want(http.StatusOK)
	if a.get("published_version") != 2.0 {
		t.Error(a)
	}
	v := n.do("GET", path+"/versions/2", nil).want(http.StatusOK)
	changes := v.get("changes").([]any)
	if len(changes) != 1 || changes[0].(object)["field"] != "goodbye" || v.get("published") != true ||
		v.get("content").(object)["goodbye"] != "Bye." || v.get("note") != "Ends" {
		t.Error(v)
	}
	n.do("POST", path+"/publish", object{"version": 9}).refused(http.StatusBadRequest, "version: no such version")
	n.do("POST", path+"/publish", object{"version": 1, "note": "Back"}).want(http.StatusOK)
	if list := n.do("GET", path+"/versions", nil).want(http.StatusOK).data(); len(list) != 2 ||
		list[0].(object)["published"] != false || len(list[1].(object)["publications"].([]any)) != 2 {
		t.Error(list)
	}
	for _, number := range []string{"3", "0", "x", "99999999999"} {
		n.do("GET", path+"/versions/"+number, nil).refused(http.StatusNotFound, "Version not found")
	}

	w.refill()
	body := n.campaign()
	body["agent_id"] = a.get("id")
	body["agent_version"] = object{"version": 2, "split": object{"version": 1, "percent": 5}}
	c := n.do("POST", "/campaigns", body).want(http.StatusCreated)
	if got := c.get("agent_version").(object); got["version"] != 2.0 || got["split"].(object)["percent"] != 5.0 {
		t.Error(c)
	}
	body["agent_version"] = object{"version": 3}
	n.do("POST", "/campaigns", body).refused(http.StatusBadRequest, "agent_version.version: Nora has no version 3")

	called, other := n.newCall("+15005550001"), n.newCall("+15005550002")
	w.exec(`update call set agent_id = $2,
		agent_version_id = (select id from agent_version where agent_id = $2 and number = 2) where id = $1`,
		called, a.get("id"))
	w.exec(`update call set agent_id = $2 where id = $1`, other, a.get("id"))
	for _, query := range []string{"", "&outcome=completed", "&q=hello"} {
		list := n.do("GET", "/calls?agent_id="+a.get("id").(string)+"&agent_version=2"+query, nil).
			want(http.StatusOK).data()
		if query == "" && len(list) != 1 || slices.ContainsFunc(list, func(c any) bool {
			return c.(object)["id"] != called.String() || c.(object)["agent_version"] != 2.0
		}) {
			t.Errorf("%s: %v", query, list)
		}
	}
	n.do("GET", "/calls?agent_version=2", nil).refused(http.StatusBadRequest, "agent_version: needs agent_id")
	n.do("DELETE", "/agents/"+newID().String(), nil).refused(http.StatusNotFound, "Agent not found")
	n.do("DELETE", path, nil).refused(http.StatusConflict,
		"Agent Nora is used by 1 campaign that has not ended: "+body["name"].(string))
}

// An agent can be held by a language model, and be scripted again.
func TestModelAgents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, stranger := w.newTenant("Acme"), w.newTenant("Elsewhere")
	connection := object{"name": "Ours", "provider": "openai_compatible", "url": "https://models.example.com/v1",
		"model": "m"}
	id := n.do("POST", "/model-connections", connection).want(http.StatusCreated).get("id")
	foreign := stranger.do("POST", "/model-connections", connection).want(http.StatusCreated).get("id")
	agent := object{
		"name": "Nora", "language": "en-US", "greeting": "Hello.",
		"model": object{"instructions": "Be kind.", "connection_id": id, "tools": []string{"schedule_callback"}},
	}
	a := n.do("POST", "/agents", agent).want(http.StatusCreated)
	path := "/agents/" + a.get("id").(string)
	if m := a.get("model").(object); a.get("kind") != "model" || m["connection_id"] != id || m["max_turns"] != 0.0 ||
		m["fallback_connection_id"] != nil {
		t.Error(a)
	}
	n.do("PATCH", path, json.RawMessage(a.body)).want(http.StatusOK)
	for _, other := range []any{foreign, newID().String(), "x"} {
		n.do("PATCH", path, object{"model": object{"instructions": "Be kind.", "connection_id": other}}).
			refused(http.StatusBadRequest, "model.connection_id: no such connection")
	}
	n.do("PATCH", path, object{"model": object{"foo": 1}}).
		refused(http.StatusBadRequest, "model.foo: unknown field, must be one of instructions, connection_id, "+
			"fallback_connection_id, temperature, avoid_topics, tools, http_tools, message_templates, max_turns, "+
			"max_tokens, max_tool_calls, max_seconds")
	n.do("PATCH", path, object{"model": object{"tools": []string{"fly"}, "max_turns": -1}}).
		refused(http.StatusBadRequest, "model.instructions: required; model.connection_id: required; "+
			"model.max_turns: must be between 1 and 500, or 0 for the default; "+
			"model.tools[0]: must be one of schedule_callback, report_person, request_follow_up, send_message, "+
			"press_digits")
	n.do("PATCH", path, object{"kind": "scripted", "model": agent["model"]}).
		refused(http.StatusBadRequest, "model: is only for the kind model")
	n.do("DELETE", "/model-connections/"+id.(string), nil).
		refused(http.StatusConflict, "Connection Ours is used by 1 agent: Nora")
	a = n.do("PATCH", path, object{
		"languages": []object{{
			"language": "es-US", "speech": object{"provider": "amazon", "voice": "Lupe-Neural"}, "greeting": "Hola.",
		}},
		"questions": []object{{"key": "ok", "ask": "Well?", "expect": "yes_no",
			"asks":     object{"es-US": "¿Bien?"},
			"branches": []object{{"answer": false, "go_to": "end", "say": "Bye.", "says": object{"es-US": "Adiós."}}}}},
	}).want(http.StatusOK)
	spanish := a.get("languages").([]any)[0].(object)
	if spanish["greeting"] != "Hola." || spanish["speech"].(object)["voice"] != "Lupe-Neural" ||
		spanish["disclosure"] != "" || a.get("questions").([]any)[0].(object)["asks"].(object)["es-US"] != "¿Bien?" {
		t.Error(a)
	}
	n.do("PATCH", path, json.RawMessage(a.body)).want(http.StatusOK)
	n.do("PATCH", path, object{"languages": []object{{"language": "es-MX", "speech": object{"voice": "Lupe"}}}}).
		refused(http.StatusBadRequest, "languages[0].speech.provider: required with a voice; "+
			`questions[0].asks: must name further languages of the agent, unlike "es-US"; `+
			`questions[0].branches[0].says: must name further languages of the agent, unlike "es-US"`)
	a = n.do("PATCH", path, object{"questions": []object{
		{"key": "ok", "ask": "Well?", "expect": "yes_no", "branches": []object{{"go_to": "care", "say": "Now."}}},
		{"key": "care", "ask": "Which one?", "expect": "choice", "options": []string{"Visit", "Call"},
			"translated_options": object{"es-US": []string{"Visita", "Llamada"}}},
	}}).want(http.StatusOK)
	care := a.get("questions").([]any)[1].(object)["translated_options"].(object)
	if fmt.Sprint(care["es-US"]) != "[Visita Llamada]" || fmt.Sprint(a.get("untranslated")) !=
		"[map[branches:[ok] language:es-US options:[] questions:[ok care] texts:[]]]" {
		t.Error(a)
	}
	n.do("PATCH", path, json.RawMessage(a.body)).want(http.StatusOK)
	n.do("PATCH", path, object{"untranslated": []object{}}).
		refused(http.StatusBadRequest, "untranslated: cannot be changed")
	n.do("PATCH", path, object{"questions": []object{{"key": "care", "ask": "Which one?", "expect": "choice",
		"options": []string{"Visit", "Call"}, "translated_options": object{"es-US": []string{"Visita"}}}}}).
		refused(http.StatusBadRequest,
			"questions[0].translated_options.es-US: must translate each of the 2 choices, in their order")
	n.do("PATCH", path, object{"questions": []object{{"key": "care", "ask": "Which one?", "expect": "choice",
		"options": []string{"Visit", "Call"}, "translated_options": object{"es-US": "Visita"}}}}).
		refused(http.StatusBadRequest, "questions[0].translated_options.es-US: must be an array")
	n.do("PATCH", path, json.RawMessage(a.body)).want(http.StatusOK)
	n.do("PATCH", path, object{"questions": []object{{"key": "ok", "ask": "Well?", "expect": "yes_no",
		"asks": object{"es-US": 1}}}}).refused(http.StatusBadRequest, "questions[0].asks.es-US: must be a string")
	n.do("PATCH", path, object{"questions": []object{{"key": "ok", "ask": "Well?", "expect": "yes_no",
		"asks": []string{}}}}).refused(http.StatusBadRequest, "questions[0].asks: must be an object")
	n.do("POST", path+"/publish", nil).want(http.StatusOK)
	n.do("PATCH", path, object{"languages": []object{{"language": "es-US"}}}).want(http.StatusOK)
	n.do("POST", path+"/publish", nil).want(http.StatusOK)
	changed := n.do("GET", path+"/versions/3", nil).want(http.StatusOK).get("changes").([]any)
	var fields []string
	for _, c := range changed {
		fields = append(fields, c.(object)["field"].(string))
	}
	if !slices.Equal(fields, []string{
		"languages[es-US].greeting", "languages[es-US].speech.provider", "languages[es-US].speech.voice",
	}) {
		t.Errorf("changed %q", fields)
	}

	a = n.do("PATCH", path, object{"kind": "scripted"}).want(http.StatusOK)
	if a.get("kind") != "scripted" || a.get("model") != nil || a.get("has_draft_changes") != true {
		t.Error(a)
	}
	// One answer names every problem, and a connection that was read can be sent back.
	n.do("POST", "/agents", object{"language": "en-US", "greeting": 1, "model": object{
		"instructions": "Ask.", "connection_id": "nope", "http_tools": []string{"a"},
	}}).refused(http.StatusBadRequest, "greeting: must be a string; name: required")
	n.do("POST", "/agents", object{"language": "en-US", "greeting": "Hello.", "model": object{
		"instructions": "Ask.", "connection_id": "nope", "http_tools": []string{"a"},
	}}).refused(http.StatusBadRequest,
		"name: required; model.connection_id: no such connection; model.http_tools[0]: no such tool")
	read := n.do("GET", "/model-connections/"+id.(string), nil).want(http.StatusOK)
	n.do("PATCH", "/model-connections/"+id.(string), json.RawMessage(read.body)).want(http.StatusOK)
	n.do("PATCH", "/model-connections/"+id.(string), object{
		"input_price": nil, "cached_input_price": nil, "output_price": nil, "currency": nil,
	}).want(http.StatusOK)
	n.do("PATCH", "/model-connections/"+id.(string), object{"provider": "anthropic"}).
		refused(http.StatusBadRequest, "provider: cannot be changed")

	// The draft has kept the model, the languages and the translations.
	again := n.do("PATCH", path, object{"kind": "model"}).want(http.StatusOK)
	if again.get("kind") != "model" || again.get("has_draft_changes") != false {
		t.Error(again)
	}
	n.do("PATCH", path, object{"kind": "scripted"}).want(http.StatusOK)
	bare := n.do("POST", "/agents", object{"name": "Bo", "language": "en-US", "greeting": "Hello."}).
		want(http.StatusCreated)
	n.do("PATCH", "/agents/"+bare.get("id").(string), object{"kind": "model"}).
		refused(http.StatusBadRequest, "model: required for the kind model")
	// Calls still follow the published version, which needs the connection.
	n.do("DELETE", "/model-connections/"+id.(string), nil).
		refused(http.StatusConflict, "Connection Ours is used by 1 agent: Nora")
	n.do("POST", path+"/publish", nil).want(http.StatusOK)
	n.do("DELETE", "/model-connections/"+id.(string), nil).want(http.StatusNoContent)
}
