package analysis

import (
	"cmp"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/wire"
)

// Result is what an analysis found.
type Result struct {
	Summary    string                 `json:"summary"` // at most 300 characters
	Sentiment  conversation.Sentiment `json:"sentiment"`
	Successful *bool                  `json:"successful"` // nil: the model could not tell
	call.Findings
}

// Resource is an analysis as the API prints it.
type Resource struct {
	ID           uuid.UUID                   `json:"id"`
	CallID       uuid.UUID                   `json:"call_id"`
	Number       int                         `json:"number"`
	Method       call.AnalysisMethod         `json:"method"`
	Status       conversation.AnalysisStatus `json:"status"`
	AgentVersion *int                        `json:"agent_version"`
	Result
	Usage       *call.AnalysisUsage `json:"usage"` // null: by rule
	Error       *string             `json:"error"`
	RequestedBy *string             `json:"requested_by"` // null: the end of the call
	CreatedAt   wire.Time           `json:"created_at"`
	FinishedAt  *wire.Time          `json:"finished_at"`
}

// Resource converts an analysis. One without a result has the sentiment unknown.
func (a Analysis) Resource() Resource {
	r := Resource{
		ID:           a.ID,
		CallID:       a.CallID,
		Number:       a.Number,
		Method:       a.Method,
		Status:       conversation.AnalysisStatus(a.Status),
		AgentVersion: a.AgentVersion,
		Usage:        a.usage(),
		Error:        a.Error,
		CreatedAt:    wire.Time(a.CreatedAt),
		FinishedAt:   wire.Optional(a.FinishedAt),
	}
	if a.Result != nil {
		r.Result = *a.Result
	}
	r.Sentiment = cmp.Or(r.Sentiment, conversation.Unknown)
	r.Findings = r.Findings.Complete()
	if a.RequestedBy != "" {
		r.RequestedBy = &a.RequestedBy
	}
	return r
}

// usage is what the analysis used of a model. Nil: by rule.
func (a Analysis) usage() *call.AnalysisUsage {
	if a.ConnectionID == nil {
		return nil
	}
	return &call.AnalysisUsage{
		ConnectionID: *a.ConnectionID,
		Model:        a.Model,
		InputTokens:  a.InputTokens,
		CachedTokens: a.CachedTokens,
		OutputTokens: a.OutputTokens,
		Estimated:    a.Estimated,
		Cost:         a.Cost,
		Currency:     a.CostCurrency,
	}
}
