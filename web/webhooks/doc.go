// Package webhooks is the dashboard's pages of webhooks and their deliveries.
package webhooks
