package reference

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/testtool"
)

// received is a request of a snippet.
type received struct {
	Method, Path                           string
	Key, Idempotency, IfMatch, ContentType string
	Body                                   any
}

// The snippets of all languages send the request of the curl command, which another test sends to the real API. They
// are run as they stand, one after another in one process of each language.
func TestSnippetsOfAllLanguagesSendTheSameRequest(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	got := map[string][]received{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		language, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		body, err := io.ReadAll(r.Body)
		one := received{
			Method: r.Method, Path: "/" + path, Key: r.Header.Get("Authorization"), IfMatch: r.Header.Get("If-Match"),
			Idempotency: r.Header.Get("Idempotency-Key"), ContentType: r.Header.Get("Content-Type"),
		}
		switch {
		case one.ContentType == "text/csv":
			one.Body = string(body)
		case len(body) > 0 && err == nil:
			err = json.Unmarshal(body, &one.Body)
		}
		if err != nil {
			t.Errorf("%s: %v: %s", r.URL, err, body)
		}
		mu.Lock()
		defer mu.Unlock()
		got[language] = append(got[language], one)
		_, _ = w.Write([]byte("{}")) // a JSON object, a CSV file without rows, or nothing of interest
	}))
	defer server.Close()

	var wanted []request
	snippets := map[string][]string{}
	for _, p := range described(t).Pages {
		for _, o := range p.Operations {
			bodies := []*Example{nil}
			if o.Body != nil && len(o.Body.Examples) > 0 {
				bodies = nil
				for i := range o.Body.Examples {
					bodies = append(bodies, &o.Body.Examples[i])
				}
			}
			for _, body := range bodies {
				wanted = append(wanted, o.request("", body))
				for _, l := range Languages {
					snippets[l.ID] = append(snippets[l.ID], o.Request(l, server.URL+"/"+l.ID, body))
				}
			}
		}
	}
	for _, l := range []struct {
		id  string
		run func(*testing.T, string, []string) *exec.Cmd
	}{
		{"typescript", nodeRunner}, {"python", pythonRunner}, {"go", goRunner},
	} {
		dir := t.TempDir()
		run := l.run(t, dir, snippets[l.id])
		run.Dir = dir
		run.Env = append(os.Environ(), KeyVariable+"=ik_live_example", "no_proxy=*", "NO_PROXY=*")
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", l.id, err, out)
			continue
		}
		if len(got[l.id]) != len(wanted) {
			t.Errorf("%s sent %d requests, want %d", l.id, len(got[l.id]), len(wanted))
			continue
		}
		for i, w := range wanted {
			want := received{Method: w.method, Path: w.url, Key: "Bearer ik_live_example"}
			if want.Body = any(w.body); w.body == "" {
				want.Body = nil
			}
			if w.body != "" && !w.csv {
				if err := json.Unmarshal([]byte(w.body), &want.Body); err != nil {
					t.Fatal(err)
				}
			}
			for _, h := range w.headers {
				switch h.name {
				case "Content-Type":
					want.ContentType = h.value
				case "Idempotency-Key":
					want.Idempotency = h.value
				case "If-Match":
					want.IfMatch = h.value
				default:
					t.Fatalf("no test looks at the header %s", h.name)
				}
			}
			if !reflect.DeepEqual(got[l.id][i], want) {
				t.Errorf("%s: got %+v, want %+v\n%s", l.id, got[l.id][i], want, snippets[l.id][i])
			}
		}
	}
}

// write stores a file of a snippet.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func nodeRunner(t *testing.T, dir string, snippets []string) *exec.Cmd {
	for i, s := range snippets {
		write(t, dir, strconv.Itoa(i)+".mjs", s)
	}
	write(t, dir, "all.mjs", fmt.Sprintf(
		"console.log = () => {};\nfor (let i = 0; i < %d; i++) await import(`./${i}.mjs`);\n", len(snippets)))
	return exec.CommandContext(t.Context(), testtool.Find(t, "node"), "all.mjs")
}

func pythonRunner(t *testing.T, dir string, snippets []string) *exec.Cmd {
	for i, s := range snippets {
		write(t, dir, strconv.Itoa(i)+".py", s)
	}
	write(t, dir, "all.py", fmt.Sprintf(
		"import runpy\nfor i in range(%d):\n    runpy.run_path(str(i) + '.py')\n", len(snippets)))
	return exec.CommandContext(t.Context(), testtool.Find(t, "python3"), "all.py")
}

var goHeader = regexp.MustCompile(`(?s)^package main\n\nimport \((.*?)\)\n\nfunc main\(\) \{`)

// goRunner compiles all programs as the functions of one, because each link takes a second. It checks the imports of
// each, which the compiler then cannot.
func goRunner(t *testing.T, dir string, snippets []string) *exec.Cmd {
	imports, functions := map[string]bool{}, ""
	for i, s := range snippets {
		m := goHeader.FindStringSubmatchIndex(s)
		if m == nil {
			t.Fatalf("not a program:\n%s", s)
		}
		for _, name := range importsOf(t, s) {
			imports[name] = true
		}
		functions += fmt.Sprintf("func main%d() {%s\n\n", i, s[m[1]:])
	}
	all := "package main\n\nimport (\n"
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		all += "\t" + strconv.Quote(name) + "\n"
	}
	all += ")\n\n" + functions + "func main() {\n"
	for i := range snippets {
		all += fmt.Sprintf("\tmain%d()\n", i)
	}
	write(t, dir, "main.go", all+"}\n")
	write(t, dir, "go.mod", "module snippets\n\ngo 1.24\n")
	return exec.CommandContext(t.Context(), "go", "run", ".")
}

// importsOf returns the imports of a program, all of which it uses.
func importsOf(t *testing.T, program string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", program, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, program)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if !used[filepath.Base(name)] {
			t.Errorf("%s is imported and not used:\n%s", name, program)
		}
		names = append(names, name)
	}
	return names
}

func TestPythonLiterals(t *testing.T) {
	t.Parallel()
	got := pythonLiteral(`{"a": true, "true": "null, \"false\"", "b": [null, false]}`)
	if want := `{"a": True, "true": "null, \"false\"", "b": [None, False]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
