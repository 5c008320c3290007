package lexicon

// English is the lexicon of English.
func English() Language {
	const (
		call    = `(?:call|phone|ring|contact|bother|telephone|dial|disturb|harass|pester)`
		calling = `(?:calling|phoning|ringing|contacting|bothering|telephoning|dialing|dialling|disturbing|harassing|pestering)`
		never   = `(?:do not|don ?t|never|not to|no longer)`
		here    = `(?: (?:me|us|here|back|at all|this (?:number|phone|line|house)|my ` +
			`(?:number|phone|house|home|cell|mobile|office)|at this number|on this number|at home))*`
		ever = `(?:$| (?:again|any ?more|any longer|ever|please|at all|in the future|no more|thanks|thank you|like ` +
			`this|about this|for this|or|and|because|from now on)\b)`
		calls = `(?:phone |marketing |sales |robo |cold |automated )?(?:calls|robocalls)`
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
		Who: []string{"who is this", "who's this", "who is this again", "who is calling", "who's calling",
			"who are you", "who is speaking",
			"who am i speaking to", "who am i talking to", "what is this", "what is this about", "what's this about",
			"where are you calling from", "are you a robot", "is this a robot"},
		Repeat: []string{"what", "pardon", "pardon me", "excuse me", "sorry", "come again", "say again", "again",
			"repeat", "repeat that", "repeat the question",
			"say that again", "can you say that again", "could you say that again", "can you repeat",
			"could you repeat", "can you repeat that", "could you repeat that",
			"what did you say", "what was that", "what was the question", "what do you mean", "i didn't hear you",
			"i didn't hear that", "i can't hear you",
			"i didn't catch that", "i did not catch that", "i didn't understand", "i don't understand", "one more time",
			"huh"},
		Record: []string{
			"leave a message", "leave me a message", "leave your name", "leave your message", "leave your number",
			"after the tone", "after the beep", "at the tone", "at the beep", "not available to take your call",
			"unable to take your call",
		},
		Skip: []string{"i don't know", "don't know", "dunno", "no idea", "i have no idea", "no clue", "not sure",
			"i'm not sure", "i can't say", "hard to say", "skip",
			"next question", "next one", "pass", "i'd rather not", "rather not say", "i'd rather not say",
			"prefer not to say", "none of your business", "no comment", "i can't remember", "i don't remember",
			"neither", "none of them", "none of those"},

		Yes: []string{"yes", "yeah", "yea", "yep", "yup", "ya", "uh huh", "mm hmm", "mhm", "sure", "of course",
			"absolutely", "definitely", "certainly", "correct", "indeed",
			"that's right", "that is right", "that's correct", "exactly", "by all means", "please do", "sounds good",
			"no problem", "why not", "i think so", "i believe so",
			"i guess so", "i suppose so", "affirmative", "you bet", "okay", "ok", "no doubt", "without a doubt",
			"not a problem", "it does", "with pleasure"},
		No: []string{"no", "nope", "nah", "no way", "not really", "not at all", "of course not", "absolutely not",
			"certainly not", "definitely not", "not yet", "not now",
			"i don't think so", "i do not think so", "i'm afraid not", "negative", "uh uh", "no thanks", "no thank you",
			"not interested", "not today", "that's wrong", "incorrect", "not correct", "that's not right",
			"no not at all", "wrong number"},
		Unsure: []string{"maybe", "perhaps", "possibly", "not sure", "i'm not sure", "i am not sure", "don't know",
			"i don't know", "dunno", "no idea", "it depends", "depends",
			"could be", "sometimes", "yes and no", "more or less", "kind of", "sort of", "not sure yet", "i can't say",
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
			"speaking", "this is she", "this is he", "this is her", "this is him", "this is me", "that's me", "it's me",
			"it is me", "true", "fine", "fine by me", "fine with me", "good", "great", "perfect", "go ahead", "agreed",
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
			"complaint", "complain", "rude", "useless", "waste of time", "worried", "dizzy", "sick", "scam", "problem",
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
			`\b(?:stop|quit|cease) (?:all |with |making |of |receiving |getting |any |more |these |those |your |the ` +
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
				`(?:please|ever|just|want|wants|wanted|you|to|me|have|need|say|said|saying|tell|telling|ask|asked|asking|mean|i|they|them|wish|that|like|going|gonna|actually|really|should|must))* (?:stop(?:ping)?|quit(?:ting)?|ceas(?:e|ing)|unsubscribe|opt(?:ing)? (?:me |us )?out|take me off|remov(?:e|ing) (?:me|my number|this number)|delete (?:my|this) number|leave (?:me|us) alone|(?:lose|forget) my (?:phone )?number)(?: ` + calling + `)?\b`,
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
