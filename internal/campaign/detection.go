package campaign

import (
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

// Bounds are the least and the largest value of a field.
type Bounds struct{ Least, Most int }

// Bounds of the detection of machines, which are Twilio's.
var (
	DetectionTimeoutBounds   = Bounds{3, 59}       // seconds
	SpeechThresholdBounds    = Bounds{1000, 6000}  // milliseconds, like those below
	SpeechEndThresholdBounds = Bounds{500, 5000}   //
	SilenceTimeoutBounds     = Bounds{2000, 10000} //
)

// settleDetection fills in the default mode and checks a detection for a campaign with the given
// voicemail action.
func settleDetection(p *fault.Problems, d carrier.Detection, action string) carrier.Detection {
	if d.Mode == "" {
		d.Mode = call.DefaultDetection(call.VoicemailAction(action))
	}
	fault.OneOf(p, "detection.mode", []carrier.DetectionMode{d.Mode}, carrier.DetectionModes)
	if d.Mode == carrier.DetectBeep && action == HangUp {
		p.Addf("detection.mode", "must not be %s if voicemail_action is %s", carrier.DetectBeep, HangUp)
	}
	for _, field := range []struct {
		name  string
		value *int
		in    Bounds
	}{
		{"detection.timeout_seconds", d.TimeoutSeconds, DetectionTimeoutBounds},
		{"detection.speech_threshold_ms", d.SpeechThresholdMS, SpeechThresholdBounds},
		{"detection.speech_end_threshold_ms", d.SpeechEndThresholdMS, SpeechEndThresholdBounds},
		{"detection.silence_timeout_ms", d.SilenceTimeoutMS, SilenceTimeoutBounds},
	} {
		if field.value != nil && d.Mode == carrier.DetectOff {
			p.Addf(field.name, "has no effect because detection is off")
			continue
		}
		within(p, field.name, field.value, 0, field.in.Least, field.in.Most)
	}
	return d
}
