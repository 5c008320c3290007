package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// node is a value of the description, with aliases and references resolved. The zero node
// is a missing value.
type node struct {
	doc *yaml.Node // the root, for references
	at  *yaml.Node
	ref string // the name of the referenced component; "" without a reference

	hops int // references followed so far, to end a circle
}

// of returns the node at a value, after following aliases and references.
func (n node) of(at *yaml.Node) node {
	out := node{doc: n.doc, at: at, hops: n.hops}
	for out.hops < 100 { // a circle names nothing
		switch {
		case out.at == nil:
			return out
		case out.at.Kind == yaml.AliasNode:
			out.at = out.at.Alias
		case out.at.Kind == yaml.MappingNode && len(out.at.Content) == 2 && out.at.Content[0].Value == "$ref":
			pointer := out.at.Content[1].Value
			out.ref = pointer[strings.LastIndex(pointer, "/")+1:]
			out.hops++
			out.at = out.find(pointer)
		default:
			return out
		}
	}
	return node{doc: n.doc}
}

// find returns the target of a local reference, or nil.
func (n node) find(pointer string) *yaml.Node {
	at := node{doc: n.doc, at: n.doc, hops: n.hops}
	for _, name := range strings.Split(strings.TrimPrefix(pointer, "#/"), "/") {
		if at = at.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(name)); !at.there() {
			return nil
		}
	}
	return at.at
}

func (n node) there() bool { return n.at != nil }

// get returns the value of a name, or of the first of several names that exists.
func (n node) get(names ...string) node {
	for _, name := range names {
		for key, value := range n.pairs {
			if key == name {
				return value
			}
		}
	}
	return node{doc: n.doc}
}

// pairs yields the names and values of an object in order.
func (n node) pairs(yield func(string, node) bool) {
	if n.at == nil || n.at.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.at.Content); i += 2 {
		if !yield(n.at.Content[i].Value, n.of(n.at.Content[i+1])) {
			return
		}
	}
}

// items returns the values of an array.
func (n node) items() (all []node) {
	if n.at != nil && n.at.Kind == yaml.SequenceNode {
		for _, at := range n.at.Content {
			all = append(all, n.of(at))
		}
	}
	return all
}

// text returns a scalar as it is written, without surrounding space.
func (n node) text() string {
	if n.at == nil || n.at.Kind != yaml.ScalarNode {
		return ""
	}
	return strings.TrimSpace(n.at.Value)
}

func (n node) texts() (all []string) {
	for _, item := range n.items() {
		all = append(all, item.text())
	}
	return all
}

func (n node) isTrue() bool { return n.text() == "true" }

// json returns a value as JSON, with its names in the order of the description.
func (n node) json(indent string) string {
	var b strings.Builder
	n.write(&b, indent, "\n")
	return b.String()
}

// short is the maximum length of an object or array on one line.
const short = 72

func (n node) write(b *strings.Builder, indent, line string) {
	if n.at == nil {
		b.WriteString("null")
		return
	}
	switch n.at.Kind {
	case yaml.MappingNode:
		if len(n.at.Content) == 0 {
			b.WriteString("{}")
			return
		}
		b.WriteByte('{')
		first := true
		for name, value := range n.pairs {
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteString(line + indent + quote(name) + ": ")
			value.write(b, indent, line+indent)
		}
		b.WriteString(line + "}")
	case yaml.SequenceNode:
		items := n.items()
		if flat := slices.IndexFunc(items, func(i node) bool {
			return i.at == nil || i.at.Kind != yaml.ScalarNode
		}) < 0; flat {
			var one strings.Builder
			for i, item := range items {
				if i > 0 {
					one.WriteString(", ")
				}
				item.write(&one, indent, line)
			}
			if one.Len() <= short {
				b.WriteString("[" + one.String() + "]")
				return
			}
		}
		b.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(line + indent)
			item.write(b, indent, line+indent)
		}
		b.WriteString(line + "]")
	default:
		switch n.at.ShortTag() {
		case "!!int", "!!float", "!!bool":
			b.WriteString(n.at.Value)
		case "!!null":
			b.WriteString("null")
		default:
			b.WriteString(quote(n.at.Value))
		}
	}
}

func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(fmt.Sprintf("a string does not encode: %v", err)) // never: strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
