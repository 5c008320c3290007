package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/project"
)

// openWithRetry opens the line. While the database is unavailable it tries again, for as long as a
// call may continue in an outage.
func (t *talk) openWithRetry(ctx context.Context, connectionID uuid.UUID) error {
	if former := t.service.lines.former(t); former != nil {
		select { // the turns of the former line come first
		case <-former.finished:
		case <-time.After(t.service.outage.most):
		case <-ctx.Done():
		}
	}
	for until := t.service.now().Add(t.service.outage.most); ; {
		attempt, cancel := context.WithTimeout(ctx, writeTime)
		err := t.open(attempt, connectionID)
		cancel()
		if err == nil || !isTransient(err) || t.service.lines.isDraining() || t.service.now().After(until) {
			return err
		}
		if !loop.Sleep(ctx, retryPause()) {
			return ctx.Err()
		}
	}
}

// errReplaced says that a newer line was opened for the call, or that the call is settled.
var errReplaced = errors.New("another process took over the line")

// update is the state of a call's row that its holder acts on. Every write returns it.
type update struct {
	AnsweredBy call.AnsweredBy
	HangUp     bool // the call must end
	Ended      bool
	Notes      int // how many notes for the agent the call has
}

// open makes this line the current line of the call. It takes the next epoch, which stops
// the holder of an older line at its next write. An open line proves that the call was
// answered. Errors: carrier.ErrNotAdmitted.
func (t *talk) open(ctx context.Context, connectionID uuid.UUID) error {
	s := t.service
	var err error
	t.update.Ended, err = s.calls.LineOpened(ctx, connectionID, t.id, t.line.CarrierCallID())
	if err != nil {
		return err
	}

	var (
		script, kept, state, variables []byte
		inbound                        []byte // what is known of a caller; nil: we called
		prices                         []byte // of the model
		language, agent, name, reason  string
		phoneNumber                    *uuid.UUID
		organization, zone, projects   string
		action                         call.VoicemailAction
		detection                      carrier.DetectionMode
		sample                         *string // the language of a call that only lets a voice be heard

		up, longest float64 // seconds
		recorded    bool    // the call
	)
	batch := &pgx.Batch{}
	// Another line may be opened at the same time. Lock first, so that the next statement sees the
	// former holder's writes.
	call.QueueLock(batch, t.id)
	batch.Queue(`
		with c as (
			select id, organization_id, project_id, campaign_id, recipient_id, agent_id, agent_version_id, agent_name,
			       phone_number_id, person_number,
			       recipient_name, variables, coalesce(call_reason, '') as call_reason,
			       voicemail_action, detection, sample ->> 'language' as sample_language,
			       max_duration_seconds, answered_at, answered_by, reception, record
			from call c
			where id = $1 and connection_id = $2 and (c.status in ('queued', 'ringing', 'in_progress')
			   -- or it ended while the database was away, and waits for the last turns of its line
			   or settled_at is null and exists (select from call_line l
				where l.call_id = c.id and l.closed_at is null))
			for no key update
		), before as (
			select line.* from call_line line join c on c.id = line.call_id for no key update of line
		), former as (
			insert into call_line_former (call_id, epoch, entry, turns)
			select call_id, epoch, entry, turns from before where held
			returning epoch
		), l as (
			insert into call_line (call_id, organization_id, instance_id)
			select id, organization_id, $3 from c
			where (select count(*) from former) >= 0 -- after the former holder was recorded
			on conflict (call_id) do update set
				epoch = call_line.epoch + 1, entry = 0, held = true, closed_at = null, updated_at = clock(),
				instance_id = excluded.instance_id
			returning epoch, script, state
		)
		select c.organization_id, c.person_number, c.recipient_name, c.call_reason, c.variables, c.voicemail_action,
		       c.detection,
		       c.max_duration_seconds::float8, extract(epoch from clock() - c.answered_at)::float8,
		       coalesce(c.answered_by, ''), coalesce(c.agent_name, a.name, ''),
		       coalesce(c.reception ->> 'language', v.language, a.language),
		       coalesce(c.reception -> 'script', v.script, a.script), c.reception -> 'caller',
		       c.sample_language, l.epoch, l.script, l.state,
		       `+connection.PricesColumn(`c.organization_id`,
		`coalesce(c.reception -> 'script', v.script, a.script)`)+`,
		       o.name, p.time_zone,
		       coalesce((select r.zones[1] from recipient r where r.id = c.recipient_id), ''),
		       c.campaign_id, coalesce(c.agent_id, '`+uuid.Nil.String()+`'), v.number, c.phone_number_id,
		       exists (select from connection n where n.id = $2 and (n.line_failures > 0 or n.probing is not null
		         or n.relay_proven_at is null))
		         or exists (select from line_failure f where f.campaign_id = c.campaign_id),
		       c.record
		from c
		left join agent_version v on v.id = c.agent_version_id
		left join agent a on a.id = c.agent_id, l, organization o, project p
		where o.id = c.organization_id and p.id = c.project_id`,
		t.id, connectionID, s.calls.Instance()).QueryRow(func(row pgx.Row) error {
		return row.Scan(&t.organization, &t.number, &name, &reason, &variables, &action, &detection, &longest, &up,
			&t.update.AnsweredBy, &agent, &language, &script, &inbound, &sample, &t.epoch, &kept, &state, &prices,
			&organization, &projects, &zone, &t.campaign, &t.caller.agent, &t.caller.version, &phoneNumber,
			&t.troubled, &recorded)
	})
	t.connection = connectionID
	err = s.pool.SendBatch(ctx, batch).Close()
	if errors.Is(err, pgx.ErrNoRows) {
		return carrier.ErrNotAdmitted
	}
	if err != nil {
		return fmt.Errorf("open a line of call %s: %w", t.id, err)
	}
	t.machine.MessageEnd = detection == carrier.DetectBeep
	t.answered = s.now().Add(-time.Duration(up * float64(time.Second)))
	t.limit = t.answered.Add(time.Duration(longest * float64(time.Second)))
	t.zone = zoneOf(zone, t.number, projects)
	vars := map[string]any{}
	if err := json.Unmarshal(variables, &vars); err != nil {
		return fmt.Errorf("read the variables of call %s: %w", t.id, err)
	}
	known := conversation.Known{
		Agent: agent, Organization: organization, Name: name, PhoneNumber: t.number, Reason: reason,
	}
	t.caller.variables = known.Variables(vars)

	if state != nil {
		if err := json.Unmarshal(state, &t.state); err != nil {
			return fmt.Errorf("read the conversation of call %s: %w", t.id, err)
		}
		if err := json.Unmarshal(kept, &t.state.Script); err != nil {
			return fmt.Errorf("read the script of call %s: %w", t.id, err)
		}
		t.resumed = true
		return t.followTransfer(ctx)
	}
	var opening conversation.Script
	if err := json.Unmarshal(script, &opening); err != nil {
		return fmt.Errorf("read the agent's script for call %s: %w", t.id, err)
	}
	if opening.Language == "" {
		opening.Language = language
	}
	if sample != nil {
		opening.Language, opening.Languages, opening.Questions, opening.Model = *sample, nil, nil, nil
		opening.Transfer = nil
	}
	if opening.Transfer != nil {
		if err := s.Direct(ctx, t.organization, &opening); err != nil {
			return err
		}
		opening.Transfer.Recorded = recorded
	}
	if opening.Model != nil {
		if err := s.Equip(ctx, t.organization, opening.Model, phoneNumber); err != nil {
			return err
		}
	}
	all := maps.Clone(t.caller.variables)
	if at := t.atRecipient(); opening.Model != nil && !at.IsZero() {
		all["local_time"] = at.Format(conversation.LocalTime)
	}
	if inbound != nil {
		var caller conversation.Inbound
		if err := json.Unmarshal(inbound, &caller); err != nil {
			return fmt.Errorf("read what is known of the caller of call %s: %w", t.id, err)
		}
		if t.zone != nil { // else nobody knows the day
			caller.Now = t.atRecipient()
			if !caller.CalledAt.IsZero() {
				caller.CalledAt = caller.CalledAt.In(t.zone)
			}
		}
		t.state, t.first = conversation.StartInbound(opening, all, caller)
	} else {
		t.state, t.first = conversation.Start(opening, all, action == call.LeaveMessage)
	}
	t.language = t.state.Speaking() // as Admit says
	if t.state.Dialog != nil {
		if err := json.Unmarshal(prices, &t.state.Dialog.Prices); err != nil {
			return fmt.Errorf("read the prices of the model for call %s: %w", t.id, err)
		}
	}
	return nil
}

// followTransfer reads what became of the transfer that was announced before this line was opened. If the carrier has
// not asked what comes next, it is announced again.
func (t *talk) followTransfer(ctx context.Context) error {
	if !t.state.ToTransfer() {
		return nil
	}
	number, state, err := call.OpenedAfterTransfer(ctx, t.service.pool, t.id)
	if err != nil {
		return err
	}
	t.untransferred = number != t.state.Handed.Number || state != call.TransferRequested
	return nil
}

// Equip reads the tools and the message templates of an agent's model into its settings, as a call from a phone number
// uses them.
func (s *Service) Equip(
	ctx context.Context, organization uuid.UUID, m *conversation.Model, phoneNumber *uuid.UUID,
) (err error) {
	m.HTTP, m.Messages = nil, nil
	if s.tools != nil {
		if m.HTTP, err = s.tools.OfCall(ctx, organization, m.HTTPTools); err != nil {
			return err
		}
	}
	if s.templates != nil && s.messages != nil {
		m.Messages, err = s.templates.OfCall(ctx, organization, m.Templates, phoneNumber)
	}
	return err
}

// Direct reads the destinations of an agent's transfers into its script, as a call uses them.
func (s *Service) Direct(ctx context.Context, organization uuid.UUID, script *conversation.Script) (err error) {
	if script.Transfer == nil {
		return nil
	}
	known := *script.Transfer
	known.Known, err = project.KnownDestinations(ctx, s.pool, organization, known.Destinations)
	script.Transfer = &known
	return err
}

// zoneOf returns the time zone of a recipient: the first of those that the calling hours
// follow, and without any, the number's or the project's. It is nil if this system knows
// none of them.
func zoneOf(recipient, number, project string) *time.Location {
	names := []string{recipient}
	if zones, reliable := phone.Zones(phone.Number(number)); reliable {
		names = append(names, zones...)
	}
	for _, name := range append(names, project) {
		if name == "" {
			continue
		}
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return nil
}
