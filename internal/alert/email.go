package alert

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	firstPause = time.Minute // after the first attempt, and its lease; each pause doubles
	mostPause  = time.Hour
	life       = 3 * 24 * time.Hour // of an email that the server does not take

	mostInEmail  = 20  // alerts that an email describes
	mostTogether = 500 // alerts that become one email

	writeTimeout = 5 * time.Second // for what is stored after an attempt, also while the process stops
)

// email is a queued email of a member.
type email struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	UserID         uuid.UUID
	DigestDay      *time.Time // nil: it is about an alert
	Weekly         bool       // the digest is of the week that begins on this day
	Expired        bool
	Address        *string // nil: the person is no member anymore
	Organization   string
	Zone           string  // the organization's
	Alert          *string // its kind; nil: the alert is resolved
	SubjectID      *uuid.UUID
	Name           *string
	Detail         *string
}

// Send makes one attempt at the next email that is due and returns 1, or 0 if none is due. All alerts of a member
// become one email. The time of the next attempt is stored before this one, so another process repeats it if this one
// dies, and a server that is down is asked again later.
func (s *Service) Send(ctx context.Context) (int, error) {
	if s.mail == nil {
		return 0, nil
	}
	due, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[email], `
		with first as (
			select id, organization_id, user_id, digest_day from alert_email
			where due_at <= clock() order by due_at limit 1 for no key update skip locked
		),
		taken as (
			select e.id from alert_email e join first f on f.id = e.id or
				f.digest_day is null and e.digest_day is null and e.organization_id = f.organization_id
				and e.user_id = f.user_id and e.due_at <= clock()
			limit @together for no key update of e skip locked
		),
		due as (
			update alert_email e set attempts = e.attempts + 1,
				due_at = clock() + least(@most::interval, @first::interval * power(2, least(e.attempts, 20)))
			from taken t where e.id = t.id
			returning e.*
		)
		select d.id, d.organization_id, d.user_id, d.digest_day, d.weekly,
		       d.created_at < clock() - @life::interval as expired,
		       u.email as address, o.name as organization, o.time_zone as zone,
		       a.kind as alert, a.subject_id, a.name, a.detail
		from due d
		join organization o on o.id = d.organization_id
		left join membership m on m.organization_id = d.organization_id and m.user_id = d.user_id
		left join app_user u on u.id = m.user_id
		left join alert a on a.id = d.alert_id and a.resolved_at is null
		order by a.created_at, d.id`,
		pgx.NamedArgs{"first": firstPause, "most": mostPause, "life": life, "together": mostTogether})
	if err != nil {
		return 0, fmt.Errorf("find emails to send: %w", err)
	}
	if len(due) == 0 {
		return 0, nil
	}
	if m, ok, err := s.message(ctx, due); err != nil {
		return 0, err
	} else if ok {
		// The attempt outlasts the deadline of a statement.
		if err := s.mail.Send(context.WithoutCancel(ctx), m); err != nil {
			s.log.Warn("an email about alerts was not sent, and is tried again", "organization_id",
				due[0].OrganizationID, "error", err)
			return 1, nil
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	ids := make([]uuid.UUID, len(due))
	for i, e := range due {
		ids[i] = e.ID
	}
	if _, err := s.pool.Exec(ctx, `delete from alert_email where id = any($1)`, ids); err != nil {
		return 1, fmt.Errorf("forget a sent email: %w", err)
	}
	return 1, nil
}

// message writes the email, or returns false if there is nothing to tell anymore.
func (s *Service) message(ctx context.Context, due []email) (m mail.Message, ok bool, err error) {
	first := due[0]
	if first.Address == nil || first.Expired {
		return m, false, nil
	}
	m = mail.Message{ID: first.ID.String(), To: *first.Address}
	if first.DigestDay != nil {
		write := s.digest
		if first.Weekly {
			write = s.weekly
		}
		m.Subject, m.Text, err = write(ctx, first)
		return m, m.Text != "", err
	}
	var open []Alert
	for _, e := range due {
		if e.Alert != nil {
			open = append(open, Alert{Kind: Kind(*e.Alert), SubjectID: *e.SubjectID, Name: *e.Name, Detail: *e.Detail})
		}
	}
	switch len(open) {
	case 0:
		return m, false, nil
	case 1:
		m.Subject = open[0].Title()
	default:
		m.Subject = fmt.Sprintf("%d alerts: %s", len(open), first.Organization)
	}
	m.Text = s.describe(open) + s.footer(first.Organization)
	return m, true, nil
}

// describe writes alerts with their pages.
func (s *Service) describe(list []Alert) string {
	var b strings.Builder
	for i, a := range list {
		if i == mostInEmail {
			fmt.Fprintf(&b, "And %d more:\n%s/alerts\n\n", len(list)-i, s.publicURL)
			break
		}
		fmt.Fprintf(&b, "%s\n", a.Title())
		if text := a.Text(); text != "" {
			fmt.Fprintf(&b, "%s.\n", strings.TrimSuffix(text, "."))
		}
		fmt.Fprintf(&b, "%s\n%s%s\n\n", a.Do(), s.publicURL, a.Path())
	}
	return b.String()
}

func (s *Service) footer(organization string) string {
	return "You get this email as a member of " + organization + ". Choose what you get:\n" +
		s.publicURL + "/alerts/settings\n"
}
