package history

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// Open uses these names to find the data of Furnish and Fill.
const (
	organizationName = "Bench"
	largeName        = "Campaign 0"
	smallName        = "Campaign 1"
)

// LiveCalls is the number of calls of a filled history that have not ended. SmallCalls is the number of calls of each
// small campaign.
const (
	LiveCalls  = 40
	SmallCalls = 100
)

const (
	chunk       = 2_500 // calls in a transaction
	connections = 4     // jobs at a time
)

// History describes the data that Fill wrote.
type History struct {
	Parts
	Calls int       // number of ended calls
	Large uuid.UUID // the campaign with nine of ten calls, which are ten attempts for each of its recipients
	Small uuid.UUID // one of the campaigns with 100 calls
}

// Furnish creates an organization and the parts of a campaign, through the product's services.
func Furnish(ctx context.Context, a *app.App) (p Parts, err error) {
	organization, err := a.Accounts.CreateOrganization(ctx, account.OrganizationSettings{
		Name:     organizationName,
		TimeZone: "UTC",
		Region:   "US",
	})
	if err != nil {
		return p, err
	}
	actor := account.System(organization.ID)
	main, err := a.Projects.CreateProject(ctx, actor, project.Settings{
		Name:         "Main",
		TimeZone:     "America/New_York",
		Region:       "US",
		CallingHours: hours.Always(),
	})
	if err != nil {
		return p, err
	}
	agent, err := a.Projects.CreateAgent(ctx, actor, project.AgentSettings{Name: "Robin", Script: conversation.Script{
		Language: "en-US",
		Greeting: "Hello {{name|there}}, this is the clinic.",
		Questions: []conversation.Question{
			{Key: "coming", Ask: "Are you coming tomorrow?", Expect: conversation.YesNo},
			{Key: "guests", Ask: "How many people do you bring?", Expect: conversation.Number},
		},
		Goodbye: "Thank you, goodbye.",
	}})
	if err != nil {
		return p, err
	}
	connection, err := a.Projects.CreateConnection(ctx, actor, project.NewConnection{
		Kind:               project.Sandbox,
		ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
	})
	if err != nil {
		return p, err
	}
	number, err := a.Projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
		ConnectionID:   connection.ID,
		PhoneNumber:    "+15005550100",
		NumberSettings: project.NumberSettings{Name: "Main", Voice: true},
	})
	return Parts{
		OrganizationID: organization.ID,
		ProjectID:      main.ID,
		AgentID:        agent.ID,
		ConnectionID:   connection.ID,
		PhoneNumberID:  number.ID,
		PhoneNumber:    string(number.PhoneNumber),
	}, err
}

// Open finds the parts that Furnish created in a database, and the history if Fill has written it.
func Open(ctx context.Context, pool *pgxpool.Pool) (h History, err error) {
	err = pool.QueryRow(ctx, `
		select o.id, p.id, a.id, n.connection_id, n.id, n.phone_number,
		       coalesce((select id from campaign where organization_id = o.id and name = $2), $4),
		       coalesce((select id from campaign where organization_id = o.id and name = $3), $4),
		       (select coalesce(sum(calls_placed), 0) from campaign where organization_id = o.id)
		from organization o
		join project p on p.organization_id = o.id and p.name = 'Main'
		join agent a on a.organization_id = o.id and a.name = 'Robin'
		join phone_number n on n.organization_id = o.id and n.name = 'Main'
		where o.name = $1`, organizationName, largeName, smallName, uuid.Nil).
		Scan(&h.OrganizationID, &h.ProjectID, &h.AgentID, &h.ConnectionID, &h.PhoneNumberID, &h.PhoneNumber,
			&h.Large, &h.Small, &h.Calls)
	if err != nil {
		return h, fmt.Errorf("find the history: %w", err)
	}
	return h, nil
}

// Fill writes a history of that number of calls, a multiple of 1,000, over the last 90 days, with their recipients.
// Nine of ten calls are in one campaign. The others are in campaigns of 100 calls. Fill also writes calls that have
// not ended, do-not-call entries, agents and numbers. It does not change the schema, and it vacuums and analyzes the
// tables. It needs a superuser. If tell is not nil, it receives the progress.
func Fill(ctx context.Context, pool *pgxpool.Pool, p Parts, calls int, tell func(string)) (h History, err error) {
	if calls < 1000 || calls%1000 != 0 {
		return h, fmt.Errorf("fill the database: %d is no multiple of 1,000 calls", calls)
	}
	if tell == nil {
		tell = func(string) {}
	}
	s := newSynthesis(p, calls)
	before, err := schema(ctx, pool)
	if err != nil {
		return h, err
	}
	if err := (filler{pool, s, tell}).write(ctx); err != nil {
		return h, fmt.Errorf("fill the database with %d calls: %w", calls, err)
	}
	after, err := schema(ctx, pool)
	if err != nil {
		return h, err
	}
	if !slices.Equal(before, after) {
		return h, fmt.Errorf("filling has changed the schema: %q were there, %q are", before, after)
	}
	if h, err = Open(ctx, pool); err == nil && h.Calls != calls {
		err = fmt.Errorf("fill the database: %d calls of campaigns were written, not %d", h.Calls, calls)
	}
	return h, err
}

// schema describes the indexes, which filling removes temporarily.
func schema(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	rows, err := pool.Query(ctx, `
		select indexrelid::regclass || ' ' || indisvalid || ' ' || pg_get_indexdef(indexrelid)
		from pg_index i join pg_class c on c.oid = indexrelid
		where c.relnamespace = 'public'::regnamespace
		order by 1`)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// filler writes a synthesis.
type filler struct {
	pool *pgxpool.Pool
	s    *synthesis
	tell func(string)
}

// job is an independent part of the work.
type job func(ctx context.Context) error

func (f filler) write(ctx context.Context) error {
	indexes, err := f.dropIndexes(ctx, "call", "call_search", "recipient", "do_not_call")
	if err != nil {
		return err
	}
	if err := f.bulk(ctx, f.writeParts); err != nil {
		return err
	}
	var chunks []job
	for first := 1; first <= f.s.calls; first += chunk {
		last := min(first+chunk-1, f.s.calls)
		chunks = append(chunks, func(ctx context.Context) error {
			return f.bulk(ctx, func(ctx context.Context, tx pgx.Tx) error {
				return f.s.writeCalls(ctx, tx, first, last)
			})
		})
	}
	if err := f.together(ctx, "calls", chunks); err != nil {
		return err
	}
	jobs := make([]job, len(indexes))
	for i, x := range indexes {
		jobs[i] = f.build(x)
	}
	if err := f.together(ctx, "indexes", jobs); err != nil {
		return err
	}
	if err := f.bulk(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return Count(ctx, tx, f.s.OrganizationID, f.s.campaigns())
	}); err != nil {
		return err
	}
	return f.settleDown(ctx)
}

// writeParts writes all rows except the ended calls.
func (f filler) writeParts(ctx context.Context, tx pgx.Tx) error {
	if err := f.s.writeAround(ctx, tx); err != nil {
		return err
	}
	campaigns := f.s.campaigns()
	if err := Write(ctx, tx, len(campaigns), f.s.campaign); err != nil {
		return err
	}
	if err := Write(ctx, tx, LiveCalls, f.s.live); err != nil {
		return err
	}
	return Write(ctx, tx, f.s.recipients(), f.s.recipient)
}

// settleDown makes PostgreSQL do its pending work now, so that this work does not disturb later measurements.
func (f filler) settleDown(ctx context.Context) error {
	tables, err := postgres.Collect(ctx, f.pool, pgx.RowTo[string], `
		select oid::regclass::text from pg_class
		where relkind in ('r', 'm') and not relisshared
		  and relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace)
		order by relpages desc`)
	if err != nil {
		return fmt.Errorf("list the tables: %w", err)
	}
	var jobs []job
	for _, table := range tables {
		jobs = append(jobs, func(ctx context.Context) error {
			_, err := f.pool.Exec(ctx, `vacuum analyze `+table)
			return err
		})
	}
	if err := f.together(ctx, "statistics", jobs); err != nil {
		return err
	}
	if _, err = f.pool.Exec(ctx, `checkpoint`); err != nil {
		return fmt.Errorf("write a checkpoint: %w", err)
	}
	return nil
}

// together runs jobs, several at a time, and starts them in order.
func (f filler) together(ctx context.Context, what string, jobs []job) error {
	began, told := time.Now(), time.Now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(connections)
	for i, do := range jobs {
		group.Go(func() error { return do(ctx) })
		if time.Since(told) > time.Minute {
			told = time.Now()
			f.tell(fmt.Sprintf("%s: %d of %d parts begun", what, i+1, len(jobs)))
		}
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	if took := time.Since(began); took > 10*time.Second {
		f.tell(fmt.Sprintf("%s: %s", what, took.Round(time.Second)))
	}
	return nil
}

// bulk writes many rows in one transaction.
func (f filler) bulk(ctx context.Context, write func(context.Context, pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		// Foreign keys are correct by construction, and the rows of triggers are written with the calls. Commits do
		// not wait for the disk, because an interrupted history is written again from the start.
		_, err := tx.Exec(ctx, `
			set local session_replication_role = replica;
			set local synchronous_commit = off;
			set local work_mem = '256MB';
			set local maintenance_work_mem = '1GB';
			set local max_parallel_maintenance_workers = 0`)
		if err != nil {
			return err
		}
		return write(ctx, tx)
	})
}

// index is an index that is built after its table is filled.
type index struct{ Tablename, Indexname, Indexdef string }

// buildTime bounds the build of an index, which takes long on a busy machine.
const buildTime = 10 * time.Minute

func (f filler) build(i index) job {
	return func(ctx context.Context) error {
		ctx = postgres.WithStatementTime(ctx, buildTime)
		return f.bulk(ctx, func(ctx context.Context, tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, i.Indexdef); err != nil {
				return fmt.Errorf("build the index %s: %w", i.Indexname, err)
			}
			return nil
		})
	}
}

// dropIndexes drops the indexes of tables that will be filled, except the indexes of constraints. The word index comes
// first, because building it takes as long as building all other indexes.
func (f filler) dropIndexes(ctx context.Context, tables ...string) ([]index, error) {
	dropped, err := postgres.Collect(ctx, f.pool, pgx.RowToStructByPos[index], `
		select tablename, indexname, indexdef from pg_indexes
		where schemaname = 'public' and tablename = any($1)
		  and not exists (select from pg_constraint where conname = indexname)
		order by indexname = 'call_search_keys' desc, 1, 2`, tables)
	if err != nil {
		return nil, fmt.Errorf("list the indexes: %w", err)
	}
	for _, i := range dropped {
		if _, err := f.pool.Exec(ctx, `drop index `+i.Indexname); err != nil {
			return nil, fmt.Errorf("drop the index %s: %w", i.Indexname, err)
		}
	}
	return dropped, nil
}
