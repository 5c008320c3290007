package sandbox

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// request is the body of a request to send.
type request struct {
	Product   string `json:"messaging_product"`
	To        string `json:"to"`
	Type      string `json:"type"`
	Reference string `json:"biz_opaque_callback_data"`
	Template  struct {
		Name     string `json:"name"`
		Language struct {
			Code string `json:"code"`
		} `json:"language"`
		Components []filling `json:"components"`
	} `json:"template"`
}

const maxRequest = 1 << 20

var digitsOnly = regexp.MustCompile(`^\+?[1-9][0-9]{6,14}$`)

func digits(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// send handles a request to send. It decides and records in one step whether the request is
// accepted. The message starts at once. The answer follows, with a delay if one is set, or never
// comes.
func (op *Operator) send(w http.ResponseWriter, r *http.Request) {
	var in request
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	op.Mu.Lock()
	l := op.numbers[r.PathValue("id")]
	var trouble Trouble
	if l != nil {
		trouble = l.business.trouble
	}
	op.Mu.Unlock()
	switch {
	case l == nil:
		noSuchObject.write(w)
		return
	case err != nil:
		refuseWith(100, "Invalid parameter: the body is not JSON").write(w)
		return
	}
	if trouble.before(w) {
		return
	}

	d, p, refused := op.decide(l, in)
	defer op.Answered(r, &op.Counts.Unanswered, &d.AnsweredAt)
	if d.Accepted && !op.Start(func() { op.live(&message{send: d, line: l, plan: p}) }) {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	if !op.Hold(r, trouble.Delay+p.hold) {
		return
	}
	switch {
	case refused != nil:
		refused.write(w)
	case p.answer == cut:
		panic(http.ErrAbortHandler)
	case p.answer == bare500:
		w.WriteHeader(http.StatusInternalServerError)
	case p.answer == code1:
		(&refusal{
			status: http.StatusInternalServerError, code: 1, kind: "OAuthException",
			message: "An unknown error occurred",
		}).write(w)
	case p.answer == garbled || trouble.Kind == Malformed:
		garble(w)
	default:
		state := "accepted"
		if p.held {
			state = "held_for_quality_assessment"
		}
		simulation.JSON(w, http.StatusOK, map[string]any{
			"messaging_product": "whatsapp",
			"contacts":          []any{map[string]any{"input": in.To, "wa_id": digits(in.To)}},
			"messages":          []any{map[string]any{"id": d.MessageID, "message_status": state}},
		})
	}
}

// decide records a request and decides whether it is accepted.
func (op *Operator) decide(l *line, in request) (*Send, plan, *refusal) {
	recipient := "+" + digits(in.To)
	p := planFor(recipient)
	op.Mu.Lock()
	defer op.Mu.Unlock()
	d := &Send{
		Portfolio: l.business.portfolio.id, Account: l.business.id, NumberID: l.ID, Recipient: recipient,
		Template: in.Template.Name, Language: in.Template.Language.Code, Reference: in.Reference, scope: l.scope(),
	}
	op.record(d)
	body, refused := op.judge(l, in, p, recipient)
	if refused != nil {
		d.Code = refused.code
		d.Refused = true
		return d, plan{hold: p.hold}, refused
	}
	if p.lost {
		return d, p, nil
	}
	d.Accepted, d.Text = true, body
	d.MessageID = "wamid." + rand.Text()
	op.Counts.Accepted++
	op.Counts.Pending++
	op.Announce()
	return d, p, nil
}

// judge returns why a request is refused, or the text that the recipient reads. The caller holds
// op.Mu.
func (op *Operator) judge(l *line, in request, p plan, recipient string) (string, *refusal) {
	switch {
	case in.Product != "whatsapp":
		return "", refuseWith(100, "Invalid parameter: messaging_product")
	case !digitsOnly.MatchString(in.To):
		return "", refuseWith(131009, "Parameter value is not valid: to")
	case in.Type != "template":
		// Free text is only allowed in the 24 hours after a message of the user. The product does
		// not use it.
		return "", refuseWith(131047, "Re-engagement message: send a template")
	case "+"+digits(l.PhoneNumber) == recipient:
		return "", refuseWith(131021, "Recipient cannot be sender")
	}
	if p.refused != nil {
		if !p.twice {
			return "", p.refused
		}
		if op.asked[recipient]++; op.asked[recipient]%3 != 0 {
			return "", p.refused
		}
	}
	t := l.business.template(in.Template.Name, in.Template.Language.Code)
	switch {
	case t == nil || t.Status == "PENDING" || t.Status == "REJECTED":
		return "", refuseWith(132001, "Template name does not exist in the translation")
	case t.Status == "PAUSED":
		return "", refuseWith(132015, "Template is paused")
	case t.Status == "DISABLED":
		return "", refuseWith(132016, "Template is disabled")
	}
	body, refused := t.fill(in.Template.Components)
	if refused != nil {
		return "", refused
	}
	if op.beyond != 0 && op.exceeds(l, recipient) {
		return "", refuseWith(op.beyond, "Limit reached")
	}
	return body, nil
}

// exceeds reports whether one more recipient would exceed the limit for 24 hours, according to the
// remembered sends. The caller holds op.Mu.
func (op *Operator) exceeds(l *line, recipient string) bool {
	limit, since := l.business.portfolio.limit(), op.now().Add(-24*time.Hour)
	if limit < 0 {
		return false
	}
	written := map[string]bool{}
	for i := len(op.sends) - 1; i >= 0 && op.sends[i].At.After(since); i-- {
		if s := op.sends[i]; s.Accepted && s.scope == l.scope() {
			written[s.Recipient] = true
		}
	}
	return !written[recipient] && len(written) >= limit
}
