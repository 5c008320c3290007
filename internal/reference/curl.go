package reference

import (
	"net/http"
	"strconv"
	"strings"
)

// KeyVariable is the shell variable that contains the API key in examples.
const KeyVariable = "DIALWRIGHT_KEY"

// Curl returns the operation as a command with one of its example bodies. base is the
// server's public address. The command can be pasted into a shell.
func (o Operation) Curl(base string, body *Example) string {
	path := o.Path
	for _, p := range o.Parameters {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", p.Example)
		}
	}
	var b strings.Builder
	b.WriteString("curl")
	if o.Method != http.MethodGet && (o.Method != http.MethodPost || body == nil) {
		b.WriteString(" -X " + o.Method)
	}
	b.WriteString(" " + base + o.prefix + path)
	if o.file != "" {
		b.WriteString(" -f -o " + o.file) // curl refuses to print audio to a terminal; -f writes no file on an error
	}
	header := func(text string) { b.WriteString(" \\\n  -H " + text) }
	header(`"Authorization: Bearer $` + KeyVariable + `"`)
	for _, p := range o.Parameters {
		if p.In == "header" && p.Example != "" {
			value := p.Example
			if p.Name == "Idempotency-Key" && body != nil && body.index > 0 {
				value += "-" + strconv.Itoa(body.index+1) // each body needs its own key
			}
			header(quoted(p.Name + ": " + value))
		}
	}
	if body != nil {
		header(`"Content-Type: application/json"`)
		b.WriteString(" \\\n  -d " + quoted(body.JSON))
	}
	return b.String()
}

// quoted returns a text as one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
