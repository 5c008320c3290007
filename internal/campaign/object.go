package campaign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/fault"
)

// Bounds of variables and metadata, of a campaign and of each recipient.
const (
	maxKeys          = 50
	maxKeyLength     = 64
	maxVariable      = 1000 // characters; it is spoken
	maxMetadataValue = 500  // characters
)

// problemsAt collects problems of one object; its paths are relative.
type problemsAt struct {
	found []fault.Field
}

func (p *problemsAt) addf(path, format string, args ...any) {
	p.found = append(p.found, fault.Field{Path: path, Message: fmt.Sprintf(format, args...)})
}

// empty is the JSON of no variables, no metadata, nothing waiting.
var emptyObject = json.RawMessage(`{}`)

// object reads variables or metadata: an object of strings or, where scalars
// is set, of strings, numbers and booleans. It comes back in a form PostgreSQL
// accepts whatever the client wrote (lone surrogates, repeated keys).
func object(raw json.RawMessage, path string, scalars bool, p *problemsAt) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return emptyObject
	}
	what, longest := "string", maxVariable
	if scalars {
		what, longest = "string, number or boolean", maxMetadataValue
	}
	var values map[string]json.RawMessage
	if raw[0] != '{' || json.Unmarshal(raw, &values) != nil {
		p.addf(path, "must be an object")
		return emptyObject
	}
	if len(values) > maxKeys {
		p.addf(path, "at most %d keys", maxKeys)
		return emptyObject
	}
	out := make(map[string]any, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if n := utf8.RuneCountInString(key); n < 1 || n > maxKeyLength || strings.ContainsRune(key, 0) {
			p.addf(path, "keys must be 1 to %d characters", maxKeyLength)
			continue
		}
		value := values[key]
		switch {
		case value[0] == '"':
			var s string
			if err := json.Unmarshal(value, &s); err != nil {
				p.addf(path+"."+key, "must be a %s", what)
				continue
			}
			checkText(p, path+"."+key, s, 0, longest)
			out[key] = s
		case scalars && (value[0] == 't' || value[0] == 'f'):
			out[key] = value[0] == 't'
		case scalars && (value[0] == '-' || value[0] >= '0' && value[0] <= '9'):
			if !plainNumber(value) {
				p.addf(path+"."+key, "this number is too large, too small or too long")
				continue
			}
			out[key] = value
		default:
			p.addf(path+"."+key, "must be a %s", what)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		p.addf(path, "must be an object")
		return emptyObject
	}
	return bytes.Clone(bytes.TrimSpace(b.Bytes()))
}

// plainNumber tells whether a JSON number is one that any reader holds.
func plainNumber(literal []byte) bool {
	if len(literal) > 40 {
		return false
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil || math.IsInf(f, 0) {
		return false
	}
	mantissa, _, _ := bytes.Cut(bytes.ToLower(literal), []byte("e"))
	return f != 0 || !bytes.ContainsAny(mantissa, "123456789")
}

// checkText bounds a line of text in characters, and refuses what PostgreSQL
// can't hold.
func checkText(p *problemsAt, path, s string, least, most int) {
	switch {
	case !utf8.ValidString(s):
		p.addf(path, "must be valid UTF-8")
	case least > 0 && strings.TrimSpace(s) == "":
		p.addf(path, "required")
	case utf8.RuneCountInString(s) > most:
		p.addf(path, "must have at most %d characters", most)
	case strings.ContainsRune(s, 0):
		p.addf(path, "must not contain control characters")
	}
}
