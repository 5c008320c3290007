package browsertest

import (
	"context"
	_ "embed"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// View is a size and a theme that pages are looked at in.
type View struct {
	Name          string
	Width, Height int64
	Phone         bool // with a finger instead of a pointer
	Dark          bool
	Paper         bool // as it is printed
}

// Views are those every page must be right in.
var Views = []View{
	{Name: "desktop", Width: 1440, Height: 900},
	{Name: "desktop-dark", Width: 1440, Height: 900, Dark: true},
	{Name: "phone", Width: 375, Height: 812, Phone: true},
	{Name: "phone-dark", Width: 375, Height: 812, Phone: true, Dark: true},
}

// Emulate makes the tab be of a size and theme. Movement is reduced, so that
// what is seen does not depend on the moment.
func (tab *Tab) Emulate(v View) {
	tab.t.Helper()
	var steps []chromedp.Action[chromedp.Void]
	if size := (View{Width: v.Width, Height: v.Height, Phone: v.Phone}); size != tab.size {
		tab.size = size // another theme alone needs no new layout
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

// Axe are the findings of axe-core: WCAG 2.2 A and AA, and best practices.
func (tab *Tab) Axe() []string {
	tab.t.Helper()
	return tab.axe(`["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`)
}

func (tab *Tab) axe(rules string) []string {
	tab.t.Helper()
	if !Eval[bool](tab, "typeof axe === 'object'") {
		Eval[any](tab, axe+";0")
	}
	return Eval[[]string](tab, `axe.run(document, { resultTypes: ["violations"], runOnly: `+rules+` })
		.then((r) => r.violations.flatMap((v) => v.nodes.map((n) =>
			v.id + ": " + n.target.join(" ") + " " + n.failureSummary.replace(/\s+/g, " ") + " " + n.html.slice(0, 160))))`)
}

// Overflow names the elements that make the page scroll sideways.
func (tab *Tab) Overflow() []string {
	tab.t.Helper()
	return Eval[[]string](tab, `(() => {
		const width = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= width) return [];
		const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > width + 0.5);
		const inner = wide.filter((e) => !wide.some((o) => o !== e && e.contains(o)));
		return ["the page is " + document.documentElement.scrollWidth + " px wide, not " + width,
			...inner.slice(0, 5).map((e) => e.outerHTML.slice(0, 160))];
	})()`)
}

// Check fails the test for everything that is wrong with the page as it stands:
// errors in the console, violations of the policy, findings of axe-core, and
// scrolling sideways.
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

// CheckTheme is Check for a page that has been checked in the other theme: of
// the findings of axe-core it looks only for those that colors make.
func (tab *Tab) CheckTheme(page string) {
	tab.t.Helper()
	for _, p := range tab.Problems() {
		tab.t.Errorf("%s: %s", page, p)
	}
	for _, p := range tab.axe(`["color-contrast", "link-in-text-block"]`) {
		tab.t.Errorf("%s: axe: %s", page, p)
	}
}
