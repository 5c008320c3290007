package settings

import (
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
)

const phoneNumbersPath = "/phone-numbers"

func (s *Server) ListPhoneNumbers(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.PhoneNumbers(r.Context(), frame.SignedIn(r).Organization.ID, false, frame.WholePage(r))
	if err != nil {
		return err
	}
	troubles, err := s.Projects.Troubles(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	ids := page.IDs(list.Data, func(n project.PhoneNumber) uuid.UUID { return n.ID })
	stats, err := s.Calls.NumberStats(r.Context(), frame.SignedIn(r).Organization.ID, ids...)
	if err != nil {
		return err
	}
	var v views.PhoneNumbers
	for _, n := range list.Data {
		v.Rows = append(v.Rows, views.PhoneNumber{
			ID: n.ID.String(), Number: n.PhoneNumber.String(), Name: n.Name, Connection: n.Connection,
			Carrier:  n.Carrier.Label(),
			WhatsApp: n.MessagingExternalID != nil, Lines: frame.OrNone(n.MaxConcurrency),
			CallsPerSecond: frame.OrNone(n.CallsPerSecond), Pool: frame.OrNone(n.NumberPool), Created: n.CreatedAt,
			NumberUse: numberUse(stats[n.ID]), Trouble: troubles[n.ID].Text(),
		})
	}
	for i := range v.Rows {
		v.Rows[i].Sandbox = list.Data[i].Carrier == project.Sandbox
	}
	v.Order, v.Pager = frame.Sorted(r, phoneNumbersPath, list.NextCursor, v.Rows, "-created",
		frame.ByText("number", func(n views.PhoneNumber) string { return n.Number }),
		frame.ByText("connection", func(n views.PhoneNumber) string { return n.Connection }),
		frame.ByAmount("rate", func(n views.PhoneNumber) float64 { return frame.LimitOf(n.CallsPerSecond) }),
		frame.ByAmount("lines", func(n views.PhoneNumber) float64 { return frame.LimitOf(n.Lines) }),
		frame.ByTime("created", func(n views.PhoneNumber) time.Time { return n.Created }))
	options, err := s.connectionOptions(r)
	if err != nil {
		return err
	}
	v.Connections = len(options)
	if v.Pools, err = s.numberPools(r); err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.PhoneNumbersPage(s.Chrome(r), v))
}

func numberUse(n call.NumberStats) views.NumberUse {
	return views.NumberUse{
		Today: n.CallsToday, MaxDaily: frame.OrNone(n.MaxDailyCalls), RestsUntil: frame.OrNone(n.RestsUntil),
		Week: n.Week, Month: n.Month,
	}
}

func (s *Server) connectionOptions(r *http.Request) ([]ui.Option, error) {
	connections, err := s.Projects.ActiveConnections(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	for _, c := range connections {
		options = append(options, ui.Option{Value: c.ID.String(), Label: c.Name})
	}
	return options, nil
}

func (s *Server) NewPhoneNumber(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.Restored(r); err != nil {
		return err
	}
	return s.phoneNumberForm(w, r, http.StatusOK, readPhoneNumber(r.PostForm))
}

// readPhoneNumber reads the form as it was typed.
func readPhoneNumber(form url.Values) views.PhoneNumberForm {
	return views.PhoneNumberForm{
		Number: form.Get("phone_number"), ConnectionID: form.Get("connection_id"), Name: form.Get("name"),
		MaxConcurrency: form.Get("max_concurrency"), CallsPerSecond: form.Get("calls_per_second"),
		Messaging: form.Get("messaging_external_id"),
	}
}

func (s *Server) phoneNumberForm(w http.ResponseWriter, r *http.Request, status int, v views.PhoneNumberForm) error {
	var err error
	if v.Connections, err = s.connectionOptions(r); err != nil {
		return err
	}
	if v.ID == "" {
		if err := s.offerNumbers(r, &v); err != nil {
			return err
		}
	}
	numbers, err := s.WhatsApp.Numbers(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	known := v.Messaging == ""
	for _, n := range numbers {
		v.WhatsApp = append(v.WhatsApp, ui.Option{Value: n.ExternalID, Label: messages.NumberTitle(n)})
		known = known || n.ExternalID == v.Messaging
	}
	if !known {
		v.WhatsApp = append(v.WhatsApp, ui.Option{Value: v.Messaging, Label: v.Messaging + ", disconnected"})
	}
	v.WhatsAppOff = !s.Messaging.On()
	return frame.Render(w, r, status, views.PhoneNumberFormPage(s.Chrome(r), v))
}

// offerNumbers adds the numbers that the accounts have at their carriers.
func (s *Server) offerNumbers(r *http.Request, v *views.PhoneNumberForm) error {
	numbers, unread, err := s.Projects.AccountNumbers(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	v.Unread = unread
	for _, n := range numbers {
		label := n.Connection
		if n.Name != "" && n.Name != n.PhoneNumber {
			label = n.Name + ", " + label
		}
		v.Offered = append(v.Offered, views.OfferedNumber{
			Number: n.PhoneNumber, Label: label, ConnectionID: n.ConnectionID.String(),
		})
	}
	return nil
}

func (s *Server) CreatePhoneNumber(w http.ResponseWriter, r *http.Request) error {
	v := readPhoneNumber(r.PostForm)
	connectionID, chosen := check.ParseID(v.ConnectionID)
	again := func(e ui.Errors) error {
		if v.Errors = e; !chosen {
			v.Errors["connection_id"] = "Choose a connection"
		}
		return s.phoneNumberForm(w, r, http.StatusUnprocessableEntity, v)
	}
	var p fault.Problems
	lines, rate := frame.OptionalInt(&p, "max_concurrency",
		v.MaxConcurrency), frame.OptionalFloat(&p, "calls_per_second", v.CallsPerSecond)
	if err := p.Err(); err != nil {
		return again(ui.ErrorsOf(err))
	}
	// Without a connection, the number is refused with all else that is wrong.
	_, err := s.Projects.CreatePhoneNumber(r.Context(), s.Actor(r), project.NewPhoneNumber{
		ConnectionID: connectionID, PhoneNumber: v.Number,
		NumberSettings: project.NumberSettings{
			Name: v.Name, Voice: true, MaxConcurrency: lines, CallsPerSecond: rate, MessagingExternalID: &v.Messaging,
		},
	})
	return s.Saved(w, r, err, "Number added", phoneNumbersPath, again)
}

// phoneNumber reads the number that the path names.
func (s *Server) phoneNumber(r *http.Request) (project.PhoneNumber, error) {
	id, err := frame.PathID(r, "Phone number")
	if err != nil {
		return project.PhoneNumber{}, err
	}
	return s.Projects.PhoneNumber(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) EditPhoneNumber(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		return s.editPhoneNumber(w, r, http.StatusOK, n, readPhoneNumber(r.PostForm))
	}
	return s.editPhoneNumber(w, r, http.StatusOK, n, views.PhoneNumberForm{
		Name:           n.Name,
		MaxConcurrency: frame.Written(n.MaxConcurrency), CallsPerSecond: frame.WrittenFloat(n.CallsPerSecond),
		Messaging: frame.OrNone(n.MessagingExternalID),
	})
}

// editPhoneNumber shows the form of a number with what is known of it.
func (s *Server) editPhoneNumber(
	w http.ResponseWriter, r *http.Request, status int, n project.PhoneNumber, v views.PhoneNumberForm,
) error {
	troubles, err := s.Projects.Troubles(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	stats, err := s.Calls.NumberStatsOf(r.Context(), frame.SignedIn(r).Organization.ID, n.ID)
	if err != nil {
		return err
	}
	v.ID, v.Number, v.Connection = n.ID.String(), n.PhoneNumber.String(), n.Connection
	in, err := s.Projects.Inbound(r.Context(), frame.SignedIn(r).Organization.ID, n.ID)
	if err != nil {
		return err
	}
	if v.Inbound, err = s.inboundWords(r, in); err != nil {
		return err
	}
	if in.Settings.Hours != nil {
		v.InboundHours = hours.Describe(*in.Settings.Hours)
	}
	v.Refused, v.NumberUse = troubles[n.ID].Number, numberUse(stats)
	v.Sandbox = n.Carrier == project.Sandbox
	if n.NumberPoolID != nil {
		v.PoolID, v.Pool = n.NumberPoolID.String(), frame.OrNone(n.NumberPool)
	}
	return s.phoneNumberForm(w, r, status, v)
}

func (s *Server) RetryPhoneNumber(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	err = s.Projects.RetryPhoneNumber(r.Context(), s.Actor(r), n.ID)
	return s.Done(w, r, err, "The next calls are placed one at a time until one works",
		phoneNumbersPath+"/"+n.ID.String())
}

func (s *Server) EndRest(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	err = s.Projects.EndRest(r.Context(), s.Actor(r), n.ID)
	return s.Done(w, r, err, "Rest ended", phoneNumbersPath+"/"+n.ID.String())
}

func (s *Server) UpdatePhoneNumber(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	v := readPhoneNumber(r.PostForm)
	again := func(e ui.Errors) error {
		v.Errors = e
		return s.editPhoneNumber(w, r, http.StatusUnprocessableEntity, n, v)
	}
	var p fault.Problems
	lines, rate := frame.OptionalInt(&p, "max_concurrency",
		v.MaxConcurrency), frame.OptionalFloat(&p, "calls_per_second", v.CallsPerSecond)
	if err := p.Err(); err != nil {
		return again(ui.ErrorsOf(err))
	}
	_, err = s.Projects.UpdatePhoneNumber(r.Context(), s.Actor(r), n.ID, project.NumberSettings{
		Name: v.Name, Voice: n.Voice, MaxConcurrency: lines, CallsPerSecond: rate, MessagingExternalID: &v.Messaging,
	})
	return s.Saved(w, r, err, "Number saved", phoneNumbersPath, again)
}

func (s *Server) ConfirmRemovePhoneNumber(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSetting("Phone numbers", phoneNumbersPath, n.ID.String(), "number",
		ui.Phone(n.PhoneNumber.String()),
		"It can no longer be used for new campaigns. Its calls are kept."))
}

func (s *Server) RemovePhoneNumber(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	err = s.Projects.DeactivatePhoneNumber(r.Context(), s.Actor(r), n.ID)
	return s.Done(w, r, err, "Number removed", phoneNumbersPath)
}
