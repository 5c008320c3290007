// Package overview contains the dashboard's first page: figures of a period, current
// activity, and problems that need attention.
package overview
