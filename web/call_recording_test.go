package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/carrier"
)

// tape is a carrier with one recording. The sound of calls can be asked for.
type tape struct{ carrier.Carrier }

func (tape) Listen(context.Context, carrier.Listen) error { return nil }

const sound = "RIFF the sound of a call"

func (tape) OpenRecording(_ context.Context, id, part string) (*carrier.Sound, error) {
	switch {
	case id != "RE1":
		return nil, carrier.ErrNoRecording
	case part == "bytes=900-":
		return nil, carrier.ErrNoSuchPart
	case part == "bytes=0-3":
		return &carrier.Sound{
			Body: io.NopCloser(strings.NewReader(sound[:4])), Type: "audio/wav", Length: 4,
			Part: fmt.Sprintf("bytes 0-3/%d", len(sound)), Parts: true,
		}, nil
	}
	return &carrier.Sound{
		Body: io.NopCloser(strings.NewReader(sound)), Type: "audio/wav", Length: int64(len(sound)), Parts: true,
	}, nil
}

// newRecordedCall makes a call with a recording at the carrier.
func (n *tenant) newRecordedCall() uuid.UUID {
	n.w.t.Helper()
	n.w.wire(func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return tape{}, nil }
	})
	id := n.newCall()
	n.w.exec(`update call set record = true, recording_id = 'RE1', recording_seconds = 94 where id = $1`, id)
	return id
}

func TestTheRecordingOfACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	id := n.newRecordedCall()
	page, file := "/calls/"+id.String(), "/calls/"+id.String()+"/recording"
	v.get(page).want(http.StatusOK).has(`<audio`, `src="`+file+`"`, "Download recording")

	got := v.get(file).want(http.StatusOK)
	if got.body != sound || got.header.Get("Content-Type") != "audio/wav" ||
		got.header.Get("Cache-Control") != "no-store" ||
		got.header.Get("Content-Encoding") != "" || got.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%q, %v", got.body, got.header)
	}
	v.header.Set("Range", "bytes=0-3")
	if got := v.get(file).want(http.StatusPartialContent); got.body != "RIFF" ||
		got.header.Get("Content-Range") != fmt.Sprintf("bytes 0-3/%d", len(sound)) {
		t.Errorf("%q, %v", got.body, got.header)
	}
	v.header.Set("Range", "bytes=900-")
	v.get(file).want(http.StatusRequestedRangeNotSatisfiable)
	v.header.Del("Range")

	v.get("/calls/"+n.newCall().String()).want(http.StatusOK).lacks("<audio", "Recording")
	for what, c := range map[string]struct{ set, says string }{
		"awaited": {
			`recording_id = null, recording_due_at = clock()`, "The carrier is finishing the recording.",
		},
		"missing": {
			`recording_id = null, recording_due_at = null, ended_at = clock() - interval '1 day'`,
			"The carrier has no recording of this call.",
		},
		"deleted": {
			`recording_id = null, recording_removed_at = clock()`, "The recording was deleted, at the carrier too.",
		},
		"not yet deleted": {
			`recording_id = null, recording_removed_at = clock()`,
			"but not at the carrier yet: Twilio could not be reached.",
		},
	} {
		id := n.newRecordedCall()
		w.exec(`update call set `+c.set+` where id = $1`, id)
		if what == "not yet deleted" {
			w.exec(`insert into recording_deletion (call_id, organization_id, connection_id, recording_id, last_error)
				values ($1, $2, $3, 'RE1', 'Twilio could not be reached')`,
				id, n.organization, n.connection)
		}
		v.get("/calls/"+id.String()).want(http.StatusOK).has(c.says).lacks("<audio", "Download recording")
		v.get("/calls/" + id.String() + "/recording").want(http.StatusNotFound)
	}
}

// A person turns on an agent's recording and plays a call. The call's page is open
// during the call, and the player appears on it.
func TestJourneyToARecording(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(at + "/agents/" + n.agent.String())
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.Click("input[name=record_calls]")
	tab.Follow("main form button.btn-primary")

	tab.Go(at + "/agents/" + n.agent.String() + "/call")
	tab.Fill("#to_number", "+15005000001")
	tab.Follow("main form button.btn-primary")
	tab.Wait("audio")
	tab.WaitFor(`document.querySelector("audio").duration > 0`)
	player := browsertest.Eval[struct {
		Duration     float64
		Label        string
		Downloadable bool
	}](tab, `(() => {
		const audio = document.querySelector("audio"), link = document.querySelector("a[download]");
		return {Duration: audio.duration, Label: `+
		`document.getElementById(audio.getAttribute("aria-labelledby")).textContent, Downloadable: link.href === `+
		`audio.src};
	})()`)
	talk := value[float64](
		w, `select extract(epoch from ended_at - answered_at)::float8 from call where recording_id is not null`,
	)
	if player.Duration < talk/2 || player.Duration > talk+2 || player.Label != "Recording" || !player.Downloadable {
		t.Errorf("%+v after %v s of talk", player, talk)
	}
	if got := browsertest.Eval[string](tab, `(async () => {
		const audio = document.querySelector("audio");
		audio.muted = true;
		audio.currentTime = audio.duration / 2;
		await audio.play();
		return audio.error === null ? "plays" : audio.error.message;
	})()`); got != "plays" {
		t.Error(got)
	}
	for _, problem := range tab.Problems() {
		t.Error(problem)
	}
}
