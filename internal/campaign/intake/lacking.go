package intake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/phone"
)

// Lacking are the recipients without a value for a variable.
type Lacking struct {
	Name   string
	Rows   int
	First  map[string]string // the variables of the first of them, with its name as "name"
	Line   int32             // of the first of them; 0: the list is no file
	Number phone.Number      // of the first of them
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
			lacking.First["name"], lacking.Line, lacking.Number = e.Name, e.Line, e.Number
		}
		all = append(all, lacking)
	}
	return all, nil
}

// Dated is a variable whose values are dates of a computer, such as 2026-12-01.
type Dated struct {
	Name    string
	Example string // the first of these values
}

// Dated finds those of Reading.Wanted, in its order, that have such a value. called is as for Lacking.
func (l *List) Dated(called []*Entry) []Dated {
	var all []Dated
	for _, name := range l.wanted {
		key := []byte(`"` + name + `":`)
		for _, e := range called {
			if example := date(valueOf(e.Variables, key)); example != "" {
				all = append(all, Dated{Name: name, Example: example})
				break
			}
		}
	}
	return all
}

// isoDate is a date, perhaps with a time of day, at the beginning of a text in JSON.
var isoDate = regexp.MustCompile(`^ ?"(\d{4}-\d{2}-\d{2})(?:[T ]\d[^"]*)?"`)

// date returns the date of a text in JSON, without its time of day. It is empty for another text.
func date(value []byte) string {
	if found := isoDate.FindSubmatch(value); found != nil {
		return string(found[1])
	}
	return ""
}

// hasKey reports whether the JSON of variables has a key, which is written as in JSON. An empty cell makes no variable.
func hasKey(variables, key []byte) bool { return valueOf(variables, key) != nil }

// valueOf returns the JSON from the value of a key on. It is nil without the key, which is written as in JSON. Decoding
// every row of a long list would take seconds.
func valueOf(variables, key []byte) []byte {
	for at := bytes.Index(variables, key); at > 0; {
		// Within a text, a quote follows a backslash. The database writes a space before a name.
		if before := variables[at-1]; before == '{' || before == ',' || before == ' ' {
			return variables[at+len(key):]
		}
		next := bytes.Index(variables[at+1:], key)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return nil
}
