package twilio_test

import (
	"context"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
)

// A call in flight continues while the auth token is rotated: before the promotion Twilio signs with
// the old token, after it with the new one.
func TestACallSurvivesTheRotationOfTheToken(t *testing.T) {
	t.Parallel()
	network := sandbox.New(sandbox.Options{Token: sandboxToken, Speed: 50})
	api := httptest.NewServer(network)
	var account atomic.Pointer[twilio.Account]
	account.Store(&twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: api.URL})

	host := carriertest.NewHost()
	inLine, promoted := make(chan struct{}), make(chan struct{})
	host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		close(inLine)
		<-promoted
		_, _ = line.Say(ctx, carriertest.Goodbye, carrier.SayOptions{Uninterruptible: true})
		for {
			switch heard, err := host.Listen(ctx, callID, line); heard.(type) {
			case carrier.Spoken:
				_ = line.Hangup(ctx)
			case carrier.Closed, nil:
				return
			default:
				if err != nil {
					return
				}
			}
		}
	}
	product := httptest.NewUnstartedServer(nil)
	adapter := twilio.New(twilio.Config{
		Host: host, PublicURL: "http://" + product.Listener.Addr().String(),
		Account: func(context.Context, uuid.UUID) (twilio.Account, error) { return *account.Load(), nil },
	})
	product.Config.Handler = adapter.Handler()
	product.Start()
	t.Cleanup(func() {
		network.Close()
		product.Close()
		api.Close()
	})

	p := placement()
	sid, err := adapter.Carrier(uuid.New(), *account.Load()).Place(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	<-inLine
	next := network.CreateSecondaryToken(accountSID)
	account.Store(&twilio.Account{SID: accountSID, AuthToken: next, PreviousToken: authToken, APIURL: api.URL})
	lookup := func(a twilio.Account) error {
		_, err := adapter.Carrier(uuid.New(), a).Lookup(t.Context(), carrier.Ref{CallID: p.CallID, CarrierCallID: sid})
		return err
	}
	old := twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: api.URL}
	if err, err2 := lookup(old), lookup(*account.Load()); err != nil || err2 != nil {
		t.Errorf("before the promotion both tokens make requests: %v, %v", err, err2)
	}
	if _, err := network.PromoteToken(accountSID); err != nil {
		t.Fatal(err)
	}
	checkError(t, lookup(old), carrier.Unusable, "20003", true)
	close(promoted)
	v := host.Until(t, p.CallID, "the end", func(v carriertest.View) bool { _, ok := v.Ended(); return ok })
	if e, _ := v.Ended(); e.Outcome != carrier.Completed {
		t.Errorf("%+v", e)
	}

	// An API key makes requests for the account, and signs nothing.
	key := *account.Load()
	key.APIKey, key.APISecret = network.CreateKey(accountSID)
	key.AuthToken = "not sent"
	if err := lookup(key); err != nil {
		t.Error(err)
	}
	key.APISecret = "wrong"
	checkError(t, lookup(key), carrier.Unusable, "20003", true)
}
