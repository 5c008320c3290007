package campaign

import (
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
)

// IntentAction is what happens to a recipient after a call that ended with an intent.
type IntentAction string

const (
	IntentRetry     IntentAction = "retry"       // another attempt, by the retry schedule
	IntentCallBack  IntentAction = "call_back"   // another attempt at the time that the recipient asked for
	IntentStop      IntentAction = "stop"        // no more calls in this campaign
	IntentDoNotCall IntentAction = "do_not_call" // no more calls: the number is put on the do-not-call list
)

// IntentActions lists every action.
var IntentActions = []IntentAction{IntentRetry, IntentCallBack, IntentStop, IntentDoNotCall}

// IntentActionsOf lists the actions that an intent may lead to. Only a recipient who asked
// to be called back named a time.
func IntentActionsOf(intent conversation.Intent) []IntentAction {
	if intent == conversation.CallBack {
		return []IntentAction{IntentCallBack, IntentRetry, IntentStop, IntentDoNotCall}
	}
	return []IntentAction{IntentRetry, IntentStop, IntentDoNotCall}
}

// Intents says what each intent leads to. It has a field for each of conversation.Intents. An
// empty field of a draft is absent and gets its default.
type Intents struct {
	WrongPerson IntentAction `json:"wrong_person"`
	Deceased    IntentAction `json:"deceased"`
	Minor       IntentAction `json:"minor"`
	Busy        IntentAction `json:"busy"`
	CallBack    IntentAction `json:"call_back"`
	WantsHuman  IntentAction `json:"wants_human"`
}

// DefaultIntents is what intents lead to if a draft does not say otherwise.
var DefaultIntents = Intents{
	WrongPerson: IntentStop,
	Deceased:    IntentDoNotCall,
	Minor:       IntentRetry,
	Busy:        IntentRetry,
	CallBack:    IntentCallBack,
	WantsHuman:  IntentStop,
}

// Of returns the field of an intent. It is nil for an unknown intent.
func (i *Intents) Of(intent conversation.Intent) *IntentAction {
	switch intent {
	case conversation.WrongPerson:
		return &i.WrongPerson
	case conversation.Deceased:
		return &i.Deceased
	case conversation.Minor:
		return &i.Minor
	case conversation.Busy:
		return &i.Busy
	case conversation.CallBack:
		return &i.CallBack
	case conversation.WantsHuman:
		return &i.WantsHuman
	}
	return nil
}

// settle fills in the defaults and reports actions that an intent may not lead to.
func (i Intents) settle(p *fault.Problems) Intents {
	for _, intent := range conversation.Intents {
		action := i.Of(intent)
		if *action == "" {
			*action = *DefaultIntents.Of(intent)
		}
		fault.OneOf(p, "intents."+string(intent), []IntentAction{*action}, IntentActionsOf(intent))
	}
	return i
}

// FollowUpIntents are the intents after which a campaign may send its message. The others
// show that the phone is not the recipient's, or not theirs alone.
var FollowUpIntents = []conversation.Intent{conversation.Busy, conversation.CallBack, conversation.WantsHuman}
