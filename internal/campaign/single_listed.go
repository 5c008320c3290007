package campaign

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// listedMost bounds the entries of the do-not-call list that one CancelListed handles.
const listedMost = 1000

// CancelListed cancels the scheduled calls to numbers that were added to the do-not-call list, and returns how many
// entries it handled. It runs after the entry is stored, not with it: whoever adds an entry may hold locks that another
// holder of a standing campaign waits for. Until then, no claim places such a call, because each looks into the list.
func (s *Service) CancelListed(ctx context.Context) (entries int, err error) {
	type fresh struct {
		ID             uuid.UUID
		OrganizationID uuid.UUID
		PhoneNumber    phone.Number
		Standing       *uuid.UUID // with a scheduled call to the number
	}
	found, err := postgres.Collect(ctx, s.db, pgx.RowToStructByName[fresh], `
		with fresh as materialized (
			select id, organization_id, phone_number from do_not_call
			where not calls_canceled and channel = 'voice' and phone_number is not null
			order by id
			limit $1
		)
		select f.id, f.organization_id, f.phone_number, r.campaign_id as standing
		from fresh f
		left join lateral (
			select campaign_id from recipient
			where organization_id = f.organization_id and phone_number = f.phone_number and next_call_id is not null
			offset 0
		) r on true`, listedMost)
	if err != nil {
		return 0, fmt.Errorf("find new entries of the do-not-call list: %w", err)
	}
	type standing struct{ organization, id uuid.UUID }
	numbers := map[standing][]phone.Number{}
	var order []standing
	var ids []uuid.UUID
	for _, f := range found {
		ids = append(ids, f.ID)
		if f.Standing == nil {
			continue
		}
		c := standing{f.OrganizationID, *f.Standing}
		if numbers[c] == nil {
			order = append(order, c)
		}
		numbers[c] = append(numbers[c], f.PhoneNumber)
	}
	slices.SortFunc(order, func(a, b standing) int { return bytes.Compare(a.id[:], b.id[:]) })
	for _, c := range order {
		if err := s.cancelListed(ctx, c.organization, c.id, numbers[c]); err != nil {
			return 0, err
		}
	}
	// The order is that of whoever adds several numbers. If the process dies before this statement, the next run
	// handles the entries again and finds no calls.
	if _, err := s.db.Exec(ctx, `
		update do_not_call set calls_canceled = true
		where id in (
			select id from do_not_call where id = any($1)
			order by organization_id, phone_number collate "C" for no key update)`, ids); err != nil {
		return 0, fmt.Errorf("note that calls to %d numbers are canceled: %w", len(ids), err)
	}
	return len(ids), nil
}

// cancelListed cancels the scheduled calls of a standing campaign to numbers, as far as they are on the list now.
func (s *Service) cancelListed(
	ctx context.Context, organizationID, standing uuid.UUID, numbers []phone.Number,
) error {
	err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		if _, err := Lock(ctx, tx, organizationID, standing); err != nil {
			return err
		}
		listed, err := suppression.Listed(ctx, tx, organizationID, suppression.Voice, numbers)
		if err != nil {
			return err
		}
		recipients, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select r.id from recipient r
			where r.organization_id = $1 and r.campaign_id = $2 and r.phone_number = any($3)
			  and r.status = 'pending' and r.next_call_id is not null`,
			organizationID, standing, slices.Collect(maps.Keys(listed)))
		if err != nil {
			return fmt.Errorf("read scheduled calls to %d numbers: %w", len(numbers), err)
		}
		return CloseCalls(ctx, tx, recipients, ClosedBy(call.ReasonDoNotCall, ""))
	})
	if err != nil {
		return fmt.Errorf("cancel calls to numbers on the do-not-call list: %w", err)
	}
	s.hub.Wake(call.TopicSettlement)
	return nil
}
