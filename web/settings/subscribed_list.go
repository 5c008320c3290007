package settings

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const subscribedListsPath = doNotCallPath + "/lists"

func (s *Server) ListSubscribedLists(w http.ResponseWriter, r *http.Request) error {
	v, err := s.subscribedListsView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.SubscribedListsPage(s.Chrome(r), v))
}

func (s *Server) SubscribedListsEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "lists", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.subscribedListsView(r)
		return views.SubscribedListsLive(s.LiveChrome(r, subscribedListsPath), v), false, err
	})
}

func (s *Server) subscribedListsView(r *http.Request) (views.SubscribedLists, error) {
	v := views.SubscribedLists{Most: subscribed.MaxLists, EventsHref: subscribedListsPath + "/events"}
	lists, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Lists.Lists)
	for _, l := range lists {
		v.Rows = append(v.Rows, subscribedList(l))
	}
	return v, err
}

func subscribedList(l subscribed.List) views.SubscribedList {
	v := views.SubscribedList{
		ID: l.ID.String(), Name: l.Name, Host: webhook.HostOf(l.URL), Numbers: l.Numbers, Rejected: l.Rejected,
		Fetching:  l.Fetching,
		FetchedAt: frame.OrZero(l.FetchedAt), NextAt: l.NextFetchAt, LastError: frame.OrNone(l.LastError),
		FailedAt: frame.OrZero(l.LastErrorAt), Failures: l.Failures, HeldBack: frame.OrNone(l.HeldBack),
		Effect: l.Effect(),
	}
	for _, c := range l.Channels {
		v.Channels = append(v.Channels, string(c))
	}
	return v
}

// withRows adds the rows of the last file that could not be read.
func (s *Server) withRows(r *http.Request, l subscribed.List) (views.SubscribedList, error) {
	v := subscribedList(l)
	if l.Rejected == 0 {
		return v, nil
	}
	rows, err := s.Lists.RejectedRows(r.Context(), frame.SignedIn(r).Organization.ID, l.ID)
	v.Kept = len(rows)
	for _, p := range rows[:min(len(rows), shownRows)] {
		v.Wrong = append(v.Wrong, views.DoNotCallWrong{Line: p.Line, Cell: p.Cell, Reason: ui.Capital(p.Reason)})
	}
	return v, err
}

// shownRows is how many rows that could not be read stand above the form of a list.
const shownRows = 10

// SubscribedListRows answers with a file of the rows of the last file that could not be read.
func (s *Server) SubscribedListRows(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	rows, err := s.Lists.RejectedRows(r.Context(), frame.SignedIn(r).Organization.ID, l.ID)
	if err != nil {
		return err
	}
	return s.SendCSV(w, r, "rows-to-fix", problemHeader, export.File{Rows: problemRows(rows)})
}

func (s *Server) NewSubscribedList(w http.ResponseWriter, r *http.Request) error {
	lists, err := s.subscribedListsView(r)
	if err != nil {
		return err
	}
	if len(lists.Rows) >= subscribed.MaxLists {
		return frame.Render(w, r, http.StatusOK, views.SubscribedListsFullPage(s.Chrome(r), subscribed.MaxLists))
	}
	return frame.Render(w, r, http.StatusOK, views.SubscribedListFormPage(s.Chrome(r), views.SubscribedListForm{
		Channel: bothChannels, EveryHours: "24",
	}))
}

// readSubscribedList reads the form into v.
func readSubscribedList(r *http.Request, v *views.SubscribedListForm) subscribed.Draft {
	v.Name, v.URL, v.Channel = r.PostFormValue("name"), r.PostFormValue("url"), r.PostFormValue("channel")
	v.EveryHours, v.HeaderName = r.PostFormValue("every_hours"), r.PostFormValue("header_name")
	d := subscribed.Draft{Name: v.Name, URL: v.URL, HeaderName: v.HeaderName}
	if v.Channel != "" {
		d.Channels = channelsOf(v.Channel)
	}
	d.EveryHours, _ = strconv.Atoi(v.EveryHours) // 0 is refused
	if value := r.PostFormValue("header_value"); value != "" {
		d.HeaderValue = &value
	}
	return d
}

// subscribedListAgain shows the form again with its problems. A page never shows the value that was typed.
func (s *Server) subscribedListAgain(
	w http.ResponseWriter, r *http.Request, v *views.SubscribedListForm,
) func(ui.Errors) error {
	return func(e ui.Errors) error {
		v.Errors = e
		if r.PostFormValue("header_value") != "" {
			v.Errors["header_value"] = cmp.Or(e.For("header_value"), "enter the value again. It is never shown")
		}
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.SubscribedListFormPage(s.Chrome(r), *v))
	}
}

func (s *Server) CreateSubscribedList(w http.ResponseWriter, r *http.Request) error {
	var v views.SubscribedListForm
	_, err := s.Lists.Create(r.Context(), s.Actor(r), readSubscribedList(r, &v))
	return s.Saved(w, r, err, "List added. It is fetched soon", subscribedListsPath, s.subscribedListAgain(w, r, &v))
}

// subscribedListInPath reads the list that the path names.
func (s *Server) subscribedListInPath(r *http.Request) (subscribed.List, error) {
	id, err := frame.PathID(r, "Subscribed list")
	if err != nil {
		return subscribed.List{}, err
	}
	return s.Lists.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// subscribedListForm is the form of a list with the saved values.
func (s *Server) subscribedListForm(r *http.Request, l subscribed.List) (views.SubscribedListForm, error) {
	saved, err := s.withRows(r, l)
	v := views.SubscribedListForm{
		ID: l.ID.String(), Known: l.Name, Name: l.Name, URL: l.URL, Channel: bothChannels,
		EveryHours: strconv.Itoa(l.EveryHours), HeaderName: l.HeaderName, HasHeader: l.HeaderName != "",
		Saved: saved, EventsHref: subscribedListsPath + "/" + l.ID.String() + "/events",
	}
	if !slices.Equal(l.Channels, slices.Sorted(slices.Values(suppression.Channels))) {
		v.Channel = string(l.Channels[0])
	}
	return v, err
}

// EditSubscribedList is the page of a list. Members who may not change it read its state.
func (s *Server) EditSubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	v, err := s.subscribedListForm(r, l)
	if err != nil {
		return err
	}
	if !frame.May(r, account.ManageDoNotCall) { // its address may contain a secret
		return frame.Render(w, r, http.StatusOK, views.SubscribedListPage(s.Chrome(r), v))
	}
	return frame.Render(w, r, http.StatusOK, views.SubscribedListFormPage(s.Chrome(r), v))
}

func (s *Server) SubscribedListEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "list", func(r *http.Request) (templ.Component, bool, error) {
		l, err := s.subscribedListInPath(r)
		if err != nil {
			return nil, false, err
		}
		v, err := s.withRows(r, l)
		return views.SubscribedListLive(s.LiveChrome(r, subscribedListsPath+"/"+v.ID), v), false, err
	})
}

func (s *Server) UpdateSubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	v, err := s.subscribedListForm(r, l)
	if err != nil {
		return err
	}
	_, err = s.Lists.Update(r.Context(), s.Actor(r), l.ID, readSubscribedList(r, &v))
	return s.Saved(w, r, err, "List saved. It is fetched soon", subscribedListsPath, s.subscribedListAgain(w, r, &v))
}

func (s *Server) FetchSubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	_, err = s.Lists.FetchNow(r.Context(), s.Actor(r), l.ID, false)
	return s.Done(w, r, err, "The list is fetched soon", subscribedListsPath)
}

func (s *Server) ConfirmApplySubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	numbers, err := s.Lists.Numbers(r.Context(), frame.SignedIn(r).Organization.ID, l.ID)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.ApplySubscribedList(subscribedList(l), numbers.Leaving))
}

func (s *Server) ApplySubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	_, err = s.Lists.FetchNow(r.Context(), s.Actor(r), l.ID, true)
	return s.Done(w, r, err, "The file is fetched and applied soon",
		subscribedListsPath+"/"+l.ID.String())
}

func (s *Server) ConfirmRemoveSubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	numbers, err := s.Lists.Numbers(r.Context(), frame.SignedIn(r).Organization.ID, l.ID)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSubscribedList(l.ID.String(), l.Name, views.SubscribedNumbers(numbers)))
}

func (s *Server) RemoveSubscribedList(w http.ResponseWriter, r *http.Request) error {
	l, err := s.subscribedListInPath(r)
	if err != nil {
		return err
	}
	removed, err := s.Lists.Remove(r.Context(), s.Actor(r), l.ID)
	return s.Done(w, r, err, views.SubscribedListRemoved(removed), subscribedListsPath)
}
