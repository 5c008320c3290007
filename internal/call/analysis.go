package call

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Analysis is what is known about a call after its end, as the API prints it. Its answers, intent, callback time and
// opt-out are always those of the conversation itself. While a newer analysis is pending, and after it failed, the rest
// is what the one before found.
type Analysis struct {
	conversation.Analysis // its Status is that of the newest analysis

	Number     int            `json:"number"`     // of the newest analysis, from 1
	Method     AnalysisMethod `json:"method"`     // of the one that the values are from
	Successful *bool          `json:"successful"` // nil: the model could not tell
	Findings
	Usage *AnalysisUsage `json:"usage"` // nil: by rule
	Error *string        `json:"error"` // why the newest analysis failed
}

// AnalysisMethod is how an analysis is made.
type AnalysisMethod string

// Values of AnalysisMethod.
const (
	ByRule  AnalysisMethod = "rule"  // from the answers alone
	ByModel AnalysisMethod = "model" // a language model read the transcript
)

// AnalysisMethods are all methods.
var AnalysisMethods = []AnalysisMethod{ByRule, ByModel}

// Findings are what only a model finds. By rule, the pointers are nil.
type Findings struct {
	Fields            map[string]FoundField `json:"fields"`             // by the key of the question
	FollowUpWanted    *bool                 `json:"follow_up_wanted"`   // the person expects to hear more
	CallbackRequested *bool                 `json:"callback_requested"` // the person wants another call
	OptOutRequested   *bool                 `json:"opt_out_requested"`  // the person wants no more calls
	Issues            []Issue               `json:"issues"`
	Quality           *int                  `json:"quality"` // of the conversation: 1, bad, to 10
}

// FoundField is the value of a question, with the words of the recipient that say it.
type FoundField struct {
	Value      any     `json:"value"`      // as an answer to the question
	Confidence float64 `json:"confidence"` // of the model, 0 to 1
	Quote      string  `json:"quote"`
	Turn       int     `json:"turn"` // the index of the turn with the quote
}

// Issue is something that went wrong in a conversation.
type Issue string

// Values of Issue. The last two are decided by rules, not by the model.
const (
	DeadAir          Issue = "dead_air"
	Loop             Issue = "loop"
	NotUnderstood    Issue = "not_understood"
	Frustrated       Issue = "frustrated"
	WrongInformation Issue = "wrong_information"
	Interrupted      Issue = "interrupted"
	OptOutMissed     Issue = "opt_out_missed" // the model found an opt-out that the call did not notice
	Manipulated      Issue = "manipulated"    // the recipient's words address the analysis
)

// ModelIssues are the issues that a model may report, and Issues are all.
var (
	ModelIssues = []Issue{DeadAir, Loop, NotUnderstood, Frustrated, WrongInformation, Interrupted}
	Issues      = append(ModelIssues[:len(ModelIssues):len(ModelIssues)], OptOutMissed, Manipulated)
)

// AnalysisUsage is what an analysis used of a language model.
type AnalysisUsage struct {
	ConnectionID uuid.UUID `json:"connection_id"`
	Model        *string   `json:"model"` // as the server named it
	InputTokens  int       `json:"input_tokens"`
	CachedTokens int       `json:"cached_input_tokens"` // of InputTokens
	OutputTokens int       `json:"output_tokens"`
	Estimated    bool      `json:"estimated"` // the server did not count tokens
	Cost         *string   `json:"cost"`      // an exact decimal, at the connection's prices; nil: unknown
	Currency     *string   `json:"currency"`
}

// complete sets what the stored JSON of an analysis by rule does not contain.
func (a *Analysis) complete() {
	if a.Method == "" {
		a.Number, a.Method = max(a.Number, 1), ByRule
	}
	if a.Skipped == nil { // of a call before there were branches
		a.Skipped = []string{}
	}
	a.Findings = a.Findings.Complete()
}

// Complete returns the findings with empty collections instead of nil.
func (f Findings) Complete() Findings {
	if f.Fields == nil {
		f.Fields = map[string]FoundField{}
	}
	if f.Issues == nil {
		f.Issues = []Issue{}
	}
	return f
}

// EmitAnalyzed adds the event of a finished analysis to out, if a webhook subscribes to it. Call it after the last
// change of the call.
func (s *Service) EmitAnalyzed(
	ctx context.Context, tx pgx.Tx, out *webhook.Outbox, organization, id uuid.UUID,
) error {
	if !out.Wants(organization, webhook.CallAnalyzed) {
		return nil
	}
	return s.emit(ctx, tx, out, []uuid.UUID{id}, func(Call) []webhook.Type {
		return []webhook.Type{webhook.CallAnalyzed}
	})
}

// queueForgetAnalyses adds to a batch the removal of what analyses found in calls. An analysis that is under way fails,
// because its call has no transcript.
func queueForgetAnalyses(batch *pgx.Batch, calls []uuid.UUID) {
	batch.Queue(`update call_analysis set result = null where call_id = any($1) and result is not null`, calls)
}

// Turns returns the turns of a call, in order.
func Turns(ctx context.Context, tx pgx.Tx, id uuid.UUID) ([]Turn, error) {
	rows, err := tx.Query(ctx, `select `+turnColumns+` from call_turn where call_id = $1 order by index`, id)
	if err != nil {
		return nil, fmt.Errorf("read the turns of call %s: %w", id, err)
	}
	turns, err := pgx.CollectRows(rows, pgx.RowToStructByName[Turn])
	if err != nil {
		return nil, fmt.Errorf("read the turns of call %s: %w", id, err)
	}
	return turns, nil
}
