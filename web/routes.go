package web

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/people"
)

// anybody is the right of a route that needs no sign-in.
const anybody = account.Right("")

// route is a line of the table.
type route struct {
	method, path string
	right        account.Right
	handle       frame.HandlerFunc
}

// signsIn reports whether a form is a step of the sign-in, which may carry a late form.
func (l route) signsIn() bool {
	return l.method == http.MethodPost && (l.path == "/sign-in" || l.path == "/sign-in/code")
}

// takesList reports whether a form sends a list of recipients. Such a form is large, and
// its handler parses it.
func (l route) takesList() bool {
	return l.method == http.MethodPost && (l.path == "/campaigns" || l.path == "/campaigns/{id}/recipients" ||
		l.path == "/do-not-call/import")
}

// table lists every page and form of the dashboard with the right it needs.
func (s *server) table() []route {
	return []route{
		{"POST", "/theme", anybody, s.SetTheme},
		{"GET", "/setup", anybody, s.people.SetUpForm},
		{"POST", "/setup", anybody, s.people.SetUp},
		{"GET", "/sign-in", anybody, s.people.SignInForm},
		{"POST", "/sign-in", anybody, s.people.SignIn},
		{"GET", "/sign-in/code", anybody, s.people.CodeForm},
		{"POST", "/sign-in/code", anybody, s.people.SignInWithCode},
		{"GET", "/sign-in/sso", anybody, s.people.FindSignOnForm},
		{"POST", "/sign-in/sso", anybody, s.people.FindSignOn},
		{"GET", "/sign-in/sso/callback/{id}", anybody, s.people.FinishSignOn},
		{"GET", "/sign-in/sso/{address}", anybody, s.people.SignOn},
		{"GET", "/sign-in/sso/{address}/start", anybody, s.people.StartSignOn},
		{"GET", "/docs", anybody, s.docs},
		{"GET", "/docs/", anybody, redirect("/docs")},
		{"GET", "/docs/search", anybody, s.searchDocs},
		{"GET", "/docs/{page}", anybody, s.docs},
		{"GET", "/llms.txt", anybody, s.llms},
		{"POST", "/sign-out", account.View, s.people.SignOut},
		{"GET", "/invitation", anybody, s.people.Invitation},
		{"POST", "/invitation", anybody, s.people.AcceptInvitation},
		{"POST", "/invitation/join", account.View, s.people.JoinOrganization},
		{"GET", "/reset-password", anybody, s.people.NewPasswordForm},
		{"POST", "/reset-password", anybody, s.people.NewPassword},
		{"GET", "/organizations", account.View, s.people.ListOrganizations},
		{"POST", "/organizations/{id}/switch", account.View, s.people.SwitchOrganization},

		{"GET", "/", account.View, s.overview.Overview},
		{"GET", "/events", account.View, s.overview.Events},
		{"GET", "/costs/export", account.View, s.overview.ExportCosts},
		{"GET", "/analysis", account.View, s.overview.Analysis},
		{"GET", "/analysis/answers", account.View, s.calls.Answers},

		{"POST", "/saved-filters", account.View, s.SaveFilter},
		{"POST", "/saved-filters/{id}/delete", account.View, s.DeleteSavedFilter},
		{"POST", "/columns", account.View, s.ChooseColumns},

		{"GET", "/alerts", account.View, s.alerts.List},
		{"GET", "/alerts/settings", account.View, s.alerts.EditSettings},
		{"POST", "/alerts/settings", account.View, s.alerts.SaveSettings},

		{"POST", "/sample", account.ManageConnections, s.calls.CreateSample},
		{"POST", "/sample/remove", account.ManageConnections, s.calls.RemoveSample},

		{"GET", "/search", account.View, s.search.Search},
		{"GET", "/people/{id}", account.View, s.search.Person},
		{"POST", "/people/{id}/notes", account.WriteNotes, s.search.AddPersonNote},
		{"GET", "/people/{id}/notes/{note_id}", account.WriteNotes, s.search.EditPersonNote},
		{"POST", "/people/{id}/notes/{note_id}", account.WriteNotes, s.search.UpdatePersonNote},
		{"GET", "/people/{id}/notes/{note_id}/delete", account.WriteNotes, s.search.ConfirmDeletePersonNote},
		{"POST", "/people/{id}/notes/{note_id}/delete", account.WriteNotes, s.search.DeletePersonNote},

		{"GET", "/campaigns", account.View, s.calls.ListCampaigns},
		{"GET", "/campaigns/events", account.View, s.calls.CampaignsEvents},
		{"GET", "/campaigns/new", account.ManageCampaigns, s.calls.NewCampaign},
		{"POST", "/campaigns", account.ManageCampaigns, s.calls.CreateCampaign},
		{"GET", "/campaigns/{id}", account.View, s.calls.Campaign},
		{"GET", "/campaigns/{id}/recipients/export", account.View, s.calls.ExportRecipients},
		{"GET", "/campaigns/{id}/events", account.View, s.calls.CampaignEvents},
		{"GET", "/campaigns/{id}/report", account.View, s.calls.CampaignReport},
		{"GET", "/campaigns/{id}/log", account.View, s.calls.CampaignLog},
		{"GET", "/campaigns/{id}/log/events", account.View, s.calls.CampaignLogEvents},
		{"GET", "/campaigns/{id}/recipients/new", account.ManageCampaigns, s.calls.NewRecipients},
		{"POST", "/campaigns/{id}/recipients", account.ManageCampaigns, s.calls.AddRecipients},
		{"POST", "/campaigns/{id}/recipients/selected", account.ManageCampaigns, s.calls.SelectedRecipients},
		{
			"POST", "/campaigns/{id}/recipients/unprioritize", account.ManageCampaigns, s.calls.UnprioritizeRecipients,
		},
		{
			"GET", "/campaigns/{id}/recipients/{recipient_id}/cancel", account.ManageCampaigns,
			s.calls.ConfirmCancelRecipient,
		},
		{"POST", "/campaigns/{id}/recipients/{recipient_id}/cancel", account.ManageCampaigns, s.calls.CancelRecipient},
		{
			"POST", "/campaigns/{id}/recipients/{recipient_id}/prioritize", account.ManageCampaigns,
			s.calls.PrioritizeRecipient,
		},
		{"GET", "/campaigns/{id}/edit", account.ManageCampaigns, s.calls.EditCampaign},
		{"POST", "/campaigns/{id}/edit", account.ManageCampaigns, s.calls.UpdateCampaign},
		{"POST", "/campaigns/{id}/test-call", account.ManageAgents, s.calls.TestDraft},
		{"POST", "/campaigns/{id}/start", account.ManageCampaigns, s.calls.StartCampaign},
		{"POST", "/campaigns/{id}/pause", account.ManageCampaigns, s.calls.PauseCampaign},
		{"POST", "/campaigns/{id}/resume", account.ManageCampaigns, s.calls.ResumeCampaign},
		{"GET", "/campaigns/{id}/retry", account.ManageCampaigns, s.calls.ConfirmRetryCampaign},
		{"POST", "/campaigns/{id}/retry", account.ManageCampaigns, s.calls.RetryCampaign},
		{"GET", "/campaigns/{id}/budget", account.ManageCampaigns, s.calls.EditBudget},
		{"POST", "/campaigns/{id}/budget", account.ManageCampaigns, s.calls.UpdateBudget},
		{"GET", "/campaigns/{id}/cancel", account.ManageCampaigns, s.calls.ConfirmCancelCampaign},
		{"POST", "/campaigns/{id}/cancel", account.ManageCampaigns, s.calls.CancelCampaign},
		{"GET", "/campaigns/{id}/delete", account.ManageCampaigns, s.calls.ConfirmDeleteCampaign},
		{"POST", "/campaigns/{id}/delete", account.ManageCampaigns, s.calls.DeleteCampaign},

		{"GET", "/live", account.View, s.calls.Live},
		{"GET", "/live/events", account.View, s.calls.LiveEvents},

		{"GET", "/calls", account.View, s.calls.ListCalls},
		{"GET", "/calls/events", account.View, s.calls.CallsEvents},
		{"GET", "/calls/new", account.PlaceCalls, s.calls.NewCall},
		{"POST", "/calls", account.PlaceCalls, s.calls.CreateCall},
		{"GET", "/calls/export", account.View, s.calls.ExportCalls},
		{"GET", "/calls/{id}", account.View, s.calls.Call},
		{"GET", "/calls/{id}/events", account.View, s.calls.CallEvents},
		{"GET", "/calls/{id}/recording", account.View, s.calls.CallRecording},
		{"GET", "/calls/{id}/hang-up", account.EndCalls, s.calls.ConfirmHangUp},
		{"POST", "/calls/{id}/hang-up", account.EndCalls, s.calls.HangUp},
		{"GET", "/calls/{id}/edit", account.PlaceCalls, s.calls.EditCall},
		{"POST", "/calls/{id}/edit", account.PlaceCalls, s.calls.ChangeCall},
		{"GET", "/calls/{id}/cancel", account.PlaceCalls, s.calls.ConfirmCancelCall},
		{"POST", "/calls/{id}/cancel", account.PlaceCalls, s.calls.CancelCall},
		{"POST", "/calls/{id}/notes", account.JoinCalls, s.calls.AddNote},
		{"GET", "/calls/{id}/sound", account.JoinCalls, s.calls.CallSound},
		{"POST", "/calls/{id}/listening", account.JoinCalls, s.calls.StartListening},
		{"POST", "/calls/{id}/transfer", account.JoinCalls, s.calls.TransferCall},
		{"POST", "/calls/review", account.ReviewCalls, s.calls.ReviewCalls},
		{"POST", "/calls/{id}/review", account.ReviewCalls, s.calls.ReviewCall},
		{"POST", "/calls/{id}/analyses", account.ManageAgents, s.calls.AnalyzeCall},
		{"GET", "/calls/{id}/follow-ups/new", account.WorkOnFollowUps, s.calls.NewFollowUp},
		{"POST", "/calls/{id}/follow-ups", account.WorkOnFollowUps, s.calls.CreateFollowUp},

		{"GET", "/follow-ups", account.View, s.calls.ListFollowUps},
		{"GET", "/follow-ups/export", account.View, s.calls.ExportFollowUps},
		{"POST", "/follow-ups/done", account.WorkOnFollowUps, s.calls.FinishFollowUps},
		{"POST", "/follow-ups/reopen", account.WorkOnFollowUps, s.calls.ReopenFollowUps},
		{"POST", "/follow-ups/assign", account.WorkOnFollowUps, s.calls.AssignFollowUps},
		{"POST", "/follow-ups/assign/undo", account.WorkOnFollowUps, s.calls.RestoreAssignees},
		{"GET", "/follow-ups/{id}", account.View, s.calls.FollowUp},
		{"POST", "/follow-ups/{id}", account.WorkOnFollowUps, s.calls.UpdateFollowUp},
		{"POST", "/follow-ups/{id}/take", account.WorkOnFollowUps, s.calls.TakeFollowUp},
		{"POST", "/follow-ups/{id}/done", account.WorkOnFollowUps, s.calls.FinishFollowUp},
		{"POST", "/follow-ups/{id}/reopen", account.WorkOnFollowUps, s.calls.ReopenFollowUp},

		{"GET", "/messaging", account.View, s.messages.Overview},
		{"GET", "/messaging/events", account.View, s.messages.OverviewEvents},
		{"GET", "/messaging/templates", account.View, s.messages.ListTemplates},
		{"GET", "/messaging/templates/{id}", account.View, s.messages.Template},
		{"GET", "/messaging/messages", account.View, s.messages.ListMessages},
		{"GET", "/messaging/messages/new", account.PlaceCalls, s.messages.NewMessage},
		{"POST", "/messaging/messages", account.PlaceCalls, s.messages.SendMessage},
		{"GET", "/messaging/messages/{id}", account.View, s.messages.Message},
		{"GET", "/messaging/messages/{id}/events", account.View, s.messages.MessageEvents},
		{"GET", "/messaging/messages/{id}/cancel", account.PlaceCalls, s.messages.ConfirmCancelMessage},
		{"POST", "/messaging/messages/{id}/cancel", account.PlaceCalls, s.messages.CancelMessage},

		{"GET", "/webhooks", account.View, s.webhooks.ListWebhooks},
		{"GET", "/webhooks/new", account.ManageWebhooks, s.webhooks.NewWebhook},
		{"GET", "/webhooks/verify", account.View, s.webhooks.VerifyDelivery},
		{"POST", "/webhooks", account.ManageWebhooks, s.webhooks.CreateWebhook},
		{"GET", "/webhooks/{id}", account.View, s.webhooks.Webhook},
		{"GET", "/webhooks/{id}/events", account.View, s.webhooks.WebhookEvents},
		{"GET", "/webhooks/{id}/edit", account.ManageWebhooks, s.webhooks.EditWebhook},
		{"POST", "/webhooks/{id}", account.ManageWebhooks, s.webhooks.UpdateWebhook},
		{"POST", "/webhooks/{id}/pause", account.ManageWebhooks, s.webhooks.PauseWebhook},
		{"POST", "/webhooks/{id}/resume", account.ManageWebhooks, s.webhooks.ResumeWebhook},
		{"GET", "/webhooks/{id}/test", account.ManageWebhooks, s.webhooks.TestForm},
		{"POST", "/webhooks/{id}/test", account.ManageWebhooks, s.webhooks.TestWebhook},
		{"GET", "/webhooks/{id}/recover", account.ManageWebhooks, s.webhooks.RecoverForm},
		{"POST", "/webhooks/{id}/recover", account.ManageWebhooks, s.webhooks.RecoverWebhook},
		{"GET", "/webhooks/{id}/rotate-secret", account.ManageWebhooks, s.webhooks.RotateForm},
		{"POST", "/webhooks/{id}/rotate-secret", account.ManageWebhooks, s.webhooks.RotateSecret},
		{"GET", "/webhooks/{id}/delete", account.ManageWebhooks, s.webhooks.ConfirmDeleteWebhook},
		{"POST", "/webhooks/{id}/delete", account.ManageWebhooks, s.webhooks.DeleteWebhook},
		{"GET", "/webhooks/{id}/deliveries/{delivery_id}", account.View, s.webhooks.Delivery},
		{"GET", "/webhooks/{id}/deliveries/{delivery_id}/events", account.View, s.webhooks.DeliveryEvents},
		{"POST", "/webhooks/{id}/deliveries/resend", account.ResendDeliveries, s.webhooks.ResendDeliveries},
		{"POST", "/webhooks/{id}/deliveries/{delivery_id}/resend", account.ResendDeliveries, s.webhooks.ResendDelivery},

		{"GET", "/settings", account.View, redirect("/settings/api-keys")}, // the first page of the sidebar
		{"GET", "/settings/", account.View, redirect("/settings/api-keys")},
		{"GET", "/settings/api-keys", account.View, s.people.ListAPIKeys},
		{"GET", "/settings/api-keys/new", account.ManageKeys, s.people.APIKeyForm},
		{"POST", "/settings/api-keys", account.ManageKeys, s.people.CreateAPIKey},
		{"GET", "/settings/api-keys/{id}", account.ManageKeys, s.people.EditAPIKey},
		{"POST", "/settings/api-keys/{id}", account.ManageKeys, s.people.UpdateAPIKey},
		{"GET", "/settings/api-keys/{id}/rotate", account.ManageKeys, s.people.RotateAPIKeyForm},
		{"POST", "/settings/api-keys/{id}/rotate", account.ManageKeys, s.people.RotateAPIKey},
		{"GET", "/settings/api-keys/{id}/revoke", account.ManageKeys, s.people.ConfirmRevokeAPIKey},
		{"POST", "/settings/api-keys/{id}/revoke", account.ManageKeys, s.people.RevokeAPIKey},

		{"GET", "/settings/projects", account.View, s.settings.ListProjects},
		{"GET", "/settings/projects/new", account.ManageProjects, s.settings.NewProject},
		{"POST", "/settings/projects", account.ManageProjects, s.settings.CreateProject},
		{"GET", "/settings/projects/{id}", account.ManageProjects, s.settings.EditProject},
		{"POST", "/settings/projects/{id}", account.ManageProjects, s.settings.UpdateProject},
		{"GET", "/settings/projects/{id}/remove", account.ManageProjects, s.settings.ConfirmRemoveProject},
		{"POST", "/settings/projects/{id}/remove", account.ManageProjects, s.settings.RemoveProject},

		{"GET", "/settings/destinations", account.View, s.settings.ListDestinations},
		{"GET", "/settings/destinations/new", account.ManageDestinations, s.settings.NewDestination},
		{"POST", "/settings/destinations", account.ManageDestinations, s.settings.CreateDestination},
		{"GET", "/settings/destinations/{id}", account.ManageDestinations, s.settings.EditDestination},
		{"POST", "/settings/destinations/{id}", account.ManageDestinations, s.settings.UpdateDestination},
		{"GET", "/settings/destinations/{id}/remove", account.ManageDestinations, s.settings.ConfirmRemoveDestination},
		{"POST", "/settings/destinations/{id}/remove", account.ManageDestinations, s.settings.RemoveDestination},

		{"GET", "/agents", account.View, s.settings.ListAgents},
		{"GET", "/agents/new", account.ManageAgents, s.settings.NewAgent},
		{"POST", "/agents", account.ManageAgents, s.settings.CreateAgent},
		{"GET", "/agents/try", account.ManageAgents, s.settings.OpenNewAgent},
		{"POST", "/agents/try", account.ManageAgents, s.settings.TryNewAgent},
		{"GET", "/agents/{id}", account.View, s.settings.EditAgent},
		{"POST", "/agents/{id}", account.ManageAgents, s.settings.UpdateAgent},
		{"POST", "/agents/{id}/publish", account.ManageAgents, s.settings.PublishAgentAgain},
		{"GET", "/agents/{id}/versions", account.View, s.settings.ListAgentVersions},
		{"GET", "/agents/{id}/versions/{number}", account.View, s.settings.AgentVersion},
		{"GET", "/agents/{id}/tests", account.View, s.settings.AgentTests},
		{"POST", "/agents/{id}/tests", account.ManageAgents, s.settings.StartTests},
		{"POST", "/agents/{id}/tests/required", account.ManageAgents, s.settings.RequireTests},
		{"GET", "/agents/{id}/tests/cases/new", account.ManageAgents, s.settings.NewTestCase},
		{"POST", "/agents/{id}/tests/cases", account.ManageAgents, s.settings.CreateTestCase},
		{"GET", "/agents/{id}/tests/cases/{case_id}", account.View, s.settings.EditTestCase},
		{"POST", "/agents/{id}/tests/cases/{case_id}", account.ManageAgents, s.settings.UpdateTestCase},
		{
			"GET", "/agents/{id}/tests/cases/{case_id}/delete", account.ManageAgents,
			s.settings.ConfirmDeleteTestCase,
		},
		{"POST", "/agents/{id}/tests/cases/{case_id}/delete", account.ManageAgents, s.settings.DeleteTestCase},
		{"GET", "/agents/{id}/tests/runs/{run_id}", account.View, s.settings.TestRun},
		{"GET", "/agents/{id}/tests/runs/{run_id}/events", account.View, s.settings.TestRunEvents},
		{"POST", "/agents/{id}/tests/runs/{run_id}/cancel", account.ManageAgents, s.settings.CancelTests},
		{"GET", "/agents/{id}/tests/runs/{run_id}/{attempt_id}", account.View, s.settings.TestAttempt},
		{"GET", "/agents/{id}/discard", account.ManageAgents, s.settings.ConfirmDiscardDraft},
		{"POST", "/agents/{id}/discard", account.ManageAgents, s.settings.DiscardDraft},
		{"GET", "/agents/{id}/try", account.ManageAgents, s.settings.TryAgent},
		{"POST", "/agents/{id}/try", account.ManageAgents, s.settings.ContinueTry},
		{"GET", "/agents/{id}/call", account.ManageAgents, s.settings.CallMeForm},
		{"POST", "/agents/{id}/call", account.ManageAgents, s.settings.CallMe},
		{"GET", "/agents/{id}/remove", account.ManageAgents, s.settings.ConfirmRemoveAgent},
		{"POST", "/agents/{id}/remove", account.ManageAgents, s.settings.RemoveAgent},

		{"GET", "/phone-numbers", account.View, s.settings.ListPhoneNumbers},
		{"GET", "/phone-numbers/new", account.ManageProjects, s.settings.NewPhoneNumber},
		{"POST", "/phone-numbers", account.ManageProjects, s.settings.CreatePhoneNumber},
		{"GET", "/phone-numbers/{id}", account.ManageProjects, s.settings.EditPhoneNumber},
		{"POST", "/phone-numbers/{id}", account.ManageProjects, s.settings.UpdatePhoneNumber},
		{"POST", "/phone-numbers/{id}/retry", account.ManageProjects, s.settings.RetryPhoneNumber},
		{"POST", "/phone-numbers/{id}/end-rest", account.ManageProjects, s.settings.EndRest},
		{"GET", "/phone-numbers/{id}/inbound", account.ManageProjects, s.settings.EditInbound},
		{"POST", "/phone-numbers/{id}/inbound", account.ManageProjects, s.settings.UpdateInbound},
		{"GET", "/phone-numbers/{id}/inbound/set-up", account.ManageProjects, s.settings.InboundSetUp},
		{"POST", "/phone-numbers/{id}/inbound/set-up", account.ManageProjects, s.settings.SetUpInbound},
		{"GET", "/phone-numbers/{id}/sandbox-call", account.ManageProjects, s.settings.NewSandboxCall},
		{"POST", "/phone-numbers/{id}/sandbox-call", account.ManageProjects, s.settings.CallInSandbox},
		{"GET", "/phone-numbers/{id}/remove", account.ManageProjects, s.settings.ConfirmRemovePhoneNumber},
		{"POST", "/phone-numbers/{id}/remove", account.ManageProjects, s.settings.RemovePhoneNumber},

		{"GET", "/number-pools/new", account.ManageProjects, s.settings.NewNumberPool},
		{"POST", "/number-pools", account.ManageProjects, s.settings.CreateNumberPool},
		{"GET", "/number-pools/{id}", account.ManageProjects, s.settings.EditNumberPool},
		{"POST", "/number-pools/{id}", account.ManageProjects, s.settings.UpdateNumberPool},
		{"GET", "/number-pools/{id}/remove", account.ManageProjects, s.settings.ConfirmRemoveNumberPool},
		{"POST", "/number-pools/{id}/remove", account.ManageProjects, s.settings.RemoveNumberPool},

		{"GET", "/settings/integrations", account.View, s.settings.ListIntegrations},
		{"GET", "/settings/integrations/new", account.ManageConnections, s.settings.NewConnection},
		{"POST", "/settings/integrations", account.ManageConnections, s.settings.CreateConnection},
		{"GET", "/settings/integrations/whatsapp/new", account.ManageConnections, s.messages.NewWhatsApp},
		{"POST", "/settings/integrations/whatsapp", account.ManageConnections, s.messages.ConnectWhatsApp},
		{"GET", "/settings/integrations/whatsapp/{id}", account.View, s.messages.ShowWhatsApp},
		{"GET", "/settings/integrations/whatsapp/{id}/edit", account.ManageConnections, s.messages.EditWhatsApp},
		{"POST", "/settings/integrations/whatsapp/{id}", account.ManageConnections, s.messages.UpdateWhatsApp},
		{"POST", "/settings/integrations/whatsapp/{id}/refresh", account.ManageConnections, s.messages.RefreshWhatsApp},
		{
			"GET", "/settings/integrations/whatsapp/{id}/disconnect", account.ManageConnections,
			s.messages.ConfirmDisconnectWhatsApp,
		},
		{
			"POST", "/settings/integrations/whatsapp/{id}/disconnect", account.ManageConnections,
			s.messages.DisconnectWhatsApp,
		},
		{"GET", "/settings/integrations/models/new", account.ManageConnections, s.settings.NewModel},
		{"POST", "/settings/integrations/models", account.ManageConnections, s.settings.CreateModel},
		{"GET", "/settings/integrations/models/{id}", account.ManageConnections, s.settings.EditModel},
		{"POST", "/settings/integrations/models/{id}", account.ManageConnections, s.settings.UpdateModel},
		{"POST", "/settings/integrations/models/{id}/check", account.ManageConnections, s.settings.CheckModel},
		{"POST", "/settings/integrations/models/{id}/retry", account.ManageConnections, s.settings.RetryModel},
		{"GET", "/settings/integrations/models/{id}/remove", account.ManageConnections, s.settings.ConfirmRemoveModel},
		{"POST", "/settings/integrations/models/{id}/remove", account.ManageConnections, s.settings.RemoveModel},
		{"GET", "/settings/tools", account.View, s.settings.ListTools},
		{"GET", "/settings/tools/new", account.ManageConnections, s.settings.NewTool},
		{"POST", "/settings/tools", account.ManageConnections, s.settings.CreateTool},
		{"GET", "/settings/tools/{id}", account.ManageConnections, s.settings.EditTool},
		{"POST", "/settings/tools/{id}", account.ManageConnections, s.settings.UpdateTool},
		{"GET", "/settings/tools/{id}/try", account.ManageConnections, s.settings.TryToolForm},
		{"POST", "/settings/tools/{id}/try", account.ManageConnections, s.settings.TryTool},
		{"GET", "/settings/tools/{id}/rotate-secret", account.ManageConnections, s.settings.ConfirmRotateToolSecret},
		{"POST", "/settings/tools/{id}/rotate-secret", account.ManageConnections, s.settings.RotateToolSecret},
		{"GET", "/settings/tools/{id}/remove", account.ManageConnections, s.settings.ConfirmRemoveTool},
		{"POST", "/settings/tools/{id}/remove", account.ManageConnections, s.settings.RemoveTool},
		{"GET", "/settings/integrations/{id}", account.ManageConnections, s.settings.EditConnection},
		{"POST", "/settings/integrations/{id}", account.ManageConnections, s.settings.UpdateConnection},
		{
			"GET", "/settings/integrations/{id}/previous-token/remove", account.ManageConnections,
			s.settings.ConfirmRemovePreviousToken,
		},
		{
			"POST", "/settings/integrations/{id}/previous-token/remove", account.ManageConnections,
			s.settings.RemovePreviousToken,
		},
		{"POST", "/settings/integrations/{id}/check", account.ManageConnections, s.settings.CheckConnection},
		{"POST", "/settings/integrations/{id}/retry", account.ManageConnections, s.settings.RetryConnection},
		{"GET", "/settings/integrations/{id}/remove", account.ManageConnections, s.settings.ConfirmRemoveConnection},
		{"POST", "/settings/integrations/{id}/remove", account.ManageConnections, s.settings.RemoveConnection},

		{"GET", "/do-not-call", account.View, s.settings.ListDoNotCall},
		{"GET", "/do-not-call/new", account.AddDoNotCall, s.settings.NewDoNotCall},
		{"POST", "/do-not-call", account.AddDoNotCall, s.settings.AddDoNotCall},
		{"GET", "/do-not-call/export", account.View, s.settings.ExportDoNotCall},
		{"GET", "/do-not-call/import", account.ManageDoNotCall, s.settings.NewDoNotCallImport},
		{"POST", "/do-not-call/import", account.ManageDoNotCall, s.settings.ImportDoNotCall},
		{"GET", "/do-not-call/lists", account.View, s.settings.ListSubscribedLists},
		{"GET", "/do-not-call/lists/events", account.View, s.settings.SubscribedListsEvents},
		{"GET", "/do-not-call/lists/new", account.ManageDoNotCall, s.settings.NewSubscribedList},
		{"POST", "/do-not-call/lists", account.ManageDoNotCall, s.settings.CreateSubscribedList},
		{"GET", "/do-not-call/lists/{id}", account.View, s.settings.EditSubscribedList},
		{"GET", "/do-not-call/lists/{id}/events", account.View, s.settings.SubscribedListEvents},
		{"GET", "/do-not-call/lists/{id}/rows", account.View, s.settings.SubscribedListRows},
		{"POST", "/do-not-call/lists/{id}", account.ManageDoNotCall, s.settings.UpdateSubscribedList},
		{"POST", "/do-not-call/lists/{id}/fetch", account.ManageDoNotCall, s.settings.FetchSubscribedList},
		{"GET", "/do-not-call/lists/{id}/apply", account.ManageDoNotCall, s.settings.ConfirmApplySubscribedList},
		{"POST", "/do-not-call/lists/{id}/apply", account.ManageDoNotCall, s.settings.ApplySubscribedList},
		{"GET", "/do-not-call/lists/{id}/remove", account.ManageDoNotCall, s.settings.ConfirmRemoveSubscribedList},
		{"POST", "/do-not-call/lists/{id}/remove", account.ManageDoNotCall, s.settings.RemoveSubscribedList},
		{"GET", "/settings/erasures", account.HandleRequests, s.settings.ListErasures},
		{"POST", "/settings/erasures", account.HandleRequests, s.settings.CreateErasure},
		{"GET", "/settings/evidence", account.HandleRequests, s.settings.EvidenceForm},
		{"POST", "/settings/evidence", account.HandleRequests, s.settings.CollectEvidence},
		{"POST", "/settings/evidence/download", account.HandleRequests, s.settings.DownloadEvidence},
		{"POST", "/do-not-call/remove", account.ManageDoNotCall, s.settings.RemoveManyDoNotCall},
		{"POST", "/do-not-call/restore", account.ManageDoNotCall, s.settings.RestoreDoNotCall},
		{"GET", "/do-not-call/{id}/remove", account.ManageDoNotCall, s.settings.ConfirmRemoveDoNotCall},
		{"POST", "/do-not-call/{id}/remove", account.ManageDoNotCall, s.settings.RemoveDoNotCall},

		{"GET", "/settings/members", account.View, s.people.ListMembers},
		{"GET", "/settings/members/invite", account.ManageMembers, s.people.InviteForm},
		{"POST", "/settings/members/invite", account.ManageMembers, s.people.Invite},
		{"GET", "/settings/members/{id}", account.ManageMembers, s.people.Member},
		{"POST", "/settings/members/{id}/role", account.ManageMembers, s.people.ChangeRole},
		{"GET", "/settings/members/{id}/remove", account.ManageMembers, s.people.ConfirmRemoveMember},
		{"POST", "/settings/members/{id}/remove", account.ManageMembers, s.people.RemoveMember},
		{"POST", "/settings/members/{id}/reset-link", account.ManageMembers, s.people.CreateResetLink},
		{"GET", "/settings/members/{id}/reset-second-factor", account.ManageMembers, s.people.ConfirmResetSecondFactor},
		{"POST", "/settings/members/{id}/reset-second-factor", account.ManageMembers, s.people.ResetSecondFactor},
		{"POST", "/settings/invitations/{id}/renew", account.ManageMembers, s.people.RenewInvitation},
		{"GET", "/settings/invitations/{id}/revoke", account.ManageMembers, s.people.ConfirmRevokeInvitation},
		{"POST", "/settings/invitations/{id}/revoke", account.ManageMembers, s.people.RevokeInvitation},

		{"GET", "/settings/audit-log", account.ReadAuditLog, s.people.AuditLog},
		{"GET", "/settings/audit-log/export", account.ReadAuditLog, s.people.ExportAuditLog},
		{"GET", "/settings/audit-log/{id}", account.ReadAuditLog, s.people.AuditEntry},

		{"GET", "/settings/compliance", account.View, s.settings.Compliance},
		{"POST", "/settings/compliance/consent", account.ManageCompliance, s.settings.UpdateConsent},
		{"POST", "/settings/compliance/abandoned", account.ManageCompliance, s.settings.UpdateAbandonedLimit},
		{"GET", "/settings/compliance/pre-dial-check", account.View, s.settings.PreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check", account.ManageCompliance, s.settings.SavePreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check/test", account.ManageCompliance, s.settings.TestPreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check/enable", account.ManageCompliance, s.settings.EnablePreDialCheck},
		{
			"POST", "/settings/compliance/pre-dial-check/disable", account.ManageCompliance,
			s.settings.DisablePreDialCheck,
		},
		{
			"GET", "/settings/compliance/pre-dial-check/rotate-secret", account.ManageCompliance,
			s.settings.ConfirmRotatePreDialSecret,
		},
		{
			"POST", "/settings/compliance/pre-dial-check/rotate-secret", account.ManageCompliance,
			s.settings.RotatePreDialSecret,
		},
		{
			"GET", "/settings/compliance/pre-dial-check/remove", account.ManageCompliance,
			s.settings.ConfirmRemovePreDialCheck,
		},
		{"POST", "/settings/compliance/pre-dial-check/remove", account.ManageCompliance, s.settings.RemovePreDialCheck},
		{"POST", "/settings/compliance/rules", account.ManageCompliance, s.settings.UpdateCallingRules},
		{"GET", "/settings/compliance/rules/{rule}", account.ManageCompliance, s.settings.EditCallingRule},
		{"POST", "/settings/compliance/rules/{rule}", account.ManageCompliance, s.settings.UpdateCallingRule},
		{"GET", "/settings/compliance/own-rules/new", account.ManageCompliance, s.settings.NewOwnRule},
		{"POST", "/settings/compliance/own-rules", account.ManageCompliance, s.settings.AddOwnRule},
		{
			"GET", "/settings/compliance/own-rules/{rule}/remove", account.ManageCompliance,
			s.settings.ConfirmRemoveOwnRule,
		},
		{"POST", "/settings/compliance/own-rules/{rule}/remove", account.ManageCompliance, s.settings.RemoveOwnRule},

		{"GET", "/settings/sign-in", account.ManageOrganization, s.settings.SignIn},
		{"POST", "/settings/sign-in", account.ManageOrganization, s.settings.UpdateSignIn},
		{"GET", "/settings/sign-in/sso", account.ManageOrganization, s.settings.SingleSignOn},
		{"POST", "/settings/sign-in/sso", account.ManageOrganization, s.settings.UpdateSingleSignOn},
		{"GET", "/settings/sign-in/sso/remove", account.ManageOrganization, s.settings.ConfirmRemoveSingleSignOn},
		{"POST", "/settings/sign-in/sso/remove", account.ManageOrganization, s.settings.RemoveSingleSignOn},

		{"GET", "/settings/organization", account.View, s.settings.Organization},
		{"POST", "/settings/organization", account.ManageOrganization, s.settings.UpdateOrganization},
		{"POST", "/settings/organization/limits", account.ManageOrganization, s.settings.UpdateCallingLimits},
		{"POST", "/settings/organization/budget", account.ManageOrganization, s.settings.UpdateMonthlyBudget},
		{"POST", "/settings/organization/models", account.ManageOrganization, s.settings.UpdateModelDay},
		{"GET", "/settings/organization/stop-calling", account.StopCalling, s.settings.StopCallingForm},
		{"POST", "/settings/organization/stop-calling", account.StopCalling, s.settings.StopCalling},
		{"POST", "/settings/organization/allow-calling", account.AllowCalling, s.settings.AllowCalling},

		{"GET", "/profile", account.View, s.people.Profile},
		{"POST", "/profile", account.View, s.people.Rename},
		{"POST", "/profile/password", account.View, s.people.ChangePassword},
		{"GET", "/profile/second-factor/new", account.View, s.people.SecondFactorForm},
		{"POST", "/profile/second-factor", account.View, s.people.TurnOnSecondFactor},
		{"GET", "/profile/second-factor/recovery-codes", account.View, s.people.RenewCodesForm},
		{"POST", "/profile/second-factor/recovery-codes", account.View, s.people.RenewCodes},
		{"GET", "/profile/second-factor/off", account.View, s.people.TurnOffForm},
		{"POST", "/profile/second-factor/off", account.View, s.people.TurnOffSecondFactor},
		{"POST", "/profile/sessions/revoke-others", account.View, s.people.RevokeOtherSessions},
		{"POST", "/profile/sessions/{id}/revoke", account.View, s.people.RevokeSession},
	}
}

// redirect answers an address without a page with the page that people look for there.
func redirect(to string) frame.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error { return frame.SeeOther(w, r, to) }
}

func (s *server) routes() chi.Router {
	router := chi.NewRouter()
	router.Use(middleware.GetHead)
	pages := pagesOf(s.table())
	for _, line := range s.table() {
		h := s.Handle(line.handle)
		if line.method == http.MethodPost {
			form := pages.withForm(line.path)
			if !line.takesList() {
				h = s.Handle(withForm(s.Detours(form.of, line.handle)))
			}
			if !pages[line.path] {
				router.Get(line.path, s.Handle(form.open).ServeHTTP)
			}
		}
		if line.method == http.MethodGet && line.right != anybody {
			h = s.Handle(frame.WithoutEmpty(line.handle))
		}
		if line.right != anybody {
			h = s.people.Needs(line.right, line.path, h)
		}
		router.Method(line.method, line.path, s.limitBody(line, h))
	}
	router.NotFound(s.Handle(func(http.ResponseWriter, *http.Request) error { return frame.ErrNoPage }).ServeHTTP)
	router.MethodNotAllowed(s.Handle(func(w http.ResponseWriter, _ *http.Request) error {
		return frame.ErrNoPage
	}).ServeHTTP)
	return router
}

// pages are the paths of the pages.
type pages map[string]bool

func pagesOf(table []route) pages {
	p := pages{}
	for _, line := range table {
		if line.method == http.MethodGet {
			p[line.path] = true
		}
	}
	return p
}

// pageWithForm is the path of a page with a form, as the router knows it.
type pageWithForm string

// formsElsewhere are the pages of the forms that stand neither at the address they are sent to, nor at "new" below it,
// nor at the nearest page above it.
var formsElsewhere = map[string]pageWithForm{
	"/settings/invitations/{id}/renew": "/settings/members",
}

// withForm returns the page with the form that is sent to a path.
func (p pages) withForm(path string) pageWithForm {
	if page, ok := formsElsewhere[path]; ok {
		return page
	}
	if p[path+"/new"] {
		return pageWithForm(path + "/new")
	}
	for path != "" && !p[path] {
		path = path[:strings.LastIndex(path, "/")]
	}
	return pageWithForm(cmp.Or(path, "/"))
}

// of returns the address of the page for a request to the address of its form. Both have the same IDs.
func (page pageWithForm) of(r *http.Request) string {
	have, want := strings.Split(r.URL.EscapedPath(), "/"), strings.Split(string(page), "/")
	for i, segment := range want {
		if strings.HasPrefix(segment, "{") {
			want[i] = have[i]
		}
	}
	return strings.Join(want, "/")
}

// open leads to the page. The answer to a refused form shows the form at the address that it was sent to, so people
// open that address again: they press Enter in the address bar, or restore a closed tab.
func (page pageWithForm) open(w http.ResponseWriter, r *http.Request) error {
	to := page.of(r)
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	return frame.SeeOther(w, r, to)
}

// Bounds of the body of a form, in bytes. Only a form with a list of recipients may be
// larger (MaxListForm).
const (
	maxForm       = 1 << 20
	maxSignInForm = 2 * people.MaxLateForm // with a late form, sealed and in base64
)

// withForm parses the form before its handler runs. Without this check, the fields of an
// unreadable form would be empty.
func withForm(next frame.HandlerFunc) frame.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := r.ParseForm(); err != nil {
			if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
				return fault.New(fault.TooLarge, "A form can send at most %d MiB", tooLarge.Limit>>20)
			}
			return frame.ErrNoForm
		}
		return next(w, r)
	}
}

// limitBody bounds the body of a form.
func (s *server) limitBody(line route, next http.Handler) http.Handler {
	limit := int64(maxForm)
	switch {
	case line.takesList():
		limit = frame.MaxListForm
	case line.signsIn():
		limit = maxSignInForm
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		next.ServeHTTP(w, r)
	})
}
