package carriertest

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// language: the recipient understands only Spanish, and asks for it. From then on, Spanish is spoken and
// recognized. What was queued before is played in English.
func language(t *testing.T, s *suite) {
	s.host.Manner.Others = []carrier.Voice{
		{Language: "de-DE"},
		{Language: "es-US", Engines: speech.Engines{
			Provider: speech.Amazon, Voice: "Mia-Neural", TranscriptionProvider: speech.Deepgram,
		}},
	}
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		said := func(text string) {
			if _, err := line.Say(ctx, text, carrier.SayOptions{}); err != nil {
				t.Errorf("say %q: %v", text, err)
			}
		}
		said("Hello, is this a good time?")
		for spanish := false; ; {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			p, ok := h.(carrier.Prompt)
			switch {
			case !ok:
			case !spanish && strings.Contains(p.Text, "español"):
				spanish = true
				said("One moment.")
				if err := line.Language(ctx, "es-US"); err != nil {
					t.Errorf("language: %v", err)
				}
				said("¿Le viene bien ahora?")
			case spanish:
				_ = line.Hangup(ctx)
			}
		}
	}
	s.place(t, "28")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	heard := All[carrier.Prompt](v)
	if len(heard) < 2 {
		t.Fatalf("heard %+v", heard)
	}
	first, last := heard[0], heard[len(heard)-1]
	if first.Language != "en-US" || last.Language != "es-US" || last.Text != "Sí." && last.Text != "No." {
		t.Errorf("heard %+v and then %+v", first, last)
	}
	var spoken []string
	for _, x := range All[carrier.Spoken](v) {
		spoken = append(spoken, x.Text)
	}
	if got := strings.Join(spoken, " | "); got != "Hello, is this a good time? | One moment. | ¿Le viene bien ahora?" {
		t.Errorf("spoken %q", got)
	}
}
