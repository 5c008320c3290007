package sandbox

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// developing is the time between the end of a call and the finished recording, in network time.
const developing = 1500 * time.Millisecond

// recording is the recording of one call. n.Mu guards it.
type recording struct {
	sid     string
	made    time.Time // when it was finished
	lasts   time.Duration
	turns   []heardTurn
	deleted bool
}

// heardTurn is a period of sound. Its times are real time since the answer, like the times of the
// product's transcript.
type heardTurn struct {
	who        string
	digit      string
	begin, end time.Duration
}

// develop waits until the recording is finished.
func (c *call) develop() bool { return c.n.Pass(developing) }

// record finishes the recording if it is not finished yet, and posts its callback.
func (c *call) record() {
	c.n.Mu.Lock()
	if c.recording == nil {
		c.recording = c.recorded()
		c.dial.Recording = "completed"
	}
	form := url.Values{
		"AccountSid":   {c.account},
		"CallSid":      {c.sid},
		"RecordingSid": {c.recording.sid},
		"RecordingUrl": {
			"http://sandbox.invalid/2010-04-01/Accounts/" + c.account + "/Recordings/" + c.recording.sid,
		},
		"RecordingStatus":    {"completed"},
		"RecordingDuration":  {c.recording.seconds()},
		"RecordingChannels":  {"2"},
		"RecordingStartTime": {c.answeredAt.UTC().Format(time.RFC1123Z)},
		"RecordingSource":    {"OutboundAPI"},
		"RecordingTrack":     {"both"},
	}
	c.n.Mu.Unlock()
	c.notify(c.form.Get("RecordingStatusCallback"), form)
}

// recorded makes the recording from the turns of the call. The caller holds n.Mu.
func (c *call) recorded() *recording {
	r := &recording{
		sid: "RE" + strings.TrimPrefix(c.sid, "CA"), made: time.Now(), lasts: c.dial.EndedAt.Sub(c.answeredAt),
	}
	c.endPause()
	for _, t := range c.dial.Turns {
		if c.silenced(t) {
			continue
		}
		h := heardTurn{who: t.Who, digit: t.Digit, begin: t.Began.Sub(c.answeredAt), end: t.At.Sub(c.answeredAt)}
		if h.digit != "" {
			h.end = h.begin + c.n.Scaled(200*time.Millisecond)
		}
		r.turns = append(r.turns, h)
	}
	return r
}

// seconds returns the length of the recording, rounded up.
func (r *recording) seconds() string {
	return strconv.Itoa(int((r.lasts + time.Second - 1) / time.Second))
}

// recordingRoutes serves the part of https://www.twilio.com/docs/voice/api/recording that the
// adapter uses.
func (n *Network) recordingRoutes(mux *http.ServeMux, accounts string) {
	mux.HandleFunc("GET "+accounts+"/Calls/{file}/Recordings.json", n.authorized(n.listRecordings))
	mux.HandleFunc("POST "+accounts+"/Calls/{file}/Recordings/{recording}", n.authorized(n.changeRecording))
	mux.HandleFunc("GET "+accounts+"/Recordings/{file}", n.authorized(n.playRecording))
	mux.HandleFunc("DELETE "+accounts+"/Recordings/{file}", n.authorized(n.deleteRecording))
}

func (n *Network) listRecordings(w http.ResponseWriter, r *http.Request) {
	c := n.find(w, r)
	if c == nil {
		return
	}
	found := []any{}
	n.Mu.Lock()
	if rec := c.recording; rec != nil && !rec.deleted {
		found = append(found, map[string]any{
			"sid": rec.sid, "account_sid": c.account, "call_sid": c.sid, "status": "completed", "channels": 2,
			"duration": rec.seconds(),
		})
	}
	n.Mu.Unlock()
	simulation.JSON(w, http.StatusOK, map[string]any{
		"recordings": found, "page": 0, "page_size": 50, "next_page_uri": nil,
	})
}

// findRecording returns the recording that the path names. The path must have this ending.
func (n *Network) findRecording(w http.ResponseWriter, r *http.Request, ending string) (*call, *recording) {
	sid, right := strings.CutSuffix(r.PathValue("file"), ending)
	n.Mu.Lock()
	defer n.Mu.Unlock()
	c := n.calls["CA"+strings.TrimPrefix(sid, "RE")]
	if !right || c == nil || c.account != r.PathValue("account") || c.recording == nil || c.recording.sid != sid ||
		c.recording.deleted {
		refuse(w, http.StatusNotFound, 20404, "The requested resource was not found")
		return nil, nil
	}
	return c, c.recording
}

// playRecording generates the sound, or a part of it, while sending it.
func (n *Network) playRecording(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.PathValue("file"), ".json") {
		n.showRecording(w, r)
		return
	}
	_, rec := n.findRecording(w, r, ".wav")
	if rec == nil {
		return
	}
	w.Header().Set("Content-Type", "audio/x-wav")
	http.ServeContent(w, r, "", rec.made, newTape(rec)) // the turns and the length never change
}

func (n *Network) deleteRecording(w http.ResponseWriter, r *http.Request) {
	c, rec := n.findRecording(w, r, ".json")
	if rec == nil {
		return
	}
	n.Mu.Lock()
	rec.deleted, c.dial.Recording = true, "deleted"
	n.Mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}
