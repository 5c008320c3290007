package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// What is opened from a filtered list leads back to this list, also after its forms were sent.
func TestFilterOfListIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	call, followUp := n.newCall().String(), n.newFollowUp().String()
	v := n.as(n.staff)
	const crumb, kept = `href="/calls?outcome=completed&select=yes"`, "?filter=outcome%3Dcompleted%26select%3Dyes"
	v.get("/calls").want(http.StatusOK).has(`href="/calls/` + call + `"`)
	v.get("/calls?select=yes&outcome=completed").want(http.StatusOK).has(`href="/calls/` + call + kept + `"`)
	v.get("/calls/" + call).want(http.StatusOK).lacks(crumb)
	v.get("/calls/" + call + kept).want(http.StatusOK).has(crumb)
	review := form("tags", "VIP", "filter", "outcome=completed&select=yes")
	v.post("/calls/"+call+"/review", review).leads("/calls/" + call + kept)
	review.Set("tags", strings.Repeat("x", 41))
	v.post("/calls/"+call+"/review", review).want(http.StatusUnprocessableEntity).
		has(crumb, `name="filter" value="outcome=completed&select=yes"`)
	for _, foreign := range []string{"//evil.example", "&list=https://evil.example", "%zz", "\r\nLocation:x"} {
		page := v.get("/calls/" + call + "?filter=" + url.QueryEscape(foreign)).want(http.StatusOK)
		page.lacks(`href="//evil`, `href="https://evil`)
	}

	page, list := "/follow-ups/"+followUp, "/follow-ups?assignee=none"
	v.get(list).want(http.StatusOK).has(`href="` + page + `?filter=assignee%3Dnone"`)
	v.get(page + "?filter=assignee%3Dnone").has(`href="` + list + `"`)
	change := form("note", "Called back", "filter", "assignee=none")
	v.post(page, change).leads(page + "?filter=assignee%3Dnone")
	v.post(page+"/take", change).leads(page + "?filter=assignee%3Dnone")
	v.post(page+"/done", change).leads(list)
	undo := v.get(list).undo(page + "/reopen")
	v.post(undo, nil).leads(page + "?filter=assignee%3Dnone")
	v.post(page+"/done", form("note", "Called back")).leads("/follow-ups")
	v.post(page+"/reopen", form("filter", "assignee=none")).leads(page + "?filter=assignee%3Dnone")

	hook := n.newWebhook()
	delivery := n.pastDelivery(hook, "call.completed", webhook.Failed, time.Hour)
	n.attempt(delivery, 1, sender.OutcomeStatus, 503, `{}`, nil, false)
	page, list = pagePath(hook)+"/deliveries/"+delivery.String(), pagePath(hook)+"?status=failed"
	v.get(list).want(http.StatusOK).has(`href="` + page + `?filter=status%3Dfailed"`)
	v.get(page+"?filter=status%3Dfailed").
		has(`href="`+list+`"`, `href="`+page+`?attempt=1&filter=status%3Dfailed"`)
	v.post(page+"/resend", form("filter", "status=failed")).leads(page + "?filter=status%3Dfailed")
}
