package sandbox

import (
	"regexp"
	"strings"

	"github.com/dialwright/dialwright/internal/simulation"
)

var firstNames = []string{
	"Anna", "Ben", "Carla", "Daniel", "Elena", "Frank", "Grace", "Hugo", "Irene", "Jonas", "Karin", "Liam",
	"Maria", "Nadia", "Oscar", "Paula", "Rafael", "Sofia", "Tom", "Vera", "Walter", "Yasmin",
}

var lastNames = []string{
	"Almeida", "Becker", "Costa", "Dubois", "Evans", "Fischer", "Garcia", "Hansen", "Ito", "Jensen", "Keller",
	"Lopez", "Meyer", "Novak", "Okafor", "Petrov", "Rossi", "Silva", "Turner", "Walsh",
}

var greetings = []string{
	"Hi, you've reached %s. I can't come to the phone right now, so please leave a message after the tone.",
	"Hello, this is the voicemail of %s. Please leave your name and number after the beep and I'll call you back.",
	"Hey, it's %s. I'm either driving or asleep. Leave a message after the tone and I'll get back to you.",
}

// lines are what whoever answers in place of a willing recipient says, in one language. Of
// several wordings, the number decides. A wording in parts has pauses between them.
type lines struct {
	greetings [][]string // of a voicemail, in parts
	brief     [][]string // the same, without a request for a message
	full      [][]string // of a voicemail that takes no message
	unset     [][]string // of a voicemail that was not set up
	screeners [][]string // who is calling?
	stay      string     // a screener is about to put the call through
	menus     [][]string
	hold      []string // asks to wait
	second    []string // says who comes to the phone then

	wrong, deceased, later, busy, child, human []string
}

var english = lines{
	greetings: [][]string{
		{"Hi, you've reached {first}.", "I can't come to the phone right now.",
			"Please leave a message after the tone."},
		{"Hello, this is {first}.", "Sorry I missed you.", "Leave your name and number and I'll get back to you."},
		{"You have reached the voicemail of {first}.", "At the tone, please record your message."},
		{"Your call has been forwarded to an automatic voice message system.", "{first} is not available.",
			"At the tone, please record your message. When you have finished recording, you may hang up."},
		{"Hey, it's {first}.", "I'm either driving or asleep.", "Leave a message after the beep."},
		{"The person you're trying to reach is not available.", "Please leave your message after the tone."},
	},
	brief: [][]string{
		{"Hi, you've reached {first}.", "I can't come to the phone right now.", "Talk to you soon."},
		{"Hi, this is {first}.", "No, I'm not here right now.", "You know what to do."},
		{"Hey, it's {first}.", "I can't come to the phone.", "I'm away from my desk."},
		{"You've reached {first}.", "No one is available to take your call."},
	},
	full: [][]string{
		{"Hi, you've reached {first}.", "The mailbox is full and cannot accept any messages at this time.", "Goodbye."},
		{"The person you have called is not answering.", "The voice mailbox is full."},
	},
	unset: [][]string{
		{"The person you are calling", "has a voice mailbox that has not been set up yet.", "Goodbye."},
		{"We're sorry.", "This customer has not set up their voicemail."},
	},
	screeners: [][]string{
		{"Hi, if you record your name and reason for calling, I'll see if this person is available."},
		{"Hi, the person you're calling is using a screening service from Google, and will get a copy of this " +
			"conversation.", "Go ahead and say your name, and why you're calling."},
		{"Hi, you've reached {first}'s Truecaller assistant.", "Please state your name and the reason for your call."},
	},
	stay: "Thanks. Please stay on the line.",
	menus: [][]string{
		{"For sales, press 1.", "For support, press 2.", "To repeat this menu, press star."},
		{"Please listen carefully, as our menu options have changed.", "If you know your party's extension, you may " +
			"dial it at any time.", "For all other questions, press zero."},
	},
	hold:     []string{"Hold on, let me get her.", "One moment, I'll get him.", "Hang on a second, I'll put her on."},
	second:   []string{"Hello, this is {first}.", "Hello?", "Yes, hello?"},
	wrong:    []string{"Sorry, you have the wrong number.", "There's nobody here by that name.", "No, wrong number."},
	deceased: []string{"I'm sorry, she passed away last month.", "He died last year.", "My husband passed away."},
	later:    []string{"I'm driving, call me back in an hour.", "I'm driving right now. Can you call me in an hour?"},
	busy:     []string{"Sorry, this is not a good time.", "I'm in a meeting.", "No, I can't talk right now."},
	child:    []string{"My mom is not home.", "Mommy is in the shower.", "I'm only seven."},
	human:    []string{"Can I talk to a real person?", "I want to speak to a human.", "Representative."},
}

// of is what a machine recites, in parts.
func (l lines) of(p persona, h habit) []string {
	wordings := map[habit][][]string{
		leavesGreeting: l.greetings, greetsInParts: l.greetings, greetsBriefly: l.brief, boxFull: l.full,
		boxUnset: l.unset, screens: l.screeners, refuses: l.screeners, listsMenu: l.menus,
	}[h]
	parts := make([]string, 0, 3)
	for _, part := range pick(simulation.Draw(p.number, "wording"), wordings) {
		parts = append(parts, strings.ReplaceAll(part, "{first}", p.first))
	}
	return parts
}

// refusals are what a person says who doesn't answer questions.
func (l lines) refusals(h habit) []string {
	return map[habit][]string{
		isSomebody: l.wrong, mourns: l.deceased, wantsLater: l.later, hasNoTime: l.busy, isChild: l.child,
		wantsHuman: l.human, wantsHumanBriefly: l.human, wantsHumanShortly: l.human, wantsHumanAndNine: l.human,
		wantsHumanAndStop: l.human,
	}[h]
}

var farewells = []string{"Thanks, bye.", "Thank you, goodbye.", "You too, bye.", "Okay, bye bye."}

var hesitations = []string{"Um, ", "Uh, ", "Well, ", "Oh, "}

var thinking = []string{"Um, ", "Hmm, let me think. ", "Well, ", "Oh, good question. ", "Let me see. "}

var praises = []string{
	"The people were really friendly.", "It has been pretty good so far.", "It was quicker than I expected.",
	"There is always a little room for more, of course.",
}

var complaints = []string{
	"I had to wait quite a while.", "It was a bit of a mess that day.", "I had expected a little more.",
}

var opinions = []string{
	"Overall I'm quite happy with it.",
	"It went smoothly, everyone was very helpful.",
	"It does what I need, to be honest.",
	"I'd have to think about it, but so far it's been fine.",
	"Mostly good things, really.",
}

// topics are the questions that have an answer by subject, the more specific subjects first.
var topics = []struct {
	when *regexp.Regexp
	say  []string
}{
	{regexp.MustCompile(`\bhow are you\b|\bhow('s| is) (your day|it going)\b`), []string{
		"I'm fine, thank you.", "Good, thanks. And you?", "Pretty good, thanks.",
		"A little tired, but fine, thank you."}},
	{regexp.MustCompile(`\b(your|the) (full |first |last )?name\b|\bwho am i (speaking|talking)\b`), []string{
		"It's {first} {last}.", "My name is {first} {last}.", "{first} {last}."}},
	{regexp.MustCompile(`\b(e-?mail\b.*\b(address|what|which)|your e-?mail)\b|\b(what|which)\b.*\be-?mail\b`),
		[]string{"It's {email}.", "Sure, that's {email}."}},
	{phoneAsked, []string{"It's {phone}.", "Sure, my number is {phone}.", "You can call {phone}."}},
	{regexp.MustCompile(`\b(zip|postal|post) ?code\b`), []string{"It's 02139.", "94110.", "It's 60614."}},
	{regexp.MustCompile(`\bdate of birth\b|\bbirthday\b|\bwhen were you born\b`), []string{
		"The 4th of March, 1981.", "July 19th, 1974.", "The 23rd of November, 1990."}},
	{regexp.MustCompile(`\b(what|which) day and (what |which )?time\b|\bday and time\b`), []string{
		"Thursday at 3 in the afternoon.", "Tuesday morning, around 10.", "Friday at 2 would be perfect."}},
	{regexp.MustCompile(`\b(what|which|best) (time|hour)\b|\bwhat time\b`), []string{
		"Around 3 in the afternoon.", "10 in the morning would be good.", "After 5, when I'm back from work."}},
	{regexp.MustCompile(`\b(what|which|best) (day|days|date|week)\b|\bwhen (would|could|can|will|should|do|are)\b`),
		[]string{
			"Thursday works best for me.", "Next Tuesday would be good.", "Any day after Wednesday.",
			"Friday, if that's possible."}},
	{regexp.MustCompile(
		`\b(anything|something) else\b|\bany (other|further|more) (questions|comments|thoughts|feedback)\b`,
	), []string{
		"No, that's everything, thank you.", "No, I think that's all.", "No, thank you, that was all."}},
	{regexp.MustCompile(`\b(improve|better|differently|change|missing|wish)\b.*\?$|\bcould we (do|have done)\b`),
		[]string{
			"Maybe a shorter wait at the start.", "It would help to get a message the day before.",
			"The website could be easier to use.", "Longer opening hours would be nice."}},
	{regexp.MustCompile(`\b(why|reason|what made you)\b`), []string{
		"Mostly because of the price, to be honest.", "It was the closest one to my home.",
		"A friend of mine recommended it.", "It saves me a lot of time."}},
	{regexp.MustCompile(`\b(most|best|favou?rite|enjoy(ed)?)\b.*\?$`), []string{
		"The people, definitely. They were so kind.", "That it was quick and easy.",
		"How well everything was explained."}},
	{regexp.MustCompile(
		`\b(problem|issue|trouble|wrong|concern)s?\b.*\b(what|which|describe|tell)\b|\b(what|which|describe|tell)\b.*\b(problem|issue|trouble|wrong|concern)s?\b`,
	), []string{
		"It's nothing big, it just takes a moment to load.", "The delivery came a day late, that was all.",
		"I had to wait quite a while on the phone."}},
	{regexp.MustCompile(`\bbudget\b|\bhow much\b|\bwhat (price|amount)\b`), []string{
		"Around 200 dollars a month.", "About 50, I'd say.", "Up to 500 would be fine."}},
	{regexp.MustCompile(`\bwhere\b|\b(which|what)\b.*\b(city|town|location|branch(es)?|office|stores?|clinics?)\b`),
		[]string{
			"The one downtown.", "In Springfield, near the station.", "The branch on Main Street."}},
	{regexp.MustCompile(`\bhow (was|were|did|would you describe|do you feel|is|has)\b|\bwhat (did|do) you think\b`),
		[]string{
			"It went really well, everyone was friendly.", "Good, everything was on time.",
			"It was fine, a little rushed at the end.", "Very pleasant, thank you."}},
	{
		regexp.MustCompile(`\bhow long\b|\bsince when\b`),
		[]string{"About two years now.", "Since last spring.", "Just a few weeks."},
	},
	{regexp.MustCompile(`\bwho (handles|makes|decides|is|takes care)\b|\bright person\b.*\bwho\b`), []string{
		"That would be me.", "My colleague and I do that together.", "Usually I decide that."}},
}

// decisions are the questions with the answer yes or no. yes is how many of a hundred people agree.
var decisions = []struct {
	when           *regexp.Regexp
	yes            int
	agree, decline []string
	more           []string // a sentence that a talkative person adds to a yes
}{
	{regexp.MustCompile(
		`\b(good|convenient|bad) (time|moment)\b|\ba (minute|moment|second|few minutes|couple of minutes)\b|\bhave ` +
			`time\b`,
	), 96,
		[]string{"Yes, sure, go ahead.", "Yes, I have a few minutes.", "Yes, that's fine."},
		[]string{"No, I'm in a meeting, but go ahead if it's quick."},
		[]string{"I was just making coffee anyway.", "But please be quick, I have to leave soon."}},
	{regexp.MustCompile(`\b(nurse|doctor|team|we) (should|ought to) know\b`), 45,
		[]string{"Yes, I use a walker now.", "Yes, I have a new medication.", "Yes, my left leg is a little swollen."},
		[]string{"No, nothing new.", "No, nothing at all.", "No, all good so far."}, nil},
	{regexp.MustCompile(`\binterpreter\b`), 15,
		[]string{"Yes, for Spanish, please.", "Yes, please, it is for my wife."},
		[]string{"No, thank you.", "No, English is fine.", "No, I don't need one."}, nil},
	{regexp.MustCompile(`\bany (questions|problems?|issues?|trouble|concerns?|pain|side effects)\b|\banything\b`), 12,
		[]string{"Yes, one small thing, the invoice came twice."},
		[]string{"No, nothing at all.", "No, everything is fine.", "No, all good so far."}, nil},
	{regexp.MustCompile(`\b(confirm|be there|make it|attend|come|keep|still (good|okay|ok|works?|coming|planning))\b`),
		84,
		[]string{"Yes, I'll be there.", "Yes, that works.", "Yes, I can confirm that."},
		[]string{"No, I'm afraid I can't make it.", "No, something came up at work, sorry."},
		[]string{"I've already put it in my calendar.", "Is there parking nearby?"}},
	{regexp.MustCompile(`\b(re-?schedule|another (day|time|date)|different (day|time)|call you back)\b`), 70,
		[]string{"Yes, please, that would be great.", "Yes, next week would be better."},
		[]string{"No, let's leave it as it is."},
		[]string{"This week is really busy for me."}},
	{regexp.MustCompile(`\brecommend\b`), 82,
		[]string{"Yes, definitely.", "Yes, I already have.", "Yes, absolutely."},
		[]string{"No, I don't think so.", "No, probably not."},
		[]string{"My sister goes there now, too.", "Everybody was so kind."}},
	{regexp.MustCompile(`\b(satisfied|happy|pleased|enjoy|like (it|the|our|your)|solved?|resolved?|helpful)\b`), 80,
		[]string{"Yes, very much.", "Yes, I'm very happy with it.", "Yes, it was all I hoped for."},
		[]string{"No, not really, to be honest.", "No, I had expected a bit more."},
		[]string{"It was easier than I had thought.", "You can tell your colleagues."}},
	{regexp.MustCompile(`\b(receive|arrived?|delivered|get (the|your|our)|got (the|your|our))\b`), 85,
		[]string{"Yes, it came on Monday.", "Yes, I got it, thank you.", "Yes, it arrived safely."},
		[]string{"No, I haven't seen it yet.", "No, nothing has come so far."},
		[]string{"It took a few days, but that was fine."}},
	{regexp.MustCompile(`\b(interested|want|would you like|like to|shall (i|we)|should (i|we)|may i|can i|could i)\b`),
		68,
		[]string{"Yes, please.", "Yes, that sounds good.", "Yes, I'd like that."},
		[]string{"No, thank you, that won't be necessary.", "No, thanks, maybe another time."},
		[]string{"Could you send me something about it, too?"}},
	{regexp.MustCompile(`^[^?]*\b(are|is) (you|this|that|it)\b`), 78,
		[]string{"Yes, that's right.", "Yes, exactly.", "Yes, it is."},
		[]string{"No, I'm afraid not.", "No, that's not quite it."}, nil},
	{regexp.MustCompile(`\b(do|did|have|had|has|can|could|will|would) (you|your)\b`), 74,
		[]string{"Yes, I think so.", "Yes, certainly.", "Yes, quite often."},
		[]string{"No, I'm afraid not.", "No, not yet."}, nil},
	{regexp.MustCompile(``), 76,
		[]string{"Yes, that's right.", "Yes, I think so.", "Yes, sure."},
		[]string{"No, I don't think so.", "No, not that I know of."}, nil},
}
