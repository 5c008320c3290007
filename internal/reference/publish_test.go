package reference

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const small = `
openapi: 3.1.0
servers: [{url: /api/v1}]
paths:
  /things:
    post:
      requestBody:
        content: {application/json: {schema: {$ref: "#/components/schemas/NewThing"}}}
      responses:
        "200":
          headers: {X-Limit: {$ref: "#/components/headers/X-Limit"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Thing"}
              example: &thing {color: red, at: 2026-11-21}
        default: {description: Refused., content: {application/json: {example: {<<: *thing, color: blue}}}}
webhooks:
  thing.made:
    post:
      parameters: [{$ref: "#/components/parameters/signature"}]
      requestBody:
        content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}
components:
  headers:
    X-Limit: {schema: {type: integer, const: 60}}
  parameters:
    signature: {name: signature, in: header, schema: {type: string}}
  schemas:
    Color: {type: string, enum: [red, blue]}
    Size: {type: string, enum: [small, large]}
    NewThing:
      type: object
      additionalProperties: false
      properties:
        color: {default: red, allOf: [{$ref: "#/components/schemas/Color"}]}
        size: {$ref: "#/components/schemas/Size"}
        default: {type: array, items: {type: integer}, default: [1, 2], description: Some.}
    Thing:
      type: object
      additionalProperties: false
      properties:
        color: {$ref: "#/components/schemas/Color"}
        status: {type: string, enum: [new, old]}
        reason: {type: [string, "null"], enum: [a, b, null]}
        value: {type: [string, number, "null"]}
        inner: {type: object, additionalProperties: {type: object, additionalProperties: false}}
    Event:
      type: object
      additionalProperties: false
      properties:
        type: {type: string, const: thing.made}
        data: {$ref: "#/components/schemas/Thing"}
    Unused: {type: string}
`

const smallPublished = `
openapi: 3.1.0
servers: [{url: "https://calls.example.com/api/v1"}]
paths:
  /things:
    post:
      requestBody:
        content: {application/json: {schema: {$ref: "#/components/schemas/NewThing"}}}
      responses:
        "200":
          headers: {X-Limit: {$ref: "#/components/headers/X-Limit"}}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Thing"}, example: {color: red, at: "2026-11-21"}}
        default: {description: Refused., content: {application/json: {example: {color: blue, at: "2026-11-21"}}}}
webhooks:
  thing.made:
    post:
      parameters: [{name: signature, in: header, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                type: {type: string, const: thing.made}
                data: {$ref: "#/components/schemas/Thing"}
components:
  headers:
    X-Limit: {schema: {type: integer}}
  parameters: {}
  schemas:
    Color: {type: string, x-extensible-enum: [red, blue]}
    Size: {type: string, enum: [small, large]}
    NewThing:
      type: object
      additionalProperties: false
      properties:
        color: {allOf: [{$ref: "#/components/schemas/Color"}], description: "Default: ` + "`red`" + `."}
        size: {$ref: "#/components/schemas/Size"}
        default: {type: array, items: {type: integer}, description: "Some. Default: ` + "`[1,2]`" + `."}
    Thing:
      type: object
      properties:
        color: {$ref: "#/components/schemas/Color"}
        status: {type: string, enum: [new, old]}
        reason: {type: [string, "null"], x-extensible-enum: [a, b]}
        value: {anyOf: [{type: string}, {type: number}, {type: "null"}]}
        inner: {type: object, additionalProperties: {type: object}}
`

func TestPublish(t *testing.T) {
	t.Parallel()
	p, err := Publish([]byte(small), "https://calls.example.com/api/v1")
	if err != nil {
		t.Fatal(err)
	}
	var got, fromYAML, want any
	if err := json.Unmarshal(p.JSON, &got); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(p.YAML, &fromYAML); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(smallPublished), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(asJSON(t, got), asJSON(t, want)) {
		t.Errorf("got\n%s", p.YAML)
	}
	if !reflect.DeepEqual(asJSON(t, got), asJSON(t, fromYAML)) {
		t.Errorf("the JSON and the YAML differ:\n%s\n%s", p.JSON, p.YAML)
	}
	if !strings.HasPrefix(string(p.JSON), `{"openapi":"3.1.0","servers":[`) {
		t.Errorf("the order is lost: %s", p.JSON)
	}
}

// asJSON returns a value as it is after a way through JSON.
func asJSON(t *testing.T, v any) (out any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The description of the product, published, keeps every operation and has nothing that generators take amiss.
func TestPublishedDescription(t *testing.T) {
	t.Parallel()
	description, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	made, err := Publish(description, "https://calls.example.com/api/v1")
	if err != nil {
		t.Fatal(err)
	}
	exact, err := Parse(description)
	if err != nil {
		t.Fatal(err)
	}
	published, err := Parse(made.YAML)
	if err != nil || len(published.Pages) != len(exact.Pages) {
		t.Fatalf("%d pages of %d, %v", len(published.Pages), len(exact.Pages), err)
	}
	for i, page := range exact.Pages {
		got := published.Pages[i]
		if len(got.Operations) != len(page.Operations) || len(got.Events) != len(page.Events) {
			t.Errorf("%s: %d operations, %d events", page.Slug, len(got.Operations), len(got.Events))
		}
	}
	var file yaml.Node
	if err := yaml.Unmarshal(made.YAML, &file); err != nil {
		t.Fatal(err)
	}
	p := publication{root: file.Content[0]}
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		if n.Kind == yaml.AliasNode || n.Anchor != "" {
			t.Errorf("%s: an anchor", path)
		}
		if pointer := refOf(n); pointer != "" && p.find(pointer) == nil {
			t.Errorf("%s: nothing at %s", path, pointer)
		}
		if n.Kind != yaml.MappingNode {
			for _, c := range n.Content {
				walk(c, path)
			}
		}
		for key, value := range pairsOf(n) {
			if key == "default" && value.Kind != yaml.MappingNode && !strings.HasSuffix(path, "example") {
				t.Errorf("%s: a default", path)
			}
			walk(value, path+"/"+key)
		}
	}
	walk(p.root, "")
	used := p.reachable(valueOf(p.root, "paths"))
	for _, kind := range []string{"schemas", "headers", "parameters", "responses"} {
		for pointer := range p.components(kind) {
			if !used[pointer] {
				t.Errorf("%s is not used by an operation", pointer)
			}
		}
	}
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a: [", "- 1", "7"} {
		if _, err := Publish([]byte(text), "/"); err == nil {
			t.Errorf("published %q", text)
		}
	}
}
