package line

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
)

// Two processes lose the database, one after the other, while each has a line of the same call. The
// words that each process heard are stored in order, whichever process writes first.
func TestWordsOfTwoFormerHolders(t *testing.T) {
	t.Parallel()
	for name, firstIsBackFirst := range map[string]bool{
		"the first is back first":  true,
		"the second is back first": false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			first, second := w.instance(), w.instance()
			firstCable, secondCable := w.cabled(first), w.cabled(second)
			c := w.talking("+12025550199")

			line := newPhoneLine()
			done := first.converseInBackground(c, line)
			line.play(t)
			line.heardAll()
			firstCable.cut()
			line.tell(carrier.Prompt{Text: "What did you say?"}, carrier.Closed{Reason: carrier.CloseLost})
			wait(t, done, "the first line is not let go")

			line = newPhoneLine()
			done = second.converseInBackground(c, line)
			line.listen(t) // nothing of it is played, so no turn is written
			secondCable.cut()
			line.tell(carrier.Prompt{Text: "Hello?"}, carrier.Closed{Reason: carrier.CloseLost})
			wait(t, done, "the second line is not let go")

			line = newPhoneLine()
			w.lines.converseInBackground(c, line)
			u := line.play(t)
			line.heardAll()
			if firstIsBackFirst {
				firstCable.restore()
				w.awaitTranscript(c, "Recipient: What did you say?")
				secondCable.restore()
				w.awaitTranscript(c, "Recipient: Hello?")
			} else {
				secondCable.restore()
				w.awaitTranscript(c, "Recipient: Hello?")
				firstCable.restore()
				w.awaitTranscript(c, "Recipient: What did you say?")
			}
			w.wantTranscript(c, "agent: Hello", "recipient: What did you say?", "recipient: Hello?", "agent: "+u.text)
		})
	}
}

// The first line of a call breaks before it is open, and the carrier opens a second line. Both
// lines are opened at once. The words heard on the first line are stored.
func TestTwoLinesAreOpenedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	// Opening a line changes nothing in this row.
	w.exec(`update call set heard_at = clock() + interval '1 day'`)
	tx, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context()) // committed below
	if _, err := tx.Exec(t.Context(), `select from call for update`); err != nil {
		t.Fatal(err)
	}
	former := w.instance()
	broken, line := newPhoneLine(), newPhoneLine()
	done := former.converseInBackground(c, broken)
	broken.tell(carrier.Prompt{Text: "Ada speaking."}, carrier.Closed{Reason: carrier.CloseLost})
	w.db.AwaitLockWaits(t, 1)
	w.lines.converseInBackground(c, line)
	w.db.AwaitLockWaits(t, 2)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	line.listen(t)
	wait(t, done, "the broken line is not let go")
	if err := former.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.wantTranscript(c, "recipient: Ada speaking.")
}

// The database stops after it has committed the words of a former holder. The words are written
// once, and the log does not report them as lost.
func TestWordsOfAFormerHolderAreKnownToBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var log safeBuffer
	former := w.instance(func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	x := w.cabled(former)
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := former.converseInBackground(c, line)
	line.play(t)
	line.heardAll()
	x.cut()
	line.tell(carrier.Prompt{Text: "What did you say?"}, carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")
	line = newPhoneLine()
	w.lines.converseInBackground(c, line)
	u := line.play(t)
	line.heardAll()

	x.loseCommit()
	deadline := time.Now().Add(testwait.Limit)
	for lost := false; !lost; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no commit was lost")
		}
		x.mu.Lock()
		lost = x.away
		x.mu.Unlock()
	}
	x.restore()
	if err := former.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.wantTranscript(c, "agent: Hello", "recipient: What did you say?", "agent: "+u.text)
	if text := log.String(); strings.Contains(text, "were lost") {
		t.Errorf("the log says %s", text)
	}
}
