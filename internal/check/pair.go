package check

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/fault"
)

// maxPairs bounds the pairs of one filter.
const maxPairs = 10

// Pairs are keys of an object, each with the value that a filter looks for, as text. A number or a boolean is found by
// its JSON.
type Pairs map[string]string

// Check reports the problems of pairs. path is the name of the object.
func (f Pairs) Check(p *fault.Problems, path string) {
	if len(f) > maxPairs {
		p.Addf(path, "at most %d keys", maxPairs)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if n := utf8.RuneCountInString(key); n < 1 || n > MaxKeyLength || !text(key) {
			p.Addf(path, "keys must be 1 to %d characters", MaxKeyLength)
			continue
		}
		if value := f[key]; utf8.RuneCountInString(value) > maxMetadataValue || !text(value) {
			p.Addf(path+"["+key+"]", "must be text of at most %d characters", maxMetadataValue)
		}
	}
}

// text reports whether PostgreSQL can store s.
func text(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
