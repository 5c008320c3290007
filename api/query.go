package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/wire"
)

// query reads the parameters of a route and collects their problems. A parameter that the route does not read is
// one of them: a filter that is misspelled would otherwise find everything.
type query struct {
	request  *http.Request
	values   url.Values
	asked    url.Values // parameters that were read, except limit and cursor
	known    []string   // parameters that were read
	objects  []string   // names of parameters with keys: metadata of metadata[source]
	pages    page.Request
	problems fault.Problems
}

func queryOf(r *http.Request) *query {
	q := &query{request: r, asked: url.Values{}}
	if r.URL.RawQuery == "" {
		return q
	}
	var err error
	if q.values, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		q.problems.Addf("", "the query string is malformed")
	}
	return q
}

// err returns the problems. Call it after all parameters are read.
func (q *query) err() error {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !slices.Contains(q.known, name) {
			q.unknown(name)
		}
	}
	if err := q.problems.Err(); err != nil {
		return err
	}
	return q.pages.CheckTag()
}

// unknown adds the problem of a parameter that was not read.
func (q *query) unknown(name string) {
	object, key, keyed := strings.Cut(name, "[")
	if slices.Contains(q.objects, object) {
		q.problems.Addf(name, "must have a key, such as %s[source]", object)
		return
	}
	if meant := check.Nearest(object, q.objects); keyed && meant != "" {
		q.problems.Addf(name, "unknown parameter, did you mean %s[%s?", meant, key)
		return
	}
	names := slices.Clone(q.known)
	for _, object := range q.objects {
		names = append(names, object+"[key]")
	}
	q.problems.Addf(name, "unknown parameter%s", suggestion{mistaken: name, names: names})
}

// tags returns the authentication tags of a cursor in this list: of this organization,
// path and filters. A cursor is therefore useless in any other list and to any other
// organization.
func (q *query) tags(position []byte) [][]byte {
	place := url.Values{
		"organization": {organization(q.request).String()}, "path": {q.request.URL.Path},
		"position": {string(position)},
	}
	for name, values := range q.asked {
		place["filter "+name] = values
	}
	return exchangeOf(q.request).tags("cursor", []byte(place.Encode()))
}

// text returns the value of a parameter, or "" if it is absent or invalid.
func (q *query) text(name string) string {
	q.known = append(q.known, name)
	if name != "limit" && name != "cursor" {
		q.asked[name] = q.values[name]
	}
	values := q.values[name]
	switch {
	case len(values) == 0:
		return ""
	case len(values) > 1:
		q.problems.Addf(name, "given twice")
		return ""
	case values[0] == "":
		q.problems.Addf(name, "must not be empty")
	}
	return values[0]
}

// pairs reads the parameters name[key].
func (q *query) pairs(name string) check.Pairs {
	q.objects = append(q.objects, name)
	pairs := check.Pairs{}
	for _, parameter := range slices.Sorted(maps.Keys(q.values)) {
		key, begins := strings.CutPrefix(parameter, name+"[")
		key, ends := strings.CutSuffix(key, "]")
		if begins && ends && key != "" {
			pairs[key] = q.text(parameter)
		}
	}
	pairs.Check(&q.problems, name)
	return pairs
}

// period reads name_after and name_before.
func (q *query) period(name string) (after, before time.Time) {
	return q.time(name+"_after", wire.ParseTime), q.time(name+"_before", wire.ParseEnd)
}

// page reads limit, cursor, created_after and created_before.
func (q *query) page() page.Request {
	after, before := q.created()
	p := q.pageOnly()
	p.CreatedAfter, p.CreatedBefore = after, before
	q.pages = p
	return p
}

// pageOnly reads limit and cursor.
func (q *query) pageOnly() page.Request {
	var p page.Request
	if limit := q.integer("limit", 1, page.MaxLimit); limit != nil {
		p.Limit = *limit
	}
	if cursor := q.values["cursor"]; len(cursor) == 1 && cursor[0] == "" { // it means the first page
		q.known = append(q.known, "cursor")
	} else {
		p.Cursor = q.text("cursor")
	}
	p.Tags = q.tags
	q.problems.Also(p.Check())
	q.pages = p
	return p
}

// created reads created_after and created_before.
func (q *query) created() (after, before time.Time) {
	return q.period("created")
}

func (q *query) time(name string, parse func(string) (time.Time, error)) time.Time {
	s := q.text(name)
	if s == "" {
		return time.Time{}
	}
	// An unescaped + of an offset arrives as a space.
	t, err := parse(strings.ReplaceAll(s, " ", "+"))
	if err != nil {
		q.problems.Addf(name, "%s", err)
	}
	return t
}

// integer returns nil if the parameter is absent or invalid.
func (q *query) integer(name string, low, high int) *int {
	s := q.text(name)
	if s == "" {
		return nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < low || n > high {
		q.problems.Addf(name, "must be an integer between %d and %d", low, high)
		return nil
	}
	return &n
}

func (q *query) id(name string) *uuid.UUID {
	s := q.text(name)
	if s == "" {
		return nil
	}
	id, ok := check.ParseID(s)
	if !ok {
		q.problems.Addf(name, "must be a UUID")
		return nil
	}
	return &id
}

// idOrNone reads an ID, or reports that the parameter is none.
func (q *query) idOrNone(name string) (id *uuid.UUID, isNone bool) {
	if slices.Equal(q.values[name], []string{none}) {
		q.text(name)
		return nil, true
	}
	return q.id(name), false
}

// oneOf reads a value of a closed set.
func oneOf[T ~string](q *query, name string, set []T) T {
	s := T(q.text(name))
	fault.OneOf(&q.problems, name, page.Only(s), set)
	return s
}

// anyOf reads values of a closed set, from repeated parameters, from comma-separated
// values, or both. Their order and notation do not change the list, so its cursors do not
// depend on them.
func anyOf[T ~string](q *query, name string, set []T) []T {
	q.known = append(q.known, name)
	var values []T
	for _, parameter := range q.values[name] {
		for value := range strings.SplitSeq(parameter, ",") {
			if value == "" {
				q.problems.Addf(name, "must not be empty")
				return nil
			}
			values = append(values, T(value))
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	fault.OneOf(&q.problems, name, values, set)
	for _, value := range values {
		q.asked.Add(name, string(value))
	}
	return values
}

// pathID reads the {id} of a route. A malformed ID is NotFound, like an unknown ID.
func pathID(r *http.Request, resource string) (uuid.UUID, error) {
	id, ok := check.ParseID(r.PathValue("id"))
	if !ok {
		return uuid.Nil, fault.NotFoundf(resource)
	}
	return id, nil
}

// number reads a phone number.
func (q *query) number(name string) string {
	s := q.text(name)
	if s == "" {
		return ""
	}
	// An unescaped + arrives as a space.
	number, err := phone.Parse(strings.Replace(s, " ", "+", 1))
	if err != nil {
		q.problems.Addf(name, "%s", err)
	}
	return number.String()
}
