package sheet

import (
	"strings"
	"unicode"
)

// mend takes off what spreadsheets put around a text so that it stays one:
// ="+49…", and the ' before what would be a number or a formula.
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

// blank are the characters nobody sees: spaces of any kind, and the marks that
// copied text brings along.
func blank(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' || r == '\u202a' || r == '\u202c'
}

// formula are the characters by which a spreadsheet takes a cell for a formula.
// Files of ours put a ' before such cells (internal/export), which thereby come
// back as they were.
const formula = "=+-@\t\r"
