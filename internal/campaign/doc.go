// Package campaign owns campaigns and their recipients: which settings are
// valid, when each recipient may be called, the dialer that claims recipients,
// and the settlement of ended calls. Package intake reads the lists.
//
// Rows that carry limits are locked in one order everywhere: organization,
// connection, phone number, campaign. A recipient is only changed under the
// lock of its campaign.
package campaign
