package conversation

import "testing"

func TestPartsOfANameOfAPerson(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][3]string{ // first, last, short
		"":                      {},
		"Anna":                  {"Anna", "", "Anna"},
		"Anna, who answers":     {"Anna", "", "Anna"},
		"Ann Lee":               {"Ann", "Lee", "Ann"},
		"Dr. Ann Lee":           {"Ann", "Lee", "Ann"},
		"Prof. Dr. Ann Lee, MD": {"Ann", "Lee", "Ann"},
		"Ms. Lee":               {"", "Lee", "Lee"},
		"mr. lee":               {"", "lee", "lee"},
		"Dr.":                   {"", "", "Dr"},
		"Lee, Ann":              {"Ann", "Lee", "Ann"},
		"Lee, Jr.":              {"Lee", "", "Lee"},
		"Martin King Jr.":       {"Martin", "King", "Martin"},
		"Eva de la Cruz":        {"Eva", "de la Cruz", "Eva"},
		"Mary-Ann O'Neil":       {"Mary-Ann", "O'Neil", "Mary-Ann"},
		"J. Smith":              {"", "Smith", "Smith"},
		"Anna (voicemail)":      {"Anna", "", "Anna"},
		"  Ann   Lee ":          {"Ann", "Lee", "Ann"},
		"Miller & Sons":         {"", "", "Miller"},
		"Sunrise Foods, Inc.":   {"", "", "Sunrise"},
		"Caller 12":             {"", "", "Caller"},
		"王小明":                   {"王小明", "", "王小明"},
	} {
		if got := [3]string{FirstName(name), LastName(name), ShortName(name)}; got != want {
			t.Errorf("the parts of %q are %q, want %q", name, got, want)
		}
	}
	known := Known{Name: "Ann Lee"}
	for i, given := range []map[string]any{
		{}, {"first_name": ""}, {"first_name": "Annie"}, {"name": "Dr. Bea Ray"}, {"name": "ACME Inc."},
	} {
		want := []string{"Hello Ann!", "Hello Ann!", "Hello Annie!", "Hello Bea!", "Hello there!"}[i]
		if got := Fill("Hello {{first_name|there}}!", known.Variables(given)); got != want {
			t.Errorf("with %v: %q, want %q", given, got, want)
		}
	}
}
