package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testtool"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shellScripts returns the scripts of a text in Markdown.
func shellScripts(text string) (scripts []string) {
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		scripts = append(scripts, m[1])
	}
	return scripts
}

// This test runs the scripts of the README and of the quickstart unchanged, one after the other in one shell, with a
// running demo.
func TestReadmeScriptMakesACampaign(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "jq"} {
		testtool.Find(t, tool)
	}
	scripts := shellScripts(readme(t))
	if len(scripts) != 3 {
		t.Fatalf("README.md holds %d scripts, want a campaign, its calls and a search", len(scripts))
	}
	guide, err := os.ReadFile("../../api/guide/quickstart.md")
	if err != nil {
		t.Fatal(err)
	}
	quickstart := shellScripts(string(guide))
	if len(quickstart) != 4 {
		t.Fatalf("the quickstart has %d scripts, want the IDs, a call, its end and a campaign", len(quickstart))
	}
	// A person waits for the end of the campaign in the dashboard.
	const wait = `
until api "$DIALWRIGHT_URL/api/v1/campaigns/$campaign" | grep -q '"status":"completed"'; do sleep 1; done
`
	script := ". .data/demo.env\n" + strings.Join(quickstart, "echo\n") + "echo\n" + scripts[0] + wait + scripts[1] +
		"echo\n" + scripts[2]

	dir, c := runDemo(t, pgtest.New(t), 50)
	sh := exec.CommandContext(t.Context(), "sh", "-eu", "-c", script)
	sh.Dir = dir
	var complaints bytes.Buffer
	sh.Stderr = &complaints
	answer, err := sh.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("%v: %s\n%s", err, complaints.String(), answer)
	}

	// The first two lines are the call and the list of calls of the quickstart, the last two the list of calls and the
	// search result of the README.
	lines := bytes.Split(bytes.TrimSpace(answer), []byte("\n"))
	lines = slices.DeleteFunc(lines, func(line []byte) bool { return len(line) == 0 })
	if len(lines) < 4 {
		t.Fatalf("%s", answer)
	}
	for text, line := range map[string]string{
		`"transcript_text":"Agent: `: string(lines[0]), `"outcome":"no_answer"`: string(lines[1]),
	} {
		if !strings.Contains(line, text) {
			t.Errorf("the quickstart does not show %s: %s", text, line)
		}
	}
	var search struct {
		Data []struct {
			TranscriptText string `json:"transcript_text"`
		}
	}
	if err := json.Unmarshal(lines[len(lines)-1], &search); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	if len(search.Data) == 0 {
		t.Error("the search finds nothing in the demo")
	}
	for _, c := range search.Data {
		if text := strings.ToLower(c.TranscriptText); !strings.Contains(text, "blood pressure") ||
			strings.Contains(text, "tuesday") {
			t.Errorf("the search finds %q", text)
		}
	}
	var calls struct {
		Data []struct {
			ToNumber       string `json:"to_number"`
			Outcome        string
			EndedReason    string `json:"ended_reason"`
			TranscriptText string `json:"transcript_text"`
		}
	}
	if err := json.Unmarshal(lines[len(lines)-2], &calls); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	var got []string
	for _, c := range calls.Data {
		got = append(got, c.ToNumber+" "+c.Outcome+" "+c.EndedReason)
		if answered := c.Outcome == "completed" || c.Outcome == "voicemail"; answered != (c.TranscriptText != "") {
			t.Errorf("the transcript of the call to %s, %s, is %q", c.ToNumber, c.Outcome, c.TranscriptText)
		}
	}
	slices.Sort(got)
	want := []string{
		"+15005000001 completed completed", "+15005010001 busy busy", "+15005020001 no_answer no_answer",
		"+15005030001 voicemail voicemail_message_left", "+15005040001 completed recipient_hung_up",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the calls are %q, want %q", got, want)
	}

	if res, err := http.Get(c.URL + "/healthz"); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("%v %v", res, err)
	}
}

// The README documents the same settings as --help.
func TestReadmeKnowsEverySetting(t *testing.T) {
	t.Parallel()
	var help bytes.Buffer
	run(t.Context(), []string{"serve", "--help"}, func(string) string { return "" }, &help, &help)
	text := readme(t)
	known := 0
	for line := range strings.Lines(help.String()) {
		if !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") {
			continue // not the first line of a setting
		}
		for _, name := range strings.Split(strings.TrimSpace(line), ", ") {
			name, _, _ = strings.Cut(name, " ")
			if known++; !strings.Contains(text, "`"+name+"`") {
				t.Errorf("README.md does not mention %s", name)
			}
		}
	}
	if known < 20 {
		t.Errorf("--help has %d names only:\n%s", known, help.String())
	}
	for line := range strings.Lines(text) {
		if flag, ok := strings.CutPrefix(line, "| `--"); ok {
			if flag, _, _ = strings.Cut(flag, "`"); !strings.Contains(help.String(), "--"+flag) {
				t.Errorf("README.md has a setting that does not exist: --%s", flag)
			}
		}
	}
}
