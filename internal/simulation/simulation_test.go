package simulation_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

type state struct{ Live int }

func open(t *testing.T, o simulation.Options) *simulation.Run[state] {
	t.Helper()
	r := simulation.New[state](o)
	t.Cleanup(r.Close)
	return r
}

func TestTimePassesBySpeed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, simulation.Options{Speed: 10})
		start := time.Now()
		if !r.Pass(time.Minute) || time.Since(start) != 6*time.Second || r.Unscaled(6*time.Second) != time.Minute {
			t.Errorf("a minute took %v", time.Since(start))
		}
		if r := open(t, simulation.Options{}); r.Scaled(time.Minute) != time.Minute {
			t.Error("the default speed is not 1")
		}
		r.Close()
		if r.Pass(time.Minute) || r.Pass(0) {
			t.Error("time passes after the end")
		}
		if r.Start(func() { t.Error("runs after the end") }) {
			t.Error("something starts after the end")
		}
	})
}

func TestHoldEndsWithItsRequestOrItsRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, simulation.Options{Speed: 10})
		ctx, leave := context.WithTimeout(t.Context(), time.Minute)
		defer leave()
		req := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		start := time.Now()
		if !r.Hold(req, 0) || !r.Hold(req, time.Second) || time.Since(start) != time.Second {
			t.Errorf("held for %v", time.Since(start))
		}
		if r.Hold(req, time.Hour) || time.Since(start) != time.Minute {
			t.Errorf("held for a requester that left, until %v", time.Since(start))
		}
		unanswered := 1
		var at *time.Time
		if r.Answered(req, &unanswered, &at); unanswered != 0 || at != nil {
			t.Errorf("answered to nobody: %d, %v", unanswered, at)
		}
		req = httptest.NewRequest(http.MethodGet, "/", nil)
		if r.Answered(req, &unanswered, &at); unanswered != -1 || at == nil || !at.Equal(time.Now()) {
			t.Errorf("answered: %d, %v", unanswered, at)
		}
		time.AfterFunc(time.Second, r.Close)
		start = time.Now()
		if r.Hold(req, time.Hour) || time.Since(start) != time.Second {
			t.Errorf("held after the end, for %v", time.Since(start))
		}
	})
}

func TestAwaitSeesEveryChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, simulation.Options{})
		r.Start(func() {
			for range 3 {
				time.Sleep(time.Second)
				r.Mu.Lock()
				r.Counts.Live++
				r.Announce()
				r.Mu.Unlock()
			}
		})
		if s, err := r.Await(t.Context(), func(s state) bool { return s.Live == 3 }); err != nil || s != r.State() {
			t.Errorf("%v, %v", s, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := r.Await(ctx, func(state) bool { return false }); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func TestInsistEndsWithItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, simulation.Options{RetryFor: 4 * time.Second})
		for name, c := range map[string]struct {
			failures int
			again    bool
			attempts int
			took     time.Duration
			lasting  bool // try still fails at the end
		}{
			"at once":          {0, true, 1, 0, false},
			"the third time":   {2, true, 3, 300 * time.Millisecond, false},
			"a final refusal":  {9, false, 1, 0, true},
			"until time is up": {99, true, 7, 3500 * time.Millisecond, true},
		} {
			attempts, start := 0, time.Now()
			err := r.Insist(t.Context(), func() (bool, error) {
				if attempts++; attempts <= c.failures {
					return c.again, errors.New("refused")
				}
				return false, nil
			})
			if attempts != c.attempts || time.Since(start) != c.took || (err != nil) != c.lasting {
				t.Errorf("%s: %d attempts in %v, %v", name, attempts, time.Since(start), err)
			}
			if err != nil && !strings.Contains(err.Error(), "refused") {
				t.Errorf("%s: the last error is lost: %v", name, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Insist(ctx, func() (bool, error) {
			return true, errors.New("refused")
		}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestPost(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/", http.StatusFound)
		}
		_, _ = w.Write([]byte(r.Method + r.Header.Get("X-Name")))
	}))
	defer server.Close()
	r := open(t, simulation.Options{})
	header := http.Header{"X-Name": {"mine"}}
	if answer, status, err := r.Post(t.Context(), server.URL, "", header); string(answer) != "POSTmine" ||
		status != 200 || err != nil {
		t.Errorf("%s %d %v", answer, status, err)
	}
	if _, status, err := r.Post(t.Context(), server.URL+"/away", "", header); status != 302 || err == nil {
		t.Errorf("a redirect: %d %v", status, err)
	}
}

func TestTrimForgetsTheOldest(t *testing.T) {
	t.Parallel()
	for keep, want := range map[int][]int{
		9: {0, 1, 2, 3, 4, 5}, 6: {0, 1, 2, 3, 4, 5}, 5: {0, 2, 3, 4, 5}, 4: {0, 2, 4, 5}, 0: {0, 2, 4},
	} {
		var all []*int
		for i := range 6 {
			all = append(all, &i)
		}
		var got []int
		for _, n := range simulation.Trim(all, keep, func(n *int) bool { return *n%2 == 1 }) {
			got = append(got, *n)
		}
		if !slices.Equal(got, want) {
			t.Errorf("keep %d: %v", keep, got)
		}
	}
}

func TestDrawDependsOnItsWords(t *testing.T) {
	t.Parallel()
	draw := func(words ...string) uint64 { return simulation.Draw(words...).Uint64() }
	first, again := draw("a", "b"), draw("a", "b")
	if first != again || first == draw("ab") || first == draw("b", "a") {
		t.Error("not by the words alone")
	}
}

func TestControlRoutes(t *testing.T) {
	t.Parallel()
	var got int
	control := simulation.Control(func(r *http.Request) (err error) {
		got, err = simulation.Number(r, "ms")
		return err
	})
	for query, want := range map[string]struct{ status, got int }{
		"ms=0": {204, 0}, "ms=25": {204, 25}, "": {204, 0}, "ms=-1": {400, 0}, "ms=x": {400, 0},
	} {
		w := httptest.NewRecorder()
		control(w, httptest.NewRequest(http.MethodPut, "/?"+query, nil))
		if w.Code != want.status || got != want.got {
			t.Errorf("%q: %d, %d", query, w.Code, got)
		}
	}
	w := httptest.NewRecorder()
	simulation.Show(func(*http.Request) state {
		return state{Live: 2}
	})(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" || w.Body.String() != "{\"Live\":2}\n" {
		t.Errorf("%d %s %s", w.Code, w.Header(), w.Body)
	}
}
