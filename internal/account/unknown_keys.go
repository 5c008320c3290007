package account

import (
	"crypto/sha256"
	"net/netip"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/recent"
)

const (
	strangerRate  = 10 // lookups of unknown keys per second and network
	strangerBurst = 60
	unknownFor    = time.Second // time before an unknown key is looked up again
)

type keyHash = [sha256.Size]byte

// unknownKeys bounds the database lookups of unknown API keys. It never refuses a key
// that was valid before in this process. A network that has used up its pace earns ten
// lookups a second again, so a new key works there soon.
type unknownKeys struct {
	mu      sync.Mutex
	known   recent.Map[keyHash, struct{}]
	unknown recent.Map[keyHash, time.Time] // time of the last failed lookup
	debts   recent.Map[string, debt]       // by network
}

// debt is the number of failed lookups that a network has not yet earned back.
type debt struct {
	lookups float64
	at      time.Time
}

func (d debt) now(now time.Time) float64 {
	return max(0, d.lookups-strangerRate*now.Sub(d.at).Seconds())
}

// refuses reports whether a key is refused without a database query.
func (s *unknownKeys) refuses(key keyHash, address netip.Addr, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known.Get(key); ok {
		return false
	}
	if at, ok := s.unknown.Get(key); ok && now.Sub(at) < unknownFor {
		return true
	}
	owed, _ := s.debts.Get(network(address))
	return owed.now(now) >= strangerBurst
}

// found records whether the database knows a key. Only a failed lookup adds to the debt.
func (s *unknownKeys) found(key keyHash, address netip.Addr, good bool, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if good {
		s.known.Put(key, struct{}{})
		return
	}
	s.known.Drop(key)
	s.unknown.Put(key, now)
	owed, _ := s.debts.Get(network(address))
	s.debts.Put(network(address), debt{lookups: owed.now(now) + 1, at: now})
}
