package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/sheet"
)

// Import is a file of recipients as it was read: the rows that can be called,
// and what is wrong with every other one.
type Import struct {
	Recipients *Recipients
	Columns    []Column
	Header     bool // the first row names the columns
	Delimiter  rune
	Encoding   string
	Rows       int // rows with something in them, good or bad, without the header
	Rejected   int
	Problems   []RowProblem // of the first rows that were left out
	Sample     []SampleRow  // the first few that are right
}

// SampleRow is a row that is right, as it was written and as it was read.
type SampleRow struct {
	Line         int
	Number, Name string
	Variables    []string // in the order of Import.Variables
	Read         phone.Number
	Duplicate    bool // its number stands further up, or in the campaign
}

// RowProblem is a row that was left out.
type RowProblem struct {
	Line   int    // of the file, from 1
	Number string // what stands where the phone number should be, shortened
	Name   string // likewise
	Reason string
}

const (
	sampleRows   = 8   // kept as they were written
	keptProblems = 200 // kept; Reading.Reject hears of all
	guessRows    = 25  // looked at to find out what the columns are
)

// Reading is how a file of recipients is to be read. The zero value finds out
// by itself what it can.
type Reading struct {
	Region string         // whose national numbers are read, ISO 3166-1 alpha-2
	Zone   *time.Location // of times of consent that name none; nil: UTC
	Header *bool          // the first row names the columns; nil: as it looks
	Uses   []Use          // of the columns; nil, or of another number than there are columns: as they look

	// What the campaign has already, when the file adds to one.
	Numbers     map[phone.Number]bool
	ExternalIDs map[string]bool

	// Reject, if set, hears of every row that is left out, with its cells, which
	// are good until it returns. Its error ends the reading, and is ReadList's.
	Reject func(p RowProblem, cells []string) error
}

// Variables are the names of the columns that become variables.
func (i *Import) Variables() []string {
	var names []string
	for _, c := range i.Columns {
		if c.Use == UseVariable {
			names = append(names, c.Name)
		}
	}
	return names
}

// ReadList reads recipients from a file as spreadsheets write it, in the memory
// of the recipients it holds. A row that is wrong is left out and counted, by
// the same rules as those of the API.
//
// The error is Invalid when the file as a whole can't be read, with the path
// "recipients"; where its columns are the trouble, the Import comes too, with
// them. Any other error is r's or Reject's.
func ReadList(r io.Reader, how Reading) (*Import, error) {
	in, err := sheet.Open(r)
	if refusal, ok := errors.AsType[sheet.Refusal](err); ok {
		return nil, fault.Invalidf("recipients", "%s", refusal)
	}
	if err != nil {
		return nil, err
	}
	first, err := take(in, guessRows)
	if err != nil {
		return nil, err
	}
	l := list{how: how, out: &Import{Recipients: &Recipients{}, Delimiter: in.Delimiter()}}
	err = l.read(in, first)
	l.out.Encoding = in.Encoding()
	return l.out, err
}

// take reads the first n rows and keeps them.
func take(in *sheet.Reader, n int) ([]sheet.Row, error) {
	var rows []sheet.Row
	for len(rows) < n {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		row.Cells = slices.Clone(row.Cells)
		for i := range row.Cells {
			row.Cells[i] = strings.Clone(row.Cells[i])
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// list is a file being read.
type list struct {
	how       Reading
	out       *Import
	variables int // how many columns become one
}

func (l *list) read(in *sheet.Reader, first []sheet.Row) error {
	if len(first) == 0 {
		return fault.Invalidf("recipients", "the file has no rows")
	}
	first = l.columns(first)
	if err := checkUses(l.out.Columns); err != nil {
		return err
	}
	for _, c := range l.out.Columns {
		if c.Use == UseVariable {
			l.variables++
		}
	}
	for _, row := range first {
		if err := l.row(row); err != nil {
			return err
		}
	}
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := l.row(row); err != nil {
			return err
		}
	}
	if l.out.Rows == 0 {
		return fault.Invalidf("recipients", "the file has no rows")
	}
	return nil
}

// row reads a recipient, or tells why it can't be one. Its error ends the
// reading.
func (l *list) row(row sheet.Row) error {
	if l.out.Rows++; l.out.Rows > MaxRecipients {
		return fault.Invalidf("recipients", "at most %d rows", MaxRecipients)
	}
	if row.Problem != "" {
		return l.reject(row, RowProblem{Reason: "this row can't be read: " + row.Problem})
	}
	var in RecipientInput
	var number, consentAt, basis string
	var variables map[string]string
	for i, cell := range row.Cells {
		if i >= len(l.out.Columns) {
			if cell == "" {
				continue
			}
			return l.reject(row, RowProblem{Number: number, Name: in.Name,
				Reason: fmt.Sprintf("has %d cells, but there are %d columns", len(row.Cells), len(l.out.Columns))})
		}
		cell = export.Text(cell) // the marks of a file of ours
		switch column := &l.out.Columns[i]; column.Use {
		case UseNumber:
			number = cell
		case UseName:
			in.Name = strings.Clone(cell) // the row's memory must not be kept alive
		case UseExternalID:
			in.ExternalID = strings.Clone(cell)
		case UseTimezone:
			in.Timezone = strings.Clone(cell)
		case UseConsentBasis:
			basis = cell
		case UseConsentAt:
			consentAt = cell
		case UseVariable:
			if cell != "" {
				if variables == nil {
					variables = make(map[string]string, l.variables)
				}
				variables[column.Name] = cell
			}
		}
	}
	wrong := RowProblem{Number: number, Name: in.Name}
	read, err := phone.ParseNational(number, l.how.Region)
	if err != nil {
		wrong.Reason = err.Error()
		return l.reject(row, wrong)
	}
	in.PhoneNumber = strings.Clone(string(read)) // as above: it may be a part of the row
	if in.Consent, wrong.Reason = consent(basis, consentAt, l.how.Zone); wrong.Reason != "" {
		return l.reject(row, wrong)
	}
	if l.how.ExternalIDs[in.ExternalID] {
		wrong.Reason = "external_id: used by a recipient of this campaign"
		return l.reject(row, wrong)
	}
	if len(variables) > 0 {
		if in.Variables, err = json.Marshal(variables); err != nil {
			return fmt.Errorf("encode the variables of line %d: %w", row.Line, err)
		}
	}
	if problems := l.out.Recipients.add(in); len(problems) > 0 {
		reasons := make([]string, len(problems))
		for i, p := range problems {
			reasons[i] = p.Path + ": " + p.Message
		}
		wrong.Reason = strings.Join(reasons, "; ")
		return l.reject(row, wrong)
	}
	l.out.Recipients.count++
	e := l.out.Recipients.last()
	e.duplicate = e.duplicate || l.how.Numbers[read]
	l.sample(row.Line, number, e, variables)
	return nil
}

// sample keeps the row that was just added, if it is one of the first.
func (l *list) sample(line int, number string, e *entry, variables map[string]string) {
	if len(l.out.Sample) == sampleRows {
		return
	}
	row := SampleRow{Line: line, Number: strings.Clone(number), Name: e.name, Read: e.number, Duplicate: e.duplicate}
	for _, name := range l.out.Variables() {
		row.Variables = append(row.Variables, strings.Clone(variables[name]))
	}
	l.out.Sample = append(l.out.Sample, row)
}

// maxShown is how much of what stands in a cell is shown of a row that is
// wrong, in characters.
const maxShown = 40

func (l *list) reject(row sheet.Row, p RowProblem) error {
	p.Line = row.Line
	if l.out.Rejected++; len(l.out.Problems) < keptProblems {
		kept := p
		kept.Number, kept.Name = shorten(p.Number), shorten(p.Name)
		l.out.Problems = append(l.out.Problems, kept)
	}
	if l.how.Reject == nil {
		return nil
	}
	return l.how.Reject(p, row.Cells)
}

func shorten(s string) string {
	if shown := []rune(s); len(shown) > maxShown {
		return string(shown[:maxShown]) + "…"
	}
	return strings.Clone(s)
}
