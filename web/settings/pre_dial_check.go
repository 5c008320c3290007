package settings

import (
	"fmt"
	"net/http"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const preDialPath = compliancePath + "/pre-dial-check"

func (s *Server) PreDialCheck(w http.ResponseWriter, r *http.Request) error {
	v, err := s.preDialView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.PreDialCheckPage(s.Chrome(r), v))
}

// preDialView returns the page with the saved values.
func (s *Server) preDialView(r *http.Request) (views.PreDialCheck, error) {
	v := views.PreDialCheck{OnFailure: string(predial.Wait)}
	c, err := s.Checks.Get(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil || c == nil {
		return v, err
	}
	return views.PreDialCheck{
		URL:           c.URL,
		OnFailure:     string(c.OnFailure),
		Saved:         true,
		EnabledAt:     frame.OrZero(c.EnabledAt),
		SavedURL:      c.URL,
		SavedWaits:    c.OnFailure == predial.Wait,
		Failures:      c.Failures,
		Probing:       c.Probing(),
		LastAnswer:    frame.OrNone(c.LastAnswer),
		LastAnswerAt:  frame.OrZero(c.LastAnswerAt),
		LastError:     frame.OrNone(c.LastError),
		LastErrorAt:   frame.OrZero(c.LastErrorAt),
		PreviousUntil: frame.OrZero(c.PreviousSecretUntil),
	}, nil
}

// SavePreDialCheck answers a new check with its secret, which no later page shows.
func (s *Server) SavePreDialCheck(w http.ResponseWriter, r *http.Request) error {
	v, err := s.preDialView(r)
	if err != nil {
		return err
	}
	v.URL, v.OnFailure = r.PostFormValue("url"), r.PostFormValue("on_failure")
	secret, err := s.Checks.Save(r.Context(), s.Actor(r), predial.Draft{
		URL: v.URL, OnFailure: predial.OnFailure(v.OnFailure),
	})
	if err == nil {
		err = s.Calling.PreDialCheckChanged(r.Context(), frame.SignedIn(r).Organization.ID)
	}
	if err == nil && secret != "" {
		return frame.RenderSecret(
			s.Server, w, r, http.StatusCreated, preDialPath, views.PreDialSecretPage,
			views.PreDialSecret{Secret: secret},
		)
	}
	return s.Saved(w, r, err, "Check saved", preDialPath, func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.PreDialCheckPage(s.Chrome(r), v))
	})
}

// TestPreDialCheck sends a test request and shows the answer.
func (s *Server) TestPreDialCheck(w http.ResponseWriter, r *http.Request) error {
	answer, err := s.Checks.Test(r.Context(), s.Actor(r))
	if err != nil {
		return err
	}
	v, err := s.preDialView(r)
	if err != nil {
		return err
	}
	switch answer.Result {
	case predial.Allowed:
		v.Tested, v.Passed = "Allowed", true
	case predial.Refused:
		v.Tested, v.Passed = "Refused", true
	case predial.Failed, predial.FailedOpen:
		v.Tested = "Failed"
	}
	v.Tested += fmt.Sprintf(" after %d ms", answer.TookMS)
	if answer.Reason != nil {
		v.Tested += ": " + *answer.Reason
	}
	c := s.Chrome(r)
	c.Path = preDialPath
	return frame.Render(w, r, http.StatusOK, views.PreDialCheckPage(c, v))
}

// EnablePreDialCheck turns the check on.
func (s *Server) EnablePreDialCheck(w http.ResponseWriter, r *http.Request) error {
	if err := s.Checks.Enable(r.Context(), s.Actor(r)); err != nil {
		return err
	}
	err := s.Calling.PreDialCheckChanged(r.Context(), frame.SignedIn(r).Organization.ID)
	return s.Done(w, r, err, "Check turned on. Your server is asked about every call", preDialPath)
}

// DisablePreDialCheck turns the check off.
func (s *Server) DisablePreDialCheck(w http.ResponseWriter, r *http.Request) error {
	if err := s.Checks.Disable(r.Context(), s.Actor(r)); err != nil {
		return err
	}
	err := s.Calling.PreDialCheckChanged(r.Context(), frame.SignedIn(r).Organization.ID)
	return s.Done(w, r, err, "Check turned off. Calls are placed without it", preDialPath)
}

// savedCheck returns the check, or NotFound.
func (s *Server) savedCheck(r *http.Request) (*predial.Settings, error) {
	c, err := s.Checks.Get(r.Context(), frame.SignedIn(r).Organization.ID)
	if err == nil && c == nil {
		err = fault.NotFoundf("Pre-dial check")
	}
	return c, err
}

func (s *Server) ConfirmRotatePreDialSecret(w http.ResponseWriter, r *http.Request) error {
	c, err := s.savedCheck(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RotatePreDialSecret(c.SecretMark))
}

// RotatePreDialSecret answers with the new secret.
func (s *Server) RotatePreDialSecret(w http.ResponseWriter, r *http.Request) error {
	secret, err := s.Checks.RotateSecret(r.Context(), s.Actor(r), r.PostFormValue("mark"))
	if fault.KindOf(err) == fault.Conflict {
		s.Toast(r, "The secret was already rotated, and the new one was shown then. If you lost it, rotate again.")
		return frame.SeeOther(w, r, preDialPath)
	}
	if err != nil {
		return err
	}
	c, err := s.savedCheck(r)
	if err != nil {
		return err
	}
	shown := views.PreDialSecret{Secret: secret, Until: frame.OrZero(c.PreviousSecretUntil)}
	return frame.RenderSecret(s.Server, w, r, http.StatusOK, preDialPath, views.PreDialSecretPage, shown)
}

func (s *Server) ConfirmRemovePreDialCheck(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.savedCheck(r); err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemovePreDialCheck())
}

func (s *Server) RemovePreDialCheck(w http.ResponseWriter, r *http.Request) error {
	if err := s.Checks.Remove(r.Context(), s.Actor(r)); err != nil {
		return err
	}
	err := s.Calling.PreDialCheckChanged(r.Context(), frame.SignedIn(r).Organization.ID)
	return s.Done(w, r, err, "Check removed", compliancePath)
}
