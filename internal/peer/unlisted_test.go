package peer_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/peer"
)

func TestUnlistedPeersAreNamedOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	served := 0
	h := peer.LogUnlisted(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }),
		[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, slog.New(slog.NewTextHandler(&out, nil)))
	ask := func(remote, header, value string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remote
		if header != "" {
			r.Header.Set(header, value)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	for range 3 {
		ask("192.0.2.1:1234", "", "")
		ask("10.0.0.1:80", "X-Forwarded-For", "198.51.100.7")
		ask("192.0.2.2:1234", "X-Forwarded-For", "198.51.100.7")
		ask("192.0.2.3:1234", "Forwarded", "for=198.51.100.7")
		ask("@", "X-Forwarded-For", "198.51.100.7")
	}
	said := out.String()
	if strings.Count(said, "\n") != 2 || !strings.Contains(said, "peer=192.0.2.2") ||
		!strings.Contains(said, "peer=192.0.2.3") {
		t.Errorf("logged:\n%s", &out)
	}
	for i := range 500 { // made up by one client after the other: the log has a bound
		ask(fmt.Sprintf("198.51.%d.%d:1", i/250, i%250), "X-Forwarded-For", "203.0.113.1")
	}
	if n := strings.Count(out.String(), "\n"); n != 100 || served != 15+500 {
		t.Errorf("%d lines, %d served", n, served)
	}
}
