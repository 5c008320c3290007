package api

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/dialwright/dialwright/internal/check"
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
	if name := check.Nearest(s.mistaken, s.names); name != "" {
		return ", did you mean " + name + "?"
	}
	return ", must be one of " + strings.Join(s.names, ", ")
}
