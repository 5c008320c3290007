package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// A case with every action and kind of check comes back from its form as it was.
func TestTestCaseForm(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	path := ofTestCase("")(n)
	id := path[strings.LastIndex(path, "/")+1:]
	stored := func() string { return value[string](w, `select content::text from agent_test_case where id = $1`, id) }
	before := stored()

	tab := browsertest.Open(t).NewTab(t)
	tab.Scripts(false)
	b := n.as(n.admin)
	tab.Become(w.server.URL, b.client.Jar.Cookies(b.w.origin()))
	tab.Go(w.server.URL + path)
	tab.Leave("save", `(() => { const f = document.querySelector("#test-case");
		f.requestSubmit(f.querySelector(".form-foot .btn-primary")); return true; })()`)
	if got := stored(); got != before {
		t.Errorf("saved unchanged, the case is\n%s\nnot\n%s", got, before)
	}

	fields := form("name", "Everything", "recipient.kind", "steps", "recipient.steps[0].action", "say",
		"recipient.steps[0].text", "", "recipient.steps[1].action", "press", "recipient.steps[1].text", "x",
		"variables", "{}", "tool_results", "[", "checks[0].kind", "said", "checks[0].name", "left over",
		"checks[0].value", "((")
	with := func(pairs ...string) url.Values {
		all := url.Values{}
		for k, v := range fields {
			all[k] = v
		}
		for i := 0; i < len(pairs); i += 2 {
			all.Set(pairs[i], pairs[i+1])
		}
		return all
	}
	t.Run("errors name their fields", func(t *testing.T) {
		got := b.post(path, fields).want(http.StatusUnprocessableEntity).body
		for _, want := range []string{
			`id="recipient.steps[0].text-error"`, `id="checks[0].value-error"`, `id="tool_results-error"`,
			`value="x"`, "((",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("the form lacks %s", want)
			}
		}
		got = b.post(path, with("recipient.steps[1].action", "interrupt", "recipient.steps[1].words", "few")).
			want(http.StatusUnprocessableEntity).body
		if !strings.Contains(got, `id="recipient.steps[0].words-error"`) {
			t.Error("a word instead of a number is not refused at its field")
		}
	})
	t.Run("buttons keep what was typed", func(t *testing.T) {
		for action, want := range map[string]string{
			"add-step": "recipient.steps[2].action", "add-check": "checks[1].kind", "up-step:1": `value="x"`,
			"remove-check:0": `value="x"`, "check:0": "((", "remove-step:77": "recipient.steps[1].action", "odd": "((",
		} {
			if got := b.post(path, with("action", action)).want(http.StatusOK).body; !strings.Contains(got, want) {
				t.Errorf("%s: the form lacks %s", action, want)
			}
		}
		if got := b.post(path, with("action", "remove-step:1")).body; strings.Contains(got, "recipient.steps[1]") {
			t.Error("the step is still there")
		}
	})
	t.Run("a foreign connection", func(t *testing.T) {
		foreign := w.newTenant("Borealis").freshModel().String()
		got := b.post(path, with("recipient.kind", "model", "recipient.model.prompt", "You are Ada.",
			"tool_results", "", "recipient.model.connection_id", foreign, "checks[0].value", "yes")).
			want(http.StatusUnprocessableEntity).body
		if !strings.Contains(got, `id="recipient.model.connection_id-error"`) {
			t.Error("the form does not say what is wrong with the connection")
		}
	})
	if got := stored(); got != before {
		t.Errorf("a refused form changed the case to %s", got)
	}
	n.as(n.staff).get(path).want(http.StatusOK).has("Check 1").lacks("Save test case", "<textarea")
	t.Run("links of the audit log", func(t *testing.T) {
		b.post(path+"/delete", nil).want(http.StatusSeeOther)
		var entry uuid.UUID
		for _, kind := range []string{"agent_test_case", "agent_test_run"} {
			want := "/tests/cases/" + id
			if kind == "agent_test_run" {
				want = ofTestRun("/tests/runs/{run_id}")(n)
			}
			entry = value[uuid.UUID](w, `select id from audit_entry where organization_id = $1 and object_type = $2
				order by id desc limit 1`, n.organization, kind)
			got := b.get("/settings/audit-log/" + entry.String()).want(http.StatusOK).body
			if !strings.Contains(got, want) {
				t.Errorf("the entry of a %s has no link to %s", kind, want)
			}
		}
	})
}
