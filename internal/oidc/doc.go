// Package oidc is the client of organizations' OpenID providers: discovery, the authorization code flow with PKCE,
// state and nonce, and the verification of ID tokens. Organizations choose the addresses of their providers, so
// every request goes through the guard.
package oidc
