package sandbox

import (
	"cmp"
	"hash/fnv"
	"strconv"
)

// Template is a message template of the operator, in the terms of its API.
type Template struct {
	Name       string
	Language   string
	Category   string // MARKETING, UTILITY
	Status     string // APPROVED, PAUSED, PENDING, …
	Quality    string // GREEN, YELLOW, RED; "": UNKNOWN
	Named      bool   // its variables have names; otherwise numbers from 1
	Components []Component
}

// Component is a part of a template.
type Component struct {
	Type    string   `json:"type"`             // HEADER, BODY, FOOTER, BUTTONS
	Format  string   `json:"format,omitempty"` // of a header: TEXT, IMAGE
	Text    string   `json:"text,omitempty"`
	Buttons []Button `json:"buttons,omitempty"`
}

// Button is a button of a template.
type Button struct {
	Type        string `json:"type"` // QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE
	Text        string `json:"text"`
	URL         string `json:"url,omitempty"`
	PhoneNumber string `json:"phone_number,omitempty"`
}

// StandardTemplates returns the templates of an account without its own templates: with and without
// variables, by number and by name, in several languages, including a paused template and a
// template that is not approved yet.
func StandardTemplates() []Template {
	stop := Button{Type: "QUICK_REPLY", Text: "Stop"}
	all := []Template{
		{Name: "heads_up", Language: "en_US", Category: "UTILITY", Components: []Component{
			{Type: "BODY", Text: "We will call you in a few minutes about your appointment."},
		}},
		{Name: "follow_up", Language: "en_US", Category: "MARKETING", Components: []Component{
			{Type: "HEADER", Format: "TEXT", Text: "Thank you, {{1}}"},
			{
				Type: "BODY",
				Text: "Hello {{1}}, thank you for talking to {{2}} today. We are here if you have another question.",
			},
			{Type: "FOOTER", Text: "Answer STOP to hear no more from us"},
			{Type: "BUTTONS", Buttons: []Button{{Type: "QUICK_REPLY", Text: "Call me back"}, stop}},
		}},
		{Name: "follow_up", Language: "de", Category: "MARKETING", Components: []Component{
			{Type: "HEADER", Format: "TEXT", Text: "Danke, {{1}}"},
			{Type: "BODY", Text: "Guten Tag {{1}}, danke für das Gespräch mit {{2}}. Bei weiteren Fragen sind wir da."},
			{Type: "FOOTER", Text: "Antworten Sie STOP, um nichts mehr zu erhalten"},
			{
				Type:    "BUTTONS",
				Buttons: []Button{{Type: "QUICK_REPLY", Text: "Rückruf"}, {Type: "QUICK_REPLY", Text: "Stop"}},
			},
		}},
		{Name: "follow_up", Language: "es", Category: "MARKETING", Components: []Component{
			{Type: "HEADER", Format: "TEXT", Text: "Gracias, {{1}}"},
			{Type: "BODY", Text: "Hola {{1}}, gracias por hablar hoy con {{2}}. Aquí estamos si tiene otra pregunta."},
			{Type: "FOOTER", Text: "Responda STOP para no recibir más mensajes"},
			{Type: "BUTTONS", Buttons: []Button{{Type: "QUICK_REPLY", Text: "Llámenme"}, stop}},
		}},
		{Name: "missed_call", Language: "en_US", Category: "UTILITY", Components: []Component{
			{Type: "BODY", Text: "Hello {{1}}, we could not reach you by phone. Choose a time that suits you."},
			{Type: "BUTTONS", Buttons: []Button{
				{Type: "URL", Text: "Choose a time", URL: "https://example.com/times/{{1}}"},
				{Type: "PHONE_NUMBER", Text: "Call us", PhoneNumber: "+13125550122"},
			}},
		}},
		{Name: "appointment", Language: "en_US", Category: "UTILITY", Named: true, Components: []Component{
			{Type: "BODY", Text: "Hello {{first_name}}, your appointment is on {{day}} at {{time}}."},
			{
				Type: "BUTTONS",
				Buttons: []Button{
					{Type: "QUICK_REPLY", Text: "I will come"}, {Type: "QUICK_REPLY", Text: "Another time"},
				},
			},
		}},
		{Name: "voucher", Language: "en_US", Category: "MARKETING", Components: []Component{
			{Type: "HEADER", Format: "IMAGE"},
			{Type: "BODY", Text: "{{1}}, this one is for you."},
			{Type: "FOOTER", Text: "Answer STOP to hear no more from us"},
			{Type: "BUTTONS", Buttons: []Button{{Type: "COPY_CODE", Text: "Copy the code"}, stop}},
		}},
		{Name: "winter_offer", Language: "en_US", Category: "MARKETING", Status: "PAUSED", Components: []Component{
			{Type: "BODY", Text: "Hello {{1}}, our winter offer ends on {{2}}."},
			{Type: "BUTTONS", Buttons: []Button{stop}},
		}},
		{Name: "survey", Language: "en_US", Category: "MARKETING", Status: "PENDING", Components: []Component{
			{Type: "BODY", Text: "How did you like our call, {{1}}?"},
		}},
	}
	for i := range all {
		if all[i].Status == "" {
			all[i].Status = "APPROVED"
		}
	}
	return all
}

// id returns an ID that is the same for the same template in every process.
func (t *Template) id() string {
	h := fnv.New64a()
	h.Write([]byte(t.Name + "\x00" + t.Language))
	return strconv.FormatUint(h.Sum64()%1e15, 10)
}

func (t *Template) quality() string { return cmp.Or(t.Quality, "UNKNOWN") }

func (t *Template) resource() map[string]any {
	format := "POSITIONAL"
	if t.Named {
		format = "NAMED"
	}
	return map[string]any{
		"id": t.id(), "name": t.Name, "language": t.Language, "category": t.Category, "status": t.Status,
		"parameter_format": format, "rejected_reason": "NONE",
		"quality_score": map[string]any{"score": t.quality(), "date": 1763700000},
		"components":    t.Components,
	}
}

// firstReply returns the label of the first quick-reply button, or "" without one.
func (t *Template) firstReply() string {
	for _, c := range t.Components {
		for _, b := range c.Buttons {
			if b.Type == "QUICK_REPLY" {
				return b.Text
			}
		}
	}
	return ""
}
