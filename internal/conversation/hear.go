package conversation

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const maxHeard = 4000 // characters of one stored utterance

// Clean makes recognized text fit for storage: valid UTF-8 without control characters,
// trimmed, at most 4,000 characters.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.TrimSpace(limit(strings.TrimSpace(s), maxHeard))
}

// clauses splits a text at its punctuation into lists of words, in lower case, without
// accents, in the Latin alphabet. Numbers keep their inner marks: "3.5", "1,200", "8/10".
func clauses(s string) [][]string {
	var all [][]string
	var clause []string
	var word strings.Builder
	endWord := func() {
		if word.Len() > 0 {
			clause = append(clause, word.String())
			word.Reset()
		}
	}
	endClause := func() {
		endWord()
		if len(clause) > 0 {
			all = append(all, clause)
			clause = nil
		}
	}
	runes := []rune(norm.NFD.String(s))
	digitAt := func(i int) bool { return i >= 0 && i < len(runes) && runes[i] >= '0' && runes[i] <= '9' }
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Mn, r): // separate accents
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word.WriteString(fold(r))
		case strings.ContainsRune(".,/:", r) && digitAt(i-1) && digitAt(i+1):
			word.WriteRune(r)
		case (r == '-' || r == '−') && digitAt(i+1) && word.Len() == 0:
			word.WriteByte('-')
		case strings.ContainsRune(".,;:!?…·—–¿¡()\"\n", r):
			endClause()
		default: // spaces, apostrophes, hyphens
			endWord()
		}
	}
	endClause()
	return all
}

// foldText folds the letters of a text and leaves its ASCII characters unchanged.
func foldText(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case r < unicode.MaxASCII:
			b.WriteRune(r)
		case !unicode.Is(unicode.Mn, r):
			b.WriteString(fold(r))
		}
	}
	return b.String()
}

// fold converts a decomposed letter to lower case in the Latin alphabet. One alphabet
// lets the phrases of every language use "[a-z]" and "\b". Greek vowels that sound alike
// become one letter, because speech recognition confuses them.
func fold(r rune) string {
	r = unicode.ToLower(r)
	if r < unicode.MaxASCII {
		return string(r)
	}
	if to, ok := folds[r]; ok {
		return to
	}
	return string(r)
}

var folds = map[rune]string{
	'ß': "ss", 'œ': "oe", 'æ': "ae", 'ø': "o", 'ł': "l", 'đ': "d", 'ı': "i",
	'α': "a", 'β': "v", 'γ': "g", 'δ': "d", 'ε': "e", 'ζ': "z", 'η': "i", 'θ': "th", 'ι': "i", 'κ': "k", 'λ': "l",
	'μ': "m", 'ν': "n", 'ξ': "x", 'ο': "o", 'π': "p", 'ρ': "r", 'σ': "s", 'ς': "s", 'τ': "t", 'υ': "y", 'φ': "f",
	'χ': "ch", 'ψ': "ps", 'ω': "o",
}

func flatten(clauses [][]string) []string { return slices.Concat(clauses...) }

// phrasebook maps phrases in folded words to their meanings.
type phrasebook[M any] struct {
	meaning map[string]M
	longest int // length of the longest phrase in words
}

// add gives phrases a meaning.
func (l *phrasebook[M]) add(m M, phrases ...string) {
	if l.meaning == nil {
		l.meaning = map[string]M{}
	}
	for _, p := range phrases {
		words := flatten(clauses(p))
		l.meaning[strings.Join(words, " ")] = m
		l.longest = max(l.longest, len(words))
	}
}

// match finds the longest phrase at the start of words, and its length.
func (l *phrasebook[M]) match(words []string) (m M, length int) {
	for n := min(l.longest, len(words)); n > 0; n-- {
		if m, ok := l.meaning[strings.Join(words[:n], " ")]; ok {
			return m, n
		}
	}
	return m, 0
}

// found is a phrase with its position in a clause.
type found[M any] struct {
	meaning M
	at, end int // positions of words
}

// scan finds the phrases of a clause from left to right, preferring longer phrases.
func (l *phrasebook[M]) scan(words []string) []found[M] {
	var all []found[M]
	for i := 0; i < len(words); {
		m, n := l.match(words[i:])
		if n == 0 {
			i++
			continue
		}
		all = append(all, found[M]{m, i, i + n})
		i += n
	}
	return all
}

// Words returns the words of a text as they sound: in lower case, without accents and punctuation.
func Words(text string) []string { return flatten(clauses(text)) }
