package person_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/migrations"
)

func vault(t *testing.T, keys ...byte) *seal.Vault {
	t.Helper()
	masters := make([][]byte, len(keys))
	for i, key := range keys {
		masters[i] = []byte(strings.Repeat(string(rune(key)), seal.MasterKeySize))
	}
	v, err := seal.NewVault(masters...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A reference stands for one number of one organization, always the same, and survives a new master key while the vault
// has the former one.
func TestReference(t *testing.T) {
	t.Parallel()
	old := person.New(person.Options{Vault: vault(t, 'a')})
	organization := uuid.New()
	for _, number := range []phone.Number{"+13125550142", "+4930901820", "+999123456789012"} {
		ref := old.Ref(organization, number)
		if again := old.Ref(organization, number); again != ref || strings.Contains(ref, number.String()[4:]) {
			t.Errorf("%s has the references %s and %s", number, ref, again)
		}
		for _, s := range []*person.Service{old, person.New(person.Options{Vault: vault(t, 'b', 'a')})} {
			if got, err := s.Number(organization, ref); got != number || err != nil {
				t.Errorf("%s leads to %s, %v", ref, got, err)
			}
		}
		changed := []byte(ref)
		changed[30] ^= 1
		other := person.New(person.Options{Vault: vault(t, 'c')})
		for name, refused := range map[string]struct {
			by           *person.Service
			organization uuid.UUID
			ref          string
		}{
			"another organization": {old, uuid.New(), ref}, "another key": {other, organization, ref},
			"a changed reference": {old, organization, string(changed)},
			"a shorter reference": {old, organization, ref[1:]},
			"the number itself":   {old, organization, number.String()}, "nothing": {old, organization, ""},
		} {
			if got, err := refused.by.Number(refused.organization, refused.ref); fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s leads to %q, %v", name, got, err)
			}
		}
	}
	if ref := old.Ref(organization, ""); ref != "" {
		t.Errorf("no number has the reference %s", ref)
	}
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"(312) 555-0142": "3125550142", "+49 30": "4930", "12": "", "": "", "312a": "", "Dorothy": "",
	} {
		if digits, ok := person.Digits(text); ok != (want != "") || ok && digits != want {
			t.Errorf("%q has the digits %q, %t", text, digits, ok)
		}
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := person.New(person.Options{Pool: db.Pool, Vault: vault(t, 'a')})
	ctx, actor := t.Context(), account.System(uuid.Must(uuid.NewV7()))
	if _, err := db.Pool.Exec(ctx, `insert into organization (id, name) values ($1, 'x')`,
		actor.OrganizationID); err != nil {
		t.Fatal(err)
	}
	actor.Name = "Ada"
	const number, other = "+13125550142", "+13125550143"
	note := person.NewNote{ID: uuid.Must(uuid.NewV7()), Text: " Prefers mornings "}
	if err := s.AddNote(ctx, actor, number, note); err != nil {
		t.Fatal(err)
	}
	refused := func(what string, kind fault.Kind, err error) {
		t.Helper()
		if fault.KindOf(err) != kind {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("the form again", fault.Conflict, s.AddNote(ctx, actor, number, note))
	refused("no text", fault.Invalid, s.AddNote(ctx, actor, number, person.NewNote{ID: uuid.New(), Text: " "}))
	refused("a long text", fault.Invalid, s.AddNote(ctx, actor, number, person.NewNote{
		ID: uuid.New(), Text: strings.Repeat("x", person.MaxNote+1),
	}))
	stranger := actor
	stranger.OrganizationID = uuid.New()
	refused("another organization", fault.NotFound, s.UpdateNote(ctx, stranger, number, note.ID, 1, "x"))
	refused("another organization", fault.NotFound, s.DeleteNote(ctx, stranger, number, note.ID))
	refused("another number", fault.NotFound, s.UpdateNote(ctx, actor, other, note.ID, 1, "x"))
	if err := s.UpdateNote(ctx, actor, number, note.ID, 1, "Prefers evenings\r\n\tNot Mondays "); err != nil {
		t.Fatal(err)
	}
	refused("an older revision", fault.Stale, s.UpdateNote(ctx, actor, number, note.ID, 1, "x"))
	list, err := s.Notes(ctx, actor.OrganizationID, number, page.Request{})
	if err != nil || len(list.Data) != 1 || list.Data[0].Text != "Prefers evenings\n\tNot Mondays" ||
		*list.Data[0].UpdatedBy != "Ada" {
		t.Fatalf("%+v, %v", list.Data, err)
	}

	// An erasure deletes the notes, and no note can follow.
	err = pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		if err := person.Erase(ctx, tx, actor.OrganizationID, number); err != nil {
			return err
		}
		return suppression.Erase(ctx, tx, actor.OrganizationID, number, "Ada")
	})
	if err != nil {
		t.Fatal(err)
	}
	note = person.NewNote{ID: uuid.New(), Text: "x"}
	refused("an erased person", fault.Conflict, s.AddNote(ctx, actor, number, note))
	if _, err := s.Note(ctx, actor.OrganizationID, number, note.ID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the note of an erased person: %v", err)
	}
	var entries string
	err = db.Pool.QueryRow(ctx, `select string_agg(action || ' ' || (data ->> 'ends_in'), ', ' order by id)
		from audit_entry where organization_id = $1`, actor.OrganizationID).Scan(&entries)
	if err != nil || entries != "person_note.added 42, person_note.updated 42" {
		t.Errorf("audit log: %s, %v", entries, err)
	}
}

// People are found by words of their names and parts of their numbers, among many others, with few reads.
func TestFind(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	stranger := uuid.Must(uuid.NewV7())
	// The stranger's ID ends as the organization's does, so they share the keys.
	copy(stranger[12:], w.OrganizationID[12:])
	w.Write(pgx.NamedArgs{
		"stranger": stranger, "project": w.ProjectID, "agent": w.AgentID, "number": w.PhoneNumberID,
		"connection": w.ConnectionID,
	},
		`insert into recipient (id, organization_id, campaign_id, phone_number, name, zone_source, status)
		select gen_random_uuid(), organization_id, gen_random_uuid(), number, name, 'project', 'pending'
		from (values (@organization::uuid, '+16305550137', 'José O''Neill-Castellanos'),
			(@organization, '+16305550137', 'José O''Neill-Castellanos'), (@organization, '+4930901820', ''),
			(@organization, '+33140000000', 'René Müller-Lüdenscheidt'),
			(@organization, '+353861230001', 'Sinéad O’Brien'), (@organization, '+353861230002', 'Seán O''Brien'),
			(@stranger, '+16305550138', 'José Stranger')) p (organization_id, number, name)
		union all
		select gen_random_uuid(), @organization, gen_random_uuid(), '+1773' || 5000000 + n, 'Common Name', 'project',
			'pending'
		from generate_series(1, @many) n`,
		`insert into recipient (id, organization_id, campaign_id, phone_number, name, zone_source, status, skip_reason)
		values (gen_random_uuid(), @organization, gen_random_uuid(), '+16305550137', 'Repeated José Castellanos',
			'project', 'skipped', 'duplicate')`,
		`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			direction, reception, own_number, person_number, recipient_name, status, outcome, ring_timeout_seconds,
			max_duration_seconds, ended_at)
		values (gen_random_uuid(), @organization, @project, @agent, @number, @connection, 'sandbox', 'inbound', '{}',
			'+15005559000', '+16305550139', 'Josephine Caller', 'completed', 'completed', 30, 600, clock())`)
	find := func(text string) (names string, more bool) {
		t.Helper()
		w.Read("people by "+text, 2000, func(ctx context.Context) error {
			found, m, err := w.People.Find(ctx, w.OrganizationID, text, "US", 5)
			names, more = "", m
			for _, f := range found {
				names += f.Name + " " + f.Number.String() + ", "
			}
			return err
		})
		return names, more
	}
	const rene = "René Müller-Lüdenscheidt +33140000000, "
	const jose, josephine = "José O'Neill-Castellanos +16305550137, ", "Josephine Caller +16305550139, "
	const sinead, sean = "Sinéad O’Brien +353861230001, ", "Seán O'Brien +353861230002, "
	for text, want := range map[string]string{
		"sinead o'brien": sinead, "O’Brien Sinéad": sinead, "sinead brien": sinead, "sinead oʼb": sinead,
		"sean o’brien": sean, "Seán O'Brien": sean, "sean o‘brien": sean, "sean ’": sean,
		"o’neill josé": jose, "sean o'brian": "", "o’neal": "", "’": "",
		"repeated": "Repeated José Castellanos +16305550137, ",
		"castell":  jose, "JOSE CASTEL": jose, "neill": jose, "o'neill josé": jose, "josef": "", "jose common": "",
		"6305550137": jose, "(630) 555-0137": jose, "+1 630 555 0137": jose, "550-137": jose, "550-731": "",
		"305550": jose + josephine, "00493090": " +4930901820, ", "030901820": " +4930901820, ", "josephine": josephine,
		"muller": rene, "ludenscheidt RENE": rene, "Müller": rene, "lüdens": rene, "mugller": "",
		"stranger": "", "6305550138": "", "x": "", "' & | !": "",
	} {
		got, more := find(text)
		if want == jose+josephine && got == josephine+jose {
			got = want // which of them was seen later depends on the history
		}
		if got != want || more {
			t.Errorf("%q finds %q, more %t, want %q", text, got, more, want)
		}
	}
	for _, text := range []string{"common", "1773", "7735"} {
		if got, more := find(text); !more || strings.Count(got, "Common Name") != 5 {
			t.Errorf("%q finds %q, more %t", text, got, more)
		}
	}
	if _, _, err := w.People.Find(t.Context(), w.OrganizationID, "\x00\xff:*'\\", "US", 5); err != nil {
		t.Error(err)
	}
	w.Read("objects by name", 2000, func(ctx context.Context) error {
		_, err := w.Searches.ByName(ctx, w.OrganizationID, "nobody", "", 6)
		return err
	})
	w.Read("an object by ID", 20, func(ctx context.Context) error {
		found, err := w.Searches.ByID(ctx, w.OrganizationID, w.AgentID)
		if err == nil && len(found) != 1 {
			err = errors.New("not found")
		}
		return err
	})
}

// A name that was stored before a curly apostrophe ended a word is found by both apostrophes. Its keys stay as they
// are.
func TestANameFromBeforeIsFound(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	down, err := migrations.FS.ReadFile("000728_batch_and_apostrophes.down.sql")
	if err != nil {
		t.Fatal(err)
	}
	define := func(sql []byte) string {
		_, rest, found := strings.Cut(string(sql), "create or replace function person_keys")
		body, _, ended := strings.Cut(rest, "\n$$;")
		if !found || !ended {
			t.Fatal("the migration defines no person_keys")
		}
		return "create or replace function person_keys" + body + "\n$$;"
	}
	up, err := migrations.FS.ReadFile("000728_batch_and_apostrophes.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	add := `insert into recipient (id, organization_id, campaign_id, phone_number, name, zone_source, status)
		values (gen_random_uuid(), @organization, gen_random_uuid(), `
	// Sessions keep the function that they have used for an index until the index changes.
	const forget = `alter index recipient_person set (gin_pending_list_limit = 1024)`
	w.Write(pgx.NamedArgs{}, define(down), forget)
	w.Write(pgx.NamedArgs{}, add+`'+353861230003', 'Fiadh O’Toole', 'project', 'pending')`)
	w.Write(pgx.NamedArgs{}, define(up), forget)
	w.Write(pgx.NamedArgs{}, add+`'+353861230004', 'Fiadh D’Arcy O’Toole', 'project', 'pending')`)
	for text, want := range map[string]int{
		"o'toole": 2, "Fiadh O’Too": 2, "o'toole d'arcy": 1, "d’arcy": 1, "o'tool e": 0,
		"toole": 1, // the keys from before have no such word
	} {
		found, _, err := w.People.Find(t.Context(), w.OrganizationID, text, "US", 5)
		if err != nil || len(found) != want {
			t.Errorf("%s finds %+v, %v, want %d", text, found, err, want)
		}
	}
}
