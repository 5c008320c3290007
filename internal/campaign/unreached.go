package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// NotCalled is the outcome, in a Repetition, of recipients whose campaign ended before their first call.
const NotCalled = "not_called"

// RepeatedOutcomes are the outcomes of recipients who were not reached.
var RepeatedOutcomes = []string{"no_answer", "busy", "voicemail", "failed", NotCalled}

// Repetition is a new campaign with the settings of one that has ended, and with its recipients who were not reached. A
// zero field is absent.
type Repetition struct {
	ID             uuid.UUID  `json:"-"`                            // zero: Repeat generates it
	Name           string     `json:"name" nullable:"true"`         // absent: that of the campaign, with a suffix
	Outcomes       []string   `json:"outcomes"`                     // absent: all of RepeatedOutcomes
	ScheduledAt    *time.Time `json:"scheduled_at" nullable:"true"` // absent: now
	ExpiresAt      *time.Time `json:"expires_at" nullable:"true"`   // absent: never
	AsDraft        bool       `json:"draft"`
	NotReadyReason string     `json:"not_ready_reason" nullable:"true"`

	draft *Draft
}

// AskRepetition prepares a repetition: it checks it, and asks for what a transaction must not wait for, like AskQuota
// and AskReadiness. Errors: Invalid; NotFound; Conflict for a campaign that has not ended; the errors of AskQuota.
func (s *Service) AskRepetition(ctx context.Context, organizationID, id uuid.UUID, r *Repetition) error {
	c, err := read(ctx, s.db, organizationID, id)
	if err != nil {
		return err
	}
	var p fault.Problems
	fault.OneOf(&p, "outcomes", r.Outcomes, RepeatedOutcomes)
	d := r.of(c)
	d.checked = d.settle(s.now(), &p)
	if err := p.Err(); err != nil {
		return err
	}
	if !c.Status.Terminal() {
		return fault.Conflictf("This campaign is %s. Its recipients can be called again when it has ended",
			c.Status.words())
	}
	if err := s.AskQuota(ctx, organizationID, d); err != nil {
		return err
	}
	if err := s.AskReadiness(ctx, organizationID, d); err != nil {
		return err
	}
	r.draft = d
	return nil
}

// of returns the draft of the new campaign, without recipients.
func (r *Repetition) of(c Campaign) *Draft {
	d := Change{}.draft(c, c.CreatedAt)
	d.ID, d.Name, d.AsDraft, d.NotReadyReason = r.ID, r.Name, r.AsDraft, r.NotReadyReason
	d.ScheduledAt, d.ExpiresAt = r.ScheduledAt, r.ExpiresAt
	if d.Name == "" {
		d.Name = retryName(c.Name)
	}
	d.PhoneNumberID, d.repeats = "", &c.ID
	if c.PhoneNumberID != nil {
		d.PhoneNumberID = c.PhoneNumberID.String()
	}
	if c.NumberPoolID != nil {
		d.NumberPoolID = c.NumberPoolID.String()
	}
	d.Messaging = c.Messaging.input()
	return d
}

const retrySuffix = " (retry)"

// retryName returns the name of a repetition, within the length limit of a name.
func retryName(name string) string {
	runes := []rune(strings.TrimSuffix(name, retrySuffix))
	if most := check.MaxName - len(retrySuffix); len(runes) > most {
		runes = runes[:most]
	}
	return strings.TrimSpace(string(runes)) + retrySuffix
}

// Repeat creates the campaign of a repetition. Recipients on the do-not-call list, and those without a consent that the
// organization requires, are skipped as in any new campaign. Recipients who asked not to be called again, were canceled
// by themselves or were erased, and those whose number is not in service, are left out. If AskRepetition was not called
// before, Repeat calls it. Errors: those of AskRepetition; Conflict if no recipient is left; Unprocessable for a list
// that exceeds the quota of its WhatsApp number.
func (s *Service) Repeat(
	ctx context.Context, actor account.Actor, id uuid.UUID, r *Repetition,
) (made Campaign, err error) {
	if r.draft == nil {
		if err := s.AskRepetition(ctx, actor.OrganizationID, id, r); err != nil {
			return made, err
		}
	}
	d := r.draft
	if d.ID == uuid.Nil {
		d.ID = uuid.Must(uuid.NewV7())
	}
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		if d.Recipients, err = readUnreached(ctx, tx, actor.OrganizationID, id, r.Outcomes); err != nil {
			return err
		}
		if d.Recipients.Len() == 0 {
			return fault.Conflictf("Nobody of the campaign is left to call again")
		}
		var p fault.Problems
		if d.Recipients.Check(&p); p.Len() > 0 {
			return p.Err()
		}
		err := s.create(ctx, tx, actor, d.ID, d)
		if fault.KindOf(err) == fault.Invalid { // a part of the campaign was removed, not a field of the request
			err = fault.Conflictf("The campaign can't be repeated: %s", err)
		}
		if err != nil {
			return err
		}
		made, err = s.In(tx).Get(ctx, actor.OrganizationID, d.ID)
		return err
	})
	if err != nil {
		return Campaign{}, err
	}
	s.Wake()
	return made, nil
}

// sqlUnreached are the recipients of a campaign who were not reached: not those who were canceled by themselves, asked
// not to be called again or were erased, and no number that is not in service.
const sqlUnreached = `
	from recipient
	where organization_id = @organization_id and campaign_id = @campaign_id and status = any(@statuses)
	  and canceled_at is null and not opted_out and phone_number <> ''
	  and (outcome = any(@outcomes) or @not_called and attempts = 0)
	  and not (outcome = 'failed' and exists (
		select from call where call.id = recipient.last_call_id and call.ended_reason = 'invalid_number'))`

func unreachedArgs(organizationID, campaignID uuid.UUID, outcomes []string) pgx.NamedArgs {
	if len(outcomes) == 0 {
		outcomes = RepeatedOutcomes
	}
	return pgx.NamedArgs{
		"organization_id": organizationID, "campaign_id": campaignID, "outcomes": outcomes,
		"not_called": slices.Contains(outcomes, NotCalled),
		"statuses":   []RecipientStatus{RecipientFailed, RecipientExpired, RecipientCanceled},
	}
}

// CountUnreached counts the recipients whom Repeat would take, for all of RepeatedOutcomes.
func (s *Service) CountUnreached(ctx context.Context, organizationID, id uuid.UUID) (n int, err error) {
	err = s.db.QueryRow(ctx, `select count(*) `+sqlUnreached, unreachedArgs(organizationID, id, nil)).Scan(&n)
	if err != nil {
		err = fmt.Errorf("count the unreached recipients of campaign %s: %w", id, err)
	}
	return n, err
}

// Repeated returns the newest campaign that calls the unreached recipients of another one again and has not ended. Its
// ID is zero if there is none.
func (s *Service) Repeated(
	ctx context.Context, organizationID, id uuid.UUID,
) (again uuid.UUID, name string, err error) {
	err = s.db.QueryRow(ctx, `
		select id, name from campaign
		where organization_id = $1 and retry_of_campaign_id = $2 and kind <> 'deleted' and ended_at is null
		order by id desc limit 1`, organizationID, id).Scan(&again, &name)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, "", fmt.Errorf("look for a repetition of campaign %s: %w", id, err)
	}
	return again, name, nil
}

// readUnreached reads recipients into a list, in their order, one by one because there may be many.
func readUnreached(
	ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, outcomes []string,
) (*intake.List, error) {
	list := &intake.List{}
	rows, err := tx.Query(ctx, `
		select phone_number, name, coalesce(external_id, ''), coalesce(timezone, ''), variables, metadata,
		       consent_basis, consent_at, coalesce(consent_source, ''), consent_expires_at `+sqlUnreached+`
		order by id`, unreachedArgs(organizationID, campaignID, outcomes))
	if err == nil {
		var in intake.Recipient
		var consent intake.Consent
		var basis *string
		_, err = pgx.ForEachRow(rows, []any{
			&in.PhoneNumber, &in.Name, &in.ExternalID, &in.Timezone, &in.Variables, &in.Metadata,
			&basis, &consent.At, &consent.Source, &consent.ExpiresAt,
		}, func() error {
			one := in
			one.Variables, one.Metadata = slices.Clone(in.Variables), slices.Clone(in.Metadata)
			if basis != nil {
				given := consent
				given.Basis = *basis
				one.Consent = &given
			}
			list.Add(one)
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read the unreached recipients of campaign %s: %w", campaignID, err)
	}
	return list, nil
}
