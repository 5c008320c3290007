package webhook

import (
	"bytes"
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

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/testtool"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// The README's receivers run unchanged with the official libraries. They accept the
// product's deliveries and nothing else.
func TestReceiversOfTheReadme(t *testing.T) {
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
		node := exec.CommandContext(t.Context(), testtool.Find(t, "node"), "--input-type=module")
		_, err := os.Stat("../../node_modules/standardwebhooks")
		testtool.Need(t, err)
		node.Dir = "../.."
		node.Stdin = strings.NewReader(snippet(t, "js"))
		testReceiver(t, node)
	})
}

// snippet returns the README's only code block in a language.
func snippet(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```"+language+"\n")
	if len(blocks) != 2 {
		t.Fatalf("README.md holds %d blocks of %s", len(blocks)-1, language)
	}
	code, _, _ := strings.Cut(blocks[1], "```")
	return code
}

func testReceiver(t *testing.T, cmd *exec.Cmd) {
	h := newWorld(t)
	w, secret, err := h.Create(t.Context(), h.actor, Draft{
		Name: "README", URL: "https://example.com", Events: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	h.exec(`update webhook set url = $2 where id = $1`, w.ID, "http://"+address+"/hooks")

	// The receiver starts after the first attempt, so the event arrives as a retry.
	stopEngine := h.engine()
	h.emit(h.actor, 1)
	h.await("the first attempt", func() bool {
		return h.count(`delivery where attempts > 0 and status = 'pending'`) == 1
	})
	stopEngine()
	stop := startReceiver(t, cmd, address, secret)
	signed := scan[int64](h, `select max(signed_at) from delivery_attempt`)
	h.await("a second, which the timestamps count", func() bool { return time.Now().Unix() > signed })
	h.skip(time.Hour)
	h.engine()
	h.await("the retry", func() bool { return h.count(`delivery where status = 'succeeded'`) == 1 })
	attempts, signatures := h.count(
		`delivery_attempt`,
	), h.count(`(select distinct signature from delivery_attempt) as s`)
	if attempts < 2 || signatures != attempts {
		t.Errorf("%d attempts have %d signatures", attempts, signatures)
	}

	// The receiver keeps the old secret, which verifies until the overlap ends.
	if _, _, err := h.RotateSecret(t.Context(), h.actor, w.ID, time.Hour); err != nil {
		t.Fatal(err)
	}
	h.emit(h.actor, 1)
	h.await("the delivery with two signatures", func() bool {
		return h.count(`delivery where status = 'succeeded'`) == 2
	})
	if n := h.count(`delivery_attempt where signature like 'v1,% v1,%' and response_status in (200, 204)`); n != 1 {
		t.Errorf("%d attempts have two signatures", n)
	}
	if _, _, err := h.RotateSecret(t.Context(), h.actor, w.ID, 0); err != nil {
		t.Fatal(err)
	}
	h.emit(h.actor, 1)
	h.await("the refusal", func() bool { return h.count(`delivery_attempt where response_status = 400`) > 0 })

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		t.Fatal(err)
	}
	id := uuid.NewString()
	body := []byte(
		`{"id":"` + id + `","type":"call.completed","timestamp":"2026-11-21T08:00:00.000Z",` +
			`"data":{"transcript_text":"Olá, até já. ☎ <&>"}}`,
	)
	now, old, future := time.Now().Unix(), time.Now().Add(-6*time.Minute).Unix(), time.Now().Add(6*time.Minute).Unix()
	for _, c := range []struct {
		name      string
		id        string
		at        int64
		body      []byte
		signature string
		taken     bool
	}{
		{"every character", id, now, body, sender.Sign(id, now, body, key), true},
		{"replay of an old attempt", id, old, body, sender.Sign(id, old, body, key), false},
		{"timestamp from the future", id, future, body, sender.Sign(id, future, body, key), false},
		{"old attempt with a new timestamp", id, now, body, sender.Sign(id, old, body, key), false},
		{
			"changed body", id, now, bytes.ReplaceAll(body, []byte("completed"), []byte("answered")),
			sender.Sign(id, now, body, key), false,
		},
		{"changed id", uuid.NewString(), now, body, sender.Sign(id, now, body, key), false},
		{"secret of nobody", id, now, body, sender.Sign(id, now, body, nil), false},
		{"no signature", id, now, body, "", false},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+
			"/hooks", bytes.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("webhook-id", c.id)
		req.Header.Set("webhook-timestamp", strconv.FormatInt(c.at, 10))
		req.Header.Set("webhook-signature", c.signature)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if taken := res.StatusCode/100 == 2; taken != c.taken || !taken && res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: the receiver answers %d", c.name, res.StatusCode)
		}
	}

	// The receiver prints the accepted events only.
	printed := stop()
	if strings.Count(printed, "received") != 3 || strings.Count(printed, "Olá, até já. ☎ <&>") != 1 ||
		strings.Contains(printed, "answered") {
		t.Errorf("the receiver printed\n%s", printed)
	}
}

// startReceiver runs cmd and waits until it listens. stop ends the receiver and returns
// its output.
func startReceiver(t *testing.T, cmd *exec.Cmd, address, secret string) (stop func() string) {
	t.Helper()
	_, port, _ := net.SplitHostPort(address)
	var printed bytes.Buffer // read after the process has ended
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
	for deadline := time.Now().Add(testwait.Limit); ; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return stop
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
