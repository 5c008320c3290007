// Package alert tells people what needs them: in the dashboard, by email, and once a day in a digest.
//
// An alert follows a condition, such as a webhook that is disabled. Watch compares the conditions of all organizations
// with the open alerts once a minute: it opens what is new and resolves what is over. So nothing that causes a
// condition needs to know of alerts, and an alert that a stopped process missed is opened by the next pass. The emails
// of an alert are queued in the statement that opens it.
package alert
