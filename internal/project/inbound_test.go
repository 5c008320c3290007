package project_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/project"
)

// What happens to calls to a number is a message until something else is set.
func TestInbound(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	number := f.number(t, f.connection(t).ID, "+13125550141")
	clara := f.agent(t)
	set := func(actor account.Actor, id uuid.UUID, in project.InboundInput) error {
		_, err := f.projects.SetInbound(ctx, actor, id, in, nil)
		return err
	}
	message := project.InboundContent{Action: project.InboundMessage}
	content := func(c project.InboundContent) project.InboundInput {
		if c.Action == "" {
			c.Action = project.InboundMessage
		}
		return project.InboundInput{InboundContent: c}
	}

	got, err := f.projects.Inbound(ctx, f.org(), number.ID)
	if err != nil || got.Settings.Action != project.InboundMessage || got.Settings.Message != nil ||
		got.UpdatedAt != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err = f.projects.Inbound(ctx, f.stranger.OrganizationID, number.ID)
	wantFault(t, err, fault.NotFound, "Phone number not found")
	err = set(f.stranger, number.ID, content(project.InboundContent{}))
	wantFault(t, err, fault.NotFound, "Phone number not found")

	everyWhere := hours.Default() // in the recipient's zone
	for want, in := range map[string]project.InboundInput{
		`action: must be one of message, agent, forward, reject, not "sing"`: content(
			project.InboundContent{Action: "sing"}),
		`agent_id: required`: content(project.InboundContent{Action: project.InboundAgent}),
		`agent_id: no such agent`: {
			InboundContent: project.InboundContent{Action: project.InboundAgent}, AgentID: uuid.NewString(),
		},
		`action: required: message, agent, forward or reject`: {},
		`agent_id: is only for the action agent`:              {InboundContent: message, AgentID: clara.ID.String()},
		`project_id: no such project`:                         {InboundContent: message, ProjectID: uuid.NewString()},
		`forward_to: must not be one of your own numbers`: content(project.InboundContent{
			Action: project.InboundForward, ForwardTo: "+13125550141",
		}),
		`forward_to: required`: content(project.InboundContent{Action: project.InboundForward}),
		`message.language: required`: content(project.InboundContent{
			Message: &project.InboundText{Text: "Hello"},
		}),
		`forward_to: is only for the action forward`: content(project.InboundContent{ForwardTo: "+13125550142"}),
		`message: is only for the action message`: content(project.InboundContent{
			Action: project.InboundReject, Message: &project.InboundText{Text: "Hello", Language: "en-US"},
		}),
		`message.text: required; message.language: is not a language of agents`: content(project.InboundContent{
			Message: &project.InboundText{Language: "xx"},
		}),
		`message.text: must write variables as {{name}} or {{name|fallback}}`: content(project.InboundContent{
			Message: &project.InboundText{Text: "Hello {name}", Language: "en-US"},
		}),
		`message.text: nothing is known for {{foo}}. Known are {{organization}}, {{name}}, {{phone_number}}, and ` +
			`variables of the last call to the caller such as {{last_call.name}}. To set a fallback, write ` +
			`{{foo|fallback}}; outside.message.text: nothing is known for {{agent}}. Known are {{organization}}, ` +
			`{{name}}, {{phone_number}}, and variables of the last call to the caller such as {{last_call.name}}. ` +
			`To set a fallback, write {{agent|fallback}}`: content(project.InboundContent{
			Message: &project.InboundText{
				Text: "{{organization}} {{name}} {{last_call.clinic}} {{bar|}} {{foo}}", Language: "en-US",
			},
			Hours: project.AlwaysOpen(),
			Outside: &project.InboundOutside{
				Action:  project.InboundMessage,
				Message: &project.InboundText{Text: "{{agent}}", Language: "en-US"},
			},
		}),
		`hours.timezone: must be a time zone such as America/Chicago`: content(project.InboundContent{
			Hours: &everyWhere,
		}),
		`outside: is only for settings with hours; outside.action: must be one of message, reject, ` +
			`not "agent"`: content(
			project.InboundContent{Outside: &project.InboundOutside{Action: project.InboundAgent}}),
	} {
		wantFault(t, set(f.actor, number.ID, in), fault.Invalid, want)
	}

	if err := set(f.actor, number.ID, project.InboundInput{
		InboundContent: project.InboundContent{Action: project.InboundAgent}, AgentID: clara.ID.String(),
	}); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.projects.DeactivateAgent(ctx, f.actor, clara.ID), fault.Conflict,
		"Agent "+clara.Name+" is used for calls to +13125550141")
	if err := set(f.actor, number.ID, content(project.InboundContent{Action: project.InboundReject})); err != nil {
		t.Fatal(err)
	}
	if err := f.projects.DeactivateAgent(ctx, f.actor, clara.ID); err != nil {
		t.Error(err)
	}
}

// settable is a carrier whose account has one number.
type settable struct {
	trusting
	does    carrier.NumberSetUp
	problem error // of the next change
}

func (o *settable) NumberDoes(context.Context, uuid.UUID, string) (carrier.NumberSetUp, error) {
	return o.does, nil
}

func (o *settable) SetUpNumber(
	_ context.Context, _ uuid.UUID, _ string, do carrier.NumberSetUp,
) (carrier.NumberSetUp, error) {
	if o.problem != nil {
		return carrier.NumberSetUp{}, o.problem
	}
	o.does = do
	return do, nil
}

// A number is set up as it was seen, and not over a change that nobody has seen.
func TestSetUpInbound(t *testing.T) {
	t.Parallel()
	account := &settable{does: carrier.NumberSetUp{VoiceURL: "https://ann:secret@old.example.com/voice?token=secret"}}
	f := setup(t)
	number := f.number(t, f.connection(t).ID, "+13125550141")
	lacking, ctx := f.projects, t.Context()
	_, err := lacking.InboundSetUp(ctx, f.org(), number.ID)
	wantFault(t, err, fault.Conflict, "The carrier account does not have this number. A number that is only verified "+
		"can place calls, but nobody can call it")

	projects := project.New(project.Options{Pool: f.db.Pool, Carriers: account})
	seen, err := projects.InboundSetUp(ctx, f.org(), number.ID)
	if err != nil || seen.Done() || seen.After != mustDo {
		t.Fatalf("%+v, %v", seen, err)
	}
	if shown := seen.Resource(); strings.Contains(shown.Now.VoiceURL, "secret") || shown.SetUp {
		t.Errorf("shown %+v", shown)
	}
	_, err = projects.SetUpInbound(ctx, f.stranger, number.ID, seen.Revision())
	wantFault(t, err, fault.NotFound, "Phone number not found")
	_, err = projects.SetUpInbound(ctx, f.actor, number.ID, "")
	wantFault(t, err, fault.Invalid, "revision: required")
	account.does.StatusCallback = "https://old.example.com/status"
	_, err = projects.SetUpInbound(ctx, f.actor, number.ID, seen.Revision())
	wantFault(t, err, fault.Conflict,
		"The number was changed at the carrier since you looked. Check the difference again")
	if seen, err = projects.InboundSetUp(ctx, f.org(), number.ID); err != nil {
		t.Fatal(err)
	}
	for want, problem := range map[string]*carrier.Error{
		"The number could not be set up: Twilio does not accept the credentials": {
			Kind: carrier.Unusable, Code: "20003", Reason: "Twilio does not accept the credentials",
		},
		"The carrier gave no clear answer: Twilio did not answer in time. It may have been changed. Check the " +
			"difference again.": {
			Kind: carrier.Ambiguous, Code: "timeout", Reason: "Twilio did not answer in time",
		},
	} {
		account.problem = problem
		kind := map[carrier.ErrorKind]fault.Kind{
			carrier.Unusable: fault.Conflict, carrier.Ambiguous: fault.BadGateway,
		}[problem.Kind]
		_, err = projects.SetUpInbound(ctx, f.actor, number.ID, seen.Revision())
		wantFault(t, err, kind, want)
	}
	account.problem = nil
	set, err := projects.SetUpInbound(ctx, f.actor, number.ID, seen.Revision())
	if err != nil || !set.Done() || account.does != mustDo {
		t.Fatalf("%+v, %v", set, err)
	}
	if _, err = projects.SetUpInbound(ctx, f.actor, number.ID, set.Revision()); err != nil {
		t.Errorf("set up twice: %v", err)
	}
	var entries int
	var details string
	err = f.db.Pool.QueryRow(ctx, `
		select count(*), min(data::text) from audit_entry
		where action = 'phone_number.set_up'`).Scan(&entries, &details)
	if err != nil || entries != 1 || strings.Contains(details, "secret") ||
		!strings.Contains(details, "https://old.example.com/voice") {
		t.Errorf("%d entries, %s, %v", entries, details, err)
	}
}
