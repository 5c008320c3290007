package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
)

// sandboxSpeed is the speed of the sandbox's clock in a journey, as a multiple of real
// time.
const sandboxSpeed = apptest.Speed

// newProduct makes a world that places calls: an idle product with running loops.
func newProduct(t testing.TB) *world {
	t.Helper()
	return newProductAt(t, sandboxSpeed)
}

// newProductAt is newProduct with another speed of the sandbox's clock.
func newProductAt(t testing.TB, speed float64) *world {
	t.Helper()
	w := newIdleProductAt(t, speed)
	working, stop := context.WithCancel(context.Background())
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		w.app.Work(working)
	}()
	t.Cleanup(func() {
		stop()
		<-worked
	})
	return w
}

// newIdleProduct serves the API, the callbacks and the dashboard on one address, with the
// sandbox. No loop runs, so the data of a test stays unchanged.
func newIdleProduct(t testing.TB) *world {
	t.Helper()
	return newIdleProductAt(t, sandboxSpeed)
}

func newIdleProductAt(t testing.TB, speed float64) *world {
	t.Helper()
	const token = "token-of-the-sandbox"
	w := unstarted(t)
	log := slog.New(slog.NewJSONHandler(w.log, nil))
	network := sandbox.New(sandbox.Options{Token: token, Speed: speed, Log: log})
	networkServer := httptest.NewServer(network)
	hub := postgres.NewHub(context.Background(), postgres.HubOptions{Pool: w.Pool, Log: log})
	operator, whatsApp := apptest.WhatsApp(t, log)
	w.operator = operator
	w.wire(func(o *app.Options) {
		o.Hub, o.Log = hub, log
		o.PublicURL = "http://" + w.server.Listener.Addr().String()
		o.WebhookAllow = []string{"127.0.0.0/8"}
		o.Sandbox = app.Sandbox{URL: networkServer.URL, Token: token}
		o.WhatsApp = whatsApp
	})
	w.server.Start()
	t.Cleanup(func() {
		network.Close()
		networkServer.Close()
		w.app.Drain(context.Background())
		w.server.CloseClientConnections()
		w.server.Close()
		hub.Close()
	})
	return w
}

// api sends an API request with a key and returns the status.
func (w *world) api(path, key string) int {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.server.URL+"/api/v1"+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
