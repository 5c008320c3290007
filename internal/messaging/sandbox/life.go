package sandbox

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"
)

// message is an accepted message.
type message struct {
	send *Send
	line *line
	plan plan
}

// rank orders the statuses of a message in time.
var rank = map[string]int{"sent": 1, "delivered": 2, "read": 3, "failed": 4}

// live posts the statuses of a message, one after the other, and the answer to it.
func (op *Operator) live(m *message) {
	defer op.done()
	for _, s := range m.plan.steps {
		if !op.Pass(s.after) {
			return
		}
		if !op.post(m.line.business, "messages", op.status(m, s)) {
			continue
		}
		op.Mu.Lock()
		m.send.Told = append(m.send.Told, s.status)
		op.Mu.Unlock()
	}
	if m.plan.reply == nothing || !op.Pass(2*time.Second) {
		return
	}
	op.Mu.Lock()
	field, value := op.answerTo(m)
	op.Mu.Unlock()
	op.post(m.line.business, field, value)
}

// done counts a message as finished.
func (op *Operator) done() {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	op.Counts.Pending--
	op.Announce()
}

// base returns the fields that every value of the field messages has.
func (l *line) base() map[string]any {
	return map[string]any{
		"messaging_product": "whatsapp",
		"metadata":          map[string]any{"display_phone_number": digits(l.PhoneNumber), "phone_number_id": l.ID},
	}
}

// status returns the value of a status webhook.
func (op *Operator) status(m *message, s step) map[string]any {
	op.Mu.Lock()
	at := op.now()
	category := ""
	if t := m.line.business.template(m.send.Template, m.send.Language); t != nil {
		category = strings.ToLower(t.Category)
	}
	op.Mu.Unlock()
	if m.plan.shuffled {
		at = m.send.At.Add(time.Duration(rank[s.status]) * time.Second)
	}
	status := map[string]any{
		"id": m.send.MessageID, "status": s.status, "timestamp": strconv.FormatInt(at.Unix(), 10),
		"recipient_id": digits(m.send.Recipient),
	}
	if m.send.Reference != "" {
		status["biz_opaque_callback_data"] = m.send.Reference
	}
	if s.status == "failed" {
		status["errors"] = []any{map[string]any{
			"code": s.code, "title": "Message failed", "message": "Message failed",
			"error_data": map[string]any{"details": "scripted by the recipient's number"},
			"href":       "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
		}}
	} else {
		status["pricing"] = map[string]any{
			"billable": true, "pricing_model": "PMP", "type": "regular", "category": category,
		}
	}
	value := m.line.base()
	value["statuses"] = []any{status}
	return value
}

// answerTo returns the recipient's reaction to a message as a webhook. The caller holds op.Mu.
func (op *Operator) answerTo(m *message) (field string, value map[string]any) {
	switch m.plan.reply {
	case saysStop:
		return "messages", op.inbound(m.line, m.send.Recipient, "STOP", m.send.MessageID)
	case asks:
		return "messages", op.inbound(m.line, m.send.Recipient, "Is Thursday possible as well?", m.send.MessageID)
	case taps:
		label := "Stop"
		if t := m.line.business.template(m.send.Template, m.send.Language); t != nil && t.firstReply() != "" {
			label = t.firstReply()
		}
		value := op.inbound(m.line, m.send.Recipient, "", m.send.MessageID)
		said := value["messages"].([]any)[0].(map[string]any)
		delete(said, "text")
		said["type"], said["button"] = "button", map[string]any{"text": label, "payload": label}
		return "messages", value
	}
	value = m.line.base()
	value["contacts"] = []any{contact(m.send.Recipient)}
	value["user_preferences"] = []any{map[string]any{
		"wa_id": digits(m.send.Recipient), "detail": "User requested to stop marketing messages",
		"category": "marketing_messages", "value": "stop", "timestamp": op.now().Unix(),
	}}
	return "user_preferences", value
}

func contact(number string) map[string]any {
	return map[string]any{
		"profile": map[string]any{"name": "Recipient " + number[max(0, len(number)-4):]}, "wa_id": digits(number),
	}
}

// inbound returns the value of a webhook with a message from a user. The caller holds op.Mu.
func (op *Operator) inbound(l *line, from, text, replyTo string) map[string]any {
	said := map[string]any{
		"from": digits(from), "id": "wamid." + rand.Text(), "timestamp": strconv.FormatInt(op.now().Unix(), 10),
		"type": "text", "text": map[string]any{"body": text},
	}
	if replyTo != "" {
		said["context"] = map[string]any{"from": digits(l.PhoneNumber), "id": replyTo}
	}
	value := l.base()
	value["contacts"] = []any{contact(from)}
	value["messages"] = []any{said}
	return value
}
