package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Change is a field that differs between two contents of an agent. A value is JSON as the API shows it. It is nil where
// the field does not exist.
type Change struct {
	Field  string `json:"field"` // greeting, speech.voice, questions[coming].ask
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// Changes returns what differs, in the order of an agent's fields. Questions are compared by their keys, and
// further languages by their tags.
func Changes(before, after AgentContent) []Change {
	changes := []Change{}
	b, a := fieldsOf(before), fieldsOf(after)
	for _, name := range fieldOrder(b, a) {
		changes = appendChanges(changes, name, b[name], a[name])
	}
	return changes
}

// fieldsOf returns a content as the JSON object that the API shows.
func fieldsOf(c AgentContent) (fields map[string]any) {
	raw, err := json.Marshal(c.Resource())
	if err == nil {
		err = json.Unmarshal(raw, &fields)
	}
	if err != nil {
		panic(fmt.Sprintf("an agent's content is not JSON: %v", err)) // its types are
	}
	return fields
}

// firstFields are the fields that are shown first. The others follow by name.
var firstFields = []string{
	"kind", "language", "languages", "greeting", "inbound_greeting", "disclosure", "questions", "not_understood",
	"goodbye", "voicemail_message",
	"record_calls", "speech", "key", "ask", "expect", "options", "translated_options", "min", "max",
}

func fieldOrder(a, b map[string]any) []string {
	names := maps.Clone(a)
	maps.Copy(names, b)
	rank := func(name string) int {
		if i := slices.Index(firstFields, name); i >= 0 {
			return i
		}
		return len(firstFields)
	}
	all := slices.Sorted(maps.Keys(names))
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

// appendChanges compares two values of JSON.
func appendChanges(changes []Change, path string, before, after any) []Change {
	if reflect.DeepEqual(before, after) || empty(before) && empty(after) {
		return changes
	}
	if b, ok := before.(map[string]any); ok {
		if a, ok := after.(map[string]any); ok {
			for _, name := range fieldOrder(b, a) {
				changes = appendChanges(changes, path+"."+name, b[name], a[name])
			}
			return changes
		}
	}
	b, keysBefore, isKeyed := keyed(before)
	a, keysAfter, alsoKeyed := keyed(after)
	if !isKeyed || !alsoKeyed {
		return append(changes, Change{Field: path, Before: before, After: after})
	}
	split := func(keys []string, others map[string]any) (shared, own []string) {
		for _, key := range keys {
			if _, ok := others[key]; ok {
				shared = append(shared, key)
			} else {
				own = append(own, key)
			}
		}
		return shared, own
	}
	sharedBefore, removed := split(keysBefore, a)
	sharedAfter, _ := split(keysAfter, b)
	if !slices.Equal(sharedBefore, sharedAfter) {
		changes = append(changes, Change{Field: path, Before: keysBefore, After: keysAfter})
	}
	for _, key := range append(keysAfter, removed...) {
		changes = appendChanges(changes, path+"["+key+"]", b[key], a[key])
	}
	return changes
}

// empty reports whether a value says nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return v == ""
}

// keyed returns the elements of an array by their keys, and the keys in order. ok is false for other values, and for
// elements without a key of their own. An absent array is empty.
func keyed(v any) (elements map[string]any, keys []string, ok bool) {
	list, isList := v.([]any)
	if !isList && v != nil {
		return nil, nil, false
	}
	elements = map[string]any{}
	for _, element := range list {
		object, _ := element.(map[string]any)
		key, _ := object["key"].(string)
		if key == "" {
			key, _ = object["language"].(string)
		}
		if _, twice := elements[key]; key == "" || twice {
			return nil, nil, false
		}
		elements[key] = object
		keys = append(keys, key)
	}
	return elements, keys, true
}
