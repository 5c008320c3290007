package conversation

import (
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

// unspecific are English words of four letters or more that occur in most questions.
var unspecific = wordSet([]string{"what", "when", "where", "which", "would", "could", "should", "shall", "have", "does",
	"will", "like", "much", "many", "today",
	"please", "there", "were", "been", "some", "rather", "than", "need", "want", "tell", "anything", "something",
	"still", "since", "come"})
