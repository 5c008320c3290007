package calls

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) Call(w http.ResponseWriter, r *http.Request) error {
	v, err := s.callView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CallPage(s.Chrome(r), v))
}

// callPage is the page of a call with the query of the list that it was opened from.
func callPage(r *http.Request, id uuid.UUID) string {
	return views.FromList("/calls/"+id.String(), frame.ListQuery(r))
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
		Details:   callDetails(s.Clock(r), c, agent.Name),
		ListQuery: frame.ListQuery(r),
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
	for i := range v.Turns {
		v.Turns[i].Plays = v.Recording.State == views.RecordingThere
	}
	if c.EndedAt == nil || analysisAwaited(c, script) ||
		v.Recording.State == views.RecordingAwaited && time.Since(*c.EndedAt) < recordingLive {
		v.EventsHref = views.FromList("/calls/"+v.ID+"/events", v.ListQuery)
	}
	if err := s.addReview(ctx, &v, c); err != nil {
		return v, err
	}
	if c.Analysis != nil {
		v.Summary, v.Answers = c.Analysis.Summary, AnswersView(&c.Analysis.Analysis, script.Questions)
		v.NoAnswer = len(c.Analysis.Answers)+len(c.Analysis.Skipped) == 0
		analysisView(&v, c.Analysis, script.Questions)
		for _, name := range slices.Sorted(maps.Keys(c.Analysis.Variables)) {
			v.Returned = append(v.Returned, ui.Fact{Name: name, Text: c.Analysis.Variables[name]})
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
	err = s.Calls.End(r.Context(), s.Actor(r), id)
	if err != nil && !tooLate(r, err) {
		return s.refusedCall(w, r, id, err)
	}
	return s.acted(w, r, err, "Ending the call", "/calls/"+id.String())
}

// refusedCall answers a button of the page of a call whose action was refused: with the page, which says why. Other
// errors are returned.
func (s *Server) refusedCall(w http.ResponseWriter, r *http.Request, id uuid.UUID, refused error) error {
	problem := frame.Refusal(refused)
	if problem == "" {
		return refused
	}
	return s.callAgain(w, r, id, func(v *views.Call) { v.Problem = problem })
}

// callAgain answers a form of the page of a call that was refused: with the page, to which refused adds what is wrong.
func (s *Server) callAgain(w http.ResponseWriter, r *http.Request, id uuid.UUID, refused func(*views.Call)) error {
	page := frame.At(r, "/calls/"+id.String())
	v, err := s.callView(page)
	if err != nil {
		return err
	}
	v.EventsHref = "" // the next change would take away the message, and what was typed
	refused(&v)
	return frame.Render(w, r, http.StatusUnprocessableEntity, views.CallPage(s.Chrome(page), v))
}

func (s *Server) CancelCall(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	if err := s.Campaigns.CancelCall(r.Context(), s.Actor(r), id); err != nil {
		return s.refusedCall(w, r, id, err)
	}
	return s.Done(w, r, nil, "Call canceled", "/calls/"+id.String())
}

func (s *Server) CallEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "call", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.callView(r)
		return views.CallLive(s.LiveChrome(r, "/calls/"+v.ID), v), v.EventsHref == "", err
	})
}
