// Package demo makes the sample data of the demo: two organizations with a past that
// nobody lived, and campaigns that run while somebody watches.
package demo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// Options are what sample data is made with. App is required.
type Options struct {
	App          *app.App
	SandboxURL   string // the sandbox network, and below it ReceiverPath; "": no webhook is made
	SandboxToken string // of every account of the sandbox's WhatsApp operator
	Messaging    bool   // the App's messages go to the sandbox's operator, so its accounts can be connected
}

// Tenant is an organization of the demo.
type Tenant struct {
	Name     string
	Email    string        // of its admin
	Password string        // of an admin who was just made; else ""
	Actor    account.Actor // the demo command in its audit log
}

// seeder makes sample data with the services of an App.
type seeder struct {
	*app.App
	o Options
}

// actorOf is the demo command in the audit log: what it makes must not look like
// the work of the people whose data it is.
func actorOf(organizationID uuid.UUID) account.Actor {
	actor := account.System(organizationID)
	actor.Name = "Demo"
	return actor
}

// Seed makes the sample data of both organizations, the larger one first. It works
// in steps, each of which finds what an earlier run left. Once all are done, nothing
// is made again, so what people change or remove stays that way. A webhook to the
// sandbox's receiver follows the sandbox to its new address.
func Seed(ctx context.Context, o Options) (tenants [2]Tenant, err error) {
	d := &seeder{App: o.App, o: o}
	if tenants, err = d.seed(ctx); err != nil {
		return tenants, err
	}
	if err := d.findReceiver(ctx, tenants[0].Actor); err != nil {
		return tenants, fmt.Errorf("tell the demo's webhook where its receiver is: %w", err)
	}
	return tenants, nil
}

func (d *seeder) seed(ctx context.Context) (tenants [2]Tenant, err error) {
	for {
		ran, err := postgres.TryLock(ctx, d.Pool, "demo", func(ctx context.Context) (err error) {
			if tenants[0], err = d.seedTenant(ctx, meridian, d.seedMeridian); err != nil {
				return err
			}
			tenants[1], err = d.seedTenant(ctx, harborStreet, d.seedHarborStreet)
			return err
		})
		if ran || err != nil {
			return tenants, err
		}
		select { // another process is at it, on the same database
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return tenants, ctx.Err()
		}
	}
}

// owner is an organization and its admin.
type owner struct {
	organization account.OrganizationSettings
	name, email  string
}

var (
	meridian = owner{
		organization: account.OrganizationSettings{Name: "Meridian Home Health", TimeZone: "America/Chicago", Region: "US"},
		name:         "Ingrid Vasquez", email: "ingrid@meridian.example",
	}
	harborStreet = owner{
		organization: account.OrganizationSettings{Name: "Harbor Street Dental", TimeZone: "America/New_York", Region: "US"},
		name:         "Omar Haddad", email: "omar@harborstreet.example",
	}
)

// seeded is the audit entry that says that an organization has its data.
const seeded = "demo.seeded"

func (d *seeder) seedTenant(ctx context.Context, o owner, seed func(context.Context, account.Actor) error) (Tenant, error) {
	t := Tenant{Email: o.email}
	organization, user, err := d.findOrganization(ctx, o)
	if err != nil {
		return t, err
	}
	if user == uuid.Nil {
		if organization.ID == uuid.Nil {
			if organization, err = d.Accounts.CreateOrganization(ctx, o.organization); err != nil {
				return t, err
			}
		}
		t.Password = rand.Text()
		_, err := d.Accounts.CreateUser(ctx, actorOf(organization.ID), account.NewUser{
			Email: o.email, Name: o.name, Password: t.Password, Role: account.Admin,
		})
		if err != nil {
			return t, err
		}
	}
	t.Name = organization.Name
	t.Actor = actorOf(organization.ID)

	var done bool
	err = d.Pool.QueryRow(ctx, `select exists (select from audit_entry where organization_id = $1 and object_id = $1 and action = $2)`,
		organization.ID, seeded).Scan(&done)
	if err != nil {
		return t, fmt.Errorf("look for sample data: %w", err)
	}
	if done {
		return t, nil
	}
	if err := seed(ctx, t.Actor); err != nil {
		return t, err
	}
	return t, postgres.InTx(ctx, d.Pool, func(tx pgx.Tx) error {
		return account.Record(ctx, tx, t.Actor, seeded, account.Object{Type: "organization", ID: organization.ID}, nil)
	})
}

// findOrganization finds the organization by its admin, so that it may be renamed; one
// whose admin was not made yet by its name. Ids are zero for what is not there.
func (d *seeder) findOrganization(ctx context.Context, o owner) (organization account.Organization, user uuid.UUID, err error) {
	var id uuid.UUID
	err = d.Pool.QueryRow(ctx, `
		select m.organization_id, m.user_id
		from app_user u join membership m on m.user_id = u.id
		where u.email = $1
		order by m.created_at limit 1`, o.email).Scan(&id, &user)
	switch {
	case err == nil:
		organization, err = d.Accounts.Organization(ctx, id)
	case errors.Is(err, pgx.ErrNoRows):
		if organization, err = d.Accounts.FindOrganization(ctx, o.organization.Name); fault.KindOf(err) == fault.NotFound {
			err = nil
		}
	default:
		err = fmt.Errorf("look for %s: %w", o.email, err)
	}
	return organization, user, err
}

// parts is what campaigns are made of.
type parts struct {
	projects   []project.Project
	agents     []project.Agent
	connection project.Connection
	numbers    []project.PhoneNumber
}

// everything is a page of all there is: an organization that is being seeded
// has less than a hundred of anything.
var everything = page.Request{Limit: page.MaxLimit}

// found is the item of a list that is meant, or what create makes.
func found[T any](list page.List[T], err error, meant func(T) bool, create func() (T, error)) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	for _, item := range list.Data {
		if meant(item) {
			return item, nil
		}
	}
	return create()
}

// parts makes projects, agents, a sandbox connection and its numbers, in the
// order given: the last is listed first.
func (d *seeder) parts(ctx context.Context, actor account.Actor, projects []project.Settings, agents []project.AgentSettings, numbers [][2]string) (p parts, err error) {
	org := actor.OrganizationID
	for _, s := range projects {
		list, err := d.Projects.Projects(ctx, org, everything)
		item, err := found(list, err, func(p project.Project) bool { return p.Name == s.Name },
			func() (project.Project, error) { return d.Projects.CreateProject(ctx, actor, s) })
		if err != nil {
			return p, err
		}
		p.projects = append(p.projects, item)
	}
	for _, s := range agents {
		list, err := d.Projects.Agents(ctx, org, everything)
		item, err := found(list, err, func(a project.Agent) bool { return a.Name == s.Name },
			func() (project.Agent, error) { return d.Projects.CreateAgent(ctx, actor, s) })
		if err != nil {
			return p, err
		}
		p.agents = append(p.agents, item)
	}
	list, err := d.Projects.Connections(ctx, org, everything)
	p.connection, err = found(list, err, func(c project.Connection) bool { return c.Kind == project.Sandbox },
		func() (project.Connection, error) {
			return d.Projects.CreateConnection(ctx, actor, project.NewConnection{
				Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
			})
		})
	if err != nil {
		return p, err
	}
	for _, n := range numbers {
		list, err := d.Projects.PhoneNumbers(ctx, org, false, everything)
		item, err := found(list, err, func(have project.PhoneNumber) bool { return have.PhoneNumber == phone.Number(n[0]) },
			func() (project.PhoneNumber, error) {
				return d.Projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
					ConnectionID: p.connection.ID, PhoneNumber: n[0], NumberSettings: project.NumberSettings{Name: n[1], Voice: true},
				})
			})
		if err != nil {
			return p, err
		}
		p.numbers = append(p.numbers, item)
	}
	return p, nil
}

func (d *seeder) seedMeridian(ctx context.Context, actor account.Actor) error {
	p, err := d.parts(ctx, actor,
		[]project.Settings{
			{Name: "After hospital", TimeZone: "America/Chicago", Region: "US", CallingHours: hours.Always()},
			{Name: "Home visits", TimeZone: "America/Chicago", Region: "US", CallingHours: hours.Always()},
		},
		[]project.AgentSettings{recorded(nora.AgentSettings), theo.AgentSettings, june.AgentSettings},
		[][2]string{{"+13125550111", "Scheduling"}, {"+13125550122", "Care team"}, {"+13125550100", "Main line"}})
	if err != nil {
		return err
	}
	care, visits := p.projects[0], p.projects[1]
	scheduling, main := p.numbers[0], p.numbers[2]
	zone, now, err := d.clock(ctx, meridian)
	if err != nil {
		return err
	}
	if err := d.seedHistory(ctx, actor, zone, now, meridianPast(p, now)); err != nil {
		return err
	}
	if err := d.seedMessaging(ctx, actor, p.numbers[1]); err != nil {
		return err
	}
	if err := d.seedWebhook(ctx, actor); err != nil {
		return err
	}
	later := time.Date(now.Year(), now.Month(), now.Day()+3, 9, 30, 0, 0, zone)
	if err := d.createOnce(ctx, actor, campaign.Draft{
		Name: "Visit confirmations, next week", ProjectID: visits.ID.String(), AgentID: p.agents[1].ID.String(), PhoneNumberID: scheduling.ID.String(),
		Recipients: people(260, 64, nil), ScheduledAt: &later, VoicemailAction: campaign.LeaveMessage,
		Retry: &campaign.RetryInput{MaxAttempts: new(2), DelaysMinutes: []int{240}},
	}); err != nil {
		return err
	}
	// Last, because it begins at once. Its pace keeps it busy for about ten
	// minutes: somebody who looks at the dashboard sees calls come and go.
	return d.createOnce(ctx, actor, campaign.Draft{
		Name: "How do you like our care?", ProjectID: care.ID.String(), AgentID: p.agents[2].ID.String(), PhoneNumberID: main.ID.String(),
		Recipients: people(340, 60, []string{ // what the sandbox does with these numbers is in README.md
			3: "+15005027101", 7: "+15005037102", 11: "+15005027103", 15: "+15005017104", 19: "+15005037105", 24: "+15005047106",
			28: "+15005027107", 33: "+15005057108", 37: "+15005037109", 41: "+15005067110", 46: "+15005027111", 52: "+15005087112",
		}),
		MaxConcurrency: new(8), CallsPerSecond: new(0.2), VoicemailAction: campaign.LeaveMessage,
		Retry: &campaign.RetryInput{MaxAttempts: new(2), DelaysMinutes: []int{2}},
	})
}

// meridianPast is what is over by now.
func meridianPast(p parts, now time.Time) []past {
	return []past{
		{
			name: "Check-in after hospital", project: p.projects[0], agent: cast{nora, p.agents[0]}, number: p.numbers[1],
			people: 142, skipped: 4, from: now.AddDate(0, 0, -14), days: 12, first: 0, maxAttempts: 3, leaveMessage: true,
		},
		{
			name: "Visit confirmations", project: p.projects[1], agent: cast{theo, p.agents[1]}, number: p.numbers[0],
			people: 26, from: workdayBefore(now, 1), days: 1, first: 200, maxAttempts: 2,
			variables: func(i int) map[string]any {
				return map[string]any{
					"visit_day":  []string{"Thursday", "Friday", "Saturday"}[i%3],
					"visit_time": []string{"9 in the morning", "11", "half past 2", "4 in the afternoon"}[i%4],
				}
			},
		},
	}
}

func (d *seeder) seedHarborStreet(ctx context.Context, actor account.Actor) error {
	p, err := d.parts(ctx, actor,
		[]project.Settings{{Name: "Check-ups", TimeZone: "America/New_York", Region: "US", CallingHours: hours.Always()}},
		[]project.AgentSettings{iris.AgentSettings}, [][2]string{{"+16175550130", "Reception"}})
	if err != nil {
		return err
	}
	zone, now, err := d.clock(ctx, harborStreet)
	if err != nil {
		return err
	}
	return d.seedHistory(ctx, actor, zone, now, harborStreetPast(p, now))
}

func harborStreetPast(p parts, now time.Time) []past {
	return []past{{
		name: "Time for a check-up", project: p.projects[0], agent: cast{iris, p.agents[0]}, number: p.numbers[0],
		people: 12, from: workdayBefore(now, 5), days: 1, first: 420, maxAttempts: 2,
	}}
}

// clock is the time now where the organization is.
func (d *seeder) clock(ctx context.Context, o owner) (*time.Location, time.Time, error) {
	zone, err := time.LoadLocation(o.organization.TimeZone)
	if err != nil {
		return nil, time.Time{}, err
	}
	var now time.Time
	if err := d.Pool.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
		return nil, time.Time{}, fmt.Errorf("read the clock: %w", err)
	}
	return zone, now.In(zone), nil
}

// workdayBefore is some days before now, or the day before that if it is a
// Sunday.
func workdayBefore(now time.Time, days int) time.Time {
	day := now.AddDate(0, 0, -days)
	if day.Weekday() == time.Sunday {
		return day.AddDate(0, 0, -1)
	}
	return day
}

// createOnce makes a campaign unless there is one of that name.
func (d *seeder) createOnce(ctx context.Context, actor account.Actor, draft campaign.Draft) error {
	there, err := d.hasCampaign(ctx, d.Pool, actor.OrganizationID, draft.Name)
	if err != nil || there {
		return err
	}
	_, err = d.Campaigns.Create(ctx, actor, &draft)
	return err
}

func (d *seeder) hasCampaign(ctx context.Context, db postgres.DB, organizationID uuid.UUID, name string) (there bool, err error) {
	err = db.QueryRow(ctx, `select exists (select from campaign where organization_id = $1 and name = $2)`, organizationID, name).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for the campaign %q: %w", name, err)
	}
	return there, nil
}

// person is one of the demo's people; the same i is the same person.
type person struct {
	first, name, number string
}

func personNo(i int) person {
	areas := []string{"773", "630", "847", "708", "224", "815"}
	p := person{first: firstNames[i*7%len(firstNames)]}
	p.name = p.first + " " + lastNames[i%len(lastNames)]
	p.number = fmt.Sprintf("+1%s555%04d", areas[i%len(areas)], 100+i/len(areas)) // 555 0100 to 0199
	return p
}

func (p person) variables(more map[string]any) map[string]any {
	vars := map[string]any{"first_name": p.first}
	for k, v := range more {
		vars[k] = v
	}
	return vars
}

// people is a list of count people beginning with the first, some of them
// with another number.
func people(first, count int, numbers []string) *intake.List {
	list := &intake.List{}
	for i := range count {
		p := personNo(first + i)
		if i < len(numbers) && numbers[i] != "" {
			p.number = numbers[i]
		}
		vars, err := json.Marshal(p.variables(nil))
		if err != nil {
			panic("demo: variables cannot be encoded: " + err.Error())
		}
		list.Add(intake.Recipient{PhoneNumber: p.number, Name: p.name, ExternalID: fmt.Sprintf("MHH-%05d", 20_400+first+i), Variables: vars})
	}
	return list
}
