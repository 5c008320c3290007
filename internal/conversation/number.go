package conversation

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// numeral is the contribution of a phrase to a number.
type numeral struct {
	kind  numeralKind
	value float64
}

type numeralKind int

const (
	cardinal numeralKind = iota
	article              // 1, if there is no other number
	thousand
	half
	conjunction
	outOf
	ofScale
	minus
	vague
)

func numerals(l lexicon.Language) *phrasebook[numeral] {
	lex := &phrasebook[numeral]{}
	for n := range 1000 {
		lex.add(numeral{cardinal, float64(n)}, l.Spell(n)...)
	}
	for phrase, n := range l.Counts {
		lex.add(numeral{cardinal, n}, phrase)
	}
	for kind, of := range map[numeralKind][]string{
		article: l.Article, thousand: l.Thousand, half: l.Half, conjunction: l.And,
		outOf: l.OutOf, ofScale: l.OfScale, minus: l.Minus, vague: l.Vague,
	} {
		lex.add(numeral{kind, 1}, of...)
	}
	return lex
}

// number recognizes the number that was said, in words or digits. Two different numbers
// give no result, unless the second corrects the first.
func (t *tongue) number(said [][]string) (float64, bool) {
	var all, weak []float64
	correcting := false
	for _, c := range t.meant(said) {
		n, w := t.numbersIn(c)
		if len(n) > 0 && (correcting || t.beginsCorrected(c)) {
			all = nil
		}
		all, weak = append(all, n...), append(weak, w...)
		correcting = t.corrected([][]string{c}) || correcting && len(n) == 0
	}
	if len(all) == 0 {
		all = weak
	}
	if len(all) == 0 {
		return 0, false
	}
	for _, n := range all {
		if n != all[0] {
			return 0, false
		}
	}
	return all[0], true
}

// beginsCorrected reports whether a clause takes back the previous clause and then
// gives its number: "five, I mean six".
func (t *tongue) beginsCorrected(clause []string) bool {
	items := t.numeralsIn(clause)
	for _, f := range t.polar.scan(clause) {
		if (f.meaning == mistaken || f.meaning == no) && len(items) > 0 && f.end <= items[0].at {
			return true
		}
	}
	return false
}

// numbersIn returns the numbers of a clause, and separately the articles that may mean
// 1.
func (t *tongue) numbersIn(clause []string) (numbers, articles []float64) {
	items := t.numeralsIn(clause)
	for i := 0; i < len(items); i++ {
		switch items[i].meaning.kind {
		case article:
			articles = append(articles, 1)
		case outOf:
			// "8 out of 10": the maximum is not the answer.
			if len(numbers) > 0 && i+1 < len(items) && items[i+1].meaning.kind == cardinal {
				i++
			}
		case ofScale:
			// "10 üzerinden 8": the maximum comes first.
			numbers = numbers[:max(0, len(numbers)-1)]
		case cardinal, thousand:
			n, used := t.compose(items[i:])
			if i > 0 && items[i-1].meaning.kind == minus && items[i-1].end == items[i].at {
				n = -n
			}
			numbers = append(numbers, n)
			i += used - 1
		}
	}
	if corrected := t.afterCorrection(clause, items); corrected != nil {
		return corrected, nil
	}
	return numbers, articles
}

// afterCorrection returns the numbers after a correction within the clause.
func (t *tongue) afterCorrection(clause []string, items []found[numeral]) []float64 {
	for _, f := range t.polar.scan(clause) {
		if (f.meaning == mistaken || f.meaning == no) && f.at > 0 && len(items) > 0 && items[0].at < f.at &&
			items[len(items)-1].at >= f.end {
			numbers, _ := t.numbersIn(clause[f.end:])
			return numbers
		}
	}
	return nil
}

// compose reads the number at the start of the items: "two", "two thousand and five",
// "two and a half". It returns how many items it used.
func (t *tongue) compose(items []found[numeral]) (n float64, used int) {
	adjacent := func(i int) bool { return i < len(items) && items[i].at == items[i-1].end }
	n, used = items[0].meaning.value, 1
	if items[0].meaning.kind == thousand {
		n = 1000
	} else if adjacent(1) && items[1].meaning.kind == thousand {
		n *= 1000
		used = 2
	}
	if n >= 1000 && (items[0].meaning.kind == thousand || used == 2) {
		next := used
		if adjacent(next) && items[next].meaning.kind == conjunction {
			next++
		}
		if adjacent(next) && items[next].meaning.kind == cardinal && items[next].meaning.value < 1000 {
			n += items[next].meaning.value
			used = next + 1
		}
	}
	if adjacent(used) && items[used].meaning.kind == half {
		n += 0.5
		used++
	}
	return n, used
}

// numeralsIn returns the number words and digits of a clause.
func (t *tongue) numeralsIn(clause []string) []found[numeral] {
	var items []found[numeral]
	for i := 0; i < len(clause); {
		if more := t.digits(clause[i]); more != nil {
			for _, m := range more {
				items = append(items, found[numeral]{m, i, i + 1})
			}
			i++
			continue
		}
		m, n := t.numeral.match(clause[i:])
		if n == 0 {
			i++
			continue
		}
		items = append(items, found[numeral]{m, i, i + n})
		i += n
	}
	return items
}

var (
	plainDigits = regexp.MustCompile(`^(-?[0-9]{1,12})[a-z]{0,2}$`) // "3", "3rd", "10h"
	ratio       = regexp.MustCompile(`^([0-9]{1,6})/([0-9]{1,6})$`)
	grouped     = regexp.MustCompile(`^-?[0-9]{1,3}([.,][0-9]{3})+$`)
	decimal     = regexp.MustCompile(`^(-?[0-9]{1,12})[.,]([0-9]{1,6})$`)
)

// digits parses a word written in digits. It returns nil for any other word.
func (t *tongue) digits(word string) []numeral {
	if word[0] != '-' && (word[0] < '0' || word[0] > '9') {
		return nil
	}
	group := ","
	if t.comma {
		group = "."
	}
	if m := ratio.FindStringSubmatch(word); m != nil {
		return []numeral{{cardinal, parse(m[1])}, {outOf, 1}, {cardinal, parse(m[2])}}
	}
	if grouped.MatchString(word) && (strings.Contains(word, group) ||
		strings.Count(word, ".")+strings.Count(word, ",") > 1) {
		return []numeral{{cardinal, parse(strings.NewReplacer(".", "", ",", "").Replace(word))}}
	}
	if m := decimal.FindStringSubmatch(word); m != nil {
		return []numeral{{cardinal, parse(m[1] + "." + m[2])}}
	}
	if m := plainDigits.FindStringSubmatch(word); m != nil {
		return []numeral{{cardinal, parse(m[1])}}
	}
	return []numeral{{vague, 0}} // a time, a date, a phone number
}

func parse(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64) // the patterns above guarantee a number
	return n
}

// typedNumber parses the digits that the recipient typed.
func typedNumber(s string) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}
