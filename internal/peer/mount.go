package peer

import (
	"context"
	"net/http"
	"regexp"
	"strings"
)

type mountKey struct{}

// WithMount keeps the part of a request's path that came before the path of its handler, "" if nothing did.
func WithMount(ctx context.Context, mount string) context.Context {
	return context.WithValue(ctx, mountKey{}, mount)
}

var ownMount = regexp.MustCompile(`/c/[0-9]+$`)

// Base returns the base of the address that the client called, which carriers sign. base is the one under which this
// server would be called. The two differ if a database served the client before another one did.
func Base(r *http.Request, base string) string {
	mount, ok := r.Context().Value(mountKey{}).(string)
	if !ok {
		return base
	}
	return ownMount.ReplaceAllString(strings.TrimRight(base, "/"), "") + mount
}
