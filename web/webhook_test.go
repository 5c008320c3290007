package web

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/web/frame"
)

var signingSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/]{43}=`)

// pagePath returns the path of the page of a webhook.
func pagePath(w webhook.Webhook) string { return "/webhooks/" + w.ID.String() }

// signingSecretOf returns the only secret on a page.
func signingSecretOf(v *shown) string {
	v.t.Helper()
	secrets := signingSecret.FindAllString(strings.ReplaceAll(v.body, "&#43;", "+"), -1)
	if len(secrets) != 1 {
		v.t.Fatalf("%s: shows %d secrets: %s", v.what, len(secrets), v.words())
	}
	return secrets[0]
}

// Only the answer that creates a webhook contains its secret.
func TestWebhookSecretIsShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := form("id", v.get("/webhooks/new").want(http.StatusOK).
		field("id"), "name", "EHR bridge", "url", "https://hooks.example.com/in", "all_events", "1")

	created := v.post("/webhooks", data).want(http.StatusCreated).
		has("Copy the signing secret of “EHR bridge” now", "I have stored it", "standardwebhooks")
	secret := signingSecretOf(created)
	path := strings.TrimPrefix(pathOf(t, created, "I have stored it"), w.server.URL)
	if !created.uncached() {
		t.Error("the answer may be kept")
	}
	absent := func(secret string) {
		t.Helper()
		for _, at := range []string{"/webhooks", path, path + "/edit", path + "/rotate-secret", "/"} {
			v.get(at).want(http.StatusOK).lacks(secret, secret[6:])
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"webhook", "sessions", "audit_entry", "user_session"} {
			if found := w.count(
				`select count(*) from `+table+
					` r where position($1 in r::text) > 0 or position(encode($2, 'hex') in r::text) > 0`,
				secret, raw,
			); found != 0 {
				t.Errorf("the secret is in %s", table)
			}
		}
		if strings.Contains(w.log.String(), secret) {
			t.Error("the secret is in the log")
		}
	}
	absent(secret)

	// Loading the answer again sends the form again.
	v.post("/webhooks", data).leads("/webhooks").lacks(secret)
	v.get("/webhooks").has("EHR bridge", "already created").lacks(secret)
	again := changed(data, "id", frame.NewFormID())
	shownSecrets := make(chan string, 4)
	var sending sync.WaitGroup
	for range cap(shownSecrets) {
		sending.Go(func() {
			if got := v.post("/webhooks", again); got.status == http.StatusCreated {
				shownSecrets <- signingSecretOf(got)
			}
		})
	}
	sending.Wait()
	if shown, made := len(shownSecrets), w.count(`select count(*) from webhook`); shown != 1 || made != 2 {
		t.Errorf("%d secrets were shown of %d webhooks", shown, made)
	}

	// The same holds for a rotation.
	ask := v.get(path + "/rotate-secret").want(http.StatusOK)
	if !ask.ticked("overlap", "86400") {
		t.Error("24 hours are not proposed")
	}
	rotation := form("mark", ask.field("mark"), "overlap", "3600")
	rotated := v.post(path+"/rotate-secret", rotation).want(http.StatusOK).
		has("Secret rotated", "signed with both secrets")
	second := signingSecretOf(rotated)
	if !rotated.uncached() || second == secret {
		t.Error("the rotation may be kept, or changed nothing")
	}
	absent(second)
	v.post(path+"/rotate-secret", rotation).leads(path).lacks(second)
	v.get(path).has("already rotated", "until", "the old and the new secret")
	if got := w.count(`select count(*) from audit_entry where action = 'webhook.secret_rotated'`); got != 1 {
		t.Errorf("the secret was rotated %d times", got)
	}
	for overlap, message := range map[string]string{
		"": "Choose", "soon": "Choose", "-1": "Choose", "604801": "Choose",
	} {
		v.post(path+"/rotate-secret", form("mark", ask.field("mark"), "overlap", overlap)).wrong("overlap", message)
	}
	at := v.post(path+"/rotate-secret", form("overlap", "0")).wrong("overlap", "Choose an overlap and try again").
		field("mark")
	v.post(path+"/rotate-secret", form("mark", at, "overlap", "0")).want(http.StatusOK).
		has("The old secret no longer works")
	v.get(path).lacks("the old and the new secret")
}

func TestWebhookForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/webhooks/new").has("call.completed", "A call ended", "call.*", "Follow-ups", "pause_reason says why.").
		lacks(`value="webhook.test"`, "Follow_ups", "`")
	good := form("name", "Bridge", "url", "https://hooks.example.com/in", "all_events", "0", "events", "call.completed")
	for what, c := range map[string]struct {
		form  url.Values
		wrong []string
	}{
		"no name":           {changed(good, "name", " "), []string{"name", "Required"}},
		"no URL":            {changed(good, "url", "-"), []string{"url", "Required"}},
		"plain http":        {changed(good, "url", "http://hooks.example.com"), []string{"url", "https"}},
		"a private address": {changed(good, "url", "https://10.0.0.8/in"), []string{"url", "DIALWRIGHT_WEBHOOK_ALLOW"}},
		"all and some":      {changed(good, "all_events", "1"), []string{"events", "Choose “Selected events”"}},
		"no event":          {changed(good, "events", "-"), []string{"events", "At least one"}},
		"an unknown event":  {changed(good, "events", "call.exploded"), []string{"events", "call.completed"}},
	} {
		got := v.post("/webhooks", c.form)
		got.what += " with " + what
		got.wrong(c.wrong...).has(strings.TrimSpace(c.form.Get("name")), c.form.Get("url"))
		if strings.Contains(got.body, "whsec_") {
			t.Errorf("%s: shows a secret", what)
		}
		if what == "no name" && (!got.ticked("events", "call.completed") || got.ticked("events", "call.started") ||
			!got.ticked("all_events", "0")) {
			t.Error("what was ticked is not kept")
		}
	}
	if made := w.count(`select count(*) from webhook`); made != 0 {
		t.Fatalf("refused forms made %d webhooks", made)
	}

	// A family subscribes to all its types, and "all events" to all families.
	family := changed(good)
	family["events"] = []string{"call.*", "call.completed", "campaign.paused"}
	path := pathOf(t, v.post("/webhooks", family).want(http.StatusCreated), "I have stored it")
	id := strings.TrimPrefix(path, "/webhooks/")
	events := func() string { return value[string](w, `select events::text from webhook where id = $1`, id) }
	if got := events(); got != "{call.*,campaign.paused}" {
		t.Errorf("it subscribes to %s", got)
	}
	edit := v.get(path + "/edit").want(http.StatusOK)
	if !edit.ticked("events", "call.*") || !edit.ticked("events", "campaign.paused") ||
		edit.ticked("events", "call.completed") || !edit.ticked("all_events", "0") {
		t.Error("the form does not show what it subscribes to")
	}
	v.post(path, changed(good, "all_events", "1")).wrong("events", "Choose “Selected events”")
	if got := events(); got != "{call.*,campaign.paused}" {
		t.Errorf("a refused form changed it to %s", got)
	}
	v.post(path, changed(good, "name", "Bridge two", "all_events", "1", "events", "-")).leads(path)
	if got := events(); got != "{*}" {
		t.Errorf("it subscribes to %s", got)
	}
	v.get(path).has("Webhook saved", "Bridge two", "All events")
	if !v.get(path+"/edit").ticked("all_events", "1") {
		t.Error("the form does not show that it subscribes to everything")
	}
	v.post(path, changed(good, "events", "-", "url", "ftp://x")).wrong("events", "At least one", "url", "").
		has("Bridge two")
	if got := events(); got != "{*}" {
		t.Errorf("a refused form changed it to %s", got)
	}

	// A filter takes what the form offers, and keeps an agent that was removed since.
	agent := value[string](w, `select id::text from agent where organization_id = $1 limit 1`, n.organization)
	v.get(path+"/edit").has("Projects", "Agents").lacks("(removed)")
	v.post(path, changed(good, "filters.agent_ids", agent, "filters.project_ids", newID().String())).
		wrong("filters.project_ids", "No such project")
	v.post(path, changed(good, "filters.agent_ids", agent)).leads(path)
	v.get(path).has("Only events of agent ")
	w.exec(`update agent set deactivated_at = clock() where id = $1`, agent)
	if !v.get(path+"/edit").has("(removed)").ticked("filters.agent_ids", agent) {
		t.Error("the form does not show the removed agent")
	}
	v.post(path, changed(good, "filters.agent_ids", agent)).leads(path)
	v.post(path, good).leads(path)
	v.get(path).lacks("Only events of")

	// Headers are stored, never shown, and kept until others replace them.
	v.post(path, changed(good, "headers", "Host: x")).want(http.StatusUnprocessableEntity).
		has("Is set by the request itself")
	v.post(path, changed(good, "headers", "Authorization: Bearer gateway")).leads(path)
	v.post(path, good).leads(path)
	v.get(path + "/edit").has("Stored: Authorization").lacks("Bearer gateway")
	v.post(path, changed(good, "drop_headers", "on")).leads(path)
	v.get(path + "/edit").lacks("Stored: Authorization")

	// The eleventh webhook is refused, and its button is missing.
	for i := range webhook.MaxWebhooks - 1 {
		v.post("/webhooks", changed(good, "name", fmt.Sprint("Bridge ", i+3))).want(http.StatusCreated)
	}
	v.get("/webhooks").has("You have reached the limit of 10 webhooks").
		lacks("Create webhook</a>", `class="btn btn-primary"`)
	v.post("/webhooks", good).want(http.StatusUnprocessableEntity).
		has("Webhook limit reached: at most 10 per organization", "https://hooks.example.com/in")
}

func TestWebhookList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin, staff := n.as(n.admin), n.as(n.staff)
	admin.get("/webhooks").has("No webhooks yet", "Create webhook", "/api/v1/webhooks", "$DIALWRIGHT_KEY")
	staff.get("/webhooks").has("No webhooks yet").lacks("Create webhook", "/webhooks/new")

	hooks := map[string]webhook.Webhook{}
	for _, name := range []string{"fine", "shaky", "failing", "paused", "gone"} {
		hooks[name] = n.newWebhook()
		w.exec(`update webhook set name = $2 where id = $1`, hooks[name].ID, "The "+name+" <one>")
	}
	w.exec(
		`update webhook set failing_since = clock() - interval '3 hours', failures = 12, last_failure_at = clock()
			where id = $1`,
		hooks["failing"].ID,
	)
	w.exec(`update webhook set failing_since = clock(), failures = 1, last_failure_at = clock() where id = $1`,
		hooks["shaky"].ID)
	w.exec(`update webhook
		set is_active = false, inactive_since = '2026-03-08T12:00:00Z', disabled_reason = case
			when id = $2 then 'gone' end where id = any($1)`,
		[]uuid.UUID{hooks["paused"].ID, hooks["gone"].ID}, hooks["gone"].ID)
	w.exec(
		`insert into webhook_day (webhook_id, day, succeeded, failed)
			values ($1, (clock() at time zone 'America/Chicago')::date, 1999, 1)`,
		hooks["fine"].ID,
	)
	list := staff.get("/webhooks").want(http.StatusOK).
		has("The fine <one>", "Active", "Failing since", "Paused", "Since 8 Mar", "Disabled: endpoint gone",
			"99.9% of 2,000", "All events", "2 failing").
		lacks("/webhooks/new")
	if rows := rowsOf(list); rows != 5 || strings.Contains(list.body, "<one>") {
		t.Errorf("%d rows, or a name is markup", rows)
	}
	admin.get("/").has("2 failing") // every page shows the badge
	w.newTenant("Borealis").newWebhook()
	staff.get("/webhooks").lacks("Borealis")

	// The overview shows the disabled webhook.
	n.newCampaign()
	staff.get("/").has("Webhook failing: The failing <one>", "Webhook disabled: ", "Its endpoint answered 410 Gone").
		lacks("The fine", "The shaky")
	staff.get(pagePath(hooks["shaky"])).has("Active").lacks("No delivery has succeeded")
}

func TestWebhookPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin, staff := n.as(n.admin), n.as(n.staff)
	hook := n.newWebhook()
	path := pagePath(hook)
	admin.get(path).want(http.StatusOK).
		has("Aster bridge", "https://hooks.example.com/in?of=Aster", "No attempts in the last 14 days", "Send a test",
			"Active",
			path+"/pause", path+"/test", path+"/recover", path+"/rotate-secret", path+"/delete", path+"/edit")
	staff.get(path).want(http.StatusOK).has("Aster bridge").
		lacks("Send test", path+"/pause", path+"/recover", path+"/rotate-secret", path+"/delete", path+"/edit")

	// The list has deliveries of each kind, and the oldest is on the second page.
	for i := range 30 {
		n.pastDelivery(hook, "call.completed", webhook.Succeeded, time.Duration(i+10)*time.Minute)
	}
	failed := n.pastDelivery(hook, "call.analyzed", webhook.Failed, 2*time.Minute)
	n.pastDelivery(hook, "call.answered", webhook.Pending, time.Minute)
	w.exec(`insert into webhook_day (webhook_id, day, succeeded, failed)
		select $1, (clock() at time zone 'America/Chicago')::date - n, 1000 * n, 1 from generate_series(0, 13) n`,
		hook.ID)
	w.exec(
		`update webhook set failing_since = clock() - interval '182 minutes', failures = 12, last_failure_at = clock()
			where id = $1`,
		hook.ID,
	)

	all := staff.get(path).want(http.StatusOK).
		has("503 Service Unavailable", "No more retries", "2 of 10", "Next attempt at", "200 OK", "97 ms",
			"No delivery has succeeded for 3 h 2 min",
			"The endpoint answered 503 Service Unavailable. Retries continue", "the webhook will be disabled",
			"91,000", "99.9% succeeded", "median 97 ms")
	if rows := rowsOf(all); rows != 25 {
		t.Errorf("%d rows", rows)
	}
	older := pathOf(t, all, "Older")
	if !strings.HasSuffix(older, "#deliveries") || rowsOf(staff.get(older).want(http.StatusOK).has("Newest")) != 7 {
		t.Errorf("older deliveries are at %s", older)
	}
	for query, want := range map[string]int{
		"?status=failed": 1, "?status=pending": 1, "?status=succeeded": 25, "?event_type=call.analyzed": 1,
		"?status=failed&event_type=call.answered": 0, "?event_type=webhook.test": 0,
	} {
		got := staff.get(path + query).want(http.StatusOK)
		if want == 0 {
			got.has("No deliveries match", "Clear filters")
		} else if rows := rowsOf(got); rows != want {
			t.Errorf("%s: %d rows, want %d", query, rows, want)
		}
		if !strings.Contains(got.body, `sse-connect="`+path+`/events`+strings.ReplaceAll(query, "&", "&amp;")+`"`) &&
			!strings.Contains(got.body, `sse-connect="`+path+`/events?event_type=call.answered&amp;status=failed"`) {
			t.Errorf("%s: listens for something else", query)
		}
	}
	if table := staff.get(path + "?days=table&status=failed"); rowsOf(table) != webhook.HealthDays ||
		!strings.Contains(table.body, "days=table&amp;status=") {
		t.Errorf("%d days, or the filter is lost", rowsOf(table))
	}
	for _, query := range []string{"?status=lost", "?event_type=call.exploded", "?cursor=nonsense"} {
		staff.get(path + query).want(http.StatusUnprocessableEntity)
	}

	// Recovery is the proposed action after a failed delivery, but not after a failed
	// test.
	if !strings.Contains(admin.get(path).body, `btn-primary" href="`+path+`/recover"`) {
		t.Error("recovery is not the next step")
	}
	w.exec(`update event set is_test = true where id = (select event_id from delivery where id = $1)`, failed)
	if strings.Contains(admin.get(path).body, `btn-primary" href="`+path+`/recover"`) {
		t.Error("recovery is the next step after a test")
	}

	// Pausing works, and resuming leads to the missed events.
	admin.post(path+"/pause", nil).leads(path)
	admin.get(path).has("Webhook paused", "Paused since", "Waiting until the webhook is active", path+"/resume").
		lacks(path+"/pause", path+"/recover")
	resumed := admin.post(path+"/resume", nil).want(http.StatusSeeOther)
	admin.get(resumed.header.Get("Location")).want(http.StatusOK).
		has("Webhook active", "Since the webhook became inactive")
	admin.post(path+"/resume", nil).leads(path) // the webhook is already active
	w.exec(`update webhook set is_active = false, inactive_since = clock(), disabled_reason = 'failing' where id = $1`,
		hook.ID)
	admin.get(path).has("Disabled: kept failing", "This webhook was disabled because", "Activate",
		"recover the missed events")
	staff.get(path).has("an admin can activate the webhook").lacks("Activate")

	// A test event is sent even to an inactive webhook.
	form := admin.get(path+"/test").want(http.StatusOK).has("Send test", "call.completed")
	if !form.ticked("event_type", "webhook.test") {
		t.Error("a webhook.test is not proposed")
	}
	admin.post(path+"/test", url.Values{"event_type": {"webhook.test"}}).leads(path)
	admin.get(path).has("Sending the test", "webhook.test", "Sending")
	admin.post(path+"/test", url.Values{"event_type": {"call.exploded"}}).wrong("event_type", "Must be one of")
	admin.post(path+"/test", url.Values{"event_type": {"call.started"}}).leads(path)
	sent := admin.get(path + "?event_type=call.started").want(http.StatusOK).has("Test · ")
	if rows := rowsOf(sent); rows != 1 {
		t.Errorf("%d tests of a call that started", rows)
	}
	if payload := value[string](
		w, `select payload from event where type = 'call.started' and is_test`,
	); !strings.Contains(payload, `"data":{"id":"019aa5f3-3b11-7e02-b0c4-55aa70b1c901"`) {
		t.Errorf("the test tells %s", payload)
	}

	admin.get(path+"/delete").want(http.StatusOK).
		has("Delete “Aster bridge”?", "3 pending deliveries will be dropped and the log deleted", "cannot be undone")
	admin.post(path+"/delete", nil).leads("/webhooks")
	admin.get("/webhooks").has("Webhook deleted", "No webhooks yet")
	admin.get(path).want(http.StatusNotFound)
}

// pastDelivery makes an old delivery with attempts that fit its status.
func (n *tenant) pastDelivery(
	w webhook.Webhook, kind webhook.Type, status webhook.Status, ago time.Duration,
) uuid.UUID {
	n.w.t.Helper()
	id, event := newID(), newID()
	n.w.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
		values ($1, $2, $3, $1, '{"id":"1","type":"'||$3||'","data":{"name":"<b>Olu</b>","n":12}}',
			clock() - $4::interval)`, event, n.organization, kind, ago)
	problem, code, attempts := "The endpoint answered 503 Service Unavailable", 503, 10
	switch status {
	case webhook.Succeeded:
		problem, code, attempts = "", 200, 1
	case webhook.Pending:
		attempts = 2
	}
	n.w.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type, status, attempts,
		response_status, error, duration_ms,
			next_attempt_at, delivered_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, ''), 97, case
			when $6 = 'pending' then clock() + interval '2 hours' end,
			case when $6 = 'succeeded' then clock() end, clock() - $10::interval)`,
		id, n.organization, w.ID, event, kind, status, attempts, code, problem, ago)
	return id
}

func TestRecoverForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	hook := n.newWebhook()
	path := pagePath(hook) + "/recover"
	v.get(path).want(http.StatusOK).lacks("Since the webhook became inactive")
	since := func() time.Time {
		t.Helper()
		at := value[time.Time](w, `select since from webhook_recovery order by created_at desc limit 1`)
		w.exec(`update webhook_recovery set finished_at = clock() where finished_at is null`)
		return at
	}
	for _, c := range []struct{ since, at, problem string }{
		{"", "", ""}, {"inactive", "", ""}, {"time", "", "Choose a date"}, {"time", "soon", "Choose a date"},
		{"time", "2020-01-01T00:00", "30 days"},
		{"time", time.Now().AddDate(1, 0, 0).Format("2006-01-02T15:04"), "future"},
	} {
		field := "at"
		if c.since != "time" {
			field, c.problem = "since", "Choose a period"
		}
		v.post(path, form("since", c.since, "at", c.at)).wrong(field, c.problem)
	}
	if made := w.count(`select count(*) from webhook_recovery`); made != 0 {
		t.Fatalf("refused forms made %d recoveries", made)
	}
	now := time.Now()
	inactive := now.Add(-50 * time.Hour).UTC().Truncate(time.Millisecond)
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	wall := now.Add(-26 * time.Hour).In(chicago).Truncate(time.Minute)
	for _, c := range []struct {
		form url.Values
		want time.Time
	}{
		{form("since", "hour"), now.Add(-time.Hour)},
		{form("since", "day"), now.AddDate(0, 0, -1)},
		{form("since", "month"), now.AddDate(0, 0, -30)},
		{form("since", "inactive", "inactive", inactive.Format(time.RFC3339Nano)), inactive},
		{form("since", "time", "at", wall.Format("2006-01-02T15:04")), wall},
	} {
		v.post(path, c.form).leads(pagePath(hook))
		if got := since(); got.Sub(c.want).Abs() > 2*time.Minute+time.Since(now) {
			t.Errorf("%v recovers from %v, want %v", c.form, got, c.want)
		}
	}

	// Only one recovery may run, and none while the webhook is inactive.
	v.post(path, form("since", "hour")).leads(pagePath(hook))
	w.exec(
		`update webhook_recovery
			set since = until - interval '100 minutes', at = until - interval '36 minutes', retried = 1, added = 92
				where finished_at is null`,
	)
	v.get(pagePath(hook)).has("64% checked", "1 failed delivery retried, 92 missed events sent").lacks(path + `"`)
	v.post(path, form("since", "day")).want(http.StatusUnprocessableEntity).has("being recovered already")
	w.exec(`update webhook_recovery set finished_at = clock(), at = until where finished_at is null`)
	v.get(pagePath(hook)).has("Recovered events since", "92 missed events sent", "Started by Aster Ada")
	w.exec(`update webhook_recovery set finished_at = clock() - interval '25 hours'`)
	v.get(pagePath(hook)).lacks("Recovered events since")
	v.post(pagePath(hook)+"/pause", nil)
	v.post(path, form("since", "day")).want(http.StatusUnprocessableEntity).has("inactive")
	// A recovery can't begin before the events that are still stored.
	v.get(path + "?inactive=2020-01-01T00:00:00Z").want(http.StatusOK).lacks("Since the webhook became inactive")
	if list, err := w.app.Webhooks.List(t.Context(), n.organization, page.Request{}); err != nil ||
		list.Data[0].IsActive {
		t.Errorf("%v, %v", list, err)
	}
}
