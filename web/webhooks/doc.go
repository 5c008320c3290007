// Package webhooks contains the dashboard's pages of webhooks and their deliveries.
package webhooks
