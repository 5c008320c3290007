package carriertest

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// keysPressed: a phone menu puts a person on the line when the right key is pressed. Another key changes
// nothing, and a line that is over refuses keys.
func keysPressed(t *testing.T, s *suite) {
	var refused error
	heard := make(chan string, 100)
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		defer close(heard)
		pressed := false
		for {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				refused = line.Press(ctx, "1")
				return
			}
			p, ok := h.(carrier.Prompt)
			if !ok {
				continue
			}
			heard <- p.Text
			switch {
			case p.Text == "Hello?":
				_ = line.Hangup(ctx)
			case !pressed:
				pressed = true
				if err := line.Press(ctx, "w7"); err != nil {
					t.Errorf("press: %v", err)
				}
				for _, key := range []string{"0", "1"} { // one of them is listed
					if err := line.Press(ctx, "w"+key); err != nil {
						t.Errorf("press: %v", err)
					}
				}
			}
		}
	}
	s.place(t, "20")
	s.ends(t, carrier.Completed)
	last := ""
	for text := range heard {
		last = text
	}
	if last != "Hello?" {
		t.Errorf("last heard %q", last)
	}
	if refused == nil {
		t.Error("a line that is over takes keys")
	}
}
