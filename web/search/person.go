package search

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/evidence"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/settings"
)

// mostRows bounds the rows of each kind on the page of a person.
const mostRows = 25

var errNoPerson = fault.NotFoundf("Person")

// numberInPath reads the number that the reference in the path stands for. Errors: NotFound.
func (s *Server) numberInPath(r *http.Request) (phone.Number, error) {
	return s.People.Number(frame.SignedIn(r).Organization.ID, frame.PathParam(r, "id"))
}

func (s *Server) Person(w http.ResponseWriter, r *http.Request) error {
	return s.personPage(w, r, http.StatusOK, "", nil)
}

// personPage shows a person. text and errors are those of a note that was refused.
func (s *Server) personPage(w http.ResponseWriter, r *http.Request, status int, text string, errors ui.Errors) error {
	number, err := s.numberInPath(r)
	if err != nil {
		return err
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization
	c, err := s.Evidence.Read(organization.ID, number).Newest(ctx, mostRows)
	if err != nil {
		return err
	}
	if empty(c) { // also an erased person, of whom the reference must tell nothing
		return errNoPerson
	}
	v := views.Person{
		Ref: frame.PathParam(r, "id"), Number: number.String(), Mark: frame.FormID(r), Text: text,
		Errors: errors, Most: mostRows,
	}
	for _, n := range c.Notes.Data {
		note := views.PersonNote{ID: n.ID.String(), Text: n.Text, By: n.CreatedBy, At: n.CreatedAt}
		if n.UpdatedAt != nil {
			note.ChangedBy, note.ChangedAt = frame.OrNone(n.UpdatedBy), *n.UpdatedAt
		}
		v.Notes = append(v.Notes, note)
	}
	if len(c.Calls.Data) > 0 {
		v.LastCallID = c.Calls.Data[0].ID.String()
	}
	list := c.Calls
	if frame.PageOf(r).Cursor != "" {
		older := call.Filter{Request: frame.PageOf(r), PersonNumber: number.String()}
		if list, err = s.Calls.List(ctx, organization.ID, older); err != nil {
			return err
		}
	}
	if v.Calls, err = s.calls.CallRows(ctx, organization.ID, list.Data); err != nil {
		return err
	}
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	for _, e := range c.Listed {
		v.DoNotCall = append(v.DoNotCall, settings.DoNotCallEntry(e))
	}
	for _, f := range c.FollowUps.Data {
		v.FollowUps = append(v.FollowUps, calls.FollowUpRow(f))
	}
	s.lists(r, c, &v)
	v.Name, v.Facts = s.facts(r, number, c)
	for _, kind := range []struct {
		name string
		more bool
	}{
		{"notes", c.Notes.HasMore}, {"follow-ups", c.FollowUps.HasMore}, {"lists", c.Recipients.HasMore},
		{"messages", c.Messages.HasMore},
	} {
		if kind.more {
			v.Cut = append(v.Cut, kind.name)
		}
	}
	return frame.Render(w, r, status, views.PersonPage(s.Chrome(r), v))
}

func empty(c evidence.Contents) bool {
	return len(c.Calls.Data)+len(c.Recipients.Data)+len(c.Listed)+len(c.Removed.Data)+len(c.FollowUps.Data)+
		len(c.Messages.Data)+len(c.Notes.Data) == 0
}

// lists adds the campaigns with the person and the messages.
func (s *Server) lists(r *http.Request, c evidence.Contents, v *views.Person) {
	clock := s.Clock(r)
	for _, n := range c.Recipients.Data {
		e := views.PersonEntry{
			Title: c.Campaigns[n.CampaignID], Href: "/campaigns/" + n.CampaignID.String(),
			State: ui.StateOf(calls.RecipientState(n)).Word + calls.SkipWords(n), At: n.CreatedAt,
		}
		if n.ConsentBasis != nil {
			e.More = "Consent: " +
				calls.Consent(clock, *n.ConsentBasis, n.ConsentSource, n.ConsentAt, n.ConsentExpiresAt)
		}
		v.Lists = append(v.Lists, e)
	}
	for _, m := range c.Messages.Data {
		e := views.PersonEntry{
			Title: m.TemplateName, Href: "/messaging/messages/" + m.ID.String(),
			State: ui.StateOf(string(m.Status)).Word, At: m.CreatedAt,
		}
		if m.CampaignID != nil {
			e.More = c.Campaigns[*m.CampaignID]
		}
		v.Messages = append(v.Messages, e)
	}
}

// facts returns the latest name of a person and what else is known of the number.
func (s *Server) facts(r *http.Request, number phone.Number, c evidence.Contents) (name string, facts []ui.Fact) {
	var names, repeated []string // repeated: of rows that repeat the number, which nobody was called by
	consent := ""
	clock := s.Clock(r)
	for _, n := range c.Recipients.Data {
		if n.SkipReason != nil && *n.SkipReason == campaign.SkipDuplicate {
			repeated = append(repeated, n.Name)
		} else {
			names = append(names, n.Name)
		}
		if consent == "" && n.ConsentBasis != nil {
			consent = calls.Consent(clock, *n.ConsentBasis, n.ConsentSource, n.ConsentAt, n.ConsentExpiresAt)
		}
	}
	for _, one := range c.Calls.Data {
		names = append(names, one.RecipientName)
		if consent == "" && one.ConsentBasis != nil {
			consent = calls.Consent(clock, *one.ConsentBasis, one.ConsentSource, one.ConsentAt, one.ConsentExpiresAt)
		}
	}
	names = slices.DeleteFunc(append(names, repeated...), func(name string) bool { return name == "" })
	if len(names) > 0 {
		name = names[0]
	}
	facts = []ui.Fact{{Name: "Number", Text: ui.Phone(number.String())}}
	slices.Sort(names)
	for _, other := range slices.Compact(names) {
		if other != name {
			facts = append(facts, ui.Fact{Name: "Also", Text: other})
		}
	}
	return name, append(facts,
		ui.Fact{Name: "Country", Text: phone.CountryName(phone.Country(number))},
		ui.Fact{Name: "Consent", Text: consent})
}

func (s *Server) AddPersonNote(w http.ResponseWriter, r *http.Request) error {
	number, err := s.numberInPath(r)
	if err != nil {
		return err
	}
	text := r.PostFormValue("text")
	if c, err := s.Evidence.Read(frame.SignedIn(r).Organization.ID, number).Newest(r.Context(), 1); err != nil {
		return err
	} else if empty(c) {
		return errNoPerson
	}
	err = s.People.AddNote(r.Context(), s.Actor(r), number, person.NewNote{
		ID: uuid.MustParse(frame.FormID(r)), Text: text,
	})
	return s.Saved(w, r, err, "Note added", s.PersonPath(r, number.String()), func(e ui.Errors) error {
		return s.personPage(w, r, http.StatusUnprocessableEntity, text, e)
	})
}

// noteInPath reads the note that the path names, and the person as the pages of a note name them.
func (s *Server) noteInPath(r *http.Request) (person.Note, views.Person, error) {
	number, err := s.numberInPath(r)
	if err != nil {
		return person.Note{}, views.Person{}, err
	}
	id, err := frame.ParseID(frame.PathParam(r, "note_id"), "Note")
	if err != nil {
		return person.Note{}, views.Person{}, err
	}
	n, err := s.People.Note(r.Context(), frame.SignedIn(r).Organization.ID, number, id)
	return n, views.Person{Ref: frame.PathParam(r, "id"), Number: number.String()}, err
}

func (s *Server) EditPersonNote(w http.ResponseWriter, r *http.Request) error {
	n, p, err := s.noteInPath(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.PersonNotePage(s.Chrome(r), views.PersonNoteForm{
		Person: p, ID: n.ID.String(), Text: n.Text, Revision: strconv.Itoa(n.Revision),
	}))
}

func (s *Server) UpdatePersonNote(w http.ResponseWriter, r *http.Request) error {
	n, p, err := s.noteInPath(r)
	if err != nil {
		return err
	}
	v := views.PersonNoteForm{Person: p, ID: n.ID.String(), Text: r.PostFormValue("text")}
	revision, err := strconv.Atoi(r.PostFormValue("revision"))
	if err == nil {
		err = s.People.UpdateNote(r.Context(), s.Actor(r), n.PhoneNumber, n.ID, revision, v.Text)
	} else {
		err = frame.ErrNoForm
	}
	return s.Saved(w, r, err, "Note saved", s.PersonPath(r, p.Number), func(e ui.Errors) error {
		v.Errors, v.Revision = e, frame.Revision(r, err, strconv.Itoa(n.Revision))
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.PersonNotePage(s.Chrome(r), v))
	})
}

func (s *Server) ConfirmDeletePersonNote(w http.ResponseWriter, r *http.Request) error {
	n, p, err := s.noteInPath(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.DeletePersonNote(p, n.ID.String(), n.Text))
}

func (s *Server) DeletePersonNote(w http.ResponseWriter, r *http.Request) error {
	n, p, err := s.noteInPath(r)
	if err == nil {
		err = s.People.DeleteNote(r.Context(), s.Actor(r), n.PhoneNumber, n.ID)
	}
	return s.Done(w, r, err, "Note deleted", s.PersonPath(r, p.Number))
}
