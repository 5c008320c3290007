package settings

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const doNotCallPath = "/do-not-call"

func (s *Server) ListDoNotCall(w http.ResponseWriter, r *http.Request) error {
	v, filter, err := s.readDoNotCallFilter(r)
	if err != nil {
		return err
	}
	filter.Page = frame.PageOf(r)
	list, err := s.Suppressions.List(r.Context(), frame.SignedIn(r).Organization.ID, filter)
	if err != nil {
		return err
	}
	v.Pager, v.ListHref = frame.Pager(r, list.NextCursor, "Newest first"), frame.WithParam(r.URL, "", "")
	if list.HasMore && frame.May(r, account.ManageDoNotCall) && v.Filtered() {
		n, err := s.Suppressions.CountRemovals(r.Context(), frame.SignedIn(r).Organization.ID, suppression.Chosen{
			Filter: &filter,
		})
		v.Matching = n.Removed
		if fault.KindOf(err) == fault.Invalid {
			v.Matching = suppression.MaxRemoved + 1
		} else if err != nil {
			return err
		}
	}
	if v.Filters, err = s.SavedFilters(r, doNotCallPath); err != nil {
		return err
	}
	for _, e := range list.Data {
		v.Rows = append(v.Rows, DoNotCallEntry(e))
	}
	return frame.Render(w, r, http.StatusOK, views.DoNotCallPage(s.Chrome(r), v))
}

// readDoNotCallFilter reads the filters of the list. A complete number is also searched
// by its hash, which finds the entry of an erased person. The ID of a subscribed list is a
// source, too. An unknown channel or source counts as no filter.
func (s *Server) readDoNotCallFilter(r *http.Request) (views.DoNotCall, suppression.Filter, error) {
	q := r.URL.Query()
	v := views.DoNotCall{Query: q.Get("q"), Channel: q.Get("channel"), Source: q.Get("source")}
	lists, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Lists.Lists)
	if err != nil {
		return v, suppression.Filter{}, err
	}
	var list *uuid.UUID
	for _, l := range lists {
		v.Lists = append(v.Lists, ui.Option{Value: l.ID.String(), Label: l.Name})
		if v.Source == l.ID.String() {
			list = &l.ID
		}
	}
	if !slices.Contains(suppression.Channels, suppression.Channel(v.Channel)) {
		v.Channel = ""
	}
	source := suppression.Source(v.Source)
	if !slices.Contains(suppression.Sources, source) {
		if source = ""; list == nil {
			v.Source = ""
		}
	}
	// The page names every entry of an erased person so, whatever it came from before.
	sources := page.Only(source)
	if source == suppression.ByErasure {
		sources = nil
	}
	f := suppression.Filter{
		Channels: page.Only(suppression.Channel(v.Channel)),
		Sources:  sources,
		ListID:   list,
		Erased:   source == suppression.ByErasure,
		Search:   v.Query,
		Region:   frame.SignedIn(r).Organization.Region,
	}
	if strings.HasPrefix(strings.TrimSpace(v.Query), "+") {
		if number, err := phone.ParseNational(v.Query, frame.SignedIn(r).Organization.Region); err == nil {
			f.PhoneNumber = number
		}
	}
	export := url.Values{"q": {v.Query}, "channel": {v.Channel}, "source": {v.Source}}
	v.ExportHref = doNotCallPath + "/export?" + export.Encode()
	return v, f, nil
}

// DoNotCallEntry returns an entry as pages show it.
func DoNotCallEntry(e suppression.Entry) views.DoNotCallEntry {
	row := views.DoNotCallEntry{
		ID: e.ID.String(), Number: e.PhoneNumber.String(), Channel: string(e.Channel), Source: string(e.Source),
		Note: e.Note, List: e.ListName, AlsoIn: e.AlsoIn, CreatedBy: e.CreatedBy, Created: e.CreatedAt,
	}
	if e.ListID != nil {
		row.ListID = e.ListID.String()
	}
	if e.CallID != nil {
		row.CallID, row.CreatedBy = e.CallID.String(), "" // the called person asked for the entry
	}
	return row
}

// bothChannels is the choice of all channels in a form. The other choices are a channel.
const bothChannels = "both"

func channelsOf(choice string) []suppression.Channel {
	if choice == bothChannels {
		return suppression.Channels
	}
	return []suppression.Channel{suppression.Channel(choice)}
}

func (s *Server) NewDoNotCall(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.DoNotCallFormPage(s.Chrome(r), views.DoNotCallForm{
		Number:  cmp.Or(s.PersonNumber(r), r.URL.Query().Get("phone_number")),
		Channel: bothChannels,
	}))
}

func (s *Server) AddDoNotCall(w http.ResponseWriter, r *http.Request) error {
	v := views.DoNotCallForm{
		Number: r.PostFormValue("phone_number"), Channel: r.PostFormValue("channel"), Note: r.PostFormValue("note"),
	}
	again := func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.DoNotCallFormPage(s.Chrome(r), v))
	}
	number, err := phone.ParseNational(v.Number, frame.SignedIn(r).Organization.Region)
	if err != nil {
		return again(ui.ErrorsOf(fault.Invalidf("phone_number", "%s", err)))
	}
	added, err := s.Suppressions.AddOn(r.Context(), s.Actor(r), suppression.NewEntry{
		PhoneNumber: number, Source: suppression.ByUser, Note: v.Note,
	}, channelsOf(v.Channel)...)
	// A toast stays until the next page, and the person may be erased before that. Its
	// text therefore contains no number.
	done := "Number added to the do-not-call list"
	if !added {
		done = "This number is already on the do-not-call list"
	}
	return s.Saved(w, r, err, done, doNotCallPath, again)
}

// doNotCallInPath reads the entry that the path names.
func (s *Server) doNotCallInPath(r *http.Request) (suppression.Entry, error) {
	id, err := frame.PathID(r, "Entry")
	if err != nil {
		return suppression.Entry{}, err
	}
	return s.Suppressions.Entry(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) ConfirmRemoveDoNotCall(w http.ResponseWriter, r *http.Request) error {
	e, err := s.doNotCallInPath(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveDoNotCall(DoNotCallEntry(e), "", nil))
}

func (s *Server) RemoveDoNotCall(w http.ResponseWriter, r *http.Request) error {
	e, err := s.doNotCallInPath(r)
	if err != nil {
		return err
	}
	reason := r.PostFormValue("reason")
	err = s.Suppressions.Remove(r.Context(), s.Actor(r), e.ID, reason)
	if err == nil && e.PhoneNumber != "" { // nothing is kept about an erased person
		s.removedDoNotCall(r, "Number", e.ID)
		return frame.SeeOther(w, r, cmp.Or(frame.ReturnTo(r), doNotCallPath))
	}
	return s.Saved(w, r, err, "Number removed from the list", doNotCallPath, func(problems ui.Errors) error {
		question := views.RemoveDoNotCall(DoNotCallEntry(e), reason, problems)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ConfirmPage(s.Chrome(r), question))
	})
}
