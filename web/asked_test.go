package web

import (
	"net/http"
	"net/url"
	"testing"
)

// A filter with text that the database can't store finds nothing and causes no server
// error.
func TestAnythingMayBeAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	campaign := "/campaigns/" + n.newCampaign().String()
	for _, list := range [][2]string{
		{"/campaigns", "q"}, {campaign, "q"}, {"/calls", "q"}, {"/messaging/messages", "template"},
		{"/settings/audit-log", "action"},
		{"/do-not-call", "q"},
	} {
		for _, text := range []string{"\x00", "\xff"} {
			if got := b.get(list[0] + "?" + url.Values{
				list[1]: {text},
			}.Encode()); got.status != http.StatusOK && got.status != http.StatusUnprocessableEntity {
				t.Errorf("%s of %q by %s: %d", list[0], text, list[1], got.status)
			}
		}
	}
}
