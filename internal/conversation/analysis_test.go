package conversation

import (
	"fmt"
	"strings"
	"testing"
)

// answered is the end of a conversation with these answers.
func answered(ending Ending, values ...any) State {
	s := State{Ending: ending, Heard: 1}
	for i, v := range values {
		key := fmt.Sprintf("question_%d", i+1)
		s.Script.Questions = append(s.Script.Questions, Question{Key: key})
		s.Answers = append(s.Answers, Answer{Key: key, Value: v})
	}
	return s
}

// optional makes one of the questions optional.
func optional(s State, question int) State {
	s.Script.Questions[question].Required = new(bool)
	return s
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	hundred := strings.Repeat("abcd ", 20)
	for _, c := range []struct {
		state State
		want  string
	}{
		{answered(Completed, true), "Answered the question. Question 1: yes."},
		{answered(Completed, true, false), "Answered both questions. Question 1: yes. Question 2: no."},
		{
			optional(answered(Completed, true, false, nil), 2),
			"Answered both required questions. Question 1: yes. Question 2: no. No clear answer on question 3.",
		},
		{
			answered(SaidGoodbye, true, false),
			"Answered both questions, then said goodbye. Question 1: yes. Question 2: no.",
		},
		{
			answered(Completed, nil),
			"Stayed to the end, but answered none of the questions. No clear answer on question 1.",
		},
		{answered(Completed, true, nil), "Answered 1 of 2 questions. Question 1: yes. No clear answer on question 2."},
		{
			answered(Completed, nil, false, nil, nil),
			"Answered 1 of 4 questions. Question 2: no. No clear answer on question 1, question 3 and question 4.",
		},
		{
			answered(Completed, 1.0, 2.5, "c", true),
			"Answered all 4 questions. Question 1: 1. Question 2: 2.5. Question 3: c. Question 4: yes.",
		},
		{
			answered(Completed, 1.0, 2.0, 3.0, 4.0, 5.0),
			"Answered all 5 questions. Question 1: 1. Question 2: 2. Question 3: 3. Question 4: 4. And 1 more.",
		},
		{
			answered(Completed, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
			"Answered all 6 questions. Question 1: 1. Question 2: 2. Question 3: 3. Question 4: 4. And 2 more.",
		},
		{answered(Completed, "Yes. Really?! "), "Answered the question. Question 1: Yes. Really."},
		{answered(Completed, hundred[:99]+"x"), "Answered the question. Question 1: " + hundred[:99] + "x."},
		{answered(Completed, hundred+"x"), "Answered the question. Question 1: " + strings.TrimSpace(hundred) + "…"},
		{answered(HungUp, nil), "The call ended before a question was answered. No clear answer on question 1."},
		{answered(HungUp, true), "The call ended after the last answer. Question 1: yes."},
		{
			answered(HungUp, true, nil),
			"Answered 1 of 2 questions, then the call ended. Question 1: yes. No clear answer on question 2.",
		},
		{answered(SaidGoodbye), "Said goodbye without answering a question."},
		{answered(SaidGoodbye, true), "Answered the question, then said goodbye. Question 1: yes."},
		{
			answered(TooLong, true, nil),
			"Answered 1 of 2 questions before the conversation was ended for its length. Question 1: yes. No clear " +
				"answer on question 2.",
		},
		{answered(Unanswered), "Answered 0 of 0 questions, then fell silent."},
		{State{Ending: Unanswered}, "Picked up and said nothing."},
		{State{Ending: HungUp}, "The call ended before anything was said to the agent."},
		{State{Ending: OptedOut, OptedOut: ByKey}, "Asked not to be called again, by pressing 9."},
		{State{Ending: OptedOut, OptedOut: BySpeech}, "Asked not to be called again, in their own words."},
		{State{Ending: Voicemail}, "Reached a voicemail and left no message."},
		{State{Ending: MessageLeft}, "Reached a voicemail and left the message."},
		{State{Ending: MessageLeft, CutShort: true}, "Reached a voicemail, which ended before the message did."},
		{State{}, "The conversation broke off before a question was answered."},
		{
			answered("", true, nil),
			"Answered 1 of 2 questions before the conversation broke off. Question 1: yes. No clear answer on " +
				"question 2.",
		},
		{
			optional(answered(Completed, true, nil, nil), 1),
			"Answered 1 of 2 required questions. Question 1: yes. No clear answer on question 2 and question 3.",
		},
		{
			optional(answered(Completed, true, nil), 1),
			"Answered the required question. Question 1: yes. No clear answer on question 2.",
		},
		{
			optional(answered(Completed, nil, true), 1),
			"Stayed to the end, but answered none of the required questions. Question 2: yes. No clear answer on " +
				"question 1.",
		},
		{optional(answered(Completed, "c"), 0), "Stayed to the end. No question required an answer. Question 1: c."},
		{
			optional(answered(SaidGoodbye, nil, true), 1),
			"Said goodbye without answering a required question. Question 2: yes. No clear answer on question 1.",
		},
	} {
		if got := Analyze(c.state).Summary; got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// A summary names answers by their descriptions, and calls what a model collects what pages call it.
func TestSummariesInWords(t *testing.T) {
	t.Parallel()
	described := func(s State, descriptions ...string) State {
		for i, d := range descriptions {
			s.Script.Questions[i].Description = d
		}
		return s
	}
	modeled := func(s State) State {
		s.Script.Model = &Model{}
		return s
	}
	for _, c := range []struct {
		state State
		want  string
	}{
		{
			described(answered(Completed, true, "18:30", nil), "Whether they come.", "", "How many come"),
			"Answered 2 of 3 questions. Whether they come: yes. Question 2: 18:30. No clear answer on how many come.",
		},
		{described(answered(Completed, nil), "MRI date"), "Stayed to the end, but answered none of the questions. " +
			"No clear answer on MRI date."},
		{described(answered(Completed, true), strings.Repeat("long ", 20)), "Answered the question. Question 1: yes."},
		{modeled(answered(Completed, true, "c")), "Filled both fields. Question 1: yes. Question 2: c."},
		{
			modeled(optional(answered(HungUp, true, nil, nil), 1)),
			"Filled 1 of 2 required fields, then the call ended. Question 1: yes. " +
				"No clear answer on question 2 and question 3.",
		},
		{modeled(answered(HungUp)), "The call ended before a field was filled."},
	} {
		if got := Analyze(c.state).Summary; got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// A call is successful if every required question has an answer and the call was not broken off.
// A question without a description is named by its text, not by its key.
func TestSummariesQuoteQuestions(t *testing.T) {
	t.Parallel()
	for ask, want := range map[string]string{
		"Would you like to renew your plan?":         "“Would you like to renew your plan?” Yes.",
		"We have an offer. Would you like it?":       "“Would you like it?” Yes.",
		"Will you see Dr. Lee?":                      "“Will you see Dr. Lee?” Yes.",
		"Keep your {{plan|old}} plan.":               "“Keep your “plan” plan”: yes.",
		strings.Repeat("very ", 30) + "good, is it?": "“" + strings.TrimSpace(strings.Repeat("very ", 20)) + "…”: yes.",
	} {
		s := answered(Completed, true)
		s.Script.Questions[0].Ask = ask
		if got := Analyze(s).Summary; got != "Answered the question. "+want {
			t.Errorf("%q: %q, want %q", ask, got, want)
		}
	}
	s := answered(Completed, nil)
	s.Script.Questions[0].Ask = "Is it?"
	if got := Analyze(s).Summary; !strings.HasSuffix(got, "No clear answer on “Is it?”.") {
		t.Errorf("without an answer: %q", got)
	}
}

func TestSuccessful(t *testing.T) {
	t.Parallel()
	unasked := answered(Completed, true)
	unasked.Script.Questions = append(unasked.Script.Questions, Question{Key: "later"})
	for _, c := range []struct {
		state State
		want  bool
	}{
		{answered(Completed), true},
		{answered(Completed, true, 0.0, "", false), true},
		{answered(Completed, true, nil), false},
		{answered(HungUp, true), false},
		{answered(OptedOut, true), false},
		{unasked, false},
		{optional(answered(Completed, true, nil), 1), true},
		{optional(answered(Completed, nil, true), 1), false},
		{optional(answered(Completed, nil), 0), true},
		{optional(answered(HungUp, true, nil), 1), false},
	} {
		if got := Analyze(c.state); got.Successful != c.want {
			t.Errorf("%s: successful %t", got.Summary, got.Successful)
		}
	}
}

func TestSentiment(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]Sentiment{
		"Good morning.":                       Unknown,
		"Hello? Goodbye.":                     Unknown,
		"It was wonderful.":                   Positive,
		"It was not good.":                    Negative,
		"It was terrible.":                    Negative,
		"The food was good, the room was bad": Neutral,
		"Good, great, but the room was bad":   Positive,
		"Good, but the room was bad, awful":   Negative,
	} {
		s, _ := steps(asking(Question{Expect: Text}), Prompt{Text: said})
		if got := Analyze(s).Sentiment; got != want {
			t.Errorf("%q is %s, want %s", said, got, want)
		}
	}
}
