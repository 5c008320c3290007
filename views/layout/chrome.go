// Package layout owns what surrounds every page: the document and its head, the
// sidebar, the command palette, toasts, and the shell of the pages one sees
// before signing in.
package layout

import (
	"strings"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/views/ui"
)

// Chrome is what every page for a signed-in person needs to know.
type Chrome struct {
	Organization string
	User         string // name of the person
	Role         account.Role
	Path         string // path of this page's URL
	Query        string // of the URL, "" for the answer to a form
	Theme        string // "light", "dark", or "" to follow the system
	Clock        ui.Clock
	Running      int      // campaigns running, beside their entry in the navigation
	Failing      int      // webhooks that fail or were disabled, likewise
	Messaging    int      // WhatsApp numbers that are used up, and accounts that fail, likewise
	FollowUps    int      // open ones, likewise
	MyFollowUps  int      // of these: assigned to the person
	Overdue      int      // of these: overdue
	Alerts       int      // open ones that concern the person, likewise
	Stopped      *Stopped // set while all calling is stopped
	Proxy        string   // address of a proxy that the server was not told of; "" for none
	Toasts       []ui.Toast
	Others       bool   // the person belongs to other organizations, too
	Confined     bool   // the person reaches no other page until two-step sign-in is set up: there is no menu
	Return       string // the page that the form of this page leads to when it is saved; "": the form's own

	// PersonPath returns the address of the page of a number, which does not tell the number; nil: there are no such
	// pages.
	PersonPath func(number string) string
}

// May reports whether the person has a right. Pages show no control for a right that the
// person lacks.
func (c Chrome) May(right account.Right) bool { return c.Role.May(right) }

// PersonHref is where the page of a number is, "" for no number.
func (c Chrome) PersonHref(number string) string {
	if c.PersonPath == nil || number == "" {
		return ""
	}
	return c.PersonPath(number)
}

// place is an entry of the navigation and of the palette.
type place struct {
	Label string
	Path  string
	Icon  ui.Icon
	Right account.Right // that the page needs; "": every member may open it
}

type group struct {
	Title  string
	Places []place
}

// navigation is the one list of places. A new page is one line here.
var navigation = []group{
	{"", []place{
		{"Overview", "/", ui.IconOverview, ""},
		{"Alerts", "/alerts", ui.IconWarning, ""},
		{"Campaigns", "/campaigns", ui.IconCampaign, ""},
		{"Calls", "/calls", ui.IconCall, ""},
		{"Live", "/live", ui.IconLive, ""},
		{"Analysis", "/analysis", ui.IconAnalysis, ""},
		{"Follow-ups", "/follow-ups", ui.IconFollowUp, ""},
		{"Messaging", "/messaging", ui.IconMessage, ""},
		{"Agents", "/agents", ui.IconAgent, ""},
		{"Phone numbers", "/phone-numbers", ui.IconPhoneNumber, ""},
		{"Do not call", "/do-not-call", ui.IconDoNotCall, ""},
		{"Webhooks", "/webhooks", ui.IconWebhook, ""},
	}},
	{"Settings", []place{
		{"API keys", "/settings/api-keys", ui.IconKey, ""},
		{"Projects", "/settings/projects", ui.IconProject, ""},
		{"Destinations", "/settings/destinations", ui.IconPerson, ""},
		{"Integrations", "/settings/integrations", ui.IconIntegration, ""},
		{"Tools", "/settings/tools", ui.IconTool, ""},
		{"Evidence", "/settings/evidence", ui.IconFile, account.HandleRequests},
		{"Compliance", "/settings/compliance", ui.IconCompliance, ""},
		{"Members", "/settings/members", ui.IconMembers, ""},
		{"Sign-in", "/settings/sign-in", ui.IconKey, account.ManageOrganization},
		{"Audit log", "/settings/audit-log", ui.IconAudit, account.ReadAuditLog},
		{"Organization", "/settings/organization", ui.IconOrganization, ""},
	}},
}

// shown returns the places of a group that the person may open.
func (c Chrome) shown(g group) []place { return c.permitted(g.Places) }

// actions returns the actions of the palette that the person may use.
func (c Chrome) actions() []place { return c.permitted(actions) }

func (c Chrome) permitted(all []place) (places []place) {
	for _, p := range all {
		if p.Right == "" || c.May(p.Right) {
			places = append(places, p)
		}
	}
	return places
}

// actions are what the palette offers to do.
var actions = []place{
	{"New campaign", "/campaigns/new", ui.IconPlus, account.ManageCampaigns},
	{"Send a message", "/messaging/messages/new", ui.IconMessage, account.PlaceCalls},
	{"Create webhook", "/webhooks/new", ui.IconWebhook, account.ManageWebhooks},
	{"Create API key", "/settings/api-keys/new", ui.IconKey, account.ManageKeys},
	{"Add a number to do not call", "/do-not-call/new", ui.IconDoNotCall, account.AddDoNotCall},
	{"Invite a member", "/settings/members/invite", ui.IconMembers, account.ManageMembers},
	{"New agent", "/agents/new", ui.IconAgent, account.ManageAgents},
	{"Stop all calling", "/settings/organization/stop-calling", ui.IconPause, account.StopCalling},
}

// openFollowUps is how many follow-ups are open, and that some are overdue.
func (c Chrome) openFollowUps() string {
	if c.Overdue > 0 {
		return ui.Count(c.Overdue) + " overdue"
	}
	return ui.Count(c.FollowUps)
}

func (c Chrome) followUps() string {
	return ui.Count(c.FollowUps) + " open, " + ui.Count(c.MyFollowUps) + " assigned to you, " + ui.Count(c.Overdue) +
		" overdue"
}

// here is the address of this page.
func (c Chrome) here() string {
	if c.Query == "" {
		return c.Path
	}
	return c.Path + "?" + c.Query
}

// current tells how the page one is on stands to a place: "page" for the place
// itself, "true" for a page below it, "" for another.
func (c Chrome) current(p place) string {
	switch {
	case c.Path == p.Path:
		return "page"
	case p.Path != "/" && strings.HasPrefix(c.Path, p.Path+"/"):
		return "true"
	}
	return ""
}
