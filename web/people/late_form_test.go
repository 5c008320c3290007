package people

import (
	"bytes"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// A late form is bounded in its values, in the names of its lost fields, and in the work
// of reading it.
func TestALateFormIsBounded(t *testing.T) {
	t.Parallel()
	post := func(target, contentType string, body []byte) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, bytes.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		return r
	}
	requests := map[string]*http.Request{
		"pairs": post("/campaigns", "application/x-www-form-urlencoded",
			[]byte(strings.Repeat("f=&", MaxLateFields+1))),
		"address": post("/campaigns?"+strings.Repeat("x", MaxLateForm), "application/x-www-form-urlencoded",
			[]byte("f=1")),
	}
	for what, write := range map[string]func(parts *multipart.Writer, i int){
		"fields": func(parts *multipart.Writer, i int) { _ = parts.WriteField("f"+strconv.Itoa(i), "") },
		"files": func(parts *multipart.Writer, i int) {
			_, _ = parts.CreateFormFile("f"+strconv.Itoa(i), "list.csv")
		},
		"secrets": func(parts *multipart.Writer, i int) { _ = parts.WriteField("token"+strconv.Itoa(i), "x") },
		"names": func(parts *multipart.Writer, i int) {
			_, _ = parts.CreateFormFile(strconv.Itoa(i%10)+strings.Repeat("f", 1<<10), "list.csv")
		},
	} {
		var body bytes.Buffer
		parts := multipart.NewWriter(&body)
		for i := range MaxLateFields + 1 {
			write(parts, i)
		}
		_ = parts.Close()
		requests[what] = post("/campaigns", parts.FormDataContentType(), body.Bytes())
	}
	for what, r := range requests {
		f := LateForm{Action: r.URL.RequestURI()}
		if err := f.read(r); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v, %d fields and %d names carried", what, err, len(f.Fields), len(f.Lost))
		}
	}
}
