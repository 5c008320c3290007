package sandbox

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/simulation"
)

// credentials are the credentials of an account that has more than its first auth token.
type credentials struct {
	primary   string            // signs the callbacks
	secondary string            // authenticates requests until it is promoted or deleted; empty: none
	keys      map[string]string // secrets of API keys, by SID
}

// credentialRoutes serves the parts of Twilio's API that rotate credentials. An auth token is
// required, as at Twilio.
// https://www.twilio.com/docs/iam/api/secondary_authtoken
// https://www.twilio.com/docs/iam/api/authtoken
// https://www.twilio.com/docs/iam/api-keys/key-resource-v2010
func (n *Network) credentialRoutes(mux *http.ServeMux) {
	handle := func(path string, h func(http.ResponseWriter, *http.Request, string)) {
		mux.HandleFunc("POST "+path, n.byToken(h))
	}
	handle("/v1/AuthTokens/Secondary", func(w http.ResponseWriter, _ *http.Request, account string) {
		simulation.JSON(w, http.StatusCreated, map[string]string{
			"account_sid": account, "secondary_auth_token": n.CreateSecondaryToken(account),
		})
	})
	handle("/v1/AuthTokens/Promote", func(w http.ResponseWriter, _ *http.Request, account string) {
		token, err := n.PromoteToken(account)
		if err != nil {
			refuse(w, http.StatusNotFound, 20404, err.Error())
			return
		}
		simulation.JSON(w, http.StatusOK, map[string]string{"account_sid": account, "auth_token": token})
	})
	handle("/2010-04-01/Accounts/{account}/Keys.json", func(w http.ResponseWriter, _ *http.Request, account string) {
		sid, secret := n.CreateKey(account)
		simulation.JSON(w, http.StatusCreated, map[string]string{"sid": sid, "secret": secret})
	})
}

// byToken serves a request that only an auth token of the account may make.
func (n *Network) byToken(h func(http.ResponseWriter, *http.Request, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		account := r.PathValue("account")
		if account == "" {
			account = user
		}
		if user != account || !n.accepts(account, user, password) {
			refuse(w, http.StatusUnauthorized, 20003, "Authenticate")
			return
		}
		h(w, r, account)
	}
}

// accepts reports whether a user may make requests for an account: the account itself with its
// primary or secondary auth token, or an API key of the account with its secret.
func (n *Network) accepts(account, user, password string) bool {
	if !strings.HasPrefix(account, "AC") {
		return false
	}
	n.Mu.Lock()
	c := n.credentialsOf(account)
	secrets := []string{c.primary, c.secondary}
	if user != account {
		secrets = []string{c.keys[user]}
	}
	n.Mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && subtle.ConstantTimeCompare([]byte(password), []byte(secret)) == 1 {
			return true
		}
	}
	return false
}

// credentialsOf returns an account's credentials. The caller holds n.Mu.
func (n *Network) credentialsOf(account string) credentials {
	if c, ok := n.credentials[account]; ok {
		return *c
	}
	return credentials{primary: AccountToken(n.token, account)}
}

// change changes the credentials of an account.
func (n *Network) change(account string, f func(*credentials)) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	c := n.credentialsOf(account)
	f(&c)
	n.credentials[account] = &c
}

// CreateSecondaryToken creates an auth token that authenticates requests beside the primary one.
// Callbacks are signed with the primary token until PromoteToken.
func (n *Network) CreateSecondaryToken(account string) string {
	token := randomHex()
	n.change(account, func(c *credentials) { c.secondary = token })
	return token
}

// PromoteToken makes the secondary auth token the primary one, which it returns. The old primary
// token is refused from now on, and callbacks are signed with the new one.
func (n *Network) PromoteToken(account string) (token string, err error) {
	n.change(account, func(c *credentials) {
		if c.secondary == "" {
			err = errors.New("the account has no secondary auth token")
			return
		}
		c.primary, c.secondary = c.secondary, ""
		token = c.primary
	})
	return token, err
}

// CreateKey creates an API key.
func (n *Network) CreateKey(account string) (sid, secret string) {
	sid, secret = "SK"+randomHex(), randomHex()
	n.change(account, func(c *credentials) {
		if c.keys == nil {
			c.keys = map[string]string{}
		}
		c.keys[sid] = secret
	})
	return sid, secret
}

// randomHex returns 32 hexadecimal digits, as Twilio's tokens and SIDs have.
func randomHex() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}
