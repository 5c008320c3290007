package campaign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/sheet"
)

// Use is what a column of a file is for.
type Use string

const (
	UseNothing      Use = "none" // left out
	UseNumber       Use = "phone_number"
	UseName         Use = "name"
	UseExternalID   Use = "external_id"
	UseTimezone     Use = "timezone"
	UseConsentBasis Use = "consent_basis"
	UseConsentAt    Use = "consent_at"
	UseVariable     Use = "variable"
)

// Uses are all that a column may be for.
var Uses = []Use{UseNumber, UseName, UseExternalID, UseTimezone, UseConsentBasis, UseConsentAt, UseVariable, UseNothing}

// Column is a column of a file.
type Column struct {
	Header  string // as the file names it, empty when it doesn't
	Name    string // as a variable, {{first_name}}; each once in a file
	Use     Use
	Samples []string // the first few values it has
}

// known are the names, as sheet.ColumnName makes them, by which columns go.
// Columns called id are not among them: an external id is unique in a campaign,
// theirs often is not.
var known = map[Use][]string{
	UseNumber:       sheet.NumberColumns,
	UseName:         {"name", "full_name", "fullname", "contact_name", "customer_name", "patient_name", "recipient_name", "contact", "customer", "patient", "recipient", "vollständiger_name", "nom_complet", "nombre_completo"},
	UseExternalID:   {"external_id", "externalid", "external_reference", "external_ref"},
	UseTimezone:     {"timezone", "time_zone", "tz", "zeitzone"},
	UseConsentBasis: {"consent_basis", "consent", "legal_basis", "lawful_basis", "einwilligung"},
	UseConsentAt:    {"consent_at", "consent_date", "consented_at", "consent_time", "opt_in_at", "opt_in_date"},
}

const columnSamples = 3

// columns finds out what the columns of a file are, and returns the rows
// without the one that names them.
func (l *list) columns(rows []sheet.Row) []sheet.Row {
	cells := rows[0].Cells
	if rows[0].Problem != "" {
		cells = nil
	}
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = sheet.ColumnName(cell)
	}
	l.out.Header = l.header(cells, names)
	if l.how.Header != nil {
		l.out.Header = *l.how.Header
	}
	width := len(cells)
	if l.out.Header {
		rows = rows[1:]
	} else { // no row says how many there are
		for _, row := range rows {
			if row.Problem == "" {
				width = max(width, len(row.Cells))
			}
		}
	}
	columns := make([]Column, width)
	taken := map[string]bool{}
	for i := range columns {
		c := &columns[i]
		c.Use = UseVariable
		if l.out.Header {
			c.Header, c.Name = cells[i], names[i]
		}
		if c.Name == "" {
			c.Name = fmt.Sprintf("column_%d", i+1)
			if l.out.Header {
				c.Use = UseNothing // a column without a name is left out
			}
		}
		c.Name = unique(c.Name, taken)
		for _, row := range rows {
			if row.Problem == "" && i < len(row.Cells) && row.Cells[i] != "" && len(c.Samples) < columnSamples {
				c.Samples = append(c.Samples, shorten(row.Cells[i]))
			}
		}
	}
	l.out.Columns = columns
	if len(l.how.Uses) == len(columns) {
		for i, use := range l.how.Uses {
			columns[i].Use = use
		}
		return rows
	}
	if l.out.Header {
		for use, synonyms := range known {
			if i := sheet.Find(names, synonyms); i >= 0 {
				columns[i].Use = use
			}
		}
	}
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Use == UseNumber }) {
		if i := l.numbers(rows); i >= 0 {
			columns[i].Use = UseNumber
		}
	}
	return rows
}

// header tells whether the first row looks like one that names the columns: it
// has a name that is known, or no number that could be called.
func (l *list) header(cells, names []string) bool {
	for _, synonyms := range known {
		if sheet.Find(names, synonyms) >= 0 {
			return true
		}
	}
	return len(cells) > 0 && !slices.ContainsFunc(cells, l.isNumber)
}

func (l *list) isNumber(cell string) bool {
	_, err := phone.ParseNational(cell, l.how.Region)
	return err == nil
}

// numbers is the column that holds the most phone numbers, at least in every
// other row; -1 when there is none.
func (l *list) numbers(rows []sheet.Row) int {
	best, most := -1, len(rows)/2
	for i := range l.out.Columns {
		n := 0
		for _, row := range rows {
			if row.Problem == "" && i < len(row.Cells) && l.isNumber(row.Cells[i]) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// unique is a name for a variable that no other column has.
func unique(name string, taken map[string]bool) string {
	if runes := []rune(name); len(runes) > maxKeyLength {
		name = string(runes[:maxKeyLength])
	}
	free := name
	for n := 2; taken[free]; n++ {
		suffix := fmt.Sprintf("_%d", n)
		runes := []rune(name)
		free = string(runes[:min(len(runes), maxKeyLength-len(suffix))]) + suffix
	}
	taken[free] = true
	return free
}

// checkUses refuses columns that can't be read as they are said to be.
func checkUses(columns []Column) error {
	count := map[Use]int{}
	for _, c := range columns {
		if !slices.Contains(Uses, c.Use) {
			return fault.Invalidf("recipients", "unknown use of a column: %q", c.Use)
		}
		if count[c.Use]++; count[c.Use] > 1 && c.Use != UseVariable && c.Use != UseNothing {
			return fault.Invalidf("recipients", "two columns are set to %s. Keep only one", strings.ReplaceAll(string(c.Use), "_", " "))
		}
	}
	if count[UseNumber] == 0 {
		return fault.Invalidf("recipients", "no column looks like phone numbers. Choose the phone number column")
	}
	if count[UseVariable] > maxKeys {
		return fault.Invalidf("recipients", "%d columns would become variables, but only %d are allowed. Leave some out", count[UseVariable], maxKeys)
	}
	return nil
}

// no are the words by which a list says that somebody has not consented.
var no = []string{"no", "n", "false", "0", "none", "nein", "non", "denied", "refused", "withdrawn", "opted out", "opt-out"}

// consent reads what a file says of somebody's consent; problem says why it
// can't be called upon. A list that has the answer "no" is not a list of people
// to call, so that is no basis.
func consent(basis, at string, zone *time.Location) (in *ConsentInput, problem string) {
	if slices.Contains(no, strings.ToLower(basis)) {
		return nil, "consent: the list says “" + strings.Clone(basis) + "”"
	}
	if basis == "" && at == "" {
		return nil, ""
	}
	in = &ConsentInput{Basis: strings.Clone(basis)}
	if at == "" {
		return in, ""
	}
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006"} {
		if t, err := time.ParseInLocation(layout, at, zone); err == nil {
			in.At = cut(&t)
			return in, ""
		}
	}
	// 03/04/2026 is March here and April there, and when somebody consented is
	// evidence.
	return nil, "consent_at: write it as 2026-03-31 or 2026-03-31 14:05"
}
