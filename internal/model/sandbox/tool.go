package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// offer is a tool that takes time: send_message, or one of an organization. The rules know of it only what the
// request says.
type offer struct {
	name, description string
	parameters        schema
}

// schema is as much of the schema of arguments as the rules understand.
type schema struct {
	Type       any               `json:"type"`
	Format     string            `json:"format"`
	Enum       []any             `json:"enum"`
	Minimum    *float64          `json:"minimum"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
}

var (
	wordOf   = regexp.MustCompile(`[\p{L}\p{N}]+`)
	numberOf = regexp.MustCompile(`\d+`)
	keyOf    = regexp.MustCompile(`[0-9]|\bzero\b`)
)

// custom reports whether a tool is an offer.
func (c chat) custom(name string) bool {
	return slices.ContainsFunc(c.offered, func(o offer) bool { return o.name == name })
}

// lookUp calls an offered tool that a person asks about: with a word of the tool's name, or with a
// question that has a word of its description.
func (c chat) lookUp(said string) (reply, bool) {
	words := wordOf.FindAllString(strings.ToLower(said), -1)
	about := func(text string) bool {
		for _, w := range wordOf.FindAllString(strings.ToLower(strings.ReplaceAll(text, "_", " ")), -1) {
			if len(w) >= 4 && slices.Contains(words, w) {
				return true
			}
		}
		return false
	}
	for _, o := range c.offered {
		if about(o.name) || strings.Contains(said, "?") && about(o.description) {
			return reply{tool: o.name, arguments: o.parameters.arguments(said)}, true
		}
	}
	return reply{}, false
}

// arguments fills in the required arguments, or all if none is.
func (s schema) arguments(said string) map[string]any {
	all := map[string]any{}
	names := s.Required
	if len(names) == 0 {
		names = slices.Collect(maps.Keys(s.Properties))
	}
	for _, name := range names {
		all[name] = s.Properties[name].value(said)
	}
	return all
}

// value is the value of an argument: the choice that the person named, or the first one; a number that they said;
// today, because the rules understand no dates; or their words.
func (s schema) value(said string) any {
	for _, choice := range s.Enum {
		if strings.Contains(strings.ToLower(said), strings.ToLower(fmt.Sprint(choice))) {
			return choice
		}
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	switch s.Type {
	case "boolean":
		return true
	case "integer", "number":
		if n, err := strconv.Atoi(numberOf.FindString(said)); err == nil {
			return n
		}
		return *cmp.Or(s.Minimum, new(1.0))
	case "array":
		return []any{}
	case "object":
		return s.arguments(said)
	}
	switch s.Format {
	case "date":
		return time.Now().UTC().Format(time.DateOnly)
	case "date-time":
		return time.Now().UTC().Format(time.RFC3339)
	}
	return said
}

// found says what a tool answered, as far as it fits a sentence.
func (c chat) found(result string) string {
	var content any
	if json.Unmarshal([]byte(result), &content) != nil {
		return c.lines.MoveOn
	}
	if object, ok := content.(map[string]any); ok {
		if object["error"] != nil {
			return c.lines.MoveOn
		}
		if inner, ok := object["answer"].(map[string]any); ok {
			content = inner
		}
	}
	var parts []string
	switch content := content.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(content)) {
			switch value := content[key].(type) {
			case string, float64, bool:
				parts = append(parts, fmt.Sprintf("%s: %v", strings.ReplaceAll(key, "_", " "), value))
			}
		}
	case string, float64, bool:
		parts = append(parts, fmt.Sprint(content))
	}
	const most = 3
	if len(parts) == 0 {
		return c.thanks()
	}
	return strings.Join(parts[:min(len(parts), most)], ", ") + "."
}

// choose presses the first key that a phone menu lists, or waits.
func (c chat) choose(said string) reply {
	key := keyOf.FindString(said)
	if key == "" || c.last.Role != "user" || !c.has("press_digits") {
		return reply{}
	}
	return reply{
		tool: "press_digits", arguments: map[string]any{"digits": strings.Replace(key, "zero", "0", 1)},
	}
}
