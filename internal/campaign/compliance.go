package campaign

import (
	"time"

	"github.com/dialwright/dialwright/internal/call"
)

// Compliance counts the calls of a campaign that regulators and carriers check. Each
// call is counted once, when it is settled, by the facts known at that time. Readers
// compute the shares: ShortCalls as a share of all answered calls, the others as a
// share of AnsweredByPerson.
type Compliance struct {
	AnsweredByPerson int `json:"answered_by_person"`
	OptedOut         int `json:"opted_out"`
	Abandoned        int `json:"abandoned"`
	ShortCalls       int `json:"short_calls"`
}

const (
	// shortCall is the longest talk time that carriers rate as a short call. Many short
	// calls look like number probing.
	shortCall = 6 * time.Second

	// ownHaste is the time limit within which a hang-up before the agent's first word
	// does not make the call abandoned. The rules on abandoned calls (in the US 16 CFR
	// 310.4(b)(4)(iii)) allow two seconds before the first word.
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
	if e.Outcome == call.OutcomeVoicemail || e.EndedReason == call.ReasonLineFailed && e.ByMachine {
		return
	}
	n.AnsweredByPerson++
	if abandoned(e) {
		n.Abandoned++
	}
}

// abandoned reports whether a call counts as abandoned: a person answered, but the
// conversation ended because of a failure of the product, or the agent said nothing. A
// silent call that the person ended within two seconds is not abandoned.
func abandoned(e call.Ended) bool {
	switch {
	case e.EndedReason == call.ReasonLineFailed, e.EndedReason == call.ReasonServerRestart:
		return true
	case e.AgentSpoke:
		return false
	}
	return e.EndedBy != call.ByRecipient || e.EndedAt.Sub(*e.AnsweredAt) >= ownHaste
}
