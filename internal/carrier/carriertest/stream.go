package carriertest

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// This file tests utterances whose text comes in parts.

// streamed runs a test with the utterances of its script in parts.
func streamed(test func(*testing.T, *suite)) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		s.host.Streams = true
		test(t, s)
	}
}

// converse has the host say things when the line opens, and hang up after a number of utterances.
func (s *suite) converse(utterances int, say func(ctx context.Context, line carrier.Line)) {
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		say(ctx, line)
		for spoken := 0; ; {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			if _, ok := h.(carrier.Spoken); ok {
				if spoken++; spoken == utterances {
					_ = line.Hangup(ctx)
				}
			}
		}
	}
}

// stream begins a streamed utterance.
func stream(ctx context.Context, t *testing.T, line carrier.Line) carrier.Speech {
	_, s, err := line.Stream(ctx, carrier.SayOptions{})
	if err != nil {
		t.Errorf("stream: %v", err)
		return over{}
	}
	return s
}

// over is a Speech that takes nothing.
type over struct{}

func (over) Write(string) error { return io.ErrClosedPipe }
func (over) Close() error       { return io.ErrClosedPipe }
func (over) Abandon() error     { return nil }

func wantSpoken(t *testing.T, v View, want ...carrier.Spoken) {
	t.Helper()
	got := All[carrier.Spoken](v)
	if len(got) != len(want) {
		t.Fatalf("spoken %+v", got)
	}
	for i, w := range want {
		if g := got[i]; g.Utterance != i+1 || g.Text != w.Text || g.Cut != w.Cut || !g.Confirmed {
			t.Errorf("spoken %+v, want %+v", g, w)
		}
	}
}

// streamQueue: what is queued behind a stream waits for its end, even if it is complete earlier.
func streamQueue(t *testing.T, s *suite) {
	s.converse(6, func(ctx context.Context, line carrier.Line) {
		first, second := stream(ctx, t, line), stream(ctx, t, line)
		_, _ = line.Say(ctx, "Third.", carrier.SayOptions{})
		empty, dropped, sixth := stream(ctx, t, line), stream(ctx, t, line), stream(ctx, t, line)
		for _, err := range []error{
			sixth.Write("Six"), sixth.Write("th."), sixth.Close(), empty.Close(), dropped.Write("Never to be heard."),
			dropped.Abandon(), second.Write("This is the "), second.Write("second"), second.Write("."), second.Close(),
			first.Write("This is "), first.Write("the first one. "), first.Write("It goes on."), first.Close(),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		for _, s := range []carrier.Speech{first, second, empty, dropped, sixth} {
			if err := s.Write("more"); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("write after the end of the text: %v", err)
			}
		}
	})
	s.place(t, "12")
	wantSpoken(t, s.ends(t, carrier.Completed),
		carrier.Spoken{Text: "This is the first one. It goes on."}, carrier.Spoken{Text: "This is the second."},
		carrier.Spoken{Text: "Third."}, carrier.Spoken{}, carrier.Spoken{}, carrier.Spoken{Text: "Sixth."},
	)
}

// streamUnended: the recipient interrupts an utterance whose text is still coming.
func streamUnended(t *testing.T, s *suite) {
	var speech carrier.Speech
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		speech = stream(ctx, t, line)
		_ = speech.Write(s.host.Script[0] + " ")
		for {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			if _, ok := h.(carrier.Prompt); ok {
				for _, err := range []error{speech.Write("More."), speech.Close()} {
					if !errors.Is(err, io.ErrClosedPipe) {
						t.Errorf("after the interruption: %v", err)
					}
				}
				_ = speech.Abandon()
				_, _ = line.Say(ctx, Goodbye, carrier.SayOptions{Uninterruptible: true})
			}
			if x, ok := h.(carrier.Spoken); ok && x.Utterance == 2 {
				_ = line.Hangup(ctx)
			}
		}
	}
	s.place(t, "05")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	spoken := All[carrier.Spoken](v)
	if x := spoken[0]; x.Cut != carrier.CutRecipient || !x.Confirmed || x.Text == "" ||
		!strings.HasPrefix(s.host.Script[0], x.Text) {
		t.Errorf("interrupted %+v", x)
	}
	if x := spoken[1]; x.Cut != carrier.CutNot || x.Text != Goodbye {
		t.Errorf("said after the interruption: %+v", x)
	}
}

// streamFlushed: a text that is still coming is cut off, and takes no more.
func streamFlushed(t *testing.T, s *suite) {
	const instead = "Something else."
	long := strings.Repeat("One more thing before we go on. ", 20)
	s.converse(3, func(ctx context.Context, line carrier.Line) {
		first, second := stream(ctx, t, line), stream(ctx, t, line)
		_, _ = first.Write(long), second.Write("Never to be heard.")
		_ = line.Flush(ctx)
		for _, s := range []carrier.Speech{first, second} {
			if err := s.Write("more"); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("written after a flush: %v", err)
			}
		}
		third := stream(ctx, t, line)
		_, _ = third.Write("Something "), third.Write("else.")
		_ = third.Close()
	})
	s.place(t, "12")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	spoken := All[carrier.Spoken](v)
	if len(spoken) != 3 || spoken[0].Cut != carrier.CutFlushed || !strings.HasPrefix(long, spoken[0].Text) ||
		spoken[1].Cut != carrier.CutFlushed || spoken[1].Text != "" || spoken[2].Cut != carrier.CutNot ||
		spoken[2].Text != instead {
		t.Errorf("spoken %+v", spoken)
	}
}

// streamAbandoned: what was sent of an abandoned text is played to its end.
func streamAbandoned(t *testing.T, s *suite) {
	const begun = "I will look that up for you and then"
	s.converse(3, func(ctx context.Context, line carrier.Line) {
		first, unsent := stream(ctx, t, line), stream(ctx, t, line)
		_, _ = first.Write(begun), unsent.Write("Never to be heard.")
		_, _ = first.Abandon(), unsent.Abandon()
		_, _ = line.Say(ctx, Goodbye, carrier.SayOptions{})
	})
	s.place(t, "12")
	wantSpoken(t, s.ends(t, carrier.Completed),
		carrier.Spoken{Text: begun}, carrier.Spoken{}, carrier.Spoken{Text: Goodbye})
}
