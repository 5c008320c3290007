package alert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Options are the dependencies of a Service.
type Options struct {
	Pool      *pgxpool.Pool
	Mail      *mail.Sender // nil: the deployment sends no email
	Calls     *call.Service
	FollowUps *followup.Service
	PublicURL string
	Log       *slog.Logger
}

// Service opens, lists and sends alerts. New makes one. It is safe for concurrent use.
type Service struct {
	pool      *pgxpool.Pool
	mail      *mail.Sender
	calls     *call.Service
	followUps *followup.Service
	publicURL string
	log       *slog.Logger
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{
		pool: o.Pool, mail: o.Mail, calls: o.Calls, followUps: o.FollowUps, publicURL: o.PublicURL, log: o.Log,
	}
}

// Alert is something that needs a person.
type Alert struct {
	ID         uuid.UUID
	Kind       Kind
	SubjectID  uuid.UUID
	Name       string     // of the subject; empty for a follow-up
	Detail     string     // for people, without a final period; of a follow-up, its kind
	UserID     *uuid.UUID // the member whom it concerns; nil: everybody
	CreatedAt  time.Time
	ResolvedAt *time.Time // nil: it is open
}

// Title names the alert: "Webhook disabled: CRM".
func (a Alert) Title() string {
	if a.Name == "" {
		return of(a.Kind).Name
	}
	return of(a.Kind).Name + ": " + a.Name
}

// Text is the detail for people.
func (a Alert) Text() string {
	if a.Kind == FollowUpDue {
		return followup.Kind(a.Detail).Text()
	}
	return a.Detail
}

// Path is the page of the subject.
func (a Alert) Path() string { return of(a.Kind).subjectPath(a.SubjectID) }

// Do says what to do.
func (a Alert) Do() string { return of(a.Kind).Do }

// listed are the columns of Alert.
const listed = `id, kind, subject_id, name, detail, user_id, created_at, resolved_at`

// List returns the open alerts of an organization, or those that are resolved, newest first. Errors: Invalid.
func (s *Service) List(
	ctx context.Context, organizationID uuid.UUID, resolved bool, r page.Request,
) (page.List[Alert], error) {
	condition := `resolved_at is null`
	if resolved {
		condition = `resolved_at is not null`
	}
	return page.Read(ctx, s.pool, r, "list alerts", `
		select `+listed+` from alert
		where organization_id = @organization_id and `+condition+` and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID},
		func(a Alert) (time.Time, uuid.UUID) { return a.CreatedAt, a.ID })
}

// Now returns what the conditions of an organization say at this moment and concerns a member, by kind and name: at
// most limit of them, and whether there are more. It does not wait for the next pass of Watch, so an Alert of it has no
// ID and no CreatedAt.
func (s *Service) Now(
	ctx context.Context, organizationID, userID uuid.UUID, limit int,
) (list []Alert, more bool, err error) {
	args := conditionArgs()
	args["organization_id"], args["user"], args["limit"] = organizationID, userID, limit+1
	list, err = postgres.Collect(ctx, s.pool, pgx.RowToStructByNameLax[Alert], `
		select kind, subject_id, name, detail, user_id
		from (`+allConditions+`) met
		where organization_id = @organization_id and (user_id is null or user_id = @user)
		order by nth, name, subject_id
		limit @limit`, args)
	if err != nil {
		return nil, false, fmt.Errorf("find what needs a person: %w", err)
	}
	return list[:min(len(list), limit)], len(list) > limit, nil
}

// mostCounted bounds Count.
const mostCounted = 1000

// Count counts the open alerts of an organization that concern a member, at most 1,000.
func (s *Service) Count(ctx context.Context, organizationID, userID uuid.UUID) (n int, err error) {
	err = s.pool.QueryRow(ctx, `
		select count(*) from (
			select from alert
			where organization_id = @organization_id and resolved_at is null
			  and (user_id is null or user_id = @user_id)
			limit @most) open`,
		pgx.NamedArgs{"organization_id": organizationID, "user_id": userID, "most": mostCounted}).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count open alerts: %w", err)
	}
	return n, nil
}

// Settings are the emails that a member gets.
type Settings struct {
	Kinds  []Kind // of alerts
	Digest bool   // each morning at 8:00 in the organization's time zone
	Weekly bool   // on Mondays at the same time, about the week before
}

// Settings returns the settings of a member. The member's role decides about kinds of alerts that were added after the
// member chose. Errors: NotFound for somebody who is no member.
func (s *Service) Settings(ctx context.Context, organizationID, userID uuid.UUID) (Settings, error) {
	type row struct {
		Role   account.Role
		Kinds  []Kind
		Known  []Kind // that the member could choose; empty if the member chose none
		Digest bool
		Weekly bool
	}
	r, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[row], `
		select m.role, coalesce(s.kinds, '{}') as kinds, coalesce(s.known, '{}') as known,
		       coalesce(s.digest, false) as digest, coalesce(s.weekly, false) as weekly
		from membership m
		left join alert_setting s on s.organization_id = m.organization_id and s.user_id = m.user_id
		where m.organization_id = $1 and m.user_id = $2`, organizationID, userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return Settings{}, fault.NotFoundf("Member")
	}
	if err != nil {
		return Settings{}, fmt.Errorf("read the alert settings of a member: %w", err)
	}
	for _, k := range defaults(r.Role) {
		if !slices.Contains(r.Known, k) && !slices.Contains(r.Kinds, k) {
			r.Kinds = append(r.Kinds, k)
		}
	}
	return Settings{Kinds: r.Kinds, Digest: r.Digest, Weekly: r.Weekly}, nil
}

// SetSettings changes the settings of a member. The first digest follows on the next day, or on the next
// Monday. Errors: Invalid for an unknown kind, NotFound for somebody who is no member.
func (s *Service) SetSettings(ctx context.Context, organizationID, userID uuid.UUID, to Settings) error {
	for _, k := range to.Kinds {
		if !slices.Contains(names(), k) {
			return fault.Invalidf("kinds", "no such kind of alert: %q", string(k))
		}
	}
	tag, err := s.pool.Exec(ctx, `
		insert into alert_setting (organization_id, user_id, kinds, known, digest, digest_on, weekly, weekly_on)
		select organization_id, user_id, @kinds, @known, @digest, (clock() at time zone 'utc')::date + 1, @weekly,
			date_trunc('week', clock() at time zone 'utc')::date + 7
		from membership where organization_id = @organization_id and user_id = @user_id
		on conflict (organization_id, user_id) do update set kinds = excluded.kinds, known = excluded.known,
			digest = excluded.digest,
			digest_on = case when alert_setting.digest then alert_setting.digest_on else excluded.digest_on end,
			weekly = excluded.weekly,
			weekly_on = case when alert_setting.weekly then alert_setting.weekly_on else excluded.weekly_on end`,
		pgx.NamedArgs{
			"organization_id": organizationID, "user_id": userID, "digest": to.Digest, "weekly": to.Weekly,
			"kinds": append([]Kind{}, to.Kinds...), // never null
			"known": names(),
		})
	if err != nil {
		return fmt.Errorf("change the alert settings of a member: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.NotFoundf("Member")
	}
	return nil
}

// Sends reports whether the deployment sends email.
func (s *Service) Sends() bool { return s.mail != nil }
