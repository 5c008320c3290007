package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/page"
)

// resource is a noun of a domain package. R is its public JSON.
type resource[R any] interface{ Resource() R }

// list answers a page of the organization's resources. filter reads the query. A list
// without filters uses (*query).page.
func list[F, R any, T resource[R]](
	filter func(*query) F, get func(context.Context, uuid.UUID, F) (page.List[T], error),
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q := queryOf(r)
		f := filter(q)
		if err := q.err(); err != nil {
			return err
		}
		found, err := get(r.Context(), organization(r), f)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, page.Map(found, T.Resource))
	}
}

// listOf answers a page of the resources that belong to the noun with the {id} of the
// path.
func listOf[F, R any, T resource[R]](
	noun string, filter func(*query) F, get func(context.Context, uuid.UUID, uuid.UUID, F) (page.List[T], error),
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, noun)
		if err != nil {
			return err
		}
		within := func(ctx context.Context, organizationID uuid.UUID, f F) (page.List[T], error) {
			return get(ctx, organizationID, id, f)
		}
		return list(filter, within)(w, r)
	}
}

// one answers the noun with the {id} of the path.
func one[R any, T resource[R]](
	noun string, get func(context.Context, uuid.UUID, uuid.UUID) (T, error),
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, noun)
		if err != nil {
			return err
		}
		found, err := get(r.Context(), organization(r), id)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, found.Resource())
	}
}

// act changes the noun with the {id} of the path and answers it.
func act[R any, T resource[R]](
	noun string, change func(context.Context, account.Actor, uuid.UUID) (T, error),
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, noun)
		if err != nil {
			return err
		}
		changed, err := change(r.Context(), actor(r), id)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, changed.Resource())
	}
}

// remove removes the noun with the {id} of the path.
func remove(noun string, work func(context.Context, account.Actor, uuid.UUID) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, noun)
		if err != nil {
			return err
		}
		if err := work(r.Context(), actor(r), id); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}
