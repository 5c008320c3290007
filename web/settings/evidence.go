package settings

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/evidence"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
)

// maxEvidence bounds the rows of each kind on the page. The JSON has all rows.
const maxEvidence = 500

func (s *Server) EvidenceForm(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.EvidenceFormPage(s.Chrome(r), views.EvidenceForm{}))
}

// openEvidence opens the evidence about the number of the form. The form has the number, because URLs are logged.
func (s *Server) openEvidence(r *http.Request) (*evidence.File, phone.Number, error) {
	number, err := phone.ParseNational(r.PostFormValue("phone_number"), frame.SignedIn(r).Organization.Region)
	if err != nil {
		return nil, "", fault.Invalidf("phone_number", "%s", err)
	}
	file, err := s.Evidence.Open(r.Context(), s.Actor(r), number.String())
	return file, number, err
}

// wrongEvidence shows the form again, with what is wrong with the number.
func (s *Server) wrongEvidence(w http.ResponseWriter, r *http.Request, err error) error {
	if fault.KindOf(err) != fault.Invalid {
		return err
	}
	return frame.Render(w, r, http.StatusUnprocessableEntity, views.EvidenceFormPage(s.Chrome(r), views.EvidenceForm{
		Number: r.PostFormValue("phone_number"), Errors: ui.ErrorsOf(err),
	}))
}

func (s *Server) CollectEvidence(w http.ResponseWriter, r *http.Request) error {
	file, number, err := s.openEvidence(r)
	if err != nil {
		return s.wrongEvidence(w, r, err)
	}
	c, err := file.Newest(r.Context(), maxEvidence)
	if err != nil {
		return err
	}
	reviews, err := file.Reviews(r.Context(), c.Calls.Data)
	if err != nil {
		return err
	}
	notes, err := file.NewestCallNotes(r.Context(), maxEvidence)
	if err != nil {
		return err
	}
	v := views.Evidence{Number: number.String(), CreatedAt: c.CreatedAt, Most: maxEvidence}
	for _, kind := range []struct {
		name string
		more bool
	}{
		{"calls", c.Calls.HasMore}, {"list entries", c.Recipients.HasMore},
		{"removed do-not-call entries", c.Removed.HasMore}, {"follow-ups", c.FollowUps.HasMore},
		{"messages", c.Messages.HasMore}, {"notes", c.Notes.HasMore}, {"notes for agents", notes.HasMore},
	} {
		if kind.more {
			v.Older = append(v.Older, kind.name)
		}
	}
	v.Rows = s.evidenceRows(r, c, reviews, notes.Data)
	for _, e := range c.Listed {
		v.Listed = append(v.Listed, map[suppression.Channel]string{
			suppression.Voice: "calls", suppression.Message: "messages",
		}[e.Channel])
	}
	slices.Sort(v.Listed)
	return frame.Render(w, r, http.StatusOK, views.EvidencePage(s.Chrome(r), v))
}

func (s *Server) DownloadEvidence(w http.ResponseWriter, r *http.Request) error {
	file, _, err := s.openEvidence(r)
	if err != nil {
		return s.wrongEvidence(w, r, err)
	}
	return s.SendJSON(w, r, "evidence", func(w io.Writer) error { return file.Write(r.Context(), w) })
}

// evidenceRows returns the events of a file, oldest first.
func (s *Server) evidenceRows(
	r *http.Request, c evidence.Contents, reviews map[uuid.UUID]call.Review, notes []call.Note,
) (rows []views.EvidenceEntry) {
	clock := s.Clock(r)
	for _, e := range c.Recipients.Data {
		rows = append(rows, recipientEvidence(clock, e, c.Campaigns))
	}
	for _, e := range c.Calls.Data {
		row := callEvidence(clock, e, c.Campaigns)
		if review, ok := reviews[e.ID]; ok {
			row.Facts = append(row.Facts, reviewFacts(clock, review)...)
		}
		rows = append(rows, row)
	}
	for _, n := range notes {
		rows = append(rows, views.EvidenceEntry{
			At: n.CreatedAt, Title: "Note for the agent", Href: "/calls/" + n.CallID.String(),
			Facts: []ui.Fact{{Name: "Note", Text: n.Text}, {Name: "By", Text: n.Author}},
		})
	}
	for _, e := range c.Messages.Data {
		rows = append(rows, messageEvidence(clock, e, c.Campaigns))
	}
	for _, e := range c.FollowUps.Data {
		rows = append(rows, followUpEvidence(clock, e, c.Campaigns))
	}
	for _, e := range c.Notes.Data {
		rows = append(rows, noteEvidence(clock, e))
	}
	for _, e := range c.Listed {
		rows = append(rows, addedEvidence(e))
	}
	for _, e := range c.Removed.Data {
		rows = append(rows, addedEvidence(e.Entry), views.EvidenceEntry{
			At: e.RemovedAt, Title: "Removed from the do-not-call list", Facts: []ui.Fact{
				DoNotCallEntry(e.Entry).Facts()[0], {Name: "Reason", Text: e.Reason}, {Name: "By", Text: e.RemovedBy},
			},
		})
	}
	slices.SortStableFunc(rows, func(a, b views.EvidenceEntry) int { return a.At.Compare(b.At) })
	return rows
}

// inCampaign is the campaign of a row.
func inCampaign(id *uuid.UUID, names map[uuid.UUID]string) ui.Fact {
	if id == nil {
		return ui.Fact{Name: "Campaign"}
	}
	return ui.Fact{Name: "Campaign", Text: names[*id]}
}

func callEvidence(clock ui.Clock, c call.Call, campaigns map[uuid.UUID]string) views.EvidenceEntry {
	at, state, more := c.CreatedAt, string(c.Status), ""
	if c.StartedAt != nil {
		at = *c.StartedAt
	}
	if c.Outcome != "" {
		state = calls.ShownOutcome(c)
	}
	if reason := calls.ReasonWords(c); reason != "" {
		more = ", " + reason
	}
	if talk := int(c.TalkTime().Seconds()); talk > 0 {
		more += ", " + ui.TalkTime(talk) + " talk time"
	}
	facts := []ui.Fact{
		{Name: "From", Text: ui.Phone(c.From())}, {Name: "To", Text: ui.Phone(c.To())},
		{Name: "Name", Text: c.RecipientName}, inCampaign(c.CampaignID, campaigns),
		{Name: "Agent", Text: frame.OrNone(c.AgentName)},
		{Name: "Outcome", Text: ui.StateOf(state).Word + more},
	}
	title := "Call"
	if c.Direction == call.Inbound {
		title = "Inbound call"
	}
	if t := c.Transfer; t != nil {
		facts = append(facts, ui.Fact{
			Name: "Transfer", Text: t.Destination + ", " + strings.ReplaceAll(string(t.State), "_", " "),
		})
	}
	consent := ui.Fact{Name: "Consent", Text: "None stored"}
	if c.ConsentBasis != nil {
		consent.Text = calls.Consent(clock, *c.ConsentBasis, c.ConsentSource, c.ConsentAt, c.ConsentExpiresAt)
	}
	facts = append(facts, consent, ui.Fact{Name: "Calling hours", Text: calls.HoursText(c)})
	if c.PreDialCheck != nil {
		facts = append(facts, ui.Fact{Name: "Pre-dial check", Text: calls.CheckText(clock, c.PreDialCheck)})
	}
	return views.EvidenceEntry{At: at, Title: title, Href: "/calls/" + c.ID.String(), Facts: facts}
}

// reviewFacts are the review of a call.
func reviewFacts(clock ui.Clock, r call.Review) []ui.Fact {
	state := "Not reviewed"
	if r.ReviewedAt != nil {
		state = "Reviewed by " + r.ReviewedBy + ", " + clock.Full(*r.ReviewedAt)
	}
	return []ui.Fact{
		{Name: "Review", Text: state}, {Name: "Tags", Text: strings.Join(r.Tags, ", ")},
		{Name: "Review note", Text: r.Note},
	}
}

func recipientEvidence(clock ui.Clock, n campaign.Recipient, campaigns map[uuid.UUID]string) views.EvidenceEntry {
	facts := []ui.Fact{
		inCampaign(&n.CampaignID, campaigns), {Name: "Name", Text: n.Name},
		{Name: "Status", Text: ui.StateOf(calls.RecipientState(n)).Word + calls.SkipWords(n)},
	}
	if n.ConsentBasis != nil {
		facts = append(facts, ui.Fact{Name: "Consent", Text: calls.Consent(
			clock, *n.ConsentBasis, n.ConsentSource, n.ConsentAt, n.ConsentExpiresAt,
		)})
	}
	return views.EvidenceEntry{At: n.CreatedAt, Title: "Added to a campaign", Facts: facts}
}

func followUpEvidence(
	clock ui.Clock, f followup.FollowUp, campaigns map[uuid.UUID]string,
) views.EvidenceEntry {
	state := "Open"
	if f.Status == followup.Done {
		state = "Done"
		if f.DoneAt != nil {
			state += " " + clock.Full(*f.DoneAt)
		}
		if f.DoneBy != nil {
			state += " by " + *f.DoneBy
		}
	}
	return views.EvidenceEntry{
		At: f.CreatedAt, Title: "Follow-up", Href: "/follow-ups/" + f.ID.String(), Facts: []ui.Fact{
			inCampaign(f.CampaignID, campaigns), {Name: "Kind", Text: f.Kind.Text()},
			{Name: "Reason", Text: f.Reason}, {Name: "Note", Text: f.Note}, {Name: "Status", Text: state},
			{Name: "By", Text: f.CreatedBy},
		},
	}
}

func messageEvidence(clock ui.Clock, m messaging.Message, campaigns map[uuid.UUID]string) views.EvidenceEntry {
	more := ""
	if m.Error != nil {
		more = ", " + *m.Error
	}
	facts := []ui.Fact{
		inCampaign(m.CampaignID, campaigns), {Name: "Template", Text: m.TemplateName + ", " + m.TemplateLanguage},
		{Name: "Status", Text: ui.StateOf(string(m.Status)).Word + more},
	}
	for _, step := range []struct {
		name string
		at   *time.Time
	}{{"Sent", m.SentAt}, {"Delivered", m.DeliveredAt}, {"Read", m.ReadAt}} {
		if step.at != nil {
			facts = append(facts, ui.Fact{Name: step.name, Text: clock.Full(*step.at)})
		}
	}
	return views.EvidenceEntry{
		At: m.CreatedAt, Title: "WhatsApp message", Href: "/messaging/messages/" + m.ID.String(),
		Facts: append(facts, ui.Fact{Name: "By", Text: m.CreatedBy}),
	}
}

func noteEvidence(clock ui.Clock, n person.Note) views.EvidenceEntry {
	facts := []ui.Fact{{Name: "Note", Text: n.Text}, {Name: "By", Text: n.CreatedBy}}
	if n.UpdatedAt != nil {
		facts = append(facts, ui.Fact{
			Name: "Changed", Text: clock.Full(*n.UpdatedAt) + " by " + frame.OrNone(n.UpdatedBy),
		})
	}
	return views.EvidenceEntry{At: n.CreatedAt, Title: "Note", Facts: facts}
}

func addedEvidence(e suppression.Entry) views.EvidenceEntry {
	return views.EvidenceEntry{
		At: e.CreatedAt, Title: "Added to the do-not-call list", Facts: DoNotCallEntry(e).Facts(),
	}
}
