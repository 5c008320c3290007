package history

import (
	"context"
	"crypto/md5" //nolint:gosec // names a carrier's ID, protects nothing
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/hours"
)

const (
	days        = 90
	otherAgents = 19       // number of additional agents, and of additional phone numbers
	attempts    = 10       // attempts for each recipient of the large campaign
	shifts      = 2 * days // periods of the history; in each, one agent holds all calls
)

// synthesis defines the content of each row of a filled history. The same number always gives the same row.
type synthesis struct {
	Parts
	calls int
	small int // number of campaigns with SmallCalls calls each
	large int // number of recipients of the large campaign
	from  time.Time
	step  time.Duration // time between two calls
}

func newSynthesis(p Parts, calls int) *synthesis {
	return &synthesis{
		Parts: p,
		calls: calls,
		small: calls / 10 / SmallCalls,
		large: calls * 9 / 10 / attempts,
		from:  time.Now().Add(-days * 24 * time.Hour).UTC().Truncate(time.Millisecond),
		step:  days * 24 * time.Hour / time.Duration(calls+1),
	}
}

func (s *synthesis) at(n int) time.Time {
	return s.from.Add(time.Duration(n) * s.step).Truncate(time.Millisecond)
}

func (s *synthesis) callID(n int) uuid.UUID { return IDAt(s.at(n), fmt.Sprint("call", n)) }

// campaignID returns the ID of a campaign. 0 is the large campaign.
func (s *synthesis) campaignID(i int) uuid.UUID { return IDAt(s.start(i), fmt.Sprint("campaign", i)) }

// start returns when a campaign was created: before its first call.
func (s *synthesis) start(i int) time.Time {
	if i == 0 {
		return s.from
	}
	return s.at(10*((i-1)*SmallCalls+1) - 1)
}

func (s *synthesis) recipientID(person int) uuid.UUID {
	return IDAt(s.from, fmt.Sprint("recipient", person))
}

func (s *synthesis) campaigns() []uuid.UUID {
	all := make([]uuid.UUID, s.small+1)
	for i := range all {
		all[i] = s.campaignID(i)
	}
	return all
}

func (s *synthesis) campaign(i int) Campaign {
	at := s.start(i)
	return Campaign{
		Parts:           s.Parts,
		ID:              s.campaignID(i),
		Name:            fmt.Sprint("Campaign ", i),
		CallingHours:    hours.Always(),
		MaxConcurrency:  10,
		MaxAttempts:     attempts,
		RetryDelays:     []int{1},
		RetryOn:         []call.Outcome{call.OutcomeBusy, call.OutcomeNoAnswer, call.OutcomeFailed},
		VoicemailAction: campaign.HangUp,
		CreatedAt:       at,
		StartedAt:       at,
		EndedAt:         at.Add(24 * time.Hour),
	}
}

// outcomes are the outcomes of the calls, in turn.
var outcomes = []call.Outcome{
	call.OutcomeCompleted, call.OutcomeCompleted, call.OutcomeCompleted, call.OutcomeNoAnswer, call.OutcomeVoicemail,
	call.OutcomeCompleted, call.OutcomeBusy, call.OutcomeCompleted, call.OutcomeFailed, call.OutcomeCompleted,
	call.OutcomeNoAnswer, call.OutcomeCompleted, call.OutcomeVoicemail,
}

func outcomeOf(n int) call.Outcome { return outcomes[n%len(outcomes)] }

// part returns the person, the campaign and the attempt of the n-th call. Multiples of ten are calls of small
// campaigns, which run one after the other.
func (s *synthesis) part(n int) (person, campaign, attempt int) {
	if n%10 == 0 {
		return s.large + n/10 - 1, 1 + (n/10-1)/SmallCalls%s.small, 1
	}
	k := n/10*9 + n%10 - 1 // index among the calls of the large campaign
	return k % s.large, 0, 1 + k/s.large
}

// lastCall returns the last call to a person. It is the inverse of part.
func (s *synthesis) lastCall(person int) int {
	if person >= s.large {
		return (person - s.large + 1) * 10
	}
	k := person + (attempts-1)*s.large
	return k/9*10 + k%9 + 1
}

func numberOf(person int) string { return fmt.Sprintf("+1212%07d", 2_000_000+person) }

func (s *synthesis) call(n int) Call {
	person, of, attempt := s.part(n)
	at := s.at(n)
	c := Call{
		Parts:         s.Parts,
		ID:            s.callID(n),
		CampaignID:    s.campaignID(of),
		RecipientID:   s.recipientID(person),
		Attempt:       attempt,
		CarrierCallID: fmt.Sprintf("CA%x", md5.Sum(fmt.Append(nil, "call", n))), //nolint:gosec // as above
		PersonNumber:  numberOf(person),
		RecipientName: fmt.Sprint("Person ", person),
		Status:        call.Status(outcomeOf(n)),
		Outcome:       outcomeOf(n),
		EndedReason:   call.ReasonHungUp,
		EndedBy:       call.ByRecipient,
		Variables:     fmt.Appendf(nil, `{"date":"2026-03-01","name":"Person %d"}`, person),
		Metadata:      fmt.Appendf(nil, `{"row":%d}`, n),
		CreatedAt:     at,
		AskedAt:       at,
		StartedAt:     at,
		RingingAt:     at.Add(time.Second),
		EndedAt:       at.Add(time.Duration(10+n%300) * time.Second),
		SettledAt:     at.Add(6 * time.Minute),
	}
	if other := n * shifts / (s.calls + 1) % (otherAgents + 1); other != 0 {
		c.AgentID = s.otherAgent(other)
	}
	if other := n % (otherAgents + 1); other != 0 {
		c.PhoneNumberID = s.otherNumber(other)
	}
	switch c.Outcome {
	case call.OutcomeVoicemail:
		c.Status, c.AnsweredBy, c.AnsweredAt = call.Completed, call.Machine, at.Add(5*time.Second)
	case call.OutcomeCompleted:
		c.AnsweredBy, c.AnsweredAt = call.Human, at.Add(5*time.Second)
		c.Analysis = json.RawMessage(fmt.Sprintf(`{"status":"ready","summary":"They are coming.",`+
			`"answers":{"coming":true,"guests":%d},"sentiment":"neutral","successful":true,"opt_out":false}`, n%5))
		c.Transcript = s.transcript(n, person)
	}
	return c
}

// transcript returns a conversation with a common word, words of a vocabulary, and in a few calls a rare word.
func (s *synthesis) transcript(n, person int) string {
	text := fmt.Sprintf("Agent: Hello Person %d, this is the clinic.\nAgent: Are you coming tomorrow?\n"+
		"Recipient: Yes, I am.\nAgent: How many people do you bring?\nRecipient: %d. %s\nAgent: Thank you, goodbye.",
		person, n%5, words(n))
	if at := n % (s.calls / 50); at == 2 || at == 3 {
		text += "\nRecipient: An aardvark!"
	}
	return text
}

// words returns 40 words from a vocabulary of 20,000 in a Zipf distribution: the n-th most common word occurs n times
// less often than the most common word.
func words(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 40))
	var b strings.Builder
	for i := range 40 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('w')
		for _, digit := range fmt.Sprint(int(math.Pow(20_000, r.Float64()))) {
			b.WriteByte(byte('a' + digit - '0'))
		}
	}
	return b.String()
}

// live returns a call that has not ended.
func (s *synthesis) live(i int) Call {
	c := Call{
		Parts:        s.Parts,
		ID:           uuid.Must(uuid.NewV7()),
		Attempt:      1,
		PersonNumber: fmt.Sprintf("+1305%07d", 2_000_000+i),
		Status:       call.InProgress,
		CreatedAt:    time.Now(),
	}
	if i%2 == 0 {
		c.Status = call.Ringing
	}
	return c
}

// recipients returns the number of recipients.
func (s *synthesis) recipients() int { return s.large + s.calls/10 }

func (s *synthesis) recipient(person int) Recipient {
	n := s.lastCall(person)
	_, of, attempt := s.part(n)
	status := campaign.RecipientFailed
	if outcomeOf(n) == call.OutcomeCompleted {
		status = campaign.RecipientCompleted
	}
	return Recipient{
		ID:             s.recipientID(person),
		OrganizationID: s.OrganizationID,
		CampaignID:     s.campaignID(of),
		PhoneNumber:    numberOf(person),
		Name:           fmt.Sprint("Person ", person),
		Zones:          []string{"America/New_York"},
		ZoneSource:     "number",
		Status:         status,
		Attempts:       attempt,
		LastCallID:     s.callID(n),
		Outcome:        outcomeOf(n),
		CreatedAt:      s.from,
	}
}

func (s *synthesis) otherAgent(i int) uuid.UUID { return IDAt(s.from, fmt.Sprint("agent", i)) }

func (s *synthesis) otherNumber(i int) uuid.UUID { return IDAt(s.from, fmt.Sprint("number", i)) }

// writeCalls writes the calls from first to last, and the rows that a trigger would write for their transcripts.
func (s *synthesis) writeCalls(ctx context.Context, tx pgx.Tx, first, last int) error {
	if err := Write(ctx, tx, last-first+1, func(i int) Call { return s.call(first + i) }); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		insert into call_search
			(call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
		select id, organization_id, created_at, campaign_id, agent_id, phone_number_id, 'english',
		       search_document('english', transcript_text)
		from call where id = any($1) and transcript_text <> ''
		order by created_at`, s.callIDs(first, last))
	if err != nil {
		return fmt.Errorf("index the words of calls: %w", err)
	}
	return nil
}

func (s *synthesis) callIDs(first, last int) []uuid.UUID {
	ids := make([]uuid.UUID, 0, last-first+1)
	for n := first; n <= last; n++ {
		ids = append(ids, s.callID(n))
	}
	return ids
}

// writeAround writes agents, numbers and do-not-call entries.
func (s *synthesis) writeAround(ctx context.Context, tx pgx.Tx) error {
	agents, numbers := make([]uuid.UUID, otherAgents), make([]uuid.UUID, otherAgents)
	for i := range otherAgents {
		agents[i], numbers[i] = s.otherAgent(i+1), s.otherNumber(i+1)
	}
	for _, sql := range []string{
		`insert into agent (id, organization_id, name, language, script)
			select u.id, @organization, 'Agent ' || u.n, a.language, a.script
			from unnest(@agents::uuid[]) with ordinality u (id, n), agent a where a.id = @agent`,
		`insert into phone_number (id, organization_id, connection_id, phone_number)
			select u.id, @organization, @connection, '+1500555' || 1000 + u.n
			from unnest(@numbers::uuid[]) with ordinality u (id, n)`,
		`insert into do_not_call (id, organization_id, phone_number, source, created_at)
			select gen_random_uuid(), @organization, '+1415' || 2000000 + n, 'import',
			       @from::timestamptz + n * @step::interval
			from generate_series(1, @entries::int) n`,
	} {
		_, err := tx.Exec(ctx, sql, pgx.NamedArgs{
			"organization": s.OrganizationID, "agent": s.AgentID, "connection": s.ConnectionID,
			"agents": agents, "numbers": numbers, "entries": s.calls / 10, "from": s.from, "step": 10 * s.step,
		})
		if err != nil {
			return fmt.Errorf("write what is beside the calls: %w", err)
		}
	}
	return nil
}
