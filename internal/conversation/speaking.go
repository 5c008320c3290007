package conversation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Speaking returns the language (BCP 47) in which the conversation continues. The line must speak and
// hear it.
func (s State) Speaking() string { return cmp.Or(s.Language, s.Script.Language) }

// Multilingual reports whether the language may change.
func (s State) Multilingual() bool { return len(s.Script.Languages) > 0 }

// translation is the further language that is spoken, or nil.
func (s *State) translation() *Translation {
	i := slices.IndexFunc(s.Script.Languages, func(l Translation) bool { return l.Language == s.Language })
	if i < 0 {
		return nil
	}
	return &s.Script.Languages[i]
}

// wording is the fixed texts in the language that is spoken.
func (s *State) wording() Wording {
	if l := s.translation(); l != nil {
		return l.Wording
	}
	return s.Script.wording()
}

// automated is what a person is told who asks whether this is a robot.
func (s *State) automated() string {
	if l := s.translation(); l != nil {
		return l.Automated
	}
	return s.Automated
}

// introduction is what a call screener is told.
func (s *State) introduction() string {
	if l := s.translation(); l != nil {
		return l.Introduction
	}
	return s.Introduction
}

// question is a question as it is asked in the language that is spoken.
func (s *State) question(i int) Question {
	q := s.Script.Questions[i]
	q.Ask = cmp.Or(q.Asks[s.Language], q.Ask)
	if translated := q.TranslatedOptions[s.Language]; translated != nil {
		q.Options = translated
	}
	return q
}

// switchTo continues in a language of the script.
func (s *State) switchTo(tag string) {
	s.Switched = s.Speaking()
	s.Language = tag
	if s.modeled() {
		s.Dialog.note(s.languageNote())
	}
}

// languageNote tells the model which language to speak.
func (s *State) languageNote() string {
	return "The call continues in " + languageName(s.Speaking()) + "."
}

// languageName is the name of a language for a model: "Spanish (es-US)".
func languageName(tag string) string {
	return display.English.Languages().Name(language.Make(tag)) + " (" + tag + ")"
}

// follow switches to the language in which the recipient speaks or wants to be spoken to, if the script
// has it.
func (s *State) follow(in Prompt) {
	if !s.Multilingual() || s.Dialog == nil || s.Phase == Closing {
		return
	}
	left := s.Switched
	s.Switched = ""
	tag := s.requested(clauses(Clean(in.Text)))
	if tag == "" {
		tag = tagOf(s.Script.Tags(), in.Language)
		// An utterance that was under way at the switch may still be heard in the language before.
		if tag != "" && tag == left {
			return
		}
	}
	if tag == "" || tag == s.Speaking() || s.Dialog.Scripted && !s.asksIn(tag) {
		return
	}
	s.switchTo(tag)
}

// confirmIn continues in the language in which a person opted out.
func (s *State) confirmIn(heard string) {
	said := clauses(heard)
	if !s.Multilingual() || s.tongue().optsOut(said) {
		return
	}
	for _, tag := range s.Script.Tags() {
		if tongueOf(tag).optsOut(said) {
			s.switchTo(tag)
			return
		}
	}
}

// asksIn reports whether the questions that are still open can be asked in a language.
func (s *State) asksIn(tag string) bool {
	for i := s.nextOpen(0); i < len(s.Script.Questions); i = s.nextOpen(i + 1) {
		if tag != s.Script.Language && s.Script.Questions[i].Asks[tag] == "" {
			return false
		}
	}
	return true
}

// requested returns the language of the script that a person asks for, in any of its languages or in
// English: "Do you speak Spanish?", "No hablo inglés." It is empty if none is, or if it is spoken.
func (s *State) requested(said [][]string) string {
	tags := s.Script.Tags()
	spoken := baseOf(s.Speaking())
	for _, heard := range append(tags, "en") {
		own := supportedAs(heard)
		if own == nil {
			continue
		}
		t := own.tongue()
		u := t.utterance(said)
		base := t.speak.in(u)
		if base == "" && t.notSpoken.in(u) == spoken {
			base = own.tag
		}
		if tag := tagOf(tags, base); tag != "" && base != spoken {
			return tag
		}
	}
	return ""
}

// request finds phrases that name a language.
type request struct {
	re    *regexp.Regexp
	names map[string]string
}

// requestOf compiles phrases in which {l} stands for one of the names.
func requestOf(phrases []string, names map[string]string) request {
	all := make([]string, 0, len(names))
	for name := range names {
		all = append(all, name)
	}
	slices.SortFunc(all, func(a, b string) int { // the longest first, so that none hides another
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	text := strings.Join(folded(phrases), "|")
	text = strings.NewReplacer("'", " ", "’", " ", "{l}", "("+strings.Join(all, "|")+")").Replace(text)
	return request{regexp.MustCompile(`(?:^| )(?:` + text + `)(?:$| )`), names}
}

// in returns the primary subtag of the language that an utterance names, or "".
func (r request) in(u utterance) string {
	for _, text := range append([]string{u.meant, u.text}, strings.Split(u.text, " , ")...) {
		found := r.re.FindStringSubmatch(text)
		for i, name := range found {
			if i > 0 && name != "" {
				return r.names[name]
			}
		}
	}
	return ""
}

// namesOf maps folded names of languages to their primary subtags.
func namesOf(names map[string][]string) map[string]string {
	all := map[string]string{}
	for base, of := range names {
		for _, name := range folded(of) {
			all[name] = base
		}
	}
	return all
}
