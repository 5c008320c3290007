package calls

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func counters(c campaign.Campaign) views.Counters {
	return views.Counters{
		Total: c.Total, Pending: c.Pending, Dialing: c.Dialing, InProgress: c.InProgress, Completed: c.Completed,
		Voicemail: c.CompletedByVoicemail, Failed: c.Failed, Skipped: c.Skipped, Canceled: c.Canceled,
		Expired: c.Expired,
	}
}

func (s *Server) Campaign(w http.ResponseWriter, r *http.Request) error {
	v, err := s.campaignView(r, nil)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(v.Errors) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return frame.Render(w, r, status, views.CampaignPage(s.Chrome(r), v))
}

// campaignOf reads the campaign that the path names.
func (s *Server) campaignOf(r *http.Request) (campaign.Campaign, error) {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return campaign.Campaign{}, err
	}
	return s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// campaignView reads everything on the page of a campaign. kept is the page of recipients
// that a live part showed last; it is nil on the first reading.
func (s *Server) campaignView(r *http.Request, kept *recipientPage) (views.Campaign, error) {
	ctx, organization, clock := r.Context(), frame.SignedIn(r).Organization.ID, s.Clock(r)
	c, err := s.campaignOf(r)
	if err != nil {
		return views.Campaign{}, err
	}
	v := views.Campaign{
		ID: c.ID.String(), Name: c.Name, Status: string(c.Status), PauseReason: pausedItself(c),
		ConnectionID: c.ConnectionID.String(), EndedReason: endedReason(c),
		AgentID: c.AgentID.String(), Counters: counters(c), Scheduled: c.ScheduledAt,
		Started: frame.OrZero(c.StartedAt), Ended: frame.OrZero(c.EndedAt), Expires: frame.OrZero(c.ExpiresAt),
		CallsPlaced: c.CallsPlaced, AsTable: r.URL.Query().Get("as") == "table",
		Compliance: views.Compliance{
			Answered: c.CallsAnswered - c.InProgress, ByPerson: c.AnsweredByPerson, OptedOut: c.OptedOut,
			Abandoned: c.Abandoned, Short: c.ShortCalls,
		},
		CanPause:  c.Status == campaign.Scheduled || c.Status == campaign.Running,
		CanStart:  c.Status == campaign.Drafted && c.Pending > 0,
		Nobody:    c.Status == campaign.Drafted && c.Pending == 0,
		CanResume: c.Status == campaign.Paused, CanCancel: c.EndedAt == nil,
		CanDelete: c.Status.CheckDelete() == nil,
		CanRetry:  c.Status.Terminal() && c.Failed+c.Canceled+c.Expired > 0,
	}
	v.Selecting = r.URL.Query().Get("select") == "yes" && frame.May(r, account.ManageCampaigns)
	if (c.EndedAt == nil || c.Dialing+c.InProgress > 0) && !v.Selecting {
		v.EventsHref = frame.EventsHref(r.URL)
	}
	of, err := s.Sample(r)
	if err != nil {
		return v, err
	}
	if of != nil && of.CampaignID == v.ID {
		v.Sample = of
	}
	if err := s.campaignNames(ctx, organization, c, &v); err != nil {
		return v, err
	}
	if c.EndedAt == nil && c.Dialing+c.InProgress == 0 {
		for _, wait := range c.Waiting {
			v.Waiting = append(v.Waiting, views.Wait{
				Glyph: waitGlyph(wait), Recipients: wait.Recipients, Text: waitText(clock, wait),
				Zones: zoneWaits(clock, wait),
			})
		}
		v.NotDue = notTheCause(c)
		v.NextAt = nextCall(c.Waiting)
		if slices.ContainsFunc(c.Waiting, waitsForHours) {
			v.Clocks, v.Hours = frame.DrawnWeek(c.CallingHours), "Calling hours: "+hours.Describe(c.CallingHours)
		}
	}
	outcomes, err := s.Campaigns.Outcomes(ctx, organization, c.ID)
	if err != nil {
		return v, err
	}
	for _, word := range ui.Outcomes {
		p := ui.Part{Word: word, Count: outcomes[call.Outcome(word)]}
		if p.Count > 0 {
			p.Href = "/calls?" + url.Values{
				"campaign_id": {c.ID.String()}, "outcome": {word}, "placed": {"yes"},
			}.Encode()
		}
		v.Outcomes = append(v.Outcomes, p)
	}
	intents, err := s.Campaigns.IntentCounts(ctx, organization, c.ID)
	if err != nil {
		return v, err
	}
	for _, intent := range conversation.Intents {
		if n := intents[intent]; n > 0 {
			v.Intents = append(v.Intents, ui.Part{Word: string(intent), Count: n})
		}
	}
	abandoned, err := s.Campaigns.Abandoned(ctx, organization, c.ID)
	if err != nil {
		return v, err
	}
	v.Compliance.Limit = abandonedLimit(abandoned)
	if v.Costs, v.Budget, err = s.campaignCosts(ctx, c); err != nil {
		return v, err
	}
	v.PauseCause = pauseCause(v.PauseReason)
	v.Settings = campaignSettings(c)
	if c.RetryOfCampaignID != nil {
		names, err := s.Campaigns.Names(ctx, organization, []uuid.UUID{*c.RetryOfCampaignID})
		if err != nil {
			return v, err
		}
		if name := names[*c.RetryOfCampaignID]; name != "" {
			v.Settings = append(v.Settings, ui.Fact{
				Name: "Retry of", Value: views.CampaignLink(c.RetryOfCampaignID.String(), name),
			})
		}
	}
	if v.Templates, err = s.changedTemplates(ctx, organization, c); err != nil {
		return v, err
	}

	scope := resultScope{ResultFilter: call.ResultFilter{CampaignID: &c.ID}, agentID: c.AgentID}
	var results call.Results
	if v.Answers, results, err = s.result(r, scope); err != nil {
		return v, err
	}
	asked := make([]conversation.Question, len(results.Questions))
	for i, q := range results.Questions {
		asked[i] = q.Question
		v.Questions = append(v.Questions, ui.Option{Value: q.Key, Label: ui.Sentence(q.Key)})
	}
	if v.Left, err = s.callingLeft(ctx, clock, c); err != nil {
		return v, err
	}
	if v.Log, err = s.latestLog(r, c); err != nil {
		return v, err
	}
	if err := s.recipients(r, c, &v, kept); err != nil {
		return v, err
	}
	if c.Status == campaign.Drafted && !v.Selecting {
		if v.Draft, err = s.beforeStart(r, c); err != nil {
			return v, err
		}
		if v.Draft.Placed, err = s.TestCalls(r); err != nil {
			return v, err
		}
	}
	question := cmp.Or(r.URL.Query().Get("question"), v.Given.Key())
	v.ByAnswer = answerFields(asked, v.Questions, question, v.Given[question], v.Errors)
	return v, nil
}

// TimeLeft estimates how much longer a campaign will call. words is "" if no estimate is
// possible.
func (s *Server) TimeLeft(ctx context.Context, c campaign.Campaign) (words string, due *time.Time, err error) {
	left, known, err := s.Campaigns.Left(ctx, c)
	switch {
	case err != nil || !known:
		return "", nil, err
	case left.Due != nil:
		return "At least " + ui.Wait(left.Time), left.Due, nil
	case left.Time < time.Minute:
		return "Less than a minute", nil, nil
	}
	return "About " + ui.Wait(left.Time), nil, nil
}

// callingLeft returns TimeLeft as a complete sentence.
func (s *Server) callingLeft(ctx context.Context, clock ui.Clock, c campaign.Campaign) (string, error) {
	words, due, err := s.TimeLeft(ctx, c)
	switch {
	case err != nil || words == "":
		return "", err
	case due != nil: // the estimate includes waits without calls
		return words + " left, because a call is due at " + clock.When(*due), nil
	}
	return words + " of calling left", nil
}

func (s *Server) campaignNames(
	ctx context.Context, organization uuid.UUID, c campaign.Campaign, v *views.Campaign,
) error {
	p, err := s.Projects.Project(ctx, organization, c.ProjectID)
	if err != nil {
		return err
	}
	agent, err := s.Projects.Agent(ctx, organization, c.AgentID)
	if err != nil {
		return err
	}
	if c.NumberPoolID != nil {
		pool, err := s.Projects.NumberPool(ctx, organization, *c.NumberPoolID)
		if err != nil {
			return err
		}
		v.From = "the pool " + pool.Name
	} else {
		number, err := s.Projects.PhoneNumber(ctx, organization, *c.PhoneNumberID)
		if err != nil {
			return err
		}
		v.From = ui.Phone(number.PhoneNumber.String())
	}
	connection, err := s.Projects.Connection(ctx, organization, c.ConnectionID)
	if err != nil {
		return err
	}
	content := agent.Followed()
	var followed []project.AgentVersion
	if c.AgentVersion != nil {
		if followed, err = s.followedVersions(ctx, organization, c); err != nil {
			return err
		}
		content, v.Version = followed[0].AgentContent, versionWords(*c.AgentVersion)
	} else if agent.Published != nil {
		followed = append(followed, *agent.Published)
	}
	if c.EndedAt == nil {
		if v.Notes, err = s.agentNotes(ctx, organization, c.ConnectionID, followed...); err != nil {
			return err
		}
	}
	v.Project, v.Agent, v.Disclosure = p.Name, agent.Name, content.Script.Disclosure
	v.Compliance.Sandbox = connection.Kind == project.Sandbox
	return nil
}

// followedVersions returns the version that a campaign chose, and the other one that it compares with it.
func (s *Server) followedVersions(
	ctx context.Context, organization uuid.UUID, c campaign.Campaign,
) (followed []project.AgentVersion, err error) {
	numbers := []int{c.AgentVersion.Version}
	if c.AgentVersion.Split != nil {
		numbers = append(numbers, c.AgentVersion.Split.Version)
	}
	for _, number := range numbers {
		version, _, err := s.Projects.AgentVersion(ctx, organization, c.AgentID, number)
		if err != nil {
			return nil, err
		}
		followed = append(followed, version)
	}
	return followed, nil
}

// versionWords says which versions a campaign follows.
func versionWords(v campaign.AgentVersion) string {
	words := fmt.Sprintf("version %d", v.Version)
	if v.Split != nil {
		words += fmt.Sprintf(" (%d%%: version %d)", v.Split.Percent, v.Split.Version)
	}
	return words
}

// abandonedLimit says how near a campaign is to the organization's limit. It is empty without a limit.
func abandonedLimit(rate campaign.AbandonedRate) string {
	if rate.Most == nil {
		return ""
	}
	text := fmt.Sprintf(" Last 30 days: %s of %s", ui.Count(rate.Abandoned), ui.Count(rate.Answered))
	if rate.Answered > 0 {
		text += fmt.Sprintf(" (%.2f%%)", 100*float64(rate.Abandoned)/float64(rate.Answered))
	}
	if rate.Counted.Resumed {
		text += fmt.Sprintf(". Since the campaign was resumed: %s of %s", ui.Count(rate.Counted.Abandoned),
			ui.Count(rate.Counted.Answered))
	}
	return text + fmt.Sprintf(". The campaign is paused above %s%%, from %s.", frame.WrittenFloat(rate.Most),
		ui.Plural(rate.Least, "answered call"))
}

// pausedItself explains why the product paused a campaign. It is empty if a person paused
// it.
func pausedItself(c campaign.Campaign) string {
	if reason := frame.OrNone(c.PauseReason); !strings.HasPrefix(reason, campaign.PausedBy) {
		return reason
	}
	return ""
}

func endedReason(c campaign.Campaign) string {
	switch reason := frame.OrNone(c.EndedReason); reason {
	case "", campaign.EndedFinished, "canceled":
		return ""
	case "expired":
		return "The end time was reached before all recipients were called."
	default:
		return ui.Sentence(reason) + "."
	}
}

func campaignSettings(c campaign.Campaign) []ui.Fact {
	facts := append([]ui.Fact{{Name: "Call reason", Text: frame.OrNone(c.CallReason)}},
		settingFacts(c, ui.IntentAction)...)
	return append(facts,
		ui.Fact{
			Name: "Pace",
			Text: ui.Plural(c.MaxConcurrency, "simultaneous call") + ", " +
				strconv.FormatFloat(c.CallsPerSecond, 'f', -1, 64) + " per second",
		},
		ui.Fact{Name: "WhatsApp", Value: campaignMessages(c)},
		ui.Fact{Name: "Created by", Text: c.CreatedBy},
	)
}

func (s *Server) recipientRows(
	ctx context.Context, organization uuid.UUID, clock ui.Clock, c campaign.Campaign, list []campaign.Recipient,
) ([]views.RecipientRow, error) {
	var ids []uuid.UUID
	for _, n := range list {
		if n.LastCallID != nil {
			ids = append(ids, *n.LastCallID)
		}
	}
	calls, err := s.Calls.Some(ctx, organization, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]views.RecipientRow, len(list))
	for i, n := range list {
		waits, called := n.Status == campaign.RecipientPending,
			n.Status == campaign.RecipientDialing || n.Status == campaign.RecipientInProgress
		row := views.RecipientRow{
			ID:          n.ID.String(),
			Name:        n.Name,
			Number:      n.PhoneNumber,
			State:       RecipientState(n),
			Zone:        strings.Join(n.Zones, ", "),
			Attempts:    n.Attempts,
			MaxAttempts: max(c.MaxAttempts, n.Attempts), // a recipient may ask for more

			CanCancel:     !c.Status.Terminal() && (waits || called && n.CanceledAt == nil),
			CanPrioritize: !c.Status.Terminal() && waits && n.PrioritizedAt == nil,
		}
		if n.LastCallID != nil {
			last := calls[*n.LastCallID]
			row.LastCallID = n.LastCallID.String()
			row.LastCallAt, row.TalkSeconds = last.CreatedAt, int(last.TalkTime().Seconds())
			if reason := ReasonWords(last); reason != "" && (row.State == string(last.Outcome) || calledBack(n)) {
				row.Note = ", " + reason
			}
			if last.Direction == call.Inbound {
				row.Note += ", the person called back"
			}
		}
		row.Note += recipientNote(clock, c, n)
		switch {
		case waits && n.PrioritizedAt != nil:
			row.Note += ", called first"
		case called && n.CanceledAt != nil:
			row.Note += ", not called again"
		}
		if local := localTime(clock, c, n); local != "" {
			row.Zone = local + " local, " + row.Zone
		}
		if n.ConsentBasis != nil {
			row.Consent = Consent(clock, *n.ConsentBasis, n.ConsentSource, n.ConsentAt, n.ConsentExpiresAt)
		}
		rows[i] = row
	}
	return rows, nil
}

// RecipientState describes how the last call of a recipient ended, if that says more than
// the recipient's own status.
func RecipientState(n campaign.Recipient) string {
	if n.OptedOut {
		return views.OptedOut
	}
	switch n.Status {
	case campaign.RecipientPending, campaign.RecipientCompleted, campaign.RecipientFailed:
		if n.Outcome != nil && !calledBack(n) && !notPlaced(n) {
			return *n.Outcome
		}
	}
	return string(n.Status)
}

// notPlaced reports whether a recipient waits because the last call was not placed.
// No phone rang, so the outcome of that call says nothing about the recipient.
func notPlaced(n campaign.Recipient) bool {
	reason := frame.OrNone(n.WaitReason)
	return n.Status == campaign.RecipientPending && (reason == campaign.WaitCountry ||
		reason == campaign.WaitCarrier || reason == campaign.WaitPreDialCheck)
}

// calledBack reports whether a recipient is called again after a conversation. They are not
// done, as the outcome of their last call would say.
func calledBack(n campaign.Recipient) bool {
	return n.Status == campaign.RecipientPending && frame.OrNone(n.Outcome) == string(call.OutcomeCompleted)
}

// recipientNote returns the text that follows the state of a recipient.
func recipientNote(clock ui.Clock, c campaign.Campaign, n campaign.Recipient) string {
	planned := func(words string) string {
		if c.ExpiresAt != nil && !n.DueAt.Before(*c.ExpiresAt) {
			return words + " is not made because calls end at " + clock.When(*c.ExpiresAt)
		}
		return words
	}
	switch {
	case n.Status == campaign.RecipientSkipped:
		return SkipWords(n)
	case n.Status == campaign.RecipientPending && frame.OrNone(n.WaitReason) == campaign.WaitCountry:
		return ", country not permitted"
	case n.Status == campaign.RecipientPending && n.DueAt != nil && c.EndedAt == nil && n.DueAt.After(clock.Now):
		if frame.OrNone(n.WaitReason) == campaign.WaitCallBack {
			return planned(", next call at " + clock.When(*n.DueAt))
		}
		if n.Outcome != nil && !notPlaced(n) {
			return planned(", retry at " + clock.When(*n.DueAt))
		}
		return planned(", call at " + clock.When(*n.DueAt))
	}
	return ""
}

// SkipWords returns the reason why a recipient was skipped, after a comma. It is empty without a reason.
func SkipWords(n campaign.Recipient) string {
	switch frame.OrNone(n.SkipReason) {
	case campaign.SkipDuplicate:
		return ", duplicate"
	case campaign.SkipDoNotCall:
		return ", on the do-not-call list"
	case campaign.SkipNoConsent:
		return ", no consent"
	case campaign.SkipPreDialCheck:
		return ", pre-dial check: " + frame.OrNone(n.SkipDetail)
	}
	return ""
}

// localTime returns the recipient's local time of the next call. It is empty if the
// organization's time zone gives the same time, or if the recipient has several possible
// zones.
func localTime(clock ui.Clock, c campaign.Campaign, n campaign.Recipient) string {
	if n.Status != campaign.RecipientPending || n.DueAt == nil || c.EndedAt != nil || !n.DueAt.After(clock.Now) ||
		len(n.Zones) != 1 {
		return ""
	}
	zone, err := time.LoadLocation(n.Zones[0])
	if err != nil {
		return ""
	}
	local := n.DueAt.In(zone).Format("15:04")
	if local == clock.TimeOfDay(*n.DueAt) {
		return ""
	}
	return local
}

func (s *Server) PauseCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	c, err := s.Campaigns.Pause(r.Context(), s.Actor(r), id)
	if err != nil {
		return s.refusedMove(w, r, id, err)
	}
	s.Undoable(r, "Campaign paused. Calls in progress continue.", "Resume", "/campaigns/"+c.ID.String()+"/resume")
	return frame.SeeOther(w, r, "/campaigns/"+c.ID.String())
}

func (s *Server) ResumeCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	reason := r.PostFormValue("not_ready_reason")
	c, err := s.Campaigns.ResumeAnyway(r.Context(), s.Actor(r), id, reason)
	if problems := ui.ErrorsOf(err); problems.For("not_ready_reason") != "" {
		return s.askReason(w, r, views.ResumeCampaign, reason, problems)
	}
	if err != nil {
		return s.refusedMove(w, r, id, err)
	}
	return s.Done(w, r, nil, "Campaign resumed", "/campaigns/"+c.ID.String())
}

func (s *Server) StartCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	reason := r.PostFormValue("not_ready_reason")
	c, err := s.Campaigns.Start(r.Context(), s.Actor(r), id, reason)
	if problems := ui.ErrorsOf(err); problems.For("not_ready_reason") != "" {
		return s.askReason(w, r, views.StartCampaign, reason, problems)
	}
	if err != nil {
		return s.refusedMove(w, r, id, err)
	}
	return s.Done(w, r, nil, "Campaign started", "/campaigns/"+c.ID.String())
}

// refusedMove answers a button of the page of a campaign whose action was refused: with the page, which says why.
// Other errors are returned.
func (s *Server) refusedMove(w http.ResponseWriter, r *http.Request, id uuid.UUID, refused error) error {
	problem := frame.Refusal(refused)
	if problem == "" {
		return refused
	}
	if fault.KindOf(refused) == fault.BadGateway {
		s.Log.Warn("a campaign's WhatsApp number could not be read", "request_id", frame.RequestID(r), "error", refused)
		problem = noAnswerFromWhatsApp
	}
	page := frame.At(r, "/campaigns/"+id.String())
	v, err := s.campaignView(page, nil)
	if err != nil {
		return err
	}
	v.Problem, v.EventsHref = problem, "" // the next change would take the message away
	return frame.Render(w, r, http.StatusUnprocessableEntity, views.CampaignPage(s.Chrome(page), v))
}

// notReadyQuestion asks why a campaign starts on a connection that is not ready.
type notReadyQuestion func(layout.Chrome, string, string, views.NotReady, string, ui.Errors) views.Confirm

// askReason answers a start that needs a reason, because the connection is not ready.
func (s *Server) askReason(
	w http.ResponseWriter, r *http.Request, ask notReadyQuestion, reason string, problems ui.Errors,
) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	all, err := s.Projects.NotReady(r.Context(), c.OrganizationID)
	if err != nil {
		return err
	}
	connection, err := s.Projects.Connection(r.Context(), c.OrganizationID, c.ConnectionID)
	if err != nil {
		return err
	}
	v := views.NotReady{
		ID:     c.ConnectionID.String(),
		Name:   connection.Name,
		Checks: frame.Checks(all[c.ConnectionID].Checks),
	}
	chrome := s.Chrome(r)
	return frame.Render(w, r, http.StatusUnprocessableEntity,
		views.ConfirmPage(chrome, ask(chrome, c.ID.String(), c.Name, v, reason, problems)))
}

func (s *Server) ConfirmCancelCampaign(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	if c.Status.Terminal() {
		return fault.Conflictf("This campaign is %s and cannot be canceled", c.Status)
	}
	return s.Confirm(w, r, views.CancelCampaign(c.ID.String(), c.Name, c.Pending, c.Dialing+c.InProgress))
}

func (s *Server) CancelCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	c, err := s.Campaigns.Cancel(r.Context(), s.Actor(r), id)
	if err != nil {
		return s.refusedMove(w, r, id, err)
	}
	return s.Done(w, r, nil, "Campaign canceled", "/campaigns/"+c.ID.String())
}

func (s *Server) CampaignEvents(w http.ResponseWriter, r *http.Request) error {
	kept := &recipientPage{}
	return s.Stream(w, r, "campaign", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.campaignView(r, kept)
		if err != nil {
			return nil, false, err
		}
		part, err := s.WithRunning(r, views.CampaignLive(s.LiveChrome(r, "/campaigns/"+v.ID), v))
		return part, v.EventsHref == "", err
	})
}
