package settings

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// numberPools returns the pools for the page of phone numbers.
func (s *Server) numberPools(r *http.Request) (rows []views.NumberPool, err error) {
	pools, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Projects.NumberPools)
	if err != nil {
		return nil, err
	}
	for _, p := range pools {
		row := views.NumberPool{
			ID: p.ID.String(), Name: p.Name, Nearest: p.Strategy == project.Nearest, Numbers: len(p.PhoneNumberIDs),
			DailyCalls: frame.OrNone(p.MaxDailyCalls),
		}
		if p.Rest != nil {
			row.Rest = views.PoolRest(*p.Rest)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (s *Server) NewNumberPool(w http.ResponseWriter, r *http.Request) error {
	return s.numberPoolForm(w, r, http.StatusOK, views.NumberPoolForm{})
}

func (s *Server) numberPoolForm(w http.ResponseWriter, r *http.Request, status int, v views.NumberPoolForm) error {
	numbers, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Projects.VoiceNumbers)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if n.NumberPoolID == nil || n.NumberPoolID.String() == v.ID {
			v.Offered = append(v.Offered, ui.Option{
				Value: n.ID.String(), Label: frame.NumberLabel(n) + " (" + n.Connection + ")",
			})
		}
	}
	return frame.Render(w, r, status, views.NumberPoolFormPage(s.Chrome(r), v))
}

// readNumberPool reads the form. A rest rule is complete or empty.
func readNumberPool(r *http.Request, id string) (
	v views.NumberPoolForm, settings project.NumberPoolSettings, err error,
) {
	form := r.PostForm
	v = views.NumberPoolForm{
		ID: id, Name: form.Get("name"), Strategy: form.Get("strategy"), Numbers: form["phone_number_ids"],
		MaxDailyCalls: form.Get("max_daily_calls"), RestBelow: form.Get("rest.below_percent"),
		RestCalls: form.Get("rest.calls"), RestHours: form.Get("rest.hours"),
	}
	var p fault.Problems
	settings = project.NumberPoolSettings{
		Name: v.Name, Strategy: project.Strategy(v.Strategy), PhoneNumberIDs: v.Numbers,
		MaxDailyCalls: frame.OptionalInt(&p, "max_daily_calls", v.MaxDailyCalls),
	}
	below, calls, hours := frame.OptionalInt(&p, "rest.below_percent", v.RestBelow),
		frame.OptionalInt(&p, "rest.calls", v.RestCalls), frame.OptionalInt(&p, "rest.hours", v.RestHours)
	if below != nil || calls != nil || hours != nil {
		settings.Rest = &project.Rest{
			BelowPercent: frame.OrNone(below), Calls: frame.OrNone(calls), Hours: frame.OrNone(hours),
		}
	}
	p.Also(settings.Check())
	return v, settings, p.Err()
}

func (s *Server) CreateNumberPool(w http.ResponseWriter, r *http.Request) error {
	v, settings, err := readNumberPool(r, "")
	if err == nil {
		_, err = s.Projects.CreateNumberPool(r.Context(), s.Actor(r), settings)
	}
	return s.Saved(w, r, err, "Number pool created", phoneNumbersPath, s.numberPoolAgain(w, r, v))
}

// numberPoolAgain shows the form again with its problems.
func (s *Server) numberPoolAgain(
	w http.ResponseWriter, r *http.Request, v views.NumberPoolForm,
) func(ui.Errors) error {
	return func(e ui.Errors) error {
		v.Errors = ui.Errors{}
		for _, path := range slices.Sorted(maps.Keys(e)) {
			field, _, _ := strings.Cut(path, "[") // the numbers are one field
			v.Errors[field] = cmp.Or(v.Errors[field], e[path])
		}
		return s.numberPoolForm(w, r, http.StatusUnprocessableEntity, v)
	}
}

// numberPool reads the pool that the path names.
func (s *Server) numberPool(r *http.Request) (project.NumberPool, error) {
	id, err := frame.PathID(r, "Number pool")
	if err != nil {
		return project.NumberPool{}, err
	}
	return s.Projects.ActiveNumberPool(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) EditNumberPool(w http.ResponseWriter, r *http.Request) error {
	p, err := s.numberPool(r)
	if err != nil {
		return err
	}
	v := views.NumberPoolForm{
		ID: p.ID.String(), Name: p.Name, Strategy: string(p.Strategy), MaxDailyCalls: frame.Written(p.MaxDailyCalls),
	}
	for _, id := range p.PhoneNumberIDs {
		v.Numbers = append(v.Numbers, id.String())
	}
	if p.Rest != nil {
		v.RestBelow, v.RestCalls, v.RestHours = frame.Written(&p.Rest.BelowPercent), frame.Written(&p.Rest.Calls),
			frame.Written(&p.Rest.Hours)
	}
	return s.numberPoolForm(w, r, http.StatusOK, v)
}

func (s *Server) UpdateNumberPool(w http.ResponseWriter, r *http.Request) error {
	p, err := s.numberPool(r)
	if err != nil {
		return err
	}
	v, settings, err := readNumberPool(r, p.ID.String())
	if err == nil {
		_, err = s.Projects.UpdateNumberPool(r.Context(), s.Actor(r), p.ID, settings, nil)
	}
	return s.Saved(w, r, err, "Number pool saved", phoneNumbersPath, s.numberPoolAgain(w, r, v))
}

func (s *Server) ConfirmRemoveNumberPool(w http.ResponseWriter, r *http.Request) error {
	p, err := s.numberPool(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveNumberPool(p.ID.String(), p.Name))
}

func (s *Server) RemoveNumberPool(w http.ResponseWriter, r *http.Request) error {
	p, err := s.numberPool(r)
	if err != nil {
		return err
	}
	err = s.Projects.DeactivateNumberPool(r.Context(), s.Actor(r), p.ID)
	return s.Done(w, r, err, "Number pool removed", phoneNumbersPath)
}
