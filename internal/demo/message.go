package demo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/project"
)

// accounts are the sandbox's business accounts, in the order they are
// connected in: the last is listed first.
var accounts = []struct{ id, name string }{
	{whatsapp.Account100K, "Newsletter"}, {whatsapp.Account10K, "Offers"}, {whatsapp.Account1K, "Reminders"}, {whatsapp.Account250, "Care team"},
}

// seedMessaging connects the sandbox's accounts, gives a phone number its
// WhatsApp number, and queues messages, which are sent once the server runs.
func (d *seeder) seedMessaging(ctx context.Context, actor account.Actor, careTeam project.PhoneNumber) error {
	if !d.o.Messaging {
		return nil
	}
	for _, a := range accounts {
		list, err := d.Messaging.Connections(ctx, actor.OrganizationID, everything)
		_, err = found(list, err, func(c messaging.Connection) bool { return c.Account == a.id },
			func() (messaging.Connection, error) {
				return d.Messaging.CreateConnection(ctx, actor, messaging.NewConnection{
					Account:            a.id,
					ConnectionSettings: messaging.ConnectionSettings{Name: a.name, Token: d.o.SandboxToken, AppSecret: d.o.SandboxToken},
					// WhatsApp would verify our address, and nobody answers there before the
					// server runs.
					SkipWebhooks: true,
				})
			})
		if err != nil {
			return err
		}
	}
	if careTeam.MessagingExternalID == nil {
		_, err := d.Projects.UpdatePhoneNumber(ctx, actor, careTeam.ID, project.NumberSettings{
			Name: careTeam.Name, Voice: careTeam.Voice, MaxConcurrency: careTeam.MaxConcurrency, MessagingExternalID: new(whatsapp.Number250),
		})
		if err != nil {
			return err
		}
	}
	for _, m := range messages() {
		list, err := d.Messaging.List(ctx, actor.OrganizationID, messaging.Filter{Page: everything, To: m.To, Template: m.Template.Name})
		_, err = found(list, err, func(messaging.Message) bool { return true },
			func() (messaging.Message, error) { return d.Messaging.Create(ctx, d.Pool, actor, m) })
		if err != nil {
			return err
		}
	}
	return nil
}

// messages go to people who were called, and to some of whom the sandbox
// makes something else: see README.md.
func messages() []messaging.NewMessage {
	var all []messaging.NewMessage
	add := func(to, template string, variables map[string]string) {
		text, err := json.Marshal(variables)
		if err != nil {
			panic("demo: variables cannot be encoded: " + err.Error())
		}
		all = append(all, messaging.NewMessage{ExternalID: whatsapp.Number250, To: to, Template: messaging.TemplateInput{Name: template, Language: "en_US", Variables: text}})
	}
	for i := range 14 {
		p := personNo(i)
		if i%3 == 2 {
			add(p.number, "missed_call", map[string]string{"1": p.first, "button.0.1": fmt.Sprintf("MHH-%05d", 20_400+i)})
		} else {
			add(p.number, "appointment", map[string]string{
				"first_name": p.first, "day": []string{"Thursday", "Friday"}[i%2], "time": []string{"9 am", "11 am", "half past 2"}[i%3],
			})
		}
	}
	for _, to := range []string{"+15005009060", "+15005009100", "+15005009010", "+15005009700"} {
		add(to, "heads_up", nil)
	}
	return all
}
