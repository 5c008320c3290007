// Package messaging owns WhatsApp: an organization's accounts and numbers, the
// operator's limits, templates, messages from their queue to their last status,
// and the ledger by which no limit is ever exceeded.
//
// The operator allows a scope, which is a business portfolio or a number outside
// of one, so many distinct recipients within any 24 hours. The row lock of the
// scope is the gate. Whoever holds it lets a message through only while the
// recipients counted stay within the limit, and commits that before the operator
// is asked. What a send counts for is written with its message (counted_at); the
// ledger has the latest of them for each recipient, and the scope's row how many
// there are. So a crash at any moment leaves a recipient counted who may not
// have been written to, and never the reverse.
package messaging
