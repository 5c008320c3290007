package reference

import (
	"slices"
	"strings"
)

// Field is a field of an object, or a parameter.
type Field struct {
	Name     string
	Type     string // "string", "array of objects", "time or null"
	Required bool   // in a request; an answer always has all fields
	Text     string
	Values   []string // a closed set
	Limits   string   // "1 to 100 characters"; "" without any
	Default  string
	Fields   []Field // of an object, or of the objects of an array
	Object   string  // the name of the object's schema, or of the objects of an array; "" without a name
}

// maxDepth ends endless recursion.
const maxDepth = 8

// fieldsOf returns the fields of an object, or of the objects in an array.
func fieldsOf(schema node, depth int) (fields []Field) {
	if depth > maxDepth {
		return nil
	}
	schema, _ = plain(schema)
	if items := schema.get("items"); items.there() {
		return fieldsOf(items, depth+1)
	}
	required := schema.get("required").texts()
	for name, property := range schema.get("properties").pairs {
		fields = append(fields, field(name, property, slices.Contains(required, name), depth))
	}
	return fields
}

// objectOf returns the name of the schema of an object, or of the objects of an array.
func objectOf(schema node) string {
	if items := schema.get("items"); items.there() {
		schema, _ = plain(items)
	}
	if schema.get("properties").there() {
		return schema.ref
	}
	return ""
}

func field(name string, schema node, required bool, depth int) Field {
	outer := schema
	inner, nullable := plain(schema)
	f := Field{Name: name, Required: required, Type: typeOf(inner, nullable), Fields: fieldsOf(inner, depth+1)}
	f.Object = objectOf(inner)
	f.Text = outer.get("description").text()
	if f.Text == "" {
		f.Text = inner.get("description").text()
	}
	for _, v := range inner.get("enum").items() {
		if v.text() != "" && v.text() != "null" {
			f.Values = append(f.Values, v.text())
		}
	}
	if v := inner.get("items").get("enum"); v.there() {
		f.Values = v.texts()
	}
	if c := inner.get("const"); c.there() {
		f.Values = []string{c.text()}
	}
	f.Limits = limits(inner)
	if d := outer.get("default"); d.there() {
		f.Default = d.text()
	} else if d := inner.get("default"); d.there() {
		f.Default = d.text()
	}
	return f
}

// plain unwraps a schema that is wrapped only to make it nullable, or to give a reference
// its own description.
func plain(schema node) (inner node, nullable bool) {
	for range maxDepth {
		if all := schema.get("allOf").items(); len(all) == 1 {
			schema = all[0]
			continue
		}
		rest, null := []node{}, false
		for _, one := range schema.get("oneOf", "anyOf").items() {
			if one.get("type").text() == "null" {
				null = true
			} else {
				rest = append(rest, one)
			}
		}
		if len(rest) != 1 {
			return schema, nullable || null
		}
		schema, nullable = rest[0], nullable || null
	}
	return schema, nullable
}

// named maps components to the names of their types.
var named = map[string]string{"Id": "UUID", "Time": "time", "PhoneNumberText": "phone number"}

func typeOf(schema node, nullable bool) string {
	var names []string
	if word := named[schema.ref]; word != "" {
		names = []string{word}
	} else if options := schema.get("oneOf", "anyOf").items(); len(options) > 0 {
		for _, o := range options {
			names = append(names, typeOf(o, false))
		}
	} else if one := schema.get("type").text(); one != "" {
		names = []string{one}
	} else {
		names = schema.get("type").texts()
	}
	for i, name := range names {
		switch name {
		case "string":
			switch schema.get("format").text() {
			case "date-time":
				names[i] = "time"
			case "uuid":
				names[i] = "UUID"
			}
		case "array":
			items, _ := plain(schema.get("items"))
			if word := typeOf(items, false); word != "" {
				names[i] = "array of " + plural(word)
			}
		case "object":
			if extra := schema.get("additionalProperties"); extra.there() && extra.text() == "" {
				names[i] = "object"
			}
		case "null":
			names[i], nullable = "", true
		}
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	if nullable {
		names = append(names, "null")
	}
	if len(names) == 0 && schema.get("const").there() {
		return "string"
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

func plural(word string) string {
	if strings.HasPrefix(word, "array of") {
		return strings.Replace(word, "array", "arrays", 1)
	}
	return word + "s"
}

// limits describes the bounds of a value.
func limits(schema node) string {
	for _, c := range []struct{ low, high, what string }{
		{"minLength", "maxLength", " characters"},
		{"minItems", "maxItems", " items"},
		{"minProperties", "maxProperties", " entries"},
		{"minimum", "maximum", ""},
	} {
		low, high := schema.get(c.low).text(), schema.get(c.high).text()
		switch {
		case low != "" && high != "":
			return low + " to " + high + c.what
		case high != "":
			return "at most " + high + c.what
		case low == "1" && c.what != "":
			return "at least 1" + strings.TrimSuffix(c.what, "s")
		case low != "":
			return "at least " + low + c.what
		}
	}
	return ""
}
