package people

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) Profile(w http.ResponseWriter, r *http.Request) error {
	return s.profilePage(w, r, http.StatusOK, nil)
}

func (s *Server) profilePage(w http.ResponseWriter, r *http.Request, status int, e ui.Errors) error {
	session := frame.SignedIn(r)
	list, err := s.Accounts.Sessions(r.Context(), s.Actor(r))
	if err != nil {
		return err
	}
	factor, err := s.Accounts.SecondFactor(r.Context(), session.User.ID)
	if err != nil {
		return err
	}
	v := views.Profile{
		Name: session.User.Name, Typed: r.PostForm.Get("name"), Email: session.User.Email, Errors: e,
		Factor:       views.Factor{On: factor.On, Since: factor.Since, Remaining: factor.Remaining},
		SingleSignOn: session.SingleSignOn,
	}
	for _, n := range list {
		row := views.Session{
			ID: n.ID.String(), Browser: browser(n.Agent), SignedIn: n.CreatedAt, LastSeen: n.LastSeenAt,
			Current: n.ID == session.ID,
		}
		if n.Address != nil {
			row.Address = frame.Unmapped(*n.Address)
		}
		v.Sessions = append(v.Sessions, row)
	}
	c := s.Chrome(r)
	c.Path = "/profile"
	return frame.Render(w, r, status, views.ProfilePage(c, v))
}

func (s *Server) Rename(w http.ResponseWriter, r *http.Request) error {
	err := s.Accounts.Rename(r.Context(), s.Actor(r), r.PostForm.Get("name"))
	return s.Saved(w, r, err, "Name saved", "/profile", func(e ui.Errors) error {
		return s.profilePage(w, r, http.StatusUnprocessableEntity, e)
	})
}

// browser makes a User-Agent readable: "Firefox on Linux". The order matters,
// because most browsers claim to be several.
func browser(agent string) string {
	first := func(pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if strings.Contains(agent, pairs[i]) {
				return pairs[i+1]
			}
		}
		return ""
	}
	name := first("Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Chromium/", "Chromium",
		"Safari/", "Safari", "curl/", "curl")
	system := first("iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS X", "Mac",
		"Linux", "Linux")
	switch {
	case name == "":
		return "Unknown browser"
	case system == "":
		return name
	}
	return name + " on " + system
}

func (s *Server) ChangePassword(w http.ResponseWriter, r *http.Request) error {
	err := s.Accounts.ChangePassword(r.Context(), frame.SignedIn(r), s.Actor(r), r.PostFormValue("current_password"),
		r.PostFormValue("new_password"))
	if err == nil {
		err = s.rememberDevice(w, r, frame.SignedIn(r).User.ID) // the new password made the old device cookie worthless
	}
	return s.Saved(w, r, err, "Password changed", "/profile", func(e ui.Errors) error {
		return s.profilePage(w, r, http.StatusUnprocessableEntity, e)
	})
}

func (s *Server) RevokeSession(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Session")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Accounts.RevokeSession(r.Context(), s.Actor(r), id), "Browser signed out", "/profile")
}

func (s *Server) RevokeOtherSessions(w http.ResponseWriter, r *http.Request) error {
	n, err := s.Accounts.RevokeOtherSessions(r.Context(), s.Actor(r), frame.SignedIn(r).ID)
	return s.Done(w, r, err, ui.Plural(n, "other browser")+" signed out", "/profile")
}
