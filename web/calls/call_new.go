package calls

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// personClock is the choice that a start time is by the clock of the person who is called.
const personClock = "person"

// NewCall shows the form for one call. With from, it has the person and the settings of an earlier call.
func (s *Server) NewCall(w http.ResponseWriter, r *http.Request) error {
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		return s.callForm(w, r, http.StatusOK, readCall(r), r.PostForm)
	}
	v := views.CallForm{ID: frame.NewFormID(), Clock: "organization", CallSettings: newSettings()}
	given := url.Values{}
	if from := r.URL.Query().Get("from"); from != "" {
		id, err := frame.ParseID(from, "Call")
		if err != nil {
			return err
		}
		c, _, err := s.Calls.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
		if err != nil {
			return err
		}
		if given, err = s.again(r, &v, c); err != nil {
			return err
		}
	}
	return s.callForm(w, r, http.StatusOK, v, given)
}

// again fills the form with what an earlier call had, and returns the variables of that call as fields of the form.
func (s *Server) again(r *http.Request, v *views.CallForm, c call.Call) (url.Values, error) {
	clock := s.Clock(r)
	if err := s.settingsAgain(r, v, c); err != nil {
		return nil, err
	}
	v.From = c.ID.String()
	v.To, v.Name, v.ExternalID = c.PersonNumber, c.RecipientName, frame.OrNone(c.ExternalID)
	v.AgentID, v.ProjectID, v.PhoneNumberID = export.Optional(c.AgentID), c.ProjectID.String(), c.PhoneNumberID.String()
	v.CallReason = frame.OrNone(c.CallReason)
	v.ConsentBasis, v.ConsentSource = frame.OrNone(c.ConsentBasis), frame.OrNone(c.ConsentSource)
	date := func(at *time.Time) string {
		if at == nil {
			return ""
		}
		return at.In(clock.Zone).Format(time.DateOnly)
	}
	v.ConsentAt, v.ConsentExpiresAt = date(c.ConsentAt), date(c.ConsentExpiresAt)
	var variables map[string]any
	if err := json.Unmarshal(c.Variables, &variables); err != nil {
		return nil, fmt.Errorf("read the variables of call %s: %w", c.ID, err)
	}
	given := url.Values{}
	for name, value := range variables {
		if text, is := value.(string); is {
			given.Set(knownPrefix+name, text)
		}
	}
	return given, nil
}

// settingsAgain fills the form with the settings of an earlier call. A test call and a call from somebody unknown have
// none.
func (s *Server) settingsAgain(r *http.Request, v *views.CallForm, c call.Call) error {
	if c.RecipientID == nil {
		return nil
	}
	set, err := s.Campaigns.SettingsOf(r.Context(), frame.SignedIn(r).Organization.ID, *c.RecipientID)
	if fault.KindOf(err) == fault.NotFound { // the recipient was deleted
		return nil
	}
	if err != nil {
		return err
	}
	v.CallSettings = settingsForm(set)
	if p, err := s.projectByID(r, v.ProjectID); err == nil && reflect.DeepEqual(p.CallingHours, set.CallingHours) {
		v.Hours = newSettings().Hours
	}
	if set.ExpiresAt != nil && set.ExpiresAt.After(s.Now()) {
		v.ExpiresAt = s.Clock(r).Input(*set.ExpiresAt)
	}
	return nil
}

// knownPrefix begins the names of the fields of variables.
const knownPrefix = "variables."

// callForm draws the form with its choices. given has the fields of variables.
func (s *Server) callForm(
	w http.ResponseWriter, r *http.Request, status int, v views.CallForm, given url.Values,
) (err error) {
	v.CallChoices, err = s.choices(r, v.ProjectID, v.PhoneNumberID, &v.Hours, nil)
	if err != nil {
		return err
	}
	if v.AgentID == "" && len(v.Agents) == 1 {
		v.AgentID = v.Agents[0].Value
	}
	if v.Variables, err = s.callVariables(r, v.AgentID, given); err != nil {
		return err
	}
	v.MoreChanged = moreChanged(v.CallSettings)
	if err := s.fillVersions(r, &v.CallSettings); err != nil {
		return err
	}
	v.ConsentRequired, err = s.Calling.ConsentRequired(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	return frame.Render(w, r, status, views.CallFormPage(s.Chrome(r), v))
}

// callVariables returns the variables that the texts of an agent use, and others that were given.
func (s *Server) callVariables(r *http.Request, agentID string, given url.Values) ([]views.TryVariable, error) {
	session := frame.SignedIn(r)
	var list []views.TryVariable
	if id, ok := check.ParseID(agentID); ok {
		a, err := s.Projects.Agent(r.Context(), session.Organization.ID, id)
		if err != nil && fault.KindOf(err) != fault.NotFound { // the form says that there is no such agent
			return nil, err
		}
		// The form has separate fields for the name and the number. A part of the name can differ.
		list = frame.AgentVariables(a.Followed().Script, conversation.Known{
			Agent: a.Name, Organization: session.Organization.Name, Name: "-", PhoneNumber: "-",
		}, given)
	}
	var others []views.TryVariable
	for field := range given {
		name, is := strings.CutPrefix(field, knownPrefix)
		known := slices.ContainsFunc(list, func(v views.TryVariable) bool { return v.Name == name })
		if is && !known && given.Get(field) != "" {
			others = append(others, views.TryVariable{Name: name, Value: given.Get(field)})
		}
	}
	slices.SortFunc(others, func(a, b views.TryVariable) int { return strings.Compare(a.Name, b.Name) })
	return append(list, others...), nil
}

// CreateCall handles the button that was pressed on the form.
func (s *Server) CreateCall(w http.ResponseWriter, r *http.Request) error {
	v, form := readCall(r), r.PostForm
	switch form.Get("action") {
	case "window":
		v.Hours = frame.OneMoreWindow(form, v.Hours)
		return s.callForm(w, r, http.StatusOK, v, form)
	case "variables", "versions":
		v.VersionsShown = form.Get("action") == "versions"
		return s.callForm(w, r, http.StatusOK, v, form)
	}
	variables, err := s.callVariables(r, v.AgentID, form)
	if err != nil {
		return err
	}
	// Without scripts, the form may not have had the fields of the agent that was chosen.
	if slices.ContainsFunc(variables, func(t views.TryVariable) bool { return !form.Has(knownPrefix + t.Name) }) {
		v.AskVariables = true
		return s.callForm(w, r, http.StatusOK, v, form)
	}
	problems := ui.Errors{}
	draft, err := s.callDraft(r, v, variables, problems)
	if err != nil {
		return err
	}
	drafts := &campaign.CallDrafts{Calls: []*campaign.CallDraft{draft}}
	for path, message := range ui.ErrorsOf(drafts.Check(s.Now())) {
		if _, known := problems[path]; !known {
			problems[path] = message
		}
	}
	if v.Errors = problems; len(problems) > 0 {
		return s.callForm(w, r, http.StatusUnprocessableEntity, v, form)
	}
	organization := frame.SignedIn(r).Organization.ID
	made, err := s.Campaigns.Call(r.Context(), s.Actor(r), drafts)
	if fault.KindOf(err) == fault.Conflict {
		// The form was sent twice. The first request scheduled this call.
		if first, err := s.Campaigns.CallOf(r.Context(), organization, draft.ID); err == nil {
			return frame.SeeOther(w, r, "/calls/"+first.String())
		}
	}
	if f := fault.As(err); f != nil {
		switch f.Kind {
		case fault.Invalid, fault.Conflict, fault.Unprocessable, fault.Unavailable:
			v.Errors = ui.ErrorsOf(err)
			return s.callForm(w, r, http.StatusUnprocessableEntity, v, form)
		}
	}
	if err != nil {
		return err
	}
	done := "Call scheduled"
	if draft.ScheduledAt == nil {
		done = "Call created"
	}
	return s.Done(w, r, nil, done, "/calls/"+made[0].ID.String())
}

// readCall reads the fields as they were typed, except the variables.
func readCall(r *http.Request) views.CallForm {
	form := r.PostForm
	return views.CallForm{
		ID: frame.FormID(r), From: copied(form.Get("from")), To: form.Get("to"), Name: form.Get("name"),
		ExternalID: form.Get("external_id"), Clock: form.Get("scheduled_at.clock"), Timezone: form.Get("timezone"),
		ConsentBasis: form.Get("consent.basis"), ConsentAt: form.Get("consent.at"),
		ConsentSource: form.Get("consent.source"), ConsentExpiresAt: form.Get("consent.expires_at"),
		CallSettings: readSettings(form),
	}
}

// callDraft makes the draft that the domain checks. It adds unreadable values to problems, under the names that the
// domain uses.
func (s *Server) callDraft(
	r *http.Request, v views.CallForm, variables []views.TryVariable, problems ui.Errors,
) (*campaign.CallDraft, error) {
	var p fault.Problems
	zone := s.Clock(r).Zone
	set := settingsDraft(&p, v.CallSettings, zone)
	d := &campaign.CallDraft{
		ID: uuid.MustParse(v.ID), Name: v.Name, ExternalID: v.ExternalID, Timezone: v.Timezone,
		ProjectID: set.ProjectID, AgentID: set.AgentID, AgentVersion: set.AgentVersion,
		PhoneNumberID: set.PhoneNumberID, NumberPoolID: set.NumberPoolID, CallReason: set.CallReason,
		ExpiresAt: set.ExpiresAt, CallingHours: set.CallingHours, Retry: set.Retry, Intents: set.Intents,
		VoicemailAction: set.VoicemailAction, Detection: set.Detection, RingTimeoutSeconds: set.RingTimeoutSeconds,
		MaxDurationSeconds: set.MaxDurationSeconds, NotReadyReason: set.NotReadyReason,
	}
	number := s.readNumber(r, &p, v)
	if d.To = number.String(); number == "" {
		d.To = v.To
	}
	given := map[string]string{}
	for _, variable := range variables {
		if variable.Value != "" {
			given[variable.Name] = variable.Value
		}
	}
	var err error
	if d.Variables, err = json.Marshal(given); err != nil {
		return nil, fmt.Errorf("encode the variables of a call: %w", err)
	}
	if d.Metadata, err = s.metadataAgain(r, v.From); err != nil {
		return nil, err
	}
	d.Consent = readConsent(&p, v, zone)
	if v.ScheduledAt != "" && v.Clock == personClock {
		zone = personZone(&p, v, number)
	}
	if zone != nil {
		d.ScheduledAt = optionalTime(&p, "scheduled_at", v.ScheduledAt, zone)
	}
	for path, message := range ui.ErrorsOf(p.Err()) {
		problems[path] = message
	}
	return d, nil
}

// metadataAgain returns the metadata of the call that is repeated, for which the form has no field.
func (s *Server) metadataAgain(r *http.Request, from string) (json.RawMessage, error) {
	id, ok := check.ParseID(from)
	if !ok {
		return nil, nil
	}
	c, _, err := s.Calls.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return nil, err
	}
	return c.Metadata, nil
}

// readNumber reads the number as people write it in the country of the project. It is empty for a wrong number.
func (s *Server) readNumber(r *http.Request, p *fault.Problems, v views.CallForm) phone.Number {
	if v.To == "" {
		return "" // the domain requires it
	}
	number, err := phone.ParseNational(v.To, s.listReading(r, v.ProjectID).Region)
	if err != nil {
		p.Addf("to", "%s", err)
		return ""
	}
	return number
}

// personZone returns the time zone of the person, or nil and a problem if nothing tells which one it is. Several zones
// with the same time are as good as one.
func personZone(p *fault.Problems, v views.CallForm, number phone.Number) *time.Location {
	names := []string{v.Timezone}
	if v.Timezone == "" {
		names, _ = phone.Zones(number)
	}
	var at time.Time
	var found *time.Location
	for _, name := range names {
		zone, err := time.LoadLocation(name)
		if err != nil {
			p.Addf("timezone", hours.WrongZone)
			return nil
		}
		local, err := time.ParseInLocation(formTime, v.ScheduledAt, zone)
		if err != nil {
			return zone // optionalTime says that it is no time
		}
		if found != nil && !local.Equal(at) {
			found = nil
			break
		}
		found, at = zone, local
	}
	if found == nil && number != "" { // a wrong number is a problem of its own
		p.Addf("timezone", "the number does not tell the time zone. Enter it, or use your own time zone")
	}
	return found
}

// readConsent reads the consent. It is nil if no field is filled in.
func readConsent(p *fault.Problems, v views.CallForm, zone *time.Location) *intake.Consent {
	if v.ConsentBasis+v.ConsentAt+v.ConsentSource+v.ConsentExpiresAt == "" {
		return nil
	}
	consent := &intake.Consent{Basis: v.ConsentBasis, Source: v.ConsentSource}
	date := func(field, typed string) *time.Time {
		if typed == "" {
			return nil
		}
		day, err := time.ParseInLocation(time.DateOnly, typed, zone)
		if err != nil {
			p.Addf(field, "must be a date")
		}
		return &day
	}
	consent.At = date("consent.at", v.ConsentAt)
	consent.ExpiresAt = date("consent.expires_at", v.ConsentExpiresAt)
	return consent
}
