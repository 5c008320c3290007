package settings

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// maxLanguageRows bounds the further languages that are read from a form. The domain bounds those of an agent.
const maxLanguageRows = 20

// languageForms shows the further languages of a script.
func languageForms(script conversation.Script) (all []views.LanguageForm) {
	for _, l := range script.Languages {
		engines := speechForm(speech.Default().With(l.Speech), conversation.Script{})
		all = append(all, views.LanguageForm{
			Language: l.Language, Voice: engines.Voice, VoiceID: engines.VoiceID, Model: engines.Model,
			Transcription: engines.Transcription, Greeting: l.Greeting, InboundGreeting: l.InboundGreeting,
			Disclosure:    l.Disclosure,
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

// optionForms shows the translations of the choices of a question.
func optionForms(q conversation.Question, script conversation.Script) (all []string) {
	for _, l := range script.Languages {
		all = append(all, strings.Join(q.TranslatedOptions[l.Language], "\n"))
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
			Greeting: form.Get(at + "greeting"), InboundGreeting: form.Get(at + "inbound_greeting"),
			Disclosure:    form.Get(at + "disclosure"),
			NotUnderstood: form.Get(at + "not_understood"), Goodbye: form.Get(at + "goodbye"),
			VoicemailMessage: form.Get(at + "voicemail_message"),
		})
	}
	return all
}

// readTranslations reads the translations of a field, one for each language of the form.
func readTranslations(form url.Values, field string, languages int) (all []string) {
	for i := range languages {
		all = append(all, form.Get(field+"["+strconv.Itoa(i)+"]"))
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
		if q := &v.Questions[n]; i < len(q.TranslatedOptions) {
			q.TranslatedOptions = slices.Delete(q.TranslatedOptions, i, i+1)
		}
		for m := range v.Questions[n].Branches {
			if b := &v.Questions[n].Branches[m]; i < len(b.Says) {
				b.Says = slices.Delete(b.Says, i, i+1)
			}
		}
	}
}

// dropEmptyLanguages drops the languages of a form in which nothing was entered, so that the rest have the same
// numbers as those of the agent.
func dropEmptyLanguages(v *views.AgentForm) {
	for i, l := range slices.Backward(v.Languages) {
		if strings.TrimSpace(l.Language+l.Greeting+l.InboundGreeting+l.Disclosure+l.NotUnderstood+l.Goodbye+
			l.VoicemailMessage) == "" {
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
				Greeting: l.Greeting, InboundGreeting: l.InboundGreeting, Disclosure: l.Disclosure,
				NotUnderstood: l.NotUnderstood, Goodbye: l.Goodbye, VoicemailMessage: l.VoicemailMessage,
			},
		})
	}
	return all
}

// entered returns the translations of a text that were entered, by language.
func entered(texts []string, languages []conversation.Translation) map[string]string {
	var all map[string]string
	for i, l := range languages {
		if i < len(texts) && strings.TrimSpace(texts[i]) != "" {
			if all == nil {
				all = map[string]string{}
			}
			all[l.Language] = strings.TrimSpace(texts[i])
		}
	}
	return all
}

// translatedOptions returns the translations of the choices of a question that were entered.
func translatedOptions(q views.QuestionForm, languages []conversation.Translation) map[string][]string {
	all := map[string][]string{}
	for i, l := range languages {
		if i < len(q.TranslatedOptions) {
			if options := frame.FilledLines(q.TranslatedOptions[i]); len(options) > 0 {
				all[l.Language] = options
			}
		}
	}
	return all
}

// languageField returns the field of the form for the path of a problem of a further language, or of a
// translation.
func languageField(path string, languages []views.LanguageForm) string {
	for _, field := range []string{".asks", ".translated_options", ".says"} {
		if before, tag, ok := strings.Cut(path, field+"."); ok {
			tag, _, _ = strings.Cut(tag, "[")
			i := slices.IndexFunc(languages, func(l views.LanguageForm) bool { return l.Language == tag })
			return before + field + "[" + strconv.Itoa(max(i, 0)) + "]"
		}
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

// textNames are the names of the fixed texts of a language.
var textNames = map[string]string{
	"not_understood": "line for answers that are not understood", "voicemail_message": "voicemail message",
	"inbound_greeting": "greeting when people call",
}

// untranslated says, by language, which texts of a form are not translated and what people hear instead.
func untranslated(v views.AgentForm) (all []string) {
	settings, _ := agentSettings(v)
	for i := range settings.Script.Questions {
		settings.Script.Questions[i].Key = strconv.Itoa(i + 1) // a new question has none
	}
	own := ui.LanguageName(v.Language)
	for _, missing := range settings.Script.Untranslated() {
		if missing.Language == "" {
			continue
		}
		name := ui.LanguageName(missing.Language)
		if n := missing.Questions; len(n) > 0 {
			all = append(all, name+": "+numbered(n)+" without a translation. If no model answers, people hear "+
				pronoun(n)+" in "+own+".")
		}
		if n := missing.Options; len(n) > 0 {
			all = append(all, name+": "+numbered(n)+" without translated choices. Answers are understood in "+own+
				" or by number.")
		}
		if n := missing.Branches; len(n) > 0 {
			all = append(all, untranslatedBranches(name, n))
		}
		if len(missing.Texts) > 0 {
			texts := make([]string, len(missing.Texts))
			for i, field := range missing.Texts {
				texts[i] = "no " + cmp.Or(textNames[field], field)
			}
			all = append(all, name+": "+strings.Join(texts, ", ")+". People hear the standard lines in "+name+".")
		}
	}
	return all
}

// numbered names fields by the numbers of their questions.
func numbered(questions []string) string {
	if len(questions) == 1 {
		return "Field " + questions[0]
	}
	return "Fields " + english.List(questions)
}

func pronoun(questions []string) string {
	if len(questions) == 1 {
		return "it"
	}
	return "them"
}
