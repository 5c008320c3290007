package settings

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Bounds of the rows that are read from a form. The domain bounds those of a case.
const maxStepRows, maxCheckRows = evaluation.MaxSteps + 10, evaluation.MaxChecks + 10

// testCase reads the case of an active agent that the path names.
func (s *Server) testCase(r *http.Request) (a project.Agent, c evaluation.Case, err error) {
	if a, err = s.testedAgent(r); err != nil {
		return a, c, err
	}
	id, _ := check.ParseID(r.PathValue("case_id")) // a malformed ID is that of no case
	c, err = s.Evaluations.Case(r.Context(), frame.SignedIn(r).Organization.ID, a.ID, id)
	return a, c, err
}

// NewTestCase shows the form for a new case.
func (s *Server) NewTestCase(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	v := views.AgentTestCase{
		Steps: []views.TestStepForm{{Action: string(evaluation.Say)}}, Checks: make([]views.TestCheckForm, 1),
	}
	return s.typedTestCase(w, r, a, v)
}

// typedTestCase shows the form v, or what was typed before the person made a model connection.
func (s *Server) typedTestCase(w http.ResponseWriter, r *http.Request, a project.Agent, v views.AgentTestCase) error {
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		v = views.AgentTestCase{ID: v.ID, Known: v.Known}
		readTestCase(r.PostForm, &v)
	}
	return s.renderTestCase(w, r, http.StatusOK, a, v)
}

func (s *Server) renderTestCase(
	w http.ResponseWriter, r *http.Request, status int, a project.Agent, v views.AgentTestCase,
) (err error) {
	v.AgentID, v.Agent = a.ID.String(), a.Name
	if v.Connections, err = s.modelChoices(r); err != nil {
		return err
	}
	return frame.Render(w, r, status, views.AgentTestCasePage(s.Chrome(r), v))
}

// EditTestCase shows the form of a case.
func (s *Server) EditTestCase(w http.ResponseWriter, r *http.Request) error {
	a, c, err := s.testCase(r)
	if err != nil {
		return err
	}
	if !mayChange(r) {
		return s.readTestCase(w, r, a, c)
	}
	return s.typedTestCase(w, r, a, testCaseForm(c))
}

// readTestCase shows a case to who may not change it.
func (s *Server) readTestCase(w http.ResponseWriter, r *http.Request, a project.Agent, c evaluation.Case) error {
	connections, err := s.modelChoices(r)
	if err != nil {
		return err
	}
	form := testCaseForm(c)
	recipient := []ui.Fact{{Name: "Played by", Text: "Fixed steps"}}
	if form.Recipient == "model" {
		turns := cmp.Or(form.MaxTurns, strconv.Itoa(evaluation.DefaultTurns))
		recipient = []ui.Fact{
			{Name: "Played by", Text: nameOf(optionalID(form.ConnectionID), connections)},
			{Name: "Person", Value: views.Prose(form.Prompt)},
			{Name: "Hangs up after", Text: turns + " turns"},
		}
	}
	for i, step := range form.Steps {
		recipient = append(recipient, ui.Fact{
			Name: "Step " + strconv.Itoa(i+1), Text: views.TestStepWords(evaluation.Action(step.Action), step.Text),
		})
	}
	var checks []ui.Fact
	for i, k := range form.Checks {
		checks = append(checks, ui.Fact{
			Name: "Check " + strconv.Itoa(i+1), Text: views.TestCheckWords(evaluation.Kind(k.Kind), k.Name, k.Value),
		})
	}
	return frame.Render(w, r, http.StatusOK, views.TestCasePage(s.Chrome(r), views.TestCaseReading{
		AgentID: a.ID.String(), Agent: a.Name, Name: c.Name,
		Reading: views.AgentReading{
			{ID: "recipient", Title: "Recipient", Facts: recipient},
			{ID: "call", Title: "Call", Facts: []ui.Fact{
				{Name: "Variables", Text: form.Variables, Mono: true},
				{Name: "Results of tools", Text: form.ToolResults, Mono: true},
				{Name: "On voicemail", Text: map[bool]string{
					true: "Leaves a message", false: "Hangs up",
				}[form.LeaveMessage]},
			}},
			{ID: "checks", Title: "Checks", Facts: checks},
		},
	}))
}

// optionalID reads an ID that is stored as text. A malformed ID is nobody's.
func optionalID(text string) *uuid.UUID {
	id, _ := check.ParseID(text)
	return &id
}

// testCaseForm shows a case.
func testCaseForm(c evaluation.Case) views.AgentTestCase {
	v := views.AgentTestCase{
		ID: c.ID.String(), Known: c.Name, Name: c.Name, Recipient: "steps", LeaveMessage: c.Content.LeaveMessage,
	}
	if text := string(c.Content.Variables); text != "" && text != string(check.EmptyObject) {
		v.Variables = indented(c.Content.Variables)
	}
	if len(c.Content.ToolResults) > 0 {
		text, _ := json.Marshal(c.Content.ToolResults) // stored JSON
		v.ToolResults = indented(text)
	}
	if m := c.Content.Recipient.Model; m != nil {
		v.Recipient, v.Prompt, v.ConnectionID = "model", m.Prompt, m.ConnectionID
		v.MaxTurns = filledNumber(m.MaxTurns)
	}
	for _, step := range c.Content.Recipient.Steps {
		v.Steps = append(v.Steps, views.TestStepForm{
			Action: string(step.Action), Text: step.Text, Words: filledNumber(step.Words),
		})
	}
	for _, k := range c.Content.Checks {
		v.Checks = append(v.Checks, views.TestCheckForm{
			Kind: string(k.Kind), Name: k.Name, Value: k.Value, ConnectionID: k.ConnectionID,
		})
	}
	return v
}

// filledNumber writes a number into a field in which empty means 0.
func filledNumber(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// CreateTestCase adds a case to an agent.
func (s *Server) CreateTestCase(w http.ResponseWriter, r *http.Request) error {
	a, err := s.testedAgent(r)
	if err != nil {
		return err
	}
	return s.saveTestCase(w, r, a, views.AgentTestCase{}, func(in evaluation.CaseInput) error {
		_, err := s.Evaluations.CreateCase(r.Context(), s.Actor(r), a.ID, in)
		return err
	}, "Test case created")
}

// UpdateTestCase replaces a case.
func (s *Server) UpdateTestCase(w http.ResponseWriter, r *http.Request) error {
	a, c, err := s.testCase(r)
	if err != nil {
		return err
	}
	v := views.AgentTestCase{ID: c.ID.String(), Known: c.Name}
	return s.saveTestCase(w, r, a, v, func(in evaluation.CaseInput) error {
		_, err := s.Evaluations.ReplaceCase(r.Context(), s.Actor(r), a.ID, c.ID, in, nil)
		return err
	}, "Test case saved")
}

// saveTestCase saves the form, or shows it again after a button has changed its rows.
func (s *Server) saveTestCase(
	w http.ResponseWriter, r *http.Request, a project.Agent, v views.AgentTestCase,
	save func(evaluation.CaseInput) error, done string,
) error {
	readTestCase(r.PostForm, &v)
	if action := r.PostForm.Get("action"); action != "" {
		changeTestCase(&v, action)
		return s.renderTestCase(w, r, http.StatusOK, a, v)
	}
	v.Steps = slices.DeleteFunc(v.Steps, func(step views.TestStepForm) bool {
		return step.Action == string(evaluation.Say) && strings.TrimSpace(step.Text) == ""
	})
	v.Checks = slices.DeleteFunc(v.Checks, func(k views.TestCheckForm) bool {
		return k.Kind == "" && strings.TrimSpace(k.Name+k.Value) == ""
	})
	again := func(e ui.Errors) error {
		v.Errors = e
		return s.renderTestCase(w, r, http.StatusUnprocessableEntity, a, v)
	}
	in, err := caseInput(v)
	if err != nil {
		return again(ui.ErrorsOf(err))
	}
	return s.Saved(w, r, save(in), done, testsPath(a), again)
}

func readTestCase(form url.Values, v *views.AgentTestCase) {
	v.Name, v.Recipient, v.Variables = form.Get("name"), form.Get("recipient.kind"), form.Get("variables")
	v.ToolResults = form.Get("tool_results")
	v.Prompt, v.ConnectionID = form.Get("recipient.model.prompt"), form.Get("recipient.model.connection_id")
	v.MaxTurns, v.LeaveMessage = form.Get("recipient.model.max_turns"), form.Get("leave_message") == "on"
	for i := range maxStepRows {
		at := "recipient.steps[" + strconv.Itoa(i) + "]."
		if !form.Has(at + "action") {
			break
		}
		v.Steps = append(v.Steps, views.TestStepForm{
			Action: form.Get(at + "action"), Text: form.Get(at + "text"), Words: form.Get(at + "words"),
		})
	}
	for i := range maxCheckRows {
		at := "checks[" + strconv.Itoa(i) + "]."
		if !form.Has(at + "kind") {
			break
		}
		v.Checks = append(v.Checks, views.TestCheckForm{
			Kind: form.Get(at + "kind"), Name: form.Get(at + "name"), Value: form.Get(at + "value"),
			ConnectionID: form.Get(at + "connection_id"),
		})
	}
}

// changeTestCase applies a button of the form to its rows. Other actions show the form again.
func changeTestCase(v *views.AgentTestCase, action string) {
	do, at, _ := strings.Cut(action, ":")
	i, err := strconv.Atoi(at)
	step := err == nil && i >= 0 && i < len(v.Steps)
	v.Focus = action
	switch {
	case do == "add-step" && len(v.Steps) < maxStepRows:
		v.Focus = "step:" + strconv.Itoa(len(v.Steps))
		v.Steps = append(v.Steps, views.TestStepForm{Action: string(evaluation.Say)})
	case do == "remove-step" && step:
		v.Steps = slices.Delete(v.Steps, i, i+1)
		v.Focus = afterRemoval("step", i, len(v.Steps))
	case do == "up-step" && step && i > 0:
		v.Steps[i-1], v.Steps[i] = v.Steps[i], v.Steps[i-1]
		v.Focus = "up-step:" + strconv.Itoa(i-1)
		if i == 1 {
			v.Focus = "down-step:0"
		}
	case do == "down-step" && step && i+1 < len(v.Steps):
		v.Steps[i+1], v.Steps[i] = v.Steps[i], v.Steps[i+1]
		v.Focus = "down-step:" + strconv.Itoa(i+1)
		if i+2 == len(v.Steps) {
			v.Focus = "up-step:" + strconv.Itoa(i+1)
		}
	case do == "add-check" && len(v.Checks) < maxCheckRows:
		v.Focus = "check:" + strconv.Itoa(len(v.Checks))
		v.Checks = append(v.Checks, views.TestCheckForm{})
	case do == "remove-check" && err == nil && i >= 0 && i < len(v.Checks):
		v.Checks = slices.Delete(v.Checks, i, i+1)
		v.Focus = afterRemoval("check", i, len(v.Checks))
	}
}

// afterRemoval is the button that gets the focus after row i of a list was removed, which has n rows left.
func afterRemoval(row string, i, n int) string {
	if n == 0 {
		return "add-" + row
	}
	return "remove-" + row + ":" + strconv.Itoa(min(i, n-1))
}

// caseInput reads the case from the form, without the fields that the chosen recipient, actions and kinds do not have.
// A form may have kept them. Error: Invalid, with all problems if a number or JSON can't be read.
func caseInput(v views.AgentTestCase) (in evaluation.CaseInput, err error) {
	var p fault.Problems
	whole := func(path, text string) int {
		if n := frame.OptionalInt(&p, path, text); n != nil {
			return *n
		}
		return 0
	}
	in.Name, in.LeaveMessage = v.Name, v.LeaveMessage
	in.Variables = json.RawMessage(strings.TrimSpace(v.Variables))
	if text := strings.TrimSpace(v.ToolResults); text != "" && json.Unmarshal([]byte(text), &in.ToolResults) != nil {
		p.Addf("tool_results", "must be a JSON object")
	}
	if v.Recipient == "model" {
		in.Recipient.Model = &evaluation.Player{
			Prompt: v.Prompt, ConnectionID: v.ConnectionID, MaxTurns: whole("recipient.model.max_turns", v.MaxTurns),
		}
	} else {
		for i, row := range v.Steps {
			step := evaluation.Step{Action: evaluation.Action(row.Action)}
			switch step.Action {
			case evaluation.Interrupt:
				step.Text = row.Text
				step.Words = whole("recipient.steps["+strconv.Itoa(i)+"].words", row.Words)
			case evaluation.Say:
				step.Text = row.Text
			case evaluation.Press:
				step.Text = strings.TrimSpace(row.Text)
			case evaluation.TakeTransfer, evaluation.DeclineTransfer, evaluation.StaySilent, evaluation.HangUp,
				evaluation.IsVoicemail, evaluation.Beep:
			}
			in.Recipient.Steps = append(in.Recipient.Steps, step)
		}
	}
	for _, row := range v.Checks {
		k := evaluation.Check{Kind: evaluation.Kind(row.Kind)}
		name, value := views.TestKindNeeds(k.Kind)
		if name {
			k.Name = row.Name
		}
		if value {
			k.Value = strings.TrimSpace(row.Value)
		}
		if k.Kind == evaluation.Judge {
			k.ConnectionID = row.ConnectionID
		}
		in.Checks = append(in.Checks, k)
	}
	if p.Len() > 0 {
		p.Also(in.Validate())
	}
	return in, p.Err()
}

// ConfirmDeleteTestCase asks before a case is deleted.
func (s *Server) ConfirmDeleteTestCase(w http.ResponseWriter, r *http.Request) error {
	a, c, err := s.testCase(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.DeleteTestCase(a.ID.String(), a.Name, c.ID.String(), c.Name))
}

// DeleteTestCase deletes a case.
func (s *Server) DeleteTestCase(w http.ResponseWriter, r *http.Request) error {
	a, c, err := s.testCase(r)
	if err != nil {
		return err
	}
	err = s.Evaluations.DeleteCase(r.Context(), s.Actor(r), a.ID, c.ID)
	return s.Done(w, r, err, "Test case deleted", testsPath(a))
}
