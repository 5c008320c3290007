package sandbox

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// The rules also play the other two parts of a test of an agent: the recipient, whose system text has a persona, and
// the judge, whose system text has a criterion.
var (
	personaOf   = regexp.MustCompile(`(?s)<persona>(.*?)</persona>`)
	criterionOf = regexp.MustCompile(`(?s)<criterion>(.*?)</criterion>`)
	quoted      = regexp.MustCompile(`["“]([^"”]+)["”]`)
)

// perform answers a request that gives the rules a part; ok is false for all others.
func perform(q request) (r reply, ok bool) {
	system := ""
	for _, m := range q.Messages {
		if m.Role == "system" {
			system = m.Content
		}
	}
	if found := personaOf.FindStringSubmatch(system); found != nil {
		return play(q, found[1]), true
	}
	if found := criterionOf.FindStringSubmatch(system); found != nil && len(q.Messages) > 0 {
		return judge(found[1], q.Messages[len(q.Messages)-1].Content), true
	}
	return reply{}, false
}

// play answers as a person whose persona has lines such as "appointment: Yes, I'm coming." When the caller's last
// question contains the words before the colon, the person says what is after it, otherwise "OK". The person hangs up
// when nothing is asked, and when one question comes for the third time.
func play(q request, persona string) reply {
	hangUp := reply{tool: "hang_up", arguments: map[string]any{}}
	var asked []string
	said := 0
	for _, m := range q.Messages {
		switch m.Role {
		case "user":
			asked = append(asked, lastQuestion(m.Content))
		case "assistant":
			said++
		}
	}
	if len(asked) == 0 {
		return hangUp
	}
	question := asked[len(asked)-1]
	again := len(slices.DeleteFunc(slices.Clone(asked), func(s string) bool { return s != question }))
	switch {
	case question == "" && said == 0:
		return reply{text: "Hello?"}
	case question == "" || again > 2:
		return hangUp
	}
	for line := range strings.SplitSeq(persona, "\n") {
		about, answer, ok := strings.Cut(strings.TrimLeft(line, "- "), ":")
		about, answer = strings.ToLower(strings.TrimSpace(about)), strings.TrimSpace(answer)
		if ok && about != "" && answer != "" && strings.Contains(strings.ToLower(question), about) {
			return reply{text: answer}
		}
	}
	return reply{text: "OK."}
}

// lastQuestion is the last sentence of a text that asks; empty: none does.
func lastQuestion(text string) string {
	end := strings.LastIndexAny(text, "?;\u037e")
	if end < 0 {
		return ""
	}
	start := strings.LastIndexAny(text[:end], ".!?")
	return strings.TrimSpace(text[start+1 : end])
}

// judge looks for the quoted words of a criterion in a transcript. All of them are there: pass. It cannot judge a
// criterion without quoted words.
func judge(criterion, transcript string) reply {
	verdict, reason := "pass", "The transcript has all quoted words."
	wanted := quoted.FindAllStringSubmatch(criterion, -1)
	if len(wanted) == 0 {
		verdict, reason = "maybe", "The sandbox only looks for quoted words, and the criterion has none."
	}
	for _, words := range wanted {
		if !strings.Contains(strings.ToLower(transcript), strings.ToLower(words[1])) {
			verdict, reason = "fail", "The transcript does not have the words “"+words[1]+"”."
			break
		}
	}
	text, _ := json.Marshal(map[string]string{"verdict": verdict, "reason": reason})
	return reply{text: string(text)}
}
