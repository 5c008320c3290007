package calls

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

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
			Name: ui.Sentence(q.Key), Value: AnswerText(f.Value), Quote: f.Quote,
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
