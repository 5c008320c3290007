package api

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestExportCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.newCall("+15005550001")
	id := n.newCall("+15005550002")
	w.exec(
		`update call set recipient_name = '=1+1',
			transcript_text = E'Agent: Hello, "you".\nRecipient: A refund, please.',
			detail = 'the number is not in service',
			carrier_code = '32011', pre_dial_check = '{"result": "refused", "asked_at": "2026-11-23T15:00:00.000Z",
				"took_ms": 120, "reason": "=on a list"}', consent_basis = 'consent', consent_source = 'web form',
			consent_at = '2026-01-07T12:00:00Z', analysis = analysis || '{"intent": "busy"}' where id = $1`,
		id,
	)
	rows := n.do("GET", "/calls/export", nil).table()
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	for column, want := range map[string]string{
		"id": id.String(), "to_number": "+15005550002", "recipient_name": "'=1+1",
		"transcript_text": "Agent: Hello, \"you\".\nRecipient: A refund, please.",
		"ended_detail":    "the number is not in service", "carrier_code": "32011", "intent": "busy",
		"pre_dial_result": "refused", "pre_dial_reason": "'=on a list", "consent_source": "web form",
		"consent_at": "2026-01-07T12:00:00.000Z",
	} {
		if got := rows[0][column]; got != want {
			t.Errorf("%s is %q, want %q", column, got, want)
		}
		if got, shown := n.do("GET", "/calls/"+id.String(), nil).get().(map[string]any)[column]; shown && got != want {
			t.Errorf("GET: %s is %v, want %q", column, got, want)
		}
	}
	for _, column := range []string{"pre_dial_result", "pre_dial_reason", "consent_source", "consent_at"} {
		if got, shown := rows[1][column]; !shown || got != "" {
			t.Errorf("%s of a call without check and consent is %q", column, got)
		}
	}
	w.exec(`alter table call disable trigger call_move`) // the test makes it an inbound call
	for missing, withheld := range map[string]bool{"withheld": true, "erased": false} {
		w.exec(`update call set direction = 'inbound', reception = '{}', person_number = '', number_withheld = $2
			where id = $1`, id, withheld)
		n.do("GET", "/calls/"+id.String(), nil).want(http.StatusOK).has(t, object{
			"from_number": nil, "to_number": "+15005559000", "missing_number": missing,
		})
		if row := n.do("GET", "/calls/export", nil).table()[0]; row["from_number"] != "" ||
			row["missing_number"] != missing {
			t.Errorf("exported %q, %q", row["from_number"], row["missing_number"])
		}
	}
	w.exec(`
		with desk as (
			insert into destination (id, organization_id, project_id, name, phone_number, hours, mode, record,
				ring_timeout_seconds)
			select gen_random_uuid(), organization_id, project_id, 'Old name', '+13125550161', '{}', 'warm', false, 10
			from call where id = $1
			returning id, organization_id
		)
		insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, state, recorded,
			language, briefing, requested_at, taken_at, ended_at)
		select $1, 1, organization_id, id, 'Front desk', 'warm', 'ended', false, 'en', '', '2026-11-23T12:00:00Z',
			'2026-11-23T12:00:10Z', '2026-11-23T12:01:00Z' from desk`, id)
	rows = n.do("GET", "/calls/export", nil).table()
	for i, want := range []string{"Front desk ended 2026-11-23T12:00:10.000Z 2026-11-23T12:01:00.000Z", "   "} {
		row := rows[i]
		got := row["transfer_destination"] + " " + row["transfer_state"] + " " + row["transfer_taken_at"] + " " +
			row["transfer_ended_at"]
		if got != want {
			t.Errorf("row %d has the transfer %q, want %q", i, got, want)
		}
	}
	for _, column := range []string{"agent_version", "language", "expires_at"} {
		if _, shown := rows[0][column]; !shown {
			t.Errorf("no column %s", column)
		}
	}
	n.do("GET", "/calls/export?limit=1", nil).want(http.StatusBadRequest)
	for query, want := range map[string]int{
		"q=refund": 1, "q=voucher": 0, "to_number=%2B15005550001": 1, "outcome=busy": 0,
		"campaign_id=" + newID().String(): 0, "campaign_id=none": 2, "campaign_id=none&q=refund": 1,
		"created_before=2000-01-01T00:00:00Z": 0, "": 2,
	} {
		if got := len(n.do("GET", "/calls/export?"+query, nil).table()); got != want {
			t.Errorf("%s: %d rows, want %d", query, got, want)
		}
	}
}

func TestSearchCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.newCall("+15005550001")
	id := n.newCall("+15005550002")
	w.exec(`update call set transcript_text = 'Recipient: Will that be refunded?' where id = $1`, id)
	for _, sort := range []string{"", "&sort=newest", "&sort=relevance"} {
		a := n.do("GET", "/calls?q=refund"+sort, nil)
		if data := a.data(); len(data) != 1 || a.get("data", 0, "id") != id.String() ||
			fmt.Sprint(
				a.get("data", 0, "snippet"),
			) != "[map[match:false text:Will that be ] map[match:true text:refunded]]" {
			t.Errorf("%v", a)
		}
	}
	if a := n.do("GET", "/calls", nil); len(a.data()) != 2 || a.get("data", 0, "snippet") != nil {
		t.Errorf("%v", a)
	}
	n.do("GET", "/calls?q=the", nil).
		refused(http.StatusBadRequest, "q: contains only words that are too common to search for")
}

func TestExportRecipients(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	campaign := n.newCampaign()
	w.exec(`update recipient set name = '@sum', variables = '{"a": "b"}' where campaign_id = $1`, campaign)
	path := "/campaigns/" + campaign + "/recipients/export"
	rows := n.do("GET", path, nil).table()
	if len(rows) != 2 || rows[0]["name"] != "'@sum" || rows[0]["variables"] != `{"a": "b"}` ||
		!strings.HasPrefix(rows[0]["phone_number"], "+1") {
		t.Errorf("%v", rows)
	}
	if rows := n.do("GET", path+"?status=completed", nil).table(); len(rows) != 0 {
		t.Errorf("%v", rows)
	}
	w.exec(`update recipient set outcome = 'busy' where id = $1`, rows[0]["id"])
	for outcome, want := range map[string]int{"busy": 1, "completed": 0} {
		if rows := n.do("GET", path+"?outcome="+outcome, nil).table(); len(rows) != want {
			t.Errorf("%s: %v", outcome, rows)
		}
	}
	n.do("GET", "/campaigns/"+newID().String()+"/recipients/export", nil).
		refused(http.StatusNotFound, "Campaign not found")
}

// An export sends many calls in batches, each call once, and ends when its client goes
// away. (internal/export and the benchmark measure memory.)
func TestExportStreams(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	const calls = 5_000
	w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		own_number, person_number, metadata,
			status, outcome, ended_reason, ring_timeout_seconds, max_duration_seconds, created_at, ended_at, settled_at)
		select gen_random_uuid(), organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number,
			jsonb_build_object('padding', repeat('x', 2000)), 'busy', 'busy', 'busy', 30, 600,
				clock() - i / 700 * interval '1 ms', clock(), clock()
		from generate_series(1, $2::int) i, (select * from call where id = $1) c`, n.newCall("+15005550001"), calls-1)
	seen := map[string]bool{}
	for _, row := range n.do("GET", "/calls/export", nil).table() {
		seen[row["id"]] = true
	}
	if len(seen) != calls {
		t.Errorf("%d calls, want %d", len(seen), calls)
	}

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+"/api/v1/calls/export", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+n.key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, resp.Body, 1000); err != nil {
		t.Fatal(err)
	}
	// The export waits for its reader now. It must not keep connections that other
	// requests need.
	if got := w.Pool.Stat().AcquiredConns(); got > 1 {
		t.Errorf("%d connections are held", got)
	}
	resp.Body.Close()
	w.server.Close() // returns after the handler returns
}
