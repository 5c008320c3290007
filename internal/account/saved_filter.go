package account

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	maxSavedFilters = 20   // of a member, for one list
	maxFilterQuery  = 2000 // bytes
)

// Lists that are parts of other pages: the filters that a member saves are those of the recipients of all campaigns,
// and of the deliveries of all webhooks.
const (
	RecipientFilters = "/campaigns/recipients"
	DeliveryFilters  = "/webhooks/deliveries"
	DoNotCallFilters = "/do-not-call"
)

// unsaved are the parameters of a list that are not saved with its filters: the position of the page, and what names
// one person, whom an erasure would not find there.
var unsaved = []string{"cursor", "select", "to_number", "number", "external_id"}

// unsavedOf are further ones of single lists: a search by name or number, and what is no filter of the list but of the
// page around it.
var unsavedOf = map[string][]string{
	RecipientFilters: {"q", "as", "check", "test_call"}, DeliveryFilters: {"days"}, DoNotCallFilters: {"q"},
}

// SavedFilter are filters of a list that a member gave a name.
type SavedFilter struct {
	ID        uuid.UUID
	List      string // the path of the list: "/calls", or the name of one that is a part of other pages
	Name      string
	Query     string // of the URL
	CreatedAt time.Time
}

// FilterQuery returns what is saved of the query of a list's URL, in one order. It is empty without filters.
func FilterQuery(list string, query url.Values) string {
	kept := url.Values{}
	for name, values := range query {
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
		if len(values) > 0 && !slices.Contains(unsaved, name) && !slices.Contains(unsavedOf[list], name) {
			kept[name] = values
		}
	}
	return kept.Encode()
}

// SavedFilters returns the saved filters of a member for one list, by name.
func (s *Service) SavedFilters(ctx context.Context, actor Actor, list string) ([]SavedFilter, error) {
	filters, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[SavedFilter], `
		select id, list, name, query, created_at from saved_filter
		where organization_id = @organization_id and user_id = @user_id and list = @list
		order by lower(name), id`,
		pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": actor.ID, "list": list})
	if err != nil {
		return nil, fmt.Errorf("read saved filters: %w", err)
	}
	return filters, nil
}

// SaveFilter saves the filters of a list under a name, or changes the filters of that name. It returns what it has
// saved. Errors: Invalid, Conflict for more than 20 of one list.
func (s *Service) SaveFilter(ctx context.Context, actor Actor, f SavedFilter) (SavedFilter, error) {
	var p fault.Problems
	check.Name(&p, "name", &f.Name)
	query, err := url.ParseQuery(f.Query)
	if err != nil || len(f.Query) > maxFilterQuery {
		p.Addf("query", "these filters cannot be saved")
	} else if f.Query = FilterQuery(f.List, query); f.Query == "" {
		p.Addf("query", "choose a filter first. A name, a phone number and an external ID are not saved")
	}
	if err := p.Err(); err != nil {
		return f, err
	}
	// The member's row is locked, so that two forms do not pass the limit together.
	return f, postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{
			"id": uuid.Must(uuid.NewV7()), "organization_id": actor.OrganizationID, "user_id": actor.ID, "list": f.List,
			"name": f.Name, "query": f.Query, "most": maxSavedFilters,
		}
		var others int
		err := tx.QueryRow(ctx, `
			with member as (
				select from membership where organization_id = @organization_id and user_id = @user_id
				for no key update
			)
			select count(f.id) from member left join saved_filter f on f.organization_id = @organization_id
				and f.user_id = @user_id and f.list = @list and f.name <> @name`, args).Scan(&others)
		if err != nil {
			return fmt.Errorf("count saved filters: %w", err)
		}
		if others >= maxSavedFilters {
			return fault.Conflictf("You have %d saved filters for this list. Delete one first", others)
		}
		_, err = tx.Exec(ctx, `
			insert into saved_filter (id, organization_id, user_id, list, name, query)
			values (@id, @organization_id, @user_id, @list, @name, @query)
			on conflict (organization_id, user_id, list, name) do update set query = excluded.query`, args)
		if err != nil {
			return fmt.Errorf("save filters: %w", err)
		}
		return nil
	})
}

// DeleteSavedFilter deletes saved filters of a member and returns them. Errors: NotFound.
func (s *Service) DeleteSavedFilter(ctx context.Context, actor Actor, id uuid.UUID) (SavedFilter, error) {
	gone, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[SavedFilter], `
		delete from saved_filter where organization_id = $1 and user_id = $2 and id = $3
		returning id, list, name, query, created_at`, actor.OrganizationID, actor.ID, id)
	if err != nil {
		return SavedFilter{}, fmt.Errorf("delete saved filters: %w", err)
	}
	if len(gone) == 0 {
		return SavedFilter{}, fault.NotFoundf("Saved filter")
	}
	return gone[0], nil
}
