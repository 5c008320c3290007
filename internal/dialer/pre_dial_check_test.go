package dialer

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/seal"
)

func newChecks(pool *pgxpool.Pool) *predial.Service {
	g, err := guard.New([]string{"127.0.0.0/8"})
	if err != nil {
		panic(err) // the network is valid
	}
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		panic(err) // the key has the right size
	}
	return predial.New(predial.Options{Pool: pool, Vault: vault, Guard: g, Version: "test"})
}

// checker is the server of an organization's pre-dial check.
type checker struct {
	mu     sync.Mutex
	answer func(w http.ResponseWriter, to string)
	asked  []string // numbers
}

func (c *checker) set(answer func(w http.ResponseWriter, to string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer, c.asked = answer, nil
}

func (c *checker) numbers() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(slices.Values(c.asked))
}

// check sets up a pre-dial check of the bench's organization.
func (b *bench) check(t *testing.T, onFailure predial.OnFailure) *checker {
	t.Helper()
	c := &checker{answer: func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"allow": true}`) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Data struct{ To string } }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		c.asked = append(c.asked, body.Data.To)
		answer := c.answer
		c.mu.Unlock()
		answer(w, body.Data.To)
	}))
	t.Cleanup(server.Close)
	if _, err := b.checks.Save(t.Context(), b.actor, predial.Draft{URL: server.URL, OnFailure: onFailure}); err != nil {
		t.Fatal(err)
	}
	if err := b.checks.Enable(t.Context(), b.actor); err != nil {
		t.Fatal(err)
	}
	return c
}

// people adds recipients with the first numbers to a draft.
func people(d *campaign.Draft, n int) *campaign.Draft {
	for i := range n {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i)})
	}
	return d
}

// A refused call is not dialed, is no attempt, and ends the recipient. Recipients whose check failed
// wait. The call keeps the answer.
func TestPreDialCheckAtTheCall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Wait)
	hook.set(func(w http.ResponseWriter, to string) {
		switch to {
		case testNumber(1):
			fmt.Fprint(w, `{"allow": false, "reason": "on the national list"}`)
		case testNumber(2):
			w.WriteHeader(http.StatusInternalServerError)
		default:
			fmt.Fprint(w, `{"allow": true, "reason": "fresh consent"}`)
		}
	})
	c := b.create(t, people(fast(b.draft(0)), 3))
	for range 3 {
		b.dial(t)
		time.Sleep(30 * time.Millisecond)
	}
	noOutcome := func(when string) {
		t.Helper()
		if got, err := b.svc.Outcomes(t.Context(), b.actor.OrganizationID, c.ID); err != nil || len(got) != 0 {
			t.Errorf("%s: outcomes %v, %v, want none, because calls that were not placed have none", when, got, err)
		}
	}
	noOutcome("before the settlement")
	b.settle(t)
	noOutcome("after the settlement")
	if n := value[int](t, b, `select sum(completed + no_answer + voicemail + busy + failed + canceled)::int
		from call_hour`); n != 0 {
		t.Errorf("%d outcomes of the hour, want none", n)
	}
	if got := []int{
		b.network.dials(testNumber(0)), b.network.dials(testNumber(1)), b.network.dials(testNumber(2)),
	}; !slices.Equal(got, []int{1, 0, 0}) {
		t.Fatalf("dialed %v", got)
	}
	all := b.recipients(t, c.ID)
	refused, waits := all[testNumber(1)], all[testNumber(2)]
	if refused.Status != campaign.RecipientSkipped || *refused.SkipReason != campaign.SkipPreDialCheck ||
		*refused.SkipDetail != "on the national list" || refused.Attempts != 0 {
		t.Errorf("refused: %+v", refused)
	}
	if waits.Status != campaign.RecipientPending || *waits.WaitReason != campaign.WaitPreDialCheck ||
		waits.Attempts != 0 || !waits.DueAt.After(time.Now().Add(20*time.Second)) {
		t.Errorf("waits: %+v", waits)
	}
	for i, want := range []string{
		"queued - allowed fresh consent", "canceled not_allowed refused on the national list",
		"canceled check_failed failed The endpoint answered 500 Internal Server Error",
	} {
		got := value[string](t, b, `
			select concat_ws(' ', status, coalesce(ended_reason, '-'), pre_dial_check ->> 'result',
				pre_dial_check ->> 'reason')
			from call where person_number = $1`, testNumber(i))
		if got != want {
			t.Errorf("call %d: %s, want %s", i, got, want)
		}
	}
	b.checkCounters(t, c.ID)
	if v := b.get(t, c.ID); v.Skipped != 1 || v.Failed != 0 || v.CallsPlaced > 1 {
		t.Errorf("%+v", v)
	}
	log := value[string](t, b, `select data::text from campaign_log_entry where kind = 'recipients_skipped'`)
	if want := `{"recipients": 1, "not_allowed": 1}`; log != want {
		t.Errorf("the log says %s, want %s", log, want)
	}
	if asked := hook.numbers(); len(asked) != 3 {
		t.Errorf("asked about %v", asked)
	}
}

// With "call" the call is placed although the check failed, and says so.
func TestPreDialCheckFailsOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Call)
	hook.set(func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusBadGateway) })
	const people9 = 9
	b.create(t, people(fast(b.draft(0)), people9))
	for range 4 {
		b.dial(t)
		time.Sleep(30 * time.Millisecond)
	}
	for i := range people9 {
		if b.network.dials(testNumber(i)) != 1 {
			t.Errorf("%d was dialed %d times", i, b.network.dials(testNumber(i)))
		}
	}
	n := value[int](t, b, `select count(*)::int from call where pre_dial_check ->> 'result' = 'failed_open'`)
	if n != people9 {
		t.Errorf("%d calls say that the check failed", n)
	}
}

// After five failures, one call at a time is claimed until a check succeeds, so calls that can't be
// placed take no slots. Then everybody is called.
func TestPreDialCheckThatIsDown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Wait)
	down := func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusServiceUnavailable) }
	hook.set(down)
	b.exec(t, `update pre_dial_check set failures = $1, next_at = clock() - interval '1 s', last_error = 'down'`,
		predial.MostFailures)
	c := b.create(t, people(fast(b.draft(0)), 8))
	for range 4 {
		b.dial(t)
		b.settle(t)
		time.Sleep(30 * time.Millisecond)
	}
	if n := value[int](t, b, `select count(*)::int from call`); n != 1 || len(hook.numbers()) != 1 {
		t.Errorf("%d calls were claimed, the check was asked about %v", n, hook.numbers())
	}
	b.exec(t, `update campaign set waiting_at = null, dial_at = clock()`)
	b.dial(t)
	found := false
	for _, w := range b.get(t, c.ID).Waiting {
		if w.Reason == campaign.WaitPreDialCheck && w.Detail != nil {
			found = true
		}
	}
	if !found {
		t.Errorf("waiting: %+v", b.get(t, c.ID).Waiting)
	}

	hook.set(func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"allow": true}`) })
	b.exec(t, `update pre_dial_check set next_at = clock() - interval '1 s'`)
	for range 6 {
		b.exec(t, `update campaign set dial_at = clock()`)
		b.dial(t)
		time.Sleep(30 * time.Millisecond)
	}
	if n := len(b.network.up()); n != 7 { // the eighth waits after its failed check
		t.Errorf("%d calls", n)
	}
	if err := b.calling.PreDialCheckChanged(t.Context(), b.actor.OrganizationID); err != nil {
		t.Fatal(err)
	}
	b.dial(t)
	if n := len(b.network.up()); n != 8 {
		t.Errorf("%d calls after the change", n)
	}
}

// A check that is off is not asked, holds no call back and ends the wait of recipients.
func TestAPreDialCheckThatIsOff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Wait)
	down := func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusServiceUnavailable) }
	hook.set(down)
	c := b.create(t, people(fast(b.draft(0)), 2))
	for range 3 {
		b.dial(t)
		time.Sleep(30 * time.Millisecond)
	}
	b.settle(t)
	if n := len(b.network.up()); n != 0 {
		t.Fatalf("%d calls while the check fails", n)
	}
	b.exec(t, `update pre_dial_check set failures = $1, next_at = clock() + interval '1 h'`, predial.MostFailures)
	hook.set(down)
	if err := b.checks.Disable(t.Context(), b.actor); err != nil {
		t.Fatal(err)
	}
	if err := b.calling.PreDialCheckChanged(t.Context(), b.actor.OrganizationID); err != nil {
		t.Fatal(err)
	}
	b.dial(t)
	if n, asked := len(b.network.up()), hook.numbers(); n != 2 || len(asked) != 0 {
		t.Errorf("%d calls, asked about %v", n, asked)
	}
	if n := value[int](t, b, `select count(*)::int from call where pre_dial_check is null`); n != 2 {
		t.Errorf("%d calls without an answer", n)
	}
	b.checkCounters(t, c.ID)
}

// Two processes dial a campaign with a slow check. Nobody is asked about twice, nobody is dialed
// twice, and a slow check leaves placers for other organizations.
func TestPreDialCheckInTwoProcesses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Wait)
	_, other, _ := b.process(b.Pool)
	hook.set(func(w http.ResponseWriter, _ string) {
		time.Sleep(300 * time.Millisecond)
		fmt.Fprint(w, `{"allow": true}`)
	})
	d := people(fast(b.draft(0)), 2*checksMost+20)
	b.create(t, d)
	for _, each := range []*Dialer{b.dialer, other} {
		if _, err := each.round(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		each.mu.Lock()
		asking, free := each.checking[b.actor.OrganizationID], each.free
		each.mu.Unlock()
		if asking > checksMost || free < placers-checksMost {
			t.Errorf("%d calls with a check are placed, %d placers are free", asking, free)
		}
		time.Sleep(passGap + checkGap)
	}
	b.dialer.placing.Wait()
	other.placing.Wait()
	for range 5 {
		b.exec(t, `update campaign set dial_at = clock()`)
		b.dialWith(t, b.dialer)
		b.dialWith(t, other)
	}
	asked := hook.numbers()
	if n := len(slices.Compact(slices.Clone(asked))); n != len(asked) || n != 2*checksMost+20 {
		t.Errorf("asked about %d of %d numbers", n, len(asked))
	}
	for _, number := range asked {
		if b.network.dials(number) != 1 {
			t.Errorf("%s was dialed %d times", number, b.network.dials(number))
		}
	}
}

// A process asks the check about a call and dies before it places the call. Until the lease ends, nobody else calls the
// number. Then another process asks again and calls it once.
func TestAProcessDiesBetweenThePreDialCheckAndThePlacing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.StopClock()
	hook := b.check(t, predial.Wait)
	pool := b.pool(t)
	_, dead, _ := b.process(pool)
	hook.set(func(w http.ResponseWriter, _ string) {
		pool.Close() // from now on, the process can write nothing, and it may not call without
		fmt.Fprint(w, `{"allow": true}`)
	})
	c := b.create(t, people(fast(b.draft(0)), 1))
	if _, err := dead.round(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	dead.placing.Wait()
	if asked := hook.numbers(); len(asked) != 1 || b.network.dials(testNumber(0)) != 0 {
		t.Fatalf("asked about %v, dialed %d times", asked, b.network.dials(testNumber(0)))
	}

	hook.set(func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"allow": true}`) })
	work := func() {
		t.Helper()
		if _, err := b.calls.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.settle(t)
		b.exec(t, `update campaign set dial_at = clock() where ended_at is null`)
		b.dial(t)
	}
	b.Advance(59 * time.Second)
	work()
	if got := b.checkCounters(t, c.ID); got.Dialing != 1 || len(hook.numbers()) != 0 {
		t.Errorf("before the lease ends: %+v, asked about %v", got, hook.numbers())
	}
	b.Advance(2 * time.Second)
	work()
	if n := b.network.dials(testNumber(0)); n != 1 || len(hook.numbers()) != 1 {
		t.Fatalf("after the lease: dialed %d times, asked about %v", n, hook.numbers())
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	work()
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Completed != 1 || b.network.dials(testNumber(0)) != 1 ||
		b.recipients(t, c.ID)[testNumber(0)].Attempts != 1 {
		t.Errorf("at the end: %+v, dialed %d times", got, b.network.dials(testNumber(0)))
	}
}

// A process whose check lasts longer than its lease does not call the number. Another process claims the recipient
// again and calls once.
func TestAPreDialCheckThatOutlastsTheLease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.StopClock()
	hook := b.check(t, predial.Wait)
	b.create(t, people(fast(b.draft(0)), 1))
	_, slow, _ := b.process(b.Pool)
	hook.set(func(w http.ResponseWriter, _ string) {
		b.Advance(61 * time.Second)
		fmt.Fprint(w, `{"allow": true}`)
	})
	if _, err := slow.round(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	slow.placing.Wait()
	if n := b.network.dials(testNumber(0)); n != 0 {
		t.Fatalf("dialed %d times after the lease", n)
	}
	hook.set(func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"allow": true}`) })
	b.settle(t)
	b.dial(t)
	if n := b.network.dials(testNumber(0)); n != 1 {
		t.Errorf("dialed %d times", n)
	}
}

// A test call has no recipient, and is not checked.
func TestPreDialCheckLeavesTestCallsAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Wait)
	if _, err := b.calling.Try(t.Context(), b.actor, Try{
		AgentID: b.agent, PhoneNumberID: b.number, ProjectID: b.project, ToNumber: testNumber(0),
	}); err != nil {
		t.Fatal(err)
	}
	if b.network.dials(testNumber(0)) != 1 || len(hook.numbers()) != 0 {
		t.Errorf("dialed %d times, asked about %v", b.network.dials(testNumber(0)), hook.numbers())
	}
}

// A number that opted out while the check was asked is not dialed.
func TestOptOutDuringThePreDialCheck(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hook := b.check(t, predial.Wait)
	hook.set(func(w http.ResponseWriter, to string) {
		b.exec(t, `update organization set calling_stopped_at = clock(), calling_stopped_by = 'Ada' where id = $1`,
			b.actor.OrganizationID)
		fmt.Fprint(w, `{"allow": true}`)
	})
	b.create(t, people(fast(b.draft(0)), 1))
	b.dial(t)
	got := value[string](t, b, `select concat_ws(' ', ended_reason, pre_dial_check ->> 'result') from call`)
	if want := string(call.ReasonNotPlaced) + " allowed"; got != want || b.network.dials(testNumber(0)) != 0 {
		t.Errorf("%s, want %s", got, want)
	}
}
