package conversation

import (
	"regexp"
	"strings"
	"sync"
)

// lines are what an agent says beside its script.
type lines struct {
	disclosure    string
	notUnderstood string
	goodbye       string
	stillThere    string   // after a silence
	noAnswer      string   // after a second one
	optedOut      string   // the confirmation, and the end of the call
	back          string   // after the line was lost
	moveOn        string   // before the next question, when this one has no answer
	moment        string   // while the database is away and the next sentence has to wait
	trouble       string   // before hanging up because the database stayed away
	acks          []string // before the next question, in turn
}

// language is how people of one language answer, as phrases. Case, accents,
// hyphens and apostrophes make no difference ("don't" is "don t").
type language struct {
	lines lines

	filler []string // without meaning, before or after what is meant
	hello  []string
	bye    []string
	who    []string // asks who is calling
	repeat []string // asks to say it again
	skip   []string // has no answer, or wants to give none
	record []string // what the greeting of a machine says and people don't

	yes, no, unsure, hint, mistaken []string
	yesAlone, noAlone               []string // only as a clause of their own
	not                             []string // words that rule out what follows

	ordinals [maxOptions][]string
	last     []string

	spell        func(n int) []string // ways to say 0 to 999
	thousand     []string
	half         []string // "and a half", after a number
	and          []string // between thousands and the rest
	outOf        []string // between a mark and the best possible
	minus        []string
	article      []string           // words that are 1 only when no other number is said
	vague        []string           // sound like numbers and are none
	counts       map[string]float64 // others: "a dozen"
	decimalComma bool

	glad, sad []string

	urge      []string // may surround stopAlone, beside filler
	stopAlone []string // a wish not to be called again, as a clause of their own
	stop      []string // the same, anywhere in a clause (regular expressions)
	cues      []string // beginnings of words, one of which is in every phrase of stop
	notStop   []string // sounds like it and is not; removed before stop is looked for
}

// tongue is a language made ready for use.
type tongue struct {
	lines lines

	filler, hello, bye, who, repeat, skip, record *lexicon[bool]

	polar   *lexicon[polarity]
	alone   *lexicon[polarity]
	not     map[string]bool
	ordinal *lexicon[int]
	numeral *lexicon[numeral]
	comma   bool
	feeling *lexicon[int]

	urge, stopAlone *lexicon[bool]
	cues            []string
	stop, notStop   *regexp.Regexp
}

// last is the place of "the last one".
const last = -1

// tongues holds the languages by the first part of their tag.
var tongues = map[string]func() *tongue{
	"en": sync.OnceValue(func() *tongue { return compile(english()) }),
	"es": sync.OnceValue(func() *tongue { return compile(spanish()) }),
	"de": sync.OnceValue(func() *tongue { return compile(german()) }),
	"fr": sync.OnceValue(func() *tongue { return compile(french()) }),
	"pt": sync.OnceValue(func() *tongue { return compile(portuguese()) }),
	"it": sync.OnceValue(func() *tongue { return compile(italian()) }),
}

// tongueOf is the tongue of a language tag, English where it is not known.
func tongueOf(tag string) *tongue {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if t, ok := tongues[base]; ok {
		return t()
	}
	return tongues["en"]()
}

// Understands tells whether answers in a language (BCP 47) are understood. In
// others an agent hears, and says its standard lines, as in English.
func Understands(tag string) bool {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	_, ok := tongues[base]
	return ok
}

func compile(l language) *tongue {
	t := &tongue{
		lines:  l.lines,
		filler: phrases(l.filler), hello: phrases(l.hello), bye: phrases(l.bye),
		who: phrases(l.who), repeat: phrases(l.repeat), skip: phrases(l.skip), record: phrases(l.record),
		polar: &lexicon[polarity]{}, alone: &lexicon[polarity]{}, not: map[string]bool{},
		ordinal: &lexicon[int]{}, numeral: numerals(l), comma: l.decimalComma, feeling: &lexicon[int]{},
		urge: phrases(append(l.urge, l.filler...)), stopAlone: phrases(l.stopAlone),
		cues:    l.cues,
		stop:    regexp.MustCompile(strings.Join(l.stop, "|")),
		notStop: regexp.MustCompile(strings.Join(l.notStop, "|")),
	}
	for meaning, of := range map[polarity][]string{yes: l.yes, no: l.no, unsure: l.unsure, hint: l.hint, mistaken: l.mistaken} {
		t.polar.add(meaning, of...)
	}
	t.alone.add(yes, l.yesAlone...)
	t.alone.add(no, l.noAlone...)
	for _, w := range l.not {
		t.not[w] = true
	}
	for i, of := range l.ordinals {
		t.ordinal.add(i+1, of...)
	}
	t.ordinal.add(last, l.last...)
	t.feeling.add(1, l.glad...)
	t.feeling.add(-1, l.sad...)
	t.feeling.add(0, append(l.hello, l.bye...)...)
	return t
}

func phrases(of []string) *lexicon[bool] {
	l := &lexicon[bool]{}
	l.add(true, of...)
	return l
}
