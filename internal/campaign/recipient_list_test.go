package campaign

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/page"
)

// Pages over several statuses return each recipient once, in order, while recipients
// move from one of these statuses to another.
func TestRecipientsOfSeveralStatuses(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	c := b.create(t, b.draft(60))
	b.exec(t, `alter table recipient disable trigger recipient_move`) // the test writes statuses directly
	b.exec(t, `update recipient
		set status = (array['pending', 'failed', 'skipped', 'dialing', 'completed'])[1 + place % 5]
		from (select id as r, row_number() over (order by id) as place from recipient where campaign_id = $1) n
			where id = r`, c.ID)
	b.exec(t, `update recipient set outcome = 'busy' where campaign_id = $1 and status in ('failed', 'completed')`,
		c.ID)
	for name, o := range map[string]RecipientOptions{
		"by status": {
			Statuses: []RecipientStatus{RecipientSkipped, RecipientFailed, RecipientInProgress, RecipientDialing},
		},
		"by outcome": {
			Statuses: []RecipientStatus{RecipientFailed, RecipientCompleted, RecipientFailed},
			Outcomes: []call.Outcome{call.OutcomeBusy, call.OutcomeFailed},
		},
		"by search": {Statuses: []RecipientStatus{RecipientSkipped, RecipientFailed}, Search: "Person"},
	} {
		for _, forward := range []bool{false, true} {
			var want, got []uuid.UUID
			for _, r := range b.recipients(t, c.ID) {
				if slices.Contains(o.Statuses, r.Status) {
					want = append(want, r.ID)
				}
			}
			slices.SortFunc(want, func(a, b uuid.UUID) int { return slices.Compare(b[:], a[:]) })
			if forward {
				slices.Reverse(want)
			}
			o.Page = page.Request{Limit: 7, Forward: forward}
			for more := true; more; {
				list, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range list.Data {
					got = append(got, r.ID)
				}
				if more = list.HasMore; more {
					o.Page.Cursor = *list.NextCursor
				}
				b.exec(t, `update recipient set status = case status when 'failed' then 'skipped' else 'failed' end
					where campaign_id = $1 and status in ('failed', 'skipped') and outcome is null`, c.ID)
			}
			if len(want) < 20 || !slices.Equal(got, want) {
				t.Errorf("%s, forward %v: %d recipients, want %d", name, forward, len(got), len(want))
			}
		}
	}
}

// A page of a rare status reads only the rows that it shows, however long the list is.
func TestRareStatusesAreFoundByTheirIndex(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	c := b.create(t, b.draft(3000))
	b.exec(t, `alter table recipient disable trigger recipient_move`) // the test writes statuses directly
	b.exec(t, `update recipient set status = 'failed' where campaign_id = $1 and phone_number in ($2, $3)`, c.ID,
		testNumber(2), testNumber(2998))
	b.exec(t, `update recipient set status = 'skipped' where campaign_id = $1 and phone_number = $2`, c.ID,
		testNumber(1500))
	b.exec(t, `analyze recipient`)
	o := RecipientOptions{Statuses: []RecipientStatus{RecipientFailed, RecipientSkipped, RecipientInProgress}}
	args := pgx.NamedArgs{"campaign_id": c.ID}
	if err := o.Page.Args(args); err != nil {
		t.Fatal(err)
	}
	_, either, _ := o.where(args)
	query := page.Merge(`select id from recipient where campaign_id = @campaign_id and `+
		o.Page.WhereID(), o.Page.OrderID(), either)
	var plan json.RawMessage
	if err := b.svc.db.QueryRow(t.Context(), `explain (analyze, format json) `+query, args).Scan(&plan); err != nil {
		t.Fatal(err)
	}
	for _, read := range regexp.MustCompile(
		`"(?:Actual Rows|Rows Removed by Filter)": ([0-9]+)`,
	).FindAllSubmatch(plan, -1) {
		if n, err := strconv.Atoi(string(read[1])); err != nil || n > 10 {
			t.Fatalf("a page of three recipients reads %d: %s", n, plan)
		}
	}
}
