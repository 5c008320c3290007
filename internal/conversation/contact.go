package conversation

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// spelling is the words with which people spell phone numbers and email addresses, ready for use.
type spelling struct {
	marks  *phrasebook[string] // of an email address
	before *phrasebook[bool]
	plus   *phrasebook[bool]
	zero   *phrasebook[bool]
	times  *phrasebook[int]
}

func spellingOf(l lexicon.Spelling) *spelling {
	s := &spelling{
		marks:  &phrasebook[string]{meaning: map[string]string{"@": "@", ".": ".", "-": "-", "_": "_", "+": "+"}},
		before: phrases(l.Before), plus: phrases(l.Plus), zero: phrases(l.Zero), times: meanings(l.Times),
	}
	for mark, of := range map[string][]string{"@": l.At, ".": l.Dot, "-": l.Dash, "_": l.Underscore} {
		s.marks.add(mark, of...)
		for _, phrase := range of { // "snabel-a", whose hyphen is a mark too
			if words := flatten(clauses(phrase)); len(words) > 1 {
				s.marks.meaning[strings.Join(words, " - ")] = mark
				s.marks.longest = max(s.marks.longest, 2*len(words)-1)
			}
		}
	}
	return s
}

const (
	minPhoneDigits = 7  // of a phone number that was said; fewer may be its first group
	maxPhoneDigits = 18 // of one that is said in several utterances
)

// phoneDigits returns the digits that were said, in groups or one by one, with a + before a country
// code. A correction replaces what was said before it.
func (t *tongue) phoneDigits(said [][]string, heard string) string {
	parts := t.corrections(said)
	digits := ""
	if plusBefore.MatchString(heard) && len(parts) == 1 {
		digits = "+"
	}
	for _, clause := range parts[len(parts)-1] {
		digits += t.digitsOf(clause, digits == "")
	}
	return digits
}

// digitsOf returns the digits of a clause. first is whether a + may come before them.
func (t *tongue) digitsOf(words []string, first bool) string {
	var b strings.Builder
	repeat := 1
	add := func(digits string) {
		b.WriteString(strings.Repeat(digits, repeat))
		repeat = 1
	}
	for i := 0; i < len(words); {
		if digits := onlyDigits(words[i]); digits != "" {
			add(digits)
			i++
			continue
		}
		m, n := t.numeral.match(words[i:])
		times, k := t.spelling.times.match(words[i:])
		if _, plus := t.spelling.plus.match(words[i:]); plus > 0 && first && b.Len() == 0 {
			b.WriteByte('+')
			n = plus
		} else if _, zero := t.spelling.zero.match(words[i:]); zero > 0 {
			add("0")
			n = zero
		} else if k > 0 && k >= n {
			repeat, n = times, k
		} else if n > 0 && m.kind == cardinal && m.value == math.Trunc(m.value) {
			add(strconv.FormatFloat(m.value, 'f', 0, 64))
		} else if n > 0 && m.kind == thousand && b.Len() > 0 {
			add("000")
		} else if n > 0 && m.kind == article && t.besideDigit(words, i, i+n) {
			add("1")
		}
		i += max(n, 1)
	}
	return b.String()
}

// digitRuns returns the digits of each run of words that are numbers.
func (t *tongue) digitRuns(words []string) []string {
	var runs []string
	for i := 0; i < len(words); {
		end := i
		for end < len(words) && t.isNumber(words[end]) {
			end++
		}
		if end > i {
			runs = append(runs, t.digitsOf(words[i:end], false))
		}
		i = end + 1
	}
	return runs
}

// isNumber reports whether a word is a number, in digits or in letters, or says how often a digit follows.
func (t *tongue) isNumber(word string) bool {
	words := flatten(clauses(word))
	if len(words) == 0 {
		return false
	}
	if onlyDigits(words[len(words)-1]) != "" {
		return true
	}
	_, n := t.numeral.match(words)
	_, zero := t.spelling.zero.match(words)
	_, times := t.spelling.times.match(words)
	return n == len(words) || zero == len(words) || times == len(words)
}

// besideDigit reports whether a digit is said right before or after words that may be the digit 1.
func (t *tongue) besideDigit(words []string, at, end int) bool {
	digit := func(words []string) bool {
		if len(words) == 0 {
			return false
		}
		m, n := t.numeral.match(words[:1])
		return onlyDigits(words[0]) != "" || n > 0 && m.kind == cardinal
	}
	return digit(words[end:]) || digit(words[max(at-1, 0):at])
}

var plusBefore = regexp.MustCompile(`\+\s*[0-9]`)

// onlyDigits returns the digits of a word that has no letters: "555.0142".
func onlyDigits(word string) string {
	if strings.ContainsFunc(word, unicode.IsLetter) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, word)
}

var (
	writtenEmail = regexp.MustCompile(`[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+`)
	atSpaced     = regexp.MustCompile(`\s*@\s*`)
	inWord       = regexp.MustCompile(`([\pL\pN])([.@_+-])([\pL\pN])`)
)

// maxEmailWords is the most words of a part of an email address that is spoken in words. Letters and
// digits do not count.
const maxEmailWords = 4

// email recognizes an email address that was spelled or dictated, or that the transcription wrote
// as one.
func (t *tongue) email(heard string) (string, bool) {
	heard = strings.ToLower(atSpaced.ReplaceAllString(heard, "@"))
	if all := writtenEmail.FindAllString(heard, -1); len(all) > 0 {
		address, err := acceptEmail(all[len(all)-1])
		return address, err == nil
	}
	tokens := t.emailTokens(heard)
	at := -1
	for i, token := range tokens {
		if token == "@" {
			at = i
		}
	}
	if at < 0 {
		return "", false
	}
	local, ok := emailPart(tokens[:at])
	domain, domainOK := emailPart(domainOf(tokens[at+1:]))
	if !ok || !domainOK {
		return "", false
	}
	address, err := acceptEmail(local + "@" + domain)
	return address, err == nil
}

// emailTokens are the words of an utterance that may belong to an email address, with marks for
// the words of marks. What people say before an address is left out.
func (t *tongue) emailTokens(heard string) []string {
	for range 2 { // marks share the letters between them: "a.b.c"
		heard = inWord.ReplaceAllString(heard, "$1 $2 $3")
	}
	var words []string
	for field := range strings.FieldsSeq(strings.NewReplacer("'", " ", "’", " ").Replace(heard)) {
		if _, mark := t.spelling.marks.meaning[field]; !mark {
			field = strings.TrimFunc(foldText(field), func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})
		}
		if field != "" {
			words = append(words, field)
		}
	}
	var tokens []string
	for i := 0; i < len(words); {
		mark, n := t.spelling.marks.match(words[i:])
		_, before := t.spelling.before.match(words[i:])
		if before > 0 && !markBeside(t, words, i, i+before) {
			tokens, i = nil, i+before
			continue
		}
		if n > 0 {
			tokens, i = append(tokens, mark), i+n
			continue
		}
		if m, n := t.numeral.match(words[i:]); n > 0 && m.kind == cardinal && m.value == math.Trunc(m.value) {
			tokens, i = append(tokens, strconv.FormatFloat(m.value, 'f', 0, 64)), i+n
			continue
		}
		if _, n := t.filler.match(words[i : i+1]); n == 0 || len(words[i]) == 1 {
			tokens = append(tokens, words[i])
		}
		i++
	}
	return tokens
}

// markBeside reports whether a mark is said right before or after some words: "mail" belongs to
// "anna at mail dot com".
func markBeside(t *tongue, words []string, at, end int) bool {
	_, after := t.spelling.marks.match(words[end:])
	for from := max(at-3, 0); from < at; from++ {
		if _, n := t.spelling.marks.match(words[from:at]); n == at-from {
			return true
		}
	}
	return after > 0
}

// domainOf cuts what was said after a domain.
func domainOf(tokens []string) []string {
	dot := -1
	for i, token := range tokens {
		if token == "." {
			dot = i
		}
	}
	if dot < 0 || dot+1 >= len(tokens) {
		return nil
	}
	end := dot + 2
	for end < len(tokens) && len(tokens[dot+1]) == 1 && len(tokens[end]) == 1 { // "dot d e"
		end++
	}
	return tokens[:end]
}

// emailPart joins the tokens of one side of an email address.
func emailPart(tokens []string) (string, bool) {
	words := 0
	for i := 0; i < len(tokens); i++ {
		if len(tokens[i]) > 1 {
			words++
		}
		spelled := i > 0 && i+1 < len(tokens) && len(tokens[i-1]) == 1 && len(tokens[i+1]) == 1
		if tokens[i] == "-" && spelled { // "A-N-N-A"
			tokens[i] = ""
		}
	}
	return strings.Join(tokens, ""), len(tokens) > 0 && words <= maxEmailWords
}
