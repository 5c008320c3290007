package settings

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const compliancePath = "/settings/compliance"

func (s *Server) Compliance(w http.ResponseWriter, r *http.Request) error {
	v, err := s.complianceView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CompliancePage(s.Chrome(r), v))
}

// complianceView returns the page with the saved values.
func (s *Server) complianceView(r *http.Request) (views.ComplianceSettings, error) {
	settings, err := s.Calling.Rules(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return views.ComplianceSettings{}, err
	}
	v := views.CallingRules{Apply: settings.Apply, Holidays: settings.Holidays, Own: ownRules(settings)}
	var countries []string
	for _, p := range regulation.HolidayCountries {
		countries = append(countries, p.Name())
	}
	v.Countries = english.List(countries)
	var days []string
	for _, d := range settings.ClosedDays {
		days = append(days, strings.TrimSpace(d.Date+" "+d.Name))
	}
	v.ClosedDays = strings.Join(days, "\n")
	for _, rule := range regulation.Rules() {
		v.Table = append(v.Table, callingRule(settings, rule))
	}
	required, err := s.Calling.ConsentRequired(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return views.ComplianceSettings{}, err
	}
	limit, err := s.Calling.AbandonedLimit(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return views.ComplianceSettings{}, err
	}
	check, err := s.preDialView(r)
	return views.ComplianceSettings{
		Rules: v, Consent: required, Check: check,
		Abandoned: views.AbandonedLimit{Most: frame.WrittenFloat(limit.Most), Least: frame.Written(&limit.Least)},
	}, err
}

func callingRule(settings regulation.Settings, rule regulation.Rule) views.CallingRule {
	row := views.CallingRule{
		ID: rule.ID, Place: rule.Place.Name(), Text: rule.Text(), Source: rule.Source, URL: rule.URL, AsOf: rule.AsOf,
		Verified: rule.Verified, Note: rule.Note,
	}
	if o, changed := settings.Overrides[rule.ID]; changed {
		settings.Apply = true // the change is told even while no rule applies
		own, applies := settings.Rule(rule)
		row.Listed, row.Text, row.Off, row.Reason = row.Text, own.Text(), !applies, o.Reason
	}
	return row
}

func (s *Server) UpdateCallingRules(w http.ResponseWriter, r *http.Request) error {
	v, err := s.complianceView(r)
	if err != nil {
		return err
	}
	v.Rules.Apply, v.Rules.Holidays = r.PostFormValue("apply") != "", r.PostFormValue("holidays") != ""
	v.Rules.ClosedDays = r.PostFormValue("closed_days")
	var days []regulation.ClosedDay
	for line := range strings.Lines(v.Rules.ClosedDays) {
		if date, name, _ := strings.Cut(strings.TrimSpace(line), " "); date != "" {
			days = append(days, regulation.ClosedDay{Date: date, Name: strings.TrimSpace(name)})
		}
	}
	err = s.Calling.ChangeRules(r.Context(), s.Actor(r), func(settings *regulation.Settings) {
		settings.Apply, settings.Holidays, settings.ClosedDays = v.Rules.Apply, v.Rules.Holidays, days
	})
	return s.Saved(w, r, err, "Rules saved", compliancePath, func(e ui.Errors) error {
		v.Rules.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.CompliancePage(s.Chrome(r), v))
	})
}

func (s *Server) UpdateConsent(w http.ResponseWriter, r *http.Request) error {
	err := s.Calling.RequireConsent(r.Context(), s.Actor(r), r.PostFormValue("consent_required") != "")
	return s.Done(w, r, err, "Consent saved", compliancePath)
}

func (s *Server) UpdateAbandonedLimit(w http.ResponseWriter, r *http.Request) error {
	v, err := s.complianceView(r)
	if err != nil {
		return err
	}
	v.Abandoned = views.AbandonedLimit{
		Most: r.PostFormValue("abandoned_most"), Least: r.PostFormValue("abandoned_least"),
	}
	again := func(e ui.Errors) error {
		v.Abandoned.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.CompliancePage(s.Chrome(r), v))
	}
	var p fault.Problems
	limit := dialer.AbandonedLimit{Most: frame.OptionalFloat(&p, "abandoned_most", v.Abandoned.Most)}
	if least := frame.OptionalInt(&p, "abandoned_least", v.Abandoned.Least); least != nil {
		limit.Least = *least
	}
	if err := p.Err(); err != nil {
		return again(ui.ErrorsOf(err))
	}
	return s.Saved(w, r, s.Calling.SetAbandonedLimit(r.Context(), s.Actor(r), limit), "Limit saved", compliancePath,
		again)
}

// rule reads the rule that the path names, and the form with what the organization makes of it.
func (s *Server) rule(r *http.Request) (regulation.Rule, views.CallingRuleForm, error) {
	rule, ok := regulation.RuleByID(r.PathValue("rule"))
	if !ok {
		return rule, views.CallingRuleForm{}, fault.NotFoundf("Rule")
	}
	settings, err := s.Calling.Rules(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return rule, views.CallingRuleForm{}, err
	}
	own := rule
	v := views.CallingRuleForm{Rule: callingRule(settings, rule), Use: "listed", LimitsCalls: rule.Calls > 0}
	if o, changed := settings.Overrides[rule.ID]; changed {
		v.Use, v.Reason = "other", o.Reason
		if o.Off {
			v.Use = "off"
		} else {
			settings.Apply = true
			own, _ = settings.Rule(rule)
		}
	}
	if rule.Calls > 0 {
		v.Calls = frame.Written(&own.Calls)
	} else {
		v.Hours = frame.HoursForm(hours.Hours{Timezone: hours.Recipient, Windows: own.Windows}, "custom")
	}
	return rule, v, nil
}

func (s *Server) EditCallingRule(w http.ResponseWriter, r *http.Request) error {
	_, v, err := s.rule(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CallingRulePage(s.Chrome(r), v))
}

func (s *Server) UpdateCallingRule(w http.ResponseWriter, r *http.Request) error {
	rule, v, err := s.rule(r)
	if err != nil {
		return err
	}
	v.Use, v.Reason = r.PostFormValue("use"), r.PostFormValue("reason")
	v.Calls, v.Hours = r.PostFormValue("calls"), frame.ReadHours(r.PostForm)
	if r.PostForm.Get("action") == "window" {
		v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
		return frame.Render(w, r, http.StatusOK, views.CallingRulePage(s.Chrome(r), v))
	}
	again := func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.CallingRulePage(s.Chrome(r), v))
	}
	own := regulation.Override{Off: v.Use == "off", Reason: v.Reason}
	if v.Use == "other" {
		var p fault.Problems
		if n := frame.OptionalInt(&p, "calls", v.Calls); n != nil {
			own.Calls = *n
		}
		own.Windows = frame.CustomHours(v.Hours).Windows
		if p.Len() > 0 {
			settings := regulation.Settings{Overrides: map[string]regulation.Override{rule.ID: own}}
			p.Also(settings.Check())
			return again(ui.ErrorsOf(p.Err()))
		}
	}
	err = s.Calling.ChangeRules(r.Context(), s.Actor(r), func(settings *regulation.Settings) {
		if v.Use == "listed" {
			delete(settings.Overrides, rule.ID)
			return
		}
		if settings.Overrides == nil {
			settings.Overrides = map[string]regulation.Override{}
		}
		settings.Overrides[rule.ID] = own
	})
	return s.Saved(w, r, err, "Rule saved", compliancePath, again)
}
