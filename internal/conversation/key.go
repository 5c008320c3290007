package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// maxKey limits the key of a question, in characters.
const maxKey = 40

// ProposeKey makes a key from the significant words of a question: "Would you like a
// nurse to visit you?" becomes "nurse_visit". The key differs from all taken keys.
// Letters become Latin letters without accents, as fold converts them: "żółć" becomes
// "zolc" and "πόνος" becomes "ponos". A question in another alphabet gets only a number.
func ProposeKey(ask, language string, taken []string) string {
	key := cmp.Or(keyOfWords(ask, language), keyOfVariable(ask), "question")
	free := key
	for n := 2; slices.Contains(taken, free); n++ {
		free = key + "_" + strconv.Itoa(n)
	}
	return free
}

// keyOfWords joins up to three words of a question: the significant ones, or else those that say something, or else any
// words. It is empty if the question has no word of Latin letters, or a variable and no word that says something.
func keyOfWords(ask, language string) string {
	connects := tongueOf(language).common
	significant := 4 // letters; the shorter words of most languages connect others
	if strings.HasPrefix(strings.ToLower(language), "en") {
		significant = 3
	}
	text := variable.ReplaceAllString(ask, " ")
	words := slices.DeleteFunc(flatten(clauses(text)), func(word string) bool { return !keySyntax.MatchString(word) })
	says := func(word string) bool { return len(word) > 1 && !unspecific[word] && !connects[word] }
	key := joinedKey(words, func(word string) bool {
		return len(word) >= significant && says(word) && !weak[word]
	})
	if key == "" {
		key = joinedKey(words, says)
	}
	if key == "" && text == ask {
		key = joinedKey(words, func(string) bool { return true })
	}
	return key
}

// joinedKey joins the first of the words that are fit for a key.
func joinedKey(words []string, fit func(string) bool) (key string) {
	for _, word := range words {
		if !fit(word) {
			continue
		}
		// Room is left for a number after the key.
		if longer := strings.TrimPrefix(key+"_"+word, "_"); len(longer) <= maxKey-3 {
			key = longer
		}
		if strings.Count(key, "_") == 2 {
			break
		}
	}
	return key
}

// keyOfVariable is the name of the first variable in a question.
func keyOfVariable(ask string) string {
	found := variable.FindStringSubmatch(ask)
	if found == nil {
		return ""
	}
	key := strings.ToLower(strings.TrimPrefix(found[1], "last_call."))
	if len(key) > maxKey-3 || !keySyntax.MatchString(key) {
		return ""
	}
	return key
}

// unspecific are words that occur in most questions, as clauses returns them: of English, which names the keys of most
// agents in other languages too, and the verbs and pronouns of questions in the languages of many agents.
var unspecific = wordSet(strings.Fields(`
	a an the and or but if then so as at by for from in into of off on onto out over than to up with within without
	about after again all also am any are be been being before both can cannot could did didn do does doesn doing don
	each few get got had has have having he her here hers him his how i is isn it its just let like ll may me might
	mine more most much must my need needs no nor not now once one only other our ours own please rather re same shall
	she should since some soon still such tell that their theirs them there these they this those through too two
	until us very ve want wants was wasn we were what when where which while who whom whose why will won would wouldn
	yes yet you your yours
	many scale today

	mochten mochte wollen konnen konnten durfen haben hatten sind werden wurden welche welchen welcher welches wann
	warum ihre ihrem ihren ihrer eine einen einem einer
	voulez voudriez souhaitez pouvez pourriez avez etes quel quelle quels quelles quand comment votre
	quiere quieren desea puede podria tiene esta estan cual cuales cuando cuanto cuantos como usted
	vuole desidera puo potrebbe quale quali quando quanto quanti come
	wilt kunt heeft bent welke wanneer hoeveel
	quer deseja pode poderia qual quais quantos voce`))

// weak are words that name a question only if it has no better ones.
var weak = wordSet([]string{"anything", "something", "else", "come", "okay", "ok"})
