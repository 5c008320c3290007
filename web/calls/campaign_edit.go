package calls

import (
	"net/http"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// EditCampaign shows the form that changes a campaign.
func (s *Server) EditCampaign(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	if c.Status.Terminal() {
		return fault.Conflictf("This campaign is %s and can no longer be changed. Duplicate it instead", c.Status)
	}
	return s.editForm(w, r, http.StatusOK, c, s.storedEdit(r, c))
}

// storedEdit returns the form of a campaign as it is.
func (s *Server) storedEdit(r *http.Request, c campaign.Campaign) views.CampaignEdit {
	clock := s.Clock(r)
	v := views.CampaignEdit{CampaignForm: views.CampaignForm{
		Name: c.Name, MaxConcurrency: strconv.Itoa(c.MaxConcurrency),
		CallsPerSecond: strconv.FormatFloat(c.CallsPerSecond, 'f', -1, 64),
		Budget:         frame.BudgetForm(c.Budget), CallSettings: settingsForm(c),
		Messaging: messagingForm(c),
	}}
	if c.ScheduledAt.After(clock.Now) {
		v.ScheduledAt = clock.Input(c.ScheduledAt)
	}
	if c.ExpiresAt != nil {
		v.ExpiresAt = clock.Input(*c.ExpiresAt)
	}
	v.Revision = revisionOf(c)
	return v
}

// revisionOf identifies what the form changes of a campaign.
func revisionOf(c campaign.Campaign) string {
	return check.Revision(editable(c.Resource()))
}

// editable are the settings of a campaign without what its calls change.
func editable(c campaign.Resource) map[string]any {
	return map[string]any{
		"name": c.Name, "agent_id": c.AgentID, "agent_version": c.AgentVersion, "phone_number_id": c.PhoneNumberID,
		"number_pool_id": c.NumberPoolID, "call_reason": c.CallReason, "scheduled_at": c.ScheduledAt,
		"expires_at": c.ExpiresAt, "calling_hours": c.CallingHours, "max_concurrency": c.MaxConcurrency,
		"calls_per_second": c.CallsPerSecond, "retry": c.Retry, "intents": c.Intents,
		"voicemail_action": c.VoicemailAction, "detection": c.Detection,
		"ring_timeout_seconds": c.RingTimeoutSeconds, "max_duration_seconds": c.MaxDurationSeconds, "budget": c.Budget,
		"messaging": c.Messaging,
	}
}

// editForm draws the form with its choices.
func (s *Server) editForm(
	w http.ResponseWriter, r *http.Request, status int, c campaign.Campaign, v views.CampaignEdit,
) (err error) {
	v.ID, v.Title, v.Started, v.Draft = c.ID.String(), c.Name, c.StartedAt != nil, c.Status == campaign.Drafted
	if v.Used, err = s.Campaigns.Used(r.Context(), c.OrganizationID, c.ID); err != nil {
		return err
	}
	var senders []connection.Number
	if v.Used {
		v.AgentID, v.PhoneNumberID = c.AgentID.String(), callsFrom(c)
	} else {
		if senders, err = s.WhatsApp.Numbers(r.Context(), c.OrganizationID); err != nil {
			return err
		}
		if err := s.fillMessaging(r, &v.Messaging, senders); err != nil {
			return err
		}
	}
	v.CallChoices, err = s.choices(r, c.ProjectID.String(), v.PhoneNumberID, &v.Hours, senders)
	if err != nil {
		return err
	}
	if !v.Used {
		if err := s.fillVersions(r, &v.CallSettings); err != nil {
			return err
		}
	}
	return frame.Render(w, r, status, views.CampaignEditPage(s.Chrome(r), v))
}

// UpdateCampaign changes a campaign.
func (s *Server) UpdateCampaign(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	v := views.CampaignEdit{CampaignForm: readCampaign(r), Revision: r.PostForm.Get("revision")}
	switch r.PostForm.Get("action") {
	case "window":
		v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
		return s.editForm(w, r, http.StatusOK, c, v)
	case "template":
		return s.editForm(w, r, http.StatusOK, c, v)
	case "versions":
		v.VersionsShown = true
		return s.editForm(w, r, http.StatusOK, c, v)
	}
	var p fault.Problems
	ch, err := s.campaignChange(r, &p, c, v)
	if err != nil {
		return err
	}
	done := "Campaign changed"
	if err = p.Err(); err == nil {
		var before, after campaign.Campaign
		after, err = s.Campaigns.Update(r.Context(), s.Actor(r), c.ID, ch, func(now campaign.Campaign) error {
			before = now
			if v.Revision != "" && v.Revision != revisionOf(now) {
				c = now
				return fault.New(fault.Stale,
					"This campaign was changed meanwhile. Check its settings before you save")
			}
			return nil
		})
		// The attempts were lowered. Both are of one transaction.
		if n := before.Pending - after.Pending; err == nil && n > 0 {
			done += ". " + ui.Plural(n, "recipient has", "recipients have") + " had all attempts and " +
				"will not be called again"
		}
	}
	return s.Saved(w, r, err, done, "/campaigns/"+c.ID.String(), func(e ui.Errors) error {
		v.Errors, v.Revision = e, frame.Revision(r, err, revisionOf(c))
		if used, usedErr := s.Campaigns.Used(r.Context(), c.OrganizationID, c.ID); usedErr != nil {
			return usedErr
		} else if used && fault.KindOf(err) == fault.Conflict && r.PostForm.Has("agent_id") {
			// The form no longer has the fields that were refused.
			v.Errors = ui.Errors{"": "The campaign has called or written to people since you opened this page. " +
				"Check its settings before you save"}
		}
		return s.editForm(w, r, http.StatusUnprocessableEntity, c, v)
	})
}

// campaignChange reads the change. A time that shows as before stays as it is, to the second.
func (s *Server) campaignChange(
	r *http.Request, p *fault.Problems, c campaign.Campaign, v views.CampaignEdit,
) (ch campaign.Change, err error) {
	zone, before := s.Clock(r).Zone, s.storedEdit(r, c)
	d, budget := settingsDraft(p, v.CallSettings, zone), frame.Budget(v.Budget)
	ch = campaign.Change{
		Name: &v.Name, CallingHours: d.CallingHours, Retry: d.Retry, Intents: &d.Intents, Budget: &budget,
		MaxConcurrency: frame.OptionalInt(p, "max_concurrency", v.MaxConcurrency),
		CallsPerSecond: frame.OptionalFloat(p, "calls_per_second", v.CallsPerSecond),
	}
	changed := func(typed, shown string, at *time.Time) **time.Time {
		if typed == shown {
			return nil
		}
		return &at
	}
	ch.ExpiresAt = changed(v.ExpiresAt, before.ExpiresAt, d.ExpiresAt)
	if c.StartedAt == nil {
		at := optionalTime(p, "scheduled_at", v.ScheduledAt, zone)
		ch.ScheduledAt = changed(v.ScheduledAt, before.ScheduledAt, at)
	}
	if !r.PostForm.Has("agent_id") { // the campaign had called somebody when the form was opened
		return ch, nil
	}
	var reason *string
	if d.CallReason != "" {
		reason = &d.CallReason
	}
	ch.CallReason, ch.AgentVersion, ch.VoicemailAction = &reason, &d.AgentVersion, &d.VoicemailAction
	ch.Detection = &d.Detection
	ch.RingTimeoutSeconds, ch.MaxDurationSeconds = d.RingTimeoutSeconds, d.MaxDurationSeconds
	ch.AgentID = &d.AgentID
	number, pool := optionalText(d.PhoneNumberID), optionalText(d.NumberPoolID)
	ch.PhoneNumberID, ch.NumberPoolID = &number, &pool
	if r.PostForm.Has("messaging.trigger") { // the form has messages
		messages, err := messagingInput(v.Messaging, p)
		if err != nil {
			return ch, err
		}
		ch.Messaging = &messages
	}
	return ch, nil
}

// optionalText is nil for an empty text.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
