package twilio

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// remedy is what is done after a relay failed.
type remedy uint8

const (
	none         remedy = iota // nothing failed: the session ended in order
	reopen                     // at once, and again while sessions last
	retry                      // a few times, for a moment
	defaultVoice               // once, without the agent's voice and transcription
	giveUp                     // say so and hang up
	letGo                      // hang up: nobody is there any more
)

// relayErrors are the errors of ConversationRelay that the action callback reports, with
// words for an error that comes without a message. An unknown error is permanent.
//
// Sources: https://www.twilio.com/docs/api/errors/64102, …/64104, …/64105, …/64106,
// …/64107, …/64108 and …/64114, and for the default voice
// https://www.twilio.com/en-us/blog/developers/best-practices/conversation-relay-failover.
// 64101 has no public page. It was seen from accounts without ConversationRelay.
var relayErrors = map[string]struct {
	remedy remedy
	words  string
}{
	"":      {reopen, "the socket was lost"},
	"64101": {giveUp, "ConversationRelay could not start the session"},
	"64102": {retry, "Twilio could not connect to the socket of the line"},
	"64104": {letGo, "the call reached Twilio's longest duration"},
	"64105": {reopen, "the socket was lost"},
	"64106": {defaultVoice, "the voice does not fit the speech provider"},
	"64107": {giveUp, "ConversationRelay refused a message"},
	"64108": {letGo, "no audio comes from the call any more"},
	"64114": {retry, "the speech recognition could not be reached"},
}

const (
	// A line that breaks is opened again at once, but not for ever: sessions that last for
	// less than lastingSession are counted.
	maxReopenings  = 5
	lastingSession = 10 * time.Second

	// A line that does not open is tried a few times more, so that nobody hears long
	// silence.
	maxRetries = 3
	retryTime  = 5 * time.Second
)

// relayFailure is how a relay failed. The zero value is an orderly end.
type relayFailure struct {
	code   string
	detail string // for users
	remedy remedy
}

func (f relayFailure) String() string {
	if f.code == "" {
		return f.detail
	}
	return f.detail + " (" + f.code + ")"
}

// handedOff is the data that a session that we ended passes to its action callback.
type handedOff struct {
	Code   string `json:"line_failed"`
	Detail string `json:"detail"`
}

func (f relayFailure) handoff() string {
	data, err := json.Marshal(handedOff{f.code, f.detail})
	if err != nil {
		panic("twilio: handoff data cannot be encoded: " + err.Error()) // only fixed types
	}
	return string(data)
}

// failureOf reads how the session of an action callback ended.
func failureOf(form url.Values) relayFailure {
	var h handedOff
	if err := json.Unmarshal([]byte(form.Get("HandoffData")), &h); err == nil && h.Code != "" {
		return relayFailure{h.Code, h.Detail, giveUp}
	}
	// After an orderly end, by us or by the recipient, SessionStatus is "ended" or
	// "completed" and there is no ErrorCode.
	code := form.Get("ErrorCode")
	if code == "" && form.Get("SessionStatus") != "failed" {
		return relayFailure{}
	}
	known, ok := relayErrors[code]
	if !ok {
		known.remedy, known.words = giveUp, "ConversationRelay failed"
	}
	f := relayFailure{code, known.words, known.remedy}
	if message := form.Get("ErrorMessage"); message != "" {
		f.detail = readable(message)
		if badSettings.MatchString(message) {
			f.remedy = defaultVoice
		}
	}
	return f
}

// badSettings is the message of a voice or speech model that does not fit. Users report it with 64101
// instead of 64106: "Invalid values (google/he-IL/telephony) for stt settings".
var badSettings = regexp.MustCompile(`(?i)^invalid values? \([^)]*\) for (?:tts|stt) settings`)

var relayCode = regexp.MustCompile(`\b64\d{3}\b`)

// refusedMessage reads an error frame. It has a description only, which may begin with the
// code. Without one it is 64107, the refusal of a message.
// https://www.twilio.com/docs/voice/conversationrelay/websocket-messages#error-message
func refusedMessage(description string) relayFailure {
	f := relayFailure{code: "64107", detail: relayErrors["64107"].words, remedy: giveUp}
	if code := relayCode.FindString(description); code != "" {
		f.code = code
	}
	if description != "" {
		f.detail = readable(description)
	}
	return f
}

// opening is an attempt to open a line. The address of its action callback has it.
type opening struct {
	attempt      int       // from 1; begins anew after a session that lasted
	since        time.Time // of the first attempt, in milliseconds
	defaultVoice bool      // the agent's voice or transcription could not be used
}

// Names of the query of the action callback.
const (
	attemptQuery = "attempt"
	sinceQuery   = "since"
	voiceQuery   = "voice"
)

func firstOpening(now time.Time) opening { return opening{attempt: 1, since: now} }

// query is the opening as a query.
func (o opening) query() string {
	q := attemptQuery + "=" + strconv.Itoa(o.attempt) + "&" + sinceQuery + "=" +
		strconv.FormatInt(o.since.UnixMilli(), 10)
	if o.defaultVoice {
		q += "&" + voiceQuery + "=default"
	}
	return q
}

// readOpening reads the opening from the query of its action callback.
func readOpening(q url.Values, now time.Time) opening {
	o := firstOpening(now)
	if n, err := strconv.Atoi(q.Get(attemptQuery)); err == nil && n > 0 {
		o.attempt = n
	}
	if ms, err := strconv.ParseInt(q.Get(sinceQuery), 10, 64); err == nil {
		o.since = time.UnixMilli(ms)
	}
	o.defaultVoice = q.Get(voiceQuery) == "default"
	return o
}

// after is the opening that follows a failure. lasted is how long the session was open, and
// voiced says that the agent has a voice or a transcription of its own. ok is false when the line is given up.
func (o opening) after(f relayFailure, lasted time.Duration, voiced bool, now time.Time) (next opening, ok bool) {
	if lasted >= lastingSession {
		o.attempt, o.since = 0, now
	}
	next = o
	next.attempt++
	switch f.remedy {
	case reopen:
		return next, o.attempt <= maxReopenings
	case retry:
		return next, o.attempt <= maxRetries && now.Sub(o.since) < retryTime
	case defaultVoice:
		next = firstOpening(now)
		next.defaultVoice = true
		return next, voiced && !o.defaultVoice
	}
	return next, false
}

// pause is how long the opening waits before it begins, in seconds. The first attempt and
// the first reopening are immediate.
func (o opening) pause() int {
	if o.attempt > 2 {
		return 1
	}
	return 0
}
