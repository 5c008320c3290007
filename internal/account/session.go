package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// SessionLifetime is how long a sign-in lasts.
const SessionLifetime = 30 * 24 * time.Hour

// Session is a person signed in at one browser, and what they may do now.
type Session struct {
	ID           uuid.UUID
	User         User
	Organization Organization
	Role         Role
	CreatedAt    time.Time
	ExpiresAt    time.Time
}

// Actor is the signed-in person acting from an address.
func (s Session) Actor(address netip.Addr) Actor {
	return Actor{
		OrganizationID: s.Organization.ID, Kind: ByUser, ID: s.User.ID, Name: s.User.Name, Role: s.Role, Address: address,
	}
}

// SessionEntry is a session in the list a person sees of their own.
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

// openSession creates a session of a user whose password hash was passwordHash
// a moment ago: a reset that came in between wins.
func (s *Service) openSession(ctx context.Context, userID uuid.UUID, passwordHash string, client Client) (string, Session, error) {
	var random [32]byte
	rand.Read(random[:]) //nolint:errcheck // never fails (crypto/rand)
	token := base64.RawURLEncoding.EncodeToString(random[:])
	var session Session
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The share lock makes a reset wait for this session or the reverse.
		var current string
		err := tx.QueryRow(ctx, `select password_hash from app_user where id = @id for share`,
			pgx.NamedArgs{"id": userID}).Scan(&current)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && current != passwordHash {
			return fault.New(fault.Unauthenticated, "Wrong e-mail address or password")
		}
		if err != nil {
			return fmt.Errorf("lock a user: %w", err)
		}
		tag, err := tx.Exec(ctx, `
			insert into user_session (id, user_id, organization_id, token_hash, address, agent, expires_at)
			select @id, user_id, organization_id, @token_hash, @address, @agent, clock() + @lifetime::interval
			from membership
			where user_id = @user_id
			order by created_at, organization_id
			limit 1`, pgx.NamedArgs{
			"id": uuid.Must(uuid.NewV7()), "user_id": userID, "token_hash": hashToken(token),
			"address": nullAddress(client.Address), "agent": cutAgent(client.Agent), "lifetime": SessionLifetime,
		})
		if err != nil {
			return fmt.Errorf("open a session: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.New(fault.Forbidden, "This account belongs to no organization")
		}
		if session, err = readSession(ctx, tx, token); err != nil {
			return err
		}
		return Record(ctx, tx, session.Actor(client.Address), "session.created", Object{"session", session.ID}, nil)
	})
	if err != nil {
		return "", Session{}, err
	}
	return token, session, nil
}

func cutAgent(agent string) string {
	agent = searchable(agent)
	for len(agent) > maxAgent {
		_, size := utf8.DecodeLastRuneInString(agent)
		agent = agent[:len(agent)-size]
	}
	return agent
}

// searchable is s without what PostgreSQL's text can't hold.
func searchable(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "?") }

// Authenticate tells who a session token belongs to, and what they may do at
// this moment: session, membership and expiry are read in one query, so what
// was revoked, removed or changed holds from the next request. It notes that
// the session was seen, at most once a minute. Errors: Unauthenticated.
func (s *Service) Authenticate(ctx context.Context, token string) (Session, error) {
	return readSession(ctx, s.pool, token)
}

func readSession(ctx context.Context, db postgres.DB, token string) (Session, error) {
	var n Session
	err := db.QueryRow(ctx, `
		with seen as (
			update user_session set last_seen_at = clock()
			where token_hash = @hash and last_seen_at < clock() - interval '1 minute' and expires_at > clock()
		)
		select s.id, s.created_at, s.expires_at,
		       u.id, u.email, u.name, u.created_at,
		       o.id, o.name, o.time_zone, o.region, o.created_at,
		       m.role
		from user_session s
		join membership m on m.organization_id = s.organization_id and m.user_id = s.user_id
		join app_user u on u.id = s.user_id
		join organization o on o.id = s.organization_id
		where s.token_hash = @hash and s.expires_at > clock()`,
		pgx.NamedArgs{"hash": hashToken(token)}).Scan(
		&n.ID, &n.CreatedAt, &n.ExpiresAt,
		&n.User.ID, &n.User.Email, &n.User.Name, &n.User.CreatedAt,
		&n.Organization.ID, &n.Organization.Name, &n.Organization.TimeZone, &n.Organization.Region, &n.Organization.CreatedAt,
		&n.Role)
	if errors.Is(err, pgx.ErrNoRows) {
		return Session{}, fault.New(fault.Unauthenticated, "Sign in to continue")
	}
	if err != nil {
		return Session{}, fmt.Errorf("authenticate a session: %w", err)
	}
	return n, nil
}

// Sessions lists where a person is signed in, the latest seen first.
func (s *Service) Sessions(ctx context.Context, userID uuid.UUID) ([]SessionEntry, error) {
	rows, err := s.pool.Query(ctx, `
		select id, address, agent, created_at, last_seen_at, expires_at
		from user_session
		where user_id = @user_id and expires_at > (select clock())
		order by last_seen_at desc, id desc`, pgx.NamedArgs{"user_id": userID})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByName[SessionEntry])
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return entries, nil
}

// SignOut ends the session of a token. An unknown token is no error.
func (s *Service) SignOut(ctx context.Context, token string) error {
	_, err := s.pool.Exec(ctx, `delete from user_session where token_hash = @hash`, pgx.NamedArgs{"hash": hashToken(token)})
	if err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

// RevokeSession ends one of a person's own sessions. Errors: NotFound.
func (s *Service) RevokeSession(ctx context.Context, actor Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `delete from user_session where id = @id and user_id = @user_id`,
			pgx.NamedArgs{"id": id, "user_id": actor.ID})
		if err != nil {
			return fmt.Errorf("revoke a session: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.NotFoundf("Session")
		}
		return Record(ctx, tx, actor, "session.revoked", Object{"session", id}, nil)
	})
}

// RevokeOtherSessions ends all of a person's sessions but this one, and tells
// how many there were.
func (s *Service) RevokeOtherSessions(ctx context.Context, actor Actor, keep uuid.UUID) (int, error) {
	var n int
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `delete from user_session where user_id = @user_id and id <> @keep`,
			pgx.NamedArgs{"user_id": actor.ID, "keep": keep})
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
