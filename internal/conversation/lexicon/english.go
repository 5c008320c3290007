package lexicon

import "time"

// English is the lexicon of English.
func English() Language {
	const (
		call    = `(?:call|phone|ring|contact|bother|telephone|dial|disturb|harass|pester)`
		calling = `(?:calling|phoning|ringing|contacting|bothering|telephoning|dialing|dialling|disturbing|` +
			`harassing|pestering)`
		never = `(?:do not|don ?t|never|not to|no longer)`
		here  = `(?: (?:me|us|here|back|at all|this (?:number|phone|line|house)|my ` +
			`(?:number|phone|house|home|cell|mobile|office)|at this number|on this number|at home))*`
		ever = `(?:$| (?:again|any ?more|any longer|ever|please|at all|in the future|no more|thanks|thank you|` +
			`like ` +
			`this|about this|for this|or|and|because|from now on)\b)`
		calls = `(?:phone |marketing |sales |robo |cold |automated )?(?:calls|robocalls)`
		// for who answered
		your  = `(?:a|an|your|me your|me a|us your|us a|his|her|their|the) (?:[a-z]+ ){0,2}`
		digit = `(?:[0-9]|one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash|the (?:star|` +
			`pound|hash) key)`
		they = `(?:he|she|they|it)`
		am   = `(?:i'm|i am|we're|we are)(?: (?:just|currently|actually|right now|kind of|kinda|still|` +
			`literally|about to be|out))?`
		someone = `(?:a|an|some|your|the|an actual|a real|a live|a human|an agent|` +
			`a customer service) ?(?:real |live |actual |human |customer service |service |other )?` +
			`(?:human|human being|person|people|agent|representative|rep|operator|employee|member of staff|` +
			`staff member|supervisor|manager)|(?:someone|somebody) (?:real|human|else|in person|alive)|` +
			`an? (?:actual |real |live )?human(?: being)?|humans|real people`
		again = `(?:back|again|later|later on|tomorrow|tonight|another (?:time|day)|some other (?:time|day)|` +
			`some ?time else|next (?:week|month|time)|` +
			`in (?:an?|one|two|three|four|five|six|ten|fifteen|twenty|thirty|forty|sixty|[0-9]+|half|about|` +
			`around|the (?:morning|afternoon|evening))|` +
			`at (?:[0-9:]+|noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|` +
			`lunch|lunchtime)|(?:around|about) (?:[0-9:]+|noon|one|two|three|four|five|six|seven|eight|nine|` +
			`ten|eleven|twelve)|` +
			`(?:on |next )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|after (?:[0-9:]+|one|` +
			`two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|lunch|work|dinner)|` +
			`this (?:morning|afternoon|evening)|when (?:i'm|i am|i get)|the day after tomorrow)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "This is an automated call. Press 9 or say stop at any time, and we will not call you " +
				"again.",
			NotUnderstood: "Sorry, I did not catch that.",
			Goodbye:       "Thank you for your time. Goodbye.",
			StillThere:    "Are you still there?",
			NoAnswer:      "I can't hear you, so I will hang up now. Goodbye.",
			OptedOut:      "I understand. We will not call this number again. Goodbye.",
			Back:          "Sorry, the line dropped for a moment.",
			MoveOn:        "That's all right, let's move on.",
			Moment:        "One moment, please.",
			Trouble:       "Sorry, we have a technical problem, so I have to hang up now. Goodbye.",
			Acks:          []string{"Thank you.", "All right."},
			Screening:     "This is an automated call from {{organization}} for {{name|the owner of this number}}.",
			ScreeningAbout: "This is an automated call from {{organization}} for {{name|the owner of this number}} " +
				"about {{reason}}.",
			Automated: "I am an automated voice, not a person. This is an automated call from " +
				"{{organization}}.",
			Declined:    "I'm sorry, I can't talk about that.",
			Voicemail:   "This is {{agent}} from {{organization}}. We will try again another time. Goodbye.",
			WrongPerson: "Sorry to have bothered you. Goodbye.",
			Deceased:    "I am very sorry to hear that. Please excuse the call. Goodbye.",
			Minor:       "Thank you. I will hang up now. Goodbye.",
			Busy:        "I understand. Sorry for the interruption. Goodbye.",
			CallBack:    "I understand, and I have noted that. Goodbye.",
			WantsHuman: "I am an automated voice and can't put you through. I have noted that you want to talk to " +
				"a person. Goodbye.",
		},
		Filler: []string{"um", "umm", "uh", "uhm", "er", "erm", "ah", "oh", "hm", "hmm", "mm", "well", "so", "like",
			"you know", "please",
			"let me see", "let me think", "let's see", "i guess", "i think", "i suppose", "i would say", "i'd say",
			"probably", "actually",
			"ma'am", "sir", "dear", "thanks", "thank you", "sorry", "hey", "listen", "look", "and", "but"},
		Hello: []string{
			"hello", "hi", "hey there", "hello there", "hi there", "good morning", "good afternoon", "good evening",
			"hello hello",
		},
		Bye: []string{
			"bye", "good bye", "goodbye", "bye bye", "i have to go", "i've got to go", "i gotta go", "i need to go",
			"have a nice day", "have a good day",
		},
		Who: []string{
			"who is this", "who's this", "who is this again", "who is calling", "who's calling", "who are you",
			"who is speaking", "who am i speaking to", "who am i talking to", "what is this", "what is this about",
			"what's this about", "where are you calling from",
		},
		Repeat: []string{"what", "pardon", "pardon me", "excuse me", "sorry", "come again", "say again", "again",
			"repeat", "repeat that", "repeat the question",
			"say that again", "can you say that again", "could you say that again", "can you repeat",
			"could you repeat", "can you repeat that", "could you repeat that",
			"what did you say", "what was that", "what was the question", "what do you mean", "i didn't hear you",
			"i didn't hear that", "i can't hear you",
			"i didn't catch that", "i did not catch that", "i didn't understand", "i don't understand",
			"one more time",
			"huh",
			"i can't hear", "i can't hear anything", "i can't hear you very well", "i can hardly hear you",
		},
		Skip: []string{"i don't know", "don't know", "dunno", "no idea", "i have no idea", "no clue", "not sure",
			"i'm not sure", "i can't say", "hard to say", "skip",
			"next question", "next one", "pass", "i'd rather not", "rather not say", "i'd rather not say",
			"prefer not to say", "none of your business", "no comment", "i can't remember", "i don't remember",
			"neither", "none of them", "none of those"},

		Record: []string{
			`leave (?:me |us |him |her |them )?` + your + `(?:message|name|number|details|voicemail|` +
				`voice mail|callback number)`,
			`leave (?:me |us )?your name`, `leave (?:it|one|a message) (?:after|at)`,
			`(?:after|at|following|hear|wait for) the (?:[a-z]+ )?(?:tone|beep|signal)`,
			`at the sound of the (?:tone|beep)`,
			`record your (?:message|voice message)`, `you may hang up`,
			`when you(?:'ve| have| are|'re) (?:finished|done) recording`,
			`(?:not available|unavailable|unable|not able|can ?not|can't) to (?:take|answer|receive) (?:your|` +
				`the|this|my) (?:call|phone)`,
			`can(?:'t|not) (?:take|answer|receive) (?:your|the|this|my) (?:call|phone)(?: right now|` +
				` at the moment)?`,
			`(?:is|are) (?:not available|unavailable|not answering|on another call|` +
				`currently unavailable)(?: right now| at the moment)? (?:please )?(?:to|at the tone|leave)`,
			`(?:forwarded|forward|transferred|diverted|redirected) to (?:an? |the )?(?:automated |` +
				`automatic )?(?:voice ?mail|voice mail|voice message|voice messaging|answering|` +
				`mailbox)(?: [a-z]+)*`,
			`(?:voice ?mail|voice mail|voice message|voice messaging|mail ?box|mail box|answering (?:machine|` +
				`service)) (?:of|for|system|service|box|number)`,
			`you(?:'ve| have) reached the (?:voice ?mail|voice mail|mail ?box|answering (?:machine|` +
				`service))(?: [a-z]+)*`,
			`(?:this is|it's|it is) (?:the |my )?(?:[a-z]+ ){0,2}(?:voice ?mail|answering machine)`,
			`the (?:wireless |mobile |cellular )?(?:customer|subscriber|person|party|number|user|` +
				`extension) (?:that )?(?:you|you're|you are|you have|you've) ` +
				`(?:are |have )?(?:calling|called|dialed|dialled|dialing|trying to (?:reach|call)|` +
				`trying to contact|reached|requested|is|are)` +
				`(?: (?:is|are|has|can ?not|does|did))? (?:not|unavailable|currently|temporarily|busy|` +
				`switched|turned|be|away)(?: [a-z]+)*`,
			`(?:get|getting) back to you(?: as soon as| when| shortly| soon| at my| later| asap|` +
				` at the)(?: [a-z]+)*`,
			`(?:i'll|i will|we'll|we will|and i'll|she'll|he'll|they'll) (?:get back (?:to|with) you|` +
				`return your call|call you (?:right )?back as soon)(?: [a-z]+)*`,
			`return your call`, `sorry (?:that )?(?:i|we)(?: have|'ve)? missed (?:your call|you)`,
			`missed your call`,
			`you know what to do`, `do your thing`, `sing your song`,
			`to leave a (?:call ?back|voice|numeric) (?:number|message)`,
			`to page this person`, `for delivery options`, `your message (?:will|has)`,
			`(?:please )?speak (?:now )?after`,
			`(?:please )?hang up and try`, `available to (?:take|answer) (?:your|the|this) call`,
			`to send an? (?:fax|text|sms)`,
		},
		Reached: []string{
			`you(?:'ve| have) reached`, `you've got (?:me|my)`,
			`(?:i|we) can(?:'t|not) (?:come|get|make it) to the phone`,
			`(?:i'm|i am|we're|we are) (?:not available|unavailable|not (?:here|home)|away from)`,
			`(?:i'm|i am|we're|we are) not in(?: right now| at the moment|$)`,
			`(?:i'm|i am) (?:not able|unable) to (?:come to the phone|take|talk|answer)`,
			`(?:nobody|no one|no body) is (?:available|here|home)`, `is not available`, `is unavailable`,
			`(?:at|away from) (?:my|the) (?:desk|phone)`, `i(?:'ll| will) call you back`,
			`i(?:'ll| will) get back to you`,
			`i'm (?:either )?(?:driving|asleep|in a meeting|on the other line) or`, `voice ?mail`, `mail ?box`,
			`answering machine`,
			`(?:i'm|i am) (?:probably|either)`, `try me (?:again )?later`,
		},
		Full: []string{
			`(?:mail ?box|mail box|voice ?mail|voice mail|memory|inbox)(?: of [a-z]+| box| system)? (?:is|are|` +
				`'s)(?: currently| now| already)? full`,
			`(?:can ?not|can't|not able to|unable to|does not|doesn't|not|no longer) (?:accept|accepting|take|` +
				`receive|record)(?: any)?(?: more| new| any more)? (?:messages|a message|new messages)(?: [a-z]+)*`,
			`(?:mail ?box|mail box|voice ?mail|voice mail)(?: box| system| service|` +
				` number)? (?:that )?(?:has not|hasn't|has not yet|is not|isn't|not|` +
				`has never)(?: yet)?(?: been)? ?(?:set ?up|activated|initialized|initialised|configured|` +
				`available)(?: yet)?`,
			`not (?:yet )?(?:been )?set ?up (?:their |a |his |her |the )?(?:voice ?mail|mail ?box)`,
			`(?:hasn't|has not|have not|haven't) (?:yet )?(?:set ?up|activated) (?:their |a |his |her |the |` +
				`my )?(?:voice ?mail|voice mail|mail ?box)(?: [a-z]+)*`,
			`(?:is|are) not (?:accepting|taking) (?:calls|messages)(?: [a-z]+)*`, `cannot be left`,
			`(?:invalid|no) (?:mail ?box|voice ?mail)(?: [a-z]+)*`, `there is no room for (?:new )?messages`,
		},
		Screen: []string{
			`(?:record|say|state|tell me|tell us|give|give me|provide|share|announce) (?:your|` +
				`me your) (?:first |full )?name`,
			`(?:record|say|state|tell me|give|give me|provide|share) (?:the |your |me the |me your )(?:reason|` +
				`purpose)`,
			`if you record your name`, `say who(?: you are|'s calling| is calling)?(?: ,)? and why`,
			`who(?:'s| is) calling(?: ,)? and (?:why|what|the reason)`,
			`your name(?: ,)? and (?:the |your )?(?:reason|purpose|why)`,
			`tell me (?:more about )?why you(?:'re| are) calling`,
			`what (?:is|'s) the (?:reason|purpose) (?:for|of) (?:your|the|this) call`,
			`state the nature of your call`, `(?:name|company) and (?:the )?reason for (?:your )?call(?:ing)?`,
		},
		Screener: []string{
			`(?:call )?screening (?:service|assistant|this call|calls|your call|system|from)`,
			`(?:is|are) (?:now )?(?:using|screening) (?:a |an |call |this |your |my )?(?:screen|call|calls|` +
				`screening)(?:ing)?(?: [a-z]+)*`,
			`(?:truecaller|google|digital|virtual|call|phone|ai|robo ?killer|personal) (?:call )?assistant`,
			`will get a copy of this conversation`,
			`(?:i'll|i will|we'll|we will|let me|to) (?:see|check) if (?:this person|the person|he|she|they|` +
				`the party|[a-z]+)(?: (?:is|are|'s))? available`,
			`call screening`, `(?:i'll|i will|we'll) try to connect you`,
			`stay on the line(?: ,)? (?:while|until|please|and)`, `thanks(?: ,)? (?:please )?stay on the line`,
			`google voice will try to connect you`, `is (?:a |an )?(?:google|truecaller|android|pixel|` +
				`iphone) (?:user|call)`,
		},
		Menu: []string{
			`(?:press|dial|push|say or press|press or say|enter|hit) ` + digit, `para espanol`,
			`for (?:english|spanish)`,
			`(?:listen|pay attention) (?:carefully|closely) (?:as|because|to)(?: [a-z]+)*`,
			`(?:our|the|following) (?:menu )?options (?:have|are)(?: [a-z]+)*`, `menu options`,
			`your call (?:is (?:very )?important|may be (?:monitored|recorded)|will be answered|` +
				`is being)(?: [a-z]+)*`,
			`(?:all|all of our|all our) (?:agents|representatives|operators|lines|associates|advisors|` +
				`team members)(?: [a-z]+){0,3} (?:busy|assisting|helping|serving)(?: [a-z]+)*`,
			`next available (?:agent|representative|operator|associate|advisor|team member)`,
			`in the order (?:it was|they were|in which)(?: [a-z]+)*`,
			`(?:dial|spell)(?: |-)?by(?: |-)?name`, `company directory`,
			`if you know your party(?:'s|s) extension`, `enter (?:your|the) (?:[a-z]+ ){0,2}(?:extension|` +
				`number|pin|code)(?: [a-z]+)*`,
			`(?:to|for) (?:speak|talk|sales|support|service|billing|customer service|an operator|all other|` +
				`reception|appointments|prescriptions)(?: [a-z]+){0,4} (?:press|dial|say)`,
			`(?:our )?(?:office|business|opening) hours are`, `(?:our|the) office is (?:currently |` +
				`now )?closed(?: [a-z]+)*`, `to repeat (?:these|this|the) (?:options|menu|message)`,
			`main menu`, `if this is (?:a |an )?(?:medical |life threatening )?emergency`,
			`(?:you can |you may )?(?:simply )?say things like`,
		},
		Hold: []string{
			`^(?:(?:yes|yeah|ok|okay|sure|no|oh|uh|um|hello|hi|all right|alright) (?:, )?)*(?:can you |` +
				`could you |would you |please )?(?:hold on|hang on|hold|hold the line|hold please|one moment|` +
				`one second|one minute|one sec|just a (?:moment|second|minute|sec)|give me a (?:moment|second|` +
				`minute|sec)|wait a (?:moment|second|minute|sec)|just one (?:moment|second|minute|sec)|` +
				`a moment|bear with me|wait)` +
				`(?: (?:, )?(?:a|one|for a|just a|please)(?: (?:second|sec|moment|minute|` +
				`bit))?)?(?: (?:, )?please)?$`,
			`(?:let me|i'll|i will|lemme|i'm going to|i'm gonna|going to) (?:just )?(?:go )?(?:and )?(?:get|` +
				`grab|fetch|find|call|see if i can find|look for) (?:her|him|them|my (?:mom|mum|mother|dad|` +
				`father|husband|wife|son|daughter|brother|sister|boss|partner|roommate))(?: [a-z]+)*`,
			`(?:let me|i'll|i will) (?:just )?(?:see|check) if (?:he|she|they)(?:'s| is|'re| are)? (?:here|` +
				`home|in|around|available|there|free|awake)(?: [a-z]+)*`,
			`(?:let me|i'll|i will|i'm going to) (?:put|pass|hand|give) (?:you (?:through|over|on)|(?:him|her|` +
				`them) (?:on|the phone)|(?:the phone|you) to (?:him|her|them))(?: [a-z]+)*`,
			`(?:i'll|i will|let me|i'm going to) (?:transfer|connect|put) you(?: [a-z]+)*`,
			`(?:he's|she's|they're|he is|she is) (?:just )?(?:coming|right here)(?: [a-z]+)*`,
			`(?:hold on|hang on|one moment|one second|just a (?:second|minute|moment)|` +
				`hold the line)(?: please)?(?: ,)? (?:while|until|for|i'll|let me (?:get|grab|fetch|find|` +
				`see if)|i (?:have|need) to)(?: [a-z]+)*`,
			`please hold(?: [a-z]+)*`,
			`^(?:please )?(?:don't|do not) hang up(?: (?:yet|on me))?$`,
		},

		WrongPerson: []string{
			`wrong (?:number|person|guy|house|phone|place)`, `(?:there's|there is|there isn't|we have|` +
				`we've got|we don't have|i don't have) (?:no|nobody|no one|any|anyone|anybody)(?: one|` +
				` body)? (?:here )?(?:by|with|of|called|named)(?: [a-z]+)*`,
			`(?:nobody|no one|no) (?:here )?(?:by|with|of) that name`,
			`(?:nobody|no one) (?:here )?(?:is )?(?:called|named)(?: [a-z]+)*`,
			`(?:there's|there is|we have|we've got) no [a-z]+ (?:here|at this number|living here)`,
			`(?:doesn't|does not|don't|do not|no longer) (?:live|lives|stay|reside) (?:here|` +
				`at this (?:address|number))(?: [a-z]+)*`,
			`not (?:his|her|their|the|that person's|this person's|your) (?:right )?(?:number|phone|cell|` +
				`person) (?:anymore|any more|any longer)`,
			`(?:this|it|that)(?: is|'s| isn't| is not)? ?(?:not|n't)? (?:his|her|their|my (?:husband|wife|` +
				`mother|father)'s) (?:phone|number|cell)(?: anymore| any more)?`,
			`not the (?:right )?person (?:that )?you(?:'re| are|'ve)(?: [a-z]+)*`,
			`not who you(?:'re| are)(?: [a-z]+)*`,
			`(?:never heard of|i don't know|we don't know|don't know) (?:him|her|that person|this person|` +
				`anyone (?:by|with|called|named)(?: [a-z]+)*|anybody (?:by|with|called|named)(?: [a-z]+)*|` +
				`any [a-z]+|who (?:that|he|she) is)`,
			`(?:i|we)(?: just|'ve| have)? (?:got|had) (?:this|a new) (?:phone )?number(?: [a-z]+)*`,
			`this number (?:now )?belongs to(?: [a-z]+)*`,
			`you(?:'ve| have)? (?:must have |must've |probably |have )?(?:got |dialed |called |` +
				`reached )?the wrong`, `(?:he|she|they) (?:has |have |'s )?(?:moved (?:away|out)|` +
				`changed (?:his|her|their) number)(?: [a-z]+)*`,
		},
		Deceased: []string{
			they + `(?:'s| is| has|'ve| have| had)?(?: just| recently| already| sadly|` +
				` unfortunately)? (?:passed away|passed on|passed|died|dead|deceased|been dead|gone to heaven|` +
				`no longer (?:with us|alive|living))(?: [a-z]+)*`,
			`(?:my|our|his|her) (?:late )?(?:husband|wife|mother|father|mom|mum|dad|brother|sister|son|` +
				`daughter|grandmother|grandfather|grandma|grandpa|aunt|uncle|partner)(?:'s| is| has|` +
				` have)?(?: just| recently| sadly| unfortunately)? (?:passed away|passed on|passed|died|dead|` +
				`deceased|been dead|no longer (?:with us|alive))(?: [a-z]+)*`,
			`(?:mr|mrs|ms|miss|dr|doctor) (?:, )?[a-z]+(?:'s| is| has)?(?: just| recently|` +
				` sadly)? (?:passed away|passed on|passed|died|dead|deceased|no longer (?:with us|` +
				`alive))(?: [a-z]+)*`,
			`(?:that|this|the) (?:person|man|woman|lady|gentleman)(?:'s| is| has)? (?:passed away|died|dead|` +
				`deceased|no longer (?:with us|alive))(?: [a-z]+)*`,
			`^(?:(?:no|oh|sorry|i'm sorry|unfortunately|sadly|i'm afraid) (?:, )?)*(?:but )?[a-z]+ (?:has |` +
				`just |sadly )?(?:passed away|is deceased|is dead|died)(?: [a-z]+)*`,
			`(?:we|i) (?:just )?(?:lost|buried) (?:him|her)(?: [a-z]+)*`, `(?:his|her) funeral(?: [a-z]+)*`,
		},
		Minor: []string{
			`(?:mommy|mummy|daddy)(?:'s| is| isn't| says| said)?(?: [a-z]+)*`,
			`my (?:mom|mum|mother|dad|father|parents|mom and dad|mum and dad|grandma|grandpa)(?:'s|'re| is|` +
				` are| isn't| aren't| is not| are not) (?:not (?:here|home|in|there)|at work|sleeping|asleep|` +
				`in the (?:shower|bathroom|bath)|out|outside|busy|gone|here|home)(?: [a-z]+)*`,
			`(?:i'm|i am) (?:only |just )?(?:a kid|a child|a little (?:kid|girl|boy)|(?:[3-9]|1[0-5]|three|` +
				`four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen) years old|` +
				`only (?:[3-9]|1[0-5]|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|` +
				`fourteen|fifteen))`,
			`(?:i'm|i am) not (?:allowed|supposed) to (?:talk|speak|answer|be on)(?: [a-z]+)*`,
			`(?:i'm|i am) (?:[3-9]|five|six|seven|eight|nine|ten)(?: and a half)$`,
			`(?:do you want|you want|should i get|can i get) (?:me to get )?my (?:mom|mum|mommy|dad|` +
				`daddy)(?: [a-z]+)*`,
		},
		Busy: []string{
			am + ` (?:driving|at the wheel|in (?:a|an|another|the middle of a) (?:[a-z]+ )?(?:meeting|` +
				`conference|class|lesson|appointment|interview)|in (?:class|court|a hurry|a rush|line|` +
				`traffic)|at work|at the (?:doctor|doctor's|dentist|hospital|office|gym|airport|store|movies)|` +
				`on (?:another|the other) (?:call|line)|on a call|(?:right )?in the middle of(?: [a-z]+)*|` +
				`having (?:dinner|lunch|breakfast|supper)|eating(?: dinner| lunch)?|about to (?:leave|board|` +
				`go|head|start)(?: [a-z]+)*|boarding(?: [a-z]+)*|at a (?:funeral|wedding|restaurant|party)|` +
				`cooking(?: dinner)?|running late|working(?: right now)?|teaching(?: [a-z]+)*|` +
				`with (?:a (?:client|customer|patient)|clients|customers|patients)|heading (?:out|` +
				`into)(?: [a-z]+)*|just leaving|on my way (?:out|to work))`,
			`(?:can't|cannot|can not|not able to|unable to|couldn't) (?:really |actually )?(?:talk|speak|chat|` +
				`do this)(?: (?:right now|now|at the moment|just now|at this time|to you|to you right now|` +
				`on the phone|here))?$`,
			`(?:can't|cannot|can not) (?:really |actually )?(?:talk|speak|chat|` +
				`do this) (?:to you )?(?:right now|now|at the moment|just now|at this time|today)`,
			`(?:not|isn't|not really|n't) (?:really )?(?:a|the) (?:very |really )?(?:good|best|great|` +
				`convenient|right) (?:time|moment)(?: [a-z]+)*`,
			`(?:a|really|very|such a|kind of a) (?:really |very )?(?:bad|inconvenient|terrible|` +
				`awkward) (?:time|moment)(?: [a-z]+)*`, `bad time`,
			`(?:caught|catch|catching|got) me at a (?:bad|wrong|terrible|busy) (?:time|moment)`,
			`(?:a (?:bit|little) |very |really |pretty |quite |too |super |kind of |kinda |so )?(?:busy|` +
				`tied up|swamped) (?:right now|at the moment|just now|at work|now|here|today)`,
			`^(?:(?:hello|hi|hey|oh|uh|um|sorry|look|listen|i'm sorry|yes|yeah|who is this|not now|` +
				`no not now) (?:, )?)*` + am + ` (?:a (?:bit|little) |very |really |pretty |quite |too |` +
				`super |so |kinda )*(?:busy|tied up|swamped|occupied)$`,
			`(?:don't|do not|haven't got|haven't|have not) (?:really )?(?:have )?(?:any |the |` +
				`much )?time (?:right now|now|for this|at the moment|to talk|just now|for that)`,
			`(?:have|got|i've got) no time(?: (?:right now|now|for this|at the moment|to talk))?`,
			`no time (?:right now|now|for this|at the moment)`, `bad moment`,
			`not (?:right )?now (?:, )?(?:i'm|i am) (?:busy|driving|working|at work|in a)(?: [a-z]+)*`,
		},
		GoAhead: []string{
			`(?:but )?go ahead`, `(?:but )?(?:make it|be|keep it|if it's|if it is|if you're|` +
				`if you are) (?:really |very )?(?:quick|fast|short|brief)`,
			`(?:but )?i(?:'ve| have)(?: got)? (?:a|one|two|five|a few|a couple of) (?:minutes?|seconds?|` +
				`moments?)`,
			`what (?:is|'s) (?:it|this) about`, `but (?:i can talk|it's fine|it's ok|it's okay|that's fine|ok|` +
				`okay|sure)`,
		},
		CallBack: []string{
			`(?:can you |could you |would you |will you |can you please |could you please |you can |` +
				`you could |you'll have to |you will have to |please |just |why don't you |maybe |` +
				`have (?:someone|somebody|them|her|him) |i'd like you to |i want you to |` +
				`i need you to )?(?:call|phone|ring|try|reach|ring up|contact|get back to) (?:me |us |him |` +
				`her |them |my (?:husband|wife|mother|father|mom|dad) )?(?:at (?:home|` +
				`work) )?(?:please )?` + again + `(?: [a-z]+)*`,
			`(?:do not|don't|never|please don't) (?:call|phone|ring) (?:me |us |here |anyone |` +
				`this number )?(?:before|until|till|so early|this early|that early|so late|this late|` +
				`that late|at this (?:hour|time)|right now|today)(?: [a-z]+)*`,
			`(?:talk|speak) (?:to you |again )?(?:later|another time|tomorrow|some other time)(?: [a-z]+)*`,
			`(?:can|could) (?:we|you) (?:do|have) this (?:later|another time|tomorrow|some other time|` +
				`some other day)`, `(?:can|could|let's|let us) (?:we )?(?:talk|speak|do this) (?:later|` +
				`tomorrow|another time|some other time|this (?:evening|afternoon))(?: [a-z]+)*`,
			`(?:a )?(?:call ?back|callback) (?:later|tomorrow|would be (?:better|great|good)|please|in|` +
				`at)(?: [a-z]+)*`, `(?:request|want|need|like) a (?:call ?back|callback)`,
			`(?:better|best|good) (?:time )?(?:to call|to reach me|to get me) (?:me |us )?(?:is|would be|` +
				`later|tomorrow|after|in|this)(?: [a-z]+)*`,
			`give me (?:a (?:call|ring|buzz)|an? (?:hour|half hour|few minutes|couple of (?:hours|minutes))|` +
				`(?:ten|twenty|thirty|[0-9]+) minutes|half an hour)(?: (?:back|later|tomorrow|tonight|in|at|` +
				`on|after|this|and call)(?: [a-z]+)*)?$`,
			`(?:not now|later) (?:, )?(?:please )?(?:call|try)(?: [a-z]+)*`,
			`(?:he|she|they)(?:'ll| will) be (?:back|home|here|in|available|free) (?:in|at|on|after|around|by|` +
				`later|tomorrow|tonight|this|next|soon)(?: [a-z]+)*`,
			`i(?:'ll| will) be (?:back|home|free|available|done) (?:in|at|on|after|around|by|later|tomorrow|` +
				`tonight|this|next)(?: [a-z]+)*`, `try (?:me |us |him |her )?` + again + `(?: [a-z]+)*`,
			`(?:call|phone|ring|try|reach)(?: [a-z]+){0,2} between`,
		},
		WantsHuman: []string{
			`(?:talk|speak|talking|speaking|chat|connect me|transfer me|put me|get me|give me|switch me|` +
				`pass me)(?: (?:me|through|over|on))*(?: (?:to|with))? (?:` + someone + `)(?: [a-z]+)*`,
			`(?:i want|i need|i'd like|i would like|i prefer|i'd prefer|i would prefer|i'd rather have|` +
				`can i get|can i have|could i get|get me|give me|is there|isn't there|let me have|` +
				`let me get) (?:to have )?(?:` + someone + `)(?: [a-z]+)*`,
			`(?:don't|do not|won't|will not|not|never|refuse to|not going to|hate to|hate)(?: (?:want to|` +
				`wanna|like to|like|going to|gonna|to))? (?:talk|talking|speak|speaking|deal|` +
				`dealing)(?: (?:to|with))? (?:a |an |some |any )?(?:robots?|machines?|computers?|ais?|a i|` +
				`recordings?|bots?|automated (?:voice|system|call|message)s?)`,
			`^(?:(?:a|an|real|live|the) )*(?:human|representative|operator|agent|real person|human being|` +
				`customer service|live person|live agent)$`,
			`(?:real|live|actual) (?:person|human|agent|operator) (?:please|instead|to talk|` +
				`i can)(?: [a-z]+)*`, `transfer me(?: [a-z]+)*`, `connect me (?:to|with)(?: [a-z]+)*`,
			`put me through(?: [a-z]+)*`, `have (?:a|an) (?:real |actual |live )?(?:human|` +
				`person) call me(?: [a-z]+)*`,
		},
		Robot: []string{
			`(?:are you|is this|is it|am i (?:talking|speaking) (?:to|with)) (?:actually |really |` +
				`just |even |some kind of |a |an )*(?:robot|bot|chatbot|machine|computer|recording|` +
				`recorded message|recorded voice|automated|robocall|robo call|automated (?:call|voice|` +
				`message|system)|ai|a i|artificial intelligence|real person|real human|real|` +
				`actual person|live person|live human|human|human being)`,
			`are you (?:a )?(?:person|alive)`,
			`you(?:'re| are| sound like) (?:just )?(?:a )?(?:robot|bot|machine|recording|computer)`,
			`am i (?:talking|speaking) (?:to|with) a person`,
		},
		Speak: []string{
			`(?:do|does|can|could) (?:you|anyone|anybody|someone|` +
				`somebody)(?: there)? (?:also )?speak (?:in )?{l}`,
			`(?:can|could|may) (?:we|you|i) (?:please )?(?:speak|talk|continue|do this|switch)(?: to|` +
				` in)* {l}`,
			`(?:someone|somebody|anyone|anybody|person) (?:who|that) speaks {l}`,
			`(?:only|just) speak {l}`,
			`(?:prefer|rather)(?: to)?(?: speak| talk)?(?: in)? {l}`,
			`^(?:speak|talk|switch)(?: to| in)* {l}`,
			`^in {l}$`,
			`^{l} please$`,
		},
		NotSpoken: []string{
			`(?:don't|do not|can't|cannot) (?:really )?(?:speak|understand)(?: any| much| good| very)* {l}`,
			`^no {l}$`,
		},
		Names: map[string][]string{
			"en": {"english"}, "cs": {"czech"}, "da": {"danish"}, "de": {"german"}, "el": {"greek"},
			"es": {"spanish"}, "fr": {"french"}, "it": {"italian"}, "nb": {"norwegian"}, "nl": {"dutch"},
			"pl": {"polish"}, "pt": {"portuguese"}, "ro": {"romanian"}, "sv": {"swedish"}, "tr": {"turkish"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"an hour": time.Hour, "a hour": time.Hour, "half an hour": 30 * time.Minute,
				"a half hour": 30 * time.Minute,
				"half hour":   30 * time.Minute, "an hour and a half": 90 * time.Minute,
				"quarter of an hour":   15 * time.Minute,
				"a quarter of an hour": 15 * time.Minute, "a minute": time.Minute, "a few minutes": 10 * time.Minute,
				"a couple of minutes": 5 * time.Minute, "a few hours": 3 * time.Hour,
				"a couple of hours": 2 * time.Hour,
				"a couple hours":    2 * time.Hour, "couple of hours": 2 * time.Hour, "a day": 24 * time.Hour,
				"a week": 7 * 24 * time.Hour, "a few days": 3 * 24 * time.Hour,
				"a couple of days": 2 * 24 * time.Hour,
				"a fortnight":      14 * 24 * time.Hour, "three quarters of an hour": 45 * time.Minute,
			},
			Units: map[string]time.Duration{
				"minute": time.Minute, "minutes": time.Minute, "mins": time.Minute, "min": time.Minute,
				"hour": time.Hour, "hours": time.Hour, "hrs": time.Hour, "day": 24 * time.Hour,
				"days": 24 * time.Hour,
				"week": 7 * 24 * time.Hour, "weeks": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"today": 0, "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2, "next week": 7,
				"next month": 30,
			},
			Weekdays: [7][]string{
				{"sunday", "sundays"}, {"monday", "mondays"}, {"tuesday", "tuesdays"}, {"wednesday", "wednesdays"},
				{"thursday", "thursdays"}, {"friday", "fridays"}, {"saturday", "saturdays"},
			},
			Parts: map[string]int{
				"morning": 9, "noon": 12, "midday": 12, "lunchtime": 12, "lunch": 12, "after lunch": 13,
				"afternoon": 14,
				"evening":   18, "tonight": 19, "after work": 18, "after dinner": 20, "end of the day": 17,
			},
			Between: []string{"between"},
			At: []string{"at", "around", "about", "after", "past", "before", "until", "till", "from", "by",
				"like"},
			OClock: []string{"o'clock", "oclock"},
			AM:     []string{"am", "a m", "in the morning"},
			PM:     []string{"pm", "p m", "in the afternoon", "in the evening", "at night"},
			Before: map[string]int{
				"half past": 30, "half": 30, "quarter past": 15, "a quarter past": 15, "quarter after": 15,
				"quarter to":   -15,
				"a quarter to": -15, "quarter till": -15, "five past": 5, "ten past": 10, "twenty past": 20,
				"five to": -5,
				"ten to":  -10, "twenty to": -20,
			},
			Months: [12][]string{
				{"january", "jan"}, {"february", "feb"}, {"march", "mar"}, {"april", "apr"}, {"may"},
				{"june", "jun"}, {"july", "jul"}, {"august", "aug"}, {"september", "sep", "sept"},
				{"october", "oct"}, {"november", "nov"}, {"december", "dec"},
			},
			MonthDays: [31][]string{
				{"first"}, {"second"}, {"third"}, {"fourth"}, {"fifth"}, {"sixth"}, {"seventh"}, {"eighth"},
				{"ninth"}, {"tenth"}, {"eleventh"}, {"twelfth"}, {"thirteenth"}, {"fourteenth"}, {"fifteenth"},
				{"sixteenth"}, {"seventeenth"}, {"eighteenth"}, {"nineteenth"}, {"twentieth"},
				{"twenty first"}, {"twenty second"}, {"twenty third"}, {"twenty fourth"}, {"twenty fifth"},
				{"twenty sixth"}, {"twenty seventh"}, {"twenty eighth"}, {"twenty ninth"}, {"thirtieth"},
				{"thirty first"},
			},
			OfMonth:  []string{"of", "of the", "the"},
			Past:     map[string]int{"yesterday": 1, "the day before yesterday": 2, "day before yesterday": 2},
			Ago:      []string{"ago"},
			Previous: []string{"last", "this past"},
		},
		Spelling: Spelling{
			At:         []string{"at", "at sign"},
			Dot:        []string{"dot", "point", "period"},
			Dash:       []string{"dash", "hyphen", "minus"},
			Underscore: []string{"underscore"},
			Before: []string{
				"is", "it's", "that's", "that is", "it would be", "email", "e mail", "mail", "address",
			},
			Plus:  []string{"plus"},
			Zero:  []string{"oh", "o"},
			Times: map[string]int{"double": 2, "triple": 3},
		},

		Harmless: []string{
			`passed (?:his|her|their|out|by|through|along|it|me|every|all|up|with)`,
			`passed (?:the|an?|that|this|some) (?:[a-z]+ ){0,2}(?:test|exam|exams|course|class|interview|bar|ball|message|note|grade|inspection|license|licence)`,
			`dead (?:tired|serious|sure|set|right|wrong|broke|drunk|easy|beat|asleep|certain|keen|good|nice|lucky|quiet|slow|busy|against|last|happy|simple|boring)`,
			`(?:died|dead) (?:laughing|with laughter|of (?:laughter|boredom|embarrassment|shame))`,
			`(?:almost|nearly|practically|half) (?:died|dead)`,
			`(?:what|what's|what is|which|which is) (?:the |a |this )?wrong (?:number|person)`,
		},
		Ages: []string{"old", "age", "aged", "year", "years"},
		Aside: []string{
			"he's not here", "she's not here", "he isn't here", "she isn't here", "they're not here",
			"he's not home", "she's not home", "he's not at home", "she's not at home", "he's not in",
			"she's not in", "that's not him", "that's not her", "it's not him", "it's not her", "this isn't him",
			"this isn't her", "this is not him", "this is not her", "i can't hear", "i can't hear you",
			"i can't hear anything", "i cannot hear you",
		},
		Yes: []string{"yes", "yeah", "yea", "yep", "yup", "ya", "uh huh", "mm hmm", "mhm", "sure", "of course",
			"absolutely", "definitely", "certainly", "correct", "indeed",
			"that's right", "that is right", "that's correct", "exactly", "by all means", "please do", "sounds good",
			"no problem", "why not", "i think so", "i believe so",
			"i guess so", "i suppose so", "affirmative", "you bet", "okay", "ok", "no doubt", "without a doubt",
			"not a problem", "it does", "with pleasure"},
		No: []string{"no", "nope", "nah", "no way", "not really", "not at all", "of course not", "absolutely not",
			"certainly not", "definitely not", "not yet", "not now",
			"i don't think so", "i do not think so", "i'm afraid not", "negative", "uh uh", "no thanks",
			"no thank you",
			"not interested", "not today", "that's wrong", "incorrect", "not correct", "that's not right",
			"no not at all"},
		Unsure: []string{"maybe", "perhaps", "possibly", "not sure", "i'm not sure", "i am not sure", "don't know",
			"i don't know", "dunno", "no idea", "it depends", "depends",
			"could be", "sometimes", "yes and no", "more or less", "kind of", "sort of", "not sure yet",
			"i can't say",
			"hard to say", "i can't remember", "i don't remember"},
		Hint: []string{
			"not", "never", "don't", "haven't", "hasn't", "didn't", "couldn't", "can't", "cannot", "won't", "wasn't",
			"isn't", "wouldn't", "doesn't",
		},
		Mistaken: []string{
			"i mean", "i meant", "wait", "no wait", "rather", "or rather", "make that", "scratch that", "correction",
			"on second thought",
		},
		YesAlone: []string{"right", "i do", "i am", "i have", "i did", "i can", "i will", "i would", "i was", "it is",
			"it was", "they are", "they do", "we do", "we are", "we have", "he is", "she is",
			"speaking", "this is she", "this is he", "this is her", "this is him", "this is me", "that's me",
			"it's me",
			"it is me", "true", "fine", "fine by me", "fine with me", "good", "great", "perfect", "go ahead",
			"agreed",
			"i'd like that", "i would like that", "i'd love to", "i'd like to", "works for me", "that works"},
		NoAlone: []string{
			"false", "wrong", "i don't", "i do not", "i'm not", "i am not", "i haven't", "i have not", "i didn't",
			"i did not", "i can't", "i cannot", "i won't", "it isn't", "it's not", "never", "none", "nothing",
		},
		Not:         []string{"not", "never", "without", "t"}, // t as in "don't"
		Connectives: []string{"with", "from", "this", "that", "your", "about", "after", "before"},

		Ordinals: [MaxOrdinals][]string{
			{"first", "the first", "1st", "number one", "option one", "the former"},
			{"second", "2nd", "number two", "option two", "the latter"},
			{"third", "3rd", "number three", "option three"}, {"fourth", "4th", "number four", "option four"},
			{"fifth", "5th", "number five", "option five"},
			{"sixth", "6th", "number six", "option six"}, {"seventh", "7th", "number seven", "option seven"},
			{"eighth", "8th", "number eight", "option eight"},
		},
		Last: []string{"last", "the last one", "last one"},

		Spell:    spellEnglish,
		Thousand: []string{"thousand", "a thousand"},
		Half:     []string{"and a half"},
		And:      []string{"and"},
		OutOf:    []string{"out of", "of", "on a scale of"},
		Minus:    []string{"minus", "negative"},
		Article:  []string{"a single", "just a"},
		Vague: []string{
			"no one", "the one", "this one", "that one", "which one", "any one", "every one", "another one", "a few",
			"some", "one moment", "one second", "one minute", "a second", "first one", "last one",
		},
		Counts: map[string]float64{"none": 0, "nothing": 0, "not one": 0, "not any": 0, "never": 0, "not at all": 0,
			"nil": 0, "once": 1, "twice": 2, "a couple": 2, "a couple of": 2,
			"a pair": 2, "half a dozen": 6, "a dozen": 12, "two dozen": 24, "half": 0.5},

		Glad: []string{
			"thank you so much", "no pain", "no problems", "no complaints", "great", "good", "very good", "wonderful",
			"excellent", "perfect", "happy", "glad", "love", "lovely", "fantastic", "fine", "pleased", "satisfied",
			"much better", "better", "helpful", "kind", "nice", "awesome", "amazing", "appreciate",
		},
		Sad: []string{"bad", "terrible", "awful", "horrible", "angry", "annoyed", "annoying", "upset", "unhappy",
			"hate", "worse", "worst", "pain", "painful", "hurts", "ridiculous", "disappointed", "disappointing",
			"frustrated", "frustrating",
			"complaint", "complain", "rude", "useless", "waste of time", "worried", "dizzy", "sick", "scam",
			"problem",
			"problems", "sad"},

		Urge: []string{"no", "yes", "ok", "okay", "now", "right now", "just", "can you", "could you", "would you",
			"will you", "you can", "you must", "you need to", "you have to", "i said",
			"i say", "i told you to", "i want you to", "i'd like you to", "i would like you to", "i want this to",
			"i want it to", "immediately", "already", "at once", "for good", "for god's sake", "let's"},
		StopAlone: []string{
			"stop", "stop it", "stop that", "stop this", "stopp", "unsubscribe", "opt out", "remove me",
			"leave me alone", "stop calling", "do not call", "end all calls",
		},
		Stop: []string{
			`\b(?:stop|quit|cease) (?:all |ever |you |your |this |these |the |those |making )*` + calling +
				`(?:$| (?:me|us|here|this|my ` +
				`(?:number|phone|home|house|cell|mobile|work|office)|again|now|please|at|so|every|all|any ` +
				`?more|immediately|right|and|or|because|people|like|from|with|ever)\b)`,
			`\b(?:stop|quit|cease) (?:all |with |making |of |receiving |getting |any |more |these |those |` +
				`your |the ` +
				`|this |such )+` + calls + `\b`,
			`\b` + never + ` (?:ever |please |you |you dare |you ever )*` + call + here + ever,
			`\b(?:do not|don ?t|never) (?:ever )?want (?:you|anyone|anybody|them) (?:to )?(?:ever )?(?:` + call +
				`|` + calling + `)` + here + ever,
			`\b(?:do not|don ?t|no longer) (?:ever )?(?:want|wish|like|need) (?:to (?:get|receive|have) )?(?:any ` +
				`|more |these |your |such |further |of |this kind of |another )*` + calls +
				`(?: from (?:you|anyone))?` + ever,
			`\b(?:do not|don ?t|no longer) (?:want|wish|like) to be ` +
				`(?:called|contacted|phoned|bothered|disturbed)(?: by (?:you|anyone|phone))?` + here + ever,
			`\b(?:do not|don ?t) (?:ever )?want to hear from you\b`,
			`\bno more (?:of )?(?:these |your |this )?` + calls + `\b`,
			`\b(?:take|remove|delete|drop|scratch|strike|erase|get) (?:me|us|my (?:phone ` +
				`)?(?:number|name|details|data|information)|this (?:phone )?number) (?:off|from|out)(?: of)? ` +
				`(?:your|the|this|that|any|all|every|a)(?: of your| your)? (?:[a-z]+ ` +
				`){0,3}(?:lists?|database|system|records|files|registry|register)\b`,
			`\b(?:remove|delete|erase|forget|lose) (?:my|this) (?:phone )?number\b`,
			`\b(?:remove me|take me off)(?:$| (?:please|now|from your|of your|right now))`,
			`\b(?:do not|don ?t) call (?:list|registry|register)\b`,
			`\bunsubscribe\b`, `\bopt(?:ing)? (?:me |us )?out\b`, `\bleave (?:me|us) (?:the hell )?alone\b`,
		},
		Cues: []string{
			"call", "phon", "ring", "contact", "bother", "telephon", "dial", "disturb", "harass", "pester",
			"robocall", "hear", "list", "database", "system", "record", "file", "regist", "number", "remove", "take",
			"unsub", "opt", "alone",
		},
		NotStop: []string{
			// "Why don't you stop calling?" is a request, not a negation, so only its
			// first words are removed.
			`\bwhy (?:do not|don ?t|not) (?:you )?(?:just )?(?:` + call + `\b)?`,
			`\b(?:can|could|won|would) t you (?:please |just )?`,
			`\b(?:do not|don ?t|not|never|didn ?t|doesn ?t|shouldn ?t|wouldn ?t|won t|can t|cannot|without|no ` +
				`need|no reason|nobody)(?: ` +
				`(?:please|ever|just|want|wants|wanted|you|to|me|have|need|say|said|saying|tell|telling|ask|` +
				`asked|asking|mean|i|they|them|wish|that|like|going|gonna|actually|really|should|` +
				`must))* (?:stop(?:ping)?|quit(?:ting)?|ceas(?:e|ing)|unsubscribe|opt(?:ing)? (?:me |us )?out|` +
				`take me off|remov(?:e|ing) (?:me|my number|this number)|delete (?:my|this) number|` +
				`leave (?:me|us) alone|(?:lose|forget) my (?:phone )?number)(?: ` + calling + `)?\b`,
			`\b(?:i|we) (?:ll |will |had to |have to |can t |cannot |could |did |used to |might )*(?:stop|quit) ` +
				calling + `\b`,
			`\b(?:i|we|he|she|they|nobody|people|kids|children|friends|if you|if they|when you) (?:just |always ` +
				`|really )?(?:do not|don ?t|never|no longer) (?:ever |even )?` + call + `\b`,
			`\bwait(?:ing)? ?list\b`,
		},
	}
}

func spellEnglish(n int) []string {
	small := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
		"twelve", "thirteen",
		"fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	tens := []string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	switch {
	case n < 20:
		return []string{small[n]}
	case n < 100:
		if n%10 == 0 {
			return []string{tens[n/10]}
		}
		return []string{tens[n/10] + " " + small[n%10]}
	}
	var all []string
	heads := []string{small[n/100] + " hundred"}
	if n/100 == 1 {
		heads = append(heads, "a hundred", "hundred")
	}
	for _, head := range heads {
		if n%100 == 0 {
			all = append(all, head)
			continue
		}
		for _, rest := range spellEnglish(n % 100) {
			all = append(all, head+" "+rest, head+" and "+rest)
		}
	}
	return all
}
