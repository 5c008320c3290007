package settings

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
)

// tryTime bounds a request in which models answer. Proxies often wait 30 seconds for an answer.
const tryTime = 25 * time.Second

// tryBegin is the action that begins a conversation with the variables of the form. The other actions are those of
// evaluation.Step.
const tryBegin = "begin"

func (s *Server) TryAgent(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	return s.try(w, r, a, url.Values{}, nil)
}

// TryNewAgent starts a conversation with an unsaved agent.
func (s *Server) TryNewAgent(w http.ResponseWriter, r *http.Request) error {
	return s.tryDraft(w, r, views.AgentForm{})
}

// OpenNewAgent answers a later visit to the address of TryNewAgent.
func (s *Server) OpenNewAgent(w http.ResponseWriter, r *http.Request) error {
	return frame.SeeOther(w, r, agentsPath+"/new")
}

// tryDraft draws the conversation with the agent of a form. The page carries the fields
// of the form, so that the person can edit or save them later.
func (s *Server) tryDraft(w http.ResponseWriter, r *http.Request, v views.AgentForm) error {
	readAgent(r.PostForm, &v)
	dropEmptyLanguages(&v)
	v.Questions = askedQuestions(v.Questions, v.Language)
	settings, problems := agentSettings(v)
	if err := settings.Validate(); problems == nil && err != nil {
		problems = ui.ErrorsOf(err)
	}
	beside := r.PostForm.Get("beside") == "on"
	goesOn := r.PostForm.Get("conversation") != "" && r.PostForm.Get("action") != tryBegin
	switch {
	case problems == nil, beside && goesOn: // the conversation has a script of its own
	case beside:
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.TryPage(s.Chrome(r), views.Try{
			AgentID: v.ID, Agent: v.Name, Beside: true, Problems: tryProblems(problems, v),
		}))
	default:
		v.Errors = branchErrors(speechErrors(problems, v), v.Questions)
		return s.renderAgent(w, r, http.StatusUnprocessableEntity, v)
	}
	var fields []views.Field
	if !beside { // the page is not the form's
		fields = v.Fields()
		if to := frame.ReturnTo(r); to != "" {
			fields = append(fields, views.Field{Name: "return", Value: to})
		}
	}
	id, _ := uuid.Parse(v.ID)
	return s.try(w, r, project.Agent{
		ID: id, Name: settings.Name, AgentContent: project.AgentContent{Script: settings.Script},
	}, r.PostForm, fields)
}

// tryProblems are the problems of the form of an agent, in words, by the field.
func tryProblems(problems ui.Errors, v views.AgentForm) (all []views.FieldProblem) {
	e := ui.Errors{}
	for path, message := range branchErrors(speechErrors(problems, v), v.Questions) {
		if n, ok := strings.CutPrefix(message, twinKey); ok {
			if i, err := strconv.Atoi(n); err == nil && i >= 1 && i <= len(v.Questions) {
				message = twinKey + strconv.Itoa(v.Questions[i-1].Was)
			}
		}
		e[formerPath(path, v.Questions)] = message
	}
	for _, path := range slices.Sorted(maps.Keys(e)) {
		words := listIndex.ReplaceAllStringFunc(path, func(at string) string {
			n, _ := strconv.Atoi(strings.Trim(at, "[]"))
			return "[" + strconv.Itoa(n+1) + "]"
		})
		all = append(all, views.FieldProblem{
			ID: path, Label: fieldWords(words, project.AgentKind(v.Kind)) + ": " + e[path], Message: e[path],
		})
	}
	return all
}

// twinKey begins the problem of a key that an earlier question has, and is followed by the number of that question.
const twinKey = "is also the key of question "

// formerPath is the path that the field of a question has in the form, which still holds the empty questions.
func formerPath(path string, asked []views.QuestionForm) string {
	for i, q := range asked {
		if field, ok := strings.CutPrefix(path, questionAt(i)); ok {
			return questionAt(q.Was-1) + field
		}
	}
	return path
}

func questionAt(i int) string { return "questions[" + strconv.Itoa(i) + "]" }

// listIndex is the index of an element in the path of a field.
var listIndex = regexp.MustCompile(`\[\d+\]`)

// ContinueTry takes a step of the conversation. The server stores nothing between two requests, because the form
// carries the sealed conversation. A form that is sent twice continues the same conversation.
func (s *Server) ContinueTry(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	if r.PostForm.Has("greeting") { // the form carries an edited, unsaved agent
		return s.tryDraft(w, r, views.AgentForm{ID: a.ID.String()})
	}
	return s.try(w, r, a, r.PostForm, nil)
}

// try begins or continues the conversation of a form, and draws it. draft is the fields of an agent that is not saved.
func (s *Server) try(
	w http.ResponseWriter, r *http.Request, a project.Agent, form url.Values, draft []views.Field,
) error {
	known := conversation.Known{Agent: a.Name, Organization: frame.SignedIn(r).Organization.Name}
	v := views.Try{
		Agent: a.Name, Draft: draft, Model: a.Script.Model != nil, Most: evaluation.MaxTrialSteps,
		MostTokens: evaluation.MaxTrialTokens, Beside: form.Get("beside") == "on",
		Variables: frame.AgentVariables(a.Script, known, form),
	}
	if a.ID != uuid.Nil {
		v.AgentID = a.ID.String()
	}
	ctx, cancel := context.WithTimeout(r.Context(), tryTime)
	defer cancel()
	trial, err := s.trial(ctx, r, a, form, variablesOf(known, v.Variables))
	status := http.StatusOK
	if problems := ui.ErrorsOf(err); err != nil &&
		(fault.KindOf(err) == fault.Invalid || fault.KindOf(err) == fault.Conflict) {
		status, v.Errors = http.StatusUnprocessableEntity, tryErrors(problems, form)
		v.Say, v.Keys = form.Get("say"), form.Get("keys")
	} else if err != nil {
		return err
	}
	if trial.Talk == nil { // a model is asked only when the person wants it
		return frame.Render(w, r, status, views.TryPage(s.Chrome(r), v))
	}
	if v.Sealed, err = s.Evaluations.SealTrial(frame.SignedIn(r).Organization.ID, a.ID, trial); err != nil {
		return err
	}
	s.showTrial(r, &v, trial)
	return frame.Render(w, r, status, views.TryPage(s.Chrome(r), v))
}

// trial returns the conversation after the step of the form. It is empty before a model is asked.
func (s *Server) trial(
	ctx context.Context, r *http.Request, a project.Agent, form url.Values, variables map[string]any,
) (t evaluation.Trial, err error) {
	organization := frame.SignedIn(r).Organization.ID
	clock := s.Clock(r)
	at := clock.Now.In(clock.Zone)
	step, steps := tryStep(form)
	switch sealed := form.Get("conversation"); {
	case sealed != "" && form.Get("action") != tryBegin:
		if t, err = s.Evaluations.OpenTrial(organization, a.ID, sealed); err != nil {
			return t, err
		}
	case a.Script.Model != nil && !steps && form.Get("action") != tryBegin:
		return t, nil
	default:
		t, err = s.Evaluations.BeginTrial(ctx, organization, evaluation.TrialInput{
			Script: a.Script, Variables: variables, At: at,
		})
	}
	if err != nil || !steps {
		return t, err
	}
	return t, s.Evaluations.StepTrial(ctx, organization, &t, step, at)
}

// tryStep returns what the person does. steps is false for a form without a step.
func tryStep(form url.Values) (step evaluation.Step, steps bool) {
	say, keys := strings.TrimSpace(form.Get("say")), strings.TrimSpace(form.Get("keys"))
	switch action := evaluation.Action(form.Get("action")); {
	case action == evaluation.Press, action == "" && say == "":
		return evaluation.Step{Action: evaluation.Press, Text: keys}, keys != ""
	case action == evaluation.Say, action == "":
		return evaluation.Step{Action: evaluation.Say, Text: say}, say != ""
	case action == evaluation.StaySilent, action == evaluation.HangUp, action == evaluation.IsVoicemail,
		action == evaluation.Beep, action == evaluation.TakeTransfer, action == evaluation.DeclineTransfer:
		return evaluation.Step{Action: action}, true
	}
	return step, false
}

// tryErrors names the field of a step.
func tryErrors(problems ui.Errors, form url.Values) ui.Errors {
	if message, ok := problems["step.text"]; ok {
		delete(problems, "step.text")
		field := "say"
		if step, _ := tryStep(form); step.Action == evaluation.Press {
			field = "keys"
		}
		problems[field] = message
	}
	return problems
}

// showTrial adds a conversation and what its models used.
func (s *Server) showTrial(r *http.Request, v *views.Try, t evaluation.Trial) {
	state := t.Talk.State
	spoken := t.Answers
	for _, turn := range t.Talk.Turns {
		row := ui.Turn{
			Role: string(turn.Role), Who: "You", Text: turn.Text, Start: -1, End: -1, Interrupted: turn.Interrupted,
		}
		if row.Role == "agent" {
			row.Who = v.Agent
		}
		if turn.FirstTokenMS != nil {
			for len(spoken) > 0 && !spoken[0].Spoken {
				spoken = spoken[1:]
			}
			row.Took = "First token after " + ui.Count(*turn.FirstTokenMS) + " ms"
			if len(spoken) > 0 {
				row.Parts = []string{tokensText(spoken[0].Input, spoken[0].Output)}
				spoken = spoken[1:]
			}
		}
		v.Turns = append(v.Turns, row)
	}
	if v.Model {
		v.Used = usedView(t)
	}
	v.Full, v.Over = t.Full(), state.Done() || t.Talk.Transferred
	v.Transferring = state.ToTransfer() && !v.Over
	if !v.Over {
		return
	}
	analysis := conversation.Analyze(state)
	v.Summary, v.Answers = analysis.Summary, calls.AnswersView(&analysis, state.Script.Questions)
	if i := analysis.Intent; i != nil && *i == conversation.CallBack {
		understood := "No time was understood"
		if t := analysis.CallBackAt; t != nil {
			understood = s.Clock(r).When(time.Time(*t))
		}
		v.Answers = append(v.Answers, ui.Fact{Name: "Asked to be called at", Text: understood})
	}
	if len(analysis.Needs) > 0 {
		v.Answers = append(v.Answers, ui.Fact{Name: "Left to your team", Value: ui.Lines(analysis.Needs)})
	}
	if reason := t.Talk.Ended(); reason != "" {
		v.Answers = append(v.Answers, ui.Fact{Name: "Ended", Text: ui.Sentence(string(reason))})
	}
}

func tokensText(input, output int) string {
	return ui.Count(input) + " input, " + ui.Count(output) + " output"
}

// usedView is what the models of a conversation used.
func usedView(t evaluation.Trial) []ui.Fact {
	usage := t.Talk.Usage()
	tokens := tokensText(usage.Input, usage.Output)
	if usage.Estimated {
		tokens += ", estimated"
	}
	facts := []ui.Fact{
		{Name: "Answers", Text: ui.Count(len(t.Answers))},
		{Name: "Tokens", Text: tokens},
	}
	if n := len(t.Answers); n > 0 {
		last := t.Answers[n-1]
		facts = append(facts,
			ui.Fact{Name: "Last answer", Text: tokensText(last.Input, last.Output)},
			ui.Fact{Name: "Its first token", Text: ui.Count(last.FirstTokenMS) + " ms"})
	}
	return facts
}

// sampleValue is a value to try a variable with, by what its name says. People replace it.
func sampleValue(name, language string) string {
	name = strings.ToLower(name)
	for _, known := range []struct{ part, value string }{
		{"language", language}, {"first_name", "Anna"}, {"last_name", "Smith"}, {"full_name", "Anna Smith"},
		{"date", "2026-12-01"}, {"day", "2026-12-01"}, {"time", "10:30"}, {"email", "anna.smith@example.com"},
		{"phone", "+1 312 555 0142"}, {"amount", "25"}, {"price", "25"}, {"number", "1024"},
	} {
		if strings.Contains(name, known.part) {
			return known.value
		}
	}
	return ui.Sentence(name)
}

func variablesOf(known conversation.Known, list []views.TryVariable) map[string]any {
	given := map[string]any{}
	for _, v := range list {
		given[v.Name] = v.Value
	}
	return known.Variables(given)
}

func (s *Server) CallMeForm(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	if _, err := s.Restored(r); err != nil {
		return err
	}
	v, err := s.callMeView(r, a, r.PostForm)
	if err != nil {
		return err
	}
	if v.Placed, err = s.TestCalls(r); err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CallMePage(s.Chrome(r), v))
}

// CallMe places up to three calls, and shows the page of the only one. With the action "hear" of the agent's form, it
// first asks whom to call, and the call only lets the person hear the voice of the form.
func (s *Server) CallMe(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	form, sample, carried := r.PostForm, (*project.Sample)(nil), []views.Field(nil)
	if hears := form.Get("action") == "hear"; hears || form.Has("sample") {
		edited := views.AgentForm{ID: a.ID.String()}
		readAgent(form, &edited)
		heard, problems := sampleOf(edited)
		if problems != nil {
			edited.Errors = problems
			return s.renderAgent(w, r, http.StatusUnprocessableEntity, edited)
		}
		sample = &heard
		carried = append(edited.Speech.Fields(), views.Field{Name: "language", Value: edited.Language},
			views.Field{Name: "sample", Value: "on"})
		if hears { // the fields of the agent's form are none of the next form
			form = url.Values{}
		}
	}
	v, err := s.callMeView(r, a, form)
	if err != nil {
		return err
	}
	if v.Sample = carried; r.PostForm.Get("action") == "hear" {
		return frame.Render(w, r, http.StatusOK, views.CallMePage(s.Chrome(r), v))
	}
	in := dialer.Try{AgentID: a.ID, Name: v.Name, Variables: map[string]string{}, Sample: sample}
	for _, variable := range v.Variables {
		in.Variables[variable.Name] = variable.Value
	}
	// A malformed ID is refused like an unknown ID.
	in.PhoneNumberID, _ = check.ParseID(v.PhoneNumberID)
	in.ProjectID, _ = check.ParseID(v.ProjectID)
	placed, err := s.callEach(r, &v, in)
	if err != nil {
		return err
	}
	if len(v.Errors) > 0 {
		if v.Placed, err = s.TestCallsOf(r, placed...); err != nil {
			return err
		}
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.CallMePage(s.Chrome(r), v))
	}
	switch back := frame.ReturnTo(r); {
	case back != "":
		return frame.SeeOther(w, r, frame.WithTestCalls(back, placed...))
	case len(placed) > 1:
		return frame.SeeOther(w, r, frame.WithTestCalls("/agents/"+a.ID.String()+"/call", placed...))
	}
	return frame.SeeOther(w, r, "/calls/"+placed[0].String())
}

// toField is the field of the i-th number to call.
func toField(i int) string {
	if i == 0 {
		return "to_number"
	}
	return "to_number_" + strconv.Itoa(i+1)
}

// callEach calls each number of a form. The numbers that were called are taken out of the form, and what is wrong with
// the others is added to it, so that the form can be sent again.
func (s *Server) callEach(r *http.Request, v *views.CallMe, in dialer.Try) (placed []uuid.UUID, err error) {
	v.Errors = ui.Errors{}
	for i, number := range v.To {
		if number == "" && (i > 0 || v.To != [frame.MaxTestCalls]string{}) {
			continue
		}
		in.ToNumber = number
		id, err := s.Calling.Try(r.Context(), s.Actor(r), in)
		switch fault.KindOf(err) {
		case fault.Invalid, fault.Conflict:
			for path, problem := range ui.ErrorsOf(err) {
				switch path {
				case "to_number":
					path = toField(i)
				case "":
					problem = ui.Phone(number) + ": " + problem
				}
				v.Errors[path] = problem
			}
			continue
		}
		if err != nil {
			return placed, err
		}
		placed, v.To[i] = append(placed, id), ""
	}
	return placed, nil
}

func (s *Server) callMeView(r *http.Request, a project.Agent, form url.Values) (views.CallMe, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	v := views.CallMe{
		AgentID: a.ID.String(), Agent: a.Name, Name: form.Get("name"),
		PhoneNumberID: form.Get("phone_number_id"), ProjectID: form.Get("project_id"),
	}
	for i := range v.To {
		v.To[i] = strings.TrimSpace(form.Get(toField(i)))
	}
	// The form has separate fields for the name and the number.
	v.Variables = frame.AgentVariables(a.Script, conversation.Known{
		Agent: a.Name, Organization: frame.SignedIn(r).Organization.Name, Name: "-", PhoneNumber: "-",
	}, form)
	if len(form) == 0 {
		for i := range v.Variables {
			variable := &v.Variables[i]
			variable.Value = sampleValue(variable.Name, a.Script.Language)
		}
	}
	numbers, err := page.Collect(ctx, organization, s.Projects.VoiceNumbers)
	if err != nil {
		return v, err
	}
	v.Simulated = len(numbers) > 0
	for _, n := range numbers {
		v.Simulated = v.Simulated && n.Carrier == project.Sandbox
		v.PhoneNumbers = append(v.PhoneNumbers, ui.Option{
			Value: n.ID.String(), Label: frame.NumberLabel(n) + " (" + n.Connection + ")",
		})
	}
	v.Projects, err = s.ProjectOptions(r)
	return v, err
}
