package conversation

import (
	"math"
	"slices"
	"strings"
	"time"
)

// answer interprets the recipient's words as the answer to the open question.
func (s *State) answer(said [][]string, heard string, at time.Time) (any, bool) {
	t, q := s.tongue(), s.open()
	switch q.Expect {
	case YesNo:
		return anyOf(t.yesNo(said))
	case Number:
		n, ok := t.number(said)
		return anyOf(n, ok && q.within(n))
	case Choice:
		options := s.Script.Questions[s.Question].Options // people also name an original that they know
		i, ok := t.choose(options, said, q.TranslatedOptions[s.Language]...)
		if !ok {
			return nil, false
		}
		return options[i], true
	case Text:
		return heard, len(flatten(t.meant(said))) > 0
	case Date:
		return anyOf(t.date(said, at, monthFirst(s.Speaking())))
	case Time:
		return anyOf(t.timeOfDay(said, at))
	case Phone:
		return anyOf(s.phoneNumber(t.phoneDigits(said, heard)))
	case Email:
		return anyOf(t.email(heard))
	}
	return nil, false
}

// phoneNumber is the phone number of some digits, alone or after the digits that were said before.
func (s *State) phoneNumber(digits string) (string, bool) {
	for _, all := range []string{digits, s.Typed + digits} {
		if len(all) < minPhoneDigits {
			continue
		}
		if number, err := acceptPhone(all, s.Region); err == nil {
			return number, true
		}
	}
	return "", false
}

func anyOf[V any](v V, ok bool) (any, bool) {
	if !ok {
		return nil, false
	}
	return v, true
}

func (q Question) within(n float64) bool {
	return (q.Min == nil || n >= *q.Min) && (q.Max == nil || n <= *q.Max)
}

// meant drops words without meaning (um, well, please) at both ends of each clause.
func (t *tongue) meant(said [][]string) [][]string {
	var all [][]string
	for _, c := range said {
		for {
			_, n := t.filler.match(c)
			if n == 0 {
				break
			}
			c = c[n:]
		}
		for len(c) > 0 {
			if _, n := t.filler.match(c[len(c)-1:]); n == 0 {
				break
			}
			c = c[:len(c)-1]
		}
		if len(c) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// only reports whether the recipient said these phrases and nothing else.
func (t *tongue) only(said [][]string, phrases ...*phrasebook[bool]) bool {
	whole := func(c []string) bool {
		return slices.ContainsFunc(phrases, func(l *phrasebook[bool]) bool {
			_, n := l.match(c)
			return n == len(c)
		})
	}
	found := false
	for _, c := range said {
		meant := flatten(t.meant([][]string{c}))
		switch {
		case whole(c) || len(meant) > 0 && whole(meant):
			found = true
		case len(meant) > 0:
			return false
		}
	}
	return found
}

// has reports whether the recipient said one of the phrases.
func (t *tongue) has(said [][]string, phrases *phrasebook[bool]) bool {
	return slices.ContainsFunc(said, func(c []string) bool { return len(phrases.scan(c)) > 0 })
}

// A polarity is the meaning of a phrase between yes and no.
type polarity int

const (
	yes      polarity = iota + 1
	no                // "no", "of course not"
	unsure            // "maybe", "I don't know"
	hint              // "not", "never": no, unless a clearer phrase follows
	mistaken          // "I mean", "actually": the words after it replace the words before
	aside             // "she's not here": answers nothing, though one of its words does
)

// yesNo recognizes yes or no, despite hesitation and corrections.
func (t *tongue) yesNo(said [][]string) (answer, ok bool) {
	var certain, hints []polarity
	pure := true // the recipient said only yes and no
	begun := 0   // how many of certain were clauses on their own, before anything else was said
	for _, c := range said {
		if pure {
			begun = len(certain)
		}
		if p, ok := t.saidAlone(c); ok {
			certain = append(certain, p)
			continue
		}
		for i := 0; i < len(c); {
			p, n := t.polar.match(c[i:])
			_, filler := t.filler.match(c[i:])
			switch {
			case n > 0 && n >= filler && p == hint:
				hints = append(hints, no)
				pure = false
			case n > 0 && n > filler && p == aside:
				pure = false
			case n > 0 && n >= filler && p != aside:
				certain = append(certain, p)
			case filler > 0:
				n = filler
			default:
				n, pure = 1, false
			}
			i += n
		}
	}
	if len(certain) == 0 {
		certain = hints
	}
	corrected := slices.Contains(certain, mistaken)
	if i := lastIndex(certain, mistaken); i >= 0 && i+1 < len(certain) {
		certain = certain[i+1:]
	}
	certain = slices.DeleteFunc(certain, func(p polarity) bool { return p == mistaken })
	if len(certain) == 0 || slices.Contains(certain, unsure) {
		return false, false
	}
	// The first word decides "Yes, but not on Mondays". The last word decides "yeah, no",
	// which people say while they think, also before "that doesn't work".
	switch {
	case pure:
		return certain[len(certain)-1] == yes, true
	case !corrected && begun > 0:
		return certain[begun-1] == yes, true
	}
	return certain[0] == yes, true
}

// saidAlone recognizes clauses that mean yes or no on their own: "I do".
func (t *tongue) saidAlone(clause []string) (polarity, bool) {
	if p, ok := t.alone.meaning[strings.Join(clause, " ")]; ok {
		return p, true
	}
	p, ok := t.alone.meaning[strings.Join(flatten(t.meant([][]string{clause})), " ")]
	return p, ok
}

func lastIndex[E comparable](s []E, e E) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == e {
			return i
		}
	}
	return -1
}

// choose recognizes which of several options the recipient means. translated are the options in another language, in
// their order, or none.
func (t *tongue) choose(options []string, said [][]string, translated ...string) (int, bool) {
	var names []name
	for _, list := range [][]string{options, translated} {
		for i, o := range list {
			names = append(names, name{flatten(clauses(o)), i})
		}
	}
	said = t.meant(said)
	picks := t.named(names, said)
	if len(picks) == 0 {
		picks = t.placed(len(options), said)
	}
	if len(picks) == 0 {
		picks = t.named(t.distinct(names), said)
	}
	if len(picks) == 0 {
		if n, ok := t.number(said); ok && n == math.Trunc(n) && n >= 1 && n <= float64(len(options)) {
			return int(n) - 1, true
		}
		return 0, false
	}
	pick := picks[len(picks)-1]
	if slices.ContainsFunc(picks, func(p int) bool { return p != pick }) && !t.corrected(said) {
		return 0, false // the recipient named two options
	}
	return pick, true
}

// corrected reports whether the recipient changed their mind during the utterance.
func (t *tongue) corrected(said [][]string) bool {
	for _, c := range said {
		for _, f := range t.polar.scan(c) {
			if f.meaning == mistaken || f.meaning == no {
				return true
			}
		}
	}
	return false
}

// name is one of the possible names of an option.
type name struct {
	words  []string
	option int
}

// named returns the spoken names in order. It ignores a name inside a longer name and a
// name that was ruled out ("not Monday").
func (t *tongue) named(names []name, said [][]string) []int {
	var picks []int
	for _, c := range said {
		for i := 0; i < len(c); {
			best, longest := -1, 0
			for _, n := range names {
				if len(n.words) > longest && begins(c[i:], n.words) {
					best, longest = n.option, len(n.words)
				}
			}
			if best < 0 {
				i++
				continue
			}
			if !t.negated(c, i, i+longest) {
				picks = append(picks, best)
			}
			i += longest
		}
	}
	return picks
}

// negated reports whether the words around a part of a clause rule it out.
func (t *tongue) negated(clause []string, at, end int) bool {
	for _, w := range clause[max(0, at-2):at] {
		if t.not[w] {
			return true
		}
	}
	return end < len(clause) && t.notNext[clause[end]]
}

// begins reports whether words begin with a name, ignoring endings ("mornings").
func begins(words, name []string) bool {
	if len(name) == 0 || len(words) < len(name) {
		return false
	}
	for i, n := range name {
		if !alike(words[i], n) {
			return false
		}
	}
	return true
}

func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && len(b)-len(a) <= 2 && strings.HasPrefix(b, a)
}

// distinct returns the words that only one of the names contains, because people say "the
// visit" for "Home visit".
func (t *tongue) distinct(names []name) []name {
	var words []name
	for _, n := range names {
		for _, w := range n.words {
			if len(w) >= 4 && !t.common[w] && !slices.ContainsFunc(names, func(other name) bool {
				return other.option != n.option && slices.ContainsFunc(other.words, func(o string) bool {
					return alike(o, w)
				})
			}) {
				words = append(words, name{[]string{w}, n.option})
			}
		}
	}
	return words
}

// placed recognizes positions: "the second one", "number two", "the last".
func (t *tongue) placed(options int, said [][]string) []int {
	var picks []int
	for _, c := range said {
		for _, f := range t.ordinal.scan(c) {
			place := f.meaning
			if place == last {
				place = options
			}
			if place >= 1 && place <= options {
				picks = append(picks, place-1)
			}
		}
	}
	return picks
}

// denied reports whether a word of displeasure is one that the recipient does not have: "no
// problem", "non c'è problema". A clause apart, as in "no, terrible", denies nothing.
func (t *tongue) denied(clause []string, at int) bool {
	if at >= 3 && t.not[clause[at-3]] {
		return true
	}
	if at == 0 {
		return false
	}
	p := t.polar.meaning[clause[at-1]]
	return p == no || p == hint
}

// mood counts the words of satisfaction and of displeasure.
func (t *tongue) mood(said [][]string) (glad, sad int) {
	for _, c := range said {
		for _, f := range t.feeling.scan(c) {
			switch {
			case f.meaning == 0: // a phrase without a mood, such as "good morning"
			case (f.meaning > 0) != (t.negated(c, f.at, f.end) || f.meaning < 0 && t.denied(c, f.at)):
				glad++
			default:
				sad++
			}
		}
	}
	return glad, sad
}
