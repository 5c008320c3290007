package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
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
	// operateCommand makes this program a sandbox WhatsApp operator with more numbers than the product's own sandbox
	// has.
	operateCommand = "operate"

	slowLines       = 20        // numbers that accept 80 messages per second
	fastLine        = slowLines // an additional number, which accepts 1,000
	windowFull      = 100_000
	messagePatience = 3 * time.Minute
	messagePause    = 100 * time.Millisecond
)

func accountOf(line int) string  { return fmt.Sprintf("1000000000001%02d", line) }
func numberIDOf(line int) string { return fmt.Sprintf("2000000000001%02d", line) }

// operate serves the operator. Each of its numbers has its own portfolio, and thus its own limit.
func operate(ctx context.Context) {
	var world []sandbox.Portfolio
	for line := range slowLines + 1 {
		number := sandbox.Number{ID: numberIDOf(line), Name: "Bench"}
		number.PhoneNumber = fmt.Sprintf("+1 312-555-01%02d", line)
		if line == fastLine {
			number.Throughput = "HIGH"
		}
		world = append(world, sandbox.Portfolio{
			ID:       fmt.Sprintf("3000000000001%02d", line),
			Name:     "Bench",
			Tier:     "TIER_100K",
			Accounts: []sandbox.Account{{ID: accountOf(line), Name: "Bench", Numbers: []sandbox.Number{number}}},
		})
	}
	operator := sandbox.New(sandbox.Options{
		Token: sandboxToken,
		World: world,
		Log:   slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	defer operator.Close()
	listen(ctx, operator)
}

// texting is a site whose numbers send messages to the operator.
type texting struct {
	*site
	operator *process
	seen     int // the number of the last request to send that this process has read
}

func (l *lab) texting(ctx context.Context, name string, keys int) *texting {
	t := &texting{site: l.site(ctx, name, keys), operator: l.child(ctx, "operator", operateCommand)}
	t.env = []string{"DIALWRIGHT_WHATSAPP=true", "DIALWRIGHT_WHATSAPP_BASE_URL=" + t.operator.url}
	return t
}

// connect connects accounts through the product's own package. A server then requests the webhooks: see serve.
func (t *texting) connect(ctx context.Context, lines ...int) {
	a := must(newApp(t.pool, t.vault, func(o *app.Options) { o.WhatsApp.GraphURL = t.operator.url }))
	for _, line := range lines {
		must(a.WhatsApp.CreateConnection(ctx, account.System(t.OrganizationID), connection.NewConnection{
			Account: accountOf(line),
			Settings: connection.Settings{
				Name:      fmt.Sprintf("Account %d", line+1),
				Token:     sandboxToken,
				AppSecret: sandboxToken,
			},
			SkipWebhooks: true,
		}))
	}
	// A null read_at makes a server read the connections immediately and request their missing webhooks.
	t.exec(ctx, `update messaging_connection set read_at = null`)
}

// serve starts a server and waits until the operator sends webhooks to it.
func (t *texting) serve(ctx context.Context) *process {
	server := t.site.serve(ctx, t.site)
	poll(ctx, messagePatience, messagePause, "the operator sends no webhooks", func() (done bool) {
		t.scan(ctx, `
			select not exists (select from messaging_connection where subscribed_at is null or read_at is null)`,
			nil, &done)
		return done
	})
	return server
}

// fillWindow puts the first n recipients into the window of a number, with messages sent between 1 and 23 hours ago.
func (t *texting) fillWindow(ctx context.Context, line, n int) {
	var number, scope uuid.UUID
	t.scan(ctx, `select id, scope_id from messaging_number where external_id = $1`, []any{numberIDOf(line)},
		&number, &scope)
	now := time.Now().Truncate(time.Millisecond)
	sent := func(i int) time.Time { return now.Add(-time.Hour - 22*time.Hour*time.Duration(i)/time.Duration(n)) }
	t.copyFrom(ctx, "message", []string{
		"id", "organization_id", "number_id", "scope_id", "lane", "phone_number", "template_name", "template_language",
		"status", "created_at", "sent_at", "delivered_at", "counted_at",
	}, pgx.CopyFromSlice(n, func(i int) ([]any, error) {
		return []any{
			uuid.Must(uuid.NewV7()), t.OrganizationID, number, scope, t.OrganizationID, phoneNumber(i),
			"heads_up", "en_US", "delivered", sent(i), sent(i), sent(i), sent(i),
		}, nil
	}))
	t.copyFrom(ctx, "messaging_ledger", []string{"scope_id", "phone_number", "counted_at", "asked_at"},
		pgx.CopyFromSlice(n, func(i int) ([]any, error) { return []any{scope, phoneNumber(i), sent(i), sent(i)}, nil }))
	t.exec(ctx, `update messaging_scope set recipients = $2 where id = $1`, scope, n)
	t.exec(ctx, `vacuum analyze`)
}

// control returns a request to the operator's control routes.
func (t *texting) control(method, path string) request {
	return request{method: method, url: t.operator.url + path, auth: "Bearer " + sandboxToken}
}

// sends returns the operator's requests to send since the previous call.
func (t *texting) sends(ctx context.Context) (all []sandbox.Send) {
	for {
		some, _, err := read[struct{ Sends []sandbox.Send }](ctx,
			t.control(http.MethodGet, fmt.Sprintf("/sandbox/sends?after=%d", t.seen)))
		if check(err); len(some.Sends) == 0 {
			return all
		}
		all = append(all, some.Sends...)
		t.seen = some.Sends[len(some.Sends)-1].Number
	}
}

// settle waits until no message can be sent anymore and the operator has reported on all messages.
func (t *texting) settle(ctx context.Context) {
	poll(ctx, messagePatience, messagePause, "messages are still being sent", func() bool {
		var busy bool
		t.scan(ctx, `
			select exists (select from message where status = 'sending' and unknown_since is null)
			    or exists (select from message where status = 'queued' and wait_reason is distinct from 'quota')`,
			nil, &busy)
		if busy {
			return false
		}
		state, _, err := read[sandbox.State](ctx, t.control(http.MethodGet, "/sandbox/state"))
		check(err)
		return state.Unanswered == 0 && state.Pending == 0
	})
}

// accepted checks the operator's record against the queued messages: each accepted message
// was queued, and none was accepted twice. It returns the accepted messages in order.
func (t *texting) accepted(ctx context.Context, queued map[string]bool) (all []sandbox.Send) {
	seen, recipients := map[string]bool{}, map[string]bool{}
	for _, s := range t.sends(ctx) {
		switch {
		case !queued[s.Reference]:
			failf("request %d is about no queued message", s.Number)
		case s.Refused:
			failf("request %d was refused with code %d", s.Number, s.Code)
		case seen[s.Reference]:
			failf("message %s was sent twice", s.Reference)
		case recipients[s.Recipient]:
			failf("request %d is to the recipient of another message", s.Number)
		case s.Accepted:
			seen[s.Reference], recipients[s.Recipient] = true, true
			all = append(all, s)
		}
	}
	return all
}
