package settings

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const organizationPath = "/settings/organization"

// organizationView returns the page with the saved values.
func (s *Server) organizationView(r *http.Request) (views.Organization, error) {
	o := frame.SignedIn(r).Organization
	v := views.Organization{
		ID: o.ID.String(), Name: o.Name, TimeZone: o.TimeZone, Region: o.Region, Revision: o.Revision(),
	}
	if s.HasSandbox {
		of, err := s.Samples.Get(r.Context(), o.ID)
		if err != nil {
			return v, err
		}
		v.OffersSample = of == nil
	}
	limits, err := s.Calling.Limits(r.Context(), o.ID)
	v.Limits = views.CallingLimits{
		MaxConcurrency: frame.Written(limits.MaxConcurrency), CallsPerSecond: frame.WrittenFloat(limits.CallsPerSecond),
		MaxDailyAttempts: frame.Written(limits.MaxDailyAttempts), Revision: limits.Revision(),
	}
	if err != nil {
		return v, err
	}
	spent, err := s.Campaigns.MonthSpending(r.Context(), o.ID)
	if err == nil && spent != nil {
		v.Budget.BudgetForm, v.Budget.Spent = frame.BudgetForm(&spent.Budget), frame.Spent(*spent)
	}
	if err != nil {
		return v, err
	}
	day, err := s.Calling.ModelDay(r.Context(), o.ID)
	v.Models = views.ModelDay{
		Tokens: frame.Written(day.Tokens), Used: "Used today: " + ui.Plural(day.Used.Tokens, "token"),
	}
	if b := day.Budget; b != nil {
		v.Models.Amount, v.Models.Currency = b.Amount, b.Currency
		v.Models.Used += ", " + money.Format(day.Used.Amount, b.Currency, money.Decimals(day.Used.Amount))
	}
	return v, err
}

// UpdateModelDay sets the daily limits of language models.
func (s *Server) UpdateModelDay(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	v.Models.Tokens = r.PostFormValue("model_day.tokens")
	v.Models.Amount, v.Models.Currency = r.PostFormValue("model_day.amount"), r.PostFormValue("model_day.currency")
	again := func(e ui.Errors) error {
		v.Models.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.OrganizationPage(s.Chrome(r), v))
	}
	var p fault.Problems
	limits := dialer.ModelDay{
		Tokens: frame.OptionalInt(&p, "model_day.tokens", v.Models.Tokens),
		Budget: frame.Budget(views.BudgetForm{Amount: v.Models.Amount, Currency: v.Models.Currency}),
	}
	if err := p.Err(); err != nil {
		return again(ui.ErrorsOf(err))
	}
	err = s.Calling.SetModelDay(r.Context(), s.Actor(r), limits)
	return s.Saved(w, r, err, "Daily limits saved", organizationPath, again)
}

func (s *Server) UpdateMonthlyBudget(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	v.Budget.BudgetForm = frame.ReadBudget(r.PostForm)
	err = s.Calling.SetMonthlyBudget(r.Context(), s.Actor(r), frame.Budget(v.Budget.BudgetForm))
	return s.Saved(w, r, err, "Budget saved", organizationPath, func(e ui.Errors) error {
		v.Budget.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.OrganizationPage(s.Chrome(r), v))
	})
}

func (s *Server) UpdateCallingLimits(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	v.Limits.MaxConcurrency = r.PostFormValue("max_concurrency")
	v.Limits.CallsPerSecond = r.PostFormValue("calls_per_second")
	v.Limits.MaxDailyAttempts = r.PostFormValue("max_daily_attempts")
	current := v.Limits.Revision
	v.Limits.Revision = r.PostFormValue("revision")
	again := func(e ui.Errors) error {
		v.Limits.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.OrganizationPage(s.Chrome(r), v))
	}
	var p fault.Problems
	limits := dialer.Limits{
		MaxConcurrency:   frame.OptionalInt(&p, "max_concurrency", v.Limits.MaxConcurrency),
		CallsPerSecond:   frame.OptionalFloat(&p, "calls_per_second", v.Limits.CallsPerSecond),
		MaxDailyAttempts: frame.OptionalInt(&p, "max_daily_attempts", v.Limits.MaxDailyAttempts),
	}
	if p.Len() > 0 {
		p.Also(limits.Check())
		return again(ui.ErrorsOf(p.Err()))
	}
	err = s.Calling.SetLimits(r.Context(), s.Actor(r), limits, v.Limits.Revision)
	v.Limits.Revision = frame.Revision(r, err, current)
	return s.Saved(w, r, err, "Calling limits saved", organizationPath, again)
}

func (s *Server) StopCallingForm(w http.ResponseWriter, r *http.Request) error {
	up, err := s.Calls.Up(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.StopCalling{Organization: frame.SignedIn(r).Organization.Name, Up: up}.Confirm())
}

func (s *Server) StopCalling(w http.ResponseWriter, r *http.Request) error {
	o := frame.SignedIn(r).Organization
	v := views.StopCalling{
		Organization: o.Name, Name: r.PostFormValue("name"), HangUp: r.PostFormValue("hang_up") != "",
	}
	if !strings.EqualFold(strings.TrimSpace(v.Name), strings.TrimSpace(o.Name)) {
		var err error
		if v.Up, err = s.Calls.Up(r.Context(), o.ID); err != nil {
			return err
		}
		v.Errors = ui.Errors{"name": "type the name of the organization"}
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ConfirmPage(s.Chrome(r), v.Confirm()))
	}
	ended, err := s.Calling.Stop(r.Context(), s.Actor(r), v.HangUp)
	if err != nil {
		return err
	}
	done := "All calling is stopped"
	if ended > 0 {
		done += ". Ending " + ui.Plural(ended, "call") + "."
	}
	s.Toast(r, done)
	return frame.SeeOther(w, r, organizationPath)
}

func (s *Server) AllowCalling(w http.ResponseWriter, r *http.Request) error {
	return s.Done(w, r, s.Calling.Allow(r.Context(), s.Actor(r)), "Calling allowed", organizationPath)
}
