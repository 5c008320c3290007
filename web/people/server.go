package people

import (
	"github.com/dialwright/dialwright/web/frame"
)

// Server answers the pages of the people who use the dashboard. Make it with New.
type Server struct {
	*frame.Server
	takesForm func(path string) bool
}

// New makes the server of these pages. takesForm reports whether a form can be posted to
// a path of the dashboard.
func New(f *frame.Server, takesForm func(path string) bool) *Server {
	return &Server{Server: f, takesForm: takesForm}
}
