package twilio

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/coder/websocket"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// manyLanguages is English with a voice of another accent, Spanish likewise, and German with defaults.
func manyLanguages() carrier.Manner {
	s := speech.Default()
	s.Provider, s.Voice = speech.Google, "en-GB-Wavenet-N"
	return carrier.Manner{Language: "en-US", Speech: s, Others: []carrier.Voice{
		{Language: "es-US", Engines: speech.Engines{
			Provider: speech.Amazon, Voice: "Mia-Neural", TranscriptionProvider: speech.Deepgram,
			TranscriptionModel: "nova-3-general",
		}},
		{Language: "de-DE", Engines: speech.Engines{
			Provider: speech.ElevenLabs, Voice: "UgBBYS2sOqTuMpoF3BR0", Model: "turbo_v2_5",
		}},
	}}
}

func TestLanguagesInTwiML(t *testing.T) {
	t.Parallel()
	got := string(relayTwiML("wss://x", "/next", "1", manyLanguages(), 0))
	want := `<Language code="en-US"></Language>` +
		`<Language code="en-GB" ttsProvider="Google" voice="en-GB-Wavenet-N"></Language>` +
		`<Language code="es-US" transcriptionProvider="Deepgram" speechModel="nova-3-general"></Language>` +
		`<Language code="es-MX" ttsProvider="Amazon" voice="Mia-Neural"></Language>` +
		`<Language code="de-DE" ttsProvider="ElevenLabs" voice="UgBBYS2sOqTuMpoF3BR0-turbo_v2_5"></Language><Parameter`
	if !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	plain := string(relayTwiML("wss://x", "/next", "1", manyLanguages().Unnamed(), 0))
	if !strings.Contains(plain, `<Language code="es-US"></Language>`) || strings.Contains(plain, "oice=") {
		t.Errorf("without voices: %s", plain)
	}
	if m := manyLanguages(); !m.Named() || m.Unnamed().Named() {
		t.Error("named")
	}
}

// What is queued is spoken in the language before, and recognition changes at once.
func TestLanguageFrames(t *testing.T) {
	t.Parallel()
	host := carriertest.NewHost()
	host.Manner = manyLanguages()
	host.OnLine = func(ctx context.Context, _ uuid.UUID, line carrier.Line) {
		for _, tag := range []string{"es-US", "en-US"} { // nothing is spoken
			_ = line.Language(ctx, tag)
		}
		for _, text := range []string{"One & two.", "Three."} {
			_, _ = line.Say(ctx, text, carrier.SayOptions{})
		}
		_ = line.Language(ctx, "es-US")
		_, _ = line.Say(ctx, "Cuatro & cinco.", carrier.SayOptions{})
		_ = line.Language(ctx, "tr-TR")
		_, _ = line.Say(ctx, "Altı & yedi.", carrier.SayOptions{})
		for spoken := 0; spoken < 4; {
			h, err := line.Next(ctx)
			if err != nil {
				return
			}
			if _, ok := h.(carrier.Spoken); ok {
				spoken++
			}
		}
		_ = line.Hangup(ctx)
	}
	conn, _ := relayOf(t, host)
	write(t, conn, setup)
	var got []string
	for {
		_, data, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		got = append(got, text)
		if strings.Contains(text, `"type":"end"`) {
			_ = conn.Close(websocket.StatusNormalClosure, "")
			break
		}
		if strings.Contains(text, `"token"`) {
			words := strings.Split(strings.SplitN(text, `"token":"`, 2)[1], `"`)[0]
			words = strings.ReplaceAll(words, `\u0026`, "&")
			write(t, conn, `{"type":"info","name":"agentSpeaking","value":"on"}`,
				`{"type":"info","name":"tokensPlayed","value":"`+words+`"}`,
				`{"type":"info","name":"agentSpeaking","value":"off"}`)
		}
	}
	want := []string{
		`{"type":"language","ttsLanguage":"es-MX","transcriptionLanguage":"es-US"}`,
		`{"type":"language","ttsLanguage":"en-GB","transcriptionLanguage":"en-US"}`,
		`{"type":"text","token":"One \u0026amp; two.","last":true}`,
		`{"type":"language","transcriptionLanguage":"es-US"}`,
		`{"type":"language","transcriptionLanguage":"tr-TR"}`,
		`{"type":"text","token":"Three.","last":true}`,
		`{"type":"language","ttsLanguage":"es-MX"}`,
		`{"type":"text","token":"Cuatro \u0026amp; cinco.","last":true}`,
		`{"type":"language","ttsLanguage":"tr-TR"}`,
		`{"type":"text","token":"Altı  ve  yedi.","last":true}`,
		`{"type":"end"}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
