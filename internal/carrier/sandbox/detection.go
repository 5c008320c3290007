package sandbox

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Results of machine detection, as Twilio reports them.
// https://www.twilio.com/docs/voice/answering-machine-detection
const (
	detectedHuman      = "human"
	detectedUnknown    = "unknown"
	detectedMachine    = "machine_start"
	detectedBeep       = "machine_end_beep"
	detectedEndSilence = "machine_end_silence"
)

// beepPause is the time between two looks for the end of a greeting.
const beepPause = 200 * time.Millisecond

// detectionParameter is a parameter of machine detection, with its bounds and its default.
type detectionParameter struct {
	name                   string
	least, most, otherwise int
	unit                   time.Duration
}

var (
	detectionTimeout   = detectionParameter{"MachineDetectionTimeout", 3, 59, 30, time.Second}
	speechThreshold    = detectionParameter{"MachineDetectionSpeechThreshold", 1000, 6000, 2400, time.Millisecond}
	speechEndThreshold = detectionParameter{"MachineDetectionSpeechEndThreshold", 500, 5000, 1200, time.Millisecond}
	silenceTimeout     = detectionParameter{"MachineDetectionSilenceTimeout", 2000, 10000, 5000, time.Millisecond}
)

// of reads the parameter from a dial request.
func (p detectionParameter) of(form url.Values) time.Duration {
	n, err := strconv.Atoi(form.Get(p.name))
	if err != nil {
		n = p.otherwise
	}
	return time.Duration(n) * p.unit
}

// refuseDetection checks the parameters of machine detection in a dial request. It returns nil for
// valid parameters.
func refuseDetection(form url.Values) *refusal {
	if mode := form.Get("MachineDetection"); mode != "" && mode != "Enable" && mode != "DetectMessageEnd" {
		return &refusal{http.StatusBadRequest, 20001, "MachineDetection must be Enable or DetectMessageEnd"}
	}
	for _, p := range []detectionParameter{detectionTimeout, speechThreshold, speechEndThreshold, silenceTimeout} {
		n, err := strconv.Atoi(form.Get(p.name))
		if form.Has(p.name) && (err != nil || n < p.least || n > p.most) {
			return &refusal{
				http.StatusBadRequest, 20001, fmt.Sprintf("%s must be between %d and %d", p.name, p.least, p.most),
			}
		}
	}
	return nil
}

// detection returns the result of machine detection, and when it is known.
func (c *call) detection() (result string, after time.Duration) {
	messageEnd := c.form.Get("MachineDetection") == "DetectMessageEnd"
	switch {
	case c.plan.silent:
		result, after = detectedUnknown, silenceTimeout.of(c.form)
	case c.plan.late && messageEnd && (c.plan.habit == boxFull || c.plan.habit == boxUnset):
		result, after = detectedEndSilence, c.person.beepAfter() // there is no beep
	case c.plan.late && messageEnd:
		result, after = detectedBeep, max(c.person.beepAfter(), lateAtLeast)
	case c.plan.late:
		result, after = detectedMachine, max(c.person.saidAfter(2)+300*time.Millisecond, lateAtLeast)
	case c.plan.voicemail && messageEnd:
		result, after = detectedBeep, c.person.beepAfter()
	case c.plan.voicemail && c.person.beepAfter() < speechThreshold.of(c.form): // too short for a machine
		result, after = detectedHuman, c.person.beepAfter()+speechEndThreshold.of(c.form)
	case c.plan.voicemail:
		result, after = detectedMachine, speechThreshold.of(c.form)+200*time.Millisecond
	default:
		result, after = detectedHuman, 700*time.Millisecond+speechEndThreshold.of(c.form)
	}
	if most := detectionTimeout.of(c.form); after > most {
		return detectedUnknown, most
	}
	return result, after
}

// greeted reports whether a result can be true yet: a beep or the silence after a greeting comes after
// its last word on an open line. The lock is held.
func (c *call) greeted(result string) bool {
	if result != detectedBeep && result != detectedEndSilence {
		return true
	}
	said := 0
	for _, t := range c.dial.Turns {
		if t.Who == Recipient {
			said++
		}
	}
	return said >= len(c.person.greetingParts())
}

// detect starts machine detection.
func (c *call) detect() {
	address := c.form.Get("AsyncAmdStatusCallback")
	if c.form.Get("MachineDetection") == "" || address == "" {
		return
	}
	result, after := c.detection()
	report := func() {
		form := c.basics("in-progress")
		form.Set("AnsweredBy", result)
		form.Set("MachineDetectionDuration", strconv.Itoa(int(after.Milliseconds())))
		form.Set("Timestamp", time.Now().UTC().Format(time.RFC1123Z))
		c.notify(address, form)
		if c.plan.shuffles {
			c.notify(address, form)
		}
	}
	go func() {
		// A machine that is slower than the clock has not yet said its greeting when its end is due.
		for due := after; c.wait(due); due = beepPause {
			c.n.Mu.Lock()
			over, ready := c.dial.EndedAt != nil, c.greeted(result)
			if !over && ready {
				c.answeredBy = result
			}
			c.n.Mu.Unlock()
			if over {
				return
			}
			if ready {
				report()
				return
			}
		}
	}()
}
