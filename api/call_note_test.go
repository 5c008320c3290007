package api

import (
	"net/http"
	"testing"
)

// The notes of a call say whether the agent has them and used them, also after the call. Take-overs are no notes.
func TestCallNotes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	id := n.newLiveCall()
	path := "/calls/" + id + "/notes"
	first := n.do("POST", path, object{"text": "The nurse comes at four"}).want(http.StatusCreated)
	if first.get("given_at") != nil || first.get("used_at") != nil {
		t.Errorf("%v", first)
	}
	w.exec(`update call_note set given_at = clock(), used_at = clock() where call_id = $1`, id)
	n.do("POST", path, object{"text": "The door is open"}).want(http.StatusCreated)
	w.exec(`update call_note set given_at = clock() where call_id = $1 and given_at is null`, id)
	n.do("POST", path, object{"text": "Say goodbye"}).want(http.StatusCreated)
	destination, _ := n.newDestination()
	n.do("POST", "/calls/"+id+"/transfer", object{"destination_id": destination}).want(http.StatusOK)
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'recipient_hung_up',
		ended_by = 'recipient', ended_at = clock(), settled_at = clock() where id = $1`, id)

	rows := n.do("GET", path, nil).want(http.StatusOK).data()
	if len(rows) != 3 {
		t.Fatalf("%d notes: %v", len(rows), rows)
	}
	for i, want := range []struct {
		text        string
		given, used bool
	}{{"Say goodbye", false, false}, {"The door is open", true, false}, {"The nurse comes at four", true, true}} {
		got := rows[i].(map[string]any)
		if got["text"] != want.text || got["call_id"] != id || got["given_at"] != nil != want.given ||
			got["used_at"] != nil != want.used {
			t.Errorf("note %d: %v, want %+v", i, got, want)
		}
	}
	other.do("GET", path, nil).refused(http.StatusNotFound, "Call not found")
	scheduled := n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated).get("id").(string)
	if rows := n.do("GET", "/calls/"+scheduled+"/notes", nil).want(http.StatusOK).data(); len(rows) != 0 {
		t.Errorf("a scheduled call has notes: %v", rows)
	}
}
