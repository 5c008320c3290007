package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
)

// A form that was kept is shown where it was typed: its page is asked for with
// the form's id, drawn as ever, and the values are put into its controls before it
// is sent to the browser. So no page knows of it, but for those that have as many
// rows as were filled in, which ask typedBefore. Where the form can't be shown
// whole, its sender gets the page that only sends it again.

const (
	keptParam  = "kept"
	keptAnchor = "kept" // the note above the form
)

type keptKey struct{}

// returning is a kept form on its way back into its page.
type returning struct {
	keptForm
	otherwise string // where to go when this page can't show it
}

// places are where a kept form may be shown, the likeliest first: the page it was
// on; its own address, where that is a page too, or the page of a new one, for a
// form that was on the answer to an earlier try; and last the page that sends it
// again.
func (s *server) places(form keptForm, id string) []string {
	var places []string
	action, _, _ := strings.Cut(form.Action, "?")
	for _, path := range []string{form.From, form.Action, action + "/new"} {
		u, err := url.Parse(path)
		if err != nil || path == "" || ours(path) != path || !s.pages.Match(chi.NewRouteContext(), http.MethodGet, u.Path) {
			continue
		}
		place := withParam(u, keptParam, id) + "#" + keptAnchor
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return append(places, "/kept/"+id)
}

// refilled puts a kept form that a page is asked for with into its context. The
// page itself does not see the id, nor do its links.
func (s *server) refilled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, err := uuid.Parse(r.URL.Query().Get(keptParam))
		if err != nil || r.Method != http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		here := r.URL.RequestURI() + "#" + keptAnchor
		r = r.Clone(r.Context())
		q := r.URL.Query()
		q.Del(keptParam)
		r.URL.RawQuery = q.Encode()

		form, err := s.keptForm(r, id)
		if fault.KindOf(err) == fault.NotFound {
			s.toast(r, "Your entries are no longer available. Forms are kept for one hour, and only for the person who sent them.")
			next.ServeHTTP(w, r)
			return
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		back := returning{keptForm: form}
		places := s.places(form, id.String())
		back.otherwise = places[min(slices.Index(places, here)+1, len(places)-1)]
		if !slices.Contains(places, here) {
			back.otherwise = places[len(places)-1]
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), keptKey{}, back)))
	})
}

// keptForm is the form of an id; NotFound for everybody but its sender.
func (s *server) keptForm(r *http.Request, id uuid.UUID) (form keptForm, err error) {
	sealed, err := s.Accounts.KeptForm(r.Context(), signedIn(r), id)
	if err != nil {
		return form, err
	}
	if err := json.Unmarshal(sealed, &form); err != nil {
		return form, fmt.Errorf("decode a kept form: %w", err)
	}
	return form, nil
}

// typedBefore are the values that this page will be filled with; nil for none.
func typedBefore(r *http.Request) url.Values {
	back, ok := r.Context().Value(keptKey{}).(returning)
	if !ok {
		return nil
	}
	values := url.Values{}
	for _, f := range back.Fields {
		values.Add(f.Name, f.Value)
	}
	return values
}

// rowsBefore counts the rows of a form that were there to be typed into; field is
// the name of one, as fmt writes it.
func rowsBefore(typed url.Values, field string, most int) int {
	n := 0
	for n < most && typed.Has(fmt.Sprintf(field, n)) {
		n++
	}
	return n
}

// refill is a page with the kept form in it, where the request came with one; ok
// is false when this page can't show it.
func refill(r *http.Request, status int, page []byte) (refilled []byte, otherwise string, err error) {
	back, ok := r.Context().Value(keptKey{}).(returning)
	if !ok {
		return page, "", nil
	}
	if status != http.StatusOK {
		return nil, back.otherwise, nil
	}
	refilled, err = back.fill(r.Context(), page)
	if errors.Is(err, errNoPlace) {
		return nil, back.otherwise, nil
	}
	return refilled, "", err
}

var errNoPlace = errors.New("the page has no place for what was typed")

// fill puts the values into the form of the page that is sent to where they were.
func (f *keptForm) fill(ctx context.Context, page []byte) ([]byte, error) {
	document, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, fmt.Errorf("read a page to fill in: %w", err)
	}
	values := url.Values{}
	for _, field := range f.Fields {
		values.Add(field.Name, field.Value)
	}
	for node := range document.Descendants() {
		if node.DataAtom != atom.Form || attr(node, "method") != "post" || attr(node, "action") != f.Action {
			continue
		}
		controls := controlsOf(node)
		if !controls.take(values) {
			continue
		}
		lost := controls.set(values)
		for _, name := range f.Lost {
			lost = append(lost, controls.label(name))
		}
		if err := insertNote(ctx, node, lost); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := html.Render(&b, document); err != nil {
			return nil, fmt.Errorf("write a page that is filled in: %w", err)
		}
		return b.Bytes(), nil
	}
	return nil, errNoPlace
}

// insertNote says above the form how it came to be filled in, and what is missing.
func insertNote(ctx context.Context, form *html.Node, lost []string) error {
	var b bytes.Buffer
	if err := views.KeptNote(keptAnchor, lost).Render(ctx, &b); err != nil {
		return fmt.Errorf("draw the note above a kept form: %w", err)
	}
	nodes, err := html.ParseFragment(&b, &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"})
	if err != nil {
		return fmt.Errorf("read the note above a kept form: %w", err)
	}
	// A form that is the body of its page has the page's margins; others stand in
	// something that has.
	for _, note := range nodes {
		if slices.Contains(strings.Fields(attr(form, "class")), "page-body") {
			form.InsertBefore(note, form.FirstChild)
		} else {
			form.Parent.InsertBefore(note, form)
		}
	}
	return nil
}

// controls are what of a form has a name and is sent, by that name.
type controls struct {
	named  map[string][]*html.Node
	labels map[string]string // by the id they are for
}

func controlsOf(form *html.Node) controls {
	c := controls{named: map[string][]*html.Node{}, labels: map[string]string{}}
	for node := range form.Descendants() {
		switch node.DataAtom {
		case atom.Input, atom.Select, atom.Textarea:
			if name := attr(node, "name"); name != "" && !slices.Contains([]string{"submit", "button", "image"}, attr(node, "type")) {
				c.named[name] = append(c.named[name], node)
			}
		case atom.Label:
			c.labels[attr(node, "for")] = labelText(node)
		}
	}
	return c
}

// label is what people know a control by.
func (c controls) label(name string) string {
	for _, node := range c.named[name] {
		if label := c.labels[attr(node, "id")]; label != "" {
			return label
		}
	}
	return views.KeptLabel(name)
}

// take tells whether there is a control for everything that somebody typed.
func (c controls) take(values url.Values) bool {
	for name, typed := range values {
		if slices.Contains(marks, name) || !slices.ContainsFunc(typed, func(v string) bool { return v != "" }) {
			continue
		}
		if len(c.named[name]) == 0 {
			return false
		}
	}
	return true
}

// set gives the controls their values, and returns the labels of those that no
// longer offer what was chosen. What was not sent was not ticked.
func (c controls) set(values url.Values) (lost []string) {
	for name, nodes := range c.named {
		left := slices.Clone(values[name])
		for _, node := range nodes {
			switch kind := attr(node, "type"); {
			case node.DataAtom == atom.Select:
				if len(left) > 0 {
					if !choose(node, left[0]) {
						lost = append(lost, c.label(name))
					}
					left = left[1:]
				}
			case node.DataAtom == atom.Textarea:
				if len(left) > 0 {
					setText(node, left[0])
					left = left[1:]
				}
			case kind == "checkbox" || kind == "radio":
				mark(node, "checked", slices.Contains(values[name], attr(node, "value")))
			case kind == "file" || kind == "password" || secretField.MatchString(name):
			case len(left) > 0:
				setAttr(node, "value", left[0])
				left = left[1:]
			}
		}
	}
	slices.Sort(lost)
	return lost
}

// choose selects the option of a value; false when there is none.
func choose(list *html.Node, value string) bool {
	var chosen *html.Node
	for node := range list.Descendants() {
		if node.DataAtom == atom.Option && attr(node, "value") == value {
			chosen = node
		}
	}
	if chosen == nil {
		return false
	}
	for node := range list.Descendants() {
		if node.DataAtom == atom.Option {
			mark(node, "selected", node == chosen)
		}
	}
	return true
}

func setText(node *html.Node, text string) {
	for node.FirstChild != nil {
		node.RemoveChild(node.FirstChild)
	}
	node.AppendChild(&html.Node{Type: html.TextNode, Data: strings.ReplaceAll(text, "\r\n", "\n")})
}

// labelText is the words of a label, without the remark that it is optional.
func labelText(label *html.Node) string {
	var words []string
	for n := range label.Descendants() {
		if n.Type == html.TextNode && attr(n.Parent, "class") != "opt" {
			words = append(words, strings.Fields(n.Data)...)
		}
	}
	return strings.Join(words, " ")
}

func attr(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func setAttr(node *html.Node, name, value string) {
	mark(node, name, false)
	node.Attr = append(node.Attr, html.Attribute{Key: name, Val: value})
}

// mark sets an attribute that has no value, or takes it away.
func mark(node *html.Node, name string, on bool) {
	node.Attr = slices.DeleteFunc(node.Attr, func(a html.Attribute) bool { return a.Key == name })
	if on {
		node.Attr = append(node.Attr, html.Attribute{Key: name})
	}
}
