package settings

import (
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
)

// Bounds of a conversation by text. The form carries all of its inputs.
const (
	maxTryInputs = 100
	maxTryWords  = 500 // characters of one utterance
)

// Inputs of a conversation by text, as the form sends them. The prefix tryWords marks
// typed words.
const (
	tryWords   = "say:"
	tryDigit   = "key:"
	trySilence = "silence"
	tryHangUp  = "hang-up"
)

func (s *Server) TryAgent(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.TryPage(s.Chrome(r), s.tryView(r, a, url.Values{})))
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
	if problems != nil {
		v.Errors = speechErrors(problems, v)
		return s.renderAgent(w, r, http.StatusUnprocessableEntity, v)
	}
	t := s.tryView(r, project.Agent{
		Name: settings.Name, AgentContent: project.AgentContent{Script: settings.Script},
	}, r.PostForm)
	t.AgentID, t.Draft = v.ID, v.Fields()
	return frame.Render(w, r, http.StatusOK, views.TryPage(s.Chrome(r), t))
}

// ContinueTry adds the latest input. The server stores nothing between two requests: the
// form carries all inputs, and each request replays the conversation.
func (s *Server) ContinueTry(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	if r.PostForm.Has("greeting") { // the form carries an edited, unsaved agent
		return s.tryDraft(w, r, views.AgentForm{ID: a.ID.String()})
	}
	return frame.Render(w, r, http.StatusOK, views.TryPage(s.Chrome(r), s.tryView(r, a, r.PostForm)))
}

// tryView replays the conversation of a form.
func (s *Server) tryView(r *http.Request, a project.Agent, form url.Values) views.Try {
	known := conversation.Known{Agent: a.Name, Organization: frame.SignedIn(r).Organization.Name}
	v := views.Try{
		AgentID: a.ID.String(), Agent: a.Name, Variables: tryVariables(a.Script, known, form), Full: maxTryInputs,
	}
	if v.Held = a.Script.Model != nil; v.Held {
		return v
	}
	if form.Get("action") == "restart" {
		form = url.Values{}
	}
	v.Said = trySaid(form)
	clock := s.Clock(r)
	at := clock.Now.In(clock.Zone)
	state, actions := conversation.Start(a.Script, variablesOf(known, v.Variables), false)
	v.Turns = agentTurns(v.Turns, a.Name, actions)
	for _, said := range v.Said {
		if state.Done() {
			break
		}
		input, turn := tryInput(said, at)
		v.Turns = append(v.Turns, turn)
		state, actions = conversation.Step(state, input)
		v.Turns = agentTurns(v.Turns, a.Name, actions)
	}
	v.Over = state.Done()
	if !v.Over {
		return v
	}
	analysis := conversation.Analyze(state)
	v.Summary, v.Answers = analysis.Summary, calls.AnswersView(&analysis, a.Script.Questions)
	if i := analysis.Intent; i != nil && *i == conversation.CallBack {
		understood := "No time was understood"
		if t := analysis.CallBackAt; t != nil {
			understood = clock.When(time.Time(*t))
		}
		v.Answers = append(v.Answers, ui.Fact{Name: "Asked to be called at", Text: understood})
	}
	return v
}

// trySaid returns the earlier inputs and the new input.
func trySaid(form url.Values) []string {
	said := form["said"]
	switch action := form.Get("action"); {
	case action == trySilence, action == tryHangUp, strings.HasPrefix(action, tryDigit):
		said = append(said, action)
	default:
		if words := strings.TrimSpace(form.Get("say")); words != "" {
			said = append(said, tryWords+words)
		}
	}
	if len(said) > maxTryInputs {
		said = said[:maxTryInputs]
	}
	for i, words := range said {
		if utf8.RuneCountInString(words) > maxTryWords {
			said[i] = string([]rune(words)[:maxTryWords])
		}
	}
	return said
}

// tryInput returns the agent's input at a time, and the turn that shows it.
func tryInput(said string, at time.Time) (conversation.Input, ui.Turn) {
	turn := ui.Turn{Role: "recipient", Who: "You", Start: -1, End: -1}
	if words, ok := strings.CutPrefix(said, tryWords); ok {
		turn.Text = words
		return conversation.Prompt{Text: words, At: at}, turn
	}
	turn.Role = "system"
	if key, ok := strings.CutPrefix(said, tryDigit); ok {
		turn.Text = "You pressed " + key
		return conversation.Digit{Digit: key}, turn
	}
	if said == tryHangUp {
		turn.Text = "You hung up"
		return conversation.Closed{}, turn
	}
	turn.Text = "You said nothing"
	return conversation.Silence{}, turn
}

// agentTurns appends the agent's words and actions.
func agentTurns(turns []ui.Turn, agent string, actions []conversation.Action) []ui.Turn {
	add := func(role, text string) {
		turns = append(turns, ui.Turn{Role: role, Who: agent, Text: text, Start: -1, End: -1})
	}
	for _, action := range actions {
		switch do := action.(type) {
		case conversation.Say:
			add("agent", do.Text)
		case conversation.RecordAnswer:
			add("system", "Answer recorded: "+ui.Sentence(do.Key)+", "+calls.AnswerText(do.Value))
		case conversation.OptOut:
			add("system", "On a call, the number would now be on the do-not-call list")
		case conversation.HangUp:
			add("system", "The agent hangs up")
		}
	}
	return turns
}

// tryVariables returns the unknown variables in the agent's texts, with the values of the
// form.
func tryVariables(script conversation.Script, known conversation.Known, form url.Values) []views.TryVariable {
	var list []views.TryVariable
	for _, name := range script.Variables() {
		if known.Value(name) == "" {
			list = append(list, views.TryVariable{Name: name, Value: form.Get("variables." + name)})
		}
	}
	return list
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
	v, err := s.callMeView(r, a, url.Values{})
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CallMePage(s.Chrome(r), v))
}

// CallMe places one call and shows its page. With the action "hear" of the agent's form, it first
// asks whom to call, and the call only lets the person hear the voice of the form.
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
	in := dialer.Try{AgentID: a.ID, ToNumber: v.To, Name: v.Name, Variables: map[string]string{}, Sample: sample}
	for _, variable := range v.Variables {
		in.Variables[variable.Name] = variable.Value
	}
	// A malformed ID is refused like an unknown ID.
	in.PhoneNumberID, _ = check.ParseID(v.PhoneNumberID)
	in.ProjectID, _ = check.ParseID(v.ProjectID)
	id, err := s.Calling.Try(r.Context(), s.Actor(r), in)
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict:
		v.Errors = ui.ErrorsOf(err)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.CallMePage(s.Chrome(r), v))
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, "/calls/"+id.String())
}

func (s *Server) callMeView(r *http.Request, a project.Agent, form url.Values) (views.CallMe, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	v := views.CallMe{
		AgentID: a.ID.String(), Agent: a.Name, To: form.Get("to_number"), Name: form.Get("name"),
		PhoneNumberID: form.Get("phone_number_id"), ProjectID: form.Get("project_id"),
	}
	// The form has separate fields for the name and the number.
	v.Variables = tryVariables(a.Script, conversation.Known{
		Agent: a.Name, Organization: frame.SignedIn(r).Organization.Name, Name: "name", PhoneNumber: "phone_number",
	}, form)
	numbers, err := page.Collect(ctx, organization, s.Projects.VoiceNumbers)
	if err != nil {
		return v, err
	}
	for _, n := range numbers {
		v.PhoneNumbers = append(v.PhoneNumbers, ui.Option{
			Value: n.ID.String(), Label: frame.NumberLabel(n) + " (" + n.Connection + ")",
		})
	}
	projects, err := page.Collect(ctx, organization, s.Projects.Projects)
	if err != nil {
		return v, err
	}
	for _, p := range projects {
		v.Projects = append(v.Projects, ui.Option{Value: p.ID.String(), Label: p.Name})
	}
	return v, nil
}
