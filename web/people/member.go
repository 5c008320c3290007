package people

import (
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const membersPath = "/settings/members"

func (s *Server) ListMembers(w http.ResponseWriter, r *http.Request) error {
	return s.membersPage(w, r, http.StatusOK, nil, uuid.Nil)
}

// membersPage shows the list of members. link is the new link of the invitation made; it
// is nil on the plain page.
func (s *Server) membersPage(
	w http.ResponseWriter, r *http.Request, status int, link *views.ShownLink, made uuid.UUID,
) error {
	session := frame.SignedIn(r)
	list, err := s.Accounts.Members(r.Context(), session.Organization.ID)
	if err != nil {
		return err
	}
	v := views.Members{Link: link}
	for _, m := range list {
		v.Rows = append(v.Rows, memberRow(session, m))
	}
	columns := []frame.Column[views.Member]{
		frame.ByText("name", func(m views.Member) string { return m.Name }),
		frame.ByText("role", func(m views.Member) string { return m.Role }),
		frame.ByTime("seen", func(m views.Member) time.Time { return m.Seen }),
	}
	if session.Role.May(account.ManageMembers) {
		columns = append(columns, frame.ByFlag("factor", func(m views.Member) bool { return m.SecondFactor }))
	}
	v.Order, _ = frame.Sorted(r, membersPath, nil, v.Rows, "name", columns...)
	if session.Role.May(account.ManageMembers) {
		open, err := s.Accounts.Invitations(r.Context(), session.Organization.ID)
		if err != nil {
			return err
		}
		for _, i := range open {
			row := invitationRow(i)
			row.New = i.ID == made
			v.Invitations = append(v.Invitations, row)
		}
	}
	c := s.Chrome(r)
	c.Path = membersPath
	if link != nil {
		frame.ShowsSecret(w)
	}
	return frame.Render(w, r, status, views.MembersPage(c, v))
}

func memberRow(session account.Session, m account.Member) views.Member {
	return views.Member{
		ID: m.UserID.String(), Name: m.Name, Email: m.Email, Role: string(m.Role), Joined: m.CreatedAt,
		Seen:         frame.OrZero(m.SeenAt),
		SecondFactor: m.SecondFactor, Shared: m.Shared, ResetMark: m.ResetMark, You: m.UserID == session.User.ID,
	}
}

func invitationRow(i account.Invitation) views.Invitation {
	return views.Invitation{
		ID: i.ID.String(), Email: i.Email, Role: string(i.Role), InvitedBy: i.InvitedBy, Created: i.CreatedAt,
		Expires: i.ExpiresAt, Mark: i.ExpiresAt.UTC().Format(time.RFC3339Nano),
	}
}

func (s *Server) InviteForm(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.InvitePage(s.Chrome(r), views.Invite{Role: string(account.Staff)}))
}

// Invite answers with the list and the invitation's link, which no later page shows.
func (s *Server) Invite(w http.ResponseWriter, r *http.Request) error {
	v := views.Invite{Email: r.PostForm.Get("email"), Role: r.PostForm.Get("role")}
	i, token, err := s.Accounts.Invite(r.Context(), s.Actor(r), v.Email, account.Role(v.Role))
	if kind := fault.KindOf(err); kind == fault.Invalid || kind == fault.Conflict {
		v.Errors = ui.ErrorsOf(err)
		return frame.Render(w, r, frame.Statuses[kind].Status, views.InvitePage(s.Chrome(r), v))
	}
	if err != nil {
		return err
	}
	return s.membersPage(w, r, http.StatusCreated, s.invitationLink(i, token), i.ID)
}

func (s *Server) invitationLink(i account.Invitation, token string) *views.ShownLink {
	return &views.ShownLink{
		Title: "Send this link to " + i.Email,
		Text: "Copy the link now and send it yourself. It is shown only once and works once, within 7 " +
			"days. Anyone who opens it can join as " + i.Email + ".",
		Label: "Invitation link", URL: s.LinkURL + "/invitation?token=" + url.QueryEscape(token),
	}
}

func (s *Server) RenewInvitation(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Invitation")
	if err != nil {
		return err
	}
	var replaces time.Time
	if mark := r.PostForm.Get("mark"); mark != "" {
		if replaces, err = time.Parse(time.RFC3339Nano, mark); err != nil {
			return frame.ErrNoForm
		}
	}
	i, token, err := s.Accounts.RenewInvitation(r.Context(), s.Actor(r), id, replaces)
	if fault.KindOf(err) == fault.Conflict { // the page was loaded again; the first link still works
		s.Toast(r, fault.As(err).Message+".")
		return frame.SeeOther(w, r, membersPath)
	}
	if err != nil {
		return err
	}
	return s.membersPage(w, r, http.StatusCreated, s.invitationLink(i, token), i.ID)
}

func (s *Server) ConfirmRevokeInvitation(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Invitation")
	if err != nil {
		return err
	}
	i, err := s.Accounts.Invitation(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RevokeInvitation(invitationRow(i)))
}

func (s *Server) RevokeInvitation(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Invitation")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Accounts.RevokeInvitation(r.Context(), s.Actor(r), id), "Invitation revoked", membersPath)
}

// memberOf reads the member that the path names.
func (s *Server) memberOf(r *http.Request) (account.Member, error) {
	id, err := frame.PathID(r, "Member")
	if err != nil {
		return account.Member{}, err
	}
	return s.Accounts.Member(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) Member(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	return s.memberPage(w, r, http.StatusOK, views.MemberPageView{Member: memberRow(frame.SignedIn(r), m)})
}

func (s *Server) memberPage(w http.ResponseWriter, r *http.Request, status int, v views.MemberPageView) error {
	c := s.Chrome(r)
	c.Path = membersPath + "/" + v.ID
	return frame.Render(w, r, status, views.MemberPage(c, v))
}

func (s *Server) ChangeRole(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	err = s.Accounts.SetRole(r.Context(), s.Actor(r), m.UserID, account.Role(r.PostForm.Get("role")))
	return s.Saved(w, r, err, "Role changed", membersPath, func(e ui.Errors) error {
		return s.memberPage(w, r, http.StatusUnprocessableEntity, views.MemberPageView{
			Member: memberRow(frame.SignedIn(r), m), Errors: e,
		})
	})
}

func (s *Server) ConfirmRemoveMember(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveMember(memberRow(frame.SignedIn(r), m)))
}

func (s *Server) RemoveMember(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	err = s.Accounts.RemoveMember(r.Context(), s.Actor(r), m.UserID)
	done, path := m.Name+" removed", membersPath
	if m.UserID == frame.SignedIn(r).User.ID {
		done, path = "You have left the organization.", "/"
	}
	return s.Saved(w, r, err, done, path, func(e ui.Errors) error {
		question := views.RemoveMember(memberRow(frame.SignedIn(r), m))
		question.Errors = e
		return frame.Render(w, r, http.StatusConflict, views.ConfirmPage(s.Chrome(r), question))
	})
}

// CreateResetLink answers with the link, which no later page shows.
func (s *Server) CreateResetLink(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	v := views.MemberPageView{Member: memberRow(frame.SignedIn(r), m)}
	_, token, err := s.Accounts.CreateResetLink(r.Context(), s.Actor(r), m.UserID, r.PostForm.Get("mark"))
	if fault.KindOf(err) == fault.Conflict {
		v.Errors = ui.ErrorsOf(err)
		return s.memberPage(w, r, http.StatusConflict, v)
	}
	if err != nil {
		return err
	}
	if m, err = s.memberOf(r); err != nil { // now with the mark of the new link
		return err
	}
	v.Member = memberRow(frame.SignedIn(r), m)
	v.Link = &views.ShownLink{
		Title: "Send this link to " + m.Email,
		Text: "Copy the link now and send it yourself. It is shown only once and works once, within 24 " +
			"hours. Anyone who opens it can sign in as " + m.Name + ".",
		Label: "Password link", URL: s.LinkURL + "/reset-password?token=" + url.QueryEscape(token),
	}
	frame.ShowsSecret(w)
	return s.memberPage(w, r, http.StatusCreated, v)
}

func (s *Server) ConfirmResetSecondFactor(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.ResetSecondFactor(memberRow(frame.SignedIn(r), m)))
}

func (s *Server) ResetSecondFactor(w http.ResponseWriter, r *http.Request) error {
	m, err := s.memberOf(r)
	if err != nil {
		return err
	}
	err = s.Accounts.ResetSecondFactor(r.Context(), s.Actor(r), m.UserID)
	return s.Saved(w, r, err, "Two-step sign-in is off for "+m.Name, membersPath+"/"+m.UserID.String(),
		func(e ui.Errors) error {
			return s.memberPage(w, r, http.StatusConflict, views.MemberPageView{
				Member: memberRow(frame.SignedIn(r), m), Errors: e,
			})
		})
}
