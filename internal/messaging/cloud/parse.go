package cloud

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse reads the body of a webhook. It leaves out unknown events. It also leaves out known events
// that it cannot read, and counts them in skipped: the other events must not be lost, and WhatsApp
// would only repeat the same webhook. Parse fails only for a body that is not a webhook of a
// business account.
func Parse(body []byte) (events []Event, skipped int, err error) {
	p, err := parse(body)
	return p.events, p.skipped, err
}

func parse(body []byte) (parser, error) {
	var in struct {
		Object string            `json:"object"`
		Entry  []json.RawMessage `json:"entry"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return parser{}, fmt.Errorf("read a WhatsApp webhook: %w", err)
	}
	if in.Object != "whatsapp_business_account" {
		return parser{}, fmt.Errorf("read a WhatsApp webhook: of another kind of object")
	}
	p := parser{}
	each(in.Entry, &p.skipped, p.entry)
	return p, nil
}

type parser struct {
	account string    // of the entry being read
	at      time.Time // of the entry being read; zero if not reported
	events  []Event
	unknown []string // fields whose events are left out
	skipped int
}

func (p *parser) add(e Event) { p.events = append(p.events, e) }

// each decodes items one at a time, so that a broken item does not affect the other items.
func each[T any](items []json.RawMessage, skipped *int, f func(T)) {
	for _, item := range items {
		var v T
		if err := decode(item, &v); err != nil {
			*skipped++
			continue
		}
		f(v)
	}
}

type entry struct {
	ID      scalar            `json:"id"`
	Time    scalar            `json:"time"`
	Changes []json.RawMessage `json:"changes"`
}

type change struct {
	Field string          `json:"field"`
	Value json.RawMessage `json:"value"`
}

func (p *parser) entry(e entry) {
	p.account, p.at = string(e.ID), e.Time.time()
	each(e.Changes, &p.skipped, func(c change) {
		one := []json.RawMessage{c.Value}
		switch c.Field {
		case "messages", "user_preferences":
			each(one, &p.skipped, p.messages)
		case "business_capability_update":
			each(one, &p.skipped, p.capability)
		case "phone_number_quality_update":
			each(one, &p.skipped, p.quality)
		case "account_update":
			each(one, &p.skipped, p.accountUpdate)
		case "message_template_status_update":
			each(one, &p.skipped, p.template)
		case "template_category_update":
			each(one, &p.skipped, p.category)
		case "message_template_quality_update":
			each(one, &p.skipped, p.templateQuality)
		case "phone_number_name_update":
			each(one, &p.skipped, p.name)
		case "account_alerts":
			each(one, &p.skipped, p.alert)
		default:
			p.unknown = append(p.unknown, c.Field)
		}
	})
}

type messagesValue struct {
	Metadata struct {
		NumberID scalar `json:"phone_number_id"`
	} `json:"metadata"`
	Contacts []struct {
		WaID    scalar `json:"wa_id"`
		UserID  scalar `json:"user_id"`
		Profile struct {
			Name scalar `json:"name"`
		} `json:"profile"`
	} `json:"contacts"`
	Statuses    []json.RawMessage `json:"statuses"`
	Messages    []json.RawMessage `json:"messages"`
	Preferences []json.RawMessage `json:"user_preferences"`
}

func (p *parser) messages(v messagesValue) {
	number := string(v.Metadata.NumberID)
	each(v.Statuses, &p.skipped, func(s statusValue) {
		if s.ID == "" && s.Reference == "" || s.Status == "" {
			p.skipped++
			return
		}
		p.add(s.status(p.account, number))
	})
	each(v.Messages, &p.skipped, func(m inboundValue) {
		if m.ID == "" {
			p.skipped++
			return
		}
		in := m.inbound(p.account, number)
		for _, c := range v.Contacts {
			if string(c.WaID) == in.WaID && in.WaID != "" || string(c.UserID) == in.UserID && in.UserID != "" ||
				len(v.Contacts) == 1 {
				in.Name = string(c.Profile.Name)
				if in.UserID == "" {
					in.UserID = string(c.UserID)
				}
				break
			}
		}
		p.add(in)
	})
	each(v.Preferences, &p.skipped, func(u struct {
		WaID      scalar `json:"wa_id"`
		Category  scalar `json:"category"`
		Value     scalar `json:"value"`
		Timestamp scalar `json:"timestamp"`
	}) {
		if u.WaID == "" || u.Value == "" {
			p.skipped++
			return
		}
		p.add(Preference{
			AccountID: p.account, NumberID: number, WaID: string(u.WaID), Category: string(u.Category),
			Value: strings.ToLower(string(u.Value)), At: u.Timestamp.time(),
		})
	})
}

type statusValue struct {
	ID        scalar `json:"id"`
	Status    scalar `json:"status"`
	Timestamp scalar `json:"timestamp"`
	WaID      scalar `json:"recipient_id"`
	Reference scalar `json:"biz_opaque_callback_data"`
	Pricing   *struct {
		Category scalar `json:"category"`
		Type     scalar `json:"type"`
		Billable bool   `json:"billable"`
	} `json:"pricing"`
	Errors []failure `json:"errors"`
}

func (s statusValue) status(account, number string) Status {
	status := Status{
		AccountID: account, NumberID: number, MessageID: string(s.ID), Reference: string(s.Reference),
		State: State(s.Status), At: s.Timestamp.time(), WaID: string(s.WaID),
	}
	if s.Pricing != nil {
		status.Pricing = Pricing{
			Category: string(s.Pricing.Category), Type: string(s.Pricing.Type), Billable: s.Pricing.Billable,
		}
	}
	if status.State == Failed {
		status.Failure = messageFailure(s.Errors)
	}
	return status
}

// messageFailure returns why a message failed. The class is never Unknown: the message
// certainly did not arrive.
func messageFailure(failures []failure) *Error {
	if len(failures) == 0 || failures[0].Code == nil {
		return &Error{Class: Permanent, Reason: "WhatsApp could not deliver the message and does not say why"}
	}
	f := failures[0]
	e := &Error{Class: Permanent, Code: f.code(), Subcode: f.Subcode, TraceID: trace(f.TraceID)}
	if m, known := meaningOf(e.Code, e.Subcode, f.Message); known {
		e.Class, e.Reason = m.class, m.reason
	} else {
		e.Reason = tidy(f.words())
	}
	if e.Class == Unknown {
		e.Class = Retry // the outcome is known
	}
	return e
}

type inboundValue struct {
	ID        scalar `json:"id"`
	From      scalar `json:"from"`
	UserID    scalar `json:"from_user_id"`
	Timestamp scalar `json:"timestamp"`
	Type      scalar `json:"type"`
	Context   struct {
		ID scalar `json:"id"`
	} `json:"context"`
	Text struct {
		Body string `json:"body"`
	} `json:"text"`
	Button struct { // of a template
		Text    string `json:"text"`
		Payload scalar `json:"payload"`
	} `json:"button"`
	Interactive struct {
		ButtonReply reply `json:"button_reply"`
		ListReply   reply `json:"list_reply"`
	} `json:"interactive"`
}

type reply struct {
	ID    scalar `json:"id"`
	Title string `json:"title"`
}

func (m inboundValue) inbound(account, number string) Inbound {
	in := Inbound{
		AccountID: account, NumberID: number, MessageID: string(m.ID), WaID: string(m.From), UserID: string(m.UserID),
		Kind: string(m.Type), ReplyTo: string(m.Context.ID), At: m.Timestamp.time(),
	}
	for _, said := range []struct{ text, payload string }{
		{m.Text.Body, ""},
		{m.Button.Text, string(m.Button.Payload)},
		{m.Interactive.ButtonReply.Title, string(m.Interactive.ButtonReply.ID)},
		{m.Interactive.ListReply.Title, string(m.Interactive.ListReply.ID)},
	} {
		if said.text != "" || said.payload != "" {
			in.Text, in.Payload = said.text, said.payload
			break
		}
	}
	return in
}

func (p *parser) capability(v struct {
	New *Tier `json:"max_daily_conversations_per_business"`
	Old *Tier `json:"max_daily_conversation_per_phone"`
}) {
	e := CapabilityUpdate{AccountID: p.account}
	switch {
	case v.New != nil:
		e.Tier = *v.New
	case v.Old != nil:
		e.Tier = *v.Old
	}
	p.add(e)
}

func (p *parser) quality(v struct {
	Display scalar `json:"display_phone_number"`
	Event   scalar `json:"event"`
}) {
	if v.Event == "" {
		p.skipped++
		return
	}
	p.add(QualityUpdate{AccountID: p.account, PhoneNumber: e164(string(v.Display)), Kind: string(v.Event)})
}

func (p *parser) accountUpdate(v struct {
	Event   scalar `json:"event"`
	Phone   scalar `json:"phone_number"`
	BanInfo struct {
		State scalar `json:"waba_ban_state"`
	} `json:"ban_info"`
	Violation struct {
		Type scalar `json:"violation_type"`
	} `json:"violation_info"`
	Restrictions []struct {
		Type scalar `json:"restriction_type"`
	} `json:"restriction_info"`
}) {
	if v.Event == "" {
		p.skipped++
		return
	}
	e := AccountUpdate{
		AccountID: p.account, Kind: string(v.Event), PhoneNumber: e164(string(v.Phone)),
		BanState: string(v.BanInfo.State), Violation: string(v.Violation.Type),
	}
	for _, r := range v.Restrictions {
		e.Restrictions = append(e.Restrictions, string(r.Type))
	}
	p.add(e)
}

func (p *parser) template(v struct {
	templateRef
	Event  scalar `json:"event"`
	Reason scalar `json:"reason"`
}) {
	if v.Name == "" || v.Event == "" {
		p.skipped++
		return
	}
	p.add(TemplateUpdate{
		AccountID: p.account, TemplateID: string(v.ID), Name: string(v.Name), Language: string(v.Language),
		Status: string(v.Event), Reason: v.Reason.unlessNone(),
	})
}

// unlessNone returns "" for NONE, which is how WhatsApp writes that there is no reason.
func (s scalar) unlessNone() string {
	if s == "NONE" {
		return ""
	}
	return string(s)
}

// time reads Unix seconds or milliseconds. It returns zero for other values.
func (s scalar) time() time.Time {
	n, err := strconv.ParseInt(string(s), 10, 64)
	switch {
	case err != nil || n <= 0 || n > 99_999_999_999_999:
		return time.Time{}
	case n > 99_999_999_999: // milliseconds: as seconds it would be after the year 5000
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}
