package conversation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// tongue is a compiled language.
type tongue struct {
	lines lexicon.Lines

	filler, hello, pickUp, bye, whoAsks, repeat, skip, secrets *phrasebook[bool]

	record, reached, full, screen, screener, menu, hold, goAhead, robot, harmless pattern

	intents map[Intent]pattern
	names   map[string]string // of languages, folded: their primary subtags

	speak, notSpoken request

	caller   lexicon.Caller
	dates    lexicon.SpokenDate
	whyAsked pattern

	ages  map[string]bool
	times *times

	spelling *spelling

	polar   *phrasebook[polarity]
	alone   *phrasebook[polarity]
	not     map[string]bool
	notNext map[string]bool
	common  map[string]bool // Connectives
	ordinal *phrasebook[int]
	numeral *phrasebook[numeral]
	comma   bool
	feeling *phrasebook[int]

	urge, stopAlone *phrasebook[bool]
	joins           map[string]bool
	cues            []string
	stop, notStop   *regexp.Regexp
}

// last is the position of "the last one".
const last = -1

func compile(l lexicon.Language) *tongue {
	t := &tongue{
		lines:  l.Lines,
		filler: phrases(l.Filler), hello: phrases(l.Hello), bye: phrases(l.Bye),
		pickUp: phrases(slices.DeleteFunc(slices.Clone(l.Hello), func(hello string) bool {
			return slices.Contains(l.Parting, hello)
		})),
		whoAsks: phrases(l.Who), repeat: phrases(l.Repeat), skip: phrases(l.Skip),
		record: patternOf(l.Record), reached: patternOf(l.Reached), full: patternOf(l.Full),
		screen: patternOf(l.Screen), screener: patternOf(l.Screener), menu: patternOf(l.Menu),
		hold: patternOf(l.Hold), goAhead: patternOf(l.GoAhead), robot: patternOf(l.Robot),
		harmless: patternOf(l.Harmless), ages: wordSet(l.Ages),
		intents: map[Intent]pattern{
			WrongPerson: patternOf(l.WrongPerson),
			Deceased:    patternOf(l.Deceased),
			Minor:       patternOf(l.Minor),
			Busy:        patternOf(l.Busy),
			CallBack:    patternOf(l.CallBack),
			WantsHuman:  patternOf(l.WantsHuman),
		},
		times: timesOf(l.Times), spelling: spellingOf(l.Spelling),
		polar: &phrasebook[polarity]{}, alone: &phrasebook[polarity]{}, not: wordSet(l.Not),
		notNext: wordSet(l.NotAfter), common: wordSet(l.Connectives),
		ordinal: &phrasebook[int]{}, numeral: numerals(l), comma: l.DecimalComma, feeling: &phrasebook[int]{},
		urge: phrases(append(l.Urge, l.Filler...)), stopAlone: phrases(l.StopAlone),
		joins:   wordSet(l.Joins),
		cues:    folded(l.Cues),
		stop:    regexp.MustCompile(strings.Join(folded(l.Stop), "|")),
		notStop: regexp.MustCompile(strings.Join(folded(l.NotStop), "|")),
	}
	t.names = namesOf(l.Names)
	t.speak, t.notSpoken = requestOf(l.Speak, t.names), requestOf(l.NotSpoken, t.names)
	t.polar.add(aside, l.Repeat...)
	t.polar.add(unsure, l.Skip...) // "I'd rather not say" does not mean no, unless a phrase below says otherwise
	t.polar.add(unsure, l.Unsure...)
	t.polar.add(hint, l.Hint...)
	t.polar.add(no, l.No...)
	t.polar.add(yes, l.Yes...)
	t.polar.add(aside, l.Aside...)
	t.polar.add(mistaken, l.Mistaken...)
	t.alone.add(yes, l.YesAlone...)
	t.alone.add(no, l.NoAlone...)
	for i, of := range l.Ordinals {
		t.ordinal.add(i+1, of...)
	}
	t.ordinal.add(last, l.Last...)
	t.feeling.add(1, l.Glad...)
	t.feeling.add(-1, l.Sad...)
	t.feeling.add(0, append(l.Hello, l.Bye...)...)
	return t
}

// folded folds the letters of texts like the letters of utterances. Regular expressions
// keep their ASCII characters, so "[a-z]" and "\\b" work for every alphabet.
func folded(of []string) []string {
	all := make([]string, len(of))
	for i, s := range of {
		all[i] = foldText(s)
	}
	return all
}

func wordSet(words []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range folded(words) {
		set[w] = true
	}
	return set
}

func phrases(of []string) *phrasebook[bool] {
	l := &phrasebook[bool]{}
	l.add(true, of...)
	return l
}
