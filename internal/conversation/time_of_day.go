package conversation

import (
	"fmt"
	"slices"
	"time"
)

// timeOfDay recognizes the time of day that was said, at a time in the recipient's time zone, which
// "in an hour" needs. Two different times give no result, unless the second corrects the first.
func (t *tongue) timeOfDay(said [][]string, now time.Time) (string, bool) {
	parts := t.corrections(t.meant(said))
	for _, part := range slices.Backward(parts) {
		if t.has(part, t.times.between) {
			return "", false
		}
		words := apart(flatten(part))
		w := t.when(words, false)
		_, _, _, leads := t.timeOf(words)
		if w.minute == nil && (w.in == 0 || leads > 0) { // "huit heures", where "dans 8 heures" is no time of day
			if bare := t.when(words, true); bare.minute != nil {
				w = bare
			}
		}
		if w.others {
			return "", false
		}
		if minute, ok := w.minuteOfDay(now); ok {
			return fmt.Sprintf("%02d:%02d", minute/60, minute%60), true
		}
	}
	return "", false
}

// corrections splits an utterance into the clauses of what was said and of what replaces it. A
// clause that rules something out is left out.
func (t *tongue) corrections(said [][]string) [][][]string {
	parts := [][][]string{nil}
	add := func(clause []string) {
		if len(clause) > 0 {
			parts[len(parts)-1] = append(parts[len(parts)-1], clause)
		}
	}
	for _, c := range said {
		if len(c) > 0 && t.not[c[0]] {
			continue
		}
		from := 0
		for _, f := range t.polar.scan(c) {
			if f.meaning == mistaken || f.meaning == no {
				add(c[from:f.at])
				parts, from = append(parts, nil), f.end
			}
		}
		add(c[from:])
	}
	return parts
}

// minuteOfDay is the time of day that was said. An hour that may be in the morning or in the
// evening is meant between 8 and 20 o'clock.
func (w when) minuteOfDay(now time.Time) (int, bool) {
	switch {
	case w.minute != nil && w.exact:
		return *w.minute, true
	case w.minute != nil && w.part != nil:
		if *w.part >= noonMinute && *w.minute < noonMinute {
			return *w.minute + noonMinute, true
		}
		return *w.minute, true
	case w.minute != nil:
		if *w.minute < earliestMinute {
			return *w.minute + noonMinute, true
		}
		return *w.minute, true
	case w.in > 0 && w.in < 24*time.Hour && !now.IsZero():
		at := now.Add(w.in).Round(time.Minute)
		return at.Hour()*60 + at.Minute(), true
	case w.part != nil && *w.part == noonMinute:
		return noonMinute, true
	}
	return 0, false
}
