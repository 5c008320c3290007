// Package api owns the public HTTP API: its routes and their scopes, bearer
// authentication, the rate limit, request bodies and parameters, the format of answers
// and errors, and the description of the API (openapi.yaml). The domain packages define
// the resources and their valid values.
package api
