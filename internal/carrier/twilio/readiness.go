package twilio

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// State reads the type and the status of an account. Its error is a *carrier.Error.
// https://www.twilio.com/docs/iam/api/account
func (a *Adapter) State(ctx context.Context, account Account) (carrier.AccountState, error) {
	var answer struct {
		Type   string `json:"type"`
		Status string `json:"status"`
	}
	err := a.accountClient(account).do(ctx, http.MethodGet, ".json", nil, &answer)
	return carrier.AccountState{Trial: answer.Type == "Trial", Status: answer.Status}, err
}

// MayCallFrom reports whether an account may call from a number: it has the number, with voice,
// or has verified it. Its error is a *carrier.Error.
// https://www.twilio.com/docs/voice/api/outgoing-caller-ids-resource
func (a *Adapter) MayCallFrom(ctx context.Context, account Account, number string) (bool, error) {
	c, query := a.accountClient(account), "?PageSize=1&PhoneNumber="+url.QueryEscape(number)
	var owned numberList
	if err := c.do(ctx, http.MethodGet, "/IncomingPhoneNumbers.json"+query, nil, &owned); err != nil {
		return false, err
	}
	for _, n := range owned.Numbers {
		if n.PhoneNumber == number && n.Capabilities.Voice {
			return true, nil
		}
	}
	var verified struct {
		IDs []struct {
			PhoneNumber string `json:"phone_number"`
		} `json:"outgoing_caller_ids"`
	}
	if err := c.do(ctx, http.MethodGet, "/OutgoingCallerIds.json"+query, nil, &verified); err != nil {
		return false, err
	}
	return len(verified.IDs) > 0 && verified.IDs[0].PhoneNumber == number, nil
}

func (a *Adapter) accountClient(account Account) *client {
	if account.APIURL == "" {
		account.APIURL = APIURL
	}
	return &client{adapter: a, connectionID: uuid.Nil, account: account}
}

const (
	hookEcho = "echo" // answers a callback that this server sent to itself
	echoTime = 5 * time.Second
)

// echoClient follows no redirect, as Twilio must not have to.
var echoClient = &http.Client{
	Timeout:       echoTime,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// echo is the answer to a nonce, which only a server with the account's token knows.
func (a Account) echo(nonce uuid.UUID) string {
	mac := hmac.New(sha256.New, []byte(a.AuthToken))
	fmt.Fprintf(mac, "echo %s", nonce)
	return hex.EncodeToString(mac.Sum(nil))
}

// Reach sends a callback to this deployment's own public address, signed as Twilio signs, and
// checks the answer. So a wrong proxy and somebody else's server are seen. The error is for
// users.
func (a *Adapter) Reach(ctx context.Context, connectionID uuid.UUID, account Account, private bool) error {
	base, err := url.Parse(a.base(account))
	if err != nil || base.Host == "" {
		return errors.New("the public address is not a URL")
	}
	if !private && base.Scheme != "https" {
		return fmt.Errorf("the address %s is not an https address", base)
	}
	if host := base.Hostname(); !private && (host == "localhost" || isPrivate(host)) {
		return fmt.Errorf("the address %s is not a public address", base)
	}
	nonce := uuid.New()
	address := a.hookURL(account, connectionID, nonce, hookEcho)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, http.NoBody)
	if err != nil {
		return errors.New("the public address is not a URL")
	}
	req.Header.Set(signatureHeader, sign(account.AuthToken, address, nil))
	res, err := echoClient.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err
		}
		return fmt.Errorf("%s could not be reached: %w", base, err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	switch {
	case res.StatusCode == http.StatusForbidden:
		return fmt.Errorf("the proxy at %s changes the path or the host of requests, so signatures do not match", base)
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("%s answered with status %d. Does another server answer there?", base, res.StatusCode)
	case !hmac.Equal([]byte(strings.TrimSpace(string(body))), []byte(account.echo(nonce))):
		return fmt.Errorf("another server answers at %s", base)
	}
	return nil
}

// isPrivate reports whether a host is an address that Twilio cannot reach.
func isPrivate(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast())
}

// answerEcho answers Reach. Its signature was checked as that of every callback.
func (a *Adapter) answerEcho(w http.ResponseWriter, _ *http.Request, cb callback) {
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, cb.account.echo(cb.callID))
}
