package frame

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

// Column is what a list can be sorted by. One that falls begins with the newest
// or the most, because that is what people look for in it.
type Column[T any] struct {
	name    string
	falls   bool
	compare func(a, b T) int
}

// WholePage asks for as much as a page may hold: lists that people set up by hand
// end before that, and can then be sorted.
func WholePage(r *http.Request) page.Request {
	return page.Request{Cursor: r.URL.Query().Get("cursor"), Limit: page.MaxLimit}
}

// Sorted puts the rows of a list into the order that the address of the list asks
// for: sort=name, or sort=-name from the other end; anything else means byDefault.
// A list of several pages stays as it came, newest first, because what is sorted
// must be all there is; it has a pager instead.
func Sorted[T any](
	r *http.Request, path string, next *string, rows []T, byDefault string, columns ...Column[T],
) (ui.Order, ui.Pager) {
	at := url.URL{Path: path, RawQuery: r.URL.RawQuery}
	if next != nil || r.URL.Query().Get("cursor") != "" {
		return ui.Order{}, pagerAt(&at, next, "Newest first")
	}
	asked := r.URL.Query().Get("sort")
	if !slices.ContainsFunc(columns, func(c Column[T]) bool { return c.name == strings.TrimPrefix(asked, "-") }) {
		asked = byDefault
	}
	order := ui.Order{
		By: strings.TrimPrefix(asked, "-"), Descending: strings.HasPrefix(asked, "-"), Links: map[string]string{},
	}
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
		order.Links[c.name] = WithParam(&at, "sort", to)
	}
	return order, ui.Pager{}
}

// ByText sorts as people read: without regard to case, and 2 before 10.
func ByText[T any](name string, text func(T) string) Column[T] {
	collator := collate.New(language.Und, collate.IgnoreCase, collate.Numeric)
	return Column[T]{name: name, compare: func(a, b T) int { return collator.CompareString(text(a), text(b)) }}
}

// ByTime sorts from the newest; never comes last.
func ByTime[T any](name string, at func(T) time.Time) Column[T] {
	return Column[T]{name: name, falls: true, compare: func(a, b T) int { return at(a).Compare(at(b)) }}
}

// ByAmount sorts from the most.
func ByAmount[T any, N cmp.Ordered](name string, amount func(T) N) Column[T] {
	return Column[T]{name: name, falls: true, compare: func(a, b T) int { return cmp.Compare(amount(a), amount(b)) }}
}

// LimitOf is a limit to be compared: 0 means none, which is more than any.
func LimitOf[N int | float64](n N) float64 {
	if n == 0 {
		return math.Inf(1)
	}
	return float64(n)
}

// ByFlag sorts what has it before what has not.
func ByFlag[T any](name string, has func(T) bool) Column[T] {
	return ByAmount(name, func(t T) int {
		if has(t) {
			return 1
		}
		return 0
	})
}

// OrNever is a time to be compared: none is later than any.
func OrNever(t time.Time) time.Time {
	if t.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return t
}

// Share is n of a whole to be compared: of nothing, less than none.
func Share(n, whole int) float64 {
	if whole == 0 {
		return -1
	}
	return float64(n) / float64(whole)
}
