package demo

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
)

// manner is how a recipient reacts to a past call.
type manner int

const (
	talksToTheEnd manner = iota
	cutsIn               // interrupts the first sentence, then talks to the end
	hangsUpMidway        // during a question
	hasToGo              // says goodbye after an answer
	wantsHuman           // asks for a person after an answer
	saysStop             // after an answer
	pressesNine          // during the first question
	staysSilent
	isMachine
)

// talk is a past conversation as the product would have stored it. The agent's part comes from the conversation
// package, so that transcript, answers and analysis are consistent.
type talk struct {
	turns  []call.Turn
	length time.Duration // time from the answer to the end
	state  conversation.State
}

// These are realistic times per word, because the carrier reports when each turn began and ended.
const (
	agentWord     = 370 * time.Millisecond
	recipientWord = 330 * time.Millisecond
)

// converse makes up a conversation.
func converse(r *rand.Rand, agent agent, vars map[string]any, leaveMessage bool, manner manner) talk {
	var t talk
	asked := map[string]int{}
	state, actions := conversation.Start(agent.Script, vars, leaveMessage)
	// Whether a person answered is decided from words, which takes longer than the whole conversation afterward.
	state.Person = manner != isMachine && manner != staysSilent
	step := func(in conversation.Input) { state, actions = conversation.Step(state, in) }
	if manner == isMachine {
		step(conversation.MachineDetected{MessageEnd: true})
	}
	for utterances := 1; ; utterances++ {
		text, over := "", false
		for _, a := range actions {
			switch a := a.(type) {
			case conversation.Say:
				text = a.Text
			case conversation.HangUp:
				over = true
			}
		}
		if text == "" {
			break
		}
		t.pause(r, 350, 700)
		switch {
		case manner == cutsIn && utterances == 1:
			step(conversation.Interrupted{Spoken: t.sayPart(text, 0.4)})
			words := pickOne(r, people.Said.WhoIsCalling)
			t.add(call.Recipient, words, recipientWord)
			step(conversation.Prompt{Text: words})
			continue
		case manner == hangsUpMidway && utterances == 2:
			step(conversation.Interrupted{Spoken: t.sayPart(text, 0.6)})
			step(conversation.Closed{})
		case manner == pressesNine && utterances == 1:
			step(conversation.Interrupted{Spoken: t.sayPart(text, 0.8)})
			t.turns = append(t.turns, call.Turn{Index: len(t.turns), Role: call.System, Text: "Pressed 9"})
			step(conversation.Digit{Digit: "9"})
			continue
		default:
			t.add(call.Agent, text, agentWord)
		}
		if over || state.Phase == conversation.Over {
			break
		}
		if manner == staysSilent {
			t.length += 8 * time.Second
			step(conversation.Silence{})
			continue
		}
		t.pause(r, 500, 1600)
		words := reply(r, agent, state, asked, manner, utterances)
		t.add(call.Recipient, words, recipientWord)
		step(conversation.Prompt{Text: words})
	}
	t.length += 400 * time.Millisecond
	t.state, _ = conversation.Step(state, conversation.Closed{})
	return t
}

// reply returns a recipient's reply to the open question.
func reply(
	r *rand.Rand, agent agent, state conversation.State, asked map[string]int, manner manner, utterances int,
) string {
	key := agent.Script.Questions[state.Question].Key
	asked[key]++
	switch {
	case manner == saysStop && utterances == 2:
		return pickOne(r, people.Said.Stop)
	case manner == wantsHuman && utterances == 2:
		return pickOne(r, people.Said.WantsHuman)
	case manner == hasToGo && utterances == 3:
		return pickOne(r, people.Said.HasToGo)
	case asked[key] == 1 && r.IntN(14) == 0:
		return pickOne(r, people.Said.Repeat)
	case asked[key] == 1 && len(agent.Unclear[key]) > 0 && r.IntN(5) == 0:
		return pickOne(r, agent.Unclear[key])
	}
	return pickOne(r, agent.Replies[key])
}

// add adds a complete turn.
func (t *talk) add(role call.Role, text string, word time.Duration) {
	start := int(t.length.Milliseconds())
	t.length += time.Duration(len(strings.Fields(text))) * word
	end := int(t.length.Milliseconds())
	t.turns = append(t.turns, call.Turn{Index: len(t.turns), Role: role, Text: text, StartMS: &start, EndMS: &end})
}

// sayPart adds an interrupted turn of the agent. It returns the words that were heard.
func (t *talk) sayPart(text string, share float64) string {
	words := strings.Fields(text)
	heard := strings.Join(words[:max(1, int(float64(len(words))*share))], " ")
	t.add(call.Agent, heard, agentWord)
	t.turns[len(t.turns)-1].Interrupted = true
	return heard
}

// pause adds a random time between least and most milliseconds.
func (t *talk) pause(r *rand.Rand, least, most int) {
	t.length += time.Duration(least+r.IntN(most-least)) * time.Millisecond
}

// text returns the transcript in the form that the product stores in addition to the turns.
func (t *talk) text() string {
	lines := make([]string, len(t.turns))
	for i, turn := range t.turns {
		lines[i] = map[call.Role]string{call.Agent: "Agent: ", call.Recipient: "Recipient: "}[turn.Role] + turn.Text
	}
	return strings.Join(lines, "\n")
}

func pickOne[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
