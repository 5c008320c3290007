package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
)

// linkIn returns the path of the link that a page shows once.
func (v *shown) linkIn() string {
	v.t.Helper()
	if !v.want(http.StatusCreated).uncached() {
		v.t.Errorf("%s: a cache may keep it", v.what)
	}
	for line := range strings.SplitSeq(v.body, `value="`) {
		if at, _, _ := strings.Cut(line, `"`); strings.Contains(at, "?token=") {
			u, err := url.Parse(at)
			if err != nil {
				v.t.Fatal(err)
			}
			return u.RequestURI()
		}
	}
	v.t.Fatalf("%s: no link: %s", v.what, v.words())
	return ""
}

func token(t testing.TB, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("token")
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	b := n.as(n.admin)
	b.post("/settings/members/invite", form("email", "x", "role", "staff")).wrong("email", "Not an email address")
	b.post("/settings/members/invite", form("email", n.staff.email, "role", "staff")).want(http.StatusConflict).
		has("is already a member")
	link := b.post("/settings/members/invite", form("email", "ben@example.com", "role", "staff")).linkIn()
	b.get("/settings/members").has("ben@example.com", "1 open invitation").lacks("token=")

	guest := w.newVisitor()
	page := guest.get(link).want(http.StatusOK).has("Join Aster", "Aster Ada invites you as staff", "ben@example.com")
	if !page.uncached() {
		t.Error("a cache may keep the page of an invitation")
	}
	if !strings.Contains(page.body, `action="`+link+`"`) { // whoever reloads a refused form finds it again
		t.Error("the form of an invitation leaves the address of its link")
	}
	guest.post(link, form("token", token(t, link), "name", "Ben Okri", "password", "short")).
		wrong("password", "Must have at least 12 characters").has("Ben Okri")
	guest.post("/invitation", form("token", token(t, link), "name", "Ben Okri", "password", password)).leads("/")
	guest.get("/").want(http.StatusOK).has("Ben Okri", "Staff", "Welcome to Aster")
	w.newVisitor().get(link).want(http.StatusNotFound).has("This link no longer works", "used, revoked or replaced")
	if strings.Contains(w.log.String(), token(t, link)) {
		t.Error("the token is in the log")
	}

	// An admin of another organization joins with their existing account.
	link = b.post("/settings/members/invite", form("email", other.admin.email, "role", "admin")).linkIn()
	guest.get(link).has("This invitation is for "+other.admin.email, "You are signed in as ben@example.com")
	guest.post("/sign-out", form("next", link)).leads(link)
	to := pathOf(t, guest.get(link), "Sign in to join")
	guest.get(to).has(other.admin.email)
	guest.post("/sign-in", form("email", other.admin.email, "password", password, "next", link)).leads(link)
	guest.get(link).has("Join Aster", "You are signed in as "+other.admin.email)
	guest.post("/invitation/join", form("token", token(t, link))).leads("/")
	guest.get("/").has("Switch organization", "Welcome to Aster")
	guest.get("/organizations").has("Aster", "Borealis", "You are here")
	guest.post("/organizations/"+other.organization.String()+"/switch", nil).leads("/")
	guest.get("/settings/organization").has("Borealis")

	// The account belongs to two organizations, so the admin of only one can't change it.
	path := "/settings/members/" + other.admin.id.String()
	b.get(path).has("This account also belongs to another organization, so admins cannot reset it")
	b.post(path+"/reset-link", nil).want(http.StatusConflict).
		has("admins cannot reset it. The operator of this server can, with the command dialwright user")
}

// Loading the answer again sends its form again. The first link, which may be sent
// already, keeps working.
func TestALinkIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b, guest := n.as(n.admin), w.newVisitor()
	renew := "/settings/invitations/" + n.newInvitation().String() + "/renew"
	was := form("mark", b.get("/settings/members").want(http.StatusOK).field("mark"))
	made := b.post(renew, was)
	b.post(renew, was).leads("/settings/members")
	b.get("/settings/members").has("A new link was already created and shown at that time").lacks("token=")
	guest.get(made.linkIn()).want(http.StatusOK)
	again := b.post(renew, form("mark", made.field("mark"))).linkIn()
	guest.get(made.linkIn()).want(http.StatusNotFound)
	guest.get(again).want(http.StatusOK)

	path := "/settings/members/" + n.staff.id.String()
	was = form("mark", b.get(path).want(http.StatusOK).field("mark"))
	made = b.post(path+"/reset-link", was)
	b.post(path+"/reset-link", was).want(http.StatusConflict).
		has("A new link was already created and shown at that time").lacks("token=")
	guest.get(made.linkIn()).want(http.StatusOK)
	again = b.post(path+"/reset-link", form("mark", made.field("mark"))).linkIn()
	guest.get(made.linkIn()).want(http.StatusNotFound)
	guest.get(again).want(http.StatusOK)
}

func TestRolesAndRemoval(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b, sam := n.as(n.admin), n.as(n.staff)
	staffPath, ownPath := "/settings/members/"+n.staff.id.String(), "/settings/members/"+n.admin.id.String()
	b.post(ownPath+"/role", form("role", "staff")).want(http.StatusUnprocessableEntity).has("needs at least one admin")
	b.post(ownPath+"/remove", nil).want(http.StatusConflict).has("needs at least one admin")

	sam.get("/settings/api-keys/new").want(http.StatusForbidden)
	b.post(staffPath+"/role", form("role", "admin")).leads("/settings/members")
	sam.get("/settings/api-keys/new").want(http.StatusOK)
	b.post(staffPath+"/role", form("role", "staff")).leads("/settings/members")
	sam.get("/settings/api-keys/new").want(http.StatusForbidden)
	sam.get("/settings/members").want(http.StatusOK).has("Aster Ada").lacks("Two-step sign-in", "Invite member")

	// A person who sets a new password through a link is signed out everywhere.
	link := b.post(staffPath+"/reset-link", nil).linkIn()
	guest := w.newVisitor()
	page := guest.get(link).want(http.StatusOK).has(n.staff.email)
	if !strings.Contains(page.body, `action="`+link+`"`) {
		t.Error("the form of a new password leaves the address of its link")
	}
	guest.post("/reset-password", form("token", token(t, link), "password", "short")).
		wrong("password", "Must have at least 12 characters")
	guest.post("/reset-password", form("token", token(t, link), "password", "a wholly new password")).leads("/sign-in")
	sam.get("/").leads("/sign-in")
	guest.post("/sign-in", form("email", n.staff.email, "password", "a wholly new password")).leads("/")
	guest.get(link).want(http.StatusNotFound)

	b.post(staffPath+"/remove", nil).leads("/settings/members")
	guest.get("/").leads("/sign-in")
	guest.post("/sign-in", form("email", n.staff.email, "password", "a wholly new password")).want(http.StatusForbidden)
}

func TestTwoStepSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	page := b.get("/profile/second-factor/new").want(http.StatusOK).has(`role="img"`)
	if !page.uncached() {
		t.Error("a cache may keep the secret")
	}
	again := b.post("/profile/second-factor",
		form("ticket", page.field("ticket"), "code", "000000", "password", password)).
		wrong("code", "Wrong code. Check the clock on your phone")
	if again.field("ticket") != page.field("ticket") {
		t.Error("a mistake takes another QR code")
	}
	b.post("/profile/second-factor", form("ticket", page.field("ticket"), "code", "", "password", "")).
		wrong("code", "Required", "password", "Wrong password")
	codes := b.post("/profile/second-factor",
		form("ticket", page.field("ticket"), "code", w.code(page), "password", password)).want(http.StatusCreated)
	if !codes.uncached() {
		t.Error("a cache may keep the recovery codes")
	}
	_, list, _ := strings.Cut(codes.body, `id="recovery-codes"`)
	_, list, _ = strings.Cut(list, ">")
	recovery := strings.Fields(list[:strings.Index(list, "<")])
	if len(recovery) != account.RecoveryCodes {
		t.Fatalf("codes %v", recovery)
	}
	// Loading that again sends the form again, and shows no codes.
	b.post("/profile/second-factor", form("ticket", page.field("ticket"), "code", w.code(page), "password", password)).
		leads("/profile")
	b.get("/profile").has("10 recovery codes left").lacks(recovery[0])
	b.get("/settings/members").has("Aster Ada You ada.aster@example.com Admin · Two-step sign-in on On")

	guest := w.newVisitor()
	guest.get("/sign-in/code?next=%2Fcalls").leads("/sign-in?next=%2Fcalls")
	guest.post("/sign-in", form("email", n.admin.email, "password", password, "next", "/calls")).
		leads("/sign-in/code?next=%2Fcalls")
	guest.get("/calls").leads("/sign-in?next=%2Fcalls")
	guest.get("/sign-in/code?next=%2Fcalls").has("Enter the code")
	guest.post("/sign-in/code", form("code", "nonsense", "next", "/calls")).want(http.StatusUnprocessableEntity).
		has("This code is wrong or was already used", `value="/calls"`)
	before := guest.cookie("dialwright_session")
	guest.post("/sign-in/code", form("code", recovery[0], "next", "/calls")).leads("/calls")
	if guest.cookie("dialwright_session") == before {
		t.Error("the token was not renewed")
	}
	guest.get("/calls").want(http.StatusOK)

	b.post("/profile/second-factor/off", form("password", "not the password")).wrong("password", "Wrong password")
	renewed := b.post("/profile/second-factor/recovery-codes", form("password", password)).want(http.StatusCreated)
	if strings.Contains(renewed.body, recovery[1]) {
		t.Error("the codes are the same")
	}
	b.post("/profile/second-factor/off", form("password", password)).leads("/profile")
	w.newVisitor().post("/sign-in", form("email", n.admin.email, "password", password)).leads("/")
}

// code returns the code of an app that scanned the QR code of a page.
func (w *world) code(page *shown) string {
	_, secret, _ := strings.Cut(page.body, `id="factor-secret">`)
	secret, _, _ = strings.Cut(secret, "<")
	return appCode(secret, int64(w.count(`select floor(extract(epoch from clock()))::bigint`)))
}

// TestRolesAtWork follows the jobs of staff and of a manager, and what their pages do not show.
func TestRolesAtWork(t *testing.T) {
	t.Parallel()
	n := newWorld(t).newTenant("Aster")
	staff, manager := n.as(n.staff), n.as(n.newPerson("Mia", account.Manager))

	// Somebody calls the practice: "never call me again".
	staff.get("/do-not-call").has("Add number").lacks("Import CSV", "Erase a person")
	staff.post("/do-not-call", form("phone_number", "+13125550199")).leads("/do-not-call")
	staff.get("/do-not-call").has("+1 312 555 0199").lacks("Remove", "Evidence about")
	manager.get("/do-not-call").has("+1 312 555 0199", "Remove", "Import CSV").lacks("Evidence about")

	// A manager stops all calling. Only an admin allows it again.
	staff.get("/settings/organization").lacks("Stop all calling")
	manager.get("/settings/organization").has("Stop all calling", "until an admin allows calling").
		lacks("Save organization")
	manager.post("/settings/organization/stop-calling", form("name", "Aster")).leads("/settings/organization")
	manager.get("/campaigns").has("All calling is stopped").lacks("Allow calling again")
	manager.post("/settings/organization/allow-calling", nil).want(http.StatusForbidden).
		has("Only admins can do this", "See what each role may do")
	staff.post("/settings/organization/stop-calling", form("name", "Aster")).want(http.StatusForbidden).
		has("Only admins and managers can do this")
	n.as(n.admin).get("/campaigns").has("Allow calling again")

	// The members page has the table of rights, for everybody.
	for _, b := range []*visitor{staff, manager, n.as(n.admin)} {
		page := b.get("/settings/members").has("What each role may do")
		for _, line := range account.Rights() {
			page.has(line.Text)
		}
	}
	manager.get("/settings/members").lacks("Invite member", "Two-step sign-in")

	// The role of a manager is given like any other, and the audit log names it.
	admin := n.as(n.admin)
	admin.post("/settings/members/"+n.staff.id.String()+"/role", form("role", "manager")).leads("/settings/members")
	admin.get("/settings/audit-log").has("Aster Sam")
	staff.get("/campaigns/new").want(http.StatusOK)
	guest := n.w.newVisitor()
	link := admin.post("/settings/members/invite", form("email", "ben@example.com", "role", "manager")).linkIn()
	guest.get(link).has("Aster Ada invites you as a manager", "You can run campaigns")
	guest.post("/invitation", form("token", token(t, link), "name", "Ben Okri", "password", password)).leads("/")
	guest.get("/").has("Ben Okri", "Manager")
}
