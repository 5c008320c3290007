package main

import (
	"errors"
	"log/slog"
	"net"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/config"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// The telephone network and the WhatsApp operator share one address, and the
// clients of the product find both.
func TestSandboxIsNetworkAndOperator(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := openBox(listener, "a token", 1, slog.New(slog.DiscardHandler))
	defer b.close()
	in := &instance{p: &process{Config: config.Config{WhatsApp: true, GraphVersion: "v26.0"}}, sandboxURL: "http://" + listener.Addr().String()}

	numbers, err := in.whatsappClient().Account(cloud.Credentials{AccountID: whatsapp.Account250, Token: "a token"}).Numbers(t.Context())
	if err != nil || len(numbers) != 1 || numbers[0].Tier.Limit() != 250 {
		t.Errorf("%+v, %v", numbers, err)
	}
	calls := twilio.New(twilio.Config{}).Carrier(uuid.New(), twilio.Account{SID: "AC1", AuthToken: "a token", APIURL: in.sandboxURL})
	if _, err := calls.Lookup(t.Context(), carrier.Ref{CarrierCallID: "CAnone"}); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("the telephone network says %v", err)
	}

	// Connections keep the token: it outlives the process, and tells nothing of
	// the key it is made from.
	if one := sandboxToken([]string{"a key", "an old one"}); one != sandboxToken([]string{"a key"}) || one == sandboxToken([]string{"another"}) || len(one) != 64 {
		t.Errorf("%s", one)
	}

	// A deployment's own setting wins, and the channel can be switched off.
	in.p.WhatsAppURL = "http://127.0.0.1:1"
	if _, err := in.whatsappClient().Account(cloud.Credentials{AccountID: whatsapp.Account250, Token: "a token"}).Numbers(t.Context()); cloud.ClassOf(err) != cloud.Retry {
		t.Errorf("%v", err)
	}
	in.p.WhatsApp = false
	if in.whatsappClient() != nil {
		t.Error("a client for a channel that is switched off")
	}
}
