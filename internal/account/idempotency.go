package account

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// IdempotencyLifetime is how long an answer is kept for its Idempotency-Key.
const IdempotencyLifetime = 24 * time.Hour

// maxIdempotencyKey bounds the length of a client's key, in characters.
const maxIdempotencyKey = 255

// Answer is the response to a request.
type Answer struct {
	Status   int // HTTP
	Body     []byte
	Replayed bool // the answer of an earlier request; work did not run again
}

// errRollback rolls back the savepoint of refused work.
var errRollback = errors.New("the work was refused")

// Idempotent runs work at most once per organization, route and key. It commits the work,
// its answer (sealed) and the key together. The same request within IdempotencyLifetime
// gets the same answer. body is the unchanged body of the request. Without a key (""),
// Idempotent only runs work in a transaction.
//
// work returns a status and a body. The work of a 2xx answer is committed. The work of
// any other answer is rolled back. Answers about the current state (404, 409, 422) are
// kept for the key. Answers that the same request may not get again (400, 401, 403, 413,
// 429, 5xx) are not kept. An error of work rolls back everything, is not kept, and is
// returned unchanged. A caller that wakes others for a commit must do so after Idempotent
// returns.
//
// Errors: Invalid for a malformed key; Conflict while the first request is being
// processed, and when the key was used with another body.
func (s *Service) Idempotent(
	ctx context.Context, actor Actor, route, key string, body []byte,
	work func(tx pgx.Tx) (status int, answer []byte, err error),
) (Answer, error) {
	if key != "" {
		if err := checkIdempotencyKey(key); err != nil {
			return Answer{}, err
		}
	}
	var answer Answer
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if key == "" {
			return answer.work(ctx, tx, work)
		}
		k := s.idempotencyKey(actor, route, key, body)
		if err := k.lock(ctx, tx); err != nil {
			return err
		}
		found, err := k.replay(ctx, tx, &answer)
		if err != nil || found {
			return err
		}
		if err := answer.work(ctx, tx, work); err != nil || !kept(answer.Status) {
			return err
		}
		return k.keep(ctx, tx, answer)
	})
	if err != nil {
		return Answer{}, err
	}
	return answer, nil
}

func checkIdempotencyKey(key string) error {
	valid := len(key) <= maxIdempotencyKey
	for i := range len(key) {
		valid = valid && key[i] >= ' ' && key[i] <= '~'
	}
	if !valid {
		return fault.Invalidf("Idempotency-Key", "must be 1 to %d printable ASCII characters", maxIdempotencyKey)
	}
	return nil
}

func kept(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return true
	}
	return status < 300
}

// work runs the work in a savepoint, and rolls back refused work.
func (a *Answer) work(ctx context.Context, tx pgx.Tx, work func(pgx.Tx) (int, []byte, error)) error {
	err := postgres.InTx(ctx, tx, func(tx pgx.Tx) (err error) {
		if a.Status, a.Body, err = work(tx); err == nil && a.Status >= 300 {
			return errRollback
		}
		return err
	})
	if errors.Is(err, errRollback) {
		return nil
	}
	return err
}

// idempotencyKey is the key of one request.
type idempotencyKey struct {
	vault    *seal.Vault
	actor    Actor
	route    string
	hash     [sha256.Size]byte // of the key
	bodyHash [sha256.Size]byte
}

func (s *Service) idempotencyKey(actor Actor, route, key string, body []byte) idempotencyKey {
	return idempotencyKey{
		vault: s.vault, actor: actor, route: route, hash: sha256.Sum256([]byte(key)), bodyHash: sha256.Sum256(body),
	}
}

func (k idempotencyKey) cell() seal.Cell {
	return seal.Cell{
		Organization: k.actor.OrganizationID,
		Table:        "idempotency_key",
		Column:       "answer",
		Row:          k.route + " " + hex.EncodeToString(k.hash[:]),
	}
}

// lock makes this request the only request with the key until its transaction ends.
func (k idempotencyKey) lock(ctx context.Context, tx pgx.Tx) error {
	sum := sha256.Sum256([]byte(k.cell().String()))
	var got bool
	err := tx.QueryRow(ctx, `select pg_try_advisory_xact_lock(@key)`,
		pgx.NamedArgs{"key": int64(binary.BigEndian.Uint64(sum[:8]))}).Scan(&got)
	if err != nil {
		return fmt.Errorf("lock an idempotency key: %w", err)
	}
	if !got {
		f := fault.Conflictf("A request with this Idempotency-Key is still being processed")
		f.RetryAfter = time.Second
		return f
	}
	return nil
}

// replay finds the answer of an earlier request.
func (k idempotencyKey) replay(ctx context.Context, tx pgx.Tx, answer *Answer) (found bool, err error) {
	var status int
	var bodyHash, sealed []byte
	err = tx.QueryRow(ctx, `
		select status, body_hash, answer
		from idempotency_key
		where organization_id = @organization_id and route = @route and key_hash = @key_hash
		  and created_at > clock() - @lifetime::interval`, pgx.NamedArgs{
		"organization_id": k.actor.OrganizationID, "route": k.route, "key_hash": k.hash[:],
		"lifetime": IdempotencyLifetime,
	}).Scan(&status, &bodyHash, &sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read an idempotency key: %w", err)
	}
	if !bytes.Equal(bodyHash, k.bodyHash[:]) {
		return false, fault.Conflictf("Idempotency-Key was used with a different body")
	}
	body, err := k.vault.Open(sealed, k.cell())
	if err != nil {
		return false, fmt.Errorf("open a kept answer: %w", err)
	}
	*answer = Answer{Status: status, Body: body, Replayed: true}
	return true, nil
}

// keep stores the answer. It replaces an expired answer.
func (k idempotencyKey) keep(ctx context.Context, tx pgx.Tx, answer Answer) error {
	_, err := tx.Exec(ctx, `
		insert into idempotency_key (organization_id, route, key_hash, body_hash, status, answer)
		values (@organization_id, @route, @key_hash, @body_hash, @status, @answer)
		on conflict (organization_id, route, key_hash) do update
		set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer,
		    created_at = excluded.created_at`, pgx.NamedArgs{
		"organization_id": k.actor.OrganizationID, "route": k.route, "key_hash": k.hash[:], "body_hash": k.bodyHash[:],
		"status": answer.Status, "answer": k.vault.Seal(answer.Body, k.cell()),
	})
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}
