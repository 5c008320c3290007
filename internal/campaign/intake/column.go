package intake

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/sheet"
)

// Use says what a column of a file contains.
type Use string

const (
	UseNothing          Use = "none" // the column is ignored
	UseNumber           Use = "phone_number"
	UseName             Use = "name"
	UseExternalID       Use = "external_id"
	UseTimezone         Use = "timezone"
	UseConsentBasis     Use = "consent_basis"
	UseConsentAt        Use = "consent_at"
	UseConsentSource    Use = "consent_source"
	UseConsentExpiresAt Use = "consent_expires_at"
	UseVariable         Use = "variable"
)

// Uses lists everything a column may be used for.
var Uses = []Use{UseNumber, UseName, UseExternalID, UseTimezone, UseConsentBasis, UseConsentAt, UseConsentSource,
	UseConsentExpiresAt, UseVariable, UseNothing}

// asVariable begins the use of a column that becomes a variable with another name than its own.
const asVariable = string(UseVariable) + ":"

// AsVariable is the use of a column as a variable of another name.
func AsVariable(name string) Use { return Use(asVariable + name) }

// Column is a column of a file.
type Column struct {
	Header  string // the column's name in the file; empty: the file has none
	Own     string // the column's name as the name of a variable; unique in the file
	Name    string // the name of its variable, as in {{first_name}}: Own, unless another one was chosen
	Use     Use
	Samples []string // the column's first values
}

// Choice is the use that stands for the column as it is.
func (c Column) Choice() Use {
	if c.Use == UseVariable && c.Name != c.Own {
		return AsVariable(c.Name)
	}
	return c.Use
}

// known lists the usual names of columns, as sheet.ColumnName normalizes them. "id" is
// missing on purpose: an external_id is unique in a campaign, but the ID in a
// spreadsheet often is not.
var known = map[Use][]string{
	UseNumber: sheet.NumberColumns,
	UseName: {
		"name", "full_name", "fullname", "contact_name", "customer_name", "patient_name", "recipient_name", "contact",
		"customer", "patient", "recipient", "vollständiger_name", "nom_complet", "nombre_completo",
	},
	UseExternalID:       {"external_id", "externalid", "external_reference", "external_ref"},
	UseTimezone:         {"timezone", "time_zone", "tz", "zeitzone"},
	UseConsentBasis:     {"consent_basis", "consent", "legal_basis", "lawful_basis", "einwilligung"},
	UseConsentAt:        {"consent_at", "consent_date", "consented_at", "consent_time", "opt_in_at", "opt_in_date"},
	UseConsentSource:    {"consent_source", "opt_in_source"},
	UseConsentExpiresAt: {"consent_expires_at", "consent_expires", "consent_until", "consent_valid_until"},
}

const columnSamples = 3

// columns detects the columns of a file, and returns the rows without the
// header.
func (r *reader) columns(rows []sheet.Row) []sheet.Row {
	cells := rows[0].Cells
	if rows[0].Problem != "" {
		cells = nil
	}
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = sheet.ColumnName(cell)
	}
	r.out.Header = r.header(cells, names)
	if r.how.Header != nil {
		r.out.Header = *r.how.Header
	}
	width := len(cells)
	if r.out.Header {
		rows = rows[1:]
	} else { // no row determines the number of columns
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
		if r.out.Header {
			c.Header, c.Name = cells[i], names[i]
		}
		if c.Name == "" {
			c.Name = fmt.Sprintf("column_%d", i+1)
			if r.out.Header {
				c.Use = UseNothing // a column without a name is ignored
			}
		}
		c.Own = unique(c.Name, taken)
		c.Name = c.Own
		for _, row := range rows {
			if row.Problem == "" && i < len(row.Cells) && row.Cells[i] != "" && len(c.Samples) < columnSamples {
				c.Samples = append(c.Samples, shorten(row.Cells[i]))
			}
		}
	}
	r.out.Columns = columns
	if len(r.how.Uses) == len(columns) {
		for i, use := range r.how.Uses {
			columns[i].Use = use
			if name, is := strings.CutPrefix(string(use), asVariable); is {
				columns[i].Use, columns[i].Name = UseVariable, name
			}
		}
		if r.how.Guess {
			r.wanted()
		}
		return rows
	}
	if r.out.Header {
		for use, synonyms := range known {
			if i := sheet.Find(names, synonyms); i >= 0 {
				columns[i].Use = use
			}
		}
		r.consents()
	}
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Use == UseNumber }) {
		if i := r.numbers(rows); i >= 0 {
			columns[i].Use = UseNumber
		}
	}
	if !r.out.Header {
		if i := r.names(rows); i >= 0 {
			columns[i].Use = UseName
		}
	}
	r.wanted()
	return rows
}

// consents leaves the other columns of a consent as variables if no column has its basis, because no consent is stored
// without one, and each row would be refused.
func (r *reader) consents() {
	if slices.ContainsFunc(r.out.Columns, func(c Column) bool { return c.Use == UseConsentBasis }) {
		return
	}
	for i := range r.out.Columns {
		switch c := &r.out.Columns[i]; c.Use {
		case UseConsentAt, UseConsentSource, UseConsentExpiresAt:
			c.Use = UseVariable
		case UseNothing, UseNumber, UseName, UseExternalID, UseTimezone, UseConsentBasis, UseVariable:
		}
	}
}

// names returns the first column of a file without a header whose cells are words in most rows, because people write a
// number and a name. Otherwise it returns -1.
func (r *reader) names(rows []sheet.Row) int {
	for i, c := range r.out.Columns {
		n := 0
		for _, row := range rows {
			if row.Problem == "" && i < len(row.Cells) && isWords(row.Cells[i]) {
				n++
			}
		}
		if c.Use == UseVariable && n > len(rows)/2 && !slices.Contains(r.how.Wanted, c.Own) {
			return i
		}
	}
	return -1
}

// isWords reports whether a cell has letters, and none of what names lack.
func isWords(cell string) bool {
	return strings.ContainsFunc(cell, unicode.IsLetter) &&
		!strings.ContainsFunc(cell, func(c rune) bool { return unicode.IsDigit(c) || strings.ContainsRune("@/:_", c) })
}

// wanted gives columns the names of wanted variables that no column has: those with the same letters, and those whose
// names mean the same.
func (r *reader) wanted() {
	for _, name := range r.how.Wanted {
		given := func(c Column) bool { return c.Use == UseVariable && c.Name == name }
		if slices.ContainsFunc(r.out.Columns, given) {
			continue
		}
		for i := range r.out.Columns {
			c := &r.out.Columns[i]
			free := c.Use == UseVariable && c.Name == c.Own && !slices.Contains(r.how.Wanted, c.Own)
			if free && sameVariable(c.Own, name) {
				c.Name = name
				break
			}
		}
	}
}

// firstNames and lastNames are the names of columns of the parts of a name, as letters returns them.
var (
	firstNames = []string{
		"firstname", "givenname", "forename", "fname", "first", "firstnames", "givennames", "christianname", "vorname",
		"prénom", "prenom", "nombre", "nome", "fornavn", "förnamn", "voornaam", "imię", "imie", "jméno", "ad",
	}
	lastNames = []string{
		"lastname", "surname", "familyname", "lname", "last", "lastnames", "familynames", "nachname", "familienname",
		"nom", "apellido", "apellidos", "cognome", "sobrenome", "apelido", "etternavn", "efternamn", "efternavn",
		"achternaam", "nazwisko", "příjmení", "soyad",
	}
	vagueNames = []string{"first", "ad"} // of firstNames, only beside a last name
)

// synonyms are the names of variables that mean the same, as letters returns them.
var synonyms = [][]string{
	firstNames, lastNames,
	{
		"date", "day", "appointmentdate", "visitdate", "appointmentday", "datum", "termin", "tag", "fecha", "jour",
		"data", "giorno", "día", "dia",
	},
	{
		"time", "hour", "appointmenttime", "visittime", "uhrzeit", "zeit", "heure", "hora", "ora", "tijd", "tid",
		"godzina",
	},
	{"email", "mail", "emailaddress", "correo", "courriel"},
	{"city", "town", "ort", "stadt", "ciudad", "ville", "città", "cidade", "miasto"},
	{"company", "firm", "organization", "firma", "empresa", "société", "entreprise", "azienda"},
}

// nameParts returns the columns that make the names of people: a first name and, if there is one, a last name. It is
// -1 for a missing column, and for both if a column has the whole names.
func (i *File) nameParts() (first, last int) {
	first, last = -1, -1
	for n, c := range i.Columns {
		name := letters(c.Name)
		switch {
		case c.Use == UseName:
			return -1, -1
		case c.Use != UseVariable:
		case first < 0 && slices.Contains(firstNames, name):
			first = n
		case last < 0 && slices.Contains(lastNames, name):
			last = n
		}
	}
	if first < 0 || last < 0 && slices.Contains(vagueNames, letters(i.Columns[first].Name)) {
		return -1, -1
	}
	return first, last
}

// NameColumns returns the columns that make the name of a person, in the order of the name. There is none if the list
// has no names.
func (i *File) NameColumns() (columns []Column) {
	for _, c := range i.Columns {
		if c.Use == UseName {
			return []Column{c}
		}
	}
	first, last := i.nameParts()
	for _, n := range []int{first, last} {
		if n >= 0 {
			columns = append(columns, i.Columns[n])
		}
	}
	return columns
}

// fullName joins the parts of a name. A last name alone makes no name, because it would be taken for a first name.
func fullName(first, last string) string {
	first, last = oneLine(first), oneLine(last)
	if first == "" {
		return ""
	}
	name := []rune(strings.TrimSpace(first + " " + last))
	return strings.TrimSpace(string(name[:min(len(name), MaxName)]))
}

// oneLine replaces each run of spaces and control characters by a space.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// sameVariable reports whether the names of two variables mean the same.
func sameVariable(a, b string) bool {
	a, b = letters(a), letters(b)
	return a == b || slices.ContainsFunc(synonyms, func(group []string) bool {
		return slices.Contains(group, a) && slices.Contains(group, b)
	})
}

// letters is a name without what only separates its words.
func letters(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name))
}

// header reports whether the first row looks like a header: it contains a known
// name, or no phone number.
func (r *reader) header(cells, names []string) bool {
	for _, synonyms := range known {
		if sheet.Find(names, synonyms) >= 0 {
			return true
		}
	}
	return len(cells) > 0 && !slices.ContainsFunc(cells, r.isNumber)
}

func (r *reader) isNumber(cell string) bool {
	_, err := phone.ParseNational(cell, r.how.Region)
	return err == nil
}

// numbers returns the column with the most phone numbers, if more than half of the rows
// have one. Otherwise it returns -1.
func (r *reader) numbers(rows []sheet.Row) int {
	best, most := -1, len(rows)/2
	for i := range r.out.Columns {
		n := 0
		for _, row := range rows {
			if row.Problem == "" && i < len(row.Cells) && r.isNumber(row.Cells[i]) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// unique returns a name for a variable that no other column has.
func unique(name string, taken map[string]bool) string {
	if runes := []rune(name); len(runes) > check.MaxKeyLength {
		name = string(runes[:check.MaxKeyLength])
	}
	free := name
	for n := 2; taken[free]; n++ {
		suffix := fmt.Sprintf("_%d", n)
		runes := []rune(name)
		free = string(runes[:min(len(runes), check.MaxKeyLength-len(suffix))]) + suffix
	}
	taken[free] = true
	return free
}

// checkUses refuses uses that contradict each other.
func checkUses(columns []Column) error {
	count := map[Use]int{}
	named := map[string]bool{}
	for _, c := range columns {
		if c.Use == UseVariable {
			if n := utf8.RuneCountInString(c.Name); n == 0 || n > check.MaxKeyLength {
				return fault.Invalidf("recipients", "unknown use of a column: %q", c.Choice())
			}
			if named[c.Name] {
				return fault.Invalidf("recipients", "two columns are set to {{%s}}. Keep only one", c.Name)
			}
			named[c.Name] = true
		}
		if !slices.Contains(Uses, c.Use) {
			return fault.Invalidf("recipients", "unknown use of a column: %q", c.Use)
		}
		if count[c.Use]++; count[c.Use] > 1 && c.Use != UseVariable && c.Use != UseNothing {
			return fault.Invalidf("recipients", "two columns are set to %s. Keep only one",
				strings.ReplaceAll(string(c.Use), "_", " "))
		}
	}
	if count[UseNumber] == 0 {
		return fault.Invalidf("recipients",
			"no column looks like phone numbers. Choose the phone number column, or name it phone_number")
	}
	if count[UseVariable] > check.MaxKeys {
		return fault.Invalidf("recipients",
			"%d columns would become variables, but only %d are allowed. Leave some out", count[UseVariable],
			check.MaxKeys)
	}
	return nil
}

// no lists the words by which a file says that a person has not consented.
var no = []string{
	"no", "n", "false", "0", "none", "nein", "non", "denied", "refused", "withdrawn", "opted out", "opt-out",
}

// consentCells are the consent columns of a row.
type consentCells struct{ basis, at, source, expires string }

// consent reads the consent columns of a row. problem says why the row is
// rejected: a person whose consent is "no" must not be called.
func (c consentCells) consent(zone *time.Location) (in *Consent, problem string) {
	if slices.Contains(no, strings.ToLower(c.basis)) {
		return nil, "consent: the list says “" + strings.Clone(c.basis) + "”"
	}
	if c == (consentCells{}) {
		return nil, ""
	}
	if c.basis == "" {
		return nil, "consent without its basis: fill in the column of the basis, or leave out the consent columns"
	}
	in = &Consent{Basis: strings.Clone(c.basis), Source: strings.Clone(c.source)}
	if in.At, problem = consentTime("consent date", c.at, zone); problem != "" {
		return nil, problem
	}
	if in.ExpiresAt, problem = consentTime("end of the consent", c.expires, zone); problem != "" {
		return nil, problem
	}
	return in, ""
}

func consentTime(name, cell string, zone *time.Location) (at *time.Time, problem string) {
	if cell == "" {
		return nil, ""
	}
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
		"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006",
	} {
		if t, err := time.ParseInLocation(layout, cell, zone); err == nil {
			return new(t.UTC().Truncate(time.Millisecond)), ""
		}
	}
	// 03/04/2026 is March in some countries and April in others, and the time of a
	// consent is evidence.
	return nil, name + ": write it as 2026-03-31 or 2026-03-31 14:05"
}
