package evaluation_test

import (
	"encoding/json"
	"testing"

	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/fault"
)

// A check of a name that nothing has would always fail, or always pass. It is refused, and a run says what is gone.
func TestChecksNameWhatThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	for want, c := range map[string]evaluation.Check{
		"checks[0].name: the agent collects no field of this key. Did you mean satisfied?": {
			Kind: evaluation.FieldEquals, Name: "satisfeid", Value: "true"},
		"checks[0].name: the agent collects no field of this key. There is satisfied": {
			Kind: evaluation.FieldAbsent, Name: "price"},
		"checks[0].name: no tool has this name. Did you mean record_answer?": {
			Kind: evaluation.ToolNotCalled, Name: "record_answers"},
		"checks[0].value: no conversation ends with this ended_reason. Did you mean completed?": {
			Kind: evaluation.EndedReason, Value: "complete"},
	} {
		in := evaluation.CaseInput{Name: "Unknown", Content: evaluation.Content{
			Recipient: evaluation.Persona{Steps: []evaluation.Step{{Action: evaluation.StaySilent}}},
			Checks:    []evaluation.Check{c},
		}}
		_, err := w.Evaluations.CreateCase(ctx, w.actor, w.AgentID, in)
		if fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	in := evaluation.CaseInput{Name: "Results", Content: evaluation.Content{
		Recipient:   evaluation.Persona{Steps: []evaluation.Step{{Action: evaluation.StaySilent}}},
		ToolResults: map[string]json.RawMessage{"send_mesage": []byte(`{}`)},
		Checks:      []evaluation.Check{{Kind: evaluation.FieldAbsent, Name: "x"}},
	}}
	_, err := w.Evaluations.CreateCase(ctx, w.actor, w.AgentID, in)
	const both = "tool_results.send_mesage: no tool has this name. Did you mean send_message?; " +
		"checks[0].name: the agent collects no field of this key. There is satisfied"
	if err == nil || err.Error() != both {
		t.Errorf("got %v, want %s", err, both)
	}

	w.work()
	w.addCase("Satisfied", "Yes.", "satisfied", "true")
	_, err = w.db.Pool.Exec(ctx, `
		update agent set script = jsonb_set(script, '{questions,0,key}', '"happy"') where id = $1`, w.AgentID)
	if err != nil {
		t.Fatal(err)
	}
	r, attempts := w.await(w.start(evaluation.RunInput{Repeats: new(1)}).ID, evaluation.Failed)
	_, result, err := w.Evaluations.Attempt(ctx, w.OrganizationID, w.AgentID, r.ID, attempts[0].ID)
	const gone = "This version of the agent does not collect the field satisfied. There is happy"
	if err != nil || result.Findings[0].Reason != gone {
		t.Errorf("%+v, %v", result, err)
	}
}
