package api

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
)

// once does work at most once per Idempotency-Key of the request, as
// account.Idempotent says; digest is the body's. Without a key it just does it.
// A key holds for the path: what was added to one campaign was not to another.
//
// refused is what is already known to be wrong with the request. With a key it
// is only answered when there is no kept answer: the very body that was right a
// minute ago may name a time that is past now.
func (a *api) once(
	r *http.Request, digest []byte, refused error, work func(tx pgx.Tx) (status int, answer any, err error),
) (account.Answer, error) {
	key := r.Header.Get("Idempotency-Key")
	if refused != nil && key == "" {
		return account.Answer{}, refused
	}
	return a.Accounts.Idempotent(r.Context(), actor(r), r.Method+" "+r.URL.Path, key, digest,
		func(tx pgx.Tx) (int, []byte, error) {
			if refused != nil {
				return 0, nil, refused
			}
			status, answer, err := work(tx)
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

// sendOnce answers what once gave.
func sendOnce(w http.ResponseWriter, r *http.Request, answer account.Answer) error {
	if answer.Replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	return sendEncoded(w, r, answer.Status, answer.Body)
}
