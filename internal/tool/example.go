package tool

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// schema is as much of a JSON schema as an example needs.
type schema struct {
	Type       any               `json:"type"`
	Format     string            `json:"format"`
	Enum       []json.RawMessage `json:"enum"`
	Examples   []json.RawMessage `json:"examples"`
	Default    json.RawMessage   `json:"default"`
	Minimum    *json.Number      `json:"minimum"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
}

// ExampleArguments returns arguments for a person to start from: those that are required, or all if none is.
func (t Tool) ExampleArguments() json.RawMessage {
	var root schema
	if json.Unmarshal(t.Parameters, &root) != nil {
		return json.RawMessage(`{}`)
	}
	text, err := json.Marshal(root.object())
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return text
}

func (s schema) object() map[string]any {
	names := s.Required
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(s.Properties))
	}
	all := map[string]any{}
	for _, name := range names {
		all[name] = s.Properties[name].example()
	}
	return all
}

func (s schema) example() any {
	switch {
	case s.Default != nil:
		return s.Default
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch s.Type {
	case "boolean":
		return true
	case "integer", "number":
		if s.Minimum != nil {
			return *s.Minimum
		}
		return 1
	case "array":
		return []any{}
	case "object":
		return s.object()
	}
	switch s.Format {
	case "date":
		return time.Now().UTC().Format(time.DateOnly)
	case "time":
		return "09:00:00Z"
	case "date-time":
		return time.Now().UTC().Format(time.RFC3339)
	case "email":
		return "ada@example.com"
	case "uri":
		return "https://example.com"
	case "uuid":
		return "00000000-0000-0000-0000-000000000000"
	}
	return ""
}
