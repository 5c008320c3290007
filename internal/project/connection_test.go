package project_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

const sid = "AC0123456789abcdef0123456789abcdef"

func twilio() project.NewConnection {
	return project.NewConnection{Kind: project.Twilio, Account: sid,
		ConnectionSettings: project.ConnectionSettings{Name: "Main account", Token: "the auth token"}}
}

func TestConnections(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	_, err := f.projects.CreateConnection(ctx, f.actor, twilio())
	wantFault(t, err, fault.Invalid, "token: must be an Auth Token")
	n := twilio()
	n.Token = "0123456789abcdef-token"
	c, err := f.projects.CreateConnection(ctx, f.actor, n)
	if err != nil || c.Account != sid || c.CallsPerSecond == nil || *c.CallsPerSecond != 1 || c.MaxConcurrency != nil {
		t.Fatalf("%+v, %v", c, err)
	}

	// The token is stored only in sealed form. Only Credentials returns it.
	var dump string
	err = f.db.Pool.QueryRow(ctx, `
		select (select string_agg(c::text || encode(c.credentials, 'escape'), ' ')
			from connection c) || (select string_agg(a::text, ' ') from audit_entry a)`).Scan(&dump)
	if err != nil || strings.Contains(dump, n.Token) || strings.Contains(fmt.Sprintf("%+v", c), n.Token) {
		t.Errorf("the token is in the clear, %v", err)
	}
	creds, err := f.projects.Credentials(ctx, c.ID)
	if want := (project.Credentials{
		OrganizationID: f.org(), Kind: project.Twilio, Account: sid, Region: project.RegionUS, Token: n.Token,
	}); err != nil || creds != want {
		t.Errorf("credentials of another value, %v", err)
	}
	_, err = f.projects.Credentials(ctx, uuid.Must(uuid.NewV7()))
	wantFault(t, err, fault.NotFound, "Connection not found")

	_, err = f.projects.CreateConnection(ctx, f.actor, n)
	wantFault(t, err, fault.Conflict, "This account is already connected")
	if _, err := f.projects.CreateConnection(ctx, f.stranger, n); err != nil {
		t.Error(err)
	}

	// A replaced token is kept for a day, then neither returned nor stored.
	next := project.ConnectionSettings{Name: "Main account", Token: "the-next-auth-token"}
	if c, err = f.projects.UpdateConnection(ctx, f.actor, c.ID, next); err != nil || c.PreviousTokenUntil == nil {
		t.Fatalf("%+v, %v", c, err)
	}
	// The same token again replaces nothing.
	if _, err = f.projects.UpdateConnection(ctx, f.actor, c.ID, next); err != nil {
		t.Fatal(err)
	}
	if creds, err := f.projects.Credentials(ctx, c.ID); err != nil || creds.Token != next.Token ||
		creds.PreviousToken != n.Token {
		t.Errorf("the replaced token was not kept: %v", err)
	}
	wantFault(t, f.projects.RemovePreviousToken(ctx, f.stranger, c.ID), fault.NotFound, "Connection not found")
	if err := f.projects.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if creds, err := f.projects.Credentials(ctx, c.ID); err != nil || creds.PreviousToken == "" {
		t.Errorf("the replaced token was deleted too early: %v", err)
	}
	if _, err := f.db.Pool.Exec(ctx, `
		update connection set previous_token_until = clock() where previous_token is not null`); err != nil {
		t.Fatal(err)
	}
	if creds, err := f.projects.Credentials(ctx, c.ID); err != nil || creds.PreviousToken != "" {
		t.Errorf("the replaced token is still returned: %v", err)
	}
	if c, err := f.projects.Connection(ctx, f.org(), c.ID); err != nil || c.PreviousTokenUntil != nil {
		t.Errorf("%+v, %v", c, err)
	}
	var kept int
	if err := f.projects.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	err = f.db.Pool.QueryRow(ctx, `select count(previous_token) from connection`).Scan(&kept)
	if err != nil || kept != 0 {
		t.Errorf("%d replaced tokens are still stored, %v", kept, err)
	}
	next.Token = n.Token
	if _, err = f.projects.UpdateConnection(ctx, f.actor, c.ID, next); err != nil {
		t.Fatal(err)
	}

	// An update without a token keeps the old token.
	if _, err := f.db.Pool.Exec(
		ctx, `update connection set consecutive_errors = 3, last_error = 'x', last_error_at = clock()`,
	); err != nil {
		t.Fatal(err)
	}
	rate, most := 5.5, 12
	change := project.ConnectionSettings{Name: "Renamed", CallsPerSecond: &rate, MaxConcurrency: &most}
	_, err = f.projects.UpdateConnection(ctx, f.stranger, c.ID, change)
	wantFault(t, err, fault.NotFound, "Connection not found")
	c, err = f.projects.UpdateConnection(ctx, f.actor, c.ID, change)
	if err != nil || c.Name != "Renamed" || *c.CallsPerSecond != 5.5 || *c.MaxConcurrency != 12 ||
		c.ConsecutiveErrors != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	if creds, err := f.projects.Credentials(ctx, c.ID); err != nil || creds.Token != n.Token {
		t.Errorf("the token changed, %v", err)
	}
	change.Token = "another-token"
	if c, err = f.projects.UpdateConnection(ctx, f.actor, c.ID, change); err != nil || c.ConsecutiveErrors != 0 ||
		c.LastError != nil || c.LastErrorAt != nil {
		t.Errorf("%+v, %v", c, err)
	}
	if creds, err := f.projects.Credentials(ctx, c.ID); err != nil || creds.Token != "another-token" {
		t.Errorf("the token did not change, %v", err)
	}
	_, err = f.projects.Connection(ctx, f.stranger.OrganizationID, c.ID)
	wantFault(t, err, fault.NotFound, "Connection not found")

	number := f.number(t, c.ID, "+13125550142")
	wantFault(t, f.projects.DeactivateConnection(ctx, f.stranger, c.ID), fault.NotFound, "Connection not found")
	wantFault(t, f.projects.DeactivateConnection(ctx, f.actor, c.ID), fault.Conflict,
		"Connection Renamed is used by 1 phone number: +13125550142")
	for i := range 4 {
		f.number(t, c.ID, fmt.Sprintf("+1312555015%d", i))
	}
	wantFault(t, f.projects.DeactivateConnection(ctx, f.actor, c.ID), fault.Conflict,
		"Connection Renamed is used by 5 phone numbers: +13125550153, +13125550152, +13125550151 and 2 more")
	if _, err := f.db.Pool.Exec(ctx, `update phone_number set deactivated_at = clock()`); err != nil {
		t.Fatal(err)
	}
	if err := f.projects.DeactivateConnection(ctx, f.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := f.projects.Credentials(ctx, c.ID); err != nil {
		t.Error("calls that outlive their connection:", err)
	}
	if old, err := f.projects.PhoneNumber(ctx, f.org(), number.ID); err != nil || old.Connection != "Renamed" {
		t.Errorf("%+v, %v", old, err)
	}
	want := []string{"connection.created", "connection.updated", "connection.updated", "connection.updated",
		"connection.updated", "connection.updated", "connection.deactivated"}
	if got := audited(t, f.db.Pool, c.ID); !slices.Equal(got, want) {
		t.Errorf("audited %v", got)
	}
}

func TestConnectionRefusals(t *testing.T) {
	t.Parallel()
	f := setup(t)
	number := func(v float64) *float64 { return &v }
	zero := 0
	for want, change := range map[string]func(*project.NewConnection){
		"carrier: must be twilio or sandbox": func(n *project.NewConnection) {
			n.Kind = "sip"
		},
		"account: must be an Account SID: AC and 32 hexadecimal digits": func(n *project.NewConnection) {
			n.Account = "AC1"
		},
		"token: required":                                func(n *project.NewConnection) { n.Token = " " },
		"region: must be us1, ie1 or au1":                func(n *project.NewConnection) { n.Region = "us2" },
		"name: required":                                 func(n *project.NewConnection) { n.Name = "" },
		"max_concurrency: must be between 1 and 100,000": func(n *project.NewConnection) { n.MaxConcurrency = &zero },
	} {
		n := twilio()
		n.Token = "token"
		change(&n)
		_, err := f.projects.CreateConnection(t.Context(), f.actor, n)
		wantFault(t, err, fault.Invalid, want)
	}
	for _, rate := range []float64{0, -1, 1001, math.NaN(), math.Inf(1)} {
		n := twilio()
		n.Token, n.CallsPerSecond = "token", number(rate)
		_, err := f.projects.CreateConnection(t.Context(), f.actor, n)
		wantFault(t, err, fault.Invalid, "calls_per_second: must be between 0.01 and 1,000")
	}
}

func TestASandboxConnectionHasItsOwnCredentialsAndNoLimits(t *testing.T) {
	t.Parallel()
	f := setup(t)
	a, b := f.connection(t), f.connection(t)
	if a.CallsPerSecond != nil || a.MaxConcurrency != nil || a.Account == b.Account {
		t.Errorf("%+v and %+v", a, b)
	}
	ca, err := f.projects.Credentials(t.Context(), a.ID)
	cb, err2 := f.projects.Credentials(t.Context(), b.ID)
	if err != nil || err2 != nil || ca.Token == "" || ca.Token == cb.Token || ca.Kind != project.Sandbox {
		t.Error("credentials are shared or missing", err, err2)
	}
}
