package overview

import (
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
	"github.com/dialwright/dialwright/web/webhooks"
)

// Server answers the first page. Make it with New.
type Server struct {
	*frame.Server
	calls    *calls.Server
	messages *messages.Server
	webhooks *webhooks.Server
}

// New makes the server of the page. The page shows rows of the other pages.
func New(f *frame.Server, c *calls.Server, m *messages.Server, w *webhooks.Server) *Server {
	return &Server{Server: f, calls: c, messages: m, webhooks: w}
}
