package web

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/people"
)

// Visitors of a route: anybody, every member, or admins.
const (
	anybody = account.Role("")
	staff   = account.Staff
	admin   = account.Admin
)

// route is a line of the table.
type route struct {
	method, path string
	role         account.Role
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
		l.path == "/settings/do-not-call/import")
}

// table lists every page and form of the dashboard with its role.
func (s *server) table() []route {
	return []route{
		{"POST", "/theme", anybody, s.SetTheme},
		{"GET", "/setup", anybody, s.people.SetUpForm},
		{"POST", "/setup", anybody, s.people.SetUp},
		{"GET", "/sign-in", anybody, s.people.SignInForm},
		{"POST", "/sign-in", anybody, s.people.SignIn},
		{"GET", "/sign-in/code", anybody, s.people.CodeForm},
		{"POST", "/sign-in/code", anybody, s.people.SignInWithCode},
		{"GET", "/docs", anybody, s.docs},
		{"GET", "/docs/", anybody, redirect("/docs")},
		{"GET", "/docs/search", anybody, s.searchDocs},
		{"GET", "/docs/{page}", anybody, s.docs},
		{"GET", "/llms.txt", anybody, s.llms},
		{"POST", "/sign-out", staff, s.people.SignOut},
		{"GET", "/invitation", anybody, s.people.Invitation},
		{"POST", "/invitation", anybody, s.people.AcceptInvitation},
		{"POST", "/invitation/join", staff, s.people.JoinOrganization},
		{"GET", "/reset-password", anybody, s.people.NewPasswordForm},
		{"POST", "/reset-password", anybody, s.people.NewPassword},
		{"GET", "/organizations", staff, s.people.ListOrganizations},
		{"POST", "/organizations/{id}/switch", staff, s.people.SwitchOrganization},

		{"GET", "/", staff, s.overview.Overview},
		{"GET", "/events", staff, s.overview.Events},
		{"GET", "/costs/export", staff, s.overview.ExportCosts},

		{"GET", "/campaigns", staff, s.calls.ListCampaigns},
		{"GET", "/campaigns/events", staff, s.calls.CampaignsEvents},
		{"GET", "/campaigns/new", admin, s.calls.NewCampaign},
		{"POST", "/campaigns", admin, s.calls.CreateCampaign},
		{"GET", "/campaigns/{id}", staff, s.calls.Campaign},
		{"GET", "/campaigns/{id}/recipients/export", staff, s.calls.ExportRecipients},
		{"GET", "/campaigns/{id}/events", staff, s.calls.CampaignEvents},
		{"GET", "/campaigns/{id}/log", staff, s.calls.CampaignLog},
		{"GET", "/campaigns/{id}/log/events", staff, s.calls.CampaignLogEvents},
		{"GET", "/campaigns/{id}/recipients/new", admin, s.calls.NewRecipients},
		{"POST", "/campaigns/{id}/recipients", admin, s.calls.AddRecipients},
		{"GET", "/campaigns/{id}/recipients/{recipient_id}/cancel", admin, s.calls.ConfirmCancelRecipient},
		{"POST", "/campaigns/{id}/recipients/{recipient_id}/cancel", admin, s.calls.CancelRecipient},
		{"POST", "/campaigns/{id}/recipients/{recipient_id}/prioritize", admin, s.calls.PrioritizeRecipient},
		{"POST", "/campaigns/{id}/start", admin, s.calls.StartCampaign},
		{"POST", "/campaigns/{id}/pause", admin, s.calls.PauseCampaign},
		{"POST", "/campaigns/{id}/resume", admin, s.calls.ResumeCampaign},
		{"GET", "/campaigns/{id}/retry", admin, s.calls.ConfirmRetryCampaign},
		{"POST", "/campaigns/{id}/retry", admin, s.calls.RetryCampaign},
		{"GET", "/campaigns/{id}/budget", admin, s.calls.EditBudget},
		{"POST", "/campaigns/{id}/budget", admin, s.calls.UpdateBudget},
		{"GET", "/campaigns/{id}/cancel", admin, s.calls.ConfirmCancelCampaign},
		{"POST", "/campaigns/{id}/cancel", admin, s.calls.CancelCampaign},

		{"GET", "/live", staff, s.calls.Live},
		{"GET", "/live/events", staff, s.calls.LiveEvents},

		{"GET", "/calls", staff, s.calls.ListCalls},
		{"GET", "/calls/events", staff, s.calls.CallsEvents},
		{"GET", "/calls/new", admin, s.calls.NewCall},
		{"POST", "/calls", admin, s.calls.CreateCall},
		{"GET", "/calls/export", staff, s.calls.ExportCalls},
		{"GET", "/calls/{id}", staff, s.calls.Call},
		{"GET", "/calls/{id}/events", staff, s.calls.CallEvents},
		{"GET", "/calls/{id}/recording", staff, s.calls.CallRecording},
		{"GET", "/calls/{id}/hang-up", staff, s.calls.ConfirmHangUp},
		{"POST", "/calls/{id}/hang-up", staff, s.calls.HangUp},
		{"GET", "/calls/{id}/edit", admin, s.calls.EditCall},
		{"POST", "/calls/{id}/edit", admin, s.calls.ChangeCall},
		{"GET", "/calls/{id}/cancel", admin, s.calls.ConfirmCancelCall},
		{"POST", "/calls/{id}/cancel", admin, s.calls.CancelCall},
		{"POST", "/calls/{id}/notes", admin, s.calls.AddNote},
		{"POST", "/calls/{id}/transfer", admin, s.calls.TransferCall},
		{"POST", "/calls/{id}/analyses", admin, s.calls.AnalyzeCall},
		{"GET", "/calls/{id}/follow-ups/new", staff, s.calls.NewFollowUp},
		{"POST", "/calls/{id}/follow-ups", staff, s.calls.CreateFollowUp},

		{"GET", "/follow-ups", staff, s.calls.ListFollowUps},
		{"GET", "/follow-ups/export", staff, s.calls.ExportFollowUps},
		{"POST", "/follow-ups/done", staff, s.calls.FinishFollowUps},
		{"GET", "/follow-ups/{id}", staff, s.calls.FollowUp},
		{"POST", "/follow-ups/{id}", staff, s.calls.UpdateFollowUp},
		{"POST", "/follow-ups/{id}/take", staff, s.calls.TakeFollowUp},
		{"POST", "/follow-ups/{id}/done", staff, s.calls.FinishFollowUp},
		{"POST", "/follow-ups/{id}/reopen", staff, s.calls.ReopenFollowUp},

		{"GET", "/messaging", staff, s.messages.Overview},
		{"GET", "/messaging/events", staff, s.messages.OverviewEvents},
		{"GET", "/messaging/templates", staff, s.messages.ListTemplates},
		{"GET", "/messaging/templates/{id}", staff, s.messages.Template},
		{"GET", "/messaging/messages", staff, s.messages.ListMessages},
		{"GET", "/messaging/messages/new", admin, s.messages.NewMessage},
		{"POST", "/messaging/messages", admin, s.messages.SendMessage},
		{"GET", "/messaging/messages/{id}", staff, s.messages.Message},
		{"GET", "/messaging/messages/{id}/events", staff, s.messages.MessageEvents},
		{"GET", "/messaging/messages/{id}/cancel", admin, s.messages.ConfirmCancelMessage},
		{"POST", "/messaging/messages/{id}/cancel", admin, s.messages.CancelMessage},

		{"GET", "/webhooks", staff, s.webhooks.ListWebhooks},
		{"GET", "/webhooks/new", admin, s.webhooks.NewWebhook},
		{"GET", "/webhooks/verify", staff, s.webhooks.VerifyDelivery},
		{"POST", "/webhooks", admin, s.webhooks.CreateWebhook},
		{"GET", "/webhooks/{id}", staff, s.webhooks.Webhook},
		{"GET", "/webhooks/{id}/events", staff, s.webhooks.WebhookEvents},
		{"GET", "/webhooks/{id}/edit", admin, s.webhooks.EditWebhook},
		{"POST", "/webhooks/{id}", admin, s.webhooks.UpdateWebhook},
		{"POST", "/webhooks/{id}/pause", admin, s.webhooks.PauseWebhook},
		{"POST", "/webhooks/{id}/resume", admin, s.webhooks.ResumeWebhook},
		{"GET", "/webhooks/{id}/test", admin, s.webhooks.TestForm},
		{"POST", "/webhooks/{id}/test", admin, s.webhooks.TestWebhook},
		{"GET", "/webhooks/{id}/recover", admin, s.webhooks.RecoverForm},
		{"POST", "/webhooks/{id}/recover", admin, s.webhooks.RecoverWebhook},
		{"GET", "/webhooks/{id}/rotate-secret", admin, s.webhooks.RotateForm},
		{"POST", "/webhooks/{id}/rotate-secret", admin, s.webhooks.RotateSecret},
		{"GET", "/webhooks/{id}/delete", admin, s.webhooks.ConfirmDeleteWebhook},
		{"POST", "/webhooks/{id}/delete", admin, s.webhooks.DeleteWebhook},
		{"GET", "/webhooks/{id}/deliveries/{delivery_id}", staff, s.webhooks.Delivery},
		{"GET", "/webhooks/{id}/deliveries/{delivery_id}/events", staff, s.webhooks.DeliveryEvents},
		{"POST", "/webhooks/{id}/deliveries/{delivery_id}/resend", staff, s.webhooks.ResendDelivery},

		{"GET", "/settings", staff, redirect("/settings/api-keys")}, // the first page of the sidebar
		{"GET", "/settings/", staff, redirect("/settings/api-keys")},
		{"GET", "/settings/api-keys", staff, s.people.ListAPIKeys},
		{"GET", "/settings/api-keys/new", admin, s.people.APIKeyForm},
		{"POST", "/settings/api-keys", admin, s.people.CreateAPIKey},
		{"GET", "/settings/api-keys/{id}/rotate", admin, s.people.RotateAPIKeyForm},
		{"POST", "/settings/api-keys/{id}/rotate", admin, s.people.RotateAPIKey},
		{"GET", "/settings/api-keys/{id}/revoke", admin, s.people.ConfirmRevokeAPIKey},
		{"POST", "/settings/api-keys/{id}/revoke", admin, s.people.RevokeAPIKey},

		{"GET", "/settings/projects", staff, s.settings.ListProjects},
		{"GET", "/settings/projects/new", admin, s.settings.NewProject},
		{"POST", "/settings/projects", admin, s.settings.CreateProject},
		{"GET", "/settings/projects/{id}", admin, s.settings.EditProject},
		{"POST", "/settings/projects/{id}", admin, s.settings.UpdateProject},
		{"GET", "/settings/projects/{id}/remove", admin, s.settings.ConfirmRemoveProject},
		{"POST", "/settings/projects/{id}/remove", admin, s.settings.RemoveProject},

		{"GET", "/settings/destinations", staff, s.settings.ListDestinations},
		{"GET", "/settings/destinations/new", admin, s.settings.NewDestination},
		{"POST", "/settings/destinations", admin, s.settings.CreateDestination},
		{"GET", "/settings/destinations/{id}", admin, s.settings.EditDestination},
		{"POST", "/settings/destinations/{id}", admin, s.settings.UpdateDestination},
		{"GET", "/settings/destinations/{id}/remove", admin, s.settings.ConfirmRemoveDestination},
		{"POST", "/settings/destinations/{id}/remove", admin, s.settings.RemoveDestination},

		{"GET", "/settings/agents", staff, s.settings.ListAgents},
		{"GET", "/settings/agents/new", admin, s.settings.NewAgent},
		{"POST", "/settings/agents", admin, s.settings.CreateAgent},
		{"GET", "/settings/agents/try", admin, s.settings.OpenNewAgent},
		{"POST", "/settings/agents/try", admin, s.settings.TryNewAgent},
		{"GET", "/settings/agents/{id}", staff, s.settings.EditAgent},
		{"POST", "/settings/agents/{id}", admin, s.settings.UpdateAgent},
		{"POST", "/settings/agents/{id}/publish", admin, s.settings.PublishAgentAgain},
		{"GET", "/settings/agents/{id}/versions", staff, s.settings.ListAgentVersions},
		{"GET", "/settings/agents/{id}/versions/{number}", staff, s.settings.AgentVersion},
		{"GET", "/settings/agents/{id}/tests", staff, s.settings.AgentTests},
		{"POST", "/settings/agents/{id}/tests", admin, s.settings.StartTests},
		{"POST", "/settings/agents/{id}/tests/required", admin, s.settings.RequireTests},
		{"GET", "/settings/agents/{id}/tests/cases/new", admin, s.settings.NewTestCase},
		{"POST", "/settings/agents/{id}/tests/cases", admin, s.settings.CreateTestCase},
		{"GET", "/settings/agents/{id}/tests/cases/{case_id}", staff, s.settings.EditTestCase},
		{"POST", "/settings/agents/{id}/tests/cases/{case_id}", admin, s.settings.UpdateTestCase},
		{"GET", "/settings/agents/{id}/tests/cases/{case_id}/delete", admin, s.settings.ConfirmDeleteTestCase},
		{"POST", "/settings/agents/{id}/tests/cases/{case_id}/delete", admin, s.settings.DeleteTestCase},
		{"GET", "/settings/agents/{id}/tests/runs/{run_id}", staff, s.settings.TestRun},
		{"GET", "/settings/agents/{id}/tests/runs/{run_id}/events", staff, s.settings.TestRunEvents},
		{"POST", "/settings/agents/{id}/tests/runs/{run_id}/cancel", admin, s.settings.CancelTests},
		{"GET", "/settings/agents/{id}/tests/runs/{run_id}/{attempt_id}", staff, s.settings.TestAttempt},
		{"GET", "/settings/agents/{id}/discard", admin, s.settings.ConfirmDiscardDraft},
		{"POST", "/settings/agents/{id}/discard", admin, s.settings.DiscardDraft},
		{"GET", "/settings/agents/{id}/try", admin, s.settings.TryAgent},
		{"POST", "/settings/agents/{id}/try", admin, s.settings.ContinueTry},
		{"GET", "/settings/agents/{id}/call", admin, s.settings.CallMeForm},
		{"POST", "/settings/agents/{id}/call", admin, s.settings.CallMe},
		{"GET", "/settings/agents/{id}/remove", admin, s.settings.ConfirmRemoveAgent},
		{"POST", "/settings/agents/{id}/remove", admin, s.settings.RemoveAgent},

		{"GET", "/settings/phone-numbers", staff, s.settings.ListPhoneNumbers},
		{"GET", "/settings/phone-numbers/new", admin, s.settings.NewPhoneNumber},
		{"POST", "/settings/phone-numbers", admin, s.settings.CreatePhoneNumber},
		{"GET", "/settings/phone-numbers/{id}", admin, s.settings.EditPhoneNumber},
		{"POST", "/settings/phone-numbers/{id}", admin, s.settings.UpdatePhoneNumber},
		{"POST", "/settings/phone-numbers/{id}/retry", admin, s.settings.RetryPhoneNumber},
		{"POST", "/settings/phone-numbers/{id}/end-rest", admin, s.settings.EndRest},
		{"GET", "/settings/phone-numbers/{id}/inbound", admin, s.settings.EditInbound},
		{"POST", "/settings/phone-numbers/{id}/inbound", admin, s.settings.UpdateInbound},
		{"GET", "/settings/phone-numbers/{id}/inbound/set-up", admin, s.settings.InboundSetUp},
		{"POST", "/settings/phone-numbers/{id}/inbound/set-up", admin, s.settings.SetUpInbound},
		{"GET", "/settings/phone-numbers/{id}/sandbox-call", admin, s.settings.NewSandboxCall},
		{"POST", "/settings/phone-numbers/{id}/sandbox-call", admin, s.settings.CallInSandbox},
		{"GET", "/settings/phone-numbers/{id}/remove", admin, s.settings.ConfirmRemovePhoneNumber},
		{"POST", "/settings/phone-numbers/{id}/remove", admin, s.settings.RemovePhoneNumber},

		{"GET", "/settings/number-pools/new", admin, s.settings.NewNumberPool},
		{"POST", "/settings/number-pools", admin, s.settings.CreateNumberPool},
		{"GET", "/settings/number-pools/{id}", admin, s.settings.EditNumberPool},
		{"POST", "/settings/number-pools/{id}", admin, s.settings.UpdateNumberPool},
		{"GET", "/settings/number-pools/{id}/remove", admin, s.settings.ConfirmRemoveNumberPool},
		{"POST", "/settings/number-pools/{id}/remove", admin, s.settings.RemoveNumberPool},

		{"GET", "/settings/integrations", staff, s.settings.ListIntegrations},
		{"GET", "/settings/integrations/new", admin, s.settings.NewConnection},
		{"POST", "/settings/integrations", admin, s.settings.CreateConnection},
		{"GET", "/settings/integrations/whatsapp/new", admin, s.messages.NewWhatsApp},
		{"POST", "/settings/integrations/whatsapp", admin, s.messages.ConnectWhatsApp},
		{"GET", "/settings/integrations/whatsapp/{id}", staff, s.messages.ShowWhatsApp},
		{"GET", "/settings/integrations/whatsapp/{id}/edit", admin, s.messages.EditWhatsApp},
		{"POST", "/settings/integrations/whatsapp/{id}", admin, s.messages.UpdateWhatsApp},
		{"POST", "/settings/integrations/whatsapp/{id}/refresh", admin, s.messages.RefreshWhatsApp},
		{"GET", "/settings/integrations/whatsapp/{id}/disconnect", admin, s.messages.ConfirmDisconnectWhatsApp},
		{"POST", "/settings/integrations/whatsapp/{id}/disconnect", admin, s.messages.DisconnectWhatsApp},
		{"GET", "/settings/integrations/models/new", admin, s.settings.NewModel},
		{"POST", "/settings/integrations/models", admin, s.settings.CreateModel},
		{"GET", "/settings/integrations/models/{id}", admin, s.settings.EditModel},
		{"POST", "/settings/integrations/models/{id}", admin, s.settings.UpdateModel},
		{"POST", "/settings/integrations/models/{id}/check", admin, s.settings.CheckModel},
		{"POST", "/settings/integrations/models/{id}/retry", admin, s.settings.RetryModel},
		{"GET", "/settings/integrations/models/{id}/remove", admin, s.settings.ConfirmRemoveModel},
		{"POST", "/settings/integrations/models/{id}/remove", admin, s.settings.RemoveModel},
		{"GET", "/settings/tools", staff, s.settings.ListTools},
		{"GET", "/settings/tools/new", admin, s.settings.NewTool},
		{"POST", "/settings/tools", admin, s.settings.CreateTool},
		{"GET", "/settings/tools/{id}", admin, s.settings.EditTool},
		{"POST", "/settings/tools/{id}", admin, s.settings.UpdateTool},
		{"GET", "/settings/tools/{id}/try", admin, s.settings.TryToolForm},
		{"POST", "/settings/tools/{id}/try", admin, s.settings.TryTool},
		{"GET", "/settings/tools/{id}/rotate-secret", admin, s.settings.ConfirmRotateToolSecret},
		{"POST", "/settings/tools/{id}/rotate-secret", admin, s.settings.RotateToolSecret},
		{"GET", "/settings/tools/{id}/remove", admin, s.settings.ConfirmRemoveTool},
		{"POST", "/settings/tools/{id}/remove", admin, s.settings.RemoveTool},
		{"GET", "/settings/integrations/{id}", admin, s.settings.EditConnection},
		{"POST", "/settings/integrations/{id}", admin, s.settings.UpdateConnection},
		{"GET", "/settings/integrations/{id}/previous-token/remove", admin, s.settings.ConfirmRemovePreviousToken},
		{"POST", "/settings/integrations/{id}/previous-token/remove", admin, s.settings.RemovePreviousToken},
		{"POST", "/settings/integrations/{id}/check", admin, s.settings.CheckConnection},
		{"POST", "/settings/integrations/{id}/retry", admin, s.settings.RetryConnection},
		{"GET", "/settings/integrations/{id}/remove", admin, s.settings.ConfirmRemoveConnection},
		{"POST", "/settings/integrations/{id}/remove", admin, s.settings.RemoveConnection},

		{"GET", "/settings/do-not-call", staff, s.settings.ListDoNotCall},
		{"GET", "/settings/do-not-call/new", admin, s.settings.NewDoNotCall},
		{"POST", "/settings/do-not-call", admin, s.settings.AddDoNotCall},
		{"GET", "/settings/do-not-call/export", staff, s.settings.ExportDoNotCall},
		{"GET", "/settings/do-not-call/import", admin, s.settings.NewDoNotCallImport},
		{"POST", "/settings/do-not-call/import", admin, s.settings.ImportDoNotCall},
		{"GET", "/settings/erasures", admin, s.settings.ListErasures},
		{"POST", "/settings/erasures", admin, s.settings.CreateErasure},
		{"GET", "/settings/evidence", admin, s.settings.EvidenceForm},
		{"POST", "/settings/evidence", admin, s.settings.CollectEvidence},
		{"POST", "/settings/evidence/download", admin, s.settings.DownloadEvidence},
		{"GET", "/settings/do-not-call/{id}/remove", admin, s.settings.ConfirmRemoveDoNotCall},
		{"POST", "/settings/do-not-call/{id}/remove", admin, s.settings.RemoveDoNotCall},

		{"GET", "/settings/members", staff, s.people.ListMembers},
		{"GET", "/settings/members/invite", admin, s.people.InviteForm},
		{"POST", "/settings/members/invite", admin, s.people.Invite},
		{"GET", "/settings/members/{id}", admin, s.people.Member},
		{"POST", "/settings/members/{id}/role", admin, s.people.ChangeRole},
		{"GET", "/settings/members/{id}/remove", admin, s.people.ConfirmRemoveMember},
		{"POST", "/settings/members/{id}/remove", admin, s.people.RemoveMember},
		{"POST", "/settings/members/{id}/reset-link", admin, s.people.CreateResetLink},
		{"GET", "/settings/members/{id}/reset-second-factor", admin, s.people.ConfirmResetSecondFactor},
		{"POST", "/settings/members/{id}/reset-second-factor", admin, s.people.ResetSecondFactor},
		{"POST", "/settings/invitations/{id}/renew", admin, s.people.RenewInvitation},
		{"GET", "/settings/invitations/{id}/revoke", admin, s.people.ConfirmRevokeInvitation},
		{"POST", "/settings/invitations/{id}/revoke", admin, s.people.RevokeInvitation},

		{"GET", "/settings/audit-log", admin, s.people.AuditLog},
		{"GET", "/settings/audit-log/export", admin, s.people.ExportAuditLog},
		{"GET", "/settings/audit-log/{id}", admin, s.people.AuditEntry},

		{"GET", "/settings/compliance", staff, s.settings.Compliance},
		{"POST", "/settings/compliance/consent", admin, s.settings.UpdateConsent},
		{"POST", "/settings/compliance/abandoned", admin, s.settings.UpdateAbandonedLimit},
		{"GET", "/settings/compliance/pre-dial-check", staff, s.settings.PreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check", admin, s.settings.SavePreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check/test", admin, s.settings.TestPreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check/enable", admin, s.settings.EnablePreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check/disable", admin, s.settings.DisablePreDialCheck},
		{"GET", "/settings/compliance/pre-dial-check/rotate-secret", admin, s.settings.ConfirmRotatePreDialSecret},
		{"POST", "/settings/compliance/pre-dial-check/rotate-secret", admin, s.settings.RotatePreDialSecret},
		{"GET", "/settings/compliance/pre-dial-check/remove", admin, s.settings.ConfirmRemovePreDialCheck},
		{"POST", "/settings/compliance/pre-dial-check/remove", admin, s.settings.RemovePreDialCheck},
		{"POST", "/settings/compliance/rules", admin, s.settings.UpdateCallingRules},
		{"GET", "/settings/compliance/rules/{rule}", admin, s.settings.EditCallingRule},
		{"POST", "/settings/compliance/rules/{rule}", admin, s.settings.UpdateCallingRule},
		{"GET", "/settings/compliance/own-rules/new", admin, s.settings.NewOwnRule},
		{"POST", "/settings/compliance/own-rules", admin, s.settings.AddOwnRule},
		{"GET", "/settings/compliance/own-rules/{rule}/remove", admin, s.settings.ConfirmRemoveOwnRule},
		{"POST", "/settings/compliance/own-rules/{rule}/remove", admin, s.settings.RemoveOwnRule},

		{"GET", "/settings/organization", staff, s.settings.Organization},
		{"POST", "/settings/organization", admin, s.settings.UpdateOrganization},
		{"POST", "/settings/organization/limits", admin, s.settings.UpdateCallingLimits},
		{"POST", "/settings/organization/budget", admin, s.settings.UpdateMonthlyBudget},
		{"POST", "/settings/organization/models", admin, s.settings.UpdateModelDay},
		{"GET", "/settings/organization/stop-calling", admin, s.settings.StopCallingForm},
		{"POST", "/settings/organization/stop-calling", admin, s.settings.StopCalling},
		{"POST", "/settings/organization/allow-calling", admin, s.settings.AllowCalling},

		{"GET", "/profile", staff, s.people.Profile},
		{"POST", "/profile", staff, s.people.Rename},
		{"POST", "/profile/password", staff, s.people.ChangePassword},
		{"GET", "/profile/second-factor/new", staff, s.people.SecondFactorForm},
		{"POST", "/profile/second-factor", staff, s.people.TurnOnSecondFactor},
		{"GET", "/profile/second-factor/recovery-codes", staff, s.people.RenewCodesForm},
		{"POST", "/profile/second-factor/recovery-codes", staff, s.people.RenewCodes},
		{"GET", "/profile/second-factor/off", staff, s.people.TurnOffForm},
		{"POST", "/profile/second-factor/off", staff, s.people.TurnOffSecondFactor},
		{"POST", "/profile/sessions/revoke-others", staff, s.people.RevokeOtherSessions},
		{"POST", "/profile/sessions/{id}/revoke", staff, s.people.RevokeSession},
	}
}

// redirect answers an address without a page with the page that people look for there.
func redirect(to string) frame.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error { return frame.SeeOther(w, r, to) }
}

func (s *server) routes() chi.Router {
	router := chi.NewRouter()
	router.Use(middleware.GetHead)
	for _, line := range s.table() {
		h := s.Handle(line.handle)
		if line.method == http.MethodPost && !line.takesList() {
			h = s.Handle(withForm(line.handle))
		}
		if line.role != anybody {
			h = s.people.NeedsRole(line.role, h)
		}
		router.Method(line.method, line.path, s.limitBody(line, h))
	}
	router.NotFound(s.Handle(func(http.ResponseWriter, *http.Request) error { return frame.ErrNoPage }).ServeHTTP)
	router.MethodNotAllowed(s.Handle(func(w http.ResponseWriter, _ *http.Request) error {
		return frame.ErrNoPage
	}).ServeHTTP)
	return router
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
