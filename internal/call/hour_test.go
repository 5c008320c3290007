package call

import (
	"reflect"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

// Each settled call counts once, in the hour in which it was queued. Recount gives the same
// figures.
func TestHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, organization := t.Context(), w.claim.OrganizationID
	talk := w.queue("+12025550151")
	w.place(talk)
	w.deliver(talk, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA001"})
	w.deliver(talk, carrier.Event{Kind: carrier.Detected, CarrierCallID: "CA001", AnsweredBy: carrier.Human})
	w.deliver(talk, carrier.Event{Kind: carrier.Ended, CarrierCallID: "CA001", Outcome: carrier.Completed})
	busy := w.queue("+12025550152")
	w.place(busy)
	w.deliver(busy, carrier.Event{Kind: carrier.Ended, CarrierCallID: "CA002", Outcome: carrier.Busy})
	if _, err := w.db.Pool.Exec(
		ctx, `update call set created_at = created_at - interval '2 hours' where id = $1`, busy.ID,
	); err != nil {
		t.Fatal(err)
	}
	if n := len(w.settle()); n != 2 {
		t.Fatalf("settled %d calls", n)
	}
	w.queue("+12025550153") // has not ended

	year := 365 * 24 * time.Hour
	hours, err := w.calls.Hours(ctx, organization, Scope{}, time.Now().Add(-year), time.Now().Add(year))
	if err != nil {
		t.Fatal(err)
	}
	if len(hours) != 2 || hours[0].Figures != (Figures{Busy: 1, Placed: 1}) || hours[1].Completed != 1 ||
		hours[1].Reached != 1 || hours[1].Placed != 1 {
		t.Fatalf("hours: %+v", hours)
	}
	if got, want := hours[1].TalkTime, w.get(talk.ID).TalkTime(); got != want {
		t.Errorf("talk time %v, the call says %v", got, want)
	}
	if err := Recount(ctx, w.db.Pool, organization); err != nil {
		t.Fatal(err)
	}
	again, err := w.calls.Hours(ctx, organization, Scope{}, time.Now().Add(-year), time.Now().Add(year))
	if err != nil || !reflect.DeepEqual(again, hours) {
		t.Errorf("counted anew: %+v, %v; before: %+v", again, err, hours)
	}
	// The hours of the organization are those of its campaigns and numbers, also after a change and a removal.
	number := Scope{PhoneNumberID: &talk.PhoneNumberID}
	for _, sql := range []string{
		`insert into call_hour (organization_id, campaign_id, phone_number_id, starts_at, completed, placed, talk_ms)
			select organization_id, gen_random_uuid(), phone_number_id, starts_at, 3, 4, 5 from call_hour`,
		`update call_hour set busy = busy + 2`,
		`delete from call_hour where starts_at = (select max(starts_at) from call_hour)`,
		`delete from call_hour where completed = 3`,
	} {
		if _, err := w.db.Pool.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
		all, err := w.calls.Hours(ctx, organization, Scope{}, time.Now().Add(-year), time.Now().Add(year))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := w.calls.Hours(ctx, organization, number, time.Now().Add(-year), time.Now().Add(year))
		if err != nil || !reflect.DeepEqual(all, parts) {
			t.Errorf("after %s: %+v, %v; its parts: %+v", sql, all, err, parts)
		}
	}
	if err := Recount(ctx, w.db.Pool, organization); err != nil {
		t.Fatal(err)
	}
	stats, err := w.calls.NumberStatsOf(ctx, organization, talk.PhoneNumberID)
	if err != nil || stats.Week != (NumberFigures{Placed: 2, Reached: 1, Answered: 1, ShortCalls: 1}) ||
		stats.Month != stats.Week || stats.CallsToday == 0 || stats.MaxDailyCalls != nil || stats.RestsUntil != nil {
		t.Errorf("stats %+v, %v", stats, err)
	}
	if _, err := w.calls.NumberStatsOf(ctx, talk.ID, talk.PhoneNumberID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization's number: %v", err)
	}
	if none, err := w.calls.Hours(
		ctx, organization, Scope{}, hours[1].StartsAt.Add(time.Hour), time.Now().Add(year),
	); err != nil || len(none) != 0 {
		t.Errorf("later: %+v, %v", none, err)
	}
}
