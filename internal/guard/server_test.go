package guard

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

func newServerGuard(t *testing.T, servers ...string) *Guard {
	t.Helper()
	g, err := NewModels(servers)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEveryBadServerIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	bad := []string{
		"", "10.0.0.0/8", "http://vllm", "vllm:", "vllm:0", "vllm:65536", "vllm:port", "*.internal", "2130706433",
		"127.1:80", "[fe80::1%eth0]:80", "fe80::1%eth0", "a b", "vllm:80:81", "user@vllm",
	}
	_, err := NewModels(append(bad, "vllm.internal:8000"))
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(bad) {
		t.Errorf("%d problems for %d bad entries:\n%v", len(lines), len(bad), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, ModelSetting+`: "`+bad[i]+`" is not a host`) {
			t.Errorf("%q is reported as %s", bad[i], line)
		}
	}
}

// Only the servers that are named may have a private address, at the port that is named.
func TestServersAreAllowedExactly(t *testing.T) {
	t.Parallel()
	g := newServerGuard(t, "vLLM.internal.:8000", "10.0.0.5:8000", "[fd00::5]:8000", "gpu", "10.0.0.6",
		"::ffff:10.0.0.7")
	const (
		private = "url: must be a public address (others are only for hosts within the operator's " + ModelSetting + ")"
		plain   = "url: must be an https URL (http is only for hosts within the operator's " + ModelSetting + ")"
	)
	for raw, want := range map[string]string{
		"http://vllm.internal:8000/v1":        "",
		"https://VLLM.internal.:8000/v1":      "",
		"http://10.0.0.5:8000/v1":             "",
		"http://[::ffff:10.0.0.5]:8000/v1":    "",
		"http://[fd00:0::5]:8000":             "",
		"http://gpu/v1":                       "",
		"https://gpu:9000/v1":                 "",
		"http://10.0.0.6:81":                  "",
		"https://10.0.0.7":                    "",
		"https://api.example.com/v1":          "",
		"http://vllm.internal/v1":             plain,
		"http://vllm.internal:8001/v1":        plain,
		"https://vllm.internal/v1":            private,
		"https://a.vllm.internal:8000/v1":     private,
		"https://10.0.0.5/v1":                 private,
		"https://10.0.0.5:80001/v1":           "url: must have a port between 1 and 65535",
		"http://10.0.0.4:8000/v1":             plain,
		"https://10.0.0.4:8000/v1":            private,
		"https://[fd00::6]:8000/v1":           private,
		"http://127.0.0.1:8000/v1":            plain,
		"https://169.254.169.254/latest/meta": private,
		"http://api.example.com/v1":           plain,
	} {
		var p fault.Problems
		got := ""
		g.CheckURL(&p, "url", &raw)
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", raw, got)
		}
	}
}

// The transport reaches an allowed server, by its name or its address, and nothing else of this
// machine: no other port, no other name of the same address, and not by a redirect.
func TestServersAreReachedExactly(t *testing.T) {
	t.Parallel()
	inside, reached := listener(t)
	var target string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, target, http.StatusTemporaryRedirect)
		}
	}))
	t.Cleanup(s.Close)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	g := newServerGuard(t, "vllm.internal:"+port, "127.0.0.1:"+port)
	(&zone{answers: map[string][]string{
		"vllm.internal": {"127.0.0.1"}, "other.internal": {"127.0.0.1"}, "other.example": {"127.0.0.1"},
	}}).serve(t, g)
	rt := g.Transport()
	t.Cleanup(rt.CloseIdleConnections)
	blocked := func(err error) bool { _, is := errors.AsType[*BlockedError](err); return is }
	for _, url := range []string{"http://vllm.internal:" + port, "http://127.0.0.1:" + port} {
		if _, err := get(t, rt, url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{
		"http://vllm.internal:" + inside, "https://vllm.internal:" + inside, "http://127.0.0.1:" + inside,
		"https://127.0.0.1:" + inside, "https://other.internal:" + port, "https://other.example:" + port,
		"http://localhost:" + port, "https://127.0.0.2:" + port, "https://[::1]:" + port,
		"http://other.example:" + port,
	} {
		if _, err := get(t, rt, url); !blocked(err) {
			t.Errorf("%s: %v", url, err)
		}
		target = url
		client := http.Client{Transport: rt}
		from := "http://vllm.internal:" + port + "/redirect"
		answer, err := client.Post(from, "application/json", strings.NewReader("{}"))
		if err == nil {
			answer.Body.Close()
		}
		if !blocked(err) {
			t.Errorf("a redirect to %s: %v", url, err)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("reached %d times", n)
	}
}
