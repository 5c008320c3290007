package api

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// twoOf makes sure that the list of a GET route has at least two rows, and returns its
// path.
func (n *tenant) twoOf(route string) (path string) {
	n.w.t.Helper()
	switch path = strings.TrimPrefix(route, "GET "); path {
	case "/campaigns":
		n.newCampaign()
		n.newCampaign()
	case "/campaigns/{id}/log": // creation and pause are logged
		id := n.newCampaign()
		n.do("POST", "/campaigns/"+id+"/pause", nil).want(http.StatusOK)
		return strings.Replace(path, "{id}", id, 1)
	case "/campaigns/{id}/recipients":
		return strings.Replace(path, "{id}", n.newCampaign(), 1)
	case "/calls":
		n.newCall("+15005550001")
		n.newCall("+15005550001")
	case "/calls/{id}/analyses": // by rule and by a model
		n.analyzes()
		path = strings.Replace(path, "{id}", n.newCall("+15005550001").String(), 1)
		n.do("POST", path, nil).want(http.StatusAccepted)
		return path
	case "/calls/{id}/notes":
		path = strings.Replace(path, "{id}", n.newLiveCall(), 1)
		for range 2 {
			n.do("POST", path, object{"text": "The nurse comes at four"}).want(http.StatusCreated)
		}
		return path
	case "/do-not-call":
		n.newDoNotCall()
		n.newDoNotCall()
	case "/erasures":
		n.newErasure()
		n.newErasure()
	case "/messages":
		n.newMessage("+15005550001")
		n.newMessage("+15005550001")
	case "/phone-numbers":
		n.w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number, name)
			values ($1, $2, $3, '+15005559001', 'Second line')`, newID(), n.organization, n.connection)
	case "/number-pools":
		n.newNumberPool()
		n.newNumberPool()
	case "/destinations":
		n.newDestination()
		n.newDestination()
	case "/whatsapp/connections":
		n.newWhatsApp()
		n.newWhatsApp()
	case "/carrier-connections":
		n.newCarrierConnection()
	case "/model-connections":
		n.newModelConnection()
		n.newModelConnection()
	case "/follow-ups":
		n.newFollowUp()
		n.newFollowUp()
	case "/members":
		n.newMember()
		n.newMember()
	case "/tools":
		n.newTool()
		n.newTool()
	case "/projects":
		n.w.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours)
			select $1, organization_id, 'Another', time_zone, region, calling_hours from project where id = $2`,
			newID(), n.project)
	case "/agents/{id}/versions":
		id := n.newAgent()
		n.do("PATCH", "/agents/"+id.String(), object{"goodbye": "Bye."}).want(http.StatusOK)
		n.do("POST", "/agents/"+id.String()+"/publish", nil).want(http.StatusOK)
		return strings.Replace(path, "{id}", id.String(), 1)
	case "/agents/{id}/test-cases", "/agents/{id}/test-runs":
		id := n.newAgent().String()
		n.newTestCase(id)
		n.newTestCase(id)
		n.newTestRun(id)
		n.newTestRun(id)
		return strings.Replace(path, "{id}", id, 1)
	case "/agents":
		n.newAgent()
	case "/whatsapp/templates":
		n.newTemplate()
		n.newTemplate()
	case "/webhooks":
		n.newWebhook()
		n.newWebhook()
	case "/webhooks/{id}/deliveries":
		id := n.newWebhook()
		n.newDelivery(id)
		n.newDelivery(id)
		return strings.Replace(path, "{id}", id, 1)
	case "/events":
		n.newEvent()
		n.newEvent()
	default:
		n.w.t.Fatalf("%s: no rows are known for this list", route)
	}
	return path
}

// A cursor is valid only for its own list: the same organization, path and filters. Any
// other list refuses it. A cursor that a client made or changed is refused too.
func TestCursorsAreGoodForTheirListOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, other := w.newTenant("Owner"), w.newTenant("Other")
	last := url.QueryEscape(owner.do("GET", owner.twoOf("GET /campaigns")+"?limit=1", nil).want(http.StatusOK).
		get("next_cursor").(string))
	lists := 0
	for _, route := range routes(t) {
		method, pattern, _ := strings.Cut(route, " ")
		operation := describedAPI(t).doc.Paths.Find(pattern).GetOperation(method)
		if operation.Parameters.GetByInAndName("query", "cursor") == nil {
			continue
		}
		lists++
		t.Run(route, func(t *testing.T) {
			defer w.refill()
			path := owner.twoOf(route)
			cursor := url.QueryEscape(owner.do("GET", path+"?limit=1", nil).want(http.StatusOK).
				get("next_cursor").(string))
			for _, query := range []string{"", "&limit=1"} {
				if rows := len(owner.do("GET", path+"?cursor="+cursor+query, nil).data()); rows == 0 {
					t.Errorf("%s: no rows behind the cursor", query)
				}
			}
			altered := func(at int) string {
				b := []byte(cursor)
				if b[at] == 'x' {
					b[at] = 'y'
				} else {
					b[at] = 'x'
				}
				return string(b)
			}
			filter := "created_after=2020-01-01T00:00:00Z"
			if route == "GET /events" {
				filter = "type=call.completed"
			}
			for what, refused := range map[string]*answer{
				"another organization's": other.do("GET", other.twoOf(route)+"?cursor="+cursor, nil),
				"another filter's":       owner.do("GET", path+"?"+filter+"&cursor="+cursor, nil),
				"an altered time's":      owner.do("GET", path+"?cursor="+altered(2), nil),
				"an altered id's":        owner.do("GET", path+"?cursor="+altered(30), nil),
				"an altered tag's":       owner.do("GET", path+"?cursor="+altered(40), nil),
				"a shortened":            owner.do("GET", path+"?cursor="+cursor[:32], nil),
			} {
				if refused.status != http.StatusBadRequest {
					t.Errorf("%s cursor: %v", what, refused)
				}
				refused.refused(http.StatusBadRequest, "cursor: not a valid cursor")
			}
			if route != "GET /campaigns" {
				owner.do("GET", path+"?cursor="+last, nil).refused(http.StatusBadRequest, "cursor: not a valid cursor")
			}
		})
	}
	if lists < 9 {
		t.Errorf("only %d lists", lists)
	}
}
