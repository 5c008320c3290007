package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

const (
	maxAnswer = 1 << 20  // bytes of an answer; a longer one is none
	maxResult = 4000     // bytes of an answer that the model sees
	maxShown  = 16 << 10 // bytes of an answer that a trial shows
	maxText   = 500      // characters of a variable's value
)

// Request is the body of a request.
type Request struct {
	// ID is that of the request. A request that is repeated has the same.
	ID           uuid.UUID       `json:"-"`
	CallID       *uuid.UUID      `json:"call_id"` // null: a trial
	AgentID      *uuid.UUID      `json:"agent_id"`
	AgentVersion *int            `json:"agent_version"` // null: a draft
	Tool         string          `json:"tool"`
	Arguments    json.RawMessage `json:"arguments"`
	Variables    map[string]any  `json:"variables"`
	Test         bool            `json:"test"`
}

// Answer is what came of a request.
type Answer struct {
	Result  json.RawMessage   // for the model, always valid JSON
	Values  map[string]string // variables that the answer sets
	Problem string            // why the tool was not available; empty: it was
	Status  int               // 0: there was no answer
	Took    time.Duration
	body    []byte
}

// Client makes the requests of one tool, with the settings that it had when the client was made. It
// is safe for concurrent use.
type Client struct {
	sender  sender.Sender
	url     string
	headers map[string]string
	secrets [][]byte
	values  []Value
}

// stored is a tool with what only its client needs.
type stored struct {
	Tool
	Headers  []byte
	Secret   []byte
	Previous []byte
}

// Client returns the client of an active tool. Errors: NotFound.
func (s *Service) Client(ctx context.Context, organizationID, id uuid.UUID) (*Client, error) {
	row, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[stored], `
		select headers, secret, case when previous_secret_until > clock() then previous_secret end as previous,
			`+columns+active, pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.NotFoundf("Tool")
	}
	if err != nil {
		return nil, fmt.Errorf("read tool %s: %w", id, err)
	}
	return s.client(organizationID, row)
}

// client makes the client of a row.
func (s *Service) client(organizationID uuid.UUID, row stored) (*Client, error) {
	c := &Client{
		sender: s.sender.Within(time.Duration(row.TimeoutSeconds) * time.Second), url: row.URL, values: row.Values,
	}
	for i, text := range [][]byte{row.Secret, row.Previous} {
		if len(text) == 0 {
			continue
		}
		plain, err := s.vault.Open(text, cell(organizationID, row.ID, []string{secretColumn, previousColumn}[i]))
		if err != nil {
			return nil, fmt.Errorf("open the secret of tool %s: %w", row.ID, err)
		}
		c.secrets = append(c.secrets, plain)
	}
	if len(row.Headers) > 0 {
		plain, err := s.vault.Open(row.Headers, cell(organizationID, row.ID, headersColumn))
		if err == nil {
			err = json.Unmarshal(plain, &c.headers)
		}
		if err != nil {
			return nil, fmt.Errorf("open the headers of tool %s: %w", row.ID, err)
		}
	}
	return c, nil
}

// Do makes one request. Every failure is part of the answer. A canceled context ends the request.
func (c *Client) Do(ctx context.Context, r Request) Answer {
	if r.Variables == nil {
		r.Variables = map[string]any{}
	}
	payload, err := json.Marshal(r)
	if err != nil {
		return failed("The request could not be written")
	}
	a := c.sender.Send(ctx, sender.Request{
		URL: c.url, EventID: r.ID, Payload: payload, Secrets: c.secrets, Headers: c.headers,
	})
	answer := c.read(a)
	answer.Status, answer.Took, answer.body = a.Status, a.Duration, a.Body
	return answer
}

// unavailable is what the model sees of a tool that did not answer.
const unavailable = `{"error":"unavailable"}`

func failed(problem string) Answer {
	return Answer{Result: json.RawMessage(unavailable), Problem: problem}
}

// read reads an answer.
func (c *Client) read(a sender.Attempt) Answer {
	switch {
	case a.Outcome != sender.OutcomeSucceeded:
		return failed(a.Problem)
	case a.Cut:
		return failed(fmt.Sprintf("The answer broke off or is longer than %d MB", maxAnswer>>20))
	}
	body := bytes.TrimSpace(a.Body)
	if len(body) == 0 {
		body = []byte(`{}`) // a 204, for example
	}
	var content any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if !utf8.Valid(body) || d.Decode(&content) != nil || d.More() {
		return failed("The answer is not JSON")
	}
	values := c.pick(content)
	return Answer{Result: result(body, values), Values: values}
}

// result is an answer as the model sees it: as it is, or with the variables that it sets. Of a long answer it is the
// beginning, as a text.
func result(body []byte, values map[string]string) json.RawMessage {
	whole := len(body) <= maxResult
	if whole && len(values) == 0 {
		return body
	}
	shown := map[string]any{"answer": json.RawMessage(body)}
	if !whole {
		shown["answer"] = beginning(body, maxResult)
		shown["cut"] = fmt.Sprintf("This is the beginning of an answer of %d bytes.", len(body))
	}
	if len(values) > 0 {
		shown["variables"] = values
	}
	text, err := json.Marshal(shown)
	for size := maxResult / 2; err == nil && len(text) > maxResult+500; size /= 2 { // quotes are written as two bytes
		shown["answer"] = beginning(body, size)
		shown["cut"] = fmt.Sprintf("This is the beginning of an answer of %d bytes.", len(body))
		if size < maxResult/8 {
			delete(shown, "variables")
		}
		text, err = json.Marshal(shown)
	}
	if err != nil {
		return json.RawMessage(unavailable)
	}
	return text
}

// beginning returns the first bytes of a valid text, without half a character at the end.
func beginning(text []byte, size int) string {
	for size = min(size, len(text)); size > 0 && size < len(text) && !utf8.RuneStart(text[size]); size-- {
	}
	return string(text[:size])
}

// pick returns the variables that an answer sets. Missing parts, objects and lists set none.
func (c *Client) pick(content any) map[string]string {
	var values map[string]string
	for _, v := range c.values {
		found, ok := at(content, v.Pointer)
		if !ok {
			continue
		}
		var text string
		switch found := found.(type) {
		case string:
			text = found
		case bool:
			text = strconv.FormatBool(found)
		case json.Number:
			text = found.String()
		}
		if text = plain(text); text == "" {
			continue
		}
		if values == nil {
			values = map[string]string{}
		}
		values[v.Variable] = text
	}
	return values
}

// plain is a text as one line without control characters, of at most maxText characters.
func plain(text string) string {
	text = conversation.Clean(text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxText {
		text = strings.TrimSpace(string(runes[:maxText]))
	}
	return text
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// at returns the part of a JSON value that a pointer of RFC 6901 names.
func at(value any, pointer string) (any, bool) {
	if pointer == "" {
		return value, true
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		switch inner := value.(type) {
		case map[string]any:
			found, ok := inner[unescape.Replace(part)]
			if !ok {
				return nil, false
			}
			value = found
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(inner) || strconv.Itoa(i) != part {
				return nil, false
			}
			value = inner[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// Trial is a request that a person tried.
type Trial struct {
	Answer
	URL     string
	Headers map[string]string // without secret values
	Body    json.RawMessage
	Shown   string // the beginning of the answer
}

// hidden stands for what a trial does not show.
const hidden = "(hidden)"

// Try makes a request as a person asks, with "test": true. It counts for nothing. Errors: NotFound, and Invalid if the
// arguments do not fit the schema.
func (s *Service) Try(
	ctx context.Context, actor account.Actor, id uuid.UUID, arguments json.RawMessage, variables map[string]string,
) (Trial, error) {
	t, err := s.Get(ctx, actor.OrganizationID, id)
	if err != nil {
		return Trial{}, err
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	if err := conversation.CheckArguments(t.Parameters, string(arguments)); err != nil {
		return Trial{}, fault.Invalidf("arguments", "%s", err.Error())
	}
	c, err := s.Client(ctx, actor.OrganizationID, id)
	if err != nil {
		return Trial{}, err
	}
	given := map[string]any{}
	for name, value := range variables {
		given[name] = value
	}
	r := Request{
		ID: uuid.Must(uuid.NewV7()), Tool: t.Name, Arguments: arguments, Variables: given, Test: true,
	}
	if err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		return record(ctx, tx, actor, t, "tool.tried", nil)
	}); err != nil {
		return Trial{}, err
	}
	trial := Trial{Answer: c.Do(ctx, r), URL: t.URL, Headers: map[string]string{
		"Content-Type": "application/json", "Webhook-Id": r.ID.String(), "Webhook-Timestamp": hidden,
		"Webhook-Signature": hidden,
	}}
	if ctx.Err() != nil {
		return Trial{}, ctx.Err() // the person has left
	}
	for name := range c.headers {
		trial.Headers[name] = hidden
	}
	if trial.Body, err = json.Marshal(r); err != nil {
		return Trial{}, fmt.Errorf("show the request of a tool: %w", err)
	}
	trial.Shown = strings.ToValidUTF8(beginning(trial.body, maxShown), "�")
	return trial, nil
}
