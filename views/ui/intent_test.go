package ui

import (
	"testing"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
)

// Every intent and every action has its own words.
func TestIntentsHaveWords(t *testing.T) {
	t.Parallel()
	for _, intent := range conversation.Intents {
		if intent.Words() == "" {
			t.Errorf("%s has no words", intent)
		}
	}
	for _, action := range campaign.IntentActions {
		if intentActions[string(action)] == "" {
			t.Errorf("%s has no words", action)
		}
	}
	if len(intentActions) != len(campaign.IntentActions) {
		t.Errorf("words for %d actions that do not exist", len(intentActions))
	}
}
