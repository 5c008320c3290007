package api

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// filtered makes sure that a route with filters has rows that its filters tell apart, and
// returns its path.
func (n *tenant) filtered(route string) (path string) {
	n.w.t.Helper()
	list, exported := strings.CutSuffix(route, "/export")
	path = n.twoOf(list)
	switch list {
	case "GET /calls":
		n.w.exec(`alter table call disable trigger call_move`) // the test writes states that no call led to
		n.w.exec(`update call set campaign_id = $2 where organization_id = $1`, n.organization, n.newCampaign())
		n.w.exec(`update call set status = 'busy', outcome = 'busy', answered_by = 'machine', answered_at = null
			where id = (select id from call where organization_id = $1 order by id limit 1)`, n.organization)
		n.w.exec(`update call set analysis =
				'{"status": "ready", "answers": {}, "sentiment": "unknown", "intent": "busy"}'
			where outcome = 'busy' and organization_id = $1`, n.organization)
		n.w.exec(`update call set status = 'in_progress', outcome = null, ended_reason = null, ended_by = null,
				answered_by = null, analysis = null, ended_at = null, settled_at = null
			where id = $1`, n.newCall("+15005550007"))
		n.w.exec(`update call set started_at = null where outcome = 'busy' and organization_id = $1`, n.organization)
		n.w.exec(`update call set recipient_id = gen_random_uuid() where outcome is not null and organization_id = $1`,
			n.organization)
	case "GET /campaigns":
		n.w.exec(
			`update campaign set status = 'paused' where id = (select id from campaign where organization_id = $1
				order by id limit 1)`,
			n.organization,
		)
		n.w.exec(`update campaign set started_at = clock() where organization_id = $1`, n.organization)
		n.w.exec(`alter table campaign disable trigger campaign_move`) // the test ends a campaign
		n.w.exec(`update campaign set status = 'completed', ended_at = clock()
			where id = (select id from campaign where organization_id = $1 order by id desc limit 1)`, n.organization)
		n.w.exec(`alter table campaign enable trigger campaign_move`)
	case "GET /campaigns/{id}/recipients":
		n.w.exec(
			`update recipient set outcome = 'busy' where id = (select id from recipient where organization_id = $1
				order by id desc limit 1)`,
			n.organization,
		)
		n.w.exec(`update recipient set outcome = 'completed' where outcome is null and organization_id = $1`,
			n.organization)
		n.w.exec(`
			with called as (
				insert into call (id, organization_id, project_id, campaign_id, recipient_id, agent_id, phone_number_id,
					connection_id, carrier, own_number, person_number, status, outcome, ended_reason,
					ring_timeout_seconds, max_duration_seconds, created_at, asked_at, answered_at, ended_at, analysis)
				select gen_random_uuid(), c.organization_id, c.project_id, c.id, r.id, c.agent_id, c.phone_number_id,
					c.connection_id, 'sandbox', '+15005559000', r.phone_number, 'completed', 'completed',
					'recipient_busy', 30, 600, clock(), clock(), clock(), clock(),
					'{"status": "ready", "answers": {}, "intent": "busy"}'
				from recipient r
				join campaign c on c.id = r.campaign_id
				where r.organization_id = $1 and r.outcome = 'busy'
				returning id, recipient_id)
			update recipient set last_call_id = called.id from called where recipient.id = called.recipient_id`,
			n.organization)
	case "GET /follow-ups":
		n.w.exec(`update follow_up set campaign_id = $2, due_at = clock() where organization_id = $1`, n.organization,
			n.newCampaign())
		n.w.exec(`update follow_up set status = 'done', done_at = clock(), done_by = 'CRM'
			where id = (select id from follow_up where organization_id = $1 order by id limit 1)`, n.organization)
	case "GET /messages":
		n.w.exec(`update message set campaign_id = $2 where organization_id = $1`, n.organization, n.newCampaign())
		n.w.exec(`update message set sent_at = clock()
			where id = (select id from message where organization_id = $1 order by id limit 1)`, n.organization)
	}
	if exported {
		path += "/export"
	}
	return path
}

// rowsOf returns the rows of a list or of an export, each cell as text.
func (a *answer) rowsOf(path string) (rows []map[string]string) {
	a.t.Helper()
	if path, _, _ := strings.Cut(path, "?"); strings.HasSuffix(path, "/export") {
		return a.table()
	}
	for _, r := range a.data() {
		row := map[string]string{}
		for name, v := range r.(object) {
			if v != nil {
				row[name] = fmt.Sprint(v)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// trials returns the values of a filter, each with a function that reports whether a row
// matches. wrong are values that must be refused.
func trials(
	p *openapi3.Parameter, rows []map[string]string,
) (right map[string]func(row map[string]string) bool, wrong []string) {
	has := func(v string) func(map[string]string) bool {
		return func(row map[string]string) bool { return row[p.Name] == v }
	}
	never, always := func(map[string]string) bool { return false }, func(map[string]string) bool { return true }
	right = map[string]func(map[string]string) bool{}
	early, late := time.Now().Add(-time.Hour).Format(time.RFC3339), time.Now().Add(time.Hour).Format(time.RFC3339)
	schema := p.Schema.Value
	switch {
	case p.Name == "created_after":
		right[early], right[late] = always, never
	case p.Name == "created_before":
		right[early], right[late] = never, always
	case strings.HasSuffix(p.Name, "_after"):
		at := strings.TrimSuffix(p.Name, "_after") + "_at"
		right[early], right[late] = func(row map[string]string) bool { return row[at] != "" }, never
	case strings.HasSuffix(p.Name, "_before"):
		at := strings.TrimSuffix(p.Name, "_before") + "_at"
		right[early], right[late] = never, func(row map[string]string) bool { return row[at] != "" }
	case p.Name == "min_duration":
		for _, seconds := range []int{0, 1, 30, 31} {
			right[strconv.Itoa(seconds)] = func(row map[string]string) bool {
				duration, err := strconv.Atoi(row["duration_seconds"])
				return err == nil && duration >= seconds
			}
		}
	case p.Name == "live":
		right["true"] = func(row map[string]string) bool { return row["ended_at"] == "" }
	case schema.Items != nil:
		for _, v := range schema.Items.Value.Enum {
			right[v.(string)] = has(v.(string))
		}
		first, last := schema.Items.Value.Enum[0].(string), schema.Items.Value.Enum[len(
			schema.Items.Value.Enum,
		)-1].(string)
		for _, row := range rows {
			if v := row[p.Name]; v != "" {
				first = v
			}
		}
		right[last+","+first] = func(row map[string]string) bool { return has(first)(row) || has(last)(row) }
	case schema.Format == "uuid", p.Name == "campaign_id": // which may also be "none"
		v := newID().String()
		right[v] = has(v)
	default:
		right["+15005559999"] = has("+15005559999")
	}
	for _, row := range rows {
		if v := row[p.Name]; v != "" {
			right[v] = has(v)
		}
	}
	return right, []string{"", "gone"}
}

// Every described filter of every list and export shows the matching rows and no other
// rows, shows no rows of another organization, and refuses invalid values with an error
// that names the filter. The test covers new filters automatically.
func TestEveryFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	filters := 0
	for _, route := range routes(t) {
		method, pattern, _ := strings.Cut(route, " ")
		parameters := describedAPI(t).doc.Paths.Find(pattern).GetOperation(method).Parameters
		if parameters.GetByInAndName("query", "created_after") == nil {
			if route == "GET /events" { // events are read from a position of the log, not by time
				continue
			}
			if slices.Contains([]string{
				"GET /costs", "GET /costs/export", "GET /campaigns/{id}/answers", "GET /agents/{id}/answers",
			}, route) {
				continue // they have sums instead of rows; TestCosts, TestAnswers
			}
			if method == "GET" && len(parameters) > 0 && parameters[0].Value.In == openapi3.ParameterInQuery {
				t.Errorf("%s has filters, but not by time", route)
			}
			continue
		}
		n, other := w.newTenant("Acme"), w.newTenant("Other")
		path := n.filtered(route)
		w.refill()
		all := n.do("GET", path, nil).rowsOf(path)
		for _, parameter := range parameters {
			p := parameter.Value
			if p.In != openapi3.ParameterInQuery || slices.Contains([]string{
				"limit", "cursor", "q", "said_by", "sort", "agent_version", "assignee_id", "number", "phone_number",
				"external_id", "metadata", "answers", "placed",
			}, p.Name) {
				// TestPages, TestSearchCalls, TestAgents, TestFollowUps, TestExternalIDs, TestLookups and
				// TestFiltersOfFigures test these.
				continue
			}
			filters++
			found := 0
			right, wrong := trials(p, all)
			for v, matches := range right {
				w.refill()
				query := path + "?" + p.Name + "=" + url.QueryEscape(v)
				var want, got []string
				for _, row := range all {
					if matches(row) {
						want = append(want, row["id"])
					}
				}
				for _, row := range n.do("GET", query, nil).rowsOf(query) {
					got = append(got, row["id"])
				}
				if found += len(want); !slices.Equal(got, want) {
					t.Errorf("GET %s: got %v, want %v", query, got, want)
				}
				if strings.Contains(pattern, "{id}") {
					other.do("GET", query, nil).want(http.StatusNotFound)
				} else if p.Name != "created_after" && p.Name != "created_before" {
					for _, row := range other.do("GET", query, nil).rowsOf(query) {
						if slices.Contains(want, row["id"]) {
							t.Errorf("GET %s shows another organization's %s", query, row["id"])
						}
					}
				}
			}
			if found == 0 || found == len(all)*len(right) {
				t.Errorf("GET %s: no row tells what %s does", path, p.Name)
			}
			w.refill()
			for _, v := range wrong {
				a := n.do("GET", path+"?"+p.Name+"="+v, nil).want(http.StatusBadRequest)
				if text, _ := a.get("error").(string); !strings.HasPrefix(text, p.Name+": must") &&
					!strings.HasPrefix(text, p.Name+": not ") {
					t.Errorf("%v", a)
				}
			}
			v := url.QueryEscape(slices.Sorted(maps.Keys(right))[0])
			twice := path + "?" + p.Name + "=" + v + "&" + p.Name + "=" + v
			if p.Schema.Value.Items == nil {
				n.do("GET", twice, nil).refused(http.StatusBadRequest, p.Name+": given twice")
			} else if rows, once := n.do(
				"GET", twice, nil,
			).rowsOf(twice), n.do("GET", path+"?"+p.Name+"="+v, nil).rowsOf(path); len(rows) != len(once) {
				t.Errorf("GET %s: %d rows, want %d", twice, len(rows), len(once))
			}
		}
	}
	if filters < 50 {
		t.Errorf("only %d filters", filters)
	}
}

// A cursor depends on the values of a filter, but not on their order or notation.
func TestCursorsOfSeveralValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	want := []string{n.newCampaign(), n.newCampaign(), n.newCampaign()}
	slices.Reverse(want)
	n.do("POST", "/campaigns/"+want[1]+"/pause", nil).want(http.StatusOK)
	w.exec(`update campaign set status = 'running' where id = $1`, want[2])
	pages := []string{
		"status=running,paused,scheduled", "status=paused&status=scheduled&status=running",
		"status=scheduled%2Crunning&status=paused,paused",
	}
	var got []string
	cursor := ""
	for _, query := range pages {
		page := n.do("GET", "/campaigns?limit=1&"+query+"&cursor="+cursor, nil).want(http.StatusOK)
		for _, row := range page.data() {
			got = append(got, row.(object)["id"].(string))
		}
		if next, more := page.get("next_cursor").(string); more {
			cursor = url.QueryEscape(next)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	n.do("GET", "/campaigns?status=running,paused&cursor="+cursor, nil).
		refused(http.StatusBadRequest, "cursor: not a valid cursor")
}
