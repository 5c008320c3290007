package views_test

import (
	"bytes"
	"encoding/binary"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/static"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
)

// policy is the content security policy of the dashboard.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; media-src " +
	"'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// sample is a page with invented data.
type sample struct {
	name string
	page templ.Component
}

var now = time.Date(2026, time.November, 20, 20, 5, 0, 0, time.UTC)

func chicago() *time.Location {
	zone, err := time.LoadLocation("America/Chicago")
	if err != nil {
		panic(err)
	}
	return zone
}

func clock() ui.Clock { return ui.Clock{Now: now, Zone: chicago()} }

// ago returns a time before now.
func ago(d time.Duration) time.Time { return now.Add(-d) }

const (
	minute = time.Minute
	hour   = time.Hour
	day    = 24 * time.Hour
)

func admin(path string) layout.Chrome {
	return layout.Chrome{
		Organization: "Meridian Home Health", User: "Ingrid Vasquez", Role: account.Admin, Path: path,
		Clock: clock(), Running: 3,
	}
}

func staff(path string) layout.Chrome {
	return layout.Chrome{
		Organization: "Meridian Home Health", User: "Paul Adeyemi", Role: account.Staff, Path: path, Clock: clock(),
		Running: 3,
	}
}

func bare(path, title string) layout.Bare {
	return layout.Bare{Title: title, Path: path, Version: "1.0.0", Clock: clock()}
}

// serve serves the samples below /preview/ as the dashboard serves its pages.
func serve(t *testing.T, samples []sample) *http.ServeMux {
	t.Helper()
	mux := http.NewServeMux()
	for _, s := range samples {
		mux.HandleFunc("GET /preview/"+s.name, func(w http.ResponseWriter, r *http.Request) { send(t, w, r, s.page) })
	}
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(": nothing happens\n\n"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	for _, sound := range []string{"recording", "sound"} {
		mux.HandleFunc("GET /calls/{id}/"+sound, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "audio/wav")
			http.ServeContent(w, r, "", now, bytes.NewReader(silence(94)))
		})
	}
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		v := views.Search{Query: r.FormValue("q")}
		if strings.ContainsAny(v.Query, "0123456789") {
			hits := []views.SearchHit{{
				Icon: ui.IconPerson, Label: "Found " + v.Query, More: "Person", Href: "/people/1",
			}}
			v.Groups = []views.SearchGroup{{Title: "People", Hits: hits}}
		}
		send(t, w, r, views.PaletteResults(v))
	})
	mux.HandleFunc("GET /static/", func(w http.ResponseWriter, r *http.Request) {
		f, ok := static.Lookup(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.ContentType)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(f.Content)
	})
	return mux
}

// silence returns a WAV file without sound.
func silence(seconds int) []byte {
	const rate = 8000
	le := binary.LittleEndian
	file := append(le.AppendUint32([]byte("RIFF"), uint32(36+seconds*rate)),
		"WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	file = append(le.AppendUint32(le.AppendUint32(file, rate), rate), "\x01\x00\x08\x00data"...)
	return append(le.AppendUint32(file, uint32(seconds*rate)), bytes.Repeat([]byte{0x80}, seconds*rate)...)
}

func send(t *testing.T, w http.ResponseWriter, r *http.Request, page templ.Component) {
	var body bytes.Buffer
	if err := page.Render(r.Context(), &body); err != nil {
		t.Errorf("render %s: %v", r.URL.Path, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	_, _ = body.WriteTo(w)
}

func listen(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections() // event streams stay open otherwise
		server.Close()
	})
	return server.URL
}

func TestMain(m *testing.M) { browsertest.Main(m) }

// TestPages visits every page, at every size and in every theme, under the
// dashboard's policy. Screenshots are of every size in every theme.
func TestPages(t *testing.T) {
	t.Parallel()
	samples := allSamples()
	url := listen(t, serve(t, samples))
	tabs := browsertest.Open(t).Tabs(t)
	for nth, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tab := tabs.Borrow(t)
			views := browsertest.Opposites(nth)
			if browsertest.Screenshots() != "" {
				views = browsertest.Views
			}
			for i, view := range tab.Nearest(views) {
				tab.Emulate(view)
				if i == 0 {
					tab.Go(url + "/preview/" + s.name)
				}
				tab.Check(view.Name)
				tab.Screenshot(s.name + "." + view.Name)
			}
		})
	}
}

// A printed transcript or file is black on white, without controls, and says who printed or collected it.
func TestPagesOnPaper(t *testing.T) {
	t.Parallel()
	url := listen(t, serve(t, allSamples()))
	tab := browsertest.Open(t).NewTab(t)
	for page, who := range map[string]string{
		"call": ".print-only", "evidence": ".page-body .facts", "campaign-report": ".print-only",
	} {
		tab.Emulate(browsertest.View{Name: "paper", Width: 720, Height: 1000, Dark: true, Paper: true})
		tab.Go(url + "/preview/" + page)
		tab.Check(page + " on paper")
		tab.Screenshot(page + ".paper")
		for _, gone := range []string{".sidebar", ".topbar", ".actions", "#toasts"} {
			if browsertest.Eval[bool](tab, `document.querySelector("`+gone+`").checkVisibility()`) {
				t.Errorf("%s: %s is printed", page, gone)
			}
		}
		if !strings.Contains(tab.Text(who), "Ingrid Vasquez") {
			t.Errorf("%s: the paper does not say by whom", page)
		}
	}
}

// The dashboard shows the receivers of the README, which another test runs.
func TestReceiversAreThoseOfTheREADME(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := views.VerifyPage(staff("/webhooks/verify")).Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## Receive webhooks")
	for _, language := range []string{"go", "js"} {
		_, code, found := strings.Cut(section, "```"+language+"\n")
		code, _, _ = strings.Cut(code, "```")
		if !found || !strings.Contains(html.UnescapeString(page.String()), strings.TrimSpace(code)) {
			t.Errorf("the page does not show the README's receiver in %s", language)
		}
	}
}

func allSamples() []sample {
	return slices.Concat(accountSamples(), campaignSamples(), callSamples(), webhookSamples(), messagingSamples(),
		alertSamples(), followUpSamples(), searchSamples(), resultSamples(),
		peopleSamples(), settingsSamples(), agentSamples(), phoneNumberSamples(), integrationSamples(),
		doNotCallSamples(), complianceSamples(), referenceSamples())
}
