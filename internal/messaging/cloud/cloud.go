// Package cloud is a client of the WhatsApp Cloud API. It reads the numbers of a business
// account with their messaging limits, and its templates. It sends templates. It verifies
// webhooks and parses them into typed events.
//
// Package messaging/sandbox is the other side of the same protocol.
// https://developers.facebook.com/documentation/business-messaging/whatsapp
package cloud

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// Defaults of Options.
const (
	GraphURL     = "https://graph.facebook.com"
	GraphVersion = "v26.0"
)

const (
	requestTime = 10 * time.Second
	maxAnswer   = 4 << 20 // bytes of one answer that are read
	pageSize    = 100
	maxPages    = 200 // pages of one list; Meta allows far fewer numbers and templates
)

// Options configures a Client. The zero value connects to Meta.
type Options struct {
	GraphURL  string        // base URL without the version; "": GraphURL
	Version   string        // of the Graph API, "v26.0"; "": GraphVersion
	Timeout   time.Duration // the longest one request may take, within the caller's deadline; 0: 10 s
	Client    *http.Client  // nil: a client with a pool for hundreds of requests per second
	UserAgent string        // of the requests; "": that of net/http
}

// Client has the address and the connection pool, which all business accounts share. It is safe for
// concurrent use.
type Client struct {
	base      string // with the version
	version   string
	timeout   time.Duration
	client    *http.Client
	userAgent string
}

// New makes a client.
func New(o Options) *Client {
	if o.GraphURL == "" {
		o.GraphURL = GraphURL
	}
	if o.Version == "" {
		o.Version = GraphVersion
	}
	if o.Timeout <= 0 {
		o.Timeout = requestTime
	}
	if o.Client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConns = 512
		t.MaxIdleConnsPerHost = 256 // with the default of 2, nearly every message would open a connection
		o.Client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect could send the token elsewhere, or a message twice
		}}
	}
	return &Client{
		base:      strings.TrimRight(o.GraphURL, "/") + "/" + url.PathEscape(strings.Trim(o.Version, "/")),
		version:   o.Version,
		timeout:   o.Timeout,
		client:    o.Client,
		userAgent: o.UserAgent,
	}
}

// Credentials give access to a business account.
type Credentials struct {
	AccountID string // of the WhatsApp Business Account: digits
	Token     string // of a system user
	// AppSecret signs webhooks. If it is set, every request proves knowledge of it. So a wrong
	// secret fails at the first request, not when the first webhook is rejected because of its
	// signature.
	AppSecret string
}

// Account is a WhatsApp Business Account, accessed with one set of credentials. The error
// of every method wraps an *Error, whose class says what to do. No error contains the
// token, a phone number or an address.
type Account struct {
	client *Client
	cred   Credentials
}

// Account returns a business account.
func (c *Client) Account(cred Credentials) *Account { return &Account{client: c, cred: cred} }

// identifier matches an ID of the Graph API. Nothing else may become part of a path.
var identifier = regexp.MustCompile(`^[0-9]{1,32}$`)

// do sends one request and decodes a 2xx answer into out. It never repeats the request, because a
// request with the result Unknown may have been carried out.
func (a *Account) do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	ctx, cancel := context.WithTimeout(ctx, a.client.timeout)
	defer cancel()
	// If no connection was made, the request was certainly not sent. The hooks run again
	// when net/http moves to a new connection, which it does only if nothing was written
	// to the old connection.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { connected.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})

	if query == nil {
		query = url.Values{}
	}
	if a.cred.AppSecret != "" {
		query.Set("appsecret_proof", proof(a.cred.AppSecret, a.cred.Token))
	}
	address := a.client.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return &Error{Class: Permanent, Reason: "the request could not be written", Err: err}
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return &Error{Class: StopCredentials, Reason: "the address of the WhatsApp API is not valid"}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+a.cred.Token)
	if a.client.userAgent != "" {
		req.Header.Set("User-Agent", a.client.userAgent)
	}

	res, err := a.client.client.Do(req)
	if err != nil {
		return a.unanswered(err, connected.Load())
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer)) // a longer answer fails to decode below
	if refused := a.refusal(res, answer); refused != nil {
		return refused // the status decides, even if the body could not be read
	}
	if err != nil {
		return a.unanswered(err, true)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return unreadable(err)
	}
	return nil
}

// list reads every page of an edge and calls each for every item. It does not follow
// paging.next, which could send the token anywhere.
func (a *Account) list(ctx context.Context, path, fields string, each func(json.RawMessage) error) error {
	query := url.Values{"fields": {fields}, "limit": {fmt.Sprint(pageSize)}}
	after := ""
	for range maxPages {
		var page struct {
			Data   *[]json.RawMessage `json:"data"`
			Paging struct {
				Cursors struct {
					After string `json:"after"`
				} `json:"cursors"`
				Next string `json:"next"`
			} `json:"paging"`
		}
		if err := a.do(ctx, http.MethodGet, path, query, nil, &page); err != nil {
			return err
		}
		if page.Data == nil {
			return unreadable(errors.New("a list without data"))
		}
		for _, item := range *page.Data {
			if err := each(item); err != nil {
				return unreadable(err)
			}
		}
		if page.Paging.Next == "" {
			return nil
		}
		if page.Paging.Cursors.After == "" || page.Paging.Cursors.After == after {
			return unreadable(errors.New("a list that does not go on"))
		}
		after = page.Paging.Cursors.After
		query.Set("after", after)
	}
	return unreadable(fmt.Errorf("a list of more than %d pages", maxPages))
}

// decode reads an item. It leaves out values of an unexpected type and fails only when
// the item itself has an unexpected type.
func decode(item json.RawMessage, v any) error {
	err := json.Unmarshal(item, v)
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && mismatch.Field != "" {
		return nil
	}
	return err
}

// proof proves knowledge of the app secret.
// https://developers.facebook.com/docs/graph-api/guides/secure-requests
func proof(appSecret, token string) string {
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write([]byte(token))
	return hex.EncodeToString(mac.Sum(nil))
}
