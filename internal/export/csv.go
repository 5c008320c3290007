// Package export sends tables as CSV. It makes cells safe that a spreadsheet would run, and sends rows while it reads
// them, so that it needs memory for only a few rows.
package export

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Cell makes a text safe for a spreadsheet cell. If the text starts like a formula, even after spaces, Cell puts an
// apostrophe in front of it. Spreadsheets themselves mark text this way (OWASP, CSV Injection). Cell does not change
// plain numbers with a sign, such as +14155550100 (E.164). They can't compute anything, and people read and import
// them.
func Cell(s string) string {
	if dangerous(s) && !number(s) {
		return "'" + s
	}
	return s
}

// Optional returns the cell of an optional value: empty for nil, otherwise as fmt prints it.
func Optional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// Text removes the apostrophe of Cell, for code that reads exported files.
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
	// Some locales treat wide, small and raised forms as plain characters. Some locales write a minus as a special
	// character or as a hyphen.
	plain := norm.NFKC.String(string(first))
	return strings.ContainsAny(plain, "=+-@\t\r\u2212\u2010\u2011")
}

// unseen reports whether a character is invisible by itself, so that a spreadsheet may skip it: spaces, controls,
// formats, joiners and combining marks.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) ||
		unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// number reports whether s is a sign followed by digits, with at most one decimal point.
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
