package call

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// Speaker is whose words a search looks for.
type Speaker string

const (
	SaidByAnyone    Speaker = "anyone" // also what the system noted
	SaidByRecipient Speaker = "recipient"
	SaidByAgent     Speaker = "agent"
)

// Speakers are all speakers.
var Speakers = []Speaker{SaidByAnyone, SaidByRecipient, SaidByAgent}

// one reports whether only one side's words count.
func (s Speaker) one() bool { return s != "" && s != SaidByAnyone }

// label begins the lines of the speaker in a transcript.
func (s Speaker) label() string {
	return map[Speaker]string{SaidByRecipient: "Recipient: ", SaidByAgent: "Agent: "}[s]
}

// weigh restricts the words of a tsquery to those of the speaker. A transcript that waits for IndexSides, and so does
// not tell who said what, is found by all of its words.
func (s Speaker) weigh(query string) string {
	weights := map[Speaker]string{SaidByRecipient: ":AD", SaidByAgent: ":BD"}[s]
	if weights == "" {
		return query
	}
	var b strings.Builder
	inWord := false
	for i := 0; i < len(query); i++ {
		b.WriteByte(query[i])
		switch {
		case inWord && query[i] == '\\' && i+1 < len(query):
			i++
			b.WriteByte(query[i])
		case query[i] != '\'':
		case inWord && i+1 < len(query) && query[i+1] == '\'': // a quote in the word
			i++
			b.WriteByte(query[i])
		default:
			if inWord {
				b.WriteString(weights)
			}
			inWord = !inWord
		}
	}
	return b.String()
}

// sides is how many transcripts IndexSides reads at once.
const sides = 200

// IndexSides reads transcripts again that were indexed before the index told who said what. It returns how many it
// read: 0 when none is left, or while another process reads.
func (s *Service) IndexSides(ctx context.Context) (read int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var done, last uuid.UUID
		err := tx.QueryRow(ctx, `select done_to from call_search_backlog for update skip locked`).Scan(&done)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		// The condition holds for the latest version of the row: a transcript that changed meanwhile is up to date.
		err = tx.QueryRow(ctx, `
			with batch as materialized (
				select call_id from call_search where call_id > $1 order by call_id limit $2
			), changed as (
				update call_search s set document = search_document(s.language::regconfig, c.transcript_text)
				from batch b join call c on c.id = b.call_id
				where s.call_id = b.call_id and not search_sides(s.document)
			)
			select count(*), coalesce((select call_id from batch order by call_id desc limit 1), $1) from batch`,
			done, sides).Scan(&read, &last)
		if err != nil {
			return err
		}
		if read == 0 {
			_, err = tx.Exec(ctx, `delete from call_search_backlog`)
			return err
		}
		_, err = tx.Exec(ctx, `update call_search_backlog set done_to = $1`, last)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("index who said what: %w", err)
	}
	return read, nil
}
