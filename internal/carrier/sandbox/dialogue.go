package sandbox

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/simulation"
)

// This file lets simulated recipients answer questions, so that conversations on the sandbox read
// like real conversations. A reply depends only on the number and on the question. These recipients
// never opt out: the reserved numbers do.

// manner is a person's way of talking.
type manner uint8

const (
	friendly manner = iota
	brisk           // as few words as possible
	hesitant        // thinks aloud
	chatty          // adds a sentence
)

// persona is the person behind a number.
type persona struct {
	number      string
	manner      manner
	first, last string
}

func personaFor(number string) persona {
	r := simulation.Draw(number, "persona")
	p := persona{number: number, first: pick(r, firstNames), last: pick(r, lastNames)}
	switch n := r.IntN(100); {
	case n < 35:
		p.manner = friendly
	case n < 60:
		p.manner = brisk
	case n < 80:
		p.manner = hesitant
	default:
		p.manner = chatty
	}
	return p
}

// greeting returns the greeting of the person's voicemail.
func (p persona) greeting() string {
	return fmt.Sprintf(pick(simulation.Draw(p.number, "greeting"), greetings), p.first)
}

func (p persona) farewell() string { return pick(simulation.Draw(p.number, "farewell"), farewells) }

// pause returns how long the person thinks before answering.
func (p persona) pause(question string) time.Duration {
	ms := 450 + simulation.Draw(p.number, question, "pause").IntN(500)
	if p.manner == hesitant {
		ms += 600
	}
	return time.Duration(ms) * time.Millisecond
}

// reply answers the heard text. When the agent repeats a question, the answer is as plain as
// possible.
func (p persona) reply(heard string, times int) string {
	q := question(heard)
	r := simulation.Draw(p.number, strings.ToLower(q))
	a := p.answer(r, q, heard)
	switch {
	case times > 1 || p.manner == brisk:
		return a.plain
	case p.manner == hesitant && a.hard:
		return hesitate(pick(r, thinking), a.full)
	case p.manner == hesitant:
		return hesitate(pick(r, hesitations), a.full)
	case p.manner == chatty && a.more != "":
		return a.full + " " + a.more
	}
	return a.full
}

// hesitate puts a filler before a sentence.
func hesitate(filler, full string) string {
	first, _, _ := strings.Cut(full, " ")
	if strings.HasSuffix(filler, ", ") && (ordinary.MatchString(first) || preposition.MatchString(first)) {
		full = strings.ToLower(full[:1]) + full[1:]
	}
	return filler + full
}

// answer is an answer in three lengths.
type answer struct {
	plain string // "8."
	full  string // "I'd say an 8."
	more  string // an additional sentence of a talkative person
	hard  bool   // needs some thought
}

// answer finds the kind of question and draws an answer to it.
func (p persona) answer(r *rand.Rand, q, heard string) answer {
	lower := strings.ToLower(q)
	if m := identity.FindStringSubmatch(q); m != nil {
		return answer{plain: "Yes, speaking.", more: "Who's calling, please?",
			full: pick(r, []string{
				"Yes, speaking.", "Yes, that's me.", "Yes, this is " + strings.TrimSpace(m[1]) + ".",
			})}
	}
	if lo, hi, ok := scaleOf(lower, strings.ToLower(heard)); ok {
		rating := rate(r, lo, hi)
		n, more := strconv.Itoa(rating), pick(r, praises)
		if 2*(rating-lo) <= hi-lo {
			more = pick(r, complaints)
		}
		return answer{plain: n + ".", more: more, hard: true,
			full: pick(r, []string{
				"I'd say " + n + ".", "Probably " + n + ".", "I'd give it " + n + ".", n + ", I think.",
			})}
	}
	options := choicesIn(q, heard)
	listed := len(options) > 1 && listing.MatchString(q)
	direct := auxiliary.MatchString(lower) && !indirect.MatchString(lower)
	if !direct && !listed {
		if howMany.MatchString(lower) && !phoneAsked.MatchString(lower) {
			n := strconv.Itoa(1 + r.IntN(6))
			return answer{
				plain: n + ".", hard: true,
				full: pick(r, []string{"I think " + n + ".", n + ", I believe.", "That would be " + n + "."}),
			}
		}
		for _, t := range topics {
			if t.when.MatchString(lower) {
				full := strings.NewReplacer("{first}", p.first, "{last}", p.last,
					"{phone}", phone.Format(phone.Number(p.number)),
					"{email}", strings.ToLower(p.first)+" at example dot com").Replace(pick(r, t.say))
				return answer{plain: full, full: full}
			}
		}
	}
	if len(options) > 1 {
		o := pick(r, options)
		full := []string{o + ", please", o + " would be best"}
		if !preposition.MatchString(o) {
			full = append(full, "I'd prefer "+o)
		}
		return answer{plain: sentence(o), full: sentence(pick(r, full)), more: "That suits me better.", hard: true}
	}
	if direct || confirming.MatchString(lower) {
		return yesNo(r, lower)
	}
	full := pick(r, opinions)
	return answer{plain: full, full: full, hard: true}
}

// yesNo answers a question that allows yes or no as its answer. The answer contains one of the two
// words, and never both.
func yesNo(r *rand.Rand, lower string) answer {
	for _, t := range decisions {
		if !t.when.MatchString(lower) {
			continue
		}
		if r.IntN(100) >= t.yes {
			return answer{plain: "No.", full: pick(r, t.decline)}
		}
		a := answer{plain: "Yes.", full: pick(r, t.agree)}
		if len(t.more) > 0 {
			a.more = pick(r, t.more)
		}
		return a
	}
	panic("sandbox: the last decision matches everything")
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]+["')]*\s+`)
	identity    = regexp.MustCompile(
		`(?i:am i (?:speaking|talking) (?:with|to)|is this|may i (?:speak|talk) (?:with|to)|do i have) ` +
			`((?:(?:Mr|Mrs|Ms|Dr)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)\s*(?:,[^?]*)?\?`,
	)
	imperative = regexp.MustCompile(
		`(?i)^(?:and |so |then |now,? )?(?:please |could you )?(?:tell (?:me|us)|rate|describe|let (?:me|us) ` +
			`know|choose|pick|say (?:yes|no)|answer)\b`,
	)
	goodbye    = regexp.MustCompile(`(?i)\b(?:good-?bye|bye|have a (?:nice|great|good|lovely|wonderful)|take care)\b`)
	howMany    = regexp.MustCompile(`\bhow (?:many|often)\b|\bwhat number\b`)
	phoneAsked = regexp.MustCompile(`\b(?:phone|mobile|cell|contact|callback) number\b|\bnumber (?:can|may|should) (?:i|we)\b`)
	scaleRange = regexp.MustCompile(
		`\b(\d{1,3}|zero|one)\s*(?:to|and|through|-|–)\s*(\d{1,3}|three|four|five|six|seven|ten)\b`,
	)
	outOf      = regexp.MustCompile(`\bout of (\d{1,3}|five|ten)\b`)
	scaleWords = regexp.MustCompile(`\b(?:scale|rate|rating|score|likely|out of|satisfied|number|from|between)\b`)
	auxiliary  = regexp.MustCompile(
		`^(?:(?:and|so|but|then|okay|ok|great|well|now|thanks|also|first|just to confirm|before we start|quick ` +
			`question)[, ]+)*(?:do|does|did|is|are|was|were|have|has|had|can|could|would|will|should|shall|may|might|am|isn't|aren't|don't|didn't|haven't|won't|wouldn't)\b`,
	)
	indirect = regexp.MustCompile(
		`\b(?:could|can|would|will) you (?:please |maybe |briefly ` +
			`)?(?:tell|describe|say|give|share|let|rate|name|explain)\b|` +
			`\b(?:may|can|could) i (?:please )?(?:have|get|note) (?:your|the)\b`,
	)
	confirming = regexp.MustCompile(
		`(?:right|correct|okay|ok|alright|true|yes|yes or no|agreed|work for you|suit you)\?$`,
	)
	ordinary = regexp.MustCompile(
		`^(?:Yes|No|Probably|Around|About|After|Any|The|It|It's|In|My|Mostly|Maybe|By|Next|Just|Since|Overall|Good|Very|That|Longer|Up|You|How|Usually|At|On|A)\b`,
	)
	preposition = regexp.MustCompile(`(?i)^(?:in|by|at|on|for|with|via|per|before|after|during)\b`)
	trailing    = regexp.MustCompile(`(?i)\s+(?:suits?|works?|be|fits?|sounds?|is|are|would)\b.*$`)
	asking      = regexp.MustCompile(`(?i)^(?:and |so )?(?:which|what|how|where|when|who)\b`)
	leading     = regexp.MustCompile(`(?i)^(?:would|will|do|does|did|is|are|was|should|could|can|and|so)\s+`)
	betweenList = regexp.MustCompile(`(?i)\b(?:between|options are|choose from|either)\b:? ([^.?!]+)`)

	// "Which do you like best: the first or the second?" lists options, "Which day or time suits you best?" does not.
	listing = regexp.MustCompile(`(?i)\bwhich of\b|` +
		`\b(?:which|what|how|where|when|who)\b[^?]*(?::[^?]+|,\s*[^?,\s][^?]*)\bor\b`)
)

// question returns the sentence that asks for an answer: the last sentence with a question mark, or
// else the last sentence that requests an answer. It is empty if no sentence does.
func question(heard string) string {
	sentences := split(heard)
	for i := len(sentences) - 1; i >= 0; i-- {
		if strings.HasSuffix(strings.TrimRight(sentences[i], `"')`), "?") {
			return sentences[i]
		}
	}
	for i := len(sentences) - 1; i >= 0; i-- {
		if imperative.MatchString(sentences[i]) {
			return sentences[i]
		}
	}
	return ""
}

func split(text string) []string {
	var out []string
	for text = strings.TrimSpace(text); text != ""; {
		end := len(text)
		if m := sentenceEnd.FindStringIndex(text); m != nil {
			end = m[1]
		}
		out = append(out, strings.TrimSpace(text[:end]))
		text = text[end:]
	}
	return out
}

func farewell(heard string) bool { return goodbye.MatchString(heard) }

var numerals = map[string]int{"zero": 0, "one": 1, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}

func numeral(s string) int {
	if n, ok := numerals[s]; ok {
		return n
	}
	n, _ := strconv.Atoi(s)
	return n
}

// scaleOf recognizes a question for a rating and its bounds. The bounds may be in an earlier
// sentence.
func scaleOf(lower, heard string) (lo, hi int, ok bool) {
	for _, text := range []string{lower, heard} {
		if !scaleWords.MatchString(lower) {
			return 0, 0, false
		}
		if m := scaleRange.FindStringSubmatch(text); m != nil {
			lo, hi = numeral(m[1]), numeral(m[2])
		} else if m := outOf.FindStringSubmatch(text); m != nil {
			lo, hi = 1, numeral(m[1])
		}
		if hi > lo {
			return lo, hi, true
		}
	}
	return 0, 0, false
}

// rate draws a rating. Good ratings are more frequent.
func rate(r *rand.Rand, lo, hi int) int {
	share := 0.5 + 0.5*r.Float64()
	if r.IntN(8) == 0 {
		share = 0.4 * r.Float64()
	}
	return lo + int(share*float64(hi-lo)+0.5)
}

// choicesIn returns the options that a question offers, or nil.
func choicesIn(q, heard string) []string {
	body := strings.TrimRight(q, `?."') `)
	if i := strings.LastIndexByte(body, ':'); i >= 0 {
		body = body[i+1:] // "Which one is it: the first or the second?"
	}
	if _, examples, ok := strings.Cut(body, "for example "); ok {
		body = examples
	}
	if !strings.Contains(body, " or ") {
		if auxiliary.MatchString(strings.ToLower(q)) {
			return nil
		}
		_, after, _ := strings.Cut(heard, q)
		if m := betweenList.FindStringSubmatch(heard); m != nil {
			// "We have the small, the medium and the large one. Which would you like?"
			body = strings.TrimSpace(m[1])
			if i := strings.LastIndex(body, " and "); i >= 0 {
				body = body[:i] + " or " + body[i+5:]
			}
		} else if next := split(after); len(next) > 0 {
			// "Which of these would you like? The small, the medium or the large one."
			body = strings.TrimRight(next[0], ".!")
		}
	}
	i := strings.LastIndex(body, " or ")
	if i < 0 {
		return nil
	}
	last := strings.TrimSpace(trailing.ReplaceAllString(body[i+4:], ""))
	if last == "" || len(strings.Fields(last)) > 6 || notChoice.MatchString(strings.ToLower(last)) {
		return nil
	}
	parts := trimmed(strings.Split(body[:i], ","))
	if len(parts) > 1 && asking.MatchString(parts[0]) {
		parts = parts[1:] // "Which one is it, the first or the second?"
	} else if len(parts) > 0 {
		// The first option follows other words of the question, so take as many words as its
		// neighbor has.
		neighbor := last
		if len(parts) > 1 {
			neighbor = parts[1]
		}
		words := strings.Fields(leading.ReplaceAllString(parts[0], ""))
		n := min(len(strings.Fields(neighbor)), len(words))
		parts[0] = strings.Join(words[len(words)-n:], " ")
	}
	return append(trimmed(parts), last)
}

// trimmed returns the parts that are not empty.
func trimmed(parts []string) []string {
	var out []string
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

var notChoice = regexp.MustCompile(
	`^(?:no|not|so|two|more|less|any|say|press|is|are|do|does|did|would|could|should|anything|something|someone|anyone)\b`,
)

// sentence makes a sentence from a phrase.
func sentence(s string) string {
	r := []rune(strings.TrimSpace(s))
	if len(r) == 0 {
		return ""
	}
	return strings.ToUpper(string(r[:1])) + string(r[1:]) + "."
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
