// Package english joins words in sentences.
package english

import "strings"

// List joins words for a sentence: "a", "a and b", "a, b and c".
func List(of []string) string {
	last := len(of) - 1
	if last < 1 {
		return strings.Join(of, "")
	}
	return strings.Join(of[:last], ", ") + " and " + of[last]
}
