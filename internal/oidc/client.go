package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
)

const (
	// requestTime bounds one request to a provider, from the DNS lookup to the last byte of the answer.
	requestTime = 10 * time.Second

	// maxAnswer bounds an answer in bytes. Tokens with thousands of groups are smaller.
	maxAnswer = 512 << 10

	// discoveryLife is how long a provider's description is used before it is read again.
	discoveryLife = 10 * time.Minute

	// maxKept bounds the descriptions that a process keeps.
	maxKept = 1000
)

// Provider is an organization's registration with its provider.
type Provider struct {
	Issuer       string
	ClientID     string
	ClientSecret string
	RedirectURL  string // where the provider sends the browser back to
}

// Client makes requests to providers. It is safe for concurrent use.
type Client struct {
	guard *guard.Guard
	http  *http.Client
	time  time.Duration
	turn  singleflight.Group

	mu   sync.Mutex
	kept map[string]*description // by issuer
}

// Options are the dependencies of a Client. Guard is required.
type Options struct {
	Guard   *guard.Guard
	Version string        // of the product, for the header User-Agent
	Time    time.Duration // bounds one request; 0: 10 s
}

// New makes a Client.
func New(o Options) *Client {
	if o.Time == 0 {
		o.Time = requestTime
	}
	return &Client{
		guard: o.Guard,
		time:  o.Time,
		kept:  map[string]*description{},
		http: &http.Client{
			Timeout:   o.Time,
			Transport: bounded{next: o.Guard.Transport(), agent: "Dialwright/" + o.Version},
			// A redirect would take the secret of the client, or a token, to another place.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// bounded bounds the bodies of answers.
type bounded struct {
	next  http.RoundTripper
	agent string
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", b.agent)
	answer, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &boundedBody{ReadCloser: answer.Body, left: maxAnswer}
	return answer, nil
}

type boundedBody struct {
	io.ReadCloser
	left int
}

var errTooLong = errors.New("the answer is too long")

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLong
	}
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return n, errTooLong
	}
	return n, err
}

// description is what a provider says about itself.
type description struct {
	provider *oidc.Provider
	endpoint oauth2.Endpoint
	userInfo string
	iss      bool // answers name their issuer (RFC 9207)
	read     time.Time
}

// CheckIssuer checks the text of an issuer for the field at path.
func (c *Client) CheckIssuer(p *fault.Problems, path string, issuer *string) {
	before := p.Len()
	c.guard.CheckURL(p, path, issuer)
	if p.Len() > before {
		return
	}
	*issuer = strings.TrimSuffix(*issuer, wellKnown)
	if u, err := url.Parse(*issuer); err != nil || u.RawQuery != "" || u.ForceQuery {
		p.Addf(path, "must not contain a query (?)")
	}
}

const wellKnown = "/.well-known/openid-configuration"

// Discover reads the description of a provider, for the field at path. It returns the issuer as the provider writes
// it, which may differ by a slash at the end. Errors: Invalid at path, also if the provider does not answer, because
// the person who entered the issuer can see and correct it.
func (c *Client) Discover(ctx context.Context, path, issuer string) (string, error) {
	d, err := c.discover(ctx, issuer)
	if mismatch, ok := errors.AsType[*oidc.IssuerMismatchError](err); ok &&
		strings.TrimSuffix(mismatch.Discovered, "/") == strings.TrimSuffix(issuer, "/") {
		issuer = mismatch.Discovered
		d, err = c.discover(ctx, issuer)
	}
	if err != nil {
		return "", fault.Invalidf(path, "%s", c.explain(err)).Because(short(err))
	}
	c.keep(issuer, d)
	return issuer, nil
}

// described returns the description of a provider that is in use. Errors: BadGateway.
func (c *Client) described(ctx context.Context, issuer string) (*description, error) {
	c.mu.Lock()
	d := c.kept[issuer]
	c.mu.Unlock()
	if d != nil && time.Since(d.read) < discoveryLife {
		return d, nil
	}
	// One request serves everybody who waits, so it must not end with the first of them.
	read, err, _ := c.turn.Do(issuer, func() (any, error) { return c.discover(context.WithoutCancel(ctx), issuer) })
	if err != nil {
		if d != nil { // a sign-in still works while only the description is away
			return d, nil
		}
		return nil, c.gateway(issuer, err)
	}
	d, _ = read.(*description)
	c.keep(issuer, d)
	return d, nil
}

func (c *Client) keep(issuer string, d *description) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.kept) >= maxKept {
		clear(c.kept)
	}
	c.kept[issuer] = d
}

// errIncomplete is the error of a description that lacks something.
type errIncomplete struct{ what string }

func (e errIncomplete) Error() string { return e.what }

func (c *Client) discover(ctx context.Context, issuer string) (*description, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, c.http), issuer)
	if err != nil {
		return nil, err
	}
	var more struct {
		JWKS    string   `json:"jwks_uri"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
		Iss     bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	d := &description{
		provider: provider,
		endpoint: provider.Endpoint(),
		userInfo: provider.UserInfoEndpoint(),
		iss:      more.Iss,
		read:     time.Now(),
	}
	for name, address := range map[string]string{
		"authorization_endpoint": d.endpoint.AuthURL, "token_endpoint": d.endpoint.TokenURL, "jwks_uri": more.JWKS,
	} {
		var p fault.Problems
		if c.guard.CheckURL(&p, name, &address); p.Len() > 0 {
			return nil, errIncomplete{"the provider's description has no usable " + name}
		}
	}
	// Without a choice here, a refused secret would be sent again in another way, with a code that is used up.
	d.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if len(more.Methods) > 0 && !slices.Contains(more.Methods, "client_secret_basic") {
		d.endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return d, nil
}
