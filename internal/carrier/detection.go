package carrier

// DetectionMode is whether, and when, the carrier reports who answered.
type DetectionMode string

const (
	DetectOff  DetectionMode = "off"           // never
	DetectFast DetectionMode = "fast"          // as soon as it is known
	DetectBeep DetectionMode = "wait_for_beep" // a machine when its greeting is over, a person at once
)

// DetectionModes lists every mode.
var DetectionModes = []DetectionMode{DetectOff, DetectFast, DetectBeep}

// Detection is how the carrier finds out whether a machine answered. A nil field is the carrier's
// default.
type Detection struct {
	Mode DetectionMode `json:"mode"`
	// TimeoutSeconds is how long detection may take. After it, the result is Unknown.
	TimeoutSeconds *int `json:"timeout_seconds" nullable:"true"`
	// SpeechThresholdMS is the length of a greeting. Whoever speaks longer is a machine.
	SpeechThresholdMS *int `json:"speech_threshold_ms" nullable:"true"`
	// SpeechEndThresholdMS is the silence that ends a greeting.
	SpeechEndThresholdMS *int `json:"speech_end_threshold_ms" nullable:"true"`
	// SilenceTimeoutMS is how long whoever answered may say nothing. After it, the result is Unknown.
	SilenceTimeoutMS *int `json:"silence_timeout_ms" nullable:"true"`
}
