package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
)

// Every key may send RateLimit requests in a window, which starts with its first request.
const (
	RateLimit  = 60
	RateWindow = time.Minute
)

// Window is the use of a key's rate limit.
type Window struct {
	Limit     int
	Remaining int           // requests left after this one
	Reset     time.Time     // when the window closes
	ResetIn   time.Duration // the same, from now by the database's clock
	Allowed   bool          // false: this request is over the limit
}

// FullWindow returns the unused window of a request without a valid key, or of a request
// whose window cannot be read.
func FullWindow(now time.Time) Window {
	return Window{
		Limit: RateLimit, Remaining: RateLimit, Reset: now.Add(RateWindow), ResetIn: RateWindow, Allowed: true,
	}
}

// Caller is an integration with a valid key.
type Caller struct {
	KeyID          uuid.UUID
	OrganizationID uuid.UUID
	Name           string  // of the key
	Scopes         []Scope // may be EveryScope
	Window         Window

	foreign bool // the request came from outside of the key's networks
}

// HasScope reports whether the key has a scope.
func (c Caller) HasScope(scope Scope) bool {
	return slices.Contains(c.Scopes, scope) || slices.Contains(c.Scopes, EveryScope)
}

// Actor returns the key as an actor at an address.
func (c Caller) Actor(address netip.Addr) Actor {
	return Actor{OrganizationID: c.OrganizationID, Kind: ByKey, ID: c.KeyID, Name: c.Name, Address: address}
}

// These refusals are part of the API. The last one hides whether a key ever existed.
var (
	errNoHeader  = fault.New(fault.Unauthenticated, "Missing Authorization header")
	errKeyFormat = fault.New(fault.Unauthenticated, "Invalid API key format")
	errKey       = fault.New(fault.Unauthenticated, "Invalid or revoked API key")
	errNetwork   = fault.New(fault.Forbidden, "This API key may not be used from your IP address")
)

// AuthenticateKey finds the key of an Authorization header, counts the request against
// the key's window and records the key's use, in one round trip, which it shares with
// requests of the same moment. A request over the limit is not an error and is not
// counted. Its Window has Allowed false. Neither is a request from outside of the key's
// networks.
//
// Errors: Unauthenticated, one of three texts; Forbidden for such a network; Unavailable while the organization moves
// to another database. Any other error means that the database query failed.
func (s *Service) AuthenticateKey(ctx context.Context, header string, address netip.Addr) (Caller, error) {
	value, err := bearer(header)
	if err != nil {
		return Caller{}, err
	}
	// The lookup is by hash, so its duration reveals nothing about any key.
	hash := sha256.Sum256([]byte(value))
	if s.strangers.refuses(hash, address, time.Now()) {
		return Caller{}, errKey
	}
	c, err := s.keys.Ask(ctx, keyRequest{hash, address})
	if err != nil {
		return Caller{}, fmt.Errorf("authenticate an API key: %w", err)
	}
	known := c.KeyID != uuid.Nil
	if !known && s.cell != 0 {
		if moving, err := s.isMoving(ctx, "key", hex.EncodeToString(hash[:])); err != nil {
			return Caller{}, err
		} else if moving {
			return Caller{}, errMoving
		}
	}
	s.strangers.found(hash, address, known, time.Now())
	if !known {
		return Caller{}, errKey
	}
	if c.foreign {
		return Caller{}, errNetwork
	}
	return c, nil
}

// KnowsKey reports whether an Authorization header has a key of this database, valid or not. It counts no request.
// Errors: Unavailable while the organization of the key moves to another database.
func (s *Service) KnowsKey(ctx context.Context, header string, address netip.Addr) (bool, error) {
	value, err := bearer(header)
	if err != nil {
		return false, nil // every database refuses it in the same way
	}
	hash := sha256.Sum256([]byte(value))
	if s.strangers.refuses(hash, address, time.Now()) {
		return false, nil
	}
	var known, moving bool
	err = s.pool.QueryRow(ctx, `
		select exists (select from api_key where hash = $1),
			exists (select from organization_move_trace where kind = 'key' and id = encode($1, 'hex'))`, hash[:]).
		Scan(&known, &moving)
	if err != nil {
		return false, fmt.Errorf("look for an API key: %w", err)
	}
	if moving && !known {
		return false, errMoving
	}
	s.strangers.found(hash, address, known, time.Now())
	return known, nil
}

// keyRequest is a request with a key.
type keyRequest struct {
	hash    keyHash
	address netip.Addr
}

// keyHands is the number of statements at the same time that authenticate requests. With one, all requests with a busy
// key are in the same statement.
const keyHands = 1

const keyColumns = `api_key_id, organization_id, name, scopes, allowed, requests, resets_at, resets_in, is_foreign`

// useKeys authenticates requests in one statement. It answers a request without a valid key with the zero Caller.
// Unless it waits, it does not answer a request whose key is locked.
func (s *Service) useKeys(
	ctx context.Context, requests []keyRequest, waits bool, answer func(i int, c Caller),
) error {
	var rows pgx.Rows
	var err error
	if len(requests) == 1 {
		r := requests[0]
		rows, err = s.pool.Query(ctx, `select 1, `+keyColumns+` from use_api_key($1, $2, $3, $4, $5)`,
			r.hash[:], nullAddress(r.address), waits, RateLimit, RateWindow)
	} else {
		hashes, addresses := make([][]byte, len(requests)), make([]*netip.Addr, len(requests))
		for i, r := range requests {
			hashes[i], addresses[i] = r.hash[:], nullAddress(r.address)
		}
		rows, err = s.pool.Query(ctx, `select request, `+keyColumns+` from use_api_keys($1, $2, $3, $4)`,
			hashes, addresses, RateLimit, RateWindow)
	}
	if err != nil {
		return err
	}
	defer rows.Close()
	invalid := make([]bool, len(requests))
	for i := range invalid {
		invalid[i] = true
	}
	for rows.Next() {
		c := Caller{Window: Window{Limit: RateLimit}}
		w := &c.Window
		var n, counted int
		var allowed *bool // null: the key is locked
		if err := rows.Scan(&n, &c.KeyID, &c.OrganizationID, &c.Name, &c.Scopes, &allowed, &counted, &w.Reset,
			&w.ResetIn, &c.foreign); err != nil {
			return err
		}
		invalid[n-1] = false
		if allowed != nil {
			w.Allowed, w.Remaining = *allowed, max(RateLimit-counted, 0)
			answer(n-1, c)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for i := range invalid {
		if invalid[i] {
			answer(i, Caller{})
		}
	}
	return nil
}

// bearer returns the key of an Authorization header: the scheme in any case (RFC 9110
// §11.1), one or more spaces, the key.
func bearer(header string) (string, error) {
	header = strings.Trim(header, " \t")
	if header == "" {
		return "", errNoHeader
	}
	scheme, value, _ := strings.Cut(header, " ")
	value = strings.TrimLeft(value, " ")
	if !strings.EqualFold(scheme, "Bearer") || !strings.HasPrefix(value, keyPrefix) {
		return "", errKeyFormat
	}
	digits := value[len(keyPrefix):]
	if len(digits) != hex.EncodedLen(keyBytes) || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", errKey // keys have lowercase digits, so no other key can be known
	}
	return value, nil
}
