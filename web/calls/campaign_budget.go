package calls

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// pauseCause returns the budget that the reason of a pause is about.
func pauseCause(reason string) views.PauseCause {
	switch {
	case strings.HasPrefix(reason, campaign.PausedBudget):
		return views.PausedBudget
	case strings.HasPrefix(reason, campaign.PausedMonthBudget):
		return views.PausedMonthBudget
	}
	return ""
}

func (s *Server) EditBudget(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	return s.budgetForm(w, r, http.StatusOK, c, frame.BudgetForm(c.Budget), nil)
}

func (s *Server) UpdateBudget(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	typed := frame.ReadBudget(r.PostForm)
	_, err = s.Campaigns.SetBudget(r.Context(), s.Actor(r), c.ID, frame.Budget(typed), nil)
	if f := fault.As(err); f != nil && f.Kind == fault.Invalid {
		problems := ui.Errors{}
		for path, message := range ui.ErrorsOf(err) {
			problems["budget."+path] = message
		}
		return s.budgetForm(w, r, http.StatusUnprocessableEntity, c, typed, problems)
	}
	return s.Done(w, r, err, "Budget saved", "/campaigns/"+c.ID.String())
}

func (s *Server) budgetForm(
	w http.ResponseWriter, r *http.Request, status int, c campaign.Campaign, typed views.BudgetForm, problems ui.Errors,
) error {
	_, used, err := s.campaignCosts(r.Context(), c)
	if err != nil {
		return err
	}
	return frame.Render(w, r, status, views.CampaignBudgetPage(s.Chrome(r), views.CampaignBudgetForm{
		BudgetForm: typed, ID: c.ID.String(), Name: c.Name, Spent: used.Spent, Errors: problems,
	}))
}
