// Package calls contains the dashboard's pages of campaigns, their recipients and their
// calls.
package calls
