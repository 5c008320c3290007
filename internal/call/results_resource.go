package call

import (
	"math"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// ResultsResource is the results of a campaign or an agent as the API shows them.
type ResultsResource struct {
	Calls     int                         `json:"calls"`
	Outcomes  map[Outcome]int             `json:"outcomes"`
	Intents   map[conversation.Intent]int `json:"intents"`
	Attempts  []AttemptResource           `json:"attempts"`
	Asked     int                         `json:"asked"`
	Completed int                         `json:"completed"`
	Versions  []int                       `json:"agent_versions"`
	Questions []QuestionResource          `json:"questions"`
	Limited   bool                        `json:"limited"`
}

// AttemptResource is how many calls of an attempt reached a person.
type AttemptResource struct {
	Attempt  int `json:"attempt"`
	Placed   int `json:"placed"`
	ByPerson int `json:"answered_by_person"`
}

// QuestionResource is the answers to a question.
type QuestionResource struct {
	Key      string               `json:"key"`
	Ask      *string              `json:"ask"`
	Expect   conversation.Expect  `json:"expect"`
	Asked    int                  `json:"asked"`
	Answered int                  `json:"answered"`
	Mean     *float64             `json:"mean"`
	Values   []BarResource        `json:"values"`
	Latest   []TextAnswerResource `json:"latest"`
}

// BarResource is how many calls gave an answer.
type BarResource struct {
	Value string  `json:"value"`
	From  *string `json:"from"`
	To    *string `json:"to"`
	Calls int     `json:"calls"`
}

// TextAnswerResource is an answer in words.
type TextAnswerResource struct {
	CallID   uuid.UUID `json:"call_id"`
	QueuedAt wire.Time `json:"queued_at"`
	Text     string    `json:"text"`
}

// Resource converts the results.
func (r Results) Resource() ResultsResource {
	out := ResultsResource{
		Calls: r.Calls(), Outcomes: map[Outcome]int{}, Intents: map[conversation.Intent]int{}, Asked: r.Asked,
		Completed: r.Completed, Versions: r.Versions, Limited: r.Limited,
		Attempts:  make([]AttemptResource, len(r.Attempts)),
		Questions: make([]QuestionResource, len(r.Questions)),
	}
	for _, o := range Outcomes {
		out.Outcomes[o] = r.Outcomes[o]
	}
	for _, i := range conversation.Intents {
		out.Intents[i] = r.Intents[i]
	}
	if out.Versions == nil {
		out.Versions = []int{}
	}
	for i, a := range r.Attempts {
		out.Attempts[i] = AttemptResource{Attempt: a.Attempt, Placed: a.Placed, ByPerson: a.Reached}
	}
	for i, q := range r.Questions {
		out.Questions[i] = q.resource()
	}
	return out
}

func (q QuestionResult) resource() QuestionResource {
	out := QuestionResource{
		Key: q.Key, Ask: postgres.OrNull(q.Ask), Expect: q.Expect, Asked: q.Asked, Answered: q.Answered,
		Values: make([]BarResource, len(q.Bars)), Latest: make([]TextAnswerResource, len(q.Texts)),
	}
	if q.Mean != nil {
		out.Mean = new(math.Round(*q.Mean*1000) / 1000)
	}
	for i, b := range q.Bars {
		out.Values[i] = BarResource{
			Value: b.Value, From: postgres.OrNull(b.From), To: postgres.OrNull(b.To), Calls: b.Calls,
		}
	}
	for i, t := range q.Texts {
		out.Latest[i] = TextAnswerResource{CallID: t.CallID, QueuedAt: wire.Time(t.At), Text: t.Text}
	}
	return out
}
