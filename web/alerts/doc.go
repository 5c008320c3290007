// Package alerts answers the dashboard's pages about alerts: what is open, what was, and what a member gets by email.
package alerts
