package api

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// fields are the JSON names of a request struct and the positions of their Go fields. The
// fields of an embedded struct belong to the outer struct. The tag json:"-" excludes a
// field.
type fields struct {
	names    []string // in the order of the struct
	paths    [][]int  // for reflect.Value.FieldByIndex
	nullable []bool   // null means the same as absent
	limits   []int    // greatest length of a list; maxElements unless its tag sets another
	index    map[string]int
}

// maxFields bounds the fields of a request struct. The decoder keeps one bit for each.
const maxFields = 64

var fieldCache sync.Map // reflect.Type → fields

func fieldsOf(t reflect.Type) fields {
	if known, ok := fieldCache.Load(t); ok {
		return known.(fields)
	}
	f := fields{index: map[string]int{}}
	for _, field := range reflect.VisibleFields(t) {
		name := field.Tag.Get("json")
		switch {
		case name == "-", field.Anonymous, !field.IsExported():
			continue
		case name == "":
			panic("api: a request struct has a field without a name: " + field.Name)
		}
		limit := maxElements
		if tag := field.Tag.Get("max"); tag != "" {
			limit, _ = strconv.Atoi(tag) // a test compares the tag with the description
		}
		f.index[name] = len(f.names)
		f.names = append(f.names, name)
		f.paths = append(f.paths, field.Index)
		f.nullable = append(f.nullable, field.Tag.Get("nullable") == "true")
		f.limits = append(f.limits, limit)
	}
	if len(f.names) > maxFields {
		panic("api: a request struct has too many fields: " + t.String())
	}
	fieldCache.Store(t, f)
	return f
}

// suggestion says which name may have been meant instead of a mistaken one. It is computed on
// printing, because only the first few problems are printed.
type suggestion struct {
	mistaken string
	names    []string
}

func (s suggestion) String() string {
	if best := nearest(s.mistaken, s.names); similar(strings.ToLower(clip(s.mistaken)), best) {
		return ", did you mean " + best + "?"
	}
	return ", must be one of " + strings.Join(s.names, ", ")
}

// similar reports whether a name may have been meant: most letters of the shorter name, and half of
// the mistaken one, are in both in the same order.
func similar(mistaken, name string) bool {
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

// nearest returns the most similar name, or the first of equally similar names.
func nearest(mistaken string, names []string) string {
	mistaken = strings.ToLower(clip(mistaken))
	best, distance := "", 0
	for _, name := range names {
		if d := edits(mistaken, name); best == "" || d < distance {
			best, distance = name, d
		}
	}
	return best
}

// edits returns the cost of changing the mistaken name a into b: Levenshtein's distance
// in bytes, at half the cost for additions, because people shorten names more often than
// they confuse them.
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
