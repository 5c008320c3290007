package alert

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// digestHour is the hour of the day at which digests are due, in the organization's time zone.
const digestHour = 8

// queueDigests queues the digests of the day and of the week that have become due. It computes days in Go, because the
// server of PostgreSQL may know fewer time zones.
func (s *Service) queueDigests(ctx context.Context) error {
	type zoned struct {
		OrganizationID uuid.UUID
		Zone           string
		Now            time.Time
	}
	list, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[zoned], `
		select distinct o.id as organization_id, o.time_zone as zone, k.t as now
		from (select clock() as t) k, alert_setting s
		join organization o on o.id = s.organization_id
		where s.digest and s.digest_on <= (clock() at time zone 'utc')::date + 1
		   or s.weekly and s.weekly_on <= (clock() at time zone 'utc')::date + 1`)
	if err != nil {
		return fmt.Errorf("find digests that are due: %w", err)
	}
	for _, o := range list {
		local := o.Now.In(location(o.Zone))
		if local.Hour() < digestHour {
			continue
		}
		_, err := s.pool.Exec(ctx, `
			with old as materialized (
				select user_id, digest and digest_on <= @day::date as daily,
				       weekly and weekly_on <= @day::date as weekly
				from alert_setting
				where organization_id = @organization_id and (digest and digest_on <= @day::date
				   or weekly and weekly_on <= @day::date)
				for no key update
			),
			due as (
				update alert_setting s set
					digest_on = case when old.daily then @day::date + 1 else s.digest_on end,
					weekly_on = case when old.weekly then @monday::date + 7 else s.weekly_on end
				from old where s.organization_id = @organization_id and s.user_id = old.user_id
				returning s.user_id, old.daily, old.weekly
			)
			insert into alert_email (id, organization_id, user_id, digest_day, weekly)
			select gen_random_uuid(), @organization_id, user_id, @day::date - 1, false from due where daily
			union all
			select gen_random_uuid(), @organization_id, user_id, @monday::date - 7, true from due where weekly`,
			pgx.NamedArgs{
				"organization_id": o.OrganizationID, "day": local.Format(time.DateOnly),
				"monday": monday(local).Format(time.DateOnly),
			})
		if err != nil {
			return fmt.Errorf("queue the digests of organization %s: %w", o.OrganizationID, err)
		}
	}
	return nil
}

// monday returns the Monday of the week of a time.
func monday(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }

func location(zone string) *time.Location {
	if l, err := time.LoadLocation(zone); err == nil {
		return l
	}
	return time.UTC
}

// digest writes the figures of a day, and what is open now. It is empty if there is nothing to tell.
func (s *Service) digest(ctx context.Context, e email) (subject, text string, err error) {
	y, month, d := e.DigestDay.Date()
	from := time.Date(y, month, d, 0, 0, 0, 0, location(e.Zone))
	hours, err := s.calls.Hours(ctx, e.OrganizationID, call.Scope{}, from, from.AddDate(0, 0, 1))
	if err != nil {
		return "", "", err
	}
	var f call.Figures
	for _, h := range hours {
		f.Add(h.Figures)
	}
	open, err := s.List(ctx, e.OrganizationID, false, page.Request{Limit: mostInEmail})
	if err != nil {
		return "", "", err
	}
	counts, err := s.followUps.Count(ctx, e.OrganizationID, e.UserID)
	if err != nil {
		return "", "", err
	}
	if f.Total() == 0 && len(open.Data) == 0 && counts.Open == 0 {
		return "", "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s\n\n", e.Organization, from.Format("Monday, 2 January 2006"))
	for _, line := range []struct {
		n         int
		one, many string
	}{
		{f.Total(), "call", "calls"}, {f.Reached, "was answered by a person", "were answered by a person"},
		{f.Voicemail, "reached voicemail", "reached voicemail"}, {f.NoAnswer, "had no answer", "had no answer"},
		{f.Busy, "was busy", "were busy"}, {f.Failed, "failed", "failed"},
		{f.OptedOut, "person asked not to be called again", "people asked not to be called again"},
	} {
		switch {
		case line.n == 1:
			fmt.Fprintf(&b, "1 %s\n", line.one)
		case line.n > 1:
			fmt.Fprintf(&b, "%s %s\n", english.Number(line.n), line.many)
		}
	}
	fmt.Fprintf(&b, "%s\n\n", s.publicURL)
	if counts.Open > 0 {
		fmt.Fprintf(&b, "Follow-ups: %s open, %s overdue, %s assigned to you\n%s/follow-ups\n\n",
			english.Number(counts.Open), english.Number(counts.Overdue), english.Number(counts.Mine), s.publicURL)
	}
	if len(open.Data) > 0 {
		b.WriteString("Open alerts:\n\n" + s.describe(open.Data))
	}
	b.WriteString(s.footer(e.Organization))
	return e.Organization + ": " + calls(f.Total()) + " on " + from.Format("2 January"), b.String(), nil
}
