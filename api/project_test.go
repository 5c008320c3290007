package api

import (
	"encoding/json"
	"net/http"
	"testing"
)

// A project is created with the defaults of its organization, changed field by field, and removed.
func TestProjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(`update organization set time_zone = 'Europe/Lisbon', region = 'PT' where id = $1`, n.organization)

	a := n.do("POST", "/projects", object{"name": " Recall "}).want(http.StatusCreated)
	for field, want := range map[string]any{
		"name": "Recall", "time_zone": "Europe/Lisbon", "region": "PT", "transcript_days": nil, "recording_days": nil,
	} {
		if got := a.get(field); got != want {
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
	if start := a.get("calling_hours", "windows", 0, "start"); start != "08:00" {
		t.Errorf("calls begin at %v", start)
	}
	n.do("POST", "/projects", object{"name": "RECALL"}).refused(http.StatusConflict, "Another project is named RECALL")
	n.do("POST", "/projects", object{
		"time_zone": "Mars", "region": "ZZ", "transcript_days": 0, "recording_days": 4000, "tariff": "red",
	}).refused(http.StatusBadRequest,
		"tariff: unknown field, must be one of name, time_zone, region, calling_hours, transcript_days, recording_days"+
			"; name: required; time_zone: must be a time zone such as America/Chicago; "+
			"region: not a two-letter country code; "+
			"transcript_days: must be between 1 and 3,650; recording_days: must be between 1 and 3,650")

	path := "/projects/" + a.get("id").(string)
	read := n.do("GET", path, nil).want(http.StatusOK)
	n.do("PATCH", path, json.RawMessage(read.body)).want(http.StatusOK) // the whole object may be sent back
	changed := n.do("PATCH", path, object{"name": "Recalls", "transcript_days": 30, "recording_days": 7},
		"If-Match", read.header.Get("ETag")).want(http.StatusOK)
	if changed.get("name") != "Recalls" || changed.get("transcript_days") != 30.0 ||
		changed.get("time_zone") != "Europe/Lisbon" {
		t.Errorf("changed: %s", changed.body)
	}
	n.do("PATCH", path, object{"name": "Late"}, "If-Match", read.header.Get("ETag")).
		want(http.StatusPreconditionFailed)
	if kept := n.do("PATCH", path, object{"transcript_days": nil}).want(http.StatusOK); kept.get(
		"transcript_days") != nil || kept.get("recording_days") != 7.0 {
		t.Errorf("null: %s", kept.body)
	}
	for text, body := range map[string]object{
		"name: must not be null":        {"name": nil},
		"name: required":                {"name": " "},
		"id: cannot be changed":         {"id": newID().String()},
		"created_at: cannot be changed": {"created_at": "2026-01-01T00:00:00Z"},
		"calling_hours.windows: at least one is required": {
			"calling_hours": object{"timezone": "recipient", "windows": []any{}},
		},
	} {
		n.do("PATCH", path, body).refused(http.StatusBadRequest, text)
	}
	n.do("PATCH", path, object{"name": "Reminders"}).
		refused(http.StatusConflict, "Another project is named Reminders")

	n.newCampaign()
	n.do("DELETE", "/projects/"+n.project.String(), nil).
		refused(http.StatusConflict, "Project Reminders is used by 1 campaign that has not ended: Spring")
	n.do("DELETE", path, nil).want(http.StatusNoContent)
	n.do("GET", path, nil).refused(http.StatusNotFound, "Project not found")
	n.do("PATCH", path, object{"name": "x"}).refused(http.StatusNotFound, "Project not found")
	n.do("DELETE", path, nil).refused(http.StatusNotFound, "Project not found")
}
