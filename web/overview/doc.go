// Package overview is the dashboard's first page: figures of a period, what goes on now, and
// what needs attention.
package overview
