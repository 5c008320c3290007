// Package apptest makes the App of tests: the product's own wiring, with carriers
// and operators on this machine.
package apptest

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	model "github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/seal"
)

// New wires an App on a database. Unless set changes it, loops of this process
// only are woken, webhooks reach only the public internet, every carrier account is
// accepted and has no numbers, and the messaging channel is off.
func New(
	tb testing.TB, pool *pgxpool.Pool, described func() (*reference.Reference, error), set ...func(*app.Options),
) *app.App {
	tb.Helper()
	o := app.Options{
		Pool:      pool,
		Vault:     Vault(tb),
		Hub:       postgres.LocalHub(),
		Log:       slog.New(slog.DiscardHandler),
		Reference: described,
		Version:   "1.2.3",
		PublicURL: "https://dial.example.com",
		TwilioURL: trusting(),
		Sandbox:   app.Sandbox{URL: trusting(), ModelURL: standIn() + "/v1", Token: "token-of-the-sandbox"},
		WhatsApp:  app.WhatsApp{Off: true, GraphURL: trusting()},
	}
	for _, f := range set {
		f(&o)
	}
	a, err := app.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// Speed is how much faster than ours the time of the sandboxes of tests is.
const Speed = 20

// WhatsAppToken opens the accounts of WhatsApp's operator, and signs its webhooks.
const WhatsAppToken = "token-of-the-whatsapp-sandbox"

// WhatsApp starts a messaging operator and returns the way to it.
func WhatsApp(tb testing.TB, log *slog.Logger) (*sandbox.Operator, app.WhatsApp) {
	tb.Helper()
	operator := sandbox.New(sandbox.Options{Token: WhatsAppToken, Speed: Speed, Log: log})
	server := httptest.NewServer(operator)
	tb.Cleanup(func() {
		operator.Close()
		server.Close()
	})
	return operator, app.WhatsApp{GraphURL: server.URL, Simulated: true}
}

// Vault is the vault of New.
func Vault(tb testing.TB) *seal.Vault {
	tb.Helper()
	v, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// standIn is the address of the sandbox's model. All tests of a process share it.
var standIn = sync.OnceValue(func() string {
	return httptest.NewServer(model.New(model.Options{Speed: Speed})).URL
})

// trusting is the address of a carrier that accepts every account, lists no numbers, and has each number that is asked
// for. It forgets how a number was set up. People call on request. All tests of a process share it.
var trusting = sync.OnceValue(func() string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer := map[string]any{}
		switch asked := r.FormValue("PhoneNumber"); {
		case r.URL.Path == "/sandbox/calls":
			w.WriteHeader(http.StatusCreated)
		case r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/IncomingPhoneNumbers/"):
			for name, parameter := range map[string]string{
				"voice_url": "VoiceUrl", "voice_method": "VoiceMethod", "voice_fallback_url": "VoiceFallbackUrl",
				"voice_fallback_method": "VoiceFallbackMethod", "status_callback": "StatusCallback",
				"status_callback_method": "StatusCallbackMethod",
			} {
				answer[name] = r.FormValue(parameter)
			}
		case asked != "" && strings.HasSuffix(r.URL.Path, "/IncomingPhoneNumbers.json"):
			answer["incoming_phone_numbers"] = []map[string]string{{"sid": "PN1", "phone_number": asked}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	return server.URL
})
