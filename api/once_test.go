package api

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

// posts returns the operations that take an Idempotency-Key, each with its own request
// and a count of its effects.
func (n *tenant) posts() map[string]struct {
	body  any
	count func() int
} {
	n.w.whatsapp(nil)
	n.connect(sandbox.Account250)
	campaign := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": time.Now().Add(time.Hour), "expires_at": nil, "recipients": people(1),
	})).
		want(http.StatusCreated).get("id").(string)
	ended := n.newCampaign()
	n.do("POST", "/campaigns/"+ended+"/cancel", nil).want(http.StatusOK)
	before := []string{campaign, ended}
	type post = struct {
		body  any
		count func() int
	}
	return map[string]post{
		"/campaigns": {n.body(nil), func() int {
			return n.w.count(`select count(*) from campaign where id <> all($1)`, before)
		}},
		"/campaigns/" + ended + "/retry": {object{"draft": true}, func() int {
			return n.w.count(`select count(*) from campaign where retry_of_campaign_id = $1`, ended)
		}},
		"/campaigns/" + campaign + "/recipients": {object{"recipients": []any{object{"phone_number": "+13122000077"}}},
			func() int { return n.w.count(`select count(*) - 1 from recipient where campaign_id = $1`, campaign) }},
		"/messages": {object{"external_id": sandbox.Number250, "to_number": "+13125550142",
			"template": object{
				"name": "follow_up", "language": "en_US",
				"variables": object{"header.1": "Ana", "1": "Ana", "2": "Dr. Okafor"},
			}},
			func() int { return n.w.count(`select count(*) from message where phone_number = '+13125550142'`) }},
		"/messages/batch": {object{"messages": []object{{"external_id": sandbox.Number250, "to_number": "+13125550143",
			"template": object{
				"name": "follow_up", "language": "en_US",
				"variables": object{"header.1": "Ana", "1": "Ana", "2": "Dr. Okafor"},
			}}}},
			func() int { return n.w.count(`select count(*) from message where phone_number = '+13125550143'`) }},
		"/calls": {n.ownCall(), func() int {
			return n.w.count(`select count(*) from recipient where campaign_id <> all($1)`, before)
		}},
		"/calls/batch": {object{"calls": []object{n.ownCall()}}, func() int {
			return n.w.count(`select count(*) from recipient where campaign_id <> all($1)`, before)
		}},
		"/calls/" + n.newLiveCall() + "/notes": {object{"text": "The nurse comes at four"}, func() int {
			return n.w.count(`select count(*) from call_note`)
		}},
		"/follow-ups": {n.followUp(), func() int { return n.w.count(`select count(*) from follow_up`) }},
	}
}

// The tests cover all operations that take a key in the description.
func TestTheOperationsThatTakeAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	posts := n.posts()
	for path, item := range describedAPI(t).doc.Paths.Map() {
		if item.Post == nil || item.Post.Parameters.GetByInAndName("header", "Idempotency-Key") == nil {
			continue
		}
		found := false
		for known := range posts {
			parts, pattern := strings.Split(known, "/"), strings.Split(path, "/")
			same := len(parts) == len(pattern)
			for i := 0; same && i < len(parts); i++ {
				same = parts[i] == pattern[i] || strings.HasPrefix(pattern[i], "{")
			}
			found = found || same
		}
		if !found {
			t.Errorf("POST %s takes an Idempotency-Key, and no test repeats it", path)
		}
	}
}

// The client's connection breaks at any moment between the request and its answer.
// Whether the request was processed or not, the repeated request is answered with a
// creation, and there is one effect in all.
func TestARequestWhoseAnswerIsLostIsDoneOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	for path, post := range n.posts() {
		encoded, ok := post.body.(string)
		if !ok {
			marshaled, err := json.Marshal(post.body)
			if err != nil {
				t.Fatal(err)
			}
			encoded = string(marshaled)
		}
		for round := range 4 {
			key := fmt.Sprint("lost ", round)
			w.refill()
			before := post.count()
			conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			_, err = fmt.Fprintf(conn, "POST /api/v1%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+
				"%s\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s",
				path, n.key, key, len(encoded), encoded)
			if err != nil {
				t.Fatal(err)
			}
			if round%2 == 1 { // the answer has begun, so the work is done, but the client does not read the answer
				if _, err := conn.Read(make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
			}
			conn.Close()
			var a *answer
			for deadline := time.Now().Add(testwait.Limit); ; w.refill() {
				a = n.do("POST", path, encoded, "Idempotency-Key", key)
				if a.status != http.StatusConflict || time.Now().After(deadline) {
					break
				}
				a.refused(http.StatusConflict, "A request with this Idempotency-Key is still being processed")
			}
			a.want(http.StatusCreated)
			if replayed := a.header.Get("Idempotent-Replayed") == "true"; round%2 == 1 && !replayed {
				t.Errorf("%s: what was done is not replayed", path)
			}
			if effects := post.count() - before; effects != 1 {
				t.Errorf("%s: done %d times", path, effects)
			}
			n.do("POST", path, strings.Replace(encoded, "{", `{"surplus": 1, `, 1), "Idempotency-Key", key).
				want(http.StatusConflict)
		}
	}
}

// A key of which nothing is left, such as a variable that was never set, is no absent key.
func TestEmptyIdempotencyKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.do("POST", "/calls", n.ownCall(), "Idempotency-Key", "").
		refused(http.StatusBadRequest, "Idempotency-Key: must not be empty")
}

// Concurrent requests with one key have one effect. Requests without a Conflict get the
// same answer.
func TestConcurrentRequestsWithOneKeyAreDoneOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	posts := n.posts()
	second := w.second()
	second.wire(w.options...)
	for path, post := range posts {
		w.refill()
		before := post.count()
		const requests = 20
		answers := make(chan *answer, requests)
		for i := range requests {
			go func() {
				instance := []*world{w, second}[i%2]
				answers <- instance.do("POST", path, n.key, post.body, "Idempotency-Key", "at once")
			}()
		}
		created := map[string]bool{}
		for range requests {
			switch a := <-answers; a.status {
			case http.StatusCreated:
				created[a.body] = true
			case http.StatusConflict:
				a.refused(http.StatusConflict, "A request with this Idempotency-Key is still being processed")
				if a.header.Get("Retry-After") != "1" {
					t.Errorf("%v", a.header)
				}
			default:
				t.Errorf("%v", a)
			}
		}
		if effects := post.count() - before; effects != 1 || len(created) != 1 {
			t.Errorf("%s: done %d times, %d different answers", path, effects, len(created))
		}
	}
}
