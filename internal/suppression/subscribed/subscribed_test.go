package subscribed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
)

// fixture has an organization and the server of a list.
type fixture struct {
	t        *testing.T
	db       *pgtest.DB
	lists    *subscribed.Service
	entries  *suppression.Service
	actor    account.Actor
	stranger account.Actor
	url      string
	requests atomic.Int32

	mu     sync.Mutex
	answer http.HandlerFunc
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, db: pgtest.New(t)}
	g, err := guard.New([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	f.lists = subscribed.New(subscribed.Options{Pool: f.db.Pool, Vault: vault, Guard: g, Version: "test"})
	f.entries = suppression.New(suppression.Options{Pool: f.db.Pool})
	for _, actor := range []*account.Actor{&f.actor, &f.stranger} {
		n := f.db.NewTenant(t, "Acme", "+15005550000", "{}")
		*actor = account.Actor{OrganizationID: n.OrganizationID, Kind: account.ByUser, ID: uuid.New(), Name: "Ada"}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		f.mu.Lock()
		answer := f.answer
		f.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	f.url = server.URL + "/list.csv"
	return f
}

func (f *fixture) serve(answer http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

// file serves numbers, one a row.
func (f *fixture) file(numbers ...string) {
	f.serve(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "phone_number\n"+strings.Join(numbers, "\n"))
	})
}

func (f *fixture) draft() subscribed.Draft {
	return subscribed.Draft{
		Name: "Register", URL: f.url, Channels: []suppression.Channel{suppression.Voice}, EveryHours: 6,
	}
}

func (f *fixture) create(d subscribed.Draft) subscribed.List {
	f.t.Helper()
	l, err := f.lists.Create(f.t.Context(), f.actor, d)
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

// fetch fetches a list, due or not, and returns it.
func (f *fixture) fetch(id uuid.UUID) subscribed.List {
	f.t.Helper()
	f.exec(`update subscribed_list set due_at = clock() where id = $1`, id)
	if n, err := f.lists.FetchDue(f.t.Context()); n != 1 || err != nil {
		f.t.Fatalf("%d lists fetched, %v", n, err)
	}
	l, err := f.lists.Get(f.t.Context(), f.actor.OrganizationID, id)
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

func (f *fixture) exec(sql string, args ...any) {
	f.t.Helper()
	if _, err := f.db.Pool.Exec(f.t.Context(), sql, args...); err != nil {
		f.t.Fatal(err)
	}
}

// has wants the entries of the organization, each as number, channel and source, and "list" for one of a list.
func (f *fixture) has(want ...string) {
	f.t.Helper()
	got, err := postgres.Collect(f.t.Context(), f.db.Pool, pgx.RowTo[string], `
		select concat_ws(' ', phone_number, channel, source, case when list_id is not null then 'list' end)
		from do_not_call where organization_id = $1 order by phone_number, channel`, f.actor.OrganizationID)
	if err != nil || !slices.Equal(got, want) {
		f.t.Errorf("entries\n%s\nwant\n%s\n%v", strings.Join(got, "\n"), strings.Join(want, "\n"), err)
	}
}

// numbers wants the numbers of a list on the do-not-call list.
func (f *fixture) numbers(l subscribed.List, want suppression.NumbersOfList) {
	f.t.Helper()
	if n, err := f.lists.Numbers(f.t.Context(), f.actor.OrganizationID, l.ID); n != want || err != nil {
		f.t.Errorf("%s has %+v, want %+v; %v", l.Name, n, want, err)
	}
}

// remove removes a list, with which some numbers leave the do-not-call list.
func (f *fixture) remove(l subscribed.List, want int) {
	f.t.Helper()
	if n, err := f.lists.Remove(f.t.Context(), f.actor, l.ID); n != want || err != nil {
		f.t.Errorf("%d numbers leave with %s, want %d; %v", n, l.Name, want, err)
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestAFileIsKeptInSync(t *testing.T) {
	t.Parallel()
	f := setup(t)
	_, _, err := f.entries.Add(t.Context(), f.actor, suppression.NewEntry{
		PhoneNumber: "+13125550143", Source: suppression.ByUser,
	})
	if err != nil {
		t.Fatal(err)
	}
	f.file("(312) 555-0142", "+13125550143", "nobody") // national numbers are those of the organization's country
	l := f.create(f.draft())
	if l.FetchedAt != nil || l.Numbers != 0 {
		t.Errorf("%+v", l)
	}
	l = f.fetch(l.ID)
	f.has("+13125550142 voice import list", "+13125550143 voice user")
	if l.Numbers != 2 || l.FetchedAt == nil || l.LastError != nil || l.Fetching ||
		time.Until(l.NextFetchAt).Round(time.Hour) != 6*time.Hour {
		t.Errorf("%+v", l)
	}
	found, err := f.entries.List(t.Context(), f.actor.OrganizationID, suppression.Filter{PhoneNumber: "+13125550142"})
	if err != nil || len(found.Data) != 1 || found.Data[0].ListName != "Register" {
		t.Errorf("%+v, %v", found.Data, err)
	}
	if n, err := f.lists.FetchDue(t.Context()); n != 0 || err != nil {
		t.Errorf("%d lists are due already, %v", n, err)
	}

	f.file("+13125550144")
	f.fetch(l.ID)
	f.has("+13125550143 voice user", "+13125550144 voice import list")

	d := f.draft()
	d.Channels = suppression.Channels
	if _, err := f.lists.Update(t.Context(), f.actor, l.ID, d); err != nil {
		t.Fatal(err)
	}
	f.fetch(l.ID)
	f.has("+13125550143 voice user", "+13125550144 message import list", "+13125550144 voice import list")

	f.numbers(l, suppression.NumbersOfList{Leaving: 1}) // on two channels
	f.remove(l, 1)
	f.has("+13125550143 voice user")
	actions, err := postgres.Collect(t.Context(), f.db.Pool, pgx.RowTo[string], `
		select action || coalesce(' ' || (data ->> 'added'), '') || coalesce(' ' || (data ->> 'removed'), '')
		from audit_entry
		where object_type = 'subscribed_list' order by id`)
	want := []string{
		"subscribed_list.created", "subscribed_list.applied 1 0", "subscribed_list.applied 1 1",
		"subscribed_list.updated", "subscribed_list.applied 1 0", "subscribed_list.removed 1",
	}
	if err != nil || !slices.Equal(actions, want) {
		t.Errorf("audited %q, %v", actions, err)
	}
}

func TestAnUnchangedFile(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.serve(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"1"` &&
			r.Header.Get("If-Modified-Since") == "Mon, 23 Nov 2026 10:00:00 GMT" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Last-Modified", "Mon, 23 Nov 2026 10:00:00 GMT")
		w.Header().Set("Content-Encoding", "gzip")
		var b bytes.Buffer
		packed := gzip.NewWriter(&b)
		fmt.Fprint(packed, "+13125550142\n")
		_ = packed.Close()
		_, _ = w.Write(b.Bytes())
	})
	l := f.fetch(f.create(f.draft()).ID)
	f.exec(`update subscribed_list set fetched_at = fetched_at - interval '1 day'`)
	f.exec(`delete from do_not_call`)
	again := f.fetch(l.ID)
	if again.Numbers != 1 || again.LastError != nil || time.Since(*again.FetchedAt) > time.Hour {
		t.Errorf("%+v", again)
	}
	f.has()
	if _, err := f.lists.FetchNow(t.Context(), f.actor, l.ID, false); err != nil { // even if it has not changed
		t.Fatal(err)
	}
	f.fetch(l.ID)
	f.has("+13125550142 voice import list")
	f.exec(`delete from do_not_call`)
	f.exec(`update subscribed_list set applied_at = applied_at - interval '8 days'`)
	f.fetch(l.ID)
	f.has("+13125550142 voice import list")
}

func TestAFailureKeepsTheEntries(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.file("+13125550142")
	l := f.fetch(f.create(f.draft()).ID)
	for i, c := range []struct {
		answer http.HandlerFunc
		want   string
		next   time.Duration
	}{
		{
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			"The server of the file answered 502", 10 * time.Minute,
		},
		{
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) },
			"The server of the file answered 302. Its redirects are not followed", 20 * time.Minute,
		},
		{
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
			"The server of the file answered 304. It must answer 200", 40 * time.Minute,
		},
		{
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\x1f\x8bnothing") },
			"The compressed file is damaged", 80 * time.Minute,
		},
		{
			func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, "phone\n"+strings.Repeat("+13125550142\n", 100_001))
			},
			"The file must have at most 100,000 rows", 160 * time.Minute,
		},
		{
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "name;city\nAda;Chicago\n") },
			`No column is named phone_number. The columns are "name" and "city". Name the column with the phone ` +
				"numbers phone_number, or make it the first column", 320 * time.Minute,
		},
		{
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "phone\nnobody\n") },
			"The file has no readable phone number", 6 * time.Hour,
		},
	} {
		f.serve(c.answer)
		l = f.fetch(l.ID)
		if text(l.LastError) != c.want || l.Failures != i+1 || l.LastErrorAt == nil || l.Numbers != 1 ||
			time.Until(l.NextFetchAt).Round(time.Minute) != c.next {
			t.Errorf("%q, want %q; %s, %+v", text(l.LastError), c.want, time.Until(l.NextFetchAt), l)
		}
		f.has("+13125550142 voice import list")
	}
	f.file("+13125550143")
	if l = f.fetch(l.ID); l.Failures != 0 || l.LastError != nil || l.HeldBack != nil {
		t.Errorf("%+v", l)
	}
	f.has("+13125550143 voice import list")
}

// Rows that cannot be read are counted, and the first ones are kept without phone numbers.
func TestRowsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	f := setup(t)
	rows := func(l subscribed.List, want ...string) {
		t.Helper()
		problems, err := f.lists.RejectedRows(t.Context(), f.actor.OrganizationID, l.ID)
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%d %s: %s", p.Line, p.Cell, p.Reason))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("rows\n%s\nwant\n%s\n%v", strings.Join(got, "\n"), strings.Join(want, "\n"), err)
		}
	}
	const letters = "a phone number cannot contain letters"
	f.file("+13125550142", "call me", "", "+13125550142", "123", "+13125550143", "+1 312 555 0144 or mobile",
		"+1-312-55S-O1-4-5", "312a555b0146", strings.Repeat("x", 50))
	l := f.fetch(f.create(f.draft()).ID)
	if l.Numbers != 2 || l.Rejected != 6 || l.LastError != nil {
		t.Errorf("%+v", l)
	}
	rows(l, "3 call me: "+letters, "6 123: not a valid phone number", "8 …44 or mobile: "+letters,
		"9 …45: "+letters, "10 …46: "+letters, "11 "+strings.Repeat("x", 40)+"…: "+letters)
	_, err := f.lists.RejectedRows(t.Context(), f.stranger.OrganizationID, l.ID)
	if fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	f.file("nobody")
	l = f.fetch(l.ID)
	if l.Numbers != 2 || l.Rejected != 1 || text(l.HeldBack) != "The file has no readable phone number" {
		t.Errorf("%+v", l)
	}
	rows(l, "2 nobody: "+letters)
	f.serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	rows(f.fetch(l.ID), "2 nobody: "+letters)
	f.file("+13125550142", "+13125550143")
	if l = f.fetch(l.ID); l.Rejected != 0 || l.HeldBack != nil {
		t.Errorf("%+v", l)
	}
	rows(l)
	f.file("+13125550142\n" + strings.Repeat("me\n", 1001))
	if l = f.fetch(l.ID); l.Rejected != 1001 {
		t.Errorf("%+v", l)
	}
	if kept, err := f.lists.RejectedRows(t.Context(), f.actor.OrganizationID, l.ID); len(kept) != 1000 || err != nil {
		t.Errorf("%d rows are kept, %v", len(kept), err)
	}
}

// The rows of a file that is held back are forgotten when the server has the applied file again.
func TestAServerTakesAFileBack(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, "+13125550142\n")
	})
	answer := f.answer
	l := f.fetch(f.create(f.draft()).ID)
	f.file("nobody")
	if l = f.fetch(l.ID); l.HeldBack == nil || l.Rejected != 1 {
		t.Errorf("%+v", l)
	}
	f.serve(answer)
	if l = f.fetch(l.ID); l.HeldBack != nil || l.Rejected != 0 {
		t.Errorf("%+v", l)
	}
}

func TestAListThatShrinks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	numbers := make([]string, 101)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("+1312555%04d", i)
	}
	f.file(numbers...)
	l := f.fetch(f.create(f.draft()).ID)
	f.file(numbers[:10]...)
	l = f.fetch(l.ID)
	const held = "The file has only 10 numbers, and the one before had 101"
	if text(l.LastError) != held || text(l.HeldBack) != held || l.Numbers != 101 {
		t.Errorf("%+v: %s", l, text(l.LastError))
	}
	count := func(want int) {
		t.Helper()
		f.numbers(l, suppression.NumbersOfList{Leaving: want})
	}
	count(101)
	f.file(numbers[0])
	const one = "The file has only 1 number, and the one before had 101"
	if l = f.fetch(l.ID); text(l.LastError) != one {
		t.Error(text(l.LastError))
	}
	f.serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	const answered = "The server of the file answered 502"
	if l = f.fetch(l.ID); text(l.HeldBack) != one || l.Failures != 3 || text(l.LastError) != answered {
		t.Errorf("a failure ends what a person must decide: %+v", l)
	}
	f.file(numbers[:11]...)
	if l = f.fetch(l.ID); l.HeldBack != nil || l.Numbers != 11 {
		t.Errorf("%+v", l)
	}
	if _, err := f.lists.FetchNow(t.Context(), f.actor, l.ID, true); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a permission for any file: %v", err)
	}
	count(11)
	f.file()
	if l = f.fetch(l.ID); l.HeldBack == nil {
		t.Errorf("%+v", l)
	}
	count(11)
	if _, err := f.lists.FetchNow(t.Context(), f.actor, l.ID, true); err != nil {
		t.Fatal(err)
	}
	if l = f.fetch(l.ID); l.HeldBack != nil || l.Numbers != 0 || l.LastError != nil {
		t.Errorf("%+v", l)
	}
	count(0)
	if l = f.fetch(l.ID); l.HeldBack == nil { // the permission was for one file
		t.Errorf("%+v", l)
	}
}

// Whoever adds a number of a list makes its entry their own, and the list no longer removes it.
func TestAnEntryIsTakenOver(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.file("+13125550141", "+13125550142", "+13125550143", "+13125550144", "+13125550145")
	l := f.fetch(f.create(f.draft()).ID)
	call := uuid.Must(uuid.NewV7())
	err := postgres.InTx(t.Context(), f.db.Pool, func(tx pgx.Tx) error {
		added, err := suppression.AddFromCall(t.Context(), tx, f.actor.OrganizationID, call, "+13125550141",
			suppression.ByCall, "", suppression.Message, suppression.Voice)
		if !added {
			t.Error("an opt-out is not new")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	e, added, err := f.entries.Add(t.Context(), f.actor, suppression.NewEntry{
		PhoneNumber: "+13125550142", Source: suppression.ByUser, Note: "By letter",
	})
	if err != nil || !added || e.ListID != nil || e.Note != "By letter" || e.CreatedBy != "Ada" {
		t.Errorf("%+v, %v, %v", e, added, err)
	}
	sum, err := f.entries.AddAll(t.Context(), f.actor, []suppression.NewEntry{
		{PhoneNumber: "+13125550143", Source: suppression.ByImport, Note: "first"},
		{PhoneNumber: "+13125550143", Source: suppression.ByImport},
		{PhoneNumber: "+13125550142", Source: suppression.ByImport},
	})
	if err != nil || sum != (suppression.Added{Added: 1, Existing: 2, Numbers: 1}) {
		t.Errorf("%+v, %v", sum, err)
	}
	err = postgres.InTx(t.Context(), f.db.Pool, func(tx pgx.Tx) error {
		return suppression.Erase(t.Context(), tx, f.actor.OrganizationID, "+13125550144", "Ada")
	})
	if err != nil {
		t.Fatal(err)
	}
	f.exec(`delete from do_not_call where phone_number is null and channel = 'message'`)
	kept := []string{
		"voice import", "+13125550141 message call", "+13125550141 voice call", "+13125550142 voice user",
		"+13125550143 voice import",
	}
	f.file("+13125550144", "+13125550146")
	f.fetch(l.ID)
	want := append(slices.Clone(kept[1:]), "+13125550146 voice import list", kept[0]) // nulls last
	f.has(want...)
	var note string
	if err := f.db.Pool.QueryRow(t.Context(), `select note from do_not_call where phone_number = '+13125550143'`).
		Scan(&note); err != nil || note != "first" {
		t.Errorf("note %q, %v", note, err)
	}

	// The undo of a removal gives an entry back to its list.
	found, err := f.entries.List(t.Context(), f.actor.OrganizationID, suppression.Filter{PhoneNumber: "+13125550146"})
	if err != nil || len(found.Data) != 1 {
		t.Fatal(found, err)
	}
	batch, err := f.entries.RemoveAll(t.Context(), f.actor, suppression.RemovalRequest{
		Chosen: suppression.Chosen{IDs: []uuid.UUID{found.Data[0].ID}}, Reason: "By mistake", Expected: 1,
	})
	if err == nil {
		_, err = f.entries.Restore(t.Context(), f.actor, batch)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.has(want...)
	f.remove(l, 1)
	f.has(append(slices.Clone(kept[1:]), kept[0])...)
}

// A change, a removal and opt-outs that meet a fetch.
func TestTwoWorkersFetchAListOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	arrived, open := make(chan struct{}), make(chan struct{})
	f.serve(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-open
		fmt.Fprint(w, "+13125550142\n")
	})
	l := f.create(f.draft())
	done := make(chan error)
	go func() {
		_, err := f.lists.FetchDue(context.WithoutCancel(t.Context()))
		done <- err
	}()
	<-arrived
	if n, err := f.lists.FetchDue(t.Context()); n != 0 || err != nil {
		t.Errorf("a second worker fetches %d lists, %v", n, err)
	}
	if now, err := f.lists.Get(t.Context(), f.actor.OrganizationID, l.ID); err != nil || !now.Fetching {
		t.Errorf("%+v, %v", now, err)
	}
	d := f.draft()
	d.Name = "Renamed"
	if _, err := f.lists.Update(t.Context(), f.actor, l.ID, d); err != nil {
		t.Fatal(err)
	}
	close(open)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	f.has() // the list was changed meanwhile
	f.file("+13125550142")
	f.fetch(l.ID)
	f.has("+13125550142 voice import list")

	// Opt-outs and fetches at the same time lose no opt-out.
	var numbers []string
	for i := range 40 {
		numbers = append(numbers, fmt.Sprintf("+1312555%04d", 1000+i))
	}
	f.file(numbers...)
	f.fetch(l.ID)
	f.file("+13125550142")
	f.exec(`update subscribed_list set due_at = clock()`)
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := f.lists.FetchDue(t.Context()); err != nil {
			t.Error(err)
		}
	})
	for i, number := range numbers {
		wg.Go(func() {
			e := suppression.NewEntry{PhoneNumber: phone.Number(number), Source: suppression.ByUser}
			var err error
			if i%2 == 0 {
				_, _, err = f.entries.Add(t.Context(), f.actor, e)
			} else {
				_, err = f.entries.AddAll(t.Context(), f.actor, []suppression.NewEntry{e})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	want := []string{"+13125550142 voice import list"}
	for _, number := range numbers {
		want = append(want, number+" voice user")
	}
	f.has(want...)
}

func TestTheHeaderIsSealed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var header atomic.Value
	f.serve(func(w http.ResponseWriter, r *http.Request) {
		header.Store(r.Header.Get("X-Api-Key"))
		fmt.Fprint(w, "+13125550142\n")
	})
	d := f.draft()
	d.HeaderName, d.HeaderValue = "X-Api-Key", new("a very secret value")
	l := f.create(d)
	f.fetch(l.ID)
	d.HeaderValue, d.EveryHours = nil, 24
	if _, err := f.lists.Update(t.Context(), f.actor, l.ID, d); err != nil {
		t.Fatal(err)
	}
	f.fetch(l.ID)
	if header.Load() != "a very secret value" {
		t.Errorf("header %q", header.Load())
	}
	var shown int
	err := f.db.Pool.QueryRow(t.Context(), `
		select (select count(*) from subscribed_list l where l::text like '%very secret%'
		          or position('very secret'::bytea in l.header_value) > 0)
		     + (select count(*) from audit_entry a where a::text like '%very secret%')`).Scan(&shown)
	if err != nil || shown > 0 {
		t.Errorf("shown %d times, %v", shown, err)
	}
	d.URL = "https://elsewhere.example.com/"
	_, err = f.lists.Update(t.Context(), f.actor, l.ID, d)
	if fault.KindOf(err) != fault.Invalid ||
		err.Error() != "header_value: enter the value again because the server changed" {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for want, change := range map[string]func(*subscribed.Draft){
		"name: required":                        func(d *subscribed.Draft) { d.Name = " " },
		"every_hours: must be 6, 12, 24 or 168": func(d *subscribed.Draft) { d.EveryHours = 1 },
		"channels: required":                    func(d *subscribed.Draft) { d.Channels = nil },
		"header_value: required":                func(d *subscribed.Draft) { d.HeaderName = "X-Key" },
		"header_name: required with a value":    func(d *subscribed.Draft) { d.HeaderValue = new("x") },
		"header_name: is set by the request itself": func(d *subscribed.Draft) {
			d.HeaderName, d.HeaderValue = "Accept-Encoding", new("x")
		},
		"header_name: enter a header name, such as Authorization": func(d *subscribed.Draft) {
			d.HeaderName, d.HeaderValue = "X Key", new("x")
		},
		"url: must be an https URL (http is only for hosts within the operator's DIALWRIGHT_WEBHOOK_ALLOW)": func(
			d *subscribed.Draft,
		) {
			d.URL = "http://example.com"
		},
	} {
		d := f.draft()
		change(&d)
		_, err := f.lists.Create(t.Context(), f.actor, d)
		if fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	l := f.create(f.draft())
	if _, err := f.lists.Create(t.Context(), f.actor, f.draft()); err == nil ||
		err.Error() != "name: is the name of another list" {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"remove": func() error {
			_, err := f.lists.Remove(t.Context(), f.stranger, l.ID)
			return err
		}(),
		"get": func() error {
			_, err := f.lists.Get(t.Context(), f.stranger.OrganizationID, l.ID)
			return err
		}(),
		"update": func() error {
			_, err := f.lists.Update(t.Context(), f.stranger, l.ID, f.draft())
			return err
		}(),
		"fetch": func() error {
			_, err := f.lists.FetchNow(t.Context(), f.stranger, l.ID, true)
			return err
		}(),
	} {
		if fault.KindOf(err) != fault.NotFound || fault.As(err) == nil {
			t.Errorf("%s by another organization: %v", name, err)
		}
	}
	for i := range subscribed.MaxLists - 1 {
		d := f.draft()
		d.Name = fmt.Sprint("Register ", i)
		f.create(d)
	}
	d := f.draft()
	d.Name = "Eleven"
	if _, err := f.lists.Create(t.Context(), f.actor, d); fault.KindOf(err) != fault.Unprocessable {
		t.Error(err)
	}
	list, err := f.lists.Lists(t.Context(), f.actor.OrganizationID, page.Request{})
	if err != nil || len(list.Data) != subscribed.MaxLists {
		t.Errorf("%d lists, %v", len(list.Data), err)
	}
}

// A number of two lists stays on the do-not-call list as long as one of them has it.
func TestANumberOfTwoLists(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const shared, own = "+12025550102", "+12025550101"
	first, other := f.draft(), f.draft()
	other.Name, other.URL = "Partner", strings.Replace(f.url, "list.csv", "other.csv", 1)
	both := []suppression.Channel{suppression.Voice, suppression.Message}
	first.Channels = both
	f.file(own, shared)
	one := f.create(first)
	f.fetch(one.ID)
	f.file(shared)
	two := f.create(other)
	f.fetch(two.ID)
	all := []string{
		own + " message import list", own + " voice import list", shared + " message import list",
		shared + " voice import list",
	}
	f.has(all...)

	// The number leaves the first list, whose entry it was, on the channel that the other list has, too.
	f.file(own)
	f.fetch(one.ID)
	f.has(own+" message import list", own+" voice import list", shared+" voice import list")
	f.numbers(two, suppression.NumbersOfList{Leaving: 1})

	// It comes back, and leaves the other list.
	f.file(own, shared)
	f.fetch(one.ID)
	f.has(all...)
	f.file(own)
	f.fetch(two.ID)
	f.has(all...)

	// A list that is removed takes its numbers off, unless the other one has them.
	f.file(shared)
	f.fetch(two.ID)
	f.numbers(one, suppression.NumbersOfList{Leaving: 2}) // the other list stops calls only
	f.remove(one, 2)
	f.has(shared + " voice import list")
	f.remove(two, 1)
	f.has()
}

// Before a list is removed, it is known which of its numbers leave and why others stay.
func TestNumbersThatStayWithoutTheirList(t *testing.T) {
	t.Parallel()
	f := setup(t)
	add := func(number string) {
		t.Helper()
		_, _, err := f.entries.Add(t.Context(), f.actor, suppression.NewEntry{
			PhoneNumber: phone.Number(number), Source: suppression.ByUser,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	other := f.draft()
	other.Name, other.URL = "Partner", strings.Replace(f.url, "list.csv", "other.csv", 1)
	add("+13125550141") // before the lists have it
	f.file("+13125550141", "+13125550142", "+13125550143", "+13125550144", "+13125550145")
	one := f.create(f.draft())
	f.fetch(one.ID)
	f.file("+13125550143", "+13125550146", "+13125550147")
	two := f.create(other)
	f.fetch(two.ID)
	add("+13125550142") // after a list has brought it
	add("+13125550147")
	f.numbers(one, suppression.NumbersOfList{Leaving: 2, Shared: 1, Own: 2})
	f.numbers(two, suppression.NumbersOfList{Leaving: 1, Shared: 1, Own: 1})

	// The numbers of a list are found, whatever their entries come from.
	ofTwo := suppression.Filter{ListID: &two.ID}
	got, err := f.entries.List(t.Context(), f.actor.OrganizationID, ofTwo)
	var listed []string
	for _, e := range got.Data {
		listed = append(listed, fmt.Sprintf("%s %s %q", e.PhoneNumber, e.ListName, e.AlsoIn))
	}
	slices.Sort(listed)
	want := []string{
		`+13125550143 Register ["Partner"]`, `+13125550146 Partner []`, `+13125550147  ["Partner"]`,
	}
	if err != nil || !slices.Equal(listed, want) {
		t.Errorf("of the list %q, %v, want %q", listed, err, want)
	}
	chosen := suppression.Chosen{Filter: &ofTwo}
	if n, err := f.entries.CountRemovals(t.Context(), f.actor.OrganizationID, chosen); n.Removed != 3 || err != nil {
		t.Errorf("%+v, %v", n, err)
	}

	// An entry that was removed by mistake is in both lists again.
	found, err := f.entries.List(t.Context(), f.actor.OrganizationID, suppression.Filter{PhoneNumber: "+13125550143"})
	if err != nil || len(found.Data) != 1 {
		t.Fatal(found, err)
	}
	batch, err := f.entries.RemoveAll(t.Context(), f.actor, suppression.RemovalRequest{
		Chosen: suppression.Chosen{IDs: []uuid.UUID{found.Data[0].ID}}, Reason: "By mistake", Expected: 1,
	})
	if err == nil {
		_, err = f.entries.Restore(t.Context(), f.actor, batch)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.numbers(two, suppression.NumbersOfList{Leaving: 1, Shared: 1, Own: 1})

	// A number that leaves the file is not the list's anymore, whoever else has it.
	f.file("+13125550143")
	f.fetch(two.ID)
	f.numbers(two, suppression.NumbersOfList{Shared: 1})
	f.remove(two, 0)
	f.numbers(one, suppression.NumbersOfList{Leaving: 3, Own: 2})
	f.remove(one, 3)
	f.has("+13125550141 voice user", "+13125550142 voice user", "+13125550147 voice user")
}
