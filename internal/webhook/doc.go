// Package webhook reports events to other systems. It owns the event catalog, the
// webhooks, the engine that delivers events, and the log of deliveries. Events are
// written in the transaction that makes them true.
//
// An event is delivered at least once, in no promised order. Event, delivery and a narrow
// row of the queue (delivery_due) are written together, so every committed event is
// delivered and nothing needs reconciliation.
package webhook
