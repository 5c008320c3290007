package sandbox

import (
	"fmt"
	"net/http"
	"time"
)

// Trouble is a simulated failure of an account. The zero value is no trouble.
type Trouble struct {
	Kind  TroubleKind
	Delay time.Duration // of Slow: real time
	Code  int           // of Refusing: Meta's code
}

// TroubleKind is a kind of trouble.
type TroubleKind string

const (
	None      TroubleKind = ""
	Slow      TroubleKind = "slow"      // requests are carried out, and answered late
	Down      TroubleKind = "down"      // a bare 503; nothing is carried out
	Malformed TroubleKind = "malformed" // requests are carried out, but their answers cannot be read
	Refusing  TroubleKind = "refusing"  // every request is refused with one code
)

// SetTrouble sets the trouble of an account, or of every account for "", from now on.
func (op *Operator) SetTrouble(accountID string, t Trouble) error {
	switch t.Kind {
	case None, Slow, Down, Malformed, Refusing:
	default:
		return fmt.Errorf("no trouble is called %q", t.Kind)
	}
	if t.Kind != Slow {
		t.Delay = 0
	}
	op.Mu.Lock()
	defer op.Mu.Unlock()
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

// before answers the request and returns true if the request must not be carried out.
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
