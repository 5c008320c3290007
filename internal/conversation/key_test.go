package conversation

import "testing"

func TestProposeKey(t *testing.T) {
	t.Parallel()
	for ask, want := range map[string]string{
		"Would you like a nurse to visit you?": "nurse_visit",
		"From 0 to 10, how much does it hurt?": "hurt",
		"Are you coming on {{day|Monday}}?":    "coming",
		"Schläfst du gut, Größe?":              "schlafst_grosse",
		"Πονάτε σήμερα;":                       "ponate_simera",
		"":                                     "question",
		"Is it?":                               "question",
		"Donaudampfschifffahrtsgesellschaftskapitänswitwe?": "question",
	} {
		if got := ProposeKey(ask, "en-US", nil); got != want {
			t.Errorf("%q: %q, want %q", ask, got, want)
		}
	}
	if got := ProposeKey("A visit?", "en", []string{"visit", "visit_2"}); got != "visit_3" {
		t.Errorf("a key that is taken: %q", got)
	}
}
