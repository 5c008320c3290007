package campaign

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

func TestParseCSV(t *testing.T) {
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
				{"+13125550142", "Lovelace, Ada", "a-1", "America/Chicago", `{"balance_due":"12,50","first_name":"Ada"}`},
				{"+13125550143", "", "", "", "{}"},
			},
		},
		"semicolons with a byte order mark and Windows line ends": {
			file: "\uFEFFPhone;Name\r\n3125550142;Ada\r\n",
			rows: []row{{"+13125550142", "Ada", "", "", "{}"}},
		},
		"tabs":              {file: "name\tphone\nAda\t+13125550142\n", rows: []row{{"+13125550142", "Ada", "", "", "{}"}}},
		"a line for Excel":  {file: "sep=;\nphone;note\n3125550142;a,b,c\n", rows: []row{{"+13125550142", "", "", "", `{"note":"a,b,c"}`}}},
		"numbers alone":     {file: "+13125550142\n312 555 0143", rows: []row{{"+13125550142", "", "", "", "{}"}, {"+13125550143", "", "", "", "{}"}}},
		"a break in a cell": {file: "phone,note\n3125550142,\"a\nb\"\n12,\n", rows: []row{{"+13125550142", "", "", "", `{"note":"a\nb"}`}}, problems: []RowProblem{{4, "12", "not a possible phone number"}}},
		"every bad row with its line": {
			file: "phone_number,external_id,timezone\n" +
				"+13125550142,x,\n" +
				"911,,\n" +
				",y,\n" +
				"+13125550143,x,\n" +
				"+13125550144,,Mars/Olympus\n" +
				"+13125550145,,,surplus\n" +
				"+13125550146,\xff,\n" +
				"1.31E+10,,\n" +
				"\"+1\" 3,,\n" +
				"+13125550147,,\n",
			rows: []row{{"+13125550142", "", "x", "", "{}"}, {"+13125550147", "", "", "", "{}"}},
			problems: []RowProblem{
				{3, "911", "emergency and short numbers can't be called"},
				{4, "", "no phone number"},
				{5, "+13125550143", "external_id: used by an earlier recipient of this campaign"},
				{6, "+13125550144", "timezone: not an IANA time zone"},
				{7, "+13125550145", "has 4 cells, but there are 3 columns"},
				{8, "+13125550146", "not valid UTF-8; save the file as “CSV UTF-8”"},
				{9, "1.31E+10", "the spreadsheet has rounded this number; format its column as text"},
				{10, "", `this row can't be read: extraneous or missing " in quoted-field`},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseCSV(iotest.OneByteReader(strings.NewReader(test.file)), "US")
			if err != nil {
				t.Fatal(err)
			}
			var rows []row
			for e := range got.Recipients.each {
				rows = append(rows, row{string(e.number), e.name, e.externalID, e.timezone, string(e.variables)})
			}
			if !reflect.DeepEqual(rows, test.rows) {
				t.Errorf("rows %q, want %q", rows, test.rows)
			}
			if !reflect.DeepEqual(got.Problems, test.problems) {
				t.Errorf("problems %+v, want %+v", got.Problems, test.problems)
			}
			if got.Rows != len(rows)+len(got.Problems) || got.Recipients.Len() != len(rows) {
				t.Errorf("%d rows, %d recipients, %d problems", got.Rows, got.Recipients.Len(), len(got.Problems))
			}
		})
	}
}

func TestParseCSVRefusesFiles(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                                "recipients: the file has no rows",
		"phone_number\n":                  "recipients: the file has no rows",
		"name,city\nAda,London\n":         "recipients: the first row must name the columns, one of them phone_number",
		"phone,Phone Number\n1,2\n":       "recipients: two columns are called phone_number",
		"phone,city,City\n1,2,3\n":        "recipients: two columns are called city",
		"\xff\xfep\x00h\x00":              "recipients: the file is not CSV in UTF-8; save it as “CSV UTF-8”",
		"phone,stra\xdfe\n1,2\n":          "recipients: the file is not CSV in UTF-8; save it as “CSV UTF-8”",
		"phone" + strings.Repeat(",", 20): "recipients: the file has no rows",
	} {
		_, err := ParseCSV(strings.NewReader(file), "US")
		if fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
	broken := errors.New("the connection broke")
	_, err := ParseCSV(io.MultiReader(strings.NewReader("phone\n+13125550142\n"), iotest.ErrReader(broken)), "US")
	if !errors.Is(err, broken) || fault.KindOf(err) != fault.Internal {
		t.Errorf("a broken connection: %v", err)
	}
}

// Whatever a file holds, no row is lost: it is a recipient that a campaign
// takes, or a problem with the line it stands in.
func FuzzParseCSV(f *testing.F) {
	f.Add("phone_number,name\n+13125550142,Ada\n")
	f.Add("\uFEFFphone;a;b\r\n\"312 555 0142\";\"x\"\"y\";\r\n")
	f.Add("sep=\t\nphone\tx\n1\t2\n")
	f.Add("phone\n\"")
	f.Fuzz(func(t *testing.T, file string) {
		got, err := ParseCSV(strings.NewReader(file), "US")
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatal(err)
			}
			return
		}
		if got.Rows != got.Recipients.Len()+len(got.Problems) {
			t.Fatalf("%d rows, but %d recipients and %d problems", got.Rows, got.Recipients.Len(), len(got.Problems))
		}
		last := 0
		for _, p := range got.Problems {
			if p.Line < last || p.Reason == "" || p.Line > strings.Count(file, "\n")+strings.Count(file, "\r")+1 {
				t.Fatalf("problem %+v after line %d", p, last)
			}
			last = p.Line
		}
		id := uuid.NewString()
		d := Draft{Name: "x", ProjectID: id, AgentID: id, PhoneNumberID: id, Recipients: got.Recipients}
		if err := d.Check(epoch); got.Recipients.Len() > 0 && err != nil {
			t.Fatalf("the campaign refuses what the file's reader took: %v", err)
		}
	})
}
