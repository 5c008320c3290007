package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

func TestCreateKeepsWhatWasGiven(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`,
		b.actor.OrganizationID, testNumber(2))
	d := b.draft(3)
	at := time.Now().UTC().Truncate(time.Millisecond).Add(time.Hour)
	d.ScheduledAt, d.ExpiresAt = &at, ptr(at.Add(time.Hour))
	d.Metadata = json.RawMessage(`{"n":1.50,"ok":true,"lone":"\ud800"}`)
	d.Variables = json.RawMessage(`{"product":"<b>"}`)
	d.Detection.TimeoutSeconds = ptr(20)
	d.CallReason = " ~Your visit! "
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(1)}) // duplicate
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(9), Name: " Ada ", ExternalID: "x-1",
		Timezone: "Europe/Berlin",
		Consent:  &intake.Consent{Basis: "form", At: &at}, Variables: json.RawMessage(`{"first":"Ada"}`),
		Metadata: json.RawMessage(`{"row":7}`)})
	c := b.create(t, d)

	if c.Counters() != (Counters{Total: 5, Pending: 3, Skipped: 2}) || c.Status != Scheduled {
		t.Errorf("%s, %+v", c.Status, c.Counters())
	}
	if w := c.Waiting; len(w) != 1 || w[0].Reason != WaitScheduled || w[0].Recipients != 3 ||
		!time.Time(*w[0].Until).Equal(at) {
		t.Errorf("waiting %+v", w)
	}
	shown, err := json.Marshal(c.Resource())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"retry":{"max_attempts":1,"delays_minutes":[30],"outcome_delays_minutes":{"busy":null,"no_answer":null,` +
			`"voicemail":null,"failed":null},"on":["busy","no_answer","voicemail","failed"]}`,
		`"call_reason":"~Your visit!"`,
		`"max_concurrency":10,"calls_per_second":1,`, `"ring_timeout_seconds":30,"max_duration_seconds":600`,
		`"counters":{"total":5,"pending":3,"dialing":0,"in_progress":0,"completed":0,"failed":0,"skipped":2,` +
			`"canceled":0,"expired":0}`,
		`"calls":{"placed":0,"answered":0}`, `"voicemail_action":"hang_up"`,
		`"detection":{"mode":"fast","timeout_seconds":20,"speech_threshold_ms":null,` +
			`"speech_end_threshold_ms":null,"silence_timeout_ms":null}`, `"messaging":null`, `"ended_reason":null`,
		`"n":1.50`, `"lone":"` + "\uFFFD" + `"`, `"days":["mon","tue","wed","thu","fri","sat","sun"]`,
	} {
		if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(string(shown), `": `, `":`), `, "`, `,"`), part) {
			t.Errorf("%s lacks %s", shown, part)
		}
	}

	list, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, RecipientOptions{})
	if err != nil || len(list.Data) != 5 {
		t.Fatal(list, err)
	}
	last := list.Data[0].Resource()
	if last.PhoneNumber != testNumber(9) || *last.Name != "Ada" || *last.ExternalID != "x-1" ||
		*last.Timezone != "Europe/Berlin" ||
		last.Consent.Basis != "form" || !time.Time(*last.Consent.At).Equal(at) ||
		string(last.Variables) != `{"first": "Ada"}` ||
		string(last.Metadata) != `{"row": 7}` || !time.Time(*last.NextAttemptAt).Equal(at) {
		t.Errorf("%+v", last)
	}
	var reasons []string
	for _, r := range list.Data[1:] {
		reasons = append(reasons, fmt.Sprint(r.PhoneNumber, " ", r.Status, " ", orNone(r.SkipReason)))
	}
	want := []string{
		testNumber(1) + " skipped duplicate", testNumber(2) + " skipped do_not_call", testNumber(1) + " pending none",
		testNumber(0) + " pending none",
	}
	if fmt.Sprint(reasons) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", reasons, want)
	}
}

func orNone(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}

func TestCreateRefusesForeignParts(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	other := worldOn(t, b.DB)
	for want, change := range map[string]func(*Draft){
		"project_id: no such project; agent_id: no such agent; phone_number_id: no such phone number": func(d *Draft) {
			d.ProjectID, d.AgentID, d.PhoneNumberID = other.project.String(), uuid.NewString(), other.number.String()
		},
		"agent_id: no such agent":               func(d *Draft) { d.AgentID = other.agent.String() },
		"phone_number_id: no such phone number": func(d *Draft) { d.PhoneNumberID = other.number.String() },
	} {
		d := b.draft(1)
		change(d)
		if _, err := b.svc.Create(t.Context(), b.actor, d); fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if n := value[int](t, b, `select count(*) from campaign`); n != 0 {
		t.Errorf("%d campaigns were created", n)
	}
}

// A creation that the caller rolls back leaves no rows.
func TestCreateInsideATransaction(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	taken := fmt.Errorf("taken back")
	err := postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		c, err := b.svc.In(tx).Create(t.Context(), b.actor, b.draft(3))
		if err != nil || c.Total != 3 {
			t.Error(c, err)
		}
		return taken
	})
	if !errors.Is(err, taken) {
		t.Fatal(err)
	}
	for _, table := range []string{"campaign", "recipient", "audit_entry"} {
		if n := value[int](t, b, `select count(*) from `+table); n != 0 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
}

func TestCampaignsOfOthersAreNotFound(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	c := b.create(t, b.draft(1))
	other := worldOn(t, b.DB)
	for _, id := range []uuid.UUID{c.ID, uuid.New(), {}} {
		_, get := other.svc.Get(t.Context(), other.actor.OrganizationID, id)
		_, recipients := other.svc.Recipients(t.Context(), other.actor.OrganizationID, id, RecipientOptions{})
		_, pause := other.svc.Pause(t.Context(), other.actor, id)
		_, resume := other.svc.Resume(t.Context(), other.actor, id)
		_, cancel := other.svc.Cancel(t.Context(), other.actor, id)
		for what, err := range map[string]error{
			"get": get, "recipients": recipients, "pause": pause, "resume": resume, "cancel": cancel,
		} {
			if fault.KindOf(err) != fault.NotFound || err.Error() != "Campaign not found" {
				t.Errorf("%s %q: %v", what, id, err)
			}
		}
	}
	if list, err := other.svc.List(t.Context(), other.actor.OrganizationID, ListOptions{}); err != nil ||
		len(list.Data) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestListsPageAndFilter(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	var want []uuid.UUID
	for i := range 7 {
		d := b.draft(1)
		d.Name = fmt.Sprint(i)
		c := b.create(t, d)
		if i%2 == 0 {
			if _, err := b.svc.Pause(t.Context(), b.actor, c.ID); err != nil {
				t.Fatal(err)
			}
			want = append([]uuid.UUID{c.ID}, want...)
		}
	}
	var got []uuid.UUID
	o := ListOptions{Page: page.Request{Limit: 3}, Statuses: []Status{Paused}, ProjectID: &b.project}
	for more := true; more; {
		list, err := b.svc.List(t.Context(), b.actor.OrganizationID, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list.Data {
			got = append(got, c.ID)
		}
		if more = list.HasMore; more {
			o.Page.Cursor = *list.NextCursor
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, project := range []uuid.UUID{{}, uuid.New()} {
		if list, err := b.svc.List(t.Context(), b.actor.OrganizationID, ListOptions{
			ProjectID: &project,
		}); err != nil || len(list.Data) != 0 {
			t.Errorf("campaigns of project %q: %v, %v", project, list, err)
		}
	}
	if _, err := b.svc.List(t.Context(), b.actor.OrganizationID, ListOptions{
		Statuses: []Status{Paused, "open"},
	}); err == nil ||
		err.Error() != "status: must be one of draft, scheduled, running, paused, completed, canceled, failed, "+
			"not \"open\"" {
		t.Error(err)
	}

	c := b.create(t, b.draft(120))
	for search, n := range map[string]bool{
		"SPRING": true, "Spring%": false, " ring ": true, "\x00": false, "\xff": false,
	} {
		o := ListOptions{Search: search}
		list, err := b.svc.List(t.Context(), b.actor.OrganizationID, o)
		if err != nil || (len(list.Data) > 0) != n {
			t.Errorf("%q finds %d campaigns, %v", search, len(list.Data), err)
		}
	}

	all := b.recipients(t, c.ID)
	if len(all) != 120 {
		t.Errorf("%d recipients in all pages", len(all))
	}
	b.exec(t, `update recipient set status = 'dialing' where phone_number = $1`, testNumber(5))
	b.exec(
		t,
		`update recipient set external_id = 'patient 11', status = 'failed', outcome = 'busy' where phone_number = $1`,
		testNumber(5),
	)
	for search, n := range map[string]int{
		testNumber(7): 1, "(312) 200-0007": 1, "person 11": 11, "100%": 0, `\`: 0, "-": 0, "\x00": 0, "\xff": 0,
		"patient 11": 1, "patient": 0, "": 100,
	} {
		list, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, RecipientOptions{
			Page: page.Request{Limit: 100}, Search: search,
		})
		if err != nil || len(list.Data) != n {
			t.Errorf("%q finds %d, %v, want %d", search, len(list.Data), err, n)
		}
	}
	for _, f := range []struct {
		RecipientOptions
		n int
	}{
		{RecipientOptions{Outcomes: []call.Outcome{call.OutcomeBusy}}, 1},
		{
			RecipientOptions{
				Outcomes: []call.Outcome{call.OutcomeBusy}, Statuses: []RecipientStatus{RecipientFailed},
				Search: "Person",
			},
			1,
		},
		{
			RecipientOptions{Outcomes: []call.Outcome{call.OutcomeBusy}, Statuses: []RecipientStatus{RecipientPending}},
			0,
		},
		{RecipientOptions{Outcomes: []call.Outcome{call.OutcomeCompleted}}, 0},
	} {
		list, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, f.RecipientOptions)
		if err != nil || len(list.Data) != f.n {
			t.Errorf("%+v finds %d, %v", f.RecipientOptions, len(list.Data), err)
		}
	}
	if _, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, RecipientOptions{
		Outcomes: []call.Outcome{"asleep"},
	}); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
	// Reading a list page by page returns each recipient once, with or without a
	// search: newest first, or in the order of the list.
	for _, search := range []string{"", "person 1"} {
		walk := func(forward bool) (names []string) {
			o := RecipientOptions{Page: page.Request{Limit: 7, Forward: forward}, Search: search}
			for {
				list, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range list.Data {
					names = append(names, r.Name)
				}
				if !list.HasMore {
					return names
				}
				o.Page.Cursor = *list.NextCursor
			}
		}
		var want []string
		for i := range 120 {
			if name := fmt.Sprintf("Person %d", i); search == "" || strings.HasPrefix(name, "Person 1") {
				want = append(want, name)
			}
		}
		if got := walk(true); !slices.Equal(got, want) {
			t.Errorf("%q in order: %q", search, got)
		}
		slices.Reverse(want)
		if got := walk(false); !slices.Equal(got, want) {
			t.Errorf("%q, the last first: %q", search, got)
		}
	}
}
