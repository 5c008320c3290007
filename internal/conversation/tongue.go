package conversation

import (
	"regexp"
	"strings"
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
	notAfter                        []string // words that rule out what they follow
	connectives                     []string // words of four letters and more that tell no option from another

	ordinals [maxOptions][]string
	last     []string

	spell        func(n int) []string // ways to say 0 to 999
	thousand     []string
	half         []string // "and a half", after a number
	and          []string // between thousands and the rest
	outOf        []string // between a mark and the best possible
	ofScale      []string // between the best possible and a mark
	minus        []string
	article      []string           // words that are 1 only when no other number is said
	vague        []string           // sound like numbers and are none
	counts       map[string]float64 // others: "a dozen"
	decimalComma bool

	glad, sad []string

	urge      []string // may surround stopAlone, beside filler
	stopAlone []string // a wish not to be called again, as a clause of their own
	stop      []string // the same, anywhere in a clause (regular expressions, accents and case make no difference)
	joins     []string // words whose clause belongs to the one before in spite of a comma: "I don't want, that you call"
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
	notNext map[string]bool
	common  map[string]bool // connectives
	ordinal *lexicon[int]
	numeral *lexicon[numeral]
	comma   bool
	feeling *lexicon[int]

	urge, stopAlone *lexicon[bool]
	joins           map[string]bool
	cues            []string
	stop, notStop   *regexp.Regexp
}

// last is the place of "the last one".
const last = -1

func compile(l language) *tongue {
	t := &tongue{
		lines:  l.lines,
		filler: phrases(l.filler), hello: phrases(l.hello), bye: phrases(l.bye),
		who: phrases(l.who), repeat: phrases(l.repeat), skip: phrases(l.skip), record: phrases(l.record),
		polar: &lexicon[polarity]{}, alone: &lexicon[polarity]{}, not: wordSet(l.not), notNext: wordSet(l.notAfter), common: wordSet(l.connectives),
		ordinal: &lexicon[int]{}, numeral: numerals(l), comma: l.decimalComma, feeling: &lexicon[int]{},
		urge: phrases(append(l.urge, l.filler...)), stopAlone: phrases(l.stopAlone),
		joins:   wordSet(l.joins),
		cues:    folded(l.cues),
		stop:    regexp.MustCompile(strings.Join(folded(l.stop), "|")),
		notStop: regexp.MustCompile(strings.Join(folded(l.notStop), "|")),
	}
	t.polar.add(unsure, l.skip...) // "I'd rather not say" is no "no", unless a language says so below
	t.polar.add(unsure, l.unsure...)
	t.polar.add(hint, l.hint...)
	t.polar.add(no, l.no...)
	t.polar.add(yes, l.yes...)
	t.polar.add(mistaken, l.mistaken...)
	t.alone.add(yes, l.yesAlone...)
	t.alone.add(no, l.noAlone...)
	for i, of := range l.ordinals {
		t.ordinal.add(i+1, of...)
	}
	t.ordinal.add(last, l.last...)
	t.feeling.add(1, l.glad...)
	t.feeling.add(-1, l.sad...)
	t.feeling.add(0, append(l.hello, l.bye...)...)
	return t
}

// folded are texts whose letters are folded like those of what is heard: a regular
// expression keeps its ASCII, so "[a-z]" and "\\b" hold for every alphabet.
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

func phrases(of []string) *lexicon[bool] {
	l := &lexicon[bool]{}
	l.add(true, of...)
	return l
}
