package calls

import (
	"net/http"
	"strconv"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// versionRows are the results of each version, if calls followed more than one. The columns are the questions of the
// results.
func (s *Server) versionRows(
	r *http.Request, scope resultScope, results call.Results,
) (rows []views.VersionRow, err error) {
	versions, err := s.Calls.VersionResults(r.Context(), frame.SignedIn(r).Organization.ID, scope.ResultFilter)
	if err != nil || len(versions) < 2 {
		return nil, err
	}
	for _, version := range versions {
		row := views.VersionRow{
			Calls: version.Calls(), Asked: version.Asked, Completed: version.Completed,
			Current: scope.AgentVersion != nil && version.Version != nil && *scope.AgentVersion == *version.Version,
		}
		if version.Version != nil {
			row.Number = *version.Version
			of := scope
			of.AgentVersion = version.Version
			row.Href = of.countedHref()
		}
		for _, q := range results.Questions {
			cell := views.VersionAnswer{}
			for _, other := range version.Questions {
				if other.Key == q.Key && other.Expect == q.Expect {
					cell = versionAnswer(other)
				}
			}
			row.Answers = append(row.Answers, cell)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// versionAnswer is what calls answered to a question, in a word: the mean of numbers, the share of yes, the most
// frequent option with its share, or the share of calls that answered.
func versionAnswer(q call.QuestionResult) views.VersionAnswer {
	v := views.VersionAnswer{Asked: q.Asked, Answered: q.Answered}
	switch {
	case q.Answered == 0:
	case q.Mean != nil:
		v.Figure, v.Meaning = strconv.FormatFloat(*q.Mean, 'f', 2, 64), "mean"
	case q.Expect == conversation.YesNo, q.Expect == conversation.Choice:
		most := q.Bars[0] // yes
		for _, b := range q.Bars {
			if q.Expect == conversation.Choice && b.Calls > most.Calls {
				most = b
			}
		}
		v.Figure, v.Meaning = ui.Percent(most.Calls, q.Answered), barLabel(q.Expect, most)
	default:
		v.Figure, v.Meaning = ui.Percent(q.Answered, q.Asked), "answered"
	}
	return v
}
