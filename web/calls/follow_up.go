package calls

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const followUpsPath = "/follow-ups"

// Values of the filters of the list, besides those of the API.
const (
	anybody     = "anyone"
	mine        = "me"
	nobody      = "none"
	overdue     = "overdue"
	dueToday    = "today"
	everyStatus = "all"
)

func (s *Server) ListFollowUps(w http.ResponseWriter, r *http.Request) error {
	ctx, session, status := r.Context(), frame.SignedIn(r), http.StatusOK
	v, filter, err := s.followUpFilter(r)
	v.ListHref, v.ListQuery = frame.WithParam(r.URL, "", ""), r.URL.Query().Encode()
	var list page.List[followup.FollowUp]
	if err == nil {
		filter.Page = frame.PageOf(r)
		list, err = s.FollowUps.List(ctx, session.Organization.ID, filter)
	}
	if fault.KindOf(err) == fault.Invalid {
		v.Errors, status = answerErrors(err), http.StatusUnprocessableEntity
	} else if err != nil {
		return err
	}
	if (list.HasMore || filter.Page.Cursor != "") && frame.May(r, account.WorkOnFollowUps) {
		m, err := s.FollowUps.CountMatching(ctx, session.Organization.ID, filter)
		if err != nil {
			return err
		}
		v.Matching = frame.Matching(m.FollowUps, false, m.Until)
	}
	members, err := s.Accounts.Members(ctx, session.Organization.ID)
	if err != nil {
		return err
	}
	v.Members = append([]ui.Option{{Value: mine, Label: "Me"}, {Value: nobody, Label: "Nobody"}},
		memberOptions(members)...)
	if v.Projects, err = s.ProjectOptions(r); err != nil {
		return err
	}
	if v.Campaigns, err = s.CampaignOptions(r); err != nil {
		return err
	}
	if filter.CampaignID != nil && !slices.ContainsFunc(v.Campaigns, func(o ui.Option) bool {
		return o.Value == v.CampaignID
	}) { // an older one
		names, err := s.Campaigns.Names(ctx, session.Organization.ID, []uuid.UUID{*filter.CampaignID})
		if err != nil {
			return err
		}
		name := cmp.Or(names[*filter.CampaignID], "Unknown")
		v.Campaigns = append(v.Campaigns, ui.Option{Value: v.CampaignID, Label: name})
	}
	of := call.ResultFilter{CampaignID: filter.CampaignID}
	if v.ByAnswer, err = s.answerChoices(r, of, v.Question, v.Answer, v.Errors); err != nil {
		return err
	}
	v.Chips = answerChips(r, v.Given, v.Question, v.Answer, v.Errors)
	if v.Filters, err = s.SavedFilters(r, followUpsPath); err != nil {
		return err
	}
	if v.Columns, err = s.Columns(r, account.FollowUpColumns, v.ListHref); err != nil {
		return err
	}
	if v.Rows, err = s.followUpRows(r, list.Data); err != nil {
		return err
	}
	counts, err := s.FollowUps.Count(ctx, session.Organization.ID, session.User.ID)
	if err != nil {
		return err
	}
	v.Open, v.Mine, v.Overdue = counts.Open, counts.Mine, counts.Overdue
	v.Most = followup.MostCounted
	v.Pager, v.ExportHref = frame.Pager(r, list.NextCursor, "Newest first"), frame.ExportHref(r)
	if len(v.Rows) == 0 && counts.Open == 0 {
		first, err := s.FollowUps.List(ctx, session.Organization.ID, followup.Filter{Page: page.Request{Limit: 1}})
		if err != nil {
			return err
		}
		v.None = len(first.Data) == 0
	}
	return frame.Render(w, r, status, views.FollowUpsPage(s.Chrome(r), v))
}

// FinishFollowUps marks the selected follow-ups of the list as done. Its undo opens them again.
func (s *Server) FinishFollowUps(w http.ResponseWriter, r *http.Request) error {
	selected := frame.ReadSelection(r)
	if selected.None() {
		return s.NothingSelected(w, r, selected, "follow-up")
	}
	chosen, err := s.chosenFollowUps(selected, r)
	if err != nil {
		return err
	}
	done, err := s.FollowUps.FinishMany(r.Context(), s.Actor(r), chosen)
	switch {
	case err != nil:
		return err
	case len(done.Objects) == 0:
		s.Toast(r, "None of the selected follow-ups was open")
	default:
		s.Undoable(r, ui.Plural(len(done.Objects), "follow-up", "follow-ups")+" marked as done", "Undo",
			undoHref(followUpsPath+"/reopen", selected.List, done))
	}
	return frame.SeeOther(w, r, selected.List)
}

// chosenFollowUps are those of a selection. Its error is Invalid.
func (s *Server) chosenFollowUps(selected frame.Selection, r *http.Request) (followup.Chosen, error) {
	chosen := followup.Chosen{IDs: selected.IDs, Until: selected.Until}
	if selected.Matching {
		_, filter, err := s.followUpFilter(selected.ListRequest(r))
		if err != nil {
			return chosen, err
		}
		chosen.Filter = &filter
	}
	return chosen, nil
}

// ReopenFollowUps undoes FinishFollowUps.
func (s *Server) ReopenFollowUps(w http.ResponseWriter, r *http.Request) error {
	selected := frame.ReadSelection(r)
	opened, err := s.FollowUps.ReopenAll(r.Context(), s.Actor(r), selected.Batch)
	words := ui.Plural(opened, "follow-up", "follow-ups") + " reopened"
	if opened == 0 {
		words = "Nothing to undo"
	}
	return s.Done(w, r, err, words, selected.List)
}

// followUpFilter reads the filters of the list. Without a status, the open ones are shown. Its error is Invalid, with
// problems under the names of the filters.
func (s *Server) followUpFilter(r *http.Request) (views.FollowUps, followup.Filter, error) {
	q, clock := r.URL.Query(), s.Clock(r)
	v := views.FollowUps{
		Status: q.Get("status"), Kind: q.Get("kind"), Assignee: q.Get("assignee"), Due: q.Get("due"),
		ProjectID: q.Get("project_id"), CampaignID: q.Get("campaign_id"),
		Given: answersOf(q), Question: q.Get("question"), Answer: strings.TrimSpace(q.Get("answer")),
	}
	if v.Status == "" {
		v.Status = string(followup.Open)
	}
	var p fault.Problems
	f := followup.Filter{Kinds: page.Only(followup.Kind(v.Kind))}
	fault.OneOf(&p, "kind", f.Kinds, followup.Kinds)
	if v.Status != everyStatus {
		f.Statuses = page.Only(followup.Status(v.Status))
		fault.OneOf(&p, "status", f.Statuses, followup.Statuses)
	}
	switch v.Assignee {
	case "", anybody:
	case mine:
		id := frame.SignedIn(r).User.ID
		f.AssigneeID = &id
	case nobody:
		f.Unassigned = true
	default:
		f.AssigneeID = frame.OptionalID(&p, "assignee", v.Assignee)
	}
	switch v.Due {
	case "":
	case overdue:
		f.DueBefore = clock.Now
	case dueToday:
		y, m, d := clock.Now.In(clock.Zone).Date()
		f.DueBefore = time.Date(y, m, d+1, 0, 0, 0, 0, clock.Zone)
	default:
		p.Addf("due", "unknown")
	}
	f.ProjectID = frame.OptionalID(&p, "project_id", v.ProjectID)
	f.CampaignID = frame.OptionalID(&p, "campaign_id", v.CampaignID)
	f.Answers = answerPairs(v.Given, v.Question, v.Answer)
	return v, f, p.Err()
}

func memberOptions(members []account.Member) []ui.Option {
	options := make([]ui.Option, len(members))
	for i, m := range members {
		options[i] = ui.Option{Value: m.UserID.String(), Label: m.Name}
	}
	return options
}

func (s *Server) followUpRows(r *http.Request, list []followup.FollowUp) ([]views.FollowUpRow, error) {
	var ids []uuid.UUID
	for _, f := range list {
		if f.CampaignID != nil && !slices.Contains(ids, *f.CampaignID) {
			ids = append(ids, *f.CampaignID)
		}
	}
	names, err := s.Campaigns.Names(r.Context(), frame.SignedIn(r).Organization.ID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]views.FollowUpRow, len(list))
	for i, f := range list {
		rows[i] = FollowUpRow(f)
		if f.CampaignID != nil {
			rows[i].Campaign = names[*f.CampaignID]
		}
	}
	return rows, nil
}

// FollowUpRow returns a follow-up as lists show it.
func FollowUpRow(f followup.FollowUp) views.FollowUpRow {
	return views.FollowUpRow{
		ID: f.ID.String(), Kind: string(f.Kind), Done: f.Status == followup.Done, Reason: f.Reason,
		Name: f.Name, Number: f.PhoneNumber, Withheld: f.Withheld,
		Assignee: frame.OrNone(f.AssigneeName), Due: frame.OrZero(f.DueAt),
		Settled: f.LaterCallID != nil, Created: f.CreatedAt, CreatedBy: f.CreatedBy, DoneBy: frame.OrNone(f.DoneBy),
		DoneAt: frame.OrZero(f.DoneAt), ExternalID: frame.OrNone(f.ExternalID), Noted: f.Note,
	}
}

func (s *Server) ExportFollowUps(w http.ResponseWriter, r *http.Request) error {
	_, filter, err := s.followUpFilter(r)
	if err != nil {
		return err
	}
	rows := s.FollowUps.Export(r.Context(), frame.SignedIn(r).Organization.ID, filter)
	return s.SendCSV(w, r, "follow-ups", followup.ExportHeader, export.File{
		Rows: s.Noted(r, "follow_up.exported", account.Object{Type: "follow_up"}, rows),
	})
}

// followUp reads the follow-up that the path names.
func (s *Server) followUp(r *http.Request) (followup.FollowUp, error) {
	id, err := frame.PathID(r, "Follow-up")
	if err != nil {
		return followup.FollowUp{}, err
	}
	return s.FollowUps.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) FollowUp(w http.ResponseWriter, r *http.Request) error {
	f, err := s.followUp(r)
	if err != nil {
		return err
	}
	return s.renderFollowUp(w, r, http.StatusOK, f, views.FollowUp{
		Note: f.Note, AssigneeID: export.Optional(f.Assignee), DueAt: s.Clock(r).Input(frame.OrZero(f.DueAt)),
	})
}

// renderFollowUp draws the page of a follow-up. v has the fields of its form.
func (s *Server) renderFollowUp(
	w http.ResponseWriter, r *http.Request, status int, f followup.FollowUp, v views.FollowUp,
) error {
	session := frame.SignedIn(r)
	rows, err := s.followUpRows(r, []followup.FollowUp{f})
	if err != nil {
		return err
	}
	members, err := s.Accounts.Members(r.Context(), session.Organization.ID)
	if err != nil {
		return err
	}
	v.FollowUpRow, v.CallID, v.LaterCallID = rows[0], f.CallID.String(), export.Optional(f.LaterCallID)
	v.CampaignID, v.LaterCallAt = export.Optional(f.CampaignID), frame.OrZero(f.LaterCallAt)
	v.Members = append([]ui.Option{{Label: "Nobody"}}, memberOptions(members)...)
	v.ListQuery = frame.ListQuery(r)
	v.CanTake = f.Status == followup.Open && f.Assignee == nil
	return frame.Render(w, r, status, views.FollowUpPage(s.Chrome(r), v))
}

// followUpForm reads the form of a follow-up.
func (s *Server) followUpForm(r *http.Request, f followup.FollowUp) (views.FollowUp, followup.Change, error) {
	form := r.PostForm
	v := views.FollowUp{Note: form.Get("note"), AssigneeID: form.Get("assignee_id"), DueAt: form.Get("due_at")}
	var p fault.Problems
	assignee := frame.OptionalID(&p, "assignee_id", v.AssigneeID)
	change := followup.Change{Assignee: &assignee, Note: &v.Note}
	// The field shows minutes. A time that nobody touched stays to the millisecond, and may have passed.
	if clock := s.Clock(r); v.DueAt != clock.Input(frame.OrZero(f.DueAt)) {
		due := optionalTime(&p, "due_at", v.DueAt, clock.Zone)
		change.DueAt = &due
	}
	return v, change, p.Err()
}

func (s *Server) UpdateFollowUp(w http.ResponseWriter, r *http.Request) error {
	f, err := s.followUp(r)
	if err != nil {
		return err
	}
	v, change, err := s.followUpForm(r, f)
	if err == nil {
		_, err = s.FollowUps.Update(r.Context(), s.Actor(r), f.ID, change, nil)
	}
	return s.Saved(w, r, err, "Follow-up saved", followUpAgain(r, f.ID), func(e ui.Errors) error {
		v.Errors = e
		return s.renderFollowUp(w, r, http.StatusUnprocessableEntity, f, v)
	})
}

func followUpPath(id uuid.UUID) string { return followUpsPath + "/" + id.String() }

// followUpAgain is the page of a follow-up with the query of the list that it was opened from.
func followUpAgain(r *http.Request, id uuid.UUID) string {
	return views.FromList(followUpPath(id), frame.ListQuery(r))
}

func (s *Server) TakeFollowUp(w http.ResponseWriter, r *http.Request) error {
	f, err := s.followUp(r)
	if err != nil {
		return err
	}
	v, change := views.FollowUp{}, followup.Change{}
	if r.PostForm.Has("note") { // the button belongs to the form, so that nothing typed is lost
		v, change, err = s.followUpForm(r, f)
	}
	if err == nil {
		_, err = s.FollowUps.Take(r.Context(), s.Actor(r), f.ID, change)
	}
	return s.Saved(w, r, err, "Follow-up assigned to you", followUpAgain(r, f.ID), func(e ui.Errors) error {
		if f, err = s.followUp(r); err != nil { // somebody else may have it now
			return err
		}
		v.Errors, v.AssigneeID = e, export.Optional(f.Assignee)
		return s.renderFollowUp(w, r, http.StatusUnprocessableEntity, f, v)
	})
}

func (s *Server) FinishFollowUp(w http.ResponseWriter, r *http.Request) error {
	f, err := s.followUp(r)
	if err != nil {
		return err
	}
	v, _, _ := s.followUpForm(r, f) // only the note counts
	_, err = s.FollowUps.Finish(r.Context(), s.Actor(r), f.ID, followup.Finish{Note: &v.Note})
	if fault.KindOf(err) == fault.Conflict {
		return err
	}
	if err == nil {
		s.Undoable(r, "Follow-up marked as done", "Undo",
			views.FromList(followUpPath(f.ID)+"/reopen", frame.ListQuery(r)))
		list := views.AsFiltered(followUpsPath, frame.ListQuery(r))
		return frame.SeeOther(w, r, cmp.Or(frame.ReturnTo(r), list))
	}
	return s.Saved(w, r, err, "", followUpsPath, func(e ui.Errors) error {
		v.Errors = e
		return s.renderFollowUp(w, r, http.StatusUnprocessableEntity, f, v)
	})
}

func (s *Server) ReopenFollowUp(w http.ResponseWriter, r *http.Request) error {
	f, err := s.followUp(r)
	if err != nil {
		return err
	}
	_, err = s.FollowUps.Reopen(r.Context(), s.Actor(r), f.ID)
	return s.Done(w, r, err, "Follow-up reopened", followUpAgain(r, f.ID))
}

func (s *Server) NewFollowUp(w http.ResponseWriter, r *http.Request) error {
	return s.renderNewFollowUp(w, r, http.StatusOK, views.NewFollowUp{
		Mark: frame.NewFormID(), AssigneeID: frame.SignedIn(r).User.ID.String(),
	})
}

// renderNewFollowUp draws the form for a follow-up of the call that the path names.
func (s *Server) renderNewFollowUp(w http.ResponseWriter, r *http.Request, status int, v views.NewFollowUp) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	organization := frame.SignedIn(r).Organization.ID
	c, _, err := s.Calls.Get(r.Context(), organization, id)
	if err != nil {
		return err
	}
	members, err := s.Accounts.Members(r.Context(), organization)
	if err != nil {
		return err
	}
	v.CallID, v.Name, v.Number = id.String(), c.RecipientName, c.PersonNumber
	v.Withheld = c.NumberWithheld
	v.Members = append([]ui.Option{{Label: "Nobody"}}, memberOptions(members)...)
	return frame.Render(w, r, status, views.NewFollowUpPage(s.Chrome(r), v))
}

func (s *Server) CreateFollowUp(w http.ResponseWriter, r *http.Request) error {
	callID, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	form, organization := r.PostForm, frame.SignedIn(r).Organization.ID
	if _, _, err := s.Calls.Get(r.Context(), organization, callID); err != nil {
		return err
	}
	v := views.NewFollowUp{
		Mark: frame.FormID(r), Reason: form.Get("reason"), AssigneeID: form.Get("assignee_id"),
		DueAt: form.Get("due_at"),
	}
	var p fault.Problems
	in := followup.NewFollowUp{
		ID: uuid.MustParse(v.Mark), CallID: callID, Reason: strings.TrimSpace(v.Reason),
		AssigneeID: frame.OptionalID(&p, "assignee_id", v.AssigneeID),
		DueAt:      optionalTime(&p, "due_at", v.DueAt, s.Clock(r).Zone),
	}
	if err = p.Err(); err == nil {
		_, err = s.FollowUps.Create(r.Context(), s.Pool, s.Actor(r), in)
	}
	if fault.KindOf(err) == fault.Conflict { // the form was sent twice, and the first request made this follow-up
		if _, err := s.FollowUps.Get(r.Context(), organization, in.ID); err == nil {
			return frame.SeeOther(w, r, followUpPath(in.ID))
		}
	}
	if err == nil {
		s.FollowUps.Wake()
	}
	return s.Saved(w, r, err, "Follow-up created", followUpPath(in.ID), func(e ui.Errors) error {
		v.Errors = e
		return s.renderNewFollowUp(w, r, http.StatusUnprocessableEntity, v)
	})
}

// callFollowUps returns the follow-ups of a call.
func (s *Server) callFollowUps(r *http.Request, callID uuid.UUID) ([]views.FollowUpRow, error) {
	list, err := s.FollowUps.List(r.Context(), frame.SignedIn(r).Organization.ID, followup.Filter{
		Page: page.Request{Limit: page.ShownLimit}, CallID: &callID,
	})
	if err != nil {
		return nil, err
	}
	return s.followUpRows(r, list.Data)
}
