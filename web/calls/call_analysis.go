package calls

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/analysis"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// settlingLive is how long after the end of a call an open page waits for its settlement, which queues the analysis.
const settlingLive = 3 * time.Minute

// analysisAwaited reports whether an ended call is being analyzed by a language model, or is about to be.
func analysisAwaited(c call.Call, script conversation.Script) bool {
	if c.Analysis == nil || c.EndedAt == nil {
		return false
	}
	begins := script.Analysis.ConnectionID != nil && c.Analysis.Method != call.ByModel &&
		c.Analysis.Status == conversation.Ready && c.Outcome == call.OutcomeCompleted && c.AnsweredBy != call.Machine &&
		time.Since(*c.EndedAt) < settlingLive
	return begins || c.Analysis.Status == conversation.Pending
}

// turnID is the ID of a turn on the page of its call.
func turnID(index int) string { return "turn-" + strconv.Itoa(index) }

var issueWords = map[call.Issue]string{
	call.DeadAir:          "A long silence",
	call.Loop:             "The agent repeated itself",
	call.NotUnderstood:    "The agent misunderstood the recipient",
	call.Frustrated:       "The recipient was annoyed",
	call.WrongInformation: "The agent gave wrong information",
	call.Interrupted:      "The two interrupted each other",
	call.OptOutMissed:     "The recipient may have asked not to be called again",
	call.Manipulated:      "The recipient's words address the analysis",
}

// analysisView shows what a language model found in a call. An analysis by rule shows only its answers.
func analysisView(v *views.Call, a *call.Analysis, questions []conversation.Question) {
	var notices []string
	switch a.Status {
	case conversation.Pending:
		notices = append(notices, "A language model is analyzing this call.")
	case conversation.Failed:
		if a.Error != nil {
			notices = append(notices, "The analysis failed: "+strings.TrimSuffix(*a.Error, ".")+".")
		}
	case conversation.Ready:
	}
	for _, q := range questions {
		f, ok := a.Fields[q.Key]
		if !ok {
			continue
		}
		v.Found = append(v.Found, views.FoundField{
			Name: questionName(q), Value: AnswerText(f.Value), Quote: f.Quote,
			Confidence: fmt.Sprintf("%.0f%%", f.Confidence*100), Turn: turnID(f.Turn),
		})
	}
	if a.Method == call.ByModel {
		successful := "Unknown"
		if a.Successful != nil {
			successful = AnswerText(*a.Successful)
		}
		v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Successful", Text: successful})
		if a.Quality != nil {
			v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Quality", Text: fmt.Sprintf("%d of 10", *a.Quality)})
		}
		if a.FollowUpWanted != nil {
			v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Expects a follow-up", Text: AnswerText(*a.FollowUpWanted)})
		}
		var issues []string
		for _, issue := range a.Issues {
			issues = append(issues, issueWords[issue])
			if issue == call.OptOutMissed {
				notices = append(notices, "The recipient may have asked not to be called again. "+
					"Listen to the call, and add the number to the do-not-call list if so.")
			}
		}
		if len(issues) > 0 {
			v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Issues", Value: ui.Lines(issues)})
		}
	}
	if u := a.Usage; u != nil {
		if u.Model != nil {
			v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Model", Text: *u.Model})
		}
		tokens := ui.Count(u.InputTokens) + " in, " + ui.Count(u.OutputTokens) + " out"
		v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Tokens", Text: tokens})
		if u.Cost != nil && u.Currency != nil {
			v.Analyzed = append(v.Analyzed, ui.Fact{Name: "Cost of the analysis", Text: *u.Cost + " " + *u.Currency})
		}
	}
	v.Notice = strings.Join(notices, " ")
}

// analysesView shows the versions of an analysis, and the form for another one to people who
// may analyze again.
func (s *Server) analysesView(r *http.Request, v *views.Call, c call.Call) error {
	ctx := r.Context()
	if c.Analysis.Number > 1 {
		list, err := s.Analyses.List(ctx, c.OrganizationID, c.ID, page.Request{Limit: page.ShownLimit})
		if err != nil {
			return err
		}
		for _, a := range list.Data {
			row := views.CallAnalysis{
				Number: a.Number, ByRule: a.Method == call.ByRule, Status: a.Status, Asked: a.RequestedBy,
				At: a.CreatedAt,
			}
			if a.Model != nil {
				row.Model = *a.Model
			}
			if a.Error != nil {
				row.Error = *a.Error
			}
			v.Analyses = append(v.Analyses, row)
		}
	}
	if !frame.May(r, account.ManageAgents) || c.EndedAt == nil {
		return nil
	}
	standard, err := s.Analyses.Default(ctx, c.OrganizationID, c.ID)
	if fault.KindOf(err) == fault.Conflict {
		return nil
	}
	if err != nil {
		return err
	}
	models, err := page.Collect(ctx, c.OrganizationID, s.Models.List)
	if err != nil {
		return err
	}
	for _, m := range models {
		v.Again.Connections = append(v.Again.Connections, ui.Option{Value: m.ID.String(), Label: m.Name})
	}
	v.Again.Possible = len(models) > 0
	if standard != nil {
		v.Again.ConnectionID = standard.String()
	}
	return nil
}

// AnalyzeCall queues another analysis of a call.
func (s *Server) AnalyzeCall(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	_, err = s.Analyses.Again(r.Context(), s.Actor(r), id, analysis.Request{
		ConnectionID: r.PostFormValue("connection_id"),
	})
	return s.Done(w, r, err, "Analyzing the call", callPage(r, id))
}
