package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
)

// tapes is a carrier that has one recording, "RE1", and places no calls.
type tapes struct {
	taker
	fail error
	cuts bool // breaks off in the middle
}

const tape = "RIFF the sound of a call"

func (t *tapes) OpenRecording(_ context.Context, id, part string) (*carrier.Sound, error) {
	var from, to int
	switch {
	case t.fail != nil:
		return nil, t.fail
	case id != "RE1":
		return nil, carrier.ErrNoRecording
	case part == "":
		if t.cuts {
			return &carrier.Sound{
				Body: io.NopCloser(io.MultiReader(strings.NewReader(tape[:5]), broken{})), Type: "audio/wav",
				Length: int64(len(tape)),
			}, nil
		}
		return &carrier.Sound{
			Body: io.NopCloser(strings.NewReader(tape)), Type: "audio/wav", Length: int64(len(tape)), Parts: true,
		}, nil
	}
	if _, err := fmt.Sscanf(part, "bytes=%d-%d", &from, &to); err != nil {
		return nil, err
	}
	if from >= len(tape) {
		return nil, carrier.ErrNoSuchPart
	}
	return &carrier.Sound{Body: io.NopCloser(strings.NewReader(tape[from : to+1])), Type: "audio/wav",
		Length: int64(to + 1 - from),
		Part:   fmt.Sprintf("bytes %d-%d/%d", from, to, len(tape)), Parts: true}, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the carrier is gone") }

// newRecordedCall makes a call whose recording the carrier has.
func (n *tenant) newRecordedCall() uuid.UUID {
	n.w.t.Helper()
	id := n.newCall("+15005550001")
	n.w.exec(`update call set record = true, recording_id = 'RE1', recording_seconds = 30 where id = $1`, id)
	return id
}

func TestRecording(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, stranger := w.newTenant("Acme"), w.newTenant("Other")
	id := n.newRecordedCall().String()
	path := "/calls/" + id + "/recording"

	url := n.do("GET", "/calls/"+id, nil).want(http.StatusOK).get("recording_url")
	if url != "https://dial.example.com/api/v1"+path {
		t.Errorf("the recording is at %v", url)
	}
	if listed := n.do("GET", "/calls", nil).want(http.StatusOK).get("data", 0, "recording_url"); listed != url {
		t.Errorf("listed at %v", listed)
	}
	whole := n.do("GET", path, nil).want(http.StatusOK)
	if whole.body != tape || whole.header.Get("Content-Length") != fmt.Sprint(len(tape)) ||
		whole.header.Get("Accept-Ranges") != "bytes" ||
		whole.header.Get("Content-Disposition") != `inline; filename=call-`+id+`.wav` {
		t.Errorf("%q, %v", whole.body, whole.header)
	}
	part := n.do("GET", path, nil, "Range", "bytes=5-7").want(http.StatusPartialContent)
	if part.body != tape[5:8] || part.header.Get("Content-Range") != fmt.Sprintf("bytes 5-7/%d", len(tape)) {
		t.Errorf("%q, %v", part.body, part.header)
	}
	for _, ignored := range []string{"bytes=1-2,5-7", "lines=1-2", "bytes=\"", "bytes=-"} {
		if a := n.do("GET", path, nil, "Range", ignored).want(http.StatusOK); a.body != tape {
			t.Errorf("%s: %q", ignored, a.body)
		}
	}
	n.do("GET", path, nil, "Range", "bytes=500-600").
		refused(http.StatusRequestedRangeNotSatisfiable, "Range: the recording is shorter than the requested range")

	w.do("GET", path, "", nil).refused(http.StatusUnauthorized, "Missing Authorization header")
	w.do("GET", path, n.newKey(account.CampaignsRead), nil).refused(http.StatusForbidden, "Forbidden")
	stranger.do("GET", path, nil).refused(http.StatusNotFound, "Call not found")
	n.do("GET", "/calls/x/recording", nil).refused(http.StatusNotFound, "Call not found")

	silent := n.newCall("+15005550002").String()
	if url := n.do("GET", "/calls/"+silent, nil).want(http.StatusOK).get("recording_url"); url != nil {
		t.Errorf("a call without a recording has one at %v", url)
	}
	n.do("GET", "/calls/"+silent+"/recording", nil).refused(http.StatusNotFound, "Recording not found")
	w.exec(`update call set recording_id = 'RE2' where id = $1`, id)
	n.do("GET", path, nil).refused(http.StatusNotFound, "Recording not found") // the carrier has no RE2
}

func TestARecordingThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	path := "/calls/" + n.newRecordedCall().String() + "/recording"
	w.tapes.fail = &carrier.Error{Kind: carrier.Unusable, Reason: "Twilio does not accept the credentials"}
	n.do("GET", path, nil).refused(http.StatusBadGateway,
		"The recording could not be fetched: Twilio does not accept the credentials")
	w.tapes.fail = errors.New("dial tcp 10.0.0.1: secret")
	n.do("GET", path, nil).refused(http.StatusBadGateway, "The recording could not be fetched")

	// A client notices that a recording broke off.
	w.tapes.fail, w.tapes.cuts = nil, true
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+"/api/v1"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+n.key)
	resp, err := http.DefaultClient.Do(r)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	if err == nil {
		t.Error("a recording that broke off came as a whole one")
	}
	if !strings.Contains(w.log.String(), "recording broke off") {
		t.Error("nothing of it is in the log")
	}
}
