package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The server disconnects a client that sends one byte of its body and then nothing, whatever the request is.
func TestASlowBodyIsCutOffOnEverySurface(t *testing.T) {
	t.Parallel()
	in := runSandboxed(t, pgtest.New(t), "200")
	server := httptest.NewServer(pace{patience: 300 * time.Millisecond, rate: 1 << 20}.bodies(in.surfaces))
	t.Cleanup(server.Close)
	for _, path := range []string{
		"/sign-in", "/api/v1/campaigns", twilio.HooksPath + "x", cloud.HooksPath + "x", "/openapi.yaml", "/healthz",
		"/nothing",
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(testwait.Limit))
		fmt.Fprintf(
			conn,
			"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "+
				"1000\r\n\r\nx",
			path, server.Listener.Addr(),
		)
		if _, err := io.Copy(io.Discard, conn); err != nil { // until the server disconnects
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A body that keeps its pace may take much longer than the patience. A body that falls behind is cut off at that time.
// The test uses virtual time, so that a slow machine does not affect it.
func TestABodyThatKeepsItsPaceArrives(t *testing.T) {
	t.Parallel()
	const step, steps = 2 << 10, 20
	for name, c := range map[string]struct {
		every time.Duration // between two steps
		want  string
	}{
		"keeps its pace": {time.Second, fmt.Sprint(step*steps, " <nil>")},
		"falls behind":   {1800 * time.Millisecond, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := pace{patience: 2 * time.Second, rate: step}
				listener := newPipe()
				server := &http.Server{Handler: p.bodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					n, err := io.Copy(io.Discard, r.Body)
					if err == nil {
						time.Sleep(time.Minute) // a handler may be slow, and its client must not be treated as gone
						err = r.Context().Err()
					}
					fmt.Fprint(w, n, err)
				}))}
				go server.Serve(listener) //nolint:errcheck // until the server is closed
				defer server.Close()
				var writing sync.WaitGroup
				defer writing.Wait()
				conn := listener.dial()
				defer conn.Close()
				fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nConnection: close\r\n\r\n",
					step*steps)
				began := time.Now()
				writing.Go(func() {
					for range steps {
						time.Sleep(c.every)
						if _, err := conn.Write(make([]byte, step)); err != nil {
							return // the server closed the connection
						}
					}
				})
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if c.want == "" {
					// The limit is the patience plus the second that the first step has earned.
					if took := time.Since(began); took != 3*time.Second {
						t.Errorf("it was cut off after %s", took)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer answer.Body.Close()
				if text, err := io.ReadAll(answer.Body); err != nil || string(text) != c.want {
					t.Errorf("%s, %v", text, err)
				}
			})
		})
	}
}

// pipe is a listener with in-memory connections, which virtual time requires.
type pipe struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipe() *pipe { return &pipe{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipe) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

func (p *pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipe) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }
