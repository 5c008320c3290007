package guard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

// What the server of a file does wrong has a text that names the field, says whether another try may help, and reveals
// nothing of this network.
func TestFiles(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("/list.csv", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" || r.Header.Get("User-Agent") != "Dialwright/1" {
			t.Errorf("headers %v", r.Header)
		}
		_, _ = io.WriteString(w, "phone_number\n")
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/list.csv", http.StatusFound)
	})
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/circle", http.StatusFound)
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	})
	mux.HandleFunc("/unnamed-page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		_, _ = io.WriteString(w, "\ufeff\n<!DOCTYPE html>\n<title>Sign in</title>")
	})
	mux.HandleFunc("/packed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("3125550142\n", 200_000))
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		for range 200 {
			_, _ = io.WriteString(w, strings.Repeat("3125550142\n", 1000))
			_ = http.NewResponseController(w).Flush()
		}
	})
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "phone")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/hangs", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "phone")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})

	files := newGuard(t, "127.0.0.1").Files("1")
	files.max = 1 << 20
	read := func(url string) (string, error) {
		f, err := files.Open(t.Context(), "recipients_url", url)
		if err != nil {
			return "", err
		}
		defer f.Close()
		content, err := io.ReadAll(f)
		return string(content), err
	}
	for _, path := range []string{"/list.csv", "/moved"} {
		if content, err := read(server.URL + path); content != "phone_number\n" || err != nil {
			t.Errorf("%s: %q, %v", path, content, err)
		}
	}
	const page = "the address answered with a web page instead of a list. Use the address from which the file downloads"
	type refusal struct {
		kind fault.Kind
		text string
	}
	refused := func(path string, want refusal) {
		t.Helper()
		_, err := read(server.URL + path)
		if f := fault.As(err); f == nil || f.Kind != want.kind || f.Message != "recipients_url: "+want.text {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, want := range map[string]refusal{
		"/gone":    {fault.Invalid, "the server of the file answered 404. It must answer 200 without a sign-in"},
		"/circle":  {fault.Invalid, "the address redirects more than 5 times"},
		"/inside":  {fault.Invalid, "169.254.169.254 may not be reached. Use a public https address"},
		"/broken":  {fault.BadGateway, "the server of the file answered 502"},
		"/page":    {fault.Invalid, page},
		"/packed":  {fault.Invalid, "the file is compressed. Store it without a Content-Encoding"},
		"/long":    {fault.Invalid, "the file is larger than 1 MiB"},
		"/endless": {fault.Invalid, "the file is larger than 1 MiB"},
		"/cut":     {fault.BadGateway, "the server can't be reached, or closed the connection"},
	} {
		refused(path, want)
	}
	refused("/unnamed-page", refusal{fault.Invalid, page})
	secure := httptest.NewTLSServer(mux)
	t.Cleanup(secure.Close)
	if _, err := read(secure.URL + "/list.csv"); fault.KindOf(err) != fault.Invalid ||
		!strings.Contains(err.Error(), "the certificate of the server is not valid") {
		t.Errorf("an unknown certificate: %v", err)
	}
	if len(files.turns) != 0 {
		t.Errorf("%d turns are taken", len(files.turns))
	}

	// Time runs out while the file arrives, and while it waits for its turn.
	files.time = 50 * time.Millisecond
	refused("/hangs", refusal{fault.BadGateway, "the file did not arrive within a minute"})
	for range filesAtOnce {
		files.turns <- struct{}{}
	}
	refused("/list.csv", refusal{fault.Unavailable, "too many files are being fetched. Try again later"})
}
