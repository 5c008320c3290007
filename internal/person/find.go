package person

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// leastDigits and leastLetters are how much of a number or a name finds people: less would find too many.
	leastDigits  = 3
	leastLetters = 2
	// looked bounds the rows that a search reads in each table.
	looked = 500
	// digitSigns are what people write in a number besides its digits.
	digitSigns = "+ -.()/\u00a0"
)

// Found is a person that a search found.
type Found struct {
	Number phone.Number
	Name   string // the latest; empty: none
	SeenAt time.Time
}

// Digits returns the digits of a text that people write for a number or a part of it. ok is false for another text, and
// for too few digits.
func Digits(text string) (digits string, ok bool) {
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits += string(r)
		case !strings.ContainsRune(digitSigns, r):
			return "", false
		}
	}
	return digits, len(digits) >= leastDigits
}

// Find returns people by a name's words or their beginnings, or by any part of their number, as people write it in a
// region. The latest are first, at most most. more reports that it found others, or too many to read all.
func (s *Service) Find(
	ctx context.Context, organizationID uuid.UUID, text, region string, most int,
) (found []Found, more bool, err error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "looked": looked, "most": most + 1}
	prefix := organizationID.String()[28:]
	like := "true"
	if part := ReadPart(text, region); len(part) > 0 {
		args["keys"], args["likes"] = part.Keys(organizationID), part.Likes()
		like = "number like any(@likes)" // the keys ignore the order of the digits
	} else {
		keys, err := s.nameKeys(ctx, prefix, text)
		if err != nil || keys == "" {
			return nil, false, err
		}
		args["keys"] = keys
	}
	var crowded bool
	err = pgx.BeginTxFunc(ctx, s.o.Pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		// Only the index of keys serves this search, whatever the statistics of keys say.
		if _, err := tx.Exec(ctx, `set local enable_seqscan = off`); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			with candidates as materialized (
				(select organization_id, phone_number as number, name, created_at,
					skip_reason is not distinct from 'duplicate' as repeated from recipient
				where person_keys(organization_id, name, phone_number) @@ @keys::tsquery limit @looked)
				union all
				(select organization_id, person_number, recipient_name, created_at, false from call
				where direction = 'inbound'
				  and person_keys(organization_id, recipient_name, person_number) @@ @keys::tsquery limit @looked)
				union all
				(select organization_id, phone_number, '', created_at, false from message
				where recipient_id is null and person_keys(organization_id, '', phone_number) @@ @keys::tsquery
				limit @looked)
			), people as (
				select number, max(created_at) as seen_at from candidates
				where organization_id = @organization_id and number <> '' and `+like+`
				group by number order by seen_at desc, number limit @most
			)
			select p.number, coalesce((
					select c.name from candidates c
					where c.organization_id = @organization_id and c.number = p.number and c.name <> ''
					order by c.repeated, c.created_at desc limit 1), ''),
				p.seen_at, (select count(*) from candidates) >= @looked
			from people p order by p.seen_at desc, p.number`, args)
		if err != nil {
			return err
		}
		var one Found
		_, err = pgx.ForEachRow(rows, []any{&one.Number, &one.Name, &one.SeenAt, &crowded}, func() error {
			found = append(found, one)
			return nil
		})
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("find people: %w", err)
	}
	if len(found) > most {
		return found[:most], true, nil
	}
	return found, crowded, nil
}

// Part is a part of a number: alternatives of digits, of which a number has one. It is empty for none.
type Part []string

// ReadPart reads a part of a number, as people of a region write it. It is empty for a text that is no part of a
// number, or one with too few digits. What is a whole number of the region is one with its country code, which its
// national digits need not be a part of: 030 … in Germany is +49 30 ….
func ReadPart(text, region string) Part {
	digits, ok := Digits(text)
	if !ok {
		return nil
	}
	part := Part{digits}
	if n, err := phone.ParseNational(text, region); err == nil {
		part = Part{strings.TrimPrefix(n.String(), "+")}
	}
	if bare := strings.TrimLeft(digits, "0"); bare != digits && len(bare) >= leastDigits {
		part = append(part, bare)
	}
	return part
}

// Keys returns what the person_keys of a number with the part match, as a tsquery. So do those of some other numbers:
// keys ignore the order of the digits.
func (p Part) Keys(organizationID uuid.UUID) string {
	prefix := organizationID.String()[28:]
	queries := make([]string, len(p))
	for i, digits := range p {
		var keys []string
		for at := 0; at+leastDigits <= len(digits); at++ {
			keys = append(keys, quoteKey(prefix+"d"+digits[at:at+leastDigits]))
		}
		queries[i] = "(" + strings.Join(keys, " & ") + ")"
	}
	return strings.Join(queries, " | ")
}

// Likes returns patterns of SQL, one of which a number with the part is like.
func (p Part) Likes() []string {
	likes := make([]string, len(p))
	for i, digits := range p {
		likes[i] = "%" + digits + "%"
	}
	return likes
}

// nameKeys returns what the keys of a name with these words must match, as a tsquery. It is empty for a text that is
// too short. The parts of a word with an apostrophe are words of their own. Names that were stored before a curly
// apostrophe ended a word have it in their keys, which is the alternative.
func (s *Service) nameKeys(ctx context.Context, prefix, text string) (string, error) {
	type word struct {
		Whole string   // with curly apostrophes
		Parts []string // between its apostrophes
	}
	words, err := postgres.Collect(ctx, s.o.Pool, pgx.RowToStructByName[word], `
		select left(replace(straight, '''', '’'), 40) as whole,
			array(select left(part, 40) from string_to_table(straight, '''') part where part <> '') as parts
		from regexp_split_to_table(person_fold($1), '[\s.,;:()"/+-]+') word, straight_apostrophes(word) straight
		where straight <> ''`,
		strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), ""))
	if err != nil {
		return "", fmt.Errorf("read the words of a name: %w", err)
	}
	begins := func(word string) string { return quoteKey(prefix+"n"+word) + ":*" }
	var keys []string
	enough := false
	for _, w := range words {
		if len(w.Parts) == 0 {
			continue
		}
		parts := make([]string, len(w.Parts))
		for i, part := range w.Parts {
			parts[i], enough = begins(part), enough || len([]rune(part)) >= leastLetters
		}
		key := strings.Join(parts, " & ")
		if w.Whole != w.Parts[0] {
			key = "(" + key + " | " + begins(w.Whole) + ")"
		}
		keys = append(keys, key)
	}
	if !enough {
		return "", nil
	}
	return strings.Join(keys, " & "), nil
}

func quoteKey(key string) string {
	return "'" + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(key) + "'"
}
