package web

import (
	"net/http"
	"strings"
	"testing"
)

// The audit log contains exports and failed sign-ins: one entry for each export, and one
// for all failures of an account from an address in an hour, with their number. Neither
// the server's log nor the audit log contains typed text.
func TestExportsAndFailedSignInsAreAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	campaign := n.newCampaign().String()
	n.newSuppression()
	b := n.as(n.admin)
	for path, action := range map[string]string{
		"/calls/export?to_number=%2B13125550142":        "calls.exported",
		"/costs/export":                                 "costs.exported",
		"/campaigns/" + campaign + "/recipients/export": "recipients.exported",
		"/do-not-call/export":                           "do_not_call.exported",
		"/settings/audit-log/export":                    "audit_log.exported",
	} {
		b.get(path).want(http.StatusOK)
		if n := w.count(
			`select count(*) from audit_entry
				where organization_id = $1 and actor_id = $2 and action = $3 and address = '127.0.0.1'`,
			n.organization, n.admin.id, action,
		); n != 1 {
			t.Errorf("%s: %d entries of %s", path, n, action)
		}
	}
	b.get("/campaigns/" + newID().String() + "/recipients/export").want(http.StatusNotFound)
	if n := w.count(`select count(*) from audit_entry where action = 'recipients.exported'`); n != 1 {
		t.Errorf("an export of nothing is audited: %d", n)
	}
	if n := w.count(`select count(*) from audit_entry where strpos(data::text, '3125550142') > 0`); n != 0 {
		t.Error("the number that was looked for is in the audit log")
	}

	stranger := w.newVisitor()
	const typed = "not the password at all"
	for range 3 {
		stranger.post("/sign-in", form("email", n.admin.email, "password", typed)).want(http.StatusUnauthorized)
		stranger.post("/sign-in", form("email", "nobody@example.com", "password", typed)).want(http.StatusUnauthorized)
	}
	if got := value[string](w, `select string_agg(concat_ws(' ', actor_id, host(address), data->>'name',
		data->>'attempts'), '; ')
		from audit_entry where organization_id = $1 and action = 'session.failed'
			and object_id = $2`, n.organization, n.admin.id); got != "127.0.0.1 Aster Ada 3" {
		t.Errorf("failures are audited as %q", got)
	}
	if n := w.count(`select count(*) from audit_entry where strpos(data::text, $1) > 0`, typed); n != 0 {
		t.Error("what was typed is in the audit log")
	}
	log := w.log.String()
	if !strings.Contains(
		log,
		`"address":"127.0.0.1","error":"Wrong email address or password: wrong password","account":"`+
			n.admin.id.String()+`"`,
	) ||
		strings.Contains(log, typed) || strings.Contains(log, "nobody@") {
		t.Errorf("the log of the server says %s", log)
	}
	b.get("/settings/audit-log").want(http.StatusOK).has("Somebody", "failed to sign in as", "exported calls")
}
