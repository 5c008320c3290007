package cloud

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// VariableKind is the kind of value of a variable.
type VariableKind string

const (
	TextVariable VariableKind = "text"
	LinkVariable VariableKind = "link" // an https address of a file
	CodeVariable VariableKind = "code" // the text that a button copies
)

// Variable is a value that a message must provide for its template.
type Variable struct {
	// Key is unique in the template: "1" or "first_name" in the body, "header.1",
	// "header.first_name" or "header.image" in the header, "button.0.1" or
	// "button.0.code" on the button with that index.
	Key  string
	Kind VariableKind

	name string // in the text: "1", "first_name"
}

var placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)

// names returns the variables of a text without duplicates: in the order of their numbers
// if they have numbers, otherwise in the order of the text.
func names(text string) []string {
	var out []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	slices.SortStableFunc(out, func(a, b string) int {
		x, err1 := strconv.Atoi(a)
		y, err2 := strconv.Atoi(b)
		if err1 != nil || err2 != nil {
			return 0
		}
		return x - y
	})
	return out
}

// Variables lists the variables of the template, from top to bottom.
func (t Template) Variables() []Variable {
	all := t.headerVariables()
	all = append(all, t.bodyVariables()...)
	for i := range t.Buttons {
		all = append(all, t.buttonVariables(i)...)
	}
	return all
}

func (t Template) headerVariables() []Variable {
	switch t.Header.Format {
	case headerText:
		return textVariables("header.", t.Header.Text)
	case "IMAGE", "VIDEO", "DOCUMENT":
		return []Variable{{Key: "header." + strings.ToLower(t.Header.Format), Kind: LinkVariable}}
	}
	return nil
}

func (t Template) bodyVariables() []Variable { return textVariables("", t.Body) }

func (t Template) buttonVariables(i int) []Variable {
	prefix := "button." + strconv.Itoa(i) + "."
	switch b := t.Buttons[i]; b.Type {
	case buttonURL:
		return textVariables(prefix, b.URL)
	case buttonCode:
		return []Variable{{Key: prefix + "code", Kind: CodeVariable}}
	}
	return nil
}

func textVariables(prefix, text string) []Variable {
	var all []Variable
	for _, name := range names(text) {
		all = append(all, Variable{Key: prefix + name, Kind: TextVariable, name: name})
	}
	return all
}

// maxValue bounds a value. WhatsApp's own limits apply to the whole text.
const maxValue = 1024

// Bind makes the components of a message from the values of the template's variables, by Key. Runs
// of white space become one space, because WhatsApp refuses line breaks, tabs and long runs of
// spaces. Errors: Invalid, which names each missing, empty, too long or unknown value as
// "variables.KEY".
func (t Template) Bind(values map[string]string) ([]Component, error) {
	b := binding{values: values, named: t.Named, used: map[string]bool{}}
	var out []Component
	if ps := b.parameters(t.headerVariables()); len(ps) > 0 {
		out = append(out, Component{Type: "header", Parameters: ps})
	}
	if ps := b.parameters(t.bodyVariables()); len(ps) > 0 {
		out = append(out, Component{Type: "body", Parameters: ps})
	}
	for i, button := range t.Buttons {
		if ps := b.parameters(t.buttonVariables(i)); len(ps) > 0 {
			for j := range ps {
				ps[j].Name = "" // parameters of a button have no names
			}
			out = append(out, Component{
				Type: "button", SubType: strings.ToLower(button.Type), Index: strconv.Itoa(i), Parameters: ps,
			})
		}
	}
	b.leftOver()
	return out, b.problems.Err()
}

type binding struct {
	values   map[string]string
	named    bool
	used     map[string]bool
	problems fault.Problems
}

func (b *binding) parameters(variables []Variable) []Parameter {
	var out []Parameter
	for _, v := range variables {
		path := "variables." + v.Key
		b.used[v.Key] = true
		value, given := b.values[v.Key]
		value = strings.Join(strings.Fields(value), " ")
		switch {
		case !given:
			b.problems.Addf(path, "is missing")
		case value == "":
			b.problems.Addf(path, "must not be empty")
		case len([]rune(value)) > maxValue:
			b.problems.Addf(path, "at most %d characters", maxValue)
		case v.Kind == LinkVariable:
			if u, err := url.Parse(value); err != nil || u.Scheme != "https" || u.Host == "" {
				b.problems.Addf(path, "must be an https address")
				continue
			}
			kind := strings.TrimPrefix(v.Key, "header.")
			p := Parameter{Type: kind}
			switch kind {
			case "image":
				p.Image = &Media{Link: value}
			case "video":
				p.Video = &Media{Link: value}
			default:
				p.Document = &Media{Link: value}
			}
			out = append(out, p)
		case v.Kind == CodeVariable:
			out = append(out, Parameter{Type: "coupon_code", CouponCode: value})
		default:
			p := Parameter{Type: "text", Text: value}
			if b.named {
				p.Name = v.name
			}
			out = append(out, p)
		}
	}
	return out
}

func (b *binding) leftOver() {
	var extra []string
	for key := range b.values {
		if !b.used[key] {
			extra = append(extra, key)
		}
	}
	slices.Sort(extra)
	for _, key := range extra {
		if len(key) > 64 {
			key = key[:64]
		}
		b.problems.Addf("variables."+strings.ToValidUTF8(key, ""), "the template has no such variable")
	}
}

// Preview is a template with the given values filled in.
type Preview struct {
	Header  string // a text, or the kind of the file: "image"
	Media   bool   // Header is the kind of file
	Body    string
	Footer  string
	Buttons []TemplateButton
}

// Preview fills in the given values and leaves other variables as {{name}}.
func (t Template) Preview(values map[string]string) Preview {
	fill := func(prefix, text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(s string) string {
			name := placeholder.FindStringSubmatch(s)[1]
			if value := strings.Join(strings.Fields(values[prefix+name]), " "); value != "" {
				return value
			}
			return "{{" + name + "}}"
		})
	}
	p := Preview{Body: fill("", t.Body), Footer: t.Footer}
	switch t.Header.Format {
	case "":
	case headerText:
		p.Header = fill("header.", t.Header.Text)
	default:
		p.Header, p.Media = strings.ToLower(t.Header.Format), true
	}
	for i, b := range t.Buttons {
		b.URL = fill("button."+strconv.Itoa(i)+".", b.URL)
		p.Buttons = append(p.Buttons, b)
	}
	return p
}
