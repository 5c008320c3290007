package calls

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const formTime = "2006-01-02T15:04"

func (s *Server) NewCampaign(w http.ResponseWriter, r *http.Request) error {
	if from := r.URL.Query().Get("from"); from != "" {
		v, err := s.duplicateForm(r, from)
		if err != nil {
			return err
		}
		return s.campaignForm(w, r, http.StatusOK, v, nil, nil)
	}
	return s.campaignForm(w, r, http.StatusOK, views.CampaignForm{
		ID: frame.NewFormID(), ProjectID: r.URL.Query().Get("project_id"),
		Hours:       views.HoursForm{Mode: "project", Clock: "recipient"},
		MaxAttempts: "1", DelaysMinutes: "30", RetryOn: []string{"busy", "no_answer"}, MaxConcurrency: "10",
		CallsPerSecond:  "1",
		Intents:         intentForms(campaign.DefaultIntents),
		VoicemailAction: campaign.HangUp, RingTimeoutSeconds: "30", MaxDurationSeconds: "600",
	}, nil, nil)
}

// campaignForm draws the form with its choices.
func (s *Server) campaignForm(
	w http.ResponseWriter, r *http.Request, status int, v views.CampaignForm, list *recipientList,
	draft *campaign.Draft,
) error {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	senders, err := s.WhatsApp.Numbers(ctx, organization)
	if err != nil {
		return err
	}
	v.CallChoices, err = s.choices(r, v.ProjectID, v.PhoneNumberID, &v.Hours, senders)
	if err != nil {
		return err
	}
	if err := s.fillVersions(r, &v); err != nil {
		return err
	}
	if err := s.fillMessaging(r, &v.Messaging, senders); err != nil {
		return err
	}
	if list != nil {
		f, err := s.Campaigns.Forecast(ctx, organization, draft)
		if err != nil {
			return err
		}
		v.Outlook = s.outlook(r, list, f, v.ScheduledAt)
	}
	return frame.Render(w, r, status, views.CampaignFormPage(s.Chrome(r), v))
}

// CreateCampaign handles the button that was pressed on the form.
func (s *Server) CreateCampaign(w http.ResponseWriter, r *http.Request) error {
	done, err := frame.ParseListForm(r)
	if err != nil {
		return err
	}
	defer done()
	v, action := readCampaign(r), r.PostForm.Get("action")
	if action == "window" {
		v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
	}
	how := s.listReading(r, v.ProjectID)
	list, err := s.readList(r, how, readNew)
	if err != nil {
		return err
	}
	v.List = list.view
	problems := ui.Errors{}
	draft, err := s.campaignDraft(r, v, problems)
	if err != nil {
		return err
	}
	draft.Recipients = list.recipients()

	switch action {
	case "rejected":
		if list.read != nil {
			return s.serveRejected(w, r, list, how, readNew)
		}
	case "template", "window", "replace", "versions":
		v.VersionsShown = action == "versions"
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	case "check":
		if list.problem != "" {
			v.Errors = ui.Errors{"recipients": list.problem}
		}
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	}

	if list.problem != "" {
		// The form was sent twice. Its first campaign took the uploaded list.
		if first, err := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, draft.ID); err == nil {
			return frame.SeeOther(w, r, "/campaigns/"+first.ID.String())
		}
		problems["recipients"] = list.problem
	} else if wrong := list.toCorrect(); wrong != "" {
		problems["recipients"] = wrong
	}
	if err := draft.Check(s.Now()); err != nil {
		for path, message := range ui.ErrorsOf(err) {
			if _, known := problems[path]; !known {
				problems[path] = message
			}
		}
	}
	if len(problems) > 0 {
		v.Errors = problems
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list, draft)
	}
	created, err := s.Campaigns.Create(r.Context(), s.Actor(r), draft)
	if fault.KindOf(err) == fault.Conflict {
		// The form was sent twice. The first request made this campaign.
		if first, err := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, draft.ID); err == nil {
			return frame.SeeOther(w, r, "/campaigns/"+first.ID.String())
		}
	}
	switch f := fault.As(err); {
	case f == nil:
	case f.Kind == fault.Unprocessable:
		v.Errors = ui.Errors{"recipients": refusal(err)}
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list, draft)
	case f.Kind == fault.BadGateway:
		s.Log.Warn("a campaign's WhatsApp number could not be read", "request_id", frame.RequestID(r), "error", err)
		v.Errors = ui.Errors{"": noAnswerFromWhatsApp}
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list, draft)
	case f.Kind == fault.Invalid || f.Kind == fault.Conflict || f.Kind == fault.Unavailable:
		v.Errors = ui.ErrorsOf(err)
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list, draft)
	}
	if err != nil {
		return err
	}
	s.dropList(r, v.List.Upload)
	s.Toast(r, "Campaign created")
	return frame.SeeOther(w, r, "/campaigns/"+created.ID.String())
}

// listReading returns how to read a list: national numbers and times follow the project,
// or the organization while no project is chosen.
func (s *Server) listReading(r *http.Request, projectID string) intake.Reading {
	region, zone := frame.SignedIn(r).Organization.Region, frame.SignedIn(r).Organization.TimeZone
	if p, err := s.projectByID(r, projectID); err == nil {
		region, zone = p.Region, p.TimeZone
	}
	how := intake.Reading{Region: region}
	if at, err := time.LoadLocation(zone); err == nil {
		how.Zone = at
	}
	return how
}

// readCampaign reads the fields as they were typed, except the list.
func readCampaign(r *http.Request) views.CampaignForm {
	form := r.PostForm
	v := views.CampaignForm{
		ID: frame.FormID(r), From: copied(form.Get("from")), Name: form.Get("name"),
		CallReason: form.Get("call_reason"), ProjectID: form.Get("project_id"), AgentID: form.Get("agent_id"),
		Version: views.VersionForm{
			Version: form.Get("agent_version.version"), Other: form.Get("agent_version.split.version"),
			Percent: form.Get("agent_version.split.percent"), Of: form.Get("agent_version.agent_id"),
		},
		PhoneNumberID: form.Get("phone_number_id"),
		ScheduledAt:   form.Get("scheduled_at"), ExpiresAt: form.Get("expires_at"),
		Hours: frame.ReadHours(form), MaxAttempts: form.Get("retry.max_attempts"),
		DelaysMinutes: form.Get("retry.delays_minutes"), RetryOn: form["retry.on"],
		OutcomeDelays: map[string]string{}, MaxConcurrency: form.Get("max_concurrency"),
		CallsPerSecond: form.Get("calls_per_second"), VoicemailAction: form.Get("voicemail_action"),
		Detection: views.DetectionForm{
			Mode:                 form.Get("detection.mode"),
			TimeoutSeconds:       form.Get("detection.timeout_seconds"),
			SpeechThresholdMS:    form.Get("detection.speech_threshold_ms"),
			SpeechEndThresholdMS: form.Get("detection.speech_end_threshold_ms"),
			SilenceTimeoutMS:     form.Get("detection.silence_timeout_ms"),
		},
		RingTimeoutSeconds: form.Get("ring_timeout_seconds"), MaxDurationSeconds: form.Get("max_duration_seconds"),
		NotReadyReason: form.Get("not_ready_reason"), Messaging: readMessaging(form),
		Budget: frame.ReadBudget(form),
	}
	var set campaign.Intents
	for _, intent := range conversation.Intents {
		*set.Of(intent) = campaign.IntentAction(form.Get("intents." + string(intent)))
	}
	v.Intents = intentForms(set)
	for _, outcome := range campaign.RetryOutcomes {
		v.OutcomeDelays[outcome] = form.Get("retry.outcome_delays_minutes." + outcome)
	}
	return v
}

// campaignDraft makes the draft that the domain checks. It adds unreadable values to
// problems, under the names that the domain uses.
func (s *Server) campaignDraft(r *http.Request, v views.CampaignForm, problems ui.Errors) (*campaign.Draft, error) {
	var p fault.Problems
	d := &campaign.Draft{
		ID: uuid.MustParse(v.ID), Name: v.Name, CallReason: v.CallReason, ProjectID: v.ProjectID, AgentID: v.AgentID,
		VoicemailAction: v.VoicemailAction, NotReadyReason: v.NotReadyReason,
		Detection: carrier.Detection{
			Mode:              carrier.DetectionMode(v.Detection.Mode),
			TimeoutSeconds:    frame.OptionalInt(&p, "detection.timeout_seconds", v.Detection.TimeoutSeconds),
			SpeechThresholdMS: frame.OptionalInt(&p, "detection.speech_threshold_ms", v.Detection.SpeechThresholdMS),
			SpeechEndThresholdMS: frame.OptionalInt(&p, "detection.speech_end_threshold_ms",
				v.Detection.SpeechEndThresholdMS),
			SilenceTimeoutMS: frame.OptionalInt(&p, "detection.silence_timeout_ms", v.Detection.SilenceTimeoutMS),
		},
		Budget:             frame.Budget(v.Budget),
		MaxConcurrency:     frame.OptionalInt(&p, "max_concurrency", v.MaxConcurrency),
		CallsPerSecond:     frame.OptionalFloat(&p, "calls_per_second", v.CallsPerSecond),
		RingTimeoutSeconds: frame.OptionalInt(&p, "ring_timeout_seconds", v.RingTimeoutSeconds),
		MaxDurationSeconds: frame.OptionalInt(&p, "max_duration_seconds", v.MaxDurationSeconds),
	}
	if of := v.Version.Of; of != "" && of != v.AgentID && v.Version.Chosen() {
		p.Addf("agent_version.version", "choose again: these were versions of another agent")
	} else {
		d.AgentVersion = agentVersion(&p, v.Version)
	}
	d.PhoneNumberID, d.NumberPoolID = callsFromOf(v.PhoneNumberID)
	zone := s.Clock(r).Zone
	d.ScheduledAt = optionalTime(&p, "scheduled_at", v.ScheduledAt, zone)
	d.ExpiresAt = optionalTime(&p, "expires_at", v.ExpiresAt, zone)
	// An empty set of boxes means no outcome. A request without the field would get the
	// default outcomes.
	after := func(outcome string) []int {
		return delays(&p, "retry.outcome_delays_minutes."+outcome, v.OutcomeDelays[outcome])
	}
	d.Retry = &campaign.RetryInput{
		MaxAttempts:   frame.OptionalInt(&p, "retry.max_attempts", v.MaxAttempts),
		On:            append([]string{}, v.RetryOn...),
		DelaysMinutes: delays(&p, "retry.delays_minutes", v.DelaysMinutes),
		OutcomeDelaysMinutes: campaign.OutcomeDelays{
			Busy:      after("busy"),
			NoAnswer:  after("no_answer"),
			Voicemail: after("voicemail"),
			Failed:    after("failed"),
		},
	}
	for _, i := range v.Intents {
		*d.Intents.Of(conversation.Intent(i.Intent)) = campaign.IntentAction(i.Action)
	}
	d.CallingHours = chosenHours(v.Hours)
	var err error
	if d.Messaging, err = messagingInput(v.Messaging, &p); err != nil {
		return nil, err
	}
	for path, message := range ui.ErrorsOf(p.Err()) {
		problems[path] = message
	}
	return d, s.carryOver(r, v.From, d)
}

// intentForms makes the fields of the intents, with the actions that each may lead to.
func intentForms(set campaign.Intents) (forms []views.IntentForm) {
	for _, intent := range conversation.Intents {
		f := views.IntentForm{Intent: string(intent), Action: string(*set.Of(intent))}
		for _, action := range campaign.IntentActionsOf(intent) {
			f.Actions = append(f.Actions, ui.Option{Value: string(action), Label: ui.IntentAction(string(action))})
		}
		forms = append(forms, f)
	}
	return forms
}

// delays reads minutes between attempts, such as "30, 240". An empty field gives nil.
func delays(p *fault.Problems, path, typed string) (minutes []int) {
	for item := range strings.FieldsFuncSeq(typed, func(c rune) bool { return c == ',' || c == ';' || c == ' ' }) {
		n, err := strconv.Atoi(item)
		if err != nil {
			p.Addf(path, "must be whole minutes, such as 30, 240")
			return nil
		}
		minutes = append(minutes, n)
	}
	return minutes
}

func optionalTime(p *fault.Problems, path, value string, zone *time.Location) *time.Time {
	if value == "" {
		return nil
	}
	at, err := time.ParseInLocation(formTime, value, zone)
	if err != nil {
		p.Addf(path, "must be a date and a time")
		return nil
	}
	return &at
}

func (s *Server) projectByID(r *http.Request, id string) (project.Project, error) {
	parsed, err := frame.ParseID(id, "Project")
	if err != nil {
		return project.Project{}, err
	}
	return s.Projects.Project(r.Context(), frame.SignedIn(r).Organization.ID, parsed)
}

// fillVersions offers the versions of the chosen agent. Those of another agent are no choice any more.
func (s *Server) fillVersions(r *http.Request, v *views.CampaignForm) error {
	chosen := v.AgentID
	if chosen == "" && len(v.Agents) == 1 {
		chosen = v.Agents[0].Value
	}
	if v.Version.Of != "" && v.Version.Of != chosen {
		v.Version = views.VersionForm{}
	}
	v.Version.Of = ""
	id, ok := check.ParseID(chosen)
	if !ok {
		return nil
	}
	list, err := s.Projects.AgentVersions(
		r.Context(), frame.SignedIn(r).Organization.ID, id, page.Request{Limit: page.MaxLimit},
	)
	if fault.KindOf(err) == fault.NotFound {
		return nil // the form says that there is no such agent
	}
	if err != nil {
		return err
	}
	v.Version.Of = chosen
	clock := s.Clock(r)
	for _, version := range list.Data {
		followed := v.Version.Version == "" && version.IsPublished ||
			v.Version.Version == strconv.Itoa(version.Number) || v.Version.Other == strconv.Itoa(version.Number)
		if missing := untranslated(version); missing != "" && followed {
			v.Untranslated = append(v.Untranslated, missing)
		}
		v.Versions = append(v.Versions, ui.Option{
			Value: strconv.Itoa(version.Number), Label: versionLabel(version, clock),
		})
	}
	for _, number := range []string{v.Version.Version, v.Version.Other} {
		if number != "" && !slices.ContainsFunc(v.Versions, func(o ui.Option) bool { return o.Value == number }) {
			v.Versions = append(v.Versions, ui.Option{Value: number, Label: "Version " + number})
		}
	}
	return nil
}

// untranslated says in which languages of a version texts are missing. It is empty if none are.
func untranslated(version project.AgentVersion) string {
	missing := version.Script.Untranslated()
	if len(missing) == 0 {
		return ""
	}
	names := make([]string, len(missing))
	for i, m := range missing {
		names[i] = ui.LanguageName(m.Language)
	}
	return fmt.Sprintf("Version %d lacks texts in %s. People who speak it hear standard lines, and if no model "+
		"answers, questions in %s.", version.Number, english.List(names), ui.LanguageName(version.Language))
}

// versionLabel names a version in a list of choices: "Version 3, published, 20 Nov, 14:05: warmer greeting".
func versionLabel(version project.AgentVersion, clock ui.Clock) string {
	label := "Version " + strconv.Itoa(version.Number)
	if version.IsPublished {
		label += ", published"
	}
	label += ", " + clock.When(version.CreatedAt)
	if version.Note != "" {
		label += ": " + version.Note
	}
	return label
}

// agentVersion reads which version of the agent a campaign follows.
func agentVersion(p *fault.Problems, v views.VersionForm) *campaign.AgentVersion {
	if !v.Chosen() {
		return nil
	}
	number := func(field, value string) int {
		if n := frame.OptionalInt(p, "agent_version."+field, value); n != nil {
			return *n
		}
		return 0
	}
	chosen := &campaign.AgentVersion{Version: number("version", v.Version)}
	if v.Other != "" || v.Percent != "" {
		chosen.Split = &campaign.VersionSplit{
			Version: number("split.version", v.Other), Percent: number("split.percent", v.Percent),
		}
	}
	return chosen
}

// versionForm is the reverse of agentVersion.
func versionForm(v *campaign.AgentVersion) (f views.VersionForm) {
	if v == nil {
		return f
	}
	f.Version = strconv.Itoa(v.Version)
	if v.Split != nil {
		f.Other, f.Percent = strconv.Itoa(v.Split.Version), strconv.Itoa(v.Split.Percent)
	}
	return f
}
