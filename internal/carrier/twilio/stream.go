package twilio

import (
	"io"

	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// stream is the text of a streamed utterance.
type stream struct {
	line *line
	u    *utterance
}

func (s stream) Write(text string) error {
	s.line.mu.Lock()
	defer s.line.mu.Unlock()
	if s.u.over || s.u.complete {
		return io.ErrClosedPipe
	}
	s.line.extend(s.u, text, false)
	return nil
}

func (s stream) Close() error {
	s.line.mu.Lock()
	defer s.line.mu.Unlock()
	if s.u.over {
		return io.ErrClosedPipe
	}
	s.line.extend(s.u, "", true)
	return nil
}

func (s stream) Abandon() error {
	s.line.mu.Lock()
	defer s.line.mu.Unlock()
	if s.u.tokens == 0 {
		s.u.Rendering, s.u.rest, s.u.sound = speech.Rendering{}, "", ""
	}
	s.line.extend(s.u, "", true)
	return nil
}
