package account_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

const route = "POST /campaigns"

// work returns work that inserts a mark, so that a test sees whether it ran.
func work(status int, err error) func(pgx.Tx) (int, []byte, error) {
	return func(tx pgx.Tx) (int, []byte, error) {
		id := uuid.Must(uuid.NewV7())
		_, dberr := tx.Exec(context.Background(), `insert into organization (id, name) values ($1, 'mark')`, id)
		if dberr != nil {
			return 0, nil, dberr
		}
		return status, []byte(`{"id":"` + id.String() + `"}`), err
	}
}

func (f *fixture) marks(t *testing.T) (n int) {
	t.Helper()
	if err := f.db.Pool.QueryRow(
		t.Context(), `select count(*) from organization where name = 'mark'`,
	).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheSameRequestIsDoneOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	body := []byte(`{"name":"Autumn"}`)
	first, err := f.accounts.Idempotent(ctx, f.actor, route, "k 1", body, work(201, nil))
	if err != nil || first.Status != 201 || first.Replayed {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := f.accounts.Idempotent(ctx, f.actor, route, "k 1", body, work(201, nil))
	if err != nil || again.Status != 201 || !bytes.Equal(again.Body, first.Body) || !again.Replayed {
		t.Errorf("%+v, %v", again, err)
	}
	if n := f.marks(t); n != 1 {
		t.Errorf("done %d times", n)
	}
	_, err = f.accounts.Idempotent(ctx, f.actor, route, "k 1", []byte(`{}`), work(201, nil))
	wantFault(t, err, fault.Conflict, "Idempotency-Key was used with a different body")

	// Another route, another organization, another key and no key run the work.
	for i, do := range []func() (account.Answer, error){
		func() (account.Answer, error) {
			return f.accounts.Idempotent(ctx, f.actor, "POST /messages", "k 1", body, work(201, nil))
		},
		func() (account.Answer, error) {
			return f.accounts.Idempotent(ctx, f.stranger(), route, "k 1", body, work(201, nil))
		},
		func() (account.Answer, error) {
			return f.accounts.Idempotent(ctx, f.actor, route, "k 2", body, work(201, nil))
		},
		func() (account.Answer, error) {
			return f.accounts.Idempotent(ctx, f.actor, route, "", body, work(201, nil))
		},
	} {
		if a, err := do(); err != nil || a.Replayed || f.marks(t) != i+2 {
			t.Errorf("%d: %+v, %v, %d marks", i, a, err, f.marks(t))
		}
	}

	var readable int
	err = f.db.Pool.QueryRow(ctx, `select count(*) from idempotency_key where position('{"id"'::bytea in answer) > 0`).
		Scan(&readable)
	if err != nil || readable != 0 {
		t.Errorf("%d answers are stored in the clear, %v", readable, err)
	}

	f.db.Advance(24*time.Hour + time.Second)
	if late, err := f.accounts.Idempotent(ctx, f.actor, route, "k 1", []byte(`{}`), work(201, nil)); err != nil ||
		late.Replayed {
		t.Errorf("after a day: %+v, %v", late, err)
	}
	if err := f.accounts.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := f.db.Pool.QueryRow(ctx, `select count(*) from idempotency_key`).Scan(&rows); err != nil || rows != 1 {
		t.Errorf("%d keys left, %v", rows, err)
	}
}

func TestWhichRefusalsAreKept(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for status, want := range map[int]bool{
		400: false, 401: false, 403: false, 404: true, 409: true, 413: false, 422: true, 429: false, 500: false,
		502: false, 503: false,
	} {
		key := fmt.Sprint("status ", status)
		a, err := f.accounts.Idempotent(t.Context(), f.actor, route, key, nil, work(status, nil))
		if err != nil || a.Status != status {
			t.Fatalf("%d: %+v, %v", status, a, err)
		}
		again, err := f.accounts.Idempotent(t.Context(), f.actor, route, key, nil, work(status, nil))
		if err != nil || again.Replayed != want || want != bytes.Equal(again.Body, a.Body) {
			t.Errorf("%d: replayed %v, %v", status, again.Replayed, err)
		}
	}
	broken := errors.New("broken")
	if _, err := f.accounts.Idempotent(
		t.Context(), f.actor, route, "error", nil, work(0, broken),
	); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if n := f.marks(t); n != 0 {
		t.Errorf("refused work left %d marks", n)
	}
	if a, err := f.accounts.Idempotent(t.Context(), f.actor, route, "error", nil, work(201, nil)); err != nil ||
		a.Replayed {
		t.Errorf("an error was kept: %+v, %v", a, err)
	}
}

func TestASecondRequestIsToldTheFirstIsAtWork(t *testing.T) {
	t.Parallel()
	f := setup(t)
	started, finish := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		_, err := f.accounts.Idempotent(context.Background(), f.actor, route, "k", nil,
			func(tx pgx.Tx) (int, []byte, error) {
				close(started)
				<-finish
				return 201, []byte("1"), nil
			})
		done <- err
	}()
	<-started
	_, err := f.accounts.Idempotent(t.Context(), f.actor, route, "k", nil, work(201, nil))
	wantFault(t, err, fault.Conflict, "A request with this Idempotency-Key is still being processed")
	close(finish)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if a, err := f.accounts.Idempotent(t.Context(), f.actor, route, "k", nil, work(201, nil)); err != nil ||
		string(a.Body) != "1" {
		t.Errorf("%+v, %v", a, err)
	}
	if n := f.marks(t); n != 0 {
		t.Errorf("%d marks", n)
	}
}

func TestIdempotencyKeyFormat(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, bad := range []string{strings.Repeat("x", 256), "a\nb", "a\x00", "clé", "\x7f"} {
		_, err := f.accounts.Idempotent(t.Context(), f.actor, route, bad, nil, work(201, nil))
		wantFault(t, err, fault.Invalid, "Idempotency-Key: must be 1 to 255 printable ASCII characters")
	}
	if _, err := f.accounts.Idempotent(
		t.Context(), f.actor, route, strings.Repeat("~", 255), nil, work(201, nil),
	); err != nil {
		t.Error(err)
	}
}

// For any key, the key is refused as Invalid, or the same request runs once and is
// replayed.
func FuzzIdempotencyKey(f *testing.F) {
	fix := setup(f)
	for _, key := range []string{
		"", " ", "a", "spring-2026", strings.Repeat("~", 255), strings.Repeat("x", 256), "a\nb", "\x00", "clé",
		"\xff", "'; drop table organization; --",
	} {
		f.Add(key, []byte(`{"name":"Autumn"}`))
	}
	f.Fuzz(func(t *testing.T, key string, body []byte) {
		nothing := func(pgx.Tx) (int, []byte, error) { return 201, body, nil }
		first, err := fix.accounts.Idempotent(t.Context(), fix.actor, route, key, body, nothing)
		if strings.Trim(
			key, " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~",
		) != "" || len(key) > 255 {
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("%q: %v", key, err)
			}
			return
		}
		if fault.KindOf(err) == fault.Conflict {
			return // the fuzzer used this key before with another body
		}
		if err != nil || !bytes.Equal(first.Body, body) {
			t.Fatalf("%q: %+v, %v", key, first, err)
		}
		again, err := fix.accounts.Idempotent(t.Context(), fix.actor, route, key, body, nothing)
		if err != nil || !bytes.Equal(again.Body, body) || again.Replayed != (key != "") {
			t.Errorf("%q: %+v, %v", key, again, err)
		}
		_, err = fix.accounts.Idempotent(t.Context(), fix.actor, route, key, append([]byte("x"), body...), nothing)
		if key != "" && fault.KindOf(err) != fault.Conflict {
			t.Errorf("%q with another body: %v", key, err)
		}
	})
}

// The database connection dies after the work and before its commit. Nothing is stored,
// and the repeated request runs the work.
func TestWorkWhoseConnectionDiesIsDoneAgain(t *testing.T) {
	t.Parallel()
	f := setup(t)
	_, err := f.accounts.Idempotent(t.Context(), f.actor, route, "k", nil, func(tx pgx.Tx) (int, []byte, error) {
		status, answer, err := work(201, nil)(tx)
		if err != nil {
			return 0, nil, err
		}
		var pid uint32
		if err := tx.QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&pid); err != nil {
			return 0, nil, err
		}
		_, err = f.db.Pool.Exec(t.Context(), `select pg_terminate_backend($1, 60000)`, pid)
		return status, answer, err
	})
	if err == nil || fault.As(err) != nil {
		t.Fatalf("the answer was %v", err)
	}
	if n := f.marks(t); n != 0 {
		t.Fatalf("%d marks were left", n)
	}
	again, err := f.accounts.Idempotent(t.Context(), f.actor, route, "k", nil, work(201, nil))
	if err != nil || again.Replayed || f.marks(t) != 1 {
		t.Errorf("%+v, %v, %d marks", again, err, f.marks(t))
	}
}
