package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// A key is keyPrefix and the hexadecimal of keyBytes random bytes. With cells, the first two bytes are the number of
// its cell, which leaves 240 random bits.
const (
	keyPrefix = "ik_live_"
	keyBytes  = 32
)

// Key is an API key as people may see it. Its value is not stored.
type Key struct {
	ID          uuid.UUID
	Name        string
	Display     string         // ik_live_abcd…wxyz
	Scopes      []Scope        // may be EveryScope
	Networks    []netip.Prefix // from which the key may be used; empty: from everywhere
	ExpiresAt   *time.Time
	CreatedBy   *string // the creator's name; nil when made by a command
	CreatedAt   time.Time
	RevokedAt   *time.Time
	RevokedBy   *string // name of the person who revoked it; nil when revoked by a command
	LastUsedAt  *time.Time
	LastAddress *netip.Addr
	ReplacedBy  *uuid.UUID // the successor of a rotation; the key works until ExpiresAt, or is revoked
}

// AllScopes reports whether the key has all scopes, including those that later versions add.
func (k Key) AllScopes() bool { return slices.Contains(k.Scopes, EveryScope) }

// EffectiveScopes returns the scopes of the key one by one.
func (k Key) EffectiveScopes() []Scope {
	if k.AllScopes() {
		return Scopes()
	}
	return k.Scopes
}

// LastFour returns the last characters of the key's value, by which people recognize it.
func (k Key) LastFour() string { return k.Display[max(len(k.Display)-4, 0):] }

// Expired reports whether the key has expired at now.
func (k Key) Expired(now time.Time) bool { return k.ExpiresAt != nil && !k.ExpiresAt.After(now) }

// Ended reports whether the key is revoked or was replaced, so that it can't be changed.
func (k Key) Ended() bool { return k.RevokedAt != nil || k.ReplacedBy != nil }

// Rotating reports whether the key has a successor and still works at now.
func (k Key) Rotating(now time.Time) bool {
	return k.ReplacedBy != nil && k.RevokedAt == nil && !k.Expired(now)
}

// keySelect reads keys as Key. The caller adds the conditions.
const keySelect = `
	select k.id, k.name, k.display, k.scopes, k.networks, k.expires_at, u.name as created_by, k.created_at,
		k.revoked_at, r.name as revoked_by,
	       n.last_used_at, n.last_address, k.replaced_by
	from api_key k
	join api_key_use n on n.api_key_id = k.id
	left join app_user u on u.id = k.created_by
	left join app_user r on r.id = k.revoked_by`

const (
	// UnusedAfter is how long a key is unused before a person should review it.
	UnusedAfter = 90 * 24 * time.Hour
	// ExpiresSoon is how long before its expiry people are told of a key.
	ExpiresSoon = 7 * 24 * time.Hour
)

// NewKey is an API key to create.
type NewKey struct {
	ID        uuid.UUID      // zero: CreateKey makes an ID; an ID creates a key only once
	Name      string         // 1 to 100 characters
	Scopes    []Scope        // nil means EveryScope
	Networks  []netip.Prefix // from which the key may be used, at most maxNetworks; empty: from everywhere
	ExpiresAt *time.Time     // nil means never
}

const maxNetworks = 50 // of a key

// ParseNetworks reads IP addresses and ranges such as 203.0.113.0/24, separated by spaces, commas or lines. It adds the
// first that is none to the problems of a field.
func ParseNetworks(p *fault.Problems, field, text string) []netip.Prefix {
	var networks []netip.Prefix
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		network, err := netip.ParsePrefix(word)
		if address, isAddress := netip.ParseAddr(word); isAddress == nil && address.Zone() == "" {
			address = address.Unmap()
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		switch {
		case err != nil || network.Addr().Is4In6():
			p.Addf(field, "%q is not an IP address or a range such as 203.0.113.0/24", word)
			return nil
		case network != network.Masked():
			p.Addf(field, "%s is not the start of its range: write %s", word, network.Masked())
			return nil
		}
		networks = append(networks, network)
	}
	return networks
}

// checkNetworks adds the problems of the networks of a key, and returns them in order, each once.
func checkNetworks(p *fault.Problems, networks []netip.Prefix) []netip.Prefix {
	networks = append([]netip.Prefix{}, networks...) // never null
	slices.SortFunc(networks, netip.Prefix.Compare)
	networks = slices.Compact(networks)
	if len(networks) > maxNetworks {
		p.Addf("networks", "must be at most %d", maxNetworks)
	}
	return networks
}

// CreateKey creates a key and returns its value, which is shown once and not stored.
// Errors: Invalid, and Conflict when a key with this id exists.
func (s *Service) CreateKey(ctx context.Context, actor Actor, n NewKey) (key Key, value string, err error) {
	var p fault.Problems
	check.Name(&p, "name", &n.Name)
	n.Scopes = checkScopes(&p, n.Scopes)
	n.Networks = checkNetworks(&p, n.Networks)

	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if n.ExpiresAt != nil {
			var future bool
			err := tx.QueryRow(ctx, `select @at::timestamptz > clock()`, pgx.NamedArgs{"at": n.ExpiresAt}).Scan(&future)
			if err != nil {
				return fmt.Errorf("read the clock: %w", err)
			}
			if !future {
				p.Addf("expires_at", "must be in the future")
			}
		}
		if err := p.Err(); err != nil {
			return err
		}
		if key, value, err = s.insertKey(ctx, tx, actor, n); err != nil {
			return err
		}
		return Record(ctx, tx, actor, "api_key.created", Object{"api_key", key.ID},
			keyChange(key))
	})
	if err != nil {
		return Key{}, "", err
	}
	return key, value, nil
}

// keyChange is what the audit log says about a new key.
func keyChange(k Key) map[string]any {
	change := map[string]any{"name": k.Name, "display": k.Display, "scopes": k.Scopes, "expires_at": k.ExpiresAt}
	if len(k.Networks) > 0 {
		change["networks"] = k.Networks
	}
	return change
}

// insertKey stores a checked key and makes its value.
func (s *Service) insertKey(ctx context.Context, tx pgx.Tx, actor Actor, n NewKey) (key Key, value string, err error) {
	var random [keyBytes]byte
	rand.Read(random[:])
	if s.cell != 0 {
		binary.BigEndian.PutUint16(random[:], uint16(s.cell))
	}
	digits := hex.EncodeToString(random[:])
	value = keyPrefix + digits
	hash := sha256.Sum256([]byte(value))
	id := n.ID
	if id == uuid.Nil {
		id = uuid.Must(uuid.NewV7())
	}
	var createdBy *uuid.UUID
	if actor.Kind == ByUser {
		createdBy = &actor.ID
	}
	_, err = tx.Exec(ctx, `
		insert into api_key (id, organization_id, name, hash, display, scopes, networks, expires_at, created_by)
		values (@id, @organization_id, @name, @hash, @display, @scopes, @networks, @expires_at, @created_by)`,
		pgx.NamedArgs{
			"id": id, "organization_id": actor.OrganizationID, "name": n.Name, "hash": hash[:],
			"display": keyPrefix + digits[:4] + "…" + digits[len(digits)-4:], "scopes": n.Scopes,
			"networks": n.Networks, "expires_at": n.ExpiresAt, "created_by": createdBy,
		})
	if postgres.Constraint(err) == "api_key_pkey" {
		return Key{}, "", fault.Conflictf("This key was created already")
	}
	if err != nil {
		return Key{}, "", fmt.Errorf("create an API key: %w", err)
	}
	if _, err := tx.Exec(
		ctx, `insert into api_key_use (api_key_id) values (@id)`, pgx.NamedArgs{"id": id},
	); err != nil {
		return Key{}, "", fmt.Errorf("create an API key: %w", err)
	}
	if key, err = readKey(ctx, tx, id); err != nil {
		return Key{}, "", err
	}
	return key, value, nil
}

// KeyChange is a change of a key. Its scopes and its expiry stay as its user knows them.
type KeyChange struct {
	Name     string         // 1 to 100 characters
	Networks []netip.Prefix // from which the key may be used, at most maxNetworks; empty: from everywhere
}

// ErrKeyEnded refuses the change of a key that is revoked or was replaced.
var ErrKeyEnded = fault.Conflictf("This key is revoked or was replaced, and cannot be changed")

// UpdateKey changes a key that is in use. The next request follows the change. Errors: Invalid, NotFound, and Conflict
// for a key that is revoked or was replaced.
func (s *Service) UpdateKey(ctx context.Context, actor Actor, id uuid.UUID, c KeyChange) error {
	var p fault.Problems
	check.Name(&p, "name", &c.Name)
	c.Networks = checkNetworks(&p, c.Networks)
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var before KeyChange
		var over bool
		err := tx.QueryRow(ctx, `
			select name, networks, revoked_at is not null or replaced_by is not null from api_key
			where organization_id = $1 and id = $2 for update`, actor.OrganizationID, id).
			Scan(&before.Name, &before.Networks, &over)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fault.NotFoundf("API key")
		case err != nil:
			return fmt.Errorf("lock an API key: %w", err)
		case over:
			return ErrKeyEnded
		}
		change := map[string]any{}
		if c.Name != before.Name {
			change["name"] = c.Name
		}
		if !slices.Equal(c.Networks, before.Networks) {
			change["networks"] = c.Networks
		}
		if len(change) == 0 {
			return Unchanged(ctx)
		}
		if _, err := tx.Exec(ctx, `update api_key set name = $2, networks = $3 where id = $1`, id, c.Name,
			c.Networks); err != nil {
			return fmt.Errorf("change an API key: %w", err)
		}
		return Record(ctx, tx, actor, "api_key.updated", Object{"api_key", id}, change)
	})
}

func readKey(ctx context.Context, tx pgx.Tx, id uuid.UUID) (Key, error) {
	key, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Key],
		keySelect+` where k.id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return Key{}, fmt.Errorf("read an API key: %w", err)
	}
	return key, nil
}

// ended is the condition for a key that somebody ended: revoked, or replaced with the
// overlap over. A key that has merely expired has not ended: it is listed with the keys
// in use, so that somebody notices.
const ended = `(k.revoked_at is not null or k.replaced_by is not null and k.expires_at <= clock())`

// Keys lists the keys of an organization, newest first: the keys in use, or the revoked
// and replaced keys. A key that has only expired is in use.
func (s *Service) Keys(
	ctx context.Context, organizationID uuid.UUID, revoked bool, p page.Request,
) (page.List[Key], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	// Each list has its own index. A single condition with a parameter would use no
	// index.
	which := `k.revoked_at is null and not ` + ended
	if revoked {
		which = `(k.revoked_at is not null or k.replaced_by is not null) and ` + ended
	}
	return page.Read(ctx, s.pool, p, "list API keys", `select * from (`+keySelect+`
			where k.organization_id = @organization_id and `+which+`
		) listed
		where `+page.Where+`
		`+page.Order, args,
		func(k Key) (time.Time, uuid.UUID) { return k.CreatedAt, k.ID })
}

// CountKeys returns the number of keys in use and the number of ended keys, as listed by
// Keys.
func (s *Service) CountKeys(ctx context.Context, organizationID uuid.UUID) (live, revoked int, err error) {
	err = s.pool.QueryRow(ctx, `
		select count(*) filter (where not `+ended+`), count(*) filter (where `+ended+`)
		from api_key k where k.organization_id = @organization_id`,
		pgx.NamedArgs{"organization_id": organizationID}).Scan(&live, &revoked)
	if err != nil {
		return 0, 0, fmt.Errorf("count API keys: %w", err)
	}
	return live, revoked, nil
}

// Key returns a key. Errors: NotFound.
func (s *Service) Key(ctx context.Context, organizationID, id uuid.UUID) (Key, error) {
	key, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[Key],
		keySelect+` where k.organization_id = @organization_id and k.id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Key{}, fault.NotFoundf("API key")
	}
	if err != nil {
		return Key{}, fmt.Errorf("read an API key: %w", err)
	}
	return key, nil
}

// RevokeKey permanently ends a key, from the next request on, on every instance. Revoking
// a revoked key changes nothing and is not an error, because the key is in the state that
// the caller wants. Errors: NotFound.
func (s *Service) RevokeKey(ctx context.Context, actor Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var name string
		var revoked bool
		err := tx.QueryRow(ctx, `
			select name, revoked_at is not null from api_key
			where organization_id = @organization_id and id = @id
			for update`, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}).Scan(&name, &revoked)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("API key")
		}
		if err != nil {
			return fmt.Errorf("lock an API key: %w", err)
		}
		if revoked {
			return nil
		}
		var revokedBy *uuid.UUID
		if actor.Kind == ByUser {
			revokedBy = &actor.ID
		}
		_, err = tx.Exec(ctx, `update api_key set revoked_at = clock(), revoked_by = @revoked_by where id = @id`,
			pgx.NamedArgs{"id": id, "revoked_by": revokedBy})
		if err != nil {
			return fmt.Errorf("revoke an API key: %w", err)
		}
		return Record(ctx, tx, actor, "api_key.revoked", Object{"api_key", id}, map[string]any{"name": name})
	})
}
