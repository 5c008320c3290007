package calls

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// scheduled is a scheduled call with the form that shows it.
type scheduled struct {
	views.CallForm
	call      call.Call
	variables url.Values // as fields of the form
}

// EditCall shows the form for one call with the values of a scheduled call.
func (s *Server) EditCall(w http.ResponseWriter, r *http.Request) error {
	now, err := s.scheduledForm(r)
	if err != nil {
		return err
	}
	return s.callForm(w, r, http.StatusOK, now.CallForm, now.variables)
}

// scheduledForm returns the form as it shows a scheduled call. Errors: NotFound; Conflict for a call that is not
// scheduled.
func (s *Server) scheduledForm(r *http.Request) (now scheduled, err error) {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return now, err
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	// First, so that a change that comes between the reads is found out when the form is sent.
	revision, err := s.Campaigns.RevisionOfCall(ctx, organization, id)
	if err != nil {
		return now, err
	}
	if now.call, _, err = s.Calls.Get(ctx, organization, id); err != nil {
		return now, err
	}
	set, err := s.Campaigns.SettingsOfCall(ctx, organization, id)
	if err != nil {
		return now, err
	}
	v := &now.CallForm
	v.ID, v.Clock = frame.NewFormID(), "organization"
	if now.variables, err = s.again(r, v, now.call); err != nil {
		return now, err
	}
	clock := s.Clock(r)
	v.From, v.Change, v.Revision, v.Further = "", id.String(), revision, now.call.Attempt > 1
	v.Timezone = frame.OrNone(set.Timezone)
	v.ScheduledAt, v.ExpiresAt = "", ""
	if at := set.ScheduledAt; at != nil {
		v.ScheduledAt = clock.Input(time.Time(*at))
	}
	if at := set.ExpiresAt; at != nil {
		v.ExpiresAt = clock.Input(time.Time(*at))
	}
	return now, nil
}

// ChangeCall changes a scheduled call by the fields of the form that differ from what the call has.
func (s *Server) ChangeCall(w http.ResponseWriter, r *http.Request) error {
	now, err := s.scheduledForm(r)
	if err != nil {
		return err
	}
	v, form := readChange(r, now.CallForm), r.PostForm
	again := func(e ui.Errors) error {
		v.Errors = e
		return s.callForm(w, r, http.StatusUnprocessableEntity, v, form)
	}
	if form.Get("action") == "window" {
		v.Hours = frame.OneMoreWindow(form, v.Hours)
		return s.callForm(w, r, http.StatusOK, v, form)
	}
	change, err := s.callChange(r, v, now)
	if f := fault.As(err); f != nil && f.Kind == fault.Invalid {
		return again(ui.ErrorsOf(err))
	}
	if err != nil {
		return err
	}
	err = s.Campaigns.UpdateCall(r.Context(), s.Actor(r), now.call.ID, change, nil)
	v.Revision = frame.Revision(r, err, now.Revision)
	return s.Saved(w, r, err, "Call changed", "/calls/"+v.Change, again)
}

// readChange reads the fields as they were typed. Those that no change has, or none after the first attempt, are as
// now.
func readChange(r *http.Request, now views.CallForm) views.CallForm {
	v := now
	typed := readCall(r)
	v.Name, v.ExternalID, v.Clock, v.Timezone = typed.Name, typed.ExternalID, typed.Clock, typed.Timezone
	v.Revision = r.PostForm.Get("revision")
	v.ScheduledAt, v.ExpiresAt = typed.ScheduledAt, typed.ExpiresAt
	if now.Further {
		return v
	}
	set := typed.CallSettings
	set.ProjectID, set.AgentID, set.PhoneNumberID = now.ProjectID, now.AgentID, now.PhoneNumberID
	if set.Version.Version == now.Version.Version { // the form does not show a split
		set.Version = now.Version
	}
	set.Version.Of = now.AgentID
	v.CallSettings = set
	return v
}

// callChange returns the change from what the call has now to what the form has. Errors: Invalid for values that can't
// be read.
func (s *Server) callChange(r *http.Request, v views.CallForm, now scheduled) (ch campaign.CallChange, err error) {
	var p, known fault.Problems
	zone := s.Clock(r).Zone
	ch.Revision = v.Revision
	ch.Name, ch.ExternalID = changedText(v.Name, now.Name), changedText(v.ExternalID, now.ExternalID)
	ch.Timezone = changedText(v.Timezone, now.Timezone)
	if v.ScheduledAt != now.ScheduledAt || v.ScheduledAt != "" && v.Clock == personClock {
		in := zone
		if v.ScheduledAt != "" && v.Clock == personClock {
			in = personZone(&p, v, phone.Number(now.call.PersonNumber))
		}
		if in != nil {
			ch.ScheduledAt = new(optionalTime(&p, "scheduled_at", v.ScheduledAt, in))
		}
	}
	if v.ExpiresAt != now.ExpiresAt {
		ch.ExpiresAt = new(optionalTime(&p, "expires_at", v.ExpiresAt, zone))
	}
	if ch.Variables, err = changedVariables(r.PostForm, now); err != nil || now.Further {
		return ch, cmp.Or(err, p.Err())
	}
	set, was := settingsDraft(&p, v.CallSettings, zone), settingsDraft(&known, now.CallSettings, zone)
	ch.CallReason = changedText(v.CallReason, now.CallReason)
	if !reflect.DeepEqual(set.AgentVersion, was.AgentVersion) {
		ch.AgentVersion = &set.AgentVersion
	}
	if !reflect.DeepEqual(set.CallingHours, was.CallingHours) {
		if ch.CallingHours = set.CallingHours; ch.CallingHours == nil {
			project, err := s.projectByID(r, now.ProjectID)
			if err != nil {
				return ch, err
			}
			ch.CallingHours = &project.CallingHours
		}
	}
	if !reflect.DeepEqual(set.Retry, was.Retry) {
		ch.Retry = set.Retry
	}
	if set.Intents != was.Intents {
		ch.Intents = &set.Intents
	}
	if set.VoicemailAction != was.VoicemailAction {
		ch.VoicemailAction = &set.VoicemailAction
	}
	if !reflect.DeepEqual(set.Detection, was.Detection) {
		ch.Detection = &set.Detection
	}
	ch.RingTimeoutSeconds, ch.MaxDurationSeconds = set.RingTimeoutSeconds, set.MaxDurationSeconds
	return ch, p.Err()
}

// changedText is nil if a text is as before, and a nil text if it was removed.
func changedText(typed, was string) **string {
	if typed == was {
		return nil
	}
	if strings.TrimSpace(typed) == "" {
		return new((*string)(nil))
	}
	return new(&typed)
}

// changedVariables returns the variables with the texts of the form.
func changedVariables(form url.Values, now scheduled) (json.RawMessage, error) {
	variables := map[string]string{}
	if err := json.Unmarshal(now.call.Variables, &variables); err != nil {
		return nil, fmt.Errorf("read the variables of call %s: %w", now.call.ID, err)
	}
	for field := range form {
		name, is := strings.CutPrefix(field, knownPrefix)
		switch typed := form.Get(field); {
		case !is || typed == now.variables.Get(field):
		case typed == "":
			delete(variables, name)
		default:
			variables[name] = typed
		}
	}
	text, err := json.Marshal(variables)
	if err != nil {
		return nil, fmt.Errorf("encode the variables of call %s: %w", now.call.ID, err)
	}
	return text, nil
}
