package views_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/views"
)

// liveEvent is a part of a page as its stream sends it.
type liveEvent struct {
	name string
	part templ.Component
}

// scripted serves linked pages: the list of keys, the confirmation before a key is
// revoked, and a campaign and a webhook that change while their page is open.
func scripted(t *testing.T, events <-chan liveEvent) (url string, posted <-chan string) {
	t.Helper()
	posts := make(chan string, 10)
	key := views.APIKey{ID: "3", Name: "Scheduler", Display: "ik_live_c03a…5f7e", Created: ago(day)}
	fresh := &views.NewKey{ID: "3", Name: "Scheduler", Value: "ik_live_" + strings.Repeat("0123456789abcdef", 4)}
	live := flu()
	live.EventsHref = "/stream"
	hook := bridge()
	hook.EventsHref = "/stream"
	chrome := admin("/settings/api-keys")

	mux := serve(t, []sample{
		{"keys", views.APIKeysPage(chrome, views.APIKeys{Rows: []views.APIKey{key}, New: fresh})},
		{"campaign", views.CampaignPage(admin("/campaigns/1"), live)},
		{"webhook", views.WebhookPage(admin("/webhooks/1"), hook)},
		{"key", views.APIKeyFormPage(admin("/settings/api-keys/new"), views.APIKeyForm{ID: "4", AllScopes: true,
			Scopes: []views.ScopeChoice{
				{Name: "calls:read", Help: "Read calls"}, {Name: "calls:write", Help: "Place calls"},
			}})},
		{
			"import",
			views.DoNotCallImportPage(admin("/do-not-call/import"), views.DoNotCallImport{
				Region: "US", Channel: "both",
			}),
		},
	})
	mux.HandleFunc("GET /settings/api-keys/3/revoke", func(w http.ResponseWriter, r *http.Request) {
		send(t, w, r, views.ConfirmPage(chrome, views.RevokeKey(clock(), key)))
	})
	mux.HandleFunc("GET /settings/api-keys", func(w http.ResponseWriter, r *http.Request) {
		send(t, w, r, views.APIKeysPage(chrome, views.APIKeys{Rows: []views.APIKey{key}}))
	})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		posts <- r.URL.Path + " " + r.PostForm.Encode()
		w.Header().Set("Location", "/preview/keys")
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.HandleFunc("GET /stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for {
			select {
			case <-r.Context().Done():
				return
			case e := <-events:
				var html bytes.Buffer
				if err := e.part.Render(r.Context(), &html); err != nil {
					t.Errorf("render: %v", err)
				}
				fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, strings.ReplaceAll(html.String(), "\n", "\ndata: "))
				w.(http.Flusher).Flush()
			}
		}
	})
	return listen(t, mux), posts
}

func TestScripts(t *testing.T) {
	t.Parallel()
	events := make(chan liveEvent)
	url, posted := scripted(t, events)
	browser := browsertest.Open(t)

	t.Run("a question opens in place, and keeping changes nothing", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/keys")
		tab.Click(`a[href$="/3/revoke"]`)
		tab.Wait("dialog.dialog[open]")
		if path := tab.Path(); path != "/preview/keys" {
			t.Errorf("the question left the page for %s", path)
		}
		if !browsertest.Eval[bool](tab, `document.activeElement.hasAttribute("data-keep")`) {
			t.Error("the safe answer does not have the focus")
		}
		tab.Check("dialog")
		tab.Click("dialog [data-keep]")
		tab.WaitFor(`!document.querySelector("dialog.dialog[open]")`)
		tab.Click(`a[href$="/3/revoke"]`)
		tab.Follow("dialog .btn-destroy")
		if got := testwait.Next(t, "a form is sent", posted); got != "/settings/api-keys/3/revoke " {
			t.Errorf("posted %q", got)
		}
	})

	t.Run("a box and the choice it belongs to agree", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Go(url + "/preview/key")
		sent := func() string {
			return browsertest.Eval[string](tab,
				`(() => { const form = new FormData(document.querySelector("main form")); return `+
					`form.get("all_scopes") + " " + form.getAll("scopes"); })()`)
		}
		for _, step := range []struct{ click, want string }{
			{"#scopes-calls\\:read", "0 calls:read"},
			{"#scopes-calls\\:write", "0 calls:read,calls:write"},
			{"#all_scopes-1", "1 "},
			{"#all_scopes-0", "0 "},
			{"#scopes-calls\\:read", "0 calls:read"},
		} {
			if tab.Click(step.click); sent() != step.want {
				t.Errorf("after a click on %s the form sends %q, want %q", step.click, sent(), step.want)
			}
		}
	})

	t.Run("a file is dropped on its area", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Go(url + "/preview/import")
		// drag dispatches a drag event on the element of a selector, and reports
		// whether the browser would still open the file.
		drag := func(kind, selector string) bool {
			return browsertest.Eval[bool](tab, fmt.Sprintf(`(() => {
				const dataTransfer = new DataTransfer();
				dataTransfer.items.add(new File(["phone_number\n".repeat(1234)], "visits in May.csv", { type: `+
				`"text/csv" }));
				return document.querySelector(%q).dispatchEvent(new DragEvent(%q, { dataTransfer, bubbles: true, `+
				`cancelable: true }));
			})()`, selector, kind))
		}
		const over = `document.querySelector(".drop").classList.contains("is-over")`
		if drag("dragenter", ".drop input"); !browsertest.Eval[bool](tab, over) {
			t.Error("the area does not show that a file may be dropped")
		}
		tab.Check("a file over its area")
		if drag("dragenter", "h1"); browsertest.Eval[bool](tab, over) {
			t.Error("the area shows it still when the file has left it")
		}
		if drag("drop", "h1") {
			t.Error("a file beside the area is opened in place of the page")
		}
		drag("dragover", ".drop")
		drag("drop", ".drop")
		if got := browsertest.Eval[string](
			tab,
			`document.querySelector("#file").files[0].name + " | " + `+
				`document.querySelector("[data-drop-words]").textContent + " | " + document.activeElement.id`,
		); got != "visits in May.csv | visits in May.csv, 16 KB | file" {
			t.Errorf("after the drop: %s", got)
		}
		if browsertest.Eval[bool](tab, over) {
			t.Error("the area still waits for a file")
		}
	})

	t.Run("without scripts the question is a page", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Scripts(false)
		tab.Go(url + "/preview/keys")
		if browsertest.Eval[int](
			tab, `[...document.querySelectorAll(".js-only")].filter((e) => e.checkVisibility()).length`,
		) != 0 {
			t.Error("a control that needs scripts is shown without them")
		}
		tab.Follow(`a[href$="/3/revoke"]`)
		tab.Follow(".btn-destroy")
		if got := testwait.Next(t, "a form is sent", posted); got != "/settings/api-keys/3/revoke " {
			t.Errorf("posted %q", got)
		}
		tab.Follow(".to-dark")
		if got := testwait.Next(t, "a form is sent", posted); got != "/theme next=%2Fsettings%2Fapi-keys&theme=dark" {
			t.Errorf("posted %q", got)
		}
	})

	t.Run("the theme changes at once and is kept", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/keys")
		tab.Click(".to-dark")
		if got := testwait.Next(t, "a form is sent", posted); got != "/theme next=%2Fsettings%2Fapi-keys&theme=dark" {
			t.Errorf("posted %q", got)
		}
		tab.Wait(".to-light")
		if scheme := browsertest.Eval[string](
			tab, "getComputedStyle(document.documentElement).colorScheme",
		); scheme != "dark" {
			t.Errorf("the page is %s", scheme)
		}
	})

	t.Run("the palette finds places", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/keys")
		tab.Click(".jump")
		tab.Wait("#palette[open]")
		tab.Check("palette")
		tab.Fill("#palette .query", "phone")
		if got := browsertest.Eval[string](
			tab, `document.querySelector("#palette .is-current").getAttribute("href")`,
		); got != "/phone-numbers" {
			t.Errorf("phone leads to %s", got)
		}
		// What the server finds stands between places and actions. It gets the number as it was typed.
		tab.Fill("#palette .query", "(630) 555-0137")
		tab.Wait("#found-0-0.is-current")
		if got := tab.Text("#palette [data-found]"); !strings.Contains(got, "Found (630) 555-0137") {
			t.Errorf("a number finds %s", got)
		}
		tab.Check("palette with results")
		tab.Fill("#palette .query", "nowhere at all")
		tab.WaitFor(`!document.querySelector("#palette [data-none]").hidden`)

		// The shortcuts also work in the field, and Escape closes the palette even with
		// text in the field.
		press := func(key string, control bool) {
			browsertest.Eval[bool](
				tab,
				fmt.Sprintf(
					`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %q, ctrlKey: %t, `+
						`bubbles: true, cancelable: true}))`,
					key, control,
				),
			)
		}
		current := func() string {
			return browsertest.Eval[string](tab, `document.querySelector("#palette .is-current").getAttribute("href")`)
		}
		tab.Fill("#palette .query", "w")
		first := current()
		press("j", true)
		second := current()
		if press("k", true); first == second || current() != first {
			t.Errorf("Ctrl J leads from %s to %s, Ctrl K to %s", first, second, current())
		}
		tab.Do("press Escape", chromedp.KeyEvent(kb.Escape))
		if browsertest.Eval[bool](tab, `document.getElementById("palette").open`) {
			t.Error("Escape only empties the field")
		}
		tab.Click(".jump")
		tab.Wait("#palette[open]")
		tab.Do("press ?", chromedp.KeyEvent("?"))
		tab.Wait("#shortcuts[open]")
		if browsertest.Eval[bool](tab, `document.getElementById("palette").open`) {
			t.Error("the palette stays open behind the shortcuts")
		}
	})

	t.Run("j and k move through a list", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/webhook")
		focused := func(key string) string {
			tab.Do("press "+key, chromedp.KeyEvent(key))
			return browsertest.Eval[string](tab, `document.activeElement.getAttribute("href")`)
		}
		rows := browsertest.Eval[[]string](tab,
			`[...document.querySelectorAll("main tbody .row-link")].map((link) => link.getAttribute("href"))`)
		for i, step := range []struct {
			key string
			row int
		}{{"j", 0}, {"j", 1}, {"j", 2}, {"k", 1}} {
			if got := focused(step.key); got != rows[step.row] {
				t.Errorf("key %d, %s, leads to %s, want %s", i+1, step.key, got, rows[step.row])
			}
		}
	})

	t.Run("shortcuts are listed, lead somewhere and can be switched off", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/keys")
		press := func(key string) {
			browsertest.Eval[bool](tab, `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "`+key+
				`", bubbles: true, cancelable: true}))`)
		}
		press("?")
		tab.Wait("#shortcuts[open]")
		tab.Check("shortcuts")
		tab.Click("[data-single-keys]")
		tab.Click("#shortcuts button")
		press("?")
		if browsertest.Eval[bool](tab, `document.getElementById("shortcuts").open`) {
			t.Error("a shortcut that was switched off works")
		}
		tab.Click(".jump")
		if browsertest.Eval[bool](tab, `document.querySelector("#palette [data-single-key]").checkVisibility()`) {
			t.Error("the palette tells of a key that was switched off")
		}
		tab.Click("[data-shortcuts]")
		tab.Wait("#shortcuts[open]")
		tab.Click("[data-single-keys]")
		tab.Click("#shortcuts button")
		browsertest.Eval[bool](tab, `(() => {
			const types = Object.assign(document.createElement("button"), { id: "types", textContent: "Types" });
			types.onclick = () => { for (const key of "gk") document.body.dispatchEvent(new `+
			`KeyboardEvent("keydown", { key, bubbles: true })); };
			document.querySelector("main").prepend(types);
			return true;
		})()`)
		tab.Follow("#types")
		if path := tab.Path(); path != "/settings/api-keys" {
			t.Errorf("g k leads to %s", path)
		}
	})

	t.Run("a secret is copied or at least selected", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/keys")
		tab.Click("[data-copy]")
		tab.WaitFor(`/Copied|Press/.test(document.querySelector("[data-label]").textContent)`)
	})

	t.Run("a running campaign keeps itself current", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/campaign")
		browsertest.Eval[bool](tab, `document.querySelector("#recipients").marked = true`)
		v := flu()
		v.Counters.Completed, v.Counters.Pending = 2100, 1200
		events <- liveEvent{"campaign", views.CampaignLive(admin("/campaigns/1"), v)}
		tab.WaitText("#progress", "2,800 of 4,000")
		if !browsertest.Eval[bool](tab, `document.querySelector("#recipients").marked === true`) {
			t.Error("the page was replaced, not changed: focus and selection would be lost")
		}
		tab.Check("campaign after an event")
	})

	t.Run("what is being chosen survives what comes", func(t *testing.T) {
		tab := browser.NewTab(t)
		tab.Emulate(browsertest.Views[0])
		tab.Go(url + "/preview/webhook")
		tab.Fill("select[name=event_type]", "call.analyzed")
		browsertest.Eval[bool](tab, `document.activeElement.blur() === undefined`)
		v := bridge()
		v.Deliveries[0].EventType = "campaign.failed"
		events <- liveEvent{"webhook", views.WebhookLive(admin("/webhooks/1"), v)}
		tab.WaitText("tbody", "campaign.failed")
		if chosen := browsertest.Eval[string](
			tab, `document.querySelector("select[name=event_type]").value`,
		); chosen != "call.analyzed" {
			t.Errorf("the choice is now %q", chosen)
		}
	})
}

// A player without a recording to play shows a message.
func TestARecordingThatCannotBeFetched(t *testing.T) {
	t.Parallel()
	there, gone := margaret(), margaret()
	there.Recording.State, gone.Recording.State = views.RecordingThere, views.RecordingThere
	gone.ID = "gone"
	mux := serve(t, []sample{
		{"there", views.CallPage(staff("/calls/1"), there)}, {"gone", views.CallPage(staff("/calls/1"), gone)},
	})
	mux.HandleFunc("GET /calls/gone/recording", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "The recording could not be fetched", http.StatusBadGateway)
	})
	url := listen(t, mux)
	tab := browsertest.Open(t).NewTab(t)
	tab.Go(url + "/preview/gone")
	tab.WaitFor(`document.querySelector("audio").hidden && !document.querySelector("audio + p").hidden`)
	tab.Go(url + "/preview/there")
	tab.WaitFor(`document.querySelector("audio").duration === 94 && document.querySelector("audio + p").hidden`)
}
