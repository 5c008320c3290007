package sender

// Outcome is how an attempt ended.
type Outcome string

const (
	OutcomeSucceeded Outcome = "succeeded"
	OutcomeStatus    Outcome = "status"  // the answer was not a 2xx
	OutcomeTimeout   Outcome = "timeout" // no answer in time
	OutcomeDNS       Outcome = "dns"
	OutcomeConnect   Outcome = "connect"
	OutcomeTLS       Outcome = "tls"
	OutcomeBlocked   Outcome = "blocked"  // the address may not be reached
	OutcomeProtocol  Outcome = "protocol" // the answer was not HTTP, or broke off
)

// Outcomes are all outcomes of an attempt.
var Outcomes = []Outcome{
	OutcomeSucceeded, OutcomeStatus, OutcomeTimeout, OutcomeDNS, OutcomeConnect, OutcomeTLS, OutcomeBlocked,
	OutcomeProtocol,
}
