package api

import (
	"os"
	"strings"
	"testing"

	callsandbox "github.com/dialwright/dialwright/internal/carrier/sandbox"
	messagesandbox "github.com/dialwright/dialwright/internal/messaging/sandbox"
	modelsandbox "github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/simulation"
)

// The README and the reference list exactly the outcomes of the sandboxes, in the same words.
func TestSandboxNumbersAreListed(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Reference()
	if err != nil {
		t.Fatal(err)
	}
	page := r.Page("sandbox-numbers")
	if page == nil || len(page.Sections) != 5 {
		t.Fatalf("the reference has %+v", page)
	}
	var models []simulation.Outcome
	for _, c := range modelsandbox.Choices() {
		models = append(models, simulation.Outcome{Digits: "`" + c.Name + "`", Text: c.Does})
	}
	var callers []simulation.Outcome
	for _, c := range callsandbox.Callers() {
		callers = append(callers, simulation.Outcome{Digits: "`" + c.Digits + "`", Text: c.Text})
	}
	for i, c := range []struct {
		head     string
		outcomes []simulation.Outcome
	}{
		{"`oo`", callsandbox.Outcomes()}, {"`hh`", callsandbox.Humans()}, {"`caller`", callers},
		{"`mm`", messagesandbox.Outcomes()},
		{"Model", models},
	} {
		head := "\n| " + c.head + " | What happens |\n|---|---|\n"
		var table strings.Builder
		for _, o := range c.outcomes {
			table.WriteString("| " + o.Digits + " | " + o.Text + " |\n")
			if !strings.Contains(page.Sections[i].Text, "\n- `"+strings.Trim(o.Digits, "`")+"`: "+o.Text+"\n") {
				t.Errorf("the page lacks %s %s", c.head, o.Digits)
			}
		}
		_, listed, _ := strings.Cut(string(readme), head)
		if listed, _, _ = strings.Cut(listed, "\n\n"); listed+"\n" != table.String() {
			t.Errorf("README.md's table of %s has other rows than the sandbox. It should read:\n%s", c.head, &table)
		}
	}
}
