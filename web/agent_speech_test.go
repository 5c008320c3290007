package web

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/carrier"
)

// The speech settings of the agent's form, each as it is stored, and the form as it shows them again.
func TestAgentSpeechForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/agents/new").want(http.StatusOK).has("The carrier's default",
		"Joanna, female, Amazon Polly Neural", `<optgroup label="Google, English (UK)">`).lacks("Sofie")
	for _, c := range []struct{ field, value, at, message string }{
		{"speech.voice", "amazon:Sofie-Neural", "speech.voice", "Speaks da-DK and does not fit the agent's language"},
		{"speech.voice", "amazon:Nobody", "speech.voice", "Is not a voice of Amazon Polly"},
		{"speech.voice", "elevenlabs:", "speech.voice_id", "Required"},
		{"speech.transcription", "google:flux", "speech.transcription", "Must be one of telephony, long"},
		{"speech.end_of_turn_ms", "soon", "speech.end_of_turn_ms", "Must be a whole number"},
		{"speech.end_of_turn_ms", "100", "speech.end_of_turn_ms", "Must be between 600 and 5,000"},
		{
			"speech.end_of_turn_threshold", "0.8", "speech.end_of_turn_threshold",
			"Is only for the transcription model flux",
		},
		{"speech.interruptible", "never", "speech.interruptible", "Must be one of"},
		{"speech.hints", "Meridian\r\nAcme, Inc", "speech.hints", "Line 2: "},
		{"speech.pronunciations", "Nguyen: win", "speech.pronunciations", "Must have the form word = spoken form"},
		{"speech.pronunciations", "Nguyen = win\nnguyen = new", "speech.pronunciations", "Line 2, word: "},
		{"silence_seconds", "0", "silence_seconds", "Must be between 3 and 30"},
		{"nudges", "6", "nudges", "Must be between 0 and 5"},
	} {
		got := v.post("/agents", changed(agentForm(), c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.at, c.message)
	}

	full := changed(agentForm(), "speech.voice", "elevenlabs:", "speech.voice_id",
		"ZZZZZZZZZZ0123456789", "speech.model",
		"turbo_v2_5", "speech.transcription", "deepgram:flux", "speech.end_of_turn_ms", "900",
		"speech.end_of_turn_threshold", "0.75", "speech.interruptible", "speech", "speech.interrupt_sensitivity", "low",
		"speech.ignore_backchannel", "on", "speech.hints", "Meridian\r\n\r\nAcme & Co", "speech.pronunciations",
		"Nguyen = win\r\nXavier=Zay vee er", "silence_seconds", "5", "nudges", "0")
	v.post("/agents", full).leadsBelow("/agents/")
	id := idOf(w, "agent", "name", "Nora")
	if !value[bool](w, `select speech || (script::jsonb - 'questions' - 'greeting' - 'disclosure' - 'goodbye'
		- 'not_understood' - 'voicemail_message') = $2::jsonb from agent where id = $1`, id, `{"provider": "elevenlabs",
		"voice": "ZZZZZZZZZZ0123456789", "model": "turbo_v2_5", "transcription_provider": "deepgram",
		"transcription_model": "flux", "end_of_turn_ms": 900, "end_of_turn_threshold": 0.75, "interruptible": "speech",
		"interrupt_sensitivity": "low", "ignore_backchannel": true, "hints": ["Meridian", "Acme & Co"],
		"pronunciations": [{"word": "Nguyen", "spoken": "win"}, {"word": "Xavier", "spoken": "Zay vee er"}],
		"language": "en-US", "silence_seconds": 5, "nudges": 0}`) {
		t.Errorf("stored %s", value[string](w, `select speech || script::jsonb from agent where id = $1`, id))
	}
	path := "/agents/" + id.String()
	shown := v.get(path).want(http.StatusOK).has("ZZZZZZZZZZ0123456789", "Nguyen = win\nXavier = Zay vee er",
		"Meridian\nAcme & Co", `value="900"`, `value="0.75"`, `<details class="more" open>`)
	for field, want := range map[string]string{
		"speech.voice": "elevenlabs:", "speech.model": "turbo_v2_5", "speech.transcription": "deepgram:flux",
		"speech.interruptible": "speech", "speech.interrupt_sensitivity": "low",
	} {
		if !shown.ticked(field, want) {
			t.Errorf("%s does not show %s", field, want)
		}
	}
	v.post(path+"/try", changed(full, "action", "try")).want(http.StatusOK).
		has("ZZZZZZZZZZ0123456789", `name="speech.hints"`)

	// Another language has other voices. Without scripts, a form that is sent says so.
	v.post(path, changed(full, "language", "da-DK", "action", "language", "speech.voice", "amazon:Joanna-Neural")).
		want(http.StatusOK).has("Sofie, female, Amazon Polly Neural", "The voice does not fit the language",
		"The transcription does not fit the language").lacks("Joanna")
	v.post(path, changed(agentForm(), "language", "da-DK", "speech.voice", "amazon:Joanna-Neural")).
		wrong("speech.voice", "Choose Sofie-Neural or da-DK-Wavenet-F")
	v.post(path, changed(agentForm(), "language", "da-DK", "speech.voice", "amazon:Sofie-Neural")).
		leads(path)
	v.get("/settings/audit-log").has("Agent")
}

// The voices follow the language at once.
func TestVoicesFollowTheLanguage(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	v := n.as(n.admin)
	tab.Become(w.server.URL, v.client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/agents/new")
	tab.WaitFor(`document.querySelector('[name="speech.voice"] option[value="amazon:Joanna-Neural"]') !== null`)
	browsertest.Eval[bool](tab, `(() => {
		const language = document.querySelector('[name="language"]');
		language.value = "da-DK";
		language.dispatchEvent(new Event("change", {bubbles: true}));
		return true;
	})()`)
	tab.WaitFor(`document.querySelector('[name="speech.voice"] option[value="amazon:Sofie-Neural"]') !== null &&
		document.querySelector('[name="speech.transcription"] option[value="deepgram:flux"]') === null`)
}

// A voice is heard by a call that says the greeting and hangs up, with the settings of the form.
func TestHearTheVoice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wire(func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return taker{}, nil }
	})
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	agent := "/agents/" + n.agent.String()
	v.get(agent).want(http.StatusOK).has("Hear this voice", `formaction="`+agent+`/call"`)
	edited := changed(agentForm(), "language", "da-DK", "speech.voice", "amazon:Sofie-Neural", "speech.pronunciations",
		"Aster = A ster", "action", "hear")
	v.post(agent+"/call", changed(edited, "speech.voice", "amazon:Joanna")).
		wrong("speech.voice", "does not fit").has("Nora")
	v.post(agent+"/call", edited).want(http.StatusOK).has("Hear this voice", "Aster care line",
		`value="amazon:Sofie-Neural"`, `value="Aster = A ster"`, `name="sample"`)
	if got := w.count(`select count(*) from call`); got != 0 {
		t.Fatalf("%d calls", got)
	}
	data := form("sample", "on", "language", "da-DK", "speech.voice", "amazon:Sofie-Neural", "speech.pronunciations",
		"Aster = A ster", "to_number", "12", "phone_number_id", n.number.String(), "project_id", n.project.String())
	v.post(agent+"/call", data).wrong("to_number", "").has("Hear this voice", `value="Aster = A ster"`)
	v.post(agent+"/call", changed(data, "to_number", "(312) 555-0142")).want(http.StatusSeeOther)
	if got := value[string](w, `select concat(sample->>'language', ' ', sample->'speech'->>'voice', ' ',
		sample->'speech'->'pronunciations'->0->>'spoken') from call where person_number = '+13125550142'`); got !=
		"da-DK Sofie-Neural A ster" {
		t.Errorf("the call samples %s", got)
	}
}
