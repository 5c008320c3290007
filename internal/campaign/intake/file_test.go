package intake

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

func TestReadList(t *testing.T) {
	t.Parallel()
	type row struct{ number, name, externalID, timezone, variables string }
	for name, test := range map[string]struct {
		file     string
		rows     []row
		problems []RowProblem
	}{
		"comma, quotes, variables": {
			file: "phone_number,Name,external_id,Time Zone,First Name,Balance due\n" +
				"+13125550142,\"Lovelace, Ada\",a-1,America/Chicago,Ada,\"12,50\"\n" +
				"\n , , \n" +
				"(312) 555-0143,,,,,\n",
			rows: []row{
				{
					"+13125550142", "Lovelace, Ada", "a-1", "America/Chicago",
					`{"balance_due":"12,50","first_name":"Ada"}`,
				},
				{"+13125550143", "", "", "", "{}"},
			},
		},
		"semicolons with a byte order mark and Windows line ends": {
			file: "\uFEFFPhone;Name\r\n3125550142;Ada\r\n",
			rows: []row{{"+13125550142", "Ada", "", "", "{}"}},
		},
		"tabs": {
			file: "name\tphone\nAda\t+13125550142\n", rows: []row{{"+13125550142", "Ada", "", "", "{}"}},
		},
		"a line for Excel": {
			file: "sep=;\nphone;note\n3125550142;a,b,c\n",
			rows: []row{{"+13125550142", "", "", "", `{"note":"a,b,c"}`}},
		},
		"numbers alone": {
			file: "+13125550142\n312 555 0143",
			rows: []row{{"+13125550142", "", "", "", "{}"}, {"+13125550143", "", "", "", "{}"}},
		},
		"a break in a cell": {
			file:     "phone,note\n3125550142,\"a\nb\"\n12,\n",
			rows:     []row{{"+13125550142", "", "", "", `{"note":"a\nb"}`}},
			problems: []RowProblem{{4, "12", "", "phone_number", "not a valid phone number"}},
		},
		"every bad row with its line": {
			file: "phone_number,external_id,timezone\n" +
				"+13125550142,x,\n" +
				"911,,\n" +
				",y,\n" +
				"+13125550143,x,\n" +
				"+13125550144,,Mars/Olympus\n" +
				"+13125550145,,,surplus\n" +
				"+13125550146,é,Zo\xeb\n" +
				"1.31E+10,,\n" +
				"\"+1\" 3,,\n" +
				"+13125550147,,\n",
			rows: []row{{"+13125550142", "", "x", "", "{}"}, {"+13125550147", "", "", "", "{}"}},
			problems: []RowProblem{
				{3, "911", "", "phone_number", "emergency and short numbers cannot be called"},
				{4, "", "", "", "no phone number"},
				{5, "+13125550143", "", "", "external_id: used by an earlier recipient of this campaign"},
				{6, "+13125550144", "", "", "timezone: must be a time zone such as America/Chicago"},
				{7, "+13125550145", "", "", "has 4 cells, but there are 3 columns"},
				{8, "+13125550146", "", "", "timezone: must be a time zone such as America/Chicago"},
				{9, "1.31E+10", "", "phone_number", "the spreadsheet rounded this number. Format its column as text"},
				{10, "", "", "", `this row can't be read: something stands behind a closing quote (")`},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Read(iotest.OneByteReader(strings.NewReader(test.file)), Reading{Region: "US"})
			if err != nil {
				t.Fatal(err)
			}
			var rows []row
			for e := range got.Recipients.Each {
				rows = append(rows, row{string(e.Number), e.Name, e.ExternalID, e.Timezone, string(e.Variables)})
			}
			if !reflect.DeepEqual(rows, test.rows) {
				t.Errorf("rows %q, want %q", rows, test.rows)
			}
			if !reflect.DeepEqual(got.Problems, test.problems) {
				t.Errorf("problems %+v, want %+v", got.Problems, test.problems)
			}
			if got.Rows != len(rows)+got.Rejected || got.Recipients.Len() != len(rows) {
				t.Errorf("%d rows, %d recipients, %d problems", got.Rows, got.Recipients.Len(), len(got.Problems))
			}
		})
	}
}

func TestReadListRefusesFiles(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":               "recipients: the file has no rows",
		"phone_number\n": "recipients: the file has no rows",
		"name,city\nAda,London\n": "recipients: no column looks like phone numbers. Choose the phone number column, " +
			"or name it phone_number",
		"PK\x03\x04": "recipients: this is a spreadsheet file. Save it as CSV and use that file",
		"phone" + strings.Repeat(",x", 51) +
			"\n1": "recipients: 51 columns would become variables, but only 50 are allowed. Leave some out",
		"phone" + strings.Repeat(",", 20): "recipients: the file has no rows",
	} {
		_, err := Read(strings.NewReader(file), Reading{Region: "US"})
		if fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
	broken := errors.New("the connection broke")
	_, err := Read(io.MultiReader(strings.NewReader("phone\n+13125550142\n"), iotest.ErrReader(broken)), Reading{
		Region: "US",
	})
	if !errors.Is(err, broken) || fault.KindOf(err) != fault.Internal {
		t.Errorf("a broken connection: %v", err)
	}
}

// The uses of columns are detected, and Reading.Uses overrides the detection.
func TestColumns(t *testing.T) {
	t.Parallel()
	uses := func(i *File) string {
		var all []string
		for _, c := range i.Columns {
			all = append(all, c.Name+"="+string(c.Use))
		}
		return strings.Join(all, " ")
	}
	yes, none := true, false
	for name, c := range map[string]struct {
		file string
		how  Reading
		want string
		err  string
		rows int
	}{
		"by name": {"Mobile;Full Name;External ID;Time-Zone;Consent;Consent date;City\n3125550142;;;;;;\n", Reading{},
			"mobile=phone_number full_name=name external_id=external_id time_zone=timezone consent=consent_basis " +
				"consent_date=consent_at city=variable", "", 1},
		"the plainest name": {
			"mobile,phone,city,City,\n1,2\n", Reading{},
			"mobile=variable phone=phone_number city=variable city_2=variable column_5=none", "", 1,
		},
		"by what they hold": {
			"wer,wohin\nAda,3125550142\nBo,\nCy,3125550143\n", Reading{}, "wer=variable wohin=phone_number", "", 3,
		},
		"no header": {
			"Ada,(312) 555-0142,x\nBo,312 555 0143\n", Reading{},
			"column_1=name column_2=phone_number column_3=variable", "", 2,
		},
		"said to have none": {
			"phone,name\n3125550142,Ada\n", Reading{Header: &none, Uses: []Use{UseNumber, UseName}},
			"column_1=phone_number column_2=name", "", 2,
		},
		"said to have one": {"3125550142\n3125550143\n", Reading{Header: &yes}, "3125550142=phone_number", "", 1},
		"said": {
			"phone,mobile,name\n1,3125550142,x\n", Reading{Uses: []Use{UseNothing, UseNumber, UseVariable}},
			"phone=none mobile=phone_number name=variable", "", 1,
		},
		"said for others": {
			"phone\n3125550142\n", Reading{Uses: []Use{UseName, UseNumber}}, "phone=phone_number", "", 1,
		},
		"said twice": {
			"phone,mobile\n1,2\n", Reading{Uses: []Use{UseNumber, UseNumber}},
			"phone=phone_number mobile=phone_number",
			"recipients: two columns are set to phone number. Keep only one", 0,
		},
		"said nonsense": {
			"phone\n1\n", Reading{Uses: []Use{"weather"}}, "phone=weather",
			`recipients: unknown use of a column: "weather"`, 0,
		},
		"none": {
			"who,where\nAda,London\n", Reading{}, "who=variable where=variable",
			"recipients: no column looks like phone numbers. Choose the phone number column, " +
				"or name it phone_number", 0,
		},
	} {
		c.how.Region = "US"
		got, err := Read(strings.NewReader(c.file), c.how)
		if text := ""; err != nil && err.Error() != c.err || err == nil && c.err != text {
			t.Errorf("%s: %v, want %q", name, err, c.err)
			continue
		}
		if uses(got) != c.want || got.Rows != c.rows {
			t.Errorf("%s: %d rows of %s, want %d of %s", name, got.Rows, uses(got), c.rows, c.want)
		}
	}
	got, err := Read(strings.NewReader("who,phone\nAda,"+strings.Repeat("1", 50)+"\n,2\nBo,3\nCy,4\nDi,5\n"), Reading{
		Region: "US",
	})
	if err != nil || strings.Join(got.Columns[0].Samples, " ") != "Ada Bo Cy" ||
		len([]rune(got.Columns[1].Samples[0])) != maxShown+1 {
		t.Errorf("samples %q: %v", got.Columns, err)
	}
}

// Without a column of names, the name of a person is the first and the last name. Both stay variables.
func TestNamesOfTwoColumns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, names, of, variables string
		uses                       []Use
	}{
		"spoken": {
			"Phone,First name,Last name\n3125550142,Ann,Lee\n",
			"Ann Lee", "First name Last name", `{"first_name":"Ann","last_name":"Lee"}`, nil,
		},
		"reversed": {
			"surname;given_name;tel\nde la Cruz; Eva ;3125550142\n",
			"Eva de la Cruz", "given_name surname", `{"given_name":"Eva","surname":"de la Cruz"}`, nil,
		},
		"joined": {
			"FirstName,FamilyName,Phone\nAnn,Lee,3125550142\n",
			"Ann Lee", "FirstName FamilyName", `{"familyname":"Lee","firstname":"Ann"}`, nil,
		},
		"German": {
			"Telefon,Nachname,Vorname\n3125550142,Lee,Ann\n",
			"Ann Lee", "Vorname Nachname", `{"nachname":"Lee","vorname":"Ann"}`, nil,
		},
		"first only": {
			"phone,first_name\n3125550142,Ann\n",
			"Ann", "first_name", `{"first_name":"Ann"}`, nil,
		},
		"cells": {
			"phone,first_name,last_name\n3125550142,Ann,\n3125550143,\"Bo\nB\",\"\tLee\"\n",
			"Ann|Bo B Lee", "first_name last_name", `{"first_name":"Ann"}`, nil,
		},
		// A last name alone would be taken for a first name.
		"last only": {
			"phone,first_name,last_name\n3125550142,,Lee\n",
			"", "first_name last_name", `{"last_name":"Lee"}`, nil,
		},
		"no first": {
			"phone,last_name\n3125550142,Lee\n",
			"", "", `{"last_name":"Lee"}`, nil,
		},
		"a name": {
			"phone,name,first_name,last_name\n3125550142,Dr. Lee,Ann,Lee\n",
			"Dr. Lee", "name", `{"first_name":"Ann","last_name":"Lee"}`, nil,
		},
		"chosen": {
			"phone,Nick,last_name\n3125550142,Ann,Lee\n",
			"Ann Lee", "Nick last_name", `{"first_name":"Ann","last_name":"Lee"}`,
			[]Use{UseNumber, AsVariable("first_name"), UseVariable},
		},
		"left out": {
			"phone,first_name,last_name\n3125550142,Ann,Lee\n",
			"Ann", "first_name", `{"first_name":"Ann"}`, []Use{UseNumber, UseVariable, UseNothing},
		},
		"as a name": {
			"phone,first_name,last_name\n3125550142,Ann,Lee\n",
			"Lee", "last_name", `{"first_name":"Ann"}`, []Use{UseNumber, UseVariable, UseName},
		},
	} {
		got, err := Read(strings.NewReader(c.file), Reading{Region: "US", Uses: c.uses})
		if err != nil {
			t.Fatal(name, err)
		}
		var names, variables, of []string
		for e := range got.Recipients.Each {
			names, variables = append(names, e.Name), append(variables, string(e.Variables))
		}
		for _, column := range got.NameColumns() {
			of = append(of, column.Header)
		}
		if strings.Join(names, "|") != c.names || strings.Join(of, " ") != c.of || variables[0] != c.variables {
			t.Errorf("%s: the names are %q of %q, the variables %q", name, names, of, variables)
		}
	}
	// A long name rejects no row that has room for its parts.
	long := strings.Repeat("x", MaxName)
	got, err := Read(strings.NewReader("phone,first_name,last_name\n3125550142,"+long+",Lee\n"),
		Reading{Region: "US"})
	if err != nil || got.Rejected != 0 || got.Sample[0].Name != long {
		t.Errorf("a long name: %+v, %v", got.Problems, err)
	}
	// A rejected row has the name, too.
	got, err = Read(strings.NewReader("first_name,last_name,phone\nAnn,Lee,12\nBo,Lee,13,more\n"),
		Reading{Region: "US"})
	if err != nil || got.Problems[0].Name != "Ann Lee" || got.Problems[1].Name != "Bo Lee" {
		t.Errorf("rejected rows: %+v, %v", got.Problems, err)
	}
}

// Rows with a refused or unclear consent are rejected.
func TestConsentInFiles(t *testing.T) {
	t.Parallel()
	file := "phone,consent,consent_at\n" +
		"3125550140,,\n3125550141,web form,2026-03-31\n3125550142,web form,31.03.2026 14:05\n3125550143,web " +
		"form,2026-03-31T14:05:00Z\n3125550144,web form,\n" +
		"3125550145,No,\n3125550146,web form,03/04/2026\n3125550147,,2026-03-31\n"
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(strings.NewReader(file), Reading{Region: "US", Zone: chicago})
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for e := range got.Recipients.Each {
		at := "-"
		if e.ConsentAt != nil {
			at = e.ConsentAt.Format(time.RFC3339)
		}
		read = append(read, e.ConsentBasis+" "+at)
	}
	if want := []string{
		" -", "web form 2026-03-31T05:00:00Z", "web form 2026-03-31T19:05:00Z", "web form 2026-03-31T14:05:00Z",
		"web form -",
	}; !reflect.DeepEqual(read, want) {
		t.Errorf("read %q, want %q", read, want)
	}
	var reasons []string
	for _, p := range got.Problems {
		reasons = append(reasons, p.Reason)
	}
	if want := []string{
		"consent: the list says “No”", "consent date: write it as 2026-03-31 or 2026-03-31 14:05",
		"consent without its basis: fill in the column of the basis, or leave out the consent columns",
	}; !reflect.DeepEqual(reasons, want) {
		t.Errorf("reasons %q, want %q", reasons, want)
	}
}

// A column like the date of a consent is a variable in a file without a column of the basis.
func TestConsentColumnsWithoutABasis(t *testing.T) {
	t.Parallel()
	file := "phone,opt-in date,consent source\n3125550140,2026-03-31,web form\n"
	got, err := Read(strings.NewReader(file), Reading{Region: "US"})
	if err != nil || len(got.Problems) > 0 {
		t.Fatalf("%+v, %v", got.Problems, err)
	}
	for e := range got.Recipients.Each {
		want := `{"consent_source":"web form","opt_in_date":"2026-03-31"}`
		if string(e.Variables) != want || e.ConsentAt != nil || e.ConsentSource != "" {
			t.Errorf("%s, %+v", e.Variables, e)
		}
	}
}

// Reject receives every rejected row, including rows that Problems omits. An error of
// Reject ends the reading.
func TestRejectedRowsAreTold(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString("phone,note\n")
	for range keptProblems + 50 {
		file.WriteString("none,\"=1+1\"\n")
	}
	told := 0
	how := Reading{Region: "US", Reject: func(p RowProblem, cells []string) error {
		if told++; p.Line != told+1 || p.Reason == "" || !reflect.DeepEqual(cells, []string{"none", "=1+1"}) {
			t.Errorf("told of %+v, %q", p, cells)
		}
		return nil
	}}
	got, err := Read(strings.NewReader(file.String()), how)
	if err != nil || told != keptProblems+50 || got.Rejected != told || len(got.Problems) != keptProblems {
		t.Errorf("told of %d, %d kept: %v", told, len(got.Problems), err)
	}
	enough := errors.New("enough")
	how.Reject = func(RowProblem, []string) error { return enough }
	if _, err := Read(strings.NewReader(file.String()), how); !errors.Is(err, enough) {
		t.Errorf("the reading goes on: %v", err)
	}
}

// No content of a file loses a row: every row becomes a recipient that a campaign
// accepts, or a problem with its line number.
func FuzzReadList(f *testing.F) {
	f.Add("phone_number,name\n+13125550142,Ada\n")
	f.Add("\uFEFFphone;a;b\r\n\"312 555 0142\";\"x\"\"y\";\r\n")
	f.Add("sep=\t\nphone\tx\n1\t2\n")
	f.Add("phone\n\"")
	f.Fuzz(func(t *testing.T, file string) {
		got, err := Read(strings.NewReader(file), Reading{Region: "US"})
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatal(err)
			}
			return
		}
		if got.Rows != got.Recipients.Len()+got.Rejected {
			t.Fatalf("%d rows, but %d recipients and %d problems", got.Rows, got.Recipients.Len(), got.Rejected)
		}
		last := 0
		for _, p := range got.Problems {
			if p.Line < last || p.Reason == "" || p.Line > strings.Count(file, "\n")+strings.Count(file, "\r")+1 {
				t.Fatalf("problem %+v after line %d", p, last)
			}
			last = p.Line
		}
		var p fault.Problems
		if got.Recipients.Check(&p); got.Recipients.Len() > 0 && p.Err() != nil {
			t.Fatalf("the campaign refuses what the reader of the file accepted: %v", p.Err())
		}
	})
}

// National numbers belong to the region. A number with a + keeps its country.
func TestNationalNumbersInFiles(t *testing.T) {
	t.Parallel()
	const file = "phone\n030 901820\n0151 23456789\n+13125550142\n"
	for region, want := range map[string]string{
		"DE": "+4930901820 +4915123456789 +13125550142",
		"IT": "+39030901820 +39015123456789 +13125550142",
	} {
		got, err := Read(strings.NewReader(file), Reading{Region: region})
		if err != nil {
			t.Fatal(err)
		}
		var numbers []string
		for e := range got.Recipients.Each {
			numbers = append(numbers, e.Number.String())
		}
		if strings.Join(numbers, " ") != want {
			t.Errorf("%s: %v, want %s", region, numbers, want)
		}
	}
}

// Columns are guessed to have the variables that the texts of calls use. The rows without a value are counted.
func TestColumnsForWantedVariables(t *testing.T) {
	t.Parallel()
	const file = "Telefon,Vorname,Termin,City\n3125550142,Ada,Monday,Berlin\n3125550143,,Friday,Rome\n3125550144,,,\n"
	wanted := []string{"first_name", "appointment_date", "city", "name"}
	read := func(uses ...Use) *File {
		t.Helper()
		got, err := Read(strings.NewReader(file), Reading{Region: "US", Wanted: wanted, Uses: uses})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	lacking := func(f *File) []Lacking {
		t.Helper()
		called := slices.Collect(f.Recipients.Each)
		all, err := f.Recipients.Lacking(slices.DeleteFunc(called, func(e *Entry) bool { return e.Duplicate }))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	choices := func(f *File) (all []Use) {
		for _, c := range f.Columns {
			all = append(all, c.Choice())
		}
		return all
	}
	got := read()
	want := []Use{UseNumber, AsVariable("first_name"), AsVariable("appointment_date"), UseVariable}
	if !reflect.DeepEqual(choices(got), want) {
		t.Errorf("the columns are %q, want %q", choices(got), want)
	}
	friday := map[string]string{"name": "", "appointment_date": "Friday", "city": "Rome"}
	bare := map[string]string{"name": ""}
	if want := []Lacking{
		{"first_name", 2, friday, 3, "+13125550143"}, {"appointment_date", 1, bare, 4, "+13125550144"},
		{"city", 1, bare, 4, "+13125550144"}, {"name", 2, friday, 3, "+13125550143"},
	}; !reflect.DeepEqual(lacking(got), want) {
		t.Errorf("rows lack %v, want %v", lacking(got), want)
	}
	if string(got.Recipients.chunks[0][0].Variables) !=
		`{"appointment_date":"Monday","city":"Berlin","first_name":"Ada"}` {
		t.Errorf("the variables are %s", got.Recipients.chunks[0][0].Variables)
	}
	// Parts of the name stand for variables without a column. Nobody hears what a duplicate lacks.
	named, err := Read(strings.NewReader("Phone,Full name\n3125550142,\"Lee, Ann\"\n3125550143,Bea\n3125550143,\n"),
		Reading{Region: "US", Wanted: []string{"first_name", "last_name"}})
	if err != nil {
		t.Fatal(err)
	}
	if l := lacking(named); l[0].Rows != 0 || l[1].Rows != 1 || l[1].First["name"] != "Bea" {
		t.Errorf("rows with names lack %v", l)
	}
	// Only a key is a value, whatever stands in other texts.
	quoting, err := Read(strings.NewReader("Phone,note,\"a\"\"city\"\"\"\n"+
		"3125550142,\"{\"\"city\"\":1,\"\"city\"\":\",city\n"),
		Reading{Region: "US", Wanted: []string{"city", "note"}})
	if err != nil {
		t.Fatal(err)
	}
	if l := lacking(quoting); l[0].Rows != 1 || l[1].Rows != 0 {
		t.Errorf("rows with quotes lack %v", l)
	}
	// Without a header, the words beside the numbers are names.
	for file, want := range map[string][]Use{
		"3125550142,Zed\n3125550143,Ann Lee\n":           {UseNumber, UseName},
		"3125550142,a@example.com,Zed\n":                 {UseNumber, UseVariable, UseName},
		"3125550142,2026-12-01\n3125550143,2026-12-02\n": {UseNumber, UseVariable},
	} {
		got, err := Read(strings.NewReader(file), Reading{Region: "US"})
		if err != nil || !reflect.DeepEqual(choices(got), want) {
			t.Errorf("the columns of %q are %v, %v", file, choices(got), err)
		}
	}
	// What was chosen stays as it is.
	chosen := []Use{UseNumber, UseVariable, AsVariable("first_name"), UseNothing}
	if got := read(chosen...); !reflect.DeepEqual(choices(got), chosen) || got.Columns[1].Name != "vorname" {
		t.Errorf("the chosen columns are %q", choices(got))
	}
	for _, uses := range [][]Use{
		{UseNumber, AsVariable("city"), UseVariable, UseVariable}, {UseNumber, AsVariable(""), UseNothing, UseNothing},
	} {
		_, err := Read(strings.NewReader(file), Reading{Region: "US", Uses: uses})
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", uses, err)
		}
	}
}
