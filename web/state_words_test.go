package web

import (
	"net/http"
	"strings"
	"testing"
)

// A draft has neither started nor done anything, and says a start time only if one was chosen.
func TestDraftSaysWhatItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	w.exec(`alter table campaign disable trigger user`) // a campaign is a draft from its beginning
	w.exec(`update campaign set status = 'draft', dial_at = null, scheduled_at = clock() - interval '1 hour'
		where id = $1`, id)
	v := n.as(n.admin)
	v.get("/campaigns/"+id.String()).want(http.StatusOK).has("No start time", "1 recipient").lacks("Starts ", "1 done")
	v.get("/campaigns").want(http.StatusOK).has("No start time").lacks("scheduled</span>")
	w.exec(`update campaign set scheduled_at = clock() + interval '1 hour' where id = $1`, id)
	v.get("/campaigns/" + id.String()).has("Starts ").lacks("No start time")
}

// A list of live calls is in the order of the times that it shows.
func TestLiveCallsAreInOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	first, second := n.newCall(), n.newCall()
	w.exec(`alter table call disable trigger user`) // a call that has ended stays so
	w.exec(`update call set ended_at = null, settled_at = null, outcome = null, ended_reason = null,
		status = 'in_progress', answered_at = clock() + make_interval(secs => $2) where id = $1`, first, 5)
	w.exec(`update call set ended_at = null, settled_at = null, outcome = null, ended_reason = null,
		status = 'in_progress', answered_at = clock(), person_number = '+15005550777' where id = $1`, second)
	v := n.as(n.admin)
	page := v.get("/live").want(http.StatusOK)
	a, b := strings.Index(page.body, first.String()), strings.Index(page.body, second.String())
	if a < 0 || b < 0 || a > b {
		t.Errorf("the call answered later is at %d, the other one at %d", a, b)
	}
}

// Calls on the sandbox can run faster than real time, so how many were short is not told, as on the page of a campaign.
func TestShortCallsOfTheSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.number.String()
	n.as(n.admin).get("/phone-numbers/" + id).want(http.StatusOK).has("Short calls Not measured on the sandbox")
}
