package suppression

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/sheet"
)

// Import is the content of a file of numbers.
type Import struct {
	Numbers    []Listing // without duplicates, in the order of the file
	Rows       int       // without the header and empty rows
	Duplicates int       // rows with the number of an earlier row
	Problems   []RowProblem
	Delimiter  rune // of the cells of a row
}

// Listing is a number of a file with its note.
type Listing struct {
	PhoneNumber phone.Number
	Note        string
}

// RowProblem says why a row is left out.
type RowProblem struct {
	Line   int    // of the file
	Cell   string // of the phone number
	Field  string // phone_number if the number is what is wrong; else empty, and Reason names the field
	Reason string
}

// String describes the problem without the cell.
func (p RowProblem) String() string { return sheet.Problem(p.Line, p.Field, p.Reason) }

// maxKept bounds the cell of a problem that is stored, in characters.
const maxKept = 40

// typed finds what may be a phone number in a cell, in whatever notation.
var typed = regexp.MustCompile(`\+?\pN(?:[^\pL\pN]*\pN){6,}`)

// Masked returns the problem as it may be stored: its cell is short, and shows only the last two digits of what may be
// a phone number, because what is stored about a file outlives the erasure of a person.
func (p RowProblem) Masked() RowProblem {
	p.Cell = typed.ReplaceAllStringFunc(p.Cell, lastTwo)
	digits := strings.Map(func(r rune) rune {
		if unicode.IsNumber(r) {
			return r
		}
		return -1
	}, p.Cell)
	if utf8.RuneCountInString(digits) > 6 { // still a number, with letters in it
		p.Cell = lastTwo(digits)
	}
	p.Cell = printable(p.Cell, maxKept)
	return p
}

// printable returns the first characters of a text of a file, without control characters, which PostgreSQL may refuse.
func printable(text string, most int) string {
	shown := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	if len(shown) > most {
		return string(shown[:most]) + "…"
	}
	return string(shown)
}

// lastTwo shortens a number to its last two digits.
func lastTwo(number string) string {
	digits := []rune(number)
	return "…" + string(digits[len(digits)-2:])
}

const maxRows = 100_000

var noteColumns = []string{"note", "notes", "comment", "reason"}

// ReadFile reads a table as spreadsheets export it, at most 100,000 rows. If the first
// row has no phone number, it names the columns. Otherwise the first column is the
// numbers. National numbers are read as numbers of region. Errors: Invalid "file".
func ReadFile(r io.Reader, region string) (*Import, error) {
	table, err := sheet.Open(r)
	if refusal, ok := errors.AsType[sheet.Refusal](err); ok {
		return nil, fault.Invalidf("file", "%s", refusal.Error())
	}
	if err != nil {
		return nil, fmt.Errorf("open a list of numbers: %w", err)
	}
	out := &Import{Delimiter: table.Delimiter()}
	seen := map[phone.Number]struct{}{}
	number, note, first := 0, -1, true
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read a list of numbers: %w", err)
		}
		if row.Problem == "" && empty(row.Cells) {
			continue
		}
		if first {
			first = false
			columns := make([]string, len(row.Cells))
			for i, c := range row.Cells {
				columns[i] = sheet.ColumnName(c)
			}
			if i := sheet.Find(columns, sheet.NumberColumns); i >= 0 {
				number, note = i, sheet.Find(columns, noteColumns)
				continue
			}
			if len(row.Cells) > 0 && !strings.ContainsAny(row.Cells[0], "0123456789") {
				return nil, fault.Invalidf("file", "%s", noNumbers(row.Cells))
			}
		}
		if out.Rows++; out.Rows > maxRows {
			return nil, fault.Invalidf("file", "must have at most %d rows", maxRows)
		}
		out.row(row, number, note, region, seen)
	}
}

const (
	namedColumns = 5  // of a file, in an error
	maxNamed     = 40 // characters of the name of a column
)

// notNamed finds what the name of a column does not contain: a number of four digits and more, or an email address.
var notNamed = regexp.MustCompile(`@|(?:\d\D*){4}`)

// noNumbers says that a file has no column of phone numbers, and which columns its first row names. It does not repeat
// a row that is not a header: it may be about a person.
func noNumbers(cells []string) string {
	const do = `Name the column with the phone numbers phone_number, or make it the first column`
	var names []string
	for _, c := range cells {
		if notNamed.MatchString(c) {
			return `no column is named phone_number. ` + do
		}
		if c != "" {
			names = append(names, `"`+printable(c, maxNamed)+`"`)
		}
	}
	if more := len(names) - namedColumns; more > 0 {
		names = append(names[:namedColumns], english.Number(more)+" more")
	}
	if len(names) == 1 {
		return `no column is named phone_number. The only column is ` + names[0] + `. ` + do
	}
	return `no column is named phone_number. The columns are ` + english.List(names) + `. ` + do
}

func (l *Import) row(row sheet.Row, number, note int, region string, seen map[phone.Number]struct{}) {
	cell := func(i int) string {
		if i < 0 || i >= len(row.Cells) {
			return ""
		}
		return strings.Clone(row.Cells[i])
	}
	reject := func(field, reason string) {
		l.Problems = append(l.Problems, RowProblem{Line: row.Line, Cell: cell(number), Field: field, Reason: reason})
	}
	if row.Problem != "" {
		reject("", row.Problem)
		return
	}
	read, err := phone.ParseNational(cell(number), region)
	if errors.Is(err, phone.ErrEmpty) {
		reject("", "no phone number") // the row stands alone, without the name of a field
		return
	}
	if err != nil {
		reject("phone_number", err.Error())
		return
	}
	text := cell(note)
	var p fault.Problems
	if check.Text(&p, "note", &text, maxNote); p.Len() > 0 {
		reject("", p.Err().Error())
		return
	}
	if _, twice := seen[read]; twice {
		l.Duplicates++
		return
	}
	seen[read] = struct{}{}
	l.Numbers = append(l.Numbers, Listing{read, text})
}

func empty(cells []string) bool {
	for _, c := range cells {
		if c != "" {
			return false
		}
	}
	return true
}

// Entries returns the numbers as entries of some channels.
func (l *Import) Entries(channels ...Channel) []NewEntry {
	entries := make([]NewEntry, 0, len(l.Numbers)*len(channels))
	for _, channel := range channels {
		for _, n := range l.Numbers {
			entries = append(entries, NewEntry{
				Channel: channel, PhoneNumber: n.PhoneNumber, Note: n.Note, Source: ByImport,
			})
		}
	}
	return entries
}
