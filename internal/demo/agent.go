package demo

import (
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
)

// agent is an agent of the demo and what people answer it: the calls of the
// past are held by the agent's real conversation, these are the other side.
type agent struct {
	project.AgentSettings
	replies map[string][]string // by the key of the question; several times what is said often
	unclear map[string][]string // what is said now and then, and understood only when it is said again
}

func bound(n float64) *float64 { return &n }

// nora asks people how they are after a stay in hospital.
var nora = agent{
	AgentSettings: project.AgentSettings{
		Name: "Nora",
		Script: conversation.Script{
			Language:   "en-US",
			Greeting:   "Hello {{first_name|there}}, this is Nora, an automated voice calling for Meridian Home Health. I would like to hear how you are after your stay in hospital.",
			Disclosure: "This call is written down for your care team. Press 9 or say stop at any time, and we will not call you again.",
			Questions: []conversation.Question{
				{Key: "seen_doctor", Ask: "Have you seen your own doctor since you came home?", Expect: conversation.YesNo},
				{Key: "pain", Ask: "On a scale from 0 to 10, how much pain do you have today, if 0 is none at all?", Expect: conversation.Number, Min: bound(0), Max: bound(10)},
				{Key: "medication", Ask: "And your new medication: do you take it daily, sometimes or rarely?", Expect: conversation.Choice, Options: []string{"Daily", "Sometimes", "Rarely"}},
				{Key: "nurse_to_call", Ask: "Would you like a nurse to call you back?", Expect: conversation.YesNo},
				{Key: "note", Ask: "Is there anything else the nurse should know?", Expect: conversation.Text},
			},
			NotUnderstood:    "I am sorry, I did not get that.",
			Goodbye:          "Thank you, {{first_name}}. If you feel faint or have pain in your chest, please call 911 right away. Take care, and goodbye.",
			VoicemailMessage: "Hello {{first_name|there}}, this is Nora calling for Meridian Home Health. I would like to hear how you are after your stay in hospital. You can reach us at 312, 555, 0100, every day from eight to eight. Thank you, and take care.",
		},
	},
	replies: map[string][]string{
		"seen_doctor": {
			"Yes, I saw Dr. Amin on Tuesday.", "Yes, the day before yesterday.", "Yes, he was pleased with how it is healing.",
			"Yes, she came by the house, actually.", "Yes, last week.", "Yeah, I was there on Monday.", "Yes, my son drove me there.",
			"No, not yet. My appointment is on Friday.", "No, I still have to call her office.", "Not yet, I was too tired to go.",
		},
		"pain": {
			"Oh, a two, I would say.", "Two.", "Three, I think.", "Three. It was worse last week.", "One. It is hardly anything.", "Zero, I am happy to say.",
			"Zero today.", "Four when I climb the stairs.", "A four, maybe.", "Five, mostly at night.", "Six, I am afraid. The knee hurts when I stand up.", "A one.",
		},
		"medication": {
			"Daily, with my breakfast.", "Daily.", "Daily, my husband makes sure of it.", "Daily, I have one of those boxes.", "I take it daily.",
			"Sometimes. I forget it on weekends.", "Sometimes, to be honest.", "Rarely. It makes me dizzy.",
		},
		"nurse_to_call": {
			"Yes, please. Any time after three.", "Yes, that would be kind.", "Yes, please.", "No, thank you, I am doing fine.", "No, thank you.",
			"No, that won't be necessary.", "No, I am all right.", "No thanks, my daughter is here with me.",
		},
		"note": {
			"The new blood pressure pills make me dizzy in the morning.", "My knee is stiff in the morning, but I walk to the corner and back.",
			"The walker you sent is a little too high for me.", "I would like to know when the bandage comes off.", "I sleep much better now, thank you.",
			"No, that is all. Thank you for calling.", "Nothing else, thank you.", "No, everything is fine.", "Just that I am glad to be home.",
			"My appetite is not back yet.", "The nurse on Wednesday was wonderful, please tell her.",
		},
	},
	unclear: map[string][]string{
		"seen_doctor": {"You mean the one at the hospital?", "Well, it depends on what you mean."},
		"pain":        {"Oh, it comes and goes.", "It depends on the weather, really."},
		"medication":  {"Every single day, like the doctor told me.", "When I think of it."},
	},
}

// recorded is an agent whose calls are recorded from now on, and who says so: those
// of the past have no sound.
func recorded(a project.AgentSettings) project.AgentSettings {
	a.RecordCalls = true
	a.Script.Disclosure = "This call is recorded. " + a.Script.Disclosure
	return a
}

// theo confirms visits.
var theo = agent{
	AgentSettings: project.AgentSettings{
		Name: "Theo",
		Script: conversation.Script{
			Language:   "en-US",
			Greeting:   "Hi {{first_name|there}}, this is Theo, the automated assistant of Meridian Home Health, about the visit of our nurse.",
			Disclosure: "You can press 9 or say stop at any time, and we will not call you again.",
			Questions: []conversation.Question{
				{Key: "visit_works", Ask: "She plans to see you on {{visit_day|Thursday}} at {{visit_time|10 in the morning}}. Does that still work for you?", Expect: conversation.YesNo},
				{Key: "best_time", Ask: "For the visits after that, which do you like best: the morning, the afternoon or the evening?", Expect: conversation.Choice, Options: []string{"Morning", "Afternoon", "Evening"}},
				{Key: "how_to_get_in", Ask: "And please tell me how she gets in, for example a bell or a door code.", Expect: conversation.Text},
			},
			NotUnderstood:    "Sorry, I did not quite get that.",
			Goodbye:          "Perfect, thank you. If anything changes, call us at 312, 555, 0100. Have a good day, and goodbye.",
			VoicemailMessage: "Hi {{first_name|there}}, this is Theo from Meridian Home Health. Our nurse plans to see you on {{visit_day|Thursday}} at {{visit_time|10 in the morning}}. If that does not suit you, please call us at 312, 555, 0100. Thank you.",
		},
	},
	replies: map[string][]string{
		"visit_works": {
			"Yes, that works.", "Yes, I will be home.", "Yes, of course.", "Sure, see you then.", "Yes, that is fine with me.", "Yes. My sister will be here too.",
			"No, I have to be at the hospital then.", "No, I am sorry, I am away that day.",
		},
		"best_time": {
			"Mornings are best.", "In the morning, please.", "The afternoon, if you can.", "Afternoon.", "The evening, after my therapy.", "Morning. I am up at six anyway.",
		},
		"how_to_get_in": {
			"Just ring the bell, I will open.", "The door code is 4 7 1 2.", "My neighbor in number 12 has a key.", "There is a bell at the side door, the front steps are being repaired.",
			"Second floor, the bell on the left.", "She should knock, the bell is broken.",
		},
	},
	unclear: map[string][]string{"best_time": {"Whatever is easier for her.", "It depends on the day."}},
}

// june asks how people like the service. She is made last, so that she is the
// first of the list: the agent that newcomers try.
var june = agent{
	AgentSettings: project.AgentSettings{
		Name: "June",
		Script: conversation.Script{
			Language:   "en-US",
			Greeting:   "Hello {{first_name|there}}, this is June, an automated voice calling for Meridian Home Health. I have four short questions about your care.",
			Disclosure: "Press 9 or say stop at any time, and we will not call you again.",
			Questions: []conversation.Question{
				{Key: "recommend", Ask: "On a scale from 0 to 10, how likely are you to recommend us to a friend?", Expect: conversation.Number, Min: bound(0), Max: bound(10)},
				{Key: "enough_time", Ask: "Were you happy with the time your nurse had for you?", Expect: conversation.YesNo},
				{Key: "reminders", Ask: "Which do you prefer for reminders: a call, a text or a letter?", Expect: conversation.Choice, Options: []string{"Call", "Text", "Letter"}},
				{Key: "one_wish", Ask: "And what is the one thing we could do better?", Expect: conversation.Text},
			},
			Goodbye:          "Thank you very much, that helps us. Have a good day, and goodbye.",
			VoicemailMessage: "Hello {{first_name|there}}, this is June calling for Meridian Home Health with a few questions about your care. I will try again another time. Goodbye.",
		},
	},
	replies: map[string][]string{
		"recommend":   {"Nine.", "I would give it a ten.", "Eight, I think.", "Ten.", "Seven. It is hard to get through by phone.", "A four, I am afraid."},
		"enough_time": {"Yes, she never rushed me.", "Yes, very much.", "Yes, always.", "Not really, he was in a hurry.", "No, not the last time."},
		"reminders":   {"A text, please.", "A call, please.", "Text is fine.", "A letter would be best."},
		"one_wish": {
			"It would be good to keep the same nurse.", "Nothing, I am happy with everything.", "Tell me the name of the nurse beforehand.", "Answer the phone a little faster.",
		},
	},
}

// iris works for the demo's other organization.
var iris = agent{
	AgentSettings: project.AgentSettings{
		Name: "Iris",
		Script: conversation.Script{
			Language:   "en-US",
			Greeting:   "Hello {{first_name|there}}, this is Iris, the automated assistant of Harbor Street Dental. It is time for your check-up.",
			Disclosure: "Press 9 or say stop at any time, and we will not call you again.",
			Questions: []conversation.Question{
				{Key: "book", Ask: "Would you like us to book one for you this month?", Expect: conversation.YesNo},
				{Key: "day", Ask: "Which day do you prefer: Monday, Wednesday or Friday?", Expect: conversation.Choice, Options: []string{"Monday", "Wednesday", "Friday"}},
			},
			Goodbye:          "Thank you. You will get a letter with the time. Goodbye.",
			VoicemailMessage: "Hello {{first_name|there}}, this is Iris from Harbor Street Dental. It is time for your check-up. Please call us at 617, 555, 0130. Goodbye.",
		},
	},
	replies: map[string][]string{
		"book": {"Yes, please.", "Yes, that would be great.", "No, I had one in the summer."},
		"day":  {"Monday, please.", "Wednesday is fine.", "Friday, if you have something early."},
	},
}

// The names of the people in the demo. All of them, and their numbers (555 01xx
// is kept free for fiction), are made up.
var firstNames = []string{
	"Margaret", "Harold", "Denise", "Walter", "Aisha", "Robert", "Lucia", "Eleanor", "James", "Priya", "Dorothy", "Samuel", "Ingeborg", "Marcus",
	"Yolanda", "Stanley", "Grace", "Victor", "Mei", "Arthur", "Beatriz", "Clarence", "Fatima", "George", "Helen", "Ivan", "Josephine", "Kenji", "Loretta", "Nathan",
}

var lastNames = []string{
	"Oyelaran", "Kowalski", "Brandt", "Washington", "Rahman", "Delgado", "Novak", "Fitzgerald", "Okafor", "Lindqvist", "Moreau", "Patel", "Rossi",
	"Schroeder", "Tanaka", "Underwood", "Vargas", "Whitfield", "Yamamoto", "Zielinski", "Abbott", "Castellanos", "Dufour", "Eriksen", "Goldberg", "Huang", "Ibrahim", "Jankowski", "Keller",
}
