package calls

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// stepLength bounds the text of a turn in the timeline, in characters.
const stepLength = 48

// ReasonWords returns the detail that the outcome alone does not give.
func ReasonWords(c call.Call) string {
	if c.EndedAt == nil {
		return "" // the row shows an intention that is not yet a result
	}
	if callerGone(c) {
		return "the caller hung up"
	}
	switch c.EndedReason {
	case call.ReasonWrongPerson, call.ReasonDeceased, call.ReasonMinor, call.ReasonCallBack, call.ReasonWantsHuman:
		return strings.ToLower(ui.Intent(string(c.EndedReason)))
	case call.ReasonRecipientBusy:
		return strings.ToLower(ui.Intent(string(conversation.Busy)))
	case call.ReasonTransferred:
		return "transferred"
	case call.ReasonHungUp:
		return "hung up early"
	case call.ReasonSaidGoodbye:
		return "said goodbye"
	case call.ReasonOptedOut:
		return "asked not to be called"
	case call.ReasonSilence:
		return "no response"
	case call.ReasonTurnLimit, call.ReasonMaxDuration:
		return "time limit reached"
	case call.ReasonVoicemailMessage:
		return "message left"
	case call.ReasonScreened:
		return "call screener"
	case call.ReasonMenu:
		return "phone menu"
	case call.ReasonEndedByUser:
		return "ended by " + endedByName(c)
	case call.ReasonServerRestart:
		return "interrupted by a server restart"
	case call.ReasonLineFailed:
		return "line failed"
	case call.ReasonModelFailed:
		return "model failed"
	case call.ReasonModelBudget:
		return "model limit reached"
	case call.ReasonRejected:
		return "declined"
	case call.ReasonInvalidNumber:
		return "number not in service"
	case call.ReasonUnreachable:
		return "unreachable"
	case call.ReasonCarrierUnavailable:
		return "carrier unavailable"
	case call.ReasonAccountRefused:
		return "account refused"
	case call.ReasonCountryRefused:
		return "country not permitted"
	case call.ReasonCallerRefused:
		return "calling number refused"
	case call.ReasonCarrierBusy:
		return "carrier busy"
	case call.ReasonNotPlaced:
		return "not placed"
	case call.ReasonNoCapacity:
		return "nobody could take the call"
	case call.ReasonForwarded:
		return "forwarded"
	case call.ReasonNotAccepted:
		return "" // the outcome says it
	case call.ReasonTooManyCalls:
		return "too many calls"
	case call.ReasonCalledBack:
		return "the person called back"
	case call.ReasonNotAllowed:
		return "refused by the pre-dial check"
	case call.ReasonCheckFailed:
		return "pre-dial check failed"
	case call.ReasonCanceledByUser:
		return "canceled by " + endedByName(c)
	case call.ReasonDoNotCall:
		return "on the do-not-call list"
	case call.ReasonNoConsent:
		return "no consent"
	case call.ReasonExpired:
		return "expired"
	case call.ReasonRemoved:
		return "agent, number or connection removed"
	case call.ReasonRefused:
		return "refused by the carrier"
	case call.ReasonCarrierLost:
		return "lost by the carrier"
	}
	return ""
}

// callerGone reports whether the person called and hung up before the call was answered.
func callerGone(c call.Call) bool {
	return c.Direction == call.Inbound && c.AnsweredAt == nil && c.EndedBy == call.ByRecipient
}

func endedByName(c call.Call) string { return *cmp.Or(c.EndedByName(), new("a user")) }

// ShownOutcome returns the outcome of a call as the word of its state. An inbound call that was not accepted is
// canceled by the API's word, but nobody canceled it.
func ShownOutcome(c call.Call) string {
	if c.EndedReason == call.ReasonNotAccepted || c.EndedReason == call.ReasonTooManyCalls {
		return "not_accepted"
	}
	return string(c.Outcome)
}

func (s *Server) Call(w http.ResponseWriter, r *http.Request) error {
	v, err := s.callView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CallPage(s.Chrome(r), v))
}

// callView reads everything on the page of a call.
func (s *Server) callView(r *http.Request) (views.Call, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return views.Call{}, err
	}
	c, turns, err := s.Calls.Get(ctx, organization, id)
	if err != nil {
		return views.Call{}, err
	}
	var agent project.Agent // without a name if no agent held an inbound call
	if c.AgentID != nil {
		if agent, err = s.Projects.Agent(ctx, organization, *c.AgentID); err != nil {
			return views.Call{}, err
		}
	}
	script := agent.Script
	if c.AgentVersion != nil {
		version, _, err := s.Projects.AgentVersion(ctx, organization, agent.ID, *c.AgentVersion)
		if err != nil {
			return views.Call{}, err
		}
		script = version.Script
	}
	if c.AgentName != nil { // the agent was perhaps renamed since
		agent.Name = *c.AgentName
	}
	followUps, err := s.callFollowUps(r, c.ID)
	if err != nil {
		return views.Call{}, err
	}
	listed, err := s.listedAfter(r, c)
	if err != nil {
		return views.Call{}, err
	}
	v := views.Call{
		ID: c.ID.String(), Name: c.RecipientName, Number: c.PersonNumber, Withheld: c.NumberWithheld,
		Status:  string(c.Status),
		Outcome: ShownOutcome(c), Reason: ReasonWords(c),
		OptedOut: c.EndedReason == call.ReasonOptedOut, Attempt: c.Attempt,
		CallerGone: callerGone(c),
		NotPlaced:  c.Status.Terminal() && c.EndedReason.NotPlaced(), AgentID: export.Optional(c.AgentID),
		FollowUps: followUps,
		Agent:     agent.Name, At: c.CreatedAt,
		TalkSeconds: int(c.TalkTime().Seconds()), Seconds: c.TalkTime().Seconds(),
		CanEnd:    c.EndedAt == nil && c.HangUpAt == nil && c.Status != call.StatusScheduled,
		CanCancel: c.Status == call.StatusScheduled,
		CanRepeat: c.EndedAt != nil && c.PersonNumber != "",
		DueAt:     c.DueAt,
		Connected: connected(c),
		Turns:     turnsView(c, agent.Name, turns), Steps: callSteps(c, agent.Name, turns, listed),
		Details: callDetails(s.Clock(r), c, agent.Name),
	}
	if c.Waiting != nil && c.Waiting.Reason != campaign.WaitScheduled { // the page says when the call starts
		v.Notice = callWaitText(s.Clock(r), *c.Waiting)
	}
	if c.EndedAt != nil {
		notes, err := s.Calls.Notes(ctx, organization, c.ID)
		if err != nil {
			return v, err
		}
		v.Unused = unusedNotes(c, notes)
	}
	if v.Recording, err = s.recordingView(r, c); err != nil {
		return v, err
	}
	if c.EndedAt == nil || analysisAwaited(c, script) ||
		v.Recording.State == views.RecordingAwaited && time.Since(*c.EndedAt) < recordingLive {
		v.EventsHref = "/calls/" + v.ID + "/events"
	}
	if err := s.addReview(ctx, &v, c); err != nil {
		return v, err
	}
	if c.Analysis != nil {
		v.Summary, v.Answers = c.Analysis.Summary, AnswersView(&c.Analysis.Analysis, script.Questions)
		analysisView(&v, c.Analysis, script.Questions)
		for _, name := range slices.Sorted(maps.Keys(c.Analysis.Variables)) {
			v.Returned = append(v.Returned, ui.Fact{Name: ui.Sentence(name), Text: c.Analysis.Variables[name]})
		}
		if err := s.analysesView(r, &v, c); err != nil {
			return v, err
		}
	}
	if c.CampaignID != nil {
		if err := s.campaignOfCall(r, &v, *c.CampaignID); err != nil {
			return v, err
		}
		v.MaxAttempts = max(v.MaxAttempts, c.Attempt)
	} else if c.RecipientID != nil && c.Direction == call.Outbound {
		if err := s.ownSettings(r, &v, *c.RecipientID, c.Attempt); err != nil {
			return v, err
		}
	}
	if v.Known, err = knownFacts(c); err != nil {
		return v, err
	}
	recipient := c.RecipientID
	if u := c.Resumes; u != nil {
		recipient = &u.RecipientID
		if err := s.campaignOfCall(r, &v, u.CampaignID); err != nil {
			return v, err
		}
		v.MaxAttempts, v.InCampaign = 0, "Continued a call of "
		if u.Completed {
			v.InCampaign = "Completed a recipient of "
		}
	}
	if recipient != nil {
		attempts, err := s.Calls.Attempts(ctx, organization, *recipient)
		if err != nil {
			return v, err
		}
		var others []call.Call
		for _, other := range attempts {
			if other.ID != c.ID {
				others = append(others, other)
			}
		}
		if v.Others, err = s.CallRows(ctx, organization, others); err != nil {
			return v, err
		}
	}
	v.Deliveries, err = s.callDeliveries(r, c.ID)
	return v, err
}

// campaignOfCall adds the campaign of a call to its page. A deleted campaign has a name, but no page.
func (s *Server) campaignOfCall(r *http.Request, v *views.Call, id uuid.UUID) error {
	organization := frame.SignedIn(r).Organization.ID
	n, err := s.Campaigns.Get(r.Context(), organization, id)
	if fault.KindOf(err) == fault.NotFound {
		names, err := s.Campaigns.Names(r.Context(), organization, []uuid.UUID{id})
		v.Campaign = names[id]
		return err
	}
	if err != nil {
		return err
	}
	v.CampaignID, v.Campaign, v.MaxAttempts = n.ID.String(), n.Name, n.MaxAttempts
	return nil
}

// speaker is the name of who spoke a turn: the agent, or the first name of the recipient.
func speaker(c call.Call, agent string, role call.Role) string {
	if role == call.Agent {
		return agent
	}
	first, _, _ := strings.Cut(c.RecipientName, " ")
	return cmp.Or(first, "Recipient")
}

func turnsView(c call.Call, agent string, turns []call.Turn) []ui.Turn {
	rows := make([]ui.Turn, len(turns))
	for i, turn := range turns {
		row := ui.Turn{
			ID:   turnID(turn.Index),
			Role: string(turn.Role), Who: speaker(c, agent, turn.Role), Text: turn.Text, Start: seconds(turn.StartMS),
			End: seconds(turn.EndMS), Interrupted: turn.Interrupted,
		}
		if turn.Timing != nil {
			row.Took, row.Parts = timingText(*turn.Timing)
		}
		rows[i] = row
	}
	return rows
}

// connected is the part of a call with a person to whom it was transferred.
func connected(c call.Call) *ui.Connected {
	t := c.Transfer
	if t == nil || !t.State.Connected() || t.TakenAt == nil || c.AnsweredAt == nil {
		return nil
	}
	whole := c.TalkTime().Seconds()
	end := whole
	if t.EndedAt != nil {
		end = min(time.Time(*t.EndedAt).Sub(*c.AnsweredAt).Seconds(), whole)
	}
	start := max(time.Time(*t.TakenAt).Sub(*c.AnsweredAt).Seconds(), 0)
	if start >= end {
		return nil
	}
	return &ui.Connected{With: t.Destination, Start: start, End: end}
}

// timingText says how long the answer of a language model took, and what it is made of.
func timingText(t call.Timing) (took string, parts []string) {
	until := t.FirstSentMS
	if t.SpeakingMS != nil {
		until = *t.SpeakingMS
	}
	ms := func(n int) string { return ui.Count(n) + " ms" }
	parts = append(parts, "Model: "+ms(t.FirstTokenMS-t.RequestMS)+" until its first token")
	if t.ToolMS > 0 {
		parts = append(parts, "Earlier requests and tools: "+ms(t.ToolMS))
	}
	parts = append(parts, "Dialwright: "+ms(t.OwnMS), "First words sent after "+ms(t.FirstSentMS))
	if t.SpeakingMS != nil {
		parts = append(parts, "Spoken after "+ms(*t.SpeakingMS)+", as the carrier reported")
	}
	if t.Hedged {
		parts = append(parts, "Two connections were asked")
	}
	return "Answered in " + strconv.FormatFloat(float64(until)/1000, 'f', 1, 64) + " s", parts
}

// seconds converts milliseconds. It returns -1 if the carrier did not report the
// duration.
func seconds(ms *int) float64 {
	if ms == nil {
		return -1
	}
	return float64(*ms) / 1000
}

// AnswersView lists the answers in the order of the questions, with the questions that did not apply. Answers to
// questions that were since deleted from the agent come last.
func AnswersView(a *conversation.Analysis, questions []conversation.Question) []ui.Fact {
	keys := make([]string, 0, len(a.Answers))
	for _, q := range questions {
		if _, ok := a.Answers[q.Key]; ok || slices.Contains(a.Skipped, q.Key) {
			keys = append(keys, q.Key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(a.Answers)) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	var facts []ui.Fact
	for _, key := range keys {
		text := AnswerText(a.Answers[key])
		if slices.Contains(a.Skipped, key) {
			text = "Did not apply"
		}
		facts = append(facts, ui.Fact{Name: ui.Sentence(key), Text: text})
	}
	facts = append(facts, ui.Fact{Name: "Sentiment", Text: ui.Capital(string(a.Sentiment))})
	optOut := "No"
	if a.OptOut {
		optOut = "Yes"
	}
	return append(facts, ui.Fact{Name: "Asked not to be called", Text: optOut})
}

// AnswerText formats a recorded answer.
func AnswerText(value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		if strings.Contains(v, "@") {
			return v // an email address
		}
		return ui.Capital(v)
	}
	return fmt.Sprint(value)
}

// callSteps returns the timeline of a call, with every turn in it and further steps.
func callSteps(c call.Call, agent string, turns []call.Turn, further []ui.Step) []ui.Step {
	steps := []ui.Step{{Glyph: ui.GlyphStep, Word: "Queued", At: c.CreatedAt}}
	switch {
	case c.Status == call.StatusScheduled:
		steps[0].Word = "Scheduled"
	case c.Direction == call.Inbound:
		steps = []ui.Step{{
			Glyph: ui.GlyphDialing, Word: "Called in", Note: "To " + ui.Phone(c.OwnNumber), At: c.CreatedAt,
		}}
	case c.StartedAt != nil:
		steps = append(steps, ui.Step{
			Glyph: ui.GlyphDialing, Word: "Dialed", Note: "From " + ui.Phone(c.OwnNumber), At: *c.StartedAt,
		})
	}
	if c.RingingAt != nil {
		note := ""
		if ring := c.RingTime().Truncate(time.Second); ring > 0 { // as ring_seconds
			note = ui.Wait(ring)
		}
		steps = append(steps, ui.Step{Glyph: ui.GlyphStep, Word: "Ringing", Note: note, At: *c.RingingAt})
	}
	if c.AnsweredAt != nil {
		note := map[call.AnsweredBy]string{"human": "By a person", "machine": "By voicemail"}[c.AnsweredBy]
		steps = append(steps, ui.Step{Glyph: ui.GlyphInProgress, Word: "Answered", Note: note, At: *c.AnsweredAt})
	}
	times := turnTimes(c, turns)
	for i, turn := range turnsView(c, agent, turns) {
		at := times[i]
		if turn.Role == "system" {
			steps = append(steps, ui.Step{Glyph: ui.GlyphStep, Word: turn.Text, At: at})
		} else {
			steps = append(steps, ui.Step{
				Glyph: ui.GlyphStep, Word: turn.Who, Note: shortened(turn.Text, stepLength), At: at, Spoken: true,
			})
		}
	}
	if c.EndedAt != nil {
		state := ui.StateOf(ShownOutcome(c))
		steps = append(steps, ui.Step{Glyph: state.Glyph, Word: endedWords(c), Note: ui.Capital(c.Detail),
			At: *c.EndedAt})
	}
	steps = append(steps, further...)
	// The carrier's callbacks arrive in any order, with times of several clocks.
	sort.SliceStable(steps, func(i, j int) bool { return steps[i].At.Before(steps[j].At) })
	return steps
}

// turnTimes returns when each turn began. It never goes back, so that a list by time has the order of the turns. The
// carrier reports when words were spoken. Of another turn, only the time of its storage is known, by our own clock,
// which may be later than the words that follow it.
func turnTimes(c call.Call, turns []call.Turn) []time.Time {
	times := make([]time.Time, len(turns))
	spoken := make([]bool, len(turns))
	for i, turn := range turns {
		times[i] = turn.CreatedAt
		if c.AnsweredAt != nil && turn.StartMS != nil {
			times[i], spoken[i] = c.AnsweredAt.Add(time.Duration(*turn.StartMS)*time.Millisecond), true
		}
	}
	for i := len(turns) - 2; i >= 0; i-- {
		if !spoken[i] && times[i].After(times[i+1]) {
			times[i] = times[i+1]
		}
	}
	for i := 1; i < len(turns); i++ {
		if times[i].Before(times[i-1]) {
			times[i] = times[i-1]
		}
	}
	return times
}

// listedAfter returns the step of the timeline in which a call put its number on the do-not-call list.
func (s *Server) listedAfter(r *http.Request, c call.Call) ([]ui.Step, error) {
	if c.EndedAt == nil || c.PersonNumber == "" { // an erased number is not known
		return nil, nil
	}
	list, err := s.Suppressions.List(r.Context(), c.OrganizationID, suppression.Filter{
		PhoneNumber: phone.Number(c.PersonNumber),
	})
	if err != nil {
		return nil, err
	}
	var channels []string
	step := ui.Step{Glyph: ui.GlyphSkipped, Word: "Added to the do-not-call list"}
	for _, e := range list.Data {
		if e.CallID != nil && *e.CallID == c.ID {
			channels = append(channels, map[suppression.Channel]string{
				suppression.Voice: "calls", suppression.Message: "messages",
			}[e.Channel])
			step.At = e.CreatedAt
		}
	}
	if len(channels) == 0 {
		return nil, nil
	}
	slices.Sort(channels)
	step.Note = "For " + strings.Join(channels, " and ")
	return []ui.Step{step}, nil
}

func endedWords(c call.Call) string {
	if c.AnsweredAt == nil {
		word := ui.StateOf(ShownOutcome(c)).Word
		switch reason := ReasonWords(c); {
		case reason == "":
			return word
		case strings.HasPrefix(reason, strings.ToLower(word)+" "): // "canceled by Ada"
			return ui.Capital(reason)
		default:
			return word + ", " + reason
		}
	}
	switch c.EndedBy {
	case call.ByAgent:
		if c.EndedReason == call.ReasonTransferred && c.Transfer != nil { // the agent was no longer on the call
			return "Ended by " + c.Transfer.Destination
		}
		return "Ended by the agent"
	case call.ByRecipient:
		return "Ended by the recipient"
	case call.ByCarrier:
		return "Ended by the carrier"
	}
	if name := c.EndedByName(); name != nil {
		return "Ended by " + *name
	}
	return "Ended"
}

// attestationWords describe the levels of STIR/SHAKEN.
var attestationWords = map[carrier.Attestation]string{
	carrier.FullAttestation:    "A, full",
	carrier.PartialAttestation: "B, partial",
	carrier.GatewayAttestation: "C, gateway",
}

// costDecimals is how many decimals of the cost of tokens a page shows.
const costDecimals = 6

// modelLines say what a call used of a language model.
func modelLines(m conversation.ModelUse) []string {
	about := ""
	if m.Estimated {
		about = "about "
	}
	lines := []string{
		cmp.Or(m.Name, "Unnamed model") + ", " + ui.Plural(m.Turns, "answer"),
		about + ui.Count(m.InputTokens) + " tokens in, " + about + ui.Count(m.OutputTokens) + " out",
	}
	for _, u := range m.Connections {
		if u.Cost == nil {
			continue
		}
		about := ""
		if u.Estimated {
			about = "about "
		}
		lines = append(lines, "Tokens cost "+about+
			money.Format(u.Cost.Amount, u.Cost.Currency, min(money.ExactDecimals(u.Cost.Amount), costDecimals)))
	}
	if m.FellBack {
		lines = append(lines, "No model answered in time. The agent asked the open questions")
	}
	return lines
}

func callDetails(clock ui.Clock, c call.Call, agent string) []ui.Fact {
	from, to := ui.Phone(c.OwnNumber), ui.PersonNumber(c.PersonNumber, c.NumberWithheld)
	if c.Direction == call.Inbound {
		from, to = to, from
	}
	facts := []ui.Fact{
		{Name: "Agent", Value: views.AgentOfCall(export.Optional(c.AgentID), agent, c.AgentVersion)},
		{Name: "Direction", Text: ui.Capital(string(c.Direction))},
		{Name: "From", Text: from},
		{Name: "To", Text: to},
		{Name: "Carrier", Text: ui.Capital(c.Carrier)},
	}
	if c.ForwardedTo != nil {
		facts = append(facts, ui.Fact{Name: "Forwarded to", Text: ui.Phone(*c.ForwardedTo)})
	}
	if c.CarrierCallID != nil {
		facts = append(facts, ui.Fact{
			Name: "Carrier ID", Value: ui.Copyable("carrier-id", "carrier's ID of the call", *c.CarrierCallID),
		})
	}
	if c.CarrierCode != nil {
		facts = append(facts, ui.Fact{Name: "Carrier code", Text: *c.CarrierCode})
	}
	if c.ExternalID != nil {
		facts = append(facts, ui.Fact{Name: "External ID", Text: *c.ExternalID})
	}
	if c.CallReason != nil {
		facts = append(facts, ui.Fact{Name: "Call reason", Text: *c.CallReason})
	}
	if c.StirAttestation != nil {
		facts = append(facts, ui.Fact{Name: "Attestation", Text: attestationWords[*c.StirAttestation]})
	}
	if c.HoursDecision != nil {
		facts = append(facts, ui.Fact{Name: "Calling hours", Text: HoursText(c)})
	}
	if c.PreDialCheck != nil {
		facts = append(facts, ui.Fact{Name: "Pre-dial check", Text: CheckText(clock, c.PreDialCheck)})
	}
	if a := c.Analysis; a != nil && a.Language != "" {
		facts = append(facts, ui.Fact{Name: "Language", Text: ui.LanguageName(a.Language)})
	}
	if a := c.Analysis; a != nil && a.Model != nil {
		facts = append(facts, ui.Fact{Name: "Language model", Value: ui.Lines(modelLines(*a.Model))})
	}
	if a := c.Analysis; a != nil && a.Intent != nil {
		facts = append(facts, ui.Fact{Name: "Intent", Text: ui.Intent(string(*a.Intent))})
		if a.CallBackAt != nil {
			facts = append(facts, askedAt(clock, time.Time(*a.CallBackAt), a.Leeway))
		}
	}
	if c.CostAmount != nil && c.CostCurrency != nil {
		facts = append(facts, ui.Fact{Name: "Cost", Value: ui.Lines(costLines(c))})
	}
	if c.ConsentBasis != nil {
		facts = append(facts, ui.Fact{
			Name: "Consent", Text: Consent(clock, *c.ConsentBasis, c.ConsentSource, c.ConsentAt, c.ConsentExpiresAt),
		})
	}
	return append(facts, ui.Fact{Name: "Call ID", Value: ui.Copyable("call-id", "call ID", c.ID.String())})
}

// CheckText describes the answer of the pre-dial check.
func CheckText(clock ui.Clock, check *predial.Answer) string {
	text := map[predial.Result]string{
		predial.Allowed: "Allowed", predial.Refused: "Refused", predial.Failed: "Failed",
		predial.FailedOpen: "Failed, called anyway",
	}[check.Result]
	if check.Reason != nil {
		text += ": " + *check.Reason
	}
	return text + fmt.Sprintf(" (%s, %d ms)", clock.When(time.Time(check.AskedAt)), check.TookMS)
}

// zoneSources say where a time zone comes from.
var zoneSources = map[string]string{
	campaign.ZoneOfRecipient: "the recipient's time zone", campaign.ZoneOfNumber: "a time zone of the number",
	campaign.ZoneOfProject: "the project's time zone", campaign.ZoneOfCampaign: "the time zone of the calling hours",
}

// HoursText describes why the calling hours allowed a call. It is empty for a call without a decision.
func HoursText(c call.Call) string {
	d := c.HoursDecision
	if d == nil {
		return ""
	}
	var clocks, rules []string
	for _, clock := range d.Clocks {
		at := clock.LocalTime
		if local, err := time.Parse(call.HoursTime, at); err == nil {
			at = local.Format("15:04")
		}
		clocks = append(clocks, fmt.Sprintf("at %s in %s, %s, within %s–%s", at, clock.Timezone,
			zoneSources[clock.Source], clock.Start, clock.End))
	}
	for _, id := range d.Rules {
		name := id
		if rule, known := regulation.RuleByID(id); known {
			name = rule.Place.Name()
		} else if place, own := regulation.PlaceOfOwn(id); own {
			name = "your own rule for " + place.Name()
		} else if words := map[string]string{
			regulation.PublicHolidays: "public holidays", regulation.ClosedDays: "days without calls",
		}[id]; words != "" {
			name = words
		}
		if !slices.Contains(rules, name) {
			rules = append(rules, name)
		}
	}
	did := "Allowed "
	if c.StartedAt != nil {
		did = "Called "
	}
	text := did + strings.Join(clocks, ", and ") + "."
	if len(rules) > 0 {
		text += " Rules that applied: " + english.List(rules) + "."
	}
	if n := d.CallsIn24Hours; n > 0 {
		text += " " + ui.Plural(n, "earlier call") + " in 24 hours."
	} else {
		text += " No earlier call in 24 hours."
	}
	return text
}

func (s *Server) ConfirmHangUp(w http.ResponseWriter, r *http.Request) error {
	return s.confirmCall(w, r, views.EndCall)
}

func (s *Server) ConfirmCancelCall(w http.ResponseWriter, r *http.Request) error {
	return s.confirmCall(w, r, views.CancelCall)
}

// confirmCall asks whether to change a call.
func (s *Server) confirmCall(
	w http.ResponseWriter, r *http.Request, question func(id, who string) views.Confirm,
) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	c, _, err := s.Calls.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if err != nil {
		return err
	}
	who := c.RecipientName
	if who == "" {
		who = ui.PersonNumber(c.PersonNumber, c.NumberWithheld)
	}
	return s.Confirm(w, r, question(c.ID.String(), who))
}

func (s *Server) HangUp(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Calls.End(r.Context(), s.Actor(r), id), "Ending the call", "/calls/"+id.String())
}

func (s *Server) CancelCall(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Campaigns.CancelCall(r.Context(), s.Actor(r), id), "Call canceled", "/calls/"+id.String())
}

func (s *Server) CallEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "call", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.callView(r)
		return views.CallLive(s.LiveChrome(r, "/calls/"+v.ID), v), v.EventsHref == "", err
	})
}

// askedAt is when the person asked to be called. An hour that the person did not name is not shown: the due time of the
// next call or of the follow-up has it.
func askedAt(clock ui.Clock, at time.Time, leeway conversation.Leeway) ui.Fact {
	const label = "Asked to be called"
	switch leeway {
	case conversation.NoLeeway:
		return ui.Fact{Name: label + " at", Text: clock.When(at)}
	case conversation.WholeWeek, conversation.About:
		return ui.Fact{Name: label, Text: "Around " + clock.Date(at)}
	case conversation.PartOfDay, conversation.WholeDay:
	}
	return ui.Fact{Name: label + " on", Text: clock.Date(at)}
}
