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

// Filter says which entries a list is of. The zero value is all of them.
type Filter struct {
	Page        page.Request
	Channels    []Channel    // any of them; empty: both
	Sources     []Source     // any of them; empty: all
	PhoneNumber phone.Number // empty: all; of an erased person too
	Search      string       // what the number begins with, as people write it: "+1 312", "1312"
}

// prefix is what the numbers searched for begin with, "" for any. No number
// begins with what has no digits.
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
		return '?' // is in no number
	}, search), "00")
}

// List is the entries of an organization, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, f Filter) (page.List[Entry], error) {
	args := pgx.NamedArgs{
		"organization_id": organizationID, "number": f.PhoneNumber, "prefix": f.prefix(),
	}
	if err := f.Page.Args(args); err != nil {
		return page.List[Entry]{}, err
	}
	from, where, err := s.narrow(ctx, f, args)
	if err != nil {
		return page.List[Entry]{}, err
	}
	rows, err := s.pool.Query(ctx, page.Merge(`
		select `+entryColumns+` from `+from+`
		where organization_id = @organization_id and `+where+page.Where,
		page.Order, page.Equal(args, "channel", f.Channels), page.Equal(args, "source", f.Sources)), args)
	if err != nil {
		return page.List[Entry]{}, fmt.Errorf("list the do-not-call list: %w", err)
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByName[Entry])
	if err != nil {
		return page.List[Entry]{}, fmt.Errorf("list the do-not-call list: %w", err)
	}
	return page.Cut(f.Page, entries, func(e Entry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID }), nil
}

// narrow is a filter as SQL: what is read from, and conditions that each end in
// "and". Those that are not asked for are left out, so that an index in the
// order of the list serves one that is.
func (s *Service) narrow(ctx context.Context, f Filter, args pgx.NamedArgs) (from, where string, err error) {
	from = `do_not_call`
	switch prefix := f.prefix(); {
	case f.PhoneNumber != "":
		from = `(
			select * from do_not_call where organization_id = @organization_id and phone_number collate "C" = @number
			union all
			select * from do_not_call where organization_id = @organization_id and channel = any('{voice,message}')
			  and number_hash = number_hash(@organization_id, @number)
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

// sqlPrefix finds numbers by their beginning: ':' is the byte after '9'.
const sqlPrefix = `
	organization_id = @organization_id
	and phone_number collate "C" >= @prefix and phone_number collate "C" < @prefix || ':'`

// fewEntries are as many as are found by their beginning and put in order. Where
// there are more, one in so many of the list is among them, and the list is read
// in its order.
const fewEntries = 2000

func (s *Service) few(ctx context.Context, args pgx.NamedArgs) (bool, error) {
	var n int
	err := s.pool.QueryRow(ctx, `select count(*) from (select from do_not_call where `+sqlPrefix+` limit `+strconv.Itoa(fewEntries+1)+`) n`,
		args).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("search the do-not-call list: %w", err)
	}
	return n <= fewEntries, nil
}
