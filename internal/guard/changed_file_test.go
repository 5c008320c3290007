package guard

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

// zipped compresses a text with gzip.
func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestChangedFile(t *testing.T) {
	t.Parallel()
	const list = "phone_number\n"
	packed := zipped(t, list)
	mux := http.NewServeMux()
	serve := func(path string, content []byte, headers ...string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			_, _ = w.Write(content)
		})
	}
	serve("/list.csv", []byte(list), "ETag", `"1"`, "Last-Modified", "Sat, 28 Nov 2026 10:00:00 GMT")
	serve("/list.csv.gz", packed)
	serve("/encoded", packed, "Content-Encoding", "gzip")
	serve("/empty", nil)
	serve("/page", []byte("<html><title>Sign in</title>"), "Content-Type", "application/octet-stream")
	serve("/page.gz", zipped(t, " <!doctype html>"), "Content-Encoding", "gzip")
	serve("/damaged", append(packed[:len(packed)-8:len(packed)-8], "12345678"...))
	serve("/half", packed[:len(packed)-3])
	serve("/bomb", zipped(t, strings.Repeat("1", 2<<20)))
	serve("/brotli", packed, "Content-Encoding", "br")
	mux.HandleFunc("/known", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
		} else if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
		} else {
			_, _ = io.WriteString(w, list)
		}
	})
	mux.Handle("/moved", http.RedirectHandler("/list.csv", http.StatusFound))
	mux.HandleFunc("/always-unchanged", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotModified)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	files := newGuard(t, "127.0.0.1").Files("1")
	files.max = 1 << 20
	read := func(known KnownFile) (content string, f *ChangedFile, err error) {
		known.URL = server.URL + known.URL
		if f, err = files.OpenChanged(t.Context(), "file", known); f == nil {
			return "", nil, err
		}
		defer f.Close()
		b, err := io.ReadAll(f)
		return string(b), f, err
	}
	for path, want := range map[string]string{
		"/list.csv": list, "/list.csv.gz": list, "/encoded": list, "/empty": "",
	} {
		if got, _, err := read(KnownFile{URL: path}); got != want || err != nil {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if _, f, err := read(KnownFile{URL: "/list.csv"}); err != nil || f.ETag != `"1"` ||
		f.LastModified != "Sat, 28 Nov 2026 10:00:00 GMT" {
		t.Errorf("the marks are %+v, %v", f, err)
	}
	known := KnownFile{URL: "/known", HeaderName: "X-Key", HeaderValue: "secret"}
	if got, _, err := read(known); got != list || err != nil {
		t.Errorf("with the header: %q, %v", got, err)
	}
	known.ETag = `"1"`
	if _, f, err := read(known); f != nil || err != nil {
		t.Errorf("a known file: %v, %v", f, err)
	}
	const page = "the address answered with a web page instead of a list. Use the address from which the file downloads"
	for path, want := range map[string]string{
		"/page":             page,
		"/page.gz":          page,
		"/known":            "the server of the file answered 401. It must answer 200",
		"/moved":            "the server of the file answered 302. Its redirects are not followed",
		"/always-unchanged": "the server of the file answered 304. It must answer 200",
		"/damaged":          "the compressed file is damaged",
		"/half":             "the compressed file is damaged",
		"/bomb":             "the file is larger than 1 MiB",
		"/brotli":           "the file is compressed. Store it without a Content-Encoding",
	} {
		if _, _, err := read(KnownFile{URL: path}); fault.As(err) == nil || fault.As(err).Message != "file: "+want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if len(files.turns) != 0 {
		t.Errorf("%d turns are taken", len(files.turns))
	}
}
