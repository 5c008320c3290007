package peer

import (
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Unlisted is the peer of a request that claims to be forwarded, by a peer that is
// not one of the trusted proxies: a proxy nobody told us of, or a client that
// makes it up.
func Unlisted(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
	if r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Forwarded") == "" {
		return netip.Addr{}, false
	}
	address, ok := parse(r.RemoteAddr)
	return address, ok && !within(address, trusted)
}

const (
	// logGap is how often the log names the same unlisted peer.
	logGap = time.Hour
	// maxLogged bounds how many peers are remembered, and so named in logGap.
	maxLogged = 100
)

// LogUnlisted names unlisted peers in the log, each once an hour.
func LogUnlisted(next http.Handler, trusted []netip.Prefix, log *slog.Logger) http.Handler {
	var mu sync.Mutex
	logged := map[netip.Addr]time.Time{}
	isNew := func(address netip.Addr, now time.Time) bool {
		mu.Lock()
		defer mu.Unlock()
		if at, known := logged[address]; known && now.Sub(at) < logGap {
			return false
		}
		if len(logged) == maxLogged {
			for a, at := range logged {
				if now.Sub(at) >= logGap {
					delete(logged, a)
				}
			}
		}
		if len(logged) == maxLogged {
			return false
		}
		logged[address] = now
		return true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if address, unlisted := Unlisted(r, trusted); unlisted && isNew(address, time.Now()) {
			log.Warn("X-Forwarded-For is ignored: if this peer is your proxy, add it to DIALWRIGHT_TRUSTED_PROXIES",
				"peer", address)
		}
		next.ServeHTTP(w, r)
	})
}
