package conversation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/model"
)

// localTimes are the forms of a local time that models write.
var localTimes = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05"}

// anHour is what scheduleCallback calls a time without Leeway.
const anHour Leeway = "hour"

// scheduleCallback notes a wish for a call. A model gives an hour for everything. An hour that nobody named is a guess,
// and what the person left open stays open, whatever the model says.
func scheduleCallback(s *State, text []byte, in Thought) (effect, error) {
	var a struct {
		At    *string
		Named Leeway
	}
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	switch {
	case s.withheld():
		return effect{}, errors.New("their number is withheld, so nobody can call them back")
	case a.At == nil:
		return effect{}, errors.New("at is missing: a local time, or empty if the person named none")
	case a.Named != "" && a.Named != anHour && !slices.Contains(leeways, a.Named):
		return effect{}, errors.New("named must be one of hour, part_of_day, day, week, about")
	}
	var callBackAt *time.Time
	leeway := NoLeeway
	result := map[string]any{"noted": true}
	if at := strings.TrimSpace(*a.At); at != "" && !in.At.IsZero() {
		when, err := localTime(at, in.At)
		if err != nil {
			return effect{}, err
		}
		when = when.In(in.At.Location())
		callBackAt, leeway = new(when.UTC()), s.leewayOf(when, a.Named, in.At)
		result["call"] = leeway.Words(when)
		if leeway != NoLeeway {
			result["hour"] = "the person named none, so promise none"
		}
	}
	s.Intent, s.CallBackAt, s.Leeway, s.Promised = CallBack, callBackAt, leeway, s.Unreached
	return effect{result: result, silent: true}, nil
}

// leewayOf is what the person left open of a time. named is what the model says.
func (s *State) leewayOf(at time.Time, named Leeway, now time.Time) Leeway {
	history := s.Dialog.History
	isPerson := func(m model.Message) bool { return m.Role == model.User && !noted(m) }
	left, last := NoLeeway, -1
	for i, m := range slices.Backward(history) {
		if !isPerson(m) {
			continue
		}
		if last < 0 {
			last = i
		}
		if s.hourIn(m.Text, i == last, at, now) {
			return NoLeeway
		}
		if left == NoLeeway {
			left = s.leftOpen(m.Text)
		}
	}
	if named != "" && named != anHour {
		return named
	}
	// "Tomorrow at two?" "Yes."
	for i := last - 1; i >= 0 && !isPerson(history[i]); i-- {
		if history[i].Role == model.Assistant && s.hourIn(history[i].Text, false, at, now) {
			return NoLeeway
		}
	}
	return cmp.Or(left, PartOfDay)
}

// hourIn reports whether a text names the time of day of a time, or how long it is until then. bare is whether a number
// alone does, as in "Four."
func (s *State) hourIn(text string, bare bool, at, now time.Time) bool {
	said := clauses(text)
	minute := at.Hour()*60 + at.Minute()
	for _, tag := range s.Script.Tags() {
		t := tongueOf(tag)
		for _, clause := range append(t.meant(said), flatten(said)) { // "at nine, no, at four" names two
			words := apart(clause)
			_, _, _, n := t.timeOf(words)
			w := t.when(words, bare && n > 0 && n == len(words))
			switch {
			case w.minute != nil && w.exact && *w.minute == minute,
				w.minute != nil && !w.exact && (*w.minute-minute)%noonMinute == 0,
				w.inDays().in > 0 && (at.Sub(now)-w.in).Abs() <= max(w.in/10, slack):
				return true
			}
		}
	}
	return false
}

// slack is how far "in an hour" may be from an hour, at least.
const slack = 10 * time.Minute

// leftOpen is what the times in a text leave open. NoLeeway: there is none, or an hour.
func (s *State) leftOpen(text string) Leeway {
	for _, tag := range s.Script.Tags() {
		t := tongueOf(tag)
		if w := t.when(apart(flatten(clauses(text))), false).inDays(); w != (when{}) {
			return w.leeway()
		}
	}
	return NoLeeway
}

// localTime reads a time of the recipient. Now is the time there.
func localTime(text string, now time.Time) (time.Time, error) {
	when, err := time.Parse(time.RFC3339, text)
	for _, form := range localTimes {
		if err != nil {
			when, err = time.ParseInLocation(form, text, now.Location())
		}
	}
	switch {
	case err != nil:
		return when, fmt.Errorf("at must be a local time such as %s", now.AddDate(0, 0, 1).Format(localTimes[0]))
	case !when.After(now):
		return when, fmt.Errorf("at must be after now, %s", now.Format(localTimes[0]))
	case when.After(now.AddDate(0, 0, maxCallBackDays)):
		return when, fmt.Errorf("at must be within %d days", maxCallBackDays)
	}
	return when, nil
}

// maxCallBackDays is how far ahead a person may ask for a call.
const maxCallBackDays = 90
