package seal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Column is a column with sealed values. Every package that seals lists its columns
// as Sealed, beside the cells that it seals for, and the replacement of a master key
// walks these lists.
type Column struct {
	Table, Column string
	Key           []string // the columns of the primary key
	Organization  string   // SQL of Cell.Organization; empty for none
	Row           string   // SQL of Cell.Row
}

// Resealed counts the values of one column.
type Resealed struct {
	Current int      // sealed with the first key
	Older   int      // sealed with another key of the vault, or with the first key but without the column
	Done    int      // sealed with the first key in this run
	Closed  []string // rows that do not open, by Cell.Row
}

const (
	resealMost  = 500 // rows found at a time
	resealTries = 10  // attempts at a row that keeps changing
)

// Reseal seals the values of a column again with the vault's first key. It skips values
// that this key sealed already. A dry run only counts. Reseal locks no row for longer
// than one update, so servers may run meanwhile, and an interrupted run can be started
// again. Reseal does not overwrite concurrent changes.
func (v *Vault) Reseal(ctx context.Context, pool *pgxpool.Pool, c Column, dry bool) (r Resealed, err error) {
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

func (v *Vault) older(ctx context.Context, pool *pgxpool.Pool, c Column, after []any) ([]resealing, error) {
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

// reseal seals one row again. It replaces only the value that it read, which is
// recognized by its nonce.
func (v *Vault) reseal(ctx context.Context, pool *pgxpool.Pool, c Column, row resealing, dry bool, r *Resealed) error {
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
			return nil // another process removed it, or sealed it with the first key
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
		sql := fmt.Sprintf(`update %[1]s set %[2]s = $%[3]d%[4]s and substring(%[2]s for %[5]d) = $%[6]d`,
			c.Table, c.Column, n+1, where, headSize, n+2)
		tag, err := pool.Exec(ctx, sql, append(row.key[:n:n], v.Seal(secret, row.cell), sealed[:headSize])...)
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

// parameters lists n parameters after the first ones: "$4, $5" is (3, 2).
func parameters(after, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", after+i+1)
	}
	return strings.Join(list, ", ")
}
