package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/conversation"
)

// numbers returns ordinary numbers, outside the reserved block.
func numbers(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("+1415555%04d", i))
	}
	return out
}

var optOut = regexp.MustCompile(
	`(?i)\b(stop|unsubscribe|remove|opt out|take me off|(don't|do not|never) call|not interested|leave me alone)\b`,
)

// script has questions of agents. Every answer must match the pattern of its question.
var script = []struct {
	heard string
	want  string // a pattern of every answer
}{
	{"Hello, am I speaking with Anna Becker?", `^(.*, )?[Yy]es|^Oh`},
	{"Is this a good time to talk for a minute?", yesOrNo},
	{"On a scale from 1 to 10, how satisfied were you with your last visit?", `\b([1-9]|10)\b`},
	{"We use a scale of 0 to 5. How would you rate the food?", `\b[0-5]\b`},
	{"How likely are you to recommend us, from one to five?", `\b[1-5]\b`},
	{"Please rate the driver from 1 to 5.", `\b[1-5]\b`},
	{"How many people live in your household?", `\b[1-6]\b`},
	{"Would you prefer a call in the morning or in the afternoon?", `(?i)in the (morning|afternoon)`},
	{"Do you want your invoice by e-mail, by post or by text message?", `(?i)by (e-mail|post|text message)`},
	{
		"You can choose between the basic plan, the plus plan and the premium plan. Which one would you like?",
		`(?i)the (basic|plus|premium) plan`,
	},
	{"Which plan would you like, basic, plus or premium?", `(?i)^(\w+, |.*[.] )?(I'd prefer )?(basic|plus|premium)\b`},
	{"Which one was it: the doctor, the nurse, or the front desk?", `(?i)the (doctor|nurse|front desk)`},
	{"Would Tuesday or Thursday suit you?", `(?i)tuesday|thursday`},
	{
		"For the visits after that, which do you like best: the morning, the afternoon or the evening?",
		`(?i)the (morning|afternoon|evening)`,
	},
	{"When should we come, on Monday or on Friday?", `(?i)on (monday|friday)`},
	{"Which of these do you like best? Basic, plus or premium.", `(?i)basic|plus|premium`},
	{"How often do you cook: daily, weekly or rarely?", `(?i)daily|weekly|rarely`},
	{"For the next visit, which day or time would suit you best?", `(?i)day\b|Wednesday`},
	{"Please tell me how she gets in, for example a bell or a door code.", `(?i)a (bell|door code)`},
	{"Which day would suit you best?", `(?i)day\b|Wednesday`},
	{"What time should we come?", `(?i)\d|morning`},
	{"What is your email address?", ` at example dot com\.$`},
	{"May I have your email, please?", ` at example dot com\.$`},
	{"What phone number can we reach you at?", `\+1 415 555`},
	{"What is your full name, please?", `\p{Lu}\p{L}+ \p{Lu}\p{L}+`},
	{"Would you recommend us to a friend?", yesOrNo},
	{"Can you confirm your appointment on Tuesday at 3?", yesOrNo},
	{"Did you receive the parcel we sent you?", yesOrNo},
	{"You have lived there for two years, is that right?", yesOrNo},
	{"Are you still interested in a test drive?", yesOrNo},
	{"Do you have any questions for me?", yesOrNo},
	{"Are you coming, yes or no?", yesOrNo},
	{"Could you tell me what we should improve?", `\.$`},
	{"What is the main reason for your visit?", `\.$`},
	{"How was your stay with us?", `\.$`},
	{"Is there anything else you would like to tell us?", yesOrNo},
	{"And which of our branches did you go to?", `\.$`},
	{"¿Le puedo hacer una pregunta?", `\.$`},
}

const yesOrNo = `(?i)\b(yes|no)\b`

func TestRepliesAnswerTheQuestion(t *testing.T) {
	t.Parallel()
	yes, no := regexp.MustCompile(`(?i)\byes\b`), regexp.MustCompile(`(?i)\bno\b`)
	for _, q := range script {
		want := regexp.MustCompile(q.want)
		seen := map[string]bool{}
		for _, number := range numbers(100) {
			p := personaFor(number)
			for times := 1; times <= 2; times++ {
				a := p.reply(q.heard, times)
				if !want.MatchString(a) {
					t.Errorf("%q: %q", q.heard, a)
				}
				if optOut.MatchString(a) {
					t.Errorf("%q: opts out with %q", q.heard, a)
				}
				if q.want == yesOrNo && yes.MatchString(a) == no.MatchString(a) {
					t.Errorf("%q: neither yes nor no, or both: %q", q.heard, a)
				}
				if a != p.reply(q.heard, times) {
					t.Errorf("%q: two answers of one person", q.heard)
				}
				seen[a] = true
			}
		}
		if len(seen) < 3 {
			t.Errorf("%q: all say the same: %v", q.heard, seen)
		}
	}
}

// Calls of each agent of the demo succeed, and every choice gets an answer that the agent understands.
func TestAgentsOfTheDemoSucceed(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"meridian", "harbor-street"} {
		text, err := os.ReadFile("../../demo/data/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var data struct {
			Agents []struct {
				Name   string              `json:"name"`
				Script conversation.Script `json:"script"`
			} `json:"agents"`
		}
		if err := json.Unmarshal(text, &data); err != nil {
			t.Fatal(err)
		}
		for _, agent := range data.Agents {
			agent.Script.Model = nil // the questions in order, as they are asked if no model answers
			all, successful := numbers(100), 0
			for _, number := range all {
				a := converses(t, number, agent.Script)
				if a.Successful {
					successful++
				}
				for _, q := range agent.Script.Questions {
					if value, asked := a.Answers[q.Key]; q.Expect == conversation.Choice && asked && value == nil {
						t.Errorf("%s, %s: %q has no clear answer", agent.Name, number, q.Ask)
					}
				}
			}
			if successful < len(all)/2 {
				t.Errorf("%s: %d of %d calls are successful", agent.Name, successful, len(all))
			}
		}
	}
}

// Recipients answer all kinds of questions so that the agent understands them.
func TestRecipientsAnswerAllKinds(t *testing.T) {
	t.Parallel()
	script := conversation.Script{
		Language: "en-US", Greeting: "Hello.", Questions: []conversation.Question{
			{Key: "day", Ask: "Which day would suit you best?", Expect: conversation.Date},
			{Key: "hour", Ask: "And what time should we come?", Expect: conversation.Time},
			{Key: "phone", Ask: "Which phone number can we call?", Expect: conversation.Phone},
			{Key: "email", Ask: "Please tell me your email address.", Expect: conversation.Email},
			{Key: "born", Ask: "What is your date of birth?", Expect: conversation.Date},
		},
	}
	for _, number := range numbers(100) {
		if a := converses(t, number, script); !a.Successful {
			t.Errorf("%s: %s %v", number, a.Summary, a.Answers)
		}
	}
	// In other languages, with the words of the subject.
	script.Language = "de-DE"
	for i, ask := range []string{
		"Welcher Tag passt Ihnen?", "Um wie viel Uhr?", "Wie ist Ihre Telefonnummer?", "Wie ist Ihre E-Mail-Adresse?",
		"Wann sind Sie geboren?",
	} {
		script.Questions[i].Ask = ask
	}
	for _, number := range numbers(20) {
		if a := converses(t, number, script); !a.Successful {
			t.Errorf("%s: %s %v", number, a.Summary, a.Answers)
		}
	}
}

// converses returns the result of a call in which a recipient talks to the end.
func converses(t *testing.T, number string, script conversation.Script) conversation.Analysis {
	t.Helper()
	r := newRecipient(number, plan{})
	r.words, r.abroad = wordsIn(script.Language)
	state, actions := conversation.Start(script, map[string]any{"phone_number": number}, false)
	wednesday := time.Date(2026, 11, 25, 10, 7, 0, 0, time.UTC)
	for range 100 {
		if state.Done() {
			break
		}
		var heard []string
		for _, a := range actions {
			if say, ok := a.(conversation.Say); ok {
				heard = append(heard, say.Text)
			}
		}
		var in conversation.Input = conversation.Silence{}
		if a := r.silence(strings.Join(heard, " ")); a != nil {
			in = conversation.Prompt{Text: a.say, At: wednesday}
		}
		state, actions = conversation.Step(state, in)
	}
	return conversation.Analyze(state)
}

func TestScales(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"on a scale from 1 to 10, how was it?":        "1-10",
		"how likely are you, between zero and ten?":   "0-10",
		"how would you rate us out of five?":          "1-5",
		"how was the weather on the 3 to 5 bus tour?": "",
		"were you here for 2 days?":                   "",
	} {
		lo, hi, ok := scaleOf(text, text)
		got := ""
		if ok {
			got = strconv.Itoa(lo) + "-" + strconv.Itoa(hi)
		}
		if got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestQuestion(t *testing.T) {
	t.Parallel()
	for heard, want := range map[string]string{
		"Hello, this is Clara. Is this Mr. Lopez? We are calling about your car.": "Lopez?",
		"This call is automated. Press 9 or say stop at any time.":                "",
		"Thank you. Please rate us from 1 to 5.":                                  "Please rate us from 1 to 5.",
		"How are you? And how is the family?":                                     "And how is the family?",
		"Goodbye.":                                                                "",
		"":                                                                        "",
	} {
		if got := question(heard); got != want {
			t.Errorf("%q: %q", heard, got)
		}
	}
}

// All ordinary numbers answer or are busy.
func TestPlans(t *testing.T) {
	t.Parallel()
	busy := 0
	all := numbers(2000)
	for _, number := range all {
		p := planFor(number)
		if p.busy {
			busy++
		}
		p.busy, p.ring = false, 0
		if p != (plan{}) {
			t.Errorf("%s: %+v", number, p)
		}
	}
	if busy < 100 || busy > 350 {
		t.Errorf("%d of %d are busy", busy, len(all))
	}
	if p := planFor("+15005990000"); p.refusal != nil || p.vanishes || p.noAnswer {
		t.Errorf("beyond the reserved outcomes: %+v", p)
	}
	for outcome, want := range map[string]func(plan) bool{
		"00": func(p plan) bool { return p.habit == answers && !p.busy },
		"01": func(p plan) bool { return p.busy },
		"02": func(p plan) bool { return p.noAnswer },
		"03": func(p plan) bool { return p.voicemail },
		"04": func(p plan) bool { return p.habit == hangsUp },
		"05": func(p plan) bool { return p.habit == interrupts },
		"06": func(p plan) bool { return p.habit == pressesNine },
		"07": func(p plan) bool { return p.habit == saysStop },
		"08": func(p plan) bool { return p.refusal.code == 21217 },
		"09": func(p plan) bool { return p.vanishes },
		"10": func(p plan) bool { return p.shuffles },
		"11": func(p plan) bool { return p.losesLine },
		"12": func(p plan) bool { return p.silent },
		"13": func(p plan) bool { return p.ring.Seconds() == 25 },
		"14": func(p plan) bool { return p.late && p.habit == greetsInParts },
		"15": func(p plan) bool { return p.late && p.habit == greetsBriefly },
		"16": func(p plan) bool { return p.late && p.habit == boxFull },
		"17": func(p plan) bool { return p.late && p.habit == boxUnset },
		"18": func(p plan) bool { return !p.voicemail && p.habit == screens },
		"19": func(p plan) bool { return !p.voicemail && p.habit == refuses },
		"20": func(p plan) bool { return !p.voicemail && p.habit == listsMenu },
		"21": func(p plan) bool { return p.habit == getsSomebody },
		"22": func(p plan) bool { return p.habit == isSomebody },
		"23": func(p plan) bool { return p.habit == mourns },
		"24": func(p plan) bool { return p.habit == wantsLater },
		"25": func(p plan) bool { return p.habit == hasNoTime },
		"26": func(p plan) bool { return p.habit == isChild },
		"27": func(p plan) bool { return p.habit == wantsHuman },
		"40": func(p plan) bool { return p.refusal.code == 21219 },
		"41": func(p plan) bool { return p.refusal.code == 21215 },
		"42": func(p plan) bool { return p.refusal.code == 21408 && p.refusal.status == http.StatusForbidden },
		"43": func(p plan) bool { return p.refusal.code == 21210 },
		"44": func(p plan) bool { return p.refusal.status == http.StatusUnauthorized },
		"45": func(p plan) bool { return p.refusal.code == 29999 && p.refusal.status == http.StatusForbidden },
		"46": func(p plan) bool { return p.fails },
		"60": func(p plan) bool { return p.attestation == "C" },
		"61": func(p plan) bool { return p.unattested },
	} {
		for _, suffix := range []string{"0000", "1234", "9999"} {
			if p := planFor("+15005" + outcome + suffix); !want(p) {
				t.Errorf("%s: %+v", outcome, p)
			}
		}
	}
}

// FuzzReply checks that a recipient answers everything that an agent says, and never opts out.
func FuzzReply(f *testing.F) {
	for _, q := range script {
		f.Add(q.heard)
	}
	f.Add("a or b? or ,, or ?")
	f.Add("Do a,,b or c?")
	f.Fuzz(func(t *testing.T, heard string) {
		asked := question(heard)
		for _, number := range numbers(5) {
			p := personaFor(number)
			a := p.reply(heard, 1)
			if strings.TrimSpace(a) == "" {
				t.Fatalf("no answer to %q", heard)
			}
			if optOut.MatchString(a) && !optOut.MatchString(asked) {
				t.Fatalf("%q: %q", heard, a)
			}
		}
	})
}
