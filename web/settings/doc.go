// Package settings contains the dashboard's pages for the setup of an organization:
// projects, agents, phone numbers, connections, the do-not-call list, and the limits of
// the organization.
package settings
