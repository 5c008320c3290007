package api

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/wire"
)

// me is whose key a request uses, and what the organization may do.
type me struct {
	Organization myOrganization `json:"organization"`
	Key          myKey          `json:"key"`
	Limits       myLimits       `json:"limits"`
}

type myOrganization struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	TimeZone  string    `json:"time_zone"`
	Region    string    `json:"region"`
	CreatedAt wire.Time `json:"created_at"`

	CallingStoppedAt *wire.Time `json:"calling_stopped_at"` // nil: calling is not stopped
}

type myKey struct {
	ID        uuid.UUID       `json:"id"`
	Name      string          `json:"name"`
	LastFour  string          `json:"last_four"`
	AllScopes bool            `json:"all_scopes"` // including those that later versions add
	Scopes    []account.Scope `json:"scopes"`
	CreatedAt wire.Time       `json:"created_at"`
	ExpiresAt *wire.Time      `json:"expires_at"`
}

type myLimits struct {
	RequestsPerMinute int              `json:"requests_per_minute"`
	Webhooks          int              `json:"webhooks"`
	MaxConcurrency    *int             `json:"max_concurrency"`
	CallsPerSecond    *float64         `json:"calls_per_second"`
	MaxDailyAttempts  *int             `json:"max_daily_attempts"`
	MonthlyBudget     *campaign.Budget `json:"monthly_budget"`
	ModelTokensPerDay *int             `json:"model_tokens_per_day"`
	ModelBudgetPerDay *campaign.Budget `json:"model_budget_per_day"`
}

// getMe needs no scope: it is the first request of an integration that tests its key.
func (a *api) getMe(w http.ResponseWriter, r *http.Request) error {
	caller := exchangeOf(r).caller
	o, err := a.Accounts.Organization(r.Context(), caller.OrganizationID)
	if err != nil {
		return err
	}
	k, err := a.Accounts.Key(r.Context(), caller.OrganizationID, caller.KeyID)
	if err != nil {
		return err
	}
	limits, err := a.Calling.AllLimits(r.Context(), caller.OrganizationID)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, meResource(o, k, limits))
}

func meResource(o account.Organization, k account.Key, l dialer.AllLimits) me {
	return me{
		Organization: myOrganization{
			ID: o.ID, Name: o.Name, TimeZone: o.TimeZone, Region: o.Region, CreatedAt: wire.Time(o.CreatedAt),
			CallingStoppedAt: wire.Optional(o.CallingStoppedAt),
		},
		Key: myKey{
			ID: k.ID, Name: k.Name, LastFour: k.LastFour(), AllScopes: k.AllScopes(), Scopes: k.EffectiveScopes(),
			CreatedAt: wire.Time(k.CreatedAt), ExpiresAt: wire.Optional(k.ExpiresAt),
		},
		Limits: myLimits{
			RequestsPerMinute: account.RateLimit, Webhooks: webhook.MaxWebhooks,
			MaxConcurrency: l.MaxConcurrency, CallsPerSecond: l.CallsPerSecond, MaxDailyAttempts: l.MaxDailyAttempts,
			MonthlyBudget: l.MonthlyBudget, ModelTokensPerDay: l.ModelTokens, ModelBudgetPerDay: l.ModelBudget,
		},
	}
}
