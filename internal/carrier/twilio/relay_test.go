package twilio

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// relayOf opens a line as Twilio would, and returns the network's end of the line.
func relayOf(t *testing.T, host carrier.Host) (*websocket.Conn, *Adapter) {
	t.Helper()
	a := newTestAdapter(host)
	server := httptest.NewServer(a.Handler())
	t.Cleanup(server.Close)
	address := strings.Replace(publicURL, "http", "ws", 1) + callPath + "relay"
	conn, _, err := websocket.Dial(t.Context(), server.URL+callPath+"relay", &websocket.DialOptions{
		HTTPHeader: http.Header{"X-Twilio-Signature": {sign("token", address, nil)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn, a
}

func write(t *testing.T, conn *websocket.Conn, frames ...string) {
	t.Helper()
	for _, f := range frames {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(f)); err != nil {
			t.Fatal(err)
		}
	}
}

const setup = `{"type":"setup","sessionId":"VX1","callSid":"CA1",` +
	`"customParameters":{"call":"01900000-0000-7000-8000-000000000002"},"more":1}`

// listener returns a host that says one utterance and then only listens.
func listener(text string) *carriertest.Host {
	host := carriertest.NewHost()
	host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		_, _ = line.Say(ctx, text, carrier.SayOptions{})
		for {
			if _, err := host.Listen(ctx, callID, line); err != nil {
				return
			}
		}
	}
	return host
}

func TestFramesInAllTheirForms(t *testing.T) {
	t.Parallel()
	const text = "We open at 9:30, that's half past nine. Shall I book it?"
	for name, c := range map[string]struct {
		frames []string
		want   []carrier.Heard // times are not compared
	}{
		"duration as a number": {
			[]string{`{"type":"interrupt","utteranceUntilInterrupt":"We open at","durationUntilInterruptMs":460}`},
			[]carrier.Heard{
				carrier.Spoken{Utterance: 1, Text: "We open at", Cut: carrier.CutRecipient, Confirmed: true},
			},
		},
		"duration as a string": {
			[]string{`{"type":"interrupt","utteranceUntilInterrupt":"We open at","durationUntilInterruptMs":"460"}`},
			[]carrier.Heard{
				carrier.Spoken{Utterance: 1, Text: "We open at", Cut: carrier.CutRecipient, Confirmed: true},
			},
		},
		"interrupt without words": {
			[]string{`{"type":"info","name":"tokensPlayed","value":"We open at 9:30,"}`, `{"type":"interrupt"}`},
			[]carrier.Heard{
				carrier.Spoken{Utterance: 1, Text: "We open at 9:30,", Cut: carrier.CutRecipient, Confirmed: true},
			},
		},
		"unknown frames": {
			[]string{`{"type":"novelty","value":{"x":1}}`, `{"type":"info","name":"agentSpeaking","value":true}`,
				`not JSON`, `[]`, `{}`,
				`{"type":"prompt","voicePrompt":"Hello","lang":"en-US","last":true,"extra":[1]}`},
			// The relay has not reported any playing on this line, so the answer proves that the
			// recipient heard the question.
			[]carrier.Heard{carrier.Spoken{Utterance: 1, Text: text}, carrier.Prompt{Text: "Hello", Language: "en-US"}},
		},
		"partial prompts": {
			[]string{`{"type":"prompt","voicePrompt":"Hel","last":false}`, `{"type":"prompt","voicePrompt":"Hello"}`},
			[]carrier.Heard{carrier.Spoken{Utterance: 1, Text: text}, carrier.Prompt{Text: "Hello"}},
		},
		"spelled differently": {
			// The engine says "9:30" with other words, so the silence after a moment decides.
			[]string{`{"type":"info","name":"agentSpeaking","value":"on"}`,
				`{"type":"info","name":"tokensPlayed","value":"We open at nine thirty"}`,
				`{"type":"info","name":"agentSpeaking","value":"off"}`},
			[]carrier.Heard{carrier.Spoken{Utterance: 1, Text: text, Confirmed: true}},
		},
		"words so far, cumulative": {
			[]string{`{"type":"info","name":"agentSpeaking","value":"on"}`,
				`{"type":"info","name":"tokensPlayed","value":"We open at"}`,
				`{"type":"info","name":"tokensPlayed","value":"We open at 9:30, that's half past nine."}`,
				`{"type":"info","name":"tokensPlayed","value":"We open at 9:30, that's half past nine. Shall I book ` +
					`it?"}`,
				`{"type":"info","name":"agentSpeaking","value":"off"}`},
			[]carrier.Heard{carrier.Spoken{Utterance: 1, Text: text, Confirmed: true}},
		},
		"pause within": {
			[]string{`{"type":"info","name":"agentSpeaking","value":"on"}`,
				`{"type":"info","name":"tokensPlayed","value":"We open at 9:30, that's half past nine."}`,
				`{"type":"info","name":"agentSpeaking","value":"off"}`,
				`{"type":"info","name":"agentSpeaking","value":"on"}`,
				`{"type":"interrupt","utteranceUntilInterrupt":"We open at 9:30, that's half past nine. Shall"}`},
			[]carrier.Heard{
				carrier.Spoken{
					Utterance: 1, Text: "We open at 9:30, that's half past nine. Shall", Cut: carrier.CutRecipient,
					Confirmed: true,
				},
			},
		},
		"digits": {
			[]string{`{"type":"dtmf","digit":"9"}`, `{"type":"dtmf","digit":"#"}`},
			[]carrier.Heard{carrier.Digit{Digit: "9"}, carrier.Digit{Digit: "#"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := listener(text)
			conn, _ := relayOf(t, host)
			write(t, conn, setup)
			if _, data, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(data), `"type":"text"`) {
				t.Fatal(string(data), err)
			}
			write(t, conn, c.frames...)
			v := host.Until(t, callID, "what was heard", func(v carriertest.View) bool {
				return len(v.Heard) >= len(c.want)
			})
			for i, want := range c.want {
				got := v.Heard[i]
				switch x := got.(type) {
				case carrier.Spoken:
					x.Start, x.End = time.Time{}, time.Time{}
					got = x
				case carrier.Prompt:
					x.Start, x.End, x.At = time.Time{}, time.Time{}, time.Time{}
					got = x
				}
				if got != want {
					t.Errorf("heard %+v, want %+v", got, want)
				}
			}
		})
	}
}

// When the socket breaks in the middle of an utterance, Spoken has the reported words, and the
// recipient may have heard more.
func TestSocketLostInTheMiddle(t *testing.T) {
	t.Parallel()
	host := listener("Hello there, this is Clara from the clinic.")
	conn, _ := relayOf(t, host)
	write(t, conn, setup)
	_, _, _ = conn.Read(t.Context())
	write(t, conn, `{"type":"info","name":"agentSpeaking","value":"on"}`,
		`{"type":"info","name":"tokensPlayed","value":"Hello there, this"}`)
	_ = conn.CloseNow()
	v := host.Until(t, callID, "the end of the line", func(v carriertest.View) bool {
		return v.Open == nil && len(v.Heard) == 2
	})
	s := v.Heard[0].(carrier.Spoken)
	if s.Cut != carrier.CutClosed || s.Text != "Hello there, this" || !s.Confirmed || s.Start.IsZero() ||
		!s.End.IsZero() {
		t.Errorf("spoken %+v", s)
	}
	if c := v.Heard[1].(carrier.Closed); c.Reason != carrier.CloseLost {
		t.Errorf("closed %+v", c)
	}
}

func TestSetupMustNameTheCall(t *testing.T) {
	t.Parallel()
	for _, first := range []string{
		`{"type":"setup","callSid":"CA1","customParameters":{"call":"01900000-0000-7000-8000-000000000009"}}`,
		`{"type":"setup","callSid":"CA1"}`, `{"type":"prompt"}`, `?`,
	} {
		host := carriertest.NewHost()
		conn, _ := relayOf(t, host)
		write(t, conn, first)
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
			t.Errorf("%s: %v", first, err)
		}
		if v := host.View(callID); v.Lines != 0 {
			t.Error("a line was opened")
		}
	}
}

// A second socket for a call replaces the first socket.
func TestNewerLineReplacesOlder(t *testing.T) {
	t.Parallel()
	host := listener("Hello.")
	a := newTestAdapter(host)
	server := httptest.NewServer(a.Handler())
	defer server.Close()
	dial := func() *websocket.Conn {
		conn, _, err := websocket.Dial(t.Context(), server.URL+callPath+"relay", &websocket.DialOptions{
			HTTPHeader: http.Header{"X-Twilio-Signature": {sign("token", publicURL+callPath+"relay", nil)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		write(t, conn, setup)
		return conn
	}
	first := dial()
	defer first.CloseNow()
	host.Until(t, callID, "the first line", func(v carriertest.View) bool { return v.Lines == 1 })
	second := dial()
	defer second.CloseNow()
	host.Until(t, callID, "the second line", func(v carriertest.View) bool { return v.Lines == 2 })
	for {
		if _, _, err := first.Read(t.Context()); err != nil {
			break
		}
	}
	v := host.Until(t, callID, "the first line to close", func(v carriertest.View) bool {
		return len(carriertest.All[carrier.Closed](v)) == 1
	})
	if c := carriertest.All[carrier.Closed](v)[0]; c.Reason != carrier.CloseReplaced {
		t.Errorf("closed %+v", c)
	}
}

func TestShutdownHandsLinesOver(t *testing.T) {
	t.Parallel()
	host := listener("Hello.")
	conn, a := relayOf(t, host)
	write(t, conn, setup)
	host.Until(t, callID, "the line", func(v carriertest.View) bool { return v.Lines == 1 })
	a.Drain()
	again := `<Pause length="1"></Pause><Redirect method="POST">` + publicURL + callPath + `voice#`
	if w := call(a, callPath+"voice", url.Values{"CallSid": {"CA1"}}, ""); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), again) || w.Header().Get("Connection") != "close" {
		t.Errorf("a draining instance opens a line: %d %s", w.Code, w.Body)
	}
	if w := call(a, callPath+"relay-ended", url.Values{
		"CallSid": {"CA1"}, "CallStatus": {"in-progress"}, "ErrorCode": {"64105"},
	}, ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a draining instance loses the end of a line: %d %s", w.Code, w.Body)
	}
	if w := call(a, callPath+"status", url.Values{
		"CallSid": {"CA1"}, "CallStatus": {"ringing"},
	}, ""); w.Code != http.StatusNoContent {
		t.Errorf("a draining instance takes no events: %d", w.Code)
	}
	if v := host.View(callID); v.Open == nil {
		t.Error("draining closed a line")
	}
	result := make(chan error)
	go func() { result <- a.Shutdown(t.Context()) }()
	for {
		_, _, err := conn.Read(t.Context())
		if err == nil {
			continue
		}
		if websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("closed with %v", err)
		}
		break
	}
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	v := host.View(callID)
	if c := carriertest.All[carrier.Closed](v); len(c) != 1 || c[0].Reason != carrier.CloseShutdown || v.Open != nil {
		t.Errorf("%+v", v)
	}
	if w := call(a, callPath+"voice", url.Values{"CallSid": {"CA1"}}, ""); !strings.Contains(w.Body.String(), again) {
		t.Errorf("a stopping instance answers %d %s", w.Code, w.Body)
	}
}

func TestLineAfterItsEnd(t *testing.T) {
	t.Parallel()
	host := listener("Hello.")
	var line carrier.Line
	opened := make(chan struct{})
	inner := host.OnLine
	host.OnLine = func(ctx context.Context, id uuid.UUID, l carrier.Line) {
		line = l
		close(opened)
		inner(ctx, id, l)
	}
	conn, _ := relayOf(t, host)
	write(t, conn, setup)
	<-opened
	_ = conn.Close(websocket.StatusNormalClosure, "")
	host.Until(t, callID, "the end", func(v carriertest.View) bool { return v.Lines == 1 && v.Open == nil })
	if _, err := line.Say(t.Context(), "x", carrier.SayOptions{}); err == nil {
		t.Error("said into a closed line")
	}
	if _, err := line.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("next: %v", err)
	}
	if err := line.Hangup(t.Context()); err != nil {
		t.Errorf("hang up: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := line.Next(ctx); !errors.Is(err, io.EOF) {
		t.Errorf("next: %v", err)
	}
}

// What the relay refuses was not spoken. After two refusals the line ends the session, and
// says why to the action callback.
func TestRefusedMessages(t *testing.T) {
	t.Parallel()
	host := listener("Hello there.")
	said := make(chan struct{})
	host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		for _, text := range []string{"One.", "Two & <three>.", "Four.", "Five."} {
			_, _ = line.Say(ctx, text, carrier.SayOptions{})
		}
		close(said)
		for {
			if _, err := host.Listen(ctx, callID, line); err != nil {
				return
			}
		}
	}
	conn, _ := relayOf(t, host)
	write(t, conn, setup)
	<-said
	read := func(want string) {
		t.Helper()
		if _, data, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(data), want) {
			t.Fatalf("%s, %v, want %s", data, err, want)
		}
	}
	read(`"One."`)
	write(t, conn, `{"type":"info","name":"agentSpeaking","value":"on"}`,
		`{"type":"error","description":"64107: about something else"}`, // "One." is being played
		`{"type":"info","name":"tokensPlayed","value":"One."}`, `{"type":"info","name":"agentSpeaking","value":"off"}`)
	read(`"token":"Two and three ."`)
	write(t, conn, `{"type":"error","description":"Invalid message received"}`)
	read(`"handoffData":"{\"line_failed\":\"64107\",\"detail\":\"Invalid message received\"}"`)
	_ = conn.Close(websocket.StatusNormalClosure, "")
	v := host.Until(t, callID, "the end of the line", func(v carriertest.View) bool { return v.Open == nil })
	spoken := carriertest.All[carrier.Spoken](v)
	for i, want := range []struct {
		text string
		cut  carrier.Cut
	}{{"One.", carrier.CutNot}, {"", carrier.CutRefused}, {"", carrier.CutClosed}, {"", carrier.CutClosed}} {
		if i >= len(spoken) || spoken[i].Text != want.text || spoken[i].Cut != want.cut {
			t.Fatalf("spoken %+v", spoken)
		}
	}
	if c := carriertest.All[carrier.Closed](v); len(c) != 1 || c[0].Reason != carrier.CloseFailed ||
		c[0].Detail != "Invalid message received (64107)" {
		t.Errorf("closed %+v", c)
	}
}

// Words are sent in their spoken forms and in the form of the provider. What the relay reports of
// them, whole or cut at any place, comes back as written.
func TestWordsAsSpoken(t *testing.T) {
	t.Parallel()
	const text = "Hello Xavier, Ada & friends <3 of Acme GmbH call. OK?"
	pronounced := []speech.Pronunciation{{Word: "Xavier", Spoken: "Zay vee er"}, {Word: "GmbH", Spoken: "company"}}
	for name, c := range map[string]struct {
		provider speech.Provider
		sent     string
		frames   []string
		want     string
		cut      carrier.Cut
	}{
		"cut within a spoken form": {
			speech.Amazon, "Hello Zay vee er, Ada \u0026amp; friends \u0026lt;3 of Acme company call. OK?",
			[]string{`{"type":"interrupt","utteranceUntilInterrupt":"Hello Zay vee"}`}, "Hello", carrier.CutRecipient,
		},
		"cut, escaped": {
			speech.Google, "Hello Zay vee er, Ada \u0026amp; friends \u0026lt;3 of Acme company call. OK?",
			[]string{`{"type":"interrupt","utteranceUntilInterrupt":"Hello Zay vee er, Ada &amp; friends &lt;3 of"}`},
			"Hello Xavier, Ada & friends <3 of", carrier.CutRecipient,
		},
		"cut, not escaped": {
			speech.Google, "Hello Zay vee er, Ada \u0026amp; friends \u0026lt;3 of Acme company call. OK?",
			[]string{`{"type":"interrupt",` +
				`"utteranceUntilInterrupt":"Hello Zay vee er, Ada & friends <3 of Acme company"}`},
			"Hello Xavier, Ada & friends <3 of Acme GmbH", carrier.CutRecipient,
		},
		"cut, without SSML": {
			"", "Hello Zay vee er, Ada and friends 3 of Acme company call. OK?",
			[]string{`{"type":"interrupt","utteranceUntilInterrupt":"Hello Zay vee er, Ada and friends 3"}`},
			"Hello Xavier, Ada & friends <3", carrier.CutRecipient,
		},
		"cut, spelled differently": {
			speech.ElevenLabs, "Hello Zay vee er, Ada and friends 3 of Acme company call. OK?",
			[]string{`{"type":"interrupt","utteranceUntilInterrupt":"Hello Zay vee er, Ada and friends three"}`},
			"Hello Xavier, Ada and friends three", carrier.CutRecipient,
		},
		"played in parts": {
			speech.Amazon, "Hello Zay vee er, Ada \u0026amp; friends \u0026lt;3 of Acme company call. OK?",
			[]string{`{"type":"info","name":"agentSpeaking","value":"on"}`,
				`{"type":"info","name":"tokensPlayed","value":"Hello Zay vee er, Ada &amp; friends"}`,
				`{"type":"info","name":"tokensPlayed","value":"<3 of Acme company call. OK?"}`,
				`{"type":"info","name":"agentSpeaking","value":"off"}`},
			text, carrier.CutNot,
		},
		"cut after a part": {
			speech.Amazon, "Hello Zay vee er, Ada \u0026amp; friends \u0026lt;3 of Acme company call. OK?",
			[]string{`{"type":"info","name":"tokensPlayed","value":"Hello Zay vee er,"}`, `{"type":"interrupt"}`},
			"Hello Xavier,", carrier.CutRecipient,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := listener(text)
			host.Manner.Speech.Provider, host.Manner.Speech.Pronunciations = c.provider, pronounced
			conn, _ := relayOf(t, host)
			write(t, conn, setup)
			_, data, err := conn.Read(t.Context())
			var sent frame
			if err != nil || json.Unmarshal(data, &sent) != nil ||
				strings.Join(strings.Fields(sent.Token), " ") != c.sent {
				t.Fatalf("sent %s, %v, want %s", data, err, c.sent)
			}
			write(t, conn, c.frames...)
			v := host.Until(t, callID, "what was heard", func(v carriertest.View) bool { return len(v.Heard) > 0 })
			if s := v.Heard[0].(carrier.Spoken); s.Text != c.want || s.Cut != c.cut || !s.Confirmed {
				t.Errorf("spoken %+v, want %q", s, c.want)
			}
		})
	}
}

// Each setting, as the relay takes it.
func TestSettingsInTwiML(t *testing.T) {
	t.Parallel()
	ms, threshold := 1200, 0.75
	all := speech.Default()
	all.Provider, all.Voice, all.Model = speech.ElevenLabs, "UgBBYS2sOqTuMpoF3BR0", "flash_v2_5"
	all.TranscriptionProvider, all.TranscriptionModel = speech.Deepgram, speech.Flux
	all.EndOfTurnMS, all.EndOfTurnThreshold = &ms, &threshold
	all.Interruptible, all.InterruptSensitivity, all.IgnoreBackchannel = speech.BySpeech, speech.Low, true
	all.Hints = []string{"Acme & Co", "Meridian"}
	british := speech.Default()
	british.Provider, british.Voice = speech.Google, "en-GB-Wavenet-N"
	for name, c := range map[string]struct {
		speech speech.Settings
		want   string
	}{
		"none": {
			speech.Default(),
			`language="en-US" interruptible="any" interruptSensitivity="high" reportInputDuringAgentSpeech="any"`,
		},
		"all": {
			all, `language="en-US" ttsProvider="ElevenLabs" voice="UgBBYS2sOqTuMpoF3BR0-flash_v2_5" ` +
				`transcriptionProvider="Deepgram" speechModel="flux" speechTimeout="1200" eotThreshold="0.75" ` +
				`interruptible="speech" interruptSensitivity="low" ignoreBackchannel="true" ` +
				`hints="Acme &amp; Co,Meridian" reportInputDuringAgentSpeech="any"`,
		},
		"a voice of another region": {
			british, `language="en-US" ttsLanguage="en-GB" ttsProvider="Google" voice="en-GB-Wavenet-N" `,
		},
	} {
		got := string(relayTwiML("wss://x", "/next", "1", carrier.Manner{Language: "en-US", Speech: c.speech}, 0))
		if !strings.Contains(got, `<ConversationRelay url="wss://x" `+c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
