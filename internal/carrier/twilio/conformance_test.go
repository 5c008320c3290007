package twilio_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
)

const (
	accountSID   = "AC0123456789abcdef0123456789abcdef"
	sandboxToken = "a token for tests"
)

var authToken = sandbox.AccountToken(sandboxToken, accountSID)

func TestConformance(t *testing.T) {
	t.Parallel()
	carriertest.Run(t, open)
}

// open starts the adapter and the sandbox on loopback.
func open(t *testing.T, host carrier.Host) carriertest.Network {
	t.Helper()
	network := sandbox.New(sandbox.Options{Token: sandboxToken, Speed: 50})
	api := httptest.NewServer(network)
	connection := uuid.Must(uuid.NewV7())
	account := twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: api.URL}

	product := &product{conns: map[net.Conn]bool{}}
	product.start(t, "127.0.0.1:0")
	adapter := func(host carrier.Host) *twilio.Adapter {
		return twilio.New(twilio.Config{
			Host:      host,
			PublicURL: "http://" + product.address,
			Account: func(_ context.Context, id uuid.UUID) (twilio.Account, error) {
				if id != connection {
					return twilio.Account{}, twilio.ErrNoConnection
				}
				return account, nil
			},
		})
	}
	first := adapter(host)
	product.serve(first.Handler())
	t.Cleanup(func() {
		product.kill()
		network.Close()
		api.Close()
	})
	return carriertest.Network{
		Carrier: first.Carrier(connection, account),
		Number:  func(outcome string) string { return "+15005" + outcome + "1234" },
		Restart: func(t *testing.T, host carrier.Host) {
			product.kill()
			// Wait until the network notices the broken lines, before a new instance answers
			// requests.
			if _, err := network.Await(t.Context(), func(s sandbox.State) bool { return s.Lines == 0 }); err != nil {
				t.Fatal(err)
			}
			product.start(t, product.address)
			product.serve(adapter(host).Handler())
		},
		Join: func(_ *testing.T, host carrier.Host) { product.route(adapter(host).Handler()) },
		CallIn: func(from, caller string) string {
			voice, status := first.NumberHooks(connection, account)
			sid, err := network.CallIn(sandbox.CallIn{
				Account: accountSID, From: from, To: carriertest.Owned, Caller: caller,
				VoiceURL: voice, StatusURL: status,
			})
			if err != nil {
				t.Fatal(err)
			}
			return sid
		},
		CarrierSaid: func() (said []string) {
			dials := network.Dials()
			for _, turn := range dials[len(dials)-1].Turns {
				if turn.Who == sandbox.Carrier {
					said = append(said, turn.Text)
				}
			}
			return said
		},
	}
}

// product is a server that can be killed together with its connections. All instances have the same
// address.
type product struct {
	handler  atomic.Pointer[http.Handler]
	address  string
	listener net.Listener
	mu       sync.Mutex
	conns    map[net.Conn]bool
}

func (p *product) start(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	p.listener, p.address = l, l.Addr().String()
}

// route sends all requests from now on to an instance.
func (p *product) route(h http.Handler) { p.handler.Store(&h) }

func (p *product) serve(h http.Handler) {
	p.route(h)
	current := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*p.handler.Load()).ServeHTTP(w, r) })
	server := &http.Server{Handler: current, ReadHeaderTimeout: 10 * time.Second,
		ConnState: func(c net.Conn, s http.ConnState) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.conns[c] = true
		}}
	go func() { _ = server.Serve(p.listener) }()
}

func (p *product) kill() {
	_ = p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}
