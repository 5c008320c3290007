package intake

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/dialwright/dialwright/internal/conversation"
)

// Lacking are the recipients without a value for a variable.
type Lacking struct {
	Name  string
	Rows  int
	First map[string]string // the variables of the first of them, with its name as "name"
}

// Lacking counts, for each of Reading.Wanted in its order, the recipients of the list without a value. called are the
// entries that count: those that will be called.
func (l *List) Lacking(called []*Entry) ([]Lacking, error) {
	var all []Lacking
	for _, name := range l.wanted {
		lacking, key := Lacking{Name: name}, []byte(`"`+name+`":`)
		for _, e := range called {
			if hasKey(e.Variables, key) || (conversation.Known{Name: e.Name}).Value(name) != "" {
				continue
			}
			if lacking.Rows++; lacking.Rows > 1 {
				continue
			}
			if err := json.Unmarshal(e.Variables, &lacking.First); err != nil {
				return nil, fmt.Errorf("read the variables of line %d: %w", e.Line, err)
			}
			lacking.First["name"] = e.Name
		}
		all = append(all, lacking)
	}
	return all, nil
}

// hasKey reports whether the JSON of variables has a key, which is written as in JSON. An empty cell makes no variable.
// Decoding every row of a long list would take seconds.
func hasKey(variables, key []byte) bool {
	for at := bytes.Index(variables, key); at > 0; {
		if before := variables[at-1]; before == '{' || before == ',' { // within a text, a quote follows a backslash
			return true
		}
		next := bytes.Index(variables[at+1:], key)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}
