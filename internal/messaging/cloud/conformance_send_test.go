package cloud_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The recipient's number selects each error class. The client must never be wrong about whether the
// operator has accepted the message.
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
			if err != nil || !strings.HasPrefix(accepted.MessageID, "wamid.") ||
				accepted.WaID != "15005009"+outcome+"1" {
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
		if sends := w.operator.Sends(); sends[len(sends)-1].Reference != reference ||
			sends[len(sends)-1].Accepted != want.taken {
			t.Errorf("%s: the operator has %+v", outcome, sends[len(sends)-1])
		}
	}
}

// After two refusals, the third request to the recipient succeeds, whichever message it sends.
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

// If the answer is lost, the message may have been sent. A status with the product's reference
// reports it.
func TestUnknownOutcomesAreTold(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	account := w.account(sandbox.Account250)
	for _, outcome := range []string{"61", "63", "64", "66"} {
		if _, err := account.Send(
			t.Context(), to("+15005009"+outcome+"1", "lost "+outcome),
		); cloud.ClassOf(err) != cloud.Unknown {
			t.Errorf("%s: %v", outcome, err)
		}
	}
	if _, err := account.Send(w.untilTaken(t), to("+15005009651", "lost 65")); cloud.ClassOf(err) != cloud.Unknown ||
		!errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("65: %v", err)
	}
	for _, outcome := range []string{"61", "63", "64", "65", "66"} {
		events := w.product.await(t, func(events []cloud.Event) bool {
			return slices.Contains(statuses(events, "lost "+outcome), cloud.Read)
		})
		for _, e := range events {
			if s := e.(cloud.Status); s.MessageID == "" || s.NumberID != sandbox.Number250 ||
				s.AccountID != sandbox.Account250 || s.At.IsZero() {
				t.Errorf("%+v", s)
			}
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
			if e, _ := errors.AsType[*cloud.Error](err); e == nil || e.Class != cloud.StopCredentials ||
				e.Code != c.code {
				t.Errorf("wrong %s, request %d: %v", name, i+1, err)
			}
		}
	}
	if requests := w.operator.State().Requests; requests != 0 {
		t.Errorf("%d requests were recorded", requests)
	}
}

// untilAsked returns a context whose deadline passes when a request has been written.
func untilAsked(ctx context.Context) context.Context {
	deadline := testwait.NewDeadline(ctx)
	deadline.Context = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { deadline.Pass() },
	})
	return deadline
}

// untilTaken returns a context whose deadline passes when the operator accepts one more message.
func (w *world) untilTaken(t *testing.T) context.Context {
	deadline, before := testwait.NewDeadline(t.Context()), w.operator.State().Accepted
	go func() {
		if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool {
			return s.Accepted > before
		}); err == nil {
			deadline.Pass()
		}
	}()
	return deadline
}

func TestTroubles(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	account := cloud.New(cloud.Options{GraphURL: w.address, Timeout: testwait.Limit}).
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
		asked, taken := t.Context, t.Context
		if c.trouble.Kind == sandbox.Slow {
			asked = func() context.Context { return untilAsked(t.Context()) }
			taken = func() context.Context { return w.untilTaken(t) }
		}
		_, err1 := account.Info(asked())
		_, err2 := account.Numbers(asked())
		_, err3 := account.Templates(asked())
		_, err4 := account.Send(taken(), to("+15005551234", name))
		for i, err := range []error{err1, err2, err3, err4} {
			if err == nil || cloud.ClassOf(err) != c.class {
				t.Errorf("%s, request %d: %v", name, i+1, err)
			}
		}
		if n := w.operator.State().Accepted - before; n != c.taken {
			t.Errorf("%s: %d messages taken", name, n)
		}
		// Other accounts still work.
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

// RefuseBeyond makes the operator enforce the limit: distinct recipients in 24 hours, over all
// numbers of the portfolio.
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
