package campaign

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
)

// Import is a file of recipients as it was read: the rows that can be called,
// and what is wrong with every other one.
type Import struct {
	Recipients *Recipients
	Variables  []string // the columns that become variables, as {{…}} names them
	Rows       int      // rows with something in them, good or bad
	Problems   []RowProblem
	Sample     []SampleRow // the first few that are right
}

// SampleRow is a row that is right, as it was written and as it was read.
type SampleRow struct {
	Line         int
	Number, Name string
	Variables    []string // in the order of Import.Variables
	Read         phone.Number
	Duplicate    bool // its number stands further up
}

// sampleRows is how many rows are kept as they were written.
const sampleRows = 8

// RowProblem is a row that was left out.
type RowProblem struct {
	Line   int    // of the file, from 1
	Number string // what stands where the phone number should be, shortened
	Reason string
}

// The columns a file may have besides those that become variables.
var csvColumns = map[string]string{
	"phone_number": "phone_number", "phone": "phone_number", "number": "phone_number", "telephone": "phone_number", "mobile": "phone_number",
	"name": "name", "full_name": "name",
	"external_id": "external_id",
	"timezone":    "timezone", "time_zone": "timezone",
}

// maxHeaderLine bounds what is read to find out about a file, in bytes.
const maxHeaderLine = 64 << 10

// ParseCSV reads recipients from a file as spreadsheets write it: the first row
// names the columns, in any order and case; parted by comma, semicolon or tab;
// with or without a byte order mark. phone_number is required, in the national
// format of region (ISO 3166-1 alpha-2) or with + and country code; name,
// external_id and timezone are known, other columns become variables. A single
// column of numbers needs no first row of names.
//
// A row that is wrong is left out and reported. The error is Invalid when the
// file as a whole can't be read, with the path "recipients"; any other is r's.
func ParseCSV(r io.Reader, region string) (*Import, error) {
	in := bufio.NewReaderSize(r, maxHeaderLine)
	reader, err := openCSV(in)
	if err != nil {
		return nil, err
	}
	table := csvTable{region: region, out: &Import{Recipients: &Recipients{}}}
	for first := true; ; {
		record, err := reader.Read()
		if err == io.EOF {
			break
		}
		wrong, malformed := errors.AsType[*csv.ParseError](err)
		if err != nil && !malformed {
			return nil, fmt.Errorf("read the file: %w", err)
		}
		if !malformed && blank(record) {
			continue
		}
		if first {
			first = false
			if malformed {
				return nil, fault.Invalidf("recipients", "the first row can't be read: %v", wrong.Err)
			}
			header, err := table.header(record)
			if err != nil {
				return nil, err
			}
			if header {
				continue
			}
		}
		if table.out.Rows++; table.out.Rows > MaxRecipients {
			return nil, fault.Invalidf("recipients", "at most %d rows", MaxRecipients)
		}
		if malformed {
			table.reject(wrong.StartLine, "", "this row can't be read: "+wrong.Err.Error())
			continue
		}
		line, _ := reader.FieldPos(0)
		table.row(line, record)
	}
	if table.out.Rows == 0 {
		return nil, fault.Invalidf("recipients", "the file has no rows")
	}
	return table.out, nil
}

// openCSV finds out how a file is written.
func openCSV(in *bufio.Reader) (*csv.Reader, error) {
	start, err := in.Peek(maxHeaderLine)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	if bytes.HasPrefix(start, []byte{0xFF, 0xFE}) || bytes.HasPrefix(start, []byte{0xFE, 0xFF}) || bytes.IndexByte(start, 0) >= 0 {
		return nil, fault.Invalidf("recipients", "the file is not CSV in UTF-8; save it as “CSV UTF-8”")
	}
	if bom := []byte("\uFEFF"); bytes.HasPrefix(start, bom) {
		start = start[len(bom):]
		_, _ = in.Discard(len(bom)) // it was peeked at
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	comma := delimiter(line)
	// Excel's own way to say it.
	if said := strings.TrimRight(string(line), "\r"); len(said) == 5 && strings.EqualFold(said[:4], "sep=") {
		comma = rune(said[4])
		_, _ = in.Discard(min(len(line)+1, len(start)))
	}
	reader := csv.NewReader(in)
	reader.FieldsPerRecord = -1
	reader.ReuseRecord = true
	if comma != '"' && comma != '\r' && comma < utf8.RuneSelf {
		reader.Comma = comma
	}
	return reader, nil
}

// delimiter is what parts the cells of a line: the most frequent of the three
// outside of quotes.
func delimiter(line []byte) rune {
	counts := map[byte]int{}
	quoted := false
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted:
			counts[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte{';', '\t'} {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return rune(best)
}

// csvTable is what the columns of a file mean.
type csvTable struct {
	region  string
	columns []string // phone_number, name, …; "" for those that become variables or are left out
	names   []string // of the variables, by column; "" where there is none
	out     *Import
}

// header reads the first row, unless it is one already: then every row is a
// number.
func (t *csvTable) header(record []string) (bool, error) {
	t.columns, t.names = make([]string, len(record)), make([]string, len(record))
	seen := map[string]bool{}
	for i, cell := range record {
		if !utf8.ValidString(cell) {
			return false, fault.Invalidf("recipients", "the file is not CSV in UTF-8; save it as “CSV UTF-8”")
		}
		name := columnName(cell)
		if name == "" {
			continue // a column without a name is left out
		}
		known, ok := csvColumns[name]
		if !ok {
			known = name
		}
		if seen[known] {
			return false, fault.Invalidf("recipients", "two columns are called %s", known)
		}
		seen[known] = true
		if ok {
			t.columns[i] = known
			continue
		}
		if utf8.RuneCountInString(name) > maxKeyLength {
			return false, fault.Invalidf("recipients", "the name of a column must have at most %d characters", maxKeyLength)
		}
		t.names[i] = name
		t.out.Variables = append(t.out.Variables, name)
	}
	if !seen["phone_number"] {
		if _, err := phone.ParseNational(record[0], t.region); err == nil && len(record) == 1 {
			t.columns, t.names, t.out.Variables = []string{"phone_number"}, []string{""}, nil
			return false, nil
		}
		return false, fault.Invalidf("recipients", "the first row must name the columns, one of them phone_number")
	}
	if len(t.out.Variables) > maxKeys {
		return false, fault.Invalidf("recipients", "at most %d columns besides phone_number, name, external_id and timezone", maxKeys)
	}
	return true, nil
}

// columnName is how a column is spoken of: First Name is first_name.
func columnName(cell string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(cell), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '\u00a0' || r == '\t' || r < ' '
	}), "_")
}

// row reads a recipient, or says why it can't be one.
func (t *csvTable) row(line int, record []string) {
	var in RecipientInput
	var number string
	variables := map[string]string{}
	for i, cell := range record {
		if !utf8.ValidString(cell) {
			t.reject(line, number, "not valid UTF-8; save the file as “CSV UTF-8”")
			return
		}
		cell = strings.Clone(export.Text(strings.TrimSpace(cell))) // the record is used again, and must not be kept alive
		switch {
		case i >= len(t.columns) && cell != "":
			t.reject(line, number, fmt.Sprintf("has %d cells, but there are %d columns", len(record), len(t.columns)))
			return
		case i >= len(t.columns):
		case t.columns[i] == "phone_number":
			number = cell
		case t.columns[i] == "name":
			in.Name = cell
		case t.columns[i] == "external_id":
			in.ExternalID = cell
		case t.columns[i] == "timezone":
			in.Timezone = cell
		case t.names[i] != "" && cell != "":
			variables[t.names[i]] = cell
		}
	}
	read, err := phone.ParseNational(number, t.region)
	if err != nil {
		t.reject(line, number, err.Error())
		return
	}
	in.PhoneNumber = string(read)
	if len(variables) > 0 {
		if in.Variables, err = json.Marshal(variables); err != nil {
			t.reject(line, number, "its variables can't be read")
			return
		}
	}
	problems := t.out.Recipients.add(in)
	if len(problems) == 0 {
		t.out.Recipients.count++
		t.sample(line, number, in.Name, variables)
		return
	}
	reasons := make([]string, len(problems))
	for i, p := range problems {
		reasons[i] = p.Path + ": " + p.Message
	}
	t.reject(line, number, strings.Join(reasons, "; "))
}

// sample keeps the row that was just added, if it is one of the first.
func (t *csvTable) sample(line int, number, name string, variables map[string]string) {
	if len(t.out.Sample) == sampleRows {
		return
	}
	e := t.out.Recipients.last()
	row := SampleRow{Line: line, Number: number, Name: name, Read: e.number, Duplicate: e.duplicate}
	for _, v := range t.out.Variables {
		row.Variables = append(row.Variables, variables[v])
	}
	t.out.Sample = append(t.out.Sample, row)
}

// maxShownNumber is how much of what should be a number is shown, in
// characters.
const maxShownNumber = 40

func (t *csvTable) reject(line int, number, reason string) {
	if shown := []rune(number); len(shown) > maxShownNumber {
		number = string(shown[:maxShownNumber]) + "…"
	}
	t.out.Problems = append(t.out.Problems, RowProblem{Line: line, Number: number, Reason: reason})
}

func blank(record []string) bool {
	return !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}
