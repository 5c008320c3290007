package api

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// statuses counts the recipients of a campaign by status and skip_reason.
func (n *tenant) statuses(id string) map[string]int {
	n.w.t.Helper()
	counts := map[string]int{}
	for _, row := range n.do("GET", "/campaigns/"+id+"/recipients?limit=100", nil).want(http.StatusOK).data() {
		r := row.(map[string]any)
		key := r["status"].(string)
		if r["skip_reason"] != nil {
			key += " " + r["skip_reason"].(string)
		}
		counts[key]++
	}
	return counts
}

func TestAppend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(
		`insert into do_not_call (id, organization_id, phone_number, source)
			values (gen_random_uuid(), $1, '+13122000007', 'user')`,
		n.organization,
	)
	w.exec(`
		insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'x', 'https://example.com', '{recipient.skipped}', '')`, n.organization)
	body := n.body(object{
		"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil,
		"recipients": append(people(3), object{"phone_number": "+13122000000"}),
	})
	id := n.do("POST", "/campaigns", body).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id + "/recipients"

	more := object{"recipients": []any{
		object{"phone_number": "+13122000002"}, // already in the campaign
		object{"phone_number": "+13122000005", "external_id": "e-1"},
		object{"phone_number": "+13122000005"}, // twice in this list
		object{"phone_number": "+13122000007"}, // on the do-not-call list
		object{"phone_number": "+13122000006", "name": "Ana"},
	}}
	first := n.do("POST", path, more, "Idempotency-Key", "a").want(http.StatusCreated)
	if got, want := fmt.Sprint(
		first.get("counters"),
	), "map[canceled:0 completed:0 dialing:0 expired:0 failed:0 in_progress:0 pending:5 skipped:4 "+
		"total:9]"; got != want {
		t.Errorf("counters are %s, want %s", got, want)
	}
	if waiting := first.get("waiting").([]any); len(waiting) != 1 ||
		fmt.Sprint(waiting[0].(map[string]any)["recipients"]) != "5" {
		t.Errorf("%v wait", waiting)
	}
	again := n.do("POST", path, more, "Idempotency-Key", "a").want(http.StatusCreated)
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated: %v", again)
	}
	if got, want := n.statuses(id), map[string]int{
		"pending": 5, "skipped duplicate": 3, "skipped do_not_call": 1,
	}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("recipients are %v, want %v", got, want)
	}
	// Each skipped recipient gets one event. An added list makes events only for its own
	// recipients.
	if told := w.count(`select count(distinct subject_id) from event where type = 'recipient.skipped'`); told != 4 ||
		w.count(`select count(*) from event`) != 4 {
		t.Errorf("%d skipped recipients were told of", told)
	}
	if added := w.count(`select count(*) from audit_entry where action = 'campaign.recipients_added'`); added != 1 {
		t.Errorf("%d audit entries", added)
	}

	// An Idempotency-Key applies to one campaign only.
	other := n.newCampaign()
	n.do("POST", "/campaigns/"+other+"/recipients", more, "Idempotency-Key", "a").want(http.StatusCreated)

	// The problem is named, and no recipient of the list is added.
	for text, list := range map[string][]any{
		"recipients[1].external_id: used by a recipient of this campaign": {
			object{"phone_number": "+13122000020"}, object{"phone_number": "+13122000021", "external_id": "e-1"},
		},
		"recipients[0].phone_number: required": {object{"phone_number": ""}, object{"phone_number": "+13122000022"}},
		"recipients: at least one is required": {},
	} {
		n.do("POST", path, object{"recipients": list}).refused(http.StatusBadRequest, text)
	}
	n.do("POST", path, object{"recipient": people(1)}).want(http.StatusBadRequest)
	n.do("POST", path, "[").want(http.StatusBadRequest)
	if total := w.count(`select count(*) from recipient where campaign_id = $1`, id); total != 9 {
		t.Errorf("%d recipients", total)
	}

	n.do("POST", "/campaigns/"+id+"/cancel", nil).want(http.StatusOK)
	n.do("POST", path, object{"recipients": people(1)}).
		refused(http.StatusConflict, "This campaign is canceled and can no longer take recipients")
}

// Lists with the same people that are added at the same time add each person once.
func TestAppendsSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil, "recipients": people(1),
	})).want(http.StatusCreated).get("id").(string)
	var lists sync.WaitGroup
	for range 8 {
		lists.Go(func() {
			n.do("POST", "/campaigns/"+id+"/recipients", object{"recipients": people(10)}).want(http.StatusCreated)
		})
	}
	lists.Wait()
	if got, want := n.statuses(id), map[string]int{
		"pending": 10, "skipped duplicate": 71,
	}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("recipients are %v, want %v", got, want)
	}
	if c := n.do(
		"GET", "/campaigns/"+id, nil,
	).get("counters").(map[string]any); fmt.Sprint(c["total"], c["skipped"], c["pending"]) != "81 71 10" {
		t.Errorf("counters are %v", c)
	}
}

// An added list is checked against the quota like a list at creation.
func TestAnAddedListIsMeasuredByItsNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	operator := w.whatsapp(nil)
	n.connect(sandbox.Account250)
	n.connect(sandbox.Account1K)
	n.writtenTo(sandbox.Number250, 248)
	n.linked(sandbox.Number250)
	ids := map[string]string{}
	for name, messaging := range map[string]any{
		"absent": nil, "never": object{"trigger": "never"}, "own": headsUp(nil, "no_answer"),
		"named": headsUp(sandbox.Number1K, "no_answer"),
	} {
		body := n.campaign()
		body["recipients"], body["messaging"] = people(1), messaging
		ids[name] = n.do("POST", "/campaigns", body).want(http.StatusCreated).get("id").(string)
	}
	n.linked(nil) // a campaign keeps the WhatsApp number that it got at creation
	more := func(name string, people []any) *answer {
		return n.do("POST", "/campaigns/"+ids[name]+"/recipients", object{"recipients": people})
	}
	more("own", people(3)).refused(http.StatusUnprocessableEntity, tooLong)
	more("own", people(2)).want(http.StatusCreated)
	more("named", people(3)).want(http.StatusCreated)
	more("absent", people(3)).want(http.StatusCreated)
	n.linked(sandbox.Number250)
	more("absent", people(3)).refused(http.StatusUnprocessableEntity, tooLong)
	more("never", people(3)).want(http.StatusCreated)

	if err := operator.SetTrouble(sandbox.Account250, sandbox.Trouble{Kind: sandbox.Down}); err != nil {
		t.Fatal(err)
	}
	more("own", people(1)).refused(http.StatusBadGateway, "Messaging service unavailable")
	more("absent", people(3)).refused(http.StatusUnprocessableEntity, tooLong)
	more("absent", people(2)).want(http.StatusCreated)
}

// Recipients who are added to a running campaign are dialed like the others.
func TestAppendWakesTheDialer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": nil, "expires_at": nil, "calling_hours": nil, "recipients": people(1),
	})).
		want(http.StatusCreated).get("id").(string)
	w.exec(`update campaign set status = 'running', dial_at = null where id = $1`, id)
	n.do("POST", "/campaigns/"+id+"/recipients", object{"recipients": people(3)}).want(http.StatusCreated)
	if due := w.count(`select count(*) from campaign where id = $1 and dial_at <= clock()`, id); due != 1 {
		t.Error("the dialer will not look")
	}
	if due := w.count(
		`select count(*) from recipient
			where campaign_id = $1 and status = 'pending' and due_at is not null and attempts = 0`,
		id,
	); due != 3 {
		t.Errorf("%d of 3 may be dialed", due)
	}
}
