package cloud

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// paging returns an account whose lists are answered by f, which gets the cursor.
func paging(t *testing.T, f func(after string) string) *Account {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, f(r.URL.Query().Get("after")))
	}))
	t.Cleanup(server.Close)
	return New(Options{GraphURL: server.URL}).Account(Credentials{AccountID: "1", Token: secretToken})
}

func page(data, after string) string {
	next := ""
	if after != "" {
		next = `,"next":"https://graph.facebook.invalid/elsewhere"`
	}
	return fmt.Sprintf(`{"data":[%s],"paging":{"cursors":{"before":"x","after":%q}%s}}`, data, after, next)
}

// Requests name the product, which helps Meta's support.
func TestRequestsNameTheProduct(t *testing.T) {
	t.Parallel()
	agents := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents <- r.UserAgent()
		_, _ = io.WriteString(w, page("", ""))
	}))
	defer server.Close()
	client := New(Options{GraphURL: server.URL, UserAgent: "dialwright/1.2.3"})
	if _, err := client.Account(Credentials{AccountID: "1", Token: secretToken}).Numbers(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-agents; got != "dialwright/1.2.3" {
		t.Errorf("User-Agent %q", got)
	}
}

func TestListsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	asked := 0
	for name, f := range map[string]func(after string) string{
		"no data":           func(string) string { return `{}` },
		"data is null":      func(string) string { return `{"data":null}` },
		"data is an object": func(string) string { return `{"data":{"id":"1"}}` },
		"a list only":       func(string) string { return `[]` },
		"an item is null":   func(string) string { return `{"data":[null]}` },
		"an item is a text": func(string) string { return `{"data":["1"]}` },
		"an item has no id": func(string) string { return `{"data":[{"verified_name":"A","name":"a"}]}` },
		"an id is a path":   func(string) string { return `{"data":[{"id":"../1","name":"a"}]}` },
		"the same for ever": func(string) string { return page("", "again") },
		"next without cursor": func(string) string {
			return `{"data":[],"paging":{"next":"https://graph.facebook.invalid/"}}`
		},
		"without end": func(string) string {
			asked++
			return page("", fmt.Sprint(asked))
		},
	} {
		account := paging(t, f)
		numbers, err := account.Numbers(t.Context())
		if e, _ := errors.AsType[*Error](err); e == nil || e.Class != Unknown || numbers != nil {
			t.Errorf("%s: %+v, %v", name, numbers, err)
		}
		if templates, err := account.Templates(t.Context()); err == nil || templates != nil {
			t.Errorf("%s: %+v", name, templates)
		}
	}
	if asked != 2*maxPages {
		t.Errorf("asked for %d pages", asked)
	}
}

// An item that moves to a later page while the list is read comes twice.
func TestListsThatRepeatThemselves(t *testing.T) {
	t.Parallel()
	account := paging(t, func(after string) string {
		const one = `{"id":1,"name":"a","language":"de","status":"APPROVED"}`
		if after == "" {
			return page(one+`,{"id":"2","name":"a","language":"en","verified_name":null,"throughput":null}`, "c")
		}
		return page(`{"id":"3","name":"b","language":"de"},`+one, "")
	})
	numbers, err := account.Numbers(t.Context())
	if err != nil || len(numbers) != 3 || numbers[0].ID != "1" || numbers[1].ID != "2" || numbers[2].ID != "3" {
		t.Errorf("%+v, %v", numbers, err)
	}
	templates, err := account.Templates(t.Context())
	if err != nil || len(templates) != 3 || templates[0].Status != "APPROVED" || templates[2].Name != "b" {
		t.Errorf("%+v, %v", templates, err)
	}
}

// The answer of another account is an error, because its portfolio would become the scope of the
// limit.
func TestInfoOfAnotherAccount(t *testing.T) {
	t.Parallel()
	for answer, good := range map[string]bool{
		`{"id":"1","name":"A","owner_business_info":{"id":"7","name":"B"}}`: true,
		`{"id":1}`: true,
		`{"id":"2","owner_business_info":{"id":"7"}}`: false,
		`{}`: false, `null`: false, `"1"`: false,
	} {
		info, err := paging(t, func(string) string { return answer }).Info(t.Context())
		if (err == nil) != good || good && info.ID != "1" {
			t.Errorf("%s: %+v, %v", answer, info, err)
		}
	}
}
