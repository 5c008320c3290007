package api

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/compress"
	"github.com/dialwright/dialwright/internal/fault"
)

// api contains the App. Its methods are the handlers.
type api struct {
	*app.App
	router chi.Router
}

// Handler serves everything below /api, the description as JSON and YAML, and assistants. It must receive every
// request unchanged: a ServeMux in front of it would redirect odd paths before the key is
// checked.
func Handler(a *app.App) http.Handler {
	v1 := newAPI(a)
	router, assistant := v1.router, v1.assistant()
	described := describe(a.PublicURL)
	description := compress.Handler(described)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case described.serves(path):
			description.ServeHTTP(w, r)
		case path == mcpPath:
			assistant.ServeHTTP(w, r)
		case path == "/api/v1" || strings.HasPrefix(path, "/api/v1/"):
			router.ServeHTTP(w, r)
		default:
			serveElsewhere(w, r)
		}
	})
}

func newAPI(services *app.App) *api {
	a := &api{App: services, router: chi.NewRouter()}
	a.router.Use(compress.Handler, a.observe, middleware.GetHead, a.authenticate)
	a.router.NotFound(a.handle(a.notFound))
	a.router.MethodNotAllowed(a.handle(a.methodNotAllowed))
	a.router.Route("/api/v1", a.routes)
	return a
}

// routes registers every route with its scope.
func (a *api) routes(r chi.Router) {
	r.Get("/me", a.handle(a.getMe)) // without a scope
	r.Get("/campaigns/quota", a.need(account.NumbersRead, a.quota))
	r.Post("/campaigns", a.need(account.CampaignsWrite, a.createCampaign))
	r.Get("/campaigns", a.need(account.CampaignsRead, list(campaignFilter, a.Campaigns.List)))
	r.Get("/campaigns/{id}", a.need(account.CampaignsRead, one("Campaign", a.Campaigns.Get)))
	r.Patch("/campaigns/{id}", a.need(account.CampaignsWrite, a.updateCampaign))
	r.Delete("/campaigns/{id}", a.need(account.CampaignsWrite, remove("Campaign", a.Campaigns.Delete)))
	r.Post("/campaigns/{id}/start", a.need(account.CampaignsWrite, a.startCampaign))
	r.Post("/campaigns/{id}/pause", a.need(account.CampaignsWrite, act("Campaign", a.Campaigns.Pause)))
	r.Post("/campaigns/{id}/resume", a.need(account.CampaignsWrite, a.resumeCampaign))
	r.Post("/campaigns/{id}/cancel", a.need(account.CampaignsWrite, act("Campaign", a.Campaigns.Cancel)))
	r.Post("/campaigns/{id}/retry", a.need(account.CampaignsWrite, a.retryCampaign))
	r.Put("/campaigns/{id}/budget", a.need(account.CampaignsWrite, a.setBudget))
	r.Delete("/campaigns/{id}/budget", a.need(account.CampaignsWrite, remove("Campaign", a.Campaigns.RemoveBudget)))
	r.Get("/campaigns/{id}/answers", a.need(account.CampaignsRead, a.campaignAnswers))
	r.Get("/campaigns/{id}/log", a.need(account.CampaignsRead, listOf("Campaign", (*query).page, a.Campaigns.Log)))
	r.Get("/campaigns/{id}/recipients",
		a.need(account.CampaignsRead, listOf("Campaign", recipientPage, a.Campaigns.Recipients)))
	r.Get("/campaigns/{id}/recipients/export", a.need(account.CampaignsRead, a.exportRecipients))
	r.Get("/campaigns/{id}/recipients/{recipient_id}", a.need(account.CampaignsRead, a.getRecipient))
	r.Post("/campaigns/{id}/recipients", a.need(account.CampaignsWrite, a.appendRecipients))
	r.Patch("/campaigns/{id}/recipients", a.need(account.CampaignsWrite, a.updateRecipients))
	r.Post("/campaigns/{id}/recipients/cancel",
		a.need(account.CampaignsWrite, a.changeRecipients(a.Campaigns.CancelRecipients)))
	r.Post("/campaigns/{id}/recipients/prioritize",
		a.need(account.CampaignsWrite, a.changeRecipients(a.Campaigns.PrioritizeRecipients)))
	r.Patch("/campaigns/{id}/recipients/{recipient_id}", a.need(account.CampaignsWrite, a.updateRecipient))
	r.Post("/campaigns/{id}/recipients/{recipient_id}/cancel",
		a.need(account.CampaignsWrite, a.changeRecipient(a.Campaigns.CancelRecipient)))
	r.Post("/campaigns/{id}/recipients/{recipient_id}/prioritize",
		a.need(account.CampaignsWrite, a.changeRecipient(a.Campaigns.PrioritizeRecipient)))
	r.Get("/calls", a.need(account.CallsRead, a.listCalls))
	r.Get("/calls/export", a.need(account.CallsRead, a.exportCalls))
	r.Post("/calls", a.need(account.CallsWrite, a.createCall))
	r.Post("/calls/batch", a.need(account.CallsWrite, a.createCalls))
	r.Post("/calls/cancel", a.need(account.CallsWrite, a.cancelCalls))
	r.Post("/calls/{id}/cancel", a.need(account.CallsWrite, a.changeCall(a.Campaigns.CancelCall)))
	r.Post("/calls/{id}/hang-up", a.need(account.CallsWrite, a.changeCall(a.Calls.End)))
	r.Post("/calls/{id}/transfer", a.need(account.CallsWrite, a.transferCall))
	r.Get("/calls/{id}/notes", a.need(account.CallsRead, listOf("Call", (*query).page, a.Calls.ListNotes)))
	r.Post("/calls/{id}/notes", a.need(account.CallsWrite, a.addNote))
	r.Get("/calls/{id}", a.need(account.CallsRead, a.getCall))
	r.Patch("/calls/{id}", a.need(account.CallsWrite, a.updateCall))
	r.Get("/calls/{id}/settings", a.need(account.CallsRead, a.getCallSettings))
	r.Get("/calls/{id}/analyses", a.need(account.CallsRead, listOf("Call", (*query).page, a.Analyses.List)))
	r.Post("/calls/{id}/analyses", a.need(account.CallsWrite, a.analyzeCall))
	r.Get("/calls/{id}/recording", a.need(account.CallsRead, a.getRecording))
	r.Get("/members", a.need(account.FollowUpsRead, list((*query).page, a.Accounts.ListMembers)))
	r.Get("/follow-ups", a.need(account.FollowUpsRead, list(followUpFilter, a.FollowUps.List)))
	r.Post("/follow-ups", a.need(account.FollowUpsWrite, a.createFollowUp))
	r.Post("/follow-ups/done", a.need(account.FollowUpsWrite, a.finishFollowUps))
	r.Get("/follow-ups/{id}", a.need(account.FollowUpsRead, one("Follow-up", a.FollowUps.Get)))
	r.Patch("/follow-ups/{id}", a.need(account.FollowUpsWrite, a.updateFollowUp))
	r.Post("/follow-ups/{id}/done", a.need(account.FollowUpsWrite, a.finishFollowUp))
	r.Post("/follow-ups/{id}/reopen", a.need(account.FollowUpsWrite, act("Follow-up", a.FollowUps.Reopen)))
	r.Get("/costs", a.need(account.CallsRead, a.listCosts))
	r.Get("/costs/export", a.need(account.CallsRead, a.exportCosts))
	r.Post("/messages", a.need(account.MessagesWrite, a.createMessage))
	r.Post("/messages/batch", a.need(account.MessagesWrite, a.createMessages))
	r.Get("/messages", a.need(account.MessagesRead, list(messageFilter, a.Messaging.List)))
	r.Get("/messages/{id}", a.need(account.MessagesRead, one("Message", a.Messaging.Get)))
	r.Get("/whatsapp/templates", a.need(account.MessagesRead, list((*query).page, a.WhatsApp.Templates)))
	r.Get("/whatsapp/templates/{id}", a.need(account.MessagesRead, one("Template", a.WhatsApp.Template)))
	r.Post("/phone-numbers", a.need(account.NumbersWrite, a.addPhoneNumber))
	r.Get("/whatsapp/connections", a.need(account.ConnectionsRead, list((*query).page, a.WhatsApp.Connections)))
	r.Post("/whatsapp/connections", a.need(account.ConnectionsWrite, a.connectWhatsApp))
	r.Get("/whatsapp/connections/{id}",
		a.need(account.ConnectionsRead, one("Connection", a.WhatsApp.ActiveConnection)))
	r.Patch("/whatsapp/connections/{id}", a.need(account.ConnectionsWrite, a.updateWhatsApp))
	r.Delete("/whatsapp/connections/{id}",
		a.need(account.ConnectionsWrite, remove("Connection", a.WhatsApp.Disconnect)))
	r.Get("/phone-numbers", a.need(account.NumbersRead, list((*query).page, a.Projects.VoiceNumbers)))
	r.Get("/phone-numbers/{id}", a.need(account.NumbersRead, one("Phone number", a.Projects.VoiceNumber)))
	r.Patch("/phone-numbers/{id}", a.need(account.NumbersWrite, a.updatePhoneNumber))
	r.Delete("/phone-numbers/{id}",
		a.need(account.NumbersWrite, remove("Phone number", a.Projects.DeactivatePhoneNumber)))
	r.Get("/phone-numbers/{id}/stats", a.need(account.NumbersRead, one("Phone number", a.Calls.NumberStatsOf)))
	r.Get("/phone-numbers/{id}/inbound", a.need(account.NumbersRead, one("Phone number", a.Projects.Inbound)))
	r.Put("/phone-numbers/{id}/inbound", a.need(account.NumbersWrite, a.setInbound))
	r.Get("/phone-numbers/{id}/inbound/set-up",
		a.need(account.NumbersRead, one("Phone number", a.Projects.InboundSetUp)))
	r.Post("/phone-numbers/{id}/inbound/set-up", a.need(account.NumbersWrite, a.setUpInbound))
	r.Post("/number-pools", a.need(account.NumbersWrite, a.createNumberPool))
	r.Get("/number-pools", a.need(account.NumbersRead, list((*query).page, a.Projects.NumberPools)))
	r.Get("/number-pools/{id}", a.need(account.NumbersRead, one("Number pool", a.Projects.ActiveNumberPool)))
	r.Put("/number-pools/{id}", a.need(account.NumbersWrite, a.replaceNumberPool))
	r.Delete("/number-pools/{id}",
		a.need(account.NumbersWrite, remove("Number pool", a.Projects.DeactivateNumberPool)))
	r.Get("/carrier-connections", a.need(account.ConnectionsRead, list((*query).page, a.Projects.Connections)))
	r.Post("/carrier-connections", a.need(account.ConnectionsWrite, a.createCarrierConnection))
	r.Get("/carrier-connections/{id}",
		a.need(account.ConnectionsRead, one("Connection", a.Projects.ActiveConnection)))
	r.Patch("/carrier-connections/{id}", a.need(account.ConnectionsWrite, a.updateCarrierConnection))
	r.Delete("/carrier-connections/{id}",
		a.need(account.ConnectionsWrite, remove("Connection", a.Projects.DeactivateConnection)))
	r.Get("/model-connections", a.need(account.ConnectionsRead, list((*query).page, a.Models.List)))
	r.Post("/model-connections", a.need(account.ConnectionsWrite, a.createModelConnection))
	r.Get("/model-connections/{id}", a.need(account.ConnectionsRead, one(modelConnection, a.Models.Get)))
	r.Patch("/model-connections/{id}", a.need(account.ConnectionsWrite, a.updateModelConnection))
	r.Delete("/model-connections/{id}", a.need(account.ConnectionsWrite, remove(modelConnection, a.Models.Deactivate)))
	r.Post("/model-connections/{id}/check", a.need(account.ConnectionsWrite, a.checkModelConnection))
	r.Get("/tools", a.need(account.ConnectionsRead, list((*query).page, a.Tools.List)))
	r.Post("/tools", a.need(account.ConnectionsWrite, a.createTool))
	r.Get("/tools/{id}", a.need(account.ConnectionsRead, one("Tool", a.Tools.Get)))
	r.Patch("/tools/{id}", a.need(account.ConnectionsWrite, a.updateTool))
	r.Delete("/tools/{id}", a.need(account.ConnectionsWrite, remove("Tool", a.Tools.Deactivate)))
	r.Post("/tools/{id}/rotate-secret", a.need(account.ConnectionsWrite, a.rotateToolSecret))
	r.Post("/tools/{id}/try", a.need(account.ConnectionsWrite, a.tryTool))
	r.Post("/projects", a.need(account.ProjectsWrite, a.createProject))
	r.Get("/projects", a.need(account.ProjectsRead, list((*query).page, a.Projects.Projects)))
	r.Get("/projects/{id}", a.need(account.ProjectsRead, one("Project", a.Projects.ActiveProject)))
	r.Patch("/projects/{id}", a.need(account.ProjectsWrite, a.updateProject))
	r.Delete("/projects/{id}", a.need(account.ProjectsWrite, remove("Project", a.Projects.DeactivateProject)))
	r.Post("/destinations", a.need(account.ProjectsWrite, a.createDestination))
	r.Get("/destinations", a.need(account.ProjectsRead, list((*query).page, a.Projects.Destinations)))
	r.Get("/destinations/{id}", a.need(account.ProjectsRead, one("Destination", a.Projects.ActiveDestination)))
	r.Put("/destinations/{id}", a.need(account.ProjectsWrite, a.replaceDestination))
	r.Delete("/destinations/{id}",
		a.need(account.ProjectsWrite, remove("Destination", a.Projects.DeactivateDestination)))
	r.Get("/agents", a.need(account.ProjectsRead, list((*query).page, a.Projects.Agents)))
	r.Post("/agents", a.need(account.AgentsWrite, a.createAgent))
	r.Get("/agents/{id}", a.need(account.AgentsRead, one("Agent", a.Projects.ActiveAgent)))
	r.Patch("/agents/{id}", a.need(account.AgentsWrite, a.updateAgent))
	r.Delete("/agents/{id}", a.need(account.AgentsWrite, remove("Agent", a.Projects.DeactivateAgent)))
	r.Post("/agents/{id}/publish", a.need(account.AgentsWrite, a.publishAgent))
	r.Get("/agents/{id}/versions", a.need(account.AgentsRead, listOf("Agent", (*query).page, a.Projects.AgentVersions)))
	r.Get("/agents/{id}/answers", a.need(account.AgentsRead, a.agentAnswers))
	r.Get("/agents/{id}/stats", a.need(account.AgentsRead, one("Agent", a.Calls.AgentStats)))
	r.Get("/agents/{id}/versions/{number}", a.need(account.AgentsRead, a.getAgentVersion))
	r.Get("/agents/{id}/test-cases", a.need(account.AgentsRead, listOf("Agent", (*query).page, a.Evaluations.Cases)))
	r.Post("/agents/{id}/test-cases", a.need(account.AgentsWrite, ofAgent(a.createTestCase)))
	r.Get("/agents/{id}/test-cases/{case_id}", a.need(account.AgentsRead, ofAgent(a.getTestCase)))
	r.Put("/agents/{id}/test-cases/{case_id}", a.need(account.AgentsWrite, ofAgent(a.replaceTestCase)))
	r.Delete("/agents/{id}/test-cases/{case_id}", a.need(account.AgentsWrite, ofAgent(a.deleteTestCase)))
	r.Get("/agents/{id}/test-runs", a.need(account.AgentsRead, listOf("Agent", (*query).page, a.Evaluations.Runs)))
	r.Post("/agents/{id}/test-runs", a.need(account.AgentsWrite, ofAgent(a.startTestRun)))
	r.Get("/agents/{id}/test-runs/{run_id}", a.need(account.AgentsRead, ofAgent(a.getTestRun)))
	r.Post("/agents/{id}/test-runs/{run_id}/cancel", a.need(account.AgentsWrite, ofAgent(a.cancelTestRun)))
	r.Get("/agents/{id}/test-runs/{run_id}/attempts/{attempt_id}",
		a.need(account.AgentsRead, ofAgent(a.getTestAttempt)))
	r.Post("/webhooks", a.need(account.WebhooksWrite, a.createWebhook))
	r.Get("/webhooks", a.need(account.WebhooksRead, list((*query).page, a.Webhooks.List)))
	r.Get("/webhooks/{id}", a.need(account.WebhooksRead, one("Webhook", a.Webhooks.Get)))
	r.Patch("/webhooks/{id}", a.need(account.WebhooksWrite, a.updateWebhook))
	r.Delete("/webhooks/{id}", a.need(account.WebhooksWrite, remove("Webhook", a.Webhooks.Delete)))
	r.Post("/webhooks/{id}/rotate-secret", a.need(account.WebhooksWrite, a.rotateSecret))
	r.Post("/webhooks/{id}/test", a.need(account.WebhooksWrite, a.testWebhook))
	r.Post("/webhooks/{id}/recover", a.need(account.WebhooksWrite, a.recoverWebhook))
	r.Get("/webhooks/{id}/recover", a.need(account.WebhooksRead, one("Webhook", a.Webhooks.LatestRecovery)))
	r.Get("/webhooks/{id}/deliveries",
		a.need(account.WebhooksRead, listOf("Webhook", deliveryFilter, a.Webhooks.Deliveries)))
	r.Get("/webhooks/{id}/deliveries/{delivery_id}", a.need(account.WebhooksRead, a.getDelivery))
	r.Post("/webhooks/{id}/deliveries/{delivery_id}/resend", a.need(account.WebhooksWrite, a.resendDelivery))
	r.Get("/do-not-call", a.need(account.SuppressionsRead, list(doNotCallFilter, a.Suppressions.List)))
	r.Post("/do-not-call", a.need(account.SuppressionsWrite, a.addDoNotCall))
	r.Post("/do-not-call/batch", a.need(account.SuppressionsWrite, a.addManyDoNotCall))
	r.Get("/do-not-call/{id}", a.need(account.SuppressionsRead, one("Do-not-call entry", a.Suppressions.Entry)))
	r.Delete("/do-not-call/{id}", a.need(account.SuppressionsWrite, a.removeDoNotCall))
	r.Get("/erasures", a.need(account.SuppressionsRead, list((*query).page, a.Erasures.List)))
	r.Post("/erasures", a.need(account.SuppressionsWrite, a.createErasure))
	r.Get("/erasures/{id}", a.need(account.SuppressionsRead, one("Erasure", a.Erasures.Get)))
	r.Post("/evidence", a.need(account.EvidenceRead, a.collectEvidence))
	r.Get("/events", a.need(account.WebhooksRead, a.listEvents))
	r.Get("/events/{id}", a.need(account.WebhooksRead, one("Event", a.Webhooks.Event)))
	r.Get("/event-types", a.need(account.WebhooksRead, a.listEventTypes))
}

func (a *api) notFound(http.ResponseWriter, *http.Request) error {
	return fault.New(fault.NotFound, "Not found")
}

// methodNotAllowed names the allowed methods of the path. chi also calls it for methods
// unknown to it, on any path.
func (a *api) methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, method := range []string{
		http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete,
	} {
		if a.router.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
			if method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
	}
	if len(allowed) == 0 {
		return a.notFound(w, r)
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	sendProblem(w, r, http.StatusMethodNotAllowed, "Method not allowed")
	return nil
}
