package conversation

import (
	"fmt"
	"testing"
)

func TestWhoAnsweredInEnglish(t *testing.T) {
	t.Parallel()
	said := utterances{
		machine: []string{
			"Hi, you've reached John Smith. / I can't come to the phone right now.",
			"Hi, you've reached John Smith. / I can't come to the phone right now. / " +
				"Please leave a message after the tone.",
			"Hi, you've reached John Smith. I can't come to the phone right now.",
			"Your call has been forwarded to an automatic voice message system.",
			"Your call has been forwarded to voicemail. The person you're trying to reach is not available.",
			"At the tone, please record your message. When you have finished recording, you may hang up.",
			"Hello, this is the voicemail of Anna Becker.",
			"Hey, it's Tom. I'm either driving or asleep. Leave me a message and I'll get back to you.",
			"Please leave your name and number after the beep and I'll call you back.",
			"The person you are trying to reach is not available.",
			"The number you have dialed is not available right now.",
			"The wireless customer you are calling is not available. Please try again later.",
			"No one is available to take your call.",
			"We're sorry, but no one is able to answer. / We are unable to take your call right now.",
			"You have reached the voice mailbox of 2 1 5 5 5 5.",
			"Sorry I missed your call. Leave your details and I will get back to you as soon as I can.",
			"You know what to do.",
			"Hi, it's Grace. / I'm not available right now. / You've reached my voicemail.",
			"This is Maria's answering machine.",
			"Please leave a / message after the tone.",
			"Hi, this is Ben. I'm away from my phone. / Leave a brief message and I'll return your call.",
			"The subscriber you have called is not available at the moment.",
			"To leave a callback number, press 5. / Please leave your message after the tone.",
			"We missed your call because we're closed. Leave us a message.",
		},
		perhaps: []string{
			"Hi, you've reached John Smith.", "I can't come to the phone right now.", "I'm not available right now.",
			"Nobody is home.", "I'm away from my desk.",
		},
		full: []string{
			"The mailbox is full and cannot accept any messages at this time.",
			"The mailbox is full and cannot accept any messages", "This mailbox is full. Goodbye.",
			"Hi, you've reached Sam. / The mailbox is full.",
			"The person you are calling has a voice mailbox that has not been set up yet.",
			"The person you have called has a voicemail box that hasn't been set up yet. Goodbye.",
			"The voice mailbox has not been set up.", "Sorry, the voicemail is full.",
			"This customer has not set up their voicemail.", "The subscriber is not accepting calls at this time.",
			"Memory is full.",
		},
		screening: []string{
			"Hi, if you record your name and reason for calling, I'll see if this person is available.",
			"Hi, the person you're calling is using a screening service from Google, " +
				"and will get a copy of this conversation.",
			"Go ahead and say your name, and why you're calling.",
			"Hi, the person you're calling is using a screening service from Google. / " +
				"Go ahead and say your name and why you're calling.",
			"Hi! I'm Anna's digital assistant. Please state your name and the reason for your call.",
			"You're speaking to the Truecaller assistant. May I ask who's calling and why?",
			"Please say your name after the tone, and Google Voice will try to connect you.",
			"Please state your name and reason for calling.", "This person is screening this call.",
			"Please tell me your name and the purpose of your call.", "Can you tell me why you're calling?",
		},
		menu: []string{
			"For sales, press 1. For support, press 2.", "Press 1 to accept this call.",
			"Thank you for calling Riverside Clinic. / For appointments, press one.",
			"Please listen carefully as our menu options have changed.", "Para español, oprima el dos.",
			"Your call is important to us. Please stay on the line for the next available representative.",
			"If you know your party's extension, you may dial it at any time.",
			"All of our agents are currently busy.", "To repeat this menu, press star.",
			"Our office hours are Monday through Friday, nine to five.",
			"Your call may be recorded for quality purposes.",
		},
		hold: []string{
			"Hold on, let me get her.", "Hold on.", "One moment, please.", "Hang on a second.", "Just a minute.",
			"Yes, one moment.", "I'll get him for you.", "Let me see if she's home.", "Let me put her on.",
			"Wait a second, please.", "Sure, hold on, I'll get my husband.", "Please hold while I transfer you.",
			"Hold the line.", "I'll put you through.", "Give me a second.",
		},
		robot: []string{
			"Are you a robot?", "Is this a recording?", "Are you a real person?", "Yes, but are you real?",
			"Am I talking to a machine?", "Wait, is this an automated call?", "You sound like a robot.",
			"Am I speaking with a person?",
		},
		intents: map[Intent][]string{
			WrongPerson: {
				"You have the wrong number.", "Sorry, wrong number.", "No, wrong number.",
				"I think you've got the wrong person.",
				"There's nobody here by that name.", "There is no Margaret here.", "No one by that name lives here.",
				"She doesn't live here anymore.", "He does not live here.", "This isn't her number anymore.",
				"I'm not the person you're looking for.", "I don't know anyone by that name.", "Never heard of him.",
				"I just got this number last week.", "You must have the wrong number.",
				"You dialed the wrong number, sorry.",
				"This is not his phone.", "We don't have anyone called Peter here.", "She moved away last year.",
			},
			Deceased: {
				"She passed away.", "I'm sorry, he passed away last month.", "He died in March.", "She's dead.",
				"My husband passed away.", "My mother died two years ago.", "He is no longer with us.",
				"She has passed away, I'm afraid.", "Mr. Miller is deceased.", "They passed away.", "He's deceased.",
				"Unfortunately she recently passed away.", "Margaret passed away.", "We just buried him.",
				"No, he died.", "That person is no longer alive.",
			},
			Minor: {
				"Mommy is in the shower.", "My mom's not here.", "My mom is not home.", "My parents are not home.",
				"I'm only six.", "I'm seven years old.", "Daddy isn't home.", "My dad is at work.", "I'm just a kid.",
				"I'm a child.", "I'm not allowed to talk to strangers.", "Do you want my mom?", "Mummy says hello.",
				"My mum is sleeping.", "I am ten years old.",
			},
			Busy: {
				"I'm driving.", "I'm driving right now.", "I'm in a meeting.", "Sorry, I'm busy.",
				"I'm really busy right now.",
				"I can't talk right now.", "This is not a good time.", "No, it's a bad time.", "I'm at work.",
				"I'm in the middle of something.", "I don't have time right now.", "You caught me at a bad time.",
				"I'm having dinner.", "I'm about to leave.", "I'm on another call.", "I can't talk.",
				"No, not a good time.",
				"No, I'm in a meeting.", "I've got no time for this.",
			},
			CallBack: {
				"Call me back in an hour.", "I'm driving, call me back in an hour.", "Can you call back later?",
				"Could you call me tomorrow?", "Please call again.", "Call me back on Monday.",
				"Try again tomorrow morning.",
				"Can you call me after five?", "Call me this evening.", "Please call me back at four.",
				"I'm busy, can you call later?", "Give me a call tomorrow.", "Can we talk later?",
				"Don't call me before noon.", "She's not here, call back later.", "He will be home at six.",
				"Give me an hour.", "Try me again in 20 minutes.", "No, call me back later.", "Let's talk tomorrow.",
			},
			WantsHuman: {
				"Can I talk to a human?", "I want to speak to a real person.", "Let me talk to a person.",
				"Human, please.",
				"Representative.", "Can I speak with someone real?", "I don't talk to robots.",
				"I'd like to speak to an agent.",
				"Is there a real person I can talk to?", "Get me a human.", "Transfer me to an operator.",
				"I'm not talking to a machine.", "Put me through to a person.", "Operator.",
				"Have a real person call me.", "I would prefer a human.",
			},
		},
		callBack: map[string]string{
			"Call me back in an hour.":                    "2026-11-25 11:07",
			"Call me back in 20 minutes.":                 "2026-11-25 10:27",
			"Call me in half an hour.":                    "2026-11-25 10:37",
			"Call back in two hours.":                     "2026-11-25 12:07",
			"Call me in a couple of hours.":               "2026-11-25 12:07",
			"Call me back tomorrow morning.":              "2026-11-26 09:00",
			"Call me tomorrow.":                           "2026-11-26 10:07",
			"Call me this evening.":                       "2026-11-25 18:00",
			"Please call this afternoon.":                 "2026-11-25 14:00",
			"Call me back at four.":                       "2026-11-25 16:00",
			"Call me at nine.":                            "2026-11-25 21:00",
			"Call me back at ten.":                        "2026-11-26 10:00",
			"Call me at 4:30.":                            "2026-11-25 16:30",
			"Call me at four thirty.":                     "2026-11-25 16:30",
			"Call me at half past four.":                  "2026-11-25 16:30",
			"Call me at quarter to five.":                 "2026-11-25 16:45",
			"Call me back at 3 p.m.":                      "2026-11-25 15:00",
			"Call me back at 3pm tomorrow.":               "2026-11-26 15:00",
			"Call me at 9 in the morning.":                "2026-11-26 09:00",
			"Call me on Monday.":                          "2026-11-30 10:07",
			"Call me back on Wednesday.":                  "2026-12-02 10:07",
			"Call me on Friday at two.":                   "2026-11-27 14:00",
			"Call me Friday morning.":                     "2026-11-27 09:00",
			"Can you call me after five?":                 "2026-11-25 17:00",
			"Call me at 12 o'clock.":                      "2026-11-25 12:00",
			"Don't call me before noon.":                  "2026-11-25 12:00",
			"I'm driving, call me back in about an hour.": "2026-11-25 11:07",
			"Call me in an hour and a half.":              "2026-11-25 11:37",
			"Call me in two and a half hours.":            "2026-11-25 12:37",
			"Call me back in two days.":                   "2026-11-27 10:07",
			"Call me the day after tomorrow at 8 a.m.":    "2026-11-27 08:00",
			"Call me next week.":                          "2026-12-02 10:07",
			"Call me tonight.":                            "2026-11-25 19:00",
			"Call me back after lunch.":                   "2026-11-25 13:00",
			"He will be home at six.":                     "2026-11-25 18:00",
			"Call me back later.":                         "",
			"Can you call again some other time?":         "",
		},
		person: []string{
			"Yes.", "No.", "Hello?", "Yes, hello?", "Speaking.", "This is she.", "Yes, this is Margaret.",
			"Who is this?",
			"No, wrong day.", "No, that's the wrong size.", "Yes, I reached the doctor on Monday.", "No, I haven't.",
			"I left a message with the nurse.", "No, he never called me back.", "Yes, he called me back on Monday.",
			"My phone died.", "My battery is dead.", "No, I passed the exam.", "I'm fine, thank you.",
			"Yes, I'm at home.",
			"I'm not sure.", "No, I was busy last week.", "Yes, I've been busy.", "No, I've been too busy to go.",
			"I'm busy on Monday.", "Yes, on Monday at four.", "In an hour.", "Tomorrow morning.",
			"I was driving when it happened.",
			"Yes, I talked to a nurse.", "I spoke to someone yesterday.", "I got it last week.", "I don't know.",
			"Yes, I live here.", "No, I don't live alone.", "My mother drove me there.", "My mom helped me.",
			"I have seven.", "I'm feeling better.", "I'm good.", "No, not yet.", "Maybe later.", "Not today, thanks.",
			"I would call it a three.", "Yes, I pressed the button.", "It's on the second floor.",
			"No, the line was busy.",
			"Yes, the doctor was available.", "No, it was not available at the pharmacy.", "I had a full breakfast.",
			"Yes, my name is Margaret.", "The reason is my back.", "Yes, my husband is here.",
			"I have a meeting on Friday.",
			"No, my appointment is tomorrow.", "Yes, I'll be there.", "I'll be there on Monday.", "He's my son.",
			"I called the office twice.", "No, I haven't called yet.", "Yes, somebody came by.", "No one came.",
			"Nobody told me.", "I don't need anything.", "Can you repeat that?", "Yes, but I have a question.",
			"No, I'm not in pain.", "It hurts when I'm walking.", "I'm seventy years old.", "I'm 65 years old.",
			"Yes, with my wife.", "I'd prefer the morning.", "Yes, in the evening.", "About two hours.",
			"For about a week.",
			"The tone of the letter was rude.", "The package was left at the door.", "It was the wrong medicine.",
			"I agree.", "Yes, please.", "No, thank you.", "Not really.", "I think so.", "Could be better.",
			"No, I'm in a meeting, but go ahead if it's quick.", "Yes, I have a few minutes.",
			"But please be quick, I have to leave soon.", "Are you a robot?", "What is this about?",
			"Say that again.",
			"I can hear you.", "I can't hear you.", "Go ahead.", "Okay.",
		},
	}.checkWho(t, "en-US")
	if said < 230 {
		t.Errorf("%d utterances", said)
	}
}

// What answers the open question is an answer, whatever else it might mean.
func TestAnswersComeBeforeIntents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q           Question
		heard, want string
	}{
		{Question{Ask: "Would Monday or Friday suit you?", Expect: Choice, Options: []string{"Monday", "Friday"}},
			"I'm busy on Monday.", "Monday"},
		{Question{Ask: "Are you at home or at work?", Expect: Choice, Options: []string{"At home", "At work"}},
			"I'm at work.", "At work"},
		{Question{Ask: "Shall a nurse call you back?", Expect: YesNo}, "Yes, call me back tomorrow.", "true"},
		{Question{Ask: "Would you like to talk to a person from our team?", Expect: YesNo},
			"Yes, I'd like to talk to a person.", "true"},
		{Question{Ask: "Would you like to leave a message for the doctor?", Expect: YesNo},
			"Yes, leave a message that I'm fine.", "true"},
		{Question{Ask: "Is there anything the nurse should know?", Expect: Text},
			"Please ask her to call me back tomorrow.", "Please ask her to call me back tomorrow."},
		{Question{Ask: "Is there anything the nurse should know?", Expect: Text},
			"It hurts when I'm driving.", "It hurts when I'm driving."},
		{Question{Ask: "How old are you?", Expect: Number}, "I'm seven years old.", "7"},
		{Question{Ask: "Is this a good time to talk?", Expect: YesNo}, "No, it's not a good time.", "busy"},
		{Question{Ask: "Is this a good time to talk?", Expect: YesNo}, "No, I'm driving, call me in an hour.",
			"call_back"},
		{Question{Ask: "Am I speaking with Anna?", Expect: YesNo}, "No, wrong number.", "wrong_person"},
		{Question{Ask: "Is this the right number for Anna?", Expect: YesNo}, "No, you have the wrong number.",
			"wrong_person"},
		{Question{Ask: "What brings you to us?", Expect: Text}, "I want to speak to a human.", "wants_human"},
		{Question{Ask: "How is the pain, from 0 to 10?", Expect: Number}, "Call me back at four.", "call_back"},
	} {
		if got := meaningOfAnswer(c.q, c.heard); got != c.want {
			t.Errorf("%s %q is %s, want %s", c.q.Ask, c.heard, got, c.want)
		}
	}
}

func meaningOfAnswer(q Question, heard string) string {
	state, _ := Start(Script{Language: "en", Greeting: "@", Questions: []Question{q}}, nil, false)
	state, _ = Step(state, Prompt{Text: heard, At: wednesday})
	switch {
	case state.Intent != "":
		return string(state.Intent)
	case len(state.Answers) > 0:
		return fmt.Sprint(state.Answers[0].Value)
	}
	return string(state.Phase)
}
