package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// A campaign's form shows the message quota beside the number of calls, refuses a list
// above the quota, and asks for the template's variables.
func TestCampaignFormWithMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/campaigns/new").want(http.StatusOK).lacks("When to send a template")
	n.newWhatsApp()
	w.exec(`update phone_number set messaging_external_id = $1 where id = $2`, whatsapp.Number250, n.number)
	v.get("/campaigns/new").want(http.StatusOK).
		has("When to send a template", "Never send a message", "Care team, +1 312 555 0122, 250 available",
			"· WhatsApp, 250 available").lacks("winter_offer")

	list := func(people int) string {
		var b strings.Builder
		b.WriteString("phone_number,name\n")
		for i := range people {
			fmt.Fprintf(&b, "+1312555%04d,Person %d\n", 1000+i, i)
		}
		return b.String()
	}
	good := form("name", "Visits", "project_id", n.project.String(), "agent_id", n.agent.String(), "phone_number_id",
		n.number.String(),
		"recipients", list(3), "calling_hours", "always", "retry.max_attempts", "1", "max_concurrency", "1",
		"calls_per_second", "1",
		"voicemail_action", "hang_up", "ring_timeout_seconds", "30", "max_duration_seconds", "600", "scheduled_at",
		time.Now().AddDate(0, 1, 0).Format("2006-01-02T15:04"))
	long := changed(good, "recipients", list(251))
	v.post("/campaigns", changed(long, "action", "check")).want(http.StatusOK).
		has("250 WhatsApp conversations available", "The list needs 1 more", "251 of 251 will be called",
			"Recipient list (251) exceeds the 250")
	v.post("/campaigns", long).want(http.StatusUnprocessableEntity).
		has("Recipient list (251) exceeds the 250 conversations available", "Never send a message").lacks(`"trigger"`)
	v.post("/campaigns", changed(long, "messaging.trigger", "never")).want(http.StatusSeeOther)

	follow := changed(good, "messaging.trigger", "after_call")
	v.post("/campaigns", follow).wrong("messaging.template", "Required")
	follow = changed(follow, "messaging.template", "follow_up/en_US")
	shown := v.post("/campaigns", changed(follow, "action", "template")).want(http.StatusOK).
		has("Thank you, {{1}}", "3 of 3 will be called", "250 WhatsApp conversations available",
			"247 remain after this list")
	for _, key := range []string{"header.1", "1", "2"} {
		if !strings.Contains(shown.body, `name="messaging.template.variables.`+key+`"`) {
			t.Errorf("no field for variable %s", key)
		}
		v.post("/campaigns", follow).wrong("messaging.template.variables."+key, "Is missing")
	}
	follow = changed(follow, "messaging.template.variables.header.1", "{{name}}", "messaging.template.variables.1",
		"{{name|there}}", "messaging.template.variables.2", "{{answers.ok}}")
	v.post("/campaigns", changed(follow, "messaging.trigger", "no_answer")).
		wrong("messaging.template.variables.2", "{{answers.ok}} is known only after an answered call")
	// The intents after which the message is sent too have no effect with another trigger, so
	// they are not dropped without a word.
	for _, trigger := range []string{"", "before_call", "no_answer", "never"} {
		v.post("/campaigns", changed(follow, "messaging.trigger", trigger, "messaging.follow_up", "busy")).
			want(http.StatusUnprocessableEntity).
			wrong("messaging.follow_up", "Clear these boxes, or choose “After an answered call”")
	}
	made := v.post("/campaigns", follow).want(http.StatusSeeOther)
	v.get(made.header.Get("Location")).has("follow_up, en_US", "after an answered call").
		lacks("Marketing messages may cost more")

	// A campaign warns when WhatsApp moves its template to marketing.
	template := "/messaging/templates/" + value[string](w,
		`select id::text from messaging_template where name = 'follow_up' and language = 'en_US'`)
	w.exec(`update messaging_template set next_category = 'MARKETING', next_category_at = clock() + interval '1 day',
		category = 'UTILITY', content = content || '{"Category": "UTILITY"}'
		where name = 'follow_up' and language = 'en_US'`)
	v.get(made.header.Get("Location")).has("WhatsApp is going to move the template follow_up of", "to Marketing at",
		"Marketing messages may cost more. Send them only to people who agreed to marketing.")
	v.get(template).has("WhatsApp is going to move this template from Utility to Marketing at")
	w.exec(`update messaging_template set next_category = null, next_category_at = null, category = 'MARKETING',
		content = content || '{"Category": "MARKETING"}', previous_category = 'UTILITY', category_changed_at = clock()
		where name = 'follow_up' and language = 'en_US'`)
	v.get(made.header.Get("Location")).has("WhatsApp moved the template follow_up of", "from Utility to Marketing at")
	v.get(template).has("WhatsApp moved this template from Utility to Marketing at", "Marketing, Utility until")
	w.exec(`update messaging_template set category_changed_at = clock() - interval '1 hour'`)
	v.get(made.header.Get("Location")).lacks("Marketing messages may cost more")
	w.exec(`update messaging_template set previous_category = null, category_changed_at = null`)

	if got := value[string](
		w,
		`select messaging->>'trigger' from campaign where messaging is not null and messaging->>'trigger' <> 'never'`,
	); got != "after_call" {
		t.Errorf("the trigger is %q", got)
	}

	// A list above the quota is refused and stays in the form.
	more := made.header.Get("Location") + "/recipients"
	v.post(more, form("action", "check", "recipients", list(251))).want(http.StatusOK).
		has("Recipient list (251) exceeds the 250 conversations available", "The list needs 1 more")
	v.post(more, form("recipients", list(251))).want(http.StatusUnprocessableEntity).
		wrong("recipients", "Recipient list (251) exceeds the 250 conversations available").
		has("Pasted list", "251 rows")

	// The operator is down, so the form can't show a quota.
	if err := w.operator.SetTrouble(whatsapp.Account250, whatsapp.Trouble{Kind: whatsapp.Down}); err != nil {
		t.Fatal(err)
	}
	v.post("/campaigns", follow).want(http.StatusUnprocessableEntity).has("WhatsApp cannot be reached")
	v.post("/campaigns", changed(good, "name", "Without")).want(http.StatusSeeOther)
}
