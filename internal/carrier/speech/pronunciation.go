package speech

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Pronouncer replaces words by their spoken forms.
type Pronouncer struct {
	entries []entry // the longest word first
}

type entry struct {
	word   []rune
	spoken string
}

// NewPronouncer makes a Pronouncer. Case makes no difference in words, and a space in a word matches
// any white space. Where several words match, the longest one counts.
func NewPronouncer(list []Pronunciation) Pronouncer {
	var p Pronouncer
	for _, one := range list {
		if one.Word != "" {
			p.entries = append(p.entries, entry{[]rune(norm.NFC.String(one.Word)), norm.NFC.String(one.Spoken)})
		}
	}
	slices.SortStableFunc(p.entries, func(a, b entry) int { return len(b.word) - len(a.word) })
	return p
}

// Rendering is a written text and its spoken form.
type Rendering struct {
	Written string
	Spoken  string
	spans   []span
}

// span is a part of the written text, and how it is spoken. The spans of a rendering are its whole text.
type span struct {
	written, spoken string
	replaced        bool
}

// Render returns how a text is spoken. A spoken form is not replaced again. The text is brought into
// Unicode's form NFC, in which speech engines report it.
func (p Pronouncer) Render(text string) Rendering {
	var r Rendering
	p.Extend(&r, text, true)
	return r
}

// Extend adds a text to a rendering as far as what follows can't change how it is spoken, and returns
// the rest. The next text begins with the rest. A complete text has no rest. Of any other text the
// last word with a sound is in the rest, and what is added has a sound.
func (p Pronouncer) Extend(r *Rendering, text string, complete bool) (rest string) {
	text = norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD"))
	end := len(text)
	if !complete {
		end = lastWord(text)
	}
	was := *r
	var spoken strings.Builder
	add := func(s span) {
		if s.written == "" {
			return
		}
		r.spans = append(r.spans, s)
		spoken.WriteString(s.spoken)
	}
	from := 0                                           // of the span in progress
	before, _ := utf8.DecodeLastRuneInString(r.Written) // the rune before i
	for i := 0; i < end; {
		e, n := p.match(text[i:], before, !complete)
		if n < 0 || i+n > end {
			end = i
			break
		}
		if n > 0 {
			add(span{text[from:i], text[from:i], false})
			add(span{text[i : i+n], e.spoken, true})
			i += n
			from = i
			before, _ = utf8.DecodeLastRuneInString(text[:i])
			continue
		}
		var size int
		before, size = utf8.DecodeRuneInString(text[i:])
		i += size
	}
	add(span{text[from:end], text[from:end], false})
	if !complete && !strings.ContainsFunc(spoken.String(), sounds) {
		*r = was
		return text
	}
	r.Written += text[:end]
	r.Spoken += spoken.String()
	return text[end:]
}

// lastWord returns where the last word with a sound begins in a text.
func lastWord(text string) int {
	inWord := max(strings.LastIndexFunc(text, sounds), 0)
	return len(strings.TrimRightFunc(text[:inWord], func(r rune) bool { return !unicode.IsSpace(r) }))
}

// match returns the entry with which a text begins, and its length in the text. If more text follows,
// the length is -1 where that text decides.
func (p Pronouncer) match(text string, before rune, more bool) (entry, int) {
	for _, e := range p.entries {
		if isWordRune(e.word[0]) && isWordRune(before) {
			continue
		}
		n := matchLength(text, e.word)
		if n < 0 && more {
			return entry{}, -1
		}
		if n <= 0 {
			continue
		}
		after, _ := utf8.DecodeRuneInString(text[n:])
		if n < len(text) && isWordRune(e.word[len(e.word)-1]) && isWordRune(after) {
			continue
		}
		return e, n
	}
	return entry{}, 0
}

// matchLength returns the length of word at the beginning of a text, 0 if the text begins with
// something else, or -1 if the text is a beginning of word.
func matchLength(text string, word []rune) int {
	n := 0
	for _, want := range word {
		got, size := utf8.DecodeRuneInString(text[n:])
		switch {
		case size == 0:
			return -1
		case want == ' ':
			spaces := len(text[n:]) - len(strings.TrimLeftFunc(text[n:], unicode.IsSpace))
			if spaces == 0 {
				return 0
			}
			n += spaces
		case !sameFold(got, want):
			return 0
		default:
			n += size
		}
	}
	return n
}

func sameFold(a, b rune) bool {
	if a == b {
		return true
	}
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}

// fold is the same for words that Render does not distinguish.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, norm.NFC.String(word))
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// Sound returns the part of a text that speech engines report unchanged: letters and digits, in lower
// case.
func Sound(s string) string {
	return strings.Map(func(r rune) rune {
		if sounds(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFC.String(s))
}

func sounds(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// UpTo returns the written text of which n bytes of Sound(Spoken) were spoken, and the punctuation
// after it. A replaced word counts when its spoken form is complete.
func (r Rendering) UpTo(n int) string {
	if n <= 0 {
		return ""
	}
	seen, end := 0, 0
	for _, s := range r.spans {
		if s.replaced {
			size := len(Sound(s.spoken))
			if seen >= n || seen+size > n {
				return strings.TrimRightFunc(r.Written[:end], unicode.IsSpace)
			}
			seen, end = seen+size, end+len(s.written)
			continue
		}
		for i, c := range s.written {
			if seen >= n && (sounds(c) || unicode.IsSpace(c)) {
				return strings.TrimRightFunc(r.Written[:end+i], unicode.IsSpace)
			}
			if sounds(c) {
				seen += utf8.RuneLen(unicode.ToLower(c))
			}
		}
		end += len(s.written)
	}
	return r.Written
}

// Restore returns a spoken text with the words for its spoken forms. It is only a guess, for a text
// that is no beginning of a rendering.
func (p Pronouncer) Restore(spoken string) string {
	var back []Pronunciation
	for _, e := range p.entries {
		if isWordRune(e.word[0]) { // "and" may be "&", or not
			back = append(back, Pronunciation{Word: e.spoken, Spoken: string(e.word)})
		}
	}
	return NewPronouncer(back).Render(spoken).Spoken
}
