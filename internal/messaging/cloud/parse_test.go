package cloud

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"
)

// The examples follow Meta's reference of webhooks.
func TestParse(t *testing.T) {
	t.Parallel()
	const batch = `{"object":"whatsapp_business_account","entry":[
	{"id":"102290129340398","time":1739321024,"changes":[
	  {"field":"messages","value":{"messaging_product":"whatsapp",
	    "metadata":{"display_phone_number":"15550783881","phone_number_id":"106540352242922"},
	    "statuses":[
	      {"id":"wamid.A","status":"sent","timestamp":"1750030073","recipient_id":"16505551234",` +
		`"biz_opaque_callback_data":"ours",
	       "conversation":{"id":"x"},"pricing":{"billable":true,"pricing_model":"PMP","type":"regular",` +
		`"category":"marketing"},"new_field":{"a":[1]}},
	      {"id":"wamid.A","status":"failed","timestamp":1750030074,
	       "errors":[{"code":131050,"title":"Unable to deliver","message":"Unable","error_data":{"details":"to ` +
		`16505551234"}}]},
	      {"id":"wamid.B","status":"read","timestamp":"soon","pricing":{"billable":"yes","category":"utility"}},
	      {"id":"wamid.C","status":"failed","errors":[{"code":139999,"title":"New",` +
		`"error_data":{"details":"Something new with +1 650 555 1234"}}]},
	      {"id":"wamid.D","status":"failed"},
	      {"id":"wamid.E","status":"failed","errors":[{"code":1,"title":"API Unknown"}]}]}},
	  {"field":"messages","value":{"metadata":{"phone_number_id":"106540352242922"},
	    "contacts":[{"profile":{"name":"Sheena"},"wa_id":"16505551234","user_id":"US.1349"}],
	    "messages":[
	      {"from":"16505551234","id":"wamid.I1","timestamp":"1749416383","type":"text","text":{"body":"STOP"},` +
		`"context":{"from":"15550783881","id":"wamid.A"}},
	      {"from":"16505551234","id":"wamid.I2","timestamp":"1749416384","type":"interactive",` +
		`"interactive":{"type":"button_reply","button_reply":{"id":"b1","title":"Yes"}}},
	      {"id":"wamid.I3","from_user_id":"US.1349","timestamp":"1749416385","type":"image","image":{"id":"1"}}]}}]},
	{"id":"999","changes":[
	  {"field":"user_preferences","value":{"metadata":{"phone_number_id":"1"},"user_preferences":[
	      {"wa_id":"16505551234","detail":"User requested to stop marketing ` +
		`messages","category":"marketing_messages","value":"stop","timestamp":1731705721}]}},
	  {"field":"business_capability_update","value":{"max_daily_conversation_per_phone":250,` +
		`"max_daily_conversations_per_business":2000}},
	  {"field":"business_capability_update","value":{"max_daily_conversations_per_business":"TIER_UNLIMITED"}},
	  {"field":"business_capability_update","value":{"max_daily_conversation_per_phone":-1}},
	  {"field":"business_capability_update","value":{"max_phone_numbers_per_business":25}},
	  {"field":"phone_number_quality_update","value":{"display_phone_number":"15550783881",` +
		`"event":"THROUGHPUT_UPGRADE","current_limit":"TIER_UNLIMITED"}},
	  {"field":"account_update","value":{"phone_number":"15550783881","event":"DISABLED_UPDATE",` +
		`"ban_info":{"waba_ban_state":"DISABLE","waba_ban_date":"x"}}},
	  {"field":"account_update","value":{"event":"ACCOUNT_RESTRICTION",` +
		`"restriction_info":[{"restriction_type":"RESTRICTED_BIZ_INITIATED_MESSAGING","expiration":1641848400}]}},
	  {"field":"message_template_status_update","value":{"event":"REJECTED","message_template_id":594425479261596,` +
		`"message_template_name":"follow_up","message_template_language":"pt-BR","reason":"INCORRECT_CATEGORY"}},
	  {"field":"flows","value":{"anything":1}}]}]}`
	events, skipped, err := Parse([]byte(batch))
	if err != nil || skipped != 0 {
		t.Fatalf("%d skipped, %v", skipped, err)
	}
	const account, number = "102290129340398", "106540352242922"
	at := func(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }
	want := []Event{
		Status{AccountID: account, NumberID: number, MessageID: "wamid.A", Reference: "ours", State: Sent,
			At: at(1750030073), WaID: "16505551234",
			Pricing: Pricing{Category: "marketing", Type: "regular", Billable: true}},
		Status{AccountID: account, NumberID: number, MessageID: "wamid.A", State: Failed, At: at(1750030074),
			Failure: &Error{Class: OptedOut, Code: 131050, Reason: codes[131050].reason}},
		Status{
			AccountID: account, NumberID: number, MessageID: "wamid.B", State: Read,
			Pricing: Pricing{Category: "utility"},
		},
		Status{
			AccountID: account, NumberID: number, MessageID: "wamid.C", State: Failed,
			Failure: &Error{Class: Permanent, Code: 139999, Reason: "Something new with …"},
		},
		Status{AccountID: account, NumberID: number, MessageID: "wamid.D", State: Failed,
			Failure: &Error{Class: Permanent, Reason: "WhatsApp could not deliver the message and does not say why"}},
		Status{
			AccountID: account, NumberID: number, MessageID: "wamid.E", State: Failed,
			Failure: &Error{Class: Retry, Code: 1, Reason: codes[1].reason},
		},
		Inbound{
			AccountID: account, NumberID: number, MessageID: "wamid.I1", WaID: "16505551234", UserID: "US.1349",
			Name: "Sheena", Kind: "text", Text: "STOP", ReplyTo: "wamid.A", At: at(1749416383),
		},
		Inbound{
			AccountID: account, NumberID: number, MessageID: "wamid.I2", WaID: "16505551234", UserID: "US.1349",
			Name: "Sheena", Kind: "interactive", Text: "Yes", Payload: "b1", At: at(1749416384),
		},
		Inbound{
			AccountID: account, NumberID: number, MessageID: "wamid.I3", UserID: "US.1349", Name: "Sheena",
			Kind: "image", At: at(1749416385),
		},
		Preference{
			AccountID: "999", NumberID: "1", WaID: "16505551234", Category: "marketing_messages", Value: "stop",
			At: at(1731705721),
		},
		CapabilityUpdate{AccountID: "999", Tier: ParseTier("2000")},
		CapabilityUpdate{AccountID: "999", Tier: ParseTier("TIER_UNLIMITED")},
		CapabilityUpdate{AccountID: "999", Tier: ParseTier("-1")},
		CapabilityUpdate{AccountID: "999"},
		QualityUpdate{AccountID: "999", PhoneNumber: "+15550783881", Kind: "THROUGHPUT_UPGRADE"},
		AccountUpdate{AccountID: "999", Kind: "DISABLED_UPDATE", PhoneNumber: "+15550783881", BanState: "DISABLE"},
		AccountUpdate{
			AccountID: "999", Kind: "ACCOUNT_RESTRICTION",
			Restrictions: []string{"RESTRICTED_BIZ_INITIATED_MESSAGING"},
		},
		TemplateUpdate{
			AccountID: "999", TemplateID: "594425479261596", Name: "follow_up", Language: "pt-BR", Status: "REJECTED",
			Reason: "INCORRECT_CATEGORY",
		},
	}
	for i := range max(len(events), len(want)) {
		if i >= len(events) || i >= len(want) || !reflect.DeepEqual(events[i], want[i]) {
			t.Fatalf("event %d:\n got %+v\nwant %+v", i, events[i:], want[min(i, len(want)):])
		}
	}
}

// The examples of Meta's documentation, and the older form of alerts.
func TestParseReviews(t *testing.T) {
	t.Parallel()
	const body = `{"object":"whatsapp_business_account","entry":[{"id":"1","time":1739321024,"changes":[
	{"field":"template_category_update","value":{"message_template_id":278077987957091,
	  "message_template_name":"welcome","message_template_language":"en-US","correct_category":"MARKETING",
	  "new_category":"UTILITY","category_update_timestamp":1746082800}},
	{"field":"template_category_update","value":{"message_template_id":278077987957091,
	  "message_template_name":"welcome","message_template_language":"en-US","previous_category":"UTILITY",
	  "new_category":"MARKETING"}},
	{"field":"message_template_quality_update","value":{"previous_quality_score":"GREEN",
	  "new_quality_score":"YELLOW","message_template_id":806312974732579,"message_template_name":"welcome",
	  "message_template_language":"en-US"}},
	{"field":"phone_number_name_update","value":{"display_phone_number":"15550783881","decision":"APPROVED",
	  "requested_verified_name":"Lucky Shrub","rejection_reason":null}},
	{"field":"account_alerts","value":{"entity_type":"BUSINESS","entity_id":506914307656634,
	  "alert_severity":"INFORMATIONAL","alert_status":"NONE","alert_type":"OBA_APPROVED","alert_description":"Yes."}},
	{"field":"account_alerts","value":{"entity_type":"WABA","entity_id":"9","alert_info":{
	  "alert_severity":"CRITICAL","alert_status":"ACTIVE","alert_type":"NEW","alert_description":" No. "}}},
	{"field":"template_category_update","value":{}},
	{"field":"message_template_quality_update","value":{"message_template_name":"welcome"}},
	{"field":"phone_number_name_update","value":{"decision":"APPROVED"}},
	{"field":"account_alerts","value":{"entity_type":"WABA"}}]}]}`
	at := time.Unix(1739321024, 0).UTC()
	want := []Event{
		CategoryUpdate{
			AccountID: "1", TemplateID: "278077987957091", Name: "welcome", Language: "en-US", Category: "UTILITY",
			Next: "MARKETING", NextAt: time.Unix(1746082800, 0).UTC(),
		},
		CategoryUpdate{
			AccountID: "1", TemplateID: "278077987957091", Name: "welcome", Language: "en-US", Previous: "UTILITY",
			Category: "MARKETING",
		},
		TemplateQualityUpdate{
			AccountID: "1", TemplateID: "806312974732579", Name: "welcome", Language: "en-US", Previous: "GREEN",
			Quality: "YELLOW",
		},
		NameUpdate{AccountID: "1", PhoneNumber: "+15550783881", Decision: "APPROVED", Name: "Lucky Shrub", At: at},
		AccountAlert{
			AccountID: "1", EntityType: "BUSINESS", EntityID: "506914307656634", Kind: "OBA_APPROVED",
			Severity: "INFORMATIONAL", Status: "NONE", Description: "Yes.", At: at,
		},
		AccountAlert{
			AccountID: "1", EntityType: "WABA", EntityID: "9", Kind: "NEW", Severity: "CRITICAL", Status: "ACTIVE",
			Description: "No.", At: at,
		},
	}
	events, skipped, err := Parse([]byte(body))
	if err != nil || skipped != 4 || !reflect.DeepEqual(events, want) {
		t.Errorf("%d skipped, %v\n got %+v\nwant %+v", skipped, err, events, want)
	}
}

// A broken part does not affect the other parts.
func TestParseSkipsWhatIsBroken(t *testing.T) {
	t.Parallel()
	const body = `{"object":"whatsapp_business_account","entry":[17,
	{"id":"1","changes":["x",
	  {"field":"messages","value":[]},
	  {"field":"messages"},
	  {"field":"account_update","value":{}},
	  {"field":"messages","value":{"statuses":[null,7,{"status":"sent"},{"id":"wamid.A"},{"id":"wamid.B",` +
		`"status":"sent"}],"messages":[{"from":"1"},{"id":"wamid.C","text":"not an object"}]}}]}]}`
	events, skipped, err := Parse([]byte(body))
	if err != nil || len(events) != 2 || events[0].(Status).MessageID != "wamid.B" ||
		events[1].(Inbound).MessageID != "wamid.C" {
		t.Fatalf("%+v, %v", events, err)
	}
	if skipped != 10 {
		t.Errorf("%d skipped", skipped)
	}
	for _, foreign := range []string{
		``, `[]`, `{}`, `null`, `{"object":"page","entry":[]}`, `{"object":"whatsapp_business_account","entry":{}}`,
		body[:len(body)-1],
	} {
		if events, _, err := Parse([]byte(foreign)); err == nil || events != nil {
			t.Errorf("%s: %+v", foreign, events)
		}
	}
}

// Characters that the database cannot store are removed, and the event is kept.
func TestParseLeavesOutWhatCannotBeStored(t *testing.T) {
	t.Parallel()
	events, skipped, err := Parse([]byte(`{"object":"whatsapp_business_account","entry":[{"id":"1",` +
		`"changes":[{"field":"messages","value":{"statuses":[
		{"id":"wamid.\u0000A","biz_opaque_callback_data":"\u0000","status":"failed","errors":[{"code":99999999999,` +
		`"message":"not\u0000 now"}]}]}}]}]}`))
	if err != nil || skipped != 0 || len(events) != 1 {
		t.Fatalf("%+v, %d, %v", events, skipped, err)
	}
	e := events[0].(Status)
	if e.MessageID != "wamid.A" || e.Reference != "" || e.Failure.Code != math.MaxInt32 ||
		e.Failure.Reason != "not now" {
		t.Errorf("%+v, %+v", e, e.Failure)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(
		[]byte(
			`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages",` +
				`"value":{"statuses":[{"id":"a","status":"failed","timestamp":"1","errors":[{"code":1}]}],` +
				`"messages":[{"id":"b"}]}}]}]}`,
		),
	)
	f.Add(
		[]byte(
			`{"object":"whatsapp_business_account","entry":[{"id":1,` +
				`"changes":[{"field":"business_capability_update",` +
				`"value":{"max_daily_conversations_per_business":-1}}]}]}`,
		),
	)
	f.Fuzz(func(t *testing.T, body []byte) {
		events, skipped, err := Parse(body)
		if err != nil && (events != nil || skipped != 0) {
			t.Errorf("%v, and %d events", err, len(events))
		}
		for _, e := range events {
			switch e := e.(type) {
			case Status:
				if e.MessageID == "" && e.Reference == "" || e.State == "" ||
					(e.State == Failed) != (e.Failure != nil) {
					t.Errorf("%+v", e)
				}
				if e.Failure != nil && (e.Failure.Class == Unknown || e.Failure.Reason == "") {
					t.Errorf("%+v", e.Failure)
				}
			case Inbound:
				if e.MessageID == "" {
					t.Errorf("%+v", e)
				}
			case CapabilityUpdate:
				if n := e.Tier.Limit(); n < 0 || n > highestLimit {
					t.Errorf("%d", n)
				}
			}
		}
		// White space between the values has no meaning.
		var compact bytes.Buffer
		if err == nil && json.Compact(&compact, body) == nil {
			if again, _, err := Parse(compact.Bytes()); err != nil || !reflect.DeepEqual(again, events) {
				t.Errorf("compacted: %+v, %v", again, err)
			}
		}
	})
}
