package api

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A campaign on a connection that is not ready needs a reason, when it is created and when it is
// resumed before its start.
func TestCampaignsOnAConnectionThatIsNotReady(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(`update connection set kind = 'twilio'`)
	// A check that is never old, because nobody answers for Twilio here.
	w.exec(`insert into connection_check (connection_id, organization_id, name, state, detail, checked_at)
		select id, organization_id, 'account', 'failed', 'the account is suspended', clock() + interval '1 day'
		from connection`)
	const refused = "is not ready for real calls: Account: the account is suspended. " +
		"Fix this, or say in not_ready_reason"
	body := n.campaign()
	body["scheduled_at"] = time.Now().Add(time.Hour).Format(time.RFC3339)
	isRefused := func(a *answer) {
		t.Helper()
		if text, _ := a.want(http.StatusConflict).get("error").(string); !strings.Contains(text, refused) {
			t.Errorf("refused with %q", text)
		}
	}
	isRefused(n.do("POST", "/campaigns", body))
	body["not_ready_reason"] = nil
	isRefused(n.do("POST", "/campaigns", body))
	body["not_ready_reason"] = "Our own phones"
	id := n.do("POST", "/campaigns", body).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id
	n.do("POST", path+"/pause", nil).want(http.StatusOK)
	isRefused(n.do("POST", path+"/resume", nil))
	n.do("POST", path+"/resume", object{"not_ready_reason": strings.Repeat("a", 501)}).want(http.StatusBadRequest)
	n.do("POST", path+"/resume", object{"reason": "Our own phones"}).want(http.StatusBadRequest)
	n.do("POST", path+"/resume", object{"not_ready_reason": "Our own phones"}).want(http.StatusOK)
	latest := n.do("GET", path+"/log", nil).want(http.StatusOK).data()[0].(map[string]any)
	if latest["type"] != "resumed" || latest["reason"] != "Our own phones" {
		t.Errorf("the log says %v", latest)
	}
}
