// Package webhook owns how other systems are told what happens: the event
// catalog, webhooks, the events written in the transaction that makes them
// true, the engine that delivers them, and the log of deliveries.
//
// An event is delivered at least once, in no promised order. What is committed
// is delivered: event, delivery and a narrow row of the queue (delivery_due) are
// written together, so there is nothing to reconcile.
package webhook
