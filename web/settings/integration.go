package settings

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
)

func (s *Server) ListIntegrations(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.Connections(r.Context(), frame.SignedIn(r).Organization.ID, frame.WholePage(r))
	if err != nil {
		return err
	}
	unready, err := s.Projects.UnreadyOf(r.Context(), frame.SignedIn(r).Organization.ID, list.Data)
	if err != nil {
		return err
	}
	var v views.Integrations
	for _, c := range list.Data {
		row := views.Connection{
			ID: c.ID.String(), Name: c.Name, Carrier: c.Kind.Label(), Account: c.Account,
			CallsPerSecond: frame.OrNone(c.CallsPerSecond), Lines: frame.OrNone(c.MaxConcurrency), Created: c.CreatedAt,
		}
		if c.Failing() {
			row.Error, row.ErrorAt = c.Text(), frame.OrZero(c.LastErrorAt)
		}
		if checks := unready[c.ID]; len(checks) > 0 {
			row.NotReady = notReady(checks)
		}
		v.Rows = append(v.Rows, row)
	}
	v.Order, v.Pager = frame.Sorted(r, messages.IntegrationsPath, list.NextCursor, v.Rows, "-created",
		frame.ByText("name", func(c views.Connection) string { return c.Name }),
		frame.ByAmount("state", func(c views.Connection) int {
			switch {
			case c.Error != "":
				return 2
			case c.NotReady != "":
				return 1
			}
			return 0
		}),
		frame.ByAmount("rate", func(c views.Connection) float64 { return frame.LimitOf(c.CallsPerSecond) }),
		frame.ByAmount("lines", func(c views.Connection) float64 { return frame.LimitOf(c.Lines) }),
		frame.ByTime("created", func(c views.Connection) time.Time { return c.Created }))
	v.WhatsAppOff = !s.Messaging.On()
	if v.WhatsApp, err = s.messages.WhatsAppAccounts(r); err != nil {
		return err
	}
	if v.Models, err = s.modelRows(r); err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.IntegrationsPage(s.Chrome(r), v))
}

// notReady names the checks that keep campaigns from starting.
func notReady(checks []project.Check) string {
	if checks[0].CheckedAt.IsZero() {
		return "Not checked yet"
	}
	names := make([]string, len(checks))
	for i, check := range checks {
		names[i] = check.Name.Label()
	}
	return english.List(names)
}

func (s *Server) NewConnection(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.ConnectionFormPage(s.Chrome(r), views.ConnectionForm{
		Kind: string(project.Twilio), Sandbox: s.HasSandbox, CallsPerSecond: "1", Regions: regions(),
	}))
}

// regions are the regions of Twilio to choose from.
func regions() []ui.Option {
	options := make([]ui.Option, len(project.Regions))
	for i, r := range project.Regions {
		options[i] = ui.Option{Value: string(r), Label: r.Label()}
	}
	return options
}

// readConnection reads the fields that new and old connections share.
func readConnection(r *http.Request, v *views.ConnectionForm) (project.ConnectionSettings, fault.Problems) {
	v.Name, v.APIKey = r.PostFormValue("name"), r.PostFormValue("api_key")
	v.CallsPerSecond, v.MaxConcurrency = r.PostFormValue("calls_per_second"), r.PostFormValue("max_concurrency")
	v.DetectionRate, v.RelayRate = r.PostFormValue("detection_rate"), r.PostFormValue("relay_rate")
	var p fault.Problems
	settings := project.ConnectionSettings{
		Name: v.Name, Token: r.PostFormValue("token"), APIKey: v.APIKey, APISecret: r.PostFormValue("api_secret"),
		CallsPerSecond: frame.OptionalFloat(&p, "calls_per_second", v.CallsPerSecond),
		MaxConcurrency: frame.OptionalInt(&p, "max_concurrency", v.MaxConcurrency),
		DetectionRate:  v.DetectionRate, RelayRate: v.RelayRate,
	}
	return settings, p
}

func (s *Server) CreateConnection(w http.ResponseWriter, r *http.Request) error {
	v := views.ConnectionForm{
		Sandbox: s.HasSandbox, Kind: r.PostFormValue("carrier"), Account: r.PostFormValue("account"),
		Regions: regions(), Region: r.PostFormValue("region"),
	}
	again := func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ConnectionFormPage(s.Chrome(r), v))
	}
	settings, p := readConnection(r, &v)
	n := project.NewConnection{
		Kind: project.Kind(v.Kind), Account: v.Account, Region: project.Region(v.Region), ConnectionSettings: settings,
	}
	if p.Len() > 0 {
		p.Also(n.Check())
		return again(ui.ErrorsOf(p.Err()))
	}
	c, err := s.Projects.CreateConnection(r.Context(), s.Actor(r), n)
	return s.Saved(w, r, err, "Carrier connected", messages.IntegrationsPath+"/"+c.ID.String(), again)
}

// connection reads the connection that the path names.
func (s *Server) connection(r *http.Request) (project.Connection, error) {
	id, err := frame.PathID(r, "Connection")
	if err != nil {
		return project.Connection{}, err
	}
	return s.Projects.Connection(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) EditConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	v := views.ConnectionForm{
		ID: c.ID.String(), Kind: string(c.Kind), Name: c.Name, Account: c.Account, Region: c.Region.Label(),
		MaxConcurrency: frame.Written(c.MaxConcurrency), APIKey: frame.OrNone(c.APIKey),
		HasAPIKey: c.APIKey != nil, PreviousTokenUntil: frame.OrZero(c.PreviousTokenUntil),
		DetectionRate: c.DetectionRate, RelayRate: c.RelayRate,
	}
	v.CallsPerSecond = frame.WrittenFloat(c.CallsPerSecond)
	checks, err := s.Projects.Readiness(r.Context(), frame.SignedIn(r).Organization.ID, c.ID)
	if err != nil {
		return err
	}
	v.Checks = frame.Checks(checks)
	for _, check := range checks {
		v.CheckedAt = check.CheckedAt
	}
	if c.Failed() {
		v.Problem, v.Cause = c.Summary(), cause(c)
	}
	return frame.Render(w, r, http.StatusOK, views.ConnectionFormPage(s.Chrome(r), v))
}

func (s *Server) UpdateConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	v := views.ConnectionForm{
		ID: c.ID.String(), Kind: string(c.Kind), Account: c.Account, Region: c.Region.Label(),
		HasAPIKey: c.APIKey != nil, PreviousTokenUntil: frame.OrZero(c.PreviousTokenUntil),
	}
	again := func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ConnectionFormPage(s.Chrome(r), v))
	}
	settings, p := readConnection(r, &v)
	if p.Len() > 0 {
		p.Also(settings.Check(c.Kind))
		return again(ui.ErrorsOf(p.Err()))
	}
	_, err = s.Projects.UpdateConnection(r.Context(), s.Actor(r), c.ID, settings)
	return s.Saved(w, r, err, "Connection saved", messages.IntegrationsPath, again)
}

// ConfirmRemovePreviousToken asks before the token that was replaced is forgotten.
func (s *Server) ConfirmRemovePreviousToken(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemovePreviousToken(c.ID.String(), c.Name))
}

func (s *Server) RemovePreviousToken(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	err = s.Projects.RemovePreviousToken(r.Context(), s.Actor(r), c.ID)
	return s.Done(w, r, err, "Previous token removed", messages.IntegrationsPath+"/"+c.ID.String())
}

// CheckConnection makes the checks before real calls.
func (s *Server) CheckConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	_, err = s.Projects.CheckReadiness(r.Context(), s.Actor(r), c.ID)
	return s.Done(w, r, err, "Connection checked", messages.IntegrationsPath+"/"+c.ID.String())
}

// remedies says what to do about the errors of Twilio that end a line, by their codes.
var remedies = map[string]string{
	"64101": "Accept the terms of ConversationRelay in Twilio's console, under Voice. Check that the account may " +
		"use it.",
	"64102": "Check that the server's public address is https with a valid certificate, and that your proxy passes " +
		"WebSockets on.",
	"64105": "Look for a proxy that closes WebSockets, and for servers that restart.",
	"64106": "Choose another voice or transcription in the agent's settings.",
	"64107": "Look for something between Twilio and the server that changes messages.",
	"64114": "See Twilio's status page.",
}

var errorCode = regexp.MustCompile(`\((\d+)\)$`)

// cause says why the last call failed, what to do, and what campaigns do meanwhile.
func cause(c project.Connection) string {
	var sentences []string
	if why := frame.OrNone(c.LastError); why != "" {
		sentences = append(sentences, ui.Capital(why)+".")
		if m := errorCode.FindStringSubmatch(why); m != nil && remedies[m[1]] != "" {
			sentences = append(sentences, remedies[m[1]])
		}
	}
	return strings.Join(append(sentences, frame.ConnectionNote(c)), " ")
}

func (s *Server) RetryConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	err = s.Projects.RetryConnection(r.Context(), s.Actor(r), c.ID)
	return s.Done(w, r, err, "The next calls are placed one at a time until one works",
		messages.IntegrationsPath+"/"+c.ID.String())
}

func (s *Server) ConfirmRemoveConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSetting("Integrations", messages.IntegrationsPath, c.ID.String(), "connection",
		c.Name,
		"It can no longer place calls. Its calls are kept. Its credentials stay encrypted, because recordings need "+
			"them."))
}

func (s *Server) RemoveConnection(w http.ResponseWriter, r *http.Request) error {
	c, err := s.connection(r)
	if err != nil {
		return err
	}
	err = s.Projects.DeactivateConnection(r.Context(), s.Actor(r), c.ID)
	return s.Done(w, r, err, "Connection removed", messages.IntegrationsPath)
}
