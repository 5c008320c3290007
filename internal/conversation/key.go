package conversation

import (
	"slices"
	"strconv"
	"strings"
)

// maxKey is how long the key of a question may be.
const maxKey = 40

// ProposeKey is a key for a question, made of the words that it is about: "Would you
// like a nurse to visit you?" becomes "nurse_visit". It is none of those taken. Letters
// become those of the Latin alphabet without accents, as fold has them: "żółć" reads
// "zolc" and "πόνος" "ponos". A question in another alphabet gets a number alone.
func ProposeKey(ask, language string, taken []string) string {
	t := tongueOf(language)
	key := ""
	for _, word := range flatten(clauses(variable.ReplaceAllString(ask, " "))) {
		if len(word) < 4 || t.common[word] || unspecific[word] || !keySyntax.MatchString(word) {
			continue
		}
		if longer := strings.TrimPrefix(key+"_"+word, "_"); len(longer) <= maxKey-3 {
			key = longer
		}
		if strings.Count(key, "_") == 2 {
			break
		}
	}
	if key == "" {
		key = "question"
	}
	free := key
	for n := 2; slices.Contains(taken, free); n++ {
		free = key + "_" + strconv.Itoa(n)
	}
	return free
}

// unspecific are English words of four letters and more that are in every question.
var unspecific = wordSet([]string{"what", "when", "where", "which", "would", "could", "should", "shall", "have", "does",
	"will", "like", "much", "many", "today",
	"please", "there", "were", "been", "some", "rather", "than", "need", "want", "tell", "anything", "something",
	"still", "since", "come"})
