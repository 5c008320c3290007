package sheet

import (
	"strings"
	"unicode"
)

// mend removes the marks that make spreadsheets keep a cell as text: ="+49…", and the '
// before a number or a formula.
func mend(cell string) string {
	cell = strings.TrimFunc(cell, blank)
	if rest, ok := strings.CutPrefix(cell, `="`); ok {
		if inner, ok := strings.CutSuffix(rest, `"`); ok {
			cell = strings.TrimFunc(strings.ReplaceAll(inner, `""`, `"`), blank)
		}
	}
	if len(cell) > 1 && cell[0] == '\'' && strings.IndexByte(formula+"0123456789", cell[1]) >= 0 {
		cell = cell[1:]
	}
	return cell
}

// blank reports whether a character is invisible: a space of any kind, or a mark that
// copied text contains.
func blank(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' || r == '\u202a' || r == '\u202c'
}

// formula are the characters that start a formula in spreadsheets. The product's exports
// put a ' before cells that start with them (internal/export), and mend restores these
// cells.
const formula = "=+-@\t\r"
