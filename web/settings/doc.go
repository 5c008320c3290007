// Package settings is the dashboard's pages of what an organization sets up before it calls:
// projects, agents, phone numbers, connections, the do-not-call list, and the limits of
// the organization.
package settings
