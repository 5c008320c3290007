package call

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Segment is a part of a snippet. The segments of a snippet form a text. Clients highlight the
// matching segments.
type Segment struct {
	Text  string `json:"text"`
	Match bool   `json:"match"`
}

// PostgreSQL puts these marks around a match. The same characters in a transcript are removed
// first.
const (
	matchBegins = "\x01"
	matchEnds   = "\x02"
)

// snippets adds to each call the part of its transcript that matches best.
func snippets(ctx context.Context, tx pgx.Tx, calls []Call, w words, args pgx.NamedArgs) error {
	if len(calls) == 0 {
		return nil
	}
	said := `search_text(c.transcript_text)`
	if w.by.one() { // only the lines of the speaker
		args["label"] = w.by.label()
		said = `coalesce((
			select string_agg(substr(line, length(@label) + 1), E'\n' order by n)
			from string_to_table(left(c.transcript_text, 100000), E'\n') with ordinality lines (line, n)
			where starts_with(line, @label)), ` + said + `)`
	}
	rows, err := tx.Query(ctx, `
		select s.call_id, t.said, ts_headline(s.language::regconfig, t.said, `+w.query+`,
			'StartSel=`+matchBegins+`, StopSel=`+matchEnds+`, MaxFragments=1, MaxWords=28, MinWords=12')
		from call_search s join call c on c.id = s.call_id,
			lateral (select translate(`+said+`, E'\x01\x02\n\t', '    ') as said) t
		where s.call_id = any(@ids) and s.organization_id = @organization_id`, args)
	if err != nil {
		return fmt.Errorf("read search snippets of calls: %w", err)
	}
	found := make(map[uuid.UUID][]Segment, len(calls))
	var id uuid.UUID
	var words, part string
	if _, err := pgx.ForEachRow(rows, []any{&id, &words, &part}, func() error {
		found[id] = snippet(words, part)
		return nil
	}); err != nil {
		return fmt.Errorf("read search snippets of calls: %w", err)
	}
	for i := range calls {
		calls[i].Snippet = found[calls[i].ID]
		if calls[i].Snippet == nil { // its transcript was cleared meanwhile
			calls[i].Snippet = []Segment{}
		}
	}
	return nil
}

// snippet splits the marked part of a text into segments. An ellipsis shows where the text
// continues.
func snippet(said, part string) []Segment {
	all := []Segment{}
	var plain strings.Builder
	add := func(text string, match bool) {
		if text = spaces.ReplaceAllString(text, " "); text != "" {
			all = append(all, Segment{text, match})
			plain.WriteString(text)
		}
	}
	for rest := part; rest != ""; {
		before, marked, _ := strings.Cut(rest, matchBegins)
		match, after, _ := strings.Cut(marked, matchEnds)
		add(before, false)
		add(match, true)
		rest = after
	}
	if len(all) == 0 {
		return all
	}
	said = strings.TrimSpace(spaces.ReplaceAllString(said, " "))
	ends := strings.TrimRight(said, ".!?,;:)\"' ") // PostgreSQL drops these characters at the end
	text := plain.String()
	if !strings.HasPrefix(said, strings.TrimRight(text[:min(len(text), 20)], " ")) {
		all = append([]Segment{{Text: "…"}}, all...)
	}
	if !strings.HasSuffix(ends, strings.TrimRight(text, ".!?,;:)\"' ")) {
		all = append(all, Segment{Text: "…"})
	}
	return all
}

var spaces = regexp.MustCompile(`\s+`)
