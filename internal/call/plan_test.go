package call_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
)

// The time to read a page of calls does not depend on the number of calls.
func TestListsOfCallsReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	var middle time.Time
	var number string
	var first uuid.UUID
	err := w.Pool.QueryRow(t.Context(), `
		select (select created_at from call where organization_id = $1 order by created_at desc offset $2 limit 1),
		       (select phone_number from recipient where campaign_id = $3 limit 1),
		       (select id from call where campaign_id = $4 limit 1)`,
		w.OrganizationID, w.History.Calls/2, w.Large, w.Small).Scan(&middle, &number, &first)
	if err != nil {
		t.Fatal(err)
	}
	list := func(name string, most int, f call.Filter) {
		t.Helper()
		w.Read("the list of calls"+name, most, func(ctx context.Context) error {
			_, err := w.App.Calls.List(ctx, w.OrganizationID, f)
			return err
		})
	}
	const few = 200 // a page has 25 rows, and a filter by a live status reads all live calls
	list("", few, call.Filter{})
	list(", from the middle", few, call.Filter{Request: page.Request{Cursor: page.Cursor(middle, uuid.Max)}})
	list(" of an hour", few, call.Filter{
		Request: page.Request{CreatedAfter: middle, CreatedBefore: middle.Add(time.Hour)},
	})
	list(" of a large campaign", few, call.Filter{CampaignID: &w.Large})
	list(" of a small campaign", few, call.Filter{CampaignID: &w.Small})
	list(" of a small campaign, failed", few, call.Filter{
		CampaignID: &w.Small, Outcomes: page.Only(call.OutcomeFailed),
	})
	list(" without a campaign", few, call.Filter{NoCampaign: true})
	list(" without a campaign, failed", few, call.Filter{NoCampaign: true, Outcomes: page.Only(call.OutcomeFailed)})
	list(" to a number", few, call.Filter{PersonNumber: number})
	list(" to a part of a number", 2*few, call.Filter{NumberPart: person.Part{number[len(number)-7:]}})
	list(" to a part that no number has", 1000+few, call.Filter{NumberPart: person.Part{"00000000"}})
	// The index has many recipients with frequent digits, of whom 1,000 are read.
	list(" to a frequent part of a number", 2500, call.Filter{NumberPart: person.Part{number[1:4]}})
	list(" of an external ID", few, call.Filter{ExternalID: "nobody"})
	list(" of an external ID, of an agent", few, call.Filter{ExternalID: "nobody", AgentID: &w.AgentID})
	list(" of a recipient", few, call.Filter{RecipientID: &first})
	list(" that ended lately", few, call.Filter{Times: call.Times{EndedAfter: time.Now().Add(-time.Minute)}})
	list(" that changed lately", few, call.Filter{Times: call.Times{UpdatedAfter: time.Now().Add(-time.Minute)}})
	list(" that started lately", few, call.Filter{Times: call.Times{StartedAfter: time.Now().Add(-time.Minute)}})
	hour := call.Times{EndedAfter: middle, EndedBefore: middle.Add(time.Minute)}
	list(" that ended in a minute", 600, call.Filter{Times: hour})
	list(" of an agent that ended in a minute", 600, call.Filter{AgentID: &w.AgentID, Times: hour})
	list(" of a campaign with an answer", few, call.Filter{
		CampaignID: &w.Large, Answers: check.Pairs{"coming": "true"},
	})
	list(" of a campaign with an answer that few gave", few, call.Filter{
		CampaignID: &w.Large, Answers: check.Pairs{"guests": "5"},
	})
	list(" of an agent with an answer in a range", 3000, call.Filter{
		AgentID: &w.AgentID, Answers: check.Pairs{"guests": "1..<3"},
	})
	list(" with metadata", 2000, call.Filter{ExternalID: "nobody", Metadata: check.Pairs{"source": "crm"}})
	list(" by an agent", few, call.Filter{AgentID: &w.AgentID})
	list(" from a number", few, call.Filter{PhoneNumberID: &w.PhoneNumberID})
	list(" by an agent from a number", few, call.Filter{AgentID: &w.AgentID, PhoneNumberID: &w.PhoneNumberID})
	for _, outcome := range call.Outcomes {
		list(", outcome "+string(outcome), few, call.Filter{Outcomes: page.Only(outcome)})
	}
	for _, intent := range conversation.Intents {
		list(", intent "+string(intent), few, call.Filter{Intents: page.Only(intent)})
		list(" of a large campaign, intent "+string(intent), few, call.Filter{
			CampaignID: &w.Large, Intents: page.Only(intent),
		})
	}
	for _, status := range call.Statuses {
		list(", status "+string(status), few, call.Filter{Statuses: page.Only(status)})
	}
	list(" that have not ended", few, call.Filter{Live: true})
	list(" of a project that have not ended", few, call.Filter{ProjectID: &w.ProjectID, Live: true})
	list(" of a campaign that have not ended", few, call.Filter{CampaignID: &w.Large, Live: true})
	list(" that came in and have not ended", few, call.Filter{Direction: call.Inbound, Live: true})
	w.Read("the last words of a call", few, func(ctx context.Context) error {
		_, err := w.App.Calls.LastWords(ctx, w.OrganizationID, []uuid.UUID{first})
		return err
	})
	list(" answered by voicemail", 2000, call.Filter{AnsweredBy: page.Only(call.Machine)})
	list(" of 200 s and more", 2000, call.Filter{MinDuration: 200 * time.Second})
	// Agents say "clinic" in all calls, recipients in none.
	for _, q := range []string{"aardvark", "clinic", "yes", "-yes"} {
		list(" in which a recipient said "+q, 2500, call.Filter{Query: q, SaidBy: call.SaidByRecipient})
	}
	// At most one request's worth of calls is counted, and twice as many are read where a filter leaves out some.
	for name, f := range map[string]call.Filter{
		"": {}, " of a large campaign": {CampaignID: &w.Large}, ", failed": {Outcomes: page.Only(call.OutcomeFailed)},
		", not reviewed":                  {Reviewed: new(false)},
		", in which a recipient said yes": {Query: "yes", SaidBy: call.SaidByRecipient},
	} {
		w.Read("the count of the calls that match"+name, 2*call.MaxMatching+2500, func(ctx context.Context) error {
			_, err := w.App.Calls.CountMatching(ctx, w.OrganizationID, f)
			return err
		})
	}
	w.Read("one call", 20, func(ctx context.Context) error {
		_, _, err := w.App.Calls.Get(ctx, w.OrganizationID, first)
		return err
	})
	w.Read("the count of calls that have not ended", few, func(ctx context.Context) error {
		_, err := w.App.Calls.Live(ctx, w.OrganizationID)
		return err
	})
}

// The results of a campaign and of an agent do not depend on the number of calls.
func TestResultsReadSums(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	w.Write(pgx.NamedArgs{"agent": w.AgentID}, `
		insert into result_day (organization_id, campaign_id, agent_id, day, kind, key, value, calls, number)
		select @organization, gen_random_uuid(), @agent, date '1900-01-01' + n, 'number', 'guests', '1', 1, 1
		from generate_series(1, @many) n`)
	read := func(name string, most int, f call.ResultFilter) {
		t.Helper()
		w.Read("the results of "+name, most, func(ctx context.Context) error {
			r, err := w.App.Calls.Results(ctx, w.OrganizationID, f)
			if err == nil && len(r.Questions) == 0 {
				err = errors.New("no question")
			}
			return err
		})
	}
	read("a large campaign", 40_000, call.ResultFilter{CampaignID: &w.Large}) // 20 agents on 91 days
	read("a small campaign", 400, call.ResultFilter{CampaignID: &w.Small})
	month := time.Now().AddDate(0, 0, -30)
	read("an agent in a month", 10_000, call.ResultFilter{AgentID: &w.AgentID, From: month})
}

// Who was called last, and how many people called on a day, do not depend on the number of calls and of days.
func TestCallersReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	w.Write(pgx.NamedArgs{"number": w.PhoneNumberID}, `
		insert into phone_number_day (phone_number_id, day, organization_id, placed, reached, answered, short_calls,
			received)
		select @number, date '1900-01-01' + n, @organization, 1, 1, 1, 0, 1 from generate_series(1, @many) n
		on conflict do nothing`)
	w.Read("who was called last from a number", 120, func(ctx context.Context) error {
		people, err := w.App.Calls.LastCalledFrom(ctx, w.OrganizationID, w.PhoneNumberID, 5)
		if err == nil && len(people) == 0 {
			err = errors.New("nobody")
		}
		return err
	})
	day := time.Date(1901, 1, 1, 0, 0, 0, 0, time.UTC)
	w.Read("the calls received on a day", 20, func(ctx context.Context) error {
		n, err := w.App.Calls.Received(ctx, w.OrganizationID, day, day.AddDate(0, 0, 1))
		if err == nil && n != 1 {
			err = fmt.Errorf("%d calls", n)
		}
		return err
	})
}

// What is read about a caller does not depend on the number of calls.
func TestAnIncomingCallReadsWhatItNeeds(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	var known, own string
	err := w.Pool.QueryRow(t.Context(), `
		select (select phone_number from recipient where campaign_id = $1 limit 1),
		       (select phone_number from phone_number where id = $2)`, w.Large, w.PhoneNumberID).Scan(&known, &own)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(pgx.NamedArgs{"number": w.PhoneNumberID, "agent": w.AgentID}, `
		insert into inbound (phone_number_id, organization_id, agent_id, settings)
		values (@number, @organization, @agent, '{"action": "agent"}')`,
		`update organization set max_concurrency = 1000`, `update connection set max_concurrency = 1000`,
		`update phone_number set max_concurrency = 1000`,
		`insert into inbound_pace (phone_number_id, organization_id, caller, rested_at, allowed, rejected)
			select @number, @organization, '+1555' || n, clock(), true, 0 from generate_series(1, @many) n`)
	from := 0
	const most = 250 // the limits of simultaneous calls read those that are up
	for name, caller := range map[string]func() string{
		"a known number":  func() string { return known },
		"unknown numbers": func() string { from++; return fmt.Sprintf("+1415555%04d", from) },
		"withheld":        func() string { return "" },
	} {
		w.Read("an incoming call, "+name, most, func(ctx context.Context) error {
			_, err := w.App.Calls.Receive(ctx, carrier.Incoming{
				ConnectionID: w.ConnectionID, CarrierCallID: uuid.NewString(), From: caller(), To: own,
			})
			return err
		})
	}
}

// Calls that wait for their time are in the lists, however many others there are.
func TestListsOfScheduledCallsReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	w.Write(pgx.NamedArgs{"number": w.PhoneNumberID, "standing": uuid.Must(uuid.NewV7()), "from": w.Small}, `
		insert into campaign select copy.* from campaign c, jsonb_populate_record(c, jsonb_build_object(
			'id', @standing::uuid, 'kind', 'call', 'settings_hash', '\x01', 'status', 'running', 'ended_at', null,
			'ended_reason', null, 'dial_at', clock())) copy where c.id = @from`, `
		insert into recipient (id, organization_id, campaign_id, phone_number, zones, zone_source, status, due_at,
			first_call_id, next_call_id, planned_at, created_at, changed_at)
		select i, @organization, @standing, '+1415' || lpad(n::text, 7, '0'), '{UTC}', 'project', 'pending',
		       clock() + n * interval '7 seconds', i, i, @middle::timestamptz + n * interval '1 second', @middle,
		       case when n < 10 then clock() + interval '1 day' end
		from generate_series(1, @many) n, lateral (select gen_random_uuid() as i where n > 0) k`)
	list := func(name string, most int, f call.Filter) {
		t.Helper()
		w.Read("the list of calls"+name, most, func(ctx context.Context) error {
			l, err := w.App.Calls.List(ctx, w.OrganizationID, f)
			if err == nil && len(l.Data) == 0 {
				err = errors.New("the page is empty")
			}
			return err
		})
	}
	const few = 400 // of both kinds
	scheduled := page.Only(call.StatusScheduled)
	list("", few, call.Filter{})
	list(", scheduled", few, call.Filter{Statuses: scheduled})
	list(", scheduled, of a project", few, call.Filter{Statuses: scheduled, ProjectID: &w.ProjectID})
	list(", scheduled, of an agent", few, call.Filter{Statuses: scheduled, AgentID: &w.AgentID})
	list(", scheduled, from a number", few, call.Filter{Statuses: scheduled, PhoneNumberID: &w.PhoneNumberID})
	list(" to a number", few, call.Filter{PersonNumber: "+14150025000"})
	lately := call.Times{UpdatedAfter: time.Now().Add(time.Hour)}
	list(" that changed lately, of both kinds", few, call.Filter{Times: lately})
	list(" that changed lately, scheduled", few, call.Filter{Statuses: scheduled, Times: lately})
	list(" to a number, scheduled", few, call.Filter{PersonNumber: "+14150025000", Statuses: scheduled})
	list(", scheduled, from the middle", few, call.Filter{Statuses: scheduled, Request: page.Request{
		Cursor: page.Cursor(time.Now().Add(time.Hour), uuid.Max),
	}})
}

// The figures of campaigns, agents, numbers and attempts do not depend on the number of calls, nor on that of days
// outside of the period.
func TestAnalysisReadsDays(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	w.Write(pgx.NamedArgs{"agent": w.AgentID, "number": w.PhoneNumberID}, `
		insert into call_day (organization_id, project_id, campaign_id, agent_id, phone_number_id, day, attempt, placed,
			reached, answered, short_calls, talk_ms, asked, completed)
		select @organization, gen_random_uuid(), gen_random_uuid(), @agent, case when n % 2 = 0 then @number::uuid end,
		       date '1900-01-01' + n, 1, 1, 1, 1, 0, 0, 0, 0
		from generate_series(1, @many) n`)
	to := time.Now().AddDate(0, 0, 2)
	from := to.AddDate(0, 0, -7)
	for name, scope := range map[string]call.Scope{
		"": {}, " of a campaign": {CampaignID: &w.Large}, " of an agent": {AgentID: &w.AgentID},
		" of a number": {PhoneNumberID: &w.PhoneNumberID}, " of a project": {ProjectID: &w.ProjectID},
	} {
		w.Read("the comparison"+name, 12_000, func(ctx context.Context) error {
			all, err := w.App.Calls.Compare(ctx, w.OrganizationID, scope, from, to, 8, 20)
			if err == nil && len(all.Agents) == 0 {
				err = errors.New("no agent")
			}
			return err
		})
		w.Read("the numbers"+name, 12_000, func(ctx context.Context) error {
			all, err := w.App.Calls.NumberFigures(ctx, w.OrganizationID, scope, from, to, 20)
			if err == nil && len(all) == 0 {
				err = errors.New("no number")
			}
			return err
		})
	}
	answered := call.ResultFilter{CampaignID: &w.Large, Answers: check.Pairs{"coming": "true"}}
	w.Read("the results of calls with an answer", 60_000, func(ctx context.Context) error {
		r, err := w.App.Calls.Results(ctx, w.OrganizationID, answered)
		if err == nil && r.Calls() == 0 {
			err = errors.New("no call")
		}
		return err
	})
}
