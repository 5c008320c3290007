package settings

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
)

// compared is how many runs the page of tests shows beside each other.
const compared = 4

func testsPath(a project.Agent) string { return agentsPath + "/" + a.ID.String() + "/tests" }

// testedAgent reads the active agent that the path names.
func (s *Server) testedAgent(r *http.Request) (project.Agent, error) {
	id, err := frame.PathID(r, "Agent")
	if err != nil {
		return project.Agent{}, err
	}
	return s.Projects.ActiveAgent(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// agentTabs is the state of an agent's draft and tests.
func (s *Server) agentTabs(r *http.Request, a project.Agent) (views.AgentTabs, error) {
	v := views.AgentTabs{Active: a.DeactivatedAt == nil}
	if a.Published != nil {
		v.Published, v.Changes = a.Published.Number, len(a.DraftChanges())
	}
	if !v.Active {
		return v, nil
	}
	run, ofDraft, err := s.Evaluations.Newest(r.Context(), frame.SignedIn(r).Organization.ID, a.ID)
	v.Run, v.OfDraft = string(run.Status), ofDraft
	return v, err
}

// AgentTests shows the test cases of an agent and its runs.
func (s *Server) AgentTests(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	return s.renderTests(w, r, http.StatusOK, a, views.AgentTests{Repeats: strconv.Itoa(evaluation.DefaultRepeats)})
}

func (s *Server) renderTests(
	w http.ResponseWriter, r *http.Request, status int, a project.Agent, v views.AgentTests,
) error {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	v.ID, v.Name, v.Required = a.ID.String(), a.Name, a.RequirePassingTests
	cases, err := s.Evaluations.Cases(ctx, organization, a.ID, page.Request{Batch: evaluation.MaxCases})
	if err != nil {
		return err
	}
	for _, c := range cases.Data {
		v.Cases = append(v.Cases, views.TestCase{
			ID: c.ID.String(), Name: c.Name, Steps: len(c.Content.Recipient.Steps), Checks: len(c.Content.Checks),
		})
	}
	if len(v.Cases) == 0 && len(v.Errors) == 0 {
		v.Callees = true // else there is nothing to run
	}
	versions, err := s.Projects.AgentVersions(ctx, organization, a.ID, page.Request{Limit: page.ShownLimit})
	if err != nil {
		return err
	}
	v.Versions = []ui.Option{{Value: "", Label: "Draft"}}
	for _, version := range versions.Data {
		n := strconv.Itoa(version.Number)
		v.Versions = append(v.Versions, ui.Option{Value: n, Label: "Version " + n})
	}
	runs, err := s.Evaluations.Runs(ctx, organization, a.ID, frame.PageOf(r))
	if err != nil {
		return err
	}
	v.Pager = frame.Pager(r, runs.NextCursor, "Newest first")
	if v.Tabs, err = s.agentTabs(r, a); err != nil {
		return err
	}
	for _, run := range runs.Data {
		v.Runs = append(v.Runs, runView(run))
	}
	if err := s.compare(r, a.ID, runs.Data, &v); err != nil {
		return err
	}
	return frame.Render(w, r, status, views.AgentTestsPage(s.Chrome(r), v))
}

// compare fills the results of the newest runs of different contents.
func (s *Server) compare(r *http.Request, agentID uuid.UUID, runs []evaluation.Run, v *views.AgentTests) error {
	seen := map[string]bool{}
	rows := map[string]int{}
	for _, run := range runs {
		of := runView(run)
		if seen[of.Of+run.SHA256] || len(v.Compared) == compared {
			continue
		}
		seen[of.Of+run.SHA256] = true
		_, attempts, err := s.Evaluations.Run(r.Context(), frame.SignedIn(r).Organization.ID, agentID, run.ID)
		if err != nil {
			return err
		}
		for _, c := range run.Detail(attempts).Cases {
			i, known := rows[c.Name]
			if !known {
				i = len(v.Rows)
				rows[c.Name] = i
				v.Rows = append(v.Rows, views.TestRow{Name: c.Name})
			}
			for len(v.Rows[i].Cells) < len(v.Compared) {
				v.Rows[i].Cells = append(v.Rows[i].Cells, "")
			}
			if len(v.Rows[i].Cells) == len(v.Compared) {
				v.Rows[i].Cells = append(v.Rows[i].Cells, string(c.Status))
			}
		}
		if run.Version == nil { // drafts differ
			of.Of += ", " + s.Clock(r).When(run.CreatedAt)
		}
		v.Compared = append(v.Compared, of)
	}
	for i := range v.Rows {
		for len(v.Rows[i].Cells) < len(v.Compared) {
			v.Rows[i].Cells = append(v.Rows[i].Cells, "")
		}
	}
	return nil
}

func runView(run evaluation.Run) views.TestRun {
	of := "Draft"
	if run.Version != nil {
		of = "Version " + strconv.Itoa(*run.Version)
	}
	return views.TestRun{
		ID: run.ID.String(), Of: of, Status: string(run.Status), Total: run.Total, Done: run.Done,
		Passed: run.Succeeded, Input: run.InputTokens, Output: run.OutputTokens, Repeats: run.Repeats,
		By: run.CreatedBy, At: run.CreatedAt,
	}
}

// StartTests starts a run.
func (s *Server) StartTests(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	v := views.AgentTests{
		Version: r.PostForm.Get("version"), Repeats: r.PostForm.Get("repeats"),
		Callees: r.PostForm.Get("difficult_callees") == "on",
	}
	var p fault.Problems
	in := evaluation.RunInput{
		Version:          frame.OptionalInt(&p, "version", v.Version),
		Repeats:          frame.OptionalInt(&p, "repeats", v.Repeats),
		DifficultCallees: v.Callees,
	}
	again := func(e ui.Errors) error {
		v.Errors = e
		return s.renderTests(w, r, http.StatusUnprocessableEntity, a, v)
	}
	if err := p.Err(); err != nil {
		return again(ui.ErrorsOf(err))
	}
	run, err := s.Evaluations.Start(r.Context(), s.Actor(r), a.ID, in)
	return s.Saved(w, r, err, "Tests started", testsPath(a)+"/runs/"+run.ID.String(), again)
}

// RequireTests chooses whether the draft must pass its tests before it is published.
func (s *Server) RequireTests(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	_, err = s.Projects.RequirePassingTests(r.Context(), s.Actor(r), a.ID, r.PostForm.Get("required") == "on")
	return s.Done(w, r, err, "Saved", testsPath(a))
}

// runID reads the run of a path. A malformed ID is that of no run.
func runID(r *http.Request) uuid.UUID {
	id, _ := check.ParseID(r.PathValue("run_id"))
	return id
}

func (s *Server) testRunView(r *http.Request) (v views.AgentTestRun, err error) {
	a, err := s.testedAgent(r)
	if err != nil {
		return v, err
	}
	run, attempts, err := s.Evaluations.Run(r.Context(), frame.SignedIn(r).Organization.ID, a.ID, runID(r))
	if err != nil {
		return v, err
	}
	v = views.AgentTestRun{AgentID: a.ID.String(), Agent: a.Name, TestRun: runView(run)}
	if run.FinishedAt == nil {
		v.EventsHref = testsPath(a) + "/runs/" + v.ID + "/events"
	}
	for _, c := range run.Detail(attempts).Cases {
		tested := views.TestedCase{Name: c.Name, Status: string(c.Status)}
		for _, attempt := range c.Attempts {
			tested.Attempts = append(tested.Attempts, views.TestAttempt{
				ID: attempt.ID.String(), Status: string(attempt.Status), Repeat: attempt.Repeat,
			})
		}
		v.Cases = append(v.Cases, tested)
	}
	return v, nil
}

// TestRun shows a run.
func (s *Server) TestRun(w http.ResponseWriter, r *http.Request) error {
	v, err := s.testRunView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.AgentTestRunPage(s.Chrome(r), v))
}

// TestRunEvents streams the progress of a run.
func (s *Server) TestRunEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "test", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.testRunView(r)
		path := agentsPath + "/" + v.AgentID + "/tests/runs/" + v.ID
		return views.AgentTestRunLive(s.LiveChrome(r, path), v), v.EventsHref == "", err
	})
}

// CancelTests cancels a run.
func (s *Server) CancelTests(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	id := runID(r)
	_, err = s.Evaluations.Cancel(r.Context(), s.Actor(r), a.ID, id)
	return s.Done(w, r, err, "Run canceled", testsPath(a)+"/runs/"+id.String())
}

// TestAttempt shows one conversation of a run.
func (s *Server) TestAttempt(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	id, _ := check.ParseID(r.PathValue("attempt_id"))
	attempt, result, err := s.Evaluations.Attempt(
		r.Context(), frame.SignedIn(r).Organization.ID, a.ID, runID(r), id)
	if err != nil {
		return err
	}
	v := views.AgentTestAttempt{
		AgentID: a.ID.String(), Agent: a.Name, RunID: runID(r).String(), Run: "Run", Case: attempt.CaseName,
		TestAttempt: views.TestAttempt{ID: attempt.ID.String(), Status: string(attempt.Status), Repeat: attempt.Repeat},
	}
	if attempt.Error != nil {
		v.Error = *attempt.Error
	}
	if result != nil {
		resultView(&v, *result)
	}
	return frame.Render(w, r, http.StatusOK, views.AgentTestAttemptPage(s.Chrome(r), v))
}

func resultView(v *views.AgentTestAttempt, result evaluation.Result) {
	for _, t := range result.Turns {
		turn := ui.Turn{
			Role: string(t.Role), Who: "Recipient", Text: t.Text, Start: -1, End: -1, Interrupted: t.Interrupted,
		}
		if turn.Role == "agent" {
			turn.Who = v.Agent
		}
		v.Turns = append(v.Turns, turn)
	}
	for _, f := range result.Findings {
		v.Checks = append(v.Checks, views.TestVerdict{
			Check:  views.TestCheckWords(f.Kind, f.Name, f.Value),
			Passed: f.Verdict == evaluation.Pass, Reason: stopped(f.Reason),
		})
	}
	v.Facts = []ui.Fact{
		{Name: "Ended", Text: ui.Sentence(string(result.EndedReason))},
		{Name: "Tokens", Text: tokensText(result.InputTokens, result.OutputTokens)},
	}
	if result.FirstTokenMS != nil {
		v.Facts = append(v.Facts, ui.Fact{Name: "First token (95%)", Text: ui.Count(*result.FirstTokenMS) + " ms"})
	}
	for _, key := range slices.Sorted(maps.Keys(result.Fields)) {
		v.Facts = append(v.Facts, ui.Fact{Name: ui.Sentence(key), Text: calls.AnswerText(result.Fields[key])})
	}
}

// stopped ends a sentence with a full stop, unless it has an end.
func stopped(sentence string) string {
	if sentence == "" || strings.ContainsAny(sentence[len(sentence)-1:], ".!?") || strings.HasSuffix(sentence, "…") {
		return sentence
	}
	return sentence + "."
}
