package dialer

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/phone"
)

// mostCountryRefusals is how many calls to a country in a row are refused before nobody there
// is called any more. A single refusal may be about a range of expensive numbers.
const mostCountryRefusals = 3

// mostRefusals is how often a recipient is refused for a cause that nobody knows before the
// campaign is paused. It is counted again after the campaign was resumed.
const mostRefusals = 5

// carrierWords are the carrier's reason for the end of a call, with its code.
func carrierWords(e call.Ended) string {
	if e.CarrierCode == nil {
		return e.Detail
	}
	return e.Detail + " (" + *e.CarrierCode + ")"
}

// refusedCountries are the words of the carrier, by country.
type refusedCountries map[string]string

// countryResults are the calls of a batch to one country.
type countryResults struct {
	refused  int
	reason   string // of the last refusal, in the carrier's words
	accepted bool   // the carrier placed a call
}

// countCountry counts a call for its country.
func (c *campaignDelta) countCountry(e call.Ended) {
	refused := e.EndedReason == call.ReasonCountryRefused
	if !refused && (!c.RefusesCountries || e.StartedAt == nil) {
		return
	}
	country := phone.Country(phone.Number(e.PersonNumber))
	if country == "" { // the number was erased
		return
	}
	r := c.countries[country]
	if r == nil {
		r = &countryResults{}
		c.countries[country] = r
	}
	if refused {
		r.refused++
		r.reason = carrierWords(e)
	} else {
		r.accepted = true
	}
}

// sqlRefused and isRefused are true for a call that the carrier refused for a cause that
// nobody knows. A carrier that could not be reached refused nothing.
const sqlRefused = `call.ended_reason = 'carrier_unavailable' and call.carrier_code not in ('', 'network', 'timeout')`

func isRefused(e call.Ended) bool {
	return e.EndedReason == call.ReasonCarrierUnavailable && e.CarrierCode != nil &&
		!slices.Contains([]string{"", "network", "timeout"}, *e.CarrierCode)
}

// keepRefusedCountries counts the calls that the carrier refused because of the country. After
// mostCountryRefusals, the next pass over the campaign has the other recipients there wait.
func (s *settlement) keepRefusedCountries(ctx context.Context) error {
	batch := &pgx.Batch{}
	for _, c := range s.campaigns {
		for country, r := range c.countries {
			if r.accepted && c.RefusesCountries {
				batch.Queue(`
					update country_refusal set times = 0
					where campaign_id = $1 and country = $2 and applied_at is null`, c.ID, country)
			}
			if r.refused > 0 {
				batch.Queue(`
					insert into country_refusal as f (campaign_id, country, organization_id, times, reason)
					values ($1, $2, $3, $4, $5)
					on conflict (campaign_id, country) do update set times = f.times + excluded.times`,
					c.ID, country, c.OrganizationID, r.refused, r.reason)
			}
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	if err := s.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keep the countries that a carrier refused: %w", err)
	}
	return nil
}

// pauseRefused pauses the campaigns whose carrier account was refused, because no call of them
// can succeed, and those with a recipient who was refused too often.
func (s *settlement) pauseRefused(ctx context.Context) error {
	for _, c := range s.campaigns {
		if c.pauseReason == "" || c.Status != campaign.Running {
			continue
		}
		err := campaign.Transition(ctx, s.tx, account.System(c.OrganizationID), &c.Locked, campaign.Move{
			To: campaign.Paused, Action: "campaign.paused",
			Reason: c.pauseReason,
		})
		if err != nil {
			return err
		}
		s.changed = true
	}
	return nil
}

// applyCountries has the recipients of newly refused countries wait, and logs how many they
// are. It pauses the campaign if most of its recipients wait for a country. Like expire, it
// locks only the campaign's row.
func (d *Dialer) applyCountries(ctx context.Context, t target) error {
	paused := false
	err := d.underLock(ctx, t, func(tx pgx.Tx, c campaign.Locked) error {
		if c.Status != campaign.Running {
			return nil
		}
		fresh, err := newCountries(ctx, tx, t.ID)
		if err != nil {
			return err
		}
		held, pending, err := holdCountries(ctx, tx, t.ID, fresh)
		if err != nil {
			return err
		}
		for country, reason := range fresh {
			err := campaign.WriteLog(ctx, tx, account.System(t.OrganizationID), t.ID, campaign.LogCountryRefused,
				campaign.LogDetails{Reason: reason, Country: country, Recipients: held[country]})
			if err != nil {
				return err
			}
		}
		waiting := 0
		for _, n := range held {
			waiting += n
		}
		if 2*waiting <= pending {
			return nil
		}
		paused = true
		reason, err := countryProblem(ctx, tx, t.ID)
		if err != nil {
			return err
		}
		return campaign.Transition(ctx, tx, account.System(t.OrganizationID), &c, campaign.Move{
			To: campaign.Paused, Action: "campaign.paused", Reason: reason,
		})
	})
	if paused && err == nil {
		d.wakeEngines()
	}
	return err
}

// newCountries returns the refused countries whose recipients were not searched yet, and
// marks them as searched.
func newCountries(ctx context.Context, tx pgx.Tx, campaignID uuid.UUID) (refusedCountries, error) {
	rows, err := tx.Query(ctx, `
		update country_refusal set applied_at = clock()
		where campaign_id = $1 and applied_at is null and times >= $2
		returning country, reason`, campaignID, mostCountryRefusals)
	if err != nil {
		return nil, fmt.Errorf("find newly refused countries: %w", err)
	}
	fresh := refusedCountries{}
	var country, reason string
	_, err = pgx.ForEachRow(rows, []any{&country, &reason}, func() error {
		fresh[country] = reason
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find newly refused countries: %w", err)
	}
	return fresh, nil
}

// holdCountries has the pending recipients of countries wait until a person resumes the
// campaign. held counts all recipients who wait so, by country.
func holdCountries(
	ctx context.Context, tx pgx.Tx, campaignID uuid.UUID, countries refusedCountries,
) (held map[string]int, pending int, err error) {
	rows, err := tx.Query(ctx, `
		select id, phone_number, wait_reason is not distinct from $2 from recipient
		where campaign_id = $1 and status = 'pending'`, campaignID, campaign.WaitCountry)
	if err != nil {
		return nil, 0, fmt.Errorf("find the recipients of refused countries: %w", err)
	}
	held = map[string]int{}
	var hold []uuid.UUID
	var id uuid.UUID
	var number phone.Number
	var waits bool
	_, err = pgx.ForEachRow(rows, []any{&id, &number, &waits}, func() error {
		pending++
		country := phone.Country(number)
		if _, refused := countries[country]; refused && !waits {
			hold, waits = append(hold, id), true
		}
		if waits {
			held[country]++
		}
		return nil
	})
	if err == nil && len(hold) > 0 {
		_, err = tx.Exec(ctx, sqlHoldCountry, pgx.NamedArgs{"ids": hold, "reason": campaign.WaitCountry})
	}
	if err != nil {
		return nil, 0, fmt.Errorf("have the recipients of refused countries wait: %w", err)
	}
	return held, pending, nil
}

// sqlHoldCountry has recipients wait with no time at which they become due.
const sqlHoldCountry = `update recipient set due_at = null, wait_reason = @reason where id = any(@ids)`

// countryProblem describes the refused countries of a campaign, for people.
func countryProblem(ctx context.Context, tx pgx.Tx, campaignID uuid.UUID) (string, error) {
	rows, err := tx.Query(ctx, `
		select country, reason from country_refusal where campaign_id = $1 order by country`, campaignID)
	if err != nil {
		return "", fmt.Errorf("read the refused countries of campaign %s: %w", campaignID, err)
	}
	var names []string
	var country, reason string
	_, err = pgx.ForEachRow(rows, []any{&country, &reason}, func() error {
		names = append(names, phone.CountryInText(country))
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("read the refused countries of campaign %s: %w", campaignID, err)
	}
	return "The carrier refused calls to " + english.List(names) + ": " + reason, nil
}

// refusesCountry reports whether the carrier refused the country of a number.
func (p *pass) refusesCountry(number string) bool {
	return len(p.live.Refused) > 0 && slices.Contains(p.live.Refused, phone.Country(phone.Number(number)))
}

// callerProblem describes the refusals of the calling number, for people.
func (p *pass) callerProblem(c *caller) string {
	if p.callers.pool != nil {
		return fmt.Sprintf("The carrier refused calls because of every phone number of the pool %s: %s",
			p.callers.pool.Name, c.reason)
	}
	return fmt.Sprintf("The carrier refused %d calls in a row because of the phone number %s: %s",
		c.refusals, phone.Format(phone.Number(c.PhoneNumber)), c.reason)
}
