// Package predial asks an organization's own server about each number right before it is dialed:
// the setting, the signed request, the answer, and what happens while the server does not answer.
package predial
