// Package oidctest is an OpenID provider for tests. It checks what it is asked for as strictly as a real one, and can
// misbehave.
package oidctest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The client that every Provider knows.
const (
	ClientID     = "dialwright"
	ClientSecret = "the secret of the client: ü&+"
)

// Behavior is how a Provider answers. Its zero value signs nobody in.
type Behavior struct {
	Subject string
	Claims  map[string]any // of the ID token and the user info

	Ask          bool     // show a page on which the person continues; without it, sign in at once
	OnlyInfo     []string // claims that are in the user info and not in the ID token
	Refuse       string   // answer with this error instead of a code
	Silent       bool     // answer nothing until the request ends
	Long         bool     // answer the request for a token without an end
	Redirect     bool     // answer the request for a token with a redirect
	NoToken      bool     // answer the request for a token without an ID token
	OtherNonce   bool     // the ID token has another nonce
	OtherIssuer  bool     // the ID token is from another issuer
	Audience     []string // of the ID token; nil: the client
	Azp          string   // of the ID token; "": none
	Expired      bool     // the ID token has expired
	OtherKey     bool     // the ID token is signed with a key that the provider does not publish
	Unsigned     bool     // the ID token has the algorithm "none"
	OtherSubject bool     // the user info is about somebody else
	OtherIss     bool     // the answer names another issuer
	Post         bool     // the provider takes the secret of the client in the body only
}

// Provider is an OpenID provider on this machine.
type Provider struct {
	Issuer string

	mu     sync.Mutex
	does   Behavior
	keys   []jose.JSONWebKey // the newest last
	hidden jose.JSONWebKey
	codes  map[string]grant
	tokens map[string]Behavior // by access token
	asked  map[string]int      // requests, by path
}

// grant is what a code stands for.
type grant struct {
	redirect  string
	nonce     string
	challenge string
	does      Behavior
}

// New starts a Provider for the time of a test.
func New(tb testing.TB) *Provider {
	tb.Helper()
	p, stop := Start()
	tb.Cleanup(stop)
	return p
}

// Start starts a Provider until stop is called.
func Start() (p *Provider, stop func()) {
	p = &Provider{codes: map[string]grant{}, tokens: map[string]Behavior{}, asked: map[string]int{}}
	p.hidden = newKey()
	p.RotateKeys()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.describe)
	mux.HandleFunc("GET /keys", p.publish)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userInfo)
	server := httptest.NewServer(p.counting(mux))
	p.Issuer = server.URL
	return p, func() {
		server.CloseClientConnections()
		server.Close()
	}
}

// SignsIn makes the provider sign somebody in with a verified address and other claims.
func (p *Provider) SignsIn(subject, email string, claims map[string]any) {
	all := map[string]any{"email": email, "email_verified": true, "name": "Name of " + subject}
	maps.Copy(all, claims)
	p.Does(Behavior{Subject: subject, Claims: all})
}

// Does sets how the provider answers from now on.
func (p *Provider) Does(b Behavior) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.does = b
}

// But changes how the provider answers.
func (p *Provider) But(change func(*Behavior)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.does)
}

// RotateKeys replaces the key that signs ID tokens.
func (p *Provider) RotateKeys() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = []jose.JSONWebKey{newKey()}
}

// Asked returns how many requests a path of the provider has got.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// Visit does what a browser does with the address of an authorization request: it returns the address to which the
// provider sends it back.
func (p *Provider) Visit(tb testing.TB, address string) *url.URL {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, address, nil)
	if err != nil {
		tb.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer answer.Body.Close()
	to, err := answer.Location()
	if err != nil {
		tb.Fatalf("the provider answers %d to %s", answer.StatusCode, address)
	}
	return to
}

func newKey() jose.JSONWebKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(jose.ES256), Use: "sig"}
}

// counting counts requests, and answers none while the provider is silent.
func (p *Provider) counting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked[r.URL.Path]++
		silent := p.does.Silent
		p.mu.Unlock()
		if silent {
			<-r.Context().Done()
			return
		}
		next.ServeHTTP(w, r)
	})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has gone
}

func (p *Provider) describe(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	methods := []string{"client_secret_basic", "client_secret_post"}
	if p.does.Post {
		methods = methods[1:]
	}
	answer(w, http.StatusOK, map[string]any{
		"issuer":                                         p.Issuer,
		"authorization_endpoint":                         p.Issuer + "/authorize",
		"token_endpoint":                                 p.Issuer + "/token",
		"userinfo_endpoint":                              p.Issuer + "/userinfo",
		"jwks_uri":                                       p.Issuer + "/keys",
		"response_types_supported":                       []string{"code"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{"ES256"},
		"token_endpoint_auth_methods_supported":          methods,
		"authorization_response_iss_parameter_supported": true,
	})
}

func (p *Provider) publish(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var set jose.JSONWebKeySet
	for _, key := range p.keys {
		set.Keys = append(set.Keys, key.Public())
	}
	answer(w, http.StatusOK, set)
}

// authorize refuses a request that lacks what the product must send.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	switch {
	case q.Get("client_id") != ClientID, q.Get("response_type") != "code", q.Get("redirect_uri") == "",
		!slices.Contains(strings.Fields(q.Get("scope")), "openid"), q.Get("state") == "", q.Get("nonce") == "",
		q.Get("code_challenge") == "", q.Get("code_challenge_method") != "S256":
		http.Error(w, "not an authorization request with PKCE: "+r.URL.RawQuery, http.StatusBadRequest)
		return
	case p.does.Ask && q.Get("continue") == "":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		q.Set("continue", "yes")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>
			<a id="continue" href="/authorize?%s">Continue</a></main></html>`, html.EscapeString(q.Encode()))
		return
	}
	back := url.Values{"state": {q.Get("state")}, "iss": {p.Issuer}}
	if p.does.OtherIss {
		back.Set("iss", "https://elsewhere.example.com")
	}
	if p.does.Refuse != "" || p.does.Subject == "" {
		back.Set("error", "access_denied")
		if p.does.Refuse != "" {
			back.Set("error", p.does.Refuse)
		}
	} else {
		code := rand.Text()
		p.codes[code] = grant{q.Get("redirect_uri"), q.Get("nonce"), q.Get("code_challenge"), p.does}
		back.Set("code", code)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// isClient reports whether a request has the secret of the client.
func (p *Provider) isClient(r *http.Request) bool {
	if p.does.Post {
		return r.PostFormValue("client_id") == ClientID && r.PostFormValue("client_secret") == ClientSecret
	}
	id, secret, ok := r.BasicAuth()
	if id, err := url.QueryUnescape(id); err != nil || id != ClientID {
		return false
	}
	secret, err := url.QueryUnescape(secret)
	return ok && err == nil && secret == ClientSecret
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isClient(r) {
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	code := r.PostFormValue("code")
	g, known := p.codes[code]
	delete(p.codes, code) // it works once
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || r.PostFormValue("grant_type") != "authorization_code" ||
		r.PostFormValue("redirect_uri") != g.redirect || base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge {
		answer(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
		return
	}
	switch {
	case g.does.Redirect:
		http.Redirect(w, r, p.Issuer+"/token", http.StatusTemporaryRedirect)
		return
	case g.does.Long:
		w.Header().Set("Content-Type", "application/json")
		for {
			if _, err := w.Write([]byte(strings.Repeat(" ", 64<<10))); err != nil {
				return
			}
		}
	}
	access := rand.Text()
	p.tokens[access] = g.does
	tokens := map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 300}
	if !g.does.NoToken {
		tokens["id_token"] = p.sign(g, access)
	}
	answer(w, http.StatusOK, tokens)
}

// sign makes an ID token.
func (p *Provider) sign(g grant, access string) string {
	now := time.Now()
	hash := sha256.Sum256([]byte(access))
	claims := map[string]any{}
	maps.Copy(claims, g.does.Claims)
	for _, claim := range g.does.OnlyInfo {
		delete(claims, claim)
	}
	maps.Copy(claims, map[string]any{
		"iss": p.Issuer, "sub": g.does.Subject, "aud": ClientID, "nonce": g.nonce, "iat": now.Unix(),
		"exp": now.Add(5 * time.Minute).Unix(), "at_hash": base64.RawURLEncoding.EncodeToString(hash[:16]),
	})
	if g.does.OtherNonce {
		claims["nonce"] = "another"
	}
	if g.does.OtherIssuer {
		claims["iss"] = "https://elsewhere.example.com"
	}
	if g.does.Audience != nil {
		claims["aud"] = g.does.Audience
	}
	if g.does.Azp != "" {
		claims["azp"] = g.does.Azp
	}
	if g.does.Expired {
		claims["exp"] = now.Add(-time.Hour).Unix()
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	if g.does.Unsigned {
		return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." +
			base64.RawURLEncoding.EncodeToString(payload) + "."
	}
	key := p.keys[len(p.keys)-1]
	if g.does.OtherKey {
		key = p.hidden
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, nil)
	if err != nil {
		panic(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		panic(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return token
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	does, known := p.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !known {
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_token"})
		return
	}
	claims := map[string]any{"sub": does.Subject}
	maps.Copy(claims, does.Claims)
	if does.OtherSubject {
		claims["sub"] = "somebody else"
	}
	answer(w, http.StatusOK, claims)
}
