package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/crypto/chacha20poly1305"
)

// SealedColumn is a column of what a Vault has sealed. Every package that seals
// lists its own, as Sealed, beside the Place that it seals for: by this list the
// master key is replaced.
type SealedColumn struct {
	Table, Column string
	Key           []string // the columns of the primary key
	Organization  string   // SQL of Place.Organization; "" for none
	Row           string   // SQL of Place.Row
}

// Sealed are the columns of this package.
var Sealed = []SealedColumn{
	{Table: "idempotency_key", Column: "answer", Key: []string{"organization_id", "route", "key_hash"}, Organization: "organization_id", Row: "route || ' ' || encode(key_hash, 'hex')"},
	{Table: "second_factor", Column: "seed", Key: []string{"user_id"}, Row: "user_id::text"},
}

// Resealed is what became of one column.
type Resealed struct {
	Current int      // sealed by the first key
	Older   int      // sealed by another key of the vault, or by the first without the column
	Done    int      // sealed by the first key now, and otherwise before
	Closed  []string // rows that do not open, by Place.Row
}

const (
	resealMost  = 500 // rows found at a time
	resealTries = 10  // how often a row is sealed again that others keep changing
	headSize    = keyIDSize + chacha20poly1305.NonceSizeX
)

// Reseal seals all of a column by the vault's first key that is sealed otherwise;
// dry only looks. It goes from row to row and holds none, so servers may
// run meanwhile, and it may be cut off and begun again: what somebody changes at
// the same time stays as they leave it.
func (v *Vault) Reseal(ctx context.Context, pool *pgxpool.Pool, c SealedColumn, dry bool) (r Resealed, err error) {
	var after []any
	for {
		rows, err := v.older(ctx, pool, c, after)
		if err != nil {
			return r, err
		}
		for _, row := range rows {
			if err := v.reseal(ctx, pool, c, row, dry, &r); err != nil {
				return r, err
			}
		}
		if len(rows) < resealMost {
			break
		}
		after = rows[len(rows)-1].key
	}
	err = pool.QueryRow(ctx, `select count(*) from `+c.Table+` t where substring(`+c.Column+` for @size) = @id`,
		pgx.NamedArgs{"size": keyIDSize, "id": v.keys[0].id[:]}).Scan(&r.Current)
	if err != nil {
		return r, fmt.Errorf("count %s of %s: %w", c.Column, c.Table, err)
	}
	r.Current -= r.Done
	return r, nil
}

// resealing is a row whose secret is not sealed by the first key, or not for its column.
type resealing struct {
	key  []any
	cell Cell
}

func (v *Vault) older(ctx context.Context, pool *pgxpool.Pool, c SealedColumn, after []any) ([]resealing, error) {
	organization := c.Organization
	if organization == "" {
		organization = "null"
	}
	key := strings.Join(c.Key, ", ")
	args := []any{keyIDSize, v.keys[0].id[:], resealMost}
	from := ""
	if after != nil {
		from = " and (" + key + ") > (" + parameters(len(args), len(after)) + ")"
		args = append(args, after...)
	}
	rows, err := pool.Query(ctx, `
		select `+key+`, (`+organization+`)::text as place_organization, `+c.Row+` as place_row
		from `+c.Table+` t
		where octet_length(`+c.Column+`) > 0 and substring(`+c.Column+` for $1) <> $2`+from+`
		order by `+key+` limit $3`, args...)
	if err != nil {
		return nil, fmt.Errorf("find %s of %s: %w", c.Column, c.Table, err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (resealing, error) {
		values, err := row.Values()
		if err != nil {
			return resealing{}, err
		}
		of := resealing{key: values[:len(c.Key)], cell: Cell{Table: c.Table, Column: c.Column}}
		of.cell.Row, _ = values[len(c.Key)+1].(string)
		if id, ok := values[len(c.Key)].(string); ok {
			of.cell.Organization, err = uuid.Parse(id)
		}
		return of, err
	})
	if err != nil {
		return nil, fmt.Errorf("find %s of %s: %w", c.Column, c.Table, err)
	}
	return found, nil
}

// reseal seals one row again. What was read is replaced only while it stands
// there: its nonce tells it from anything that was sealed since.
func (v *Vault) reseal(ctx context.Context, pool *pgxpool.Pool, c SealedColumn, row resealing, dry bool, r *Resealed) error {
	where := ` where (` + strings.Join(c.Key, ", ") + `) = (` + parameters(0, len(row.key)) + `)`
	for range resealTries {
		var sealed []byte
		err := pool.QueryRow(ctx, `select `+c.Column+` from `+c.Table+where, row.key...).Scan(&sealed)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s of %s %s: %w", c.Column, c.Table, row.cell.Row, err)
		}
		if len(sealed) == 0 || len(sealed) >= keyIDSize && [keyIDSize]byte(sealed) == v.keys[0].id {
			return nil // taken away, or sealed by the first key, by somebody else
		}
		secret, err := v.Open(sealed, row.cell)
		if err != nil {
			r.Closed = append(r.Closed, row.cell.Row)
			return nil
		}
		if dry {
			r.Older++
			return nil
		}
		n := len(row.key)
		tag, err := pool.Exec(ctx, fmt.Sprintf(`update %[1]s set %[2]s = $%[3]d%[4]s and substring(%[2]s for %[5]d) = $%[6]d`, c.Table, c.Column, n+1, where, headSize, n+2),
			append(row.key[:n:n], v.Seal(secret, row.cell), sealed[:headSize])...)
		if err != nil {
			return fmt.Errorf("seal %s of %s %s: %w", c.Column, c.Table, row.cell.Row, err)
		}
		if tag.RowsAffected() == 1 {
			r.Done++
			return nil
		}
	}
	r.Older++
	return nil
}

// parameters are n of them after the first few: "$4, $5".
func parameters(after, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", after+i+1)
	}
	return strings.Join(list, ", ")
}
