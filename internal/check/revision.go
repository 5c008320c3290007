package check

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// Revision identifies a state of fields that people change in a form. A form carries it, so that a save finds out what
// others have saved since the form was opened. It is a mark of each field by its path:
// "1;greeting:3fK2a9,speech.voice:…".
func Revision(fields any) string {
	all := leaves(fields)
	parts := make([]string, 0, len(all))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, path+":"+mark(all[path]))
	}
	return revisionFormat + strings.Join(parts, ",")
}

// revisionFormat begins a revision, which is not empty even if all fields are.
const revisionFormat = "1;"

// Precondition returns the error of the condition under which a client wants to change what is now, such as that it is
// still what the client read. A change without a condition has nil. The caller holds the lock of what it changes.
func Precondition[T any](now T, condition func(T) error) error {
	if condition == nil {
		return nil
	}
	return condition(now)
}

// Unchanged refuses to save the wanted fields over the current ones if somebody else has changed one of them since
// base, to another value than the wanted one. An empty or unknown base is never refused, and neither is a form that is
// sent twice. Error: Stale, which names each field and what was saved.
func Unchanged(base string, current, wanted any) error {
	base, known := strings.CutPrefix(base, revisionFormat)
	if !known {
		return nil
	}
	before := map[string]string{}
	for part := range strings.SplitSeq(base, ",") {
		if path, mark, ok := strings.Cut(part, ":"); ok {
			before[path] = mark
		}
	}
	now, then := leaves(current), leaves(wanted)
	paths := map[string]bool{}
	for path := range before {
		paths[path] = true
	}
	for path := range now {
		paths[path] = true
	}
	f := fault.New(fault.Stale, "Changes were saved after you opened this form, by somebody else or in another tab. "+
		"Yours are not saved yet. Compare the highlighted fields, then save again")
	f.Fields = []fault.Field{{Message: f.Message}}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		value, is := now[path]
		mine, was := before[path]
		same := is == was && (!is || mark(value) == mine)
		if other, wants := then[path]; same || is == wants && mark(value) == mark(other) {
			continue
		}
		f.Fields = append(f.Fields, fault.Field{Path: path, Message: savedAs(value, is)})
	}
	if len(f.Fields) == 1 {
		return nil
	}
	return f
}

// savedAs says what somebody else has saved in a field.
func savedAs(value any, is bool) string {
	switch v := value.(type) {
	case string:
		if _, err := uuid.Parse(v); err == nil {
			return "was changed to another one meanwhile"
		}
		if v != "" {
			return fmt.Sprintf("was changed to “%s” meanwhile", v)
		}
	case bool:
		if v {
			return "was turned on meanwhile"
		}
		return "was turned off meanwhile"
	case float64:
		return fmt.Sprintf("was changed to %v meanwhile", v)
	}
	if !is || value == nil || value == "" {
		return "was emptied meanwhile"
	}
	return "was changed meanwhile"
}

// leaves returns the fields of a value as JSON, by their paths. An array is one field. An empty value is no field.
func leaves(fields any) map[string]any {
	raw, err := json.Marshal(fields)
	var value any
	if err == nil {
		err = json.Unmarshal(raw, &value)
	}
	if err != nil {
		panic(fmt.Sprintf("fields are not JSON: %v", err)) // their types are
	}
	all := map[string]any{}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, part := range v {
				walk(strings.TrimPrefix(path+"."+name, "."), part)
			}
			return
		case []any:
			if len(v) == 0 {
				return
			}
		case nil:
			return
		case string:
			if v == "" {
				return
			}
		}
		all[path] = value
	}
	walk("", value)
	return all
}

// mark is short. Two values of one field have the same mark by chance once in 2^48 times.
func mark(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a field is not JSON: %v", err)) // it came from JSON
	}
	sum := sha256.Sum256(raw)
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}
