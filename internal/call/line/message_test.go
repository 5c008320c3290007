package line

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// withMessages gives the agent, which a model of the sandbox holds, templates of the sandbox's WhatsApp operator.
func (w *world) withMessages(templates ...string) {
	w.tb.Helper()
	w.whatsapp = messagingtest.On(w.tb, w.db, sandbox.Options{})
	w.whatsapp.Actor = account.System(w.claim.OrganizationID)
	w.whatsapp.Connect(sandbox.Account250)
	w.withModel("sandbox", "", func(s *conversation.Script) {
		s.Model.Tools = append(s.Model.Tools, conversation.SendMessage)
		s.Model.Templates = w.templates(templates...)
	})
}

// templates are the IDs of templates in American English.
func (w *world) templates(names ...string) []uuid.UUID {
	w.tb.Helper()
	ids, err := postgres.Collect(w.tb.Context(), w.db.Pool, pgx.RowTo[uuid.UUID], `
		select id from messaging_template where language = 'en_US' and name = any($1)
		order by array_position($1, name)`, names)
	if err != nil || len(ids) != len(names) {
		w.tb.Fatalf("the templates %v are %v, %v", names, ids, err)
	}
	return ids
}

type sentMessage struct {
	ID               uuid.UUID
	Number, Template string
	Variables        map[string]string
	Status           string
}

func (w *world) messages() []sentMessage {
	w.tb.Helper()
	all, err := postgres.Collect(w.tb.Context(), w.db.Pool, pgx.RowToStructByName[sentMessage], `
		select id, phone_number as number, template_name as template, variables, status from message
		where organization_id = $1 and sent_at is null order by id`, w.claim.OrganizationID)
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

// An error of the model goes back to it and nothing is queued. The corrected call queues the message, to the
// recipient and from the account's number. It waits for quota as all messages do.
func TestAgentSendsAMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withMessages("heads_up", "missed_call")
	w.whatsapp.Fill(sandbox.Number250, 0, 250, time.Hour)
	c, l, done := w.answered("+12025550101")
	l.asked(t)
	l.tell(carrier.Prompt{Text: "Please send me heads_up"}) // the model fills in the variables of both
	l.play(t)
	got := results(w.kept(c.ID))
	if len(got) != 1 || !strings.Contains(got[0], `the template heads_up has no variable`) {
		t.Errorf("the model is told %q", got)
	}
	if all := w.messages(); len(all) > 0 {
		t.Errorf("queued %+v", all)
	}
	l.tell(carrier.Prompt{Text: "Please send me missed_call"})
	if u := l.play(t); !strings.Contains(u.text, "queued") {
		t.Errorf("the agent says %q", u.text)
	}
	all := w.messages()
	if len(all) != 1 || all[0].Number != "+12025550101" || all[0].Template != "missed_call" ||
		all[0].Status != "queued" || all[0].Variables["1"] != "Please send me missed_call" || all[0].ID.Version() != 7 {
		t.Errorf("queued %+v", all)
	}
	l.leave(t, done)

	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	messages, connections := w.whatsapp.Services(w.db.Pool)
	sender := gate.New(gate.Options{
		Pool: w.db.Pool, Hub: postgres.LocalHub(), Log: slog.New(slog.DiscardHandler), Messages: messages,
		Connections: connections,
	}).NewSender()
	over := make(chan error, 1)
	go func() { over <- sender.Run(ctx) }()
	w.whatsapp.Eventually(1, `select count(*) from message where status = 'queued' and wait_reason = 'quota'`)
	stop()
	if err := <-over; err != nil {
		t.Error(err)
	}
	if n := w.whatsapp.Operator.State().Accepted; n > 0 {
		t.Errorf("without quota, %d messages are sent", n)
	}
}

// A call over the sandbox reaches nobody, so it sends no message that reaches a real phone. The agent hears why.
func TestSandboxCallWritesToNoRealPhone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withMessages("missed_call")
	w.whatsapp.Real = true
	w.use(w.instance())
	c, l, done := w.answered("+12025550101")
	l.asked(t)
	l.tell(carrier.Prompt{Text: "Please send me missed_call"})
	l.play(t)
	if got := results(w.kept(c.ID)); len(got) != 1 || !strings.Contains(got[0], messaging.SandboxCall) {
		t.Errorf("the model is told %q", got)
	}
	if all := w.messages(); len(all) > 0 {
		t.Errorf("queued %+v", all)
	}
	l.leave(t, done)
}

// The holder dies while it queues the message, or after it. The next one queues it at most once.
func TestMessageAtAnotherProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withMessages("heads_up")
	blocker, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer blocker.Rollback(t.Context())
	if _, err := blocker.Exec(t.Context(), `select from messaging_number for update`); err != nil {
		t.Fatal(err)
	}
	c, l, done := w.answered("+12025550101")
	l.asked(t)
	l.tell(carrier.Prompt{Text: "Please send me a message"})
	w.db.AwaitLockWaits(t, 1)
	state := w.kept(c.ID)
	if len(state.Dialog.Open) != 1 {
		t.Fatalf("the open calls on disk are %+v", state.Dialog.Open)
	}
	l.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")
	if err := blocker.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	another := w.instance()
	line := newPhoneLine()
	done = another.converseInBackground(c, line)
	line.play(t) // it apologizes
	if u := line.play(t); !strings.Contains(u.text, "queued") {
		t.Errorf("the agent says %q", u.text)
	}
	w.scan(`select script from call_line where call_id = $1`, c.ID, &state.Script)
	kit := toolKit{service: w.instance(), organization: c.OrganizationID, call: c.ID, number: c.PersonNumber}
	queued := string(kit.send(t.Context(), state.Dialog.Open[0], state))
	// That the template is gone by now does not undo the message.
	w.exec(`update messaging_template set removed_at = clock()`)
	again := string(kit.send(t.Context(), state.Dialog.Open[0], state))
	if want := `{"status":"queued"}`; queued != want || again != want {
		t.Errorf("the call that was repeated comes to %s, then %s", queued, again)
	}
	if all := w.messages(); len(all) != 1 || all[0].Template != "heads_up" {
		t.Errorf("queued %+v", all)
	}
	line.leave(t, done)
}

// The model is told why a message is refused.
func TestMessageIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refuse func(*world)
		want   string
	}{
		"do not call": {func(w *world) {
			err := postgres.InTx(w.tb.Context(), w.db.Pool, func(tx pgx.Tx) error {
				_, _, err := suppression.Add(w.tb.Context(), tx, account.System(w.claim.OrganizationID),
					suppression.NewEntry{
						PhoneNumber: "+12025550101", Channel: suppression.Message, Source: suppression.ByUser,
					})
				return err
			})
			if err != nil {
				w.tb.Fatal(err)
			}
		}, "The recipient is on the do-not-call list for messages"},
		"template gone": {func(w *world) {
			w.exec(`update messaging_template set removed_at = clock()`)
		}, "no template"},
		"number disconnected": {func(w *world) {
			w.exec(`update messaging_number set disconnected_at = clock()`)
		}, "no WhatsApp number"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.withMessages("heads_up")
			c, l, done := w.answered("+12025550101")
			l.asked(t)
			test.refuse(w)
			l.tell(carrier.Prompt{Text: "Please send me a message"})
			l.play(t)
			var got struct{ Status, Reason string }
			all := results(w.kept(c.ID))
			if len(all) != 1 || json.Unmarshal([]byte(all[0]), &got) != nil || got.Status != "refused" ||
				!strings.Contains(got.Reason, test.want) {
				t.Errorf("the model is told %q", all)
			}
			if all := w.messages(); len(all) > 0 {
				t.Errorf("queued %+v", all)
			}
			l.leave(t, done)
		})
	}
}

// Calls know the templates that their agent may send: none of another organization, and none that the operator does
// not send or lists no longer.
func TestTemplatesOfACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withMessages("heads_up")
	_, templates := w.whatsapp.Services(w.db.Pool)
	all := w.templates("missed_call", "winter_offer", "survey", "heads_up")
	names := func(organization uuid.UUID, phoneNumber *uuid.UUID) (names []string) {
		t.Helper()
		found, err := templates.OfCall(t.Context(), organization, all, phoneNumber)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			names = append(names, m.Key)
			if m.Number != sandbox.Number250 {
				t.Errorf("%s is sent from %q", m.Key, m.Number)
			}
		}
		return names
	}
	mine := []string{"missed_call", "heads_up"}
	for _, number := range []*uuid.UUID{nil, &w.claim.PhoneNumberID} {
		if got := names(w.claim.OrganizationID, number); !slices.Equal(got, mine) {
			t.Errorf("the templates are %v, want %v", got, mine)
		}
	}
	if got := names(w.tenant("Other", "+12025550199").OrganizationID, nil); len(got) > 0 {
		t.Errorf("another organization has %v", got)
	}
	w.exec(`update messaging_template set removed_at = clock() where name = 'heads_up'`)
	if got := names(w.claim.OrganizationID, nil); !slices.Equal(got, mine[:1]) {
		t.Errorf("without a removed one: %v", got)
	}
	// An agent whose templates are gone has no such tool.
	c, l, done := w.answered("+12025550101")
	l.asked(t)
	l.tell(carrier.Prompt{Text: "Please send me a message"})
	l.play(t)
	if got := results(w.kept(c.ID)); len(got) > 0 || len(w.messages()) > 0 {
		t.Errorf("without templates the model is told %q, and queued is %+v", got, w.messages())
	}
	l.leave(t, done)
}
