// Package lexicon has the languages of agents: what people of each say, as phrases,
// and what an agent says in it beside its script.
package lexicon

// MaxOrdinals is how many ordinals a language has, one for each option of a question.
const MaxOrdinals = 8

// Lines are what an agent says beside its script.
type Lines struct {
	Disclosure    string
	NotUnderstood string
	Goodbye       string
	StillThere    string   // after a silence
	NoAnswer      string   // after a second one
	OptedOut      string   // the confirmation, and the end of the call
	Back          string   // after the line was lost
	MoveOn        string   // before the next question, when this one has no answer
	Moment        string   // while the database is away and the next sentence has to wait
	Trouble       string   // before hanging up because the database stayed away
	Acks          []string // before the next question, in turn
}

// Language is how people of one language answer, as phrases. Case, accents,
// hyphens and apostrophes make no difference ("don't" is "don t").
type Language struct {
	Lines Lines

	Filler []string // without meaning, before or after what is meant
	Hello  []string
	Bye    []string
	Who    []string // asks who is calling
	Repeat []string // asks to say it again
	Skip   []string // has no answer, or wants to give none
	Record []string // what the greeting of a machine says and people don't

	Yes, No, Unsure, Hint, Mistaken []string
	YesAlone, NoAlone               []string // only as a clause of their own
	Not                             []string // words that rule out what follows
	NotAfter                        []string // words that rule out what they follow
	Connectives                     []string // words of four letters and more that tell no option from another

	Ordinals [MaxOrdinals][]string
	Last     []string

	Spell        func(n int) []string // ways to say 0 to 999
	Thousand     []string
	Half         []string // "and a half", after a number
	And          []string // between thousands and the rest
	OutOf        []string // between a mark and the best possible
	OfScale      []string // between the best possible and a mark
	Minus        []string
	Article      []string           // words that are 1 only when no other number is said
	Vague        []string           // sound like numbers and are none
	Counts       map[string]float64 // others: "a dozen"
	DecimalComma bool

	Glad, Sad []string

	Urge      []string // may surround stopAlone, beside filler
	StopAlone []string // a wish not to be called again, as a clause of their own
	Stop      []string // the same, anywhere in a clause (regular expressions, accents and case make no difference)
	// words whose clause belongs to the one before in spite of a comma: "I don't want, that you call"
	Joins   []string
	Cues    []string // beginnings of words, one of which is in every phrase of stop
	NotStop []string // sounds like it and is not; removed before stop is looked for
}
