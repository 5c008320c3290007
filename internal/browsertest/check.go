package browsertest

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// View is a window size and a theme.
type View struct {
	Name          string
	Width, Height int64
	Phone         bool // touch instead of a mouse
	Dark          bool
	Paper         bool // the print layout
}

// Views are the views in which every page is checked.
var Views = []View{
	{Name: "desktop", Width: 1440, Height: 900},
	{Name: "desktop-dark", Width: 1440, Height: 900, Dark: true},
	{Name: "phone", Width: 375, Height: 812, Phone: true},
	{Name: "phone-dark", Width: 375, Height: 812, Phone: true, Dark: true},
}

// Opposites returns two of Views that differ in size and in theme, so that a page is checked at both sizes and in both
// themes for half of the work. Even and odd numbers get different pairs: what only one size shows in one theme is
// checked on the pages of the other pair.
func Opposites(i int) []View {
	if i%2 == 0 {
		return []View{Views[0], Views[3]}
	}
	return []View{Views[1], Views[2]}
}

// Nearest returns views in an order in which the tab keeps its size as long as it can, because a new size takes as long
// as the checks of a small page.
func (tab *Tab) Nearest(views []View) []View {
	ordered := slices.Clone(views)
	slices.SortStableFunc(ordered, func(a, b View) int {
		switch is, other := a.Width == tab.size.Width, b.Width == tab.size.Width; {
		case is == other:
			return 0
		case is:
			return -1
		default:
			return 1
		}
	})
	return ordered
}

// Emulate gives the tab a size and a theme. It turns animations off, so that a
// screenshot does not depend on its moment.
func (tab *Tab) Emulate(v View) {
	tab.t.Helper()
	var steps []chromedp.Action[chromedp.Void]
	if size := (View{Width: v.Width, Height: v.Height, Phone: v.Phone}); size != tab.size {
		tab.size = size // a new theme alone needs no new layout
		var options []chromedp.EmulateViewportOption
		if v.Phone {
			options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
		}
		steps = append(steps, chromedp.EmulateViewport(v.Width, v.Height, options...))
	}
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	media := ""
	if v.Paper {
		media = "print"
	}
	tab.Do("emulate "+v.Name, append(steps, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(
			ctx,
			target,
			emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Media: media, Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: scheme},
				{Name: "prefers-reduced-motion", Value: "reduce"},
			}},
		)
		return err
	}))...)
}

// axe is Deque's axe-core, unchanged, under the Mozilla Public License 2.0.
//
//go:embed testdata/axe.min.js
var axe string

// audit is the part of the checks that runs in the page.
//
//go:embed audit.js
var audit string

// colorRules are the rules of axe-core whose results depend only on colors.
const colorRules = `["color-contrast", "link-in-text-block"]`

// fine contains the keys with which axe-core found no fault. A key stands for something that findings depend on, such
// as a paint: color, size and background of a text. A process checks each key once, because pages share most of them,
// and contrast takes most of the time of a check.
var fine sync.Map

// Axe returns the findings of axe-core: WCAG 2.2 A and AA, and best practices.
func (tab *Tab) Axe() []string {
	tab.t.Helper()
	if !Eval[bool](tab, "typeof axe === 'object'") {
		Eval[any](tab, axe+audit+";0")
	}
	unseen := []string{}
	for _, key := range Eval[[]string](tab, "audit.keys()") {
		if _, seen := fine.Load(key); !seen {
			unseen = append(unseen, key)
		}
	}
	keys, err := json.Marshal(unseen)
	if err != nil {
		tab.t.Fatalf("encode the keys of a page: %v", err)
	}
	const tags = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	findings := Eval[[]string](tab, `audit.page(`+tags+`, `+colorRules+`, `+string(keys)+`)`)
	if len(findings) == 0 {
		for _, key := range unseen {
			fine.Store(key, true)
		}
	}
	return findings
}

// Overflow names the elements that make the page scroll sideways.
func (tab *Tab) Overflow() []string {
	tab.t.Helper()
	return Eval[[]string](tab, `(() => {
		const width = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= width) return [];
		const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > width `+
		`+ 0.5);
		const inner = wide.filter((e) => !wide.some((o) => o !== e && e.contains(o)));
		return ["the page is " + document.documentElement.scrollWidth + " px wide, not " + width,
			...inner.slice(0, 5).map((e) => e.outerHTML.slice(0, 160))];
	})()`)
}

// Check fails the test for every fault of the current page: errors in the console,
// violations of the content security policy, findings of axe-core, and scrolling
// sideways.
func (tab *Tab) Check(page string) {
	tab.t.Helper()
	for _, p := range tab.Problems() {
		tab.t.Errorf("%s: %s", page, p)
	}
	for _, p := range tab.Axe() {
		tab.t.Errorf("%s: axe: %s", page, p)
	}
	for _, p := range tab.Overflow() {
		tab.t.Errorf("%s: too wide: %s", page, p)
	}
}
