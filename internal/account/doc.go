// Package account owns authentication and permissions: organizations, users, memberships,
// roles, passwords, sessions, API keys with their rate window, the audit log, and the
// sealing of secrets at rest.
package account
