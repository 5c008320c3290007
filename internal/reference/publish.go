package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Published is the description as it is served.
type Published struct{ JSON, YAML []byte }

// Publish makes of the exact description, with which the tests compare every answer, the one from which clients are
// generated. Generators take it literally, so it promises only what stays true within a version of the API:
//
//   - Objects of responses are open, and values that may grow are listed in x-extensible-enum. A generated client
//     does not refuse what a later version adds. `status` and `outcome` keep their values, so these stay closed.
//   - A default stands in the text. As a keyword, it makes an optional field required in some generated clients.
//   - Nothing is shared by YAML anchors, no component is unused, and none is used by webhooks alone: generators drop
//     or do not find them.
//
// base is the URL of the API.
func Publish(description []byte, base string) (Published, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(description, &file); err != nil {
		return Published{}, fmt.Errorf("read the description: %w", err)
	}
	if len(file.Content) != 1 || file.Content[0].Kind != yaml.MappingNode {
		return Published{}, errors.New("the description is not an object")
	}
	p := publication{root: plainCopy(file.Content[0])}
	p.inlineWebhooks()
	p.dropUnused()
	p.open()
	if servers := valueOf(p.root, "servers"); servers != nil && len(servers.Content) > 0 {
		set(servers.Content[0], "url", text(base))
	}
	var out Published
	var b bytes.Buffer
	if err := writeJSON(&b, p.root); err != nil {
		return Published{}, err
	}
	out.JSON = bytes.Clone(b.Bytes())
	b.Reset()
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(p.root), e.Close()); err != nil {
		return Published{}, fmt.Errorf("write the description: %w", err)
	}
	out.YAML = b.Bytes()
	return out, nil
}

type publication struct{ root *yaml.Node }

// plainCopy copies a node, with aliases and merged objects in their place.
func plainCopy(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return plainCopy(n.Alias)
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value, Line: n.Line, Column: n.Column}
	if n.ShortTag() == "!!timestamp" { // an example of a date, which is a string in JSON
		c.Tag, c.Style = "!!str", yaml.DoubleQuotedStyle
	}
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			c.Content = append(c.Content, plainCopy(item))
		}
		return c
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], plainCopy(n.Content[i+1])
		if key.Tag != "!!merge" {
			set(c, key.Value, value)
			continue
		}
		for j := 0; j+1 < len(value.Content); j += 2 {
			if name := value.Content[j].Value; valueOf(n, name) == nil {
				set(c, name, value.Content[j+1])
			}
		}
	}
	return c
}

// inlineWebhooks puts the components that only webhooks use in their place.
func (p publication) inlineWebhooks() {
	used := p.reachable(valueOf(p.root, "paths"))
	var inline func(n *yaml.Node, within []string)
	inline = func(n *yaml.Node, within []string) {
		if pointer := refOf(n); pointer != "" && !used[pointer] && !slices.Contains(within, pointer) {
			if target := p.find(pointer); target != nil {
				*n = *plainCopy(target)
				within = append(within, pointer)
			}
		}
		for _, c := range n.Content {
			inline(c, within)
		}
	}
	if hooks := valueOf(p.root, "webhooks"); hooks != nil {
		inline(hooks, nil)
	}
}

// dropUnused removes components that nothing refers to.
func (p publication) dropUnused() {
	used := p.reachable(valueOf(p.root, "paths"), valueOf(p.root, "webhooks"))
	for kind, section := range pairsOf(valueOf(p.root, "components")) {
		if kind == "securitySchemes" {
			continue
		}
		for name := range pairsOf(section) {
			if !used["#/components/"+kind+"/"+name] {
				remove(section, name)
			}
		}
	}
}

// open opens what the server sends, and moves defaults into the text.
func (p publication) open() {
	seen := map[*yaml.Node]bool{}
	var each func(n *yaml.Node, name string, change func(n *yaml.Node, name string))
	each = func(n *yaml.Node, name string, change func(n *yaml.Node, name string)) {
		if seen[n] {
			return
		}
		seen[n] = true
		if pointer := refOf(n); pointer != "" {
			if target := p.find(pointer); target != nil {
				each(target, pointer[strings.LastIndex(pointer, "/")+1:], change)
			}
			return
		}
		change(n, name)
		if n.Kind != yaml.MappingNode {
			for _, c := range n.Content {
				each(c, name, change)
			}
			return
		}
		for key, value := range pairsOf(n) {
			switch key {
			case "properties":
				for property, schema := range pairsOf(value) {
					each(schema, property, change)
				}
			case "example", "examples", "enum", "x-extensible-enum", "required":
			case "items", "allOf", "oneOf", "anyOf", "schema":
				each(value, name, change)
			default:
				each(value, key, change)
			}
		}
	}
	for _, n := range p.sent() {
		each(n, "", openSchema)
	}
	clear(seen)
	for _, header := range p.components("headers") {
		each(header, "", openHeader)
	}
	clear(seen)
	each(p.root, "", func(n *yaml.Node, _ string) {
		tellDefault(n)
		splitType(n)
	})
}

// sent returns what the server sends, in responses and to webhooks.
func (p publication) sent() (sent []*yaml.Node) {
	for section, key := range map[string]string{"paths": "responses", "webhooks": "requestBody"} {
		for _, path := range pairsOf(valueOf(p.root, section)) {
			for _, operation := range pairsOf(path) {
				if n := valueOf(operation, key); n != nil {
					sent = append(sent, n)
				}
			}
		}
	}
	return sent
}

// components yields the components of a kind by their pointers.
func (p publication) components(kind string) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		for name, component := range pairsOf(valueOf(valueOf(p.root, "components"), kind)) {
			if !yield("#/components/"+kind+"/"+name, component) {
				return
			}
		}
	}
}

// openSchema opens an object, and a set of values that may grow.
func openSchema(n *yaml.Node, name string) {
	if closed := valueOf(n, "additionalProperties"); closed != nil && closed.Value == "false" {
		remove(n, "additionalProperties")
	}
	values := valueOf(n, "enum")
	if values == nil || keepsValues(name) {
		return
	}
	known := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	for _, v := range values.Content {
		if v.Tag == "!!str" {
			known.Content = append(known.Content, v)
		}
	}
	if len(known.Content) > 1 {
		remove(n, "enum")
		set(n, "x-extensible-enum", known)
	}
}

// keepsValues reports whether the values of a field never change within a version.
func keepsValues(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "status") || strings.HasSuffix(name, "outcome")
}

// openHeader removes the bounds that a later version may move.
func openHeader(n *yaml.Node, _ string) {
	remove(n, "const")
	remove(n, "maximum")
	remove(n, "pattern")
}

// tellDefault moves a default into the description of the field. What is no scalar or list is a response by that name.
func tellDefault(n *yaml.Node) {
	value := valueOf(n, "default")
	if value == nil || value.Kind == yaml.MappingNode {
		return
	}
	var b bytes.Buffer
	if value.Kind == yaml.ScalarNode {
		b.WriteString(value.Value)
	} else if err := writeJSON(&b, value); err != nil {
		return // its example shows it
	}
	sentence := "Default: `" + b.String() + "`."
	if d := valueOf(n, "description"); d != nil && d.Value != "" {
		sentence = strings.TrimRight(d.Value, "\n") + " " + sentence
	}
	remove(n, "default")
	set(n, "description", text(sentence))
}

// splitType makes a choice of a list of types, which some generators do not read. A type and null are no such list.
func splitType(n *yaml.Node) {
	types := valueOf(n, "type")
	if types == nil || types.Kind != yaml.SequenceNode {
		return
	}
	choice := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	values := 0
	for _, t := range types.Content {
		one := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		set(one, "type", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: t.Value})
		choice.Content = append(choice.Content, one)
		if t.Value != "null" {
			values++
		}
	}
	if values > 1 {
		remove(n, "type")
		set(n, "anyOf", choice)
	}
}

// reachable returns the pointers that some nodes lead to.
func (p publication) reachable(from ...*yaml.Node) map[string]bool {
	found := map[string]bool{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n == nil {
			return
		}
		if pointer := refOf(n); pointer != "" {
			if !found[pointer] {
				found[pointer] = true
				walk(p.find(pointer))
			}
			return
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	for _, n := range from {
		walk(n)
	}
	return found
}

func (p publication) find(pointer string) *yaml.Node { return node{doc: p.root}.find(pointer) }

// refOf returns the pointer of a reference, or "".
func refOf(n *yaml.Node) string {
	if ref := valueOf(n, "$ref"); ref != nil && len(n.Content) == 2 {
		return ref.Value
	}
	return ""
}

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// pairsOf yields the names and values of an object as they are now, without following references.
func pairsOf(n *yaml.Node) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for pair := range slices.Chunk(slices.Clone(n.Content), 2) {
			if !yield(pair[0].Value, pair[1]) {
				return
			}
		}
	}
}

func valueOf(n *yaml.Node, name string) *yaml.Node {
	for key, value := range pairsOf(n) {
		if key == name {
			return value
		}
	}
	return nil
}

func set(n *yaml.Node, name string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, text(name), value)
}

func remove(n *yaml.Node, name string) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

// writeJSON writes a node with the names of its objects in order.
func writeJSON(b *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeString(b, n.Content[i].Value); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := writeJSON(b, n.Content[i+1]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	default:
		switch n.ShortTag() {
		case "!!int", "!!float", "!!bool", "!!null":
			var v any
			if err := n.Decode(&v); err != nil {
				return fmt.Errorf("line %d of the description: %w", n.Line, err)
			}
			out, err := json.Marshal(v)
			if err != nil {
				return fmt.Errorf("line %d of the description: %w", n.Line, err)
			}
			b.Write(out)
		default:
			return writeString(b, n.Value)
		}
	}
	return nil
}

func writeString(b *bytes.Buffer, s string) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("write the description: %w", err)
	}
	b.Truncate(b.Len() - 1) // the newline of Encode
	return nil
}
