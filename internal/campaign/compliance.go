package campaign

import (
	"time"

	"github.com/dialwright/dialwright/internal/call"
)

// Compliance are the calls of a campaign that regulators and carriers look at.
// Each is counted once, when the call is settled, by what was known then. Shares
// are the reader's: of AnsweredByPerson, and for short calls of all answered ones.
type Compliance struct {
	AnsweredByPerson int `json:"answered_by_person"`
	OptedOut         int `json:"opted_out"`
	Abandoned        int `json:"abandoned"`
	ShortCalls       int `json:"short_calls"`
}

const (
	// shortCall is the talk time that carriers count as short, at most: many such
	// calls look like numbers being tried out.
	shortCall = 6 * time.Second

	// ownHaste is how quickly somebody must hang up for a call without a word of
	// the agent to be nobody's fault: the rules on abandoned calls (in the US 16 CFR
	// 310.4(b)(4)(iii)) allow two seconds until somebody speaks.
	ownHaste = 2 * time.Second
)

// Count adds a call that has ended.
func (n *Compliance) Count(e call.Ended) {
	if e.EndedReason == call.ReasonOptedOut {
		n.OptedOut++
	}
	if e.AnsweredAt == nil {
		return
	}
	if e.EndedAt.Sub(*e.AnsweredAt) <= shortCall {
		n.ShortCalls++
	}
	if e.Outcome == call.OutcomeVoicemail {
		return
	}
	n.AnsweredByPerson++
	if abandoned(e) {
		n.Abandoned++
	}
}

// abandoned tells whether a person picked up and was let down: the conversation
// ended by a failure of ours, or not a word of the agent was heard, unless the
// person hung up within two seconds.
func abandoned(e call.Ended) bool {
	switch {
	case e.EndedReason == call.ReasonLineFailed, e.EndedReason == call.ReasonServerRestart:
		return true
	case e.AgentSpoke:
		return false
	}
	return e.EndedBy != call.ByRecipient || e.EndedAt.Sub(*e.AnsweredAt) >= ownHaste
}
