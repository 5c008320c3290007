// Package call owns calls: their states, their transcripts, and the rule that no number
// is dialed twice for one claim.
//
// The transaction that decides to make a call claims it (Queue). The process that
// claimed it places it (Place). The carrier's events move it (Deliver), package line
// holds the conversation, and it is settled once. Reconcile asks the carrier about calls
// that nobody reports on any more. Every change of state goes through transition, and no
// state ever regresses.
//
// No decision depends on the memory of a process. A process may die between any two
// statements here, and another process continues from the rows.
package call
