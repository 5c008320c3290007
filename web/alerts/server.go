package alerts

import (
	"github.com/dialwright/dialwright/web/frame"
)

// Server answers the pages of alerts. Make it with New.
type Server struct{ *frame.Server }

// New makes the server of these pages.
func New(f *frame.Server) *Server { return &Server{f} }
