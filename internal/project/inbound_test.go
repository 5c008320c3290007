package project_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
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
		_, err := f.projects.SetInbound(ctx, actor, id, in)
		return err
	}
	content := func(c project.InboundContent) project.InboundInput { return project.InboundInput{InboundContent: c} }

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
		`agent_id: is only for the action agent`: {AgentID: clara.ID.String()},
		`project_id: no such project`:            {ProjectID: uuid.NewString()},
		`forward_to: must be another number`: content(project.InboundContent{
			Action: project.InboundForward, ForwardTo: "+13125550141",
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
		`hours.timezone: must be an IANA time zone such as "Europe/Berlin"`: content(project.InboundContent{
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
