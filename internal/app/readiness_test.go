package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The checks of a connection, from what the sandbox's account is.
func TestReadiness(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	actor := account.System(w.OrganizationID)
	check := func(want map[project.CheckName]string) {
		t.Helper()
		checks, err := w.Projects.CheckReadiness(t.Context(), actor, w.ConnectionID)
		if err != nil || len(checks) != len(project.CheckNames) {
			t.Fatalf("%+v, %v", checks, err)
		}
		for i, c := range checks {
			expect := want[c.Name]
			if expect == "" {
				expect = "ok"
				switch c.Name {
				case project.CheckRelay:
					expect = "not_applicable"
				case project.CheckPace:
					expect = "information"
				}
			}
			got := string(c.State) + " " + c.Detail
			if c.Name != project.CheckNames[i] || !strings.HasPrefix(got, expect) {
				t.Errorf("%s: %s, want %s", c.Name, got, expect)
			}
		}
	}
	check(nil)
	w.network.SetAccount("Trial", "active")
	check(map[project.CheckName]string{project.CheckAccount: "failed a trial account"})
	w.network.SetAccount("Full", "suspended")
	check(map[project.CheckName]string{project.CheckAccount: "failed the account is suspended"})
	w.network.SetAccount("Full", "active")
	w.exec(t, `insert into phone_number (id, organization_id, connection_id, phone_number)
		values (gen_random_uuid(), $1, $2, '+15005430009')`, w.OrganizationID, w.ConnectionID)
	unowned := "failed the account neither has nor verified +1 500 543 0009"
	id := w.campaign(t, []string{"+15005020001"})
	w.exec(t, `insert into country_refusal (campaign_id, country, organization_id, times, reason)
		values ($1, 'DE', $2, 1, 'no')`, id, w.OrganizationID)
	for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(20 * time.Millisecond) {
		c, err := w.Campaigns.Get(t.Context(), w.OrganizationID, id)
		if err == nil && c.Status == campaign.Running {
			break
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the campaign is %s, %v", c.Status, err)
		}
	}
	check(map[project.CheckName]string{project.CheckNumbers: unowned}) // one refusal may concern one number
	w.exec(t, `update country_refusal set times = 3, applied_at = clock()`)
	check(map[project.CheckName]string{
		project.CheckNumbers:   unowned,
		project.CheckCountries: "failed the account may not call Germany",
	})
	if _, err := w.Campaigns.Pause(t.Context(), account.System(w.OrganizationID), id); err != nil {
		t.Fatal(err)
	}
	check(map[project.CheckName]string{project.CheckNumbers: unowned})
	_, err := w.Projects.CheckReadiness(t.Context(), account.System(uuid.New()), w.ConnectionID)
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("of another organization: %v", err)
	}
}

// The loop checks a new connection at once, an unready one soon again, and a ready one only
// while it is used.
func TestConnectionsAreCheckedAgain(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	id, _ := w.twilio(t, "+13125550177")
	state := func(name project.CheckName) string {
		t.Helper()
		checks, err := w.Projects.Readiness(t.Context(), w.OrganizationID, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if c.Name == name {
				return string(c.State)
			}
		}
		return ""
	}
	// minutes returns after how many minutes the next checks are planned.
	minutes := func() (m int) {
		t.Helper()
		err := w.Pool.QueryRow(t.Context(), `
			select coalesce(round(extract(epoch from check_due_at - clock()) / 60), -1) from connection where id = $1`,
			id).Scan(&m)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	await := func(want int) {
		t.Helper()
		for deadline := time.Now().Add(testwait.Limit); minutes() != want; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the next checks are due in %d minutes, not in %d", minutes(), want)
			}
		}
	}
	again := func() { w.exec(t, `update connection set check_due_at = clock() where id = $1`, id) }

	await(10) // no line has worked
	if got := state(project.CheckRelay) + " " + state(project.CheckAccount); got != "unknown ok" {
		t.Errorf("of the new connection: %s", got)
	}
	w.exec(t, `update connection set relay_proven_at = clock() where id = $1`, id)
	if got := state(project.CheckRelay); got != "ok" {
		t.Errorf("without new checks, a line that worked is %s", got)
	}
	again()
	await(60)
	w.network.SetAccount("Trial", "active")
	again()
	await(60)
	if got := state(project.CheckAccount); got != "ok" {
		t.Errorf("an idle connection was checked: %s", got)
	}
	w.exec(t, `
		insert into phone_number_day (phone_number_id, day, organization_id, placed, reached, answered, short_calls)
		select id, clock()::date, organization_id, 1, 1, 1, 0 from phone_number where connection_id = $1`, id)
	again()
	await(10)
	if got := state(project.CheckAccount); got != "failed" {
		t.Errorf("of a trial account: %s", got)
	}
}

// A check that is older than a failed call does not say that the connection is ready, and it is made
// again.
func TestAFailedCallOutdatesTheChecks(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	id, _ := w.twilio(t, "+13125550177")
	credentials := func() project.Check {
		t.Helper()
		checks, err := w.Projects.Readiness(t.Context(), w.OrganizationID, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if c.Name == project.CheckCredentials {
				return c
			}
		}
		return project.Check{}
	}
	if _, err := w.Projects.CheckReadiness(t.Context(), account.System(w.OrganizationID), id); err != nil {
		t.Fatal(err)
	}
	const why = "Twilio does not accept the credentials (20003)"
	w.exec(t, `update connection set consecutive_errors = 1, last_error = $2, check_due_at = clock() + interval '1 h',
		last_error_at = (select max(checked_at) + interval '1 h' from connection_check where connection_id = $1)
		where id = $1`, id, why)
	if c := credentials(); c.State != project.CheckUnknown || c.Detail != "a call failed after this check: "+why {
		t.Errorf("after a failed call: %+v", c)
	}
	w.exec(t, `update connection set consecutive_errors = 0, probing = 'call' where id = $1`, id)
	if c := credentials(); c.State != project.CheckUnknown {
		t.Errorf("after somebody tried again: %+v", c)
	}
	w.exec(t, `update connection set probing = null where id = $1`, id)
	if c := credentials(); c.State != project.CheckOK {
		t.Errorf("after a call that worked: %+v", c)
	}

	checked := credentials().CheckedAt
	if err := project.CountFailure(t.Context(), w.Pool, id, why); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(testwait.Limit); !credentials().CheckedAt.After(checked); {
		if time.Now().After(deadline) {
			t.Fatal("the checks are not made again")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// No campaign starts on a connection that is not ready, unless somebody says why.
func TestCampaignsNeedAReadyConnection(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	connectionID, numberID := w.twilio(t, "+15005430001")
	admin := account.Actor{
		OrganizationID: w.OrganizationID,
		Kind:           account.ByUser,
		ID:             uuid.New(),
		Name:           "Ada",
		Role:           account.Admin,
	}
	draft := func() *campaign.Draft {
		d := &campaign.Draft{
			Name:          "Real",
			ProjectID:     w.ProjectID.String(),
			AgentID:       w.AgentID.String(),
			PhoneNumberID: numberID.String(),
			ScheduledAt:   new(time.Now().Add(time.Hour)),
			Recipients:    &intake.List{},
		}
		d.Recipients.Add(intake.Recipient{PhoneNumber: "+15005020001"})
		return d
	}
	old := func() {
		w.exec(t, `update connection_check set checked_at = checked_at - interval '61 minutes'`)
	}
	refused := func(what string, err error, names ...string) {
		t.Helper()
		if fault.KindOf(err) != fault.Conflict || len(fault.As(err).Fields) != 1 {
			t.Fatalf("%s: %v", what, err)
		}
		for _, name := range names {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %q lacks %q", what, err, name)
			}
		}
	}
	const relay = `ConversationRelay: no line has worked yet. Use "Call me"`

	w.network.SetAccount("Trial", "active")
	_, err := w.Campaigns.Create(t.Context(), admin, draft())
	refused("never checked", err, "Connection Twilio is not ready",
		"Account: a trial account calls only verified numbers",
		"Phone numbers: the account neither has nor verified +1 500 543 0001", relay)

	why := draft()
	why.NotReadyReason = strings.Repeat("é", 501)
	if _, err = w.Campaigns.Create(t.Context(), admin, why); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a long reason: %v", err)
	}
	why = draft()
	why.NotReadyReason = " Only verified numbers "
	staff := admin
	staff.Role = account.Staff
	if _, err = w.Campaigns.Create(t.Context(), staff, why); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("a reason of staff: %v", err)
	}
	manager := admin
	manager.Role = account.Manager
	if _, err = w.Campaigns.Create(t.Context(), manager, why); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("a reason of a manager: %v", err)
	}
	_, err = w.Campaigns.Create(t.Context(), manager, draft())
	if f := fault.As(err); f == nil || f.Kind != fault.Conflict || len(f.Fields) > 0 ||
		!strings.Contains(f.Message, "Ask an admin to fix this or to start the campaign anyway") {
		t.Errorf("a manager's campaign: %v", err)
	}
	c, err := w.Campaigns.Create(t.Context(), admin, why)
	if err != nil {
		t.Fatal(err)
	}
	told := func(action string, of campaign.LogType) {
		t.Helper()
		var audited, logged string
		err := w.Pool.QueryRow(t.Context(), `
			select (select data->>'not_ready_reason' || '|' || (data->>'not_ready') from audit_entry
			        where object_id = $1 and action = $2),
			       (select data->>'reason' || '|' || (data->>'not_ready') from campaign_log_entry
			        where campaign_id = $1 and kind = $3)`, c.ID, action, of).Scan(&audited, &logged)
		if err != nil || audited != logged || !strings.HasPrefix(logged, "Only verified numbers|Twilio: Account: a trial") {
			t.Errorf("%s: %q, %q, %v", action, audited, logged, err)
		}
	}
	told("campaign.created", campaign.LogCreated)

	// It was paused before its start, so it needs the reason again.
	if _, err = w.Campaigns.Pause(t.Context(), admin, c.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Campaigns.Resume(t.Context(), admin, c.ID)
	refused("resumed before the start", err, "Account: a trial account")
	if _, err = w.Campaigns.ResumeAnyway(t.Context(), admin, c.ID, why.NotReadyReason); err != nil {
		t.Fatal(err)
	}
	told("campaign.resumed", campaign.LogResumed)

	// A campaign that has started is not held up.
	w.exec(t, `update campaign set status = 'paused', started_at = clock() where id = $1`, c.ID)
	if _, err = w.Campaigns.Resume(t.Context(), admin, c.ID); err != nil {
		t.Errorf("resumed after the start: %v", err)
	}

	// "Call me" proves the line, so it needs no line that worked.
	if _, err = w.Calling.Try(t.Context(), admin, dialer.Try{
		AgentID:       w.AgentID,
		ProjectID:     w.ProjectID,
		PhoneNumberID: numberID,
		ToNumber:      "+15005000001",
	}); err != nil {
		t.Errorf("a test call: %v", err)
	}
	w.exec(t, `update connection set relay_proven_at = clock() where id = $1`, connectionID)
	w.exec(t, `update phone_number set phone_number = '+13125550177' where id = $1`, numberID)
	w.network.SetAccount("Full", "active")
	old()
	if _, err = w.Campaigns.Create(t.Context(), admin, draft()); err != nil {
		t.Fatalf("on a ready connection: %v", err)
	}

	// Checks of the last hour decide, later ones are made again.
	w.network.SetAccount("Full", "suspended")
	if _, err = w.Campaigns.Create(t.Context(), admin, draft()); err != nil {
		t.Errorf("checked within the hour: %v", err)
	}
	old()
	pool, err := w.Projects.CreateNumberPool(t.Context(), admin, project.NumberPoolSettings{
		Name:           "Pool",
		Strategy:       project.Rotation,
		PhoneNumberIDs: []string{numberID.String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	pooled := draft()
	pooled.PhoneNumberID, pooled.NumberPoolID = "", pool.ID.String()
	_, err = w.Campaigns.Create(t.Context(), admin, pooled)
	refused("a pool of an old connection", err, "Account: the account is suspended")
	pooled = draft()
	pooled.PhoneNumberID = w.PhoneNumberID.String()
	if _, err = w.Campaigns.Create(t.Context(), admin, pooled); err != nil {
		t.Errorf("on the sandbox: %v", err)
	}
}

// A phone number that the account lacks keeps only those campaigns from starting that call from it. After a
// number was added, the checks are made again at once.
func TestAnUnownedNumberBlocksItsCampaigns(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	connectionID, owned := w.twilio(t, "+13125550177")
	actor := account.System(w.OrganizationID)
	numbers := func() project.Check {
		t.Helper()
		checks, err := w.Projects.Readiness(t.Context(), w.OrganizationID, connectionID)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(checks, func(c project.Check) bool { return c.Name == project.CheckNumbers }); i >= 0 {
			return checks[i]
		}
		return project.Check{}
	}
	await := func(what string, done func() bool) {
		t.Helper()
		for deadline := time.Now().Add(testwait.Limit); !done(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %+v", what, numbers())
			}
		}
	}
	await("of a new connection", func() bool { return numbers().State != "" })
	w.exec(t, `update connection set relay_proven_at = clock() where id = $1`, connectionID)
	if _, err := w.Projects.CheckReadiness(t.Context(), actor, connectionID); err != nil {
		t.Fatal(err)
	}
	if c := numbers(); c.State != project.CheckOK {
		t.Fatalf("of an account with all numbers: %+v", c)
	}
	n, err := w.Projects.CreatePhoneNumber(t.Context(), actor, project.NewPhoneNumber{
		ConnectionID:   connectionID,
		PhoneNumber:    "+15005430001",
		NumberSettings: project.NumberSettings{Voice: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	await("after a number was added", func() bool { return numbers().State == project.CheckFailed })

	create := func(number, pool string) (campaign.Campaign, error) {
		d := &campaign.Draft{
			Name:          "Real",
			ProjectID:     w.ProjectID.String(),
			AgentID:       w.AgentID.String(),
			PhoneNumberID: number,
			NumberPoolID:  pool,
			ScheduledAt:   new(time.Now().Add(time.Hour)),
			Recipients:    &intake.List{},
		}
		d.Recipients.Add(intake.Recipient{PhoneNumber: "+15005020001"})
		return w.Campaigns.Create(t.Context(), actor, d)
	}
	pool, err := w.Projects.CreateNumberPool(t.Context(), actor, project.NumberPoolSettings{
		Name:           "Pool",
		Strategy:       project.Rotation,
		PhoneNumberIDs: []string{owned.String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	fromPool := func() (campaign.Campaign, error) { return create("", pool.ID.String()) }
	refused := func(what string, err error) {
		t.Helper()
		if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "verified +1 500 543 0001. Fix") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := create(owned.String(), ""); err != nil {
		t.Errorf("from the account's number: %v", err)
	}
	c, err := fromPool()
	if err != nil {
		t.Fatalf("from a pool of the account's number: %v", err)
	}
	_, err = create(n.ID.String(), "")
	refused("from the other number", err)
	resume := func() error {
		t.Helper()
		if _, err := w.Campaigns.Pause(t.Context(), actor, c.ID); err != nil {
			t.Fatal(err)
		}
		_, err := w.Campaigns.Resume(t.Context(), actor, c.ID)
		return err
	}
	if err := resume(); err != nil {
		t.Errorf("resumed from a pool of the account's number: %v", err)
	}
	w.exec(t, `update phone_number set number_pool_id = $2 where id = $1`, n.ID, pool.ID)
	_, err = fromPool()
	refused("from a pool with the other number", err)
	refused("resumed from a pool with the other number", resume())

	// It is not known which numbers an earlier version found.
	w.exec(t, `update connection_check set phone_number_ids = null, checked_at = clock() + interval '1 day'`)
	_, err = create(owned.String(), "")
	refused("after the check of an earlier version", err)
}

// twilio connects an account of Twilio with a phone number. The sandbox answers for Twilio.
func (w *world) twilio(t *testing.T, number string) (connectionID, phoneNumberID uuid.UUID) {
	t.Helper()
	sid := "AC" + strings.Repeat("0a", 16)
	c, err := w.Projects.CreateConnection(t.Context(), account.System(w.OrganizationID), project.NewConnection{
		Kind:    project.Twilio,
		Account: sid,
		ConnectionSettings: project.ConnectionSettings{
			Name:  "Twilio",
			Token: sandbox.AccountToken("token", sid),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	phoneNumberID = uuid.New()
	w.exec(t, `insert into phone_number (id, organization_id, connection_id, phone_number) values ($1, $2, $3, $4)`,
		phoneNumberID, w.OrganizationID, c.ID, number)
	return c.ID, phoneNumberID
}
