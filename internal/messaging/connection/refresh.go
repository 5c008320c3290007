package connection

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
)

// refreshTopic is woken when an account should be read again at once.
const refreshTopic = "messaging.refresh"

const (
	// readTime is how long one read of an account may take.
	readTime = 5 * time.Second

	// refreshAge is the age at which an account is read again. One failed read can be
	// repeated before messaging.LimitAge.
	refreshAge = 40 * time.Second

	// listAge is the same for portfolios and templates, which seldom change.
	listAge = 10 * time.Minute

	refreshGap = 5 * time.Second
	readers    = 4  // accounts read at once
	refreshMax = 64 // accounts read by one Refresh
	failingMax = 8  // further accounts, whose last read failed
)

// listing is an account as the operator returned it.
type listing struct {
	numbers   []cloud.Number
	portfolio string
	whole     bool // portfolio and templates were read, too
	templates []cloud.Template
}

// readAccount reads an account: its numbers, and if whole, its portfolio and templates.
func readAccount(ctx context.Context, to *cloud.Account, whole bool) (*listing, error) {
	l := &listing{whole: whole}
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		l.numbers, err = to.Numbers(gctx)
		return err
	})
	if whole {
		group.Go(func() error {
			info, err := to.Info(gctx)
			l.portfolio = info.PortfolioID
			return err
		})
		group.Go(func() (err error) {
			l.templates, err = to.Templates(gctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return l, nil
}

// unreadable returns the error for a person whose new credentials do not work.
func unreadable(err error) error {
	why, ok := errors.AsType[*cloud.Error](err)
	if ok && (why.Class == cloud.StopCredentials || why.Class == cloud.StopNumber || why.Class == cloud.Permanent) {
		if reason, ok := strings.CutPrefix(why.Error(), "the token is"); ok {
			return fault.Invalidf("token", "WhatsApp rejected this token: it is%s", reason)
		}
		return fault.Invalidf("token", "WhatsApp rejected this account: %s", why.Error())
	}
	return errUnreachable.Because(err)
}

// errUnreachable is the public error of a failed request to the operator.
var errUnreachable = fault.New(fault.BadGateway, "Messaging service unavailable")

// subscribe asks the operator for the webhooks of a connection. The operator verifies the
// address with a request to this server before it answers.
func (s *Service) subscribe(ctx context.Context, connectionID uuid.UUID) error {
	if s.publicURL == "" {
		return nil
	}
	kept, err := s.open(ctx, connectionID)
	if err != nil {
		return err
	}
	err = kept.account.Subscribe(ctx, s.publicURL+cloud.HooksPath+connectionID.String(), kept.secrets.VerifyToken)
	if err != nil {
		return errors.Join(err, s.noteFailure(connectionID, err))
	}
	_, err = s.pool.Exec(ctx, `update messaging_connection set subscribed_at = clock() where id = @id`, pgx.NamedArgs{
		"id": connectionID,
	})
	if err != nil {
		return fmt.Errorf("note the webhooks of messaging connection %s: %w", connectionID, err)
	}
	return nil
}

// KeepFresh reads accounts again before they are too old, until ctx is over. Any number
// of processes may run it. It does not matter which process reads an account.
func (s *Service) KeepFresh(ctx context.Context) error {
	if !s.messages.On() {
		<-ctx.Done()
		return nil
	}
	stale, stop := s.hub.Subscribe(refreshTopic)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-stale:
		}
		if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		timer.Reset(refreshGap)
	}
}

// Refresh reads the accounts that are old or marked as outdated. A failing account may
// take all of its time, so Refresh reads only a few of them, in turns. The other accounts
// must not grow too old for the gate.
func (s *Service) Refresh(ctx context.Context) error {
	if !s.messages.On() {
		return nil
	}
	type stale struct {
		ID, OrganizationID uuid.UUID
		Whole, Subscribed  bool
	}
	read, err := postgres.Each(ctx, s.pool, readers, "find messaging connections to read", `
		with stale as materialized (
			select id, organization_id, listed_at is null or listed_at < k.t - @list_age::interval as whole,
			       subscribed_at is not null as subscribed, read_at, last_error_at
			from messaging_connection, (select clock() as t) k
			where disconnected_at is null and (read_at is null or read_at < k.t - @age::interval or listed_at is null))
		(select id, organization_id, whole, subscribed from stale where last_error_at is null
			order by read_at nulls first limit @most)
		union all
		(select id, organization_id, whole, subscribed from stale where last_error_at is not null
			order by last_error_at limit @failing)`,
		pgx.NamedArgs{"age": refreshAge, "list_age": listAge, "most": refreshMax, "failing": failingMax},
		func(c stale) error {
			err := s.read(ctx, connectionRef{organizationID: c.OrganizationID, connectionID: c.ID}, c.Whole)
			if err == nil && !c.Subscribed {
				err = s.subscribe(ctx, c.ID)
			}
			if err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "a WhatsApp account could not be read", "connection", c.ID, "error", err)
			}
			return nil
		})
	if err != nil {
		return err
	}
	if read > 0 {
		s.messages.Wake()
	}
	return ctx.Err()
}

// MarkOutdated makes the next Refresh read an account again. The gate sends nothing from
// the account before that.
func (s *Service) MarkOutdated(ctx context.Context, organizationID uuid.UUID, account string, whole bool) error {
	_, err := s.pool.Exec(ctx, `
		update messaging_connection set read_at = null, listed_at = case when @whole then null else listed_at end
		where organization_id = @organization_id and account = @account and disconnected_at is null`,
		pgx.NamedArgs{"organization_id": organizationID, "account": account, "whole": whole})
	if err != nil {
		return fmt.Errorf("have a messaging connection read again: %w", err)
	}
	s.hub.Wake(refreshTopic)
	return nil
}
