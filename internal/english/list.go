// Package english joins words and writes numbers in sentences.
package english

import (
	"strconv"
	"strings"
)

// List joins words for a sentence: "a", "a and b", "a, b and c".
func List(of []string) string {
	last := len(of) - 1
	if last < 1 {
		return strings.Join(of, "")
	}
	return strings.Join(of[:last], ", ") + " and " + of[last]
}

// Count writes how many there are: "1 number", "12,855 numbers".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Number writes 12855 as 12,855.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
