package conversation

import (
	"slices"
	"strings"
	"unicode"
)

// The variables of the parts of a recipient's name. A list or a recipient that has them wins.
const (
	firstName = "first_name"
	lastName  = "last_name"
)

// nameTitles precede a name. They are written in lowercase and without a period.
var nameTitles = []string{"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir", "rev"}

// nameSuffixes follow a name, likewise.
var nameSuffixes = []string{"jr", "sr", "ii", "iii", "iv", "md", "phd", "dds", "rn", "esq"}

// companyWords are words of the names of companies, likewise.
var companyWords = []string{
	"inc", "llc", "llp", "ltd", "limited", "corp", "corporation", "co", "company", "gmbh", "ag", "plc", "group",
	"association", "foundation", "clinic", "hospital", "pharmacy", "services", "bank", "university", "church",
}

// FirstName returns the first name in a name: "Ann" of "Dr. Ann Lee" and of "Lee, Ann". It is empty if the name has
// none, such as "Ms. Lee", an initial or a company.
func FirstName(name string) string {
	first, _ := nameParts(name)
	return first
}

// LastName returns the last name in a name: "Lee" of "Dr. Ann Lee" and of "Ms. Lee", "de la Cruz" of "Eva de la Cruz".
func LastName(name string) string {
	_, last := nameParts(name)
	return last
}

// ShortName returns the first word of a name by which a transcript names the person: the first name, or else the last
// name or the first word.
func ShortName(name string) string {
	first, last := nameParts(name)
	if first == "" {
		first = last
	}
	if first == "" {
		first, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	}
	return strings.TrimRightFunc(first, unicode.IsPunct)
}

// PartOfName tells that a variable without a value is a part of the recipient's name.
func PartOfName(variable string) bool { return variable == firstName || variable == lastName }

func nameParts(name string) (first, last string) {
	name, _, _ = strings.Cut(name, "(") // "Ann Lee (voicemail)"
	before, after, _ := strings.Cut(name, ",")
	all := strings.Fields(oneLine(name))
	if slices.ContainsFunc(all, ofCompany) {
		return "", ""
	}
	words, titled := nameWords(before)
	if given, _ := nameWords(after); len(words) == 1 && !titled && lastComesFirst(given) {
		return initialless(given[0]), words[0] // "Lee, Ann"
	}
	switch {
	case len(words) == 0:
		return "", ""
	case len(words) == 1 && titled:
		return "", words[0] // "Ms. Lee"
	case len(words) == 1:
		return initialless(words[0]), ""
	}
	from := len(words) - 1
	for from > 1 && unicode.IsLower([]rune(words[from-1])[0]) { // "de la Cruz"
		from--
	}
	return initialless(words[0]), strings.Join(words[from:], " ")
}

// nameWords returns the words of a name without titles, suffixes and punctuation. titled tells that it had a title.
func nameWords(name string) (words []string, titled bool) {
	for _, word := range strings.Fields(oneLine(name)) {
		word = strings.TrimFunc(word, func(r rune) bool { return unicode.IsPunct(r) && r != '.' })
		plain := plainWord(word)
		switch {
		case plain == "":
		case len(words) == 0 && slices.Contains(nameTitles, plain):
			titled = true
		case len(words) > 0 && slices.Contains(nameSuffixes, plain):
		default:
			words = append(words, word)
		}
	}
	return words, titled
}

// lastComesFirst tells that the words after a comma are given names, not an addition such as "who answers" or "MD".
func lastComesFirst(words []string) bool {
	if len(words) == 0 || len(words) > 2 || slices.Contains(nameSuffixes, plainWord(words[0])) {
		return false
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !unicode.IsUpper([]rune(word)[0]) })
}

// ofCompany tells that a word is not of a person's name.
func ofCompany(word string) bool {
	return word == "&" || strings.ContainsFunc(word, unicode.IsDigit) || slices.Contains(companyWords, plainWord(word))
}

func plainWord(word string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimFunc(word, unicode.IsPunct), ".", ""))
}

// initialless returns a first name, or an empty text for an initial.
func initialless(word string) string {
	word = strings.TrimRight(word, ".")
	if runes := []rune(word); len(runes) == 1 && unicode.IsUpper(runes[0]) {
		return ""
	}
	return word
}
