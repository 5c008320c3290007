package ui

import (
	"slices"
	"testing"
)

func TestRegions(t *testing.T) {
	t.Parallel()
	at := map[string]int{}
	for i, o := range Regions() {
		at[o.Label] = i
	}
	// The order is alphabetical and ignores accents.
	names := []string{
		"Afghanistan", "Åland Islands", "Albania", "Costa Rica", "Côte d’Ivoire", "Croatia", "Curaçao", "Cyprus",
		"Czechia", "Eswatini", "North Macedonia", "Türkiye", "Zimbabwe",
	}
	var order []int
	for _, name := range names {
		i, ok := at[name]
		if !ok {
			t.Errorf("%s is missing", name)
		}
		order = append(order, i)
	}
	if !slices.IsSorted(order) {
		t.Errorf("%q stand at %v", names, order)
	}
	for _, old := range []string{"Turkey", "Macedonia", "Swaziland", "Czech Republic"} {
		if _, ok := at[old]; ok {
			t.Errorf("%s is an old name", old)
		}
	}
	if got := LanguageName("tr-TR"); got != "Turkish (Türkiye)" {
		t.Errorf("tr-TR is %q", got)
	}
	if got := RegionName("MK"); got != "North Macedonia" {
		t.Errorf("MK is %q", got)
	}
}
