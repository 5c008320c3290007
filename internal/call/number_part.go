package call

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	// lookedParts is how many people a search for a part of a number reads at most.
	lookedParts = 1_000
	// mostNumbers is how many numbers a list is read for, each by the index of numbers.
	mostNumbers = 50
)

// findNumbers looks for the numbers that have the part of a filter. The indexes of people find them: those of
// recipients and of people who called. If the numbers are many, the list is read in its order.
func (s *Service) findNumbers(ctx context.Context, organization uuid.UUID, f Filter) (Filter, error) {
	f.numbers = nil
	if len(f.NumberPart) == 0 {
		return f, nil
	}
	numbers, crowded := []string{}, false
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		// Only the index of keys serves this search, whatever the statistics of keys say.
		if _, err := tx.Exec(ctx, `set local enable_seqscan = off`); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			with candidates as materialized (
				(select organization_id, phone_number as number from recipient
				where person_keys(organization_id, name, phone_number) @@ @keys::tsquery limit @looked)
				union all
				(select organization_id, person_number from call
				where direction = 'inbound'
				  and person_keys(organization_id, recipient_name, person_number) @@ @keys::tsquery limit @looked)
			)
			select number, (select count(*) from candidates) >= @looked
			from candidates
			where organization_id = @organization_id and number like any(@likes)
			group by number order by number limit @most`, pgx.NamedArgs{
			"organization_id": organization, "keys": f.NumberPart.Keys(organization), "likes": f.NumberPart.Likes(),
			"looked": lookedParts, "most": mostNumbers + 1,
		})
		if err != nil {
			return err
		}
		var number string
		_, err = pgx.ForEachRow(rows, []any{&number, &crowded}, func() error {
			numbers = append(numbers, number)
			return nil
		})
		return err
	})
	if err != nil {
		return f, fmt.Errorf("look for calls by a part of a number: %w", err)
	}
	if !crowded && len(numbers) <= mostNumbers {
		f.numbers = numbers
	}
	return f, nil
}
