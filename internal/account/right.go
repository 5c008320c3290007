package account

import "slices"

// Role is the role of a member, which decides what the member may do: rights.
type Role string

const (
	Admin   Role = "admin"
	Manager Role = "manager"
	Staff   Role = "staff"
)

// Roles are all roles, the one with the most rights first.
var Roles = []Role{Admin, Manager, Staff}

// roleWords lists the roles in an error.
const roleWords = "admin, manager or staff"

// Name returns the role as people read it.
func (r Role) Name() string {
	switch r {
	case Admin:
		return "Admin"
	case Manager:
		return "Manager"
	case Staff:
		return "Staff"
	}
	return string(r)
}

// Right is something that a member may do in the dashboard. Each route of the dashboard names
// the right it needs, and pages show a control only to people with its right.
type Right string

const (
	View               Right = "view"
	WorkOnFollowUps    Right = "work_on_follow_ups"
	WriteNotes         Right = "write_notes"
	EndCalls           Right = "end_calls"
	ReviewCalls        Right = "review_calls"
	ResendDeliveries   Right = "resend_deliveries"
	AddDoNotCall       Right = "add_do_not_call"
	ManageCampaigns    Right = "manage_campaigns"
	PlaceCalls         Right = "place_calls"
	JoinCalls          Right = "join_calls"
	ManageAgents       Right = "manage_agents"
	ManageDestinations Right = "manage_destinations"
	ManageDoNotCall    Right = "manage_do_not_call"
	StopCalling        Right = "stop_calling"
	AllowCalling       Right = "allow_calling"
	HandleRequests     Right = "handle_requests"
	ManageProjects     Right = "manage_projects"
	ManageConnections  Right = "manage_connections"
	ManageWebhooks     Right = "manage_webhooks"
	ManageKeys         Right = "manage_keys"
	ManageCompliance   Right = "manage_compliance"
	ManageMembers      Right = "manage_members"
	ReadAuditLog       Right = "read_audit_log"
	ManageOrganization Right = "manage_organization"
)

// RightOf is a line of the table of rights.
type RightOf struct {
	Right Right
	Text  string // what the right allows, as the members page says it
	Roles []Role
}

// rights is the one table of what each role may do. The routes of the dashboard, the
// controls on its pages and the members page follow it.
var rights = []RightOf{
	{View, "See and export campaigns, recipients, calls and messages. Read agents' scripts and calling hours",
		[]Role{Admin, Manager, Staff}},
	{WorkOnFollowUps, "Create, assign and complete follow-ups", []Role{Admin, Manager, Staff}},
	{WriteNotes, "Write, change and delete notes about people", []Role{Admin, Manager, Staff}},
	{EndCalls, "End a call in progress", []Role{Admin, Manager, Staff}},
	{ReviewCalls, "Review calls: tags and notes", []Role{Admin, Manager, Staff}},
	{AddDoNotCall, "Add a number to the do-not-call list", []Role{Admin, Manager, Staff}},
	{ResendDeliveries, "Resend a webhook delivery", []Role{Admin, Manager, Staff}},
	{ManageCampaigns, "Create, start, change, pause and cancel campaigns, and add recipients",
		[]Role{Admin, Manager}},
	{PlaceCalls, "Call or message one person, and change or cancel a scheduled call", []Role{Admin, Manager}},
	{JoinCalls, "Listen in to a call, give the agent a note, and transfer the call", []Role{Admin, Manager}},
	{ManageAgents, "Create, change, test and publish agents. Analyze calls again", []Role{Admin, Manager}},
	{ManageDestinations, "Change the phones that agents transfer calls to", []Role{Admin, Manager}},
	{ManageDoNotCall, "Import do-not-call lists and remove numbers from the list", []Role{Admin, Manager}},
	{StopCalling, "Stop all calling", []Role{Admin, Manager}},
	{AllowCalling, "Allow calling again after a stop", []Role{Admin}},
	{HandleRequests, "Collect evidence about a number, and erase a person", []Role{Admin}},
	{ManageProjects, "Change projects with their calling hours, phone numbers and number pools", []Role{Admin}},
	{ManageConnections, "Connect carriers, language models, WhatsApp and tools", []Role{Admin}},
	{ManageWebhooks, "Create and change webhooks, and see their secrets", []Role{Admin}},
	{ManageKeys, "Create, rotate and revoke API keys", []Role{Admin}},
	{ManageCompliance, "Change compliance rules and the pre-dial check", []Role{Admin}},
	{ManageMembers, "Invite and remove members, and change their roles", []Role{Admin}},
	{ReadAuditLog, "Read and export the audit log", []Role{Admin}},
	{ManageOrganization, "Change the organization, its limits and its budget", []Role{Admin}},
}

// Rights returns the table of rights.
func Rights() []RightOf { return slices.Clone(rights) }

// May reports whether a member with the role may do what a right allows. An unknown role
// may do nothing.
func (r Role) May(right Right) bool { return slices.Contains(RolesWith(right), r) }

// RolesWith returns the roles that have a right, the one with the most rights first.
func RolesWith(right Right) []Role {
	for _, line := range rights {
		if line.Right == right {
			return line.Roles
		}
	}
	return nil
}
