package project_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
)

// fixture has two organizations. actor belongs to the first.
type fixture struct {
	db       *pgtest.DB
	projects *project.Service
	actor    account.Actor
	stranger account.Actor
}

// trusting is a carrier that accepts every token and has no numbers.
type trusting struct{}

func (trusting) Check(context.Context, project.Credentials) error { return nil }

func (trusting) Numbers(context.Context, uuid.UUID) ([]carrier.Number, error) { return nil, nil }

func (trusting) State(context.Context, uuid.UUID) (carrier.AccountState, error) {
	return carrier.AccountState{Status: "active"}, nil
}

func (trusting) MayCallFrom(context.Context, uuid.UUID, string) (bool, error) { return true, nil }

func (trusting) Reach(context.Context, uuid.UUID) error { return nil }

// mustDo is what a number must do.
var mustDo = carrier.NumberSetUp{VoiceURL: "https://dial.example.com/incoming", VoiceMethod: "POST"}

func (trusting) NumberMustDo(context.Context, uuid.UUID) (carrier.NumberSetUp, error) {
	return mustDo, nil
}

func (trusting) NumberDoes(context.Context, uuid.UUID, string) (carrier.NumberSetUp, error) {
	return carrier.NumberSetUp{}, carrier.ErrUnknownNumber
}

func (trusting) SetUpNumber(
	context.Context, uuid.UUID, string, carrier.NumberSetUp,
) (carrier.NumberSetUp, error) {
	return carrier.NumberSetUp{}, carrier.ErrUnknownNumber
}

func (trusting) CallIn(context.Context, uuid.UUID, sandbox.CallIn) error { return nil }

func (f *fixture) org() uuid.UUID { return f.actor.OrganizationID }

func setup(t *testing.T) *fixture {
	t.Helper()
	vault, err := seal.NewVault(bytes.Repeat([]byte{7}, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{db: pgtest.New(t)}
	f.projects = project.New(project.Options{
		Pool:          f.db.Pool,
		Vault:         vault,
		Carriers:      trusting{},
		Sandbox:       true,
		OnRateChanged: func(context.Context, uuid.UUID) error { return nil },
	})
	accounts := account.New(account.Options{Pool: f.db.Pool, Vault: vault})
	for name, actor := range map[string]*account.Actor{"Meridian": &f.actor, "Elsewhere": &f.stranger} {
		o, err := accounts.CreateOrganization(t.Context(), account.OrganizationSettings{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		*actor = account.System(o.ID)
	}
	return f
}

func settings(name string) project.Settings {
	return project.Settings{Name: name, TimeZone: "America/Chicago", Region: "US", CallingHours: hours.Default()}
}

func (f *fixture) project(t *testing.T) project.Project {
	t.Helper()
	p, err := f.projects.CreateProject(t.Context(), f.actor, settings("Reminders "+uuid.NewString()[:8]))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (f *fixture) connection(t *testing.T) project.Connection {
	t.Helper()
	c, err := f.projects.CreateConnection(t.Context(), f.actor, project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (f *fixture) number(t *testing.T, connectionID uuid.UUID, number string) project.PhoneNumber {
	t.Helper()
	n, err := f.projects.CreatePhoneNumber(t.Context(), f.actor, project.NewPhoneNumber{
		ConnectionID: connectionID, PhoneNumber: number,
		NumberSettings: project.NumberSettings{Name: "Front desk", Voice: true}})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// campaign is a campaign with its project, agent, number and connection.
type campaign struct {
	org, project, agent, number, connection uuid.UUID
	name                                    string
	ended                                   bool
}

func (c campaign) insert(ctx context.Context, db postgres.DB) error {
	status, ended := "running", (*time.Time)(nil)
	if c.ended {
		status, ended = "completed", &time.Time{}
	}
	_, err := db.Exec(ctx, `
		insert into campaign (id, organization_id, project_id, agent_id, phone_number_id, connection_id, name, status,
			scheduled_at,
			calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays, retry_on, voicemail_action,
			ring_timeout_seconds, max_duration_seconds, ended_at)
		values (@id, @org, @project, @agent, @number, @connection, @name, @status, clock(),
			'{}', 1, 1, 1, '{}', '{}', 'hang_up', 30, 600, @ended)`, pgx.NamedArgs{
		"id": uuid.Must(uuid.NewV7()), "org": c.org, "project": c.project, "agent": c.agent, "number": c.number,
		"connection": c.connection, "name": c.name, "status": status, "ended": ended,
	})
	return err
}

func wantFault(t *testing.T, err error, kind fault.Kind, message string) {
	t.Helper()
	if fault.KindOf(err) != kind || fault.As(err) == nil || message != "" && fault.As(err).Message != message {
		t.Errorf("got %v, want a fault of kind %d: %s", err, kind, message)
	}
}

func audited(t *testing.T, pool *pgxpool.Pool, object uuid.UUID) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `select action from audit_entry where object_id = $1 order by id`, object)
	if err != nil {
		t.Fatal(err)
	}
	actions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return actions
}

func TestProjects(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	p, err := f.projects.CreateProject(ctx, f.actor, settings(" Autumn reminders "))
	if err != nil || p.Name != "Autumn reminders" || p.DeactivatedAt != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	got, err := json.Marshal(p.Resource())
	want := fmt.Sprintf(`{"id":%q,"name":"Autumn reminders","time_zone":"America/Chicago","region":"US",`+
		`"calling_hours":{"timezone":"recipient",`+
		`"windows":[{"days":["mon","tue","wed","thu","fri","sat","sun"],"start":"08:00","end":"21:00"}]},`+
		`"transcript_days":null,"recording_days":null,"created_at":%q}`,
		p.ID, p.CreatedAt.Format("2006-01-02T15:04:05.000Z"))
	if err != nil || string(got) != want {
		t.Errorf("resource %s, want %s", got, want)
	}

	_, err = f.projects.CreateProject(ctx, f.actor, project.Settings{Name: "x\x00", TimeZone: "Mars", Region: "ZZ"})
	if m := fault.As(err).Message; !strings.HasPrefix(m,
		"name: must not contain control characters; time_zone: must be a time zone such as America/Chicago; "+
			"region: not a two-letter country code; calling_hours.") {
		t.Errorf("refusal %q", m)
	}
	_, err = f.projects.CreateProject(ctx, f.actor, settings("AUTUMN reminders"))
	wantFault(t, err, fault.Conflict, "Another project is named AUTUMN reminders")
	if fields := fault.As(err).Fields; len(fields) != 1 || fields[0].Path != "name" {
		t.Errorf("fields %+v", fields)
	}
	if _, err := f.projects.CreateProject(ctx, f.stranger, settings("Autumn reminders")); err != nil {
		t.Error("another organization can't have the name:", err)
	}

	changed := settings("Winter reminders")
	changed.Region = "ca"
	_, err = f.projects.UpdateProject(ctx, f.stranger, p.ID, changed)
	wantFault(t, err, fault.NotFound, "Project not found")
	if p, err = f.projects.UpdateProject(ctx, f.actor, p.ID, changed); err != nil || p.Name != "Winter reminders" ||
		p.Region != "CA" {
		t.Fatalf("%+v, %v", p, err)
	}
	_, err = f.projects.Project(ctx, f.stranger.OrganizationID, p.ID)
	wantFault(t, err, fault.NotFound, "Project not found")

	wantFault(t, f.projects.DeactivateProject(ctx, f.stranger, p.ID), fault.NotFound, "Project not found")
	if err := f.projects.DeactivateProject(ctx, f.actor, p.ID); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.projects.DeactivateProject(ctx, f.actor, p.ID), fault.NotFound, "Project not found")
	_, err = f.projects.UpdateProject(ctx, f.actor, p.ID, changed)
	wantFault(t, err, fault.NotFound, "Project not found")
	if p, err := f.projects.Project(ctx, f.org(), p.ID); err != nil || p.DeactivatedAt == nil {
		t.Errorf("a project of old calls: %+v, %v", p, err)
	}
	if _, err := f.projects.CreateProject(ctx, f.actor, settings("Winter reminders")); err != nil {
		t.Error("the name is not free again:", err)
	}
	if got := audited(t, f.db.Pool, p.ID); !slices.Equal(got, []string{
		"project.created", "project.updated", "project.deactivated",
	}) {
		t.Errorf("audited %v", got)
	}
}

func TestListsAreOfActiveOnesNewestFirst(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	connection := f.connection(t)
	var projects, numbers []uuid.UUID
	for i := range 5 {
		p := f.project(t)
		n := f.number(t, connection.ID, fmt.Sprintf("+1312555010%d", i))
		if i == 2 {
			if err := f.projects.DeactivateProject(ctx, f.actor, p.ID); err != nil {
				t.Fatal(err)
			}
			if err := f.projects.DeactivatePhoneNumber(ctx, f.actor, n.ID); err != nil {
				t.Fatal(err)
			}
			continue
		}
		projects = append([]uuid.UUID{p.ID}, projects...)
		numbers = append([]uuid.UUID{n.ID}, numbers...)
	}
	var got []uuid.UUID
	for r := (page.Request{Limit: 3}); ; {
		l, err := f.projects.Projects(ctx, f.org(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range l.Data {
			got = append(got, p.ID)
		}
		if !l.HasMore {
			break
		}
		r.Cursor = *l.NextCursor
	}
	if !slices.Equal(got, projects) {
		t.Errorf("projects %v, want %v", got, projects)
	}

	// The newest number loses its voice. People still see it, but campaigns cannot use
	// it.
	if _, err := f.projects.UpdatePhoneNumber(ctx, f.actor, numbers[0], project.NumberSettings{}); err != nil {
		t.Fatal(err)
	}
	for voiceOnly, want := range map[bool][]uuid.UUID{false: numbers, true: numbers[1:]} {
		l, err := f.projects.PhoneNumbers(ctx, f.org(), voiceOnly, page.Request{})
		if err != nil {
			t.Fatal(err)
		}
		var got []uuid.UUID
		for _, n := range l.Data {
			got = append(got, n.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("numbers with voiceOnly %v: %v, want %v", voiceOnly, got, want)
		}
	}
	if l, err := f.projects.Connections(ctx, f.org(), page.Request{}); err != nil || len(l.Data) != 1 {
		t.Errorf("connections %+v, %v", l, err)
	}
	for _, list := range []func() (int, error){
		func() (int, error) {
			l, err := f.projects.Projects(ctx, f.stranger.OrganizationID, page.Request{})
			return len(l.Data), err
		},
		func() (int, error) {
			l, err := f.projects.PhoneNumbers(ctx, f.stranger.OrganizationID, false, page.Request{})
			return len(l.Data), err
		},
		func() (int, error) {
			l, err := f.projects.Connections(ctx, f.stranger.OrganizationID, page.Request{})
			return len(l.Data), err
		},
	} {
		if n, err := list(); err != nil || n != 0 {
			t.Errorf("another organization sees %d, %v", n, err)
		}
	}
}
