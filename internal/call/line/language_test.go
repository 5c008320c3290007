package line

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
)

// inSpanishToo gives an agent Spanish, with a voice.
func inSpanishToo(s *conversation.Script) {
	s.Languages = []conversation.Translation{{
		Language: "es-US",
		Speech:   speech.Engines{Provider: speech.Amazon, Voice: "Lupe-Neural"},
		Wording: conversation.Wording{
			Greeting: "Hola {{name}}, le llamamos de Acme.", VoicemailMessage: "Le llamó Acme.",
		},
	}}
	for i := range s.Questions {
		s.Questions[i].Asks = map[string]string{"es-US": "¿Está satisfecho?"}
	}
}

func (w *world) manner(t *testing.T, c call.Claimed) carrier.Manner {
	t.Helper()
	m, err := w.lines.Admit(t.Context(), c.ConnectionID, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A person who speaks Spanish to an agent in English is answered in Spanish, also by the next process.
func TestCallChangesItsLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "", inSpanishToo)
	c, l, done := w.answered("+12025550101")
	if m := w.manner(t, c); m.Language != "en-US" || m.Speech.Provider != "" || len(m.Others) != 1 ||
		m.Others[0].Language != "es-US" || m.Others[0].Engines.Voice != "Lupe-Neural" {
		t.Errorf("began as %+v", m)
	}
	l.opening(t)
	if u := l.play(t); u.text != "Are you satisfied?" {
		t.Errorf("asked %q", u.text)
	}
	l.tell(carrier.Prompt{Text: "¿Habla español?", Language: "en-US"})
	if u := l.play(t); !u.uninterruptible || !strings.HasPrefix(u.text, "Esta es una llamada automática.") {
		t.Errorf("said %+v", u)
	}
	if u := l.play(t); u.text != "¿Está satisfecho?" {
		t.Errorf("asked %q", u.text)
	}
	if told := l.told(); !slices.Equal(told, []string{"es-US"}) {
		t.Errorf("the line was told to speak %q", told)
	}
	l.heardAll()
	l.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")

	if m := w.manner(t, c); m.Language != "es-US" || m.Speech.Voice != "Lupe-Neural" ||
		m.Trouble != conversation.Trouble("es") || len(m.Others) != 1 || m.Others[0].Language != "en-US" {
		t.Errorf("goes on as %+v", m)
	}
	another, line := w.instance(), newPhoneLine()
	done = another.converseInBackground(c, line)
	if u := line.play(t); !strings.HasPrefix(u.text, "Perdone, se ha cortado") {
		t.Errorf("came back with %q", u.text)
	}
	if u := line.play(t); u.text != "¿Está satisfecho?" {
		t.Errorf("asked again %q", u.text)
	}
	if told := line.told(); !slices.Equal(told, []string{"es-US"}) {
		t.Errorf("the second line was told to speak %q", told)
	}
	line.tell(carrier.Prompt{Text: "Sí, mucho.", Language: "es-US"})
	for !strings.Contains(line.play(t).text, "Adiós") {
	}
	wait(t, done, "the second line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	got := w.get(c.ID)
	if got.Analysis == nil || got.Analysis.Language != "es-US" || got.Analysis.Answers["satisfied"] != true {
		t.Errorf("analysis %+v", got.Analysis)
	}
	var config string
	err := w.db.Pool.QueryRow(t.Context(), `select language from call_search where call_id = $1`, c.ID).Scan(&config)
	if err != nil || config != "spanish" {
		t.Errorf("searched in %q: %v", config, err)
	}
}

// A call begins in the language of its recipient.
func TestCallInTheLanguageOfTheRecipient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.claim.Variables = json.RawMessage(`{"name":"Ana","language":"Spanish"}`)
	w.withModel("sandbox", "", inSpanishToo)
	c, l, done := w.answered("+12025550101")
	if m := w.manner(t, c); m.Language != "es-US" || m.Speech.Voice != "Lupe-Neural" {
		t.Errorf("began as %+v", m)
	}
	if u := l.play(t); u.text != "Hola Ana, le llamamos de Acme." {
		t.Errorf("greeted with %q", u.text)
	}
	l.play(t)
	if u := l.play(t); u.text != "¿Está satisfecho?" {
		t.Errorf("asked %q", u.text)
	}
	l.tell(carrier.Prompt{Text: "Can we speak English?", Language: "es-US"})
	if u := l.play(t); !strings.HasPrefix(u.text, "I am an automated assistant.") {
		t.Errorf("disclosed with %q", u.text)
	}
	if u := l.play(t); u.text != "Are you satisfied?" {
		t.Errorf("asked %q", u.text)
	}
	l.leave(t, done)
}

// "No me llame más" is an opt-out before the language changes and after it.
func TestOptOutInAnotherLanguage(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"before": {"No me llame más."}, "after": {"¿Habla español?", "Por favor, no me llame más."},
		"in English, after": {"¿Habla español?", "Stop calling me."},
	} {
		w := newWorld(t)
		w.withModel("sandbox", "", inSpanishToo)
		c, l, done := w.answered("+12025550101")
		l.opening(t)
		l.play(t)
		for i, text := range words {
			l.tell(carrier.Prompt{Text: text})
			if i < len(words)-1 {
				l.opening(t) // the disclosure and the question, in Spanish
			}
		}
		last := l.play(t)
		if spanish := strings.Contains(last.text, "No volveremos"); spanish != !strings.Contains(name, "English") {
			t.Errorf("%s: confirmed with %q", name, last.text)
		}
		wait(t, done, "the line is not let go")
		if n := w.listed(c); n != 1 {
			t.Errorf("%s: %d entries of the do-not-call list", name, n)
		}
	}
}

// The recipients of the sandbox who speak only Spanish, through the production adapter.
func TestSandboxInSpanish(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "", inSpanishToo)
	phones := w.onSandbox(20)
	w.lines.patience = standardPatience
	var queued []call.Claimed
	for _, to := range []string{"+15005280001", "+15005290001"} {
		queued = append(queued, w.queue(to))
	}
	for _, c := range queued {
		w.place(c)
	}
	w.untilSettled(t, len(queued))
	for i, c := range queued {
		got := w.get(c.ID)
		want := []call.Reason{call.ReasonCompleted, call.ReasonOptedOut}[i]
		if got.EndedReason != want || got.Analysis.Language != "es-US" {
			t.Errorf("%s: %s in %s: %q", c.PersonNumber, got.EndedReason, got.Analysis.Language, got.TranscriptText)
		}
		if _, answered := got.Analysis.Answers["satisfied"]; answered != (i == 0) {
			t.Errorf("%s: %+v", c.PersonNumber, got.Analysis)
		}
	}
	for _, dial := range phones.Dials() {
		if n := strings.Count(dial.Relay["language"], "en-US"); n != 1 {
			t.Errorf("%s began in %q", dial.To, dial.Relay["language"])
		}
	}
}
