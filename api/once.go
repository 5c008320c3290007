package api

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
)

// creation is a request that creates something at most once per Idempotency-Key,
// as account.Idempotent says. A key counts for one path: recipients added to one
// campaign were not added to another.
type creation struct {
	digest []byte // of the body

	// refused are the known problems of the request. A kept answer goes
	// first: a body that was right a minute ago may name a time that has passed.
	refused error

	work func(tx pgx.Tx) (answer any, err error)
	wake func() // after the commit
}

// create answers a creation, with 201 when it is done.
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
				// An answer about the state of things is kept too.
				var text string
				if status, text = refusal(err); status >= http.StatusInternalServerError {
					return 0, nil, err // never kept, and what is behind it belongs in the log
				}
				answer = problem{text}
			}
			encoded, err := encode(answer)
			return status, encoded, err
		})
}
