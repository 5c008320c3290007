package calls

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const formTime = "2006-01-02T15:04"

func (s *Server) NewCampaign(w http.ResponseWriter, r *http.Request) error {
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		v, list, draft, err := s.typedCampaign(r, ui.Errors{})
		if err != nil {
			return err
		}
		if v.Placed, err = s.TestCalls(r); err != nil {
			return err
		}
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	}
	if from := r.URL.Query().Get("from"); from != "" {
		v, err := s.duplicateForm(r, from)
		if err != nil {
			return err
		}
		return s.campaignForm(w, r, http.StatusOK, v, nil, nil)
	}
	v := views.CampaignForm{
		ID: frame.NewFormID(), MaxConcurrency: "10", CallsPerSecond: "1", CallSettings: newSettings(),
	}
	v.ProjectID = r.URL.Query().Get("project_id")
	var err error
	if v.Earlier, err = s.earlierCampaigns(r); err != nil {
		return err
	}
	return s.campaignForm(w, r, http.StatusOK, v, nil, nil)
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
	if v.OriginalTotal, err = s.originalTotal(r, v.From); err != nil {
		return err
	}
	if err := s.fillVersions(r, &v.CallSettings); err != nil {
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
		speaker, err := s.speakerOf(r, v.AgentID, v.Version)
		if err != nil {
			return err
		}
		v.Outlook = s.outlook(r, list, f, v.ScheduledAt, speaker, draft.Variables)
		if v.Outlook != nil && speaker.ID != uuid.Nil && frame.May(r, account.ManageAgents) {
			v.TestRows = testRows(list.read, missed(f.Lacking, draft.Variables))
		}
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
	action, problems := r.PostForm.Get("action"), ui.Errors{}
	copied := takesOriginalList(r)
	if copied {
		err := s.copyList(r)
		if copied = fault.KindOf(err) != fault.NotFound; err != nil && copied { // it may have been deleted meanwhile
			return err
		}
	}
	v, list, draft, err := s.typedCampaign(r, problems)
	if err != nil {
		return err
	}
	if r.PostForm.Set("upload", v.List.Upload); v.List.Upload != "" {
		r.PostForm.Del("recipients")
	}
	if r.PostForm.Has("make") {
		return s.Detour(w, r, "/campaigns/new")
	}

	switch action {
	case "rejected":
		if list.read != nil {
			return s.serveRejected(w, r, list, s.listReading(r, v.ProjectID), readNew)
		}
	case "template", "window", "replace", "versions":
		v.VersionsShown = action == "versions"
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	case "test":
		if list.recipients() != nil && len(list.read.Sample) > 0 && v.AgentID != "" {
			return s.testCall(w, r, v, list.read, draft)
		}
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	case "check":
		if list.problem != "" {
			v.Errors = ui.Errors{"recipients": list.problem}
		}
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	}

	if copied && action != "draft" && list.recipients() != nil {
		// Nobody has seen yet who would be called.
		s.Toast(r, "Review the list of the original campaign, then start the calls")
		return s.campaignForm(w, r, http.StatusOK, v, list, draft)
	}
	if draft.AsDraft = action == "draft"; draft.AsDraft && !list.given() {
		list.problem = "" // a draft may begin without recipients
	}
	if list.problem != "" {
		// The form was sent twice. Its first campaign took the uploaded list.
		if first, err := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, draft.ID); err == nil {
			return frame.SeeOther(w, r, "/campaigns/"+first.ID.String())
		}
		problems["recipients"] = list.problem
	} else if wrong := list.toCorrect(draft.AsDraft); wrong != "" {
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
	told := "Campaign created"
	if draft.AsDraft {
		told = draftSaved(created, list)
	}
	s.Toast(r, told)
	return frame.SeeOther(w, r, "/campaigns/"+created.ID.String())
}

// draftSaved says what a new draft has and what is left to do.
func draftSaved(c campaign.Campaign, list *recipientList) string {
	if c.Total == 0 {
		return "Draft saved without recipients. Add recipients, then start it"
	}
	saved := "Draft saved with " + ui.Plural(c.Total, "recipient") + ". "
	if left := list.leftOut(); left != "" {
		return saved + left
	}
	return saved + "It calls nobody until you start it"
}

// typedCampaign reads the form with its list. It adds unreadable values to problems.
func (s *Server) typedCampaign(
	r *http.Request, problems ui.Errors,
) (v views.CampaignForm, list *recipientList, draft *campaign.Draft, err error) {
	v = readCampaign(r)
	if r.PostForm.Get("action") == "window" {
		v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
	}
	speaker, err := s.speakerOf(r, v.AgentID, v.Version)
	if err != nil {
		return v, nil, nil, err
	}
	how := s.listReading(r, v.ProjectID)
	how.Wanted = wantedBy(speaker, v.Messaging.Values()...)
	if list, err = s.readList(r, how, readNew, speaker); err != nil {
		return v, nil, nil, err
	}
	v.List = list.view
	if draft, err = s.campaignDraft(r, v, problems); err != nil {
		return v, nil, nil, err
	}
	draft.Recipients = list.recipients()
	return v, list, draft, nil
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
	return views.CampaignForm{
		ID: frame.FormID(r), From: copied(form.Get("from")), Name: form.Get("name"),
		OriginalList:   form.Get("original_list") == "on",
		MaxConcurrency: form.Get("max_concurrency"), CallsPerSecond: form.Get("calls_per_second"),
		TestRow:   form.Get("test_row"),
		Messaging: readMessaging(form), Budget: frame.ReadBudget(form), CallSettings: readSettings(form),
	}
}

// campaignDraft makes the draft that the domain checks. It adds unreadable values to
// problems, under the names that the domain uses.
func (s *Server) campaignDraft(r *http.Request, v views.CampaignForm, problems ui.Errors) (*campaign.Draft, error) {
	var p fault.Problems
	d := settingsDraft(&p, v.CallSettings, s.Clock(r).Zone)
	d.ID, d.Name, d.Budget = uuid.MustParse(v.ID), v.Name, frame.Budget(v.Budget)
	d.MaxConcurrency = frame.OptionalInt(&p, "max_concurrency", v.MaxConcurrency)
	d.CallsPerSecond = frame.OptionalFloat(&p, "calls_per_second", v.CallsPerSecond)
	d.ScheduledAt = optionalTime(&p, "scheduled_at", v.ScheduledAt, s.Clock(r).Zone)
	var err error
	if d.Messaging, err = messagingInput(v.Messaging, &p); err != nil {
		return nil, err
	}
	for path, message := range ui.ErrorsOf(p.Err()) {
		problems[path] = message
	}
	return d, s.carryOver(r, v.From, d)
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
