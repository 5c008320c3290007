package api

import (
	"fmt"
	"strings"

	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/regulation"
)

// callingRulesPage is the guide to the rules on calls by place. Its lists come from the table of the rules, so the
// description does not repeat them.
func callingRulesPage() reference.Page {
	var states, countries []regulation.Rule
	for _, r := range regulation.Rules() {
		if r.Place.Country() == "US" {
			states = append(states, r)
		} else {
			countries = append(countries, r)
		}
	}
	return reference.Page{
		Slug:  "calling-rules",
		Title: "Calling rules",
		Text: "The hours, days and numbers of calls that countries and states allow, each with its source. " +
			"Admins apply, change and add rules under Settings → Compliance. Hours are by the recipient's clock. " +
			"The place is the one that the number reveals. The table is a help, not legal advice.\n\n" +
			"Verified rules were compared with the text of the law. Unverified rules come from summaries of it. " +
			"Check every rule before you rely on it. A call's `calling_hours_decision` names the rules by their IDs.",
		Sections: []reference.Section{
			{
				Slug:  "united-states",
				Title: "United States",
				Text: "Rules of the country and of a state apply together. A call must obey both.\n\n" +
					ruleList(states),
			},
			{Slug: "other-countries", Title: "Other countries", Text: ruleList(countries)},
		},
	}
}

func ruleList(rules []regulation.Rule) string {
	var b strings.Builder
	for _, r := range rules {
		known := "unverified"
		if r.Verified {
			known = "verified"
		}
		fmt.Fprintf(&b, "- `%s` **%s**: %s. [%s](%s), as of %s, %s.", r.ID, r.Place.Name(), r.Text(), r.Source, r.URL,
			r.AsOf, known)
		if r.Note != "" {
			b.WriteString(" " + r.Note)
		}
		b.WriteString("\n")
	}
	return b.String()
}
