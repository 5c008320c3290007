package reference

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// KeyVariable is the environment variable that contains the API key in examples.
const KeyVariable = "DIALWRIGHT_KEY"

// Language is a language in which the reference shows requests.
type Language struct {
	ID   string // in an address
	Name string
	show func(request) string
}

// Languages are all languages of requests. The first is the default. The others need nothing but their standard
// library, so that every snippet works as it stands.
var Languages = []Language{
	{"curl", "curl", request.curl},
	{"typescript", "TypeScript", request.typeScript},
	{"python", "Python", request.python},
	{"go", "Go", request.golang},
}

// Parameter returns the value of the parameter that chooses the language in an address. The default has none.
func (l Language) Parameter() string {
	if l.ID == Languages[0].ID {
		return ""
	}
	return l.ID
}

// LanguageOf returns the language with an ID, or the default.
func LanguageOf(id string) Language {
	for _, l := range Languages {
		if l.ID == id {
			return l
		}
	}
	return Languages[0]
}

// Request returns the operation as code with one of its example bodies. base is the server's public address. The code
// can be pasted and run.
func (o Operation) Request(in Language, base string, body *Example) string {
	return in.show(o.request(base, body))
}

// request is an example of a request.
type request struct {
	method, url string
	headers     []header
	body        string // JSON, or a CSV file, or ""
	csv         bool   // the body is a CSV file
	file        string // where the answer is stored; "" if it is shown
	empty       bool   // the answer has no body
}

type header struct{ name, value string }

func (o Operation) request(base string, body *Example) request {
	r := request{method: o.Method, file: o.file, empty: true}
	path := o.Path
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", p.Example)
		case p.In == "header" && p.Example != "":
			value := p.Example
			if p.Name == "Idempotency-Key" && body != nil && body.index > 0 {
				value += "-" + strconv.Itoa(body.index+1) // each body needs its own key
			}
			r.headers = append(r.headers, header{p.Name, value})
		}
	}
	r.url = base + o.prefix + path
	if body != nil {
		mediaType := "application/json"
		if r.body = body.JSON; body.CSV != "" {
			r.body, r.csv, mediaType = body.CSV, true, "text/csv"
		}
		r.headers = append(r.headers, header{"Content-Type", mediaType})
	}
	for _, response := range o.Responses {
		if response.OK() && response.Status != "204" {
			r.empty = false
		}
	}
	return r
}

// curl returns a command of a POSIX shell.
func (r request) curl() string {
	var b strings.Builder
	b.WriteString("curl")
	if r.method != http.MethodGet && (r.method != http.MethodPost || r.body == "") {
		b.WriteString(" -X " + r.method)
	}
	b.WriteString(" " + r.url)
	if r.file != "" {
		b.WriteString(" -f -o " + r.file) // curl refuses to print audio to a terminal; -f writes no file on an error
	}
	b.WriteString(" \\\n  -H \"Authorization: Bearer $" + KeyVariable + `"`)
	for _, h := range r.headers {
		b.WriteString(" \\\n  -H " + shellQuote(h.name+": "+h.value))
	}
	switch {
	case r.csv: // -d would remove the line breaks
		b.WriteString(" \\\n  --data-binary " + shellQuote(r.body))
	case r.body != "":
		b.WriteString(" \\\n  -d " + shellQuote(r.body))
	}
	return b.String()
}

// shellQuote returns a text as one word of a POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// typeScript returns a module for Node and other runtimes with fetch.
func (r request) typeScript() string {
	var b strings.Builder
	if r.file != "" {
		b.WriteString("import { writeFile } from \"node:fs/promises\";\n\n")
	}
	b.WriteString("const response = await fetch(" + quote(r.url) + ", {\n")
	if r.method != http.MethodGet {
		b.WriteString("  method: " + quote(r.method) + ",\n")
	}
	b.WriteString("  headers: {\n    Authorization: `Bearer ${process.env." + KeyVariable + "}`,\n")
	for _, h := range r.headers {
		b.WriteString("    " + quote(h.name) + ": " + quote(h.value) + ",\n")
	}
	b.WriteString("  },\n")
	switch {
	case r.csv:
		b.WriteString("  body: " + quote(r.body) + ",\n")
	case r.body != "":
		b.WriteString("  body: JSON.stringify(" + indented(r.body, "  ") + "),\n")
	}
	b.WriteString("});\nif (!response.ok) throw new Error(await response.text());\n")
	switch {
	case r.file != "":
		b.WriteString("await writeFile(" + quote(r.file) + ", new Uint8Array(await response.arrayBuffer()));")
	case r.empty:
		b.WriteString("console.log(response.status);")
	default:
		b.WriteString("console.log(await response.json());")
	}
	return b.String()
}

// python returns a script for Python 3.
func (r request) python() string {
	var b strings.Builder
	if r.body != "" && !r.csv || r.file == "" && !r.empty {
		b.WriteString("import json\n")
	}
	b.WriteString("import os\n")
	if r.file != "" {
		b.WriteString("import shutil\n")
	}
	b.WriteString("import urllib.request\n\nrequest = urllib.request.Request(\n    " + quote(r.url) + ",\n")
	if r.method != http.MethodGet {
		b.WriteString("    method=" + quote(r.method) + ",\n")
	}
	b.WriteString("    headers={\n        \"Authorization\": \"Bearer \" + os.environ[\"" + KeyVariable + "\"],\n")
	for _, h := range r.headers {
		b.WriteString("        " + quote(h.name) + ": " + quote(h.value) + ",\n")
	}
	b.WriteString("    },\n")
	switch {
	case r.csv:
		b.WriteString("    data=" + quote(r.body) + ".encode(),\n")
	case r.body != "":
		b.WriteString("    data=json.dumps(" + indented(pythonLiteral(r.body), "    ") + ").encode(),\n")
	}
	b.WriteString(")\nwith urllib.request.urlopen(request) as response:\n")
	switch {
	case r.file != "":
		b.WriteString("    with open(" + quote(r.file) + ", \"wb\") as file:\n" +
			"        shutil.copyfileobj(response, file)")
	case r.empty:
		b.WriteString("    print(response.status)")
	default:
		b.WriteString("    print(json.load(response))")
	}
	return b.String()
}

var jsonWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|true|false|null`)

// pythonLiteral converts JSON to Python, which differs in three words.
func pythonLiteral(json string) string {
	return jsonWord.ReplaceAllStringFunc(json, func(word string) string {
		switch word {
		case "true":
			return "True"
		case "false":
			return "False"
		case "null":
			return "None"
		}
		return word
	})
}

// golang returns a program.
func (r request) golang() string {
	var b strings.Builder
	imports := []string{"log", "net/http", "os"}
	if r.body != "" {
		imports = append(imports, "strings")
	}
	if r.file != "" || !r.empty {
		imports = append([]string{"io"}, imports...)
	}
	if r.file == "" {
		imports = append([]string{"fmt"}, imports...)
	}
	b.WriteString("package main\n\nimport (\n")
	for _, name := range imports {
		b.WriteString("\t" + quote(name) + "\n")
	}
	b.WriteString(")\n\nfunc main() {\n")
	body := "nil"
	if r.body != "" {
		b.WriteString("\tbody := strings.NewReader(" + goRaw(r.body) + ")\n")
		body = "body"
	}
	b.WriteString("\trequest, err := http.NewRequest(" + quote(r.method) + ", " + quote(r.url) + ", " + body + ")\n")
	check := "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
	b.WriteString(check)
	b.WriteString("\trequest.Header.Set(\"Authorization\", \"Bearer \"+os.Getenv(\"" + KeyVariable + "\"))\n")
	for _, h := range r.headers {
		b.WriteString("\trequest.Header.Set(" + quote(h.name) + ", " + quote(h.value) + ")\n")
	}
	b.WriteString("\tresponse, err := http.DefaultClient.Do(request)\n" + check + "\tdefer response.Body.Close()\n")
	if r.file == "" && r.empty {
		b.WriteString("\tfmt.Println(response.Status)\n}")
		return b.String()
	}
	b.WriteString("\tanswer, err := io.ReadAll(response.Body)\n" + check)
	if r.file == "" {
		b.WriteString("\tfmt.Println(response.Status, string(answer))\n}")
		return b.String()
	}
	b.WriteString("\tif response.StatusCode != http.StatusOK {\n\t\tlog.Fatal(string(answer))\n\t}\n")
	b.WriteString("\tif err := os.WriteFile(" + quote(r.file) + ", answer, 0o600); err != nil {\n" +
		"\t\tlog.Fatal(err)\n\t}\n}")
	return b.String()
}

// goRaw returns a text as a raw string of Go.
func goRaw(s string) string { return "`" + strings.ReplaceAll(s, "`", "` + \"`\" + `") + "`" }

// indented returns a text whose lines after the first are indented.
func indented(s, indent string) string { return strings.ReplaceAll(s, "\n", "\n"+indent) }
