package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
)

// What a carrier does not accept is not saved, and nothing of the form is lost.
func TestACarrierIsAskedBeforeItIsSaved(t *testing.T) {
	t.Parallel()
	const right = "token-of-the-account"
	network := httptest.NewServer(sandbox.New(sandbox.Options{AuthToken: right, Speed: sandboxSpeed, Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(network.Close)
	address := network.URL
	w := newWorld(t)
	adapter := twilio.New(twilio.Config{Host: w.deps.Calls, PublicURL: w.deps.PublicURL, Log: w.deps.Log})
	w.deps.Projects.Probe = func(ctx context.Context, account, token string) error {
		return adapter.Check(ctx, twilio.Account{SID: account, AuthToken: token, APIURL: address})
	}
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := form("kind", "twilio", "name", "Main account", "account", "AC"+strings.Repeat("0a", 16), "token", "wrong-token-0001", "calls_per_second", "2.5")

	v.post("/settings/integrations", data).wrong("token", "does not accept the credentials").has("Main account", "2.5").lacks("wrong-token-0001")
	if got := w.count(`select count(*) from connection where kind = 'twilio'`); got != 0 {
		t.Fatalf("%d connections that Twilio refuses", got)
	}
	v.post("/settings/integrations", changed(data, "token", right)).leads("/settings/integrations")
	id := idOf(w, "connection", "name", "Main account")

	path := "/settings/integrations/" + id.String()
	v.post(path, form("name", "Renamed", "token", "wrong-token-0002", "calls_per_second", "1")).wrong("token", "does not accept the credentials")
	v.post(path, form("name", "Renamed", "calls_per_second", "1")).leads("/settings/integrations")
	if kept, err := w.deps.Projects.Credentials(t.Context(), id); err != nil || kept.Token != right {
		t.Errorf("the token that works was not kept: %v", err)
	}
	address = "http://127.0.0.1:1" // nobody listens
	v.post(path, form("name", "Renamed", "token", "wrong-token-0003", "calls_per_second", "1")).want(http.StatusUnprocessableEntity).has("Twilio could not be reached")
}
