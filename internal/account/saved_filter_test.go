package account_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// Filters are saved without what names a person. A name that was used is changed, and 20 of a list is the limit.
func TestSavedFilters(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	save := func(name, query string) error {
		_, err := f.accounts.SaveFilter(ctx, f.actor, account.SavedFilter{List: "/calls", Name: name, Query: query})
		return err
	}
	names := func() (got string) {
		t.Helper()
		list, err := f.accounts.SavedFilters(ctx, f.actor, "/calls")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			got += f.Name + "=" + f.Query + " "
		}
		return got
	}
	for _, s := range [][2]string{
		{"voicemail", "outcome=voicemail&cursor=x&to_number=%2B12125550123&external_id=7&q="},
		{"Complaints", "tag=Complaint"}, {"voicemail", "outcome=voicemail&intent=callback&select=yes"},
	} {
		if err := save(s[0], s[1]); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(); got != "Complaints=tag=Complaint voicemail=intent=callback&outcome=voicemail " {
		t.Error(got)
	}
	wantFault(t, save("", "to_number=%2B12125550123"), fault.Invalid,
		"name: required; query: choose a filter first. A name, a phone number and an external ID are not saved")
	for i := range 18 {
		if err := save(fmt.Sprint(i), "outcome=busy"); err != nil {
			t.Fatal(err)
		}
	}
	wantFault(t, save("One more", "outcome=busy"), fault.Conflict, "")
	if err := save("voicemail", "outcome=busy"); err != nil {
		t.Error(err)
	}

	list, err := f.accounts.SavedFilters(ctx, f.actor, "/calls")
	if err != nil {
		t.Fatal(err)
	}
	other := f.actor
	other.ID = uuid.New()
	_, err = f.accounts.DeleteSavedFilter(ctx, other, list[0].ID)
	wantFault(t, err, fault.NotFound, "Saved filter not found")
	gone, err := f.accounts.DeleteSavedFilter(ctx, f.actor, list[0].ID)
	if err != nil || gone.List+"?"+gone.Query != "/calls?outcome=busy" {
		t.Errorf("%+v, %v", gone, err)
	}
}
