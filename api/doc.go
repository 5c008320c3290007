// Package api owns the public HTTP API: its routes and the scope each needs,
// bearer authentication, the rate limit, request bodies and parameters, the
// form of answers and errors, and the description of all that (openapi.yaml).
// What the resources are and which values they accept is the domain packages'.
package api
