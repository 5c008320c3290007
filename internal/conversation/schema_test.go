package conversation

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/model"
)

// fullAgent is an agent with every tool.
func fullAgent() Script {
	s := withTools()
	s.Model.Tools = OptionalTools()
	s.Languages = []Translation{{Language: "es-ES"}}
	s.Transfer = &TransferSettings{Destinations: []uuid.UUID{desk().ID}, Known: []Destination{desk()}}
	return s
}

// schemaIn is the schema of a tool in what a model is asked.
func schemaIn(t *testing.T, s Script, tool ToolName) string {
	t.Helper()
	state, _ := Start(s, nil, false)
	for _, offered := range state.Request().Tools {
		if offered.Name == string(tool) {
			return string(offered.Parameters)
		}
	}
	t.Fatalf("the model has no tool %s", tool)
	return ""
}

// The schemas that are kept are those of the agent, whatever other agents had before it.
func TestSchemasOfAgentsDiffer(t *testing.T) {
	t.Parallel()
	for tool, changes := range map[ToolName][]struct {
		change func(*Script)
		want   string
	}{
		RecordAnswerTool: {
			{func(s *Script) { s.Questions = s.Questions[:2] }, `"enum":["seen_doctor","pain"]`},
			{func(s *Script) { s.Questions = s.Questions[1:2] }, `"enum":["pain"]`},
			{func(s *Script) { s.Questions = s.Questions[:2]; s.Questions[0].Key = "vis" }, `"enum":["vis","pain"]`},
			{func(s *Script) { s.Questions = s.Questions[:1]; s.Questions[0].Key = "vispain" }, `"enum":["vispain"]`},
		},
		SwitchLanguageTool: {
			{func(*Script) {}, `"enum":["en-US","es-ES"]`},
			{func(s *Script) { s.Languages[0].Language = "fr-FR" }, `"enum":["en-US","fr-FR"]`},
		},
		TransferTool: {
			{func(*Script) {}, `"enum":["Nurse"]`},
			{func(s *Script) { s.Transfer.Known[0].Name = "Doctor" }, `"enum":["Doctor"]`},
			{func(s *Script) { s.Language, s.Languages = "es-ES", nil }, "in European Spanish"},
		},
		SendMessage: {
			{func(*Script) {}, "reminder takes the variables 1 and says: Hello {{1}}"},
			{func(s *Script) { s.Model.Messages[0].Text = "Bye {{1}}" }, "says: Bye {{1}}"},
			{func(s *Script) { s.Model.Messages[0].Variables = nil }, "reminder takes no variables"},
			{func(s *Script) { s.Model.Messages[0].Key = "note" }, `"enum":["note"]`},
			{func(s *Script) {
				s.Model.Messages[0].Variables = []string{"1", "2"}
			}, `"2":{"type":"string"}`},
		},
		EndCall: {{func(*Script) {}, `"enum":["done","not_interested"]`}},
	} {
		for range 2 { // made, then kept
			for _, c := range changes {
				s := fullAgent()
				c.change(&s)
				if got := schemaIn(t, s, tool); !strings.Contains(got, c.want) || !json.Valid([]byte(got)) {
					t.Errorf("%s is %s, want %s", tool, got, c.want)
				}
			}
		}
	}
}

// Every schema is made of what its tool says that it is made of, and of nothing else.
func TestSchemasAreKeptByAllTheyAreMadeOf(t *testing.T) {
	t.Parallel()
	state, _ := Start(fullAgent(), nil, false)
	for _, tool := range toolbox {
		if own := string(schemaOf(tool.parameters(state))); string(state.schema(tool)) != own {
			t.Errorf("%s is kept as %s, and is %s", tool.name, state.schema(tool), own)
		}
		if tool.madeOf == nil && string(schemaOf(tool.parameters(State{}))) != string(state.schema(tool)) {
			t.Errorf("%s differs between agents", tool.name)
		}
	}
	if string(unambiguous([]string{"ab", "c"})) == string(unambiguous([]string{"a", "bc"})) {
		t.Error("two lists are written the same way")
	}
}

// A tool whose schema was changed is checked by the new one. Calls of many tools at once do not mix them up.
func TestCompiledSchemasDoNotMix(t *testing.T) {
	t.Parallel()
	var calls sync.WaitGroup
	for worker := range 4 {
		calls.Go(func() {
			for i := range 2 * maxKept { // more than are kept
				name := fmt.Sprintf("n%d", (i+worker)%(maxKept+8))
				schema := json.RawMessage(fmt.Sprintf(
					`{"type":"object","properties":{%q:{"type":"integer"}},"required":[%q]}`, name, name))
				if err := CheckArguments(schema, fmt.Sprintf(`{%q:1}`, name)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				err := CheckArguments(schema, `{"other":1}`)
				if err == nil || !strings.Contains(err.Error(), `no argument "other"`) ||
					!strings.Contains(err.Error(), name+" is required") {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	calls.Wait()
	compiledSchemas.mu.RLock()
	n := len(compiledSchemas.values)
	compiledSchemas.mu.RUnlock()
	if n > maxKept {
		t.Errorf("%d schemas are kept", n)
	}
	for range 2 {
		if err := CheckArguments(json.RawMessage(`{"type":7}`), `{}`); err == nil {
			t.Error("a schema that is none is no error")
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	state, _ := Start(fullAgent(), nil, false)
	b.ReportAllocs()
	var last model.Request
	for b.Loop() {
		last = state.Request()
	}
	if len(last.Tools) < len(toolbox) {
		b.Errorf("%d tools", len(last.Tools))
	}
}

func BenchmarkCheckArguments(b *testing.B) {
	tool := withTools().Model.HTTP[0]
	b.ReportAllocs()
	for b.Loop() {
		if err := CheckArguments(tool.Parameters, `{"day":"monday"}`); err != nil {
			b.Fatal(err)
		}
	}
}
