package line

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

// callWith calls a number of the sandbox with an agent's speech settings and changes of its script,
// by the production adapter, and waits for the end.
func callWith(t *testing.T, to, speech, script string) (*world, sandbox.Dial, call.Claimed) {
	t.Helper()
	w := newWorld(t)
	w.exec(`update agent set speech = $1, script = script::jsonb || $2::jsonb`, speech, script)
	phones := w.onSandbox(20)
	w.claim.RecipientName = "Xavier & friends <3"
	variables, err := json.Marshal(map[string]string{"name": w.claim.RecipientName})
	if err != nil {
		t.Fatal(err)
	}
	w.claim.Variables = variables
	c := w.queue(to)
	w.place(c)
	w.untilEnded(t, c.ID)
	over := func(s sandbox.State) bool { return s.Live == 0 && s.Lines == 0 }
	if _, err := phones.Await(t.Context(), over); err != nil {
		t.Fatal(err)
	}
	return w, phones.Dials()[0], c
}

// heardFrom returns what the agent said, as the recipient heard it.
func heardFrom(d sandbox.Dial) (all []string, cut bool) {
	for _, turn := range d.Turns {
		if turn.Who == sandbox.Agent {
			all, cut = append(all, turn.Text), cut || turn.Cut
		}
	}
	return all, cut
}

// Every speech setting reaches the carrier as it documents it.
func TestSandboxGetsSpeechSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		speech string
		want   map[string]string
	}{
		"defaults": {
			`{}`, map[string]string{
				"ttsProvider": "", "voice": "", "ttsLanguage": "", "transcriptionProvider": "", "speechModel": "",
				"interruptible": "any", "interruptSensitivity": "high", "ignoreBackchannel": "", "hints": "",
				"speechTimeout": "", "eotThreshold": "", "language": "en-US",
			},
		},
		"voice of Amazon": {
			`{"provider": "amazon", "voice": "Joanna-Neural"}`,
			map[string]string{"ttsProvider": "Amazon", "voice": "Joanna-Neural", "ttsLanguage": ""},
		},
		"voice of Google from another region": {
			`{"provider": "google", "voice": "en-GB-Chirp3-HD-Aoede"}`,
			map[string]string{"ttsProvider": "Google", "voice": "en-GB-Chirp3-HD-Aoede", "ttsLanguage": "en-GB"},
		},
		"voice of ElevenLabs": {
			`{"provider": "elevenlabs", "voice": "UgBBYS2sOqTuMpoF3BR0", "model": "turbo_v2_5"}`,
			map[string]string{"ttsProvider": "ElevenLabs", "voice": "UgBBYS2sOqTuMpoF3BR0-turbo_v2_5"},
		},
		"transcription": {
			`{"transcription_provider": "deepgram", "transcription_model": "flux", "end_of_turn_threshold": 0.8,
			  "end_of_turn_ms": 900}`,
			map[string]string{
				"transcriptionProvider": "Deepgram", "speechModel": "flux", "eotThreshold": "0.8",
				"speechTimeout": "900",
			},
		},
		"transcription of Google": {
			`{"transcription_provider": "google", "transcription_model": "long"}`,
			map[string]string{"transcriptionProvider": "Google", "speechModel": "long"},
		},
		"turns and hints": {
			`{"interruptible": "speech", "interrupt_sensitivity": "low", "ignore_backchannel": true,
			  "hints": ["Acme & Co", "Meridian"]}`,
			map[string]string{
				"interruptible": "speech", "interruptSensitivity": "low", "ignoreBackchannel": "true",
				"hints": "Acme & Co,Meridian",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, d, queued := callWith(t, "+15005000001", c.speech, `{}`)
			for attribute, want := range c.want {
				if got := d.Relay[attribute]; got != want {
					t.Errorf("%s is %q, want %q", attribute, got, want)
				}
			}
			if got := w.get(queued.ID); d.Sessions != 1 || got.EndedReason != call.ReasonCompleted {
				t.Errorf("%d sessions, %s: %s", d.Sessions, got.EndedReason, got.Detail)
			}
		})
	}
}

// The carrier refuses a voice that does not fit. The call goes on with its default voice.
func TestSandboxRefusesAVoice(t *testing.T) {
	t.Parallel()
	for _, speech := range []string{
		`{"provider": "google", "voice": "Joanna-Neural"}`,
		`{"provider": "amazon", "voice": "Polly.Joanna"}`,
		`{"transcription_provider": "google", "transcription_model": "nova-3-general"}`,
	} {
		w, d, c := callWith(t, "+15005000001", speech, `{}`)
		if got := w.get(c.ID); got.EndedReason != call.ReasonCompleted {
			t.Errorf("%s: %s: %s", speech, got.EndedReason, got.Detail)
		}
		if d.Sessions != 1 || d.Relay["voice"] != "" || d.Relay["speechModel"] != "" {
			t.Errorf("%s: %d sessions, the last with %v", speech, d.Sessions, d.Relay)
		}
	}
}

// The recipient hears words as they are pronounced. The transcript has them as written.
func TestSandboxHearsPronunciations(t *testing.T) {
	t.Parallel()
	const words = `, "pronunciations": [
		{"word": "Xavier", "spoken": "Zay vee er"}, {"word": "acme", "spoken": "Ack me"}]`
	const written = "Hello Xavier & friends <3, this is Acme."
	for name, c := range map[string]struct{ speech, heard string }{
		"Amazon": {
			`{"provider": "amazon", "voice": "Joanna"` + words + `}`, "Hello Zay vee er & friends <3, this is Ack me.",
		},
		"the default": {`{"voice": ""` + words + `}`, "Hello Zay vee er and friends 3, this is Ack me."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, d, queued := callWith(t, "+15005000001", c.speech, `{}`)
			if heard, _ := heardFrom(d); !strings.HasPrefix(strings.ReplaceAll(heard[0], " ,", ","), c.heard) {
				t.Errorf("heard %q, want %q", heard, c.heard)
			}
			w.wantTranscript(queued, "agent: "+written, "recipient: ", "agent: ")
		})
		t.Run(name+", interrupted", func(t *testing.T) {
			t.Parallel()
			w, d, queued := callWith(t, "+15005050001", c.speech, `{"greeting": "Acme, acme and Acme call {{name}}."}`)
			heard, cut := heardFrom(d)
			first := w.turns(queued.ID)[0]
			if !cut || !first.Interrupted {
				t.Fatalf("nobody interrupted: %q, %+v", heard, first)
			}
			const whole = "Acme, acme and Acme call Xavier & friends <3. I am an automated"
			spoken := strings.NewReplacer("Acme", "Ack me", "acme", "Ack me").Replace(first.Text)
			said := heard[0][:min(len(heard[0]), len("Ack me, Ack me"))]
			if !strings.HasPrefix(whole, first.Text) || first.Text == "" || !strings.HasPrefix(spoken, said) {
				t.Errorf("transcript %q of %q", first.Text, heard)
			}
		})
	}
}

// A recipient who may not interrupt is heard, and the agent says its sentences to the end.
func TestSandboxCannotInterrupt(t *testing.T) {
	t.Parallel()
	w, d, c := callWith(t, "+15005050001", `{"interruptible": "none"}`, `{}`)
	if heard, cut := heardFrom(d); cut || len(heard) < 2 {
		t.Errorf("heard %q", heard)
	}
	if got := w.get(c.ID); got.EndedReason != call.ReasonCompleted {
		t.Errorf("%s: %s", got.EndedReason, got.Detail)
	}
	for _, number := range []string{"+15005060001", "+15005070001"} { // press 9, say stop
		w, _, c := callWith(t, number, `{"interruptible": "none"}`, `{}`)
		if got := w.get(c.ID); got.EndedReason != call.ReasonOptedOut {
			t.Errorf("%s: %s: %s", number, got.EndedReason, got.Detail)
		}
	}
}

// The agent waits as long as its script says, and asks as often.
func TestSandboxSilence(t *testing.T) {
	t.Parallel()
	for script, nudges := range map[string]int{
		`{"silence_seconds": 3, "nudges": 0}`: 0, `{"silence_seconds": 3, "nudges": 2}`: 2,
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			w, d, c := callWith(t, "+15005120001", `{}`, script)
			heard, _ := heardFrom(d)
			asked := 0
			for _, text := range heard {
				asked += strings.Count(text, "Are you still there?")
			}
			if lasted := time.Since(began); asked != nudges || lasted < time.Duration(nudges+1)*3*time.Second {
				t.Errorf("asked %d times within %s: %q", asked, lasted, heard)
			}
			if got := w.get(c.ID); got.EndedReason != call.ReasonSilence {
				t.Errorf("%s: %s", got.EndedReason, got.Detail)
			}
		})
	}
}

// A call that only lets a voice be heard says the greeting in that voice and hangs up.
func TestSandboxSample(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	c := w.queue("+15005000001")
	w.exec(`update call set sample = '{"language": "en-GB", "speech": {"provider": "amazon", "voice": "Amy-Neural",
		"pronunciations": [{"word": "Acme", "spoken": "Ack me"}]}}'`)
	w.place(c)
	w.untilEnded(t, c.ID)
	if _, err := phones.Await(t.Context(), func(s sandbox.State) bool { return s.Live == 0 }); err != nil {
		t.Fatal(err)
	}
	d := phones.Dials()[0]
	if heard, _ := heardFrom(d); len(heard) != 1 || !strings.HasPrefix(heard[0], "Hello Ada, this is Ack me.") ||
		strings.Contains(heard[0], "satisfied") || d.Relay["voice"] != "Amy-Neural" || d.Relay["language"] != "en-GB" {
		t.Errorf("heard %q by %v", heard, d.Relay)
	}
	if got := w.get(c.ID); got.EndedReason != call.ReasonCompleted {
		t.Errorf("%s: %s", got.EndedReason, got.Detail)
	}
}
