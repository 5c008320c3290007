package views

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/views/ui"
)

// auditPhrase is the text of an audit entry after the actor's name.
type auditPhrase struct {
	named   string // {} is the name of the object
	general string // without a name, and in the filter; "": named has no {}
}

// auditPhrases are the phrases by action. An action without a phrase gets a text made
// of its own words.
var auditPhrases = map[string]auditPhrase{
	"agent.created": {"created the agent {}", "created an agent"},
	"agent.updated": {"changed the agent {}", "changed an agent"},
	"agent.published": {
		"published a version of the agent {}", "published a version of an agent",
	},
	"agent.draft_discarded":   {"discarded the draft of the agent {}", "discarded the draft of an agent"},
	"agent.deactivated":       {"removed the agent {}", "removed an agent"},
	"agent_test_case.created": {"added the test case {}", "added a test case"},
	"agent_test_case.updated": {"changed the test case {}", "changed a test case"},
	"agent_test_case.deleted": {"deleted the test case {}", "deleted a test case"},
	"agent_test_run.started":  {"tested the agent {}", "tested an agent"},
	"agent_test_run.canceled": {"canceled a test of the agent {}", "canceled a test of an agent"},
	"api_key.created":         {"created the API key {}", "created an API key"},
	"api_key.updated":         {"changed the API key {}", "changed an API key"},
	"api_key.rotated":         {"rotated the API key {}", "rotated an API key"},
	"api_key.revoked":         {"revoked the API key {}", "revoked an API key"},
	"call.analysis_requested": {"had a call analyzed again", ""},
	"call.ended":              {"ended a call", ""},
	"call.transferred":        {"transferred a call to {}", "transferred a call"},
	"call.noted":              {"added a note for the agent of a call", ""},
	"call.reviewed":           {"reviewed a call", ""},
	"call.scheduled":          {"scheduled a call", ""},
	"call.canceled":           {"canceled a scheduled call", ""},
	"call.updated":            {"changed a scheduled call", ""},
	"campaign.created":        {"created the campaign {}", "created a campaign"},
	"campaign.started":        {"started the campaign {}", "started a campaign"},
	"campaign.scheduled":      {"started the draft {}", "started a draft"},
	"campaign.deleted":        {"deleted the campaign {}", "deleted a campaign"},
	"campaign.paused":         {"paused the campaign {}", "paused a campaign"},
	"campaign.resumed":        {"resumed the campaign {}", "resumed a campaign"},
	"campaign.canceled":       {"canceled the campaign {}", "canceled a campaign"},
	"campaign.completed":      {"completed the campaign {}", "completed a campaign"},
	"campaign.failed": {
		"ended the campaign {} because it could not continue", "ended a campaign because it could not continue",
	},
	"campaign.updated":             {"changed the campaign {}", "changed a campaign"},
	"campaign.recipients_added":    {"added recipients to the campaign {}", "added recipients to a campaign"},
	"campaign.recipients_canceled": {"canceled recipients of the campaign {}", "canceled recipients of a campaign"},
	"campaign.recipients_prioritized": {
		"moved recipients of the campaign {} to the front", "moved recipients of a campaign to the front",
	},
	"campaign.recipients_unprioritized": {
		"moved recipients of the campaign {} back to their place", "moved recipients of a campaign back to their place",
	},
	"campaign.recipients_updated": {"changed recipients of the campaign {}", "changed recipients of a campaign"},
	"connection.created":          {"connected the carrier {}", "connected a carrier"},
	"connection.updated":          {"changed the carrier {}", "changed a carrier"},
	"connection.previous_token_removed": {"removed the previous auth token of the carrier {}",
		"removed the previous auth token of a carrier"},
	"connection.retried":              {"tried the carrier {} again", "tried a carrier again"},
	"connection.deactivated":          {"removed the carrier {}", "removed a carrier"},
	"delivery.resent":                 {"resent a delivery", ""},
	"do_not_call.added":               {"added a number to the do-not-call list", ""},
	"do_not_call.imported":            {"imported numbers into the do-not-call list", ""},
	"do_not_call.removed":             {"removed a number from the do-not-call list", ""},
	"do_not_call.restored":            {"put a removed number back on the do-not-call list", ""},
	"subscribed_list.created":         {"subscribed to the do-not-call list {}", "subscribed to a do-not-call list"},
	"subscribed_list.updated":         {"changed the subscribed list {}", "changed a subscribed list"},
	"subscribed_list.removed":         {"removed the subscribed list {}", "removed a subscribed list"},
	"subscribed_list.fetch_requested": {"had the subscribed list {} fetched", "had a subscribed list fetched"},
	"subscribed_list.applied":         {"applied the file of the list {}", "applied the file of a list"},
	"follow_up.created":               {"created a follow-up", ""},
	"follow_up.updated":               {"changed a follow-up", ""},
	"follow_up.done":                  {"marked a follow-up as done", ""},
	"follow_up.reopened":              {"reopened a follow-up", ""},
	"follow_up.exported":              {"exported follow-ups", ""},
	"invitation.created":              {"invited {}", "invited a person"},
	"invitation.renewed":              {"created a new invitation link for {}", "created a new invitation link"},
	"invitation.revoked":              {"revoked the invitation for {}", "revoked an invitation"},
	"member.created":                  {"added the member {}", "added a member"},
	"member.joined":                   {"joined the organization", ""},
	"member.role_changed":             {"changed the role of {}", "changed a member's role"},
	"member.removed":                  {"removed the member {}", "removed a member"},
	"member.reset_link_created":       {"created a password link for {}", "created a password link for a member"},
	"member.last_admin_kept": {
		"kept {} as the last admin, against the role at the provider",
		"kept the last admin, against the role at the provider",
	},
	"member.single_sign_on_linked": {
		"linked {} to single sign-on", "linked a member to single sign-on",
	},
	"member.second_factor_reset": {
		"turned off two-step sign-in for {}", "turned off two-step sign-in for a member",
	},
	"message.created":              {"sent a message", ""},
	"message.canceled":             {"canceled a message", ""},
	"messaging_connection.created": {"connected the WhatsApp account {}", "connected a WhatsApp account"},
	"messaging_connection.updated": {"changed the WhatsApp account {}", "changed a WhatsApp account"},
	"messaging_connection.disconnected": {
		"disconnected the WhatsApp account {}", "disconnected a WhatsApp account",
	},
	"messaging_connection.paused":                {"paused a WhatsApp account", ""},
	"messaging_connection.resumed":               {"resumed a WhatsApp account", ""},
	"messaging_number.paused":                    {"paused a WhatsApp number", ""},
	"messaging_number.resumed":                   {"resumed a WhatsApp number", ""},
	"tool.created":                               {"created the tool {}", "created a tool"},
	"tool.updated":                               {"changed the tool {}", "changed a tool"},
	"tool.tried":                                 {"tried the tool {}", "tried a tool"},
	"tool.secret_rotated":                        {"rotated the secret of the tool {}", "rotated the secret of a tool"},
	"tool.deactivated":                           {"removed the tool {}", "removed a tool"},
	"model_connection.created":                   {"connected the language model {}", "connected a language model"},
	"model_connection.updated":                   {"changed the language model {}", "changed a language model"},
	"model_connection.checked":                   {"checked the language model {}", "checked a language model"},
	"model_connection.retried":                   {"tried the language model {} again", "tried a language model again"},
	"model_connection.deactivated":               {"removed the language model {}", "removed a language model"},
	"organization.created":                       {"created the organization {}", "created an organization"},
	"organization.updated":                       {"changed the organization's settings", ""},
	"organization.sign_in_updated":               {"changed how members sign in", ""},
	"organization.calling_stopped":               {"stopped all calling", ""},
	"organization.calling_allowed":               {"allowed calling again", ""},
	"organization.limits_updated":                {"changed the calling limits", ""},
	"organization.consent_updated":               {"changed whether consent is required", ""},
	"organization.pre_dial_check_updated":        {"changed the pre-dial check", ""},
	"organization.pre_dial_check_enabled":        {"turned on the pre-dial check", ""},
	"organization.pre_dial_check_disabled":       {"turned off the pre-dial check", ""},
	"organization.pre_dial_check_removed":        {"removed the pre-dial check", ""},
	"organization.pre_dial_check_secret_rotated": {"rotated the secret of the pre-dial check", ""},
	"campaign.budget_updated": {
		"changed the budget of the campaign {}", "changed the budget of a campaign",
	},
	"organization.budget_updated":        {"changed the monthly budget", ""},
	"organization.model_limits_updated":  {"changed the daily limits of language models", ""},
	"organization.abandoned_updated":     {"changed the limit of abandoned calls", ""},
	"organization.calling_rules_updated": {"changed the rules on calls by place", ""},
	"call.placed":                        {"placed a test call", ""},
	"person_note.added":                  {"added a note about a person", ""},
	"person_note.updated":                {"changed a note about a person", ""},
	"person_note.deleted":                {"deleted a note about a person", ""},
	"evidence.collected":                 {"collected the evidence about a phone number", ""},
	"erasure.requested":                  {"requested the erasure of a person", ""},
	"erasure.completed":                  {"erased a person", ""},
	"destination.created":                {"created the destination {}", "created a destination"},
	"destination.updated":                {"changed the destination {}", "changed a destination"},
	"destination.deactivated":            {"removed the destination {}", "removed a destination"},
	"number_pool.created":                {"created the number pool {}", "created a number pool"},
	"number_pool.updated":                {"changed the number pool {}", "changed a number pool"},
	"number_pool.deactivated":            {"removed the number pool {}", "removed a number pool"},
	"phone_number.created":               {"added the phone number {}", "added a phone number"},
	"phone_number.updated":               {"changed the phone number {}", "changed a phone number"},
	"phone_number.inbound_changed": {
		"changed what happens to calls to the phone number {}", "changed what happens to calls to a phone number",
	},
	"phone_number.set_up": {
		"set up the phone number {} at its carrier", "set up a phone number at its carrier",
	},
	"phone_number.called_in_sandbox": {
		"let somebody of the sandbox call the phone number {}", "let somebody of the sandbox call a phone number",
	},
	"phone_number.rest_ended": {
		"ended the pause of the phone number {}", "ended the pause of a phone number",
	},
	"phone_number.retried":        {"tried the phone number {} again", "tried a phone number again"},
	"phone_number.deactivated":    {"removed the phone number {}", "removed a phone number"},
	"project.created":             {"created the project {}", "created a project"},
	"project.updated":             {"changed the project {}", "changed a project"},
	"project.deactivated":         {"removed the project {}", "removed a project"},
	"session.created":             {"signed in", ""},
	"single_sign_on.created":      {"turned on single sign-on", ""},
	"single_sign_on.updated":      {"changed single sign-on", ""},
	"single_sign_on.removed":      {"turned off single sign-on", ""},
	"single_sign_on.refused":      {"refused the single sign-on of {}", "refused a single sign-on"},
	"session.failed":              {"failed to sign in as {}", "failed to sign in"},
	"call.listened":               {"listened in to a call", ""},
	"calls.exported":              {"exported calls", ""},
	"costs.exported":              {"exported the costs of calls", ""},
	"recipients.exported":         {"exported the recipients of a campaign", ""},
	"do_not_call.exported":        {"exported the do-not-call list", ""},
	"audit_log.exported":          {"exported the audit log", ""},
	"recording.played":            {"listened to a recording", ""},
	"session.ended":               {"signed out", ""},
	"session.revoked":             {"signed out another browser", ""},
	"session.revoked_others":      {"signed out every other browser", ""},
	"user.renamed":                {"changed their name to {}", "changed their name"},
	"user.password_changed":       {"changed their password", ""},
	"user.password_reset":         {"set a new password", ""},
	"user.second_factor_on":       {"turned on two-step sign-in", ""},
	"user.second_factor_off":      {"turned off two-step sign-in", ""},
	"user.recovery_codes_renewed": {"created new recovery codes", ""},
	"demo.seeded":                 {"filled in the sample data", ""},
	"webhook.deliveries_resent":   {"resent deliveries to the webhook {}", "resent deliveries to a webhook"},
	"webhook.created":             {"created the webhook {}", "created a webhook"},
	"webhook.updated":             {"changed the webhook {}", "changed a webhook"},
	"webhook.paused":              {"paused the webhook {}", "paused a webhook"},
	"webhook.resumed":             {"resumed the webhook {}", "resumed a webhook"},
	"webhook.disabled": {
		"disabled the webhook {}, which kept failing", "disabled a webhook, which kept failing",
	},
	"webhook.deleted":        {"deleted the webhook {}", "deleted a webhook"},
	"webhook.tested":         {"sent a test to the webhook {}", "sent a test to a webhook"},
	"webhook.recovered":      {"recovered deliveries of the webhook {}", "recovered deliveries of a webhook"},
	"webhook.secret_rotated": {"rotated the secret of the webhook {}", "rotated the secret of a webhook"},
}

// AuditPhrase describes an action in words: "paused the campaign “Visits in May”", or
// "paused a campaign" if name is "".
func AuditPhrase(action, name string) string {
	phrase, ok := auditPhrases[action]
	if !ok {
		noun, verb, _ := strings.Cut(action, ".")
		phrase.general = strings.ReplaceAll(verb, "_", " ") + ": " + strings.ReplaceAll(noun, "_", " ")
		phrase.named = phrase.general + " {}"
	}
	if name == "" && phrase.general != "" {
		return phrase.general
	}
	return strings.ReplaceAll(phrase.named, "{}", "“"+name+"”")
}

// AuditPhraseMany describes an action on several objects at once: "tagged 27 calls “Complaint”". Data is the change. An
// action that has no words for several is described as AuditPhrase does.
func AuditPhraseMany(action string, n int, data map[string]any) string {
	calls, followUps := ui.Plural(n, "call"), ui.Plural(n, "follow-up", "follow-ups")
	tag := func(key string) string { text, _ := data[key].(string); return "“" + text + "”" }
	switch action {
	case "call.reviewed":
		switch {
		case data["added_tag"] != nil:
			return "tagged " + calls + " " + tag("added_tag")
		case data["removed_tag"] != nil:
			return "removed the tag " + tag("removed_tag") + " from " + calls
		case data["reviewed"] == false:
			return "marked " + calls + " as not reviewed"
		}
		return "marked " + calls + " as reviewed"
	case "follow_up.updated":
		if data["assignee_id"] == nil {
			return "assigned " + followUps + " to nobody"
		}
		return "assigned " + followUps
	case "follow_up.done":
		return "marked " + followUps + " as done"
	case "follow_up.reopened":
		return "reopened " + followUps
	}
	return AuditPhrase(action, "")
}

// AuditActions returns the actions as options of the filter, in alphabetical order.
func AuditActions() []ui.Option {
	var options []ui.Option
	for action := range auditPhrases {
		options = append(options, ui.Option{Value: action, Label: ui.Capital(AuditPhrase(action, ""))})
	}
	slices.SortFunc(options, func(a, b ui.Option) int { return strings.Compare(a.Label, b.Label) })
	return options
}

// AuditKinds are the kinds of objects in the audit log.
var AuditKinds = []ui.Option{
	{Value: "agent", Label: "Agents"}, {Value: "agent_test_case", Label: "Agents, test cases"},
	{Value: "agent_test_run", Label: "Agents, test runs"}, {Value: "api_key", Label: "API keys"},
	{Value: "audit_log", Label: "Audit log"},
	{Value: "call", Label: "Calls"},
	{Value: "campaign", Label: "Campaigns"},
	{Value: "connection", Label: "Carriers"}, {Value: "delivery", Label: "Deliveries"},
	{Value: "destination", Label: "Destinations"},
	{Value: "do_not_call", Label: "Do not call"},
	{Value: "erasure", Label: "Erasures"}, {Value: "evidence", Label: "Evidence"},
	{Value: "follow_up", Label: "Follow-ups"},
	{Value: "person_note", Label: "Notes about people"},
	{Value: "invitation", Label: "Invitations"}, {Value: "model_connection", Label: "Language models"},
	{Value: "user", Label: "Members"}, {Value: "message", Label: "Messages"},
	{Value: "organization", Label: "Organization"}, {Value: "number_pool", Label: "Number pools"},
	{Value: "phone_number", Label: "Phone numbers"},
	{Value: "project", Label: "Projects"},
	{Value: "session", Label: "Sign-ins"}, {Value: "single_sign_on", Label: "Single sign-on"},
	{Value: "subscribed_list", Label: "Subscribed lists"},
	{Value: "tool", Label: "Tools"},
	{Value: "webhook", Label: "Webhooks"}, {Value: "messaging_connection", Label: "WhatsApp accounts"},
	{Value: "messaging_number", Label: "WhatsApp numbers"}, {Value: "messaging_template", Label: "WhatsApp templates"},
}

// auditHref returns the link to the changed object, or "" if it has no page. agent is the agent of a test.
func auditHref(kind, id, agent string) string {
	if id == "" || strings.HasPrefix(kind, "agent_test_") && agent == "" {
		return ""
	}
	switch kind {
	case "agent_test_case":
		return testCasesPath(agent) + "/" + id
	case "agent_test_run":
		return testRunPath(agent, id)
	case "campaign":
		return campaignPath(id)
	case "call":
		return callPath(id)
	case "webhook":
		return webhookPath(id)
	case "message":
		return messagePath(id)
	case "user":
		return memberPath(id)
	case "project":
		return "/settings/projects/" + id
	case "agent":
		return "/agents/" + id
	case "phone_number":
		return "/phone-numbers/" + id
	case "destination":
		return destinationsPath + "/" + id
	case "number_pool":
		return "/number-pools/" + id
	case "connection":
		return "/settings/integrations/" + id
	case "model_connection":
		return modelsPath + "/" + id
	case "subscribed_list":
		return subscribedListsPath + "/" + id
	case "tool":
		return toolsPath + "/" + id
	case "messaging_connection":
		return whatsappConnectionPath(id)
	}
	return ""
}

// AuditChange is a field of an entry. Before is "" if the old value is unknown or
// empty.
type AuditChange struct {
	Field   string
	Before  string
	After   string
	Changed bool // Before is known and differs from After
}

// AuditChanges pairs the data of an entry with the earlier values.
func AuditChanges(data, before map[string]any) []AuditChange {
	var changes []AuditChange
	for field, after := range data {
		if strings.HasSuffix(field, "_before") || field == "from" && data["to"] != nil {
			continue
		}
		c := AuditChange{Field: ui.Sentence(field), After: auditValue(after)}
		was, known := data[field+"_before"]
		switch {
		case known:
		case field == "to" && data["from"] != nil:
			was, known, c.Field = data["from"], true, "State"
			if from, ok := data["from"].(string); ok && slices.Contains(account.Roles, account.Role(from)) {
				c.Field = "Role"
			}
		default:
			was, known = before[field]
		}
		if known {
			c.Before = auditValue(was)
			c.Changed = c.Before != c.After
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b AuditChange) int {
		if a.Changed != b.Changed {
			if a.Changed {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Field, b.Field)
	})
	return changes
}

// auditValue formats a JSON value for people.
func auditValue(v any) string {
	switch v := v.(type) {
	case nil:
		return ui.None
	case string:
		if v == "" {
			return ui.None
		}
		return v
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		words := make([]string, len(v))
		for i, e := range v {
			words[i] = auditValue(e)
		}
		if len(words) == 0 {
			return ui.None
		}
		return strings.Join(words, ", ")
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for i, k := range keys {
			keys[i] = strings.ReplaceAll(k, "_", " ") + ": " + auditValue(v[k])
		}
		return strings.Join(keys, "; ")
	}
	return fmt.Sprint(v)
}
