package carriertest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// This file tests recordings.

// Recorded returns the recordings of all Recorded events, with duplicates.
func (v View) Recorded() []carrier.Recording {
	var all []carrier.Recording
	for _, e := range v.Events {
		if e.Kind == carrier.Recorded {
			all = append(all, e.Recording)
		}
	}
	return all
}

func toRecord(p *carrier.Placement) { p.Record = true }

func recorded(t *testing.T, s *suite) {
	call := s.place(t, "00", toRecord)
	s.ends(t, carrier.Completed)
	v := s.host.Until(t, call, "the recording", func(v View) bool { return len(v.Recorded()) > 0 })
	rec := v.Recorded()[0]
	if rec.ID == "" || rec.Duration < time.Second {
		t.Errorf("told of %+v", rec)
	}
	found, err := s.Carrier.Recording(t.Context(), s.sid)
	if err != nil || found != rec {
		t.Errorf("found %+v, %v; told of %+v", found, err, rec)
	}

	whole := s.listen(t, rec.ID, "")
	if whole.sound.Type != "audio/wav" || whole.sound.Length != int64(len(whole.bytes)) || whole.sound.Part != "" ||
		!bytes.HasPrefix(whole.bytes, []byte("RIFF")) {
		t.Errorf("%+v, %d bytes", whole.sound, len(whole.bytes))
	}
	if isSilence(whole.bytes[44:]) {
		t.Error("nothing is heard")
	}
	if part := s.listen(t, rec.ID, "bytes=1000-1999"); part.sound.Length != 1000 ||
		!bytes.Equal(part.bytes, whole.bytes[1000:2000]) ||
		part.sound.Part != fmt.Sprintf("bytes 1000-1999/%d", len(whole.bytes)) || !part.sound.Parts {
		t.Errorf("part: %+v, %d bytes", part.sound, len(part.bytes))
	}
	if _, err := s.Carrier.OpenRecording(
		t.Context(), rec.ID, fmt.Sprintf("bytes=%d-", len(whole.bytes)),
	); !errors.Is(err, carrier.ErrNoSuchPart) {
		t.Errorf("beyond the end: %v", err)
	}

	for range 2 { // deleting a recording that is gone returns no error
		if err := s.Carrier.DeleteRecording(t.Context(), rec.ID); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Carrier.OpenRecording(t.Context(), rec.ID, ""); !errors.Is(err, carrier.ErrNoRecording) {
		t.Errorf("after it was deleted: %v", err)
	}
	if _, err := s.Carrier.Recording(t.Context(), s.sid); !errors.Is(err, carrier.ErrNoRecording) {
		t.Errorf("found after it was deleted: %v", err)
	}
}

type heardSound struct {
	sound *carrier.Sound
	bytes []byte
}

func (s *suite) listen(t *testing.T, id, part string) heardSound {
	t.Helper()
	sound, err := s.Carrier.OpenRecording(t.Context(), id, part)
	if err != nil {
		t.Fatal(err)
	}
	defer sound.Body.Close()
	all, err := io.ReadAll(sound.Body)
	if err != nil {
		t.Fatal(err)
	}
	return heardSound{sound, all}
}

func isSilence(samples []byte) bool { return len(bytes.Trim(samples, "\x00")) == 0 }

// recordedShuffled expects the recording to be reported before the end, and again.
func recordedShuffled(t *testing.T, s *suite) {
	call := s.place(t, "10", toRecord)
	s.ends(t, carrier.Completed)
	v := s.host.Until(t, call, "the recording, twice", func(v View) bool { return len(v.Recorded()) > 1 })
	if all := v.Recorded(); all[0] != all[1] {
		t.Errorf("told of %+v", all)
	}
}

func notRecorded(t *testing.T, s *suite) {
	call := s.place(t, "00")
	s.ends(t, carrier.Completed)
	if _, err := s.Carrier.Recording(t.Context(), s.sid); !errors.Is(err, carrier.ErrNoRecording) {
		t.Errorf("found: %v", err)
	}
	if all := s.host.View(call).Recorded(); len(all) > 0 {
		t.Errorf("told of %+v", all)
	}
	for _, sid := range []string{"CA0", uuid.NewString()} {
		if _, err := s.Carrier.Recording(t.Context(), sid); !errors.Is(err, carrier.ErrNoRecording) {
			t.Errorf("of no call: %v", err)
		}
	}
}
