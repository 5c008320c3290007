package call

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Sort is the order of a search.
type Sort string

const (
	Newest    Sort = "newest"    // newest matches first
	Relevance Sort = "relevance" // the newest matches by relevance, without pages
)

// Sorts are all orders.
var Sorts = []Sort{Newest, Relevance}

const (
	maxQuery = 200 // characters of a search
	// ranked is how many of the newest matches are ranked by relevance.
	ranked = 1000
	// walked is how many of the newest transcripts are read one by one before the index of words is
	// used. These transcripts are enough to find a common word.
	walked = 1000
	// mostFound bounds a page of matches. The part that matches is cut from each transcript, which takes much longer
	// than to find it.
	mostFound = 100
	// crowded is the number of matches above which a period of time is divided.
	crowded = 2000
)

// position is a position in the order of calls.
type position struct {
	at time.Time
	id uuid.UUID
}

func idsAt(found []position) []uuid.UUID {
	return page.IDs(found, func(p position) uuid.UUID { return p.id })
}

// finder finds the newest calls that match a search, from one time backwards. It belongs to one
// transaction.
//
// It first reads the newest transcripts one by one, which finds common words. Then it asks the
// index for the matches of periods of time, each sixteen times as long as the period before. So a
// rare word takes five statements, however many calls there are. A period with too many matches is
// divided until its parts have few matches, or until reading one by one finds enough. So PostgreSQL
// never gathers and sorts all matches of a word.
type finder struct {
	tx      pgx.Tx
	args    pgx.NamedArgs
	words   words
	filter  string // SQL on call_search s
	want    int
	after   time.Time // only calls after this time are wanted; zero: all
	until   time.Time // when to return the calls found so far
	now     func() time.Time
	walked  int
	crowded int

	found []position // newest first
	mark  position   // all matches down to this position are found
}

// find collects the wanted calls. It reports whether it searched all calls. If not, more
// matches may follow after mark.
func (f *finder) find(ctx context.Context) (all bool, err error) {
	all, err = f.walk(ctx, f.walked)
	if all || err != nil || f.enough() {
		return all, err
	}
	if f.words.keys == "" { // a search for absent words, which nearly all calls match
		return f.walkTo(ctx, time.Time{})
	}
	// Block n of a level spans the seconds from n to n+1 times the length of the level.
	block := f.mark.at.Unix() / blockSeconds(0)
	for level := range blockLevels {
		oldest := block &^ (blockFan - 1) // the first block within the block above
		if level == blockLevels-1 {
			oldest = 0
		}
		if newest := block; newest >= oldest {
			if err := f.blocks(ctx, level, newest, oldest); err != nil || f.enough() {
				return false, err
			}
			if !f.after.IsZero() && blockStart(level, oldest).Before(f.after) {
				return true, nil
			}
		}
		block = block/blockFan - 1
	}
	return true, nil
}

// Blocks of time, as the SQL function search_keys marks them.
const (
	blockLevels = 5
	blockFan    = 16
)

func blockSeconds(level int) int64 { return 3600 << (4 * level) }

func blockStart(level int, block int64) time.Time { return time.Unix(block*blockSeconds(level), 0) }

func (f *finder) enough() bool { return len(f.found) >= f.want || f.now().After(f.until) }

// walk reads the next n transcripts one by one. It reports whether no transcripts follow.
func (f *finder) walk(ctx context.Context, n int) (all bool, err error) {
	f.args["at"], f.args["id"], f.args["walked"] = f.mark.timestamp(), f.mark.id, n
	rows, err := f.tx.Query(ctx, `
		select call_id, created_at, hit, n from (
			select call_id, created_at, hit, row_number() over () as n, lead(call_id) over () is null as last from (
				select s.call_id, s.created_at, (`+f.words.exact+f.filter+`) is true as hit
				from call_search s
				where s.organization_id = @organization_id and (s.created_at, s.call_id) < (@at, @id) and `+
		`s.created_at > @page_after and s.created_at < @page_before
				order by s.created_at desc, s.call_id desc
				limit @walked
			) s
		) s where hit or last`, f.args)
	if err != nil {
		return false, fmt.Errorf("search calls: %w", err)
	}
	var p position
	var hit bool
	seen := 0
	_, err = pgx.ForEachRow(rows, []any{&p.id, &p.at, &hit, &seen}, func() error {
		if hit {
			f.found = append(f.found, p)
		}
		f.mark = p
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("search calls: %w", err)
	}
	return seen < n, nil
}

// blocks finds the matches in blocks of one level, from newest to oldest, including both.
func (f *finder) blocks(ctx context.Context, level int, newest, oldest int64) error {
	if !f.after.IsZero() && blockStart(level, newest+1).Before(f.after) {
		return nil
	}
	if f.mark.at.Before(blockStart(level, oldest)) { // walk has passed these blocks
		return nil
	}
	newest = min(newest, f.mark.at.Unix()/blockSeconds(level))
	marks := make([]string, 0, newest-oldest+1)
	for n := newest; n >= oldest; n-- {
		marks = append(marks, quoteLexeme(fmt.Sprintf("%s%d%d", f.words.prefix, level, n)))
	}
	f.args["keys"] = "(" + strings.Join(marks, " | ") + ")" + f.words.keys
	f.args["at"], f.args["id"], f.args["crowded"] = f.mark.timestamp(), f.mark.id, f.crowded
	// The inner condition has only the parts that the index of words serves. Otherwise PostgreSQL
	// might use the index by time, and read everything.
	rows, err := f.tx.Query(ctx, `
		with near as materialized (
			select s.call_id, s.created_at,
			       (s.organization_id = @organization_id and (s.created_at, s.call_id) < (@at, @id)
				and s.created_at > @page_after and s.created_at < @page_before
			       and `+f.words.exact+f.filter+`) is true as hit
			from call_search s
			where search_keys(s.organization_id, s.created_at, s.campaign_id, s.agent_id, s.phone_number_id,
				s.document) @@ @keys::tsquery
			limit @crowded + 1
		)
		select null::uuid, null::timestamptz, count(*) from near
		union all
		(select call_id, created_at, 0 from near where hit order by created_at desc, call_id desc)`, f.args)
	if err != nil {
		return fmt.Errorf("search calls: %w", err)
	}
	var id *uuid.UUID
	var at *time.Time
	var n, count int
	var found []position
	_, err = pgx.ForEachRow(rows, []any{&id, &at, &n}, func() error {
		if id == nil {
			count = n
		} else {
			found = append(found, position{*at, *id})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("search calls: %w", err)
	}
	if count <= f.crowded {
		slices.SortFunc(found, position.compare)
		f.found = append(f.found, found...)
		f.mark = position{at: blockStart(level, oldest)} // no ID is smaller, so all calls of this time are found
		return nil
	}
	if newest == oldest && level == 0 {
		_, err := f.walkTo(ctx, blockStart(0, oldest))
		return err
	}
	if newest == oldest { // divide the block into the blocks of the level below
		level, newest, oldest = level-1, newest*blockFan+blockFan-1, newest*blockFan
	}
	middle := oldest + (newest-oldest)/2
	if err := f.blocks(ctx, level, newest, middle+1); err != nil || f.enough() {
		return err
	}
	// Where matches are frequent, reading a few transcripts may be enough.
	if _, err := f.walk(ctx, f.walked/4); err != nil || f.enough() {
		return err
	}
	return f.blocks(ctx, level, middle, oldest)
}

// walkTo walks until enough calls are found or start is reached.
func (f *finder) walkTo(ctx context.Context, start time.Time) (all bool, err error) {
	for {
		all, err = f.walk(ctx, f.walked)
		if all || err != nil || f.enough() || f.mark.at.Before(start) {
			return all, err
		}
	}
}

// compare orders positions as lists do: newest first.
func (p position) compare(q position) int {
	if c := q.at.Compare(p.at); c != 0 {
		return c
	}
	return slices.Compare(q.id[:], p.id[:])
}

func (p position) timestamp() pgtype.Timestamptz {
	if p.at.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: p.at, Valid: true}
}

// words is a parsed search. Each transcript was indexed in the language of its agent, so the
// search is parsed in all of these languages.
type words struct {
	prefix string // of the keys of the organization
	by     Speaker
	exact  string // SQL condition on call_search s: the call matches
	query  string // SQL on call_search s: the search as a tsquery in the call's language
	keys   string // the keys that a match must have, as the rest of a tsquery: " & …" or nothing
}

// readWords parses a search in the languages of the organization's calls, and adds its
// arguments. ok is false when no call can match. Errors: Invalid.
func readWords(
	ctx context.Context, db postgres.DB, organization uuid.UUID, f Filter, args pgx.NamedArgs,
) (w words, ok bool, err error) {
	// Read the languages, with one probe of the index for each.
	rows, err := db.Query(ctx, `
		with recursive languages as (
			(select language from call_search where organization_id = $1 order by language limit 1)
			union all
			select (select language from call_search where organization_id = $1 and language > l.language
				order by language limit 1)
			from languages l where l.language is not null
		)
		select l.language, q::text, querytree(q)
		from languages l, search_query(l.language::regconfig, $2) q
		where l.language is not null`, organization, f.Query)
	if err != nil {
		return w, false, fmt.Errorf("parse a search query: %w", err)
	}
	w.prefix, w.by = organization.String()[28:], f.SaidBy
	var language, exact, needed string
	var matches, keys []string
	read, everything := 0, false
	_, err = pgx.ForEachRow(rows, []any{&language, &exact, &needed}, func() error {
		read++
		if exact == "" {
			return nil // in this language, the search has only words that are too common
		}
		name := fmt.Sprintf("words_%d", len(matches))
		args["in_"+name], args[name] = language, f.SaidBy.weigh(exact)
		matches = append(matches, fmt.Sprintf("s.language = @in_%s and s.document @@ @%s::tsquery", name, name))
		w.query += fmt.Sprintf(" when s.language = @in_%s then @%s::tsquery", name, name)
		if needed == "" || needed == "T" {
			everything = true // a match need not have any of the words
		} else if k := "(" + w.needed(needed) + ")"; !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
		return nil
	})
	if err != nil {
		return w, false, fmt.Errorf("parse a search query: %w", err)
	}
	if len(matches) == 0 {
		if !strings.ContainsFunc(f.Query, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return w, false, fault.Invalidf("q", "contains nothing to search for")
		}
		if read > 0 {
			return w, false, fault.Invalidf("q", "contains only words that are too common to search for")
		}
		return w, false, nil
	}
	w.query = "case" + w.query + " end"
	w.exact = "((" + strings.Join(matches, ") or (") + "))"
	if !everything {
		w.keys = " & (" + strings.Join(keys, " | ") + ")"
	}
	return w, true, nil
}

// needed converts a query of words into a query of the keys that a match must have.
func (w words) needed(query string) string {
	if w.by != SaidByRecipient {
		return w.key(query, "w")
	}
	return w.key(query, "r") + " | (" + w.key(query, "w") + ") & !" + quoteLexeme(w.prefix+"s")
}

// key converts a query of words into a query of keys of a kind: "w" for all words, "r" for those of the recipient. For
// a phrase it requires all words, in any order.
func (w words) key(query, kind string) string {
	var b strings.Builder
	for i := 0; i < len(query); {
		switch query[i] {
		case '\'':
			var word strings.Builder
			for i++; i < len(query); i++ {
				if query[i] == '\'' {
					if i+1 == len(query) || query[i+1] != '\'' {
						break
					}
					i++
				} else if query[i] == '\\' && i+1 < len(query) {
					i++
				}
				word.WriteByte(query[i])
			}
			i++
			b.WriteString(quoteLexeme(w.prefix + kind + firstRunes(word.String(), 200)))
		case '<':
			b.WriteByte('&')
			i += strings.IndexByte(query[i:], '>') + 1
		default:
			b.WriteByte(query[i])
			i++
		}
	}
	return b.String()
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func quoteLexeme(s string) string {
	return "'" + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(s) + "'"
}

// CheckQuery validates the search of a filter, as List does. Callers that also validate other
// inputs use it to report all problems together. Errors: Invalid.
func (f Filter) CheckQuery() error {
	var p fault.Problems
	switch {
	case utf8.RuneCountInString(f.Query) > maxQuery:
		p.Addf("q", "must have at most %d characters", maxQuery)
	case !utf8.ValidString(f.Query) || strings.ContainsRune(f.Query, 0):
		p.Addf("q", "must be valid text")
	case f.Query == "" && f.Sort == Relevance:
		p.Addf("sort", "relevance requires q")
	case f.Sort == Relevance && f.Cursor != "":
		p.Addf("cursor", "must be empty when results are sorted by relevance")
	}
	if f.Query == "" && f.SaidBy.one() {
		p.Addf("said_by", "requires q")
	}
	fault.OneOf(&p, "said_by", page.Only(f.SaidBy), Speakers)
	fault.OneOf(&p, "sort", page.Only(f.Sort), Sorts)
	return p.Err()
}

// search lists the calls whose transcript matches the query of the filter.
func (s *Service) search(
	ctx context.Context, organization uuid.UUID, f Filter, args pgx.NamedArgs,
) (page.List[Call], error) {
	list := page.List[Call]{Data: []Call{}}
	if f.unended() {
		return list, nil // live calls have no transcript yet
	}
	if f.Batch == 0 && f.Limit > mostFound {
		f.Limit, args["page_limit"] = mostFound, mostFound+1
	}
	finder := s.finder(f, args, s.now().Add(s.patience))
	if f.Sort == Relevance {
		finder.want = ranked
	}
	var more bool
	err := s.find(ctx, organization, f, finder, func(all bool) (err error) {
		more = !all && len(finder.found) < finder.want && f.Sort != Relevance
		list, err = s.matches(ctx, finder.tx, f, finder.found, finder.words, args)
		return err
	})
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	if more { // the remaining calls were not searched in time
		list.Stop(f.Request, finder.mark.at, finder.mark.id)
	}
	return list, nil
}

// finder returns a finder that begins at the position of the page.
func (s *Service) finder(f Filter, args pgx.NamedArgs, until time.Time) *finder {
	found := &finder{
		args: args, now: s.now, until: until, walked: s.walked, crowded: s.crowded, after: f.CreatedAfter,
		want: args["page_limit"].(int),
		mark: position{id: args["page_id"].(uuid.UUID)},
	}
	if start := args["page_at"].(pgtype.Timestamptz); start.InfinityModifier == pgtype.Finite {
		found.mark.at = start.Time
	}
	return found
}

// find has a finder find the calls of a filter, and calls then with what [finder.find] reports, unless no call can
// match.
func (s *Service) find(
	ctx context.Context, organization uuid.UUID, f Filter, finder *finder, then func(all bool) error,
) error {
	// The index finds the words, the campaign, the agent and the number. The other filters are
	// checked for each call that the index finds.
	finder.crowded = max(finder.crowded, finder.want)
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		// The finder needs these plans, whatever the statistics of words say.
		if _, err := tx.Exec(
			ctx, `set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0`,
		); err != nil {
			return fmt.Errorf("search calls: %w", err)
		}
		words, ok, err := readWords(ctx, tx, organization, f, finder.args)
		if err != nil || !ok {
			return err
		}
		finder.tx, finder.words = tx, words
		finder.narrow(f)
		all, err := finder.find(ctx)
		if err != nil {
			return err
		}
		return then(all)
	})
}

// narrow adds the other filters of the list.
func (f *finder) narrow(filter Filter) {
	for _, c := range []struct {
		column, key string
		id          *uuid.UUID
	}{
		{"campaign_id", "c", filter.CampaignID}, {"agent_id", "a", filter.AgentID},
		{"phone_number_id", "n", filter.PhoneNumberID},
	} {
		if c.id != nil {
			f.args[c.column] = *c.id
			f.filter += ` and s.` + c.column + ` = @` + c.column
			f.words.keys += " & " + quoteLexeme(c.key+c.id.String())
		}
	}
	if filter.NoCampaign {
		f.filter += ` and s.campaign_id is null`
	}
	var looked []string
	for _, c := range []struct {
		on     bool
		column string
		values any
	}{
		{len(filter.Outcomes) > 0, "outcome", filter.Outcomes},
		{len(filter.Intents) > 0, "intent", filter.Intents},
		{len(filter.Statuses) > 0, "status", filter.Statuses},
		{len(filter.AnsweredBy) > 0, "answered_by", filter.AnsweredBy},
		{filter.Direction != "", "direction", []Direction{filter.Direction}},
		{filter.PersonNumber != "", "person_number", []string{filter.PersonNumber}},
		{filter.ExternalID != "", "external_id", []string{filter.ExternalID}},
		{filter.ProjectID != nil, "project_id", []*uuid.UUID{filter.ProjectID}},
	} {
		if c.on {
			f.args[c.column] = c.values
			looked = append(looked, "c."+c.column+" = any(@"+c.column+")")
		}
	}
	if len(filter.NumberPart) > 0 {
		looked, f.args["number_likes"] = append(looked, "c."+sqlNumberPart), filter.NumberPart.Likes()
	}
	if filter.Placed {
		looked = append(looked, "(c.direction = 'inbound' or "+sqlPlaced+")")
	}
	if filter.AgentVersion != nil {
		f.args["agent_version"] = filter.AgentVersion
		looked = append(looked, "c."+sqlVersion)
	}
	if filter.RecipientID != nil {
		f.args["recipient_id"] = filter.RecipientID
		looked = append(looked,
			"(c.recipient_id = @recipient_id and c.campaign_id is not null or c.resumes_recipient_id = @recipient_id)")
	}
	looked = append(looked, filter.Times.sql(f.args, "c.")...)
	looked = append(looked, filter.reviewSQL(f.args, "c.")...)
	looked = append(looked, page.Has(f.args, "metadata", "c.metadata", filter.Metadata)...)
	for _, c := range answerConditions(f.args, "c."+sqlAnswers, filter.Answers, ResultFilter{}) {
		looked = append(looked, "("+c.analysis+")")
	}
	if filter.MinDuration > 0 {
		f.args["min_duration"] = filter.MinDuration
		looked = append(looked, "c.ended_at - c.answered_at >= @min_duration")
	}
	if len(looked) > 0 {
		f.filter += ` and exists (select from call c where c.id = s.call_id and ` + strings.Join(looked, " and ") + `)`
	}
}

// matches reads the found calls with their snippets: a page of the newest calls, or the most
// relevant calls.
func (s *Service) matches(
	ctx context.Context, tx pgx.Tx, f Filter, found []position, w words, args pgx.NamedArgs,
) (page.List[Call], error) {
	most := args["page_limit"].(int)
	if f.Sort == Relevance {
		most = ranked
	}
	args["ids"] = idsAt(found[:min(len(found), most)])
	if f.Sort == Relevance {
		rows, err := tx.Query(ctx, `
			select s.call_id from call_search s
			where s.call_id = any(@ids) and `+w.exact+`
			order by ts_rank_cd('{1,1,1,1}', s.document, `+w.query+`, 1) desc, s.created_at desc, s.call_id desc
			limit @page_limit - 1`, args)
		if err != nil {
			return page.List[Call]{}, fmt.Errorf("rank calls by relevance: %w", err)
		}
		if args["ids"], err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return page.List[Call]{}, fmt.Errorf("rank calls by relevance: %w", err)
		}
	}
	calls, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[Call], `
		select `+columns+` from call
		where organization_id = @organization_id and id = any(@ids)
		order by array_position(@ids, id)`, args)
	if err != nil {
		return page.List[Call]{}, fmt.Errorf("list calls: %w", err)
	}
	list := page.Cut(f.Request, calls, key)
	if f.Batch > 0 { // an export has the whole transcript
		return list, nil
	}
	return list, snippets(ctx, tx, list.Data, w, args)
}
