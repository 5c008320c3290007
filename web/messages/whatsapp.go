package messages

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// whatsAppPath is the prefix of the paths of WhatsApp accounts.
const whatsAppPath = IntegrationsPath + "/whatsapp"

// WhatsAppAccounts returns the accounts in use.
func (s *Server) WhatsAppAccounts(r *http.Request) ([]views.WhatsAppRow, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	accounts, err := page.Collect(ctx, organization, s.WhatsApp.Connections)
	if err != nil || len(accounts) == 0 {
		return nil, err
	}
	numbers, err := s.WhatsApp.Numbers(ctx, organization)
	if err != nil {
		return nil, err
	}
	rows := make([]views.WhatsAppRow, len(accounts))
	for i, c := range accounts {
		rows[i] = whatsappRow(c, numbers)
	}
	return rows, nil
}

func whatsappRow(c connection.Connection, numbers []connection.Number) views.WhatsAppRow {
	row := views.WhatsAppRow{
		ID: c.ID.String(), Name: c.Name, Account: c.Account, Read: frame.OrZero(c.ReadAt), Created: c.CreatedAt,
		State: views.WhatsAppState{
			Error: frame.OrNone(c.LastError), ErrorAt: frame.OrZero(c.LastErrorAt),
			Paused: frame.OrNone(c.PausedReason), PausedUntil: frame.OrZero(c.PausedUntil),
			Subscribed: c.Subscribed, Disconnected: frame.OrZero(c.DisconnectedAt),
		},
	}
	for _, n := range numbers {
		if n.ConnectionID == c.ID {
			row.Numbers++
		}
	}
	return row
}

func (s *Server) NewWhatsApp(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.WhatsAppFormPage(s.Chrome(r), views.WhatsAppForm{
		Off: !s.Messaging.On(),
	}))
}

func readWhatsApp(r *http.Request) connection.Settings {
	return connection.Settings{
		Name: r.PostFormValue("name"), Token: r.PostFormValue("token"), AppSecret: r.PostFormValue("app_secret"),
		VerifyToken: r.PostFormValue("verify_token"),
	}
}

// refusedWhatsApp reports whether the form should show the error. That includes an
// unreachable WhatsApp, so that the person need not type the form again. Only the secrets
// are lost, because a page never contains them.
func refusedWhatsApp(err error) bool {
	if err == nil {
		return false
	}
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict, fault.Unavailable, fault.BadGateway:
		return true
	}
	return false
}

func (s *Server) ConnectWhatsApp(w http.ResponseWriter, r *http.Request) error {
	settings := readWhatsApp(r)
	v := views.WhatsAppForm{Name: settings.Name, Account: r.PostFormValue("account"), Off: !s.Messaging.On()}
	c, err := s.WhatsApp.CreateConnection(r.Context(), s.Actor(r), connection.NewConnection{
		Account: v.Account, Settings: settings,
	})
	if refusedWhatsApp(err) {
		return s.whatsappAgain(w, r, v, err)
	}
	return s.Done(w, r, err, "WhatsApp connected", whatsAppPath+"/"+c.ID.String())
}

// whatsappAgain shows the form with its errors. The log has the cause of any failure
// outside the form.
func (s *Server) whatsappAgain(w http.ResponseWriter, r *http.Request, v views.WhatsAppForm, err error) error {
	v.Errors = ui.ErrorsOf(err)
	if fault.KindOf(err) == fault.BadGateway {
		s.Log.Warn("a WhatsApp account could not be read", "request_id", frame.RequestID(r), "error", err)
		v.Errors = ui.Errors{"": "WhatsApp can't be reached right now. Nothing was saved. Try again in a moment."}
	}
	return frame.Render(w, r, http.StatusUnprocessableEntity, views.WhatsAppFormPage(s.Chrome(r), v))
}

// whatsappConnection reads the account that the path names.
func (s *Server) whatsappConnection(r *http.Request) (connection.Connection, error) {
	id, err := frame.PathID(r, "Connection")
	if err != nil {
		return connection.Connection{}, err
	}
	return s.WhatsApp.Connection(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) ShowWhatsApp(w http.ResponseWriter, r *http.Request) error {
	c, err := s.whatsappConnection(r)
	if err != nil {
		return err
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	numbers, err := s.WhatsApp.Numbers(ctx, organization)
	if err != nil {
		return err
	}
	chrome := s.Chrome(r)
	v := views.WhatsAppConnection{WhatsAppRow: whatsappRow(c, numbers), Off: !s.Messaging.On()}
	for _, n := range numbers {
		if n.ConnectionID == c.ID {
			v.Of = append(v.Of, messagingNumber(n))
		}
	}
	alerts, err := s.WhatsApp.Alerts(ctx, organization, c.ID)
	if err != nil {
		return err
	}
	for _, a := range alerts {
		v.Alerts = append(v.Alerts, views.WhatsAppAlert{
			Kind: a.Kind, Severity: a.Severity, Description: a.Description, Active: a.Status == "ACTIVE", At: a.At,
		})
	}
	if chrome.May(account.ManageConnections) && c.DisconnectedAt == nil {
		back, err := s.WhatsApp.Callback(ctx, organization, c.ID)
		if err != nil {
			return err
		}
		v.CallbackURL, v.VerifyToken = back.URL, back.VerifyToken
		frame.ShowsSecret(w)
	}
	return frame.Render(w, r, http.StatusOK, views.WhatsAppConnectionPage(chrome, v))
}

func (s *Server) EditWhatsApp(w http.ResponseWriter, r *http.Request) error {
	c, err := s.whatsappConnection(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.WhatsAppFormPage(s.Chrome(r), views.WhatsAppForm{
		ID: c.ID.String(), Known: c.Name, Name: c.Name, Account: c.Account, Off: !s.Messaging.On(),
	}))
}

func (s *Server) UpdateWhatsApp(w http.ResponseWriter, r *http.Request) error {
	c, err := s.whatsappConnection(r)
	if err != nil {
		return err
	}
	settings := readWhatsApp(r)
	v := views.WhatsAppForm{
		ID: c.ID.String(), Known: c.Name, Name: settings.Name, Account: c.Account, Off: !s.Messaging.On(),
	}
	if _, err = s.WhatsApp.UpdateConnection(r.Context(), s.Actor(r), c.ID, settings); refusedWhatsApp(err) {
		return s.whatsappAgain(w, r, v, err)
	}
	return s.Done(w, r, err, "Account saved", whatsAppPath+"/"+c.ID.String())
}

func (s *Server) RefreshWhatsApp(w http.ResponseWriter, r *http.Request) error {
	c, err := s.whatsappConnection(r)
	if err != nil {
		return err
	}
	err = s.WhatsApp.RefreshConnection(r.Context(), s.Actor(r), c.ID)
	switch {
	case err != nil && fault.KindOf(err) == fault.BadGateway:
		// The account's page shows the error and its remedy.
		s.Log.Warn("a WhatsApp account could not be read", "request_id", frame.RequestID(r), "error", err)
	case err != nil:
		return err
	default:
		s.Toast(r, "Account refreshed")
	}
	return frame.SeeOther(w, r, whatsAppPath+"/"+c.ID.String())
}

func (s *Server) ConfirmDisconnectWhatsApp(w http.ResponseWriter, r *http.Request) error {
	c, err := s.whatsappConnection(r)
	if err != nil {
		return err
	}
	numbers, err := s.WhatsApp.Numbers(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.DisconnectWhatsApp(whatsappRow(c, numbers)))
}

func (s *Server) DisconnectWhatsApp(w http.ResponseWriter, r *http.Request) error {
	c, err := s.whatsappConnection(r)
	if err != nil {
		return err
	}
	return s.Done(w, r, s.WhatsApp.Disconnect(r.Context(), s.Actor(r), c.ID), "Account disconnected", IntegrationsPath)
}

// IntegrationsPath is the path of the page of all integrations: carriers and WhatsApp.
const IntegrationsPath = "/settings/integrations"
