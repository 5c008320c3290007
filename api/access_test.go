package api

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/project"
)

func TestAuthentication(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	revoked, expired, deleted := n.newKey(), n.newKey(), n.newKey()
	w.exec(`update api_key set revoked_at = clock() where hash = sha256($1::bytea)`, []byte(revoked))
	w.exec(`update api_key set expires_at = clock() where hash = sha256($1::bytea)`, []byte(expired))
	w.exec(`delete from api_key where hash = sha256($1::bytea)`, []byte(deleted))
	changed := []byte(n.key)
	if changed[20]++; changed[20] > '9' {
		changed[20] = '0'
	}
	unknown := "ik_live_" + strings.Repeat("0", 64)

	const (
		missing = "Missing Authorization header"
		format  = "Invalid API key format"
		invalid = "Invalid or revoked API key"
	)
	for _, c := range []struct{ name, header, want string }{
		{"empty", "", missing},
		{"blank", "  ", missing},
		{"no scheme", n.key, format},
		{"scheme only", "Bearer", format},
		{"no key", "Bearer ", format},
		{"another scheme", "Basic " + n.key, format},
		{"another prefix", "Bearer sk_live_" + n.key[8:], format},
		{"prefix in capitals", "Bearer IK_LIVE_" + n.key[8:], format},
		{"one character of the prefix", "Bearer ik_lives" + n.key[8:], format},
		{"prefix only", "Bearer ik_live_", invalid},
		{"too short", "Bearer " + n.key[:len(n.key)-1], invalid},
		{"too long", "Bearer " + n.key + "0", invalid},
		{"not hexadecimal", "Bearer ik_live_" + strings.Repeat("g", 64), invalid},
		{"capitals", "Bearer ik_live_" + strings.ToUpper(n.key[8:]), invalid},
		{"one character changed", "Bearer " + string(changed), invalid},
		{"unknown", "Bearer " + unknown, invalid},
		{"revoked", "Bearer " + revoked, invalid},
		{"expired", "Bearer " + expired, invalid},
		{"deleted", "Bearer " + deleted, invalid},
		{"good", "Bearer " + n.key, ""},
		{"scheme in small letters", "bearer " + n.key, ""},
		{"scheme in capitals", "BEARER   " + n.key, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := http.Header{"Authorization": {c.header}}
			a := w.send(request{method: "GET", path: "/calls", header: header})
			if c.want == "" {
				a.want(http.StatusOK)
				return
			}
			a.refused(http.StatusUnauthorized, c.want)
			if a.header.Get("X-RateLimit-Remaining") != "60" || a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("headers: %v", a.header)
			}
		})
	}
	w.send(request{method: "GET", path: "/calls"}).refused(http.StatusUnauthorized, missing)
	if log := w.log.String(); strings.Contains(log, n.key[8:]) || strings.Contains(log, unknown[8:]) {
		t.Error("a key is in the log")
	}
}

// Without a valid key, no answer reveals what exists.
func TestAuthenticationComesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.newCampaign()
	for _, r := range [][2]string{
		{"GET", "/nothing"}, {"GET", "/"}, {"GET", ""}, {"DELETE", "/campaigns"}, {"BREW", "/campaigns"},
		{"POST", "/campaigns"}, {"GET", "/campaigns/" + id}, {"GET", "/campaigns/" + newID().String()},
	} {
		w.do(r[0], r[1], "", "{").refused(http.StatusUnauthorized, "Missing Authorization header")
	}
}

func TestPathsAndMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	for _, path := range []string{
		"/nothing", "/", "", "/campaigns/", "/Campaigns", "/campaigns/a/b/c", "/webhooks/a/b", "/%00",
	} {
		n.do("GET", path, nil).refused(http.StatusNotFound, "Not found")
	}
	n.do("BREW", "/nothing", nil).refused(http.StatusNotFound, "Not found")
	for _, c := range []struct{ method, path, allow string }{
		{"DELETE", "/campaigns", "GET, HEAD, POST"},
		{"PUT", "/campaigns/" + newID().String(), "GET, HEAD, PATCH, DELETE"},
		{"POST", "/campaigns/quota", "GET, HEAD, PATCH, DELETE"}, // "quota" could be the ID of a campaign
		{"GET", "/campaigns/" + newID().String() + "/pause", "POST"},
		{"PATCH", "/calls", "GET, HEAD, POST"},
		{"PUT", "/webhooks/" + newID().String(), "GET, HEAD, PATCH, DELETE"},
		{"GET", "/webhooks/" + newID().String() + "/test", "POST"},
		{"DELETE", "/webhooks/" + newID().String() + "/recover", "GET, HEAD, POST"},
		{"BREW", "/calls", "GET, HEAD, POST"},
		{"OPTIONS", "/calls", "GET, HEAD, POST"},
	} {
		a := n.do(c.method, c.path, nil).refused(http.StatusMethodNotAllowed, "Method not allowed")
		if got := a.header.Get("Allow"); got != c.allow {
			t.Errorf("%s %s: Allow is %q, want %q", c.method, c.path, got, c.allow)
		}
	}
}

func TestMalformedIDsAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.newCampaign()
	for _, id := range []string{
		"x", "1", newID().String(), id + "0", "%7B" + id + "%7D", "urn:uuid:" + id, strings.ReplaceAll(id, "-", ""),
		"%00", "%ff", "quota2",
	} {
		n.do("GET", "/campaigns/"+id, nil).refused(http.StatusNotFound, "Campaign not found")
		n.do("POST", "/campaigns/"+id+"/cancel", nil).refused(http.StatusNotFound, "Campaign not found")
		n.do("GET", "/campaigns/"+id+"/recipients", nil).refused(http.StatusNotFound, "Campaign not found")
		n.do("GET", "/campaigns/"+id+"/log", nil).refused(http.StatusNotFound, "Campaign not found")
		n.do("GET", "/calls/"+id, nil).refused(http.StatusNotFound, "Call not found")
	}
	w.refill()
	hook := n.newWebhook()
	for _, bad := range []string{"x", newID().String(), hook + "0", strings.ReplaceAll(hook, "-", ""), "%00"} {
		for route, body := range map[string]string{
			"GET": "", "PATCH": "{}", "DELETE": "", "POST /rotate-secret": "", "POST /test": "",
			"POST /recover": `{"since": "2026-11-21T09:30:00Z"}`,
			"GET /recover":  "", "GET /deliveries": "", "GET /deliveries/" + hook: "", "GET /deliveries/x": "",
			"POST /deliveries/x/resend": "",
		} {
			method, below, _ := strings.Cut(route, " ")
			n.do(method, "/webhooks/"+bad+below, body).refused(http.StatusNotFound, "Webhook not found")
		}
		n.do("GET", "/webhooks/"+hook+"/deliveries/"+bad, nil).refused(http.StatusNotFound, "Delivery not found")
		n.do("POST", "/webhooks/"+hook+"/deliveries/"+bad+"/resend", nil).
			refused(http.StatusNotFound, "Delivery not found")
		w.refill()
	}
	n.do("GET", "/webhooks/"+hook+"/recover", nil).refused(http.StatusNotFound, "Recovery not found")
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	limited, other := n.newKey(account.CallsRead), n.newKey()

	// Every authenticated request counts, whatever its status.
	answers := make([]*answer, 0, account.RateLimit)
	for i := range account.RateLimit {
		switch i % 3 {
		case 0:
			answers = append(answers, w.do("GET", "/calls", limited, nil).want(http.StatusOK))
		case 1:
			answers = append(answers, w.do("GET", "/nothing", limited, nil).want(http.StatusNotFound))
		case 2:
			answers = append(answers, w.do("GET", "/campaigns", limited, nil).
				refused(http.StatusForbidden, "Forbidden"))
		}
	}
	reset := answers[0].header.Get("X-RateLimit-Reset")
	for i, a := range answers {
		if got := a.header.Get("X-RateLimit-Remaining"); got != strconv.Itoa(account.RateLimit-1-i) ||
			a.header.Get("X-RateLimit-Reset") != reset {
			t.Fatalf("request %d: %s remaining, reset %s, first %s", i+1, got, a.header.Get("X-RateLimit-Reset"), reset)
		}
	}

	// A request over the limit is refused before its path, scope or body is checked.
	var wait time.Duration
	for _, r := range [][2]string{
		{"GET", "/calls"}, {"GET", "/nothing"}, {"GET", "/campaigns"}, {"POST", "/campaigns"},
	} {
		a := w.do(r[0], r[1], limited, "{").refused(http.StatusTooManyRequests, "Rate limit exceeded. Try again later.")
		seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
		if err != nil || seconds < 1 || seconds > 60 || a.header.Get("X-RateLimit-Remaining") != "0" {
			t.Fatalf("headers %v", a.header)
		}
		wait = time.Duration(seconds) * time.Second
	}
	w.do("GET", "/calls", other, nil).want(http.StatusOK)
	w.do("GET", "/calls", "", nil).want(http.StatusUnauthorized)

	// After exactly the time in Retry-After, a whole new window opens.
	w.Advance(wait)
	if a := w.do("GET", "/calls", limited, nil).want(http.StatusOK); a.header.Get("X-RateLimit-Remaining") != "59" {
		t.Errorf("after waiting: %v", a.header)
	}
}

func TestRateLimitIsExactUnderConcurrency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	second := w.second()
	var mu sync.Mutex
	statuses := map[int]int{}
	var group sync.WaitGroup
	for i := range 90 {
		group.Go(func() {
			a := []*world{w, second}[i%2].do("GET", "/nothing", n.key, nil)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	group.Wait()
	if statuses[http.StatusNotFound] != 60 || statuses[http.StatusTooManyRequests] != 30 {
		t.Errorf("statuses %v", statuses)
	}
}

// routes returns all routes below /api/v1, as "GET /campaigns/{id}".
func routes(t testing.TB) []string {
	t.Helper()
	var found []string
	router := newAPI(&app.App{}).router
	err := chi.Walk(router, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if path, ok := strings.CutPrefix(route, "/api/v1"); ok {
			found = append(found, method+" "+path)
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d routes, %v", len(found), err)
	}
	slices.Sort(found) // chi keeps the methods of a path in a map; a fixed order makes a failure repeatable
	return found
}

// prepared returns a request to a route that gets a 2xx for its owner.
func (n *tenant) prepared(route string) (method, path string, body any) {
	n.w.t.Helper()
	method, path, _ = strings.Cut(route, " ")
	switch {
	case route == "GET /campaigns/quota": // without the accounts of newWhatsApp, which nobody can read
		n.w.exec(`update messaging_connection set disconnected_at = clock()
			where organization_id = $1 and credentials = '' and disconnected_at is null`, n.organization)
	case strings.HasPrefix(path, "/campaigns/{id}"):
		id := n.newCampaign()
		path = strings.Replace(path, "{recipient_id}", n.recipientsOf(id)[0], 1)
		switch {
		case strings.HasSuffix(path, "/start"):
			id = n.do("POST", "/campaigns", n.body(object{"draft": true})).want(http.StatusCreated).get("id").(string)
		case strings.HasSuffix(path, "/retry"):
			n.do("POST", "/campaigns/"+id+"/cancel", nil).want(http.StatusOK)
		case route == "DELETE /campaigns/{id}":
			n.do("POST", "/campaigns/"+id+"/cancel", nil).want(http.StatusOK)
		}
		if strings.HasSuffix(path, "/resume") {
			n.do("POST", "/campaigns/"+id+"/pause", nil).want(http.StatusOK)
		}
		if route == "POST /campaigns/{id}/recipients" {
			body = object{"recipients": people(1)}
		}
		budget := object{"amount": "50", "currency": "USD"}
		switch route {
		case "PATCH /campaigns/{id}":
			body = object{"name": "Autumn"}
		case "PATCH /campaigns/{id}/recipients/{recipient_id}":
			body = object{"name": "Ana"}
		case "PATCH /campaigns/{id}/recipients":
			body = object{"recipients": []object{{"id": n.recipientsOf(id)[0], "name": "Ana"}}}
		case "POST /campaigns/{id}/recipients/cancel", "POST /campaigns/{id}/recipients/prioritize":
			body = object{"ids": n.recipientsOf(id)}
		case "PUT /campaigns/{id}/budget":
			body = budget
		case "DELETE /campaigns/{id}/budget":
			n.do("PUT", "/campaigns/"+id+"/budget", budget).want(http.StatusOK)
		}
		path = strings.Replace(path, "{id}", id, 1)
	case path == "/calls/{id}/recording":
		path = strings.Replace(path, "{id}", n.newRecordedCall().String(), 1)
	case route == "POST /calls":
		body = n.ownCall()
	case route == "POST /calls/batch":
		body = object{"calls": []object{n.ownCall()}}
	case route == "POST /calls/cancel":
		id := n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated).get("id").(string)
		body = object{"ids": []string{id}}
	case route == "POST /calls/{id}/cancel":
		id := n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated).get("id").(string)
		path = strings.Replace(path, "{id}", id, 1)
	case route == "POST /calls/{id}/hang-up":
		path = strings.Replace(path, "{id}", n.newLiveCall(), 1)
	case route == "POST /calls/{id}/transfer":
		destination, _ := n.newDestination()
		path = strings.Replace(path, "{id}", n.newLiveCall(), 1)
		body = object{"destination_id": destination}
	case route == "POST /calls/{id}/notes":
		path = strings.Replace(path, "{id}", n.newLiveCall(), 1)
		body = object{"text": "The nurse comes at four"}
	case route == "POST /calls/{id}/analyses":
		path = strings.Replace(path, "{id}", n.newCall("+15005550001").String(), 1)
		n.analyzes()
		body = object{}
	case path == "/calls/{id}/settings", route == "PATCH /calls/{id}":
		if method == http.MethodPatch {
			body = object{"name": "Ana"}
		}
		id := n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated).get("id").(string)
		path = strings.Replace(path, "{id}", id, 1)
	case strings.HasPrefix(path, "/calls/{id}"):
		path = strings.Replace(path, "{id}", n.newCall("+15005550001").String(), 1)
	case strings.HasPrefix(path, "/follow-ups/{id}"):
		id := n.newFollowUp()
		path = strings.Replace(path, "{id}", id, 1)
		switch {
		case method == http.MethodPatch:
			body = object{"note": "Called the front desk"}
		case strings.HasSuffix(path, "/reopen"):
			n.w.exec(`update follow_up set status = 'done', done_at = clock(), done_by = 'CRM' where id = $1`, id)
		}
	case route == "POST /follow-ups":
		body = n.followUp()
	case route == "POST /follow-ups/done":
		body = object{"ids": []string{n.newFollowUp()}}
	case strings.HasPrefix(path, "/messages/{id}"):
		path = strings.Replace(path, "{id}", n.newMessage("+15005550001").String(), 1)
	case path == "/whatsapp/connections/{id}":
		path = strings.Replace(path, "{id}", n.newWhatsApp(), 1)
		if method == http.MethodPatch {
			body = object{"name": "Another"}
		}
	case route == "POST /whatsapp/connections":
		n.w.freeWhatsApp()
		body = n.whatsAppAccount()
	case path == "/whatsapp/templates/{id}":
		path = strings.Replace(path, "{id}", n.newTemplate(), 1)
	case path == "/projects/{id}":
		path = strings.Replace(path, "{id}", n.newProject(), 1)
		if method == http.MethodPatch {
			body = object{"transcript_days": 30}
		}
	case route == "POST /projects":
		body = n.projectBody()
	case route == "POST /messages":
		body = object{
			"external_id": "20001", "to_number": "+15005550001",
			"template": object{"name": "heads_up", "language": "en_US"},
		}
	case route == "POST /messages/batch":
		body = object{"messages": []object{{
			"external_id": "20001", "to_number": "+15005550001",
			"template": object{"name": "heads_up", "language": "en_US"},
		}}}
	case path == "/events/{id}":
		path = strings.Replace(path, "{id}", n.newEvent(), 1)
	case strings.HasPrefix(path, "/webhooks/{id}"):
		// Deletes earlier webhooks, because an organization may have only ten.
		n.w.exec(`update webhook set deleted_at = clock() where organization_id = $1`, n.organization)
		id := n.newWebhook()
		recovery := object{"since": time.Now().Add(-time.Hour)}
		switch route {
		case "PATCH /webhooks/{id}":
			body = object{"name": "ERP"}
		case "POST /webhooks/{id}/recover":
			body = recovery
		case "GET /webhooks/{id}/recover":
			n.do("POST", "/webhooks/"+id+"/recover", recovery).want(http.StatusCreated)
		}
		path = strings.Replace(strings.Replace(path, "{id}", id, 1), "{delivery_id}", n.newDelivery(id), 1)
	case route == "POST /webhooks":
		body = n.webhook()
	case strings.HasPrefix(path, "/do-not-call/{id}"):
		path = strings.Replace(path, "{id}", n.newDoNotCall(), 1)
	case path == "/phone-numbers/{id}/inbound/set-up":
		path = strings.Replace(path, "{id}", n.connectedNumber().String(), 1)
		if method == http.MethodPost { // nothing is set at the carrier of tests
			body = object{"revision": project.InboundSetUp{}.Revision()}
		}
	case path == "/phone-numbers/{id}":
		path = strings.Replace(path, "{id}", n.newNumber(), 1)
		if method == http.MethodPatch {
			body = object{"name": "Front desk"}
		}
	case route == "POST /phone-numbers":
		body = n.phoneNumber()
	case strings.HasPrefix(path, "/phone-numbers/{id}"):
		path = strings.Replace(path, "{id}", n.number.String(), 1)
		if method == http.MethodPut {
			body = object{"action": "agent", "agent_id": n.agent.String()}
		}
	case strings.HasPrefix(path, "/number-pools/{id}"):
		id, settings := n.newNumberPool()
		if method == http.MethodPut {
			settings["name"] = "Changed " + newID().String()
			body = settings
		}
		path = strings.Replace(path, "{id}", id, 1)
	case route == "POST /number-pools":
		body = n.numberPool()
	case strings.HasPrefix(path, "/destinations/{id}"):
		id, settings := n.newDestination()
		if method == http.MethodPut {
			settings["name"] = "Changed " + newID().String()
			body = settings
		}
		path = strings.Replace(path, "{id}", id, 1)
	case route == "POST /destinations":
		body = n.destination()
	case strings.HasPrefix(path, "/agents/{id}"):
		id := n.newAgent()
		if method == http.MethodPatch {
			body = object{"goodbye": "Bye."}
		}
		if path == "/agents/{id}/publish" { // version 3 is published, and the draft differs
			for _, goodbye := range []string{"Bye.", "Goodbye.", "See you."} {
				n.do("PATCH", "/agents/"+id.String(), object{"goodbye": goodbye}).want(http.StatusOK)
				if goodbye != "See you." {
					n.do("POST", "/agents/"+id.String()+"/publish", nil).want(http.StatusOK)
				}
			}
			body = object{"note": "Shorter"}
		}
		if strings.Contains(path, "/test-") {
			path, body = n.preparedTest(route, id.String())
		}
		path = strings.NewReplacer("{id}", id.String(), "{number}", "1").Replace(path)
	case route == "POST /agents":
		body = object{"name": "Robin", "language": "en-US", "greeting": "Hello."}
	case strings.HasPrefix(path, "/carrier-connections/{id}"):
		path = strings.Replace(path, "{id}", n.newCarrierConnection(), 1)
		if method == http.MethodPatch {
			body = object{"name": "Another"}
		}
	case route == "POST /carrier-connections":
		body = n.carrierConnection()
	case strings.HasPrefix(path, "/model-connections/{id}"):
		path = strings.Replace(path, "{id}", n.newModelConnection(), 1)
		if method == http.MethodPatch {
			body = object{"name": "Another"}
		}
	case strings.HasPrefix(path, "/tools/{id}"):
		path = strings.Replace(path, "{id}", n.newTool(), 1)
		if method == http.MethodPatch {
			body = object{"description": "Looks up something else."}
		}
	case route == "POST /tools":
		body = n.tool()
	case route == "POST /model-connections":
		body = n.modelConnection()
	case strings.HasPrefix(path, "/erasures/{id}"):
		path = strings.Replace(path, "{id}", n.newErasure(), 1)
	case route == "POST /erasures", route == "POST /evidence":
		body = object{"phone_number": "+15005550003"}
	case route == "POST /do-not-call":
		body = object{"phone_number": "+15005550003"}
	case route == "POST /do-not-call/batch":
		body = object{"entries": []object{{"phone_number": "+15005550003"}}}
	case strings.Contains(path, "{"):
		n.w.t.Fatalf("no request is known for %s", route)
	case route == "POST /campaigns":
		body = n.campaign()
	}
	return method, path, body
}

func TestEveryRouteNeedsItsScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	revoked := n.newKey()
	w.exec(`update api_key set revoked_at = clock() where hash = sha256($1::bytea)`, []byte(revoked))
	named := regexp.MustCompile("Scope: `([a-z_:-]+)`")
	for _, route := range routes(t) {
		method, path, body := n.prepared(route)
		_, pattern, _ := strings.Cut(route, " ")
		if route == "GET /me" { // TestMe
			continue
		}
		match := named.FindStringSubmatch(describedAPI(t).doc.Paths.Find(pattern).GetOperation(method).Description)
		if match == nil {
			t.Errorf("%s: the description names no scope", route)
			continue
		}
		scope := account.Scope(match[1])
		others := slices.DeleteFunc(account.Scopes(), func(s account.Scope) bool { return s == scope })
		if len(others) != len(account.Scopes())-1 {
			t.Errorf("%s: there is no scope %s", route, scope)
		}
		w.do(method, path, "", body).refused(http.StatusUnauthorized, "Missing Authorization header")
		w.do(method, path, revoked, body).refused(http.StatusUnauthorized, "Invalid or revoked API key")
		w.do(method, path, n.newKey(others...), body).refused(http.StatusForbidden, "Forbidden")
		if a := w.do(method, path, n.newKey(scope), body); a.status == http.StatusForbidden {
			t.Errorf("%s: %s is not enough: %v", route, scope, a)
		}
		w.refill()
	}
}

// Data of one organization does not exist for another organization.
func TestTenants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, other := w.newTenant("Owner"), w.newTenant("Other")
	owner.writes()
	// created is the table of what a route creates from values alone.
	created := map[string]string{
		"POST /webhooks": "webhook", "POST /tools": "tool", "POST /model-connections": "model_connection",
		"POST /agents": "agent", "POST /projects": "project", "POST /carrier-connections": "connection",
	}
	for _, route := range routes(t) {
		t.Run(route, func(t *testing.T) {
			method, path, body := owner.prepared(route)
			defer w.refill()
			switch _, pattern, _ := strings.Cut(route, " "); {
			case route == "GET /campaigns/quota":
				if numbers := other.do(method, path, body).want(
					http.StatusOK,
				).get("numbers").([]any); len(numbers) > 0 {
					t.Errorf("another organization sees %v", numbers)
				}
			case route == "POST /messages":
				other.do(method, path, body).
					refused(http.StatusBadRequest, "external_id: no WhatsApp number with this external_id")
			case route == "POST /messages/batch":
				other.do(method, path, body).
					refused(http.StatusBadRequest, "messages[0].external_id: no WhatsApp number with this external_id")
			case route == "POST /follow-ups":
				other.do(method, path, body).refused(http.StatusBadRequest, "call_id: no such call")
			case route == "GET /me":
				if got := other.do(method, path, body).want(http.StatusOK).body; strings.Contains(
					got, owner.organization.String(),
				) {
					t.Errorf("another organization sees %s", got)
				}
			case route == "GET /event-types": // the same for every organization
				other.do(method, path, body).want(http.StatusOK)
			case route == "GET /costs" || route == "GET /costs/export": // TestCosts
				other.do(method, path, body).want(http.StatusOK)
			case route == "GET /calls/{id}/settings":
				other.do(method, path, body).refused(http.StatusNotFound, "Settings of this call not found")
			case strings.Contains(pattern, "{id}"):
				other.do(method, path, body).refused(http.StatusNotFound, resourceOf(pattern)+" not found")
			case strings.HasPrefix(pattern, "/do-not-call") && method == http.MethodPost:
				before := w.count(`select count(*) from do_not_call where organization_id = $1`, owner.organization)
				if a := other.do(method, path, body); a.status/100 != 2 {
					t.Error(a)
				}
				if after := w.count(
					`select count(*) from do_not_call where organization_id = $1`, owner.organization,
				); after != before {
					t.Errorf("%d entries, %d before", after, before)
				}
			case created[route] != "":
				owned := `select count(*) from ` + created[route] + ` where organization_id = $1`
				before := w.count(owned, owner.organization)
				other.do(method, path, body).want(http.StatusCreated)
				if after := w.count(owned, owner.organization); after != before {
					t.Errorf("%d rows of the owner, %d before", after, before)
				}
			case route == "POST /follow-ups/done":
				if got := other.do(method, path, body).want(http.StatusOK).get("data", 0, "result"); got != "unknown" {
					t.Errorf("another organization's follow-up is %v", got)
				}
			case route == "POST /whatsapp/connections":
				const owned = `select count(*) from messaging_connection where organization_id = $1`
				before := w.count(owned, owner.organization)
				other.do(method, path, body).want(http.StatusCreated)
				if after := w.count(owned, owner.organization); after != before {
					t.Errorf("%d rows of the owner, %d before", after, before)
				}
				w.freeWhatsApp()
			case route == "POST /calls/cancel":
				if got := other.do(method, path, body).want(http.StatusOK).get("data", 0, "result"); got != "unknown" {
					t.Errorf("another organization's call is %v", got)
				}
			case route == "POST /calls/batch":
				other.do(method, path, body).refused(http.StatusBadRequest, "calls[0].project_id: no such project; "+
					"calls[0].agent_id: no such agent; calls[0].phone_number_id: no such phone number")
			case route == "POST /number-pools":
				other.do(method, path, body).refused(http.StatusBadRequest, "phone_number_ids[0]: no such phone number")
			case route == "POST /phone-numbers":
				other.do(method, path, body).refused(http.StatusBadRequest, "connection_id: no such connection")
			case route == "POST /destinations":
				other.do(method, path, body).refused(http.StatusBadRequest, "project_id: no such project")
			case route == "POST /evidence":
				owner.newCall("+15005550003")
				if got := other.do(method, path, body).want(http.StatusOK).body; strings.Contains(got, `"id"`) {
					t.Errorf("another organization sees %s", got)
				}
			case route == "POST /erasures":
				before := w.count(`select count(*) from do_not_call where organization_id = $1`, owner.organization)
				other.do(method, path, body).want(http.StatusAccepted)
				if after := w.count(
					`select count(*) from do_not_call where organization_id = $1`, owner.organization,
				); after != before {
					t.Errorf("%d entries, %d before", after, before)
				}
			case method == http.MethodGet:
				other.seesNothingOf(owner, path)
			default:
				before := w.count(`select count(*) from campaign`)
				other.do(method, path, body).refused(http.StatusBadRequest,
					"project_id: no such project; agent_id: no such agent; phone_number_id: no such phone number")
				if after := w.count(`select count(*) from campaign`); after != before {
					t.Errorf("%d campaigns, %d before", after, before)
				}
			}
			if a := owner.do(method, path, body); a.status/100 != 2 {
				t.Errorf("the owner: %v", a)
			}
		})
	}
}

// resourceOf returns the resource that the {id} of a route names.
func resourceOf(pattern string) string {
	if strings.HasPrefix(pattern, "/do-not-call/") {
		return "Do-not-call entry"
	}
	if strings.HasPrefix(pattern, "/number-pools/") {
		return "Number pool"
	}
	if strings.HasPrefix(pattern, "/model-connections/") {
		return modelConnection
	}
	if strings.HasPrefix(pattern, "/carrier-connections/") || strings.HasPrefix(pattern, "/whatsapp/connections/") {
		return "Connection"
	}
	if strings.HasPrefix(pattern, "/phone-numbers/") {
		return "Phone number"
	}
	if strings.HasPrefix(pattern, "/whatsapp/templates/") {
		return "Template"
	}
	noun, _, _ := strings.Cut(strings.TrimPrefix(pattern, "/"), "s/")
	return strings.ToUpper(noun[:1]) + noun[1:]
}

// seesNothingOf checks that a list shows the tenant's own rows and none of the owner's.
func (n *tenant) seesNothingOf(owner *tenant, path string) {
	t := n.w.t
	t.Helper()
	if strings.HasPrefix(path, "/campaigns") {
		n.newCampaign()
		owner.newCampaign()
	} else if strings.HasPrefix(path, "/calls") {
		n.newCall("+15005550001")
		owner.newCall("+15005550001")
	} else if strings.HasPrefix(path, "/messages") {
		n.newMessage("+15005550001")
		owner.newMessage("+15005550001")
	} else if strings.HasPrefix(path, "/do-not-call") {
		n.newDoNotCall()
		owner.newDoNotCall()
	} else if path == "/whatsapp/templates" {
		n.newTemplate()
		owner.newTemplate()
	} else if path == "/whatsapp/connections" {
		n.newWhatsApp()
		owner.newWhatsApp()
	} else if path == "/model-connections" {
		n.newModelConnection()
		owner.newModelConnection()
	} else if path == "/follow-ups" {
		n.newFollowUp()
		owner.newFollowUp()
	} else if path == "/members" {
		n.newMember()
		owner.newMember()
	} else if path == "/tools" {
		n.newTool()
		owner.newTool()
	} else if path == "/number-pools" {
		n.newNumberPool()
		owner.newNumberPool()
	} else if path == "/destinations" {
		n.newDestination()
		owner.newDestination()
	} else if strings.HasPrefix(path, "/erasures") {
		n.newErasure()
		owner.newErasure()
	} else if path == "/events" {
		n.newEvent()
		owner.newEvent()
	} else if strings.HasPrefix(path, "/webhooks") {
		n.newWebhook()
		owner.newWebhook()
	}
	ids := func(n *tenant) (ids []string) {
		if strings.HasSuffix(path, "/export") {
			for _, row := range n.do("GET", path, nil).table() {
				ids = append(ids, row["id"])
			}
			return ids
		}
		for _, row := range n.do("GET", path, nil).data() {
			ids = append(ids, row.(map[string]any)["id"].(string))
		}
		return ids
	}
	own, foreign := ids(n), ids(owner)
	if len(own) == 0 || len(foreign) == 0 {
		t.Errorf("GET %s: %d and %d rows", path, len(own), len(foreign))
	}
	for _, id := range foreign {
		if slices.Contains(own, id) {
			t.Errorf("GET %s shows the other organization's %s", path, id)
		}
	}
}

// A filter by another organization's id finds nothing, even if a row matches.
func TestForeignFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, other := w.newTenant("Owner"), w.newTenant("Other")
	owner.newCampaign()
	owner.newCall("+15005550001")
	for path, rows := range map[string]int{
		"/campaigns?project_id=" + owner.project.String(): 1,
		"/calls?agent_id=" + owner.agent.String():         1,
		"/calls?phone_number_id=" + owner.number.String(): 1,
		"/calls?to_number=%2B15005550001":                 1,
	} {
		if got := len(owner.do("GET", path, nil).data()); got != rows {
			t.Errorf("%s: the owner sees %d", path, got)
		}
		if got := len(other.do("GET", path, nil).data()); got != 0 {
			t.Errorf("%s: the other one sees %d", path, got)
		}
	}
}

func TestTheLogNamesTheRequestAndNothingPrivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	a := n.do("POST", "/campaigns", n.campaign()).want(http.StatusCreated)
	n.do("GET", "/calls?to_number=%2B15005550001", nil)
	log := w.log.String()
	for _, want := range []string{
		a.header.Get("X-Request-Id"), n.organization.String(), `"route":"/api/v1/campaigns"`, `"status":201`,
		`"duration":`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("%s is not in the log:\n%s", want, log)
		}
	}
	for _, private := range []string{n.key[8:], "5005550001", "Ana", "Monday"} {
		if strings.Contains(log, private) {
			t.Errorf("%q is in the log:\n%s", private, log)
		}
	}
}

func TestAFailureSaysNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(`alter table campaign rename column name to title`)
	a := n.do("GET", "/campaigns/"+newID().String(), nil).refused(http.StatusInternalServerError, "Internal error")
	if log := w.log.String(); !strings.Contains(log, a.header.Get("X-Request-Id")) ||
		!strings.Contains(log, "campaign.name does not exist") {
		t.Errorf("the cause is not in the log: %s", log)
	}

	// A panic gets an answer too, and the server continues.
	w.server.Config.Handler = Handler(&app.App{
		Accounts: w.accounts, TrustedProxies: w.app.TrustedProxies, Log: w.app.Log,
	})
	a = n.do("GET", "/calls", nil).refused(http.StatusInternalServerError, "Internal error")
	if log := w.log.String(); !strings.Contains(log, a.header.Get("X-Request-Id")) ||
		!strings.Contains(log, "nil pointer") {
		t.Errorf("the panic is not in the log: %s", log)
	}

	// If the key can't be looked up, the headers do not claim that the limit is reached.
	w.exec(`drop function use_api_key`)
	a = n.do("GET", "/projects", nil).refused(http.StatusInternalServerError, "Internal error")
	if a.header.Get("X-RateLimit-Remaining") != "60" {
		t.Errorf("headers: %v", a.header)
	}
}

func TestLastUseHasTheClientsAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.do("GET", "/calls", nil, "X-Forwarded-For", "192.0.2.66, 203.0.113.9").want(http.StatusOK)
	keys, err := w.accounts.Keys(context.Background(), n.organization, false, pageOf(1))
	if err != nil {
		t.Fatal(err)
	}
	if k := keys.Data[0]; k.LastUsedAt == nil || fmt.Sprint(k.LastAddress) != "203.0.113.9" {
		t.Errorf("last used %v from %v", k.LastUsedAt, k.LastAddress)
	}
}

func FuzzAuthorization(f *testing.F) {
	w := newWorld(f)
	n := w.newTenant("Acme")
	for _, header := range []string{
		"", "Bearer", "Bearer " + n.key[:30], "bearer ik_live_" + strings.Repeat("a", 64), "Basic YTpi",
		"Bearer ik_live_\t", "\xff",
	} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if strings.ContainsAny(header, "\r\n\x00") || strings.Contains(header, n.key) {
			t.Skip("not a header, or the right one")
		}
		r, _ := http.NewRequest(http.MethodGet, "/api/v1/calls", nil)
		r.Header["Authorization"] = []string{header}
		recorder := recordedBy(Handler(w.app), r)
		if recorder.Code != http.StatusUnauthorized {
			t.Errorf("%q: %d %s", header, recorder.Code, recorder.Body)
		}
	})
}
