package web

import (
	"net/http"
	"testing"
)

// A person who types a straight apostrophe finds a curly one, and the other way round: in the search, in lists and in
// answers.
func TestApostrophesFindEachOtherOnPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.campaignOf("Seán O’Brien", "Dara O'Neill")
	call := n.newCall().String()
	w.exec(`update campaign set name = 'St. John’s' where id = $1`, id)
	w.exec(`update call set transcript_text = 'Recipient: I won’t come to O’Brien.',
		analysis = jsonb_set(analysis, '{answers,ok}', '"I don’t know"') where id = $1`, call)
	v := n.as(n.staff)
	for path, want := range map[string]string{
		"/search?q=st.+john's":                          "St. John’s",
		"/search?q=o'brien":                             "Seán O’Brien",
		"/search?q=o%E2%80%99neill":                     "Dara O'Neill",
		"/campaigns?q=john's":                           "St. John’s",
		"/campaigns/" + id + "?q=o'brien":               "Seán O’Brien",
		"/campaigns/" + id + "?q=o%E2%80%99neill":       "Dara O'Neill",
		"/calls?q=o'brien":                              "/calls/" + call,
		"/calls?q=%22won%E2%80%99t+come%22":             "/calls/" + call,
		"/calls?answers[ok]=I+don't+know":               "/calls/" + call,
		"/calls?answers[ok]=I+don%E2%80%99t+know":       "/calls/" + call,
		"/calls?q=o'brien&answers[ok]=I+don't+know":     "/calls/" + call,
		"/calls?q=o'brien&agent_id=" + n.agent.String(): "/calls/" + call,
	} {
		v.get(path).want(http.StatusOK).has(want)
	}
	v.get("/calls?answers[ok]=I+do+know").want(http.StatusOK).lacks("/calls/" + call)
}
