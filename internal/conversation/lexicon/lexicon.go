// Package lexicon contains the languages of agents: the phrases that people say, and
// the lines that an agent says in addition to its script.
package lexicon

import "time"

// MaxOrdinals is how many ordinals a language has: one for each option of a question.
const MaxOrdinals = 8

// Lines are what an agent says in addition to its script.
type Lines struct {
	Disclosure    string
	NotUnderstood string
	Goodbye       string
	StillThere    string   // after a silence
	NoAnswer      string   // after the last silence
	OptedOut      string   // the confirmation that ends the call
	Back          string   // after the line was lost
	MoveOn        string   // before the next question, if this question has no answer
	Moment        string   // while the database is unavailable and the next sentence must wait
	Trouble       string   // before hanging up because the database stayed unavailable
	Acks          []string // before the next question, in turn

	// To a call screener, which asks who is calling. {{organization}} and {{name}} are
	// filled in. ScreeningAbout is said instead if the call has a {{reason}}.
	Screening, ScreeningAbout string

	// To a voicemail. {{agent}} and {{organization}} are filled in. It says nothing about the
	// recipient, because anybody may hear it.
	Voicemail string

	// To a person who asks whether the agent is a robot, however they ask. {{organization}} is
	// filled in.
	Automated string
	Declined  string // to a question that the agent may not answer

	// What ends the call after each intent of a person. Without one, the script's goodbye.
	WrongPerson, Deceased, Minor, Busy, CallBack, WantsHuman string
}

// Times are how people say when they want to be called back. Phrases are folded like
// those of Language. Numbers are understood as in answers.
type Times struct {
	Durations map[string]time.Duration // from now, as a whole: "half an hour"
	Units     map[string]time.Duration // from now, after a number: "minutes"
	Days      map[string]int           // days from today: "tomorrow" is 1
	Weekdays  [7][]string              // from Sunday
	Parts     map[string]int           // of a day, by the hour in which it begins: "morning" is 9
	Hours     map[string]int           // names of hours that are no numbers: "o piątej" is 5
	Between   []string                 // before two hours: "between"
	At        []string                 // before an hour: "at", "after"
	OClock    []string                 // after an hour
	AM, PM    []string                 // after an hour
	Before    map[string]int           // minutes, before the hour: "half past" is 30
	After     map[string]int           // minutes, after the hour: "y media" is 30

	Months    [12][]string
	MonthDays [31][]string   // a day of a month, besides its number: "twenty fourth"
	OfMonth   []string       // between a day and its month: "of"
	Past      map[string]int // days before today: "yesterday" is 1
	Ago       []string       // beside a duration: "ago"
	Previous  []string       // beside a weekday: "last"
}

// Spelling is how people spell phone numbers and email addresses. Phrases are folded like those
// of Language.
type Spelling struct {
	At, Dot, Dash, Underscore []string       // the marks of an email address
	Before                    []string       // what people say before an email address: "my address is"
	Plus                      []string       // before a country code
	Zero                      []string       // besides the number 0: "oh"
	Times                     map[string]int // before a digit: "double" is 2
}

// Language is the phrases with which speakers of a language answer. Case, accents,
// hyphens and apostrophes make no difference ("don't" is "don t").
type Language struct {
	Lines Lines

	Filler  []string // without meaning, at the start or end of an answer
	Hello   []string
	Parting []string // of Hello: also says goodbye, as at the end of a voicemail greeting
	Bye     []string
	Who     []string // asks who is calling
	Repeat  []string // asks the agent to repeat
	Skip    []string // has no answer, or refuses to answer

	// Who answered. These and the intents are patterns: phrases, or regular expressions,
	// in folded words separated by blanks. A pattern matches whole words anywhere in an
	// utterance, across its clauses, which " , " separates. "^" and "$" are the ends of the
	// utterance without filler.
	Record   []string // said by voicemail greetings and never by people
	Reached  []string // said by voicemail greetings and sometimes by people: two different ones are a greeting
	Full     []string // a mailbox that takes no message: full, or not set up
	Screen   []string // a call screener asks who is calling and why
	Screener []string // a call screener says what it is
	Menu     []string // what a phone menu says
	Hold     []string // a person asks to wait, perhaps to get somebody

	// What a person wants instead of answering.
	WrongPerson []string // the number is somebody else's
	Deceased    []string // the recipient has died
	Minor       []string // a child answered
	Busy        []string // has no time now
	GoAhead     []string // allows the call nevertheless
	CallBack    []string // asks for a call at another time
	WantsHuman  []string // wants to talk to a person
	Robot       []string // asks whether the agent is a robot, a recording or a person
	Speak       []string // asks to speak {l}, which stands for the names of a language
	NotSpoken   []string // says that they do not speak {l}
	Harmless    []string // sounds like one of these wishes but is none; removed before the search for them
	// Names are the names of languages, as they follow "do you speak", by the primary subtag of BCP 47.
	Names    map[string][]string
	Ages     []string // words of questions about an age, or about years
	Times    Times    // when to call back, and answers that are dates or times
	Spelling Spelling

	Yes, No, Unsure, Hint, Mistaken []string
	Aside                           []string // sounds like yes or no but answers nothing: "she's not here"
	YesAlone, NoAlone               []string // only as a whole clause
	Not                             []string // words that rule out the words after them
	NotAfter                        []string // words that rule out the words before them
	Connectives                     []string // words of four or more letters that do not distinguish options

	Ordinals [MaxOrdinals][]string
	Last     []string

	Spell        func(n int) []string // ways to say 0 to 999
	Thousand     []string
	Half         []string // "and a half", after a number
	And          []string // between thousands and the rest
	OutOf        []string // between a rating and its maximum
	OfScale      []string // between the maximum and a rating
	Minus        []string
	Article      []string           // words that mean 1 only if there is no other number
	Vague        []string           // words that sound like numbers but are not
	Counts       map[string]float64 // other number words: "a dozen"
	DecimalComma bool

	Glad, Sad []string

	Urge      []string // may surround StopAlone, like Filler
	StopAlone []string // a wish not to be called again, as a whole clause
	Stop      []string // the same wish anywhere in a clause (regular expressions; accents and case make no difference)
	// Joins are words whose clause belongs to the previous clause despite a comma: "I
	// don't want, that you call"
	Joins   []string
	Cues    []string // beginnings of words; every phrase of Stop contains one of them
	NotStop []string // sounds like Stop but is not; removed before the search for Stop
}
