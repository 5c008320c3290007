// Package people contains the dashboard's pages of its users: the sign-in and its second
// step, forms that were sent after a session had ended, invitations, members, profiles,
// API keys and the audit log.
package people
