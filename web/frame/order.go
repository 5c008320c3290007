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

// Column is a column that a list can be sorted by. A descending column sorts newest or
// largest first on the first click, because people look for those rows.
type Column[T any] struct {
	name    string
	falls   bool
	compare func(a, b T) int
}

// WholePage requests the largest page that the dashboard shows. Lists that people set up by hand fit on it and can
// therefore be sorted.
func WholePage(r *http.Request) page.Request {
	return page.Request{Cursor: r.URL.Query().Get("cursor"), Limit: page.ShownLimit}
}

// Sorted sorts the rows of a list by the parameter of its address: sort=name, or
// sort=-name for the reverse. Any other value means byDefault. A list of several pages
// stays newest first and shows a pager instead, because sorting one page would hide the
// rows of the others.
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

// ByText sorts text as people read it: it ignores case, and puts 2 before 10.
func ByText[T any](name string, text func(T) string) Column[T] {
	collator := collate.New(language.Und, collate.IgnoreCase, collate.Numeric)
	return Column[T]{name: name, compare: func(a, b T) int { return collator.CompareString(text(a), text(b)) }}
}

// ByTime sorts newest first, with unset times last.
func ByTime[T any](name string, at func(T) time.Time) Column[T] {
	return Column[T]{name: name, falls: true, compare: func(a, b T) int { return at(a).Compare(at(b)) }}
}

// ByAmount sorts largest first.
func ByAmount[T any, N cmp.Ordered](name string, amount func(T) N) Column[T] {
	return Column[T]{name: name, falls: true, compare: func(a, b T) int { return cmp.Compare(amount(a), amount(b)) }}
}

// LimitOf makes a limit comparable: 0 means no limit, which is larger than any limit.
func LimitOf[N int | float64](n N) float64 {
	if n == 0 {
		return math.Inf(1)
	}
	return float64(n)
}

// ByFlag sorts the rows with the flag before the rows without it.
func ByFlag[T any](name string, has func(T) bool) Column[T] {
	return ByAmount(name, func(t T) int {
		if has(t) {
			return 1
		}
		return 0
	})
}

// OrNever makes an optional time comparable: an unset time is later than any time.
func OrNever(t time.Time) time.Time {
	if t.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return t
}

// Share returns n as a share of whole, for a comparison. The share of an empty whole is
// less than 0.
func Share(n, whole int) float64 {
	if whole == 0 {
		return -1
	}
	return float64(n) / float64(whole)
}
