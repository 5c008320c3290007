package suppression

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
)

// Filter selects entries. The zero value selects all of them.
type Filter struct {
	Page        page.Request
	Channels    []Channel    // any of them; empty: both
	Sources     []Source     // any of them; empty: all
	ListID      *uuid.UUID   // the subscribed list that has the number; nil: all
	PhoneNumber phone.Number // empty: all; finds erased numbers too
	Search      string       // the first digits, as people write them: "+1 312", "1312"
}

// prefix returns the first characters of the numbers that are searched for; "" for any
// number. A search without digits finds nothing.
func (f Filter) prefix() string {
	search := strings.TrimSpace(f.Search)
	if search == "" {
		return ""
	}
	return "+" + strings.TrimPrefix(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		if strings.ContainsRune("+ -.()/\u00a0", r) {
			return -1
		}
		return '?' // no number contains it
	}, search), "00")
}

// List returns the entries of an organization, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, f Filter) (page.List[Entry], error) {
	args := pgx.NamedArgs{
		"organization_id": organizationID, "number": f.PhoneNumber, "prefix": f.prefix(),
		"hash": HashOf(organizationID, f.PhoneNumber),
	}
	from, where, err := s.narrow(ctx, f, args)
	if err != nil {
		return page.List[Entry]{}, err
	}
	if f.ListID != nil && len(f.Channels) == 0 {
		f.Channels = Channels // the index of list has the entries of each channel in their order
	}
	return page.Read(ctx, s.pool, f.Page, "list the do-not-call list", page.Merge(`
		select `+entryColumns+` from `+from+`
		where organization_id = @organization_id and `+where+page.Where,
		page.Order, page.Equal(args, "channel", f.Channels), page.Equal(args, "source", f.Sources), f.list(args)), args,
		func(e Entry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}

// list returns the conditions for Merge that select the entries of a subscribed list: those that come from it, and
// those with another origin whose numbers it has, too. An index in the order of the list serves the first, which may be
// many.
func (f Filter) list(args pgx.NamedArgs) []string {
	if f.ListID == nil {
		return nil
	}
	args["list_id"] = *f.ListID
	return []string{`list_id = @list_id`, `also_in <> '{}' and also_in @> array[@list_id::uuid]`}
}

// narrow returns a filter as SQL: the tables, and conditions that each end in "and".
// Conditions that no filter needs are left out, so an index in the order of the list
// can serve the others.
func (s *Service) narrow(ctx context.Context, f Filter, args pgx.NamedArgs) (from, where string, err error) {
	from = `do_not_call`
	switch prefix := f.prefix(); {
	case f.PhoneNumber != "":
		from = `(
			select * from do_not_call where organization_id = @organization_id and phone_number collate "C" = @number
			union all
			select * from do_not_call where organization_id = @organization_id and channel = any('{voice,message}')
			  and number_hash = @hash
			offset 0) do_not_call`
	case prefix != "":
		few, err := s.few(ctx, args)
		if err != nil {
			return "", "", err
		}
		if few { // read them all and order them
			from = `(select * from do_not_call where ` + sqlPrefix + ` offset 0) do_not_call`
		}
		where += `starts_with(phone_number, @prefix) and `
	}
	return from, where, nil
}

// sqlPrefix finds numbers by their first characters: ':' is the byte after '9'.
const sqlPrefix = `
	organization_id = @organization_id
	and phone_number collate "C" >= @prefix and phone_number collate "C" < @prefix || ':'`

// fewEntries bounds the entries that are found by their first characters and then sorted.
// If more entries match, they are frequent in the list, so the list is read in its order.
const fewEntries = 2000

func (s *Service) few(ctx context.Context, args pgx.NamedArgs) (bool, error) {
	var n int
	err := s.pool.QueryRow(ctx, `select count(*) from (select from do_not_call where `+sqlPrefix+` limit `+
		strconv.Itoa(fewEntries+1)+`) n`,
		args).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("search the do-not-call list: %w", err)
	}
	return n <= fewEntries, nil
}
