package conversation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reply cuts the words of a model, as they come, into parts that can be spoken. It drops what
// nobody can hear, such as markup and addresses of pages, and what must not be spoken.
type Reply struct {
	tongue  *tongue
	topics  []string
	avoid   [][]string // their folded words
	pending string     // not cut yet
	said    string     // all parts
	full    bool       // nothing more is spoken
	held    string     // why words were withheld
}

// Limits of the parts of an answer, in characters.
const (
	maxReply   = 600
	firstPart  = 60  // of the first part: after so many, any word ends it
	firstComma = 25  // after so many, a comma ends the first part
	laterPart  = 200 // of the other parts
	maxMarkup  = 200 // of an opened bracket that is not closed
)

// NewReply makes the reply to a request of a state.
func NewReply(s State) *Reply {
	r := &Reply{tongue: s.tongue()}
	if s.Script.Model != nil {
		r.topics = s.Script.Model.AvoidTopics
		for _, topic := range r.topics {
			r.avoid = append(r.avoid, flatten(clauses(topic)))
		}
	}
	return r
}

// Said returns the parts so far, and why words were withheld because they must not be spoken.
func (r *Reply) Said() (text, withheld string) { return strings.TrimSpace(r.said), r.held }

// Write adds words and returns a part that can be spoken now, or nothing.
func (r *Reply) Write(text string) (part string) {
	if !r.full {
		r.pending += text
	}
	for !r.full {
		n := r.cut()
		if n == 0 {
			break
		}
		part += r.take(n)
	}
	return part
}

// Close returns the rest.
func (r *Reply) Close() (part string) {
	part = r.Write("")
	return part + r.take(len(r.pending))
}

// take removes n bytes from the pending words and returns what is spoken of them, with the
// space before it.
func (r *Reply) take(n int) string {
	part := speakable(r.pending[:n])
	r.pending = r.pending[n:]
	if part == "" || r.full {
		return ""
	}
	if r.held = r.forbidden(part); r.held != "" {
		r.full = true
		return ""
	}
	if utf8.RuneCountInString(r.said)+utf8.RuneCountInString(part) > maxReply {
		r.full = true
		return ""
	}
	if r.said != "" && !in(enders+joiners+closing, firstOf(part)) {
		part = " " + part
	}
	r.said += part
	return part
}

func firstOf(s string) rune {
	r, _ := firstRune(s)
	return r
}

// forbidden says why a part must not be spoken: it touches a topic to avoid, or it reads the number of
// a payment card or a secret code, in digits or as their words. It is empty for any other part.
func (r *Reply) forbidden(part string) string {
	words := flatten(clauses(part))
	numbers := r.tongue.digitRuns(words)
	if slices.ContainsFunc(numbers, luhn) {
		return "it read out the number of a payment card"
	}
	if slices.ContainsFunc(numbers, codeLike) && len(r.tongue.secrets.scan(flatten(clauses(r.said+" "+part)))) > 0 {
		return "it read out a secret code"
	}
	i := slices.IndexFunc(r.avoid, func(topic []string) bool { return contains(words, topic) })
	if i < 0 {
		return ""
	}
	return "it touched a topic to avoid, “" + r.topics[i] + "”"
}

func contains(words, phrase []string) bool {
	for i := 0; len(phrase) > 0 && i+len(phrase) <= len(words); i++ {
		if slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// cut returns how many bytes of the pending words are the next part. 0: more must come first.
func (r *Reply) cut() int {
	s := r.pending
	chars, space := 0, 0 // space: the end of the last whole word
	open := 0            // brackets
	for i, c := range s {
		chars++
		switch {
		case c == '[' || c == '<':
			open++
		case (c == ']' || c == '>') && open > 0:
			open--
		}
		switch {
		case chars >= maxReply: // it never ends
			return cmp.Or(space, i)
		case open > 0 && chars < maxMarkup, !unicode.IsSpace(c):
			continue
		}
		before := strings.TrimRightFunc(s[:i], unicode.IsSpace)
		if before == "" {
			continue
		}
		ends := endsSentence(before)
		if len(r.avoid) == 0 { // else whole sentences only
			limit := laterPart
			if r.said == "" {
				limit = firstPart
				ends = ends || chars > firstComma && strings.HasSuffix(before, ",")
			}
			ends = ends || c == '\n' || chars > limit
		}
		space = i + utf8.RuneLen(c)
		if ends && !r.inNumber(before, s[i:]) { // a number is judged as a whole
			return space
		}
	}
	return 0
}

// inNumber reports whether a number that ends a text may go on in what follows.
func (r *Reply) inNumber(before, after string) bool {
	last := strings.Fields(before)
	if !r.tongue.isNumber(last[len(last)-1]) {
		return false
	}
	next := strings.FieldsFunc(after, func(c rune) bool { return unicode.IsSpace(c) || in("*_-", c) })
	if len(next) == 0 || len(next) == 1 && strings.HasSuffix(after, next[0]) { // it has not come to its end
		return true
	}
	return r.tongue.isNumber(next[0])
}

// endsSentence reports whether a sentence ends with a text. "Dr." and "3." don't end one.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, closing+`'`)
	last, _ := lastRune(s)
	if !in(".!?…。！？\u037e", last) {
		return false
	}
	if last != '.' {
		return true
	}
	word := strings.TrimSuffix(s[strings.LastIndexFunc(s, unicode.IsSpace)+1:], ".")
	switch {
	case titled(s), utf8.RuneCountInString(word) == 1 && !unicode.IsDigit(firstOf(word)):
		return false // "J." or "a.m." in parts
	case strings.Contains(word, "."):
		return !abbreviation.MatchString(word)
	}
	return strings.TrimFunc(word, unicode.IsDigit) != ""
}

var (
	abbreviation = regexp.MustCompile(`^(\pL\.)+\pL$`)
	link         = regexp.MustCompile(`\[([^\[\]]*)\]\([^()]*\)`)
	bracketed    = regexp.MustCompile(`\[[^\[\]]*\]|<[^<>]*>`)
	address      = regexp.MustCompile(`(?i)\b(?:(?:https?://|www\.)\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}/\S*)`)
	markers      = strings.NewReplacer("*", "", "#", "", "`", "", "[", "", "]", "", "<", "", ">", "", "~", "",
		"|", " ", "{", "", "}", "")
)

// speakable returns the words of a text without markup, addresses and symbols.
func speakable(s string) string {
	s = link.ReplaceAllString(strings.ToValidUTF8(s, ""), "$1")
	s = bracketed.ReplaceAllString(s, "")
	s = address.ReplaceAllString(s, "")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.So, r), unicode.Is(unicode.Sk, r), r == 0xfe0f, r == 0x200d: // emoji
			return -1
		}
		return r
	}, unemphasized(markers.Replace(s)))
	return strings.Join(strings.Fields(s), " ")
}

// unemphasized drops underscores, except within a word, as in t_ok: there they are part of a name and no markup.
func unemphasized(s string) string {
	if !strings.Contains(s, "_") {
		return s
	}
	isWord := func(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }
	var b strings.Builder
	for before := rune(0); s != ""; {
		rest := strings.TrimLeft(s, "_")
		if run := s[:len(s)-len(rest)]; run != "" {
			if isWord(before) && isWord(firstOf(rest)) {
				b.WriteString(run)
			}
			before, s = '_', rest
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		b.WriteString(s[:size])
		before, s = r, s[size:]
	}
	return b.String()
}

// codeLike reports whether digits have the length of a one-time code or a PIN.
func codeLike(digits string) bool { return 4 <= len(digits) && len(digits) <= 8 }

// luhn reports whether digits have the length and the check digit of a payment card (ISO/IEC 7812).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return 13 <= len(digits) && len(digits) <= 19 && sum%10 == 0
}
