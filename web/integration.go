package web

import (
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const integrationsPath = "/settings/integrations"

func (s *server) integrations(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.Connections(r.Context(), signedIn(r).Organization.ID, wholePage(r))
	if err != nil {
		return err
	}
	var v views.Integrations
	for _, c := range list.Data {
		row := views.Connection{
			ID: c.ID.String(), Name: c.Name, Carrier: c.Kind.Label(), Account: c.Account,
			CallsPerSecond: orNone(c.CallsPerSecond), Lines: orNone(c.MaxConcurrency), Created: c.CreatedAt,
		}
		if c.ConsecutiveErrors > 0 {
			row.Error, row.ErrorAt = orNone(c.LastError), orZero(c.LastErrorAt)
		}
		v.Rows = append(v.Rows, row)
	}
	v.Order, v.Pager = sorted(r, integrationsPath, list.NextCursor, v.Rows, "-created",
		byText("name", func(c views.Connection) string { return c.Name }),
		byTime("state", func(c views.Connection) time.Time { return c.ErrorAt }),
		byAmount("rate", func(c views.Connection) float64 { return limitOf(c.CallsPerSecond) }),
		byAmount("lines", func(c views.Connection) float64 { return limitOf(c.Lines) }),
		byTime("created", func(c views.Connection) time.Time { return c.Created }))
	v.WhatsAppOff = !s.Messaging.On()
	if v.WhatsApp, err = s.whatsappAccounts(r); err != nil {
		return err
	}
	return render(w, r, http.StatusOK, views.IntegrationsPage(s.chrome(r), v))
}

func (s *server) newConnection(w http.ResponseWriter, r *http.Request) error {
	return render(w, r, http.StatusOK, views.ConnectionFormPage(s.chrome(r), views.ConnectionForm{
		Kind: string(project.Twilio), Sandbox: s.HasSandbox, CallsPerSecond: "1",
	}))
}

// readConnection reads the fields that new and old connections share.
func readConnection(r *http.Request, v *views.ConnectionForm) (project.ConnectionSettings, error) {
	v.Name, v.CallsPerSecond, v.MaxConcurrency = r.PostFormValue("name"), r.PostFormValue("calls_per_second"), r.PostFormValue("max_concurrency")
	var p fault.Problems
	settings := project.ConnectionSettings{
		Name: v.Name, Token: r.PostFormValue("token"),
		CallsPerSecond: optionalFloat(&p, "calls_per_second", v.CallsPerSecond), MaxConcurrency: optionalInt(&p, "max_concurrency", v.MaxConcurrency),
	}
	return settings, p.Err()
}

func (s *server) createConnection(w http.ResponseWriter, r *http.Request) error {
	v := views.ConnectionForm{Sandbox: s.HasSandbox, Kind: r.PostFormValue("kind"), Account: r.PostFormValue("account")}
	again := func(e ui.Errors) error {
		v.Errors = e
		return render(w, r, http.StatusUnprocessableEntity, views.ConnectionFormPage(s.chrome(r), v))
	}
	settings, err := readConnection(r, &v)
	if err != nil {
		return again(ui.ErrorsOf(err))
	}
	if v.Kind == string(project.Sandbox) && !s.HasSandbox {
		return again(ui.Errors{"kind": "this server runs without the sandbox"})
	}
	_, err = s.Projects.CreateConnection(r.Context(), s.actor(r), project.NewConnection{
		Kind: project.Kind(v.Kind), Account: v.Account, ConnectionSettings: settings,
	})
	return s.saved(w, r, err, "Carrier connected", integrationsPath, again)
}

// connection is the one in the path.
func (s *server) connection(r *http.Request) (project.Connection, error) {
	id, err := pathID(r, "Connection")
	if err != nil {
		return project.Connection{}, err
	}
	return s.Projects.Connection(r.Context(), signedIn(r).Organization.ID, id)
}

func (s *server) editConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	v := views.ConnectionForm{ID: c.ID.String(), Kind: string(c.Kind), Name: c.Name, Account: c.Account, MaxConcurrency: written(c.MaxConcurrency)}
	v.CallsPerSecond = writtenFloat(c.CallsPerSecond)
	return render(w, r, http.StatusOK, views.ConnectionFormPage(s.chrome(r), v))
}

func (s *server) updateConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	v := views.ConnectionForm{ID: c.ID.String(), Kind: string(c.Kind), Account: c.Account}
	again := func(e ui.Errors) error {
		v.Errors = e
		return render(w, r, http.StatusUnprocessableEntity, views.ConnectionFormPage(s.chrome(r), v))
	}
	settings, err := readConnection(r, &v)
	if err != nil {
		return again(ui.ErrorsOf(err))
	}
	_, err = s.Projects.UpdateConnection(r.Context(), s.actor(r), c.ID, settings)
	return s.saved(w, r, err, "Connection saved", integrationsPath, again)
}

func (s *server) confirmRemoveConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	return s.confirm(w, r, views.RemoveSetting("Integrations", integrationsPath, c.ID.String(), "connection", c.Name,
		"It can no longer place calls, and its credentials are deleted. Its calls are kept."))
}

func (s *server) removeConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	if err := s.Projects.DeactivateConnection(r.Context(), s.actor(r), c.ID); err != nil {
		return err
	}
	s.toast(r, "Connection removed")
	return seeOther(w, r, integrationsPath)
}
