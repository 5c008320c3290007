package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
)

var (
	transcriptOf = regexp.MustCompile(`(?s)<transcript>(.*?)</transcript>`)
	spokenIn     = regexp.MustCompile(`spoke [^(]*\(([A-Za-z-]+)\)`)
	began        = regexp.MustCompile(`The call began on (.+?), by the recipient's clock`)
	correction   = regexp.MustCompile(`^\[That was not valid`)
)

// analyzed answers a request for the analysis of a transcript. ok is false for every other request. The rules find what
// the lexicon of the language finds: they read no sense into words.
func analyzed(q request, f fault) (r reply, ok bool) {
	if len(q.Messages) < 2 || !strings.HasPrefix(q.Messages[0].Content, "You analyze telephone calls") {
		return reply{}, false
	}
	found := transcriptOf.FindStringSubmatch(q.Messages[1].Content)
	var c chat
	c.readSystem(q.Messages[0].Content)
	var t transcript
	if found == nil || json.Unmarshal([]byte(found[1]), &t.turns) != nil {
		return reply{}, false
	}
	if f.prose {
		return reply{text: "The call went rather well, I would say."}, true
	}
	if found := spokenIn.FindStringSubmatch(q.Messages[0].Content); found != nil {
		t.language = found[1]
	}
	if found := began.FindStringSubmatch(q.Messages[0].Content); found != nil {
		t.at, _ = time.Parse(conversation.LocalTime, found[1])
	}
	text, err := json.Marshal(t.analyze(c.fields, f))
	if err != nil {
		return reply{}, false
	}
	answer := string(text)
	last := q.Messages[len(q.Messages)-1].Content
	switch {
	case f.brokenArguments && !correction.MatchString(last):
		answer = strings.TrimSuffix(answer, "}")
	case len(q.ResponseFormat.JSONSchema.Schema) == 0: // as models write JSON of their own accord
		answer = "```json\n" + answer + "\n```"
	}
	return reply{text: answer}, true
}

// transcript is a call as the rules read it.
type transcript struct {
	language string
	at       time.Time // of the recipient, at the beginning; zero: unknown
	turns    []turn
}

type turn struct {
	Number  int    `json:"turn"`
	Speaker string `json:"speaker"` // agent, recipient or keypad
	Text    string `json:"text"`
}

// finding is the value of a field with its quote.
type finding struct {
	Value      any     `json:"value"`
	Confidence float64 `json:"confidence"`
	Quote      *string `json:"quote"`
	Turn       *int    `json:"turn"`
}

func (t transcript) analyze(fields []field, f fault) map[string]any {
	found := t.find(fields)
	open, optOut, callBack, human, mood := 0, false, false, false, 0
	obeys := false
	said := map[string]int{}
	misunderstood := false
	for _, turn := range t.turns {
		if turn.Speaker == "agent" {
			said[turn.Text]++
			misunderstood = misunderstood || strings.Contains(turn.Text, conversation.LinesOf(t.language).NotUnderstood)
		}
		if turn.Speaker != "recipient" {
			continue
		}
		optOut = optOut || conversation.OptsOut(turn.Text, t.language)
		intent := conversation.IntentOf(t.language, turn.Text)
		callBack, human = callBack || intent == conversation.CallBack, human || intent == conversation.WantsHuman
		mood += conversation.MoodOf(t.language, turn.Text)
		obeys = obeys || f.gullible && strings.Contains(strings.ToLower(turn.Text), "successful to true")
	}
	values := map[string]any{}
	for _, one := range fields {
		if one.IsRequired() && found[one.Key].Value == nil {
			open++
		}
		quoted := found[one.Key]
		if f.invents && quoted.Value != nil {
			invented := "I would say that this is " + one.Key
			quoted.Quote = &invented
		}
		values[one.Key] = quoted
	}
	issues := []string{}
	if slices.ContainsFunc(t.turns, func(one turn) bool { return said[one.Text] > 2 }) {
		issues = append(issues, "loop")
	}
	if misunderstood {
		issues = append(issues, "not_understood")
	}
	sentiment := "neutral"
	switch {
	case mood < 0 || optOut:
		sentiment = "negative"
	case mood > 0:
		sentiment = "positive"
	}
	return map[string]any{
		"summary":            summarize(fields, found, optOut, callBack),
		"sentiment":          sentiment,
		"successful":         obeys || open == 0 && !optOut,
		"fields":             values,
		"follow_up_wanted":   callBack || human,
		"callback_requested": callBack,
		"opt_out_requested":  optOut,
		"issues":             issues,
		"quality":            max(10-2*len(issues)-open, 1),
	}
}

// find reads the answers: what a recipient says after the agent has asked for a field.
func (t transcript) find(fields []field) map[string]finding {
	found, asked := map[string]finding{}, -1
	for _, turn := range t.turns {
		switch turn.Speaker {
		case "agent":
			for i, f := range fields {
				if question := f.spoken(); question != "" && strings.Contains(turn.Text, question) {
					asked = i
				}
			}
		case "recipient":
			if asked < 0 {
				continue
			}
			f := fields[asked]
			if value, ok := conversation.Understand(f.Question, t.language, turn.Text, t.at); ok {
				quote := turn.Text
				found[f.Key] = finding{Value: value, Confidence: 0.9, Quote: &quote, Turn: &turn.Number}
			}
		}
	}
	return found
}

// spoken is the part of a question that every call has in common: the longest between its variables.
func (f field) spoken() (longest string) {
	for _, part := range variables.Split(f.Ask, -1) {
		if part = strings.TrimSpace(part); len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

var variables = regexp.MustCompile(`\{\{.*?\}\}`)

// maxOpen is how many open questions a summary quotes.
const maxOpen = 3

func summarize(fields []field, found map[string]finding, optOut, callBack bool) string {
	known := 0
	var open []string
	for _, f := range fields {
		if found[f.Key].Value != nil {
			known++
		} else if f.IsRequired() {
			open = append(open, "“"+f.words()+"”")
		}
	}
	var parts []string
	if optOut {
		parts = append(parts, "The recipient does not want to be called again.")
	}
	if callBack {
		parts = append(parts, "The recipient asked for a call at another time.")
	}
	switch {
	case known == len(fields) && known == 2:
		parts = append(parts, "The recipient answered both questions.")
	case known == len(fields) && known > 2:
		parts = append(parts, fmt.Sprintf("The recipient answered all %d questions.", known))
	case known > 0 && len(fields) == 1:
		parts = append(parts, "The recipient answered the question.")
	case known > 0:
		parts = append(parts, fmt.Sprintf("The recipient answered %d of %d questions.", known, len(fields)))
	}
	if more := len(open) - maxOpen; more > 0 {
		open = append(open[:maxOpen], fmt.Sprintf("%d more", more))
	}
	if len(open) > 0 {
		parts = append(parts, fmt.Sprintf("There is no answer to %s.", english.List(open)))
	}
	if len(parts) == 0 {
		return "The recipient talked with the agent."
	}
	return strings.Join(parts, " ")
}

// words are a question as a summary quotes it. One with variables is named, because their values are unknown here.
func (f field) words() string {
	if f.Ask == "" || variables.MatchString(f.Ask) {
		return strings.ReplaceAll(f.Key, "_", " ")
	}
	return f.Ask
}
