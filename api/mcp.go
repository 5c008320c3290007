package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/reference"
)

// mcpPath is where assistants reach the API by the Model Context Protocol, over streamable HTTP.
const mcpPath = "/mcp"

const mcpInstructions = `Dialwright calls people by phone with voice agents. A call or a campaign that you create calls
real people: create one only if the user asked for it, with the numbers and the time that they named. Numbers are in
E.164, such as +14155550123. IDs of projects, agents and phone numbers come from the tools that list them. A call takes
minutes: get it again to read its transcript.`

// assistant serves the Model Context Protocol. Its tools are operations of the API, with the same keys, scopes and rate
// limit: a message is a request, and its tool call runs the operation's handler.
func (a *api) assistant() http.Handler {
	inner := chi.NewRouter()
	inner.Use(a.observe, asCaller)
	inner.Route("/api/v1", a.routes)
	tools := sync.OnceValues(func() ([]mcpTool, error) {
		published, err := reference.Publish(Description, "")
		if err != nil {
			return nil, err
		}
		return describeTools(published.JSON)
	})
	protocol := mcp.NewStreamableHTTPHandler(func(outer *http.Request) *mcp.Server {
		known, err := tools()
		described, unread := Reference()
		if err := errors.Join(err, unread); err != nil {
			panic(err) // a test reads the description
		}
		product := &mcp.Implementation{Name: "dialwright", Title: "Dialwright", Version: described.Version}
		server := mcp.NewServer(product,
			&mcp.ServerOptions{Instructions: mcpInstructions, Capabilities: &mcp.ServerCapabilities{}})
		for _, t := range known {
			if t.scope == "" || exchangeOf(outer).caller.HasScope(t.scope) {
				server.AddTool(&t.Tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return t.run(inner, outer, r.Params.Arguments), nil
				})
			}
		}
		return server
	}, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		// Pages of other origins have no key, and a proxy on this machine sends the Host that it was asked for.
		DisableLocalhostProtection: true,
	})
	return chi.Chain(a.observe, a.authenticate).Handler(protocol)
}

type callerKey struct{}

// asCaller authenticates the request of a tool as the key of the message that asked for it.
func asCaller(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		exchangeOf(r).caller = r.Context().Value(callerKey{}).(account.Caller)
		next.ServeHTTP(w, r)
	})
}

// run requests the tool's operation with the arguments that an assistant chose.
func (t mcpTool) run(handler http.Handler, outer *http.Request, arguments json.RawMessage) *mcp.CallToolResult {
	r, err := t.request(arguments)
	if err != nil {
		return refused(err.Error())
	}
	x := exchangeOf(outer)
	r = r.WithContext(context.WithValue(outer.Context(), callerKey{}, x.caller))
	r.RemoteAddr = x.address.String()
	got := &recorder{header: http.Header{}, status: http.StatusOK}
	handler.ServeHTTP(got, r)
	if got.status >= http.StatusBadRequest {
		var said problem
		if json.Unmarshal(got.body.Bytes(), &said) != nil || said.Error == "" {
			said.Error = http.StatusText(got.status)
		}
		return refused(fmt.Sprintf("%d: %s", got.status, said.Error))
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: got.body.String()}}}
	if got.body.Len() > 0 {
		result.StructuredContent = json.RawMessage(got.body.Bytes())
	}
	return result
}

func refused(why string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: why}}}
}

// request puts the arguments into the path, the query, the header and the body.
func (t mcpTool) request(arguments json.RawMessage) (*http.Request, error) {
	given := map[string]json.RawMessage{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return nil, fmt.Errorf("the arguments are no object: %w", err)
		}
	}
	path, query, header := "/api/v1"+t.path, url.Values{}, http.Header{}
	for name, in := range t.parameters {
		value, ok := given[name]
		if !ok || string(value) == "null" {
			if in == "path" {
				return nil, fmt.Errorf("%s: is required", name)
			}
			continue
		}
		delete(given, name)
		texts, err := textsOf(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		switch in {
		case "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(strings.Join(texts[""], ",")))
		case "header":
			header.Set(headerOf(name), strings.Join(texts[""], ","))
		default:
			for key, several := range texts {
				if key != "" {
					key = "[" + key + "]"
				}
				query[name+key] = several
			}
		}
	}
	var body io.Reader
	if t.body {
		encoded, err := json.Marshal(given)
		if err != nil {
			return nil, fmt.Errorf("write the request: %w", err)
		}
		body = bytes.NewReader(encoded)
		header.Set("Content-Type", "application/json")
	} else {
		for name := range given {
			query[name] = []string{""} // an argument too many is refused as a parameter too many
		}
	}
	r, err := http.NewRequest(t.method, path+"?"+query.Encode(), body) //nolint:noctx // run sets it
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	r.Header = header
	return r, nil
}

// textsOf returns a value of a parameter as texts: several of a list, and those of an object by key.
func textsOf(value json.RawMessage) (map[string][]string, error) {
	var decoded any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&decoded); err != nil {
		return nil, err
	}
	texts := map[string][]string{}
	switch v := decoded.(type) {
	case []any:
		for _, item := range v {
			texts[""] = append(texts[""], fmt.Sprint(item))
		}
	case map[string]any:
		for key, item := range v {
			texts[key] = []string{fmt.Sprint(item)}
		}
	default:
		texts[""] = []string{fmt.Sprint(v)}
	}
	return texts, nil
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
