package account

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

const (
	maxListColumns = 100 // of a list, those of all its questions included
	maxListColumn  = 100 // characters
)

// Lists whose columns a member chooses.
const (
	CallColumns      = "calls"
	RecipientColumns = "recipients" // of all campaigns
	FollowUpColumns  = "follow_ups"
)

// ListColumns returns the columns that a member chose for a list. chosen is false if the list has those of everybody.
func (s *Service) ListColumns(
	ctx context.Context, actor Actor, list string,
) (columns []string, chosen bool, err error) {
	err = s.pool.QueryRow(ctx, `
		select columns from list_columns where organization_id = $1 and user_id = $2 and list = $3`,
		actor.OrganizationID, actor.ID, list).Scan(&columns)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the columns of a list: %w", err)
	}
	return columns, true, nil
}

// ColumnChoice is a choice among the columns that a form offers.
type ColumnChoice struct {
	List    string
	Offered []string // all of the form
	Shown   []string // of these, those to show
}

// ChooseColumns keeps a member's choice of the columns of a list. Columns that the form does not offer, such as the
// questions of another campaign, stay as they were chosen before. Errors: Invalid.
func (s *Service) ChooseColumns(ctx context.Context, actor Actor, c ColumnChoice) error {
	var p fault.Problems
	if !slices.Contains([]string{CallColumns, RecipientColumns, FollowUpColumns}, c.List) {
		p.Addf("list", "has no columns to choose")
	}
	if len(c.Offered) > maxListColumns {
		p.Addf("column", "must be at most %d", maxListColumns)
	}
	for _, column := range c.Offered {
		check.Line(&p, "column", &column, maxListColumn)
	}
	shown := []string{}
	for _, column := range c.Shown {
		if slices.Contains(c.Offered, column) && !slices.Contains(shown, column) {
			shown = append(shown, column)
		}
	}
	if err := p.Err(); err != nil {
		return err
	}
	// In one statement, so that of two forms neither loses what the other has kept. The oldest ones are dropped beyond
	// the bound: they are questions of campaigns of the past.
	_, err := s.pool.Exec(ctx, `
		insert into list_columns as l (organization_id, user_id, list, columns)
		values (@organization_id, @user_id, @list, @shown)
		on conflict on constraint list_columns_once do update set columns = (
			select excluded.columns || coalesce(array_agg(k.name order by k.n), '{}') from (
				select name, n from unnest(l.columns) with ordinality u (name, n)
				where not name = any(@offered::text[]) order by n limit @most - cardinality(excluded.columns)
			) k)`, pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "user_id": actor.ID, "list": c.List, "shown": shown,
		"offered": append([]string{}, c.Offered...), "most": maxListColumns,
	})
	if err != nil {
		return fmt.Errorf("keep the columns of a list: %w", err)
	}
	return nil
}

// ResetColumns gives a member the columns of a list that everybody has.
func (s *Service) ResetColumns(ctx context.Context, actor Actor, list string) error {
	_, err := s.pool.Exec(ctx, `
		delete from list_columns where organization_id = $1 and user_id = $2 and list = $3`,
		actor.OrganizationID, actor.ID, list)
	if err != nil {
		return fmt.Errorf("reset the columns of a list: %w", err)
	}
	return nil
}
