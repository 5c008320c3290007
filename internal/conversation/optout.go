package conversation

import (
	"slices"
	"strings"
)

// OptsOut reports whether a person who may speak some languages (BCP 47) asks not to be called
// again: with a clause like "stop", or with a phrase that has no other meaning. English
// is understood in every call.
//
// "Don't stop", "stop by tomorrow" and "the bus stop" are not opt-outs.
func OptsOut(heard string, spoken ...string) bool {
	said := clauses(heard)
	english := languages[0].tongue()
	return english.optsOut(said) || slices.ContainsFunc(spoken, func(tag string) bool {
		t := tongueOf(tag)
		return t != english && t.optsOut(said)
	})
}

func (t *tongue) optsOut(said [][]string) bool {
	for i, c := range said {
		if i > 0 && t.joins[c[0]] {
			c = append(slices.Clone(said[i-1]), c...)
		}
		if t.commands(c) {
			return true
		}
		if !t.cued(c) {
			continue
		}
		text := strings.Join(c, " ")
		if t.stop.MatchString(text) && t.stop.MatchString(t.notStop.ReplaceAllString(text, "~")) {
			return true
		}
	}
	return false
}

// commands reports whether a clause consists of "stop" or a similar word, once or
// repeatedly, and of polite or urging words only.
func (t *tongue) commands(clause []string) bool {
	commanded := false
	for i := 0; i < len(clause); {
		_, stop := t.stopAlone.match(clause[i:])
		_, urge := t.urge.match(clause[i:])
		switch {
		case stop > 0 && stop >= urge:
			commanded = true
			i += stop
		case urge > 0:
			i += urge
		default:
			return false
		}
	}
	return commanded
}

// cued reports whether a clause has a word without which no phrase of stop matches. The
// check saves the costly search for phrases, because most clauses have no cue.
func (t *tongue) cued(clause []string) bool {
	for _, w := range clause {
		for _, cue := range t.cues {
			if strings.HasPrefix(w, cue) {
				return true
			}
		}
	}
	return false
}
