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
		AgentID: "1", Agent: "Nora", Most: 60, MostTokens: 100_000, Sealed: "sealed",
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
		said("agent", "Nora", "Thank you. Goodbye."), said("system", "", "The agent hung up"))
	v.Over, v.Summary = true, "Answered the question, then said goodbye."
	v.Answers = []ui.Fact{
		{Name: "Wants visit", Text: "Yes"}, {Name: "Sentiment", Text: "Neutral"}, {Name: "Opt out", Text: "No"},
	}
	return v
}

func agentTryModel() views.Try {
	v := agentTry()
	v.Model = true
	v.Turns = append(v.Turns,
		ui.Turn{Role: "recipient", Who: "You", Text: "Do you have time on Monday?", Start: -1, End: -1},
		ui.Turn{Role: "system", Text: "Used the tool free_slots", Start: -1, End: -1},
		ui.Turn{
			Role: "agent", Who: "Nora", Text: "Monday at ten is free. Shall I note it?", Start: -1, End: -1,
			Took: "First token after 420 ms", Parts: []string{"1,204 input, 18 output"},
		},
		ui.Turn{Role: "recipient", Who: "You", Text: "Yes, please.", Start: -1, End: -1},
		ui.Turn{Role: "system", Text: "Main model: The model did not answer in time", Start: -1, End: -1},
		ui.Turn{Role: "system", Text: "No model answered", Start: -1, End: -1},
		ui.Turn{
			Role: "agent", Who: "Nora", Text: "Sorry, I did not get that. Would you like a visit?", Start: -1, End: -1,
		})
	v.Used = []ui.Fact{
		{Name: "Answers", Text: "2"}, {Name: "Tokens", Text: "2,310 input, 41 output"},
		{Name: "Last answer", Text: "1,204 input, 18 output"}, {Name: "Its first token", Text: "420 ms"},
	}
	v.Errors = ui.Errors{"keys": "must be 1 to 20 of the keys 0 to 9, * and #"}
	v.Keys = "a"
	return v
}
