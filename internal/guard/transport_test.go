package guard

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
)

// listener is an internal server. It counts the connections that reach it.
func listener(t *testing.T) (port string, reached *atomic.Int32) {
	t.Helper()
	reached = new(atomic.Int32)
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		if port != "" {
			address = "[::1]:" + port
		}
		l, err := net.Listen("tcp", address)
		if err != nil && port != "" {
			continue // the machine has no IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		_, port, _ = net.SplitHostPort(l.Addr().String())
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				reached.Add(1)
				conn.Close()
			}
		}()
	}
	return port, reached
}

// get sends one request to url and closes the answer.
func get(t *testing.T, rt http.RoundTripper, url string) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := rt.RoundTrip(req)
	if err == nil {
		res.Body.Close()
	}
	return res, err
}

// Every known form of an internal address, as the host of a URL or as the answer of a
// name server, is refused before a connection is made.
func TestNothingInsideIsReached(t *testing.T) {
	t.Parallel()
	port, reached := listener(t)
	g := newGuard(t)
	names := &zone{answers: map[string][]string{
		"2130706433": {"127.0.0.1"}, "0x7f000001": {"127.0.0.1"}, "0x7f.1": {"127.0.0.1"},
		"017700000001": {"127.0.0.1"},
		"0177.0.0.1":   {"127.0.0.1"}, "127.1": {"127.0.0.1"}, "127.0.0.1": {"127.0.0.1"},
	}}
	answer := func(name, addresses string) string {
		names.answers[name] = []string{addresses}
		return name
	}
	forms := []struct{ name, host string }{
		{"loopback", "127.0.0.1"},
		{"loopback elsewhere in its block", "127.8.8.8"},
		{"decimal", "2130706433"},
		{"hexadecimal", "0x7f000001"},
		{"hexadecimal parts", "0x7f.1"},
		{"octal", "017700000001"},
		{"octal parts", "0177.0.0.1"},
		{"short form", "127.1"},
		{"dot of the root", "127.0.0.1."},
		{"circled digits", "①②⑦.⓪.⓪.①"},
		{"full-width digits", "１２７.0.0.1"},
		{"ideographic full stops", "127。0。0。1"},
		{"escaped circled digits", "%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1"},
		{"unspecified", "0.0.0.0"},
		{"this network", "0.0.0.1"},
		{"localhost", "localhost"},
		{"localhost in capitals", "LOCALHOST."},
		{"name below localhost", answer("api.localhost", "127.0.0.1")},
		{"IPv6 loopback", "[::1]"},
		{"IPv6 loopback in full", "[0000:0000:0000:0000:0000:0000:0000:0001]"},
		{"IPv6 unspecified", "[::]"},
		{"IPv4-mapped", "[::ffff:127.0.0.1]"},
		{"IPv4-mapped in hexadecimal", "[::ffff:7f00:1]"},
		{"IPv4-mapped public", "[::ffff:8.8.8.8]"},
		{"IPv4-compatible", "[::7f00:1]"},
		{"IPv4-translated", "[::ffff:0:7f00:1]"},
		{"NAT64", "[64:ff9b::7f00:1]"},
		{"NAT64 of one network", "[64:ff9b:1::7f00:1]"},
		{"6to4", "[2002:7f00:1::]"},
		{"Teredo", "[2001:0:7f00:1::80ff:fffe]"},
		{"zone", "[fe80::1%25lo]"},
		{"zone on a public address", "[2600::1%25lo]"},
		{"name for loopback", answer("loopback.example", "127.0.0.1")},
		{"name for IPv6 loopback", answer("loopback6.example", "::1")},
		{"name with capitals and the dot of the root", "LOOPBACK.example."},
		{"international name", "b\u00fccher.example"},
		{"name for unspecified", answer("unspecified.example", "0.0.0.0")},
		{"name for private", answer("ten.example", "10.0.0.1")},
		{"name for private 172.16", answer("docker.example", "172.17.0.1")},
		{"name for private 192.168", answer("router.example", "192.168.1.1")},
		{"name for unique local", answer("ula.example", "fd12:3456::1")},
		{"name for link-local", answer("link.example", "169.254.1.1")},
		{"name for IPv6 link-local", answer("link6.example", "fe80::1")},
		{"name for site-local", answer("site.example", "fec0::1")},
		{"name for CGNAT", answer("cgnat.example", "100.64.0.1")},
		{"name for metadata of Amazon", answer("metadata.example", "169.254.169.254")},
		{"name for metadata of Amazon by IPv6", answer("metadata6.example", "fd00:ec2::254")},
		{"name for metadata of Alibaba", answer("metadata-alibaba.example", "100.100.100.200")},
		{"name for metadata of Oracle", answer("metadata-oracle.example", "192.0.0.192")},
		{"name for the host agent of Azure", answer("agent-azure.example", "168.63.129.16")},
		{"name for IPv4-mapped", answer("mapped.example", "::ffff:127.0.0.1")},
		{"name for NAT64", answer("nat64.example", "64:ff9b::7f00:1")},
		{"name for 6to4", answer("6to4.example", "2002:7f00:1::")},
		{"name for Teredo", answer("teredo.example", "2001:0:7f00:1::80ff:fffe")},
		{"name for SRv6", answer("srv6.example", "5f00::1")},
		{"name for documentation", answer("documentation.example", "192.0.2.1 2001:db8::1 3fff::1")},
		{"name for benchmarks", answer("benchmark.example", "198.18.0.1")},
		{"name for multicast", answer("multicast.example", "224.0.0.1 ff02::1")},
		{"name for broadcast", answer("broadcast.example", "255.255.255.255")},
		{"name for reserved", answer("reserved.example", "240.0.0.1")},
		{"name for several inside", answer("several.example", "127.0.0.1 10.0.0.1 ::1")},
		{"name of a search domain", answer("intranet", "127.0.0.1")},
		{"name of a private domain", answer("metadata.google.internal", "169.254.169.254")},
	}
	answer("xn--bcher-kva.example", "127.0.0.1")
	names.serve(t, g)
	rt := g.Transport()
	t.Cleanup(rt.CloseIdleConnections)
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			for _, scheme := range []string{"https", "http"} {
				_, err := get(t, rt, scheme+"://"+form.host+":"+port+"/")
				if blocked, ok := errors.AsType[*BlockedError](err); !ok {
					t.Errorf("%s: %v", scheme, err)
				} else if text := blocked.Error(); !strings.HasPrefix(text, blocked.Host+" ") ||
					strings.Contains(text, port) {
					t.Errorf("%s: the error reads %q", scheme, text)
				}
			}
			if n := reached.Swap(0); n != 0 {
				t.Errorf("reached %d times", n)
			}
		})
	}
}

// receiver is a public host: https with the certificate of example.com. Its address
// 127.0.0.1 stands for a public address.
func receiver(t *testing.T, h http.HandlerFunc) (port string, roots *x509.CertPool) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	roots = x509.NewCertPool()
	roots.AddCert(s.Certificate())
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port, roots
}

// outside returns a guard with the names of z that permits 127.0.0.1 like a public
// address.
func outside(t *testing.T, z *zone) *Guard {
	t.Helper()
	g := newGuard(t, "127.0.0.1")
	z.serve(t, g)
	return g
}

func TestAPermittedNameIsLookedUpOnceAndReachedByHTTP2(t *testing.T) {
	t.Parallel()
	port, roots := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Seen", r.Proto+" "+r.Host)
	})
	z := &zone{answers: map[string][]string{"example.com": {"127.0.0.1"}}}
	rt := outside(t, z).Transport()
	rt.TLSClientConfig.RootCAs = roots

	var resolved, connected []string // the caller's own trace still gets all events
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		DNSDone:     func(i httptrace.DNSDoneInfo) { resolved = append(resolved, fmt.Sprint(i.Addrs)) },
		ConnectDone: func(_, address string, err error) { connected = append(connected, address) },
	})
	for range 3 {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://Example.com.:"+port+
			"/", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := rt.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if got := res.Header.Get("Seen"); got != "HTTP/2.0 Example.com.:"+port || res.TLS.Version < tls.VersionTLS12 {
			t.Errorf("seen %q", got)
		}
	}
	if z.lookups("example.com") != 1 || len(resolved) != 1 || len(connected) != 1 || connected[0] != "127.0.0.1:"+port {
		t.Errorf("%d look-ups, resolved %q, connected %q", z.lookups("example.com"), resolved, connected)
	}
}

func TestAnAnswerThatChangesIsJudgedAgain(t *testing.T) {
	t.Parallel()
	port, roots := receiver(t, func(http.ResponseWriter, *http.Request) {})
	z := &zone{answers: map[string][]string{"example.com": {"127.0.0.1", "127.0.0.2", "127.0.0.1"}}}
	rt := outside(t, z).Transport()
	rt.DisableKeepAlives = true
	rt.TLSClientConfig.RootCAs = roots
	for i, want := range []bool{true, false, true} {
		_, err := get(t, rt, "https://example.com:"+port+"/")
		if _, blocked := errors.AsType[*BlockedError](err); blocked == want || want && err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
		if z.lookups("example.com") != i+1 {
			t.Errorf("%d look-ups for %d connections", z.lookups("example.com"), i+1)
		}
	}
}

func TestOfSeveralAddressesOnlyThePermittedOnesAreDialed(t *testing.T) {
	t.Parallel()
	port, roots := receiver(t, func(http.ResponseWriter, *http.Request) {})
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	_, closedPort, _ := net.SplitHostPort(closed.Addr().String())

	for _, addresses := range []string{
		"127.0.0.2 127.0.0.1", "127.0.0.1 127.0.0.2", "::1 127.0.0.1", "10.0.0.1 fd00::1 64:ff9b::7f00:1 127.0.0.1",
	} {
		t.Run(addresses, func(t *testing.T) {
			t.Parallel()
			rt := outside(t, &zone{answers: map[string][]string{"example.com": {addresses}}}).Transport()
			rt.TLSClientConfig.RootCAs = roots
			if _, err := get(t, rt, "https://example.com:"+port+"/"); err != nil {
				t.Errorf("the permitted address is not used: %v", err)
			}
			// The error is that of the dialed address, not that of the blocked addresses.
			_, err := get(t, rt, "https://example.com:"+closedPort+"/")
			if _, blocked := errors.AsType[*BlockedError](err); err == nil || blocked {
				t.Errorf("a refused connection is %v", err)
			}
		})
	}
}

func TestAnUnknownNameIsNoBlockedAddress(t *testing.T) {
	t.Parallel()
	rt := outside(t, &zone{}).Transport()
	_, err := get(t, rt, "https://nowhere.example/")
	if dns, ok := errors.AsType[*net.DNSError](err); !ok || !dns.IsNotFound {
		t.Errorf("%v", err)
	}
}

// Search domains can only find internal names, so they are used only if the operator
// allows something internal.
func TestSearchDomainsAreForNetworksThatAreAllowed(t *testing.T) {
	t.Parallel()
	for asked, g := range map[string]*Guard{
		"hooks.example.":   newGuard(t),
		"hooks.example":    newGuard(t, "10.0.0.0/8"),
		"my_service":       newGuard(t, "my_service"),
		"billing.internal": newGuard(t, "billing.internal"),
	} {
		(&zone{}).serve(t, g)
		var lookups []string
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			DNSStart: func(i httptrace.DNSStartInfo) { lookups = append(lookups, i.Host) },
		})
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+strings.TrimSuffix(asked, ".")+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = g.Transport().RoundTrip(req); err == nil {
			t.Error("a host without address is reached")
		}
		if len(lookups) != 1 || lookups[0] != asked {
			t.Errorf("asked for %q, want %q", lookups, asked)
		}
	}
}

// A client that follows redirects reaches only permitted hosts.
func TestARedirectLeadsNowhereInside(t *testing.T) {
	t.Parallel()
	inside, reached := listener(t)
	for _, target := range []string{
		"https://169.254.169.254/latest/meta-data/", "https://127.0.0.2:" + inside + "/",
		"https://[::1]:" + inside + "/",
		"http://example.com:" + inside + "/", "http://localhost:" + inside + "/",
		"https://inside.example:" + inside + "/", "//2130706433:" + inside + "/",
	} {
		port, roots := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, target, http.StatusTemporaryRedirect)
		})
		rt := outside(t, &zone{
			answers: map[string][]string{"example.com": {"127.0.0.1"}, "inside.example": {"10.0.0.1"}},
		}).Transport()
		rt.TLSClientConfig.RootCAs = roots
		client := http.Client{Transport: rt}
		_, err := client.Post("https://example.com:"+port+"/", "application/json", bytes.NewReader([]byte("{}")))
		if _, blocked := errors.AsType[*BlockedError](err); !blocked {
			t.Errorf("%s: %v", target, err)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("reached %d times", n)
	}
}

func TestPlainHTTPOnlyReachesHostsThatAreAllowed(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	g := newGuard(t, "127.0.0.0/8", "inside.example")
	(&zone{answers: map[string][]string{"inside.example": {"127.0.0.1"}, "other.example": {"127.0.0.1"}}}).serve(t, g)
	rt := g.Transport()
	for host, want := range map[string]bool{
		"127.0.0.1": true, "[::ffff:127.0.0.1]": true, "inside.example": true, "INSIDE.example.": true,
		"other.example": false, "8.8.8.8": false, "[::1]": false, "localhost": false,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+host+":"+port+
			"/", strings.NewReader("the body"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := rt.RoundTrip(req)
		if _, blocked := errors.AsType[*BlockedError](err); blocked == want {
			t.Errorf("%s: %v", host, err)
		}
		if err == nil {
			if body, _ := io.ReadAll(res.Body); string(body) != "the body" {
				t.Errorf("%s: the body arrived as %q", host, body)
			}
			res.Body.Close()
		}
	}
}

// A host name that the operator allows may resolve to any address.
func TestAnAllowedNameMayBeAnyAddress(t *testing.T) {
	t.Parallel()
	port, roots := receiver(t, func(http.ResponseWriter, *http.Request) {})
	g := newGuard(t, "example.com")
	(&zone{answers: map[string][]string{"example.com": {"127.0.0.1"}, "www.example.com": {"127.0.0.1"}}}).serve(t, g)
	rt := g.Transport()
	rt.TLSClientConfig.RootCAs = roots
	if _, err := get(t, rt, "https://example.com:"+port+"/"); err != nil {
		t.Error(err)
	}
	if _, err := get(t, rt, "https://www.example.com:"+port+"/"); err == nil {
		t.Error("a name below an allowed one is allowed")
	}
}

func TestTransportTrustsNoProxyAndBoundsWhatAHostCanSend(t *testing.T) {
	t.Parallel()
	if rt := newGuard(t).Transport(); rt.Proxy != nil {
		t.Error("names are resolved by a proxy")
	}
	port, roots := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/encodings" {
			w.Header().Set("Seen", strings.Join(r.Header["Accept-Encoding"], ","))
			return
		}
		w.Header().Set("Big", strings.Repeat("a", 1<<20))
	})
	rt := outside(t, &zone{answers: map[string][]string{"example.com": {"127.0.0.1"}}}).Transport()
	rt.TLSClientConfig.RootCAs = roots
	if _, err := get(t, rt, "https://example.com:"+port+"/"); err == nil {
		t.Error("a header of a megabyte is read")
	}
	if res, err := get(t, rt, "https://example.com:"+port+"/encodings"); err != nil || res.Header.Get("Seen") != "" {
		t.Errorf("encodings are asked for: %v, %v", res, err)
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	rt := newGuard(t, "127.0.0.1").Transport()
	rt.TLSClientConfig.InsecureSkipVerify = true
	if _, err := get(t, rt, s.URL); err == nil || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("%v", err)
	}
}

// Two goroutines dial the two families of a name at once.
func TestVerdictIsTheErrorOfAPermittedAddress(t *testing.T) {
	t.Parallel()
	blocked, refused := &BlockedError{Host: "example.com"}, errors.New("connection refused")
	for _, c := range []struct {
		name  string
		added []error
		err   error
		want  error
	}{
		{"all blocked", []error{blocked, blocked}, blocked, blocked},
		{"blocked first", []error{blocked, refused}, blocked, refused},
		{"blocked last", []error{refused, blocked}, refused, refused},
		{"no answer", nil, context.DeadlineExceeded, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v verdict
			for _, err := range c.added {
				v.add(&net.OpError{
					Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(netip.MustParseAddrPort("10.0.0.1:443")),
					Err: err,
				})
			}
			if got := v.of(c.err); !errors.Is(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			if _, isBlocked := errors.AsType[*BlockedError](v.of(c.err)); isBlocked &&
				strings.Contains(v.of(c.err).Error(), "10.0.0.1") {
				t.Error("the error names the address")
			}
		})
	}
}
