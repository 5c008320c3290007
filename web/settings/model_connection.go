package settings

import (
	"net/http"
	"strconv"

	"github.com/dialwright/dialwright/internal/fault"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
)

// modelsPath is the prefix of the paths of connections to language models.
const modelsPath = messages.IntegrationsPath + "/models"

// modelRows returns the connections to language models.
func (s *Server) modelRows(r *http.Request) ([]views.ModelRow, error) {
	list, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Models.List)
	if err != nil {
		return nil, err
	}
	rows := make([]views.ModelRow, len(list))
	for i, c := range list {
		rows[i] = views.ModelRow{
			ID: c.ID.String(), Name: c.Name, Provider: c.Provider.Label(), Model: c.Model, Streams: c.Streams,
			State: modelState(c), Created: c.CreatedAt,
		}
	}
	return rows, nil
}

func modelState(c modelconn.Connection) views.ModelState {
	return views.ModelState{
		Failing:       c.Failing(),
		Failures:      c.Failures,
		LastError:     frame.OrNone(c.LastError),
		LastErrorAt:   frame.OrZero(c.LastErrorAt),
		LastSuccessAt: frame.OrZero(c.LastSuccessAt),
		CheckedAt:     frame.OrZero(c.CheckedAt),
		CheckError:    frame.OrNone(c.CheckError),
		FirstTokenMS:  frame.OrNone(c.FirstTokenMS),
		ToolCalls:     frame.OrNone(c.ToolCalls),
	}
}

// sandboxModels are the models of the sandbox to choose from.
func sandboxModels() []ui.Option {
	choices := sandbox.Choices()
	options := make([]ui.Option, len(choices))
	for i, c := range choices {
		options[i] = ui.Option{Value: c.Name, Label: c.Name + ": " + c.Does}
	}
	return options
}

func (s *Server) NewModel(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.ModelFormPage(s.Chrome(r), views.ModelForm{
		Provider: string(modelconn.OpenAICompatible), Sandbox: s.HasSandbox, SandboxModels: sandboxModels(),
		Streams: strconv.Itoa(modelconn.DefaultStreams),
	}))
}

// readModel reads the fields that new and old connections share.
func readModel(r *http.Request, v *views.ModelForm) (modelconn.NewConnection, error) {
	v.Name, v.URL, v.Model = r.PostFormValue("name"), r.PostFormValue("url"), r.PostFormValue("model")
	v.Streams, v.Currency = r.PostFormValue("streams"), r.PostFormValue("currency")
	v.InputPrice, v.OutputPrice = r.PostFormValue("input_price"), r.PostFormValue("output_price")
	v.CachedInputPrice = r.PostFormValue("cached_input_price")
	var p fault.Problems
	// Without scripts, the form shows the fields of every provider.
	if chosen := r.PostFormValue("sandbox_model"); v.Provider == string(modelconn.Sandbox) && chosen != "" {
		v.Model = chosen
	}
	n := modelconn.NewConnection{
		Provider: modelconn.Provider(v.Provider), Name: v.Name, URL: v.URL, Key: r.PostFormValue("key"), Model: v.Model,
		Streams: frame.OptionalInt(&p, "streams", v.Streams), InputPrice: v.InputPrice,
		CachedInputPrice: v.CachedInputPrice, OutputPrice: v.OutputPrice, Currency: v.Currency,
	}
	return n, p.Err()
}

func (s *Server) CreateModel(w http.ResponseWriter, r *http.Request) error {
	v := views.ModelForm{
		Provider: r.PostFormValue("provider"), Sandbox: s.HasSandbox, SandboxModels: sandboxModels(),
	}
	again := func(e ui.Errors) error {
		v.Errors = keyAgain(r, e)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ModelFormPage(s.Chrome(r), v))
	}
	n, err := readModel(r, &v)
	if err != nil {
		return again(ui.ErrorsOf(err))
	}
	if n.Provider == modelconn.Sandbox && !s.HasSandbox {
		return again(ui.Errors{"provider": "this server runs without the sandbox"})
	}
	c, err := s.Models.Create(r.Context(), s.Actor(r), n)
	return s.Saved(w, r, err, "Model connected. Check it before an agent uses it", modelsPath+"/"+c.ID.String(), again)
}

// keyAgain adds to the problems of a form that a page never shows the key that was typed.
func keyAgain(r *http.Request, e ui.Errors) ui.Errors {
	if r.PostFormValue("key") != "" && e.For("key") == "" {
		e["key"] = "enter the key again. It is never shown"
	}
	return e
}

// model reads the connection that the path names.
func (s *Server) model(r *http.Request) (modelconn.Connection, error) {
	id, err := frame.PathID(r, "Model connection")
	if err != nil {
		return modelconn.Connection{}, err
	}
	return s.Models.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// modelForm is the form of a connection with the saved values.
func modelForm(c modelconn.Connection) views.ModelForm {
	return views.ModelForm{
		ID: c.ID.String(), Known: c.Name, Provider: string(c.Provider), ProviderLabel: c.Provider.Label(), Name: c.Name,
		URL: c.URL, HasKey: c.HasKey, Model: c.Model, SandboxModels: sandboxModels(), Streams: strconv.Itoa(c.Streams),
		InputPrice: c.InputPrice, CachedInputPrice: c.CachedInputPrice, OutputPrice: c.OutputPrice,
		Currency: c.Currency, State: modelState(c),
	}
}

func (s *Server) EditModel(w http.ResponseWriter, r *http.Request) error {
	c, err := s.model(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.ModelFormPage(s.Chrome(r), modelForm(c)))
}

func (s *Server) UpdateModel(w http.ResponseWriter, r *http.Request) error {
	c, err := s.model(r)
	if err != nil {
		return err
	}
	v := modelForm(c)
	again := func(e ui.Errors) error {
		v.Errors = keyAgain(r, e)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ModelFormPage(s.Chrome(r), v))
	}
	n, err := readModel(r, &v)
	if err != nil {
		return again(ui.ErrorsOf(err))
	}
	_, err = s.Models.Update(r.Context(), s.Actor(r), c.ID, modelconn.Change{
		Name: &n.Name, URL: &n.URL, Key: &n.Key, Model: &n.Model, Streams: n.Streams, InputPrice: &n.InputPrice,
		CachedInputPrice: &n.CachedInputPrice, OutputPrice: &n.OutputPrice, Currency: &n.Currency,
	}, nil)

	return s.Saved(w, r, err, "Connection saved", modelsPath+"/"+c.ID.String(), again)
}

// CheckModel asks the model for an answer. The page shows how it went.
func (s *Server) CheckModel(w http.ResponseWriter, r *http.Request) error {
	c, err := s.model(r)
	if err != nil {
		return err
	}
	result, err := s.Models.Check(r.Context(), s.Actor(r), c.ID)
	said := "The model answered"
	if result.Error != "" {
		said = "The check failed"
	}
	return s.Done(w, r, err, said, modelsPath+"/"+c.ID.String())
}

func (s *Server) RetryModel(w http.ResponseWriter, r *http.Request) error {
	c, err := s.model(r)
	if err != nil {
		return err
	}
	err = s.Models.TryAgain(r.Context(), s.Actor(r), c.ID)
	return s.Done(w, r, err, "The count of failures was reset", modelsPath+"/"+c.ID.String())
}

func (s *Server) ConfirmRemoveModel(w http.ResponseWriter, r *http.Request) error {
	c, err := s.model(r)
	if err != nil {
		return err
	}
	v := views.RemoveSetting("Integrations", modelsPath, c.ID.String(), "connection", c.Name,
		"Agents can no longer use it, and its key is deleted.")
	v.Crumbs[1].Href = messages.IntegrationsPath
	switch err := s.Models.Unused(r.Context(), frame.SignedIn(r).Organization.ID, c); {
	case fault.KindOf(err) == fault.Conflict && err != nil:
		v.Question.Text, v.Question.Do = fault.As(err).Message+". Choose another connection there first.", ""
	case err != nil:
		return err
	}
	return s.Confirm(w, r, v)
}

func (s *Server) RemoveModel(w http.ResponseWriter, r *http.Request) error {
	c, err := s.model(r)
	if err != nil {
		return err
	}
	err = s.Models.Deactivate(r.Context(), s.Actor(r), c.ID)
	return s.Done(w, r, err, "Connection removed", messages.IntegrationsPath)
}
