package upload_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/upload"
)

type fixture struct {
	*testing.T
	db      *pgtest.DB
	uploads *upload.Service
}

func setup(t *testing.T) *fixture {
	t.Helper()
	vault, err := seal.NewVault(bytes.Repeat([]byte{7}, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	db := pgtest.New(t)
	return &fixture{t, db, upload.New(upload.Options{Pool: db.Pool, Vault: vault})}
}

func (f *fixture) exec(sql string, args ...any) {
	f.Helper()
	if _, err := f.db.Pool.Exec(f.Context(), sql, args...); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) organization() uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	f.exec(`insert into organization (id, name) values ($1, 'x')`, id)
	return id
}

func (f *fixture) member(organization uuid.UUID) account.Actor {
	f.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(`insert into app_user (id, email, name, password_hash) values ($1, $2, 'Ana', 'x')`, id, id.String()+
		"@example.com")
	f.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, 'admin')`, organization, id)
	return account.Actor{OrganizationID: organization, Kind: account.ByUser, ID: id, Name: "Ana", Role: account.Admin}
}

func (f *fixture) keep(actor account.Actor, content string) upload.File {
	f.Helper()
	kept, err := f.uploads.Keep(f.Context(), actor, "list.csv", strings.NewReader(content))
	if err != nil {
		f.Fatal(err)
	}
	return kept
}

// open returns the content of a file, or "gone".
func (f *fixture) open(actor account.Actor, id string) string {
	f.Helper()
	_, r, err := f.uploads.Open(f.Context(), actor, id)
	if fault.KindOf(err) == fault.NotFound {
		return "gone"
	}
	if err != nil {
		f.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		f.Fatal(err)
	}
	return string(content)
}

func TestKeepAndOpen(t *testing.T) {
	t.Parallel()
	f := setup(t)
	organization := f.organization()
	ana, ben, stranger := f.member(organization), f.member(organization), f.member(f.organization())
	noise := make([]byte, 5<<20) // does not compress, so it needs several pieces
	rand.Read(noise)
	for _, content := range []string{
		"", "phone\n+13125550142\n", strings.Repeat("phone,name\n", 1<<20), string(noise),
	} {
		kept := f.keep(ana, content)
		file, _, err := f.uploads.Open(t.Context(), ana, kept.ID.String())
		if err != nil || file != kept || file.Name != "list.csv" || file.Size != int64(len(content)) {
			t.Errorf("%+v is found as %+v: %v", kept, file, err)
		}
		if got := f.open(ana, kept.ID.String()); got != content {
			t.Errorf("%d bytes come back as %d others", len(content), len(got))
		}
	}
	kept := f.keep(ana, "phone\n+13125550142\n")
	for who, actor := range map[string]account.Actor{"a colleague": ben, "a stranger": stranger} {
		if got := f.open(actor, kept.ID.String()); got != "gone" {
			t.Errorf("%s reads %q", who, got)
		}
		if err := f.uploads.Drop(t.Context(), actor, kept.ID.String()); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"", "x", uuid.NewString()} {
		if got := f.open(ana, id); got != "gone" {
			t.Errorf("%q is %q", id, got)
		}
	}
	// The stored pieces contain no readable text.
	var readable bool
	err := f.db.Pool.QueryRow(t.Context(),
		`select bool_or(position('3125550142' in encode(sealed, 'escape')) > 0) from upload_piece`).Scan(&readable)
	if err != nil || readable {
		t.Errorf("the list lies there to be read: %v", err)
	}
	if got := f.open(ana, kept.ID.String()); got != "phone\n+13125550142\n" {
		t.Fatalf("others dropped it: %q", got)
	}
	if err := f.uploads.Drop(t.Context(), ana, kept.ID.String()); err != nil {
		t.Error(err)
	}
	if got := f.open(ana, kept.ID.String()); got != "gone" {
		t.Errorf("dropped, it is %q", got)
	}
}

// endless is a reader that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestBounds(t *testing.T) {
	t.Parallel()
	f := setup(t)
	organization := f.organization()
	ana := f.member(organization)
	_, err := f.uploads.Keep(t.Context(), ana, "huge.csv", endless{})
	if fault.KindOf(err) != fault.TooLarge {
		t.Errorf("an endless list: %v", err)
	}
	// Only the newest eight files of a user stay, even after concurrent uploads.
	var together sync.WaitGroup
	for i := range 8 {
		together.Go(func() { f.keep(ana, fmt.Sprint(i)) })
	}
	together.Wait()
	last := f.keep(ana, "last")
	var mine, pieces int
	err = f.db.Pool.QueryRow(t.Context(), `select (select count(*) from upload), (select count(*) from upload_piece)`).
		Scan(&mine, &pieces)
	if err != nil || mine != 8 || pieces != 8 {
		t.Errorf("%d files of %d pieces are kept: %v", mine, pieces, err)
	}
	// The total number of files in an organization is limited.
	refused := 0
	for range 20 {
		member := f.member(organization)
		for range 3 {
			if _, err := f.uploads.Keep(
				t.Context(), member, "x", strings.NewReader("x"),
			); fault.KindOf(err) == fault.Unprocessable {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused != 8+20*3-50 {
		t.Errorf("%d were refused", refused)
	}
	if got := f.open(ana, last.ID.String()); got != "last" {
		t.Errorf("what was there is %q", got)
	}
	f.keep(f.member(f.organization()), "another organization's")
}

func TestTimeIsOver(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ana := f.member(f.organization())
	used, forgotten := f.keep(ana, "used"), f.keep(ana, "forgotten")
	f.db.Advance(upload.Lifetime * 2 / 3)
	if got := f.open(ana, used.ID.String()); got != "used" {
		t.Fatalf("it is %q", got)
	}
	f.db.Advance(upload.Lifetime * 2 / 3)
	if got := f.open(ana, used.ID.String()); got != "used" {
		t.Errorf("what was looked at is %q", got)
	}
	if got := f.open(ana, forgotten.ID.String()); got != "gone" {
		t.Errorf("what was not looked at is %q", got)
	}
	if err := f.uploads.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left, pieces int
	err := f.db.Pool.QueryRow(t.Context(), `select (select count(*) from upload), (select count(*) from upload_piece)`).
		Scan(&left, &pieces)
	if err != nil || left != 1 || pieces != 1 {
		t.Errorf("%d files of %d pieces are left: %v", left, pieces, err)
	}
	// When a user leaves the organization, their files are deleted.
	f.exec(`delete from membership where user_id = $1`, ana.ID)
	if got := f.open(ana, used.ID.String()); got != "gone" {
		t.Errorf("of somebody who left it is %q", got)
	}
}
