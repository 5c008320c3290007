package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// raw sends a request whose answer the client's library does not unpack.
func (n *tenant) raw(method, path string, body io.Reader, header ...string) *answer {
	n.w.t.Helper()
	r, err := http.NewRequestWithContext(n.w.t.Context(), method, n.w.server.URL+"/api/v1"+path, body)
	if err != nil {
		n.w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+n.key)
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		n.w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return &answer{
		t: n.w.t, what: method + " " + path, status: resp.StatusCode, header: resp.Header, body: string(text),
	}
}

// gets returns a GET path of every kind.
func (n *tenant) gets() []string {
	n.w.t.Helper()
	hook, own := n.newWebhook(), n.newCampaign()
	return []string{"/me", "/campaigns", "/campaigns?limit=1", "/campaigns/" + n.newCampaign(),
		"/campaigns/" + own + "/log", "/campaigns/" + own + "/recipients",
		"/campaigns/" + own + "/recipients/" + n.recipientsOf(own)[0], "/calls",
		"/calls/" + n.newCall("+15005550001").String(),
		"/messages", "/phone-numbers", "/phone-numbers/" + n.number.String(), "/projects",
		"/projects/" + n.project.String(), "/whatsapp/templates", "/whatsapp/templates/" + n.newTemplate(), "/agents",
		"/agents/" + n.agent.String(), "/members", "/follow-ups", "/follow-ups/" + n.newFollowUp(),
		"/webhooks",
		"/webhooks/" + hook,
		"/webhooks/" + hook + "/deliveries",
		"/webhooks/" + hook + "/deliveries/" + n.newDelivery(hook), "/do-not-call", "/erasures", "/event-types"}
}

// A conditional request for unchanged data gets a 304.
func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	for _, path := range n.gets() {
		first := n.raw("GET", path, nil).want(http.StatusOK)
		tag := first.header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) {
			t.Fatalf("%s: the ETag is %q", path, tag)
		}
		for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			a := n.raw("GET", path, nil, "If-None-Match", known).want(http.StatusNotModified)
			if a.body != "" || a.header.Get("ETag") != tag || a.header.Get("X-RateLimit-Remaining") == "" ||
				a.header.Get("X-Request-Id") == "" {
				t.Errorf("%s, %s: %q, %v", path, known, a.body, a.header)
			}
		}
		if a := n.raw("GET", path, nil, "If-None-Match", `W/"other"`); a.status != http.StatusOK ||
			a.body != first.body {
			t.Errorf("%s: %d for another tag", path, a.status)
		}
		w.refill()
	}
	id := n.newCampaign()
	before := n.raw("GET", "/campaigns/"+id, nil)
	n.do("POST", "/campaigns/"+id+"/pause", nil).want(http.StatusOK)
	if a := n.raw(
		"GET", "/campaigns/"+id, nil, "If-None-Match", before.header.Get("ETag"),
	); a.status != http.StatusOK || a.header.Get("ETag") == before.header.Get("ETag") {
		t.Errorf("a change goes unnoticed: %d", a.status)
	}
	// Errors, answers to a POST and secrets have no ETag.
	if a := n.do("POST", "/webhooks", n.webhook(), "If-None-Match", "*").want(
		http.StatusCreated,
	); a.header.Get("ETag") != "" {
		t.Errorf("%v", a.header)
	}
	if a := n.raw("GET", "/campaigns/x", nil, "If-None-Match", "*"); a.status != http.StatusNotFound {
		t.Errorf("status %d", a.status)
	}
}

// HEAD answers like GET, without the body (RFC 9110 §9.3.2).
func TestHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	paths := append(n.gets(), "/calls/export", "/campaigns/"+n.newCampaign()+"/recipients/export",
		"/calls/"+n.newRecordedCall().String()+"/recording",
		"/campaigns/x", "/campaigns/"+newID().
			String()+"/recipients/export", "/calls?limit=0", "/calls/quota", "/nothing")
	for _, path := range paths {
		want := n.raw("GET", path, nil)
		a := n.raw("HEAD", path, nil)
		if a.status != want.status || a.body != "" ||
			a.header.Get("Content-Type") != want.header.Get("Content-Type") ||
			a.header.Get("ETag") != want.header.Get("ETag") {
			t.Errorf("%s: got %d, %v, want %d, %v", path, a.status, a.header, want.status, want.header)
		}
		w.refill()
	}
	if a := n.raw("HEAD", "/campaigns/"+newID().String()+"/pause", nil); a.status != http.StatusMethodNotAllowed {
		t.Errorf("a path without GET: %d", a.status)
	}
}

// A HEAD of an export reads only one row.
func TestTheRowsOfAHeadAreNotRead(t *testing.T) {
	t.Parallel()
	read := 0
	rows := func(yield func([]string, error) bool) {
		for range 1000 {
			if read++; !yield([]string{"x"}, nil) {
				return
			}
		}
	}
	for range firstOf(rows) { //nolint:errcheck // rows yields no error
		continue
	}
	if read != 1 {
		t.Errorf("%d rows were read", read)
	}
}

// Lists and exports are compressed for clients that accept it. An answer with a secret is
// not, because its length would reveal something about the secret.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	for range 5 {
		n.newCall("+15005550001")
	}
	for _, path := range []string{"/calls", "/calls/export", "/event-types"} {
		plain, packed := n.raw("GET", path, nil), n.raw("GET", path, nil, "Accept-Encoding", "br, gzip")
		z, err := gzip.NewReader(strings.NewReader(packed.body))
		if err != nil {
			t.Fatalf("%s: %v, %v", path, err, packed.header)
		}
		text, err := io.ReadAll(z)
		if err != nil || string(text) != plain.body || packed.header.Get("Content-Encoding") != "gzip" ||
			packed.header.Get("Vary") != "Accept-Encoding" ||
			plain.header.Get("Content-Encoding") != "" || plain.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v, %v, %v", path, err, packed.header, plain.header)
		}
		if refused := n.raw(
			"GET", path, nil, "Accept-Encoding", "gzip;q=0",
		); refused.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: compressed although it was refused", path)
		}
	}
	created := n.raw("POST", "/webhooks", strings.NewReader(jsonText(t, object{
		"name": strings.Repeat("n", 100), "url": "https://hooks.example.com/" + strings.Repeat("x", 1900),
		"events": []string{"*"},
	})),
		"Accept-Encoding", "gzip").want(http.StatusCreated)
	rotated := n.raw("POST", "/webhooks/"+created.get("id").(string)+"/rotate-secret", nil, "Accept-Encoding", "gzip").
		want(http.StatusOK)
	for _, a := range []*answer{created, rotated} {
		if a.header.Get("Content-Encoding") != "" || a.header.Get("Cache-Control") != "no-store, no-transform" ||
			a.header.Get("No-Gzip-Compression") != "" || len(a.body) < 1<<10 {
			t.Errorf("%s shows a secret: %v", a.what, a.header)
		}
	}
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A body may be compressed. Its limit also applies to the uncompressed bytes.
func TestCompressedBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	good := packed(t, []byte(jsonText(t, n.webhook())))
	bomb := packed(t, []byte(`{"name": "`+strings.Repeat("x", maxBody)+`"}`))
	cut := good[:len(good)-6]
	broken := bytes.Clone(good)
	broken[len(broken)-5] ^= 1
	for name, c := range map[string]struct {
		body   []byte
		coding string
		status int
		text   string
	}{
		"gzip":        {good, "gzip", http.StatusCreated, ""},
		"in capitals": {good, "GZIP", http.StatusCreated, ""},
		"identity":    {[]byte(jsonText(t, n.webhook())), "identity", http.StatusCreated, ""},
		"a bomb": {
			bomb, "gzip", http.StatusRequestEntityTooLarge, "The body is larger than the limit of 1 MiB",
		},
		"not gzip": {
			[]byte("{}"), "gzip", http.StatusBadRequest,
			"the body is not valid gzip, although its Content-Encoding is gzip",
		},
		"cut off": {
			cut, "gzip", http.StatusBadRequest, "the body is not valid gzip, although its Content-Encoding is gzip",
		},
		"another checksum": {
			broken, "gzip", http.StatusBadRequest,
			"the body is not valid gzip, although its Content-Encoding is gzip",
		},
		"empty": {nil, "gzip", http.StatusBadRequest, "the body is empty: a JSON object is expected"},
		"another coding": {
			good, "br", http.StatusUnsupportedMediaType,
			"Content-Encoding must be gzip, or the header must be left out",
		},
		"compressed twice": {
			packed(t, good), "gzip, gzip", http.StatusUnsupportedMediaType,
			"Content-Encoding must be gzip, or the header must be left out",
		},
		"packed without word": {good, "", http.StatusBadRequest, ""},
	} {
		header := []string{}
		if c.coding != "" {
			header = []string{"Content-Encoding", c.coding}
		}
		a := n.do("POST", "/webhooks", bytes.NewReader(c.body), header...).want(c.status)
		if c.text != "" {
			a.refused(c.status, c.text)
		}
		if (a.header.Get("Accept-Encoding") == "gzip") != (c.status == http.StatusUnsupportedMediaType) {
			t.Errorf("%s: Accept-Encoding is %q", name, a.header.Get("Accept-Encoding"))
		}
		w.exec(`update webhook set deleted_at = clock() where deleted_at is null`)
	}

	// A compressed body and the same body uncompressed have the same digest.
	body := n.body(object{"recipients": people(3)})
	first := n.do("POST", "/campaigns", body, "Idempotency-Key", "k").want(http.StatusCreated)
	again := n.do("POST", "/campaigns", bytes.NewReader(packed(t, []byte(body))), "Idempotency-Key", "k",
		"Content-Encoding", "gzip").want(http.StatusCreated)
	if again.header.Get("Idempotent-Replayed") != "true" || again.body != first.body {
		t.Errorf("%v", again)
	}
}
