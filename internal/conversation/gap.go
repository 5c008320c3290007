package conversation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Punctuation around a gap, in all supported languages.
const (
	joiners = ",:·–—"       // between two parts of a sentence
	enders  = ".;!?…\u037e" // end of a sentence; ";" is the Greek question mark
	openers = "¿¡"          // start of a sentence
	opening = `([«“„‘"`     // start of a part in brackets or quotes
	closing = `)]»”“’"`     // end of that part
)

// closeGap removes the punctuation that an empty variable leaves between the text before
// it and the text after it: a comma without a neighbor, a sentence of only a period, an
// empty pair of brackets. A sentence that lost its beginning gets a capital.
func closeGap(before, after string) (string, string) {
	for {
		left, right := strings.TrimRightFunc(before, unicode.IsSpace), strings.TrimLeftFunc(after, unicode.IsSpace)
		last, lastSize := lastRune(left)
		next, nextSize := firstRune(right)
		switch {
		case pair(last, next), in(openers, last) && (right == "" || in(enders, next)):
			before, after = left[:len(left)-lastSize], right[nextSize:]
		case last == '.' && titled(left):
			before = left[:strings.LastIndexFunc(left, unicode.IsSpace)+1]
		case left == "", in(enders+openers, last):
			if in(joiners+enders+"-", next) {
				after = right[nextSize:]
				continue
			}
			if in(enders, last) && right != "" {
				left += " "
			}
			return left, capitalized(right)
		case in(opening, last) && in(joiners, next):
			after = right[nextSize:]
		case in(opening, last) && last != '"':
			return left, right
		case right == "", in(joiners+enders+closing, next):
			if trimmed := strings.TrimRight(left, joiners+"-"); trimmed != left {
				before = trimmed // the text before the comma may be no sentence
				continue
			}
			if len(right) < len(after) && in(":;!?»", next) {
				left += " " // French puts a space here
			}
			return left, right
		default:
			return before, after
		}
	}
}

// titles are what stands before a name with a period, in all supported languages. A title without its
// name is not spoken.
var titles = map[string]bool{
	"dr": true, "dra": true, "prof": true, "mr": true, "mrs": true, "ms": true, "sr": true, "sra": true, "srta": true,
	"sig": true, "dott": true, "m": true, "dhr": true, "mevr": true, "hr": true, "fr": true, "p": true, "sn": true,
	"dl": true, "κ": true,
}

// titled reports whether the last word of a text is a title with a period.
func titled(s string) bool {
	word := s[strings.LastIndexFunc(s, unicode.IsSpace)+1:]
	return titles[strings.ToLower(strings.TrimSuffix(word, "."))]
}

// in reports whether a set contains a rune. The rune 0 means no rune and is in no set.
func in(set string, r rune) bool { return r != 0 && strings.ContainsRune(set, r) }

// pairs maps each opening bracket or quote to its closing counterpart.
var pairs = map[rune]rune{'(': ')', '[': ']', '«': '»', '“': '”', '„': '“', '‘': '’', '"': '"'}

func pair(left, right rune) bool { return right != 0 && pairs[left] == right }

func firstRune(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	return utf8.DecodeRuneInString(s)
}

func lastRune(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	return utf8.DecodeLastRuneInString(s)
}

func capitalized(s string) string {
	r, size := firstRune(s)
	if !unicode.IsLetter(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
