package line

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
)

// The transcript says who ended a call, once and last: after the sentence that was cut off. It does so for one call and
// for all calls of an organization.
func TestTheTranscriptSaysWhoEndedACall(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world, account.Actor, uuid.UUID) error{
		"one call": func(w *world, actor account.Actor, id uuid.UUID) error {
			return w.calls.End(w.tb.Context(), actor, id)
		},
		"all calls": func(w *world, actor account.Actor, _ uuid.UUID) error {
			var halted call.Halted
			err := postgres.InTx(w.tb.Context(), w.db.Pool, func(tx pgx.Tx) (err error) {
				halted, err = w.calls.Halt(w.tb.Context(), tx, actor, true)
				return err
			})
			w.calls.HangUp(w.tb.Context(), halted)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ada := w.person()
			key := account.Actor{OrganizationID: ada.OrganizationID, Kind: account.ByKey, ID: uuid.New(), Name: "CRM"}
			c, l, done := w.answered("+12025550199")
			unanswered := w.queue("+12025550198")
			u := l.listen(t)
			l.mu.Lock()
			l.cut = []carrier.Heard{carrier.Spoken{Utterance: u.number, Text: "Hello Ada", Cut: carrier.CutClosed}}
			l.mu.Unlock()
			for _, actor := range []account.Actor{key, ada} { // the second one comes too late
				if err := end(w, actor, c.ID); err != nil {
					t.Fatal(err)
				}
				if err := end(w, actor, unanswered.ID); err != nil && actor == key {
					t.Fatal(err)
				}
			}
			l.wantHangUp(t)
			wait(t, done, "the line is not let go")
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			w.exec(`update call set detection = 'off', settle_after = clock() where ended_at is not null`)
			w.settle()
			w.wantTranscript(c, "agent: Hello Ada /", "system: Ended by CRM")
			got := w.get(c.ID)
			if turns := w.turns(c.ID); !turns[len(turns)-1].CreatedAt.Equal(*got.HangUpAt) {
				t.Errorf("the last turn is of %s, and the request of %s", turns[len(turns)-1].CreatedAt, got.HangUpAt)
			}
			if want := "Agent: Hello Ada\nEnded by CRM"; got.TranscriptText != want {
				t.Errorf("transcript %q, want %q", got.TranscriptText, want)
			}
			if got.EndedReason != call.ReasonEndedByUser || got.AnsweredBy == call.Human {
				t.Errorf("ended because of %s, answered by %s", got.EndedReason, got.AnsweredBy)
			}
			if turns := w.turns(unanswered.ID); len(turns) != 0 || w.get(unanswered.ID).TranscriptText != "" {
				t.Errorf("a call without an answer has the transcript %+v", turns)
			}
		})
	}
}
