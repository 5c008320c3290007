package cloud_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

const (
	token       = "EAAtokenForTests"
	appSecret   = "an app secret for tests"
	verifyToken = "a verify token for tests"
)

// world is the operator, the client and a product that receives webhooks, over loopback.
type world struct {
	operator *sandbox.Operator
	client   *cloud.Client
	address  string // of the operator
	callback string
	product  *product
}

// product stores the events that it receives.
type product struct {
	mu      sync.Mutex
	events  []cloud.Event
	failing int // number of deliveries that must fail
	changed chan struct{}
}

func (p *product) deliver(_ context.Context, _ uuid.UUID, events []cloud.Event) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		close(p.changed)
		p.changed = make(chan struct{})
	}()
	if p.failing > 0 {
		p.failing--
		return errors.New("told to fail")
	}
	p.events = append(p.events, events...)
	return nil
}

// await returns the events as soon as wanted returns true for them.
func (p *product) await(t *testing.T, wanted func([]cloud.Event) bool) []cloud.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	for {
		p.mu.Lock()
		events, changed := slices.Clone(p.events), p.changed
		p.mu.Unlock()
		if wanted(events) {
			return events
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("still not told: %+v", events)
		}
	}
}

// statuses returns the reported states of a message, in order.
func statuses(events []cloud.Event, reference string) []cloud.State {
	var all []cloud.State
	for _, e := range events {
		if s, ok := e.(cloud.Status); ok && s.Reference == reference {
			all = append(all, s.State)
		}
	}
	return all
}

func open(t *testing.T, o sandbox.Options) *world {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	o.Token, o.AppSecret, o.Log = token, appSecret, quiet
	if o.Speed == 0 {
		o.Speed = 100
	}
	w := &world{operator: sandbox.New(o), product: &product{changed: make(chan struct{})}}
	api := httptest.NewServer(w.operator)
	connection := uuid.Must(uuid.NewV7())
	hooks := httptest.NewServer(&cloud.Hook{
		Secrets: func(_ context.Context, id uuid.UUID) (cloud.Secrets, error) {
			if id != connection {
				return cloud.Secrets{}, cloud.ErrNoConnection
			}
			return cloud.Secrets{AppSecret: appSecret, VerifyToken: verifyToken}, nil
		},
		Deliver: w.product.deliver,
		Log:     quiet,
	})
	w.address, w.callback = api.URL, hooks.URL+cloud.HooksPath+connection.String()
	w.client = cloud.New(cloud.Options{GraphURL: api.URL})
	t.Cleanup(func() {
		w.operator.Close()
		api.Close()
		hooks.Close()
	})
	return w
}

func (w *world) account(id string) *cloud.Account {
	return w.client.Account(cloud.Credentials{AccountID: id, Token: token, AppSecret: appSecret})
}

// listen subscribes to an account's webhooks as a product does.
func (w *world) listen(t *testing.T, accountID string) {
	t.Helper()
	if err := w.operator.SetCallback(t.Context(), accountID, w.callback, verifyToken); err != nil {
		t.Fatal(err)
	}
	if err := w.account(accountID).Subscribe(t.Context(), "", ""); err != nil {
		t.Fatal(err)
	}
}

func to(number, reference string) cloud.Message {
	return cloud.Message{
		NumberID: sandbox.Number250, To: number, Template: "heads_up", Language: "en_US", Reference: reference,
	}
}

func TestNumbersOfTheStandardWorld(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	for account, want := range map[string]struct {
		portfolio, number string
		limit             int
	}{
		sandbox.Account250:  {sandbox.Portfolio250, sandbox.Number250, 250},
		sandbox.Account1K:   {sandbox.Portfolio1K, sandbox.Number1K, 1000},
		sandbox.Account10K:  {sandbox.Portfolio10K, sandbox.Number10K, 10000},
		sandbox.Account100K: {sandbox.Portfolio100K, sandbox.Number100K, 100000},
	} {
		info, err := w.account(account).Info(t.Context())
		if err != nil || info.ID != account || info.PortfolioID != want.portfolio || info.Name == "" {
			t.Errorf("%+v, %v", info, err)
		}
		numbers, err := w.account(account).Numbers(t.Context())
		if err != nil || len(numbers) != 1 {
			t.Fatalf("%+v, %v", numbers, err)
		}
		n := numbers[0]
		if n.ID != want.number || n.Tier.Limit() != want.limit || !n.Tier.Known() ||
			!strings.HasPrefix(n.PhoneNumber, "+1312555") ||
			n.Name == "" || n.Quality != "GREEN" || n.Status != "CONNECTED" || n.Platform != "CLOUD_API" ||
			n.Throughput != "STANDARD" {
			t.Errorf("%+v", n)
		}
	}
}

// Tests several pages, a number without a name, an account without a portfolio, and a Graph API
// that knows the limit by its former name.
func TestNumbersInPages(t *testing.T) {
	t.Parallel()
	account := sandbox.Account{ID: "41"}
	for i := range 7 {
		account.Numbers = append(account.Numbers, sandbox.Number{
			ID: fmt.Sprint(500 + i), PhoneNumber: fmt.Sprintf("+1 312-555-01%02d", i), Name: "Line",
		})
	}
	account.Numbers[3].Name = ""
	w := open(t, sandbox.Options{PageSize: 3, World: []sandbox.Portfolio{
		{Tier: "TIER_2K", Accounts: []sandbox.Account{account, {ID: "42"}}},
	}})
	for _, version := range []string{"", "v24.0", "v23.0", "v22.0"} {
		client := cloud.New(cloud.Options{GraphURL: w.address, Version: version})
		numbers, err := client.Account(cloud.Credentials{AccountID: "41", Token: token}).Numbers(t.Context())
		if err != nil || len(numbers) != 7 {
			t.Fatalf("%s: %+v, %v", version, numbers, err)
		}
		for i, n := range numbers {
			if n.ID != fmt.Sprint(500+i) || n.Tier.Limit() != 2000 || n.Tier.String() != "TIER_2K" ||
				(n.Name == "") != (i == 3) ||
				n.PhoneNumber != fmt.Sprintf("+131255501%02d", i) {
				t.Errorf("%s: %+v", version, n)
			}
		}
	}
	if info, err := w.account("41").Info(t.Context()); err != nil || info.PortfolioID != "" {
		t.Errorf("%+v, %v", info, err)
	}
	if numbers, err := w.account("42").Numbers(t.Context()); err != nil || numbers == nil || len(numbers) != 0 {
		t.Errorf("%+v, %v", numbers, err)
	}
	if _, err := w.account("43").Numbers(t.Context()); cloud.ClassOf(err) != cloud.StopNumber {
		t.Errorf("no such account: %v", err)
	}
}

// The limit is read with its current value, under any of its names.
func TestLimitsThatChange(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	told := 0
	for tier, limit := range map[string]int{
		"TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10000, "TIER_100K": 100000,
		"TIER_UNLIMITED": 100000, "UNLIMITED": 100000, "-1": 100000, "2000": 2000, "UNTIERED": 250, "TIER_NOT_SET": 250,
		"": 250,
	} {
		if err := w.operator.SetTier(sandbox.Account250, tier); err != nil {
			t.Fatal(err)
		}
		numbers, err := w.account(sandbox.Account250).Numbers(t.Context())
		if err != nil || numbers[0].Tier.Limit() != limit {
			t.Errorf("%q: %+v, %v", tier, numbers, err)
		}
		told++
		events := w.product.await(t, func(events []cloud.Event) bool { return len(events) == told })
		if e, ok := events[told-1].(cloud.CapabilityUpdate); !ok || e.AccountID != sandbox.Account250 ||
			e.Tier.Limit() != limit {
			t.Errorf("%q: %+v", tier, events[told-1])
		}
	}
}

func TestTemplatesInPages(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{PageSize: 2})
	templates, err := w.account(sandbox.Account250).Templates(t.Context())
	if err != nil || len(templates) != len(sandbox.StandardTemplates()) {
		t.Fatalf("%d, %v", len(templates), err)
	}
	sent := 0
	for _, template := range templates {
		if obstacle := template.Obstacle(); obstacle != "" {
			if template.Status == "APPROVED" ||
				!slices.Contains([]string{"is paused", "is not approved yet"}, obstacle) {
				t.Errorf("%s %s", template.Name, obstacle)
			}
			continue
		}
		values := map[string]string{}
		for i, v := range template.Variables() {
			values[v.Key] = fmt.Sprintf("value %d\n  of %s", i, v.Key)
			if v.Kind == cloud.LinkVariable {
				values[v.Key] = "https://example.com/picture.jpg"
			}
		}
		components, err := template.Bind(values)
		if err != nil {
			t.Fatal(err)
		}
		m := to("+15005009001", template.Name+template.Language)
		m.Template, m.Language, m.Components = template.Name, template.Language, components
		accepted, err := w.account(sandbox.Account250).Send(t.Context(), m)
		if err != nil {
			t.Errorf("%s: %v", template.Name, err)
			continue
		}
		sends := w.operator.Sends()
		last := sends[len(sends)-1]
		if last.MessageID != accepted.MessageID || last.Reference != m.Reference ||
			last.Text != template.Preview(values).Body || last.Text == "" {
			t.Errorf("%+v, want %q", last, template.Preview(values).Body)
		}
		sent++
		// A template whose variables are not filled is refused, and the error is about the
		// template.
		if len(components) > 0 {
			m.Components = nil
			if _, err := w.account(sandbox.Account250).Send(t.Context(), m); cloud.ClassOf(err) != cloud.StopTemplate {
				t.Errorf("%s without its variables: %v", template.Name, err)
			}
		}
	}
	if sent != 7 {
		t.Errorf("%d templates were sent", sent)
	}
}
