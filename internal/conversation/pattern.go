package conversation

import (
	"regexp"
	"strings"
)

// pattern finds one of several phrases in an utterance. Without phrases, it finds nothing.
type pattern struct{ re *regexp.Regexp }

// patternOf compiles phrases, which may be regular expressions.
func patternOf(phrases []string) pattern {
	if len(phrases) == 0 {
		return pattern{}
	}
	all := strings.Join(folded(phrases), "|")
	all = strings.NewReplacer("'", " ", "’", " ").Replace(all) // as clauses splits words
	return pattern{regexp.MustCompile(`(?:^| )(` + all + `)(?:$| )`)}
}

// utterance is what was said as patterns see it: folded words separated by blanks, with
// " , " between clauses.
type utterance struct {
	text  string
	meant string // without the filler around each clause
}

func (t *tongue) utterance(said [][]string) utterance {
	return utterance{joined(said), joined(t.meant(said))}
}

func joined(said [][]string) string {
	all := make([]string, len(said))
	for i, c := range said {
		all[i] = strings.Join(c, " ")
	}
	return strings.Join(all, " , ")
}

// words are the words of all clauses.
func (u utterance) words() []string {
	return strings.Fields(strings.ReplaceAll(u.text, " , ", " "))
}

// match is a phrase that was found.
type match struct {
	text   string // empty: nothing was found
	begins bool   // it begins a clause
	after  string // the word before it, if it begins none
}

// in finds the first phrase in an utterance.
func (p pattern) in(u utterance) match {
	for _, text := range []string{u.meant, u.text} {
		if m := p.find(text); m.text != "" {
			return m
		}
		if u.meant == u.text {
			break
		}
	}
	return match{}
}

func (p pattern) find(text string) match {
	if p.re == nil {
		return match{}
	}
	at := p.re.FindStringSubmatchIndex(text)
	if at == nil {
		return match{}
	}
	before := strings.TrimSuffix(text[:at[2]], " ")
	m := match{text: text[at[2]:at[3]], begins: before == "" || strings.HasSuffix(before, ",")}
	if !m.begins {
		m.after = before[strings.LastIndexByte(before, ' ')+1:]
	}
	return m
}

// without replaces all phrases of a pattern by "~", which no phrase contains.
func (u utterance) without(p pattern) utterance {
	if p.re == nil {
		return u
	}
	return utterance{p.re.ReplaceAllString(u.text, " ~ "), p.re.ReplaceAllString(u.meant, " ~ ")}
}

// clauses are the clauses of an utterance, as utterances.
func (u utterance) clauses() []utterance {
	var all []utterance
	for _, c := range strings.Split(u.meant, " , ") {
		all = append(all, utterance{c, c})
	}
	return all
}

// count is how many different phrases a text has.
func (p pattern) count(text string) int {
	if p.re == nil {
		return 0
	}
	different := map[string]bool{}
	for len(text) > 0 {
		at := p.re.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		different[text[at[2]:at[3]]] = true
		text = text[at[3]:] // the blank after a phrase may be the one before the next
	}
	return len(different)
}
