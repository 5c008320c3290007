// Package search answers the pages of the search and of people.
package search

import (
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
)

// Server answers these pages. Make it with New.
type Server struct {
	*frame.Server
	calls *calls.Server
}

// New makes the server of these pages. The page of a person shows rows of calls.
func New(f *frame.Server, calls *calls.Server) *Server { return &Server{Server: f, calls: calls} }
