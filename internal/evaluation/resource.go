package evaluation

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/wire"
)

// CaseResource is a test case as the API shows it.
type CaseResource struct {
	ID           uuid.UUID                  `json:"id"`
	AgentID      uuid.UUID                  `json:"agent_id"`
	Name         string                     `json:"name"`
	Recipient    RecipientResource          `json:"recipient"`
	Variables    json.RawMessage            `json:"variables"`
	LeaveMessage bool                       `json:"leave_message"`
	ToolResults  map[string]json.RawMessage `json:"tool_results"`
	Checks       []CheckResource            `json:"checks"`
	CreatedAt    wire.Time                  `json:"created_at"`
	UpdatedAt    wire.Time                  `json:"updated_at"`
}

// RecipientResource is who answers the call of a test.
type RecipientResource struct {
	Steps []StepResource `json:"steps"` // empty if a model plays the recipient
	Model *Player        `json:"model"` // null: the recipient follows the steps
}

// StepResource is what the recipient of a test does in one turn.
type StepResource struct {
	Action Action `json:"action"`
	Text   string `json:"text"`
	Words  int    `json:"words"`
}

// CheckResource is what must be true of a conversation.
type CheckResource struct {
	Kind         Kind    `json:"kind"`
	Name         string  `json:"name"`
	Value        string  `json:"value"`
	ConnectionID *string `json:"connection_id"` // null, except for a judge
}

// Resource converts a case.
func (c Case) Resource() CaseResource {
	r := CaseResource{
		ID: c.ID, AgentID: c.AgentID, Name: c.Name,
		Recipient:    RecipientResource{Steps: make([]StepResource, len(c.Content.Recipient.Steps))},
		Variables:    c.Content.Variables,
		LeaveMessage: c.Content.LeaveMessage,
		ToolResults:  c.Content.ToolResults,
		Checks:       make([]CheckResource, len(c.Content.Checks)),
		CreatedAt:    wire.Time(c.CreatedAt), UpdatedAt: wire.Time(c.UpdatedAt),
	}
	if r.ToolResults == nil {
		r.ToolResults = map[string]json.RawMessage{}
	}
	for i, step := range c.Content.Recipient.Steps {
		r.Recipient.Steps[i] = StepResource(step)
	}
	r.Recipient.Model = c.Content.Recipient.Model
	for i, k := range c.Content.Checks {
		r.Checks[i] = k.resource()
	}
	return r
}

func (c Check) resource() CheckResource {
	r := CheckResource{Kind: c.Kind, Name: c.Name, Value: c.Value}
	if c.ConnectionID != "" {
		r.ConnectionID = &c.ConnectionID
	}
	return r
}

// RunResource is a test run as lists of the API show it.
type RunResource struct {
	ID               uuid.UUID  `json:"id"`
	AgentID          uuid.UUID  `json:"agent_id"`
	Version          *int       `json:"version"` // null: the draft
	SHA256           string     `json:"sha256"`
	Repeats          int        `json:"repeats"`
	DifficultCallees bool       `json:"difficult_callees"`
	Status           Status     `json:"status"`
	Attempts         int        `json:"attempts"`
	AttemptsDone     int        `json:"attempts_done"`
	AttemptsPassed   int        `json:"attempts_passed"`
	InputTokens      int        `json:"input_tokens"`
	OutputTokens     int        `json:"output_tokens"`
	CreatedBy        string     `json:"created_by"`
	CreatedAt        wire.Time  `json:"created_at"`
	FinishedAt       *wire.Time `json:"finished_at"`
}

// Resource converts a run.
func (r Run) Resource() RunResource {
	return RunResource{
		ID: r.ID, AgentID: r.AgentID, Version: r.Version, SHA256: r.SHA256, Repeats: r.Repeats,
		DifficultCallees: r.DifficultCallees, Status: r.Status, Attempts: r.Total, AttemptsDone: r.Done,
		AttemptsPassed: r.Succeeded, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CreatedBy: r.CreatedBy,
		CreatedAt: wire.Time(r.CreatedAt), FinishedAt: wire.Optional(r.FinishedAt),
	}
}

// RunDetail is a test run with its cases.
type RunDetail struct {
	RunResource
	Cases []TestedResource `json:"cases"`
}

// TestedResource is a case of a run. Its status is passed only if every attempt passed.
type TestedResource struct {
	ID       *uuid.UUID               `json:"id"` // null: a difficult callee
	Name     string                   `json:"name"`
	Status   Status                   `json:"status"`
	Attempts []AttemptSummaryResource `json:"attempts"`
}

// AttemptSummaryResource is an attempt without its transcript.
type AttemptSummaryResource struct {
	ID     uuid.UUID `json:"id"`
	Repeat int       `json:"repeat"`
	Status Status    `json:"status"`
	Error  *string   `json:"error"`
}

// Detail converts a run and its attempts, which are in the order of Service.Run.
func (r Run) Detail(attempts []Attempt) RunDetail {
	d := RunDetail{RunResource: r.Resource(), Cases: []TestedResource{}}
	for i, a := range attempts {
		if i == 0 || a.CaseIndex != attempts[i-1].CaseIndex {
			d.Cases = append(d.Cases, TestedResource{
				ID: a.CaseID, Name: a.CaseName, Status: Passed, Attempts: []AttemptSummaryResource{},
			})
		}
		c := &d.Cases[len(d.Cases)-1]
		c.Attempts = append(c.Attempts, AttemptSummaryResource{
			ID: a.ID, Repeat: a.Repeat, Status: a.Status, Error: a.Error,
		})
		c.Status = Together(c.Status, a.Status)
	}
	return d
}

// Together is the status of attempts of one case: failed if one has failed, and else the earliest state of one.
func Together(a, b Status) Status {
	for _, s := range []Status{Failed, Canceled, Running, Queued} {
		if a == s || b == s {
			return s
		}
	}
	return Passed
}

// AttemptResource is an attempt with its transcript. The fields after Error are null or empty without a result.
type AttemptResource struct {
	AttemptSummaryResource
	RunID           uuid.UUID         `json:"run_id"`
	CaseID          *uuid.UUID        `json:"case_id"` // null: a difficult callee
	CaseName        string            `json:"case_name"`
	EndedReason     *call.Reason      `json:"ended_reason"`
	OptedOut        *bool             `json:"opted_out"`
	AgentTurns      *int              `json:"agent_turns"`
	FirstTokenP95MS *int              `json:"first_token_p95_ms"` // null: no model answered
	InputTokens     *int              `json:"input_tokens"`
	OutputTokens    *int              `json:"output_tokens"`
	Fields          map[string]any    `json:"fields"`
	Tools           []ToolUse         `json:"tools"`
	Transcript      []Turn            `json:"transcript"`
	Checks          []FindingResource `json:"checks"`
	StartedAt       *wire.Time        `json:"started_at"`
	FinishedAt      *wire.Time        `json:"finished_at"`
}

// FindingResource is a check with its verdict.
type FindingResource struct {
	CheckResource
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

// Resource converts an attempt of a run. result may be nil.
func (a Attempt) Resource(runID uuid.UUID, result *Result) AttemptResource {
	r := AttemptResource{
		AttemptSummaryResource: AttemptSummaryResource{ID: a.ID, Repeat: a.Repeat, Status: a.Status, Error: a.Error},
		RunID:                  runID, CaseID: a.CaseID, CaseName: a.CaseName,
		Fields: map[string]any{}, Tools: []ToolUse{}, Transcript: []Turn{}, Checks: []FindingResource{},
		StartedAt: wire.Optional(a.StartedAt), FinishedAt: wire.Optional(a.FinishedAt),
	}
	if result == nil {
		return r
	}
	r.EndedReason, r.OptedOut, r.AgentTurns = &result.EndedReason, &result.OptedOut, &result.AgentTurns
	r.FirstTokenP95MS, r.InputTokens, r.OutputTokens = result.FirstTokenMS, &result.InputTokens, &result.OutputTokens
	r.Fields, r.Tools, r.Transcript = result.Fields, result.Tools, result.Turns
	for _, f := range result.Findings {
		r.Checks = append(r.Checks, FindingResource{f.resource(), f.Verdict, f.Reason})
	}
	return r
}
