// Package call owns calls: their states, their transcripts, and the rule that
// nobody is ever dialed twice for one claim.
//
// A call is claimed (Queue) in the transaction that decides to make it, placed
// (Place) by the process that claimed it, moved by what the carrier reports
// (Deliver), held on a line (Converse) and closed once. What no process is left
// to say about a call, Reconcile asks the carrier. Every change of state goes
// through transition, which never lets one regress.
//
// Nothing a process remembers decides anything: it may die between any two
// statements here, and another one goes on from the rows.
package call
