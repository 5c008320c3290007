package calls

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// CampaignsAndAgents returns the latest campaigns and all agents, as choices of a filter. The page of an older
// campaign links to its calls.
func (s *Server) CampaignsAndAgents(r *http.Request) (campaigns, agents []ui.Option, err error) {
	if campaigns, err = s.CampaignOptions(r); err != nil {
		return nil, nil, err
	}
	agents, err = s.AgentOptions(r)
	return campaigns, agents, err
}

// Values of the filter by outcome for calls that have none yet.
const (
	liveOutcome      = "live" // placed, and not ended
	scheduledOutcome = "scheduled"
)

func (s *Server) ListCalls(w http.ResponseWriter, r *http.Request) error {
	v, err := s.callListView(r)
	status := http.StatusOK
	if fault.KindOf(err) == fault.Invalid {
		v.Errors, status = answerErrors(err), http.StatusUnprocessableEntity
	} else if err != nil {
		return err
	}
	if v.Selecting && len(v.Rows) > 0 && (v.Pager.OlderHref != "" || v.Pager.NewerHref != "") {
		if err := s.matchingCalls(r, &v); err != nil {
			return err
		}
	}
	if err = s.callChoices(r, &v); err != nil {
		return err
	}
	if v.Filters, err = s.SavedFilters(r, "/calls"); err != nil {
		return err
	}
	v.ExportHref = frame.ExportHref(r)
	if v.Query != "" {
		v.NewestHref = frame.WithParams(r.URL, "cursor", "", "sort", "")
		v.RelevanceHref = frame.WithParams(r.URL, "cursor", "", "sort", string(call.Relevance))
		if v.SaidBy != string(call.SaidByAnyone) {
			v.AnyoneHref = frame.WithParams(r.URL, "cursor", "", "said_by", string(call.SaidByAnyone))
		}
	}
	return frame.Render(w, r, status, views.CallsPage(s.Chrome(r), v))
}

func (s *Server) CallsEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "calls", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.callListView(r)
		return views.CallsLive(s.LiveChrome(r, "/calls"), v), v.EventsHref == "", err
	})
}

// callListView reads the part of the list that changes. Only the newest page is live.
// Older pages, searches of transcripts or for a part of a number, and filters that few calls match cost too much to
// repeat each second.
func (s *Server) callListView(r *http.Request) (views.Calls, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	v := callsView(r)
	filter, err := s.callFilter(r, v)
	if err != nil {
		return v, err
	}
	list, err := s.Calls.List(ctx, organization, filter)
	if err != nil {
		return v, err
	}
	if v.Rows, err = s.CallRows(ctx, organization, list.Data); err != nil {
		return v, err
	}
	if err := s.callColumns(r, &v, list.Data); err != nil {
		return v, err
	}
	order := "Newest first"
	if filter.DueFirst() {
		order = "Next due first"
	}
	v.Pager = frame.Pager(r, list.NextCursor, order)
	if v.LookedTo = list.LookedTo; !v.LookedTo.IsZero() {
		v.Pager.Line = "All calls since " + s.Clock(r).When(v.LookedTo)
	}
	if filter.Sort == call.Relevance {
		v.Pager = ui.Pager{Line: "Best matches among the newest 1,000"}
	}
	v.ListQuery = r.URL.Query().Encode()
	v.None = len(v.Rows) == 0 && r.URL.RawQuery == ""
	if !v.Selecting && v.Query == "" && len(filter.NumberPart) == 0 && filter.Cursor == "" && list.LookedTo.IsZero() {
		v.EventsHref = frame.EventsHref(r.URL)
	}
	return v, nil
}

// callsView returns the filters as they were sent.
func callsView(r *http.Request) views.Calls {
	q := r.URL.Query()
	if q.Get("agent_id") == "" { // a version is one of an agent: without the agent, it limits nothing
		q.Del("agent_version")
	}
	return views.Calls{
		Query: strings.TrimSpace(q.Get("q")), Sort: q.Get("sort"),
		SaidBy: cmp.Or(q.Get("said_by"), string(call.SaidByRecipient)), MinDuration: q.Get("min_duration"),
		ToNumber: q.Get("to_number"), ExternalID: strings.TrimSpace(q.Get("external_id")),
		Direction: q.Get("direction"), Outcome: q.Get("outcome"), Intent: q.Get("intent"),
		AnsweredBy: q.Get("answered_by"),
		CampaignID: q.Get("campaign_id"), AgentID: q.Get("agent_id"), AgentVersion: q.Get("agent_version"),
		PhoneNumberID: q.Get("phone_number_id"),
		Answers:       answersOf(q), Question: q.Get("question"), Answer: strings.TrimSpace(q.Get("answer")),
		After: q.Get("after"), Before: q.Get("before"), Reviewed: q.Get("reviewed"), Tag: q.Get("tag"),
		Placed:    q.Get("placed"),
		Selecting: q.Get("select") == "yes",
	}
}

// callFilter reads the filters of the form. Its error is Invalid, with problems under the
// names of the filters.
func (s *Server) callFilter(r *http.Request, v views.Calls) (call.Filter, error) {
	f := call.Filter{
		Request:    frame.PageOf(r),
		ExternalID: v.ExternalID,
		Intents:    page.Only(conversation.Intent(v.Intent)),
		AnsweredBy: page.Only(call.AnsweredBy(v.AnsweredBy)),
		Direction:  call.Direction(v.Direction),
		Query:      v.Query,
		SaidBy:     call.Speaker(v.SaidBy),
		Sort:       call.Sort(v.Sort),
		Tag:        v.Tag,
	}
	var p fault.Problems
	if f.Query == "" { // the address may keep how a search was made that was cleared
		f.Sort, f.SaidBy = "", ""
	}
	if v.MinDuration != "" {
		seconds, err := strconv.Atoi(v.MinDuration)
		if err != nil || seconds < 0 || seconds > maxTalkFilter {
			p.Addf("min_duration", "must be a number of seconds")
		}
		f.MinDuration = time.Duration(seconds) * time.Second
	}
	switch v.Outcome {
	case liveOutcome:
		f.Live = true
	case scheduledOutcome:
		f.Statuses = page.Only(call.StatusScheduled)
	default:
		f.Outcomes = page.Only(call.Outcome(v.Outcome))
	}
	if v.ToNumber != "" {
		f.PersonNumber, f.NumberPart = frame.NumberOrPart(r, &p, "to_number", v.ToNumber)
	}
	if v.CampaignID == noCampaign {
		f.NoCampaign = true
	} else {
		f.CampaignID = frame.OptionalID(&p, "campaign_id", v.CampaignID)
	}
	f.AgentID = frame.OptionalID(&p, "agent_id", v.AgentID)
	f.PhoneNumberID = frame.OptionalID(&p, "phone_number_id", v.PhoneNumberID)
	f.Answers = answerPairs(v.Answers, v.Question, v.Answer)
	f.AgentVersion = frame.OptionalInt(&p, "agent_version", v.AgentVersion)
	switch v.Reviewed {
	case "":
	case "yes", "no":
		f.Reviewed = new(v.Reviewed == "yes")
	default:
		p.Addf("reviewed", "must be yes or no")
	}
	if f.Placed = v.Placed == "yes"; v.Placed != "" && !f.Placed {
		p.Addf("placed", "must be yes")
	}
	zone := s.Clock(r).Zone
	if v.After != "" {
		day, err := time.ParseInLocation(time.DateOnly, v.After, zone)
		if err != nil {
			p.Addf("after", "must be a date")
		}
		f.CreatedAfter = day.Add(-time.Millisecond) // the filter includes the day itself
	}
	if v.Before != "" {
		day, err := time.ParseInLocation(time.DateOnly, v.Before, zone)
		if err != nil {
			p.Addf("before", "must be a date")
		}
		f.CreatedBefore = day.AddDate(0, 0, 1)
	}
	return f, p.Err()
}

// noCampaign is the value of the filter by campaign for calls without one.
const noCampaign = "none"

// maxTalkFilter is a day in seconds, longer than any call.
const maxTalkFilter = 24 * 60 * 60

// callChoices adds the choices of the filters, and a chip for each active filter.
func (s *Server) callChoices(r *http.Request, v *views.Calls) error {
	var err error
	if v.Campaigns, v.Agents, err = s.CampaignsAndAgents(r); err != nil {
		return err
	}
	tags, err := s.Calls.Tags(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	v.Tags = ui.OptionsOf(tags...)
	v.SelectHref, v.PlainHref = frame.SelectHrefs(r)
	v.Campaigns = append([]ui.Option{{Value: noCampaign, Label: "No campaign"}}, v.Campaigns...)
	chip := func(name, param, value string, options []ui.Option) {
		if value == "" || v.Errors.For(param) != "" { // the field shows its own error
			return
		}
		for _, o := range options {
			if o.Value == value {
				value = o.Label
			}
		}
		v.Chips = append(v.Chips, views.FilterChip{
			Name: name, Value: value, RemoveHref: frame.WithParam(r.URL, param, ""),
		})
	}
	said := map[string]string{"recipient": "The person said", "agent": "The agent said"}[v.SaidBy]
	chip(cmp.Or(said, "Anyone said"), "q", v.Query, nil)
	number := v.ToNumber
	if n, err := phone.ParseNational(number, frame.SignedIn(r).Organization.Region); err == nil {
		number = ui.Phone(n.String())
	}
	chip("Number", "to_number", number, nil)
	chip("External ID", "external_id", v.ExternalID, nil)
	chip("Direction", "direction", v.Direction, views.DirectionOptions)
	outcome := v.Outcome
	if outcome == liveOutcome {
		outcome = "in_progress"
	}
	if outcome != "" {
		chip("Outcome", "outcome", ui.StateOf(outcome).Word, nil)
	}
	v.Intents = intentOptions()
	chip("Intent", "intent", v.Intent, v.Intents)
	if v.AnsweredBy != "" {
		chip("Answered by", "answered_by", map[string]string{
			"human": "a person", "machine": "voicemail", "unknown": "unknown",
		}[v.AnsweredBy], nil)
	}
	chip("Campaign", "campaign_id", v.CampaignID, v.Campaigns)
	chip("Agent", "agent_id", v.AgentID, v.Agents)
	chip("Agent version", "agent_version", v.AgentVersion, nil)
	if err := s.callQuestions(r, v); err != nil {
		return err
	}
	v.Chips = append(v.Chips, answerChips(r, v.Answers, v.Question, v.Answer, v.Errors)...)
	if v.PhoneNumberID != "" {
		chip("Called from", "phone_number_id", s.ownNumber(r, v.PhoneNumberID), nil)
	}
	chip("Talk time", "min_duration", v.MinDuration, views.MinDurations)
	chip("Review", "reviewed", v.Reviewed, views.ReviewedOptions)
	chip("Tag", "tag", v.Tag, nil)
	if v.Placed != "" {
		chip("Not placed", "placed", "left out", nil)
	}
	chip("From", "after", s.dayWords(r, v.After), nil)
	chip("To", "before", s.dayWords(r, v.Before), nil)
	return nil
}

// dayWords formats the date of a filter as pages write dates. It returns a malformed date
// unchanged.
func (s *Server) dayWords(r *http.Request, date string) string {
	clock := s.Clock(r)
	if day, err := time.ParseInLocation(time.DateOnly, date, clock.Zone); err == nil {
		return clock.Date(day)
	}
	return date
}

// CallRows makes the rows of a list of calls.
func (s *Server) CallRows(ctx context.Context, organization uuid.UUID, list []call.Call) ([]views.CallRow, error) {
	var campaignIDs []uuid.UUID
	for _, c := range list {
		if c.CampaignID != nil {
			campaignIDs = append(campaignIDs, *c.CampaignID)
		}
	}
	campaigns, err := s.Campaigns.Names(ctx, organization, campaignIDs)
	if err != nil {
		return nil, err
	}
	reviews, err := s.Calls.Reviews(ctx, organization, call.IDs(list))
	if err != nil {
		return nil, err
	}
	rows := make([]views.CallRow, len(list))
	for i, c := range list {
		rows[i] = views.CallRow{
			ID: c.ID.String(), Name: c.RecipientName, Number: c.PersonNumber, Withheld: c.NumberWithheld,
			Status:  string(c.Status),
			Outcome: ShownOutcome(c), Reason: ReasonWords(c),
			Snippet: snippet(c), Attempt: c.Attempt, TalkSeconds: int(c.TalkTime().Seconds()),
			At: c.CreatedAt, Inbound: c.Direction == call.Inbound,
			NotPlaced: c.Status.Terminal() && c.EndedReason.NotPlaced(),
			Reviewed:  reviews[c.ID].ReviewedAt != nil, Tags: reviews[c.ID].Tags,
		}
		if c.Waiting != nil && c.Waiting.Until != nil {
			rows[i].Due = time.Time(*c.Waiting.Until)
		}
		if c.AgentName != nil {
			rows[i].Agent = *c.AgentName
		}
		if c.CampaignID != nil {
			rows[i].Campaign = campaigns[*c.CampaignID]
		}
		for _, piece := range c.Snippet {
			rows[i].Found = append(rows[i].Found, views.FoundText(piece))
		}
	}
	return rows, nil
}

// callColumns adds the columns that the person chose, and what is in them.
func (s *Server) callColumns(r *http.Request, v *views.Calls, list []call.Call) (err error) {
	back := frame.WithParam(r.URL, "", "")
	if v.Columns, err = s.Columns(r, account.CallColumns, back); err != nil {
		return err
	}
	keys := views.AnswerKeys(v.Columns.Chosen)
	if len(keys) > 0 {
		if err := s.callQuestions(r, v); err != nil {
			return err
		}
	}
	amounts, currencies := make([]string, len(list)), make([]string, len(list))
	for i, c := range list {
		amounts[i], currencies[i] = frame.OrNone(c.CostAmount), frame.OrNone(c.CostCurrency)
	}
	costs := money.Column(amounts, currencies)
	for i, c := range list {
		row := &v.Rows[i]
		row.ExternalID, row.OwnNumber = frame.OrNone(c.ExternalID), ui.Phone(c.OwnNumber)
		if c.Analysis != nil {
			if intent := c.Analysis.Intent; intent != nil {
				row.Intent = ui.Intent(string(*intent))
			}
			row.Answers = map[string]string{}
			for _, key := range keys {
				if answer, given := c.Analysis.Answers[key]; given {
					row.Answers[key] = AnswerText(answer)
				}
			}
		}
		if c.CostAmount != nil && c.CostCurrency != nil {
			row.Cost = costs[i]
		}
	}
	return nil
}

// snippetLength bounds the text of a conversation in a list, in characters.
const snippetLength = 140

// snippet returns the summary, or the first words of the conversation.
func snippet(c call.Call) string {
	text := c.TranscriptText
	if c.Analysis != nil && c.Analysis.Summary != "" {
		text = c.Analysis.Summary
	}
	return shortened(text, snippetLength)
}

// shortened returns the first words of a text, at most most characters.
func shortened(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return strings.TrimRight(string(runes[:most]), " .,;:") + "…"
	}
	return text
}

// intentOptions are the choices of a filter by intent.
func intentOptions() (options []ui.Option) {
	for _, intent := range conversation.Intents {
		options = append(options, ui.Option{Value: string(intent), Label: ui.Intent(string(intent))})
	}
	return options
}
