package messages

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) ListTemplates(w http.ResponseWriter, r *http.Request) error {
	list, err := s.WhatsApp.Templates(r.Context(), frame.SignedIn(r).Organization.ID, frame.PageOf(r))
	if err != nil {
		return err
	}
	v := views.MessageTemplates{Off: !s.Messaging.On(), Pager: frame.Pager(r, list.NextCursor, "")}
	if len(list.Data) == 0 {
		numbers, err := s.WhatsApp.Numbers(r.Context(), frame.SignedIn(r).Organization.ID)
		if err != nil {
			return err
		}
		v.Connected = len(numbers) > 0
	}
	for _, t := range list.Data {
		v.Rows = append(v.Rows, templateRow(t))
	}
	return frame.Render(w, r, http.StatusOK, views.MessageTemplatesPage(s.Chrome(r), v))
}

func templateRow(t connection.Template) views.MessageTemplateRow {
	return views.MessageTemplateRow{
		ID: t.ID.String(), Name: t.Content.Name, Language: t.Content.Language, Category: t.Content.Category,
		Status: t.Content.Status, Quality: t.Content.Quality,
		Obstacle: t.Content.Obstacle(), Body: t.Content.Body, Connection: t.Connection,
	}
}

func (s *Server) Template(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Template")
	if err != nil {
		return err
	}
	t, err := s.WhatsApp.Template(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if err != nil {
		return err
	}
	v := views.MessageTemplate{
		MessageTemplateRow: templateRow(t), ConnectionID: t.ConnectionID.String(), Change: TemplateChange(t),
		Reason: t.Content.Reason,
		Paused: frame.OrNone(t.PausedReason), Preview: Preview(t.Content, nil),
	}
	for _, variable := range t.Content.Variables() {
		v.Variables = append(v.Variables, variable.Key)
	}
	return frame.Render(w, r, http.StatusOK, views.MessageTemplatePage(s.Chrome(r), v))
}

// TemplateChange describes the changes of a template's category.
func TemplateChange(t connection.Template) views.TemplateChange {
	return views.TemplateChange{
		From: frame.OrNone(t.PreviousCategory), At: frame.OrZero(t.CategoryChangedAt),
		Next: frame.OrNone(t.NextCategory), NextAt: frame.OrZero(t.NextCategoryAt),
		Marketing: t.BecomesMarketing() || t.BecameMarketing(),
	}
}

// Preview draws a template with the values of its variables.
func Preview(t cloud.Template, values map[string]string) views.MessagePreview {
	p := t.Preview(values)
	v := views.MessagePreview{Header: p.Header, Media: p.Media, Body: p.Body, Footer: p.Footer}
	for _, b := range p.Buttons {
		v.Buttons = append(v.Buttons, views.MessageButton{Text: b.Text, URL: b.URL})
	}
	return v
}

// templateChoices returns the templates that can be sent.
func (s *Server) templateChoices(r *http.Request, value func(connection.Template) string) ([]ui.Option, error) {
	all, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.WhatsApp.Templates)
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	accounts := map[uuid.UUID]bool{}
	for _, t := range all {
		accounts[t.ConnectionID] = true
	}
	for _, t := range all {
		if t.Content.Obstacle() != "" {
			continue
		}
		label := t.Content.Name + ", " + t.Content.Language
		if len(accounts) > 1 {
			label += " · " + t.Connection
		}
		options = append(options, ui.Option{Value: value(t), Label: label})
	}
	return options, nil
}
