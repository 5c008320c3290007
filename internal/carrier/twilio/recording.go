package twilio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	recordingsPath = "/Recordings/"

	// statusRecorded is the status of a recording that can be fetched, and the name of the
	// callback that reports it.
	statusRecorded = "completed"

	// soundPause is how long Twilio may take to answer a fetch, and how long a fetch may make no
	// progress.
	soundPause = 20 * time.Second

	// maxMoves bounds how often a fetch is redirected.
	maxMoves = 3
)

var recordingSID = regexp.MustCompile(`^RE[0-9a-fA-F]{32}$`)

// recorded delivers the event of a finished recording. It handles the only callback about
// recordings that the adapter requests. Twilio also uses this callback for a recording that failed.
// https://www.twilio.com/docs/voice/api/recording
func (a *Adapter) recorded(w http.ResponseWriter, r *http.Request, cb callback) {
	sid := cb.form.Get("RecordingSid")
	if cb.form.Get("RecordingStatus") != statusRecorded || !recordingSID.MatchString(sid) {
		w.WriteHeader(http.StatusNoContent) // nothing to fetch, and a retry would not help
		return
	}
	e := a.event(cb)
	e.Kind, e.Recording = carrier.Recorded, recording(sid, cb.form.Get("RecordingDuration"))
	a.deliver(w, r, e)
}

func recording(sid, seconds string) carrier.Recording {
	rec := carrier.Recording{ID: sid}
	if n, err := strconv.Atoi(seconds); err == nil && n > 0 { // -1: not known to Twilio yet
		rec.Duration = time.Duration(n) * time.Second
	}
	return rec
}

// Recording asks for the recording of a call. If somebody else has requested more recordings of the
// same call, the product's recording is the oldest, because it began with the call.
func (c *client) Recording(ctx context.Context, carrierCallID string) (carrier.Recording, error) {
	var page struct {
		Recordings []struct {
			SID      string `json:"sid"`
			Status   string `json:"status"`
			Duration string `json:"duration"`
		} `json:"recordings"`
	}
	err := c.do(ctx, http.MethodGet, "/Calls/"+url.PathEscape(carrierCallID)+"/Recordings.json", nil, &page)
	if errors.Is(err, carrier.ErrUnknownCall) {
		return carrier.Recording{}, carrier.ErrNoRecording
	}
	if err != nil {
		return carrier.Recording{}, fmt.Errorf("find the recording of a call: %w", err)
	}
	for i := len(page.Recordings) - 1; i >= 0; i-- { // lists are newest first
		if r := page.Recordings[i]; r.Status == statusRecorded && recordingSID.MatchString(r.SID) {
			return recording(r.SID, r.Duration), nil
		}
	}
	return carrier.Recording{}, carrier.ErrNoRecording
}

func (c *client) DeleteRecording(ctx context.Context, id string) error {
	err := c.do(ctx, http.MethodDelete, recordingsPath+url.PathEscape(id)+".json", nil, nil)
	if errors.Is(err, carrier.ErrUnknownCall) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete a recording: %w", err)
	}
	return nil
}

// OpenRecording fetches a recording as WAV, with each side in a separate channel. Twilio serves the
// recording or redirects to it.
func (c *client) OpenRecording(ctx context.Context, id, part string) (*carrier.Sound, error) {
	ctx, cancel := context.WithCancel(ctx)
	body := &soundBody{cancel: cancel, timer: time.AfterFunc(soundPause, cancel)}
	res, err := c.fetch(ctx, c.address(recordingsPath+url.PathEscape(id)+".wav"), part)
	if err != nil {
		body.end()
		return nil, fmt.Errorf("fetch a recording: %w", err)
	}
	body.timer.Stop()
	body.ReadCloser = res.Body
	sound := &carrier.Sound{
		Body: body, Type: soundType(res), Length: res.ContentLength,
		Parts: res.Header.Get("Accept-Ranges") == "bytes",
	}
	if res.StatusCode == http.StatusPartialContent {
		sound.Part, sound.Parts = res.Header.Get("Content-Range"), true
	}
	if sound.Type == "" || res.StatusCode == http.StatusPartialContent && sound.Part == "" {
		_ = body.Close()
		return nil, fmt.Errorf("fetch a recording: %w", &carrier.Error{
			Kind: carrier.Refused, Code: "not_sound",
			Reason: "Twilio sent something else than the sound of a recording",
		})
	}
	return sound, nil
}

// fetch follows redirects to the recording. It sends the credentials to Twilio's own address
// only, and fetches other addresses through Elsewhere.
func (c *client) fetch(ctx context.Context, address, part string) (*http.Response, error) {
	own := true
	for range maxMoves + 1 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, &carrier.Error{
				Kind: carrier.Unusable, Code: "address", Reason: "the address of a recording is not valid",
			}
		}
		c.adapter.identify(req)
		req.Header.Set("Accept-Encoding", "identity") // so that lengths and parts refer to the recording itself
		if part != "" {
			req.Header.Set("Range", part)
		}
		var res *http.Response
		if own {
			c.account.authorize(req)
			res, err = c.adapter.client.Do(req)
		} else {
			res, err = c.adapter.elsewhere.RoundTrip(req)
		}
		if err != nil {
			return nil, unanswered(err, false)
		}
		if res.StatusCode == http.StatusOK || res.StatusCode == http.StatusPartialContent {
			return res, nil
		}
		answer, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswer)) // optional: the status has the same information
		_ = res.Body.Close()
		next, err := res.Location()
		moved := res.StatusCode >= 300 && res.StatusCode < 400 && err == nil
		switch {
		case res.StatusCode == http.StatusRequestedRangeNotSatisfiable:
			return nil, carrier.ErrNoSuchPart
		case moved && c.adapter.elsewhere != nil:
			address, own = next.String(), false
			continue
		case !own:
			return nil, &carrier.Error{Kind: carrier.Refused, Code: "elsewhere_" + strconv.Itoa(res.StatusCode),
				Reason: "the recording is kept outside Twilio, and could not be fetched from there"}
		}
		if err = refusal(res, answer, true); errors.Is(err, carrier.ErrUnknownCall) {
			err = carrier.ErrNoRecording
		}
		return nil, err
	}
	return nil, &carrier.Error{Kind: carrier.Refused, Code: "moved", Reason: "the recording was moved too often"}
}

// soundType returns the media type of an answer in the form that browsers know. It is empty for any
// content other than sound, because such content must not be served from the product's own address.
func soundType(res *http.Response) string {
	t, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	switch t {
	// object stores use the last two types
	case "audio/x-wav", "audio/wave", "audio/vnd.wave", "application/octet-stream", "binary/octet-stream":
		return "audio/wav"
	}
	if !strings.HasPrefix(t, "audio/") {
		return ""
	}
	return t
}

// soundBody ends a fetch that makes no progress.
type soundBody struct {
	io.ReadCloser
	cancel context.CancelFunc
	timer  *time.Timer
}

func (b *soundBody) Read(p []byte) (int, error) {
	b.timer.Reset(soundPause)
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop() // the reader may be slow; only Twilio is timed
	return n, err
}

func (b *soundBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

func (b *soundBody) end() {
	b.timer.Stop()
	b.cancel()
}
