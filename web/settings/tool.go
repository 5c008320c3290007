package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/tool"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const toolsPath = "/settings/tools"

func (s *Server) ListTools(w http.ResponseWriter, r *http.Request) error {
	list, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Tools.List)
	if err != nil {
		return err
	}
	var v views.Tools
	for _, t := range list {
		v.Rows = append(v.Rows, views.ToolRow{
			ID: t.ID.String(), Name: t.Name, Description: t.Description, URL: t.URL, Timeout: t.TimeoutSeconds,
			Created: t.CreatedAt,
		})
	}
	return frame.Render(w, r, http.StatusOK, views.ToolsPage(s.Chrome(r), v))
}

func (s *Server) NewTool(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.ToolFormPage(s.Chrome(r), views.ToolForm{
		Timeout: strconv.Itoa(tool.DefaultTimeout),
	}))
}

// readTool reads the form of a tool.
func readTool(r *http.Request, v *views.ToolForm) (n tool.NewTool, err error) {
	v.Name, v.Description, v.URL = r.PostFormValue("name"), r.PostFormValue("description"), r.PostFormValue("url")
	v.Parameters, v.Headers = r.PostFormValue("parameters"), r.PostFormValue("headers")
	v.DropHeaders, v.Timeout = r.PostFormValue("drop_headers") != "", r.PostFormValue("timeout_seconds")
	v.Say, v.Values = r.PostFormValue("say_while_waiting"), r.PostFormValue("values")
	var p fault.Problems
	n = tool.NewTool{
		Name: v.Name, Description: v.Description, URL: v.URL, Say: v.Say, Headers: frame.Headers(&p, v.Headers),
		TimeoutSeconds: frame.OptionalInt(&p, "timeout_seconds", v.Timeout), Values: readValues(&p, v.Values),
	}
	if text := strings.TrimSpace(v.Parameters); text != "" {
		if n.Parameters = json.RawMessage(text); !json.Valid(n.Parameters) {
			p.Addf("parameters", "must be JSON")
			n.Parameters = nil
		}
	}
	return n, p.Err()
}

// readValues reads lines such as "/slots/0 = first_slot".
func readValues(p *fault.Problems, text string) []tool.Value {
	values := []tool.Value{}
	for i, line := range frame.FilledLines(text) {
		at := strings.LastIndexByte(line, '=')
		if at < 0 {
			p.Addf("values", "line %d must have the form /slots/0 = first_slot", i+1)
			return nil
		}
		values = append(values, tool.Value{
			Pointer: strings.TrimSpace(line[:at]), Variable: strings.TrimSpace(line[at+1:]),
		})
	}
	return values
}

func (s *Server) CreateTool(w http.ResponseWriter, r *http.Request) error {
	var v views.ToolForm
	n, err := readTool(r, &v)
	var problems fault.Problems
	problems.Also(err)
	problems.Also(s.Tools.CheckNew(&n))
	var created tool.Tool
	var secret string
	if err = problems.Err(); err == nil {
		created, secret, err = s.Tools.Create(r.Context(), s.Actor(r), n)
	}
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Unprocessable:
		v.Errors = ui.ErrorsOf(err)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ToolFormPage(s.Chrome(r), v))
	}
	if err != nil {
		return err
	}
	shown := views.ToolSecret{ID: created.ID.String(), Name: created.Name, Secret: secret}
	return frame.RenderSecret(
		s.Server, w, r, http.StatusCreated, toolsPath+"/"+shown.ID, views.ToolSecretPage, shown,
	)
}

// tool reads the tool that the path names.
func (s *Server) tool(r *http.Request) (tool.Tool, error) {
	id, err := frame.PathID(r, "Tool")
	if err != nil {
		return tool.Tool{}, err
	}
	return s.Tools.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

// toolForm is the form of a tool with the saved values.
func toolForm(t tool.Tool) views.ToolForm {
	v := views.ToolForm{
		ID: t.ID.String(), Known: t.Name, Name: t.Name, Description: t.Description, Parameters: indented(t.Parameters),
		URL: t.URL, HeaderNames: t.HeaderNames, Timeout: strconv.Itoa(t.TimeoutSeconds), Say: t.Say,
		PreviousUntil: frame.OrZero(t.PreviousSecretUntil),
	}
	for _, value := range t.Values {
		v.Values += value.Pointer + " = " + value.Variable + "\n"
	}
	return v
}

// indented writes JSON for people.
func indented(text []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}

func (s *Server) EditTool(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.ToolFormPage(s.Chrome(r), toolForm(t)))
}

func (s *Server) UpdateTool(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	v := toolForm(t)
	again := func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ToolFormPage(s.Chrome(r), v))
	}
	n, err := readTool(r, &v)
	if err != nil {
		return again(ui.ErrorsOf(err))
	}
	change := tool.Change{
		Name: &n.Name, Description: &n.Description, Parameters: n.Parameters, URL: &n.URL,
		TimeoutSeconds: n.TimeoutSeconds, Say: &n.Say, Values: &n.Values,
	}
	if len(n.Parameters) == 0 {
		change.Parameters = json.RawMessage("null") // no arguments
	}
	if v.DropHeaders || len(n.Headers) > 0 {
		change.Headers = &n.Headers
	}
	_, err = s.Tools.Update(r.Context(), s.Actor(r), t.ID, change, nil)
	return s.Saved(w, r, err, "Tool saved", toolsPath+"/"+t.ID.String(), again)
}

func (s *Server) TryToolForm(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.ToolTrialPage(s.Chrome(r), views.ToolTrial{
		ID: t.ID.String(), Name: t.Name, Arguments: indented(t.ExampleArguments()),
	}))
}

// TryTool makes the request and shows it with its answer.
func (s *Server) TryTool(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	v := views.ToolTrial{ID: t.ID.String(), Name: t.Name, Arguments: r.PostFormValue("arguments")}
	c := s.Chrome(r)
	c.Path = toolsPath + "/" + v.ID + "/try"
	trial, err := s.Tools.Try(r.Context(), s.Actor(r), t.ID, json.RawMessage(v.Arguments), nil)
	if fault.KindOf(err) == fault.Invalid && err != nil {
		v.Errors = ui.ErrorsOf(err)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ToolTrialPage(c, v))
	}
	if err != nil {
		return err
	}
	v.Done, v.Status, v.Took, v.Problem = true, trial.Status, trial.Took, trial.Problem
	v.Answer, v.Result = trial.Shown, indented(trial.Result)
	v.Request = "POST " + trial.URL + "\n"
	for _, name := range slices.Sorted(maps.Keys(trial.Headers)) {
		v.Request += fmt.Sprintf("%s: %s\n", name, trial.Headers[name])
	}
	v.Request += "\n" + indented(trial.Body)
	if trial.Problem == "" {
		for _, value := range t.Values {
			v.Variables = append(v.Variables, ui.Fact{
				Name: value.Variable, Text: cmp.Or(trial.Values[value.Variable], nothingAt(value.Pointer)),
			})
		}
	}
	return frame.Render(w, r, http.StatusOK, views.ToolTrialPage(c, v))
}

// nothingAt says that an answer has no text, number or yes or no where a value points.
func nothingAt(pointer string) string {
	if pointer == "" {
		return "Not set: the answer is no text, number, true or false"
	}
	return "Not set: nothing usable at " + pointer
}

func (s *Server) ConfirmRotateToolSecret(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RotateToolSecret(t.ID.String(), t.Name, t.SecretMark))
}

// errNoMark refuses a rotation that no form asked for.
var errNoMark = fault.Invalidf("mark", "required").Because(errors.New("a form without its mark"))

// RotateToolSecret answers with the new secret.
func (s *Server) RotateToolSecret(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	mark := r.PostFormValue("mark")
	if mark == "" {
		return errNoMark
	}
	rotated, secret, err := s.Tools.RotateSecret(r.Context(), s.Actor(r), t.ID, mark)
	if fault.KindOf(err) == fault.Conflict {
		s.Toast(r, "The secret was already rotated, and the new one was shown then. If you lost it, rotate again.")
		return frame.SeeOther(w, r, toolsPath+"/"+t.ID.String())
	}
	if err != nil {
		return err
	}
	shown := views.ToolSecret{
		ID: t.ID.String(), Name: t.Name, Secret: secret, Rotated: true,
		Until: frame.OrZero(rotated.PreviousSecretUntil),
	}
	return frame.RenderSecret(
		s.Server, w, r, http.StatusOK, toolsPath+"/"+shown.ID, views.ToolSecretPage, shown,
	)
}

func (s *Server) ConfirmRemoveTool(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RemoveSetting("Tools", toolsPath, t.ID.String(), "tool", t.Name,
		"Agents can no longer use it, and its secrets are deleted."))
}

func (s *Server) RemoveTool(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tool(r)
	if err != nil {
		return err
	}
	err = s.Tools.Deactivate(r.Context(), s.Actor(r), t.ID)
	return s.Done(w, r, err, "Tool removed", toolsPath)
}

// toolChoices are the organization's tools, for an agent to choose from.
func (s *Server) toolChoices(r *http.Request) ([]ui.Option, error) {
	list, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Tools.List)
	if err != nil {
		return nil, err
	}
	options := make([]ui.Option, len(list))
	for i, t := range list {
		options[i] = ui.Option{Value: t.ID.String(), Label: t.Name}
	}
	return options, nil
}

// templateChoices are the WhatsApp templates that can be sent, for an agent to choose from.
func (s *Server) templateChoices(r *http.Request) ([]ui.Option, error) {
	list, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.WhatsApp.Templates)
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	for _, t := range list {
		if t.Content.Obstacle() == "" {
			options = append(options, ui.Option{
				Value: t.ID.String(), Label: t.Content.Name + " (" + t.Content.Language + "), " + t.Connection,
			})
		}
	}
	slices.SortFunc(options, func(a, b ui.Option) int { return cmp.Compare(a.Label, b.Label) })
	return options, nil
}
