package check

import (
	"slices"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
)

// mostNamed is how many known names a problem lists.
const mostNamed = 20

// Known checks that a name is one of the known ones. The problem begins with what, such as "the agent collects no field
// of this key", and names the nearest known one. If none is near, it lists them.
func Known(p *fault.Problems, path, name string, known []string, what string) {
	if !slices.Contains(known, name) {
		p.Addf(path, "%s%s", what, Meant(name, known))
	}
}

// Meant is the end of a sentence about an unknown name: it asks for the nearest known one, or lists all. It is empty
// without any.
func Meant(name string, known []string) string {
	nearest, best := "", len([]rune(name))/2+1
	for _, k := range known {
		if d := distance(name, k); d < best {
			nearest, best = k, d
		}
	}
	switch {
	case nearest != "":
		return ". Did you mean " + nearest + "?"
	case len(known) == 0:
		return ""
	case len(known) > mostNamed:
		return ". There are " + english.List(append(slices.Clone(known[:mostNamed]), "others"))
	case len(known) == 1:
		return ". There is " + known[0]
	}
	return ". There are " + english.List(known)
}

// distance is how many characters must be added, removed or replaced to make one name of the other.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		before := row[0]
		row[0] = i + 1
		for j, s := range to {
			above := row[j+1]
			if r == s {
				row[j+1] = before
			} else {
				row[j+1] = 1 + min(before, above, row[j])
			}
			before = above
		}
	}
	return row[len(to)]
}
