package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

const (
	// operateCommand makes this program the sandbox's WhatsApp operator, with more
	// numbers than the product's own sandbox has.
	operateCommand = "operate"

	slowLines     = 20        // numbers that take 80 messages a second
	fastLine      = slowLines // one more, that takes 1,000
	windowFull    = 100_000
	textPatience  = 3 * time.Minute
	textPollPause = 100 * time.Millisecond
)

func accountOf(line int) string  { return fmt.Sprintf("1000000000001%02d", line) }
func numberIDOf(line int) string { return fmt.Sprintf("2000000000001%02d", line) }

// operate is the operator. Each of its numbers has a portfolio, and so a limit,
// of its own.
func operate(ctx context.Context) error {
	var world []sandbox.Portfolio
	for line := range slowLines + 1 {
		number := sandbox.Number{ID: numberIDOf(line), PhoneNumber: fmt.Sprintf("+1 312-555-01%02d", line), Name: "Bench"}
		if line == fastLine {
			number.Throughput = "HIGH"
		}
		world = append(world, sandbox.Portfolio{
			ID: fmt.Sprintf("3000000000001%02d", line), Name: "Bench", Tier: "TIER_100K",
			Accounts: []sandbox.Account{{ID: accountOf(line), Name: "Bench", Numbers: []sandbox.Number{number}}},
		})
	}
	operator := sandbox.New(sandbox.Options{Token: sandboxToken, World: world, Log: slog.New(slog.NewJSONHandler(os.Stderr, nil))})
	defer operator.Close()
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: operator}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	context.AfterFunc(ctx, func() { srv.Close() })
	fmt.Printf("listens on http://%s\n", listener.Addr())
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// texting is a site whose numbers send messages to the operator, a process of
// its own.
type texting struct {
	*site
	l        *lab
	operator *process
	seen     int // of the operator's requests to send
}

func (l *lab) texting(ctx context.Context, name string, keys int) (t *texting, err error) {
	t = &texting{l: l}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.site, err = l.site(ctx, name, keys); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if t.operator, err = l.start(ctx, "operator", self, nil, operateCommand); err != nil {
		return nil, err
	}
	t.env = []string{"DIALWRIGHT_WHATSAPP=true", "DIALWRIGHT_WHATSAPP_BASE_URL=" + t.operator.url}
	return t, nil
}

func (t *texting) close() {
	if t.operator != nil {
		t.operator.stop()
	}
	if t.site != nil {
		t.site.close(t.l)
	}
}

// connect connects accounts by the product's own package. A server is the one to
// ask for the webhooks: see serve.
func (t *texting) connect(ctx context.Context, which ...int) error {
	a, err := newApp(t.pool, t.l.vault, func(o *app.Options) { o.WhatsApp.GraphURL = t.operator.url })
	if err != nil {
		return err
	}
	for _, line := range which {
		_, err := a.WhatsApp.CreateConnection(ctx, account.System(t.OrganizationID), connection.NewConnection{
			Account:      accountOf(line),
			Settings:     connection.Settings{Name: fmt.Sprintf("Account %d", line+1), Token: sandboxToken, AppSecret: sandboxToken},
			SkipWebhooks: true,
		})
		if err != nil {
			return fmt.Errorf("connect account %d: %w", line+1, err)
		}
	}
	// A server reads them at once, and asks for the webhooks that they lack.
	_, err = t.pool.Exec(ctx, `update messaging_connection set read_at = null`)
	return err
}

// serve starts a server, and returns when the operator sends webhooks to it.
func (t *texting) serve(ctx context.Context) (*process, error) {
	server, err := t.l.serve(ctx, t.site)
	if err != nil {
		return nil, err
	}
	err = t.until(ctx, "the operator's webhooks were not agreed on", func() (done bool, err error) {
		err = t.pool.QueryRow(ctx, `
			select not exists (select from messaging_connection where subscribed_at is null or read_at is null)`).Scan(&done)
		return done, err
	})
	if err != nil {
		defer server.stop()
		return nil, fmt.Errorf("%w\nserver: %s", err, server.tail())
	}
	return server, nil
}

// until asks again and again until done, or patience is over.
func (t *texting) until(ctx context.Context, otherwise string, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, textPatience)
	defer cancel()
	for {
		if ok, err := done(); err != nil || ok {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", otherwise, ctx.Err())
		case <-time.After(textPollPause):
		}
	}
}

// fillWindow puts n recipients into the window of a number, the first of all:
// they were written to between 1 and 23 hours ago.
func (t *texting) fillWindow(ctx context.Context, line, n int) error {
	var number, scope uuid.UUID
	err := t.pool.QueryRow(ctx, `select id, scope_id from messaging_number where external_id = $1`, numberIDOf(line)).Scan(&number, &scope)
	if err != nil {
		return fmt.Errorf("find number %d: %w", line+1, err)
	}
	now := time.Now().Truncate(time.Millisecond)
	sent := func(i int) time.Time { return now.Add(-time.Hour - 22*time.Hour*time.Duration(i)/time.Duration(n)) }
	messages := pgx.CopyFromSlice(n, func(i int) ([]any, error) {
		at := sent(i)
		return []any{uuid.Must(uuid.NewV7()), t.OrganizationID, number, scope, t.OrganizationID, phoneNumber(i), "heads_up", "en_US", "delivered", at, at, at, at}, nil
	})
	_, err = t.pool.CopyFrom(ctx, pgx.Identifier{"message"}, []string{"id", "organization_id", "number_id", "scope_id", "lane", "phone_number",
		"template_name", "template_language", "status", "created_at", "sent_at", "delivered_at", "counted_at"}, messages)
	if err != nil {
		return fmt.Errorf("fill the window: %w", err)
	}
	ledger := pgx.CopyFromSlice(n, func(i int) ([]any, error) { return []any{scope, phoneNumber(i), sent(i), sent(i)}, nil })
	if _, err := t.pool.CopyFrom(ctx, pgx.Identifier{"messaging_ledger"}, []string{"scope_id", "phone_number", "counted_at", "asked_at"}, ledger); err != nil {
		return fmt.Errorf("fill the window: %w", err)
	}
	if _, err := t.pool.Exec(ctx, `update messaging_scope set recipients = $2 where id = $1`, scope, n); err != nil {
		return fmt.Errorf("fill the window: %w", err)
	}
	return t.analyze(ctx)
}

// ask makes a request of the operator's control routes.
func (t *texting) ask(ctx context.Context, method, path string, form url.Values, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, t.operator.url+path, bytes.NewReader([]byte(form.Encode())))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+sandboxToken)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask the operator: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("ask the operator for %s: %s", path, answer.Status)
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		return fmt.Errorf("ask the operator for %s: %w", path, err)
	}
	return nil
}

// sends is what the operator was asked to send since the last time.
func (t *texting) sends(ctx context.Context) ([]sandbox.Send, error) {
	var all []sandbox.Send
	for {
		var some struct {
			Sends []sandbox.Send `json:"sends"`
		}
		if err := t.ask(ctx, http.MethodGet, fmt.Sprintf("/sandbox/sends?after=%d", t.seen), nil, &some); err != nil {
			return nil, err
		}
		if len(some.Sends) == 0 {
			return all, nil
		}
		all = append(all, some.Sends...)
		t.seen = some.Sends[len(some.Sends)-1].Number
	}
}

// settled waits until nothing can go out any more, and the operator has told all
// there is to tell.
func (t *texting) settled(ctx context.Context) error {
	return t.until(ctx, "messages are still under way", func() (bool, error) {
		var busy bool
		err := t.pool.QueryRow(ctx, `
			select exists (select from message where status = 'sending' and unknown_since is null)
			    or exists (select from message where status = 'queued' and wait_reason is distinct from 'quota')`).Scan(&busy)
		if err != nil || busy {
			return false, err
		}
		var state sandbox.State
		err = t.ask(ctx, http.MethodGet, "/sandbox/state", nil, &state)
		return state.Unanswered == 0 && state.Pending == 0, err
	})
}

// once checks the operator's record against the messages that were queued: each
// of those accepted was queued, and none was accepted twice. It returns the
// accepted ones in their order.
func once(sends []sandbox.Send, queued map[string]bool) ([]sandbox.Send, error) {
	seen, recipients := map[string]bool{}, map[string]bool{}
	var accepted []sandbox.Send
	for _, s := range sends {
		switch {
		case !queued[s.Reference]:
			return nil, fmt.Errorf("request %d is about no message that was queued", s.Number)
		case s.Refused:
			return nil, fmt.Errorf("request %d was refused with code %d", s.Number, s.Code)
		case seen[s.Reference]:
			return nil, fmt.Errorf("message %s was sent twice", s.Reference)
		case recipients[s.Recipient]:
			return nil, fmt.Errorf("request %d is to somebody who was written to before", s.Number)
		case s.Accepted:
			seen[s.Reference], recipients[s.Recipient] = true, true
			accepted = append(accepted, s)
		}
	}
	return accepted, nil
}
