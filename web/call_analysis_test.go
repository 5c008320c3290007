package web

import "testing"

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
