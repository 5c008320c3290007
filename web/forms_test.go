package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/browsertest"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/webhook"
)

// formPage is a page whose forms are submitted: its visitor and its path. Each visit
// creates new data for the page, so that one form does not affect the next.
type formPage struct {
	name  string
	visit func() (*visitor, string)
}

// unmarkedFields are required fields that HTML can't mark as required, because another
// field can replace them.
var unmarkedFields = map[string][]string{
	"POST /campaigns":                 {"recipients"},
	"POST /campaigns/{id}/recipients": {"recipients"},
	"POST /do-not-call/import":        {"file"},
	"POST /settings/integrations":     {"account", "token"},
	"POST /number-pools":              {"phone_number_ids"},

	"POST /calls/{id}/transfer": {"destination_id"}, // one form with a note

	"POST /follow-ups/done":   {"id"},
	"POST /follow-ups/assign": {"id", "assignee_id"},

	"POST /settings/integrations/models": {"url", "model"},

	"POST /agents/{id}/tests/cases": {"recipient.steps[0].text", "checks[0].kind", "checks[0].value"},

	"POST /settings/compliance/own-rules": {"calls"},
}

// postedForms are the forms on pages that only a form opens. A test of their own submits them.
var postedForms = map[string]string{
	"POST /settings/evidence/download": "TestEvidencePage",
	"POST /do-not-call/restore":        "TestEntriesAreRemovedTogether", // the undo of a toast
	"POST /follow-ups/reopen":          "TestFollowUpsAreFinishedInTheList",
	"POST /follow-ups/assign/undo":     "TestFollowUpsAreAssignedInTheList",

	"POST /campaigns/{id}/recipients/unprioritize": "TestRecipientsAreChangedTogether",
}

// renderedForm is one way to submit a form of a page.
type renderedForm struct {
	Form   int // its index in document.forms
	Button int // its index among the buttons that submit it; -1: no button
	Method string
	Path   string
	Says   string   // the name and value of the button
	Fields []string // each name once, in order
}

func (f renderedForm) route(router chi.Routes) string {
	return f.Method + " " + router.Find(chi.NewRouteContext(), f.Method, f.Path)
}

// key identifies a form. A page may have several forms of one route with different
// fields.
func (f renderedForm) key(router chi.Routes) string {
	return fmt.Sprintln(f.route(router), f.Says, f.Fields)
}

const listForms = `[...document.forms].flatMap((form, at) => {
	if (form.getAttribute("method") === "dialog") return [];
	const controls = [...form.elements];
	const buttons = controls.filter((e) => e.type === "submit");
	const fields = [...new Set(controls.filter((e) => e.name && e.type !== "submit").map((e) => e.name))].sort();
	return (buttons.length ? buttons : [null]).map((b, i) => ({
		Form: at, Button: b ? i : -1, Fields: fields,
		Method: (b?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get").toUpperCase(),
		Path: new URL(b?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", location.href).pathname,
		Says: b?.name ? b.name + "=" + b.value : "",
	}));
})`

// fillForm fills in the required fields without a value, and returns the errors that
// the browser still reports.
const fillForm = `((form, buttonAt, answers, unmarked) => {
	for (const e of form.elements) {
		if (!e.required && !unmarked.includes(e.name)) continue;
		if (e.type === "checkbox") e.checked = true;
		else if (e.type === "file") {
			const files = new DataTransfer();
			files.items.add(new File([answers.recipients], "list.csv", { type: "text/csv" }));
			e.files = files.files;
		} else if (e.value) continue;
		else if (e.tagName === "SELECT") e.value = [...e.options].find((o) => o.value && !o.disabled)?.value ?? "";
		else e.value = answers[e.name] ?? answers[e.type] ?? "";
	}
	const button = [...form.elements].filter((e) => e.type === "submit")[buttonAt];
	if (button?.formNoValidate || form.noValidate) return [];
	return [...form.elements].filter((e) => !e.checkValidity()).map((e) => e.name + ": " + e.validationMessage);
})`

const submitForm = `((form, buttonAt) => {
	const button = [...form.elements].filter((e) => e.type === "submit")[buttonAt] ?? null;
	button?.removeAttribute("formtarget"); // the answer is read in this tab
	form.requestSubmit(button);
	return true;
})`

// TestEveryFormIsTakenAsItWasRendered submits every form of the pages with each of its
// buttons, as it was rendered, with only the required fields filled in. A refusal shows
// that the form itself rendered an invalid value. The test finds the forms on the
// pages, so it includes new forms.
func TestEveryFormIsTakenAsItWasRendered(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	router := (&server{}).routes()
	tab := browsertest.Open(t).NewTab(t)
	tab.Scripts(false) // no script may change where the form is sent
	secret := n.withApp(t)
	submitted := map[string]bool{}
	for _, page := range n.formPages(t) {
		t.Run(strings.ReplaceAll(page.name, "/", "_"), func(t *testing.T) {
			for more := true; more; {
				b, path := page.visit()
				tab.Become(b.w.server.URL, b.client.Jar.Cookies(b.w.origin()))
				tab.Go(b.w.server.URL + path)
				forms := slices.DeleteFunc(browsertest.Eval[[]renderedForm](tab, listForms), func(f renderedForm) bool {
					return submitted[f.key(router)]
				})
				more = len(forms) > 1
				if len(forms) > 0 {
					f := forms[0]
					submitted[f.key(router)], submitted[f.route(router)] = true, true
					submit(t, tab, f.route(router), secret, f)
				}
			}
		})
	}
	for _, line := range (&server{}).table() {
		if name := line.method + " " + line.path; line.method == http.MethodPost && !submitted[name] &&
			postedForms[name] == "" {
			t.Errorf("no page holds the form of %s", name)
		}
	}
}

func submit(t *testing.T, tab *browsertest.Tab, route, secret string, f renderedForm) {
	t.Helper()
	answers, err := json.Marshal(answersTo(tab, route, secret))
	if err != nil {
		t.Fatal(err)
	}
	unmarked, err := json.Marshal(append([]string{}, unmarkedFields[route]...))
	if err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%s %s", route, f.Says)
	form := fmt.Sprintf("(document.forms[%d], %d", f.Form, f.Button)
	if refused := browsertest.Eval[[]string](
		tab, fmt.Sprintf("%s%s, %s, %s)", fillForm, form, answers, unmarked),
	); len(refused) > 0 {
		t.Errorf("%s: the browser refuses %q", what, refused)
		return
	}
	if status := tab.Leave(what, submitForm+form+")"); status >= http.StatusBadRequest {
		t.Errorf("%s: refused with status %d: %q", what, status,
			browsertest.Eval[[]string](tab,
				`[...document.querySelectorAll(".error, .notice, h1")].map((e) => e.textContent.trim())`))
	}
}

// answersTo returns the values for the required fields of a form, by the field's name,
// or otherwise by its type.
func answersTo(tab *browsertest.Tab, route, secret string) map[string]string {
	fresh := newID()
	answers := map[string]string{
		"text": "New " + fresh.String()[24:], "textarea": "Words", "number": "3",
		"email": "p" + digits(fresh, 8) + "@example.com",
		"url":   "https://hooks.example.com/in", "password": password, "tel": "+1312" + digits(fresh, 7),
		"datetime-local": "2031-01-15T09:30",
		"phone_number":   "+1312" + digits(fresh, 7), "to_number": "+15005550001",
		"address":    "+1312" + digits(fresh, 7),
		"recipients": "phone_number\n+15005550001\n",
		"account":    "AC" + strings.Repeat("0a", 16), "token": "sealed-token-1234", "app_secret": whatsappToken,
		"confirm": "erase", "say": "yes", "questions[0].key": "ok", "questions[0].ask": "Well?",
		"calls": "2",
	}
	switch route {
	case "POST /settings/integrations/whatsapp":
		answers["account"], answers["token"] = whatsapp.Account1K, whatsappToken
	case "POST /settings/tools":
		answers["name"], answers["url"] = "tool_"+digits(fresh, 8), "https://example.com/tool"
	case "POST /settings/sign-in/sso":
		answers = map[string]string{
			"label": "Provider", "issuer": signOnProvider().Issuer, "client_id": "dialwright", "domains": "example.com",
			"client_secret": "secret", "address": "aster",
		}
	case "POST /sign-in/sso":
		answers["find"] = "ada@example.com"
	case "POST /sign-in":
		answers["email"] = "ada.aster@example.com"
	case "POST /settings/organization/stop-calling":
		answers["name"] = "Aster"
	case "POST /profile/second-factor":
		answers["code"] = appCode(tab.Text("#factor-secret"), time.Now().Unix())
	case "POST /sign-in/code":
		answers["code"] = appCode(secret, time.Now().Unix())
	}
	return answers
}

// formPages returns the pages of the routes, in the states that have different forms.
func (n *tenant) formPages(t *testing.T) []formPage {
	t.Helper()
	w := n.w
	// ready undoes the changes of earlier forms.
	ready := func() {
		w.exec(`update organization set calling_stopped_at = null where id = $1`, n.organization)
		n.noWebhooks()
		if _, err := w.app.Samples.Remove(t.Context(), n.actor()); err != nil { // before a form uses a part of it
			t.Fatal(err)
		}
		if w.count(
			`select count(*) from messaging_connection where organization_id = $1 and disconnected_at is null`,
			n.organization,
		) == 0 {
			n.newWhatsApp()
		}
	}
	byAdmin := func(name string, path func(*tenant) string) formPage {
		return formPage{name, func() (*visitor, string) {
			ready()
			p := path(n)
			return n.as(n.admin), p
		}}
	}
	var pages []formPage
	all := visits()
	for _, line := range (&server{}).table() {
		v := all["GET "+line.path]
		if line.method != http.MethodGet || v.only != "" || notPages.MatchString(line.path) {
			continue
		}
		path := v.path
		if path == nil {
			path = func(*tenant) string { return line.path }
		}
		pages = append(pages, byAdmin(line.path, path))
	}
	return append(pages, n.formStates(t, byAdmin)...)
}

// formStates returns pages in states that a plain visit to their route does not show.
func (n *tenant) formStates(t *testing.T, byAdmin func(string, func(*tenant) string) formPage) []formPage {
	t.Helper()
	w := n.w
	other := w.newTenant("Borealis")
	empty := newWorld(t)
	factor := func(p person) {
		w.exec(`insert into second_factor (user_id, seed, last_step) values ($1, '', 0) on conflict do nothing`, p.id)
	}
	withFactor := n.newPerson("Faye", account.Staff)
	factor(withFactor)
	return []formPage{
		byAdmin("a call that can be heard", of((*tenant).newAudibleCall, "/live?call={id}")),
		byAdmin("a call that can be analyzed", of((*tenant).analyzableCall, "/calls/{id}")),
		byAdmin("calls to select", func(n *tenant) string {
			n.newCall()
			return "/calls?select=yes&outcome=completed"
		}),
		byAdmin("entries to select", func(n *tenant) string {
			n.newSuppression()
			return "/do-not-call"
		}),
		byAdmin("recipients to select", of((*tenant).newCampaign, "/campaigns/{id}?select=yes")),
		byAdmin("deliveries to select", func(n *tenant) string {
			return "/webhooks/" + n.newDelivery().WebhookID.String() + "?select=yes"
		}),
		byAdmin("calls with a saved filter", func(n *tenant) string {
			w.exec(`insert into saved_filter (id, organization_id, user_id, list, name, query)
				values ($1, $2, $3, '/calls', 'Mine', 'outcome=busy') on conflict do nothing`,
				newID(), n.organization, n.admin.id)
			return "/calls?outcome=busy"
		}),
		byAdmin("a follow-up that is done", of((*tenant).doneFollowUp, "/follow-ups/{id}")),
		byAdmin("a draft of a campaign", of((*tenant).draftCampaign, "/campaigns/{id}")),
		byAdmin("the sample data", of((*tenant).sampleCampaign, "/campaigns/{id}")),
		byAdmin("a paused campaign", of((*tenant).pausedCampaign, "/campaigns/{id}")),
		byAdmin("a number that rests", of((*tenant).restingNumber, "/phone-numbers/{id}")),
		byAdmin("a refused number", of((*tenant).refusedNumber, "/phone-numbers/{id}")),
		byAdmin("a failing connection", of((*tenant).failingConnection, "/settings/integrations/{id}")),
		byAdmin("a failing language model", of(func(n *tenant) uuid.UUID {
			id := n.freshModel()
			w.exec(`update model_connection set failures = 5, last_error = 'No quota', last_error_at = clock()
				where id = $1`, id)
			return id
		}, "/settings/integrations/models/{id}")),
		byAdmin("a language model with a URL", of(func(n *tenant) uuid.UUID {
			id := n.freshModel()
			w.exec(`update model_connection set provider = 'openai_compatible', url = 'https://api.example.com/v1'
				where id = $1`, id)
			return id
		}, "/settings/integrations/models/{id}")),
		byAdmin("an agent that a language model holds", of((*tenant).heldAgent, "/agents/{id}")),
		byAdmin("a Twilio connection", of(func(n *tenant) uuid.UUID { // that of the sandbox needs no check
			id := n.freshConnection()
			w.exec(`update connection set kind = 'twilio' where id = $1`, id)
			return id
		}, "/settings/integrations/{id}")),
		byAdmin("a pre-dial check", of((*tenant).newCheck, "/settings/compliance/pre-dial-check")),
		byAdmin("a pre-dial check that is on", of((*tenant).newCheckThatIsOn, "/settings/compliance/pre-dial-check")),
		byAdmin("a paused webhook", of(func(n *tenant) uuid.UUID {
			id := n.freshWebhook()
			w.exec(`update webhook set is_active = false, inactive_since = clock() where id = $1`, id)
			return id
		}, "/webhooks/{id}")),
		byAdmin("a failed delivery", func(n *tenant) string {
			hook := n.newWebhook()
			return pagePath(hook) + "/deliveries/" +
				n.pastDelivery(hook, "call.completed", webhook.Failed, time.Hour).String()
		}),
		byAdmin("calling is stopped", func(*tenant) string {
			w.exec(`update organization set calling_stopped_at = clock() where id = $1`, n.organization)
			return "/"
		}),
		byAdmin("a test case with a recipient that a model plays", ofPlayedCase),
		{"several sessions", func() (*visitor, string) {
			n.as(n.admin)
			return n.as(n.admin), "/profile"
		}},
		{"several organizations", func() (*visitor, string) {
			p := n.newPerson("Kim"+digits(newID(), 8), account.Staff)
			w.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, 'staff')`,
				other.organization, p.id)
			return n.as(p), "/organizations"
		}},
		{"second factor, new codes", func() (*visitor, string) {
			return n.as(withFactor), "/profile/second-factor/recovery-codes"
		}},
		{"second factor, off", func() (*visitor, string) {
			factor(withFactor)
			return n.as(withFactor), "/profile/second-factor/off"
		}},
		{"sign-in, code", func() (*visitor, string) {
			w.exec(`update second_factor set last_step = 0`)
			b := w.newVisitor()
			b.post("/sign-in", form("email", "appe.aster@example.com", "password", password)).want(http.StatusSeeOther)
			return b, "/sign-in/code"
		}},
		{"sign-in", func() (*visitor, string) { return w.newVisitor(), "/sign-in" }},
		{"single sign-on", func() (*visitor, string) {
			n.signOn()
			return w.newVisitor(), "/sign-in/sso"
		}},
		byAdmin("single sign-on that is off", (*tenant).noSignOn),
		{"an invitation", func() (*visitor, string) {
			return w.newVisitor(), n.invitationTo("new" + digits(newID(), 8) + "@example.com")
		}},
		{"an invitation of somebody who is signed in", func() (*visitor, string) {
			w.exec(`delete from membership where organization_id = $1 and user_id = $2`, n.organization, other.staff.id)
			return other.as(other.staff), n.invitationTo(other.staff.email)
		}},
		{"an invitation of somebody else", func() (*visitor, string) {
			return n.as(n.staff), n.invitationTo("else@example.com")
		}},
		{"a new password", func() (*visitor, string) {
			b, path := n.as(n.admin), "/settings/members/"+n.staff.id.String()
			mark := b.get(path).want(http.StatusOK).field("mark")
			return w.newVisitor(), b.post(path+"/reset-link", form("mark", mark)).linkIn()
		}},
		{"set-up", func() (*visitor, string) {
			code, err := empty.accounts.OpenSetup(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return empty.newVisitor(), "/setup?code=" + code
		}},
	}
}

// withApp makes a person who signs in with an authenticator app, and returns the app's
// secret.
func (n *tenant) withApp(t *testing.T) (secret string) {
	t.Helper()
	b := n.as(n.newPerson("Appe", account.Staff))
	page := b.get("/profile/second-factor/new")
	_, secret, _ = strings.Cut(page.body, `id="factor-secret">`)
	secret, _, _ = strings.Cut(secret, "<")
	data := form("ticket", page.field("ticket"), "code", n.w.code(page), "password", password)
	b.post("/profile/second-factor", data).want(http.StatusCreated)
	return secret
}

func (n *tenant) invitationTo(email string) string {
	n.w.t.Helper()
	n.noInvitations()
	_, token, err := n.w.accounts.Invite(n.w.t.Context(), n.actor(), email, account.Staff)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return "/invitation?token=" + url.QueryEscape(token)
}
