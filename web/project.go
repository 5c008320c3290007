package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const projectsPath = "/settings/projects"

func (s *server) projects(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.Projects(r.Context(), signedIn(r).Organization.ID, wholePage(r))
	if err != nil {
		return err
	}
	var v views.Projects
	for _, p := range list.Data {
		v.Rows = append(v.Rows, views.Project{
			ID: p.ID.String(), Name: p.Name, TimeZone: p.TimeZone, Region: p.Region, Hours: hours.Describe(p.CallingHours), Created: p.CreatedAt,
		})
	}
	v.Order, v.Pager = sorted(r, projectsPath, list.NextCursor, v.Rows, "-created",
		byText("name", func(p views.Project) string { return p.Name }),
		byText("zone", func(p views.Project) string { return p.TimeZone }),
		byText("country", func(p views.Project) string { return ui.RegionName(p.Region) }),
		byTime("created", func(p views.Project) time.Time { return p.Created }))
	return render(w, r, http.StatusOK, views.ProjectsPage(s.chrome(r), v))
}

func (s *server) newProject(w http.ResponseWriter, r *http.Request) error {
	o := signedIn(r).Organization
	return render(w, r, http.StatusOK, views.ProjectFormPage(s.chrome(r), views.ProjectForm{
		TimeZone: o.TimeZone, Region: o.Region, Hours: hoursForm(hours.Default(), "custom"),
	}))
}

func (s *server) editProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	return render(w, r, http.StatusOK, views.ProjectFormPage(s.chrome(r), views.ProjectForm{
		ID: p.ID.String(), Name: p.Name, TimeZone: p.TimeZone, Region: p.Region,
		Hours:          hoursForm(p.CallingHours, hoursMode(p.CallingHours)),
		TranscriptDays: days(p.TranscriptDays), RecordingDays: days(p.RecordingDays),
	}))
}

// project is the one in the path.
func (s *server) project(r *http.Request) (project.Project, error) {
	id, err := pathID(r, "Project")
	if err != nil {
		return project.Project{}, err
	}
	return s.Projects.Project(r.Context(), signedIn(r).Organization.ID, id)
}

func (s *server) createProject(w http.ResponseWriter, r *http.Request) error {
	form, settings := readProject(r)
	if r.PostForm.Get("action") == "window" {
		return s.moreHours(w, r, form)
	}
	_, err := s.Projects.CreateProject(r.Context(), s.actor(r), settings)
	return s.saved(w, r, err, "Project created", projectsPath, func(e ui.Errors) error {
		form.Errors = e
		return render(w, r, http.StatusUnprocessableEntity, views.ProjectFormPage(s.chrome(r), form))
	})
}

func (s *server) updateProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	form, settings := readProject(r)
	form.ID = p.ID.String()
	if r.PostForm.Get("action") == "window" {
		return s.moreHours(w, r, form)
	}
	_, err = s.Projects.UpdateProject(r.Context(), s.actor(r), p.ID, settings)
	return s.saved(w, r, err, "Project saved", projectsPath, func(e ui.Errors) error {
		form.Errors = e
		return render(w, r, http.StatusUnprocessableEntity, views.ProjectFormPage(s.chrome(r), form))
	})
}

// moreHours shows the form again with one more row of hours.
func (s *server) moreHours(w http.ResponseWriter, r *http.Request, form views.ProjectForm) error {
	form.Hours = oneMoreWindow(r.PostForm, form.Hours)
	return render(w, r, http.StatusOK, views.ProjectFormPage(s.chrome(r), form))
}

func readProject(r *http.Request) (views.ProjectForm, project.Settings) {
	form := views.ProjectForm{
		Name: r.PostForm.Get("name"), TimeZone: r.PostForm.Get("time_zone"), Region: r.PostForm.Get("region"), Hours: readHours(r.PostForm),
		TranscriptDays: strings.TrimSpace(r.PostForm.Get("transcript_days")), RecordingDays: strings.TrimSpace(r.PostForm.Get("recording_days")),
	}
	h := hours.Always()
	if form.Hours.Mode == "custom" {
		h = customHours(form.Hours)
	}
	return form, project.Settings{
		Name: form.Name, TimeZone: form.TimeZone, Region: form.Region, CallingHours: h,
		Retention: project.Retention{TranscriptDays: readDays(form.TranscriptDays), RecordingDays: readDays(form.RecordingDays)},
	}
}

// days is a number of days as it is typed.
func days(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// readDays is nil where nothing was typed. What is no number is no number of
// days either, and refused as such.
func readDays(typed string) *int {
	if typed == "" {
		return nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil {
		n = 0
	}
	return &n
}

func (s *server) confirmRemoveProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	return s.confirm(w, r, views.RemoveSetting("Projects", projectsPath, p.ID.String(), "project", p.Name,
		"It can no longer be used for new campaigns. Its campaigns and calls are kept."))
}

func (s *server) removeProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	if err := s.Projects.DeactivateProject(r.Context(), s.actor(r), p.ID); err != nil {
		return err
	}
	s.toast(r, "Project removed")
	return seeOther(w, r, projectsPath)
}

// pageOf is the part of a list that the query asks for.
func pageOf(r *http.Request) page.Request { return page.Request{Cursor: r.URL.Query().Get("cursor")} }

// saved ends a handler that changed something: the form again with what is
// wrong, or the list with a word about it.
func (s *server) saved(w http.ResponseWriter, r *http.Request, err error, done, path string, again func(ui.Errors) error) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict, fault.BadGateway:
		if err != nil {
			return again(ui.ErrorsOf(err))
		}
	}
	if err != nil {
		return err
	}
	s.toast(r, done)
	return seeOther(w, r, path)
}

// The inputs of calling hours are described at views.HoursForm.

func hoursMode(h hours.Hours) string {
	if hours.Describe(h) == hours.Describe(hours.Always()) {
		return "always"
	}
	return "custom"
}

func hoursForm(h hours.Hours, mode string) views.HoursForm {
	form := views.HoursForm{Mode: mode, Clock: "recipient", Words: hours.Describe(h), Drawn: drawnWeek(h)}
	if h.Timezone != "recipient" {
		form.Clock, form.Zone = "zone", h.Timezone
	}
	for _, window := range h.Windows {
		row := views.WindowForm{Start: window.Start, End: window.End}
		for _, day := range window.Days {
			row.Days = append(row.Days, string(day))
		}
		form.Windows = append(form.Windows, row)
	}
	return form
}

var dayNames = map[hours.Day]string{"mon": "Mon", "tue": "Tue", "wed": "Wed", "thu": "Thu", "fri": "Fri", "sat": "Sat", "sun": "Sun"}

func drawnWeek(h hours.Hours) []ui.WeekRow {
	rows := make([]ui.WeekRow, 0, 7)
	week := h.Week()
	for i, day := range hours.Days() {
		row := ui.WeekRow{Label: dayNames[day], Now: -1}
		for _, span := range week[i] {
			row.Open = append(row.Open, ui.Span{From: span.Start, To: span.End})
		}
		rows = append(rows, row)
	}
	return rows
}

// maxWindowRows bounds what is read of a form, not what may be set: the domain
// says that.
const maxWindowRows = 60

func readHours(form url.Values) views.HoursForm {
	v := views.HoursForm{Mode: form.Get("calling_hours"), Clock: form.Get("calling_hours.clock"), Zone: form.Get("calling_hours.timezone")}
	for i := range maxWindowRows {
		at := "calling_hours.windows[" + strconv.Itoa(i) + "]."
		if !form.Has(at+"start") && !form.Has(at+"days") {
			break
		}
		row := views.WindowForm{Days: form[at+"days"], Start: form.Get(at + "start"), End: form.Get(at + "end")}
		if row.End == "00:00" { // a field of time knows no 24:00
			row.End = "24:00"
		}
		if !row.Empty() {
			v.Windows = append(v.Windows, row)
		}
	}
	return v
}

// oneMoreWindow adds an empty row to those that were there, empty ones among them.
func oneMoreWindow(form url.Values, v views.HoursForm) views.HoursForm {
	v.Mode = "custom"
	rows := 0
	for rows < maxWindowRows && form.Has(fmt.Sprintf("calling_hours.windows[%d].start", rows)) {
		rows++
	}
	for len(v.Windows) <= rows {
		v.Windows = append(v.Windows, views.WindowForm{})
	}
	return v
}

func customHours(v views.HoursForm) hours.Hours {
	h := hours.Hours{Timezone: "recipient"}
	if v.Clock == "zone" {
		h.Timezone = v.Zone
	}
	for _, row := range v.Windows {
		if row.Empty() {
			continue
		}
		window := hours.Window{Start: row.Start, End: row.End}
		for _, day := range hours.Days() { // in the week's order, each once
			if slices.Contains(row.Days, string(day)) {
				window.Days = append(window.Days, day)
			}
		}
		h.Windows = append(h.Windows, window)
	}
	return h
}
