package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/internal/postgres"
)

// readyTime bounds the time in which the database must open a session.
const readyTime = 5 * time.Second

// Handler serves all requests to a server: the callbacks of carriers and of the messaging
// operator, the probes, the API and the dashboard. api receives everything below /api,
// the description and the assistants; dashboard receives the rest.
func (a *App) Handler(api, dashboard http.Handler) http.Handler {
	hooks, whatsappHooks := a.Twilio.Handler(), a.MessageGate.Hook()
	// A ServeMux would redirect odd paths before the API or the dashboard sees them.
	surfaces := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		switch {
		case path == "/healthz":
			fmt.Fprintln(w, "ok")
		case path == "/readyz":
			a.ready(w, r)
		case strings.HasPrefix(path, twilio.HooksPath):
			hooks.ServeHTTP(w, r)
		case strings.HasPrefix(path, cloud.HooksPath):
			whatsappHooks.ServeHTTP(w, r)
		case path == "/api" || strings.HasPrefix(path, "/api/") || path == "/openapi.json" || path == "/openapi.yaml" ||
			path == "/mcp":
			api.ServeHTTP(w, r)
		default:
			dashboard.ServeHTTP(w, r)
		}
	})
	return peer.LogUnlisted(Secure(a.PublicURL, surfaces), a.TrustedProxies, a.Log)
}

// ready tells a load balancer whether this process can serve requests.
func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	if err := a.Ready(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// These are the reasons why a process cannot serve requests.
var (
	ErrDraining = errors.New("draining")
	ErrNotReady = errors.New("database not ready")
)

// Ready checks that this process can serve requests. Errors: ErrDraining, ErrNotReady.
func (a *App) Ready(ctx context.Context) error {
	select {
	case <-a.Closing:
		return ErrDraining
	default:
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime)
	defer cancel()
	_, err, _ := a.readiness.Do("", func() (any, error) { // concurrent probes share one session
		return nil, postgres.Ready(ctx, a.Pool)
	})
	if err != nil {
		a.Log.Warn("this server is not ready", "error", err)
		return ErrNotReady
	}
	return nil
}
