package check

import "strings"

// Straight writes each apostrophe of a text as the one of a keyboard, so that texts with O'Brien and O’Brien can be
// compared. The SQL function straight_apostrophes does the same.
func Straight(text string) string { return apostrophes.Replace(text) }

var apostrophes = strings.NewReplacer("‘", "'", "’", "'", "ʼ", "'")
