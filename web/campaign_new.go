package web

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const (
	// formMemory is how much of an upload is held in memory; the rest waits on disk.
	formMemory = 8 << 20
	// Of a preview: the form is a page, not a spreadsheet.
	previewWrong   = 200
	previewColumns = 4
	formTime       = "2006-01-02T15:04"
)

func (s *server) newCampaign(w http.ResponseWriter, r *http.Request) error {
	if from := r.URL.Query().Get("from"); from != "" {
		v, err := s.duplicateForm(r, from)
		if err != nil {
			return err
		}
		return s.campaignForm(w, r, http.StatusOK, v, nil)
	}
	return s.campaignForm(w, r, http.StatusOK, views.CampaignForm{
		ID: newFormID(), ProjectID: r.URL.Query().Get("project_id"), Hours: views.HoursForm{Mode: "project", Clock: "recipient"},
		MaxAttempts: "1", DelaysMinutes: "30", RetryOn: []string{"busy", "no_answer"}, MaxConcurrency: "10", CallsPerSecond: "1",
		VoicemailAction: campaign.HangUp, RingTimeoutSeconds: "30", MaxDurationSeconds: "600", LeaveOut: true,
	}, nil)
}

// campaignForm draws the form with what there is to choose from.
func (s *server) campaignForm(w http.ResponseWriter, r *http.Request, status int, v views.CampaignForm, list *campaign.Import) error {
	ctx, organization, all := r.Context(), signedIn(r).Organization.ID, page.Request{Limit: page.MaxLimit}
	projects, err := s.Projects.Projects(ctx, organization, all)
	if err != nil {
		return err
	}
	for _, p := range projects.Data {
		v.Projects = append(v.Projects, ui.Option{Value: p.ID.String(), Label: p.Name})
	}
	agents, err := s.Projects.Agents(ctx, organization, all)
	if err != nil {
		return err
	}
	for _, a := range agents.Data {
		v.Agents = append(v.Agents, ui.Option{Value: a.ID.String(), Label: a.Name + ", " + a.Script.Language})
	}
	numbers, err := s.Projects.PhoneNumbers(ctx, organization, true, all)
	if err != nil {
		return err
	}
	senders, err := s.Messaging.Numbers(ctx, organization)
	if err != nil {
		return err
	}
	if err := s.fillMessaging(r, &v.Messaging, senders); err != nil {
		return err
	}
	for _, n := range numbers.Data {
		label := ui.Phone(n.PhoneNumber.String())
		if n.Name != "" {
			label += ", " + n.Name
		}
		for _, sender := range senders {
			if sender.ExternalID == orNone(n.MessagingExternalID) {
				label += " · WhatsApp, " + ui.Count(sender.Available()) + " left"
			}
		}
		v.PhoneNumbers = append(v.PhoneNumbers, ui.Option{Value: n.ID.String(), Label: label})
	}
	if v.Hours.Mode == "custom" {
		if h := customHours(v.Hours); len(h.Windows) > 0 && validHours(h) {
			v.Hours.Drawn, v.Hours.Words = drawnWeek(h), hours.Describe(h)
		}
	}
	v.Summary = s.campaignSummary(r, v, list)
	v.Summary = slices.Insert(v.Summary, min(1, len(v.Summary)), room(v, numbers.Data, senders)...) // beside how many are called
	return render(w, r, status, views.CampaignFormPage(s.chrome(r), v))
}

func validHours(h hours.Hours) bool {
	var p fault.Problems
	h.Validate("calling_hours", &p)
	return p.Err() == nil
}

// campaignSummary says what will happen, as far as the form tells.
func (s *server) campaignSummary(r *http.Request, v views.CampaignForm, list *campaign.Import) []ui.Fact {
	if list == nil || v.Preview == nil {
		return nil
	}
	facts := []ui.Fact{{Name: "Will be called", Text: ui.Count(v.Preview.Ready)}}
	if v.Preview.Skipped > 0 {
		facts = append(facts, ui.Fact{Name: "Skipped", Text: ui.Count(v.Preview.Skipped)})
	}
	if v.Preview.Rejected > 0 {
		facts = append(facts, ui.Fact{Name: "To correct", Text: ui.Count(v.Preview.Rejected)})
	}
	start := "At once"
	if at, err := time.ParseInLocation(formTime, v.ScheduledAt, s.clock(r).Zone); err == nil {
		start = s.clock(r).Full(at)
	}
	facts = append(facts, ui.Fact{Name: "Start", Text: start})
	if rate, err := strconv.ParseFloat(v.CallsPerSecond, 64); err == nil && rate > 0 && v.Preview.Ready > 0 {
		facts = append(facts, ui.Fact{Name: "Takes at least", Text: ui.Wait(time.Duration(float64(v.Preview.Ready)/rate) * time.Second)})
	}
	return facts
}

// createCampaign reads the form and does what was pressed.
func (s *server) createCampaign(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseMultipartForm(formMemory); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			return fault.New(fault.TooLarge, "The list is over %d MiB", maxCampaignForm>>20)
		}
		return errNoForm
	}
	defer func() {
		if r.MultipartForm != nil {
			r.MultipartForm.RemoveAll() //nolint:errcheck // what stays is the system's to clean
		}
	}()
	v, listName, seen, err := readCampaign(r)
	if err != nil {
		return err
	}
	switch r.PostForm.Get("action") {
	case "replace":
		v.Recipients = ""
		return s.campaignForm(w, r, http.StatusOK, v, nil)
	case "window":
		v.Hours.Mode = "custom"
		v.Hours.Windows = append(v.Hours.Windows, views.WindowForm{})
		return s.campaignForm(w, r, http.StatusOK, v, nil)
	}

	problems := ui.Errors{}
	draft := s.campaignDraft(r, v, problems)
	if draft.Messaging, err = messagingInput(v.Messaging); err != nil {
		return err
	}
	if err := s.carryOver(r, v.From, draft); err != nil {
		return err
	}
	var list *campaign.Import
	if strings.TrimSpace(v.Recipients) == "" {
		problems["recipients"] = "paste a list or choose a file"
	} else if list, err = campaign.ParseCSV(strings.NewReader(v.Recipients), s.listRegion(r, v.ProjectID)); err != nil {
		if fault.KindOf(err) != fault.Invalid {
			return err
		}
		problems["recipients"] = ui.ErrorsOf(err).For("recipients")
	} else if v.Preview, err = s.preview(r, list, listName); err != nil {
		return err
	}

	switch r.PostForm.Get("action") {
	case "rejected":
		if list != nil {
			return rejectedRows(w, list)
		}
	case "template":
		return s.campaignForm(w, r, http.StatusOK, v, list)
	case "check":
		v.Errors = nil
		if message := problems["recipients"]; message != "" {
			v.Errors = ui.Errors{"recipients": message}
		}
		return s.campaignForm(w, r, http.StatusOK, v, list)
	}

	if list != nil {
		if n := len(list.Problems); n > 0 && !(v.LeaveOut && seen) {
			problems["recipients"] = ui.Plural(n, "row") + " to correct: replace the list, or leave them out"
		}
		draft.Recipients = list.Recipients
	}
	if err := draft.Check(s.now()); err != nil {
		for path, message := range ui.ErrorsOf(err) {
			if _, known := problems[path]; !known && !(path == "recipients" && list == nil) {
				problems[path] = message
			}
		}
	}
	if len(problems) > 0 {
		v.Errors = problems
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list)
	}
	created, err := s.Campaigns.Create(r.Context(), s.actor(r), draft)
	if fault.KindOf(err) == fault.Conflict {
		// The same form was sent twice: it made one campaign, which is this.
		if first, err := s.Campaigns.Get(r.Context(), signedIn(r).Organization.ID, v.ID); err == nil {
			return seeOther(w, r, "/campaigns/"+first.ID.String())
		}
	}
	switch f := fault.As(err); {
	case f == nil:
	case f.Kind == fault.Unprocessable:
		v.Errors = ui.Errors{"recipients": refusedList(f.Message)}
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list)
	case f.Kind == fault.BadGateway:
		s.Log.Warn("a campaign's WhatsApp number could not be read", "request_id", requestID(r), "error", err)
		v.Errors = ui.Errors{"": "WhatsApp can't be reached just now, so it is not known how many it lets you write to. Try again in a moment."}
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list)
	case f.Kind == fault.Invalid || f.Kind == fault.Conflict || f.Kind == fault.Unavailable:
		v.Errors = ui.ErrorsOf(err)
		return s.campaignForm(w, r, http.StatusUnprocessableEntity, v, list)
	}
	if err != nil {
		return err
	}
	s.toast(r, "Campaign created")
	return seeOther(w, r, "/campaigns/"+created.ID.String())
}

// listRegion is the country whose national numbers a list may hold: the
// project's, or the organization's while no project is chosen.
func (s *server) listRegion(r *http.Request, projectID string) string {
	organization := signedIn(r).Organization
	if p, err := s.projectByID(r, projectID); err == nil {
		return p.Region
	}
	return organization.Region
}

// readCampaign reads the fields as they were typed. A file takes the place of
// the pasted list. seen is whether the form showed what is wrong with the list:
// only then can anybody have agreed to leave rows out, which is offered.
func readCampaign(r *http.Request) (v views.CampaignForm, listName string, seen bool, err error) {
	form := r.PostForm
	if form == nil {
		form = url.Values{}
	}
	v = views.CampaignForm{
		ID: formID(r), From: copied(form.Get("from")), Name: form.Get("name"), ProjectID: form.Get("project_id"), AgentID: form.Get("agent_id"), PhoneNumberID: form.Get("phone_number_id"),
		ScheduledAt: form.Get("scheduled_at"), ExpiresAt: form.Get("expires_at"), Recipients: form.Get("recipients"),
		Hours: readHours(form), MaxAttempts: form.Get("retry.max_attempts"), DelaysMinutes: form.Get("retry.delays_minutes"), RetryOn: form["retry.on"],
		OutcomeDelays: map[string]string{}, MaxConcurrency: form.Get("max_concurrency"), CallsPerSecond: form.Get("calls_per_second"), VoicemailAction: form.Get("voicemail_action"),
		RingTimeoutSeconds: form.Get("ring_timeout_seconds"), MaxDurationSeconds: form.Get("max_duration_seconds"), Messaging: readMessaging(form),
	}
	for _, outcome := range campaign.RetryOutcomes {
		v.OutcomeDelays[outcome] = form.Get("retry.outcome_delays_minutes." + outcome)
	}
	listName = form.Get("list_name")
	seen = listName != ""
	v.LeaveOut = !seen || form.Get("leave_out") != ""
	file, header, err := r.FormFile("file")
	if err != nil || header.Size == 0 {
		return v, cmp.Or(listName, "Pasted list"), seen, nil
	}
	defer file.Close() //nolint:errcheck // it was only read
	content, err := io.ReadAll(file)
	if err != nil {
		return v, "", false, fmt.Errorf("read the uploaded list: %w", err)
	}
	v.Recipients, v.LeaveOut = string(content), true
	return v, header.Filename, false, nil
}

// campaignDraft makes the draft that the domain checks. What can't even be read
// is told here, by the same names.
func (s *server) campaignDraft(r *http.Request, v views.CampaignForm, problems ui.Errors) *campaign.Draft {
	var p fault.Problems
	d := &campaign.Draft{
		ID: uuid.MustParse(v.ID), Name: v.Name, ProjectID: v.ProjectID, AgentID: v.AgentID, PhoneNumberID: v.PhoneNumberID, VoicemailAction: v.VoicemailAction,
		MaxConcurrency: optionalInt(&p, "max_concurrency", v.MaxConcurrency), CallsPerSecond: optionalFloat(&p, "calls_per_second", v.CallsPerSecond),
		RingTimeoutSeconds: optionalInt(&p, "ring_timeout_seconds", v.RingTimeoutSeconds), MaxDurationSeconds: optionalInt(&p, "max_duration_seconds", v.MaxDurationSeconds),
	}
	zone := s.clock(r).Zone
	d.ScheduledAt = optionalTime(&p, "scheduled_at", v.ScheduledAt, zone)
	d.ExpiresAt = optionalTime(&p, "expires_at", v.ExpiresAt, zone)
	// No box ticked means no outcome, not those of a request that names none.
	d.Retry = &campaign.RetryInput{
		MaxAttempts: optionalInt(&p, "retry.max_attempts", v.MaxAttempts), On: append([]string{}, v.RetryOn...),
		DelaysMinutes: delays(&p, "retry.delays_minutes", v.DelaysMinutes), OutcomeDelaysMinutes: map[string][]int{},
	}
	for outcome, typed := range v.OutcomeDelays {
		d.Retry.OutcomeDelaysMinutes[outcome] = delays(&p, "retry.outcome_delays_minutes."+outcome, typed)
	}
	switch v.Hours.Mode {
	case "always":
		h := hours.Always()
		d.CallingHours = &h
	case "custom":
		h := customHours(v.Hours)
		d.CallingHours = &h
	}
	for path, message := range ui.ErrorsOf(p.Err()) {
		problems[path] = message
	}
	return d
}

// delays reads minutes between attempts: "30, 240". None is nil.
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

// preview tells what would happen to each row of a list.
func (s *server) preview(r *http.Request, list *campaign.Import, name string) (*views.Preview, error) {
	numbers := list.Recipients.Numbers()
	listed, err := suppression.Listed(r.Context(), s.Pool, signedIn(r).Organization.ID, suppression.Voice, numbers)
	if err != nil {
		return nil, err
	}
	skipped := list.Recipients.Duplicates()
	for _, number := range numbers {
		if _, ok := listed[number]; ok {
			skipped++
		}
	}
	v := &views.Preview{
		Name: name, Rows: list.Rows, Rejected: len(list.Problems), Skipped: skipped,
		Ready: list.Rows - len(list.Problems) - skipped, Columns: list.Variables[:min(len(list.Variables), previewColumns)],
	}
	for _, row := range list.Sample {
		shown := views.PreviewRow{Line: row.Line, Number: row.Number, Name: row.Name, State: "ready", Cells: row.Variables[:min(len(row.Variables), previewColumns)]}
		switch _, ok := listed[row.Read]; {
		case ok:
			shown.State, shown.Check = "skipped", "Skipped, do not call"
		case row.Duplicate:
			shown.State, shown.Check = "skipped", "Skipped, listed twice"
		}
		v.Sample = append(v.Sample, shown)
	}
	for _, wrong := range list.Problems[:min(len(list.Problems), previewWrong)] {
		v.Wrong = append(v.Wrong, views.PreviewRow{Line: wrong.Line, Number: wrong.Number, State: "rejected", Check: ui.Capital(wrong.Reason)})
	}
	return v, nil
}

// rejectedRows answers with what is wrong with a list, as a file.
func rejectedRows(w http.ResponseWriter, list *campaign.Import) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="rows-to-correct.csv"`)
	out := csv.NewWriter(w)
	if err := out.Write([]string{"row", "phone_number", "reason"}); err != nil {
		return err
	}
	for _, wrong := range list.Problems {
		if err := out.Write([]string{strconv.Itoa(wrong.Line), neutral(wrong.Number), neutral(wrong.Reason)}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// neutral keeps a spreadsheet from running a cell as a formula. A number in
// international format begins with a plus and is left alone.
func neutral(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if cell[0] == '+' && strings.Trim(cell[1:], "0123456789 ") == "" {
		return cell
	}
	return "'" + cell
}

func (s *server) projectByID(r *http.Request, id string) (project.Project, error) {
	parsed, err := parseUUID(id, "Project")
	if err != nil {
		return project.Project{}, err
	}
	return s.Projects.Project(r.Context(), signedIn(r).Organization.ID, parsed)
}
