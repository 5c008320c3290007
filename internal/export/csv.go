// Package export owns how tables leave the product as CSV: cells that a
// spreadsheet would run are made harmless, and rows are sent while they are
// read, in the memory of a few.
package export

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Cell makes a text safe to be a cell of a spreadsheet. One that begins like a
// formula, spaces before it or not, gets an apostrophe in front, which is how
// spreadsheets themselves mark text (OWASP, CSV Injection). Phone numbers in
// E.164 and other plain numbers begin with a sign but can't compute anything,
// so they stay as they are: +14155550100 is read by people and imported again.
func Cell(s string) string {
	if dangerous(s) && !number(s) {
		return "'" + s
	}
	return s
}

// Optional is the cell of a value that may be absent: empty, or as fmt prints it.
func Optional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// Text takes the apostrophe of Cell off again, for what reads such files.
func Text(cell string) string {
	if rest, marked := strings.CutPrefix(cell, "'"); marked && dangerous(rest) {
		return rest
	}
	return cell
}

func dangerous(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '\t', '\r', '\n':
		return true
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unseen))
	// Some locales read wide, small and raised forms as the plain ones, and others
	// write minus as a character of its own or as a hyphen.
	plain := norm.NFKC.String(string(first))
	return strings.ContainsAny(plain, "=+-@\t\r\u2212\u2010\u2011")
}

// unseen tells whether a character leaves no mark on its own, so that a
// spreadsheet may skip it: spaces, controls, formats, joiners and combining marks.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) ||
		unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// number reports whether s is a sign and digits, with a decimal point at most.
func number(s string) bool {
	digits, ok := strings.CutPrefix(s, "+")
	if !ok {
		digits, ok = strings.CutPrefix(s, "-")
	}
	whole, fraction, point := strings.Cut(digits, ".")
	return ok && figures(whole) && (!point || figures(fraction))
}

func figures(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
