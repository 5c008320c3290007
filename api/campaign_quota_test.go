package api

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// people returns a list of n recipients.
func people(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = object{"phone_number": fmt.Sprintf("+1312%07d", 2000000+i)}
	}
	return list
}

// linked links the tenant's phone number to a WhatsApp number.
func (n *tenant) linked(externalID any) {
	n.w.t.Helper()
	n.w.exec(`update phone_number set messaging_external_id = $2 where id = $1`, n.number, externalID)
}

func headsUp(externalID any, trigger string) object {
	return object{
		"external_id": externalID, "template": object{"name": "heads_up", "language": "en_US", "variables": object{}},
		"trigger": trigger,
	}
}

const (
	tooLong = "Recipient list (3) exceeds the 2 conversations available for number " + sandbox.Number250
	optOut  = `. To send no messages, set "messaging": {"trigger": "never"} or choose a voice-only phone number`
)

// All cases in which a list is or is not checked against a quota. The number with tier
// 250 may still send two messages.
func TestAListIsMeasuredByItsNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	w.whatsapp(nil)
	n.connect(sandbox.Account250)
	n.connect(sandbox.Account1K)
	n.writtenTo(sandbox.Number250, 248)
	other.connect(sandbox.Account10K)

	const unknown = "messaging: no WhatsApp number with this external_id"
	for _, c := range []struct {
		name      string
		own       any // the WhatsApp number of the phone number
		messaging any
		people    int
		status    int
		text      string
	}{
		{"voice only, absent", nil, "absent", 3, 201, ""},
		{"voice only, null", nil, nil, 3, 201, ""},
		{"voice only, never", nil, object{"trigger": "never"}, 3, 201, ""},
		{"voice only, no number named", nil, headsUp(nil, "no_answer"), 3, 400,
			"messaging.external_id: required because the phone number has no WhatsApp number"},
		{"voice only, too long for the named one", nil, headsUp(sandbox.Number250, "no_answer"), 3, 422, tooLong},
		{"voice only, fits the named one", nil, headsUp(sandbox.Number250, "no_answer"), 2, 201, ""},
		{"connected, absent, fits", sandbox.Number250, "absent", 2, 201, ""},
		{"connected, absent", sandbox.Number250, "absent", 3, 422, tooLong + optOut},
		{"connected, null", sandbox.Number250, nil, 3, 422, tooLong + optOut},
		{"connected, never", sandbox.Number250, object{"trigger": "never"}, 3, 201, ""},
		{"connected, its own number for messages", sandbox.Number250, headsUp(nil, "after_call"), 3, 422, tooLong},
		{"connected, another number named", sandbox.Number250, headsUp(sandbox.Number1K, "before_call"), 3, 201, ""},
		{"connected to one that is gone, absent", "99999", "absent", 3, 201, ""},
		{"unknown number", nil, headsUp("99999", "no_answer"), 3, 400, unknown},
		{"another organization's number", nil, headsUp(sandbox.Number10K, "no_answer"), 3, 400, unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			n.linked(c.own)
			w.refill()
			before := w.rows()
			body := n.campaign()
			body["recipients"] = people(c.people)
			if c.messaging != "absent" {
				body["messaging"] = c.messaging
			}
			a := n.do("POST", "/campaigns", body)
			if c.status != http.StatusCreated {
				a.refused(c.status, c.text)
				if after := w.rows(); after != before {
					t.Errorf("%d rows, %d before", after, before)
				}
				return
			}
			a.want(http.StatusCreated)
			if c.messaging == "absent" {
				c.messaging = nil
			}
			if m, ok := c.messaging.(object); ok {
				c.messaging = object{
					"external_id": m["external_id"], "template": m["template"], "trigger": m["trigger"],
					"follow_up": []any{},
				}
			}
			if got, want := fmt.Sprint(a.get("messaging")), fmt.Sprint(jsonOf(t, c.messaging)); got != want {
				t.Errorf("messaging is %s, want %s", got, want)
			}
		})
	}
}

// A refused list leaves nothing behind, and its refusal is stored: the same key gets the
// same answer. A later request with another key creates the campaign.
func TestAListThatIsTooLongUnderAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	operator := w.whatsapp(nil)
	n.connect(sandbox.Account250)
	n.linked(sandbox.Number250)
	n.writtenTo(sandbox.Number250, 248)
	body := n.campaign()
	body["recipients"] = people(3)
	for range 2 {
		n.do("POST", "/campaigns", body, "Idempotency-Key", "one").
			refused(http.StatusUnprocessableEntity, tooLong+optOut)
	}
	if campaigns := w.count(`select count(*) from campaign`); campaigns > 0 {
		t.Errorf("%d campaigns", campaigns)
	}
	if err := operator.SetTier(sandbox.Account250, "TIER_1K"); err != nil {
		t.Fatal(err)
	}
	n.do("POST", "/campaigns", body, "Idempotency-Key", "two").want(http.StatusCreated)
}

// A campaign with messages requires an answer from the operator. Without messages, the
// last known quota is enough.
func TestAListWhenTheOperatorIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	operator := w.whatsapp(nil)
	n.connect(sandbox.Account250)
	n.linked(sandbox.Number250)
	n.writtenTo(sandbox.Number250, 248)
	with := func(people []any, messaging any) object {
		body := n.campaign()
		body["recipients"], body["messaging"] = people, messaging
		return body
	}
	known := with(people(1), headsUp(nil, "no_answer"))
	first := n.do("POST", "/campaigns", known, "Idempotency-Key", "before").want(http.StatusCreated)
	if err := operator.SetTrouble(sandbox.Account250, sandbox.Trouble{Kind: sandbox.Down}); err != nil {
		t.Fatal(err)
	}
	for _, key := range [][]string{nil, {"Idempotency-Key", "away"}} {
		n.do("POST", "/campaigns", with(people(1), headsUp(nil, "no_answer")), key...).
			refused(http.StatusBadGateway, "Messaging service unavailable")
	}
	// A stored answer is returned again, even while the operator is unavailable.
	if a := n.do("POST", "/campaigns", known, "Idempotency-Key", "before").want(
		http.StatusCreated,
	); a.body != first.body {
		t.Errorf("repeated: %v, at first %v", a, first)
	}
	n.do("POST", "/campaigns", with(people(3), nil)).refused(http.StatusUnprocessableEntity, tooLong+optOut)
	n.do("POST", "/campaigns", with(people(2), nil)).want(http.StatusCreated)
	n.do("POST", "/campaigns", with(people(3), object{"trigger": "never"})).want(http.StatusCreated)

	// The channel is off.
	w.wire(func(o *app.Options) { o.WhatsApp.Off = true })
	n.do("POST", "/campaigns", with(people(1), headsUp(nil, "no_answer"))).
		refused(http.StatusServiceUnavailable, "Messaging channel not configured")
}

// The variables of a template are checked against the template.
func TestTheTemplateOfACampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.whatsapp(nil)
	n.connect(sandbox.Account1K)
	for _, c := range []struct {
		template, language string
		variables          object
		want               string
	}{
		{
			"follow_up", "en_US",
			object{"header.1": "{{name}}", "1": "{{name|you}}", "2": "{{clinic}}, {{answers.ok|soon}}"}, "",
		},
		{
			"voucher", "en_US",
			object{"header.image": "{{date}}", "1": "{{phone_number}}", "button.0.code": "A{{date}}"}, "",
		},
		{"appointment", "en_US", object{"first_name": "{{name}}", "day": "{{date}}", "time": "{{answers.ok}}"}, ""},
		{"appointment", "en_US", object{"first_name": "{{first_name}}", "day": "{{date}}", "time": "{{last_name}}"}, ""},
		{"heads_up", "fr", object{}, "messaging.template: no template with this name and language"},
		{"winter_offer", "en_US", object{"1": "a", "2": "b"}, "messaging.template: is paused"},
		{"survey", "en_US", object{"1": "a"}, "messaging.template: is not approved yet"},
		{"follow_up", "de", object{"1": "{{name}}", "3": "x"},
			"messaging.template.variables.header.1: is missing; messaging.template.variables.2: is missing; " +
				"messaging.template.variables.3: the template has no such variable"},
		{"follow_up", "en_US", object{"header.1": "{{nickname}}", "1": "{{nickname|friend}}", "2": "{{answers.mood}}"},
			"messaging.template.variables.2: the agent collects no answer with the key mood; " +
				"messaging.template.variables.header.1: " +
				"neither the campaign nor any recipient has a value for {{nickname}}. To set a fallback, write " +
				"{{nickname|fallback}}"},
		{"voucher", "en_US", object{"header.image": "http://example.com/a.png", "1": "x", "button.0.code": "A"},
			"messaging.template.variables.header.image: must be an https address"},
	} {
		w.refill()
		body := n.campaign()
		body["messaging"] = object{"external_id": sandbox.Number1K, "trigger": "after_call",
			"template": object{"name": c.template, "language": c.language, "variables": c.variables}}
		a := n.do("POST", "/campaigns", body)
		if c.want == "" {
			a.want(http.StatusCreated)
		} else {
			a.refused(http.StatusBadRequest, c.want)
		}
	}
}
