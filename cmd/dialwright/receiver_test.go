package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/webhook"
)

// The receivers of the README are run as they stand there, with the official
// libraries, and take our deliveries and nothing else.
func TestReadmeReceiversVerifyDeliveries(t *testing.T) {
	t.Parallel()
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		source, program := filepath.Join(dir, "receiver.go"), filepath.Join(dir, "receiver")
		if err := os.WriteFile(source, []byte(snippet(t, "go")), 0o600); err != nil {
			t.Fatal(err)
		}
		build := exec.CommandContext(t.Context(), "go", "build", "-o", program, source)
		build.Dir = "../.."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		testReceiver(t, exec.CommandContext(t.Context(), program))
	})
	t.Run("JavaScript", func(t *testing.T) {
		t.Parallel()
		needs(t, "node")
		if _, err := os.Stat("../../node_modules/standardwebhooks"); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip("npm ci has not been run")
		}
		node := exec.CommandContext(t.Context(), "node", "--input-type=module")
		node.Dir = "../.."
		node.Stdin = strings.NewReader(snippet(t, "js"))
		testReceiver(t, node)
	})
}

func testReceiver(t *testing.T, cmd *exec.Cmd) {
	secret, successor := secretBytes(), secretBytes()
	url, stop := startReceiver(t, cmd, "whsec_"+base64.StdEncoding.EncodeToString(secret))

	const id = "0192d3a4-7b5c-7def-8123-456789abcdef"
	body := []byte(`{"id":"0192d3a4-7b5c-7def-8123-456789abcdef","type":"call.completed","timestamp":"2026-11-21T08:00:00.000Z","data":{"transcript_text":"Olá, até já. ☎ <&>"}}`)
	now := time.Now().Unix()
	minute := int64(60)
	for _, c := range []struct {
		name string
		id   string
		at   int64
		body []byte
		sign string
		want bool
	}{
		{"first attempt", id, now - 1, body, webhook.Sign(id, now-1, body, secret), true},
		{"retry with a timestamp of its own", id, now, body, webhook.Sign(id, now, body, secret), true},
		{"rotation, receiver has the old secret", id, now, body, webhook.Sign(id, now, body, successor, secret), true},
		{"rotation, receiver has the new secret", id, now, body, webhook.Sign(id, now, body, secret, successor), true},
		{"rotation is over", id, now, body, webhook.Sign(id, now, body, successor), false},
		{"retry with the signature of the first attempt", id, now, body, webhook.Sign(id, now-1, body, secret), false},
		{"replay of an old attempt", id, now - 6*minute, body, webhook.Sign(id, now-6*minute, body, secret), false},
		{"timestamp from the future", id, now + 6*minute, body, webhook.Sign(id, now+6*minute, body, secret), false},
		{"changed body", id, now, bytes.ReplaceAll(body, []byte("completed"), []byte("answered")), webhook.Sign(id, now, body, secret), false},
		{"changed id", "another", now, body, webhook.Sign(id, now, body, secret), false},
		{"no signature", id, now, body, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("webhook-id", c.id)
			req.Header.Set("webhook-timestamp", strconv.FormatInt(c.at, 10))
			if c.sign != "" {
				req.Header.Set("webhook-signature", c.sign)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if taken := res.StatusCode/100 == 2; taken != c.want || !taken && res.StatusCode != http.StatusBadRequest {
				t.Errorf("the receiver answers %d", res.StatusCode)
			}
		})
	}

	// It has said what it took, and that only.
	if text := stop(); strings.Count(text, "received") != 4 || strings.Count(text, "Olá, até já. ☎ <&>") != 4 || strings.Contains(text, "answered") {
		t.Errorf("the receiver printed\n%s", text)
	}
}

func secretBytes() []byte {
	secret := make([]byte, webhook.SecretSize)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// startReceiver runs cmd on a free port and waits until it listens. stop ends it
// and returns what it has printed.
func startReceiver(t *testing.T, cmd *exec.Cmd, secret string) (url string, stop func() string) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)

	var printed bytes.Buffer // read when the process has ended
	cmd.Env = append(os.Environ(), "PORT="+port, "WEBHOOK_SECRET="+secret)
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = cmd.Wait()
	}()
	stop = func() string {
		_ = cmd.Process.Kill()
		<-exited
		return printed.String()
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return "http://" + address, stop
		}
		if time.Now().After(deadline) {
			t.Fatalf("the receiver does not listen: %v\n%s", err, stop())
		}
		select {
		case <-exited:
			t.Fatalf("the receiver has ended:\n%s", stop())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
