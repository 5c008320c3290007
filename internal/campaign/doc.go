// Package campaign owns campaigns and their recipients: which settings are valid,
// which moves of state are legal, when each recipient may be called, and the log.
// Package intake reads the lists, and package dialer places the calls.
//
// A recipient changes only under its campaign's row lock.
package campaign
