package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
)

// AuthenticateKey finds the key of an Authorization header, counts the request against
// the key's window and records the key's use, in one round trip. A request over the limit
// is not an error and is not counted. Its Window has Allowed false.
//
// Errors: Unauthenticated, one of three texts. Any other error means that the
// database query failed.
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
	var c Caller
	var requests int
	w := Window{Limit: RateLimit}
	err = s.pool.QueryRow(ctx, `
		select api_key_id, organization_id, name, scopes, allowed, requests, resets_at, resets_in
		from use_api_key(@hash, @address, @limit, @window)`, pgx.NamedArgs{
		"hash": hash[:], "address": nullAddress(address), "limit": RateLimit, "window": RateWindow,
	}).Scan(&c.KeyID, &c.OrganizationID, &c.Name, &c.Scopes, &w.Allowed, &requests, &w.Reset, &w.ResetIn)
	if errors.Is(err, pgx.ErrNoRows) {
		s.strangers.found(hash, address, false, time.Now())
		return Caller{}, errKey
	}
	if err != nil {
		return Caller{}, fmt.Errorf("authenticate an API key: %w", err)
	}
	s.strangers.found(hash, address, true, time.Now())
	w.Remaining = max(RateLimit-requests, 0)
	c.Window = w
	return c, nil
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
