package settings

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const destinationsPath = "/settings/destinations"

// destinations returns all active destinations.
func (s *Server) destinations(r *http.Request) ([]project.Destination, error) {
	return page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Projects.Destinations)
}

// labelOf is the label of an option with a value.
func labelOf(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Label
		}
	}
	return ""
}

func (s *Server) ListDestinations(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.Destinations(r.Context(), frame.SignedIn(r).Organization.ID, frame.WholePage(r))
	if err != nil {
		return err
	}
	projects, err := s.ProjectOptions(r)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, d := range list.Data {
		names[d.ID.String()] = d.Name
	}
	v := views.Destinations{Projects: len(projects) > 0}
	for _, d := range list.Data {
		row := views.Destination{
			ID: d.ID.String(), Name: d.Name, Project: labelOf(projects, d.ProjectID.String()), Address: addressOf(d),
			Hours: hours.Describe(d.Hours), Warm: d.Mode == project.Warm, Record: d.Record, Created: d.CreatedAt,
		}
		if d.FallbackID != nil {
			row.Fallback = names[d.FallbackID.String()]
		}
		v.Rows = append(v.Rows, row)
	}
	v.Order, v.Pager = frame.Sorted(r, destinationsPath, list.NextCursor, v.Rows, "-created",
		frame.ByText("name", func(d views.Destination) string { return d.Name }),
		frame.ByText("project", func(d views.Destination) string { return d.Project }),
		frame.ByTime("created", func(d views.Destination) time.Time { return d.Created }))
	return frame.Render(w, r, http.StatusOK, views.DestinationsPage(s.Chrome(r), v))
}

// addressOf is an address as people read it.
func addressOf(d project.Destination) string {
	if d.PhoneNumber != nil {
		return phone.Format(phone.Number(*d.PhoneNumber))
	}
	return *d.SIPAddress
}

func (s *Server) NewDestination(w http.ResponseWriter, r *http.Request) error {
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		v, _, _ := s.readDestination(r, "") // problems are told when it is sent
		return s.destinationForm(w, r, http.StatusOK, v)
	}
	form := frame.HoursForm(hours.Default(), "always")
	form.Zone = frame.SignedIn(r).Organization.TimeZone
	return s.destinationForm(w, r, http.StatusOK, views.DestinationForm{
		Mode: string(project.Warm), RingTimeout: frame.Written(new(project.DefaultDestinationRing)), Hours: form,
	})
}

func (s *Server) destinationForm(w http.ResponseWriter, r *http.Request, status int, v views.DestinationForm) error {
	var err error
	if v.Projects, err = s.ProjectOptions(r); err != nil {
		return err
	}
	all, err := s.destinations(r)
	if err != nil {
		return err
	}
	for _, d := range all {
		if d.ID.String() != v.ID && (v.ID == "" || d.ProjectID.String() == v.ProjectID) {
			label := d.Name
			if v.ID == "" && len(v.Projects) > 1 {
				label += " (" + labelOf(v.Projects, d.ProjectID.String()) + ")"
			}
			v.Fallbacks = append(v.Fallbacks, ui.Option{Value: d.ID.String(), Label: label})
		}
	}
	return frame.Render(w, r, status, views.DestinationFormPage(s.Chrome(r), v))
}

// destination reads the active destination that the path names.
func (s *Server) destination(r *http.Request) (project.Destination, error) {
	id, err := frame.PathID(r, "Destination")
	if err != nil {
		return project.Destination{}, err
	}
	return s.Projects.ActiveDestination(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) EditDestination(w http.ResponseWriter, r *http.Request) error {
	d, err := s.destination(r)
	if err != nil {
		return err
	}
	v := views.DestinationForm{
		ID: d.ID.String(), ProjectID: d.ProjectID.String(), Name: d.Name, Address: addressOf(d), Mode: string(d.Mode),
		Record: d.Record, RingTimeout: frame.Written(&d.RingTimeoutSeconds),
	}
	mode := "custom"
	if always := project.AlwaysOpen(); hours.Describe(d.Hours) == hours.Describe(*always) {
		mode = "always"
	}
	v.Hours = frame.HoursForm(d.Hours, mode)
	if d.FallbackID != nil {
		v.FallbackID = d.FallbackID.String()
	}
	return s.destinationForm(w, r, http.StatusOK, v)
}

// regionOf is the country whose national numbers a form takes: that of the project, or of the organization without one.
func (s *Server) regionOf(r *http.Request, projectID string) string {
	organization := frame.SignedIn(r).Organization
	if id, err := frame.ParseID(projectID, "Project"); err == nil {
		if p, err := s.Projects.ActiveProject(r.Context(), organization.ID, id); err == nil {
			return p.Region
		}
	}
	return organization.Region
}

// readDestination reads the form. The project of an existing destination is projectID; a new one names its own.
func (s *Server) readDestination(
	r *http.Request, projectID string,
) (v views.DestinationForm, settings project.DestinationSettings, err error) {
	form := r.PostForm
	v = views.DestinationForm{
		ProjectID: cmp.Or(projectID, form.Get("project_id")), Name: form.Get("name"),
		Address: strings.TrimSpace(form.Get("address")),
		Mode:    form.Get("mode"), Record: form.Get("record") == "on", RingTimeout: form.Get("ring_timeout_seconds"),
		FallbackID: form.Get("fallback_id"), Hours: frame.ReadHours(form),
	}
	v.Hours.Clock = "zone"
	var p fault.Problems
	settings = project.DestinationSettings{
		ProjectID: v.ProjectID, Name: v.Name, FallbackID: v.FallbackID,
		Mode: project.TransferMode(v.Mode), Record: v.Record,
		RingTimeoutSeconds: frame.OptionalInt(&p, "ring_timeout_seconds", v.RingTimeout),
	}
	if strings.HasPrefix(v.Address, "sip:") || strings.HasPrefix(v.Address, "sips:") {
		settings.SIPAddress = v.Address
	} else {
		settings.PhoneNumber = frame.ReadPhone(v.Address, s.regionOf(r, v.ProjectID))
	}
	if v.Hours.Mode == "custom" {
		h := frame.CustomHours(v.Hours)
		settings.Hours = &h
	}
	if p.Len() > 0 {
		checked := settings
		p.Also(checked.Check())
	}
	return v, settings, p.Err()
}

func (s *Server) CreateDestination(w http.ResponseWriter, r *http.Request) error {
	v, settings, err := s.readDestination(r, "")
	if r.PostForm.Get("action") == "window" {
		return s.moreDestinationHours(w, r, v)
	}
	if err == nil {
		_, err = s.Projects.CreateDestination(r.Context(), s.Actor(r), settings)
	}
	return s.Saved(w, r, err, "Destination created", destinationsPath, s.destinationAgain(w, r, v))
}

func (s *Server) UpdateDestination(w http.ResponseWriter, r *http.Request) error {
	d, err := s.destination(r)
	if err != nil {
		return err
	}
	v, settings, err := s.readDestination(r, d.ProjectID.String())
	v.ID, settings.ProjectID = d.ID.String(), ""
	if r.PostForm.Get("action") == "window" {
		return s.moreDestinationHours(w, r, v)
	}
	if err == nil {
		_, err = s.Projects.UpdateDestination(r.Context(), s.Actor(r), d.ID, settings, nil)
	}
	return s.Saved(w, r, err, "Destination saved", destinationsPath, s.destinationAgain(w, r, v))
}

// moreDestinationHours shows the form again with one more row of hours.
func (s *Server) moreDestinationHours(w http.ResponseWriter, r *http.Request, v views.DestinationForm) error {
	v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
	return s.destinationForm(w, r, http.StatusOK, v)
}

// destinationAgain shows the form again with its problems, which name the fields of the form.
func (s *Server) destinationAgain(
	w http.ResponseWriter, r *http.Request, v views.DestinationForm,
) func(ui.Errors) error {
	return func(e ui.Errors) error {
		v.Errors = ui.Errors{}
		for path, problem := range e {
			switch {
			case path == "phone_number", path == "sip_address":
				path = "address"
			case strings.HasPrefix(path, "hours"):
				path = "calling_" + path
			}
			v.Errors[path] = problem
		}
		return s.destinationForm(w, r, http.StatusUnprocessableEntity, v)
	}
}

func (s *Server) ConfirmRemoveDestination(w http.ResponseWriter, r *http.Request) error {
	d, err := s.destination(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSetting("Destinations", destinationsPath, d.ID.String(), "destination", d.Name,
		"Agents can no longer transfer calls to it. Calls that it has taken go on."))
}

func (s *Server) RemoveDestination(w http.ResponseWriter, r *http.Request) error {
	d, err := s.destination(r)
	if err != nil {
		return err
	}
	err = s.Projects.DeactivateDestination(r.Context(), s.Actor(r), d.ID)
	return s.Done(w, r, err, "Destination removed", destinationsPath)
}
