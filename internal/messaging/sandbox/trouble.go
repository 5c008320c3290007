package sandbox

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Trouble is how an account misbehaves. The zero value is none.
type Trouble struct {
	Kind  TroubleKind
	Delay time.Duration // of Slow: real time
	Code  int           // of Refusing: Meta's
}

// TroubleKind is a kind of trouble.
type TroubleKind string

const (
	None      TroubleKind = ""
	Slow      TroubleKind = "slow"      // requests are carried out, and answered late
	Down      TroubleKind = "down"      // a bare 503; nothing is carried out
	Malformed TroubleKind = "malformed" // requests are carried out, and their answers cannot be read
	Refusing  TroubleKind = "refusing"  // every request is refused with one code
)

// SetTrouble makes an account, or every one for "", misbehave from now on.
func (op *Operator) SetTrouble(accountID string, t Trouble) error {
	switch t.Kind {
	case None, Slow, Down, Malformed, Refusing:
	default:
		return fmt.Errorf("no trouble is called %q", t.Kind)
	}
	if t.Kind != Slow {
		t.Delay = 0
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	if accountID != "" && op.accounts[accountID] == nil {
		return fmt.Errorf("no account %s", accountID)
	}
	for id, b := range op.accounts {
		if accountID == "" || accountID == id {
			b.trouble = t
		}
	}
	return nil
}

// before answers the request itself when nothing is to be carried out.
func (t Trouble) before(w http.ResponseWriter) bool {
	switch t.Kind {
	case Down:
		http.Error(w, "no healthy upstream", http.StatusServiceUnavailable)
	case Refusing:
		refuseWith(t.Code, "the sandbox was told to refuse").write(w)
	default:
		return false
	}
	return true
}

// control is a route that changes something.
func (op *Operator) control(mux *http.ServeMux, pattern string, change func(*http.Request) error) {
	mux.HandleFunc(pattern, op.authorized(func(w http.ResponseWriter, r *http.Request) {
		if err := change(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
}

// number is a parameter of a control route, 0 when it is left out.
func number(r *http.Request, name string) (int, error) {
	value := r.FormValue(name)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s: not a number", name)
	}
	return n, nil
}
