package dialer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/internal/suppression"
)

// These constants bound how long a test call may ring and last.
const (
	tryRing = 30 * time.Second
	tryMost = 10 * time.Minute

	// tryPatience is the longest wait for the next start that the paces allow. The call
	// reserves that start at once, because campaigns that use every start would leave
	// none.
	tryPatience = 5 * time.Second
)

// Try is a single call that a person requests to hear the draft of an agent as recipients will.
// It belongs to no campaign.
type Try struct {
	AgentID       uuid.UUID
	PhoneNumberID uuid.UUID // calling number, over its own connection
	ProjectID     uuid.UUID // source of the calling hours
	ToNumber      string    // E.164, or as dialed within the project's region
	Name          string
	Variables     map[string]string
	Sample        *project.Sample // only let the person hear a voice; nil: the whole conversation
}

// Try calls one number now. The rules for recipients apply: the do-not-call list, the
// calling hours in the number's own time zone, the limits and paces of connection, number
// and organization, and a stop of all calling. If a pace allows no call for a few
// seconds, Try reserves the next start and waits for it. It returns the call's ID after
// the request to the carrier. The call records whether the carrier accepted it. Errors:
// Invalid, and Conflict when the number may not be called now.
func (s *Service) Try(ctx context.Context, actor account.Actor, in Try) (uuid.UUID, error) {
	var claimed call.Claimed
	var wait time.Duration
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		claimed, wait, err = try(ctx, tx, actor, s.calls, in)
		return err
	})
	if err != nil {
		return uuid.Nil, err
	}
	if wait > 0 {
		loop.Sleep(ctx, wait) // if ctx is canceled, Place ends the call without placing it
	}
	if _, err := s.calls.Place(ctx, claimed); err != nil {
		return claimed.ID, fmt.Errorf("place call %s: %w", claimed.ID, err)
	}
	return claimed.ID, nil
}

// try claims the call. wait is the time until the call may start.
func try(
	ctx context.Context, tx pgx.Tx, actor account.Actor, calls *call.Service, in Try,
) (claimed call.Claimed, wait time.Duration, err error) {
	l, err := lockTry(ctx, tx, actor.OrganizationID, in.PhoneNumberID)
	if err != nil {
		return claimed, 0, err
	}
	used, to, err := useTry(ctx, tx, actor.OrganizationID, &in)
	if err != nil {
		return claimed, 0, err
	}
	if wait, err = l.mayCall(ctx, tx, actor.OrganizationID, used, to); err != nil {
		return claimed, 0, err
	}
	if used.Agent.Script.Model != nil && in.Sample == nil {
		// Calls in the air count, and the organization is locked, so that two calls do not take the last room.
		room, err := roomForModels(ctx, tx, actor.OrganizationID)
		if err != nil {
			return claimed, 0, err
		}
		if room.Calls != nil && *room.Calls < 1 {
			return claimed, 0, connection.ErrDay
		}
	}
	decision, err := tryDecision(used, l.Rules, to)
	if err != nil {
		return claimed, 0, fmt.Errorf("calling hours of project %s: %w", used.Project.ID, err)
	}
	variables, err := tryVariables(in)
	if err != nil {
		return claimed, 0, err
	}
	queued, _, err := calls.Queue(ctx, tx, []call.Claim{{
		OrganizationID: actor.OrganizationID, ProjectID: used.Project.ID, Attempt: 1, AgentID: used.Agent.ID,
		PhoneNumberID: used.Number.ID, ConnectionID: l.ConnectionID, Carrier: l.Kind,
		OwnNumber: used.Number.PhoneNumber.String(), PersonNumber: to.String(), RecipientName: in.Name,
		VoicemailAction: call.HangUp, RingTimeout: tryRing, MaxDuration: tryMost, Variables: variables,
		Hours: decision,
	}})
	if err != nil {
		return claimed, 0, err
	}
	if len(queued) == 0 {
		return claimed, 0, fault.Conflictf("This number is already in another call")
	}
	if in.Sample != nil {
		_, err := tx.Exec(ctx, `update call set sample = $2 where id = $1`, queued[0].ID, in.Sample)
		if err != nil {
			return claimed, 0, fmt.Errorf("store the sample of a call: %w", err)
		}
	}
	if err := l.keep(ctx, tx, actor.OrganizationID, used, used.Now.Add(wait)); err != nil {
		return claimed, 0, err
	}
	return queued[0], wait, account.Record(ctx, tx, actor, "call.placed", account.Object{
		Type: "call", ID: queued[0].ID,
	},
		map[string]any{"agent_id": used.Agent.ID, "phone_number_id": used.Number.ID})
}

// tryVariables returns the given variables of the call and the name.
func tryVariables(in Try) (json.RawMessage, error) {
	vars := map[string]string{}
	for key, value := range in.Variables {
		if value != "" {
			vars[key] = value
		}
	}
	if in.Name != "" {
		vars["name"] = in.Name
	}
	raw, err := json.Marshal(vars)
	if err != nil {
		return nil, fmt.Errorf("write the variables of a call: %w", err)
	}
	return raw, nil
}

// useTry reads the parts of the call, and parses the number as E.164.
func useTry(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, in *Try) (campaign.Parts, phone.Number, error) {
	var p fault.Problems
	check.Line(&p, "name", &in.Name, intake.MaxName)
	if in.Sample != nil {
		if err := in.Sample.Validate(); err != nil {
			return campaign.Parts{}, "", err
		}
	}
	used, err := campaign.UseParts(ctx, tx, organizationID, in.ProjectID,
		campaign.UsedAgent{ID: in.AgentID, Draft: true}, campaign.CallsFrom{PhoneNumberID: in.PhoneNumberID})
	if err != nil {
		p.Also(err)
		if fault.KindOf(err) != fault.Invalid {
			return campaign.Parts{}, "", err
		}
		return campaign.Parts{}, "", p.Err()
	}
	to, err := phone.ParseNational(in.ToNumber, used.Project.Region)
	if err != nil {
		p.Addf("to_number", "%s", err)
	}
	return used, to, p.Err()
}

// tryLimits are the locked rows with limits that apply to a test call.
type tryLimits struct {
	ConnectionID uuid.UUID
	Kind         string
	Stopped      bool

	Zone   string // the organization's
	Number limitsOfNumber

	OrganizationMost, ConnectionMost             *int
	OrganizationPace, ConnectionPace, NumberPace pace
	DailyMost                                    *int // limit of calls to one number in attemptWindow
	Rules                                        *regulation.Book
}

// lockTry locks the rows with limits in the common order.
func lockTry(ctx context.Context, tx pgx.Tx, organizationID, numberID uuid.UUID) (l tryLimits, err error) {
	noNumber := fault.Invalidf("phone_number_id", "no such phone number")
	err = tx.QueryRow(ctx, `select connection_id from phone_number
		where organization_id = $1 and id = $2 and deactivated_at is null`,
		organizationID, numberID).Scan(&l.ConnectionID)
	if errors.Is(err, pgx.ErrNoRows) {
		return l, noNumber
	}
	if err != nil {
		return l, fmt.Errorf("find the connection of a number: %w", err)
	}
	var organization, connection *float64 // calls per second
	var rules regulation.Settings
	batch := &pgx.Batch{}
	batch.Queue(`
		select calls_per_second, calling_stopped_at is not null, max_concurrency, max_daily_attempts, calling_rules,
			time_zone
		from organization where id = $1 for no key update`, organizationID).
		QueryRow(func(row pgx.Row) error {
			return row.Scan(&organization, &l.Stopped, &l.OrganizationMost, &l.DailyMost, &rules, &l.Zone)
		})
	batch.Queue(`
		select calls_per_second, kind, max_concurrency from connection
		where organization_id = $1 and id = $2 for no key update`, organizationID, l.ConnectionID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&connection, &l.Kind, &l.ConnectionMost) })
	one(batch, &l.Number, pgx.NamedArgs{"organization_id": organizationID, "id": numberID}, `
		select `+limitsOfNumberColumns+` from phone_number
		where organization_id = @organization_id and id = @id for no key update`)
	kept := readPaces(batch, organizationID, l.ConnectionID, &numberID)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return l, fmt.Errorf("lock the limits of a call: %w", err)
	}
	l.Rules = regulation.NewBook(rules)
	l.OrganizationPace = newPace(organization, kept[organizationID])
	l.ConnectionPace = newPace(connection, kept[l.ConnectionID])
	l.NumberPace = newPace(l.Number.CallsPerSecond, kept[numberID])
	return l, nil
}

// keep stores the paces after one more call at start, and counts the call for the number's pool.
func (l tryLimits) keep(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, used campaign.Parts, start time.Time,
) error {
	from := &caller{limitsOfNumber: l.Number, placed: 1}
	from.LastCallAt = &start
	cs := callers{all: []*caller{from}}
	if err := cs.open(used.Now, l.Zone); err != nil {
		return err
	}
	if err := cs.keep(ctx, tx); err != nil {
		return err
	}
	return keepPaces(ctx, tx, organizationID,
		reachedPace{pace: l.OrganizationPace.after(start, 1)},
		reachedPace{pace: l.ConnectionPace.after(start, 1), connectionID: &l.ConnectionID},
		reachedPace{pace: l.NumberPace.after(start, 1), numberID: &used.Number.ID},
	)
}

// mayCall returns a Conflict that says why the number may not be called now. Otherwise
// wait is how long the paces delay the call.
func (l tryLimits) mayCall(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, used campaign.Parts, to phone.Number,
) (wait time.Duration, err error) {
	if l.Stopped {
		return 0, fault.Conflictf("All calling is stopped")
	}
	listed, err := suppression.Listed(ctx, tx, organizationID, suppression.Voice, []phone.Number{to})
	if err != nil {
		return 0, err
	}
	if _, ok := listed[to]; ok {
		return 0, fault.Conflictf("This number is on the do-not-call list")
	}
	if caps := capsOf(l.DailyMost, l.Rules, to.String()); len(caps) > 0 {
		until, err := attemptAgain(ctx, tx, organizationID, used.Now, caps)
		if err != nil {
			return 0, err
		}
		if reached, ok := until[to.String()]; ok {
			by := "your organization allows"
			if reached.Rule != "" {
				by = "the rules of its place allow"
			}
			span := "24 hours"
			if reached.Period > attemptWindow {
				span = fmt.Sprintf("%d days", int(reached.Period/attemptWindow))
			}
			return 0, fault.Conflictf("This number was called %d times in the last %s, the most %s", reached.Calls,
				span, by)
		}
	}
	clock, err := tryClock(used, l.Rules, to)
	if err != nil {
		return 0, fmt.Errorf("calling hours of project %s: %w", used.Project.ID, err)
	}
	if clock.At.After(used.Now) {
		at, whose := clock.At, clock.Zones[0]
		if clock.Source == campaign.ZoneOfNumber {
			whose = "the number's own time zone"
		}
		if zone, err := time.LoadLocation(clock.Zones[0]); err == nil {
			at = at.In(zone)
		}
		if clock.Reason == campaign.WaitCallingRules {
			return 0, fault.Conflictf("Rules, holidays or days without calls do not allow a call to this number now. "+
				"The next call is possible on %s", at.Format("2 Jan, 15:04 MST"))
		}
		return 0, fault.Conflictf("The calling hours of %s are closed in %s. They open on %s", used.Project.Name, whose,
			at.Format("2 Jan, 15:04 MST"))
	}
	var organization, connection, number int
	err = tx.QueryRow(ctx, `
		select (select count(*) from call where organization_id = $1 and ended_at is null),
		       (select count(*) from call where connection_id = $2 and ended_at is null),
		       (select count(*) from call where phone_number_id = $3 and ended_at is null)`,
		organizationID, l.ConnectionID, used.Number.ID).Scan(&organization, &connection, &number)
	if err != nil {
		return 0, fmt.Errorf("count live calls: %w", err)
	}
	full := func(most *int, live int) bool { return most != nil && live >= *most }
	switch {
	case full(l.Number.MaxConcurrency, number):
		return 0, fault.Conflictf("%s already has %d simultaneous calls, its limit",
			phone.Format(used.Number.PhoneNumber), *l.Number.MaxConcurrency)
	case full(l.ConnectionMost, connection):
		return 0, fault.Conflictf("The connection already has %d simultaneous calls, its limit", *l.ConnectionMost)
	case full(l.OrganizationMost, organization):
		return 0, fault.Conflictf("The organization already has %d simultaneous calls, its limit", *l.OrganizationMost)
	}
	for _, of := range []struct {
		pace pace
		who  string
	}{
		{l.NumberPace, phone.Format(used.Number.PhoneNumber)}, {l.ConnectionPace, "The connection"},
		{l.OrganizationPace, "The organization"},
	} {
		hold := of.pace.next.Sub(used.Now)
		switch {
		case hold <= tryPatience:
			wait = max(wait, hold)
		case of.pace.rate > 0 && !of.pace.rest:
			return 0, fault.Conflictf("%s is at its limit of %g calls per second. Try again in a moment", of.who,
				of.pace.rate)
		default: // the carrier throttled the connection
			return 0, fault.Conflictf(
				"%s is paused for a moment because the carrier got too many calls. Try again soon", of.who,
			)
		}
	}
	return wait, nil
}

// tryClock returns the time zones that apply to a number, and when their calling hours
// allow a call, as for a recipient.
func tryClock(used campaign.Parts, rules *regulation.Book, to phone.Number) (*campaign.Due, error) {
	e := &intake.Entry{Number: to}
	if zones, reliable := phone.Zones(to); reliable {
		e.NumberZones = &intake.ZoneSet{Names: zones}
	}
	return campaign.NewClocks(used.Project.CallingHours, used.Project.TimeZone, used.Now, used.Now, rules).Due(e)
}

// tryDecision returns why the calling hours and the rules allow the call.
func tryDecision(used campaign.Parts, rules *regulation.Book, to phone.Number) (*call.HoursDecision, error) {
	clock, err := tryClock(used, rules, to)
	if err != nil {
		return nil, err
	}
	own, err := used.Project.CallingHours.In(clock.Zones...)
	if err != nil {
		return nil, err
	}
	return decide(rules, own, to, nil, clock.Zones, clock.Source, used.Now)
}
