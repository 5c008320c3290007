package api

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/testtool"
)

var exampleTime = regexp.MustCompile(`"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)

// A shell runs every command of the reference, as a reader would, against the real API,
// and gets an answer that the reference promises. Before that, the test replaces ids with
// the ids of its own rows. It shifts times, so that they are as far from now as they are
// from the day of the examples.
func TestTheCommandsOfTheReferenceWork(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl"} {
		testtool.Find(t, tool)
	}
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.whatsapp([]sandbox.Portfolio{{Tier: "TIER_1K",
		Accounts: []sandbox.Account{{ID: "10001", Numbers: []sandbox.Number{
			{ID: "106540352242922", PhoneNumber: "+1 312-555-0122", Name: "Support"}}}, freeAccount}}})
	n.connect("10001")
	r, err := reference.Parse(Description)
	if err != nil {
		t.Fatal(err)
	}
	destination, _ := n.newDestination()
	own := strings.NewReplacer(
		"019aa5f9-7a10-7c21-8b11-2d3e4f5a6b01", destination,
		"019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d001", n.project.String(),
		"019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d002", n.agent.String(),
		"019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d003", n.number.String(),
		"019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d021", n.connection.String(),
		"102290129340398", freeAccount.ID, "your-system-user-token", "system-user-token",
		"your-app-secret", "system-user-token",
		"019aa5f6-8e51-7c18-8b7f-a1b2c3d4e601", n.newModelConnection(),
		"019aa5f3-3b11-7e02-b0c4-55aa70b1c901", n.newCall("+15005550001").String(),
	)
	shift := time.Since(time.Date(2026, time.November, 21, 9, 30, 0, 0, time.UTC))
	run := 0
	for _, page := range r.Pages {
		for _, o := range page.Operations {
			bodies := []*reference.Example{nil}
			if o.Body != nil {
				if bodies = nil; len(o.Body.Examples) == 0 {
					t.Errorf("%s: no example of a body", o.ID)
				}
				for i := range o.Body.Examples {
					bodies = append(bodies, &o.Body.Examples[i])
				}
			}
			for _, body := range bodies {
				run++
				command := o.Request(reference.LanguageOf("curl"), w.server.URL, body)
				_, example, _ := strings.Cut(command, "/api/v1")
				example, _, _ = strings.Cut(example, " ")
				_, path, _ := n.prepared(o.Method + " " + o.Path)
				if strings.Contains(path, "/test-cases") { // its checks name a field
					w.exec(`update agent set script = jsonb_set(script, '{questions}',
						'[{"key": "confirmed", "ask": "Can you come?", "expect": "yes_no"}]') where organization_id = $1`,
						n.organization)
				}
				if strings.ContainsAny(example, "{}") {
					t.Errorf("%s: the path %s has no example", o.ID, example)
				}
				command = own.Replace(strings.Replace(command, example, path, 1))
				command = exampleTime.ReplaceAllStringFunc(command, func(s string) string {
					at, err := time.Parse(time.RFC3339Nano, strings.Trim(s, `"`))
					if err != nil {
						t.Fatal(err)
					}
					return strconv.Quote(at.Add(shift).Format(time.RFC3339))
				})
				w.refill()
				status, header, answer := n.shell(command)
				if !promised(o, status) {
					t.Errorf("%s: %d: %s\n%s", o.ID, status, answer, command)
					continue
				}
				asked, err := http.NewRequest(o.Method, "/api/v1"+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				describedAPI(t).check(t, asked, status, header, answer)
			}
		}
	}
	if run < len(routes(t)) {
		t.Errorf("%d commands for %d routes", run, len(routes(t)))
	}
}

// promised reports whether a status is one of an operation's successes.
func promised(o reference.Operation, status int) bool {
	return slices.ContainsFunc(o.Responses, func(r reference.Response) bool {
		return r.OK() && r.Status == strconv.Itoa(status)
	})
}

// shell runs a command of the reference and returns the answer to curl, even if the
// command writes it to a file: curl uses the first of two outputs.
func (n *tenant) shell(command string) (status int, header http.Header, body []byte) {
	n.w.t.Helper()
	sh := exec.CommandContext(n.w.t.Context(), "sh", "-c",
		`curl() { command curl --silent --show-error --include --raw --output - "$@"; }`+"\n"+command)
	sh.Env = append(os.Environ(), reference.KeyVariable+"="+n.key, "no_proxy=*")
	var complaints bytes.Buffer
	sh.Stderr = &complaints
	out, err := sh.Output()
	if err != nil {
		n.w.t.Fatalf("%v: %s\n%s", err, &complaints, command)
	}
	got, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(out)), nil)
	if err != nil {
		n.w.t.Fatalf("%v\n%s\n%s", err, command, out)
	}
	if body, err = io.ReadAll(got.Body); err != nil {
		n.w.t.Fatal(err)
	}
	return got.StatusCode, got.Header, body
}

// Every answer has an example, and every example is valid. The loader checks examples
// against their schemas, and this test checks that the loader does.
func TestEveryAnswerHasAnExample(t *testing.T) {
	t.Parallel()
	doc := describedAPI(t).doc
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			for status, response := range o.Responses.Map() {
				content := response.Value.Content.Get("application/json")
				if content == nil {
					if status != "204" && status != "304" && len(response.Value.Content) == 0 {
						t.Errorf("%s %s, %s: no content", method, path, status)
					}
					continue
				}
				given := []any{content.Example}
				if content.Example == nil {
					given = nil
					for _, e := range content.Examples {
						given = append(given, e.Value.Value)
					}
				}
				if len(given) == 0 {
					t.Errorf("%s %s, %s: no example", method, path, status)
				}
				for _, e := range given {
					if err := content.Schema.Value.VisitJSON(
						jsonOf(t, e), openapi3.EnableJSONSchema2020(),
					); err != nil {
						t.Errorf("%s %s, %s: the example is not valid: %v", method, path, status, err)
					}
				}
			}
		}
	}
}
