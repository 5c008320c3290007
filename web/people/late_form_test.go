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

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/web/frame"
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
			[]byte(strings.Repeat("f=&", maxLateFields+1))),
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
		for i := range maxLateFields + 1 {
			write(parts, i)
		}
		_ = parts.Close()
		requests[what] = post("/campaigns", parts.FormDataContentType(), body.Bytes())
	}
	for what, r := range requests {
		f := lateForm{Action: r.URL.RequestURI()}
		if err := f.read(r); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v, %d fields and %d names carried", what, err, len(f.Fields), len(f.Lost))
		}
	}
}

// A late form is sent again only to an action of this site that takes forms, even if it is
// validly sealed.
func TestALateFormGoesToAnActionOfOurs(t *testing.T) {
	t.Parallel()
	accounts := account.New(account.Options{Vault: apptest.Vault(t)})
	s := New(&frame.Server{App: &app.App{Accounts: accounts}}, func(path string) bool { return path == "/campaigns" })
	for action, ok := range map[string]bool{
		"/campaigns": true, "/campaigns?x=%2F": true,
		"": false, "campaigns": false, "/calls": false, "//evil.example/campaigns": false,
		"https://evil.example/campaigns": false, "/\\evil.example/campaigns": false, "javascript:alert(1)": false,
	} {
		sealed, err := s.sealLateForm(&lateForm{Action: action, Fields: []formField{{"name", "x"}}})
		if err != nil {
			t.Fatal(err)
		}
		if f := s.openLateForm(sealed); (f != nil) != ok {
			t.Errorf("%q opens as %+v", action, f)
		}
	}
}
