package dialer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/testwait"
)

// whatsapp connects the bench's organization to a simulated operator, and returns the
// sender of its messages, which is not running yet.
func (b *bench) whatsapp(t testing.TB) (*sandbox.Operator, *gate.Sender) {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	operator := sandbox.New(sandbox.Options{Token: "system-user-token", Log: quiet, Speed: 20})
	server := httptest.NewServer(operator)
	t.Cleanup(server.Close)
	t.Cleanup(operator.Close)
	b.operator = server.URL
	b.connectWhatsApp(cloud.Options{GraphURL: server.URL}, false)
	b.svc = b.service()
	for _, id := range []string{sandbox.Account250, sandbox.Account1K} {
		_, err := b.connections.CreateConnection(t.Context(), b.actor, connection.NewConnection{Account: id,
			Settings: connection.Settings{
				Name: "WhatsApp", Token: "system-user-token", AppSecret: "system-user-token",
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return operator, b.gate.NewSender()
}

// running runs a sender until the returned function is called.
func running(s *gate.Sender) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	wait.Go(func() { _ = s.Run(ctx) })
	return func() { cancel(); wait.Wait() }
}

// writing returns a draft that sends the follow-up template from the number with tier
// 1,000.
func (b *bench) writing(n int, trigger campaign.Trigger, template, variables string) *campaign.Draft {
	d := b.draft(n)
	d.MaxConcurrency, d.CallsPerSecond = ptr(100), ptr(1000.0)
	d.Messaging = &campaign.MessagingInput{ExternalID: sandbox.Number1K, Trigger: trigger,
		Template: &messaging.TemplateInput{Name: template, Language: "en_US", Variables: json.RawMessage(variables)}}
	return d
}

// planned returns the messages of a campaign by their recipient's number.
func (b *bench) planned(t testing.TB, id uuid.UUID) map[string]messaging.Message {
	t.Helper()
	filter := messaging.Filter{Page: page.Request{Limit: page.MaxLimit}, CampaignID: &id}
	list, err := b.messages.List(context.Background(), b.actor.OrganizationID, filter)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]messaging.Message{}
	for _, m := range list.Data {
		if _, twice := all[m.PhoneNumber.String()]; twice {
			t.Errorf("%s has two messages", m.PhoneNumber)
		}
		all[m.PhoneNumber.String()] = m
	}
	return all
}

// dialAll dials a campaign until n calls are in progress.
func (b *bench) dialAll(t testing.TB, id uuid.UUID, n int) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); len(b.network.up()) < n; b.again(t, id) {
		if time.Now().After(deadline) {
			t.Fatalf("%d calls, want %d", len(b.network.up()), n)
		}
	}
}

// callTo returns the latest call to the i-th recipient.
func (b *bench) callTo(t testing.TB, i int) uuid.UUID {
	t.Helper()
	return value[uuid.UUID](t, b, `select id from call where person_number = $1 order by created_at desc limit 1`,
		testNumber(i))
}

// The trigger decides which ends of a call are followed by a message.
func TestFollowUpsByTrigger(t *testing.T) {
	t.Parallel()
	for trigger, want := range map[campaign.Trigger]string{
		campaign.TriggerAfterCall: "completed",
		campaign.TriggerNoAnswer:  "busy failed no_answer voicemail",
		campaign.TriggerNever:     "",
	} {
		t.Run(string(trigger), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.whatsapp(t)
			c := b.create(t, b.writing(9, trigger, "heads_up", `{}`))
			b.dialAll(t, c.ID, 9)
			cases := []struct {
				name    string
				outcome call.Outcome
				reason  call.Reason // final reason, for ends that the network can't produce here
			}{
				{"completed", call.OutcomeCompleted, ""}, {"voicemail", call.OutcomeVoicemail, ""},
				{"busy", call.OutcomeBusy, ""},
				{"no_answer", call.OutcomeNoAnswer, ""}, {"failed", call.OutcomeFailed, ""},
				{"opted_out", call.OutcomeCompleted, call.ReasonOptedOut},
				{"message_left", call.OutcomeVoicemail, call.ReasonVoicemailMessage},
				{"lost", call.OutcomeFailed, call.ReasonCarrierLost},
			}
			for i, end := range cases {
				id := b.callTo(t, i)
				b.tell(t, id, ends(end.outcome)...)
				if end.reason != "" {
					b.exec(t, `update call set ended_reason = $2 where id = $1`, id, end.reason)
				}
			}
			b.Advance(10 * time.Second) // the wait for machine detection is over
			b.settle(t)
			var got []string
			for number := range b.planned(t, c.ID) {
				for i, end := range cases {
					if testNumber(i) == number {
						got = append(got, end.name)
					}
				}
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("written to after %q, want %q", got, want)
			}
		})
	}
}

func TestNoAnswerIsSaidAfterTheLastAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	d := b.writing(2, campaign.TriggerNoAnswer, "heads_up", `{}`)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dialAll(t, c.ID, 2)
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	if n := len(b.planned(t, c.ID)); n > 0 {
		t.Errorf("%d messages after the first of two attempts", n)
	}
	b.dialAll(t, c.ID, 2)
	b.tell(t, b.callTo(t, 0), ends(call.OutcomeBusy)...)
	b.tell(t, b.callTo(t, 1), ends(call.OutcomeCompleted)...)
	b.Advance(10 * time.Second)
	b.settle(t)
	got := b.planned(t, c.ID)
	if len(got) != 1 || got[testNumber(0)].Status != messaging.Queued || *got[testNumber(0)].CampaignID != c.ID {
		t.Errorf("%+v", got)
	}
}

// Two processes settle a batch at the same time, and then again after its settlement was
// lost. Each recipient gets one message.
func TestARecipientGetsOneFollowUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	const people = 40
	c := b.create(t, b.writing(people, campaign.TriggerAfterCall, "heads_up", `{}`))
	b.dialAll(t, c.ID, people)
	b.endAll(t, call.OutcomeCompleted)
	b.Advance(10 * time.Second)
	for range 2 {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				_, _, settler := b.process(b.Pool)
				for {
					n, err := settler.batch(context.Background())
					if _, locked := errors.AsType[*lockedError](err); locked {
						delete(settler.busy, c.ID) // another of the three settles the campaign
						continue
					}
					if err != nil {
						t.Error(err)
					}
					if n == 0 || err != nil {
						return
					}
				}
			})
		}
		group.Wait()
		b.settle(t)
		if n := len(b.planned(t, c.ID)); n != people {
			t.Errorf("%d messages, want %d", n, people)
		}
		b.exec(t, `alter table campaign disable trigger campaign_move`) // as if the settlement had been lost
		b.exec(t, `alter table recipient disable trigger recipient_move`)
		b.exec(t, `update campaign set status = 'running', ended_at = null, completed = 0 where id = $1`, c.ID)
		b.exec(t, `update recipient set status = 'dialing' where campaign_id = $1`, c.ID)
		b.exec(t, `update call set settled_at = null where campaign_id = $1`, c.ID)
	}
}

// The values of a template come from the recipient, the campaign, the agent and the call.
// If a recipient lacks a value, only the message to that recipient fails.
func TestFollowUpsAreFilled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	b.exec(
		t,
		`update agent set script =
			'{"language": "en-US", "greeting": "Hello", "questions": [{"key": "slot", "ask": "When?", "expect": "text"}]}'`,
	)
	d := b.writing(0, campaign.TriggerAfterCall, "follow_up",
		`{"header.1": "{{name|friend}}", "1": "{{greeting}} {{ name | you }}", "2": "{{agent}} of {{clinic}}, `+
			`{{answers.slot}}"}`)
	d.Variables = json.RawMessage(`{"clinic": "Okafor", "greeting": "dear"}`)
	d.Recipients.Add(intake.Recipient{
		PhoneNumber: testNumber(0), Name: "Ada", Variables: json.RawMessage(`{"greeting": "Dr."}`),
	})
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(1)})
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(2), Name: "Bo"})
	b.exec(
		t,
		`insert into webhook (id, organization_id, name, url, secret, events)
			values (gen_random_uuid(), $1, 'CRM', 'https://example.com', '', '{message.failed}')`,
		b.actor.OrganizationID,
	)
	c := b.create(t, d)
	b.dialAll(t, c.ID, 3)
	for i, answers := range []string{`{"slot": true}`, `{"slot": 10.5}`, `{"slot": null}`} {
		b.tell(t, b.callTo(t, i), ends(call.OutcomeCompleted)...)
		b.exec(
			t, `update call set analysis = jsonb_build_object('status', 'ready', 'answers', $2::jsonb) where id = $1`,
			b.callTo(t, i), answers,
		)
	}
	b.Advance(10 * time.Second)
	b.settle(t)
	got := b.planned(t, c.ID)
	for i, want := range []string{
		"Hello Dr. Ada, thank you for talking to Robin of Okafor, yes today.",
		"Hello dear you, thank you for talking to Robin of Okafor, 10.5 today.",
	} {
		m := got[testNumber(i)]
		var values map[string]string
		if err := json.Unmarshal(m.Variables, &values); err != nil || m.Status != messaging.Queued {
			t.Fatalf("%+v, %v", m, err)
		}
		if text := fmt.Sprintf("Hello %s, thank you for talking to %s today.", values["1"], values["2"]); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	m := got[testNumber(2)]
	if m.Status != messaging.Failed || m.Error == nil ||
		*m.Error != "The call gave no answer to slot, which the template's variable 2 needs" {
		t.Errorf("%+v", m)
	}
	if n := value[int](
		t, b, `select count(*)::int from event where type = 'message.failed' and subject_id = $1
			and payload::jsonb ->> 'project_id' = $2`, m.ID, c.ProjectID.String(),
	); n != 1 {
		t.Errorf("%d events of the message that failed", n)
	}
	figures, err := b.messages.Figures(t.Context(), b.actor.OrganizationID, c.ID)
	if want := map[messaging.Status]int{messaging.Queued: 2, messaging.Failed: 1}; err != nil ||
		!maps.Equal(figures, want) {
		t.Errorf("figures %v, %v", figures, err)
	}
	if figures, err = b.messages.Figures(t.Context(), uuid.New(), c.ID); err != nil || len(figures) > 0 {
		t.Errorf("another organization reads %v, %v", figures, err)
	}
}

// An answer of a tool during the call fills a variable, before a value of the list. Without one, the list's value or
// the default is used.
func TestFollowUpsAreFilledByTools(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	d := b.writing(0, campaign.TriggerAfterCall, "follow_up",
		`{"header.1": "{{name}}", "1": "{{clinic}}", "2": "{{opens|soon}}"}`)
	d.Variables = json.RawMessage(`{"clinic": "Okafor"}`)
	for i := range 4 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i), Name: "Ada"})
	}
	c := b.create(t, d)
	b.dialAll(t, c.ID, 4)
	for i, analysis := range []string{
		`{"status": "ready", "variables": {"opens": "nine", "clinic": "Okafor West"}}`,
		`{"status": "ready", "variables": null}`, `{"status": "ready"}`, `null`,
	} {
		b.tell(t, b.callTo(t, i), ends(call.OutcomeCompleted)...)
		b.exec(t, `update call set analysis = nullif($2::jsonb, 'null') where id = $1`, b.callTo(t, i), analysis)
	}
	b.Advance(10 * time.Second)
	b.settle(t)
	got := b.planned(t, c.ID)
	for i, want := range []map[string]string{
		{"header.1": "Ada", "1": "Okafor West", "2": "nine"},
		{"header.1": "Ada", "1": "Okafor", "2": "soon"},
		{"header.1": "Ada", "1": "Okafor", "2": "soon"},
		{"header.1": "Ada", "1": "Okafor", "2": "soon"},
	} {
		m := got[testNumber(i)]
		var values map[string]string
		if err := json.Unmarshal(m.Variables, &values); err != nil || m.Status != messaging.Queued ||
			!maps.Equal(values, want) {
			t.Errorf("%d: %s with %v, want %v (%v)", i, m.Status, values, want, err)
		}
	}
}

// A number or template that has become unusable fails each message on its own, and never
// the settlement.
func TestFollowUpsWithoutANumber(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]string{
		"The number was disconnected": `update messaging_number
			set disconnected_at = clock()`,
		"WhatsApp no longer lists the template": `update messaging_template set removed_at = clock()`,
		"The template is disabled": `update messaging_template
			set content = jsonb_set(content, '{Status}', '"DISABLED"')`,
		"The template cannot be filled: variables.1: is missing": `update messaging_template
			set content = jsonb_set(content, '{Body}', '"Hello {{1}}"')`,
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.whatsapp(t)
			c := b.create(t, b.writing(1, campaign.TriggerAfterCall, "heads_up", `{}`))
			b.exec(t, change)
			b.dialAll(t, c.ID, 1)
			b.endAll(t, call.OutcomeCompleted)
			b.Advance(10 * time.Second)
			b.settle(t)
			m := b.planned(t, c.ID)[testNumber(0)]
			if m.Status != messaging.Failed || m.Error == nil || *m.Error != want {
				t.Errorf("%s, %v", m.Status, m.Error)
			}
			if got := b.get(t, c.ID); got.Status != campaign.Completed {
				t.Errorf("the campaign is %s", got.Status)
			}
		})
	}
}
