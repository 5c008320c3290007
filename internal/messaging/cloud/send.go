package cloud

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Message is a template to send to one recipient.
type Message struct {
	NumberID string // WhatsApp's id of the sending number
	To       string // E.164
	Template string // its name
	Language string // "en_US"
	// Reference is the product's ID of the message. WhatsApp repeats it in every status, so a
	// message whose answer was lost can be found. At most 512 characters.
	Reference  string
	Components []Component // from Template.Bind
}

// Component has the values of one part of a template.
type Component struct {
	Type       string      `json:"type"`               // header, body, button
	SubType    string      `json:"sub_type,omitempty"` // of a button
	Index      string      `json:"index,omitempty"`    // of a button
	Parameters []Parameter `json:"parameters"`
}

// Parameter is one value.
type Parameter struct {
	Type       string `json:"type"` // text, image, video, document, coupon_code
	Name       string `json:"parameter_name,omitempty"`
	Text       string `json:"text,omitempty"`
	CouponCode string `json:"coupon_code,omitempty"`
	Image      *Media `json:"image,omitempty"`
	Video      *Media `json:"video,omitempty"`
	Document   *Media `json:"document,omitempty"`
}

// Media is a file that WhatsApp fetches.
type Media struct {
	Link string `json:"link"`
}

// Acceptance is WhatsApp's answer that it has accepted a message. The message may never be
// delivered.
type Acceptance struct {
	MessageID string // wamid.…, repeated in every status
	// WhatsApp's id of the recipient: digits, which may differ from the digits of To; "" if
	// withheld
	WaID  string
	State string // accepted, held_for_quality_assessment, paused
}

const maxReference = 512

var e164Syntax = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// Send sends a message, once. After an error of class Unknown, the message may have been accepted,
// and counts as sent until a status reports its outcome.
func (a *Account) Send(ctx context.Context, m Message) (Acceptance, error) {
	accepted, err := a.send(ctx, m)
	if err != nil {
		return Acceptance{}, fmt.Errorf("send a WhatsApp template: %w", err)
	}
	return accepted, nil
}

func (a *Account) send(ctx context.Context, m Message) (Acceptance, error) {
	switch {
	case !identifier.MatchString(m.NumberID):
		return Acceptance{}, &Error{Class: StopNumber, Reason: "the id of the WhatsApp number is not a number"}
	case !e164Syntax.MatchString(m.To):
		return Acceptance{}, &Error{Class: Permanent, Reason: "the recipient is not an E.164 number"}
	case len(m.Reference) > maxReference:
		return Acceptance{}, &Error{Class: Permanent, Reason: "the reference is too long"}
	}
	type language struct {
		Code string `json:"code"`
	}
	type template struct {
		Name       string      `json:"name"`
		Language   language    `json:"language"`
		Components []Component `json:"components,omitempty"`
	}
	body := struct {
		Product   string   `json:"messaging_product"`
		Recipient string   `json:"recipient_type"`
		To        string   `json:"to"`
		Type      string   `json:"type"`
		Reference string   `json:"biz_opaque_callback_data,omitempty"`
		Template  template `json:"template"`
	}{
		Product: "whatsapp", Recipient: "individual", To: strings.TrimPrefix(m.To, "+"), Type: "template",
		Reference: m.Reference,
		Template:  template{Name: m.Template, Language: language{m.Language}, Components: m.Components},
	}
	var answer struct {
		Contacts []struct {
			WaID scalar `json:"wa_id"`
		} `json:"contacts"`
		Messages []struct {
			ID    scalar `json:"id"`
			State scalar `json:"message_status"`
		} `json:"messages"`
	}
	if err := a.do(ctx, http.MethodPost, "/"+m.NumberID+"/messages", nil, body, &answer); err != nil {
		return Acceptance{}, err
	}
	if len(answer.Messages) != 1 || answer.Messages[0].ID == "" {
		return Acceptance{}, unreadable(errors.New("an acceptance that names no message"))
	}
	accepted := Acceptance{MessageID: string(answer.Messages[0].ID), State: string(answer.Messages[0].State)}
	if accepted.State == "" {
		accepted.State = "accepted"
	}
	if len(answer.Contacts) == 1 {
		accepted.WaID = string(answer.Contacts[0].WaID)
	}
	return accepted, nil
}
