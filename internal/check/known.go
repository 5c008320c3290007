package check

import (
	"slices"
	"strings"

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
	nearest := Nearest(name, known)
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

// mostCompared is how many bytes of a mistaken name are compared, because anybody may send a long one.
const mostCompared = 64

// Nearest returns the known name that was meant by a mistaken one, or the first of several that are as near. It is
// empty if no known name is near. Case does not matter.
func Nearest(mistaken string, known []string) string {
	mistaken = strings.ToLower(mistaken[:min(len(mistaken), mostCompared)])
	nearest, best := "", 0
	for _, name := range known {
		if d := edits(mistaken, strings.ToLower(name)); nearest == "" || d < best {
			nearest, best = name, d
		}
	}
	if !similar(mistaken, strings.ToLower(nearest)) {
		return ""
	}
	return nearest
}

// similar reports whether a name may have been meant: most letters of the shorter name, and half of the mistaken one,
// are in both in the same order. That both are the names of an ID makes them no more alike.
func similar(mistaken, name string) bool {
	const id = "_id"
	if strings.HasSuffix(mistaken, id) && strings.HasSuffix(name, id) {
		mistaken, name = strings.TrimSuffix(mistaken, id), strings.TrimSuffix(name, id)
	}
	row := make([]int, len(name)+1) // the length of the longest common subsequence
	for i := range len(mistaken) {
		diagonal := 0
		for j := range len(name) {
			common := max(row[j], row[j+1])
			if mistaken[i] == name[j] {
				common = diagonal + 1
			}
			diagonal, row[j+1] = row[j+1], common
		}
	}
	common := row[len(name)]
	return common > 0 && 4*common >= 3*min(len(mistaken), len(name)) && 2*common >= len(mistaken)
}

// edits returns the cost of changing the mistaken name a into b: Levenshtein's distance in bytes, at half the cost for
// additions, because people shorten names more often than they confuse them.
func edits(a, b string) int {
	const add, change = 1, 2
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j * add
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] += change
		for j := range len(b) {
			cost := change
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+add, row[j+1]+change, diagonal+cost)
		}
	}
	return row[len(b)]
}
