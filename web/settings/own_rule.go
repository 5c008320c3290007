package settings

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func ownRule(rule regulation.Rule) views.OwnRule {
	place := rule.Place.Name()
	if country := rule.Place.Country(); country != rule.Place { // Georgia is a state and a country
		place += ", " + country.Name()
	}
	return views.OwnRule{ID: rule.ID, Place: place, Text: rule.Text(), Reason: rule.Source}
}

func ownRules(settings regulation.Settings) (rules []views.OwnRule) {
	for _, rule := range settings.Own {
		rules = append(rules, ownRule(rule))
	}
	return rules
}

// rulePlaces are the places that a rule can be for.
func rulePlaces() []ui.Option {
	places := []ui.Option{{Label: "Choose a place"}}
	for _, country := range ui.Regions() {
		if regulation.Place(country.Value).Known() {
			places = append(places, ui.Option{Value: country.Value, Label: country.Label, Group: "Countries"})
		}
	}
	for _, country := range []regulation.Place{"US", "CA"} {
		for _, p := range country.Parts() {
			places = append(places, ui.Option{Value: string(p), Label: p.Name(), Group: country.Name()})
		}
	}
	return places
}

func (s *Server) NewOwnRule(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.OwnRulePage(s.Chrome(r), views.OwnRuleForm{Places: rulePlaces()}))
}

func (s *Server) AddOwnRule(w http.ResponseWriter, r *http.Request) error {
	v := views.OwnRuleForm{
		Places: rulePlaces(), Place: r.PostFormValue("place"), Calls: r.PostFormValue("calls"),
		Hours: frame.ReadHours(r.PostForm), Reason: r.PostFormValue("reason"),
	}
	if r.PostForm.Get("action") == "window" {
		v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
		return frame.Render(w, r, http.StatusOK, views.OwnRulePage(s.Chrome(r), v))
	}
	again := func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.OwnRulePage(s.Chrome(r), v))
	}
	rule := regulation.Rule{
		Place: regulation.Place(v.Place), Windows: frame.CustomHours(v.Hours).Windows, Source: v.Reason,
	}
	var p fault.Problems
	if n := frame.OptionalInt(&p, "calls", v.Calls); n != nil {
		rule.Calls, rule.Days = *n, 1
	}
	if p.Len() > 0 {
		var settings regulation.Settings
		settings.Add(rule)
		p.Also(settings.Check())
		return again(ui.ErrorsOf(p.Err()))
	}
	err := s.Calling.ChangeRules(r.Context(), s.Actor(r), func(settings *regulation.Settings) { settings.Add(rule) })
	return s.Saved(w, r, err, "Rule added", compliancePath, again)
}

// ownRuleOf reads the own rule that the path names.
func (s *Server) ownRuleOf(r *http.Request) (regulation.Rule, error) {
	settings, err := s.Calling.Rules(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return regulation.Rule{}, err
	}
	rule, ok := settings.OwnRule(r.PathValue("rule"))
	if !ok {
		return rule, fault.NotFoundf("Rule")
	}
	return rule, nil
}

func (s *Server) ConfirmRemoveOwnRule(w http.ResponseWriter, r *http.Request) error {
	rule, err := s.ownRuleOf(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveOwnRule(ownRule(rule)))
}

func (s *Server) RemoveOwnRule(w http.ResponseWriter, r *http.Request) error {
	rule, err := s.ownRuleOf(r)
	if err != nil {
		return err
	}
	err = s.Calling.ChangeRules(r.Context(), s.Actor(r), func(settings *regulation.Settings) {
		settings.Remove(rule.ID)
	})
	return s.Done(w, r, err, "Rule removed", compliancePath)
}
