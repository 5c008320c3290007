package settings

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const agentsPath = "/agents"

func (s *Server) ListAgents(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Projects.Agents(r.Context(), frame.SignedIn(r).Organization.ID, frame.WholePage(r))
	if err != nil {
		return err
	}
	var v views.Agents
	for _, a := range list.Data {
		v.Rows = append(v.Rows, views.Agent{
			ID: a.ID.String(), Name: a.Name, Kind: string(a.Kind), Language: a.Language, Unheard: a.Unheard() != "",
			Changed:   a.Published != nil && len(a.DraftChanges()) > 0,
			Greeting:  a.Script.Greeting,
			Questions: len(a.Script.Questions), Created: a.CreatedAt,
		})
	}
	v.Order, v.Pager = frame.Sorted(r, agentsPath, list.NextCursor, v.Rows, "-created",
		frame.ByText("name", func(a views.Agent) string { return a.Name }),
		frame.ByText("language", func(a views.Agent) string { return ui.LanguageName(a.Language) }),
		frame.ByAmount("questions", func(a views.Agent) int { return a.Questions }),
		frame.ByTime("created", func(a views.Agent) time.Time { return a.Created }))
	return frame.Render(w, r, http.StatusOK, views.AgentsPage(s.Chrome(r), v))
}

func (s *Server) NewAgent(w http.ResponseWriter, r *http.Request) error {
	v := views.AgentForm{
		Kind: string(project.Scripted), Language: "en-US", Questions: make([]views.QuestionForm, 1),
		Speech: speechForm(speech.Default(), conversation.Script{}),
	}
	restored, err := s.Restored(r)
	if err != nil {
		return err
	}
	if restored {
		v = views.AgentForm{}
		readAgent(r.PostForm, &v)
	}
	return s.renderAgent(w, r, http.StatusOK, v)
}

func (s *Server) renderAgent(w http.ResponseWriter, r *http.Request, status int, v views.AgentForm) error {
	if v.ID != "" {
		a, err := s.agent(r)
		if err != nil {
			return err
		}
		if v.Tabs, err = s.agentTabs(r, a); err != nil {
			return err
		}
	}
	if v.Model.Connections == nil {
		if _, err := s.agentChoices(r, &v.Model); err != nil {
			return err
		}
	}
	v.Untranslated = untranslated(v)
	var err error
	if v.DestinationsOf, err = s.DestinationOptions(r, nil); err != nil {
		return err
	}
	withBranchWords(&v, v.DestinationsOf)
	if v.CallsFrom, err = s.callsFrom(r); err != nil {
		return err
	}
	return frame.Render(w, r, status, views.AgentFormPage(s.Chrome(r), withSpeechOptions(v)))
}

// agent reads the agent that the path names.
func (s *Server) agent(r *http.Request) (project.Agent, error) {
	id, err := frame.PathID(r, "Agent")
	if err != nil {
		return project.Agent{}, err
	}
	return s.Projects.Agent(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// EditAgent shows the form of an agent to people who may change it. Others, and everybody after its removal, read what
// it says and does.
func (s *Server) EditAgent(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	if !mayChange(r) || a.DeactivatedAt != nil {
		return s.readAgentPage(w, r, a)
	}
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		v := views.AgentForm{ID: a.ID.String()}
		readAgent(r.PostForm, &v)
		return s.renderAgent(w, r, http.StatusOK, v)
	}
	script := a.Kept.Into(a.Script) // with a model, which shows when the person chooses it
	model := agentModelForm(script.Model)
	known, err := s.agentChoices(r, &model)
	if err != nil {
		return err
	}
	v := views.AgentForm{
		ID: a.ID.String(), Name: a.Name, Kind: string(a.Kind), Language: a.Language, Unheard: a.Unheard(),
		Revision: a.Revision(),
		Speech:   speechForm(a.Speech, a.Script),
		Greeting: a.Script.Greeting, InboundGreeting: a.Script.InboundGreeting, Disclosure: a.Script.Disclosure,
		NotUnderstood: a.Script.NotUnderstood, Goodbye: a.Script.Goodbye, VoicemailMessage: a.Script.VoicemailMessage,
		RecordCalls: a.RecordCalls, Draft: draftView(a, known), Model: model,
		Languages: languageForms(script),
	}
	v.Success = a.Script.Analysis.Success
	if id := a.Script.Analysis.ConnectionID; id != nil {
		v.AnalyzedBy = id.String()
	}
	if t := a.Script.Transfer; t != nil {
		for _, id := range t.Destinations {
			v.Destinations = append(v.Destinations, id.String())
		}
		if t.HumanID != nil {
			v.HumanID = t.HumanID.String()
		}
	}
	for i, q := range script.Questions {
		v.Questions = append(v.Questions, views.QuestionForm{
			Key: q.Key, Ask: q.Ask, Description: q.Description, Expect: string(q.Expect), Optional: !q.IsRequired(),
			Options: strings.Join(q.Options, "\n"),
			Min:     frame.WrittenFloat(q.Min), Max: frame.WrittenFloat(q.Max),
			Asks: askForms(q, script), TranslatedOptions: optionForms(q, script), Branches: branchForms(script, i),
		})
		if q.FollowUp != nil {
			v.Questions[i].FollowUp = ruleForm(*q.FollowUp)
		}
	}
	return s.renderAgent(w, r, http.StatusOK, v)
}

func (s *Server) CreateAgent(w http.ResponseWriter, r *http.Request) error {
	return s.saveAgent(w, r, &views.AgentForm{}, func(settings project.AgentSettings) (project.Agent, error) {
		return s.Projects.CreateAgent(r.Context(), s.Actor(r), settings)
	}, "Agent created. Version 1 is published")
}

func (s *Server) UpdateAgent(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	publish, done := r.PostForm.Get("publish") != "", "Draft saved"
	if publish {
		done = "Agent published"
	}
	v := views.AgentForm{ID: a.ID.String()}
	return s.saveAgent(w, r, &v, func(settings project.AgentSettings) (project.Agent, error) {
		a, err := s.Projects.UpdateAgent(r.Context(), s.Actor(r), a.ID, settings)
		if err == nil && publish && len(a.DraftChanges()) > 0 {
			_, err = s.Projects.PublishAgent(r.Context(), s.Actor(r), a.ID, project.Publishing{
				Note: r.PostForm.Get("note"),
			})
			if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.Conflict {
				err = fault.Conflictf("The draft is saved, but not published. %s", f.Message)
			}
		}
		switch fault.KindOf(err) {
		case fault.Stale, fault.Conflict: // the draft as others saved it, which the form now tells, or as saved here
			if now, err := s.agent(r); err == nil {
				v.Revision = now.Revision()
			}
		}
		return a, err
	}, done)
}

// saveAgent saves the form, or shows it again after a button has changed its questions.
func (s *Server) saveAgent(
	w http.ResponseWriter, r *http.Request, v *views.AgentForm,
	save func(project.AgentSettings) (project.Agent, error), done string,
) error {
	readAgent(r.PostForm, v)
	if action := r.PostForm.Get("action"); action != "" {
		if changeLanguages(v, action) {
			return s.renderAgent(w, r, http.StatusOK, *v)
		}
		var ofBranch bool
		if v.Focus, ofBranch = changedBranches(v.Questions, action); !ofBranch {
			v.Questions = keepTargets(v.Questions, func(all []views.QuestionForm) (changed []views.QuestionForm) {
				changed, v.Focus = changedQuestions(all, action)
				return changed
			})
		}
		return s.renderAgent(w, r, http.StatusOK, *v)
	}
	dropEmptyLanguages(v)
	v.Questions = askedQuestions(v.Questions, v.Language)
	again := func(e ui.Errors) error {
		v.Errors = kindErrors(branchErrors(speechErrors(e, *v), v.Questions), v.Kind)
		return s.renderAgent(w, r, http.StatusUnprocessableEntity, *v)
	}
	settings, problems := agentSettings(*v)
	if problems != nil {
		return again(problems)
	}
	if r.PostForm.Get("publish") != "" && len(settings.Script.Untranslated()) > 0 {
		done += ". Some texts are not translated: see Other languages"
	}
	a, err := save(settings)
	return s.Saved(w, r, err, done, agentsPath+"/"+a.ID.String(), again)
}

// kindErrors names the questions of an agent with a language model as its form does: fields.
func kindErrors(e ui.Errors, kind string) ui.Errors {
	if kind == string(project.ModelHeld) {
		for path, message := range e {
			if strings.HasPrefix(path, "questions") {
				e[path] = strings.ReplaceAll(message, "question", "field")
			}
		}
	}
	return e
}

// maxQuestionRows bounds the questions that are read from a form. The domain bounds the
// script.
const maxQuestionRows = 100

// changedQuestions applies a button of the form to its questions. focus is the button
// that gets the focus next.
func changedQuestions(all []views.QuestionForm, action string) (changed []views.QuestionForm, focus string) {
	do, at, _ := strings.Cut(action, ":")
	i, err := strconv.Atoi(at)
	here := err == nil && i >= 0 && i < len(all)
	button := func(do string, i int) string { return do + ":" + strconv.Itoa(i) }
	switch {
	case do == "add" && len(all) < maxQuestionRows:
		return append(all, views.QuestionForm{}), button("ask", len(all))
	case do == "insert" && here && len(all) < maxQuestionRows:
		return slices.Insert(all, i+1, views.QuestionForm{}), button("ask", i+1)
	case do == "remove" && here:
		if all = slices.Delete(all, i, i+1); len(all) == 0 {
			return all, "add"
		}
		return all, button("remove", min(i, len(all)-1))
	case do == "up" && here && i > 0:
		all[i-1], all[i] = all[i], all[i-1]
		if i == 1 {
			return all, button("down", 0)
		}
		return all, button("up", i-1)
	case do == "down" && here && i+1 < len(all):
		all[i+1], all[i] = all[i], all[i+1]
		if i+2 == len(all) {
			return all, button("up", i+1)
		}
		return all, button("down", i+1)
	}
	return all, ""
}

// askedQuestions drops the empty questions, so that the rest have the same numbers as in
// the script. It proposes a key for each question without one.
func askedQuestions(all []views.QuestionForm, language string) []views.QuestionForm {
	asked := keepTargets(all, func(all []views.QuestionForm) []views.QuestionForm {
		return slices.DeleteFunc(all, func(q views.QuestionForm) bool {
			return strings.TrimSpace(q.Key+q.Ask+q.Description+q.Options) == ""
		})
	})
	keys := make([]string, len(asked))
	for i, q := range asked {
		keys[i] = strings.TrimSpace(q.Key)
	}
	for i, q := range asked {
		if keys[i] == "" && strings.TrimSpace(q.Ask) != "" {
			keys[i] = conversation.ProposeKey(q.Ask, language, keys)
			asked[i].Key = keys[i]
		}
	}
	return asked
}

// readAgent reads the form.
func readAgent(form url.Values, v *views.AgentForm) {
	v.Note = form.Get("note")
	v.Revision = form.Get("revision")
	v.Kind, v.Model = form.Get("kind"), readAgentModel(form)
	v.AnalyzedBy, v.Success = form.Get("analysis.connection_id"), form.Get("analysis.success")
	v.Name, v.Language, v.Speech = form.Get("name"), form.Get("language"), readSpeech(form)
	v.Greeting, v.InboundGreeting = form.Get("greeting"), form.Get("inbound_greeting")
	v.Disclosure = form.Get("disclosure")
	v.RecordCalls = form.Get("record_calls") == "on"
	v.NotUnderstood = form.Get("not_understood")
	v.Goodbye, v.VoicemailMessage = form.Get("goodbye"), form.Get("voicemail_message")
	v.Destinations, v.HumanID = form["transfer.destinations"], form.Get("transfer.human_id")
	v.Languages = readLanguages(form)
	for i := range maxQuestionRows {
		at := "questions[" + strconv.Itoa(i) + "]."
		if !form.Has(at + "ask") {
			break
		}
		q := views.QuestionForm{
			Key: form.Get(at + "key"), Ask: form.Get(at + "ask"), Expect: form.Get(at + "expect"),
			Description: form.Get(at + "description"), Optional: form.Get(at+"optional") == "on",
			Options: form.Get(at + "options"),
			Min:     form.Get(at + "min"), Max: form.Get(at + "max"),
			Asks:              readTranslations(form, at+"asks", len(v.Languages)),
			TranslatedOptions: readTranslations(form, at+"translated_options", len(v.Languages)),

			FollowUp: readRule(form, at+"follow_up."),
			Branches: readBranches(form, at, len(v.Languages)),
		}
		v.Questions = append(v.Questions, q)
	}
}

func agentSettings(v views.AgentForm) (project.AgentSettings, ui.Errors) {
	settings := project.AgentSettings{Name: v.Name, RecordCalls: v.RecordCalls, Revision: v.Revision,
		Script: conversation.Script{
			Language: v.Language, Greeting: v.Greeting, InboundGreeting: v.InboundGreeting, Disclosure: v.Disclosure,
			Questions:     []conversation.Question{},
			NotUnderstood: v.NotUnderstood, Goodbye: v.Goodbye, VoicemailMessage: v.VoicemailMessage,
		}}
	var p fault.Problems
	settings.Speech = speechSettings(v.Speech, &settings.Script, &p)
	settings.Script.Model = agentModel(v, &p)
	settings.Script.Analysis.Success = strings.TrimSpace(strings.ReplaceAll(v.Success, "\r\n", "\n"))
	if v.AnalyzedBy != "" { // a malformed ID is refused like an unknown ID
		id, _ := check.ParseID(v.AnalyzedBy)
		settings.Script.Analysis.ConnectionID = &id
	}
	settings.Script.Languages = translations(v)
	settings.Script.Transfer = transferSettings(v)
	for i, row := range v.Questions {
		q := conversation.Question{
			Key: strings.TrimSpace(row.Key), Ask: strings.TrimSpace(row.Ask), Expect: conversation.Expect(row.Expect),
			Description: strings.TrimSpace(row.Description), Asks: entered(row.Asks, settings.Script.Languages),
		}
		if row.Optional {
			q.Required = new(bool)
		}
		// The form keeps the fields that this type of answer does not use. The script
		// omits them.
		switch q.Expect {
		case conversation.Choice:
			q.Options = frame.FilledLines(row.Options)
			q.TranslatedOptions = translatedOptions(row, settings.Script.Languages)
		case conversation.Number:
			at := "questions[" + strconv.Itoa(i) + "]."
			q.Min, q.Max = frame.OptionalFloat(&p, at+"min", row.Min), frame.OptionalFloat(&p, at+"max", row.Max)
		}
		at := "questions[" + strconv.Itoa(i) + "]."
		q.FollowUp = answerRule(&p, at+"follow_up.", q.Expect, row.FollowUp)
		q.Branches = branches(&p, v, i, q.Expect, settings.Script.Languages)
		settings.Script.Questions = append(settings.Script.Questions, q)
	}
	settings.Kept = keptModel(v, settings.Script.Questions)
	if p.Len() > 0 {
		p.Also(settings.Validate())
	}
	return settings, ui.ErrorsOf(p.Err())
}

func (s *Server) ConfirmRemoveAgent(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSetting("Agents", agentsPath, a.ID.String(), "agent", a.Name,
		"New campaigns can no longer use it. Its calls and transcripts stay."))
}

func (s *Server) RemoveAgent(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Projects.DeactivateAgent(r.Context(), s.Actor(r), a.ID), "Agent removed", agentsPath)
}
