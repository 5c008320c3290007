// Package demo makes the sample data of the demo: two organizations with an invented history, and campaigns that run
// while a person watches.
package demo

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/fault"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// Options are the options of Seed. App is required.
type Options struct {
	App          *app.App
	SandboxURL   string // address of the sandbox network and of ReceiverPath; "" means no webhook
	SandboxToken string // token of every account of the sandbox's WhatsApp operator
	Messaging    bool   // the App sends messages to the sandbox's operator, so its accounts can be connected
}

// Tenant is an organization of the demo.
type Tenant struct {
	Name     string
	Email    string        // email address of its admin
	Password string        // password of a new admin; otherwise ""
	Members  []Member      // besides the admin, as far as they still belong to it
	Actor    account.Actor // the actor of the demo command in its audit log
}

// Member is a person of an organization of the demo.
type Member struct {
	Email    string
	Password string // of a new account; otherwise ""
	Role     account.Role
}

// seeder makes sample data through the services of an App.
type seeder struct {
	*app.App
	o Options
}

// actorOf returns the actor of the demo command in the audit log. The sample data must not look like the work of its
// people.
func actorOf(organizationID uuid.UUID) account.Actor {
	actor := account.System(organizationID)
	actor.Name = "Demo"
	return actor
}

// Seed makes the sample data of both organizations, the larger organization first. Each step finds the data of an
// earlier run. After the last step, Seed creates nothing again, so it keeps the changes that people make. It updates
// the URL of a webhook to the sandbox's receiver when the sandbox has a new address.
func Seed(ctx context.Context, o Options) (tenants [2]Tenant, err error) {
	d := &seeder{App: o.App, o: o}
	if tenants, err = d.seed(ctx); err != nil {
		return tenants, err
	}
	if err := d.findReceiver(ctx, tenants[0].Actor, meridian.Webhook); err != nil {
		return tenants, fmt.Errorf("tell the demo's webhook where its receiver is: %w", err)
	}
	return tenants, nil
}

func (d *seeder) seed(ctx context.Context) (tenants [2]Tenant, err error) {
	for {
		ran, err := postgres.TryLease(ctx, d.Pool, "demo", func(ctx context.Context) (err error) {
			if tenants[0], err = d.seedTenant(ctx, meridian); err != nil {
				return err
			}
			tenants[1], err = d.seedTenant(ctx, harborStreet)
			return err
		})
		if ran || err != nil {
			return tenants, err
		}
		select { // another process is seeding the same database
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return tenants, ctx.Err()
		}
	}
}

// seeded is the action of the audit entry that marks an organization as complete.
const seeded = "demo.seeded"

func (d *seeder) seedTenant(ctx context.Context, o organization) (Tenant, error) {
	t := Tenant{Email: o.Admin.Email}
	org, user, err := d.findOrganization(ctx, o)
	if err != nil {
		return t, err
	}
	if user == uuid.Nil {
		if org.ID == uuid.Nil {
			if org, err = d.Accounts.CreateOrganization(ctx, o.settings()); err != nil {
				return t, err
			}
		}
		t.Password = rand.Text()
		_, err := d.Accounts.CreateUser(ctx, actorOf(org.ID), account.NewUser{
			Email: o.Admin.Email, Name: o.Admin.Name, Password: t.Password, Role: account.Admin,
		})
		if err != nil {
			return t, err
		}
	}
	t.Name = org.Name
	t.Actor = actorOf(org.ID)

	var done bool
	err = d.Pool.QueryRow(ctx, `
		select exists (select from audit_entry where organization_id = $1 and object_id = $1 and action = $2)`,
		org.ID, seeded).Scan(&done)
	if err != nil {
		return t, fmt.Errorf("look for sample data: %w", err)
	}
	if t.Members, err = d.members(ctx, t.Actor, o.Members, !done); err != nil || done {
		return t, err
	}
	if err := d.seedOrganization(ctx, t.Actor, o); err != nil {
		return t, err
	}
	return t, postgres.InTx(ctx, d.Pool, func(tx pgx.Tx) error {
		return account.Record(ctx, tx, t.Actor, seeded, account.Object{Type: "organization", ID: org.ID}, nil)
	})
}

// members returns the members of the organization among people, after it created the missing
// ones if create is set.
func (d *seeder) members(
	ctx context.Context, actor account.Actor, people []member, create bool,
) (members []Member, err error) {
	there, err := d.Accounts.Members(ctx, actor.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		m := Member{Email: p.Email, Role: p.Role}
		i := slices.IndexFunc(there, func(have account.Member) bool { return have.Email == p.Email })
		switch {
		case i >= 0:
			m.Role = there[i].Role
		case !create:
			continue
		default:
			m.Password = rand.Text()
			_, err := d.Accounts.CreateUser(ctx, actor, account.NewUser{
				Email: p.Email, Name: p.Name, Password: m.Password, Role: p.Role,
			})
			if fault.KindOf(err) == fault.Conflict { // the account belongs to another organization now
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		members = append(members, m)
	}
	return members, nil
}

// findOrganization finds the organization by its admin, because people may rename it. If the admin does not exist yet,
// it finds the organization by its name. The ids of missing rows are zero.
func (d *seeder) findOrganization(
	ctx context.Context, o organization,
) (found account.Organization, user uuid.UUID, err error) {
	var id uuid.UUID
	err = d.Pool.QueryRow(ctx, `
		select m.organization_id, m.user_id
		from app_user u join membership m on m.user_id = u.id
		where u.email = $1
		order by m.created_at limit 1`, o.Admin.Email).Scan(&id, &user)
	switch {
	case err == nil:
		found, err = d.Accounts.Organization(ctx, id)
	case errors.Is(err, pgx.ErrNoRows):
		if found, err = d.Accounts.FindOrganization(ctx, o.Name); fault.KindOf(err) == fault.NotFound {
			err = nil
		}
	default:
		err = fmt.Errorf("look for %s: %w", o.Admin.Email, err)
	}
	return found, user, err
}

// parts are the parts of campaigns: projects and agents by name, phone numbers by number.
type parts struct {
	projects   map[string]project.Project
	agents     map[string]project.Agent
	connection project.Connection
	numbers    map[string]project.PhoneNumber
}

// everything is a page with all items, because an organization has less than 100 items of each kind while it is
// seeded.
var everything = page.Request{Limit: page.MaxLimit}

// found returns the item of a list for which meant is true. If there is no such item, it returns the item from create.
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

// parts creates missing projects, destinations, agents, the sandbox connection and its numbers.
func (d *seeder) parts(ctx context.Context, actor account.Actor, o organization) (p parts, err error) {
	org := actor.OrganizationID
	p = parts{
		projects: map[string]project.Project{},
		agents:   map[string]project.Agent{},
		numbers:  map[string]project.PhoneNumber{},
	}
	for _, name := range o.Projects {
		list, err := d.Projects.Projects(ctx, org, everything)
		p.projects[name], err = found(list, err, func(have project.Project) bool { return have.Name == name },
			func() (project.Project, error) { return d.Projects.CreateProject(ctx, actor, o.project(name)) })
		if err != nil {
			return p, err
		}
	}
	connection, err := d.modelConnection(ctx, actor, o)
	if err != nil {
		return p, err
	}
	destinations := map[string]project.Destination{}
	for _, one := range o.Destinations {
		list, err := d.Projects.Destinations(ctx, org, everything)
		destinations[one.Name], err = found(list, err,
			func(have project.Destination) bool { return have.Name == one.Name },
			func() (project.Destination, error) {
				return d.Projects.CreateDestination(ctx, actor, project.DestinationSettings{
					ProjectID: p.projects[one.Project].ID.String(), Name: one.Name, PhoneNumber: one.PhoneNumber,
				})
			})
		if err != nil {
			return p, err
		}
	}
	for _, a := range o.Agents {
		list, err := d.Projects.Agents(ctx, org, everything)
		p.agents[a.Name], err = found(list, err, func(have project.Agent) bool { return have.Name == a.Name },
			func() (project.Agent, error) {
				return d.Projects.CreateAgent(ctx, actor, a.settings(connection, destinations))
			})
		if err != nil {
			return p, err
		}
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
	for _, n := range o.PhoneNumbers {
		list, err := d.Projects.PhoneNumbers(ctx, org, false, everything)
		p.numbers[n.PhoneNumber], err = found(list, err,
			func(have project.PhoneNumber) bool { return string(have.PhoneNumber) == n.PhoneNumber },
			func() (project.PhoneNumber, error) {
				return d.Projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
					ConnectionID:   p.connection.ID,
					PhoneNumber:    n.PhoneNumber,
					NumberSettings: project.NumberSettings{Name: n.Name, Voice: true},
				})
			})
		if err != nil {
			return p, err
		}
	}
	return p, d.numberPool(ctx, actor, o, p)
}

// modelConnection makes the connection of an organization that has agents held by a language model.
func (d *seeder) modelConnection(
	ctx context.Context, actor account.Actor, o organization,
) (c modelconn.Connection, err error) {
	if o.Model == "" {
		return c, nil
	}
	list, err := d.Models.List(ctx, actor.OrganizationID, everything)
	return found(list, err, func(have modelconn.Connection) bool { return have.Name == o.Model },
		func() (modelconn.Connection, error) {
			return d.Models.Create(ctx, actor, modelconn.NewConnection{
				Provider: modelconn.Sandbox, Name: o.Model, Model: sandbox.Model,
			})
		})
}

// numberPool makes the pool of an organization that has one, with all its numbers.
func (d *seeder) numberPool(ctx context.Context, actor account.Actor, o organization, p parts) error {
	if o.NumberPool == "" {
		return nil
	}
	list, err := d.Projects.NumberPools(ctx, actor.OrganizationID, everything)
	_, err = found(list, err, func(have project.NumberPool) bool { return have.Name == o.NumberPool },
		func() (project.NumberPool, error) {
			settings := project.NumberPoolSettings{
				Name: o.NumberPool, Strategy: project.Nearest, MaxDailyCalls: new(500),
				Rest: &project.Rest{BelowPercent: 8, Calls: 100, Hours: 24},
			}
			for _, n := range o.PhoneNumbers {
				settings.PhoneNumberIDs = append(settings.PhoneNumberIDs, p.numbers[n.PhoneNumber].ID.String())
			}
			return d.Projects.CreateNumberPool(ctx, actor, settings)
		})
	return err
}

// seedOrganization makes all data of an organization. The campaign that starts immediately comes last. Its pace keeps
// it busy for about ten minutes, so a person who opens the dashboard sees calls start and end.
func (d *seeder) seedOrganization(ctx context.Context, actor account.Actor, o organization) error {
	p, err := d.parts(ctx, actor, o)
	if err != nil {
		return err
	}
	if err := d.seedTests(ctx, actor, o, p); err != nil {
		return err
	}
	if err := d.seedKey(ctx, actor, o); err != nil {
		return err
	}
	zone, now, err := d.clock(ctx, o)
	if err != nil {
		return err
	}
	if err := d.seedHistory(ctx, actor, o, p, zone, now); err != nil {
		return err
	}
	if len(o.Messages) > 0 {
		if err := d.seedMessaging(ctx, actor, p, o.Messages); err != nil {
			return err
		}
	}
	if o.Webhook != "" {
		if err := d.seedWebhook(ctx, actor, o.Webhook, zone, now); err != nil {
			return err
		}
	}
	for _, c := range o.Campaigns {
		if err := d.createOnce(ctx, actor, c.draft(p, now)); err != nil {
			return err
		}
	}
	return d.Alerts.Watch(ctx) // so the first page already has the open alerts
}

// keyDays is how long the key of an organization still works. It is so short that it has an alert.
const keyDays = 5

// seedKey creates the key of an organization that has one. Its creation is moved into the past with the other parts.
func (d *seeder) seedKey(ctx context.Context, actor account.Actor, o organization) error {
	if o.Key == "" {
		return nil
	}
	list, err := d.Accounts.Keys(ctx, actor.OrganizationID, false, everything)
	_, err = found(list, err, func(have account.Key) bool { return have.Name == o.Key },
		func() (account.Key, error) {
			expires := time.Now().AddDate(0, 0, keyDays)
			key, _, err := d.Accounts.CreateKey(ctx, actor, account.NewKey{
				Name: o.Key, Scopes: []account.Scope{account.CallsRead}, ExpiresAt: &expires,
			})
			return key, err
		})
	return err
}

// seedTests adds the test cases of agents and starts a run of them. The product holds their conversations in the
// background, when the demo runs.
func (d *seeder) seedTests(ctx context.Context, actor account.Actor, o organization, p parts) error {
	for _, a := range o.Agents {
		if len(a.Tests) == 0 {
			continue
		}
		id := p.agents[a.Name].ID
		for _, in := range a.Tests {
			list, err := d.Evaluations.Cases(ctx, actor.OrganizationID, id, everything)
			_, err = found(list, err, func(have evaluation.Case) bool { return have.Name == in.Name },
				func() (evaluation.Case, error) { return d.Evaluations.CreateCase(ctx, actor, id, in) })
			if err != nil {
				return err
			}
		}
		list, err := d.Evaluations.Runs(ctx, actor.OrganizationID, id, everything)
		_, err = found(list, err, func(evaluation.Run) bool { return true },
			func() (evaluation.Run, error) {
				return d.Evaluations.Start(ctx, actor, id, evaluation.RunInput{Repeats: new(1)})
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// draft returns the draft of the campaign.
func (u upcoming) draft(p parts, now time.Time) campaign.Draft {
	projectID, agentID, numberID := p.projects[u.Project].ID, p.agents[u.Agent].ID, p.numbers[u.PhoneNumber].ID
	draft := campaign.Draft{
		Name:            u.Name,
		ProjectID:       projectID.String(),
		AgentID:         agentID.String(),
		PhoneNumberID:   numberID.String(),
		Recipients:      u.recipients(),
		VoicemailAction: campaign.LeaveMessage,
		Retry:           &campaign.RetryInput{MaxAttempts: &u.MaxAttempts, DelaysMinutes: []int{u.RetryDelay}},
		MaxConcurrency:  u.MaxConcurrency,
		CallsPerSecond:  u.CallsPerSecond,
	}
	if u.InDays > 0 {
		at := time.Date(now.Year(), now.Month(), now.Day()+u.InDays, 9, 30, 0, 0, now.Location())
		draft.ScheduledAt = &at
	}
	return draft
}

// recipients returns the campaign's list.
func (u upcoming) recipients() *intake.List {
	list := &intake.List{}
	for i := range u.People {
		p, number := personNo(u.FirstPerson+i), u.OtherNumbers[i]
		if len(u.Mix) > 0 && u.Mix[i%len(u.Mix)] != "" {
			number = fmt.Sprintf("+15005%s%04d", u.Mix[i%len(u.Mix)], 7500+i)
		}
		vars, err := json.Marshal(u.Variables.of(i, p))
		if err != nil {
			panic("demo: variables cannot be encoded: " + err.Error())
		}
		list.Add(intake.Recipient{
			PhoneNumber: cmp.Or(number, p.number),
			Name:        p.name,
			ExternalID:  p.externalID,
			Variables:   vars,
		})
	}
	return list
}

// clock returns the organization's time zone and the current time in it.
func (d *seeder) clock(ctx context.Context, o organization) (*time.Location, time.Time, error) {
	zone, err := time.LoadLocation(o.TimeZone)
	if err != nil {
		return nil, time.Time{}, err
	}
	var now time.Time
	if err := d.Pool.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
		return nil, time.Time{}, fmt.Errorf("read the clock: %w", err)
	}
	return zone, now.In(zone), nil
}

// createOnce creates a campaign unless a campaign of that name exists.
func (d *seeder) createOnce(ctx context.Context, actor account.Actor, draft campaign.Draft) error {
	there, err := d.hasCampaign(ctx, d.Pool, actor.OrganizationID, draft.Name)
	if err != nil || there {
		return err
	}
	_, err = d.Campaigns.Create(ctx, actor, &draft)
	return err
}

func (d *seeder) hasCampaign(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, name string,
) (there bool, err error) {
	err = db.QueryRow(ctx, `select exists (select from campaign where organization_id = $1 and name = $2)`,
		organizationID, name).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for the campaign %q: %w", name, err)
	}
	return there, nil
}
