package demo

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/project"
)

// messagingNumber is the phone number that also has a WhatsApp number.
const messagingNumber = "+13125550122"

// accounts are the sandbox's business accounts in the order of their connections. Lists show the last account first.
var accounts = []struct{ id, name string }{
	{whatsapp.Account100K, "Newsletter"},
	{whatsapp.Account10K, "Offers"},
	{whatsapp.Account1K, "Reminders"},
	{whatsapp.Account250, "Care team"},
}

// seedMessaging connects the sandbox's accounts, assigns a WhatsApp number to a phone number, and queues messages. The
// messages are sent after the server starts.
func (d *seeder) seedMessaging(ctx context.Context, actor account.Actor, p parts, messages []message) error {
	if !d.o.Messaging {
		return nil
	}
	for _, a := range accounts {
		list, err := d.WhatsApp.Connections(ctx, actor.OrganizationID, everything)
		_, err = found(list, err, func(c connection.Connection) bool { return c.Account == a.id },
			func() (connection.Connection, error) {
				return d.WhatsApp.CreateConnection(ctx, actor, connection.NewConnection{
					Account: a.id,
					Settings: connection.Settings{
						Name:      a.name,
						Token:     d.o.SandboxToken,
						AppSecret: d.o.SandboxToken,
					},
					// WhatsApp would verify the server's address, but the server does not run yet.
					SkipWebhooks: true,
				})
			})
		if err != nil {
			return err
		}
	}
	if careTeam := p.numbers[messagingNumber]; careTeam.MessagingExternalID == nil {
		_, err := d.Projects.UpdatePhoneNumber(ctx, actor, careTeam.ID, project.NumberSettings{
			Name:                careTeam.Name,
			Voice:               careTeam.Voice,
			MaxConcurrency:      careTeam.MaxConcurrency,
			MessagingExternalID: new(whatsapp.Number250),
		})
		if err != nil {
			return err
		}
	}
	for _, sample := range messages {
		m := sample.create()
		list, err := d.Messaging.List(ctx, actor.OrganizationID,
			messaging.Filter{Page: everything, To: m.To, Template: m.Template.Name})
		_, err = found(list, err, func(messaging.Message) bool { return true },
			func() (messaging.Message, error) { return d.Messaging.Create(ctx, d.Pool, actor, m) })
		if err != nil {
			return err
		}
	}
	return nil
}

// create returns the new message.
func (m message) create() messaging.NewMessage {
	to, vars := m.ToNumber, m.Variables
	if m.Person != nil {
		p := personNo(*m.Person)
		to, vars = p.number, map[string]string{}
		values := strings.NewReplacer("{first_name}", p.first, "{external_id}", p.externalID)
		for name, value := range m.Variables {
			vars[name] = values.Replace(value)
		}
	}
	text, err := json.Marshal(vars)
	if err != nil {
		panic("demo: variables cannot be encoded: " + err.Error())
	}
	return messaging.NewMessage{
		ExternalID: whatsapp.Number250,
		To:         to,
		Template:   messaging.TemplateInput{Name: m.Template, Language: "en_US", Variables: text},
	}
}
