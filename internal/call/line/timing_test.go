package line

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
)

// timings are the timings of a call's turns, by the words of the turn.
func (w *world) timings(c call.Claimed) map[string]*call.Timing {
	w.tb.Helper()
	all := map[string]*call.Timing{}
	for _, turn := range w.turns(c.ID) {
		if turn.Timing != nil {
			all[turn.Text] = turn.Timing
		}
	}
	return all
}

// checkTiming checks that the moments of an answer are in order.
func checkTiming(t *testing.T, of *call.Timing) {
	t.Helper()
	switch {
	case of == nil:
		t.Fatal("the answer has no timing")
	case of.RequestMS < of.ToolMS || of.FirstTokenMS < of.RequestMS || of.FirstSentMS < of.FirstTokenMS,
		of.OwnMS > of.FirstSentMS+1, of.ConnectionID == uuid.Nil,
		of.SpeakingMS != nil && *of.SpeakingMS < of.FirstSentMS:
		t.Errorf("timing %+v", of)
	}
}

// The answer to a recipient has its moments, those of its tools among them, and nothing else has any.
func TestTimingOfAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	c, l, done := w.answered("+12025550101")
	l.play(t) // the greeting
	l.play(t) // the disclosure
	l.play(t)
	l.tell(carrier.Prompt{Text: "Yes, I am.", At: time.Now().Add(-2 * time.Second)})
	bye := l.play(t)
	wait(t, done, "the line is not let go")
	got := w.timings(c)
	if len(got) != 1 {
		t.Errorf("%d turns have a timing", len(got))
	}
	timing := got[bye.text]
	checkTiming(t, timing)
	if timing.RequestMS < 2000 || timing.OwnMS < 2000 || timing.Hedged {
		t.Errorf("the time since the prompt arrived is not counted: %+v", timing)
	}
}

// What a tool takes is not our share, in the requests before and after it.
func TestTheTimeOfAToolIsNotOurs(t *testing.T) {
	t.Parallel()
	prompt := time.Now()
	at := func(ms int) time.Time { return prompt.Add(time.Duration(ms) * time.Millisecond) }
	a := awaited{prompt: prompt, after: prompt}
	a.goesOn(moments{sent: at(1), finished: at(300)})
	a.waits(at(302))
	a.resumes(at(2300))
	a.goesOn(moments{sent: at(2301), finished: at(2600)})
	if want := 4 * time.Millisecond; a.own != want {
		t.Errorf("our share is %s, want %s", a.own, want)
	}
}

// With a filler and another connection, the answer is timed from the prompt, and the wait for the filler is not ours.
func TestTimingOfALateAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	brain := w.withModel("sandbox", "sandbox-unknown-fields")
	w.lines.patience.filler, w.lines.patience.hedge = time.Millisecond, time.Millisecond
	c, l, done := w.answered("+12025550101")
	l.play(t) // the greeting
	l.play(t) // the disclosure
	l.play(t)
	brain.mu.Lock()
	l.tell(carrier.Prompt{Text: "Yes, I am."})
	l.play(t) // the filler
	l.heardAll()
	brain.mu.Unlock()
	bye := l.play(t)
	wait(t, done, "the line is not let go")
	timing := w.timings(c)[bye.text]
	checkTiming(t, timing)
	if !timing.Hedged {
		t.Errorf("timing %+v of two connections", timing)
	}
}

// On the sandbox, the carrier says when speech began. The settled call is in the figures of its version and its day.
func TestTimingOnTheSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	w.onSandbox(20)
	w.lines.patience.filler, w.lines.patience.hedge = testwait.Limit, testwait.Limit
	w.claim.PersonNumber = "+15005000001"
	queued, _ := w.queueAll(w.claim)
	c := queued[0]
	w.place(c)
	w.untilEnded(t, c.ID)
	w.untilSettled(t, 1)
	got := w.timings(c)
	if len(got) == 0 {
		t.Fatalf("no turn has a timing: %+v", w.turns(c.ID))
	}
	for _, timing := range got {
		checkTiming(t, timing)
		if timing.SpeakingMS == nil {
			t.Errorf("the carrier reported no speech: %+v", timing)
		}
	}
	stats, err := w.calls.AgentStats(t.Context(), w.claim.OrganizationID, w.claim.AgentID)
	use := w.get(c.ID).Analysis.Model
	total := stats.Total
	if err != nil || total.Calls != 1 || total.Tokens != use.InputTokens+use.OutputTokens ||
		total.Answer.Answers != len(got) || len(total.Costs) != 1 ||
		total.Costs[0].Amount != use.Connections[0].Cost.Amount {
		t.Errorf("figures %+v of %+v, %v", stats, use, err)
	}
	var tokens int
	var amount string
	err = w.db.Pool.QueryRow(t.Context(), `
		select sum(tokens) filter (where currency is null),
		       trim_scale(sum(amount) filter (where currency = 'USD'))::text
		from model_day`).Scan(&tokens, &amount)
	if err != nil || tokens != total.Tokens || amount != total.Costs[0].Amount {
		t.Errorf("the day has %d tokens for %s, %v", tokens, amount, err)
	}
}
