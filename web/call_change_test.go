package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// A scheduled call is changed with the form of "Call someone", filled with what the call has.
func TestAScheduledCallIsChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	n.withValues()
	v := n.as(n.admin)
	path := v.post("/calls", n.callForm(v, "name", "Olu", "scheduled_at", "2031-01-15T09:30", "variables.day", "Monday",
		"timezone", "America/Chicago", "expires_at", "2031-01-20T18:00",
		"retry.max_attempts", "3", "retry.delays_minutes", "5, 10", "calling_hours", "always",
		"ring_timeout_seconds", "45", "external_id", "crm-7")).
		want(http.StatusSeeOther).header.Get("Location")
	w.exec(`update recipient set metadata = '{"a": 1}', variables = variables || '{"more": "7"}'`)
	edit := path + "/edit"
	v.get(path).has("Change", edit)
	n.as(n.staff).get(path).lacks(edit)
	n.as(n.staff).get(edit).want(http.StatusForbidden)
	other.as(other.admin).get(edit).want(http.StatusNotFound)
	other.as(other.admin).post(edit, url.Values{}).want(http.StatusNotFound)

	stored := func() string {
		return value[string](w, `
			select concat_ws('|', r.name, r.external_id, r.timezone, r.scheduled_at at time zone 'America/Chicago',
				r.due_at at time zone 'America/Chicago', r.expires_at at time zone 'America/Chicago', r.variables,
				r.metadata, c.max_attempts, c.retry_delays, c.ring_timeout_seconds, c.call_reason, c.voicemail_action)
			from recipient r join campaign c on c.id = r.campaign_id`)
	}
	before := stored()
	page := v.get(edit).want(http.StatusOK).has("Change call", "To +1 312 555 0142", "Save changes")
	data := page.fields()
	for name, want := range map[string]string{
		"name": "Olu", "scheduled_at": "2031-01-15T09:30", "expires_at": "2031-01-20T18:00", "variables.day": "Monday",
		"retry.max_attempts": "3", "retry.delays_minutes": "5, 10", "ring_timeout_seconds": "45",
		"external_id": "crm-7", "timezone": "America/Chicago",
	} {
		if got := data.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	audited := func() int { return w.count(`select count(*) from audit_entry where action = 'call.updated'`) }

	// What nobody changed stays.
	v.post(edit, data).leads(path)
	if got := stored(); got != before || audited() != 0 {
		t.Errorf("%s, want %s", got, before)
	}

	// Without scripts, one more row of hours shows the form again, and changes nothing.
	custom := changed(data, "calling_hours", "custom", "action", "window", "name", "Zoe")
	if again := v.post(edit, custom).want(http.StatusOK); again.field("name") != "Zoe" || audited() != 0 {
		t.Error("the form is lost")
	}

	v.post(edit, changed(data, "scheduled_at", "2020-01-15T09:30", "ring_timeout_seconds", "1")).
		want(http.StatusUnprocessableEntity).
		wrong("ring_timeout_seconds", "Must be between 5 and 120", "scheduled_at",
			"Must not be more than 5 minutes in the past")
	v.post(edit, changed(data, "retry.delays_minutes", "soon")).
		wrong("retry.delays_minutes", "Must be whole minutes, such as 30, 240")

	v.post(edit, changed(data, "name", "Mei", "scheduled_at", "2031-01-16T10:00", "scheduled_at.clock", "person",
		"timezone", "America/Los_Angeles", "variables.day", "Tuesday", "call_reason", "Your visit", "external_id", "",
		"ring_timeout_seconds", "20", "retry.max_attempts", "2", "voicemail_action", "leave_message")).leads(path)
	want := `Mei|America/Los_Angeles|2031-01-16 12:00:00|2031-01-16 12:00:00|2031-01-20 18:00:00|` +
		`{"day": "Tuesday", "more": "7"}|{"a": 1}|2|{5,10}|20|Your visit|leave_message`
	if got := stored(); got != want || audited() != 1 {
		t.Errorf("%s, want %s", got, want)
	}
	v.get(path).has("Mei", "Your visit", "Leave a message")

	// The other tab still shows the values from before.
	stale := v.post(edit, changed(data, "name", "Kim")).want(http.StatusUnprocessableEntity).
		has("Changes were saved after you opened this form")
	if got := stored(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	v.post(edit, changed(v.get(edit).fields(), "name", "Kim", "revision", stale.field("revision"))).leads(path)
	if got := stored(); got != strings.Replace(want, "Mei", "Kim", 1) {
		t.Error(got)
	}

	// A further attempt keeps its settings.
	w.exec(`update recipient set attempts = 1`)
	page = v.get(edit).want(http.StatusOK).has("This is a further attempt").
		lacks(`name="retry.max_attempts"`, `name="calling_hours"`, `name="ring_timeout_seconds"`)
	v.post(edit, changed(page.fields(), "name", "Ada", "expires_at", "")).leads(path)
	if got := stored(); !strings.HasPrefix(got, "Ada|") || strings.Contains(got, "2031-01-20") {
		t.Error(got)
	}

	v.post(path+"/cancel", nil).leads(path)
	v.get(path).lacks(edit)
	v.get(edit).want(http.StatusConflict).has("The call has already ended")
	v.post(edit, data).want(http.StatusConflict)
}

// fields returns the fields of the form in the page's body as a browser sends them that nobody has touched.
func (v *shown) fields() url.Values {
	v.t.Helper()
	data := url.Values{}
	_, form, found := strings.Cut(v.body, `<form class="page-body`)
	if !found {
		v.t.Fatalf("%s: no form", v.what)
	}
	form, _, _ = strings.Cut(form, "</form>")
	attribute := func(tag, name string) (value string, has bool) {
		m := regexp.MustCompile(`\s` + name + `(?:="([^"]*)")?[\s>]`).FindStringSubmatch(tag)
		if m == nil {
			return "", false
		}
		return html.UnescapeString(m[1]), true
	}
	for _, tag := range regexp.MustCompile(`<input\b[^>]*>`).FindAllString(form, -1) {
		name, named := attribute(tag, "name")
		kind, _ := attribute(tag, "type")
		if _, checked := attribute(tag, "checked"); !named || (kind == "checkbox" || kind == "radio") && !checked {
			continue
		}
		value, _ := attribute(tag, "value")
		data.Add(name, value)
	}
	for _, list := range regexp.MustCompile(`(?s)<select\b.*?</select>`).FindAllString(form, -1) {
		name, _ := attribute(list, "name")
		for i, option := range regexp.MustCompile(`<option\b[^>]*>`).FindAllString(list, -1) {
			value, _ := attribute(option, "value")
			if _, selected := attribute(option, "selected"); selected || i == 0 {
				data.Set(name, value)
			}
		}
	}
	return data
}
