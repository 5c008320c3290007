package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/alexedwards/scs/v2"

	"github.com/dialwright/dialwright/web/frame"
)

// A toast waits for the next page, which may never load. It contains no data of
// recipients, because an erasure does not delete toasts.
func TestToastsNameNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	const number, name = "+13125550142", "Wilhelmina Quist"
	b := n.as(n.admin)
	add := form("phone_number", number, "note", name)
	for _, what := range []string{"added", "added again"} {
		b.post("/do-not-call", add).leads("/do-not-call")
		w.lacksInSessions(what, number, name)
	}
	entry := value[string](w, `select id::text from do_not_call where phone_number = $1`, number)
	b.post("/do-not-call/"+entry+"/remove", form("reason", name)).leads("/do-not-call")
	w.lacksInSessions("removed", number, name)
	b.post("/campaigns/"+n.newCampaign().
		String()+"/recipients", form("recipients", "phone_number,name\n"+number+","+name+"\n", "action", "add")).
		want(http.StatusSeeOther)
	w.lacksInSessions("a recipient", number, name)
	b.post("/settings/erasures", form("phone_number", number, "confirm", "erase")).want(http.StatusSeeOther)
	w.lacksInSessions("erased", number, name)
}

// lacksInSessions searches the stored sessions of the dashboard.
func (w *world) lacksInSessions(what, number, name string) {
	w.t.Helper()
	store := frame.New(w.app).Sessions.Store
	all, err := store.(scs.IterableStore).All()
	if err != nil || len(all) == 0 {
		w.t.Fatal(len(all), err)
	}
	for token := range all {
		data, found, err := store.Find(token)
		if err != nil || !found {
			w.t.Fatal(found, err)
		}
		told := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(string(data))
		if !strings.Contains(told, frame.SessionToast) || strings.Contains(told, number[2:]) ||
			strings.Contains(string(data), name) {
			w.t.Errorf("%s: the session holds %q", what, data)
		}
	}
}
