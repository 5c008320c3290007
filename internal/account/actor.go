package account

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// ActorKind is the kind of an actor: a person in the dashboard, an integrator's key, or
// the product itself.
type ActorKind string

const (
	ByUser   ActorKind = "user"
	ByKey    ActorKind = "api_key"
	BySystem ActorKind = "system"
)

// Actor is a person, a key or the product acting in an organization. Every method of a
// domain package that changes data takes an Actor, filters its SQL by OrganizationID, and
// records the actor's name in the audit log.
type Actor struct {
	OrganizationID uuid.UUID
	Kind           ActorKind
	ID             uuid.UUID // the user's or the key's id; zero for the system
	Name           string    // as the audit log shows it
	Role           Role      // of a user; empty otherwise
	Address        netip.Addr
	SingleSignOn   bool // of a user: the organization's provider vouches for them, and in this organization only
}

// May reports whether the actor has a right of the dashboard. A key has its scopes, and the
// product itself may do everything.
func (a Actor) May(right Right) bool { return a.Kind != ByUser || a.Role.May(right) }

// System is the actor of automatic actions of the product, such as completing a campaign.
func System(organizationID uuid.UUID) Actor {
	return Actor{OrganizationID: organizationID, Kind: BySystem, Name: "Dialwright"}
}

// Operator is the actor of the commands that the server's operator runs.
func Operator(organizationID uuid.UUID) Actor {
	return Actor{OrganizationID: organizationID, Kind: BySystem, Name: "Command line"}
}

// Object is the object of an audit entry.
type Object struct {
	Type string // campaign, api_key, …
	ID   uuid.UUID
}

// Record writes an audit entry in the caller's transaction. action is noun.verb
// ("campaign.paused"). data is the change, without secrets.
func Record(ctx context.Context, tx pgx.Tx, actor Actor, action string, object Object, data map[string]any) error {
	return record(ctx, tx, uuid.Must(uuid.NewV7()), actor, action, object, data)
}

// RecordEach is Record for many objects of one type, with the same data.
func RecordEach(
	ctx context.Context, tx pgx.Tx, actor Actor, action, objectType string, objects []uuid.UUID, data map[string]any,
) error {
	ids := make([]uuid.UUID, len(objects))
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	return recordEach(ctx, tx, ids, actor, action, objectType, objects, nil, data)
}

// RecordTogether is Record for many objects of one type, in one entry: a list of entries stays readable after a change
// of thousands. Entries about any of them are found by the ID of the object.
func RecordTogether(
	ctx context.Context, tx pgx.Tx, actor Actor, action, objectType string, objects []uuid.UUID, data map[string]any,
) error {
	if len(objects) < 2 {
		return RecordEach(ctx, tx, actor, action, objectType, objects, data)
	}
	counted := map[string]any{countOfObjects: len(objects)}
	maps.Copy(counted, data)
	id := []uuid.UUID{uuid.Must(uuid.NewV7())}
	return recordEach(ctx, tx, id, actor, action, objectType, []uuid.UUID{uuid.Nil}, objects, counted)
}

// countOfObjects is the key of the number of objects in the data of RecordTogether.
const countOfObjects = "count"

// Unchanged ends a change that changed nothing, such as a form that was saved as it was opened. It has no audit entry.
// NothingChanged reports it.
func Unchanged(ctx context.Context) error {
	if o, ok := ctx.Value(outcomeKey{}).(*outcome); ok {
		o.unchanged.Store(true)
	}
	return nil
}

// WithOutcome returns a context for one request of a person, about whose changes NothingChanged can be asked.
func WithOutcome(ctx context.Context) context.Context {
	return context.WithValue(ctx, outcomeKey{}, &outcome{})
}

// NothingChanged reports whether all that was to change under a context of WithOutcome was so already.
func NothingChanged(ctx context.Context) bool {
	o, ok := ctx.Value(outcomeKey{}).(*outcome)
	return ok && o.unchanged.Load() && !o.recorded.Load()
}

type outcomeKey struct{}

// outcome is what the changes of a request came to.
type outcome struct{ unchanged, recorded atomic.Bool }

// Note records an action that changes nothing, such as an export.
func (s *Service) Note(ctx context.Context, actor Actor, action string, object Object, data map[string]any) error {
	return record(ctx, s.pool, uuid.Must(uuid.NewV7()), actor, action, object, data)
}

// NoteHourly is Note for frequent actions, such as the requests of a player. It writes
// one entry per hour for the same actor, address, action and object.
func (s *Service) NoteHourly(ctx context.Context, actor Actor, action string, object Object) error {
	var hour int64
	if err := s.pool.QueryRow(ctx, `select floor(extract(epoch from clock()) / 3600)::bigint`).Scan(&hour); err != nil {
		return fmt.Errorf("read the clock: %w", err)
	}
	name := fmt.Sprint(actor.OrganizationID, actor.Kind, actor.ID, actor.Address, action, object, hour)
	return record(ctx, s.pool, uuid.NewHash(sha256.New(), uuid.Nil, []byte(name), 8), actor, action, object, nil)
}

// record writes an entry. An existing entry with the same id stays unchanged.
func record(
	ctx context.Context, db postgres.DB, id uuid.UUID, actor Actor, action string, object Object, data map[string]any,
) error {
	return recordEach(ctx, db, []uuid.UUID{id}, actor, action, object.Type, []uuid.UUID{object.ID}, nil, data)
}

// recordEach writes one entry for each object. ids are the IDs of the entries. together are the objects of an entry
// about several, which has a zero object.
func recordEach(
	ctx context.Context, db postgres.DB, ids []uuid.UUID, actor Actor, action, objectType string, objects,
	together []uuid.UUID, data map[string]any,
) error {
	if o, ok := ctx.Value(outcomeKey{}).(*outcome); ok {
		o.recorded.Store(true)
	}
	if data == nil {
		data = map[string]any{}
	}
	details, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode audit entry %s: %w", action, err)
	}
	_, err = db.Exec(ctx, `
		insert into audit_entry (id, organization_id, actor_kind, actor_id, actor_name, action, object_type, object_id,
			object_ids, data, address)
		select e.id, @organization_id, @actor_kind, nullif(@actor_id, '00000000-0000-0000-0000-000000000000'::uuid),
		       @actor_name, @action, @object_type,
		       nullif(e.object_id, '00000000-0000-0000-0000-000000000000'::uuid), @together, @data, @address
		from unnest(@ids::uuid[], @objects::uuid[]) as e (id, object_id)
		on conflict (id) do nothing`,
		pgx.NamedArgs{
			"ids": ids, "objects": objects, "together": together, "organization_id": actor.OrganizationID,
			"actor_kind": actor.Kind, "actor_id": actor.ID, "actor_name": actor.Name,
			"action": action, "object_type": objectType,
			"data": details, "address": nullAddress(actor.Address),
		})
	if err != nil {
		return fmt.Errorf("record %s: %w", action, err)
	}
	return nil
}
