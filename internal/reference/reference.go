// Package reference converts the description of the API, OpenAPI 3.1 in YAML, to pages
// that a person reads: operations with their fields, examples and errors, in the order of
// the description. It supports the part of OpenAPI that the product's description uses,
// and keeps the order of everything, which libraries lose.
package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reference is the whole API reference. Its texts are Markdown with paragraphs, lists,
// code, emphasis and links, as the description uses it.
type Reference struct {
	Title   string
	Version string
	Pages   []Page // guides, then a page for each tag, then the events
}

// Page is a page of the reference.
type Page struct {
	Slug       string // the last part of its address; "" for the first page
	Title      string
	Text       string
	Sections   []Section
	Objects    []Object // that the page's operations return, and no operation of an earlier page
	Operations []Operation
	Events     []Event
}

// Guide reports whether the page is a guide: it describes no operations or events.
func (p Page) Guide() bool { return len(p.Operations) == 0 && len(p.Events) == 0 }

// Section is a part of a guide.
type Section struct {
	Slug, Title, Text string
}

// Object is what operations return.
type Object struct {
	Name    string // of its schema: "Campaign"
	Slug    string // "campaign-object"
	Title   string // "Campaign object"
	Fields  []Field
	Example Example // "" if no operation returns it alone
}

// Operation is a method of a path.
type Operation struct {
	ID         string
	Method     string
	Path       string // /campaigns/{id}, below the prefix
	Title      string
	Text       string
	Scope      string // the scope that a key needs
	Deprecated bool
	Parameters []Parameter
	Body       *Body // nil without a body
	Responses  []Response
	prefix     string // /api/v1
	file       string // the file name for an answer that is a file: calls.csv
}

// Parameter is a parameter in the path, the query or the header.
type Parameter struct {
	Field
	In      string // path, query, header
	Example string
}

// Body is the body of a request.
type Body struct {
	Required bool
	Fields   []Field
	Examples []Example
}

// Example is a value as JSON, or a file.
type Example struct {
	Title string // how the example differs from the others; may be ""
	JSON  string
	CSV   string // the content of a CSV file, instead of JSON
	index int    // position among the examples of its body
}

// Response is a possible answer.
type Response struct {
	Status   string // "201"
	Text     string
	Headers  []Field // except the headers of every answer
	Fields   []Field // nil for an error, or without a body
	Object   string  // the name of the returned object's schema; "" for a list
	Examples []Example
	Errors   []string // the texts of an error
}

// OK reports whether the response is a success.
func (r Response) OK() bool { return strings.HasPrefix(r.Status, "2") }

// Event is a type of event that webhooks receive.
type Event struct {
	Type    string
	Text    string
	Fields  []Field
	Example string // JSON
}

var methods = []string{"get", "post", "put", "patch", "delete"}

// EventsSlug is the slug of the events page.
const EventsSlug = "events"

// EventSchema is the path of the schema of an event's payload: the served description, and where the schema is in it.
func EventSchema(eventType string) string {
	return "/openapi.json#/webhooks/" + eventType + "/post/requestBody/content/application~1json/schema"
}

// EventDocs is the path of the documentation of an event.
func EventDocs(eventType string) string { return "/docs/" + EventsSlug + "#" + eventType }

// Parse reads a description.
func Parse(description []byte) (*Reference, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(description, &document); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	if len(document.Content) != 1 {
		return nil, errors.New("read the description: it is empty")
	}
	root := node{doc: document.Content[0], at: document.Content[0]}
	info := root.get("info")
	r := &Reference{Title: info.get("title").text(), Version: info.get("version").text()}
	r.Pages = Guides("# Introduction\n" + info.get("description").text())
	r.Pages[0].Slug = ""
	prefix := ""
	if servers := root.get("servers").items(); len(servers) > 0 {
		prefix = servers[0].get("url").text()
	}
	operations := map[string][]Operation{}
	for path, item := range root.get("paths").pairs {
		for method, o := range item.pairs {
			if !slices.Contains(methods, method) {
				continue
			}
			for _, tag := range o.get("tags").texts() {
				operations[tag] = append(operations[tag], operation(method, path, prefix, item, o))
			}
		}
	}
	for _, tag := range root.get("tags").items() {
		name := tag.get("name").text()
		if len(operations[name]) > 0 {
			r.Pages = append(r.Pages, Page{
				Slug: slug(name), Title: name, Text: tag.get("description").text(), Operations: operations[name],
			})
		}
	}
	if events := root.get("webhooks"); events.there() {
		p := Page{Slug: EventsSlug, Title: "Events"}
		for name, item := range events.pairs {
			p.Events = append(p.Events, event(name, item.get("post")))
		}
		r.Pages = append(r.Pages, p)
	}
	r.findObjects()
	return r, nil
}

// findObjects gives each object that several operations return to the first page that returns it.
func (r *Reference) findObjects() {
	uses := map[string]int{}
	for _, p := range r.Pages {
		for _, o := range p.Operations {
			for object := range o.objects {
				uses[object.Name]++
			}
		}
	}
	for i := range r.Pages {
		p := &r.Pages[i]
		for _, o := range p.Operations {
			for object := range o.objects {
				if uses[object.Name] < 2 {
					continue
				}
				if _, first := r.Object(object.Name); first == nil {
					p.Objects = append(p.Objects, object)
				} else if first.Example.JSON == "" {
					first.Example = object.Example
				}
			}
		}
	}
}

// objects yields the objects that an operation returns, alone or in a list.
func (o Operation) objects(yield func(Object) bool) {
	for _, response := range o.Responses {
		object := Object{Name: response.Object, Fields: response.Fields}
		if len(response.Examples) > 0 {
			object.Example = response.Examples[0]
		}
		for _, f := range response.Fields {
			if response.Object == "" && f.Name == "data" {
				object = Object{Name: f.Object, Fields: f.Fields}
			}
		}
		if object.Name == "" || !response.OK() {
			continue
		}
		object.Title = words(object.Name) + " object"
		object.Slug = slug(object.Title)
		if !yield(object) {
			return
		}
	}
}

// Object returns the page and the object with the name of a schema, or nil.
func (r *Reference) Object(name string) (*Page, *Object) {
	for i := range r.Pages {
		for j := range r.Pages[i].Objects {
			if o := &r.Pages[i].Objects[j]; o.Name == name {
				return &r.Pages[i], o
			}
		}
	}
	return nil, nil
}

var capital = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// spoken are the schemas whose names are not what people call them.
var spoken = map[string]string{
	"CallWithTranscript": "Call",
	"DoNotCall":          "Do-not-call entry",
	"InboundSetUp":       "Inbound set-up",
	"FollowUp":           "Follow-up",
}

// words returns the name of a schema in words: "Phone number" for PhoneNumber.
func words(name string) string {
	if text := spoken[name]; text != "" {
		return text
	}
	text := strings.ToLower(capital.ReplaceAllString(name, "$1 $2"))
	return strings.ToUpper(text[:1]) + text[1:]
}

// EventExamples returns the payload of each event's example by event type. Events without an
// example are left out.
func (r *Reference) EventExamples() map[string]json.RawMessage {
	payloads := map[string]json.RawMessage{}
	for _, p := range r.Pages {
		for _, e := range p.Events {
			if e.Example == "" {
				continue
			}
			payloads[e.Type] = json.RawMessage(e.Example)
		}
	}
	return payloads
}

// Page returns the page with a slug, or nil.
func (r *Reference) Page(slug string) *Page {
	for i := range r.Pages {
		if r.Pages[i].Slug == slug {
			return &r.Pages[i]
		}
	}
	return nil
}

// Guides returns the pages of a text in Markdown. A line "# …" starts a page, a line "## …" a section.
func Guides(markdown string) (pages []Page) {
	var text []string
	flush := func() {
		if len(pages) > 0 {
			p := &pages[len(pages)-1]
			body := strings.TrimSpace(strings.Join(text, "\n"))
			if n := len(p.Sections); n > 0 {
				p.Sections[n-1].Text = body
			} else {
				p.Text = body
			}
		}
		text = nil
	}
	inCode := false // a comment in code is no heading
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if title, ok := strings.CutPrefix(line, "# "); ok && !inCode {
			flush()
			pages = append(pages, Page{Slug: slug(title), Title: title})
		} else if title, ok := strings.CutPrefix(line, "## "); ok && !inCode && len(pages) > 0 {
			flush()
			p := &pages[len(pages)-1]
			p.Sections = append(p.Sections, Section{Slug: slug(title), Title: title})
		} else {
			text = append(text, line)
		}
	}
	flush()
	return pages
}

var noSlug = regexp.MustCompile(`[^a-z0-9]+`)

func slug(title string) string {
	return strings.Trim(noSlug.ReplaceAllString(strings.ToLower(title), "-"), "-")
}

var scopeOf = regexp.MustCompile("\\s*Scope: `([a-z:_-]+)`\\.")

func operation(method, route, prefix string, item, n node) Operation {
	o := Operation{
		ID: n.get("operationId").text(), Method: strings.ToUpper(method), Path: route, prefix: prefix,
		Title: n.get("summary").text(), Text: n.get("description").text(), Deprecated: n.get("deprecated").isTrue(),
	}
	if m := scopeOf.FindStringSubmatch(o.Text); m != nil {
		o.Scope = m[1]
		o.Text = strings.TrimSpace(scopeOf.ReplaceAllString(o.Text, ""))
	}
	for _, list := range []node{item.get("parameters"), n.get("parameters")} {
		for _, p := range list.items() {
			f := field(p.get("name").text(), p.get("schema"), p.get("required").isTrue(), 0)
			if text := p.get("description").text(); text != "" {
				f.Text = text
			}
			o.Parameters = append(o.Parameters, Parameter{
				Field: f, In: p.get("in").text(), Example: p.get("example").text(),
			})
		}
	}
	if body := n.get("requestBody"); body.there() {
		content := body.get("content").get("application/json")
		o.Body = &Body{
			Required: body.get("required").isTrue(), Fields: fieldsOf(content.get("schema"), 0),
			Examples: examples(content),
		}
		for _, e := range body.get("content").get("text/csv").get("examples").pairs {
			o.Body.Examples = append(o.Body.Examples, Example{
				Title: e.get("summary").text(), CSV: e.get("value").text(), index: len(o.Body.Examples),
			})
		}
	}
	for status, response := range n.get("responses").pairs {
		o.Responses = append(o.Responses, readResponse(status, response))
		for media, extension := range files {
			if response.get("content").get(media).there() {
				// /campaigns/{id}/recipients/export: recipients.csv
				o.file = path.Base(strings.TrimSuffix(route, "/export")) + extension
			}
		}
	}
	return o
}

// files maps content types that a terminal can't or should not show to the extensions of
// their files.
var files = map[string]string{"text/csv": ".csv", "audio/*": ".wav"}

func readResponse(status string, n node) Response {
	r := Response{Status: status, Text: n.get("description").text()}
	for name, h := range n.get("headers").pairs {
		if !general[name] {
			f := field(name, h.get("schema"), h.get("required").isTrue(), 0)
			f.Text = h.get("description").text()
			r.Headers = append(r.Headers, f)
		}
	}
	content := n.get("content").get("application/json")
	if content.get("schema").ref == "Error" {
		for _, value := range values(content) {
			r.Errors = append(r.Errors, value.get("error").text())
		}
		return r
	}
	schema := content.get("schema")
	r.Fields, r.Object, r.Examples = fieldsOf(schema, 0), objectOf(schema), examples(content)
	if slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Name == "has_more" }) {
		r.Object = "" // a page of a list
	}
	return r
}

// general are the headers of every answer. The guide describes them once.
var general = map[string]bool{
	"X-Request-Id": true, "X-RateLimit-Limit": true, "X-RateLimit-Remaining": true, "X-RateLimit-Reset": true,
	"RateLimit": true, "RateLimit-Policy": true,
}

// values returns the examples of a content.
func values(content node) (all []node) {
	if one := content.get("example"); one.there() {
		return []node{one}
	}
	for _, e := range content.get("examples").pairs {
		all = append(all, e.get("value"))
	}
	return all
}

func examples(content node) (all []Example) {
	if one := content.get("example"); one.there() {
		return []Example{{JSON: one.json("  ")}}
	}
	for _, e := range content.get("examples").pairs {
		all = append(all, Example{Title: e.get("summary").text(), JSON: e.get("value").json("  "), index: len(all)})
	}
	return all
}

func event(name string, n node) Event {
	content := n.get("requestBody").get("content").get("application/json")
	e := Event{Type: name, Text: n.get("summary").text(), Fields: fieldsOf(content.get("schema"), 0)}
	if all := examples(content); len(all) > 0 {
		e.Example = all[0].JSON
	}
	return e
}
