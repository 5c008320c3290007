package web

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views/ui"
)

// column is what a list can be sorted by. One that falls begins with the newest
// or the most, because that is what people look for in it.
type column[T any] struct {
	name    string
	falls   bool
	compare func(a, b T) int
}

// wholePage asks for as much as a page may hold: lists that people set up by hand
// end before that, and can then be sorted.
func wholePage(r *http.Request) page.Request {
	return page.Request{Cursor: r.URL.Query().Get("cursor"), Limit: page.MaxLimit}
}

// sorted puts the rows of a list into the order that the address of the list asks
// for: sort=name, or sort=-name from the other end; anything else means byDefault.
// A list of several pages stays as it came, newest first, because what is sorted
// must be all there is; it has a pager instead.
func sorted[T any](r *http.Request, path string, next *string, rows []T, byDefault string, columns ...column[T]) (ui.Order, ui.Pager) {
	at := url.URL{Path: path, RawQuery: r.URL.RawQuery}
	if next != nil || r.URL.Query().Get("cursor") != "" {
		return ui.Order{}, pagerAt(&at, next, "Newest first")
	}
	asked := r.URL.Query().Get("sort")
	if !slices.ContainsFunc(columns, func(c column[T]) bool { return c.name == strings.TrimPrefix(asked, "-") }) {
		asked = byDefault
	}
	order := ui.Order{By: strings.TrimPrefix(asked, "-"), Descending: strings.HasPrefix(asked, "-"), Links: map[string]string{}}
	for _, c := range columns {
		descends := c.falls
		if c.name == order.By {
			descends = !order.Descending
			slices.SortStableFunc(rows, func(a, b T) int {
				if order.Descending {
					a, b = b, a
				}
				return c.compare(a, b)
			})
		}
		to := c.name
		if descends {
			to = "-" + to
		}
		if to == byDefault {
			to = ""
		}
		order.Links[c.name] = withParam(&at, "sort", to)
	}
	return order, ui.Pager{}
}

// byText sorts as people read: without regard to case, and 2 before 10.
func byText[T any](name string, text func(T) string) column[T] {
	collator := collate.New(language.Und, collate.IgnoreCase, collate.Numeric)
	return column[T]{name: name, compare: func(a, b T) int { return collator.CompareString(text(a), text(b)) }}
}

// byTime sorts from the newest; never comes last.
func byTime[T any](name string, at func(T) time.Time) column[T] {
	return column[T]{name: name, falls: true, compare: func(a, b T) int { return at(a).Compare(at(b)) }}
}

// byAmount sorts from the most.
func byAmount[T any, N cmp.Ordered](name string, amount func(T) N) column[T] {
	return column[T]{name: name, falls: true, compare: func(a, b T) int { return cmp.Compare(amount(a), amount(b)) }}
}

// limitOf is a limit to be compared: 0 means none, which is more than any.
func limitOf[N int | float64](n N) float64 {
	if n == 0 {
		return math.Inf(1)
	}
	return float64(n)
}

// byFlag sorts what has it before what has not.
func byFlag[T any](name string, has func(T) bool) column[T] {
	return byAmount(name, func(t T) int {
		if has(t) {
			return 1
		}
		return 0
	})
}

// orNever is a time to be compared: none is later than any.
func orNever(t time.Time) time.Time {
	if t.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return t
}

// part is n of a whole to be compared: of nothing, less than none.
func part(n, whole int) float64 {
	if whole == 0 {
		return -1
	}
	return float64(n) / float64(whole)
}
