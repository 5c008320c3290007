package project_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

// place creates a project with a name.
func (f *fixture) place(t *testing.T, name string) project.Project {
	t.Helper()
	p, err := f.projects.CreateProject(t.Context(), f.actor, project.Settings{
		Name: name, TimeZone: "America/Chicago", Region: "US", CallingHours: hours.Always(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDestinations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	in, elsewhere := f.place(t, "North").ID.String(), f.place(t, "South").ID.String()
	create := func(s project.DestinationSettings) (project.Destination, error) {
		if s.ProjectID == "" {
			s.ProjectID = in
		}
		return f.projects.CreateDestination(ctx, f.actor, s)
	}
	wide := hours.Default()
	_, err := create(project.DestinationSettings{
		PhoneNumber: "911", Hours: &wide, Mode: "hot", RingTimeoutSeconds: new(3),
	})
	wantFault(t, err, fault.Invalid, "name: required; "+
		"phone_number: not a valid phone number. Use E.164, such as +13125550142; "+
		`hours.timezone: must be a time zone such as America/Chicago; `+
		`mode: must be one of warm, cold, not "hot"; ring_timeout_seconds: must be between 5 and 120`)
	_, err = create(project.DestinationSettings{Name: "Nobody"})
	wantFault(t, err, fault.Invalid, "phone_number: a phone number or a SIP address is required")
	_, err = create(project.DestinationSettings{
		Name: "Two", PhoneNumber: "+13125550161", SIPAddress: "sip:a@b.example",
	})
	wantFault(t, err, fault.Invalid, "sip_address: must be empty for a destination with a phone number")
	for address, valid := range map[string]bool{
		"sip:desk@pbx.example.com": true, "sips:desk@pbx.example.com:5061;transport=tls": true,
		"sip:100@192.0.2.7:5060": true, "sip:+13125550161@example.com": true,
		"desk@pbx.example.com": false, "sip:desk": false, "sip:desk@": false,
		"sip:desk@pbx.example.com?Subject=x": false,
		"sip:desk:secret@pbx.example.com":    false, "sip:desk@pbx.example.com;evil=1": false,
		"tel:+13125550161":          false,
		"sip:desk@pbx .example.com": false, "sip:desk@localhost": false, "sip:desk@pbx.example.com:0": false,
		"sip:" + strings.Repeat("a", 300) + "@example.com": false,
	} {
		s := project.DestinationSettings{Name: "Desk", SIPAddress: address}
		if err := s.Check(); (err == nil) != valid {
			t.Errorf("%s: %v", address, err)
		}
	}

	desk, err := create(project.DestinationSettings{Name: "Front desk", PhoneNumber: "+13125550161"})
	if err != nil || desk.Mode != project.Warm || desk.Record || desk.RingTimeoutSeconds != 25 ||
		desk.Address() != "+13125550161" {
		t.Fatalf("%+v, %v", desk, err)
	}
	_, err = create(project.DestinationSettings{Name: "front Desk", PhoneNumber: "+13125550162"})
	wantFault(t, err, fault.Conflict, "Another destination of the project is named front Desk")
	_, err = f.projects.CreateDestination(ctx, f.stranger, project.DestinationSettings{
		ProjectID: in, Name: "Theirs", PhoneNumber: "+13125550162",
	})
	wantFault(t, err, fault.Invalid, "project_id: no such project")
	_, err = create(project.DestinationSettings{
		ProjectID: elsewhere, Name: "Far", PhoneNumber: "+13125550163", FallbackID: desk.ID.String(),
	})
	wantFault(t, err, fault.Invalid, "fallback_id: no such destination")

	night, err := create(project.DestinationSettings{
		Name: "Night", SIPAddress: "sip:night@pbx.example.com", Mode: project.Cold, Record: true,
		FallbackID: desk.ID.String(),
	})
	if err != nil || night.FallbackID == nil || *night.FallbackID != desk.ID ||
		night.Address() != "sip:night@pbx.example.com" {
		t.Fatalf("%+v, %v", night, err)
	}
	change := func(id uuid.UUID, s project.DestinationSettings) error {
		_, err := f.projects.UpdateDestination(ctx, f.actor, id, s, nil)
		return err
	}
	circle := project.DestinationSettings{
		Name: "Front desk", PhoneNumber: "+13125550161", FallbackID: night.ID.String(),
	}
	wantFault(t, change(desk.ID, circle), fault.Invalid, "fallback_id: must not lead back to this destination")
	circle.FallbackID = desk.ID.String()
	wantFault(t, change(desk.ID, circle), fault.Invalid, "fallback_id: must not lead back to this destination")
	moved := project.DestinationSettings{ProjectID: elsewhere, Name: "Front desk", PhoneNumber: "+13125550161"}
	wantFault(t, change(desk.ID, moved), fault.Invalid, "project_id: cannot be changed")
	_, err = f.projects.UpdateDestination(ctx, f.stranger, desk.ID, moved, nil)
	wantFault(t, err, fault.NotFound, "Destination not found")

	wantFault(t, f.projects.DeactivateDestination(ctx, f.stranger, desk.ID), fault.NotFound, "Destination not found")
	wantFault(t, f.projects.DeactivateDestination(ctx, f.actor, desk.ID), fault.Conflict,
		"Destination Front desk is the fallback of Night")
	agent, err := f.projects.CreateAgent(ctx, f.actor, transferring(night.ID))
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.projects.DeactivateDestination(ctx, f.actor, night.ID), fault.Conflict,
		"Destination Night is used by 1 agent: "+agent.Name)
	known, err := project.KnownDestinations(ctx, f.db.Pool, f.org(), []uuid.UUID{night.ID})
	if err != nil || len(known) != 2 {
		t.Errorf("a call knows %+v, %v", known, err)
	}
	known, err = project.KnownDestinations(ctx, f.db.Pool, f.stranger.OrganizationID, []uuid.UUID{night.ID})
	if err != nil || len(known) != 0 {
		t.Errorf("a call of another organization knows %+v, %v", known, err)
	}
	foreign := transferring(night.ID)
	_, err = f.projects.CreateAgent(ctx, f.stranger, foreign)
	wantFault(t, err, fault.Invalid, "transfer.destinations[0]: no such destination")
	if err := f.projects.DeactivateAgent(ctx, f.actor, agent.ID); err != nil {
		t.Fatal(err)
	}
	for _, id := range []uuid.UUID{night.ID, desk.ID} {
		if err := f.projects.DeactivateDestination(ctx, f.actor, id); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := f.projects.Destinations(ctx, f.org(), page.Request{}); err != nil || len(list.Data) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// transferring are the settings of an agent that transfers to a destination.
func transferring(id uuid.UUID) project.AgentSettings {
	s := project.AgentSettings{Name: "Clara", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello.",
		Transfer: &conversation.TransferSettings{Destinations: []uuid.UUID{id}, HumanID: &id},
	}}
	return s
}

// Two changes at the same time close no circle.
func TestFallbacksAreNoCircle(t *testing.T) {
	t.Parallel()
	f := setup(t)
	in := f.place(t, "North").ID.String()
	settings := func(name string, fallback *project.Destination) project.DestinationSettings {
		s := project.DestinationSettings{ProjectID: in, Name: name, PhoneNumber: "+13125550161"}
		if fallback != nil {
			s.FallbackID = fallback.ID.String()
		}
		return s
	}
	var both [2]project.Destination
	for i, name := range []string{"A", "B"} {
		var err error
		if both[i], err = f.projects.CreateDestination(t.Context(), f.actor, settings(name, nil)); err != nil {
			t.Fatal(err)
		}
	}
	var group sync.WaitGroup
	errs := make([]error, 2)
	for i, name := range []string{"A", "B"} {
		group.Go(func() {
			_, errs[i] = f.projects.UpdateDestination(t.Context(), f.actor, both[i].ID, settings(name, &both[1-i]), nil)
		})
	}
	group.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("%v, %v", errs[0], errs[1])
	}
}
