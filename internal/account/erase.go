package account

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// eraseMost bounds the rows that one statement of Erase reads.
const eraseMost = 2000

// Erase removes a phone number, as E.164, from an organization's audit log and from the
// answers kept for its Idempotency-Keys, in batches. It also removes the personal data
// beside the number. The entries and the keys stay.
func (s *Service) Erase(ctx context.Context, organizationID uuid.UUID, number string) error {
	if err := s.eraseAudit(ctx, organizationID, number); err != nil {
		return fmt.Errorf("erase a number from the audit log: %w", err)
	}
	if err := s.eraseAnswers(ctx, organizationID, number); err != nil {
		return fmt.Errorf("erase a number from kept answers: %w", err)
	}
	return nil
}

func (s *Service) eraseAudit(ctx context.Context, organizationID uuid.UUID, number string) error {
	at, id := time.Time{}, uuid.UUID{}
	for n := eraseMost; n == eraseMost; {
		n = 0
		rows, err := s.pool.Query(ctx, `
			select id, created_at, case when strpos(data::text, @number) > 0 then data::text end
			from audit_entry
			where organization_id = @organization_id and (created_at, id) > (@at, @id)
			order by created_at, id limit @most`,
			pgx.NamedArgs{"organization_id": organizationID, "number": number, "at": at, "id": id, "most": eraseMost})
		if err != nil {
			return err
		}
		named := map[uuid.UUID][]byte{}
		var data *string
		_, err = pgx.ForEachRow(rows, []any{&id, &at, &data}, func() error {
			n++
			if data == nil {
				return nil
			}
			erased, err := eraseFrom([]byte(*data), number)
			named[id], data = erased, nil
			return err
		})
		if err != nil {
			return err
		}
		for id, data := range named {
			if _, err := s.pool.Exec(ctx, `update audit_entry set data = $2 where id = $1`, id, data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) eraseAnswers(ctx context.Context, organizationID uuid.UUID, number string) error {
	route, hash := "", []byte{}
	for n := eraseMost; n == eraseMost; {
		n = 0
		rows, err := s.pool.Query(ctx, `
			select route, key_hash, answer from idempotency_key
			where organization_id = @organization_id and (route, key_hash) > (@route, @hash)
			order by route, key_hash limit @most`,
			pgx.NamedArgs{"organization_id": organizationID, "route": route, "hash": hash, "most": eraseMost})
		if err != nil {
			return err
		}
		type kept struct {
			key            idempotencyKey
			before, sealed []byte
		}
		var named []kept
		var sealed []byte
		_, err = pgx.ForEachRow(rows, []any{&route, &hash, &sealed}, func() error {
			n++
			k := idempotencyKey{actor: Actor{OrganizationID: organizationID}, route: route, hash: [32]byte(hash)}
			body, err := s.vault.Open(sealed, k.cell())
			if err != nil || !bytes.Contains(body, []byte(number)) {
				return nil // an answer that does not open cannot be read, and is deleted within a day
			}
			if body, err = eraseFrom(body, number); err != nil {
				body = []byte("{}")
			}
			named = append(named, kept{k, bytes.Clone(sealed), s.vault.Seal(body, k.cell())})
			return nil
		})
		if err != nil {
			return err
		}
		for _, k := range named { // skips a key that was used again meanwhile
			_, err := s.pool.Exec(ctx, `
				update idempotency_key set answer = @sealed
				where organization_id = @organization_id and route = @route and key_hash = @hash and answer = @before`,
				pgx.NamedArgs{
					"organization_id": organizationID, "route": k.key.route, "hash": k.key.hash[:],
					"before": k.before, "sealed": k.sealed,
				})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// personal are the fields with data about the person whose number is beside them.
var personal = map[string]any{
	"name": nil, "recipient_name": nil, "note": "", "variables": struct{}{}, "metadata": struct{}{}, "consent": nil,
}

// eraseFrom empties every text of a JSON document that contains the number, and blanks
// the personal fields of the objects that contain one of these texts.
func eraseFrom(document []byte, number string) ([]byte, error) {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	v, _ = eraseValue(v, number)
	return json.Marshal(v)
}

func eraseValue(v any, number string) (erased any, found bool) {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, number) {
			return "", true
		}
	case []any:
		for i := range v {
			var here bool
			v[i], here = eraseValue(v[i], number)
			found = found || here
		}
	case map[string]any:
		for field := range v {
			var here bool
			v[field], here = eraseValue(v[field], number)
			found = found || here
		}
		if !found {
			break
		}
		for field, blank := range personal {
			if _, there := v[field]; there {
				v[field] = blank
			}
		}
		if template, ok := v["template"].(map[string]any); ok && template["variables"] != nil {
			template["variables"] = struct{}{}
		}
	}
	return v, found
}
