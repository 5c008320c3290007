package suppression

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Hashed is an argument of a statement (bytea): the HMAC-SHA256 of an organization's number under the deployment's
// key. It replaces an erased number. The connection computes it when it sends the statement, so the key stays in this
// process. On a connection without the key the statement fails, so that nothing is decided without the hashes.
type Hashed struct {
	organization uuid.UUID
	number       phone.Number
}

// HashOf returns the hash of an organization's number as an argument.
func HashOf(organizationID uuid.UUID, number phone.Number) Hashed {
	return Hashed{organizationID, number}
}

func (h Hashed) under(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(h.organization.String()))
	mac.Write([]byte(" "))
	mac.Write([]byte(h.number))
	return mac.Sum(nil)
}

// UseKey lets a connection send hashes under a key. The product uses Unlock.
func UseKey(conn *pgx.Conn, key []byte) {
	m := conn.TypeMap()
	wrap := func(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
		h, ok := value.(Hashed)
		if !ok {
			return nil, nil, false
		}
		return &hashPlan{key: key}, h.under(key), true
	}
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrap}, m.TryWrapEncodePlanFuncs...)
}

// hashPlan encodes a Hashed.
type hashPlan struct {
	key  []byte
	next pgtype.EncodePlan // of the hash
}

func (p *hashPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *hashPlan) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode(value.(Hashed).under(p.key), buf)
}

// Hash returns the hash of an organization's number.
func Hash(ctx context.Context, db postgres.DB, organizationID uuid.UUID, number phone.Number) (hash []byte, err error) {
	// Only a connection has the key.
	if err := db.QueryRow(ctx, `select $1::bytea`, HashOf(organizationID, number)).Scan(&hash); err != nil {
		return nil, fmt.Errorf("hash a number: %w", err)
	}
	return hash, nil
}

// Names returns a condition of SQL: a number itself is on the list of an organization. It says nothing about erased
// numbers. A statement that picks numbers, which therefore can't be given their hashes, uses it with HasErased. Where
// HasErased is true, ask MarkErased about what was picked.
func Names(channel Channel, organizationID, number string) string {
	return `(` + entryOf(channel, organizationID) + `dnc.phone_number = ` + number + ` offset 0))`
}

// HasErased returns a condition of SQL: the list of an organization has erased numbers.
func HasErased(organizationID string) string {
	return `exists (select from do_not_call dnc
		where dnc.organization_id = ` + organizationID + ` and dnc.number_hash is not null offset 0)`
}

// MarkErased calls mark with the index of each row whose number is on the list of its organization as an erased one. of
// returns the number of a row, and whether it may be erased: HasErased is true, and the number itself is not on the
// list.
func MarkErased[R any](
	ctx context.Context, db postgres.DB, channel Channel, rows []R, of func(R) (number Hashed, unsure bool),
	mark func(i int),
) error {
	var numbers []Hashed
	for _, r := range rows {
		if number, unsure := of(r); unsure {
			numbers = append(numbers, number)
		}
	}
	erased, err := erasedOf(ctx, db, channel, numbers)
	if len(erased) == 0 {
		return err
	}
	for i, r := range rows {
		if number, _ := of(r); erased[number] {
			mark(i)
		}
	}
	return nil
}

// erasedOf returns those of the numbers that are on the list of their organization as erased ones.
func erasedOf(
	ctx context.Context, db postgres.DB, channel Channel, numbers []Hashed,
) (erased map[Hashed]bool, err error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	organizations := make([]uuid.UUID, len(numbers))
	for i, n := range numbers {
		organizations[i] = n.organization
	}
	found, err := postgres.Collect(ctx, db, pgx.RowTo[int], `
		select n.i from unnest(@organizations::uuid[], @hashes::bytea[]) with ordinality n (organization_id, hash, i)
		where exists (
			select from do_not_call d
			where d.organization_id = n.organization_id and d.channel = @channel and d.number_hash = n.hash)`,
		pgx.NamedArgs{"organizations": organizations, "hashes": numbers, "channel": channel})
	if err != nil {
		return nil, fmt.Errorf("look for %d numbers among the erased ones: %w", len(numbers), err)
	}
	erased = make(map[Hashed]bool, len(found))
	for _, i := range found {
		erased[numbers[i-1]] = true
	}
	return erased, nil
}
