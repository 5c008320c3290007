package ui

import "github.com/dialwright/dialwright/internal/conversation"

// Intent returns the words for an intent of the API. It also shows an unknown intent, so
// that a new one is never hidden.
func Intent(intent string) string {
	if words := conversation.Intent(intent).Words(); words != "" {
		return words
	}
	return Sentence(intent)
}

// intentActions maps every action that an intent leads to, as in the API, to its words.
var intentActions = map[string]string{
	"retry":       "Try again, if attempts are left",
	"call_back":   "Call at the requested time",
	"stop":        "No more calls in this campaign",
	"do_not_call": "Add to the do-not-call list",
}

// IntentActionOfCall is IntentAction for a call that belongs to no campaign.
func IntentActionOfCall(action string) string {
	if action == "stop" {
		return "No more attempts"
	}
	return IntentAction(action)
}

// IntentAction returns the words for an action that an intent leads to.
func IntentAction(action string) string {
	if words, ok := intentActions[action]; ok {
		return words
	}
	return Sentence(action)
}
