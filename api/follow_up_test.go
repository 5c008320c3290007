package api

import (
	"maps"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
)

// A client assigns a follow-up, changes it, takes values away, finishes it and opens it again.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	member, stranger := newID(), newID()
	for id, organization := range map[uuid.UUID]uuid.UUID{member: n.organization, stranger: other.organization} {
		w.exec(`insert into app_user (id, email, name, password_hash) values ($1, $2, 'Ada', '')`, id,
			id.String()+"@example.com")
		w.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, 'staff')`, organization, id)
	}
	path := "/follow-ups/" + n.newFollowUp()
	n.newFollowUp()
	const due = "2035-11-23T09:00:00.000Z"
	got := n.do("PATCH", path, object{"assignee_id": member.String(), "due_at": due, "note": "Call first"}).
		want(http.StatusOK)
	assignee, _ := got.get("assignee").(object)
	if assignee["id"] != member.String() || assignee["name"] != "Ada" || got.get("due_at") != due ||
		got.get("note") != "Call first" {
		t.Errorf("%v", got)
	}
	for query, want := range map[string]int{
		"assignee_id=" + member.String(): 1, "assignee_id=none": 1, "assignee_id=" + newID().String(): 0,
		"due_before=2035-11-23T09:00:01Z": 1, "due_before=2035-11-23T09:00:00Z": 0, "status=open,done": 2,
	} {
		if rows := n.do("GET", "/follow-ups?"+query, nil).want(http.StatusOK).data(); len(rows) != want {
			t.Errorf("%s: %d rows", query, len(rows))
		}
	}
	n.do("GET", "/follow-ups?assignee_id=me", nil).refused(http.StatusBadRequest, "assignee_id: must be a UUID")
	got = n.do("PATCH", path, object{"assignee_id": nil, "due_at": nil}).want(http.StatusOK)
	if got.get("assignee") != nil || got.get("due_at") != nil || got.get("note") != "Call first" {
		t.Errorf("%v", got)
	}
	for field, body := range map[string]object{
		"assignee_id: no such member":                                   {"assignee_id": stranger.String()},
		"assignee_id: must be a UUID":                                   {"assignee_id": "Ada"},
		"assignee_id: must be a UUID or null":                           {"assignee_id": ""},
		"note: must not be null":                                        {"note": nil},
		"due_at: must not be more than 5 minutes in the past":           {"due_at": "2020-01-01T00:00:00Z"},
		"due_at: must be an RFC 3339 time such as 2026-11-21T09:30:00Z": {"due_at": "soon"},
	} {
		n.do("PATCH", path, body).refused(http.StatusBadRequest, field)
	}
	n.do("POST", "/follow-ups", object{"reason": "x"}).refused(http.StatusBadRequest, "call_id: required")
	late := n.followUp()
	late["due_at"] = "2020-01-01T00:00:00Z"
	n.do("POST", "/follow-ups", late).
		refused(http.StatusBadRequest, "due_at: must not be more than 5 minutes in the past")
	done := n.do("POST", path+"/done", object{"note": "Settled"}).want(http.StatusOK)
	if done.get("status") != "done" || done.get("note") != "Settled" || done.get("done_by") == nil ||
		done.get("done_at") == nil {
		t.Errorf("%v", done)
	}
	n.do("POST", path+"/done", nil).refused(http.StatusConflict, "This follow-up is already done")
	if open := n.do("POST", path+"/reopen", nil).want(http.StatusOK); open.get("status") != "open" ||
		open.get("done_at") != nil || open.get("note") != "Settled" {
		t.Errorf("%v", open)
	}
	n.do("POST", path+"/reopen", nil).refused(http.StatusConflict, "This follow-up is open")
}

// A client finishes many follow-ups at once, and a repeated request changes nothing.
func TestManyFollowUpsAreFinished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	first, second, done, foreign := n.newFollowUp(), n.newFollowUp(), n.newFollowUp(), other.newFollowUp()
	n.do("POST", "/follow-ups/"+done+"/done", object{"note": "Settled"}).want(http.StatusOK)
	ids := []string{second, "nonsense", first, done, foreign, newID().String(), second}
	want := []string{"done", "unknown", "done", "already_done", "unknown", "unknown", "done"}
	for range 2 {
		answer := n.do("POST", "/follow-ups/done", object{"ids": ids}).want(http.StatusOK)
		for i := range ids {
			if answer.get("data", i, "id") != ids[i] || answer.get("data", i, "result") != want[i] {
				t.Errorf("%d: %v, want %s", i, answer.get("data", i), want[i])
			}
			if want[i] == "done" {
				want[i] = "already_done" // by the first request
			}
		}
	}
	for id, note := range map[string]string{first: "", second: "", done: "Settled"} {
		f := n.do("GET", "/follow-ups/"+id, nil).want(http.StatusOK)
		if f.get("status") != "done" || f.get("done_by") != "Test" || f.get("note") != note {
			t.Errorf("%v", f)
		}
	}
	if f := other.do("GET", "/follow-ups/"+foreign, nil); f.get("status") != "open" {
		t.Errorf("another organization's: %v", f)
	}
	if n := w.count(`select count(*) from audit_entry where action = 'follow_up.done'`); n != 3 {
		t.Errorf("%d audit entries", n)
	}
	n.do("POST", "/follow-ups/done", object{"ids": []string{}}).
		refused(http.StatusBadRequest, "ids: at least one is required")
	n.do("POST", "/follow-ups/done", object{"ids": make([]string, 1001)}).want(http.StatusBadRequest)
	w.do("POST", "/follow-ups/done", n.newKey(account.FollowUpsRead), object{"ids": ids}).
		refused(http.StatusForbidden, "Forbidden")
}

// The rules of an agent's questions are as they were sent, in the draft and in a version.
func TestFollowUpRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	question := func(expect string, rule object) object {
		q := object{"key": "answer", "ask": "Which?", "expect": expect, "follow_up": rule}
		if expect == "choice" {
			q["options"] = []string{"Meat", "Fish"}
		}
		if expect == "number" {
			q["min"], q["max"] = 1, 10
		}
		return object{"questions": []object{q}}
	}
	path := "/agents/" + n.agent.String()
	for _, agent := range []object{
		question("yes_no", object{"answer": false}), question("choice", object{"options": []string{"Fish"}}),
		question("number", object{"at_most": 3, "at_least": 9, "answer": nil}),
	} {
		want := agent["questions"].([]object)[0]["follow_up"].(object)
		questions := n.do("PATCH", path, agent).want(http.StatusOK).get("questions").([]any)
		rule := questions[0].(object)["follow_up"].(object)
		for _, field := range []string{"answer", "at_most", "at_least"} {
			if got := rule[field]; jsonText(t, got) != jsonText(t, want[field]) {
				t.Errorf("%s is %v, want %v", field, got, want[field])
			}
		}
	}
	if n.do("POST", path+"/publish", nil).status/100 != 2 {
		t.Error("the agent was not published")
	}
	soup, five := object{"options": []string{"Soup"}}, object{"at_most": 5, "at_least": 5}
	yes, none := object{"answer": true}, object{"at_most": 0}
	for problem, agent := range map[string]object{
		"questions[0].follow_up: must say which answers make a follow-up":          question("yes_no", object{}),
		"questions[0].follow_up.answer: is only for yes_no":                        question("text", yes),
		"questions[0].follow_up.options[0]: is none of the question's options":     question("choice", soup),
		"questions[0].follow_up.at_most: must be a number between 1 and 10":        question("number", none),
		"questions[0].follow_up.at_least: must be greater than the upper limit, 5": question("number", five),
	} {
		n.do("PATCH", path, agent).refused(http.StatusBadRequest, problem)
	}
}

// A client finds the member to assign by e-mail, and only the members of its organization.
func TestMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	first, second := n.newMember(), n.newMember()
	stranger := other.newMember()
	w.exec(`update membership set role = 'admin', created_at = '2026-11-20T16:00:00Z' where user_id = $1`, first)
	rows := n.do("GET", "/members", nil).want(http.StatusOK).data()
	if len(rows) != 2 {
		t.Fatalf("%d members: %v", len(rows), rows)
	}
	if id := rows[0].(object)["id"]; id != second {
		t.Errorf("%v is first, not the member who joined last", id)
	}
	want := object{"id": first, "name": "Ada Okafor", "email": first + "@example.com", "role": "admin",
		"created_at": "2026-11-20T16:00:00.000Z"}
	if got := rows[1].(object); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	// One user may be a member of two organizations, and has a role and a time in each.
	w.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, 'staff')`,
		other.organization, first)
	for _, row := range other.do("GET", "/members", nil).want(http.StatusOK).data() {
		if r := row.(object); r["id"] == first && r["role"] != "staff" || r["id"] == second {
			t.Errorf("the other organization sees %v", r)
		}
	}
	path := "/follow-ups/" + n.newFollowUp()
	n.do("PATCH", path, object{"assignee_id": first}).want(http.StatusOK)
	n.do("PATCH", path, object{"assignee_id": stranger}).
		refused(http.StatusBadRequest, "assignee_id: no such member")
	w.exec(`delete from membership where organization_id = $1 and user_id = $2`, n.organization, first)
	if rows := n.do("GET", "/members", nil).data(); len(rows) != 1 {
		t.Errorf("a removed member is listed: %v", rows)
	}
}
