package main

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/config"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	model "github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
)

// The phone network and the WhatsApp operator share an address, and the product's clients reach both.
func TestSandboxIsNetworkAndOperator(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := openBox(listener, "a token", 1, slog.New(slog.DiscardHandler))
	defer b.close()
	in := &instance{
		server: &server{
			p:          &process{Config: config.Config{WhatsApp: true, GraphVersion: "v26.0"}},
			sandboxURL: "http://" + listener.Addr().String(),
		},
		db: &database{},
	}
	business := func(o app.WhatsApp) *cloud.Account {
		client := cloud.New(cloud.Options{GraphURL: o.GraphURL, Version: o.GraphVersion})
		return client.Account(cloud.Credentials{AccountID: whatsapp.Account250, Token: "a token"})
	}

	numbers, err := business(in.options().WhatsApp).Numbers(t.Context())
	if err != nil || len(numbers) != 1 || numbers[0].Tier.Limit() != 250 {
		t.Errorf("%+v, %v", numbers, err)
	}
	calls := twilio.New(twilio.Config{}).Carrier(uuid.New(), twilio.Account{
		SID: "AC1", AuthToken: sandbox.AccountToken("a token", "AC1"), APIURL: in.sandboxURL,
	})
	if _, err := calls.Lookup(t.Context(), carrier.Ref{
		CarrierCallID: "CAnone",
	}); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("the phone network says %v", err)
	}

	// Connections store the token, so it must survive the process. It must not reveal the key that it is derived from.
	if one := sandboxToken([]string{"a key", "an old one"}); one != sandboxToken([]string{"a key"}) ||
		one == sandboxToken([]string{"another"}) || len(one) != 64 {
		t.Errorf("%s", one)
	}

	// An explicit setting takes precedence, and the channel can be switched off.
	if !in.options().WhatsApp.Simulated {
		t.Error("the sandbox's operator is taken for a real one")
	}
	in.p.WhatsAppURL = "http://127.0.0.1:1"
	if in.options().WhatsApp.Simulated {
		t.Error("another operator is taken for the sandbox's")
	}
	if _, err := business(in.options().WhatsApp).Numbers(t.Context()); cloud.ClassOf(err) != cloud.Retry {
		t.Errorf("%v", err)
	}
	in.p.WhatsApp = false
	if !in.options().WhatsApp.Off {
		t.Error("the channel is not switched off")
	}
}

// A sandbox connection accepts callbacks that are signed with its own auth token. It rejects the token of another
// organization's connection, and the token of the sandbox, which everyone who connects to WhatsApp's sandbox knows.
func TestSandboxSignsForOneConnection(t *testing.T) {
	t.Parallel()
	in := runSandboxed(t, pgtest.New(t), "1")
	connect := func(name string) (hook, token string) {
		o, err := in.Accounts.CreateOrganization(t.Context(), account.OrganizationSettings{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		c, err := in.Projects.CreateConnection(t.Context(), account.System(o.ID), project.NewConnection{
			Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
		})
		if err != nil {
			t.Fatal(err)
		}
		credentials, err := in.Projects.Credentials(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		hook = in.localURL + twilio.HooksPath + c.ID.String() + "/calls/" + uuid.NewString() + "/status"
		return hook, sandbox.AccountToken(in.sandboxToken, credentials.Account)
	}
	hook, own := connect("Aster")
	_, other := connect("Borealis")
	for name, c := range map[string]struct {
		token string
		taken bool
	}{
		"its own":                               {own, true},
		"that of another connection":            {other, false},
		"the token of the sandbox":              {in.sandboxToken, false},
		"the token of an account without a sid": {sandbox.AccountToken(in.sandboxToken, ""), false},
	} {
		mac := hmac.New(sha1.New, []byte(c.token))
		mac.Write([]byte(hook))
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, hook, http.NoBody)
		r.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if taken := res.StatusCode != http.StatusForbidden; taken != c.taken {
			t.Errorf("%s: %s", name, res.Status)
		}
	}
}

// A connection to the sandbox's model needs no settings.
func TestSandboxAnswersAsAModel(t *testing.T) {
	t.Parallel()
	in := runSandboxed(t, pgtest.New(t), "20")
	o, err := in.Accounts.CreateOrganization(t.Context(), account.OrganizationSettings{Name: "Aster"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := in.Models.Create(t.Context(), account.System(o.ID), modelconn.NewConnection{
		Provider: modelconn.Sandbox, Name: "Stand-in", Model: model.Model,
	})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := in.Models.Check(t.Context(), account.System(o.ID), c.ID); err != nil || r.Error != "" || !r.ToolCalls {
		t.Errorf("%+v, %v", r, err)
	}
}
