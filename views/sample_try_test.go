package views_test

import (
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func agentTry() views.Try {
	said := func(role, who, text string) ui.Turn {
		return ui.Turn{Role: role, Who: who, Text: text, Start: -1, End: -1}
	}
	return views.Try{
		AgentID: "1", Agent: "Nora", Full: 100, Said: []string{"say:Who is this?"},
		Variables: []views.TryVariable{{Name: "name", Value: "Ingrid"}, {Name: "clinic"}},
		Turns: []ui.Turn{
			said(
				"agent", "Nora",
				"Hello Ingrid, this is Nora, calling for Meridian Home Health. I am an automated assistant. Press 9 "+
					"or say stop, and you will not be called again. Would you like a nurse to visit you?",
			),
			said("recipient", "You", "Who is this?"),
			said("agent", "Nora", "Sorry, I did not get that. Would you like a nurse to visit you?"),
		},
	}
}

func agentTryOver() views.Try {
	v := agentTry()
	said := func(role, who, text string) ui.Turn {
		return ui.Turn{Role: role, Who: who, Text: text, Start: -1, End: -1}
	}
	v.Turns = append(v.Turns, said("recipient", "You", "Yes, on Monday"),
		said("system", "", "Answer recorded: Wants visit, Yes"),
		said("agent", "Nora", "Thank you. Goodbye."), said("system", "", "The agent hangs up"))
	v.Over, v.Summary = true, "Answered 1 of 1 question and said goodbye."
	v.Answers = []ui.Fact{
		{Name: "Wants visit", Text: "Yes"}, {Name: "Sentiment", Text: "Neutral"}, {Name: "Opt out", Text: "No"},
	}
	return v
}
