// Package call owns calls: their states, their transcripts, and the rule that no number
// is dialed twice for one claim.
//
// The transaction that decides to make a call claims it (Queue). The process that claimed the call
// places it (Place). The carrier's events change its state (Deliver), package line runs its
// conversation, and it is settled once. Reconcile asks the carrier about calls without recent
// events. Every change of state goes through transition, and no call returns to an earlier state.
//
// No decision depends on the memory of a process. A process may die between any two
// statements here, and another process continues from the rows.
package call
