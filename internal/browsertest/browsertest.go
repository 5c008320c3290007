// Package browsertest drives Chromium in tests. It visits pages at common sizes and in
// both themes, and checks their console, content security policy, accessibility and
// width.
package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/dialwright/dialwright/internal/testwait"
)

// find returns the path of the browser: DIALWRIGHT_CHROMIUM, else the usual paths. It
// prefers a headless shell, which renders as Chromium does for two thirds of the work.
func find() string {
	if path := os.Getenv("DIALWRIGHT_CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{
		"chromium-headless-shell", "chrome-headless-shell",
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	for _, path := range []string{
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
	} {
		if _, err := os.Stat(path); err == nil && runtime.GOOS == "darwin" {
			return path
		}
	}
	return ""
}

// Browser is one running Chromium.
type Browser struct {
	ctx context.Context
}

// shared is the browser of all tests of a process, because starting a browser takes
// longer than most tests.
var shared struct {
	once    sync.Once
	browser *Browser
	err     error
	stop    context.CancelFunc
}

// Main runs the tests of a package that uses browsers, and closes the browser at the end.
// Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// Open returns the browser of this process and starts it on first use. Without Chromium
// on the machine it skips the test, or fails it if CI=true.
func Open(t testing.TB) *Browser {
	t.Helper()
	path := find()
	if path == "" {
		const missing = "no Chromium found: install it (Debian: apt-get install chromium) or name it in " +
			"DIALWRIGHT_CHROMIUM"
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	shared.once.Do(func() { shared.browser, shared.stop, shared.err = start(path) })
	if shared.err != nil {
		t.Fatalf("start %s: %v", path, shared.err)
	}
	return shared.browser
}

func start(path string) (*Browser, context.CancelFunc, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(testwait.Limit),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
		// Each page runs axe-core once and is gone before optimized code would pay. Its compilation took a fifth
		// of all work.
		chromedp.Flag("js-flags", "--max-opt=1"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	closeAll := func() {
		cancel()
		stop()
	}
	// The first step binds the browser to its context, so the context must have no
	// deadline.
	if err := limited(func() error { return chromedp.Do(ctx) }); err != nil {
		closeAll()
		return nil, nil, err
	}
	return &Browser{ctx: ctx}, closeAll, nil
}

// limited runs a step whose context must have no deadline, and gives up after testwait.Limit.
func limited(step func() error) error {
	done := make(chan error, 1)
	go func() { done <- step() }()
	select {
	case err := <-done:
		return err
	case <-time.After(testwait.Limit):
		return context.DeadlineExceeded
	}
}

// Tab is one tab with cookies of its own.
type Tab struct {
	t    testing.TB
	ctx  context.Context
	size View // the size without the theme, as last emulated

	mu       sync.Mutex
	problems []string
}

// NewTab opens a tab that lives as long as the test.
func (b *Browser) NewTab(t testing.TB) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	if err := limited(func() error { return chromedp.Listen(ctx, tab.listen) }); err != nil {
		t.Fatalf("open tab: %v", err)
	}
	return tab
}

// Tabs lends tabs to one test after the other, because opening a tab takes longer than
// visiting a page.
type Tabs struct {
	t       testing.TB
	browser *Browser

	mu   sync.Mutex
	free []*Tab
}

// Tabs makes an empty store of tabs, which close at the end of the test.
func (b *Browser) Tabs(t testing.TB) *Tabs {
	return &Tabs{t: t, browser: b}
}

// Borrow lends a tab until the test ends. The tab keeps the cookies and the size of the
// test before.
func (tabs *Tabs) Borrow(t testing.TB) *Tab {
	t.Helper()
	tabs.mu.Lock()
	var tab *Tab
	if last := len(tabs.free) - 1; last >= 0 {
		tab, tabs.free = tabs.free[last], tabs.free[:last]
	}
	tabs.mu.Unlock()
	if tab == nil {
		tab = tabs.browser.NewTab(tabs.t)
	}
	tab.t = t
	tab.Problems() // drop the problems of the page before
	t.Cleanup(func() {
		tabs.mu.Lock()
		defer tabs.mu.Unlock()
		tabs.free = append(tabs.free, tab)
	})
	return tab
}

// listen records errors and warnings of the console, including violations of the content
// security policy.
func (tab *Tab) listen(event any) {
	var problem string
	switch e := event.(type) {
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.ConsoleAPICalledTypeError || e.Type == cdpruntime.ConsoleAPICalledTypeWarning {
			words := make([]string, len(e.Args))
			for i, a := range e.Args {
				words[i] = strings.Trim(string(a.Value), `"`) + a.Description
			}
			problem = "console: " + strings.Join(words, " ")
		}
	case *cdpruntime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			problem += " " + x.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			problem = fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	}
	if problem != "" {
		tab.mu.Lock()
		tab.problems = append(tab.problems, problem)
		tab.mu.Unlock()
	}
}

// Problems returns the errors and warnings of the console since the previous call.
func (tab *Tab) Problems() []string {
	tab.t.Helper()
	Eval[bool](tab, "true") // earlier console events arrive before this result
	tab.mu.Lock()
	defer tab.mu.Unlock()
	problems := tab.problems
	tab.problems = nil
	return problems
}

// Do runs steps of chromedp within a deadline. It fails the test if a step fails.
func (tab *Tab) Do(what string, steps ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, testwait.Limit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		tab.t.Fatalf("%s: %v", what, err)
	}
}

// Run runs one step of chromedp and returns its result.
func Run[T any](tab *Tab, what string, step chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, testwait.Limit)
	defer cancel()
	v, err := chromedp.Run(ctx, step)
	if err != nil {
		tab.t.Fatalf("%s: %v", what, err)
	}
	return v
}

// Eval evaluates an expression in the page. It waits for a promise.
func Eval[T any](tab *Tab, js string) T {
	tab.t.Helper()
	return Run(tab, "evaluate", chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// Go visits a page and waits until it has loaded.
func (tab *Tab) Go(url string) {
	tab.t.Helper()
	tab.Do("visit "+url, chromedp.Navigate(url))
}

// Path returns the path and the query of the current page.
func (tab *Tab) Path() string {
	tab.t.Helper()
	return Eval[string](tab, "location.pathname + location.search")
}

// Click waits until the element of a CSS selector is visible, and clicks it. A click that misses, because the page
// moved under the mouse, is repeated twice.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	tab.settle()
	for range 3 {
		// Without scripts no listener runs, so that nothing is known, and nothing repeated.
		Eval[bool](tab, fmt.Sprintf(`(() => {
			document.addEventListener("probe", () => { window.missed = true; }, { once: true });
			document.dispatchEvent(new Event("probe"));
			document.addEventListener("click", (event) => {
				if (event.target.closest(%q)) window.missed = false;
			}, { capture: true });
			return true;
		})()`, selector))
		tab.Do("click "+selector, chromedp.Click(chromedp.CSS(selector)))
		// A page that the click has left knows nothing of it.
		missed, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool]("window.missed === true"))
		if err != nil || !missed {
			return
		}
	}
}

// settle waits until htmx has wired what it has put on the page: a form that is sent before leaves the page.
func (tab *Tab) settle() {
	tab.t.Helper()
	tab.WaitFor(`!document.querySelector(".htmx-swapping, .htmx-settling, .htmx-added")`)
}

// Follow clicks an element that loads another page, and waits for that page.
func (tab *Tab) Follow(selector string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, testwait.Limit)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		tab.t.Fatalf("follow %s: %v", selector, err)
	}
}

// Fill sets the value of a field of any type, and triggers the page's events.
func (tab *Tab) Fill(selector, value string) {
	tab.t.Helper()
	tab.Wait(selector)
	Eval[bool](tab, fmt.Sprintf(`((field) => {
		field.focus();
		field.value = %q;
		field.dispatchEvent(new Event("input", { bubbles: true }));
		field.dispatchEvent(new Event("change", { bubbles: true }));
		return true;
	})(document.querySelector(%q))`, value, selector))
}

// Wait waits until the element of a CSS selector is visible.
func (tab *Tab) Wait(selector string) {
	tab.t.Helper()
	tab.Do("wait for "+selector, chromedp.WaitVisible(chromedp.CSS(selector)))
}

// WaitFor waits until an expression is true, on this page or on the next. It asks from
// outside, because the timers of a page stand still while its scripts are off.
func (tab *Tab) WaitFor(js string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, testwait.Limit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var last error
	for {
		// An error means that the page is being replaced, or that the expression is wrong.
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+js+")"))
		if err == nil && is {
			return
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			text, _ := chromedp.Run(tab.ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0, 1000)"))
			tab.t.Fatalf("wait for %s: %v, last: %v, on the page: %s", js, ctx.Err(), last, text)
		case <-tick.C:
		}
	}
}

// WaitText waits until an element of a CSS selector contains a text, as WaitFor.
func (tab *Tab) WaitText(selector, text string) {
	tab.t.Helper()
	tab.WaitFor(fmt.Sprintf(
		"[...document.querySelectorAll(%q)].some((e) => e.textContent.includes(%q))", selector, text,
	))
}

// Text returns the readable text of the element of a CSS selector.
func (tab *Tab) Text(selector string) string {
	tab.t.Helper()
	return Eval[string](tab, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// Scripts turns scripts on or off for the pages visited from now on.
func (tab *Tab) Scripts(on bool) {
	tab.t.Helper()
	tab.Do("set scripts", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(
			ctx,
			target,
			emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: !on},
		)
		return err
	}))
}

// TimeZone sets the browser's time zone, by its IANA name.
func (tab *Tab) TimeZone(name string) {
	tab.t.Helper()
	tab.Do("set time zone", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(
			ctx,
			target,
			emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: name},
		)
		return err
	}))
}

// Back returns to the previous page, as the browser's button does.
func (tab *Tab) Back() {
	tab.t.Helper()
	tab.Do("go back", chromedp.NavigateBack())
}

// Screenshots returns the directory of screenshots, or "" if nobody asked for them.
func Screenshots() string { return os.Getenv("DIALWRIGHT_SCREENSHOTS") }

// Screenshot writes the whole page as a PNG into the directory of screenshots, if there is one.
func (tab *Tab) Screenshot(name string) {
	tab.t.Helper()
	dir := Screenshots()
	if dir == "" {
		return
	}
	png := Run(tab, "take screenshot", chromedp.FullScreenshot(100))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tab.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		tab.t.Fatal(err)
	}
}

// Photograph returns what the window shows as a PNG.
func (tab *Tab) Photograph() []byte {
	tab.t.Helper()
	return Run(tab, "take picture", chromedp.CaptureScreenshot())
}

// Become gives the tab these cookies, so that its next pages belong to their owner.
func (tab *Tab) Become(origin string, cookies []*http.Cookie) {
	tab.t.Helper()
	tab.Do("set cookies", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
			return err
		}
		for _, c := range cookies {
			params := network.SetCookieParams{URL: origin, Name: c.Name, Value: c.Value}
			if _, err := cdp.Call(ctx, target, network.SetCookie, params); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Leave runs an expression that makes the tab load another page, waits for that
// page and returns its status.
func (tab *Tab) Leave(what, js string) int {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, testwait.Limit)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := chromedp.Evaluate[any](js)(ctx, target)
		return err
	}))
	if err != nil {
		tab.t.Fatalf("%s: %v", what, err)
	}
	return int(response.Status)
}

// GoUntil visits a page again and again, as a person does without scripts, until an
// expression is true in it.
func (tab *Tab) GoUntil(url, js string) {
	tab.t.Helper()
	for deadline := time.Now().Add(testwait.Limit); ; {
		tab.Go(url)
		if Eval[bool](tab, js) {
			return
		}
		if time.Now().After(deadline) {
			tab.t.Fatalf("%s: never %s", url, js)
		}
	}
}
