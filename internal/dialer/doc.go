// Package dialer places the calls of campaigns: a pass over a campaign claims the
// recipients who are due, within every limit and pace, and the settlement of ended
// calls decides what happens to their recipients next.
//
// Rows with limits are locked in one order everywhere: organization, connection,
// phone number, campaign. A recipient changes only under its campaign's lock.
package dialer
