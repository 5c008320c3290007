package suppression

import (
	"context"
	"fmt"
	"slices"
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
	Erased      bool         // only entries of erased people, whatever their source
	ListID      *uuid.UUID   // the subscribed list that has the number; nil: all
	PhoneNumber phone.Number // empty: all; finds erased numbers too
	Search      string       // the first or the last digits, as people write them: "+1 312", "(312) 555", "0142"
	Region      string       // whose national numbers Search may have
}

// searched is what the numbers of a search begin or end with. One of the texts is enough.
type searched struct {
	beginnings []string // in E.164; none begins with another
	ending     string   // digits; empty: not searched for
	whole      phone.Number
}

// searched reads the search. ok is false without one. A search with other characters than those of numbers finds
// nothing.
func (f Filter) searched() (r searched, ok bool) {
	search := strings.TrimSpace(f.Search)
	if search == "" {
		return r, false
	}
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		if strings.ContainsRune("+ -.()/\u00a0", r) {
			return -1
		}
		return '?' // no number contains it
	}, search)
	r.beginnings = []string{"+" + strings.TrimPrefix(digits, "00")}
	if strings.HasPrefix(search, "+") {
		return r, true
	}
	r.ending = digits
	for _, text := range phone.Beginnings(digits, f.Region) {
		r.begins(text)
	}
	if number, err := phone.ParseNational(search, f.Region); err == nil {
		r.whole = number
		r.begins(number.String())
	}
	return r, true
}

// begins adds a beginning, unless another one includes it.
func (r *searched) begins(text string) {
	for _, known := range r.beginnings {
		if strings.HasPrefix(text, known) {
			return
		}
	}
	r.beginnings = append(slices.DeleteFunc(r.beginnings, func(known string) bool {
		return strings.HasPrefix(known, text)
	}), text)
}

// List returns the entries of an organization, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, f Filter) (page.List[Entry], error) {
	args := pgx.NamedArgs{
		"organization_id": organizationID, "number": f.PhoneNumber, "hash": HashOf(organizationID, f.PhoneNumber),
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

// narrow returns a filter as SQL: the tables, and conditions that each end in "and". It adds the arguments of a search.
// Conditions that no filter needs are left out, so an index in the order of the list
// can serve the others.
func (s *Service) narrow(ctx context.Context, f Filter, args pgx.NamedArgs) (from, where string, err error) {
	var erased string
	if f.Erased {
		erased = `number_hash is not null and `
	}
	if f.PhoneNumber != "" {
		return `(
			select * from do_not_call where organization_id = @organization_id and phone_number collate "C" = @number
			union all
			select * from do_not_call where organization_id = @organization_id and channel = any('{voice,message}')
			  and number_hash = @hash
			offset 0) do_not_call`, erased, nil
	}
	search, ok := f.searched()
	if !ok {
		return `do_not_call`, erased, nil
	}
	conditions := search.conditions(args)
	few, err := s.few(ctx, conditions, args)
	if err != nil {
		return "", "", err
	}
	if few { // read them all and order them
		return `(` + eachOnce(`select *`, conditions, ``) + ` offset 0) do_not_call`, erased, nil
	}
	// No index serves these conditions, so that PostgreSQL does not gather and sort all entries that match.
	where = `phone_number ^@ any(@beginnings::text[])`
	if search.ending != "" {
		where += ` or right(phone_number, length(@ending)) = @ending`
	}
	if search.whole != "" {
		where += ` or number_hash = @hash`
	}
	return `do_not_call`, `(` + where + `) and ` + erased, nil
}

// conditions returns conditions that exclude each other. An index serves each of them: ':' is the byte after '9'.
func (r searched) conditions(args pgx.NamedArgs) (all []string) {
	args["beginnings"] = r.beginnings
	for i, text := range r.beginnings {
		name := "beginning_" + strconv.Itoa(i)
		args[name] = text
		all = append(all, `phone_number collate "C" >= @`+name+` and phone_number collate "C" < @`+name+` || ':'`)
	}
	if r.ending != "" {
		args["ending"] = r.ending
		all = append(all, `reverse(phone_number) collate "C" >= reverse(@ending)
			and reverse(phone_number) collate "C" < reverse(@ending) || ':'
			and not phone_number ^@ any(@beginnings::text[])`)
	}
	if r.whole != "" {
		args["hash"] = HashOf(args["organization_id"].(uuid.UUID), r.whole)
		all = append(all, `number_hash = @hash and channel = any('{voice,message}')`)
	}
	return all
}

// eachOnce reads the entries of each condition. more ends each of the queries.
func eachOnce(columns string, conditions []string, more string) string {
	queries := make([]string, len(conditions))
	for i, condition := range conditions {
		queries[i] = `(` + columns + ` from do_not_call
			where organization_id = @organization_id and ` + condition + more + `)`
	}
	return strings.Join(queries, ` union all `)
}

// fewEntries bounds the entries that a search finds and then sorts. If more entries match, they are frequent in the
// list, so the list is read in its order.
const fewEntries = 2000

func (s *Service) few(ctx context.Context, conditions []string, args pgx.NamedArgs) (bool, error) {
	limit := ` limit ` + strconv.Itoa(fewEntries+1)
	var n int
	err := s.pool.QueryRow(ctx, `
		select count(*) from (select from (`+eachOnce(`select`, conditions, limit)+`) each_once`+limit+`) n`,
		args).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("search the do-not-call list: %w", err)
	}
	return n <= fewEntries, nil
}
