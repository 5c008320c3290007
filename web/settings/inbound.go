package settings

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// EditInbound shows the form of what happens when people call a number.
func (s *Server) EditInbound(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	if restored, err := s.Restored(r); err != nil {
		return err
	} else if restored {
		v, _ := readInbound(r.PostForm)
		v.Revision = r.PostForm.Get("revision")
		return s.inboundForm(w, r, http.StatusOK, n, v)
	}
	in, err := s.Projects.Inbound(r.Context(), frame.SignedIn(r).Organization.ID, n.ID)
	if err != nil {
		return err
	}
	organization := frame.SignedIn(r).Organization
	at := in.Settings
	v := views.InboundForm{
		Happens: string(at.Action), ForwardTo: at.ForwardTo, Outside: string(project.InboundMessage),
		Message: spokenForm(at.Message), Closed: spokenForm(nil),
		Revision: in.Revision(),
	}
	if in.AgentID != nil {
		v.AgentID = in.AgentID.String()
	}
	if in.ProjectID != nil {
		v.ProjectID = in.ProjectID.String()
	}
	open, mode := hours.Default(), "always"
	open.Timezone = organization.TimeZone
	if at.Hours != nil {
		open, mode = *at.Hours, "custom"
	}
	v.Hours = frame.HoursForm(open, mode)
	if at.Outside != nil {
		v.Outside, v.Closed = string(at.Outside.Action), spokenForm(at.Outside.Message)
	}
	return s.inboundForm(w, r, http.StatusOK, n, v)
}

// spokenForm shows a message. Without one, it is the standard message.
func spokenForm(m *project.InboundText) views.SpokenForm {
	if m == nil {
		return views.SpokenForm{Language: "en-US"}
	}
	voice := speechForm(speech.Settings{}.With(m.Speech), conversation.Script{})
	return views.SpokenForm{
		Text: m.Text, Language: m.Language, Voice: voice.Voice, VoiceID: voice.VoiceID, Model: voice.Model,
		Transcription: voice.Transcription,
	}
}

// inboundForm shows the form with its choices.
func (s *Server) inboundForm(
	w http.ResponseWriter, r *http.Request, status int, n project.PhoneNumber, v views.InboundForm,
) error {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	v.ID, v.Number, v.Carrier, v.Sandbox = n.ID.String(), n.PhoneNumber.String(), n.Carrier.Label(),
		n.Carrier == project.Sandbox
	var err error
	if v.Agents, err = s.AgentOptions(r); err != nil {
		return err
	}
	if v.Projects, err = s.ProjectOptions(r); err != nil {
		return err
	}
	for _, m := range []*views.SpokenForm{&v.Message, &v.Closed} {
		if m.Voices = voiceOptions(m.Language); !listed(m.Voices, m.Voice) {
			m.Voice = ""
		}
	}
	// Without the addresses, for example on a server without the sandbox, the settings can still be changed.
	if must, err := s.Projects.InboundAddresses(ctx, organization, n.ID); err == nil {
		v.VoiceURL, v.StatusURL = must.VoiceURL, must.StatusCallback
	} else {
		s.Log.Warn("find the addresses of a number", "request_id", frame.RequestID(r), "error", err)
	}
	return frame.Render(w, r, status, views.InboundPage(s.Chrome(r), v))
}

// UpdateInbound saves what happens when people call a number.
func (s *Server) UpdateInbound(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	v, in := readInbound(r.PostForm)
	if in.ForwardTo != "" {
		in.ForwardTo = frame.ReadPhone(in.ForwardTo, s.regionOf(r, in.ProjectID))
	}
	v.Revision, in.Revision = r.PostForm.Get("revision"), r.PostForm.Get("revision")
	switch r.PostForm.Get("action") {
	case "window":
		v.Hours = frame.OneMoreWindow(r.PostForm, v.Hours)
		return s.inboundForm(w, r, http.StatusOK, n, v)
	case "language":
		return s.inboundForm(w, r, http.StatusOK, n, v)
	}
	_, err = s.Projects.SetInbound(r.Context(), s.Actor(r), n.ID, in, nil)
	return s.Saved(w, r, err, "Saved. It applies to the next call", phoneNumbersPath+"/"+n.ID.String(),
		func(e ui.Errors) error {
			if fault.KindOf(err) == fault.Stale {
				now, err := s.Projects.Inbound(r.Context(), frame.SignedIn(r).Organization.ID, n.ID)
				if err != nil {
					return err
				}
				v.Revision = now.Revision()
			}
			v.Errors = inboundErrors(e, v)
			return s.inboundForm(w, r, http.StatusUnprocessableEntity, n, v)
		})
}

// readInbound reads the form. What belongs to another choice than the chosen one is no part of the settings.
func readInbound(form url.Values) (views.InboundForm, project.InboundInput) {
	v := views.InboundForm{
		Happens: form.Get("inbound"), AgentID: form.Get("agent_id"), ProjectID: form.Get("project_id"),
		ForwardTo: form.Get("forward_to"), Outside: form.Get("outside"), Hours: frame.ReadHours(form),
		Message: readSpoken(form, "message."), Closed: readSpoken(form, "outside.message."),
	}
	v.Hours.Clock = "zone" // the number has one, whoever calls
	in := project.InboundInput{ProjectID: v.ProjectID}
	switch in.Action = project.InboundAction(v.Happens); in.Action {
	case project.InboundMessage:
		in.Message = spoken(v.Message)
	case project.InboundAgent:
		in.AgentID = v.AgentID
	case project.InboundForward:
		in.ForwardTo = v.ForwardTo
	case project.InboundReject:
	}
	if v.Hours.Mode == "custom" {
		open := frame.CustomHours(v.Hours)
		in.Hours, in.Outside = &open, &project.InboundOutside{Action: project.InboundAction(v.Outside)}
		if in.Outside.Action == project.InboundMessage {
			in.Outside.Message = spoken(v.Closed)
		}
	}
	return v, in
}

func readSpoken(form url.Values, at string) views.SpokenForm {
	return views.SpokenForm{
		Text: form.Get(at + "text"), Language: form.Get(at + "language"), Voice: form.Get(at + "voice"),
		VoiceID: form.Get(at + "voice_id"), Model: form.Get(at + "model"),
		Transcription: form.Get(at + "transcription"),
	}
}

// spoken returns the message of a form, or nil for the standard message.
func spoken(m views.SpokenForm) *project.InboundText {
	if strings.TrimSpace(m.Text) == "" {
		return nil
	}
	return &project.InboundText{
		Text: m.Text, Language: m.Language, Speech: enginesOf(views.SpeechForm{
			Voice: m.Voice, VoiceID: m.VoiceID, Model: m.Model, Transcription: m.Transcription,
		}),
	}
}

// inboundErrors moves the problems of settings to the fields of the form.
func inboundErrors(e ui.Errors, v views.InboundForm) ui.Errors {
	moved := ui.Errors{}
	for path, message := range e {
		switch {
		case path == "action":
			path = "inbound"
		case path == "outside.action":
			path = "outside"
		case path == "hours" || strings.HasPrefix(path, "hours."):
			path = "calling_" + path
		default:
			if at, _, ok := strings.Cut(path, ".speech."); ok {
				path = at + ".voice"
				chosen := map[string]string{"message": v.Message.Voice, "outside.message": v.Closed.Voice}[at]
				if chosen == otherElevenLabs {
					path = at + ".voice_id"
				}
			}
		}
		moved[path] = message
	}
	return moved
}

// inboundWords says what happens when people call a number.
func (s *Server) inboundWords(r *http.Request, in project.Inbound) (string, error) {
	var words string
	switch at := in.Settings; at.Action {
	case project.InboundAgent:
		words = "They talk with an agent"
		if in.AgentID != nil {
			organization := frame.SignedIn(r).Organization.ID
			names, err := s.Projects.AgentNames(r.Context(), organization, []uuid.UUID{*in.AgentID})
			if err != nil {
				return "", err
			}
			words = "They talk with " + names[*in.AgentID]
		}
	case project.InboundForward:
		words = "They are forwarded to " + ui.Phone(at.ForwardTo)
	case project.InboundReject:
		words = "They are rejected"
	default:
		words = "They hear the standard message"
		if at.Message != nil {
			words = "They hear your message"
		}
	}
	return words, nil
}

// carrierWords names the carrier of a number within a sentence.
func carrierWords(k project.Kind) string {
	if k == project.Sandbox {
		return "the sandbox"
	}
	return k.Label()
}

// InboundSetUp compares what a number does at its carrier with what it must do.
func (s *Server) InboundSetUp(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	return s.showInboundSetUp(w, r, http.StatusOK, n, "")
}

func (s *Server) showInboundSetUp(
	w http.ResponseWriter, r *http.Request, status int, n project.PhoneNumber, problem string,
) error {
	v := views.InboundSetUp{
		ID: n.ID.String(), Number: n.PhoneNumber.String(), Carrier: carrierWords(n.Carrier), Problem: problem,
	}
	set, err := s.Projects.InboundSetUp(r.Context(), frame.SignedIn(r).Organization.ID, n.ID)
	switch fault.KindOf(err) {
	case fault.Conflict, fault.BadGateway:
		if problem == "" {
			v.Problem = ui.ErrorsOf(err).For("")
		}
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.InboundSetUpPage(s.Chrome(r), v))
	}
	if err != nil {
		return err
	}
	v.Revision, v.Done, v.Rows = set.Revision(), set.Done(), setUpRows(set.Resource())
	return frame.Render(w, r, status, views.InboundSetUpPage(s.Chrome(r), v))
}

// setUpRows are the settings of a number at its carrier. What replaces the addresses is shown only where it is set.
func setUpRows(set project.InboundSetUpResource) []views.SetUpRow {
	values := func(do carrier.NumberSetUp) []string {
		with := func(address, method string) string {
			if address == "" {
				return ""
			}
			return method + " " + address
		}
		return []string{
			with(do.VoiceURL, do.VoiceMethod), with(do.VoiceFallbackURL, do.VoiceFallbackMethod),
			with(do.StatusCallback, do.StatusCallbackMethod), do.VoiceApplicationSID, do.TrunkSID,
		}
	}
	now, after := values(set.Now), values(set.After)
	var rows []views.SetUpRow
	for i, name := range []string{
		"A call comes in", "Primary handler fails", "Call status changes", "Application, instead of the addresses",
		"SIP trunk, instead of the addresses",
	} {
		if i < 3 || now[i] != "" {
			rows = append(rows, views.SetUpRow{Name: name, Now: now[i], After: after[i]})
		}
	}
	return rows
}

// SetUpInbound sets a number up at its carrier as the person has seen it.
func (s *Server) SetUpInbound(w http.ResponseWriter, r *http.Request) error {
	n, err := s.phoneNumber(r)
	if err != nil {
		return err
	}
	_, err = s.Projects.SetUpInbound(r.Context(), s.Actor(r), n.ID, r.PostForm.Get("revision"))
	return s.Saved(w, r, err, "The number is set up", phoneNumbersPath+"/"+n.ID.String()+"/inbound",
		func(e ui.Errors) error {
			problem := e.For("")
			if problem == "" {
				problem = "Check the difference again"
			}
			return s.showInboundSetUp(w, r, http.StatusConflict, n, strings.TrimSuffix(problem, "."))
		})
}

// peopleShown is how many people a page offers as callers.
const peopleShown = 5

// NewSandboxCall shows the form that lets a simulated person call a number.
func (s *Server) NewSandboxCall(w http.ResponseWriter, r *http.Request) error {
	return s.sandboxCallForm(w, r, http.StatusOK, views.SandboxCall{})
}

func (s *Server) sandboxCallForm(w http.ResponseWriter, r *http.Request, status int, v views.SandboxCall) error {
	id, err := frame.PathID(r, "Phone number")
	if err != nil {
		return err
	}
	organization := frame.SignedIn(r).Organization.ID
	n, err := s.Projects.SandboxNumber(r.Context(), organization, id)
	if err != nil {
		return err
	}
	v.ID, v.Number = n.ID.String(), n.PhoneNumber.String()
	people, err := s.Calls.LastCalledFrom(r.Context(), organization, n.ID, peopleShown)
	if err != nil {
		return err
	}
	for _, p := range people {
		label := ui.Phone(p.Number)
		if p.Name != "" {
			label = p.Name + ", " + label
		}
		v.People = append(v.People, ui.Check{Value: p.Number, Label: label})
	}
	if v.Who == "" {
		v.Who = "withheld"
		if len(people) > 0 {
			v.Who = people[0].Number
		}
	}
	for _, c := range sandbox.Callers() {
		v.Callers = append(v.Callers, ui.Option{Value: c.Digits, Label: ui.Capital(c.Text)})
	}
	return frame.Render(w, r, status, views.SandboxCallPage(s.Chrome(r), v))
}

// CallInSandbox lets a simulated person call a number.
func (s *Server) CallInSandbox(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Phone number")
	if err != nil {
		return err
	}
	v := views.SandboxCall{
		Who: r.PostForm.Get("who"), From: r.PostForm.Get("from_number"), Caller: r.PostForm.Get("caller"),
	}
	in := project.SandboxCall{From: v.Who, Withheld: v.Who == "withheld", Caller: v.Caller}
	if v.Who == "other" {
		in.From = v.From
	}
	err = s.Projects.CallInSandbox(r.Context(), s.Actor(r), id, in)
	return s.Saved(w, r, err, "The call comes in", "/calls?direction="+string(call.Inbound), func(e ui.Errors) error {
		v.Errors = e
		return s.sandboxCallForm(w, r, http.StatusUnprocessableEntity, v)
	})
}
