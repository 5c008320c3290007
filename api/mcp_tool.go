package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/reference"
)

// chosen are the operations that assistants have as tools: what a person asks an assistant for. The rest of the API is
// left to programs, because a model chooses worse among many tools.
var chosen = []struct {
	tool, operation string
	destructive     bool // ends something, or calls people
}{
	{"whoami", "getMe", false},
	{"list_projects", "listProjects", false},
	{"list_agents", "listAgents", false},
	{"list_phone_numbers", "listPhoneNumbers", false},
	{"create_call", "createCall", true},
	{"list_calls", "listCalls", false},
	{"get_call", "getCall", false},
	{"cancel_call", "cancelCall", true},
	{"create_campaign", "createCampaign", true},
	{"list_campaigns", "listCampaigns", false},
	{"get_campaign", "getCampaign", false},
	{"pause_campaign", "pauseCampaign", true},
	{"list_follow_ups", "listFollowUps", false},
	{"add_do_not_call", "addDoNotCall", true},
}

// mcpTool is an operation of the API as an assistant sees it.
type mcpTool struct {
	mcp.Tool

	scope        account.Scope
	method, path string
	parameters   map[string]string // where each is: path, query or header
	body         bool
}

// parts of the description that describeTools reads.
type (
	apiDocument struct {
		Paths      map[string]map[string]json.RawMessage `json:"paths"`
		Components map[string]map[string]any             `json:"components"`
	}
	apiOperation struct {
		OperationID string           `json:"operationId"`
		Summary     string           `json:"summary"`
		Description string           `json:"description"`
		Parameters  []map[string]any `json:"parameters"`
		RequestBody struct {
			Content map[string]struct {
				Schema map[string]any `json:"schema"`
			} `json:"content"`
		} `json:"requestBody"`
	}
)

// describeTools returns the chosen operations with schemas of their arguments: the parameters and the fields of the
// body. An assistant has no components, so the schemas are complete.
func describeTools(description []byte) ([]mcpTool, error) {
	var doc apiDocument
	if err := json.Unmarshal(description, &doc); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	r, err := Reference()
	if err != nil {
		return nil, err
	}
	var tools []mcpTool
	for _, c := range chosen {
		_, known, ok := operationOf(r, c.operation)
		if !ok {
			return nil, fmt.Errorf("no operation %s", c.operation)
		}
		t := mcpTool{scope: account.Scope(known.Scope), method: known.Method, path: known.Path}
		var o apiOperation
		item := doc.Paths[t.path]
		if err := json.Unmarshal(item[strings.ToLower(t.method)], &o); err != nil {
			return nil, fmt.Errorf("read %s: %w", c.operation, err)
		}
		if ofAll := item["parameters"]; ofAll != nil { // parameters of all methods of the path
			var shared []map[string]any
			if err := json.Unmarshal(ofAll, &shared); err != nil {
				return nil, fmt.Errorf("read the parameters of %s: %w", t.path, err)
			}
			o.Parameters = append(o.Parameters, shared...)
		}
		if err := t.describe(doc, o); err != nil {
			return nil, fmt.Errorf("describe %s: %w", c.operation, err)
		}
		t.Name, t.Title = c.tool, o.Summary
		t.Annotations = &mcp.ToolAnnotations{
			ReadOnlyHint: t.method == "GET", DestructiveHint: &c.destructive, OpenWorldHint: &c.destructive,
		}
		tools = append(tools, t)
	}
	return tools, nil
}

func (t *mcpTool) describe(doc apiDocument, o apiOperation) error {
	properties, required := map[string]any{}, []string{}
	t.parameters = map[string]string{}
	for _, p := range o.Parameters {
		p, _ := doc.resolve(p).(map[string]any)
		name, _ := p["name"].(string)
		in, _ := p["in"].(string)
		if in == "header" {
			name = strings.ToLower(strings.ReplaceAll(name, "-", "_"))
		}
		schema, _ := p["schema"].(map[string]any)
		schema = maps.Clone(schema)
		if text, _ := p["description"].(string); text != "" {
			schema["description"] = strings.TrimSpace(text)
		}
		properties[name], t.parameters[name] = schema, in
		if needed, _ := p["required"].(bool); needed {
			required = append(required, name)
		}
	}
	if content, ok := o.RequestBody.Content["application/json"]; ok {
		t.body = true
		body, _ := doc.resolve(content.Schema).(map[string]any)
		fields, _ := body["properties"].(map[string]any)
		for name, schema := range fields {
			if _, taken := properties[name]; taken {
				return fmt.Errorf("%s is a parameter and a field", name)
			}
			properties[name] = schema
		}
		needed, _ := body["required"].([]any)
		for _, name := range needed {
			required = append(required, fmt.Sprint(name))
		}
	}
	slices.Sort(required)
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	t.Description = strings.TrimSpace(o.Description)
	t.InputSchema = json.RawMessage(schema)
	return err
}

// resolve returns a part of the description with what it refers to in place, without examples.
func (doc apiDocument) resolve(part any) any {
	switch v := part.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			path := strings.Split(strings.TrimPrefix(ref, "#/components/"), "/")
			target, _ := doc.resolve(doc.Components[path[0]][path[1]]).(map[string]any)
			target = maps.Clone(target)
			if text, ok := v["description"]; ok {
				target["description"] = text
			}
			return target
		}
		resolved := make(map[string]any, len(v))
		for key, item := range v {
			if _, field := v["properties"]; key == "examples" || key == "example" && field {
				continue
			}
			resolved[key] = doc.resolve(item)
		}
		return resolved
	case []any:
		resolved := make([]any, len(v))
		for i, item := range v {
			resolved[i] = doc.resolve(item)
		}
		return resolved
	}
	return part
}

// headerOf returns the header that an argument sets: idempotency_key sets Idempotency-Key.
func headerOf(argument string) string { return strings.ReplaceAll(argument, "_", "-") }

// operationOf finds an operation and its page.
func operationOf(r *reference.Reference, id string) (reference.Page, reference.Operation, bool) {
	for _, page := range r.Pages {
		for _, o := range page.Operations {
			if o.ID == id {
				return page, o, true
			}
		}
	}
	return reference.Page{}, reference.Operation{}, false
}

// toolSection lists the tools for the guide.
func toolSection(r *reference.Reference) reference.Section {
	var list strings.Builder
	for _, c := range chosen {
		page, o, _ := operationOf(r, c.operation)
		fmt.Fprintf(&list, "- `%s`: [%s](/docs/%s#%s).", c.tool, o.Title, page.Slug, o.ID)
		if o.Scope != "" {
			fmt.Fprintf(&list, " Scope: `%s`.", o.Scope)
		}
		list.WriteString("\n")
	}
	return reference.Section{Slug: "tools", Title: "Tools", Text: list.String()}
}
