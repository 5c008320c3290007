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

// maxIdempotencyKey bounds the key a client chooses, in characters.
const maxIdempotencyKey = 255

// Answer is what a request was answered with.
type Answer struct {
	Status   int // HTTP
	Body     []byte
	Replayed bool // kept from an earlier request; work was not done again
}

// errRollback undoes the savepoint of a refused work.
var errRollback = errors.New("the work was refused")

// Idempotent does work at most once per organization, route and key: the work,
// its answer (sealed) and the key are committed together, and the same request
// made again within IdempotencyLifetime gets that answer. body is the request's
// body as it came. Without a key (""), the work is just done in a transaction.
//
// work answers with a status and a body. 2xx is committed. Anything else is
// undone; of these, answers about the state of things (404, 409, 422) are kept
// for the key, and those that the same request may get past (400, 401, 403,
// 413, 429, 5xx) are not. An error of work undoes all, is not kept, and comes
// back as it is. Whom a commit should wake is for the caller to wake afterwards.
//
// Errors: Invalid for a malformed key; Conflict while the first request is
// being processed, and when the key came with another body before.
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

// work does it in a savepoint, which is undone when the work was refused.
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

// idempotencyKey is one key on its way through a request.
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

// lock makes this request the only one with the key until its transaction ends.
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

// keep stores the answer, in place of one whose time is over.
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
