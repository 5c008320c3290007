package overview

import (
	"github.com/dialwright/dialwright/web/alerts"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
)

// Server answers the first page. Make it with New.
type Server struct {
	*frame.Server
	alerts *alerts.Server
	calls  *calls.Server
}

// New makes the server of the page. The page shows rows of the other pages.
func New(f *frame.Server, a *alerts.Server, c *calls.Server) *Server {
	return &Server{Server: f, alerts: a, calls: c}
}
