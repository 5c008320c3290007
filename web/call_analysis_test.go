package web

import (
	"net/http"
	"testing"
)

// The page of a call shows what a language model found, with quotes that lead to their turns, and what a person must
// check.
func TestCallAnalysis(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCall()
	w.exec(`update call set analysis = analysis || '{"status": "failed", "error": "The server is down",
		"method": "model",
		"number": 2, "successful": null, "quality": 7, "issues": ["opt_out_missed"], "follow_up_wanted": true,
		"fields": {"ok": {"value": true, "confidence": 0.9, "quote": "Yes, I can.", "turn": 1}},
		"usage": {"connection_id": "01a209e7-8a4f-7753-a323-852606677a6c", "model": "m-1", "input_tokens": 1200,
		"output_tokens": 80}}' where id = $1`, id)
	n.as(n.staff).get("/calls/"+id.String()).has("The analysis failed: The server is down.", "“Yes, I can.”",
		`href="#turn-1"`, "90% sure", "7 of 10", "may have asked not to be called again", "m-1", "1,200 in, 80 out")
}

// An admin has a call analyzed again. The open page shows the result when it is there, and then all versions.
func TestCallIsAnalyzedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.analyzableCall()
	path := "/calls/" + id.String()
	n.as(n.staff).get(path).lacks("Analyze again", "Analyses")
	v := n.as(n.admin)
	v.get(path).has("Analyze again").lacks("sse-connect", "Analyses of this call")

	v.post(path+"/analyses", nil).leads(path)
	v.get(path).has("Analyzing the call", "A language model is analyzing this call.", "Analyses of this call",
		"Version 2", "Requested by Aster Ada", "By rule", `sse-connect="`+path+`/events"`).lacks("Analyze again")
	v.post(path+"/analyses", nil).want(http.StatusConflict).has("already being analyzed")
	s := v.listen(path + "/events")
	s.next("call", "A language model is analyzing this call.")
	jobs := w.count(`select count(*) from call_analysis_due`)
	if jobs != 1 {
		t.Errorf("%d analyses are queued", jobs)
	}
	w.exec(`update call_analysis set status = 'failed', error = 'The server is down', finished_at = clock()
		where call_id = $1 and status = 'pending'`, id)
	w.exec(`update call set analysis = analysis || '{"status": "failed", "error": "The server is down"}'
		where id = $1`, id)
	s.next("call", "The analysis failed: The server is down.", "Version 2", "Analyze again")
	s.next("end")
	s.ended()

	// Without a language model in the agent's settings, a person chooses one of the organization's.
	other := n.newCall()
	model := n.freshModel()
	path = "/calls/" + other.String()
	v.get(path).has("Choose a model", "Stand-in")
	v.post(path+"/analyses", form("connection_id", w.newTenant("Borealis").freshModel().String())).
		want(http.StatusUnprocessableEntity)
	v.post(path+"/analyses", form("connection_id", model.String())).leads(path)
}
