// Package messaging owns WhatsApp messages, from their queue to their last status,
// and the ledger that keeps every limit of the operator.
//
// The operator limits how many distinct recipients a scope may write to within 24
// hours. A scope is a business portfolio, or a number that belongs to none. The row
// lock of the scope is the gate: its holder admits a message only while the counted
// recipients stay within the limit, and commits the admission before it asks the
// operator. Each message stores the time as of which it counts (counted_at). The
// ledger stores the latest of these times for each recipient, and the scope's row
// stores the number of recipients. So a crash at any moment may leave a recipient
// counted to whom nothing was sent, but never the reverse.
//
// Package connection owns the operator's accounts, numbers and templates. Package
// gate admits messages and sends them.
package messaging
