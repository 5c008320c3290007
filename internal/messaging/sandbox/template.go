package sandbox

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
)

// Template is a message the operator knows, in the words of its interface.
type Template struct {
	Name       string
	Language   string
	Category   string // MARKETING, UTILITY
	Status     string // APPROVED, PAUSED, PENDING, …
	Named      bool   // its variables have names; else numbers from 1
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

// StandardTemplates are the templates of an account that names none: with and
// without variables, by number and by name, in several languages, one paused
// and one not yet approved.
func StandardTemplates() []Template {
	stop := Button{Type: "QUICK_REPLY", Text: "Stop"}
	all := []Template{
		{Name: "heads_up", Language: "en_US", Category: "UTILITY", Components: []Component{
			{Type: "BODY", Text: "We will call you in a few minutes about your appointment."},
		}},
		{Name: "follow_up", Language: "en_US", Category: "MARKETING", Components: []Component{
			{Type: "HEADER", Format: "TEXT", Text: "Thank you, {{1}}"},
			{Type: "BODY", Text: "Hello {{1}}, thank you for talking to {{2}} today. We are here if you have another question."},
			{Type: "FOOTER", Text: "Answer STOP to hear no more from us"},
			{Type: "BUTTONS", Buttons: []Button{{Type: "QUICK_REPLY", Text: "Call me back"}, stop}},
		}},
		{Name: "follow_up", Language: "de", Category: "MARKETING", Components: []Component{
			{Type: "HEADER", Format: "TEXT", Text: "Danke, {{1}}"},
			{Type: "BODY", Text: "Guten Tag {{1}}, danke für das Gespräch mit {{2}}. Bei weiteren Fragen sind wir da."},
			{Type: "FOOTER", Text: "Antworten Sie STOP, um nichts mehr zu erhalten"},
			{Type: "BUTTONS", Buttons: []Button{{Type: "QUICK_REPLY", Text: "Rückruf"}, {Type: "QUICK_REPLY", Text: "Stop"}}},
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
			{Type: "BUTTONS", Buttons: []Button{{Type: "QUICK_REPLY", Text: "I will come"}, {Type: "QUICK_REPLY", Text: "Another time"}}},
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

// id is the same for the same template, everywhere.
func (t *Template) id() string {
	h := fnv.New64a()
	h.Write([]byte(t.Name + "\x00" + t.Language))
	return strconv.FormatUint(h.Sum64()%1e15, 10)
}

func (t *Template) resource() map[string]any {
	format := "POSITIONAL"
	if t.Named {
		format = "NAMED"
	}
	return map[string]any{
		"id": t.id(), "name": t.Name, "language": t.Language, "category": t.Category, "status": t.Status,
		"parameter_format": format, "rejected_reason": "NONE",
		"quality_score": map[string]any{"score": "UNKNOWN", "date": 1763700000},
		"components":    t.Components,
	}
}

// firstReply is what stands on the first button that can be tapped for an
// answer; "" without one.
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

// filling is what a request to send gives to one part of a template.
type filling struct {
	Type       string      `json:"type"`
	SubType    string      `json:"sub_type"`
	Index      string      `json:"index"`
	Parameters []parameter `json:"parameters"`
}

type parameter struct {
	Type       string `json:"type"`
	Name       string `json:"parameter_name"`
	Text       string `json:"text"`
	CouponCode string `json:"coupon_code"`
	Image      *file  `json:"image"`
	Video      *file  `json:"video"`
	Document   *file  `json:"document"`
}

type file struct {
	Link string `json:"link"`
	ID   string `json:"id"`
}

var (
	placeholder = regexp.MustCompile(`\{\{([a-z0-9_]+)\}\}`)
	badSpace    = regexp.MustCompile(`[\n\t\r]| {5}`)
)

// wanted is the distinct variables of a text.
func wanted(text string) []string {
	var names []string
	seen := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	return names
}

// fill checks what a template is given, as the operator would, and returns its
// body as the recipient reads it.
func (t *Template) fill(given []filling) (body string, refused *refusal) {
	find := func(kind, index string) []parameter {
		for _, f := range given {
			if strings.EqualFold(f.Type, kind) && f.Index == index {
				return f.Parameters
			}
		}
		return nil
	}
	used := 0
	for _, c := range t.Components {
		switch c.Type {
		case "HEADER":
			ps := find("header", "")
			used += len(ps)
			if c.Format == "TEXT" {
				if _, refused = t.write(c.Text, ps); refused != nil {
					return "", refused
				}
			} else if len(ps) != 1 || !strings.EqualFold(ps[0].Type, c.Format) || !ps[0].hasFile() {
				return "", refuseWith(132012, "header: Format mismatch, expected "+c.Format)
			}
		case "BODY":
			ps := find("body", "")
			used += len(ps)
			if body, refused = t.write(c.Text, ps); refused != nil {
				return "", refused
			}
		case "BUTTONS":
			for i, b := range c.Buttons {
				ps := find("button", strconv.Itoa(i))
				switch b.Type {
				case "URL":
					used += len(ps)
					for j := range ps {
						if ps[j].Name != "" {
							return "", refuseWith(100, "Unexpected key parameter_name of a button")
						}
					}
					if _, refused = (&Template{}).write(b.URL, ps); refused != nil {
						return "", refused
					}
				case "COPY_CODE":
					used += len(ps)
					if len(ps) != 1 || ps[0].CouponCode == "" {
						return "", refuseWith(131008, "Required parameter is missing: coupon_code")
					}
				case "QUICK_REPLY":
					used += len(ps) // a payload, if one likes
				}
			}
		}
	}
	for _, f := range given {
		used -= len(f.Parameters)
	}
	if used != 0 {
		return "", refuseWith(132000, "Number of parameters does not match the expected number of params")
	}
	return body, nil
}

func (p parameter) hasFile() bool {
	for _, f := range []*file{p.Image, p.Video, p.Document} {
		if f != nil && (f.Link != "" || f.ID != "") {
			return true
		}
	}
	return false
}

// write fills the variables of one text.
func (t *Template) write(text string, ps []parameter) (string, *refusal) {
	names := wanted(text)
	if len(names) != len(ps) {
		return "", refuseWith(132000, fmt.Sprintf("localizable_params (%d) does not match the expected number of params (%d)", len(ps), len(names)))
	}
	values := map[string]string{}
	for i, p := range ps {
		name := strconv.Itoa(i + 1)
		if t.Named {
			name = p.Name
		}
		switch {
		case p.Type != "text":
			return "", refuseWith(132012, "Format mismatch, expected TEXT")
		case p.Text == "":
			return "", refuseWith(131008, "Parameter of type text is missing text value")
		case badSpace.MatchString(p.Text):
			return "", refuseWith(100, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces")
		}
		values[name] = p.Text
	}
	for _, name := range names {
		if values[name] == "" {
			return "", refuseWith(100, "Parameter name is missing or empty")
		}
	}
	return placeholder.ReplaceAllStringFunc(text, func(s string) string { return values[strings.Trim(s, "{}")] }), nil
}
