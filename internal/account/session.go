package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Bounds of a session's length, unless the organization chose others (SignInPolicy). Unless
// a person asks to stay signed in, they follow OWASP's ASVS 4.0.3 (3.3.2) for level 2: half
// an hour without a request, and twelve hours in any case. An open page with live updates
// makes requests.
const (
	SessionMost = 12 * time.Hour
	SessionStay = 30 * 24 * time.Hour
)

// SQL about the session s in its organization o.
const (
	stays       = `(s.ends_at is null and o.session_stay_days > 0)`
	sessionMost = `case when ` + stays + ` then make_interval(days => o.session_stay_days)
		else make_interval(hours => o.session_hours) end`
	// alive bounds also what an earlier policy of the organization, or another organization, allowed. last_seen_at
	// is a minute late at most.
	alive = `(s.expires_at > clock() and s.created_at + ` + sessionMost + ` > clock() and (` + stays + `
		or s.last_seen_at + make_interval(mins => o.session_idle_minutes + 1) > clock()))`
)

// Session is the sign-in of a person at one browser, with their current permissions.
type Session struct {
	ID           uuid.UUID
	User         User
	Organization Organization
	Role         Role
	Others       bool // the person also belongs to other organizations
	FactorNeeded bool // the organization requires two-step sign-in, which the person has not set up
	SingleSignOn bool // the organization's provider opened the session, which is good for this organization only
	CreatedAt    time.Time
	ExpiresAt    time.Time
	Most         time.Duration // the session's longest life, from its creation
	Stays        bool          // the person asked to stay signed in, and the organization allows it
}

// Actor returns the signed-in person as an actor at an address.
func (s Session) Actor(address netip.Addr) Actor {
	return Actor{
		OrganizationID: s.Organization.ID, Kind: ByUser, ID: s.User.ID, Name: s.User.Name, Role: s.Role,
		Address: address, SingleSignOn: s.SingleSignOn,
	}
}

// SessionEntry is a session in a person's list of their own sessions.
type SessionEntry struct {
	ID         uuid.UUID
	Address    *netip.Addr
	Agent      string // User-Agent
	CreatedAt  time.Time
	LastSeenAt time.Time // to the minute
	ExpiresAt  time.Time
}

// maxAgent bounds the User-Agent that is kept, in bytes.
const maxAgent = 400

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// openSession creates a session of a user whose password hash was passwordHash a moment
// ago. It fails if the password was reset in between. with names the proof besides the
// password; "" for none. Errors: *SignOnRequired if every organization of the user refuses passwords.
func (s *Service) openSession(
	ctx context.Context, userID uuid.UUID, passwordHash, with string, client Client,
) (string, Session, error) {
	token := newToken()
	var session Session
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// With the share lock, this session and a concurrent reset wait for each other.
		var current string
		err := tx.QueryRow(ctx, `select password_hash from app_user where id = @id for share`,
			pgx.NamedArgs{"id": userID}).Scan(&current)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && current != passwordHash {
			return fault.New(fault.Unauthenticated, "Wrong email address or password")
		}
		if err != nil {
			return fmt.Errorf("lock a user: %w", err)
		}
		if session, err = insertSession(ctx, tx, token, userID, uuid.Nil, client); err != nil {
			return err
		}
		return recordSession(ctx, tx, session, with, client)
	})
	if err != nil {
		return "", Session{}, err
	}
	return token, session, nil
}

// insertSession creates a session in the organization that a user used last and that takes their password. With an
// organization, the session is in that one, and was opened by its provider.
func insertSession(
	ctx context.Context, tx pgx.Tx, token string, userID, organizationID uuid.UUID, client Client,
) (Session, error) {
	tag, err := tx.Exec(ctx, `
		with entered as (
			update membership set seen_at = clock()
			where user_id = @user_id and organization_id = (
				select m.organization_id from membership m
				where m.user_id = @user_id
				  and case when @single_sign_on then m.organization_id = @organization_id
				    else not `+passwordRefused+` end
				order by m.seen_at desc nulls last, m.created_at, m.organization_id
				limit 1)
			returning user_id, organization_id
		)
		insert into user_session (id, user_id, organization_id, token_hash, address, agent, expires_at, ends_at,
			single_sign_on)
		select @id, e.user_id, e.organization_id, @token_hash, @address, @agent,
		       clock() + case when @stays and o.session_stay_days > 0
		         then make_interval(days => o.session_stay_days)
		         else make_interval(mins => o.session_idle_minutes) end,
		       case when not @stays or o.session_stay_days = 0
		         then clock() + make_interval(hours => o.session_hours) end,
		       @single_sign_on
		from entered e join organization o on o.id = e.organization_id`, pgx.NamedArgs{
		"id":              uuid.Must(uuid.NewV7()),
		"user_id":         userID,
		"organization_id": organizationID,
		"single_sign_on":  organizationID != uuid.Nil,
		"token_hash":      hashToken(token),
		"address":         nullAddress(client.Address),
		"agent":           cutAgent(client.Agent),
		"stays":           client.Stay,
	})
	if err != nil {
		return Session{}, fmt.Errorf("open a session: %w", err)
	}
	if tag.RowsAffected() == 0 {
		if err := signOnRequired(ctx, tx, userID, uuid.Nil); err != nil {
			return Session{}, err
		}
		return Session{}, fault.New(fault.Forbidden, "This account belongs to no organization")
	}
	session, _, err := readSession(ctx, tx, token)
	return session, err
}

// recordSession records a sign-in. with names the proof besides or instead of the password.
func recordSession(ctx context.Context, tx pgx.Tx, session Session, with string, client Client) error {
	data := map[string]any{}
	if with != "" {
		data["with"] = with
	}
	return Record(ctx, tx, session.Actor(client.Address), "session.created", Object{"session", session.ID}, data)
}

func cutAgent(agent string) string {
	agent = check.Searchable(agent)
	for len(agent) > maxAgent {
		_, size := utf8.DecodeLastRuneInString(agent)
		agent = agent[:len(agent)-size]
	}
	return agent
}

// Authenticate returns the session of a token with the current permissions of its person.
// It reads session, membership and expiry in one query, so a revocation, removal or
// change takes effect from the next request. At most once a minute, it records that the
// session was seen, which extends a session of a person who does not stay signed in.
// Errors: Unauthenticated.
func (s *Service) Authenticate(ctx context.Context, token string) (Session, error) {
	session, noted, err := readSession(ctx, s.pool, token)
	if err != nil || !noted {
		return session, err
	}
	// A separate statement updates the membership, because the removal of a member locks
	// the membership first and the session second.
	_, err = s.pool.Exec(ctx, `
		update membership set seen_at = clock()
		where organization_id = @organization_id and user_id = @user_id`,
		pgx.NamedArgs{"organization_id": session.Organization.ID, "user_id": session.User.ID})
	if err != nil {
		return Session{}, fmt.Errorf("note that a member was seen: %w", err)
	}
	return session, nil
}

// readSession also reports whether it recorded that the session was seen.
func readSession(ctx context.Context, db postgres.DB, token string) (n Session, noted bool, err error) {
	err = db.QueryRow(ctx, `
		with seen as (
			update user_session s
			set last_seen_at = clock(),
			    expires_at = case when `+stays+` then s.expires_at
			      else least(clock() + make_interval(mins => o.session_idle_minutes),
			        s.created_at + make_interval(hours => o.session_hours)) end
			from organization o
			where s.token_hash = @hash and s.last_seen_at < clock() - interval '1 minute' and o.id = s.organization_id
			  and `+alive+`
			returning s.id, s.expires_at
		)
		select s.id, s.created_at, coalesce((select expires_at from seen), s.expires_at),
		       u.id, u.email, u.name, u.created_at,
		       o.id, o.name, o.time_zone, o.region, o.created_at, o.calling_stopped_at, o.calling_stopped_by,
		       m.role,
		       not s.single_sign_on and exists (
		         select from membership t where t.user_id = s.user_id and t.organization_id <> s.organization_id),
		       o.second_factor_required and not s.single_sign_on
		         and not exists (select from second_factor f where f.user_id = s.user_id),
		       s.single_sign_on,
		       `+sessionMost+`, `+stays+`,
		       exists (select from seen)
		from user_session s
		join membership m on m.organization_id = s.organization_id and m.user_id = s.user_id
		join app_user u on u.id = s.user_id
		join organization o on o.id = s.organization_id
		where s.token_hash = @hash and `+alive+` and (s.single_sign_on or not `+passwordRefused+`)`,
		pgx.NamedArgs{"hash": hashToken(token)}).Scan(
		&n.ID, &n.CreatedAt, &n.ExpiresAt,
		&n.User.ID, &n.User.Email, &n.User.Name, &n.User.CreatedAt,
		&n.Organization.ID, &n.Organization.Name, &n.Organization.TimeZone, &n.Organization.Region,
		&n.Organization.CreatedAt,
		&n.Organization.CallingStoppedAt, &n.Organization.CallingStoppedBy,
		&n.Role, &n.Others, &n.FactorNeeded, &n.SingleSignOn, &n.Most, &n.Stays, &noted)
	if errors.Is(err, pgx.ErrNoRows) {
		return Session{}, false, fault.New(fault.Unauthenticated, "Sign in to continue")
	}
	if err != nil {
		return Session{}, false, fmt.Errorf("authenticate a session: %w", err)
	}
	return n, noted, nil
}

// ownSessions is SQL: the sessions s that a person may see and end. A session of single sign-on reaches none of
// another organization.
const ownSessions = `s.user_id = @user_id and (not @single_sign_on or s.organization_id = @organization_id)`

func ownArgs(actor Actor) pgx.NamedArgs {
	return pgx.NamedArgs{
		"user_id": actor.ID, "organization_id": actor.OrganizationID, "single_sign_on": actor.SingleSignOn,
	}
}

// Sessions lists a person's sessions, the latest seen first.
func (s *Service) Sessions(ctx context.Context, actor Actor) ([]SessionEntry, error) {
	entries, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[SessionEntry], `
		select s.id, s.address, s.agent, s.created_at, s.last_seen_at, s.expires_at
		from user_session s join organization o on o.id = s.organization_id
		where `+ownSessions+` and `+alive+`
		order by s.last_seen_at desc, s.id desc`, ownArgs(actor))
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return entries, nil
}

// SignOut ends the session of a token. An unknown token is not an error.
func (s *Service) SignOut(ctx context.Context, token string, client Client) error {
	session, err := s.Authenticate(ctx, token)
	if fault.KindOf(err) == fault.Unauthenticated {
		return nil
	}
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `delete from user_session where id = @id`, pgx.NamedArgs{"id": session.ID})
		if err != nil {
			return fmt.Errorf("sign out: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		return Record(ctx, tx, session.Actor(client.Address), "session.ended", Object{"session", session.ID}, nil)
	})
}

// RevokeSession ends one of a person's own sessions. Errors: NotFound.
func (s *Service) RevokeSession(ctx context.Context, actor Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var address *netip.Addr
		args := ownArgs(actor)
		args["id"] = id
		err := tx.QueryRow(ctx, `delete from user_session s where s.id = @id and `+ownSessions+` returning address`,
			args).Scan(&address)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("Session")
		}
		if err != nil {
			return fmt.Errorf("revoke a session: %w", err)
		}
		return Record(ctx, tx, actor, "session.revoked", Object{"session", id}, map[string]any{
			"signed_in_from": address,
		})
	})
}

// RevokeOtherSessions ends all of a person's sessions except keep, and returns their
// number.
func (s *Service) RevokeOtherSessions(ctx context.Context, actor Actor, keep uuid.UUID) (int, error) {
	var n int
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := ownArgs(actor)
		args["keep"] = keep
		tag, err := tx.Exec(ctx, `delete from user_session s where s.id <> @keep and `+ownSessions, args)
		if err != nil {
			return fmt.Errorf("revoke sessions: %w", err)
		}
		if n = int(tag.RowsAffected()); n == 0 {
			return nil
		}
		return Record(ctx, tx, actor, "session.revoked_others", Object{"user", actor.ID}, map[string]any{"sessions": n})
	})
	return n, err
}
