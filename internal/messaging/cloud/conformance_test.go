package cloud_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

const (
	token       = "EAAtokenForTests"
	appSecret   = "an app secret for tests"
	verifyToken = "a verify token for tests"
)

// world is the operator, the client and a product that takes webhooks, over
// loopback.
type world struct {
	operator *sandbox.Operator
	client   *cloud.Client
	address  string // of the operator
	callback string
	product  *product
}

// product keeps what it is told.
type product struct {
	mu      sync.Mutex
	events  []cloud.Event
	failing int // deliveries that are to fail
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

// await returns the events once there is what is wanted among them.
func (p *product) await(t *testing.T, wanted func([]cloud.Event) bool) []cloud.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
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

// statuses are the states told of a message, in the order they were told.
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

// listen subscribes an account's webhooks as a product does.
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
	return cloud.Message{NumberID: sandbox.Number250, To: number, Template: "heads_up", Language: "en_US", Reference: reference}
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
		if n.ID != want.number || n.Tier.Limit() != want.limit || !n.Tier.Known() || !strings.HasPrefix(n.PhoneNumber, "+1312555") ||
			n.Name == "" || n.Quality != "GREEN" || n.Status != "CONNECTED" || n.Platform != "CLOUD_API" || n.Throughput != "STANDARD" {
			t.Errorf("%+v", n)
		}
	}
}

// Several pages, a number without a name, an account without a portfolio, and a
// Graph API that knows the limit by its former name.
func TestNumbersInPages(t *testing.T) {
	t.Parallel()
	account := sandbox.Account{ID: "41"}
	for i := range 7 {
		account.Numbers = append(account.Numbers, sandbox.Number{ID: fmt.Sprint(500 + i), PhoneNumber: fmt.Sprintf("+1 312-555-01%02d", i), Name: "Line"})
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
			if n.ID != fmt.Sprint(500+i) || n.Tier.Limit() != 2000 || n.Tier.String() != "TIER_2K" || (n.Name == "") != (i == 3) ||
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

// The limit is read as it is at that moment, whatever it is called.
func TestLimitsThatChange(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	told := 0
	for tier, limit := range map[string]int{
		"TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10000, "TIER_100K": 100000,
		"TIER_UNLIMITED": 100000, "UNLIMITED": 100000, "-1": 100000, "2000": 2000, "UNTIERED": 250, "TIER_NOT_SET": 250, "": 250,
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
		if e, ok := events[told-1].(cloud.CapabilityUpdate); !ok || e.AccountID != sandbox.Account250 || e.Tier.Limit() != limit {
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
			if template.Status == "APPROVED" || !slices.Contains([]string{"is paused", "is not approved yet"}, obstacle) {
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
		if last.MessageID != accepted.MessageID || last.Reference != m.Reference || last.Text != template.Preview(values).Body || last.Text == "" {
			t.Errorf("%+v, want %q", last, template.Preview(values).Body)
		}
		sent++
		// What is not filled is refused, and the template is to blame.
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

// Every error class, by the recipient's number; and whether the operator has
// taken the message, which the client must never get wrong.
func TestScriptedErrors(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	account := w.account(sandbox.Account250)
	for outcome, want := range map[string]struct {
		class cloud.Class // "": accepted
		code  int
		taken bool
	}{
		"00": {"", 0, true},
		"08": {"", 0, true},
		"10": {cloud.Permanent, 131026, false},
		"11": {cloud.OptedOut, 131050, false},
		"12": {cloud.RetryNextDay, 131049, false},
		"13": {cloud.Permanent, 130472, false},
		"14": {cloud.Permanent, 131009, false},
		"20": {cloud.RetryRecipient, 131056, false},
		"21": {cloud.Retry, 130429, false},
		"22": {cloud.Retry, 131016, false},
		"23": {cloud.Retry, 80007, false},
		"24": {cloud.Retry, 131000, false},
		"30": {cloud.StopNumber, 131048, false},
		"31": {cloud.StopNumber, 131031, false},
		"32": {cloud.StopNumber, 131042, false},
		"33": {cloud.StopNumber, 133010, false},
		"34": {cloud.StopNumber, 100, false},
		"40": {cloud.StopCredentials, 190, false},
		"41": {cloud.StopCredentials, 10, false},
		"42": {cloud.StopCredentials, 131005, false},
		"43": {cloud.StopCredentials, 0, false},
		"50": {cloud.StopTemplate, 132000, false},
		"51": {cloud.StopTemplate, 132001, false},
		"52": {cloud.StopTemplate, 132015, false},
		"53": {cloud.StopTemplate, 132016, false},
		"54": {cloud.StopTemplate, 132012, false},
		"60": {cloud.Unknown, 0, false},
		"61": {cloud.Unknown, 0, true},
		"62": {cloud.Unknown, 0, false},
		"63": {cloud.Unknown, 0, true},
		"64": {cloud.Unknown, 0, true},
		"66": {cloud.Unknown, 1, true},
	} {
		reference := "send " + outcome
		accepted, err := account.Send(t.Context(), to("+1500500"+"9"+outcome+"1", reference))
		e, _ := errors.AsType[*cloud.Error](err)
		switch {
		case want.class == "":
			if err != nil || !strings.HasPrefix(accepted.MessageID, "wamid.") || accepted.WaID != "15005009"+outcome+"1" {
				t.Errorf("%s: %+v, %v", outcome, accepted, err)
			}
			if held := accepted.State == "held_for_quality_assessment"; held != (outcome == "08") {
				t.Errorf("%s: %s", outcome, accepted.State)
			}
		case e == nil || e.Class != want.class || e.Code != want.code:
			t.Errorf("%s: %v", outcome, err)
		case (e.RetryAfter == time.Second) != (outcome == "21" || outcome == "23"):
			t.Errorf("%s: retry after %v", outcome, e.RetryAfter)
		}
		if sends := w.operator.Sends(); sends[len(sends)-1].Reference != reference || sends[len(sends)-1].Accepted != want.taken {
			t.Errorf("%s: the operator has %+v", outcome, sends[len(sends)-1])
		}
	}
}

// What is refused twice goes through the third time, whichever message it is.
func TestRefusedTwiceThenTaken(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	for i := range 6 {
		_, err := w.account(sandbox.Account250).Send(t.Context(), to("+15005559220", "ours"))
		if i%3 == 2 && err != nil || i%3 != 2 && cloud.ClassOf(err) != cloud.Retry {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

// An answer that is lost leaves the message on its way: the status with our
// reference is what tells.
func TestUnknownOutcomesAreTold(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	account := w.account(sandbox.Account250)
	for _, outcome := range []string{"61", "63", "64", "66"} {
		if _, err := account.Send(t.Context(), to("+15005009"+outcome+"1", "lost "+outcome)); cloud.ClassOf(err) != cloud.Unknown {
			t.Errorf("%s: %v", outcome, err)
		}
	}
	impatient := cloud.New(cloud.Options{GraphURL: w.address, Timeout: 100 * time.Millisecond}).
		Account(cloud.Credentials{AccountID: sandbox.Account250, Token: token})
	if _, err := impatient.Send(t.Context(), to("+15005009651", "lost 65")); cloud.ClassOf(err) != cloud.Unknown || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("65: %v", err)
	}
	for _, outcome := range []string{"61", "63", "64", "65", "66"} {
		events := w.product.await(t, func(events []cloud.Event) bool {
			return slices.Contains(statuses(events, "lost "+outcome), cloud.Read)
		})
		for _, e := range events {
			if s := e.(cloud.Status); s.MessageID == "" || s.NumberID != sandbox.Number250 || s.AccountID != sandbox.Account250 || s.At.IsZero() {
				t.Errorf("%+v", s)
			}
		}
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	w.product.mu.Lock()
	w.product.failing = 3 // what is not taken comes again
	w.product.mu.Unlock()
	want := map[string][]cloud.State{
		"00": {cloud.Sent, cloud.Delivered, cloud.Read},
		"01": {cloud.Sent},
		"02": {cloud.Sent, cloud.Delivered},
		"03": {cloud.Sent, cloud.Read},
		"04": {cloud.Delivered, cloud.Read, cloud.Sent, cloud.Read, cloud.Delivered, cloud.Sent},
		"05": {cloud.Sent, cloud.Delivered, cloud.Failed},
		"06": {cloud.Sent, cloud.Failed},
		"07": {cloud.Failed},
		"08": {cloud.Failed},
		"09": nil,
	}
	for outcome := range want {
		if _, err := w.account(sandbox.Account250).Send(t.Context(), to("+15005559"+outcome+"0", outcome)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
	events := w.product.await(t, func([]cloud.Event) bool { return true })
	for outcome, states := range want {
		if got := statuses(events, outcome); !slices.Equal(got, states) {
			t.Errorf("%s: told %v", outcome, got)
		}
	}
	at := map[cloud.State]time.Time{}
	for _, e := range events {
		s := e.(cloud.Status)
		if (s.State == cloud.Failed) != (s.Failure != nil) {
			t.Errorf("%+v", s)
		}
		if s.State != cloud.Failed && (s.Pricing.Category != "utility" || !s.Pricing.Billable) {
			t.Errorf("pricing %+v", s.Pricing)
		}
		codes := map[string]struct {
			code  int
			class cloud.Class
		}{"05": {131000, cloud.Retry}, "06": {131026, cloud.Permanent}, "07": {131049, cloud.RetryNextDay}, "08": {132015, cloud.StopTemplate}}
		if f := s.Failure; f != nil && (f.Code != codes[s.Reference].code || f.Class != codes[s.Reference].class) {
			t.Errorf("%s: %+v", s.Reference, f)
		}
		if s.Reference == "04" {
			if before, twice := at[s.State]; twice && !before.Equal(s.At) {
				t.Errorf("%s is told with two times", s.State)
			}
			at[s.State] = s.At
		}
	}
	if !at[cloud.Sent].Before(at[cloud.Delivered]) || !at[cloud.Delivered].Before(at[cloud.Read]) {
		t.Errorf("the times are out of order as well: %v", at)
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	sent := map[string]string{}
	for _, outcome := range []string{"70", "71", "72", "73"} {
		m := to("+15005559"+outcome+"0", outcome)
		m.Template, m.Components = "appointment", []cloud.Component{{Type: "body", Parameters: []cloud.Parameter{
			{Type: "text", Name: "time", Text: "noon"}, {Type: "text", Name: "first_name", Text: "Ana"}, {Type: "text", Name: "day", Text: "Monday"},
		}}}
		accepted, err := w.account(sandbox.Account250).Send(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		sent[outcome] = accepted.MessageID
	}
	if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
	if err := w.operator.Receive(sandbox.Number250, "+15005551234", "Hello?"); err != nil {
		t.Fatal(err)
	}
	wants := map[string]cloud.Event{}
	for digits, e := range map[string]cloud.Inbound{
		"15005559700": {Kind: "text", Text: "STOP", ReplyTo: sent["70"], Name: "Recipient 9700"},
		"15005559710": {Kind: "text", Text: "Is Thursday possible as well?", ReplyTo: sent["71"], Name: "Recipient 9710"},
		"15005559720": {Kind: "button", Text: "I will come", Payload: "I will come", ReplyTo: sent["72"], Name: "Recipient 9720"},
		"15005551234": {Kind: "text", Text: "Hello?", Name: "Recipient 1234"},
	} {
		e.AccountID, e.NumberID, e.WaID = sandbox.Account250, sandbox.Number250, digits
		wants[digits] = e
	}
	wants["15005559730"] = cloud.Preference{AccountID: sandbox.Account250, NumberID: sandbox.Number250, WaID: "15005559730", Category: "marketing_messages", Value: "stop"}
	w.product.await(t, func(events []cloud.Event) bool {
		missing := len(wants)
		for _, e := range events {
			var digits string
			switch got := e.(type) {
			case cloud.Inbound:
				digits = got.WaID
				if got.MessageID == "" || got.At.IsZero() {
					t.Errorf("%+v", got)
				}
				got.MessageID, got.At = "", time.Time{}
				e = got
			case cloud.Preference:
				digits = got.WaID
				got.At = time.Time{}
				e = got
			default:
				continue
			}
			if e != wants[digits] {
				t.Errorf("got %+v, want %+v", e, wants[digits])
			}
			missing--
		}
		return missing == 0
	})
}

func TestOtherUpdates(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	if err := w.operator.SetTemplateStatus(sandbox.Account250, "heads_up", "en_US", "PAUSED"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.account(sandbox.Account250).Send(t.Context(), to("+15005551234", "x")); cloud.ClassOf(err) != cloud.StopTemplate {
		t.Errorf("a paused template: %v", err)
	}
	if err := w.operator.SetQuality(sandbox.Number250, "RED"); err != nil {
		t.Fatal(err)
	}
	if numbers, err := w.account(sandbox.Account250).Numbers(t.Context()); err != nil || numbers[0].Quality != "RED" {
		t.Errorf("%+v, %v", numbers, err)
	}
	for _, e := range w.product.await(t, func(events []cloud.Event) bool { return len(events) == 2 }) {
		switch e := e.(type) {
		case cloud.TemplateUpdate:
			if e.AccountID != sandbox.Account250 || e.Name != "heads_up" || e.Language != "en_US" || e.Status != "PAUSED" || e.Reason != "" || e.TemplateID == "" {
				t.Errorf("%+v", e)
			}
		case cloud.QualityUpdate:
			if e.AccountID != sandbox.Account250 || e.PhoneNumber != "+13125550122" || e.Kind != "DOWNGRADE" {
				t.Errorf("%+v", e)
			}
		default:
			t.Errorf("%+v", e)
		}
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	for name, c := range map[string]struct {
		cred cloud.Credentials
		code int
	}{
		"token":  {cloud.Credentials{AccountID: sandbox.Account250, Token: "EAAother", AppSecret: appSecret}, 190},
		"secret": {cloud.Credentials{AccountID: sandbox.Account250, Token: token, AppSecret: "another"}, 100},
	} {
		account := w.client.Account(c.cred)
		_, err1 := account.Info(t.Context())
		_, err2 := account.Numbers(t.Context())
		_, err3 := account.Templates(t.Context())
		_, err4 := account.Send(t.Context(), to("+15005551234", "x"))
		err5 := account.Subscribe(t.Context(), w.callback, verifyToken)
		for i, err := range []error{err1, err2, err3, err4, err5} {
			if e, _ := errors.AsType[*cloud.Error](err); e == nil || e.Class != cloud.StopCredentials || e.Code != c.code {
				t.Errorf("wrong %s, request %d: %v", name, i+1, err)
			}
		}
	}
	if requests := w.operator.State().Requests; requests != 0 {
		t.Errorf("%d requests were recorded", requests)
	}
}

func TestSubscribe(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	account := w.account(sandbox.Account250)
	for name, c := range map[string]struct{ callback, token string }{
		"another verify token":  {w.callback, "another"},
		"an unknown connection": {strings.Replace(w.callback, w.callback[len(w.callback)-12:], "000000000000", 1), verifyToken},
		"nobody there":          {"http://127.0.0.1:1/x", verifyToken},
		"no address":            {"x", verifyToken},
	} {
		err := account.Subscribe(t.Context(), c.callback, c.token)
		if e, _ := errors.AsType[*cloud.Error](err); e == nil || e.Code != 2200 || e.Class != cloud.Permanent {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.operator.SetCallback(t.Context(), sandbox.Account250, c.callback, c.token); err == nil {
			t.Errorf("%s: configured", name)
		}
	}
	// An address alone is told nothing: the app is not subscribed to the account.
	if err := w.operator.SetCallback(t.Context(), sandbox.Account1K, w.callback, verifyToken); err != nil {
		t.Fatal(err)
	}
	m := to("+15005009010", "none")
	m.NumberID = sandbox.Number1K
	if _, err := account.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}

	// With an address of the account's own, messages go there; the rest goes to
	// the app's address, of which there is none.
	if err := account.Subscribe(t.Context(), w.callback, verifyToken); err != nil {
		t.Fatal(err)
	}
	if err := w.operator.SetTier(sandbox.Account250, "TIER_1K"); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Send(t.Context(), to("+15005009010", "one")); err != nil {
		t.Fatal(err)
	}
	if events := w.product.await(t, func(events []cloud.Event) bool { return len(events) > 0 }); len(events) != 1 || len(statuses(events, "one")) != 1 {
		t.Errorf("%+v", events)
	}
}

func TestTroubles(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	account := cloud.New(cloud.Options{GraphURL: w.address, Timeout: 100 * time.Millisecond}).
		Account(cloud.Credentials{AccountID: sandbox.Account250, Token: token})
	for name, c := range map[string]struct {
		trouble sandbox.Trouble
		class   cloud.Class
		taken   int // requests to send that were carried out
	}{
		"down":      {sandbox.Trouble{Kind: sandbox.Down}, cloud.Unknown, 0},
		"slow":      {sandbox.Trouble{Kind: sandbox.Slow, Delay: time.Hour}, cloud.Unknown, 1},
		"malformed": {sandbox.Trouble{Kind: sandbox.Malformed}, cloud.Unknown, 1},
		"revoked":   {sandbox.Trouble{Kind: sandbox.Refusing, Code: 190}, cloud.StopCredentials, 0},
	} {
		before := w.operator.State().Accepted
		if err := w.operator.SetTrouble(sandbox.Account250, c.trouble); err != nil {
			t.Fatal(err)
		}
		_, err1 := account.Info(t.Context())
		_, err2 := account.Numbers(t.Context())
		_, err3 := account.Templates(t.Context())
		_, err4 := account.Send(t.Context(), to("+15005551234", name))
		for i, err := range []error{err1, err2, err3, err4} {
			if err == nil || cloud.ClassOf(err) != c.class {
				t.Errorf("%s, request %d: %v", name, i+1, err)
			}
		}
		if taken := w.operator.State().Accepted - before; taken != c.taken {
			t.Errorf("%s: %d messages taken", name, taken)
		}
		// Others are well meanwhile.
		if _, err := w.account(sandbox.Account1K).Numbers(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.operator.SetTrouble("", sandbox.Trouble{}); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Numbers(t.Context()); err != nil {
		t.Error(err)
	}
}

// The operator can be told to keep to the limit itself: distinct recipients in
// 24 hours, over all numbers of the portfolio.
func TestRefuseBeyond(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{World: []sandbox.Portfolio{{ID: "1", Tier: "TIER_250", Accounts: []sandbox.Account{
		{ID: "2", Numbers: []sandbox.Number{{ID: "21", PhoneNumber: "+1 312-555-0121"}}},
		{ID: "3", Numbers: []sandbox.Number{{ID: "31", PhoneNumber: "+1 312-555-0131"}}},
	}}}})
	w.operator.RefuseBeyond(131048)
	send := func(number string, recipient int) error {
		m := to(fmt.Sprintf("+1312556%04d", recipient), "x")
		m.NumberID = number
		_, err := w.account("2").Send(t.Context(), m)
		return err
	}
	for i := range 250 {
		if err := send([]string{"21", "31"}[i%2], i); err != nil {
			t.Fatal(err)
		}
	}
	if err := send("31", 0); err != nil {
		t.Errorf("a known recipient: %v", err)
	}
	err := send("31", 250)
	if e, _ := errors.AsType[*cloud.Error](err); e == nil || e.Class != cloud.StopNumber || !e.LimitSuspected() {
		t.Errorf("one too many: %v", err)
	}
	w.operator.Advance(24 * time.Hour)
	if err := send("31", 250); err != nil {
		t.Errorf("a day later: %v", err)
	}
}

func TestHook(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	for name, c := range map[string]struct {
		method, address, signature, body string
		status                           int
	}{
		"no signature":       {http.MethodPost, w.callback, "", `{}`, 403},
		"another signature":  {http.MethodPost, w.callback, "sha256=00", `{}`, 403},
		"unknown connection": {http.MethodPost, w.callback[:len(w.callback)-12] + "000000000000", "", `{}`, 404},
		"no connection":      {http.MethodPost, w.callback + "x", "", `{}`, 404},
		"another method":     {http.MethodPut, w.callback, "", `{}`, 405},
		"no verify token":    {http.MethodGet, w.callback + "?hub.mode=subscribe&hub.challenge=1", "", ``, 403},
		"verify token":       {http.MethodGet, w.callback + "?hub.mode=subscribe&hub.challenge=1&hub.verify_token=" + strings.ReplaceAll(verifyToken, " ", "+"), "", ``, 200},
		"too large":          {http.MethodPost, w.callback, "sha256=00", strings.Repeat(" ", 4<<20+1), 413},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, c.address, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Hub-Signature-256", c.signature)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.status {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}
