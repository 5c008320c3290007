package settings

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const projectsPath = "/settings/projects"

func (s *Server) ListProjects(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.Projects(r.Context(), frame.SignedIn(r).Organization.ID, frame.WholePage(r))
	if err != nil {
		return err
	}
	var v views.Projects
	for _, p := range list.Data {
		v.Rows = append(v.Rows, views.Project{
			ID: p.ID.String(), Name: p.Name, TimeZone: p.TimeZone, Region: p.Region,
			Hours: hours.Describe(p.CallingHours), Created: p.CreatedAt,
		})
	}
	v.Order, v.Pager = frame.Sorted(r, projectsPath, list.NextCursor, v.Rows, "-created",
		frame.ByText("name", func(p views.Project) string { return p.Name }),
		frame.ByText("zone", func(p views.Project) string { return p.TimeZone }),
		frame.ByText("country", func(p views.Project) string { return ui.RegionName(p.Region) }),
		frame.ByTime("created", func(p views.Project) time.Time { return p.Created }))
	return frame.Render(w, r, http.StatusOK, views.ProjectsPage(s.Chrome(r), v))
}

func (s *Server) NewProject(w http.ResponseWriter, r *http.Request) error {
	start := project.Defaults(frame.SignedIn(r).Organization)
	return frame.Render(w, r, http.StatusOK, views.ProjectFormPage(s.Chrome(r), views.ProjectForm{
		TimeZone: start.TimeZone, Region: start.Region, Hours: frame.HoursForm(start.CallingHours, "custom"),
	}))
}

func (s *Server) EditProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.ProjectFormPage(s.Chrome(r), views.ProjectForm{
		ID: p.ID.String(), Name: p.Name, TimeZone: p.TimeZone, Region: p.Region,
		Hours:          frame.HoursForm(p.CallingHours, frame.HoursMode(p.CallingHours)),
		TranscriptDays: days(p.TranscriptDays), RecordingDays: days(p.RecordingDays),
	}))
}

// project reads the project that the path names.
func (s *Server) project(r *http.Request) (project.Project, error) {
	id, err := frame.PathID(r, "Project")
	if err != nil {
		return project.Project{}, err
	}
	return s.Projects.Project(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) CreateProject(w http.ResponseWriter, r *http.Request) error {
	form, settings := readProject(r)
	if r.PostForm.Get("action") == "window" {
		return s.moreHours(w, r, form)
	}
	_, err := s.Projects.CreateProject(r.Context(), s.Actor(r), settings)
	return s.Saved(w, r, err, "Project created", projectsPath, func(e ui.Errors) error {
		form.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ProjectFormPage(s.Chrome(r), form))
	})
}

func (s *Server) UpdateProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	form, settings := readProject(r)
	form.ID = p.ID.String()
	if r.PostForm.Get("action") == "window" {
		return s.moreHours(w, r, form)
	}
	_, err = s.Projects.UpdateProject(r.Context(), s.Actor(r), p.ID, settings)
	return s.Saved(w, r, err, "Project saved", projectsPath, func(e ui.Errors) error {
		form.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ProjectFormPage(s.Chrome(r), form))
	})
}

// moreHours shows the form again with one more row of hours.
func (s *Server) moreHours(w http.ResponseWriter, r *http.Request, form views.ProjectForm) error {
	form.Hours = frame.OneMoreWindow(r.PostForm, form.Hours)
	return frame.Render(w, r, http.StatusOK, views.ProjectFormPage(s.Chrome(r), form))
}

func readProject(r *http.Request) (views.ProjectForm, project.Settings) {
	form := views.ProjectForm{
		Name: r.PostForm.Get("name"), TimeZone: r.PostForm.Get("time_zone"), Region: r.PostForm.Get("region"),
		Hours:          frame.ReadHours(r.PostForm),
		TranscriptDays: strings.TrimSpace(r.PostForm.Get("transcript_days")),
		RecordingDays:  strings.TrimSpace(r.PostForm.Get("recording_days")),
	}
	h := hours.Always()
	if form.Hours.Mode == "custom" {
		h = frame.CustomHours(form.Hours)
	}
	return form, project.Settings{
		Name: form.Name, TimeZone: form.TimeZone, Region: form.Region, CallingHours: h,
		Retention: project.Retention{
			TranscriptDays: readDays(form.TranscriptDays), RecordingDays: readDays(form.RecordingDays),
		},
	}
}

// days formats a number of days for its input.
func days(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// readDays reads a number of days. An empty field gives nil. Text that is no number gives
// a number that the domain refuses.
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

func (s *Server) ConfirmRemoveProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSetting("Projects", projectsPath, p.ID.String(), "project", p.Name,
		"It can no longer be used for new campaigns. Its campaigns and calls are kept."))
}

func (s *Server) RemoveProject(w http.ResponseWriter, r *http.Request) error {
	p, err := s.project(r)
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Projects.DeactivateProject(r.Context(), s.Actor(r), p.ID), "Project removed", projectsPath)
}
