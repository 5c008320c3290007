package campaign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Budget is the most that calls may cost. A carrier tells the currency of a price only with the price, so a
// budget names its own. Calls in other currencies do not count.
type Budget struct {
	Amount   string `json:"amount"`   // an exact decimal above 0
	Currency string `json:"currency"` // ISO 4217
}

// Check tidies a budget, which may be nil, and reports its problems. prefix comes before the names of the fields.
func (b *Budget) Check(p *fault.Problems, prefix string) {
	if b == nil {
		return
	}
	amount := prefix + "amount"
	before := p.Len()
	check.Amount(p, amount, &b.Amount)
	switch {
	case b.Amount == "":
		p.Addf(amount, "required")
	case p.Len() == before && strings.Trim(b.Amount, "0.") == "":
		p.Addf(amount, "must be more than 0")
	}
	check.Currency(p, prefix+"currency", &b.Currency)
	if b.Currency == "" {
		p.Addf(prefix+"currency", "required")
	}
}

func (b *Budget) String() string {
	return money.Format(b.Amount, b.Currency, max(money.Decimals(b.Amount), money.ExactDecimals(b.Amount)))
}

// Args adds a budget to the arguments of a statement: budget_amount and budget_currency, both nil without one.
func (b *Budget) Args(args pgx.NamedArgs) pgx.NamedArgs {
	args["budget_amount"], args["budget_currency"] = nil, nil
	if b != nil {
		args["budget_amount"], args["budget_currency"] = b.Amount, b.Currency
	}
	return args
}

// BudgetColumn is a Budget, or null, of a campaign or an organization.
func BudgetColumn(table string) string {
	return `case when ` + table + `.budget_amount is not null then jsonb_build_object(
		'amount', trim_scale(` + table + `.budget_amount)::text,
		'currency', ` + table + `.budget_currency) end as budget`
}

// Spending compares the cost of calls with a budget: that of a campaign, or that of an organization for a month.
type Spending struct {
	Budget   Budget
	Month    *time.Time // nil: the budget is that of a campaign
	Known    string     // cost of the calls, in the budget's currency
	Pending  int        // answered calls whose cost is not known, and calls in progress
	Estimate string     // Known, and the average cost of an answered call for each pending one
	Reached  bool
	Fits     *int // how many more calls reach the budget, at the average; nil: no cost is known
	Others   bool // calls in other currencies do not count
	// Billed are the currencies of the organization's calls, if the budget's is none of them. No call counts then.
	Billed []string
}

// Beginnings of the reasons of pauses.
const (
	PausedBudget      = "The campaign has reached its budget of "
	PausedMonthBudget = "The organization has reached its monthly budget of "
)

// Text describes a budget that is reached, for people.
func (s Spending) Text() string {
	decimals := max(money.Decimals(s.Known, s.Budget.Amount, s.Estimate), money.ExactDecimals(s.Budget.Amount))
	amount := func(of string) string { return money.Format(of, s.Budget.Currency, decimals) }
	text := PausedBudget + amount(s.Budget.Amount)
	if s.Month != nil {
		text = PausedMonthBudget + amount(s.Budget.Amount) + " for " + s.Month.Format("January 2006")
	}
	text += ". Calls cost " + amount(s.Known)
	if s.Pending > 0 {
		text += ", or about " + amount(s.Estimate) + " with " + english.Number(s.Pending) + " " +
			plural(s.Pending, "call", "calls") + " whose price is not known"
	}
	return text
}

// refusal refuses to resume a campaign.
func (s Spending) refusal() error {
	if s.Month != nil {
		return fault.Conflictf("%s. Raise or remove the monthly budget, or resume the campaign next month", s.Text())
	}
	return fault.Conflictf("%s. Raise or remove the budget, then resume the campaign", s.Text())
}

// sqlSpending compares a budget with sums, so it does not depend on the number of calls. The pending calls are
// the answered ones that were settled without a known price, and those in progress. Each counts at the average of the
// answered calls with a known price in any currency, because the currency of a pending call is not known either. While
// the sums have no such call, the average is that of all calls of the organization. A call that nobody answered counts
// as what it is known to have cost, and carriers bill few of them.
func sqlSpending(from, known, pending, live string) string {
	return `
	select b.budget, b.month, trim_scale(known.amount)::text as known, pending.calls::int as pending,
	       trim_scale(round(e.estimate, 6))::text as estimate, e.estimate >= b.amount as reached,
	       case when average.price > 0 then
		least(ceil(greatest(b.amount - e.estimate, 0) / average.price), 1000000)::int end as fits,
	       known.others, array(
		select distinct m.currency from cost_month m
		where m.organization_id = @organization_id and m.amount <> 0 and m.currency is not null
			and not exists (select from cost_month s where s.organization_id = m.organization_id
				and s.currency = b.currency and s.amount <> 0)
		order by 1) as billed
	from (` + from + `) b
	cross join lateral (
		select coalesce(sum(t.amount) filter (where t.currency = b.currency), 0) as amount,
		       coalesce(sum(t.answered), 0) as answered,
		       coalesce(bool_or(t.currency <> b.currency and t.amount <> 0), false) as others
		from ` + known + `
	) known
	cross join lateral (
		select (select coalesce(sum(t.answered), 0) from ` + pending + `)
		     + (select count(*) from call where ` + live + `) as calls
	) pending
	cross join lateral (
		select greatest(coalesce(
			known.amount / nullif(known.answered, 0),
			(select sum(m.amount) filter (where m.currency = b.currency) / nullif(sum(m.answered), 0)
			 from cost_month m where m.organization_id = @organization_id and m.currency is not null)
		), 0) as price
	) average
	cross join lateral (select known.amount + pending.calls * average.price as estimate) e`
}

const sqlMonth = `cost_month t where t.organization_id = @organization_id and t.month = b.month`

var (
	sqlCampaignSpending = sqlSpending(`
		select `+BudgetColumn("c")+`, c.budget_amount as amount, c.budget_currency as currency, null::date as month
		from campaign c
		where c.organization_id = @organization_id and c.id = @id and c.budget_amount is not null`,
		`cost_total t where t.organization_id = @organization_id and t.campaign_id = @id`,
		`cost_pending t where t.organization_id = @organization_id and t.campaign_id = @id`,
		`campaign_id = @id and settled_at is null`)
	sqlMonthSpending = sqlSpending(`
		select `+BudgetColumn("o")+`, o.budget_amount as amount, o.budget_currency as currency,
		       date_trunc('month', (select clock()) at time zone o.time_zone)::date as month
		from organization o
		where o.id = @organization_id and o.budget_amount is not null`,
		sqlMonth+` and t.currency is not null`, sqlMonth+` and t.currency is null`,
		`organization_id = @organization_id and ended_at is null) + (select count(*) from call
			where organization_id = @organization_id and ended_at is not null and settled_at is null`)
)

// Spendings compares the cost of calls with the budget of a campaign and that of the organization for this month.
// It leaves out a budget that is not set.
func Spendings(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) ([]Spending, error) {
	return spendings(ctx, db, sqlCampaignSpending+` union all `+sqlMonthSpending,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

// MonthSpending compares the cost of the organization's calls of this month with its budget. It is nil without one.
func (s *Service) MonthSpending(ctx context.Context, organizationID uuid.UUID) (*Spending, error) {
	found, err := spendings(ctx, s.db, sqlMonthSpending, pgx.NamedArgs{"organization_id": organizationID})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Spending compares the cost of a campaign's calls with its budget. It is nil without one.
func (s *Service) Spending(ctx context.Context, organizationID, id uuid.UUID) (*Spending, error) {
	found, err := spendings(ctx, s.db, sqlCampaignSpending,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func spendings(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) ([]Spending, error) {
	found, err := postgres.Collect(ctx, db, pgx.RowToStructByName[Spending], sql, args)
	if err != nil {
		return nil, fmt.Errorf("compare costs with budgets: %w", err)
	}
	return found, nil
}

// affordable refuses to resume a campaign while a budget is reached.
func affordable(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) error {
	found, err := Spendings(ctx, tx, organizationID, id)
	if err != nil {
		return err
	}
	for _, s := range found {
		if s.Reached {
			return s.refusal()
		}
	}
	return nil
}

// SetBudget sets the budget of a campaign that has not ended, or removes it if b is nil. It applies to the next
// call. Unchanged may refuse the change of the campaign as it is then, and may be nil. Errors: Invalid; NotFound;
// Conflict for a campaign that has ended; that of unchanged.
func (s *Service) SetBudget(
	ctx context.Context, actor account.Actor, id uuid.UUID, b *Budget, unchanged func(Campaign) error,
) (Campaign, error) {
	var p fault.Problems
	b.Check(&p, "")
	if err := p.Err(); err != nil {
		return Campaign{}, err
	}
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		c, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if unchanged != nil {
			now, err := read(ctx, tx, actor.OrganizationID, id)
			if err != nil {
				return err
			}
			if err := unchanged(now); err != nil {
				return err
			}
		}
		if c.Status.Terminal() {
			return fault.Conflictf("This campaign is %s and its budget cannot be changed", c.Status)
		}
		tag, err := tx.Exec(ctx, `
			update campaign set budget_amount = @budget_amount::numeric, budget_currency = @budget_currency
			where id = @id and (budget_amount, budget_currency)
				is distinct from (@budget_amount::numeric, @budget_currency::text)`, b.Args(pgx.NamedArgs{"id": id}))
		if err != nil {
			return fmt.Errorf("set the budget of campaign %s: %w", id, err)
		}
		if tag.RowsAffected() == 0 {
			return account.Unchanged(ctx)
		}
		return record(ctx, tx, actor, change{
			id:      id,
			action:  "campaign.budget_updated",
			data:    map[string]any{"name": c.Name, "budget": b},
			log:     LogBudgetChanged,
			details: LogDetails{Budget: b},
		})
	})
}

// RemoveBudget removes the budget of a campaign. Errors: as SetBudget.
func (s *Service) RemoveBudget(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	_, err := s.SetBudget(ctx, actor, id, nil, nil)
	return err
}
