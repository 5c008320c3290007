package evaluation_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// world is an organization with an agent whose tests run.
type world struct {
	testing.TB
	*app.App
	pgtest.Tenant
	db    *pgtest.DB
	actor account.Actor
}

func newWorld(t testing.TB, set ...func(*app.Options)) *world {
	t.Helper()
	db := pgtest.New(t)
	w := &world{
		TB: t, App: apptest.New(t, db.Pool, api.Reference, set...), db: db,
		Tenant: db.NewTenant(t, "Acme", "+15005550000", pgtest.Script),
	}
	w.actor = account.System(w.OrganizationID)
	return w
}

// work runs the loop of a process until stop.
func (w *world) work() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		if err := w.Evaluations.Work(ctx); err != nil && ctx.Err() == nil {
			w.Error(err)
		}
	})
	stop = func() {
		cancel()
		working.Wait()
	}
	w.Cleanup(stop)
	return stop
}

func (w *world) addCase(name string, said, field, value string) evaluation.Case {
	w.Helper()
	c, err := w.Evaluations.CreateCase(w.Context(), w.actor, w.AgentID, evaluation.CaseInput{
		Name: name,
		Content: evaluation.Content{
			Recipient: evaluation.Persona{Steps: []evaluation.Step{{Action: evaluation.Say, Text: said}}},
			Checks:    []evaluation.Check{{Kind: evaluation.FieldEquals, Name: field, Value: value}},
		},
	})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

func (w *world) start(in evaluation.RunInput) evaluation.Run {
	w.Helper()
	r, err := w.Evaluations.Start(w.Context(), w.actor, w.AgentID, in)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// await waits until a run has a status.
func (w *world) await(id uuid.UUID, want evaluation.Status) (evaluation.Run, []evaluation.Attempt) {
	w.Helper()
	for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(20 * time.Millisecond) {
		r, attempts, err := w.Evaluations.Run(w.Context(), w.OrganizationID, w.AgentID, id)
		if err != nil {
			w.Fatal(err)
		}
		if r.Status == want {
			return r, attempts
		}
		if r.Status != evaluation.Running || time.Now().After(deadline) {
			for _, a := range attempts {
				_, result, _ := w.Evaluations.Attempt(w.Context(), w.OrganizationID, w.AgentID, id, a.ID)
				if a.Status != evaluation.Passed {
					w.Errorf("%+v: %+v", a, result)
				}
			}
			w.Fatalf("%+v", r)
		}
	}
}

func TestARun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	yes := w.addCase("Satisfied", "Yes.", "satisfied", "true")
	w.addCase("Wrong", "No.", "satisfied", "true")
	r := w.start(evaluation.RunInput{Repeats: new(2)})
	r, attempts := w.await(r.ID, evaluation.Failed)
	if r.Total != 4 || r.Done != 4 || r.Succeeded != 2 || r.FinishedAt == nil || r.Version != nil || r.SHA256 == "" {
		t.Errorf("%+v", r)
	}
	d := r.Detail(attempts)
	if len(d.Cases) != 2 || d.Cases[0].Status != evaluation.Passed || d.Cases[1].Status != evaluation.Failed ||
		*d.Cases[0].ID != yes.ID || len(d.Cases[1].Attempts) != 2 {
		t.Errorf("%+v", d)
	}
	a, result, err := w.Evaluations.Attempt(t.Context(), w.OrganizationID, w.AgentID, r.ID, d.Cases[1].Attempts[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	if a.CaseName != "Wrong" || a.Repeat != 2 || result.Findings[0].Reason != "The value is false" ||
		len(result.Turns) < 4 || result.EndedReason != "completed" {
		t.Errorf("%+v %+v", a, result)
	}
	// One case alone passes.
	r, _ = w.await(w.start(evaluation.RunInput{CaseIDs: []string{yes.ID.String()}}).ID, evaluation.Passed)
	if r.Total != 3 || r.Repeats != 3 {
		t.Errorf("%+v", r)
	}
	if _, err := w.Evaluations.Cancel(t.Context(), w.actor, w.AgentID, r.ID); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a run that ended is canceled: %v", err)
	}
	list, err := w.Evaluations.Runs(t.Context(), w.OrganizationID, w.AgentID, page.Request{})
	if err != nil || len(list.Data) != 2 || list.Data[0].ID != r.ID {
		t.Errorf("%+v %v", list, err)
	}
}

// The difficult callees are a run of their own, with the demo's kind of agent.
func TestARunOfDifficultCallees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	r, _ := w.await(w.start(evaluation.RunInput{DifficultCallees: true, Repeats: new(1)}).ID, evaluation.Passed)
	if r.Total < 30 {
		t.Errorf("%+v", r)
	}
}

func TestWhatARunRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for what, in := range map[string]evaluation.RunInput{
		"no cases": {}, "repeats": {DifficultCallees: true, Repeats: new(11)},
		"version": {DifficultCallees: true, Version: new(7)},
		"case":    {DifficultCallees: true, CaseIDs: []string{"x"}},
	} {
		if _, err := w.Evaluations.Start(t.Context(), w.actor, w.AgentID, in); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	for range 3 {
		w.start(evaluation.RunInput{DifficultCallees: true})
	}
	_, err := w.Evaluations.Start(t.Context(), w.actor, w.AgentID, evaluation.RunInput{DifficultCallees: true})
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("a fourth run: %v", err)
	}
	other := account.System(w.db.NewTenant(t, "Other", "+15005550001", pgtest.Script).OrganizationID)
	_, err = w.Evaluations.Start(t.Context(), other, w.AgentID, evaluation.RunInput{DifficultCallees: true})
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("a foreign agent: %v", err)
	}
}

// An attempt of a process that died is run by another one, and one that kills every process fails.
func TestAnAttemptOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.addCase("Satisfied", "Yes.", "satisfied", "true")
	for tries, want := range map[int]evaluation.Status{1: evaluation.Passed, 3: evaluation.Failed} {
		r := w.start(evaluation.RunInput{Repeats: new(1)})
		_, err := w.db.Pool.Exec(t.Context(), `
			update agent_test_attempt
			set status = 'running', tries = $2, lease = gen_random_uuid(), lease_until = clock() + interval '1 second'
			where run_id = $1`, r.ID, tries)
		if err != nil {
			t.Fatal(err)
		}
		w.db.Advance(time.Minute)
		stop := w.work()
		w.await(r.ID, want)
		stop()
	}
}

// A process that stops gives its attempt back, and a canceled run stops it.
func TestAnAttemptIsStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("sandbox-silent", 20)
	w.holdBy(c.ID)
	r := w.start(evaluation.RunInput{DifficultCallees: true, Repeats: new(1)})
	stop := w.work()
	running := func(want int) {
		t.Helper()
		for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(20 * time.Millisecond) {
			var n int
			err := w.db.Pool.QueryRow(t.Context(), `
				select count(*) from agent_test_attempt where status = 'running' and tries = 1`).Scan(&n)
			if err != nil {
				t.Fatal(err)
			}
			if n == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d attempts run, want %d", n, want)
			}
		}
	}
	running(4)
	stop()
	running(0)
	w.work()
	running(4)
	if _, err := w.Evaluations.Cancel(t.Context(), w.actor, w.AgentID, r.ID); err != nil {
		t.Fatal(err)
	}
	if r, _ = w.await(r.ID, evaluation.Canceled); r.Done != 0 {
		t.Errorf("%+v", r)
	}
	running(0)
}

// The tokens of the agent, of the person who is played and of the judge count in the organization's day.
func TestTheTokensOfARunCountInTheDay(t *testing.T) {
	t.Parallel()
	brain := httptest.NewServer(sandbox.New(sandbox.Options{Speed: 1000}))
	t.Cleanup(brain.Close)
	w := newWorld(t, func(o *app.Options) { o.Sandbox.ModelURL = brain.URL + "/v1" })
	c := w.connect(sandbox.Model, 20)
	w.holdBy(c.ID)
	if _, err := w.Evaluations.CreateCase(t.Context(), w.actor, w.AgentID, evaluation.CaseInput{
		Name: "Played",
		Content: evaluation.Content{
			Recipient: evaluation.Persona{Model: &evaluation.Player{Prompt: "Says yes.", ConnectionID: c.ID.String()}},
			Checks: []evaluation.Check{
				{Kind: evaluation.Judge, Value: `The agent says "thank"`, ConnectionID: c.ID.String()},
			},
		},
	}); err != nil {
		t.Fatal(err)
	}
	w.work()
	r := w.start(evaluation.RunInput{Repeats: new(1)})
	var done bool
	for deadline := time.Now().Add(testwait.Limit); !done; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the run does not end")
		}
		err := w.db.Pool.QueryRow(t.Context(),
			`select finished_at is not null from agent_test_run where id = $1`, r.ID).Scan(&done)
		if err != nil {
			t.Fatal(err)
		}
	}
	var used, day int
	if err := w.db.Pool.QueryRow(t.Context(), `
		select (select sum((result ->> 'input_tokens')::int + (result ->> 'output_tokens')::int)
		        from agent_test_attempt),
		       (select sum(tokens) from model_day)`).Scan(&used, &day); err != nil {
		t.Fatal(err)
	}
	if used == 0 || day != used {
		t.Errorf("the day has %d tokens, the attempts used %d", day, used)
	}

	// At the limit, no run begins and nobody tries the agent by text.
	if _, err := w.db.Pool.Exec(t.Context(), `update organization set model_day_tokens = 1`); err != nil {
		t.Fatal(err)
	}
	_, err := w.Evaluations.Start(t.Context(), w.actor, w.AgentID, evaluation.RunInput{})
	if !errors.Is(err, connection.ErrDay) {
		t.Errorf("a run begins: %v", err)
	}
	var script conversation.Script
	err = w.db.Pool.QueryRow(t.Context(), `select script from agent where id = $1`, w.AgentID).Scan(&script)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Evaluations.BeginTrial(t.Context(), w.OrganizationID, evaluation.TrialInput{
		Script: script, Variables: map[string]any{}, At: time.Now(),
	})
	if !errors.Is(err, connection.ErrDay) {
		t.Errorf("a trial begins: %v", err)
	}
}

// Attempts leave streams to calls.
func TestCallsComeFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect(sandbox.Model, 3)
	w.holdBy(c.ID)
	w.addCase("Satisfied", "Yes.", "satisfied", "true")
	r := w.start(evaluation.RunInput{Repeats: new(4)})
	claim := func(want bool) {
		t.Helper()
		got, err := w.Evaluations.Claim(t.Context())
		if err != nil || got != want {
			t.Errorf("claimed: %t, %v, want %t", got, err, want)
		}
	}
	claim(true)
	claim(true)
	claim(false) // two of three streams
	if _, err := w.db.Pool.Exec(t.Context(), `update model_connection set streams = 5`); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err := w.db.Pool.Exec(t.Context(), `
			insert into call (id, organization_id, project_id, agent_id, connection_id, phone_number_id, own_number,
				person_number, carrier, status, ring_timeout_seconds, max_duration_seconds, model_connection_id)
			values (gen_random_uuid(), $1, $2, $3, $4, $5, '+15005550000',
				'+1500' || (random() * 8999999 + 1000000)::int, 'sandbox', 'in_progress', 30, 600, $6)`,
			w.OrganizationID, w.ProjectID, w.AgentID, w.ConnectionID, w.PhoneNumberID, c.ID)
		if err != nil {
			t.Fatal(err)
		}
	}
	claim(false) // calls use three of five
	if _, err := w.Evaluations.Cancel(t.Context(), w.actor, w.AgentID, r.ID); err != nil {
		t.Fatal(err)
	}
}

func (w *world) connect(name string, streams int) connection.Connection {
	w.Helper()
	c, err := w.Models.Create(w.Context(), w.actor, connection.NewConnection{
		Name: name, Provider: connection.Sandbox, Model: name, Streams: &streams,
	})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

// holdBy makes a model hold the conversations of the agent's draft.
func (w *world) holdBy(id uuid.UUID) {
	w.Helper()
	var script conversation.Script
	err := w.db.Pool.QueryRow(w.Context(), `select script from agent where id = $1`, w.AgentID).Scan(&script)
	if err != nil {
		w.Fatal(err)
	}
	script.Model = &conversation.Model{Instructions: "Ask.", ConnectionID: id}
	_, err = w.db.Pool.Exec(w.Context(), `update agent set script = $2, kind = 'model' where id = $1`,
		w.AgentID, script)
	if err != nil {
		w.Fatal(err)
	}
}
