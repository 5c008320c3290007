package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

func jsonOf(t testing.TB, v any) (decoded any) {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(encoded, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestRoutesAndOperationsAreTheSame(t *testing.T) {
	t.Parallel()
	var described []string
	doc := describedAPI(t).doc
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	served := routes(t)
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described %q\nserved    %q", described, served)
	}
	if doc.Info.Version != "1.0.0" || doc.OpenAPI != "3.1.0" {
		t.Errorf("version %s, OpenAPI %s", doc.Info.Version, doc.OpenAPI)
	}
}

// Every operation describes the answers that every operation may give.
func TestOperationsAreComplete(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for path, item := range describedAPI(t).doc.Paths.Map() {
		for method, o := range item.Operations() {
			what := method + " " + path
			if o.Summary == "" || o.Description == "" || o.OperationID == "" || len(o.Tags) != 1 || ids[o.OperationID] {
				t.Errorf("%s: summary %q, tags %v, id %q", what, o.Summary, o.Tags, o.OperationID)
			}
			ids[o.OperationID] = true
			want := []string{"401", "403", "429", "500"}
			if path == "/me" { // it needs no scope
				want = []string{"401", "429", "500"}
			}
			if strings.Contains(path, "{id}") {
				want = append(want, "404")
			}
			// Every header but Range can be malformed: unreadable parts of Range are
			// ignored (RFC 9110 §14.2).
			refused := slices.ContainsFunc(o.Parameters, func(p *openapi3.ParameterRef) bool {
				return p.Value.Name != "Range"
			})
			if refused || o.RequestBody != nil {
				want = append(want, "400")
			}
			for _, status := range want {
				if o.Responses.Value(status) == nil {
					t.Errorf("%s: no %s", what, status)
				}
			}
			for status, response := range o.Responses.Map() {
				for _, header := range []string{
					"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit",
					"RateLimit-Policy",
				} {
					if h := response.Value.Headers[header]; h == nil || !h.Value.Required {
						t.Errorf("%s, %s: the header %s is not promised", what, status, header)
					}
				}
			}
		}
	}
}

// Every object is closed, and every field of an answer is always present.
func TestSchemasAreClosed(t *testing.T) {
	t.Parallel()
	doc := describedAPI(t).doc
	requests := []string{"NewCampaign", "NewCampaignAgentVersion", "NewRetry", "NewOutcomeDelays", "NewIntents",
		"NewDetection", "NewRecipient", "NewRecipients", "NewConsent", "NewCall", "NewCalls",
		"NewCampaignMessaging", "NewCampaignTemplate", "NewMessage", "NewMessages",
		"NewWebhook", "WebhookChange", "WebhookTest", "SecretRotation", "NewRecovery", "NewDoNotCall",
		"NewDoNotCallBatch", "NewErasure", "Resumption", "DoNotCallRemoval", "NumberPoolSettings", "NumberPoolChange",
		"NewProject", "ProjectChange", "NewPhoneNumber", "PhoneNumberChange",
		"NewCarrierConnection", "CarrierConnectionChange",
		"NewWhatsAppConnection", "WhatsAppConnectionChange", "NewDestination", "DestinationChange", "NewTransfer",
		"NewBranch",
		"NewModelConnection", "ModelConnectionChange", "NewTool", "ToolChange", "ToolTrial",
		"NewTestCase", "NewTestRecipient", "NewTestStep", "NewTestPlayer", "NewTestCheck", "NewTestRun",
		"NewAgent", "NewAgentModel", "NewAgentAnalysis", "NewAnalysis", "NewAgentLanguage", "NewEngines",
		"AgentChange", "NewQuestion", "NewSpeech",
		"AgentPublication", "InboundChange", "NewInboundSetUp", "NewInboundMessage", "NewInboundOutside",
		"CampaignChange", "CampaignRetry", "CallChange", "RecipientChange", "RecipientEdit", "ChosenRecipients",
		"NewFollowUp", "FollowUpChange", "FollowUpFinish", "NewWebhookFilters", "NewAnswerRule"}
	var look func(path string, s *openapi3.SchemaRef, optional bool)
	look = func(path string, s *openapi3.SchemaRef, optional bool) {
		if s == nil || s.Ref != "" && strings.Contains(path, ".") {
			return // checked where it is defined
		}
		if s.Value.Type.Is("object") || len(s.Value.Properties) > 0 {
			name := path[strings.LastIndexAny(path, ".")+1:]
			open := slices.Contains(freeform, strings.ToLower(name))
			if extra := s.Value.AdditionalProperties; !open && (extra.Has == nil || *extra.Has) ||
				open && extra.Schema == nil {
				t.Errorf("%s is not closed", path)
			}
			for name := range s.Value.Properties {
				if !optional && !slices.Contains(s.Value.Required, name) {
					t.Errorf("%s.%s is not required", path, name)
				}
			}
		}
		for name, p := range s.Value.Properties {
			look(path+"."+name, p, optional)
		}
		look(path+".items", s.Value.Items, optional)
		for _, list := range []openapi3.SchemaRefs{s.Value.OneOf, s.Value.AnyOf, s.Value.AllOf} {
			for _, p := range list {
				look(path+".one", p, optional)
			}
		}
	}
	for name, s := range doc.Components.Schemas {
		look(name, s, slices.Contains(requests, name))
	}
}

// The closed sets in the description equal the product's sets.
func TestEnumsAreThoseOfTheProduct(t *testing.T) {
	t.Parallel()
	schemas := describedAPI(t).doc.Components.Schemas
	for _, c := range []struct {
		name string
		got  []any
		want any
	}{
		{"CampaignStatus", schemas["CampaignStatus"].Value.Enum, campaign.Statuses},
		{"RecipientStatus", schemas["RecipientStatus"].Value.Enum, campaign.RecipientStatuses},
		{"RetryOutcome", schemas["RetryOutcome"].Value.Enum, campaign.RetryOutcomes},
		{"VoicemailAction", schemas["VoicemailAction"].Value.Enum, []string{campaign.HangUp, campaign.LeaveMessage}},
		{"MessagingTrigger", schemas["MessagingTrigger"].Value.Enum, campaign.Triggers},
		{"waiting.reason", schemas["Waiting"].Value.Properties["reason"].Value.Enum, campaign.WaitReasons},
		{"CallStatus", schemas["CallStatus"].Value.Enum, call.Statuses},
		{"Outcome", schemas["Outcome"].Value.Enum, call.Outcomes},
		{"ended_reason", schemas["Call"].Value.Properties["ended_reason"].Value.Enum, call.Reasons},
		{"answered_by", schemas["Call"].Value.Properties["answered_by"].Value.Enum, call.Answerers},
		{"Intent", schemas["Intent"].Value.Enum, conversation.Intents},
		{"IntentAction", schemas["IntentAction"].Value.Enum, campaign.IntentActions},
		{"FollowUpIntent", schemas["FollowUpIntent"].Value.Enum, campaign.FollowUpIntents},
		{"expect", schemas["Question"].Value.Properties["expect"].Value.Enum, conversation.Expects()},
		{"analysis.status", schemas["Analysis"].Value.Properties["status"].Value.Enum,
			[]conversation.AnalysisStatus{conversation.Pending, conversation.Ready, conversation.Failed}},
		{"sentiment", schemas["Analysis"].Value.Properties["sentiment"].Value.Enum,
			[]conversation.Sentiment{
				conversation.Positive, conversation.Neutral, conversation.Negative, conversation.Unknown,
			}},
		{
			"carrier", schemas["PhoneNumber"].Value.Properties["carrier"].Value.Enum,
			[]project.Kind{project.Sandbox, project.Twilio},
		},
		{
			"carrier of a connection", schemas["CarrierConnection"].Value.Properties["carrier"].Value.Enum,
			[]project.Kind{project.Twilio, project.Sandbox},
		},
		{"region", schemas["CarrierConnection"].Value.Properties["region"].Value.Enum, project.Regions},
		{"TransferMode", schemas["TransferMode"].Value.Enum, project.TransferModes},
		{"transfer.state", schemas["CallTransfer"].Value.Properties["state"].Value.Enum, call.TransferStates},
		{"NumberPoolStrategy", schemas["NumberPoolStrategy"].Value.Enum, project.Strategies},
		{"DoNotCall.channel", schemas["DoNotCallChannel"].Value.Enum, suppression.Channels},
		{"DoNotCall.source", schemas["DoNotCallSource"].Value.Enum, suppression.Sources},
		{"DeliveryStatus", schemas["DeliveryStatus"].Value.Enum, webhook.Statuses},
		{"Member.role", schemas["Member"].Value.Properties["role"].Value.Enum,
			account.Roles},
		{"EventType", schemas["EventType"].Value.Enum, webhook.Types()},
		{"Subscription", schemas["Subscription"].Value.Enum, webhook.Subscribable()},
		{"attempt.outcome", schemas["Attempt"].Value.Properties["outcome"].Value.Enum, sender.Outcomes},
	} {
		got := slices.DeleteFunc(slices.Clone(c.got), func(v any) bool { return v == nil })
		if want := jsonOf(t, c.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: described %v, is %v", c.name, got, want)
		}
	}
}

// The example bodies of the description are accepted unchanged, and the described fields
// are the fields that are read. Null is accepted for the fields that may be null in the
// description.
func TestTheDescribedBodyIsTheOneThatIsRead(t *testing.T) {
	t.Parallel()
	schemas := describedAPI(t).doc.Components.Schemas
	for name, body := range map[string]any{
		"NewCampaign": newCampaign{}, "NewRetry": campaign.RetryInput{}, "NewOutcomeDelays": campaign.OutcomeDelays{},
		"NewRecipient": intake.Recipient{}, "NewConsent": intake.Consent{},
		"NewCampaignMessaging": campaign.MessagingInput{}, "NewCampaignTemplate": messaging.TemplateInput{},
		"NewMessage": messaging.NewMessage{}, "NewCampaignAgentVersion": campaign.AgentVersion{},
		"AgentVersionSplit": campaign.VersionSplit{},
		"NewAgent":          project.AgentInput{}, "AgentChange": agentChange{}, "NewQuestion": project.QuestionInput{},
		"NewSpeech": speech.Settings{}, "AgentPublication": agentPublication{},
		"NewWebhook": webhook.Draft{}, "WebhookChange": webhook.Change{}, "SecretRotation": secretRotation{},
		"NewWebhookFilters":  webhook.FilterInput{},
		"DoNotCallRemoval":   doNotCallRemoval{},
		"NewRecovery":        newRecovery{},
		"NewFollowUp":        newFollowUp{},
		"FollowUpChange":     followUpChange{},
		"FollowUpFinish":     followup.Finish{},
		"NewAnswerRule":      conversation.AnswerRule{},
		"NumberPoolSettings": project.NumberPoolSettings{}, "NumberPoolRest": project.Rest{},
		"NewProject": project.Input{}, "ProjectChange": projectChange{},
		"NewPhoneNumber": project.NewNumberInput{}, "PhoneNumberChange": phoneNumberChange{},
		"NewCarrierConnection": project.NewConnectionInput{}, "CarrierConnectionChange": carrierConnectionChange{},
		"NewWhatsAppConnection": connection.NewInput{}, "WhatsAppConnectionChange": whatsAppChange{},
		"NewDestination": project.DestinationSettings{}, "DestinationChange": destinationChange{},
		"NewTransfer": project.TransferInput{}, "NewBranch": project.BranchInput{},
		"NumberPoolChange": numberPoolChange{}, "InboundChange": inboundChange{},
		"NewInboundSetUp": inboundSetUp{},
		"NewDoNotCall":    suppression.NewEntry{}, "NewDoNotCallBatch": newEntries{}, "NewErasure": newErasure{},
		"NewTestCase": evaluation.CaseInput{}, "NewTestRecipient": evaluation.Persona{},
		"NewTestStep":   evaluation.Step{},
		"NewTestPlayer": evaluation.Player{}, "NewTestCheck": evaluation.Check{}, "NewTestRun": evaluation.RunInput{},
	} {
		described := make([]string, 0, len(schemas[name].Value.Properties))
		for field := range schemas[name].Value.Properties {
			described = append(described, field)
		}
		read := slices.Clone(fieldsOf(reflect.TypeOf(body)).names)
		slices.Sort(described)
		slices.Sort(read)
		if !slices.Equal(described, read) {
			t.Errorf("%s: described %v, read %v", name, described, read)
		}
		for i, nullable := range fieldsOf(reflect.TypeOf(body)).nullable {
			field := fieldsOf(reflect.TypeOf(body)).names[i]
			if schema := schemas[name].Value.Properties[field]; schema != nil && nullable != permitsNull(schema.Value) {
				t.Errorf("%s.%s: nullable %t, described otherwise", name, field, nullable)
			}
			limit := fieldsOf(reflect.TypeOf(body)).limits[i]
			if schema := schemas[name].Value.Properties[field]; schema != nil && limit != maxElements &&
				(schema.Value.MaxItems == nil || *schema.Value.MaxItems != uint64(limit)) {
				t.Errorf("%s.%s: at most %d elements, described otherwise", name, field, limit)
			}
		}
	}

	w := newWorld(t)
	n := w.newTenant("Acme")
	w.whatsapp([]sandbox.Portfolio{{Tier: "TIER_1K",
		Accounts: []sandbox.Account{{ID: "10001", Numbers: []sandbox.Number{
			{ID: "106540352242922", PhoneNumber: "+1 312-555-0122", Name: "Support"}}}}}})
	n.connect("10001")
	operation := describedAPI(t).doc.Paths.Find("/campaigns").Post
	for name, example := range operation.RequestBody.Value.Content["application/json"].Examples {
		body := jsonOf(t, example.Value.Value).(object)
		body["project_id"], body["agent_id"], body["phone_number_id"] = n.project, n.agent, n.number
		for _, field := range []string{"scheduled_at", "expires_at"} {
			delete(body, field) // the times of the example have passed
		}
		if a := n.do("POST", "/campaigns", body); a.status != http.StatusCreated {
			t.Errorf("%s: %v", name, a)
		}
	}

	hook := "/webhooks/" + n.newWebhook()
	for path, method := range map[string]string{
		"/webhooks": "POST", "/webhooks/{id}": "PATCH", "/webhooks/{id}/rotate-secret": "POST",
		"/webhooks/{id}/test": "POST", "/webhooks/{id}/recover": "POST",
	} {
		example := describedAPI(t).doc.Paths.Find(path).
			GetOperation(method).RequestBody.Value.Content["application/json"].Example
		if path == "/webhooks/{id}/recover" {
			example = object{"since": time.Now().Add(-time.Hour)} // the time of the example has passed
		}
		if body, ok := jsonOf(t, example).(object); ok && body["filters"] != nil {
			body["filters"], example = object{"project_ids": []any{n.project}}, body
		}
		if a := n.do(method, strings.Replace(path, "/webhooks/{id}", hook, 1), example); a.status/100 != 2 {
			t.Errorf("%s: %v", path, a)
		}
	}
}

func permitsNull(s *openapi3.Schema) bool {
	return s.Type.Includes("null") || slices.ContainsFunc(s.OneOf, func(one *openapi3.SchemaRef) bool {
		return one.Value.Type.Includes("null")
	})
}

func TestTheDescriptionIsServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	published, err := reference.Publish(Description, w.app.PublicURL+"/api/v1")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, header ...string) *httptest.ResponseRecorder {
		r, err := http.NewRequest(method, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return recordedBy(Handler(w.app), r)
	}
	for path, want := range map[string]struct {
		mediaType string
		body      []byte
	}{
		"/openapi.json": {"application/json", published.JSON},
		"/openapi.yaml": {"application/yaml", published.YAML},
	} {
		a := ask("GET", path)
		if a.Code != http.StatusOK || a.Header().Get("Content-Type") != want.mediaType ||
			a.Header().Get("Access-Control-Allow-Origin") != "*" || !bytes.Equal(a.Body.Bytes(), want.body) {
			t.Errorf("%s: got %d, %v", path, a.Code, a.Header())
		}
		if b := ask("GET", path, "If-None-Match", a.Header().Get("ETag")); b.Code != http.StatusNotModified ||
			b.Body.Len() > 0 {
			t.Errorf("%s, again: got %d, %v", path, b.Code, b.Header())
		}
		if b := ask("GET", path, "Accept-Encoding", "gzip"); b.Header().Get("Content-Encoding") != "gzip" ||
			b.Body.Len() > len(want.body)/4 {
			t.Errorf("%s, compressed: %d bytes, %v", path, b.Body.Len(), b.Header())
		}
		if b := ask("POST", path); b.Code != http.StatusMethodNotAllowed || b.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: got %d, %v", path, b.Code, b.Header())
		}
	}
	if !strings.Contains(string(published.JSON), `"servers":[{"url":"`+w.app.PublicURL+`/api/v1"`) {
		t.Error("the description does not name its server")
	}
}
