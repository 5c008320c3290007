package line

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/webhook"
)

// destination adds a destination of the project.
func (w *world) destination(name, number, mode string, fallback *uuid.UUID) uuid.UUID {
	w.tb.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`insert into destination (id, organization_id, project_id, name, phone_number, hours, fallback_id, mode,
			record, ring_timeout_seconds)
		values ($1, $2, $3, $4, $5, '{"timezone": "UTC", "windows": [
			{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start": "00:00", "end": "24:00"}]}', $6, $7,
			false, 10)`,
		id, w.claim.OrganizationID, w.claim.ProjectID, name, number, fallback, mode)
	return id
}

// transferring adds an agent that transfers people who ask for a person.
func (w *world) transferring(destination uuid.UUID) uuid.UUID {
	w.tb.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`insert into agent (id, organization_id, name, kind, language, speech, script, record_calls,
			require_passing_tests)
		select $2, organization_id, name, kind, language, speech, script || jsonb_build_object('transfer',
			jsonb_build_object('destinations', jsonb_build_array($3::text), 'human_id', $3::text)), false, false
		from agent where id = $1`, w.claim.AgentID, id, destination)
	return id
}

// transfer returns the last transfer of a call, and the transcript.
func (w *world) transfer(id uuid.UUID) (call.Transfer, []string) {
	w.tb.Helper()
	c := w.get(id)
	if c.Transfer == nil {
		w.tb.Fatalf("call %s was not transferred: %+v", id, c.EndedReason)
	}
	var said []string
	for _, turn := range w.turns(id) {
		said = append(said, turn.Text)
	}
	return *c.Transfer, said
}

// Tests every outcome of a transfer over the production adapter.
func TestTransfersOnSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	const asks, leaves, hangsUp = "27", "64", "65" // recipients
	tests := []struct {
		name, recipient, number, mode string
		state                         call.TransferState
		reason                        call.Reason
		by                            call.Party
		turn                          string
	}{
		{"taken", asks, "70", "warm", call.TransferEnded, call.ReasonTransferred, call.ByAgent, "took the call"},
		{"key twice", asks, "79", "warm", call.TransferEnded, call.ReasonTransferred, call.ByAgent, "took the call"},
		{"wrong key", asks, "76", "warm", call.TransferEnded, call.ReasonTransferred, call.ByAgent, "took the call"},
		{"declined", asks, "71", "warm", call.TransferDeclined, call.ReasonCallBack, call.ByAgent, "declined the call"},
		{"away", asks, "72", "warm", call.TransferNoAnswer, call.ReasonCallBack, call.ByAgent, "did not answer"},
		{"busy", asks, "73", "warm", call.TransferBusy, call.ReasonCallBack, call.ByAgent, "was busy"},
		{"hung up", asks, "74", "warm", call.TransferDeclined, call.ReasonCallBack, call.ByAgent,
			"hung up without taking the call"},
		{"no key", asks, "77", "warm", call.TransferNoAnswer, call.ReasonCallBack, call.ByAgent, "did not answer"},
		{"nobody", asks, "78", "warm", call.TransferFailed, call.ReasonCallBack, call.ByAgent, "could not be reached"},
		{
			"abandoned", leaves, "70", "warm", call.TransferCanceled, call.ReasonHungUp, call.ByRecipient,
			"The recipient hung up",
		},
		{"hung up on", hangsUp, "70", "warm", call.TransferEnded, call.ReasonTransferred,
			call.ByRecipient, "took the call"},
		{"cold", asks, "71", "cold", call.TransferEnded, call.ReasonTransferred, call.ByAgent, "took the call"},
		{"cold, away", asks, "72", "cold", call.TransferNoAnswer, call.ReasonCallBack, call.ByAgent, "did not answer"},
		{"cold, busy", asks, "73", "cold", call.TransferBusy, call.ReasonCallBack, call.ByAgent, "was busy"},
		{"cold, hung up on", hangsUp, "70", "cold", call.TransferEnded, call.ReasonTransferred,
			call.ByRecipient, "took"},
	}
	var claims []call.Claim
	for i, test := range tests {
		c := w.claim
		to := fmt.Sprintf("+15005%s%04d", test.number, i)
		c.AgentID = w.transferring(w.destination(test.name, to, test.mode, nil))
		c.PersonNumber = fmt.Sprintf("+15005%s%04d", test.recipient, i)
		claims = append(claims, c)
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(queued))
	phones.Elapse(10 * time.Minute)
	w.db.Advance(6 * time.Minute)
	for n := 1; n > 0; {
		var err error
		if n, err = w.calls.ReadPrices(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	dials := phones.Dials()
	for _, c := range queued {
		i := slices.IndexFunc(claims, func(claim call.Claim) bool { return claim.PersonNumber == c.PersonNumber })
		test, got := tests[i], w.get(c.ID)
		tr, said := w.transfer(c.ID)
		if tr.State != test.state || got.EndedReason != test.reason || got.EndedBy != test.by ||
			got.Outcome != call.OutcomeCompleted || tr.EndedAt == nil {
			t.Errorf("%s: %+v, %s by %s, %s", test.name, tr, got.EndedReason, got.EndedBy, got.Outcome)
		}
		if all := strings.Join(said, "\n"); !strings.Contains(all, test.turn) ||
			!strings.Contains(all, "Transfer to "+test.name) {
			t.Errorf("%s: the transcript does not tell what happened:\n%s", test.name, all)
		}
		d := dials[slices.IndexFunc(dials, func(d sandbox.Dial) bool { return d.To == c.PersonNumber })]
		if len(d.Transfers) == 0 {
			t.Errorf("%s: nobody was dialed", test.name)
			continue
		}
		if len(d.Transfers) != 1 || !d.Transfers[0].Ringing || d.Transfers[0].Alone ||
			d.Transfers[0].Connected != test.state.Connected() {
			t.Errorf("%s: dialed %+v", test.name, d.Transfers)
		}
		// The carrier bills the other phone if somebody answered it, also without a connection.
		answered := !slices.Contains([]call.TransferState{call.TransferBusy, call.TransferFailed}, test.state) &&
			!strings.Contains(test.name, "away")
		var parts []string
		for _, part := range got.CostParts {
			parts = append(parts, part.Kind)
		}
		if !slices.Contains(parts, "call") || slices.Contains(parts, "transfer") != answered {
			t.Errorf("%s: the cost has the parts %v", test.name, parts)
		}
		if test.mode == "warm" && test.state.Connected() && !strings.Contains(d.Transfers[0].Heard[0], "Acme") {
			t.Errorf("%s: the person heard %q", test.name, d.Transfers[0].Heard)
		}
		if test.name == "abandoned" && !slices.ContainsFunc(d.Transfers[0].Heard, func(s string) bool {
			return strings.Contains(s, "has hung up")
		}) {
			t.Errorf("the person heard only %q", d.Transfers[0].Heard)
		}
		inOrder(t, got)
	}
}

// Callers who ask for a person are transferred as recipients are.
func TestCallersAreTransferred(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	callIn := w.callingIn(phones)
	for i, test := range []struct {
		name, caller, number, mode string
		withheld                   bool
		state                      call.TransferState
		reason                     call.Reason
		by                         call.Party
		says                       string
	}{
		{"taken", "asks_for_person", "70", "warm", false, call.TransferEnded, call.ReasonTransferred, call.ByAgent,
			"took the call"},
		{"withheld", "asks_for_person", "70", "warm", true, call.TransferEnded, call.ReasonTransferred, call.ByAgent,
			"took the call"},
		{"cold", "asks_for_person", "71", "cold", false, call.TransferEnded, call.ReasonTransferred, call.ByAgent,
			"took the call"},
		{"declined", "asks_for_person", "71", "warm", false, call.TransferDeclined, call.ReasonCallBack, call.ByAgent,
			"Shall somebody call you back?"},
		{"busy", "asks_for_person", "73", "cold", false, call.TransferBusy, call.ReasonCallBack, call.ByAgent,
			"Shall somebody call you back?"},
		{"abandoned", "asks_for_person_and_leaves", "70", "warm", false, call.TransferCanceled, call.ReasonHungUp,
			call.ByRecipient, "The recipient hung up"},
	} {
		agent := w.transferring(w.destination(test.name, fmt.Sprintf("+15005%s%04d", test.number, i), test.mode, nil))
		w.inbound(`{"action": "agent"}`, &agent)
		from := fmt.Sprintf("+1312555%04d", i)
		if test.withheld {
			from = ""
		}
		callIn(from, test.caller)
		got, text := w.received(t, from)
		if tr := got.Transfer; tr == nil || tr.State != test.state || tr.EndedAt == nil ||
			got.EndedReason != test.reason || got.EndedBy != test.by || got.Direction != call.Inbound ||
			!strings.Contains(text, test.says) {
			t.Errorf("%s: %+v, %s by %s\n%s", test.name, tr, got.EndedReason, got.EndedBy, text)
		}
		dials := phones.Dials()
		at := slices.IndexFunc(dials, func(d sandbox.Dial) bool { return d.CallSID == *got.CarrierCallID })
		if legs := dials[at].Transfers; len(legs) != 1 || !legs[0].Ringing || legs[0].Alone ||
			legs[0].Connected != test.state.Connected() || legs[0].From != w.claim.OwnNumber {
			t.Errorf("%s: dialed %+v", test.name, legs)
		}
	}
}

// handed is a call whose recipient asked for a person and heard that they are being connected.
func (w *world) handed(t *testing.T, mode string) (call.Claimed, uuid.UUID) {
	t.Helper()
	id := w.destination("Front desk", "+13125550161", mode, nil)
	w.claim.AgentID = w.transferring(id)
	c := w.queue("+12025550123")
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered})
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.tell(carrier.Prompt{Text: "I want to talk to a human."})
	if said := line.play(t); !strings.Contains(said.text, "Front desk") {
		t.Fatalf("said %q", said.text)
	}
	<-done
	return c, id
}

func (w *world) next(t *testing.T, c call.Claimed) carrier.Next {
	t.Helper()
	next, err := w.lines.Proceed(t.Context(), c.ConnectionID, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func (w *world) press(t *testing.T, s *Service, c call.Claimed, turn int, key string) carrier.Then {
	t.Helper()
	said, err := s.Whisper(t.Context(), c.ConnectionID, c.ID, carrier.Pressed{Transfer: 1, Turn: turn, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return said.Then
}

// Every question of the carrier may come twice and at another process.
func TestTransferIsAskedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, _ := w.handed(t, "warm")
	other := w.instance()
	first, again := w.next(t, c), w.next(t, c)
	again.Dial.MaxDuration = first.Dial.MaxDuration // the time that is left
	if *first.Dial != *again.Dial || first.Dial.To != "+13125550161" {
		t.Fatalf("%+v, %+v", first.Dial, again.Dial)
	}
	for _, s := range []*Service{w.lines, other} {
		if then := w.press(t, s, c, 0, ""); then != carrier.WaitFor {
			t.Errorf("answered: %s", then)
		}
	}
	// Both keys arrive at two processes at the same time. One of them counts.
	var group sync.WaitGroup
	thens := make([]carrier.Then, 2)
	for i, s := range []*Service{w.lines, other} {
		group.Go(func() { thens[i] = w.press(t, s, c, 1, []string{"1", "2"}[i]) })
	}
	group.Wait()
	tr, _ := w.transfer(c.ID)
	want := []carrier.Then{carrier.Connect, carrier.Connect}
	if tr.State == call.TransferDeclined {
		want = []carrier.Then{carrier.HangUpOn, carrier.HangUpOn}
	}
	if !slices.Equal(thens, want) {
		t.Errorf("%s: %v", tr.State, thens)
	}
	end := carrier.DialEnd{Transfer: 1, Outcome: carrier.Completed, Apart: tr.State == call.TransferDeclined}
	for range 2 {
		next, err := other.Returned(t.Context(), c.ConnectionID, c.ID, end)
		if tr.State == call.TransferTaken && !errors.Is(err, carrier.ErrNotAdmitted) ||
			tr.State == call.TransferDeclined && (err != nil || next.Dial != nil) {
			t.Errorf("after %s: %+v, %v", tr.State, next, err)
		}
	}
}

// A process that is killed between any two steps of a transfer loses nobody.
func TestTransferSurvivesKills(t *testing.T) {
	t.Parallel()
	for _, state := range []call.TransferState{
		call.TransferRequested, call.TransferRinging, call.TransferWhisper, call.TransferTaken,
	} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c, _ := w.handed(t, "warm")
			if state != call.TransferRequested {
				w.next(t, c)
			}
			if state == call.TransferWhisper || state == call.TransferTaken {
				w.press(t, w.lines, c, 0, "")
			}
			if state == call.TransferTaken {
				w.press(t, w.lines, c, 1, "1")
			}
			w.use(w.instance()) // the process is gone
			w.network.status = carrier.Report{Phase: carrier.Talking}
			w.db.Advance(silentAfter + time.Second)
			w.reconcile()
			hungUp := w.network.hungUp
			if state == call.TransferRequested {
				if hungUp == 0 { // nobody dials, and no line comes
					t.Error("a recipient whom nobody transfers was left alone")
				}
				return
			}
			if hungUp != 0 {
				t.Fatal("a call was hung up during its transfer")
			}
			if state != call.TransferTaken {
				// The carrier asks what comes next: a line is opened, and the agent apologizes.
				next, err := w.lines.Returned(t.Context(), c.ConnectionID, c.ID,
					carrier.DialEnd{Transfer: 1, Outcome: carrier.NoAnswer, Apart: true})
				if err != nil || next.Dial != nil {
					t.Fatalf("%+v, %v", next, err)
				}
				line := newPhoneLine()
				done := w.lines.converseInBackground(c, line)
				if said := line.play(t); !strings.Contains(said.text, "Front desk can't be reached") {
					t.Errorf("said %q", said.text)
				}
				line.tell(carrier.Prompt{Text: "Yes, please."})
				line.play(t)
				<-done
				if got := w.get(c.ID); got.EndedReason != call.ReasonCallBack {
					t.Errorf("ends because of %s", got.EndedReason)
				}
				return
			}
			_, err := w.lines.Returned(t.Context(), c.ConnectionID, c.ID,
				carrier.DialEnd{Transfer: 1, Outcome: carrier.Completed})
			if !errors.Is(err, carrier.ErrNotAdmitted) {
				t.Fatal(err)
			}
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: time.Minute})
			w.db.Advance(time.Minute) // nobody waits for machine detection any more
			w.settle()
			got := w.get(c.ID)
			if got.EndedReason != call.ReasonTransferred || got.Transfer.State != call.TransferEnded {
				t.Errorf("%s, %+v", got.EndedReason, got.Transfer)
			}
		})
	}
}

// A transfer that rings for too long is given up, so that nobody listens to ringing for ever.
func TestTransferThatNeverEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, _ := w.handed(t, "cold")
	w.next(t, c)
	w.network.status = carrier.Report{Phase: carrier.Talking}
	w.db.Advance(5 * time.Minute)
	w.reconcile()
	if w.network.hungUp == 0 {
		t.Error("the recipient still hears ringing")
	}
}

// The end of the call may be reported before the end of the dial, and the dial's may be lost.
func TestCallEndsDuringTransfer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		taken  bool
		reason call.Reason
		state  call.TransferState
	}{
		{"ringing", false, call.ReasonHungUp, call.TransferCanceled},
		{"taken", true, call.ReasonTransferred, call.TransferEnded},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			events := w.subscribed(webhook.CallTransferred)
			c, _ := w.handed(t, "warm")
			w.next(t, c)
			w.press(t, w.lines, c, 0, "")
			if test.taken {
				w.press(t, w.lines, c, 1, "1")
			}
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: time.Minute})
			if then := w.press(t, w.lines, c, 2, "1"); then != carrier.HangUpOn {
				t.Errorf("after the end, the person's key leads to %s", then)
			}
			w.db.Advance(time.Minute) // nobody waits for machine detection any more
			w.settle()
			got := w.get(c.ID)
			if got.EndedReason != test.reason || got.Transfer.State != test.state || got.Transfer.EndedAt == nil {
				t.Errorf("%s, %+v", got.EndedReason, got.Transfer)
			}
			if n := events(); n != 0 != test.taken {
				t.Errorf("%d events", n)
			}
			destination := got.Transfer.Destination
			words := "The recipient hung up before " + destination + " took the call"
			if test.taken {
				words = destination + " took the call"
			}
			_, said := w.transfer(c.ID)
			if found := w.transcript(c.ID); said[len(said)-1] != words || !strings.HasSuffix(found, words) {
				t.Errorf("the transcript ends with %q, and searches find %q", said, found)
			}
			_, err := w.lines.Returned(t.Context(), c.ConnectionID, c.ID, carrier.DialEnd{Transfer: 1, Over: true})
			if !errors.Is(err, carrier.ErrNotAdmitted) || w.get(c.ID).Transfer.State != test.state {
				t.Error(err, w.get(c.ID).Transfer)
			}
		})
	}
}

// transcript returns what a search of a call finds.
func (w *world) transcript(id uuid.UUID) (text string) {
	w.tb.Helper()
	err := w.db.Pool.QueryRow(context.Background(), `select transcript_text from call where id = $1`, id).Scan(&text)
	if err != nil {
		w.tb.Fatal(err)
	}
	return text
}

// subscribed adds a webhook, and returns how many events of a type there are.
func (w *world) subscribed(event webhook.Type) func() int {
	w.exec(`insert into webhook (id, organization_id, name, url, events, secret)
		values ($1, $2, 'Hook', 'https://example.com', array[$3], '')`,
		uuid.Must(uuid.NewV7()), w.claim.OrganizationID, event)
	return func() (n int) {
		err := w.db.Pool.QueryRow(context.Background(), `select count(*) from event where type = $1`, event).Scan(&n)
		if err != nil {
			w.tb.Fatal(err)
		}
		return n
	}
}

// A destination that is removed after the announcement is not dialed.
func TestDestinationRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, id := w.handed(t, "warm")
	w.exec(`update destination set deactivated_at = clock() where id = $1`, id)
	if next := w.next(t, c); next.Dial != nil {
		t.Fatalf("dialed %+v", next.Dial)
	}
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	if said := line.play(t); !strings.Contains(said.text, "can't be reached") {
		t.Errorf("said %q", said.text)
	}
	line.tell(carrier.Prompt{Text: "No, thank you."})
	line.play(t)
	<-done
	if got := w.get(c.ID); got.Transfer.State != call.TransferFailed || got.EndedReason != call.ReasonWantsHuman {
		t.Errorf("%+v, %s", got.Transfer, got.EndedReason)
	}
}

// After a transfer that failed, the next destination is dialed.
func TestTransferFallsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.destination("Night desk", "+13125550162", "cold", nil)
	first := w.destination("Front desk", "+13125550161", "warm", &second)
	w.claim.AgentID = w.transferring(first)
	c := w.queue("+12025550123")
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered})
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.tell(carrier.Prompt{Text: "I want to talk to a human."})
	line.play(t)
	<-done
	if next := w.next(t, c); next.Dial == nil || next.Dial.To != "+13125550161" {
		t.Fatalf("%+v", next)
	}
	_, err := w.lines.Returned(t.Context(), c.ConnectionID, c.ID,
		carrier.DialEnd{Transfer: 1, Outcome: carrier.Busy, Apart: true})
	if err != nil {
		t.Fatal(err)
	}
	line = newPhoneLine()
	done = w.lines.converseInBackground(c, line)
	if said := line.play(t); !strings.Contains(said.text, "Front desk can't be reached") ||
		!strings.Contains(said.text, "Night desk") {
		t.Errorf("said %q", said.text)
	}
	<-done
	if next := w.next(t, c); next.Dial == nil || next.Dial.To != "+13125550162" || next.Dial.Transfer != 2 {
		t.Fatalf("%+v", next)
	}
}

// Who opts out while the transfer is announced is not transferred.
func TestOptOutDuringAnnouncement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.claim.AgentID = w.transferring(w.destination("Front desk", "+13125550161", "warm", nil))
	c := w.queue("+12025550123")
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered})
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.tell(carrier.Prompt{Text: "I want to talk to a human."})
	u := line.listen(t)
	line.tell(carrier.Digit{Digit: "9"})
	line.tell(carrier.Spoken{Utterance: u.number, Text: u.text, Cut: carrier.CutFlushed, Confirmed: true})
	line.play(t)
	<-done
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: time.Minute})
	w.db.Advance(time.Minute) // nobody waits for machine detection any more
	w.settle()
	got := w.get(c.ID)
	if got.EndedReason != call.ReasonOptedOut || got.Transfer == nil || got.Transfer.State != call.TransferCanceled {
		t.Errorf("%s, %+v", got.EndedReason, got.Transfer)
	}
}

// What follows a transfer is recorded, however often the carrier asks what to dial. Until somebody takes the call,
// there is nothing to keep.
func TestTransferThatIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, id := w.handed(t, "warm")
	w.exec(`update call_transfer set recorded = true where destination_id = $1`, id)
	recorded := func() (record bool) {
		t.Helper()
		err := w.db.Pool.QueryRow(t.Context(), `select record from call where id = $1`, c.ID).Scan(&record)
		if err != nil {
			t.Fatal(err)
		}
		return record
	}
	for range 2 {
		if next := w.next(t, c); next.Dial == nil || !next.Dial.Record || next.Dial.Pause || recorded() {
			t.Fatalf("%+v", next.Dial)
		}
	}
	w.press(t, w.lines, c, 0, "")
	if recorded() {
		t.Error("the whisper is kept")
	}
	w.press(t, w.lines, c, 1, "1")
	if !recorded() {
		t.Error("what follows is not kept")
	}
}
