package alert

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/postgres"
)

// week is what a week brought.
type week struct {
	call.Figures
	costs []cost
}

// cost is what calls cost in a currency, as far as it is known.
type cost struct {
	Currency, Amount string
}

// weekly writes the figures of a week beside those of the week before. It is empty if there is nothing to tell.
func (s *Service) weekly(ctx context.Context, e email) (subject, text string, err error) {
	y, month, d := e.DigestDay.Date()
	from := time.Date(y, month, d, 0, 0, 0, 0, location(e.Zone))
	now, err := s.weekOf(ctx, e.OrganizationID, from, from.AddDate(0, 0, 7))
	if err != nil {
		return "", "", err
	}
	before, err := s.weekOf(ctx, e.OrganizationID, from.AddDate(0, 0, -7), from)
	if err != nil {
		return "", "", err
	}
	counts, err := s.followUps.Count(ctx, e.OrganizationID, e.UserID)
	if err != nil {
		return "", "", err
	}
	if now.Total() == 0 && before.Total() == 0 && counts.Open == 0 {
		return "", "", nil
	}
	const day = "Monday, 2 January 2006"
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s to %s\n\n", e.Organization, from.Format(day), from.AddDate(0, 0, 6).Format(day))
	for _, line := range []struct {
		what     string
		now, old int
	}{
		{"Calls", now.Total(), before.Total()}, {"Answered by a person", now.Reached, before.Reached},
		{"Completed", now.Completed, before.Completed}, {"Opt-outs", now.OptedOut, before.OptedOut},
	} {
		fmt.Fprintf(&b, "%s: %s (the week before: %s)\n", line.what, english.Number(line.now), english.Number(line.old))
	}
	if text := amounts(now.costs); text != "" || len(before.costs) > 0 {
		fmt.Fprintf(&b, "Known cost of calls: %s (the week before: %s)\n", orNone(text), orNone(amounts(before.costs)))
	}
	open := english.Number(counts.Open)
	if counts.Open >= mostCounted {
		open += " or more"
	}
	fmt.Fprintf(&b, "Follow-ups open now: %s\n\n%s\n%s/follow-ups\n\n", open, s.publicURL, s.publicURL)
	b.WriteString(s.footer(e.Organization))
	subject = fmt.Sprintf("%s: %s in the week of %s", e.Organization, calls(now.Total()), from.Format("2 January"))
	return subject, b.String(), nil
}

// calls is a number of calls in words.
func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return english.Number(n) + " calls"
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// amounts lists costs.
func amounts(costs []cost) string {
	list := make([]string, len(costs))
	for i, c := range costs {
		list[i] = money.Format(c.Amount, c.Currency, money.Decimals(c.Amount))
	}
	return english.List(list)
}

// weekOf reads what a week brought. The cost is that of the calls that were made in it.
func (s *Service) weekOf(ctx context.Context, organizationID uuid.UUID, from, to time.Time) (w week, err error) {
	hours, err := s.calls.Hours(ctx, organizationID, call.Scope{}, from, to)
	if err != nil {
		return w, err
	}
	for _, h := range hours {
		w.Add(h.Figures)
	}
	w.costs, err = postgres.Collect(ctx, s.pool, pgx.RowToStructByName[cost], `
		select cost_currency as currency, trim_scale(sum(cost))::text as amount
		from call
		where organization_id = $1 and created_at >= $2 and created_at < $3 and cost is not null
		  and cost_currency is not null
		group by cost_currency`, organizationID, from, to)
	if err != nil {
		return w, fmt.Errorf("sum the cost of a week: %w", err)
	}
	slices.SortFunc(w.costs, func(a, b cost) int { return strings.Compare(a.Currency, b.Currency) })
	return w, nil
}
