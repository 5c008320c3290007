package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
)

const turnRepeats = 20_000

// turn measures what the server computes in each turn of a conversation with every tool: the request to the model, and
// the check of the arguments that the model gives to a tool.
func turn(_ context.Context, l *lab) {
	section("A turn of a language model")
	desk := conversation.Destination{ID: uuid.Must(uuid.NewV7()), Name: "Desk", Hours: hours.Always()}
	parameters := json.RawMessage(`{"type":"object","properties":{"day":{"type":"string","format":"date"},
		"guests":{"type":"integer","minimum":1}},"required":["day"],"additionalProperties":false}`)
	state, _ := conversation.Start(conversation.Script{
		Language: "en-US",
		Greeting: "Hello {{name|there}}, this is the clinic.",
		Questions: []conversation.Question{
			{Key: "coming", Ask: "Are you coming tomorrow?", Expect: conversation.YesNo},
			{Key: "guests", Ask: "How many people do you bring?", Expect: conversation.Number},
		},
		Languages: []conversation.Translation{{Language: "es-ES"}, {Language: "fr-FR"}},
		Transfer: &conversation.TransferSettings{
			Destinations: []uuid.UUID{desk.ID}, Known: []conversation.Destination{desk},
		},
		Model: &conversation.Model{
			Instructions: "Remind the person of the visit tomorrow.",
			Tools:        conversation.OptionalTools(),
			Messages: []conversation.MessageTemplate{
				{ID: uuid.Must(uuid.NewV7()), Key: "reminder", Text: "See you {{1}}.", Variables: []string{"1"}},
			},
			HTTP: []conversation.HTTPTool{
				{ID: uuid.Must(uuid.NewV7()), Name: "book", Description: "Books a visit.", Parameters: parameters},
			},
		},
	}, map[string]any{"name": "Ada"}, false)
	out := newTable("work of a turn", "time", "allocated")
	out.row(l.measured("the request, with every tool", func() {
		if len(state.Request().Tools) < len(conversation.BuiltInTools()) {
			failf("the model does not have every tool")
		}
	})...)
	out.row(l.measured("the check of a tool's arguments", func() {
		check(conversation.CheckArguments(parameters, `{"day":"2026-03-02","guests":2}`))
	})...)
	out.print("The average of %s on one core, after the first.", count(turnRepeats))
}

// measured returns a row: the average time and memory of some work.
func (l *lab) measured(name string, work func()) []any {
	work()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	for range turnRepeats {
		work()
	}
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	l.figure(name, "µs", float64(took.Microseconds())/turnRepeats)
	return []any{
		name, fmt.Sprintf("%.1f µs", float64(took.Microseconds())/turnRepeats),
		kilo(int(after.TotalAlloc-before.TotalAlloc) / turnRepeats),
	}
}
