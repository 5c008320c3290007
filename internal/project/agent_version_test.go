package project_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

func TestVersionsOfAnAgent(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	a := f.agent(t)
	if a.Published == nil || a.Published.Number != 1 || len(a.DraftChanges()) != 0 || len(a.Published.SHA256) != 64 {
		t.Fatalf("a new agent: %+v", a.Published)
	}
	publish := func(p project.Publishing) (project.Agent, error) {
		return f.projects.PublishAgent(ctx, f.actor, a.ID, p)
	}
	_, err := publish(project.Publishing{})
	wantFault(t, err, fault.Conflict, "The draft is the same as version 1, which is published")
	_, err = publish(project.Publishing{Note: strings.Repeat("x", 501)})
	wantFault(t, err, fault.Invalid, "note: must have at most 500 characters")

	change := nora()
	change.Name, change.Script.Greeting, change.RecordCalls = "Nina", "Good morning.", true
	if a, err = f.projects.UpdateAgent(ctx, f.actor, a.ID, change); err != nil || a.Name != "Nina" ||
		a.Published.Number != 1 || a.Published.Script.Greeting != nora().Script.Greeting || a.Followed().RecordCalls {
		t.Fatalf("saving changes the draft alone: %+v, %v", a, err)
	}
	if got := fields(a.DraftChanges()); got != "greeting record_calls" {
		t.Errorf("the draft differs in %s", got)
	}
	if a, err = publish(project.Publishing{Note: " Warmer "}); err != nil || a.Published.Number != 2 ||
		a.Published.Note != "Warmer" || len(a.DraftChanges()) != 0 {
		t.Fatalf("%+v, %v", a.Published, err)
	}

	// An earlier version is published again, without a new number. The draft stays.
	one, two, nine := 1, 2, 9
	_, err = publish(project.Publishing{Version: &two})
	wantFault(t, err, fault.Conflict, "Version 2 is already published")
	_, err = publish(project.Publishing{Version: &nine})
	wantFault(t, err, fault.Invalid, "version: no such version")
	if a, err = publish(project.Publishing{Version: &one, Note: "Too warm"}); err != nil || a.Published.Number != 1 ||
		a.Script.Greeting != "Good morning." || fields(a.DraftChanges()) != "greeting record_calls" {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err = f.projects.DiscardAgentDraft(ctx, f.actor, a.ID); err != nil || len(a.DraftChanges()) != 0 ||
		a.Script.Greeting != nora().Script.Greeting || a.Name != "Nina" {
		t.Fatalf("%+v, %v", a, err)
	}

	list, err := f.projects.AgentVersions(ctx, f.org(), a.ID, page.Request{})
	if err != nil || len(list.Data) != 2 || list.Data[0].Number != 2 || list.Data[1].Number != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if p := list.Data[1].Publications; len(p) != 2 || p[0].Note != "Too warm" || p[0].PublishedBy != f.actor.Name ||
		p[1].PublishedAt.After(p[0].PublishedAt) {
		t.Errorf("version 1 was published %+v", p)
	}
	v, changes, err := f.projects.AgentVersion(ctx, f.org(), a.ID, 2)
	if err != nil || v.Script.Greeting != "Good morning." || fields(changes) != "greeting record_calls" ||
		changes[0].Before != "Hello {{name|there}}." || changes[1].After != true {
		t.Errorf("%+v, %+v, %v", v, changes, err)
	}
	_, _, err = f.projects.AgentVersion(ctx, f.org(), a.ID, 3)
	wantFault(t, err, fault.NotFound, "Version not found")

	for what, err := range map[string]error{
		"publish": second(f.projects.PublishAgent(ctx, f.stranger, a.ID, project.Publishing{})),
		"discard": second(f.projects.DiscardAgentDraft(ctx, f.stranger, a.ID)),
		"list":    second(f.projects.AgentVersions(ctx, f.stranger.OrganizationID, a.ID, page.Request{})),
	} {
		if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "Agent not found") {
			t.Errorf("a stranger may %s: %v", what, err)
		}
	}
	_, _, err = f.projects.AgentVersion(ctx, f.stranger.OrganizationID, a.ID, 1)
	wantFault(t, err, fault.NotFound, "Version not found")
	if got := audited(t, f.db.Pool, a.ID); !slices.Equal(got, []string{
		"agent.created", "agent.updated", "agent.published", "agent.published", "agent.draft_discarded",
	}) {
		t.Errorf("audited %v", got)
	}
	if _, err := f.db.Pool.Exec(ctx, `update agent_version set note = 'Changed'`); err == nil {
		t.Error("a version can be changed")
	}
}

func second[T any](_ T, err error) error { return err }

func fields(changes []project.Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, c.Field)
	}
	return strings.Join(all, " ")
}

// Two publications at the same time make one version of one draft.
func TestADraftIsPublishedOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	a := f.agent(t)
	change := nora()
	change.Script.Goodbye = "Bye."
	if _, err := f.projects.UpdateAgent(t.Context(), f.actor, a.ID, change); err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 4)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			_, errs[i] = f.projects.PublishAgent(t.Context(), f.actor, a.ID, project.Publishing{})
		})
	}
	all.Wait()
	published := 0
	for _, err := range errs {
		if err == nil {
			published++
		} else {
			wantFault(t, err, fault.Conflict, "The draft is the same as version 2, which is published")
		}
	}
	if published != 1 {
		t.Errorf("published %d times", published)
	}
}

func TestChangesOfAnAgent(t *testing.T) {
	t.Parallel()
	before := project.AgentContent{Kind: project.Scripted, Script: nora().Script, Speech: nora().Speech}
	content := func(change func(*project.AgentContent)) project.AgentContent {
		c := before
		c.Script.Questions = slices.Clone(c.Script.Questions)
		change(&c)
		return c
	}
	nudges := conversation.DefaultNudges
	for want, after := range map[string]project.AgentContent{
		`[]`: content(func(c *project.AgentContent) {
			c.Script.SilenceSeconds, c.Script.Nudges = conversation.DefaultSilence, &nudges
			c.Speech.Hints = slices.Clone(c.Speech.Hints)
		}),
		`[{"field":"silence_seconds","before":8,"after":12}]`: content(func(c *project.AgentContent) {
			c.Script.SilenceSeconds = 12
		}),
		`[{"field":"speech.voice","before":"Joanna-Neural","after":"Ruth-Neural"}]`: content(
			func(c *project.AgentContent) { c.Speech.Voice = "Ruth-Neural" }),
		`[{"field":"questions[pain].ask","before":"How bad is it?","after":"How much?"},` +
			`{"field":"questions[pain].max","before":10,"after":null}]`: content(func(c *project.AgentContent) {
			c.Script.Questions[1].Ask, c.Script.Questions[1].Max = "How much?", nil
		}),
		`[{"field":"questions","before":["coming","pain"],"after":["pain","coming"]}]`: content(
			func(c *project.AgentContent) { slices.Reverse(c.Script.Questions) }),
		`[{"field":"questions[new]","before":null,"after":{"ask":"And?","asks":{},"branches":[],` +
			`"description":"","expect":"text",` +
			`"follow_up":null,"key":"new","max":null,"min":null,"options":[],"required":true,` +
			`"translated_options":{}}},` +
			`{"field":"questions[coming]","before":{"ask":"Are you coming?","asks":{},"branches":[],"description":"",` +
			`"expect":"yes_no","follow_up":null,"key":"coming","max":null,"min":null,"options":[],"required":true,` +
			`"translated_options":{}},` +
			`"after":null}]`: content(func(c *project.AgentContent) {
			c.Script.Questions[0] = conversation.Question{Key: "new", Ask: "And?", Expect: conversation.Text}
		}),
		`[{"field":"languages[es-US]","before":null,"after":{"disclosure":"","goodbye":"Adiós.","greeting":"",` +
			`"inbound_greeting":"",` +
			`"language":"es-US","not_understood":"","speech":{"model":"","provider":"","transcription_model":"",` +
			`"transcription_provider":"","voice":""},"voicemail_message":""}},` +
			`{"field":"questions[pain].asks.es-US","before":null,"after":"¿Le duele?"}]`: content(func(
			c *project.AgentContent,
		) {
			c.Script.Languages = []conversation.Translation{{
				Language: "es-US", Wording: conversation.Wording{Goodbye: "Adiós."},
			}}
			c.Script.Questions[1].Asks = map[string]string{"es-US": "¿Le duele?"}
		}),
		`[{"field":"questions[pain].translated_options.es-US","before":null,"after":["Sí","No"]}]`: content(func(
			c *project.AgentContent,
		) {
			c.Script.Questions[1].TranslatedOptions = map[string][]string{"es-US": {"Sí", "No"}}
		}),
	} {
		got, err := json.Marshal(project.Changes(before, after))
		if err != nil || string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
