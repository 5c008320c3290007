package calls

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/listen"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

const (
	// listenPatience is how long a browser may take nothing of the sound.
	listenPatience = 30 * time.Second
	// listenCheck is how often the session of a listener is checked.
	listenCheck = 2 * time.Second
)

// joined is the page on which a person joined a live call, with its filters, as the form says that it was sent with. A
// form that says nothing leads to the call without filters.
func joined(r *http.Request, id uuid.UUID) string {
	if back, err := url.Parse(frame.ReturnTo(r)); err == nil && back.Path == livePath &&
		back.Query().Get("call") == id.String() {
		return back.RequestURI()
	}
	return livePath + "?call=" + id.String()
}

// tooLate reports whether an action was refused by the state of the call, and its form leads back to a page that shows
// this state.
func tooLate(r *http.Request, err error) bool {
	return fault.KindOf(err) == fault.Conflict && frame.ReturnTo(r) != ""
}

// acted ends a change of a call like Done. A person who made it on a page that the form leads back to reads there
// also that it came too late.
func (s *Server) acted(w http.ResponseWriter, r *http.Request, err error, done, path string) error {
	if tooLate(r, err) {
		s.Toast(r, fault.As(err).Message)
		return frame.SeeOther(w, r, frame.ReturnTo(r))
	}
	return s.Done(w, r, err, done, path)
}

// StartListening begins to listen in to a call, so that a refusal is said before the player comes.
func (s *Server) StartListening(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	ear, err := s.Sounds.Listen(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if problem := frame.Refusal(err); problem != "" {
		return s.liveAgain(w, r, id, func(v *views.LiveCall) { v.Problem = problem })
	}
	if err != nil {
		return err
	}
	ear.Close()
	page, err := url.Parse(joined(r, id))
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, frame.WithParam(page, "listening", "yes"))
}

// sound is what a person hears of a call who listens in to it.
func sound(c call.Call, audible bool) views.Sound {
	t := c.Transfer
	switch {
	case audible && c.HangUpAt == nil:
		return views.SoundPlays
	case t != nil && t.State != call.TransferRequested && (t.EndedAt == nil || t.State.Connected()):
		return views.SoundTransferred
	case c.EndedAt == nil && c.HangUpAt != nil:
		return views.SoundEnding
	case c.EndedAt == nil:
		return views.SoundAwaited
	case c.AnsweredAt == nil:
		return views.SoundNone
	}
	return views.SoundEnded
}

// CallSound sends the sound of a call to the player, until the call ends or is transferred, the person leaves, or the
// session ends.
func (s *Server) CallSound(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	organization := frame.SignedIn(r).Organization.ID
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		h.Set("Content-Type", "audio/wav")
		return nil
	}
	ear, err := s.Sounds.Listen(r.Context(), organization, id)
	if err != nil {
		return err
	}
	defer ear.Close()
	if err := s.Accounts.NoteHourly(r.Context(), s.Actor(r), "call.listened", account.Object{
		Type: "call", ID: id,
	}); err != nil {
		return err
	}
	h.Set("Content-Type", "audio/wav")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // keeps nginx and similar proxies from buffering
	err = s.sendSound(w, r, ear)
	if err != nil && r.Context().Err() == nil && fault.KindOf(err) == fault.Internal {
		s.Log.Error("listening in broke off", "request_id", frame.RequestID(r), "route", frame.RoutePattern(r),
			"error", err)
	}
	return nil // what was sent is a whole answer, because the sound has no length
}

// sendSound sends what is heard until it ends.
func (s *Server) sendSound(w http.ResponseWriter, r *http.Request, ear *listen.Ear) error {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() { // a shutdown ends the waiting for the next sound
		select {
		case <-s.Closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	var wave listen.Wave
	out, checked, next := http.NewResponseController(w), time.Now(), wave.Head()
	for {
		_ = out.SetWriteDeadline(time.Now().Add(listenPatience)) // some writers in tests have no deadline
		if _, err := w.Write(next); err != nil {
			return nil // the browser has gone
		}
		if err := out.Flush(); err != nil {
			return nil
		}
		heard, err := hear(ctx, ear)
		if err != nil {
			return err
		}
		if time.Since(checked) >= listenCheck {
			may, err := s.StillMay(r, account.JoinCalls)
			if err == nil && !may {
				return nil
			}
			if err == nil { // without the database, the sound stays away too
				checked = time.Now()
			}
		}
		next = wave.Samples(heard)
	}
}

// hear waits for sound, but not longer than the session may go unchecked.
func hear(ctx context.Context, ear *listen.Ear) ([]byte, error) {
	waiting, cancel := context.WithTimeout(ctx, listenCheck)
	defer cancel()
	heard, err := ear.Next(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return heard, err
}
