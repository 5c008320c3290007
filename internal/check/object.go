package check

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/fault"
)

// Bounds of variables and metadata.
const (
	MaxKeys          = 50   // of one object
	MaxKeyLength     = 64   // characters
	maxVariable      = 1000 // characters; an agent speaks it
	maxMetadataValue = 500  // characters
)

// EmptyObject is the JSON of empty variables and of empty metadata.
var EmptyObject = json.RawMessage(`{}`)

// Variables reads an object of strings. It reads a missing object and null as an empty
// object. PostgreSQL accepts the resulting JSON whatever the client wrote, because it has
// no lone surrogates and no repeated keys.
func Variables(p *fault.Problems, path string, raw json.RawMessage) json.RawMessage {
	return object(p, path, raw, "string", maxVariable, nil)
}

// Metadata reads an object of strings, numbers and booleans, as Variables does.
func Metadata(p *fault.Problems, path string, raw json.RawMessage) json.RawMessage {
	const kinds = "string, number or boolean"
	return object(p, path, raw, kinds, maxMetadataValue, func(path string, value json.RawMessage) any {
		switch {
		case value[0] == 't' || value[0] == 'f':
			return value[0] == 't'
		case value[0] != '-' && (value[0] < '0' || value[0] > '9'):
			p.Addf(path, "must be a %s", kinds)
		case !plainNumber(value):
			p.Addf(path, "this number is too large, too small or too long")
		}
		return value
	})
}

// object reads an object whose strings have at most longest characters. scalar reads the
// other values. If scalar is nil, they are refused. kinds names the accepted kinds of
// values.
func object(
	p *fault.Problems, path string, raw json.RawMessage, kinds string, longest int,
	scalar func(path string, value json.RawMessage) any,
) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return EmptyObject
	}
	var values map[string]json.RawMessage
	if raw[0] != '{' || json.Unmarshal(raw, &values) != nil {
		p.Addf(path, "must be an object")
		return EmptyObject
	}
	if len(values) > MaxKeys {
		p.Addf(path, "at most %d keys", MaxKeys)
		return EmptyObject
	}
	out := make(map[string]any, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if n := utf8.RuneCountInString(key); n < 1 || n > MaxKeyLength || strings.ContainsRune(key, 0) {
			p.Addf(path, "keys must be 1 to %d characters", MaxKeyLength)
			continue
		}
		value, at := values[key], path+"."+key
		var s string
		switch {
		case value[0] == '"' && json.Unmarshal(value, &s) == nil:
			out[key] = s
			Text(p, at, &s, longest) // s is a copy, so out keeps the client's value unchanged
		case value[0] != '"' && scalar != nil:
			out[key] = scalar(at, value)
		default:
			p.Addf(at, "must be a %s", kinds)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		p.Addf(path, "must be an object")
		return EmptyObject
	}
	return bytes.Clone(bytes.TrimSpace(b.Bytes()))
}

// JSON reads any JSON of at most longest bytes that PostgreSQL can store.
func JSON(p *fault.Problems, path string, raw json.RawMessage, longest int) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	switch {
	case err != nil:
		p.Addf(path, "must be JSON")
	case !storable(value):
		p.Addf(path, "must have no control character U+0000 and no number that is too large, too small or too long")
	case enc.Encode(value) != nil || b.Len()-1 > longest:
		p.Addf(path, "must have at most %d bytes", longest)
	default:
		return bytes.Clone(bytes.TrimSpace(b.Bytes()))
	}
	return json.RawMessage("null")
}

// storable reports whether PostgreSQL can store a decoded value as jsonb.
func storable(value any) bool {
	switch v := value.(type) {
	case string:
		return !strings.ContainsRune(v, 0)
	case json.Number:
		return plainNumber([]byte(v))
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !storable(e) })
	case map[string]any:
		for key, e := range v {
			if strings.ContainsRune(key, 0) || !storable(e) {
				return false
			}
		}
	}
	return true
}

// plainNumber reports whether every JSON reader can represent the number. Readers turn
// 1e400 into infinity and 1e-400 into zero.
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
