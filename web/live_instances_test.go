package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/browsertest"
)

// An open page stays current while another server takes over, while its connection is
// cut, and after changes on any server.
func TestLivePartsAcrossServers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	path := "/campaigns/" + id.String()

	front := httptest.NewUnstartedServer(nil)
	newServer := func() (http.Handler, *app.App) {
		a := apptest.New(t, w.Pool, api.Reference, append(w.options, func(o *app.Options) {
			o.PublicURL = "http://" + front.Listener.Addr().String()
		})...)
		return Handler(a), a
	}
	first, firstApp := newServer()
	second, secondApp := newServer()
	var secondTurn atomic.Bool
	var streams [2]atomic.Int64 // number of streams that each server got
	front.Config.Handler = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		server, i := first, 0
		if secondTurn.Load() {
			server, i = second, 1
		}
		if r.URL.Path == path+"/events" {
			streams[i].Add(1)
		}
		server.ServeHTTP(out, r)
	})
	front.Start()
	t.Cleanup(func() {
		secondApp.Drain(context.Background())
		front.CloseClientConnections()
		front.Close()
	})

	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(front.URL + path)
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.WaitText(".page-title .badge", "Running")
	browsertest.Eval[bool](tab, "window.loadedOnce = true")
	elsewhere := n.as(n.admin) // the change is made at a third server
	elsewhere.post(path+"/pause", nil).want(http.StatusSeeOther)
	tab.WaitText(".page-title .badge", "Paused")

	// The first server shuts down and ends its streams.
	secondTurn.Store(true)
	firstApp.Drain(t.Context())
	elsewhere.post(path+"/resume", nil).want(http.StatusSeeOther)
	tab.WaitText(".page-title .badge", "Running")

	// The connection is cut.
	before := streams[1].Load()
	front.CloseClientConnections()
	elsewhere.post(path+"/pause", nil).want(http.StatusSeeOther)
	tab.WaitText(".page-title .badge", "Paused")
	if first, second := streams[0].Load(), streams[1].Load(); first != 1 || before == 0 || second <= before {
		t.Errorf("the first server was asked for %d streams, the second for %d, and %d when the connection was cut",
			first, before, second-before)
	}
	if !browsertest.Eval[bool](tab, "window.loadedOnce === true") {
		t.Error("the page was loaded anew")
	}
	for _, problem := range tab.Problems() {
		if strings.HasPrefix(problem, "console:") {
			t.Error(problem)
		}
	}
}
