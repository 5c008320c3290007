package messages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// NewMessage asks for a template first, because the other fields depend on it and the
// page must work without a script.
func (s *Server) NewMessage(w http.ResponseWriter, r *http.Request) error {
	if id := r.URL.Query().Get("template_id"); id != "" {
		t, err := s.chosenTemplate(r, id)
		if err != nil {
			return err
		}
		return s.messageForm(w, r, http.StatusOK, views.MessageForm{Mark: frame.NewFormID(), ExternalID: r.URL.Query().
			Get("external_id")}, t, nil)
	}
	options, err := s.templateChoices(r, func(t connection.Template) string { return t.ID.String() })
	if err != nil {
		return err
	}
	v := views.MessageForm{Templates: options, Off: !s.Messaging.On()}
	if v.Off {
		v.Templates = nil // earlier accounts may still have some
	}
	if len(v.Templates) == 0 && !v.Off {
		numbers, err := s.WhatsApp.Numbers(r.Context(), frame.SignedIn(r).Organization.ID)
		if err != nil {
			return err
		}
		v.Connected = len(numbers) > 0
	}
	return frame.Render(w, r, http.StatusOK, views.MessageFormPage(s.Chrome(r), v))
}

func (s *Server) chosenTemplate(r *http.Request, id string) (connection.Template, error) {
	parsed, err := frame.ParseID(id, "Template")
	if err != nil {
		return connection.Template{}, err
	}
	return s.WhatsApp.Template(r.Context(), frame.SignedIn(r).Organization.ID, parsed)
}

// messageForm draws the form for a template, with the numbers of its account.
func (s *Server) messageForm(
	w http.ResponseWriter, r *http.Request, status int, v views.MessageForm, t connection.Template,
	values map[string]string,
) error {
	numbers, err := s.WhatsApp.Numbers(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if n.ConnectionID == t.ConnectionID {
			v.Numbers = append(v.Numbers, ui.Option{
				Value: n.ExternalID, Label: NumberTitle(n) + ", " + ui.Count(n.Available()) + " available",
			})
		}
	}
	v.TemplateID, v.Template, v.Language = t.ID.String(), t.Content.Name, t.Content.Language
	for _, variable := range t.Content.Variables() {
		v.Variables = append(v.Variables, views.MessageVariable{
			Key: variable.Key, Kind: string(variable.Kind), Value: values[variable.Key],
		})
	}
	v.Preview = Preview(t.Content, values)
	return frame.Render(w, r, status, views.MessageFormPage(s.Chrome(r), v))
}

func (s *Server) SendMessage(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	t, err := s.chosenTemplate(r, form.Get("template_id"))
	if err != nil {
		return err
	}
	v := views.MessageForm{Mark: frame.FormID(r), ExternalID: form.Get("external_id"), To: form.Get("to_number")}
	values := map[string]string{}
	for name := range form {
		if key, ok := strings.CutPrefix(name, "variables."); ok {
			values[key] = form.Get(name)
		}
	}
	if form.Get("action") == "preview" {
		return s.messageForm(w, r, http.StatusOK, v, t, values)
	}
	variables, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("encode the variables of a message: %w", err)
	}
	id := uuid.MustParse(v.Mark)
	m, err := s.Messaging.Create(r.Context(), s.Pool, s.Actor(r), messaging.NewMessage{
		ID: id, ExternalID: v.ExternalID, To: frame.ReadPhone(v.To, frame.SignedIn(r).Organization.Region),
		Template: messaging.TemplateInput{Name: t.Content.Name, Language: t.Content.Language, Variables: variables},
	})
	switch fault.KindOf(err) {
	case fault.Conflict:
		// The form was sent twice. The first request made this message.
		if first, err := s.Messaging.Get(r.Context(), frame.SignedIn(r).Organization.ID, id); err == nil {
			return frame.SeeOther(w, r, messagesPath+"/"+first.ID.String())
		}
	case fault.Invalid, fault.Unprocessable, fault.Unavailable:
		if err != nil {
			v.Errors = ui.ErrorsOf(err)
			return s.messageForm(w, r, http.StatusUnprocessableEntity, v, t, values)
		}
	}
	if err != nil {
		return err
	}
	s.Messaging.Wake()
	s.Toast(r, "Message queued")
	return frame.SeeOther(w, r, messagesPath+"/"+m.ID.String())
}
