package intake

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

// File is the content of a file of recipients: the valid rows and the problems of the
// others.
type File struct {
	Recipients *List
	Columns    []Column
	Header     bool // the first row names the columns
	Delimiter  rune
	Encoding   string
	Rows       int          // rows that are not empty, valid or not, without the header
	Rejected   int          // rejected rows
	Problems   []RowProblem // of the first rejected rows
	Sample     []SampleRow  // the first valid rows
}

// SampleRow is a valid row with its values before and after parsing.
type SampleRow struct {
	Line         int
	Number, Name string
	Variables    []string // in the order of File.Variables
	Read         phone.Number
	Duplicate    bool // its number is further up in the file, or in the campaign
	Consented    bool // its consent has a date and holds
}

// RowProblem is a rejected row and the reason.
type RowProblem struct {
	Line   int    // the line in the file, from 1
	Number string // the cell of the phone number, shortened
	Name   string // the cell of the name, shortened
	Field  string // phone_number if the number is what is wrong; else empty, and Reason names the field
	Reason string
}

// String describes the problem without the cells of the row.
func (p RowProblem) String() string { return sheet.Problem(p.Line, p.Field, p.Reason) }

const (
	sampleRows   = 8   // of File.Sample
	keptProblems = 200 // of File.Problems; Reading.Reject receives all
	guessRows    = 25  // read to find out what the columns contain
)

// Reading says how to read a file of recipients. The zero value detects all settings
// that can be detected.
type Reading struct {
	Region string         // of national numbers, ISO 3166-1 alpha-2
	Zone   *time.Location // of consent times without a zone; nil: UTC
	Header *bool          // whether the first row names the columns; nil: detected
	Uses   []Use          // of the columns; detected if their count differs

	// Wanted are the variables that the texts of calls and messages use. Columns are guessed to have them, unless Uses
	// says what the columns contain and Guess is not set. "name" is that of the recipient.
	Wanted []string
	Guess  bool

	// Numbers and ExternalIDs are already in the campaign, if the file adds recipients
	// to a campaign.
	Numbers     map[phone.Number]bool
	ExternalIDs map[string]bool

	// Reject, if set, receives every rejected row with its cells, which are valid
	// until it returns. Its error ends the reading, and Read returns it.
	Reject func(p RowProblem, cells []string) error
}

// Variables returns the names of the columns that become variables.
func (i *File) Variables() []string {
	var names []string
	for _, c := range i.Columns {
		if c.Use == UseVariable {
			names = append(names, c.Name)
		}
	}
	return names
}

// Check records the rejected rows, for a reader who leaves none out.
func (i *File) Check(p *fault.Problems) {
	for n := range i.Rejected {
		if n < len(i.Problems) {
			p.Addf("recipients", "%s", i.Problems[n])
		} else {
			p.Addf("recipients", "rejected") // it is only counted
		}
	}
}

// Read reads recipients from a file that a spreadsheet exported. It needs memory
// for the valid recipients only. A row that breaks a rule of the API is rejected
// and counted.
//
// Errors: Invalid with the path "recipients" when the file as a whole can't be
// read. If its columns are the reason, the File is returned as well, with its
// columns. Any other error comes from file or Reject.
func Read(file io.Reader, how Reading) (*File, error) {
	in, err := sheet.Open(file)
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
	r := reader{how: how, out: &File{Recipients: &List{wanted: how.Wanted}, Delimiter: in.Delimiter()}}
	err = r.read(in, first)
	r.out.Encoding = in.Encoding()
	return r.out, err
}

// take reads the first n rows and keeps them.
func take(in *sheet.Reader, n int) ([]sheet.Row, error) {
	var rows []sheet.Row
	for len(rows) < n {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
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

// reader reads one file.
type reader struct {
	how       Reading
	out       *File
	variables int // columns that become variables

	first, last int // columns that make the names of people; -1: none
}

func (r *reader) read(in *sheet.Reader, first []sheet.Row) error {
	if len(first) == 0 {
		return fault.Invalidf("recipients", "the file has no rows")
	}
	first = r.columns(first)
	if err := checkUses(r.out.Columns); err != nil {
		return err
	}
	for _, c := range r.out.Columns {
		if c.Use == UseVariable {
			r.variables++
		}
	}
	r.first, r.last = r.out.nameParts()
	for _, row := range first {
		if err := r.row(row); err != nil {
			return err
		}
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := r.row(row); err != nil {
			return err
		}
	}
	if r.out.Rows == 0 {
		return fault.Invalidf("recipients", "the file has no rows")
	}
	return nil
}

// row reads one recipient, or rejects the row. Its error ends the reading.
func (r *reader) row(row sheet.Row) error {
	if r.out.Rows++; r.out.Rows > MaxRecipients {
		return fault.Invalidf("recipients", "at most %d rows", MaxRecipients)
	}
	if row.Problem != "" {
		return r.reject(row, RowProblem{Reason: "this row can't be read: " + row.Problem})
	}
	var in Recipient
	var number string
	var given consentCells
	var variables map[string]string
	if r.first >= 0 {
		in.Name = fullName(cellOf(row, r.first), cellOf(row, r.last))
	}
	for i, cell := range row.Cells {
		if i >= len(r.out.Columns) {
			if cell == "" {
				continue
			}
			return r.reject(row, RowProblem{Number: number, Name: in.Name,
				Reason: fmt.Sprintf("has %d cells, but there are %d columns", len(row.Cells), len(r.out.Columns))})
		}
		cell = export.Text(cell) // without the quotes that the product's exports put before formulas
		switch column := &r.out.Columns[i]; column.Use {
		case UseNumber:
			number = cell
		case UseName:
			in.Name = strings.Clone(cell) // a substring would keep the whole row in memory
		case UseExternalID:
			in.ExternalID = strings.Clone(cell)
		case UseTimezone:
			in.Timezone = strings.Clone(cell)
		case UseConsentBasis:
			given.basis = cell
		case UseConsentAt:
			given.at = cell
		case UseConsentSource:
			given.source = cell
		case UseConsentExpiresAt:
			given.expires = cell
		case UseVariable:
			if cell != "" {
				if variables == nil {
					variables = make(map[string]string, r.variables)
				}
				variables[column.Name] = cell
			}
		}
	}
	wrong := RowProblem{Number: number, Name: in.Name}
	read, err := phone.ParseNational(number, r.how.Region)
	if err != nil {
		wrong.Field, wrong.Reason = "phone_number", err.Error()
		if errors.Is(err, phone.ErrEmpty) {
			wrong.Field, wrong.Reason = "", "no phone number" // the row stands alone, without the name of a field
		}
		return r.reject(row, wrong)
	}
	in.PhoneNumber = strings.Clone(string(read)) // as above: it may be a substring of the row
	if in.Consent, wrong.Reason = given.consent(r.how.Zone); wrong.Reason != "" {
		return r.reject(row, wrong)
	}
	if r.how.ExternalIDs[in.ExternalID] {
		wrong.Reason = "external_id: used by a recipient of this campaign"
		return r.reject(row, wrong)
	}
	if len(variables) > 0 {
		if in.Variables, err = json.Marshal(variables); err != nil {
			return fmt.Errorf("encode the variables of line %d: %w", row.Line, err)
		}
	}
	if err := r.out.Recipients.add(in).Err(); err != nil {
		wrong.Reason = strings.TrimPrefix(err.Error(), "variables.") // the column has the rest of the name
		return r.reject(row, wrong)
	}
	r.out.Recipients.count++
	e := r.out.Recipients.last()
	e.Line = int32(row.Line) // a file has at most 64 Mi lines
	e.Duplicate = e.Duplicate || r.how.Numbers[read]
	r.sample(row.Line, number, e, variables)
	return nil
}

// cellOf returns a cell of a row. It is empty if the row has no such column.
func cellOf(row sheet.Row, column int) string {
	if column < 0 || column >= len(row.Cells) {
		return ""
	}
	return export.Text(row.Cells[column])
}

// sample stores the row that was just added if it is among the first sampleRows.
func (r *reader) sample(line int, number string, e *Entry, variables map[string]string) {
	if len(r.out.Sample) == sampleRows {
		return
	}
	row := SampleRow{
		Line:      line,
		Number:    strings.Clone(number),
		Name:      e.Name,
		Read:      e.Number,
		Duplicate: e.Duplicate,
		Consented: Consented(e.ConsentBasis, e.ConsentAt, e.ConsentExpiresAt, time.Now()),
	}
	for _, name := range r.out.Variables() {
		row.Variables = append(row.Variables, strings.Clone(variables[name]))
	}
	r.out.Sample = append(r.out.Sample, row)
}

// maxShown limits how many characters of a cell are shown for a rejected row.
const maxShown = 40

func (r *reader) reject(row sheet.Row, p RowProblem) error {
	p.Line = row.Line
	r.out.Recipients.leftOut++
	if r.out.Rejected++; len(r.out.Problems) < keptProblems {
		kept := p
		kept.Number, kept.Name = shorten(p.Number), shorten(p.Name)
		r.out.Problems = append(r.out.Problems, kept)
	}
	if r.how.Reject == nil {
		return nil
	}
	return r.how.Reject(p, row.Cells)
}

func shorten(s string) string {
	if shown := []rune(s); len(shown) > maxShown {
		return string(shown[:maxShown]) + "…"
	}
	return strings.Clone(s)
}
