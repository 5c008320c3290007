package ui

// Tone is the background tint of a badge or a notice.
type Tone uint8

const (
	Neutral Tone = iota
	Live         // in progress
	Good
	Warn // needs attention soon
	Bad  // needs attention now, or failed
)

func (t Tone) badge() string {
	return [...]string{"badge", "badge badge-live", "badge badge-good", "badge badge-warn", "badge badge-bad"}[t]
}

func (t Tone) notice() string {
	switch t {
	case Warn:
		return "notice notice-warn"
	case Bad:
		return "notice notice-bad"
	}
	return "notice"
}

// State is how a state or outcome is shown: a shape, a word and a color, in that order
// of importance.
type State struct {
	Glyph Glyph
	Word  string
	Tone  Tone
	Paint string // the class that fills charts; "": the state has no fill
}

// states maps every word of the API for the state of a campaign, a recipient, a call, a
// message or a delivery, and for an outcome.
var states = map[string]State{
	"completed":    {GlyphCompleted, "Completed", Good, "paint-completed"},
	"no_answer":    {GlyphNoAnswer, "No answer", Neutral, "paint-noanswer"},
	"voicemail":    {GlyphVoicemail, "Voicemail", Neutral, "paint-voicemail"},
	"busy":         {GlyphBusy, "Busy", Neutral, "paint-busy"},
	"failed":       {GlyphFailed, "Failed", Bad, "paint-failed"},
	"canceled":     {GlyphCanceled, "Canceled", Neutral, "paint-canceled"},
	"not_accepted": {GlyphCanceled, "Not accepted", Neutral, "paint-canceled"},
	"skipped":      {GlyphSkipped, "Skipped", Neutral, "paint-canceled"},
	"opted_out":    {GlyphWarning, "Asked not to be called", Warn, "paint-canceled"},
	"expired":      {GlyphCanceled, "Expired", Neutral, "paint-canceled"},
	"in_progress":  {GlyphInProgress, "In progress", Live, "paint-live"},
	"running":      {GlyphInProgress, "Running", Live, "paint-live"},
	"dialing":      {GlyphDialing, "Dialing", Live, "paint-dialing"},
	"ringing":      {GlyphDialing, "Ringing", Live, "paint-dialing"},
	"queued":       {GlyphPending, "Queued", Neutral, "paint-track"},
	"pending":      {GlyphPending, "Pending", Neutral, "paint-track"},
	"draft":        {GlyphPending, "Draft", Neutral, "paint-track"},
	"scheduled":    {GlyphPending, "Scheduled", Neutral, "paint-track"},
	"paused":       {GlyphPaused, "Paused", Neutral, "paint-track"},
	"sending":      {GlyphDialing, "Sending", Live, "paint-dialing"},
	"sent":         {GlyphStep, "Sent", Neutral, "paint-noanswer"},
	"delivered":    {GlyphCompleted, "Delivered", Good, "paint-completed"},
	"read":         {GlyphRead, "Read", Good, "paint-completed"},
	"ready":        {GlyphCompleted, "Ready", Good, "paint-completed"},
	"succeeded":    {GlyphCompleted, "Succeeded", Good, "paint-completed"},
}

// StateOf returns how a state or outcome of the API is shown. It also shows an unknown
// word, so that a new state is never hidden.
func StateOf(word string) State {
	if s, ok := states[word]; ok {
		return s
	}
	return State{Glyph: GlyphStep, Word: Sentence(word), Paint: "paint-track"}
}

// Outcomes is the order of outcomes everywhere. Light and dark colors alternate, so
// that people with any color vision can tell neighbors apart.
var Outcomes = []string{"completed", "no_answer", "voicemail", "busy", "failed", "canceled"}
