package campaign

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
)

// Bounds and defaults of a campaign's settings.
const (
	pastSchedule          = 5 * time.Minute // how far in the past a start time may be
	maxAhead              = 5 * 365 * 24 * time.Hour
	defaultMaxConcurrency = 10
	maxMaxConcurrency     = 1000
	defaultCallsPerSecond = 1.0
	MinCallsPerSecond     = 0.01
	MaxCallsPerSecond     = 1000.0
	maxMaxAttempts        = 10
	maxDelayMinutes       = 10_080 // a week
	defaultDelayMinutes   = 30
	maxCallReason         = 64 // characters, as Twilio allows
	defaultRingTimeout    = 30 // seconds
	minRingTimeout        = 5
	maxRingTimeout        = 120
	defaultMaxDuration    = 600 // seconds
	minMaxDuration        = 10
	maxMaxDuration        = 3600
)

// What the agent does when a voicemail answers.
const (
	HangUp       = "hang_up"
	LeaveMessage = "leave_message"
)

// RetryOutcomes are the outcomes after which a recipient may be called again.
var RetryOutcomes = []string{"busy", "no_answer", "voicemail", "failed"}

// Draft is a campaign as requested through the API or the dashboard's form. A nil
// pointer, an empty text or a nil list is an absent field, which gets its default. The
// API decodes its JSON into a Draft, except for the recipients. A field that is
// nullable in the API accepts null as absent.
type Draft struct {
	ID                 uuid.UUID         `json:"-"` // zero: Create generates it; a set ID creates one campaign
	Name               string            `json:"name"`
	ProjectID          string            `json:"project_id"`
	AgentID            string            `json:"agent_id"`
	AgentVersion       *AgentVersion     `json:"agent_version" nullable:"true"` // absent: the published one
	PhoneNumberID      string            `json:"phone_number_id" nullable:"true"`
	NumberPoolID       string            `json:"number_pool_id" nullable:"true"` // instead of PhoneNumberID
	CallReason         string            `json:"call_reason" nullable:"true"`    // absent: none
	Recipients         *intake.List      `json:"-"`
	ScheduledAt        *time.Time        `json:"scheduled_at" nullable:"true"` // absent: now
	ExpiresAt          *time.Time        `json:"expires_at" nullable:"true"`   // absent: never
	CallingHours       *hours.Hours      `json:"calling_hours"`                // absent: the project's
	MaxConcurrency     *int              `json:"max_concurrency"`              // 10
	CallsPerSecond     *float64          `json:"calls_per_second"`             // 1
	Retry              *RetryInput       `json:"retry"`                        // absent: one attempt
	Intents            Intents           `json:"intents"`                      // absent: DefaultIntents
	VoicemailAction    string            `json:"voicemail_action"`             // hang_up
	Detection          carrier.Detection `json:"detection"`                    // absent: fits the voicemail action
	RingTimeoutSeconds *int              `json:"ring_timeout_seconds"`         // 30
	MaxDurationSeconds *int              `json:"max_duration_seconds"`         // 600
	Variables          json.RawMessage   `json:"variables"`
	Metadata           json.RawMessage   `json:"metadata"`
	Messaging          *MessagingInput   `json:"messaging" nullable:"true"` // absent: no messages
	Budget             *Budget           `json:"budget" nullable:"true"`    // absent: calls may cost any amount
	ProgressShares     []int             `json:"progress_shares"`           // absent: 25, 50 and 75

	// AsDraft is whether the campaign waits for Start. It may have no recipients until then.
	AsDraft bool `json:"draft"`

	// NotReadyReason says why the campaign starts although its connection is not ready for
	// real calls. It has at most 500 characters. Absent: then it is refused.
	NotReadyReason string `json:"not_ready_reason" nullable:"true"`

	checked        *settings
	listed         *listed    // the recipients that are stored already; nil: those of Recipients
	repeats        *uuid.UUID // the campaign whose unreached recipients it calls again
	asked          bool       // AskQuota was called
	askedReadiness bool
	quota          *messaging.Quota // of the WhatsApp number; nil: no quota limits the list
}

// RetryInput says whether a recipient who was not reached is called again.
type RetryInput struct {
	// MaxAttempts is 1 to 10 and includes the first attempt; absent: 1.
	MaxAttempts *int `json:"max_attempts"`

	// DelaysMinutes are the delays before attempts 2, 3 and so on. The last delay
	// repeats. Absent: 30.
	DelaysMinutes []int `json:"delays_minutes"`

	// OutcomeDelaysMinutes replace DelaysMinutes after the outcomes they name. Each
	// outcome must be in On.
	OutcomeDelaysMinutes OutcomeDelays `json:"outcome_delays_minutes"`

	// On lists outcomes of RetryOutcomes. Absent: all outcomes, except voicemail if the
	// agent leaves a message there.
	On []string `json:"on"`
}

// settings is a draft with defaults filled in.
type settings struct {
	projectID       uuid.UUID
	agentID         uuid.UUID
	from            CallsFrom
	name            string
	callReason      string     // empty: none
	scheduledAt     *time.Time // nil: now
	expiresAt       *time.Time
	maxConcurrency  int
	callsPerSecond  float64
	maxAttempts     int
	retryDelays     []int
	outcomeDelays   map[string][]int // never nil
	retryOn         []string
	intents         Intents
	voicemailAction string
	detection       carrier.Detection
	ringTimeout     int
	maxDuration     int
	variables       json.RawMessage
	metadata        json.RawMessage
	notReadyReason  string
	messaging       *Messaging // nil: none
	budget          *Budget    // nil: none
	progressShares  []int      // never nil
}

// Check reports every problem of a draft that can be found without the database. Its
// error is Invalid and names the fields. Create checks too, but a call of Check before
// Create avoids a transaction for a large invalid body.
func (d *Draft) Check(now time.Time) error {
	var p fault.Problems
	s := d.settle(now, &p)
	if d.Recipients == nil {
		d.Recipients = &intake.List{}
	}
	if !d.AsDraft || d.Recipients.Len() > 0 {
		d.Recipients.Check(&p)
	}
	if err := p.Err(); err != nil {
		return err
	}
	d.checked = s
	return nil
}

func (d *Draft) settle(now time.Time, p *fault.Problems) *settings {
	s := &settings{
		name:            d.Name,
		scheduledAt:     cut(d.ScheduledAt),
		expiresAt:       cut(d.ExpiresAt),
		maxConcurrency:  within(p, "max_concurrency", d.MaxConcurrency, defaultMaxConcurrency, 1, maxMaxConcurrency),
		callsPerSecond:  defaultCallsPerSecond,
		voicemailAction: d.VoicemailAction,
		ringTimeout: within(p, "ring_timeout_seconds", d.RingTimeoutSeconds, defaultRingTimeout, minRingTimeout,
			maxRingTimeout),
		maxDuration: within(p, "max_duration_seconds", d.MaxDurationSeconds, defaultMaxDuration, minMaxDuration,
			maxMaxDuration),
	}
	check.Name(p, "name", &s.name)
	s.callReason = settleCallReason(p, d.CallReason)
	s.projectID = check.ID(p, "project_id", "project", d.ProjectID)
	s.agentID = check.ID(p, "agent_id", "agent", d.AgentID)
	d.AgentVersion.check(p)
	switch {
	case d.NumberPoolID == "":
		s.from.PhoneNumberID = check.ID(p, "phone_number_id", "phone number", d.PhoneNumberID)
	case d.PhoneNumberID != "":
		p.Addf("number_pool_id", "must not be set together with phone_number_id")
	default:
		s.from.NumberPoolID = check.ID(p, "number_pool_id", "number pool", d.NumberPoolID)
	}
	s.variables = check.Variables(p, "variables", d.Variables)
	s.metadata = check.Metadata(p, "metadata", d.Metadata)
	s.notReadyReason = d.NotReadyReason
	check.Text(p, "not_ready_reason", &s.notReadyReason, maxNotReadyReason)
	s.messaging = d.Messaging.settle(p)
	d.Budget.Check(p, "budget.")
	s.budget = d.Budget
	s.progressShares = settleShares(p, d.ProgressShares)

	if cps := d.CallsPerSecond; cps != nil {
		if !(*cps >= MinCallsPerSecond && *cps <= MaxCallsPerSecond) { // also catches NaN
			p.Addf("calls_per_second", "must be between %v and %v", MinCallsPerSecond, MaxCallsPerSecond)
		}
		s.callsPerSecond = *cps
	}
	switch s.voicemailAction {
	case "":
		s.voicemailAction = HangUp
	case HangUp, LeaveMessage:
	default:
		p.Addf("voicemail_action", "must be %s or %s", HangUp, LeaveMessage)
	}
	s.detection = settleDetection(p, d.Detection, s.voicemailAction)
	d.settleTimes(now, s, p)
	d.settleRetry(s, p)
	s.intents = d.Intents.settle(p)
	if d.CallingHours != nil {
		d.CallingHours.Validate("calling_hours", p)
	}
	return s
}

// link finds what phones show as a link: an address with its scheme or with www, or a domain with a path. Names of
// companies may be domains: "Your Booking.com stay".
var link = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://|\bwww\.|\b[a-z0-9-]+\.[a-z]{2,}/`)

// settleCallReason returns the reason without surrounding space. Phones show only printable ASCII. Twilio prohibits
// links (its error 11020).
func settleCallReason(p *fault.Problems, reason string) string {
	reason = strings.TrimSpace(reason)
	switch {
	case utf8.RuneCountInString(reason) > maxCallReason:
		p.Addf("call_reason", "must have at most %d characters", maxCallReason)
	case strings.ContainsFunc(reason, func(r rune) bool { return r < ' ' || r > '~' }):
		p.Addf("call_reason", "must contain only ASCII letters, digits, punctuation and spaces")
	case link.MatchString(reason):
		p.Addf("call_reason", "must not contain a link")
	}
	return reason
}

func (d *Draft) settleTimes(now time.Time, s *settings, p *fault.Problems) {
	start := now
	if s.scheduledAt != nil {
		start = *s.scheduledAt
		switch {
		case start.Before(now.Add(-pastSchedule)):
			p.Addf("scheduled_at", "must not be more than 5 minutes in the past")
		case start.After(now.Add(maxAhead)):
			p.Addf("scheduled_at", "must be within the next five years")
		}
	}
	if s.expiresAt == nil {
		return
	}
	switch {
	case !s.expiresAt.After(start):
		p.Addf("expires_at", "must be after the start")
	case !s.expiresAt.After(now):
		p.Addf("expires_at", "must be in the future")
	case s.expiresAt.After(now.Add(2 * maxAhead)):
		p.Addf("expires_at", "must be within the next ten years")
	}
}

func (d *Draft) settleRetry(s *settings, p *fault.Problems) {
	in := d.Retry
	if in == nil {
		in = &RetryInput{}
	}
	s.maxAttempts = within(p, "retry.max_attempts", in.MaxAttempts, 1, 1, maxMaxAttempts)
	s.retryDelays = in.DelaysMinutes
	if len(s.retryDelays) == 0 {
		s.retryDelays = []int{defaultDelayMinutes}
	}
	checkDelays(p, "retry.delays_minutes", s.retryDelays)
	s.retryOn = in.On
	if in.On == nil {
		s.retryOn = slices.DeleteFunc(slices.Clone(RetryOutcomes), func(outcome string) bool {
			return outcome == "voicemail" && s.voicemailAction == LeaveMessage
		})
	}
	for i, outcome := range s.retryOn {
		if !slices.Contains(RetryOutcomes, outcome) {
			p.Addf(indexed("retry.on", i), "must be one of %s", strings.Join(RetryOutcomes, ", "))
		} else if slices.Contains(s.retryOn[:i], outcome) {
			p.Addf(indexed("retry.on", i), "must not be listed twice")
		}
	}
	s.outcomeDelays = map[string][]int{}
	for outcome, delays := range in.OutcomeDelaysMinutes.each {
		path := "retry.outcome_delays_minutes." + outcome
		switch {
		case delays == nil:
		case len(delays) == 0:
			p.Addf(path, "at least one is required")
		case !slices.Contains(s.retryOn, outcome):
			p.Addf(path, "has no effect because this outcome is not retried")
		default:
			checkDelays(p, path, delays)
			s.outcomeDelays[outcome] = delays
		}
	}
}

// checkDelays bounds the minutes before each further attempt.
func checkDelays(p *fault.Problems, path string, delays []int) {
	if len(delays) >= maxMaxAttempts {
		p.Addf(path, "must have at most %d values, one before each further attempt", maxMaxAttempts-1)
	}
	for i, minutes := range delays {
		if minutes < 0 || minutes > maxDelayMinutes {
			p.Addf(indexed(path, i), "must be between 0 and %d", maxDelayMinutes)
		}
	}
}

// within returns the value, which must be between least and most, or the default.
func within(p *fault.Problems, path string, value *int, otherwise, least, most int) int {
	if value == nil {
		return otherwise
	}
	if *value < least || *value > most {
		p.Addf(path, "must be between %d and %d", least, most)
	}
	return *value
}

// cut truncates a time to the precision of the database, so that the checked value is
// the stored value.
func cut(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	c := t.UTC().Truncate(time.Millisecond)
	return &c
}

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
