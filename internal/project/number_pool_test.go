package project_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

func TestNumberPools(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	c := f.connection(t)
	a, b := f.number(t, c.ID, "+13125550141"), f.number(t, c.ID, "+13125550142")
	elsewhere := f.number(t, f.connection(t).ID, "+13125550143")
	settings := func(numbers ...string) project.NumberPoolSettings {
		return project.NumberPoolSettings{Name: "Local", PhoneNumberIDs: numbers}
	}
	create := func(actor account.Actor, s project.NumberPoolSettings) error {
		_, err := f.projects.CreateNumberPool(ctx, actor, s)
		return err
	}
	wantFault(t, create(f.actor, project.NumberPoolSettings{
		Strategy: "luck", MaxDailyCalls: new(int), Rest: &project.Rest{BelowPercent: 100, Hours: 1},
	}), fault.Invalid, "name: required; strategy: must be one of rotation, nearest, not \"luck\"; phone_number_ids: "+
		"at least one is required; max_daily_calls: must be between 1 and 10,000; "+
		"rest.below_percent: must be between 1 and 99; rest.calls: must be between 1 and 1,000")
	wantFault(t, create(f.actor, settings(a.ID.String(), "x", a.ID.String())), fault.Invalid,
		"phone_number_ids[1]: no such phone number; phone_number_ids[2]: must not be listed twice")
	wantFault(t, create(f.stranger, settings(a.ID.String())), fault.Invalid,
		"phone_number_ids[0]: no such phone number")
	wantFault(t, create(f.actor, settings(a.ID.String(), elsewhere.ID.String())), fault.Invalid,
		"phone_number_ids[1]: all numbers of a pool must belong to the same connection")

	pool, err := f.projects.CreateNumberPool(ctx, f.actor, settings(a.ID.String()))
	if err != nil || pool.Strategy != project.Rotation || !slices.Equal(pool.PhoneNumberIDs, []uuid.UUID{a.ID}) ||
		pool.ConnectionID != c.ID || pool.Rest != nil || pool.MaxDailyCalls != nil {
		t.Fatalf("%+v, %v", pool, err)
	}
	wantFault(t, create(f.actor, settings(a.ID.String())), fault.Invalid,
		"phone_number_ids[0]: this number is in another pool: Local")
	wantFault(t, f.projects.DeactivatePhoneNumber(ctx, f.actor, a.ID), fault.Conflict,
		"Phone number +13125550141 is the only number of the pool Local. Remove the pool first")
	_, err = f.projects.UpdatePhoneNumber(ctx, f.actor, a.ID, project.NumberSettings{Name: "Mute"})
	wantFault(t, err, fault.Conflict, "")

	both := settings(a.ID.String(), b.ID.String())
	both.Strategy, both.Rest = project.Nearest, &project.Rest{BelowPercent: 8, Calls: 100, Hours: 24}
	_, err = f.projects.UpdateNumberPool(ctx, f.stranger, pool.ID, both, nil)
	wantFault(t, err, fault.NotFound, "Number pool not found")
	if pool, err = f.projects.UpdateNumberPool(ctx, f.actor, pool.ID, both, nil); err != nil ||
		len(pool.PhoneNumberIDs) != 2 || *pool.Rest != *both.Rest {
		t.Fatalf("%+v, %v", pool, err)
	}
	if n, err := f.projects.PhoneNumber(ctx, f.org(), b.ID); err != nil || *n.NumberPoolID != pool.ID ||
		*n.NumberPool != "Local" {
		t.Errorf("%+v, %v", n, err)
	}
	if err := f.projects.DeactivatePhoneNumber(ctx, f.actor, a.ID); err != nil { // the pool keeps the other number
		t.Fatal(err)
	}
	if pool, err = f.projects.NumberPool(ctx, f.org(), pool.ID); err != nil ||
		!slices.Equal(pool.PhoneNumberIDs, []uuid.UUID{b.ID}) {
		t.Errorf("%+v, %v", pool, err)
	}
	_, err = f.projects.NumberPool(ctx, f.stranger.OrganizationID, pool.ID)
	wantFault(t, err, fault.NotFound, "Number pool not found")

	use := campaign{
		org: f.org(), project: f.project(t).ID, agent: f.agent(t).ID, number: b.ID, connection: c.ID, name: "Spring",
	}
	if err := use.insert(ctx, f.db.Pool); err != nil {
		t.Fatal(err)
	}
	if _, err := f.db.Pool.Exec(ctx, `
		update campaign set phone_number_id = null, number_pool_id = $1`, pool.ID); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.projects.DeactivateNumberPool(ctx, f.stranger, pool.ID), fault.NotFound, "Number pool not found")
	wantFault(t, f.projects.DeactivateNumberPool(ctx, f.actor, pool.ID), fault.Conflict,
		"Number pool Local is used by 1 campaign that has not ended: Spring")
	if _, err := f.db.Pool.Exec(ctx, `update campaign set status = 'completed', ended_at = clock()`); err != nil {
		t.Fatal(err)
	}
	if err := f.projects.DeactivateNumberPool(ctx, f.actor, pool.ID); err != nil {
		t.Fatal(err)
	}
	if n, err := f.projects.PhoneNumber(ctx, f.org(), b.ID); err != nil || n.NumberPoolID != nil {
		t.Errorf("%+v, %v", n, err)
	}
	_, err = f.projects.ActiveNumberPool(ctx, f.org(), pool.ID)
	wantFault(t, err, fault.NotFound, "Number pool not found")
	if got := audited(t, f.db.Pool, pool.ID); !slices.Equal(got, []string{
		"number_pool.created", "number_pool.updated", "number_pool.deactivated",
	}) {
		t.Errorf("audited %v", got)
	}
}

func TestTheNameOfANumberPoolIsUnique(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	c := f.connection(t)
	settings := func(name, number string) project.NumberPoolSettings {
		return project.NumberPoolSettings{Name: name, PhoneNumberIDs: []string{f.number(t, c.ID, number).ID.String()}}
	}
	local, err := f.projects.CreateNumberPool(ctx, f.actor, settings("Local", "+13125550141"))
	if err != nil {
		t.Fatal(err)
	}
	second := settings("LOCAL", "+13125550142")
	_, err = f.projects.CreateNumberPool(ctx, f.actor, second)
	wantFault(t, err, fault.Conflict, "Another number pool is named LOCAL")
	second.Name = "Far"
	far, err := f.projects.CreateNumberPool(ctx, f.actor, second)
	if err != nil {
		t.Fatal(err)
	}
	second.Name = "local"
	_, err = f.projects.UpdateNumberPool(ctx, f.actor, far.ID, second, nil)
	wantFault(t, err, fault.Conflict, "Another number pool is named local")
	if err := f.projects.DeactivateNumberPool(ctx, f.actor, local.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := f.projects.UpdateNumberPool(ctx, f.actor, far.ID, second, nil); err != nil {
		t.Errorf("the name of a pool that is no longer used is taken: %v", err)
	}
}
