package line

import (
	"fmt"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

// Whichever way machines are detected, a person hears the greeting and a machine is recognized. A
// message is left only when the machine has said everything.
func TestDetectionModes(t *testing.T) {
	t.Parallel()
	type result struct {
		outcome  call.Outcome
		reason   call.Reason
		answered call.AnsweredBy
	}
	hung := result{call.OutcomeVoicemail, call.ReasonVoicemail, call.Machine}
	left := result{call.OutcomeVoicemail, call.ReasonVoicemailMessage, call.Machine}
	spoke := result{call.OutcomeCompleted, call.ReasonCompleted, call.Human}
	three := 3
	quick := carrier.Detection{Mode: carrier.DetectBeep, TimeoutSeconds: &three} // unknown, before the beep
	deaf := 6000
	fooled := carrier.Detection{Mode: carrier.DetectFast, SpeechThresholdMS: &deaf}
	w := newWorld(t)
	phones := w.onSandbox(20)
	w.lines.silence = 2 * time.Second
	want := map[string]result{}
	var claims []call.Claim
	add := func(block string, action call.VoicemailAction, detection carrier.Detection, r result) {
		c := w.claim
		c.PersonNumber = fmt.Sprintf("+15005%s%04d", block, len(claims))
		c.VoicemailAction, c.Detection = action, detection
		want[c.PersonNumber] = r
		claims = append(claims, c)
	}
	modes := []carrier.Detection{
		{Mode: carrier.DetectOff}, {Mode: carrier.DetectFast}, {Mode: carrier.DetectBeep}, quick, fooled,
	}
	for _, d := range modes {
		add("00", call.LeaveMessage, d, spoke)
		for _, block := range []string{"03", "14", "15"} {
			add(block, call.LeaveMessage, d, left)
			if d.Mode != carrier.DetectBeep {
				add(block, call.HangUp, d, hung)
			}
		}
		add("16", call.LeaveMessage, d, hung)
		add("17", call.LeaveMessage, d, hung)
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(queued))
	modeOf := map[string]carrier.DetectionMode{}
	for _, c := range queued {
		modeOf[c.PersonNumber] = c.Detection.Mode
		got := w.get(c.ID)
		if want := want[c.PersonNumber]; want != (result{got.Outcome, got.EndedReason, got.AnsweredBy}) {
			t.Errorf("%s, %s, %s: %s, %s, answered by %s", c.PersonNumber, c.VoicemailAction, c.Detection.Mode,
				got.Outcome, got.EndedReason, got.AnsweredBy)
			for _, turn := range w.turns(c.ID) {
				t.Log(turn.Role, turn.Text)
			}
		}
	}
	for _, dial := range phones.Dials() {
		if want[dial.To] != left {
			continue
		}
		var said, heard []sandbox.Turn
		for _, turn := range dial.Turns {
			switch turn.Who {
			case sandbox.Agent:
				said = append(said, turn)
			case sandbox.Recipient:
				heard = append(heard, turn)
			}
		}
		// The agent greets as it greets a person, may reply to a part of the greeting, and says the message when
		// the machine is silent.
		if len(said) == 0 || len(heard) == 0 || said[len(said)-1].Began.Before(heard[len(heard)-1].At) {
			t.Errorf("%s, %s: the agent said %+v during %+v", dial.To, modeOf[dial.To], said, heard)
		}
	}
}
