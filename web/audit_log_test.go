package web

import (
	"encoding/csv"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/views"
)

// unaudited are the forms without an audit entry, each with the reason.
var unaudited = map[string]string{
	"POST /theme":                     "a cookie of one browser",
	"POST /sample":                    "creates several objects, each with its own entry: TestSampleData looks at them",
	"POST /sample/remove":             "removes them: TestSampleData looks at the entries",
	"POST /alerts/settings":           "the emails of one member",
	"POST /saved-filters":             "a list as one member sees it",
	"POST /saved-filters/{id}/delete": "the same",
	"POST /columns":                   "the same",
	"POST /follow-ups/reopen":         "the visit reopens none; TestFollowUpsAreFinishedInTheList looks at the entry",
	"POST /follow-ups/assign":         "the visit assigns none; TestFollowUpsAreAssignedInTheList looks at the entry",
	"POST /follow-ups/assign/undo":    "the same",
	"POST /campaigns/{id}/recipients/unprioritize": "the visit finds nobody; TestRecipientsAreChangedTogether looks " +
		"at the entry",
	"POST /do-not-call/remove":  "the visit is asked first; TestEntriesAreRemovedTogether looks at the entries",
	"POST /do-not-call/restore": "the visit restores none; the same",
	"POST /webhooks/{id}/deliveries/resend": "the visit finds none; TestDeliveriesAreResentTogether looks at " +
		"the entry",
	"POST /calls/review": "the visit selects no call; call.reviewed is looked at for one call",
	"POST /setup": "TestSetupOfAnEmptyServer looks at its entries: there is " +
		"no organization before",
	"POST /sign-in":                              "nobody is signed in; session.created is looked at below",
	"POST /sign-in/code":                         "the same",
	"POST /sign-in/sso":                          "finds the sign-in page of an organization",
	"POST /invitation":                           "TestAnInvitationMakesAnAccount looks at its entry",
	"POST /invitation/join":                      "the same in account, for one person",
	"POST /reset-password":                       "TestAResetLink looks at its entry",
	"POST /organizations/{id}/switch":            "changes what one browser shows",
	"POST /profile/second-factor":                "TestTurningTheSecondFactorOff looks at its entry",
	"POST /profile/second-factor/recovery-codes": "the same",
	"POST /profile/second-factor/off":            "the same",
	"POST /profile/sessions/revoke-others": "TestTheAuditLog looks at its entry; here there is no " +
		"other session",
	"POST /profile/sessions/{id}/revoke": "TestTheAuditLog looks at its entry",
	"POST /campaigns": "the visit checks a list; the API's test looks at the " +
		"entry of the same method",
	"POST /webhooks/{id}/rotate-secret": "the visit is refused; the API's test looks at the entry " +
		"of the same method",
	"POST /settings/integrations/whatsapp/{id}/refresh": "reads the operator's lists and changes nothing",
	"POST /webhooks/{id}/deliveries/{delivery_id}/" +
		"resend": "the visit finds one that is about to be sent; the API's test looks at the entry of the same method",
	"POST /settings/integrations/{id}/check":        "reads the account at the carrier and changes no setting",
	"POST /settings/compliance/pre-dial-check/test": "asks the organization's server and changes no setting",
	"POST /agents/{id}/call":                        "the visit is refused; it has a test of its own",
	"POST /do-not-call/import":                      "the visit brings no file; TestDoNotCallFile looks at its entry",
	"POST /agents/{id}/try":                         "talks to an agent, which keeps nothing",
	"POST /campaigns/{id}/test-call":                "leads to the form of a test call, which has an entry of its own",
	"POST /calls/{id}/listening":                    "asks for the sound of a call. Whoever hears it has an entry",
	"POST /agents/try":                              "talks to an agent that is not saved, which keeps nothing",
}

// wholeKey matches more characters of a key than lists show.
var wholeKey = regexp.MustCompile(`ik_live_[0-9a-f]{5}`)

// Every form that changes data writes one entry: the person, their address, the object
// and the action, without a secret. The test reads the routes from the router.
// Exceptions are in unaudited.
func TestEveryFormIsAudited(t *testing.T) {
	t.Parallel()
	all := visits()
	w := newWorld(t)
	n := w.newTenant("Aster")
	routes := map[string]bool{}
	for _, line := range (&server{}).table() {
		name := line.method + " " + line.path
		routes[name] = true
		if line.method == "GET" || unaudited[name] != "" {
			continue
		}
		v := all[name]
		if v.only != "" {
			t.Errorf("%s is visited by no admin, so nobody looks at its entry", name)
			continue
		}
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			b := n.as(n.admin)
			b.t = t
			data := url.Values{}
			for k, values := range v.form {
				data[k] = values
			}
			switch name {
			case "POST /calls":
				data = n.callForm(b)
			case "POST /phone-numbers":
				data.Set("connection_id", n.connection.String())
			case "POST /number-pools", "POST /number-pools/{id}":
				data.Set("phone_number_ids", n.freshNumber().String())
			case "POST /settings/destinations":
				data.Set("project_id", n.freshProject().String())
			case "POST /calls/{id}/transfer":
				data.Set("destination_id", n.newDestination().String())
			case "POST /messaging/messages":
				data.Set("template_id", n.newTemplate().String())
			case "POST /profile":
				data.Set("name", "Ada, renamed")
			}
			path := line.path
			if v.path != nil {
				path = v.path(n)
			}
			switch name {
			case "POST /calls/{id}/edit":
				data = changed(b.get(path).fields(), "name", "Ana")
			case "POST /follow-ups/done":
				data.Set("id", n.newFollowUp().String())
			}
			if name == "POST /settings/compliance/pre-dial-check/rotate-secret" ||
				name == "POST /settings/tools/{id}/rotate-secret" {
				data.Set("mark", b.get(path).field("mark"))
			}
			if name == "POST /webhooks/{id}/resume" {
				b.post(strings.Replace(path, "resume", "pause", 1), nil).want(http.StatusSeeOther)
			}
			w.exec(`delete from audit_entry where organization_id = $1`, n.organization)
			if got := b.post(path, data); got.status >= 400 {
				t.Fatalf("%s: %d %s", name, got.status, got.words())
			}
			rows, err := w.Pool.Query(t.Context(), `
				select action, actor_id = $2 and actor_kind = 'user' and actor_name <> ''
					and host(address) = '127.0.0.1'
				       and object_type <> ''
				       and (object_id is not null or action like '%.imported' or action = 'evidence.collected'),
				       data::text
				from audit_entry where organization_id = $1 and actor_kind <> 'system'`, n.organization, n.admin.id)
			if err != nil {
				t.Fatal(err)
			}
			var actions []string
			for rows.Next() {
				var action, data string
				var whole bool
				if err := rows.Scan(&action, &whole, &data); err != nil {
					t.Fatal(err)
				}
				actions = append(actions, action)
				if !whole {
					t.Errorf("%s lacks who, from where or what", action)
				}
				if phrase := views.AuditPhrase(action, ""); strings.Contains(phrase, ":") {
					t.Errorf("%s has no words of its own", action)
				}
				for _, secret := range []string{password, whatsappToken, "token=", "whsec_", "5550142", "5559000"} {
					if strings.Contains(data, secret) && !strings.HasPrefix(action, "phone_number.") {
						t.Errorf("%s holds %q: %s", action, secret, data)
					}
				}
				if wholeKey.MatchString(data) {
					t.Errorf("%s holds a key: %s", action, data)
				}
			}
			want := 1
			if name == "POST /settings/api-keys/{id}/rotate" {
				want = 2 // one entry for the old key, one for its successor
			}
			if err := rows.Err(); err != nil || len(actions) != want {
				t.Errorf("%d entries: %v, %v", len(actions), actions, err)
			}
		})
	}
	for name := range unaudited {
		if !routes[name] {
			t.Errorf("%s is excused, but is no route", name)
		}
	}
}

// Every action that the code records has a text.
func TestEveryActionHasWords(t *testing.T) {
	t.Parallel()
	recorded := regexp.MustCompile(`(?i)(?:Action: *|Record\(ctx, [\w.()]+, [^\n]*?|action: *)"([a-z_]+\.[a-z_]+)"`)
	found := 0
	err := filepath.WalkDir("../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range recorded.FindAllStringSubmatch(string(source), -1) {
			found++
			if strings.Contains(views.AuditPhrase(m[1], ""), ":") {
				t.Errorf("%s: %s has no words in views/audit_words.go", path, m[1])
			}
		}
		return nil
	})
	if err != nil || found < 40 {
		t.Errorf("%d actions found, %v", found, err)
	}
}

// Every kind of object that the code records can be filtered by, and nothing else.
func TestEveryKindOfTheAuditLogCanBeChosen(t *testing.T) {
	t.Parallel()
	recorded := regexp.MustCompile(
		`Object\{(?:\s*Type:)?\s*"([a-z_]+)"|\btable = "([a-z_]+)"|'session\.failed', '([a-z_]+)'`)
	written := map[string]string{}
	for _, dir := range []string{"../internal", "../web", "../api"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range recorded.FindAllStringSubmatch(string(source), -1) {
				written[m[1]+m[2]+m[3]] = path
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	offered := map[string]bool{}
	for _, kind := range views.AuditKinds {
		offered[kind.Value] = true
		if written[kind.Value] == "" {
			t.Errorf("nothing records the kind %s", kind.Value)
		}
	}
	for kind, path := range written {
		if !offered[kind] {
			t.Errorf("%s records the kind %s, which cannot be chosen", path, kind)
		}
	}
}

func TestTheAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	b := n.as(n.admin)
	b.post("/settings/organization", form("name", "Aster", "time_zone", "America/Denver", "region", "US")).
		want(http.StatusSeeOther)
	b.post("/settings/organization", form("name", "Aster", "time_zone", "Europe/Berlin", "region", "US")).
		want(http.StatusSeeOther)
	n.newKey("=HYPERLINK()")
	other.newKey("of another")
	n.as(n.admin)
	b.post("/profile/sessions/revoke-others", nil).want(http.StatusSeeOther)

	b.get("/settings/audit-log").want(http.StatusOK).
		has("Aster Ada changed the organization's settings", "Aster Ada created the API key “Aster =HYPERLINK()”",
			"signed out every other browser", "127.0.0.1").
		lacks("Borealis")
	n.as(n.staff).get("/settings/audit-log").want(http.StatusForbidden)

	// Each filter finds its own entries, and shows no entry of another organization.
	b.get("/settings/audit-log?kind=api_key").has("created the API key").
		lacks("changed the organization's settings</a>")
	b.get("/settings/audit-log?action=organization.updated").has("changed the organization's settings").
		lacks("the API key “Aster")
	b.get("/settings/audit-log?actor=" + n.admin.id.String()).has("changed the organization's settings")
	b.get("/settings/audit-log?actor=" + other.admin.id.String()).has("No entry matches")
	b.get("/settings/audit-log?to=2020-01-01").has("No entry matches")
	b.get("/settings/audit-log?from=yesterday").has("Choose a date")
	b.get("/settings/audit-log?cursor=nonsense").want(http.StatusUnprocessableEntity)

	// The entry shows the old and the new value.
	id := value[uuid.UUID](
		w,
		`select id from audit_entry where organization_id = $1 and action = 'organization.updated'
			order by id desc limit 1`,
		n.organization,
	)
	b.get("/settings/audit-log/"+id.String()).has("Time zone", "was America/Denver", "Europe/Berlin")

	// The export contains the filtered list, in cells that no spreadsheet executes.
	file := b.get("/settings/audit-log/export?kind=api_key").want(http.StatusOK)
	if !strings.HasPrefix(file.header.Get("Content-Type"), "text/csv") ||
		!strings.Contains(file.header.Get("Content-Disposition"), "audit-log.csv") {
		t.Errorf("headers %v", file.header)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.body, "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][5] != "api_key.created" || rows[1][4] != "Aster Ada" {
		t.Errorf("%v, %v", rows, err)
	}
	b.get("/settings/audit-log/export?from=x").want(http.StatusUnprocessableEntity)
}

// A form that is saved again without a change leaves no entry, and the answer says that nothing changed.
func TestSavesWithoutChangeAreNotRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b, all := n.as(n.admin), visits()
	entries := func() int {
		return w.count(`select count(*) from audit_entry where organization_id = $1`, n.organization)
	}
	secrets := map[string][]string{ // fields that are a change even if they have their stored value
		"POST /settings/integrations/{id}": {"token"}, "POST /settings/sign-in/sso": {"client_secret"},
		"POST /settings/integrations/models/{id}":   {"key"},
		"POST /settings/tools/{id}":                 {"headers"},
		"POST /settings/integrations/whatsapp/{id}": {"token", "app_secret"},
	}
	for _, route := range []string{
		"POST /settings/sign-in", "POST /settings/sign-in/sso", "POST /settings/organization",
		"POST /settings/organization/limits", "POST /settings/organization/budget",
		"POST /settings/organization/models",
		"POST /do-not-call/lists/{id}",
		"POST /settings/projects/{id}", "POST /settings/destinations/{id}", "POST /settings/tools/{id}",
		"POST /settings/integrations/{id}", "POST /settings/integrations/models/{id}",
		"POST /settings/integrations/whatsapp/{id}", "POST /phone-numbers/{id}", "POST /phone-numbers/{id}/inbound",
		"POST /number-pools/{id}", "POST /agents/{id}", "POST /webhooks/{id}", "POST /campaigns/{id}/edit",
		"POST /campaigns/{id}/budget", "POST /settings/compliance/consent", "POST /settings/compliance/abandoned",
		"POST /settings/compliance/rules", "POST /settings/compliance/pre-dial-check",
		"POST /settings/members/{id}/role", "POST /calls/{id}/review", "POST /follow-ups/{id}",
		"POST /profile",
	} {
		v, ok := all[route]
		if !ok {
			t.Fatalf("%s is not visited", route)
		}
		path := strings.TrimPrefix(route, "POST ")
		if v.path != nil {
			path = v.path(n)
		}
		data := url.Values{}
		for name, values := range v.form {
			data[name] = values
		}
		if route == "POST /number-pools/{id}" {
			data.Set("phone_number_ids", n.freshNumber().String())
		}
		if got := b.post(path, data); got.status >= http.StatusBadRequest {
			t.Fatalf("%s: status %d: %s", route, got.status, plain(got.body))
		}
		for _, name := range secrets[route] {
			data.Del(name)
		}
		before := entries()
		to := b.post(path, data).want(http.StatusSeeOther).header.Get("Location")
		if got := entries() - before; got != 0 {
			t.Errorf("%s: saved again, it leaves %d entries", route, got)
		}
		if page := b.get(to); !strings.Contains(page.body, "Nothing changed") {
			t.Errorf("%s: saved again, it does not say that nothing changed", route)
		}
	}
}
