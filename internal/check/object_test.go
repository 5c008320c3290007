package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// Variables and metadata are refused or become JSON that PostgreSQL accepts.
func FuzzObject(f *testing.F) {
	for _, s := range []string{
		`{"a":"b"}`, `{"a":"\ud800"}`, `{"a":1e400}`, `{"\u0000":"x"}`, `{"a":true,"b":1.5}`, `nul`, `{"a":"\u0000"}`,
	} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, raw []byte, scalars bool) {
		read := check.Variables
		if scalars {
			read = check.Metadata
		}
		var p fault.Problems
		got := read(&p, "metadata", raw)
		if p.Len() > 0 {
			return
		}
		var values map[string]any
		if err := json.Unmarshal(got, &values); err != nil {
			t.Fatalf("%q becomes %q: %v", raw, got, err)
		}
		for key, value := range values {
			s, ok := value.(string)
			if !ok && !scalars || strings.ContainsRune(key+s, 0) || key == "" {
				t.Fatalf("%q becomes %q", raw, got)
			}
		}
		if again := read(&p, "metadata", got); p.Len() > 0 || string(again) != string(got) {
			t.Fatalf("%q becomes %q, and then %q", raw, got, again)
		}
	})
}
