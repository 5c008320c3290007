package settings

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// maxLanguageRows bounds the further languages that are read from a form. The domain bounds those of an agent.
const maxLanguageRows = 20

// languageForms shows the further languages of a script.
func languageForms(script conversation.Script) (all []views.LanguageForm) {
	for _, l := range script.Languages {
		engines := speechForm(speech.Default().With(l.Speech), conversation.Script{})
		all = append(all, views.LanguageForm{
			Language: l.Language, Voice: engines.Voice, VoiceID: engines.VoiceID, Model: engines.Model,
			Transcription: engines.Transcription, Greeting: l.Greeting, Disclosure: l.Disclosure,
			NotUnderstood: l.NotUnderstood, Goodbye: l.Goodbye, VoicemailMessage: l.VoicemailMessage,
		})
	}
	return all
}

// askForms shows the translations of a question.
func askForms(q conversation.Question, script conversation.Script) (all []string) {
	for _, l := range script.Languages {
		all = append(all, q.Asks[l.Language])
	}
	return all
}

func readLanguages(form url.Values) (all []views.LanguageForm) {
	for i := range maxLanguageRows {
		at := "languages[" + strconv.Itoa(i) + "]."
		if !form.Has(at + "language") {
			break
		}
		all = append(all, views.LanguageForm{
			Language: form.Get(at + "language"), Voice: form.Get(at + "voice"), VoiceID: form.Get(at + "voice_id"),
			Model: form.Get(at + "model"), Transcription: form.Get(at + "transcription"),
			Greeting: form.Get(at + "greeting"), Disclosure: form.Get(at + "disclosure"),
			NotUnderstood: form.Get(at + "not_understood"), Goodbye: form.Get(at + "goodbye"),
			VoicemailMessage: form.Get(at + "voicemail_message"),
		})
	}
	return all
}

// readAsks reads the translations of a question, one for each language of the form.
func readAsks(form url.Values, at string, languages int) (all []string) {
	for i := range languages {
		all = append(all, form.Get(at+"asks["+strconv.Itoa(i)+"]"))
	}
	return all
}

// changeLanguages applies a button of the form to its languages. It reports whether the button is one of theirs.
func changeLanguages(v *views.AgentForm, action string) bool {
	do, at, _ := strings.Cut(action, ":")
	switch i, err := strconv.Atoi(at); {
	case do == "add-language" && len(v.Languages) < maxLanguageRows:
		v.Languages = append(v.Languages, views.LanguageForm{})
		v.Focus = "language:" + strconv.Itoa(len(v.Languages)-1)
	case do == "remove-language" && err == nil && i >= 0 && i < len(v.Languages):
		removeLanguage(v, i)
		v.Focus = "add-language"
		if n := len(v.Languages); n > 0 {
			v.Focus = "remove-language:" + strconv.Itoa(min(i, n-1))
		}
	default:
		return do == "add-language" || do == "remove-language"
	}
	return true
}

// removeLanguage removes a language with its translations.
func removeLanguage(v *views.AgentForm, i int) {
	v.Languages = slices.Delete(v.Languages, i, i+1)
	for n := range v.Questions {
		if q := &v.Questions[n]; i < len(q.Asks) {
			q.Asks = slices.Delete(q.Asks, i, i+1)
		}
	}
}

// dropEmptyLanguages drops the languages of a form in which nothing was entered, so that the rest have the same
// numbers as those of the agent.
func dropEmptyLanguages(v *views.AgentForm) {
	for i, l := range slices.Backward(v.Languages) {
		if strings.TrimSpace(l.Language+l.Greeting+l.Disclosure+l.NotUnderstood+l.Goodbye+l.VoicemailMessage) == "" {
			removeLanguage(v, i)
		}
	}
}

// translations returns the further languages of a form. A scripted agent has none.
func translations(v views.AgentForm) (all []conversation.Translation) {
	if v.Kind != string(project.ModelHeld) {
		return nil
	}
	for _, l := range v.Languages {
		engines := enginesOf(views.SpeechForm{
			Voice: l.Voice, VoiceID: l.VoiceID, Model: l.Model, Transcription: l.Transcription,
		})
		all = append(all, conversation.Translation{
			Language: l.Language, Speech: engines, Wording: conversation.Wording{
				Greeting: l.Greeting, Disclosure: l.Disclosure, NotUnderstood: l.NotUnderstood,
				Goodbye: l.Goodbye, VoicemailMessage: l.VoicemailMessage,
			},
		})
	}
	return all
}

// translated returns the translations of a question that were entered.
func translated(q views.QuestionForm, languages []conversation.Translation) map[string]string {
	var asks map[string]string
	for i, l := range languages {
		if i < len(q.Asks) && strings.TrimSpace(q.Asks[i]) != "" {
			if asks == nil {
				asks = map[string]string{}
			}
			asks[l.Language] = strings.TrimSpace(q.Asks[i])
		}
	}
	return asks
}

// languageField returns the field of the form for the path of a problem of a further language, or of a
// translation.
func languageField(path string, languages []views.LanguageForm) string {
	if before, tag, ok := strings.Cut(path, ".asks."); ok {
		i := slices.IndexFunc(languages, func(l views.LanguageForm) bool { return l.Language == tag })
		return before + ".asks[" + strconv.Itoa(max(i, 0)) + "]"
	}
	row, field, ok := strings.Cut(path, ".speech.")
	if !strings.HasPrefix(path, "languages[") || !ok {
		return path
	}
	switch field {
	case "provider":
		field = "voice"
	case "voice":
		at, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(row, "languages["), "]"))
		if at < len(languages) && languages[at].Voice == otherElevenLabs {
			field = "voice_id"
		}
	case "transcription_provider", "transcription_model":
		field = "transcription"
	}
	return row + "." + field
}

// withLanguageOptions returns the languages of a form with the choices of each. What does not fit the language is an
// error of the form.
func withLanguageOptions(v views.AgentForm, e ui.Errors) {
	for i := range v.Languages {
		l := &v.Languages[i]
		at := "languages[" + strconv.Itoa(i) + "]."
		l.Voices, l.Models = voiceOptions(l.Language), modelOptions(l.Language)
		l.Transcriptions = transcriptions(l.Language)
		if l.Language == "" {
			l.Voices, l.Transcriptions = l.Voices[:1], l.Transcriptions[:1]
		}
		l.Transcriptions = checkOptions(e, at+"voice", l.Voices, l.Voice, at+"transcription", l.Transcriptions,
			l.Transcription)
		if !listed(l.Models, l.Model) {
			l.Model = ""
		}
	}
}
