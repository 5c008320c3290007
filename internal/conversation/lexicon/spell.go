package lexicon

// numberWords are the words of a language that puts hundreds before tens and units.
type numberWords struct {
	small    [20][]string // 0 to 19; empty if the word is also an article
	one      []string     // 1 within a larger number
	tens     [10][]string // from 20
	hundreds [10][]string
	join     []string     // between tens and units: " ", " and "
	before   [10][]string // units before the tens in one word: "five-and-" in Czech
}

// spell returns all ways to say n, from 0 to 999.
func (w *numberWords) spell(n int) []string {
	switch {
	case n < 20:
		return w.small[n]
	case n < 100:
		return w.belowHundred(n)
	case n%100 == 0:
		return w.hundreds[n/100]
	}
	return combine(w.hundreds[n/100], []string{" "}, w.belowHundred(n%100))
}

func (w *numberWords) belowHundred(n int) []string {
	unit := w.small[n%10]
	if n%10 == 1 {
		unit = w.one
	}
	tens := w.tens[n/10]
	switch {
	case n < 10:
		return unit
	case n < 20:
		return w.small[n]
	case n%10 == 0:
		return tens
	}
	all := combine(tens, w.join, unit)
	return append(all, combine(w.before[n%10], []string{""}, tens)...)
}

// combine joins each head to each tail with each of joins.
func combine(heads, joins, tails []string) []string {
	var all []string
	for _, head := range heads {
		for _, join := range joins {
			for _, tail := range tails {
				all = append(all, head+join+tail)
			}
		}
	}
	return all
}
