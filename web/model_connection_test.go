package web

import (
	"net/http"
	"strings"
	"testing"
)

// A person connects a model, checks it, sees why it fails, and removes it. No page shows its key.
func TestLanguageModels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const (
		list = "/settings/integrations"
		key  = "sk-secret-of-the-model"
	)
	v.get(list).want(http.StatusOK).has("No model connected")
	v.get(list+"/models/new").want(http.StatusOK).
		has("A rule-based stand-in, not a language model", "sandbox-slow: waits 3 seconds before the first token",
			"It needs an API key and no URL")
	v.post(list+"/models", form("provider", "openai_compatible", "name", "A", "url", "x", "model", "m")).
		wrong("url", "Must be an https URL such as https://example.com").lacks("example.com/hooks")

	data := form("provider", "openai_compatible", "name", "OpenAI", "url", "http://10.0.0.5:8000/v1", "key", key,
		"model", "gpt-small", "streams", "many", "input_price", "0.4")
	v.post(list+"/models", data).want(http.StatusUnprocessableEntity).lacks(key)
	data = changed(data, "streams", "30")
	v.post(list+"/models", data).wrong("url", "DIALWRIGHT_MODEL_HOSTS").has("OpenAI", "gpt-small").lacks(key)
	data = changed(data, "url", "https://api.example.com/v1")
	v.post(list+"/models", data).wrong("currency", "Required with a price")
	v.post(list+"/models", data).wrong("output_price", "Required with another price; 0 if it costs nothing")
	data = changed(data, "output_price", "1.6")
	path := v.post(list+"/models", changed(data, "currency", "USD")).want(http.StatusSeeOther).header.Get("Location")
	v.get(path).want(http.StatusOK).has("Not checked yet", "Model connected", "OpenAI-compatible").lacks(key)
	v.post(list+"/models", changed(data, "currency", "USD")).wrong("name", "Another model connection is named OpenAI")
	v.post(path, form("name", "Renamed", "url", "https://other.example.com/v1", "model", "gpt-small", "streams", "30")).
		wrong("key", "Enter the value again because the server changed")
	v.post(path, form("name", "Renamed", "url", "https://api.example.com/v1", "model", "gpt-small", "streams", "40")).
		leads(path)
	v.get(list).has("Renamed", "gpt-small", "40", "Not checked yet").lacks(key)

	w.exec(`update model_connection set failures = 5, last_error = 'The model server does not accept the key',
		last_error_at = clock()`)
	v.get(list).has("Failing", "The model server does not accept the key")
	v.get(path).has("5 requests in a row failed", "Try again")
	v.post(path+"/retry", nil).leads(path)
	v.get(path).has("The count of failures was reset").lacks("Try again")

	box := v.post(list+"/models", form("provider", "sandbox", "name", "Stand-in", "model", "",
		"sandbox_model", "sandbox", "streams", "20")).want(http.StatusSeeOther).header.Get("Location")
	v.post(box+"/check", nil).leads(box)
	v.get(box).has("The model answered", "Ready", "Tool calls", " ms")
	v.post(box, form("name", "Stand-in", "model", "sandbox-401", "streams", "20")).leads(box)
	v.post(box+"/check", nil).leads(box)
	v.get(box).has("The check failed", "The model server does not accept the key (invalid_api_key)")

	// What was typed as the key is not shown again, and the form says so.
	v.post(list+"/models", changed(data, "name", "")).wrong("key", "Enter the key again")
	// A connection that answered calls needs no check to be trusted.
	w.exec(`update model_connection set last_success_at = clock() where name = 'Renamed'`)
	v.get(list).has("Answering")
	// A connection in use is not offered for removal.
	w.exec(`update agent set script = jsonb_set(script, '{analysis}', jsonb_build_object('connection_id', $1::text))
		where organization_id = $2`, strings.TrimPrefix(path, list+"/models/"), n.organization)
	v.get(path + "/remove").want(http.StatusOK).has("Connection Renamed is used by").lacks("Remove connection")
	w.exec(`update agent set script = script - 'analysis' where organization_id = $1`, n.organization)
	v.get(path+"/remove").want(http.StatusOK).has("Remove Renamed?", "its key is deleted", "Remove connection")
	v.post(path+"/remove", nil).leads(list)
	v.get(list).has("Connection removed", "Stand-in")
	v.get(path).want(http.StatusNotFound)

	// Staff see the state and change nothing.
	n.as(n.staff).get(list).want(http.StatusOK).has("Stand-in", "Failing").lacks("Connect a model", box)
}
