package messages

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// messagesPath is the path of the list of messages.
const messagesPath = messagingPath + "/messages"

func (s *Server) ListMessages(w http.ResponseWriter, r *http.Request) error {
	ctx, q, organization := r.Context(), r.URL.Query(), frame.SignedIn(r).Organization
	v := views.Messages{
		Off: !s.Messaging.On(), ToNumber: q.Get("to_number"), Status: q.Get("status"), NumberID: q.Get("number_id"),
		Template: q.Get("template"), CampaignID: q.Get("campaign_id"),
	}
	status := http.StatusOK
	filter, err := messageFilter(r, v)
	var list page.List[messaging.Message]
	if err == nil {
		filter.Page = frame.PageOf(r)
		list, err = s.Messaging.List(ctx, organization.ID, filter)
	}
	if fault.KindOf(err) == fault.Invalid {
		v.Errors, status = ui.ErrorsOf(err), http.StatusUnprocessableEntity
	} else if err != nil {
		return err
	}
	numbers, err := s.WhatsApp.Numbers(ctx, organization.ID)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		v.Numbers = append(v.Numbers, ui.Option{Value: n.ID.String(), Label: NumberTitle(n)})
	}
	if v.CampaignID != "" && filter.CampaignID != nil {
		names, err := s.Campaigns.Names(ctx, organization.ID, []uuid.UUID{*filter.CampaignID})
		if err != nil {
			return err
		}
		v.Campaign, v.AllHref = names[*filter.CampaignID], frame.WithParam(r.URL, "campaign_id", "")
	}
	if v.Templates, err = s.templateNames(r); err != nil {
		return err
	}
	if v.Rows, err = s.messageRows(r, numbers, list.Data); err != nil {
		return err
	}
	if v.Filters, err = s.SavedFilters(r, messagesPath); err != nil {
		return err
	}
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	v.ListQuery = q.Encode()
	v.None = len(v.Rows) == 0 && len(q) == 0
	v.CanSend = s.Messaging.On() && len(numbers) > 0
	return frame.Render(w, r, status, views.MessagesPage(s.Chrome(r), v))
}

// messageFilter reads the filters of the form. Its error is Invalid, with problems under
// the names of the filters.
func messageFilter(r *http.Request, v views.Messages) (messaging.Filter, error) {
	f := messaging.Filter{Statuses: page.Only(messaging.Status(v.Status)), Template: v.Template}
	var p fault.Problems
	if v.Status != "" && !slices.Contains(messaging.Statuses, messaging.Status(v.Status)) {
		p.Addf("status", "no such status")
	}
	if v.ToNumber != "" {
		f.To, f.NumberPart = frame.NumberOrPart(r, &p, "to_number", v.ToNumber)
	}
	f.NumberID = frame.OptionalID(&p, "number_id", v.NumberID)
	f.CampaignID = frame.OptionalID(&p, "campaign_id", v.CampaignID)
	return f, p.Err()
}

// templateNames returns the choices of the filter: the names of templates, each once.
func (s *Server) templateNames(r *http.Request) ([]ui.Option, error) {
	all, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.WhatsApp.Templates)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, t := range all {
		names[t.Content.Name] = true
	}
	return ui.OptionsOf(slices.Sorted(maps.Keys(names))...), nil
}

func (s *Server) messageRows(
	r *http.Request, numbers []connection.Number, list []messaging.Message,
) ([]views.MessageRow, error) {
	from := map[uuid.UUID]connection.Number{}
	for _, n := range numbers {
		from[n.ID] = n
	}
	var ids []uuid.UUID
	for _, m := range list {
		if m.CampaignID != nil && !slices.Contains(ids, *m.CampaignID) {
			ids = append(ids, *m.CampaignID)
		}
	}
	names, err := s.Campaigns.Names(r.Context(), frame.SignedIn(r).Organization.ID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]views.MessageRow, len(list))
	for i, m := range list {
		rows[i] = views.MessageRow{
			ID: m.ID.String(), To: m.PhoneNumber.String(), Template: m.TemplateName, Language: m.TemplateLanguage,
			Number: m.ExternalID, State: messageState(m), Created: m.CreatedAt,
		}
		if n, ok := from[m.NumberID]; ok { // a missing number was disconnected since
			rows[i].Number, rows[i].Phone = numberLines(n)
		}
		if m.CampaignID != nil {
			rows[i].Campaign = names[*m.CampaignID]
		}
	}
	return rows, nil
}

func messageState(m messaging.Message) views.MessageState {
	return views.MessageState{
		Status: string(m.Status), Wait: string(frame.OrNone(m.WaitReason)), Due: frame.OrZero(m.DueAt),
		Unknown: m.UnknownSince != nil, Error: frame.OrNone(m.Error),
	}
}

func (s *Server) Message(w http.ResponseWriter, r *http.Request) error {
	v, err := s.messageView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.MessagePage(s.Chrome(r), v))
}

// messageView reads everything on a message's page.
func (s *Server) messageView(r *http.Request) (views.Message, error) {
	m, err := s.oneMessage(r)
	if err != nil {
		return views.Message{}, err
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	numbers, err := s.WhatsApp.Numbers(ctx, organization)
	if err != nil {
		return views.Message{}, err
	}
	rows, err := s.messageRows(r, numbers, []messaging.Message{m})
	if err != nil {
		return views.Message{}, err
	}
	v := views.Message{
		MessageRow: rows[0], NumberID: m.NumberID.String(), OperatorID: frame.OrNone(m.OperatorID),
		ErrorCode: frame.OrNone(m.ErrorCode), CreatedBy: m.CreatedBy,
		Steps: messageSteps(m, s.Clock(r)), ListQuery: frame.ListQuery(r),
	}
	if m.CampaignID != nil {
		v.CampaignID = m.CampaignID.String()
	}
	if !ended(m) {
		v.EventsHref = views.FromList(messagesPath+"/"+v.ID+"/events", v.ListQuery)
	}
	values := map[string]string{}
	if err := json.Unmarshal(m.Variables, &values); err != nil {
		return v, fmt.Errorf("read the variables of message %s: %w", m.ID, err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		v.Variables = append(v.Variables, ui.Fact{Name: key, Text: values[key]})
	}
	t, err := s.WhatsApp.TemplateOf(ctx, organization, m.ID)
	if fault.KindOf(err) == fault.NotFound {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	shown := Preview(t.Content, values)
	v.TemplateID, v.Preview = t.ID.String(), &shown
	return v, nil
}

// oneMessage reads the message that the path names.
func (s *Server) oneMessage(r *http.Request) (messaging.Message, error) {
	id, err := frame.PathID(r, "Message")
	if err != nil {
		return messaging.Message{}, err
	}
	return s.Messaging.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// ended reports whether a message can't change any more.
func ended(m messaging.Message) bool {
	switch m.Status {
	case messaging.Read, messaging.Failed, messaging.Canceled:
		return true
	}
	return false
}

// messageSteps returns the timeline of a message. Statuses arrive in any order, each with
// its own time.
func messageSteps(m messaging.Message, clock ui.Clock) []ui.Step {
	steps := []ui.Step{{Glyph: ui.GlyphStep, Word: "Queued", At: m.CreatedAt}}
	add := func(at bool, step ui.Step) {
		if at {
			steps = append(steps, step)
		}
	}
	tries := ""
	if m.Attempts > 1 {
		tries = "Attempt " + strconv.Itoa(m.Attempts)
	}
	add(m.SentAt != nil, ui.Step{Glyph: ui.GlyphStep, Word: "Sent", Note: tries, At: frame.OrZero(m.SentAt)})
	add(m.DeliveredAt != nil, ui.Step{
		Glyph: ui.StateOf("delivered").Glyph, Word: "Delivered", At: frame.OrZero(m.DeliveredAt),
	})
	add(m.ReadAt != nil, ui.Step{Glyph: ui.StateOf("read").Glyph, Word: "Read", At: frame.OrZero(m.ReadAt)})
	switch m.Status {
	case messaging.Queued:
		if m.WaitReason != nil {
			steps = append(steps, ui.Step{
				Glyph: ui.GlyphPending, Word: "Deferred", Note: "Until " + clock.When(frame.OrZero(m.DueAt)),
				At: frame.OrZero(m.DueAt),
			})
		}
	case messaging.Sending:
		if m.UnknownSince != nil {
			steps = append(steps, ui.Step{Glyph: ui.GlyphWarning, Word: "Response lost", At: *m.UnknownSince})
		}
	case messaging.Failed, messaging.Canceled:
		state := ui.StateOf(string(m.Status))
		steps = append(steps, ui.Step{
			Glyph: state.Glyph, Word: state.Word, Note: ui.Capital(frame.OrNone(m.Error)),
			At: frame.OrZero(m.EndedAt),
		})
	}
	return steps
}

func (s *Server) ConfirmCancelMessage(w http.ResponseWriter, r *http.Request) error {
	m, err := s.oneMessage(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.CancelMessage(m.ID.String(), m.PhoneNumber.String()))
}

func (s *Server) CancelMessage(w http.ResponseWriter, r *http.Request) error {
	m, err := s.oneMessage(r)
	if err != nil {
		return err
	}
	_, err = s.Messaging.Cancel(r.Context(), s.Actor(r), m.ID)
	return s.Done(w, r, err, "Message canceled", messagesPath+"/"+m.ID.String())
}

func (s *Server) MessageEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "message", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.messageView(r)
		return views.MessageLive(s.LiveChrome(r, messagesPath+"/"+v.ID), v), v.EventsHref == "", err
	})
}
