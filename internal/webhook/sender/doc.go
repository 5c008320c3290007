// Package sender makes one attempt to send an event to an endpoint: it signs the request,
// sends it without redirects, and describes for people how the attempt ended.
package sender
