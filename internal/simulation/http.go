package simulation

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// JSON answers a request.
func JSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Show returns a control route that answers with the value of get.
func Show[V any](get func(*http.Request) V) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { JSON(w, http.StatusOK, get(r)) }
}

// Control returns a control route that changes state. It answers an error with status 400 and the error's text.
func Control(change func(*http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := change(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// Number reads a parameter of a control route. A missing parameter is 0.
func Number(r *http.Request, name string) (int, error) {
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
