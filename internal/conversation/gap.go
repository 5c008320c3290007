package conversation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Punctuation around a gap, in all languages of the table.
const (
	joiners = ",:·–—"       // join what stands on both sides
	enders  = ".;!?…\u037e" // end a sentence; ";" asks in Greek
	openers = "¿¡"          // begin one
	opening = `([«“„‘"`     // begin a part of one
	closing = `)]»”“’"`     // end it
)

// closeGap takes along what an empty variable leaves over between the text before
// it and the text after it: a comma with nothing to join, a sentence of nothing
// but its full stop, a pair of brackets around nothing. A sentence that lost its
// beginning gets a capital.
func closeGap(before, after string) (string, string) {
	for {
		left, right := strings.TrimRightFunc(before, unicode.IsSpace), strings.TrimLeftFunc(after, unicode.IsSpace)
		last, lastSize := lastRune(left)
		next, nextSize := firstRune(right)
		switch {
		case pair(last, next), in(openers, last) && (right == "" || in(enders, next)):
			before, after = left[:len(left)-lastSize], right[nextSize:]
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
				before = trimmed // what stands before the comma may be no sentence
				continue
			}
			if len(right) < len(after) && in(":;!?»", next) {
				left += " " // as French sets them
			}
			return left, right
		default:
			return before, after
		}
	}
}

// in tells whether a text has a rune; none has the rune that is not there.
func in(set string, r rune) bool { return r != 0 && strings.ContainsRune(set, r) }

// pairs are brackets and quotes that end a part of a sentence, by those that begin it.
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
