package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestTheCallbackOfARecording(t *testing.T) {
	t.Parallel()
	p := newProduct(t, "en-US")
	n, d := p.take(t, "00", nil, nil)
	p.mu.Lock()
	told := p.recorded[0]
	p.mu.Unlock()
	sid := "RE" + strings.TrimPrefix(d.CallSID, "CA")
	if began, err := time.Parse(time.RFC1123Z, told.Get("RecordingStartTime")); err != nil || began.After(*d.EndedAt) {
		t.Errorf("it began at %s, %v", began, err)
	}
	want := url.Values{
		"AccountSid":         {account},
		"CallSid":            {d.CallSID},
		"RecordingSid":       {sid},
		"RecordingUrl":       {"http://sandbox.invalid/2010-04-01/Accounts/" + account + "/Recordings/" + sid},
		"RecordingStatus":    {"completed"},
		"RecordingDuration":  told["RecordingDuration"],
		"RecordingChannels":  {"2"},
		"RecordingStartTime": told["RecordingStartTime"],
		"RecordingSource":    {"OutboundAPI"},
		"RecordingTrack":     {"both"},
	}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("%v", told)
	}
	_, body := request(t, n, http.MethodGet, callsPath+"/"+d.CallSID+"/Recordings.json", nil)
	listed := []any{map[string]any{
		"sid": sid, "account_sid": account, "call_sid": d.CallSID, "status": "completed", "channels": 2.0,
		"duration": told.Get("RecordingDuration"),
	}}
	if !reflect.DeepEqual(body["recordings"], any(listed)) || !onlyPage(body) {
		t.Errorf("%v", body)
	}

	const other = "AC00000000000000000000000000000000"
	r := httptest.NewRequest(http.MethodGet, "/2010-04-01/Accounts/"+other+"/Recordings/"+sid+".wav", nil)
	r.SetBasicAuth(other, AccountToken(token, other))
	w := httptest.NewRecorder()
	if n.ServeHTTP(w, r); w.Code != 404 || !strings.Contains(w.Body.String(), `"code":20404`) {
		t.Errorf("another account: %d %s", w.Code, w.Body)
	}
}

func TestCallsWithoutARecording(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Speed: standing})
	_, body := dial(t, n, "+15005021234", nil)
	sid := fmt.Sprint(body["sid"])
	if _, body := request(t, n, http.MethodGet, callsPath+"/"+sid+"/Recordings.json", nil); len(
		body["recordings"].([]any)) != 0 {
		t.Errorf("%v", body)
	}
	for method, path := range map[string]string{
		http.MethodGet: callsPath + "/CAunknown/Recordings.json",
		http.MethodDelete: "/2010-04-01/Accounts/" + account + "/Recordings/RE" + strings.TrimPrefix(sid, "CA") +
			".json",
	} {
		if status, body := request(t, n, method, path, nil); status != 404 || !refusedAs(body, 404, 20404) {
			t.Errorf("%s %s: %d %v", method, path, status, body)
		}
	}
}

// A recording has the turns of its call, and is made once, however often it is reported.
func TestARecordingIsMadeOnce(t *testing.T) {
	t.Parallel()
	answered := time.Now()
	at := func(d time.Duration) time.Time { return answered.Add(d) }
	ended := at(7 * time.Second)
	c := &call{
		n: open(t, Options{Speed: 10}), sid: "CA1", account: account, form: url.Values{}, answeredAt: answered,
		dial: &Dial{EndedAt: &ended, Turns: []Turn{
			{Who: Agent, Text: "Hello", Began: at(time.Second), At: at(2 * time.Second)},
			{Who: Recipient, Digit: "9", Began: at(3 * time.Second), At: at(3 * time.Second)},
		}},
	}
	c.record()
	first := c.recording
	c.record()
	if want := []heardTurn{
		{who: Agent, begin: time.Second, end: 2 * time.Second},
		{who: Recipient, digit: "9", begin: 3 * time.Second, end: 3020 * time.Millisecond},
	}; c.recording != first || first.sid != "RE1" || first.lasts != 7*time.Second ||
		!reflect.DeepEqual(first.turns, want) {
		t.Errorf("%+v, then %+v", first, c.recording)
	}
}

// The length of a recording is rounded up.
func TestTheLengthOfARecording(t *testing.T) {
	t.Parallel()
	for lasts, want := range map[time.Duration]string{
		0: "0", 1: "1", time.Second - 1: "1", time.Second: "1", time.Second + 1: "2", 2 * time.Second: "2",
	} {
		if got := (&recording{lasts: lasts}).seconds(); got != want {
			t.Errorf("%s: %s seconds", lasts, got)
		}
	}
}
