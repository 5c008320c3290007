package api

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// creation is a request that creates an object at most once per Idempotency-Key, as
// account.Idempotent documents. A key applies to one path, because the same body may add
// recipients to two campaigns.
type creation struct {
	digest []byte // SHA-256 of the body

	// refused is the error of a body with problems. A stored answer takes precedence: a
	// valid body may name a time that has passed since.
	refused error

	work func(tx pgx.Tx) (answer any, err error)
	wake func() // called after the commit
}

// create answers a creation, with 201 after a success.
func (a *api) create(w http.ResponseWriter, r *http.Request, c creation) error {
	answer, err := a.once(r, c)
	if err != nil {
		return err
	}
	if answer.Replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	} else if answer.Status == http.StatusCreated {
		c.wake()
	}
	return sendEncoded(w, r, answer.Status, answer.Body)
}

func (a *api) once(r *http.Request, c creation) (account.Answer, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" && len(r.Header.Values("Idempotency-Key")) > 0 { // a variable that was never set
		return account.Answer{}, fault.Invalidf("Idempotency-Key", "must not be empty")
	}
	if c.refused != nil && key == "" {
		return account.Answer{}, c.refused
	}
	return a.Accounts.Idempotent(r.Context(), actor(r), r.Method+" "+r.URL.Path, key, c.digest,
		func(tx pgx.Tx) (int, []byte, error) {
			if c.refused != nil {
				return 0, nil, c.refused
			}
			status := http.StatusCreated
			answer, err := c.work(tx)
			if err != nil {
				// The stored answer may be a refusal because of the current state.
				var text string
				if status, text = refusal(err); status >= http.StatusInternalServerError {
					return 0, nil, err // a 500 is not stored, and its cause belongs in the log
				}
				answer = problem{text}
			}
			encoded, err := encode(answer)
			return status, encoded, err
		})
}
