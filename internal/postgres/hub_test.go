package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

func hub(t *testing.T, db *pgtest.DB) *postgres.Hub {
	t.Helper()
	h := postgres.NewHub(t.Context(), postgres.HubOptions{Pool: db.Pool, Log: postgres.Discard})
	t.Cleanup(h.Close)
	return h
}

// heard waits for a wake-up.
func heard(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(testwait.Limit):
		t.Fatal("nobody woke us")
	}
}

// listening waits until n hubs listen in the database.
func listening(t *testing.T, db *pgtest.DB, n int) {
	t.Helper()
	for {
		var got int
		err := db.Pool.QueryRow(t.Context(), `
			select count(*) from pg_stat_activity
			where datname = current_database() and query = 'listen dialwright_wake' and state = 'idle'`).Scan(&got)
		if err != nil {
			t.Fatal(err)
		}
		if got == n {
			return
		}
	}
}

func TestAWakeUpReachesThisProcessAtOnce(t *testing.T) {
	t.Parallel()
	h := hub(t, pgtest.NewEmpty(t))
	a, cancelA := h.Subscribe("calls")
	b, _ := h.Subscribe("calls")
	other, _ := h.Subscribe("other")

	for range 3 {
		h.Wake("calls") // no receiver waits: Wake must not block
	}
	// The wake-ups are already there, and three wake-ups have become one.
	for _, c := range []<-chan struct{}{a, b} {
		if len(c) != 1 {
			t.Fatalf("%d wake-ups", len(c))
		}
		<-c
	}
	if len(other) != 0 {
		t.Fatal("another topic woke")
	}
	cancelA()
	h.Wake("calls")
	if len(a) != 0 || len(b) != 1 {
		t.Fatalf("after the cancel: %d, %d", len(a), len(b))
	}
}

func TestAWakeUpReachesOtherProcesses(t *testing.T) {
	t.Parallel()
	db := pgtest.NewEmpty(t)
	here, there := hub(t, db), hub(t, db)
	c, cancel := there.Subscribe("calls")
	defer cancel()
	listening(t, db, 2)
	for len(c) > 0 { // drain the wake-up that follows the connect
		<-c
	}
	for range 3 { // the second Wake comes after the pause between two notifications
		here.Wake("calls")
		heard(t, c)
	}
}

func TestWakeUpsAreCoalescedOnTheWay(t *testing.T) {
	t.Parallel()
	db := pgtest.NewEmpty(t)
	h := hub(t, db)
	conn, err := pgx.Connect(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "listen dialwright_wake"); err != nil {
		t.Fatal(err)
	}

	const pace = 20 * time.Millisecond
	began := time.Now()
	for time.Since(began) < 10*pace {
		h.Wake("calls")
	}
	// The first notification may be late on a busy machine.
	if _, err := conn.WaitForNotification(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(t.Context(), `select pg_notify('dialwright_wake', 'end')`); err != nil {
		t.Fatal(err)
	}
	n := 1
	for {
		got, err := conn.WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Payload == "end" {
			break
		}
		n++
	}
	// The limit is one notification at the start and one for each pause that has begun since.
	if most := int(time.Since(began)/pace) + 2; n > most {
		t.Fatalf("%d notifications, at most %d were due", n, most)
	}
}

func TestTheHubReconnectsAndWakesForWhatItMissed(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.NewEmpty(t), t.Context()
	here, there := hub(t, db), hub(t, db)
	c, cancel := there.Subscribe("calls")
	defer cancel()
	listening(t, db, 2)
	here.Wake("calls")
	heard(t, c)
	for len(c) > 0 {
		<-c
	}
	_, err := db.Pool.Exec(ctx, `
		select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()
		  and (query like 'listen%' or query like '%pg_notify%')`)
	if err != nil {
		t.Fatal(err)
	}
	heard(t, c) // the wake-up for topics that may have been missed
	listening(t, db, 2)
	for len(c) > 0 {
		<-c
	}
	here.Wake("calls") // the sending connection is also new
	heard(t, c)
}

func TestALocalHubWakesItsOwnProcess(t *testing.T) {
	t.Parallel()
	h := postgres.LocalHub()
	c, stop := h.Subscribe("topic")
	defer stop()
	h.Wake("topic")
	heard(t, c)
	h.Close()
}
