package api

import (
	"strings"

	callsandbox "github.com/dialwright/dialwright/internal/carrier/sandbox"
	messagesandbox "github.com/dialwright/dialwright/internal/messaging/sandbox"
	modelsandbox "github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/simulation"
)

// sandboxPage is the guide to the numbers and models of the sandboxes. Its lists come from their tables, so the
// description does not repeat them.
func sandboxPage() reference.Page {
	return reference.Page{
		Slug:  "sandbox-numbers",
		Title: "Sandbox numbers",
		Text: "The sandbox is a simulated phone network. Calls and messages through a connection to the sandbox " +
			"reach no real phone. The number that you call or write to chooses what happens, every time in the " +
			"same way.",
		Sections: []reference.Section{
			{
				Slug:  "calls",
				Title: "Calls",
				Text: "In the block `+1 500 5oo nnnn` you choose the outcome of a call with `oo`, with any `nnnn`. " +
					"`+15005010001` is busy. Any other number answers in its own way or is sometimes busy.\n\n" +
					outcomeList(callsandbox.Outcomes()),
			},
			{
				Slug:  "transfers",
				Title: "Transfers",
				Text: "In the same block you choose with `hh`, in `+1 500 5hh nnnn`, what the person at a " +
					"destination does, also as the user of a SIP address. A person at any other number takes the " +
					"call.\n\n" +
					outcomeList(callsandbox.Humans()),
			},
			{
				Slug:  "callers",
				Title: "People who call",
				Text: "People of the sandbox can call a number of a connection to the sandbox. In the dashboard, " +
					"open the number, then “When people call this number” and “Call this number”. The sandbox's " +
					"own API has `POST /sandbox/calls` with `account`, `from`, `to` and `caller`. Its password is " +
					"the token of the sandbox. Without `from`, the caller withholds the number. The `caller` does " +
					"one of these:\n\n" + outcomeList(callsandbox.Callers()),
			},
			{
				Slug:  "messages",
				Title: "WhatsApp messages",
				Text: "In the block `+1 500 5oo 9mmn` you choose the outcome of a message with `mm`, with any `oo` " +
					"and any `n`. `+15005009100` is not on WhatsApp. Messages to any other number are delivered, " +
					"and most are read.\n\n" + outcomeList(messagesandbox.Outcomes()),
			},
			{
				Slug:  "language-models",
				Title: "Language models",
				Text: "A model connection to the sandbox is answered by a rule-based stand-in, not a language model. " +
					"It asks for the agent's fields one after the other, records the answers with tools and says " +
					"goodbye. The name of the model chooses what goes wrong.\n\n" + modelList(),
			},
		},
	}
}

func modelList() string {
	var b strings.Builder
	for _, c := range modelsandbox.Choices() {
		b.WriteString("- `" + c.Name + "`: " + c.Does + "\n")
	}
	return b.String()
}

func outcomeList(outcomes []simulation.Outcome) string {
	var b strings.Builder
	for _, o := range outcomes {
		b.WriteString("- `" + o.Digits + "`: " + o.Text + "\n")
	}
	return b.String()
}
