package project_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

func TestPhoneNumbers(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	c := f.connection(t)
	n := f.number(t, c.ID, "(312) 555-0142") // as people of the organization's country write it
	if n.PhoneNumber != "+13125550142" || n.Carrier != project.Sandbox || n.Connection != "Sandbox" || !n.Voice {
		t.Errorf("%+v", n)
	}
	if r := n.Resource(); r.PhoneNumber != "+13125550142" || r.Carrier != "sandbox" || r.MessagingExternalID != nil ||
		r.ID != n.ID {
		t.Errorf("%+v", r)
	}
	create := func(actor account.Actor, connection uuid.UUID, number string) error {
		_, err := f.projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
			ConnectionID: connection, PhoneNumber: number,
		})
		return err
	}
	wantFault(t, create(f.actor, c.ID, "+13125550142"), fault.Conflict, "This phone number is already in use")
	wantFault(t, create(f.stranger, c.ID, "+13125550199"), fault.Invalid, "connection_id: no such connection")
	wantFault(t, create(f.actor, uuid.Must(uuid.NewV7()), "+13125550199"), fault.Invalid,
		"connection_id: no such connection")
	wantFault(t, create(f.actor, c.ID, ""), fault.Invalid, "phone_number: required")
	wantFault(t, create(f.actor, c.ID, "911"), fault.Invalid, "")

	most := 3
	change := project.NumberSettings{Name: "Back office", Voice: true, MaxConcurrency: &most}
	_, err := f.projects.UpdatePhoneNumber(ctx, f.stranger, n.ID, change)
	wantFault(t, err, fault.NotFound, "Phone number not found")
	if n, err = f.projects.UpdatePhoneNumber(ctx, f.actor, n.ID, change); err != nil || n.Name != "Back office" ||
		*n.MaxConcurrency != 3 {
		t.Errorf("%+v, %v", n, err)
	}
	_, err = f.projects.PhoneNumber(ctx, f.stranger.OrganizationID, n.ID)
	wantFault(t, err, fault.NotFound, "Phone number not found")
	wantFault(t, f.projects.DeactivatePhoneNumber(ctx, f.stranger, n.ID), fault.NotFound, "Phone number not found")
	if err := f.projects.DeactivatePhoneNumber(ctx, f.actor, n.ID); err != nil {
		t.Fatal(err)
	}
	f.number(t, c.ID, "+13125550142") // the number can be added again
	if got := audited(t, f.db.Pool, n.ID); !slices.Equal(got, []string{
		"phone_number.created", "phone_number.updated", "phone_number.deactivated",
	}) {
		t.Errorf("audited %v", got)
	}

	if err := f.projects.DeactivateConnection(ctx, f.actor, f.connection(t).ID); err != nil {
		t.Error(err)
	}
}
