// Package campaign owns campaigns and their recipients: what may be asked for,
// the import of lists, when each recipient may be called, the dialer that
// claims them, and the settlement that closes the books on every call.
//
// Rows that carry limits are locked in one order everywhere: organization,
// connection, phone number, campaign. A recipient is only changed under the
// lock of its campaign.
package campaign
