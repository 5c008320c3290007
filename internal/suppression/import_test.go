package suppression_test

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/suppression"
)

// What is stored about a row shows no phone number.
func TestARowIsMasked(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"call me":                          "call me",
		"":                                 "",
		"555-01":                           "555-01",
		"+1 (312) 555.0142":                "…42",
		"312, 555, 0142":                   "…42",
		"+1 312 555 O142":                  "…55 O142",
		"312a555b0142":                     "…42",
		"٠١٢٣٤٥٦٧٨":                        "…٧٨",
		"+1 312 555 0142; +1 312 555 0143": "…43",
		"call\x00me\tnow":                  "call me now",
		strings.Repeat("é", 41):            strings.Repeat("é", 40) + "…",
	} {
		if got := (suppression.RowProblem{Cell: cell}).Masked().Cell; got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

// A file without a column of phone numbers is refused with the columns that it names. A row that is no header is not
// repeated.
func TestAFileWithoutNumbers(t *testing.T) {
	t.Parallel()
	const do = " Name the column with the phone numbers phone_number, or make it the first column"
	for content, want := range map[string]string{
		"name,\nAna,":            `no column is named phone_number. The only column is "name".` + do,
		"Full name;Contact\na;b": `no column is named phone_number. The columns are "Full name" and "Contact".` + do,
		"a,,b,c,line 1,d,e\n": `no column is named phone_number. The columns are "a", "b", "c", "line 1", "d" and ` +
			`1 more.` + do,
		"Ana,+1 312 555 0142\n":  "no column is named phone_number." + do,
		"Ana,ana@example.com\n1": "no column is named phone_number." + do,
		"name," + strings.Repeat("x", 41): `no column is named phone_number. The columns are "name" and "` +
			strings.Repeat("x", 40) + `…".` + do,
	} {
		_, err := suppression.ReadFile(strings.NewReader(content), "US")
		if err == nil || err.Error() != "file: "+want {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}
