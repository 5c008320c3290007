package api

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// fields are the names a request struct accepts, and where their values go. Fields
// of an embedded struct count as its own. The tag json:"-" keeps a field out.
type fields struct {
	names    []string // in the order of the struct
	paths    [][]int  // for reflect.Value.FieldByIndex
	nullable []bool   // whether null is as good as absent
	limits   []int    // how many elements a list may have; maxElements unless its tag says otherwise
	index    map[string]int
}

// maxFields of a request struct: the decoder keeps a bit for each.
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
			limit, _ = strconv.Atoi(tag) // a test holds it to the description
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

// suggestion is the nearest of names. It is looked for when it is printed, which
// a problem beyond those that are spelled out never is.
type suggestion struct {
	mistaken string
	names    []string
}

func (s suggestion) String() string { return nearest(s.mistaken, s.names) }

// nearest is the name that a mistaken one was most likely meant to be; the
// first of equals.
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

// edits is how much there is to change to make the name b of the mistaken a.
// It is Levenshtein's distance in bytes, except that what has to be added costs
// half: people shorten names more often than they confuse them.
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
