package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/dialwright/dialwright/internal/tool"
)

// "Try it" of a tool shows the variables that the answer sets, and says which it does not set.
func TestToolTrialTellsWhatIsNotSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	for _, c := range []struct {
		answer  string
		pointer string
		want    string
	}{
		{`{"slot":{"at":"9:30"}}`, "/slot/at", "9:30"},
		{`{"slot":{"at":"9:30"}}`, "/slot", "Not set: nothing usable at /slot"},
		{`{"slot":{"at":null}}`, "/slot/day", "Not set: nothing usable at /slot/day"},
		{`{"slot":1}`, "", "Not set: the answer is no text, number, true or false"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rw, c.answer)
		}))
		t.Cleanup(server.Close)
		made, _, err := w.app.Tools.Create(t.Context(), n.actor(), tool.NewTool{
			Name: fmt.Sprintf("slot_%s", digits(newID(), 6)), Description: "Tells a slot.", URL: server.URL,
			Values: []tool.Value{{Pointer: c.pointer, Variable: "slot"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		page := v.post("/settings/tools/"+made.ID.String()+"/try", form("arguments", "{}")).want(http.StatusOK)
		if page.has(c.want); c.want == "9:30" {
			page.lacks("Not set")
		}
	}
}
