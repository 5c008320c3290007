package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Entry is a line of the audit log: actor, action, object, time and address. The log is
// kept as long as its organization.
type Entry struct {
	ID         uuid.UUID
	ActorKind  ActorKind
	ActorID    *uuid.UUID // nil for the product itself
	ActorName  string     // name at the time of the action
	Action     string     // noun.verb
	ObjectType string
	ObjectID   *uuid.UUID
	Data       map[string]any // the change, without secrets
	Address    *netip.Addr    // nil for the product itself, and if unknown
	CreatedAt  time.Time
}

// Count is how many objects the entry is about: 0 if it has none.
func (e Entry) Count() int {
	if n, ok := e.Data[countOfObjects].(float64); ok && e.ObjectID == nil {
		return int(n)
	}
	if e.ObjectID == nil {
		return 0
	}
	return 1
}

const entryColumns = `id, actor_kind, actor_id, actor_name, action, object_type, object_id, data, address, created_at`

// EntryFilter selects entries. The zero value selects all entries.
type EntryFilter struct {
	Actor      uuid.UUID // a user or a key
	System     bool      // only actions of the product itself
	Action     string
	ObjectType string
	Object     uuid.UUID
}

// where returns the condition of a filter. Each combination is a separate statement, so
// that each can use its own index.
func (f EntryFilter) where(args pgx.NamedArgs) string {
	sql := `organization_id = @organization_id`
	if f.Actor != uuid.Nil {
		sql += ` and actor_id = @actor`
		args["actor"] = f.Actor
	}
	if f.System {
		sql += ` and actor_kind = 'system'`
	}
	if f.Action != "" {
		sql += ` and action = @action`
		args["action"] = check.Searchable(f.Action)
	}
	if f.ObjectType != "" {
		sql += ` and object_type = @object_type`
		args["object_type"] = check.Searchable(f.ObjectType)
	}
	return sql
}

// source returns the entries that where is about: of an object, those about it alone and those about several, each read
// by an index of its own.
func (f EntryFilter) source(args pgx.NamedArgs) string {
	if f.Object == uuid.Nil {
		return `audit_entry`
	}
	args["object"] = f.Object
	return `(
			select * from audit_entry where organization_id = @organization_id and object_id = @object
			union all (
				select * from audit_entry
				where organization_id = @organization_id and object_ids @> array[@object::uuid] offset 0
			)
		) audit_entry`
}

// Entries lists the audit log, newest first.
func (s *Service) Entries(
	ctx context.Context, organizationID uuid.UUID, f EntryFilter, p page.Request,
) (page.List[Entry], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, p, "list audit entries", `
		select `+entryColumns+` from `+f.source(args)+`
		where `+f.where(args)+` and `+page.Where+`
		`+page.Order, args,
		func(e Entry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}

// AllEntries streams the audit log, newest first. It ignores p's Limit and Cursor.
func (s *Service) AllEntries(
	ctx context.Context, organizationID uuid.UUID, f EntryFilter, p page.Request,
) iter.Seq2[Entry, error] {
	p.Limit = page.MaxLimit
	read := func(p page.Request) (page.List[Entry], error) { return s.Entries(ctx, organizationID, f, p) }
	return page.All(p, read, func(e Entry) (Entry, error) { return e, nil })
}

// Entry returns an entry, and the earlier settings of the same object: the data of its
// newest earlier creation or update, nil if there is none. Errors: NotFound.
func (s *Service) Entry(ctx context.Context, organizationID, id uuid.UUID) (e Entry, before map[string]any, err error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "id": id}
	e, err = postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[Entry], `select `+entryColumns+
		` from audit_entry where organization_id = @organization_id and id = @id`, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Entry{}, nil, fault.NotFoundf("Entry")
	}
	if err != nil {
		return Entry{}, nil, fmt.Errorf("read an audit entry: %w", err)
	}
	if e.ObjectID == nil {
		return e, nil, nil
	}
	var data []byte
	err = s.pool.QueryRow(ctx, `
		select p.data from audit_entry p
		where p.organization_id = @organization_id and p.object_id = @object_id and p.object_type = @object_type
		  and (p.created_at, p.id) < (@created_at, @id)
		  and p.action in (@noun || '.created', @noun || '.updated')
		order by p.created_at desc, p.id desc
		limit 1`, pgx.NamedArgs{
		"organization_id": organizationID, "id": id, "object_id": e.ObjectID, "object_type": e.ObjectType,
		"created_at": e.CreatedAt,
		"noun":       e.ObjectType,
	}).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return e, nil, nil
	}
	if err != nil {
		return Entry{}, nil, fmt.Errorf("read the audit entry before: %w", err)
	}
	if err := json.Unmarshal(data, &before); err != nil {
		return Entry{}, nil, fmt.Errorf("read the audit entry before: %w", err)
	}
	return e, before, nil
}
