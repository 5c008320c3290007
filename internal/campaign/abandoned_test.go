package campaign

import "testing"

// Sweep deletes the hours that no share counts any more, however many there are, and no others.
func TestSweepDeletesHoursThatNoLongerCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.create(t, w.draft(1))
	w.StopClock()
	w.exec(t, `
		insert into campaign_answer_hour (campaign_id, organization_id, starts_at, answered_by_person, abandoned)
		select id, organization_id, clock() - make_interval(hours => h), 3, 1
		from campaign, generate_series(1, 30 * 24 + 2500) h where id = $1`, c.ID)
	if err := w.svc.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := value[int](t, w, `select count(*)::int from campaign_answer_hour`); left != 30*24-1 {
		t.Errorf("%d hours are left, want %d", left, 30*24-1)
	}
	rate, err := w.svc.Abandoned(t.Context(), w.actor.OrganizationID, c.ID)
	if err != nil || rate.Answered != 3*(30*24-1) {
		t.Errorf("%+v, %v", rate, err)
	}
}
