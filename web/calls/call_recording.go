package calls

import (
	"errors"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/playback"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

// CallRecording sends the recording of a call to the player of its page, or as a file.
func (s *Server) CallRecording(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	sound, err := s.Calls.Recording(r.Context(), frame.SignedIn(r).Organization.ID, id, r.Header.Get("Range"))
	if errors.Is(err, carrier.ErrNoSuchPart) {
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) // players ignore its body
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.Accounts.NoteHourly(r.Context(), s.Actor(r), "recording.played", account.Object{
		Type: "call", ID: id,
	}); err != nil {
		_ = sound.Body.Close() // the request needed no byte of the body
		return err
	}
	if err := playback.Serve(w, sound, "call-"+id.String()); err != nil {
		if r.Context().Err() == nil { // a canceled request means that the browser has gone
			s.Log.Error("recording broke off", "request_id", frame.RequestID(r), "route", frame.RoutePattern(r),
				"error", err)
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

// recordingView describes the recording on the page of a call.
func (s *Server) recordingView(r *http.Request, c call.Call) (v views.Recording, err error) {
	v.State = recordingState(c, time.Now())
	if v.State == views.RecordingDeleted {
		left, err := s.Calls.Undeleted(r.Context(), c.OrganizationID, c.ID)
		if err != nil {
			return v, err
		}
		v.AtCarrier, v.Why = left.Count > 0, left.Why
	}
	return v, nil
}

const (
	// recordingLive is how long after the end of a call an open page waits for the
	// recording.
	recordingLive = 3 * time.Minute
	// recordingLate is how long after the end of an unsettled call the page expects its
	// recording. The carrier is asked for a recording only after settlement.
	recordingLate = 10 * time.Minute
)

func recordingState(c call.Call, now time.Time) views.RecordingState {
	switch {
	case c.RecordingID != nil:
		return views.RecordingThere
	case !c.Record || c.AnsweredAt == nil:
		return views.NotRecorded
	case c.RecordingRemovedAt != nil:
		return views.RecordingDeleted
	case c.EndedAt == nil:
		return views.RecordingOn
	case c.RecordingDueAt != nil || now.Sub(*c.EndedAt) < recordingLate:
		return views.RecordingAwaited
	}
	return views.RecordingMissing
}
