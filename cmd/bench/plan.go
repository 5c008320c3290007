package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	planRepeats = 7                // after five, PostgreSQL may plan without the values
	otherRows   = 5000             // agents, projects and numbers of another organization
	pending     = 100_000          // recipients that the dialer has before it
	dialFor     = 4 * time.Second  // at paceRate
	settleFor   = 15 * time.Second // at most
)

// large are the tables that nothing may read from end to end.
var large = []string{"call", "recipient", "campaign", "do_not_call", "api_key", "api_key_use", "project", "agent", "phone_number", "audit_entry"}

// readPlans has the product's own packages run their statements on the large
// database, and reads the plans that PostgreSQL really used for them.
func readPlans(ctx context.Context, l *lab, o options) error {
	s, h, err := l.filled(ctx, manyName, o.calls)
	if err != nil {
		return err
	}
	if err := s.crowd(ctx); err != nil {
		return err
	}
	w, err := s.watch(ctx)
	if errors.Is(err, errNoPlans) {
		fmt.Printf("\nNo plans: %v.\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer w.pool.Close()
	return errors.Join(w.readLists(ctx, l, h), w.readDialer(ctx, l))
}

// crowd adds rows of another organization to the tables that are small in this
// one, so that an index is worth its while.
func (s *site) crowd(ctx context.Context) error {
	other, err := s.app.Accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: "Other", TimeZone: "UTC", Region: "US"})
	if err != nil {
		return err
	}
	for _, sql := range []string{
		`insert into project (id, organization_id, name, time_zone, region, calling_hours)
			select gen_random_uuid(), $1, 'Project ' || i, time_zone, region, calling_hours from project, generate_series(1, $2::int) i where organization_id <> $1`,
		`insert into agent (id, organization_id, name, language, script)
			select gen_random_uuid(), $1, 'Agent ' || i, 'en-US', '{}' from generate_series(1, $2::int) i`,
		`with c as (insert into connection (id, organization_id, kind, name, account, credentials) values (gen_random_uuid(), $1, 'sandbox', 'Other', 'ACother', '') returning id)
			insert into phone_number (id, organization_id, connection_id, phone_number)
			select gen_random_uuid(), $1, c.id, '+1500556' || lpad(i::text, 4, '0') from c, generate_series(1, $2::int) i`,
	} {
		if _, err := s.pool.Exec(ctx, sql, other.ID, otherRows); err != nil {
			return fmt.Errorf("write another organization: %w", err)
		}
	}
	return s.analyze(ctx)
}

// looked is a line of the table: something that reads.
type looked struct {
	name string
	run  func(ctx context.Context) error
}

func (w *watched) readLists(ctx context.Context, l *lab, h history.History) error {
	s, org := w.site, w.OrganizationID
	a, err := newApp(w.pool, l.vault)
	if err != nil {
		return err
	}
	calls, campaigns, accounts, projects, suppressions := a.Calls, a.Campaigns, a.Accounts, a.Projects, a.Suppressions
	var middle time.Time
	var number string
	err = s.pool.QueryRow(ctx, `
		select (select created_at from call where organization_id = $1 order by created_at desc offset $2 limit 1),
		       (select phone_number from recipient where campaign_id = $3 limit 1)`, org, h.Calls/2, h.Large).Scan(&middle, &number)
	if err != nil {
		return fmt.Errorf("find what to look for: %w", err)
	}
	list := func(name string, f call.Filter) looked {
		return looked{"calls" + name, func(ctx context.Context) error { _, err := calls.List(ctx, org, f); return err }}
	}
	anyCall := func(id uuid.UUID) looked {
		return looked{"one call", func(ctx context.Context) error { _, _, err := calls.Get(ctx, org, id); return err }}
	}
	people := func(name string, o campaign.RecipientOptions) looked {
		return looked{"recipients" + name, func(ctx context.Context) error {
			_, err := campaigns.Recipients(ctx, org, h.Large, o)
			return err
		}}
	}
	var first uuid.UUID
	if err := s.pool.QueryRow(ctx, `select id from call where campaign_id = $1 limit 1`, h.Small).Scan(&first); err != nil {
		return fmt.Errorf("find a call: %w", err)
	}
	one := page.Request{}
	all := []looked{
		list("", call.Filter{}),
		list(", from the middle", call.Filter{Request: page.Request{Cursor: page.Cursor(middle, uuid.Max)}}),
		list(" of an hour", call.Filter{Request: page.Request{CreatedAfter: middle, CreatedBefore: middle.Add(time.Hour)}}),
		list(" of a large campaign", call.Filter{CampaignID: &h.Large}),
		list(" of a small campaign", call.Filter{CampaignID: &h.Small}),
		list(" of a small campaign, failed", call.Filter{CampaignID: &h.Small, Outcomes: page.Only(call.OutcomeFailed)}),
		list(" to a number", call.Filter{ToNumber: number}),
		list(" by an agent", call.Filter{AgentID: &s.AgentID}),
		list(" from a number", call.Filter{PhoneNumberID: &s.PhoneNumberID}),
		list(" by an agent from a number", call.Filter{AgentID: &s.AgentID, PhoneNumberID: &s.PhoneNumberID}),
	}
	for _, outcome := range call.Outcomes {
		all = append(all, list(", outcome "+string(outcome), call.Filter{Outcomes: page.Only(outcome)}))
	}
	for _, status := range call.Statuses {
		all = append(all, list(", status "+string(status), call.Filter{Statuses: page.Only(status)}))
	}
	all = append(all,
		list(" in the air", call.Filter{Live: true}),
		list(" answered by a machine", call.Filter{AnsweredBy: page.Only(call.Machine)}),
		list(" of 200 s and more", call.Filter{MinDuration: 200 * time.Second}),
		anyCall(first),
		looked{"calls in the air, counted", func(ctx context.Context) error { _, err := calls.Live(ctx, org); return err }},
		looked{"campaigns", func(ctx context.Context) error {
			_, err := campaigns.List(ctx, org, campaign.ListOptions{})
			return err
		}},
		looked{"campaigns, running: none", func(ctx context.Context) error {
			_, err := campaigns.List(ctx, org, campaign.ListOptions{Statuses: page.Only(campaign.Running)})
			return err
		}},
		looked{"campaigns of a project", func(ctx context.Context) error {
			_, err := campaigns.List(ctx, org, campaign.ListOptions{ProjectID: &s.ProjectID})
			return err
		}},
		looked{"one campaign", func(ctx context.Context) error { _, err := campaigns.Get(ctx, org, h.Large); return err }},
		looked{"its outcomes", func(ctx context.Context) error { _, err := campaigns.Outcomes(ctx, org, h.Large); return err }},
		people("", campaign.RecipientOptions{}),
		people(", failed", campaign.RecipientOptions{Statuses: page.Only(campaign.RecipientFailed)}),
		people(", in a call: none", campaign.RecipientOptions{Statuses: page.Only(campaign.RecipientInProgress)}),
		people(", searched for a number", campaign.RecipientOptions{Search: number}),
		looked{"projects", func(ctx context.Context) error { _, err := projects.Projects(ctx, org, one); return err }},
		looked{"agents", func(ctx context.Context) error { _, err := projects.Agents(ctx, org, one); return err }},
		looked{"phone numbers", func(ctx context.Context) error { _, err := projects.PhoneNumbers(ctx, org, true, one); return err }},
		looked{"API keys", func(ctx context.Context) error { _, err := accounts.Keys(ctx, org, false, one); return err }},
		looked{"API keys, revoked: none", func(ctx context.Context) error { _, err := accounts.Keys(ctx, org, true, one); return err }},
		looked{"do-not-call list", func(ctx context.Context) error {
			_, err := suppressions.List(ctx, org, suppression.Filter{Page: one})
			return err
		}},
		looked{"do-not-call list, by the beginning of a number", func(ctx context.Context) error {
			_, err := suppressions.List(ctx, org, suppression.Filter{Page: one, Search: "+1415 200"})
			return err
		}},
	)
	section(fmt.Sprintf("Plans at %s calls", count(h.Calls)))
	out := newTable("read", "rows read", "blocks", "time", "by")
	var wrong []error
	for _, line := range all {
		for range planRepeats {
			if err := line.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", line.name, err)
			}
		}
		sum := w.take()
		if len(sum) == 0 {
			return fmt.Errorf("%s: no plan was seen", line.name)
		}
		most := worst(sum)
		out.row(line.name, count(most.rows), count(most.blocks), ms(most.took), scans(sum))
		for _, p := range sum {
			if len(p.sequential) > 0 {
				wrong = append(wrong, fmt.Errorf("%s reads all of %s: %s", line.name, strings.Join(p.sequential, ", "), p.query))
				break
			}
		}
	}
	out.print()
	fmt.Printf("\nThe largest of %d executions each, including executions of plans made without the values.\n", planRepeats)
	return errors.Join(wrong...)
}

// scans names how the plans read, each way once.
func scans(plans []plan) string {
	var names []string
	for _, p := range plans {
		for _, scan := range p.scans {
			if !slices.Contains(names, scan) {
				names = append(names, scan)
			}
		}
	}
	return strings.Join(names, ", ")
}

// readDialer lets the dialer and the settlement work on a campaign with many
// recipients to call, and reads what their statements did.
func (w *watched) readDialer(ctx context.Context, l *lab) error {
	s := w.site
	network := &obliging{}
	a, err := newApp(w.pool, l.vault, func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network, nil }
	})
	if err != nil {
		return err
	}
	calls, campaigns := a.Calls, a.Campaigns
	rate, concurrency := paceRate, paceConcurrency
	draft := &campaign.Draft{
		Name: "Plans", ProjectID: s.ProjectID.String(), AgentID: s.AgentID.String(), PhoneNumberID: s.PhoneNumberID.String(), Recipients: &intake.List{},
		CallsPerSecond: &rate, MaxConcurrency: &concurrency,
	}
	for i := range pending {
		draft.Recipients.Add(intake.Recipient{PhoneNumber: phoneNumber(i)})
	}
	c, err := campaigns.Create(ctx, account.System(s.OrganizationID), draft)
	if err != nil {
		return err
	}
	w.take() // of the creation
	dialing, stop := context.WithTimeout(ctx, dialFor)
	defer stop()
	if err := a.Dialer.Run(dialing); err != nil {
		return err
	}
	placed := network.placed()
	if len(placed) < int(paceRate) {
		return fmt.Errorf("%d calls were placed in %s", len(placed), dialFor)
	}
	for _, id := range placed {
		if err := calls.Deliver(ctx, carrier.Event{ConnectionID: s.ConnectionID, CallID: id, Kind: carrier.Ended, Outcome: carrier.Busy, At: time.Now()}); err != nil {
			return err
		}
	}
	settling, stop := context.WithTimeout(ctx, settleFor)
	defer stop()
	settled := make(chan error, 1)
	go func() { settled <- a.Settler.Run(settling) }()
	for left := 1; left > 0 && settling.Err() == nil; time.Sleep(100 * time.Millisecond) {
		if err := s.pool.QueryRow(ctx, `select count(*) from call where campaign_id = $1 and settled_at is null`, c.ID).Scan(&left); err != nil {
			return fmt.Errorf("count what is not settled: %w", err)
		}
	}
	stop()
	if err := <-settled; err != nil {
		return err
	}
	if c, err = campaigns.Get(ctx, s.OrganizationID, c.ID); err != nil {
		return err
	}
	if c.Failed != len(placed) || c.CallsPlaced != len(placed) {
		return fmt.Errorf("%d calls were placed; the campaign counts %d, and %d failed recipients", len(placed), c.CallsPlaced, c.Failed)
	}

	section(fmt.Sprintf("The dialer and the settlement with %s recipients pending", count(pending)))
	out := newTable("statement", "times", "most rows read", "most blocks", "median time", "most", "by")
	var wrong []error
	for _, group := range byStatement(w.take()) {
		most := worst(group)
		if len(group) < 3 && most.took < 5*time.Millisecond {
			continue
		}
		took := make([]time.Duration, len(group))
		for i, p := range group {
			took[i] = p.took
		}
		out.row("`"+shortened(group[0].query, 70)+"`", fmt.Sprint(len(group)), count(most.rows), count(most.blocks), ms(median(took)), ms(most.took), scans(group))
		for _, p := range group {
			if len(p.sequential) > 0 {
				wrong = append(wrong, fmt.Errorf("a statement reads all of %s: %s", strings.Join(p.sequential, ", "), p.query))
				break
			}
		}
	}
	out.print()
	fmt.Printf("\n%d calls were claimed, placed, ended and settled.\n", len(placed))
	return errors.Join(wrong...)
}

// obliging is a carrier that takes every call and tells nothing.
type obliging struct {
	carrier.Recordings // is not asked for any

	mu  sync.Mutex
	ids []uuid.UUID
}

func (o *obliging) Place(_ context.Context, p carrier.Placement) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ids = append(o.ids, p.CallID)
	return "CA" + p.CallID.String(), nil
}

func (o *obliging) Hangup(context.Context, carrier.Ref) error { return nil }

func (o *obliging) Lookup(context.Context, carrier.Ref) (carrier.Report, error) {
	return carrier.Report{}, carrier.ErrUnknownCall
}

func (o *obliging) placed() []uuid.UUID {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.ids)
}
