package settings

import (
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
)

// Server answers the pages below /settings, except those of people and WhatsApp. Make it with New.
type Server struct {
	*frame.Server
	messages *messages.Server
}

// New makes the server of these pages. Some pages show rows of the messages pages.
func New(f *frame.Server, messages *messages.Server) *Server {
	return &Server{Server: f, messages: messages}
}
