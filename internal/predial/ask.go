package predial

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/webhook/sender"
	"github.com/dialwright/dialwright/internal/wire"
)

const (
	// askTime bounds a check from the DNS lookup to the last byte of the answer.
	askTime = 2 * time.Second

	// MostFailures is how many checks in a row fail before requests are sent one at a time, probeGap
	// apart.
	MostFailures = 5
	probeGap     = 10 * time.Second

	// maxReason bounds the reason of an answer, in characters.
	maxReason = 200

	// healthGap is the shortest time between two writes of the last answer while all goes well.
	healthGap = 10 * time.Second
)

// Result is how a check ended.
type Result string

// Values of Result.
const (
	Allowed    Result = "allowed"
	Refused    Result = "refused"
	FailedOpen Result = "failed_open" // the check failed and the setting lets the call go on
	Failed     Result = "failed"      // the check failed and the recipient waits
)

// Results are all results.
var Results = []Result{Allowed, Refused, FailedOpen, Failed}

// Answer is the result of a check, as it is stored with the call.
type Answer struct {
	Result  Result    `json:"result"`
	AskedAt wire.Time `json:"asked_at"`
	TookMS  int       `json:"took_ms"`
	Reason  *string   `json:"reason"` // of the answer, or why the check failed
}

// Question is the call that a check is about.
type Question struct {
	OrganizationID uuid.UUID  `json:"-"`
	CallID         uuid.UUID  `json:"call_id"`
	CampaignID     *uuid.UUID `json:"campaign_id"`
	Recipient      Recipient  `json:"recipient"`
	From           string     `json:"from"`
	To             string     `json:"to"`
	Attempt        int        `json:"attempt"`
}

// Recipient is the person to be called.
type Recipient struct {
	ID         *uuid.UUID      `json:"id"`
	ExternalID *string         `json:"external_id"`
	Name       *string         `json:"name"`
	Variables  json.RawMessage `json:"variables"`
	Metadata   json.RawMessage `json:"metadata"`
}

// request is the body of a request.
type request struct {
	Type      string    `json:"type"`
	Timestamp wire.Time `json:"timestamp"`
	Data      Question  `json:"data"`
}

// The types of requests.
const (
	typeCheck = "call.check"
	typeTest  = "call.check.test"
)

// target is a check that may be asked now.
type target struct {
	URL            string
	OnFailure      OnFailure
	Secret         []byte
	PreviousSecret []byte // nil: it signs no more
	Enabled        bool
	Failures       int
	Now            time.Time
}

const targetColumns = `url, on_failure, secret, enabled_at is not null as enabled,
	case when previous_secret_until > k.t then previous_secret end as previous_secret, failures, k.t as now`

// Ask asks the check of an organization about a call. It returns nil if the organization has no
// check that is on. Neither a transaction nor a lock may be open: the request takes up to 2 seconds. recovered
// is set if the checks before this one failed so often that calls were waiting for it. The ID of
// the request is the call's, so a repeated one can be recognized.
func (s *Service) Ask(ctx context.Context, q Question) (answer *Answer, recovered bool, err error) {
	t, err := read[target](ctx, s.pool, targetColumns, q.OrganizationID)
	if err != nil || t == nil || !t.Enabled {
		return nil, false, err
	}
	if t.Failures >= MostFailures {
		may, err := s.probe(ctx, q.OrganizationID)
		if err != nil {
			return nil, false, err
		}
		if !may {
			return t.failed(0, fmt.Sprintf("Not asked, because %d checks in a row have failed", t.Failures)), false, nil
		}
	}
	attempt := s.send(ctx, t, q, typeCheck)
	answer = t.read(attempt)
	return answer, t.Failures >= MostFailures && !answer.failed(), s.keepHealth(ctx, q.OrganizationID, t.URL, answer)
}

func (a *Answer) failed() bool { return a.Result == Failed || a.Result == FailedOpen }

// Test sends a test request to the check of the actor's organization, on or off, and returns its
// answer. The result counts for its health, so a working check ends the wait of calls. Errors: NotFound.
func (s *Service) Test(ctx context.Context, actor account.Actor) (*Answer, error) {
	t, err := read[target](ctx, s.pool, targetColumns, actor.OrganizationID)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, fault.NotFoundf("Pre-dial check")
	}
	name := "Test"
	answer := t.read(s.send(ctx, t, Question{
		OrganizationID: actor.OrganizationID,
		CallID:         uuid.Must(uuid.NewV7()),
		Recipient:      Recipient{Name: &name},
		From:           "+15005550006",
		To:             "+15005550001",
		Attempt:        1,
	}, typeTest))
	return answer, s.keepHealth(ctx, actor.OrganizationID, t.URL, answer)
}

// probe takes the turn to send a request while checks fail. Only one process gets it.
func (s *Service) probe(ctx context.Context, organizationID uuid.UUID) (may bool, err error) {
	tag, err := s.pool.Exec(ctx, `
		update pre_dial_check set next_at = clock() + $2::interval
		where organization_id = $1 and (next_at is null or next_at <= (select clock()))`, organizationID, probeGap)
	if err != nil {
		return false, fmt.Errorf("take the turn of a pre-dial check: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// send makes the request.
func (s *Service) send(ctx context.Context, t *target, q Question, kind string) sender.Attempt {
	secret, err := s.vault.Open(t.Secret, secretCell(q.OrganizationID, "secret"))
	secrets := [][]byte{secret}
	if err == nil && t.PreviousSecret != nil {
		var previous []byte
		if previous, err = s.vault.Open(t.PreviousSecret, secretCell(q.OrganizationID, "previous_secret")); err == nil {
			secrets = append(secrets, previous)
		}
	}
	if err != nil {
		return sender.NotMade(t.URL, "The secret of the check can't be read. Rotate it")
	}
	for _, object := range []*json.RawMessage{&q.Recipient.Variables, &q.Recipient.Metadata} {
		if len(*object) == 0 {
			*object = json.RawMessage(`{}`)
		}
	}
	payload, err := json.Marshal(request{Type: kind, Timestamp: wire.Time(t.Now), Data: q})
	if err != nil {
		return sender.NotMade(t.URL, "The request could not be written")
	}
	return s.sender.Send(ctx, sender.Request{URL: t.URL, EventID: q.CallID, Payload: payload, Secrets: secrets})
}

// read reads the answer to a request.
func (t *target) read(a sender.Attempt) *Answer {
	if a.Outcome != sender.OutcomeSucceeded {
		return t.failed(a.Duration, a.Problem)
	}
	if a.Cut {
		return t.failed(a.Duration, fmt.Sprintf("The answer broke off or is longer than %d KiB", sender.MaxBody>>10))
	}
	var body struct {
		Allow  *bool `json:"allow"`
		Reason any   `json:"reason"`
	}
	if err := json.Unmarshal(a.Body, &body); err != nil {
		return t.failed(a.Duration, `The answer is not JSON such as {"allow": true}`)
	}
	if body.Allow == nil {
		return t.failed(a.Duration, `The answer has no "allow"`)
	}
	answer := t.answer(Refused, a.Duration)
	if *body.Allow {
		answer.Result = Allowed
	}
	if text, ok := body.Reason.(string); ok {
		if text = line(text); text != "" {
			answer.Reason = &text
		}
	}
	return answer
}

func (t *target) answer(result Result, took time.Duration) *Answer {
	return &Answer{Result: result, AskedAt: wire.Time(t.Now), TookMS: int(took.Milliseconds())}
}

// failed returns the result of a failed check.
func (t *target) failed(took time.Duration, why string) *Answer {
	result := Failed
	if t.OnFailure == Call {
		result = FailedOpen
	}
	answer := t.answer(result, took)
	answer.Reason = &why
	return answer
}

// line returns a reason as one line of at most maxReason characters.
func line(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxReason {
		text = strings.TrimSpace(string(runes[:maxReason]))
	}
	return text
}

// keepHealth stores how a request ended, unless the URL has changed meanwhile.
func (s *Service) keepHealth(ctx context.Context, organizationID uuid.UUID, url string, a *Answer) error {
	sql := `
		update pre_dial_check set failures = 0, next_at = null, last_answer = @text, last_answer_at = clock()
		where organization_id = @id and url = @url
		  and (failures > 0 or last_answer_at is null or last_answer_at < clock() - @gap::interval)`
	args := pgx.NamedArgs{"id": organizationID, "url": url, "gap": healthGap, "text": "Allowed"}
	switch {
	case a.failed():
		sql = `
			update pre_dial_check set failures = failures + 1, last_error = @text, last_error_at = clock(),
				next_at = case when failures + 1 >= @most then clock() + @gap::interval end
			where organization_id = @id and url = @url`
		args["text"], args["gap"], args["most"] = *a.Reason, probeGap, MostFailures
	case a.Result == Refused:
		args["text"] = "Refused"
	}
	if _, err := s.pool.Exec(ctx, sql, args); err != nil {
		return fmt.Errorf("keep the health of the pre-dial check: %w", err)
	}
	return nil
}
