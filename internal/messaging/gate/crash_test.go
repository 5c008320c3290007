package gate

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// A killed process leaves messages behind. Another process sends the messages without an announced
// request. The other messages count and are never sent again. A status reports their outcome
// whenever it comes.
func TestAKilledProcess(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	// The operator reports no status of these messages.
	unasked, unsent, taken := b.NewMessage(sandbox.Number250,
		messagingtest.Scripted(9, 0)), b.NewMessage(sandbox.Number250,
		messagingtest.Scripted(9, 1)), b.NewMessage(sandbox.Number250, messagingtest.Scripted(9, 2))
	l := b.admitted(3)
	for _, m := range []messaging.Message{unsent, taken} {
		if asked, err := b.svc.ask(t.Context(), []sendable{l.sends[m.ID]}); err != nil || len(asked) != 1 {
			t.Fatal(asked, err)
		}
	}
	to, err := b.svc.connections.Account(t.Context(), l.sends[taken.ID].route.ConnectionID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Send(t.Context(), l.sends[taken.ID].message); err != nil {
		t.Fatal(err)
	}

	b.Advance(time.Minute)
	b.Operator.Advance(time.Minute)
	if err := b.svc.NewSender().clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The killed process was only suspended, and continues.
	if asked, err := b.svc.ask(t.Context(), []sendable{l.sends[unasked.ID]}); err != nil || len(asked) > 0 {
		t.Errorf("a lease that is over still allows to ask: %v, %v", asked, err)
	}
	b.drain(b.svc)
	if asked, err := b.svc.ask(t.Context(), []sendable{l.sends[unasked.ID]}); err != nil || len(asked) > 0 {
		t.Errorf("a message of another process may be asked for: %v, %v", asked, err)
	}
	sends := map[string]int{}
	for _, s := range b.Operator.Sends() {
		sends[s.Reference]++
	}
	if sends[unasked.ID.String()] != 1 || sends[unsent.ID.String()] != 0 || sends[taken.ID.String()] != 1 {
		t.Errorf("requests: %v", sends)
	}
	if n := b.Count(`select recipients from messaging_scope`); n != 3 {
		t.Errorf("%d recipients count, want 3", n)
	}
	for _, m := range []messaging.Message{unsent, taken} {
		if got, err := b.svc.messages.Get(t.Context(), b.Actor.OrganizationID, m.ID); err != nil ||
			got.Status != messaging.Sending || got.UnknownSince == nil {
			t.Errorf("%+v, %v", got, err)
		}
	}

	if _, err := b.svc.messages.Move(t.Context(), messaging.Move{
		ID: taken.ID, Update: messaging.UpdateDelivered, OperatorID: "wamid.x",
	}); err != nil {
		t.Fatal(err)
	}
	b.Advance(forgetTime)
	if err := b.svc.NewSender().clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := b.svc.messages.Get(t.Context(), b.Actor.OrganizationID, taken.ID); err != nil ||
		got.Status != messaging.Delivered {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := b.svc.messages.Get(t.Context(), b.Actor.OrganizationID, unsent.ID); err != nil ||
		got.Status != messaging.Failed || got.Error == nil {
		t.Errorf("%+v, %v", got, err)
	}
	b.CheckLedgers()
}
