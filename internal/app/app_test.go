package app_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// Every service of an App is complete: New sets every pointer, interface and function in
// it.
func TestNothingIsMissing(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t).Pool
	hub := postgres.NewHub(t.Context(), postgres.HubOptions{Pool: pool})
	t.Cleanup(hub.Close)
	sender, err := mail.New(mail.Options{Addr: "localhost:25", From: "dial@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	a := apptest.New(t, pool, api.Reference, func(o *app.Options) { o.Hub, o.Mail = hub, sender })
	services := 0
	v := reflect.ValueOf(a).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		wantSet(t, "App."+field.Name, v.Field(i))
		pointer := field.Type.Kind() == reflect.Pointer
		if pointer && field.Type.Elem().Kind() == reflect.Struct && ours(field.Type.Elem()) {
			services++
			wantFieldsSet(t, "App."+field.Name, v.Field(i).Elem())
		}
	}
	if services < 13 {
		t.Errorf("only %d services were looked at", services)
	}
}

// The test above must fail for an App without a required option.
func TestAMissingPartIsFound(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, nil, api.Reference, func(o *app.Options) { o.Hub = nil })
	var missing []string
	eachField("Campaigns", reflect.ValueOf(a.Campaigns).Elem(), func(path string, v reflect.Value) {
		if isNil(v) {
			missing = append(missing, path)
		}
	})
	if len(missing) != 1 || missing[0] != "Campaigns.hub" {
		t.Errorf("missing: %v", missing)
	}
}

func wantSet(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	if isNil(v) {
		t.Errorf("%s is nil", path)
	}
}

func wantFieldsSet(t *testing.T, path string, service reflect.Value) {
	t.Helper()
	eachField(path, service, func(path string, v reflect.Value) { wantSet(t, path, v) })
}

// eachField visits the fields of a service, including the fields of this module's structs
// in it, such as options.
func eachField(path string, v reflect.Value, visit func(string, reflect.Value)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		at := path + "." + field.Name
		visit(at, v.Field(i))
		if field.Type.Kind() == reflect.Struct && ours(field.Type) {
			eachField(at, v.Field(i), visit)
		}
	}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func:
		return v.IsNil()
	}
	return false
}

// Requests to Twilio name the product and its version.
func TestRequestsNameTheProduct(t *testing.T) {
	t.Parallel()
	agents := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents <- r.UserAgent()
		_, _ = w.Write([]byte("{}"))
	}))
	defer server.Close()
	a := apptest.New(t, nil, api.Reference, func(o *app.Options) { o.Version = "v1.2.3" })
	if err := a.Twilio.Check(t.Context(), twilio.Account{SID: "AC1", APIURL: server.URL}); err != nil {
		t.Fatal(err)
	}
	if got := <-agents; got != "dialwright/1.2.3" {
		t.Errorf("User-Agent %q", got)
	}
}

const module = "github.com/dialwright/dialwright/"

func ours(t reflect.Type) bool {
	return len(t.PkgPath()) > len(module) && t.PkgPath()[:len(module)] == module
}
