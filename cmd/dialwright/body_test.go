package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// Whatever it asks for, a client that sends a byte of its body and then nothing is
// cut off.
func TestASlowBodyIsCutOffOnEverySurface(t *testing.T) {
	t.Parallel()
	in := runSandboxed(t, pgtest.New(t), "200")
	server := httptest.NewServer(pace{patience: 300 * time.Millisecond, rate: 1 << 20}.bodies(in.surfaces()))
	t.Cleanup(server.Close)
	for _, path := range []string{"/sign-in", "/api/v1/campaigns", twilio.HooksPath + "x", cloud.HooksPath + "x", "/openapi.yaml", "/healthz", "/nothing"} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(testwait.Limit))
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nx", path, server.Listener.Addr())
		if _, err := io.Copy(io.Discard, conn); err != nil { // until the server hangs up
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A body that keeps its pace may take much longer than the patience.
func TestABodyThatKeepsItsPaceArrives(t *testing.T) {
	t.Parallel()
	const step, steps = 2 << 10, 20
	patience := 2 * time.Second
	server := httptest.NewServer(pace{patience: patience, rate: 1}.bodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err == nil {
			<-time.After(patience + patience/2) // a handler may take its time, and its client is not gone
			err = r.Context().Err()
		}
		fmt.Fprint(w, n, err)
	})))
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", step*steps)
	for range steps {
		if _, err := conn.Write(make([]byte, step)); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != fmt.Sprint(step*steps, " <nil>") {
		t.Errorf("%s, %v", text, err)
	}
}
