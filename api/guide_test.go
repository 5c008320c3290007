package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Every request of the workflow that people paste into n8n is one that the API takes, and its nodes are connected.
func TestTheWorkflowForN8NWorks(t *testing.T) {
	t.Parallel()
	text, err := guideFiles.ReadFile("guide/connect-n8n-zapier-and-make.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "```json\n")
	code, _, _ = strings.Cut(code, "\n```")
	type pair struct{ Name, Value string }
	type pairs struct{ Parameters []pair }
	var workflow struct {
		Nodes []struct {
			Name, Type string
			Parameters struct {
				Method, URL, JSONBody             string
				HeaderParameters, QueryParameters pairs
				FieldToSplitOut                   string
			}
		}
		Connections map[string]map[string][][]struct{ Node string }
	}
	if err := json.Unmarshal([]byte(code), &workflow); err != nil {
		t.Fatal(err)
	}

	w := newWorld(t)
	n := w.newTenant("Acme")
	fill := strings.NewReplacer("YOUR_PROJECT_ID", n.project.String(), "YOUR_AGENT_ID", n.agent.String(),
		"YOUR_PHONE_NUMBER_ID", n.number.String())
	before := time.Now().UTC().Add(-15 * time.Minute)
	expressions := map[string]string{ // what n8n makes of them
		"={{ 'n8n-' + $execution.id }}":                      "n8n-231",
		"={{ $now.minus({ minutes: 15 }).toUTC().toISO() }}": before.Format("2006-01-02T15:04:05.000Z"),
	}
	value := func(text string) string {
		if strings.HasPrefix(text, "=") {
			if expressions[text] == "" {
				t.Errorf("unknown expression %s", text)
			}
			return expressions[text]
		}
		return text
	}
	nodes, requests := map[string]bool{}, 0
	var answered *answer
	for _, node := range workflow.Nodes {
		nodes[node.Name] = true
		p := node.Parameters
		if p.FieldToSplitOut != "" && answered.get(p.FieldToSplitOut) == nil {
			t.Errorf("%s: the answer before has no %s", node.Name, p.FieldToSplitOut)
		}
		if node.Type != "n8n-nodes-base.httpRequest" {
			continue
		}
		requests++
		path, ok := strings.CutPrefix(p.URL, "https://calls.example.com/api/v1")
		if !ok {
			t.Errorf("%s: %s", node.Name, p.URL)
		}
		query := url.Values{}
		for _, q := range p.QueryParameters.Parameters {
			query.Set(q.Name, value(q.Value))
		}
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		var headers []string
		for _, h := range p.HeaderParameters.Parameters {
			headers = append(headers, h.Name, value(h.Value))
		}
		status := http.StatusOK
		var body any
		if p.Method == http.MethodPost {
			status, body = http.StatusCreated, fill.Replace(p.JSONBody)
		}
		answered = n.do(p.Method, path, body, headers...).want(status)
		if list, _ := answered.get("data").([]any); p.Method == http.MethodGet && len(list) != 1 {
			t.Errorf("%s: the call is not in the list: %s", node.Name, answered.body)
		}
	}
	if requests != 2 {
		t.Errorf("%d requests", requests)
	}
	for from, outputs := range workflow.Connections {
		for _, to := range outputs["main"][0] {
			if !nodes[from] || !nodes[to.Node] {
				t.Errorf("%s is connected with %s", from, to.Node)
			}
		}
	}
}
