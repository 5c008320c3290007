package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Template is a message template, approved or not.
type Template struct {
	ID       string
	Name     string
	Language string // "en_US"; name and language together name a template
	Category string // MARKETING, UTILITY, AUTHENTICATION
	Status   string // APPROVED, PENDING, REJECTED, PAUSED, DISABLED, …
	Reason   string // why it was rejected; "" otherwise
	Quality  string // GREEN, YELLOW, RED, UNKNOWN; "" when not reported
	Named    bool   // its variables have names; otherwise numbers from 1
	Header   Header
	Body     string
	Footer   string
	Buttons  []TemplateButton
	// Other lists the other kinds of components: CAROUSEL, LIMITED_TIME_OFFER, …
	Other []string
}

// Header is the part above the body: a text, or a file that each message provides.
type Header struct {
	Format string // TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION; "" without a header
	Text   string // of TEXT
}

// TemplateButton is a button below the message.
type TemplateButton struct {
	Type string // QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, …
	Text string // its label
	URL  string // of URL; may end in a variable
}

// Templates lists the account's templates, without duplicates, in WhatsApp's order.
func (a *Account) Templates(ctx context.Context) ([]Template, error) {
	path, err := a.path("/message_templates")
	templates := []Template{}
	type key struct{ name, language string }
	known := map[key]bool{}
	if err == nil {
		err = a.list(ctx, path, "id,name,language,status,category,parameter_format,quality_score,rejected_reason,"+
			"components",
			func(item json.RawMessage) error {
				t, err := parseTemplate(item)
				if err != nil || known[key{t.Name, t.Language}] {
					return err // a list that changes while it is read may repeat items
				}
				known[key{t.Name, t.Language}] = true
				templates = append(templates, t)
				return nil
			})
	}
	if err != nil {
		return nil, fmt.Errorf("list WhatsApp templates: %w", err)
	}
	return templates, nil
}

func parseTemplate(item json.RawMessage) (Template, error) {
	var in struct {
		ID       scalar `json:"id"`
		Name     string `json:"name"`
		Language string `json:"language"`
		Category scalar `json:"category"`
		Status   scalar `json:"status"`
		Format   scalar `json:"parameter_format"`
		Reason   scalar `json:"rejected_reason"`
		Quality  struct {
			Score scalar `json:"score"`
		} `json:"quality_score"`
		Components []struct {
			Type    string `json:"type"`
			Format  scalar `json:"format"`
			Text    string `json:"text"`
			Buttons []struct {
				Type string `json:"type"`
				Text string `json:"text"`
				URL  string `json:"url"`
			} `json:"buttons"`
		} `json:"components"`
	}
	if err := decode(item, &in); err != nil {
		return Template{}, err
	}
	if in.Name == "" || in.Language == "" {
		return Template{}, errors.New("a template without a name or a language")
	}
	t := Template{
		ID: string(in.ID), Name: in.Name, Language: in.Language, Category: string(in.Category),
		Status: string(in.Status),
		Reason: in.Reason.unlessNone(), Quality: string(in.Quality.Score),
		Named: strings.EqualFold(string(in.Format), "NAMED"),
	}
	for _, c := range in.Components {
		switch strings.ToUpper(c.Type) {
		case "HEADER":
			t.Header = Header{Format: strings.ToUpper(string(c.Format)), Text: c.Text}
			if t.Header.Format == "" {
				t.Header.Format = headerText
			}
		case "BODY":
			t.Body = c.Text
		case "FOOTER":
			t.Footer = c.Text
		case "BUTTONS":
			for _, b := range c.Buttons {
				t.Buttons = append(t.Buttons, TemplateButton{Type: strings.ToUpper(b.Type), Text: b.Text, URL: b.URL})
			}
		default:
			t.Other = append(t.Other, strings.ToUpper(c.Type))
		}
	}
	return t, nil
}

// Obstacle returns why the template cannot be sent, as a phrase that follows its name ("is
// paused"). It returns "" if the template can be sent.
func (t Template) Obstacle() string {
	switch t.Status {
	case "APPROVED":
	case "PENDING", "IN_APPEAL":
		return "is not approved yet"
	case "":
		return "has no status"
	default:
		return "is " + strings.ReplaceAll(strings.ToLower(t.Status), "_", " ")
	}
	if len(t.Other) > 0 {
		return "has a " + strings.ReplaceAll(strings.ToLower(t.Other[0]), "_", " ") + ", which Dialwright cannot fill"
	}
	switch t.Header.Format {
	case "", headerText, "IMAGE", "VIDEO", "DOCUMENT":
	default:
		return "has a " + strings.ToLower(t.Header.Format) + " in its header, which Dialwright cannot fill"
	}
	for _, b := range t.Buttons {
		switch b.Type {
		case buttonURL, buttonCode, "QUICK_REPLY", "PHONE_NUMBER", "VOICE_CALL":
		default:
			return "has a " + strings.ReplaceAll(strings.ToLower(b.Type), "_", " ") +
				" button, which Dialwright cannot fill"
		}
	}
	return ""
}

const (
	headerText = "TEXT"
	buttonURL  = "URL"
	buttonCode = "COPY_CODE"
)
