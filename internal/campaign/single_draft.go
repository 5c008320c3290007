package campaign

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

// MaxCalls is how many calls one request may schedule.
const MaxCalls = 1000

// CallDraft is a call of its own as requested through the API or the dashboard's form. An absent field gets its
// default, as in a Draft.
type CallDraft struct {
	ID                 uuid.UUID         `json:"-"`  // zero: made by Call; a set ID schedules one call
	To                 string            `json:"to"` // E.164
	Name               string            `json:"name" nullable:"true"`
	ExternalID         string            `json:"external_id" nullable:"true"`
	Timezone           string            `json:"timezone" nullable:"true"` // IANA
	Consent            *intake.Consent   `json:"consent" nullable:"true"`
	Variables          json.RawMessage   `json:"variables"`
	Metadata           json.RawMessage   `json:"metadata"`
	ProjectID          string            `json:"project_id"`
	AgentID            string            `json:"agent_id"`
	AgentVersion       *AgentVersion     `json:"agent_version" nullable:"true"`
	PhoneNumberID      string            `json:"phone_number_id" nullable:"true"`
	NumberPoolID       string            `json:"number_pool_id" nullable:"true"`
	CallReason         string            `json:"call_reason" nullable:"true"`
	ScheduledAt        *time.Time        `json:"scheduled_at" nullable:"true"`
	ExpiresAt          *time.Time        `json:"expires_at" nullable:"true"`
	CallingHours       *hours.Hours      `json:"calling_hours"`
	Retry              *RetryInput       `json:"retry"`
	Intents            Intents           `json:"intents"`
	VoicemailAction    string            `json:"voicemail_action"`
	Detection          carrier.Detection `json:"detection"`
	RingTimeoutSeconds *int              `json:"ring_timeout_seconds"`
	MaxDurationSeconds *int              `json:"max_duration_seconds"`
	NotReadyReason     string            `json:"not_ready_reason" nullable:"true"`

	checked *settings
	entry   *intake.Entry
}

// CallDrafts are the calls of one request: all are scheduled, or none.
type CallDrafts struct {
	Calls []*CallDraft
	Batch bool // the paths of problems begin with calls[i]

	checked bool
	asked   bool
}

func (ds *CallDrafts) path(i int) string {
	if !ds.Batch {
		return ""
	}
	return indexed("calls", i) + "."
}

// Check reports every problem of the calls that can be found without the database. Its error is Invalid and names the
// fields.
func (ds *CallDrafts) Check(now time.Time) error {
	var p fault.Problems
	switch {
	case len(ds.Calls) == 0:
		p.Addf("calls", "at least one is required")
	case len(ds.Calls) > MaxCalls:
		p.Addf("calls", "must have at most %d elements", MaxCalls)
	default:
		for i, d := range ds.Calls {
			p.MergeAt(ds.path(i), d.check(now))
		}
	}
	err := p.Err()
	ds.checked = err == nil
	return err
}

func (d *CallDraft) check(now time.Time) *fault.Problems {
	var p fault.Problems
	var problems *fault.Problems
	d.entry, problems = intake.ReadOne(intake.Recipient{
		PhoneNumber: d.To, Name: d.Name, ExternalID: d.ExternalID, Timezone: d.Timezone, Consent: d.Consent,
		Variables: d.Variables, Metadata: d.Metadata,
	}, "to")
	p.Merge(problems)
	d.checked = (&Draft{
		Name: "Calls", ProjectID: d.ProjectID, AgentID: d.AgentID, AgentVersion: d.AgentVersion,
		PhoneNumberID: d.PhoneNumberID, NumberPoolID: d.NumberPoolID, CallReason: d.CallReason,
		ScheduledAt: d.ScheduledAt, ExpiresAt: d.ExpiresAt, CallingHours: d.CallingHours, Retry: d.Retry,
		Intents: d.Intents, VoicemailAction: d.VoicemailAction, Detection: d.Detection,
		RingTimeoutSeconds: d.RingTimeoutSeconds, MaxDurationSeconds: d.MaxDurationSeconds,
		NotReadyReason: d.NotReadyReason,
	}).settle(now, &p)
	return &p
}

// settled is what calls have in common that are recipients of one standing campaign.
type settled struct {
	ProjectID    uuid.UUID
	AgentID      uuid.UUID
	AgentVersion *AgentVersion
	From         CallsFrom
	CallReason   string
	Hours        *hours.Hours
	MaxAttempts  int
	Delays       []int
	OwnDelays    map[string][]int
	RetryOn      []string
	Intents      Intents
	Voicemail    string
	Detection    carrier.Detection
	Ring, Most   int
}

func (d *CallDraft) settled() settled {
	s := d.checked
	return settled{
		ProjectID: s.projectID, AgentID: s.agentID, AgentVersion: d.AgentVersion, From: s.from,
		CallReason: s.callReason, Hours: d.CallingHours, MaxAttempts: s.maxAttempts, Delays: s.retryDelays,
		OwnDelays: s.outcomeDelays, RetryOn: slices.Sorted(slices.Values(s.retryOn)), Intents: s.intents,
		Voicemail: s.voicemailAction, Detection: s.detection, Ring: s.ringTimeout, Most: s.maxDuration,
	}
}
