package web

import (
	"net/http"
	"strings"
	"testing"
)

// Forms and filters offer everything that the organization has, however much that is.
func TestFormsOfferEveryChoice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	key, _ := n.newKey("First key")
	n.newCampaign()
	n.newCall()
	pool, template := n.freshPool(), n.newTemplate()
	w.exec(`update connection set last_error = 'first failure', last_error_at = clock(), consecutive_errors = 20
		where id = $1`, n.connection)
	// The existing rows become the oldest of more than a page.
	for _, sql := range []string{
		`project (id, organization_id, name, time_zone, region, calling_hours)
			select gen_random_uuid(), organization_id, name || i, time_zone, region, calling_hours`,
		`agent (id, organization_id, name, language, script)
			select gen_random_uuid(), organization_id, name || i, language, script`,
		`connection (id, organization_id, kind, name, account, credentials)
			select gen_random_uuid(), organization_id, kind, name || i, account || i, credentials`,
		`phone_number (id, organization_id, connection_id, phone_number, name)
			select gen_random_uuid(), organization_id, connection_id, '+1500555' || 6000 + i, name || i`,
		`number_pool (id, organization_id, connection_id, name, strategy)
			select gen_random_uuid(), organization_id, connection_id, name || i, strategy`,
		`messaging_template (id, organization_id, connection_id, name, language, status, category, content)
			select gen_random_uuid(), organization_id, connection_id, name || i, language, status, category, content`,
		`api_key (id, organization_id, name, hash, display, scopes)
			select gen_random_uuid(), organization_id, name || i, hash || i::text::bytea, display, scopes`,
	} {
		table, _, _ := strings.Cut(sql, " ")
		w.exec(`insert into `+sql+` from (select * from `+table+` where organization_id = $1 limit 1) first,
			generate_series(1, 150) i`, n.organization)
	}
	w.exec(`insert into api_key_use (api_key_id) select id from api_key where id <> $1`, key)

	v := n.as(n.admin)
	project, agent, number := n.project.String(), n.agent.String(), n.number.String()
	for path, offered := range map[string][]string{
		"/campaigns/new":                 {project, agent, number, "pool:" + pool.String()},
		"/":                              {project, agent},
		"/calls":                         {agent},
		"/agents/" + agent + "/call":     {project, number},
		"/number-pools/new":              {number},
		"/settings/audit-log":            {key.String()},
		"/phone-numbers":                 {pool.String()},
		"/messaging/messages/new":        {template.String()},
		"/number-pools/" + pool.String(): {number},
	} {
		page := v.get(path).want(http.StatusOK)
		for _, id := range offered {
			if !strings.Contains(page.body, id) {
				t.Errorf("%s does not offer %s", path, id)
			}
		}
	}
	v.get("/").has("first failure")
	v.multi("/campaigns", n.campaignForm(v), "", nil).want(http.StatusSeeOther)
}
