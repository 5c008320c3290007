package app_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// What follows when the carrier refuses calls, from the sandbox's number to the campaign.
func TestWhatTheCarrierRefuses(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		numbers string // of the recipients; the first has the outcome of the case
		ended   string // of its call: the reason, the code and the words
		status  campaign.Status
		pause   string // is in the reason of the pause
	}{
		"40 trial account": {
			"+15005400001 +13125550101", "account_refused 21219 a Twilio trial account calls only verified numbers",
			campaign.Paused, "refused the account: a Twilio trial account calls only verified numbers (21219)",
		},
		"41 country": {
			"+15005410001 +49301234501", "country_refused 21215 the Twilio account may not call this country or " +
				"region", campaign.Paused, "refused calls to the United States: the Twilio account",
		},
		"42 country, as a 403": {
			"+15005420001 +49301234501", "country_refused 21408 the Twilio account may not call this country or " +
				"region", campaign.Paused, "refused calls to the United States: the Twilio account",
		},
		"43 calling number": {
			"+15005430001 +15005430002 +15005430003 +15005430004 +15005430005 +15005430006", "caller_refused 21210 " +
				"the calling number is not verified with the Twilio account", campaign.Paused,
			"calls in a row because of the phone number +1 500 555 0100: the calling number is not verified",
		},
		"44 credentials": {
			"+15005440001 +13125550101", "account_refused 20003 Twilio does not accept the credentials",
			campaign.Paused, "Twilio does not accept the credentials (20003)",
		},
		"45 unknown refusal": {
			"+15005450001 +13125550101", "carrier_unavailable 29999 Outgoing calls are suspended while the account " +
				"is under review", campaign.Running, "",
		},
		"46 failed without words": {
			"+15005460001 +13125550101", "invalid_number 32011 the number is not in service", campaign.Completed, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := onSandbox(t)
			_, _, err := w.Webhooks.Create(t.Context(), account.System(w.OrganizationID), webhook.Draft{
				Name: "CRM", URL: "https://hooks.example.invalid", Events: []string{string(webhook.CallCompleted)},
			})
			if err != nil {
				t.Fatal(err)
			}
			numbers := strings.Fields(want.numbers)
			id := w.campaign(t, numbers)
			var ended, status, pause string
			for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(10 * time.Millisecond) {
				// Through JSON, because a schema without the code has no such column.
				err := w.Pool.QueryRow(t.Context(), `
					select coalesce((select coalesce(j->>'ended_reason', '') || ' ' || coalesce(j->>'carrier_code', '')
					                   || ' ' || (j->>'detail')
					                 from (select to_jsonb(c) as j from call c
					                       where campaign_id = $1 and person_number = $2 and settled_at is not null
					                       order by created_at limit 1) first), ''),
					       status, coalesce(pause_reason, '')
					from campaign where id = $1`, id, numbers[0]).Scan(&ended, &status, &pause)
				if err != nil {
					t.Fatal(err)
				}
				if ended == want.ended && status == string(want.status) && strings.Contains(pause, want.pause) {
					break
				}
				if time.Now().After(deadline) || campaign.Status(status).Terminal() && status != string(want.status) {
					t.Fatalf("the call %q, the campaign %s %q", ended, status, pause)
				}
			}
			for where, got := range w.endings(t, numbers[0]) {
				if got != want.ended {
					t.Errorf("%s: the call ended with %q", where, got)
				}
			}
			var attempts int
			err = w.Pool.QueryRow(t.Context(), `select attempts from recipient where phone_number = $1`,
				numbers[0]).Scan(&attempts)
			spent := want.status == campaign.Completed
			if err != nil || (attempts > 0) != spent {
				t.Errorf("%d attempts, %v", attempts, err)
			}
		})
	}
}

// What the network says of the calling number, from the sandbox's number to the API's call.
func TestAttestation(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	numbers := []string{"+15005600001", "+15005610001", "+15005040001", "+15005100001"}
	id := w.campaign(t, numbers)
	for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(10 * time.Millisecond) {
		list, err := w.Calls.List(t.Context(), w.OrganizationID, call.Filter{CampaignID: &id})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, c := range list.Data {
			if r := w.Calls.Resource(c); r.EndedAt != nil {
				got[*r.ToNumber] = string(*cmp.Or(r.StirAttestation, new(carrier.Attestation)))
			}
		}
		if len(got) < len(numbers) && time.Now().Before(deadline) {
			continue
		}
		want := map[string]string{numbers[0]: "C", numbers[1]: "", numbers[2]: "A", numbers[3]: "A"}
		if !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		return
	}
}

// world is an App that works, on the sandbox.
type world struct {
	*app.App
	history.Parts
	db      *pgtest.DB
	network *sandbox.Network
}

func onSandbox(t *testing.T, set ...func(*app.Options)) *world {
	t.Helper()
	db, log := pgtest.New(t), slog.New(slog.DiscardHandler)
	network := sandbox.New(sandbox.Options{Token: "token", Speed: apptest.Speed, Log: log})
	phones := httptest.NewServer(network)
	hooks := httptest.NewUnstartedServer(nil)
	hub := postgres.NewHub(context.Background(), postgres.HubOptions{Pool: db.Pool, Log: log})
	a := apptest.New(t, db.Pool, api.Reference, func(o *app.Options) {
		o.Hub, o.PublicURL = hub, "http://"+hooks.Listener.Addr().String()
		o.Sandbox.URL, o.Sandbox.Token, o.TwilioURL = phones.URL, "token", phones.URL
		for _, f := range set {
			f(o)
		}
	})
	hooks.Config.Handler = a.Twilio.Handler()
	hooks.Start()
	parts, err := history.Furnish(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	working, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { a.Work(working) })
	t.Cleanup(func() {
		stop()
		work.Wait()
		network.Close()
		phones.Close()
		a.Drain(context.Background())
		hooks.Close()
		hub.Close()
	})
	return &world{App: a, Parts: parts, db: db, network: network}
}

func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := w.Pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// endings returns the reason, the code and the words with which the first call to a number ended, as each way to learn
// about calls tells them.
func (w *world) endings(t *testing.T, number string) map[string]string {
	t.Helper()
	list, err := w.Calls.List(t.Context(), w.OrganizationID, call.Filter{PersonNumber: number})
	if err != nil {
		t.Fatal(err)
	}
	r := w.Calls.Resource(list.Data[len(list.Data)-1])
	all := map[string]string{
		"API": fmt.Sprint(export.Optional(r.EndedReason), " ", export.Optional(r.CarrierCode), " ",
			export.Optional(r.EndedDetail)),
	}
	var told string
	if err := w.Pool.QueryRow(t.Context(), `
		select concat_ws(' ', d ->> 'ended_reason', d ->> 'carrier_code', d ->> 'ended_detail')
		from (select payload::jsonb -> 'data' as d from event where subject_id = $1) e`, r.ID).Scan(&told); err != nil {
		t.Fatal(err)
	}
	all["webhook"] = told
	for row, err := range w.Calls.Export(t.Context(), w.OrganizationID, call.Filter{PersonNumber: number}) {
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		for _, column := range []string{"ended_reason", "carrier_code", "ended_detail"} {
			cells = append(cells, row[slices.Index(call.ExportHeader, column)])
		}
		all["export"] = strings.Join(cells, " ") // the last row is of the first call
	}
	return all
}

// campaign starts a campaign that calls each number once.
func (w *world) campaign(t *testing.T, numbers []string) uuid.UUID {
	t.Helper()
	rate := 100.0
	d := &campaign.Draft{
		Name:           "Refusals",
		ProjectID:      w.ProjectID.String(),
		AgentID:        w.AgentID.String(),
		PhoneNumberID:  w.PhoneNumberID.String(),
		CallsPerSecond: &rate,
		Recipients:     &intake.List{},
	}
	for _, n := range numbers {
		d.Recipients.Add(intake.Recipient{PhoneNumber: n})
	}
	c, err := w.Campaigns.Create(t.Context(), account.System(w.OrganizationID), d)
	if err != nil {
		t.Fatal(err)
	}
	return c.ID
}
