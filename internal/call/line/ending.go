package line

import (
	"maps"
	"slices"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
)

// ended is why a call ends, and who ends it.
type ended struct {
	reason call.Reason
	by     call.Party
}

// endings are the ends of calls by the ending of their conversation.
var endings = map[conversation.Ending]ended{
	conversation.Completed:                        {call.ReasonCompleted, call.ByAgent},
	conversation.OptedOut:                         {call.ReasonOptedOut, call.ByAgent},
	conversation.Unanswered:                       {call.ReasonSilence, call.ByAgent},
	conversation.SaidGoodbye:                      {call.ReasonSaidGoodbye, call.ByAgent},
	conversation.TooLong:                          {call.ReasonTurnLimit, call.ByAgent},
	conversation.Voicemail:                        {call.ReasonVoicemail, call.ByAgent},
	conversation.MessageLeft:                      {call.ReasonVoicemailMessage, call.ByAgent},
	conversation.Screened:                         {call.ReasonScreened, call.ByAgent},
	conversation.MenuReached:                      {call.ReasonMenu, call.ByAgent},
	conversation.Ending(conversation.WrongPerson): {call.ReasonWrongPerson, call.ByAgent},
	conversation.Ending(conversation.Deceased):    {call.ReasonDeceased, call.ByAgent},
	conversation.Ending(conversation.Minor):       {call.ReasonMinor, call.ByAgent},
	conversation.Ending(conversation.Busy):        {call.ReasonRecipientBusy, call.ByAgent},
	conversation.Ending(conversation.CallBack):    {call.ReasonCallBack, call.ByAgent},
	conversation.Ending(conversation.WantsHuman):  {call.ReasonWantsHuman, call.ByAgent},
	conversation.NoCapacity:                       {call.ReasonNoCapacity, call.BySystem},
	conversation.ModelBudget:                      {call.ReasonModelBudget, call.BySystem},
	conversation.ModelFailed:                      {call.ReasonModelFailed, call.BySystem},
	conversation.ModelRefused:                     {call.ReasonModelFailed, call.BySystem},
}

// hungUp is the end of a call whose conversation has another ending.
var hungUp = ended{call.ReasonHungUp, call.ByRecipient}

// ReasonOf returns why a call ends after this ending of its conversation.
func ReasonOf(e conversation.Ending) (call.Reason, call.Party) {
	end, ok := endings[e]
	if !ok {
		end = hungUp
	}
	return end.reason, end.by
}

// Reasons are all results of ReasonOf, each once and in order.
func Reasons() []string {
	all := []string{string(hungUp.reason), string(call.ReasonTransferred)}
	for end := range maps.Values(endings) {
		all = append(all, string(end.reason))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
