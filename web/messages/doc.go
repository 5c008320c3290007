// Package messages contains the dashboard's pages of WhatsApp: limits, templates,
// messages and accounts.
package messages
