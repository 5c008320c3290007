package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

const verifyTime = 5 * time.Second

// overridable reports whether webhooks of a field go to the account's own callback. Webhooks of
// other fields always go to the app's callback.
func overridable(field string) bool { return field == "messages" }

// tell posts a webhook in the background. The caller holds op.Mu.
func (op *Operator) tell(b *business, field string, value map[string]any) {
	op.StartLocked(func() { op.post(b, field, value) })
}

// post sends a webhook until it is accepted. It returns false if no app is subscribed to the
// account or every attempt fails.
func (op *Operator) post(b *business, field string, value map[string]any) bool {
	op.Mu.Lock()
	address, at := b.callback, op.now()
	if b.override != "" && overridable(field) {
		address = b.override
	}
	if !b.subscribed {
		address = ""
	}
	op.Mu.Unlock()
	if address == "" {
		return false
	}
	body, err := json.Marshal(map[string]any{
		"object": "whatsapp_business_account",
		"entry": []any{map[string]any{
			"id": b.id, "time": at.Unix(),
			"changes": []any{map[string]any{"field": field, "value": value}},
		}},
	})
	if err != nil {
		op.Log.Error("sandbox: webhook cannot be written", "field", field, "error", err)
		return false
	}
	err = op.Insist(op.Ctx, func() (again bool, err error) { return true, op.attempt(address, body) })
	if err != nil && op.Ctx.Err() == nil {
		op.Log.Warn("sandbox: webhook was not taken", "field", field, "error", err)
	}
	return err == nil
}

// attempt posts once. The app accepts a webhook only with a 200.
func (op *Operator) attempt(address string, body []byte) error {
	select {
	case op.posting <- struct{}{}:
		defer func() { <-op.posting }()
	case <-op.Ctx.Done():
		return op.Ctx.Err()
	}
	_, status, err := op.Post(op.Ctx, address, string(body), http.Header{
		"Content-Type":        {"application/json"},
		"User-Agent":          {"facebookexternalua"},
		"X-Hub-Signature-256": {op.sign(body)},
	})
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d", status)
	}
	return err
}

// sign returns X-Hub-Signature-256. The product has separate code for the signature, because a
// mistake in shared code would go unnoticed.
func (op *Operator) sign(body []byte) string {
	mac := hmac.New(sha256.New, []byte(op.appSecret))
	mac.Write(body)
	return fmt.Sprintf("sha256=%x", mac.Sum(nil))
}

// verify asks an address to repeat a challenge.
func (op *Operator) verify(ctx context.Context, address, verifyToken string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || len(address) > 200 {
		return errors.New("the callback is not a valid URL")
	}
	challenge := rand.Text()
	query := u.Query()
	query.Set("hub.mode", "subscribe")
	query.Set("hub.verify_token", verifyToken)
	query.Set("hub.challenge", challenge)
	u.RawQuery = query.Encode()
	ctx, cancel := context.WithTimeout(ctx, verifyTime)
	defer cancel()
	//nolint:gosec // the product names the address; the sandbox is for its own machine
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return errors.New("the callback is not a valid URL")
	}
	res, err := op.Client.Do(req) //nolint:gosec // as above
	if err != nil {
		return errors.New("the callback does not answer")
	}
	defer res.Body.Close()
	repeated, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	if err != nil || res.StatusCode != http.StatusOK || string(repeated) != challenge {
		return fmt.Errorf("the callback did not repeat the challenge: HTTP Status Code = %d", res.StatusCode)
	}
	return nil
}

// SetCallback configures the address of the account's app, as on the app's page at the operator.
// The address is verified first. It gets no webhooks before the app is subscribed to the account
// (POST …/subscribed_apps).
func (op *Operator) SetCallback(ctx context.Context, accountID, address, verifyToken string) error {
	op.Mu.Lock()
	b := op.accounts[accountID]
	op.Mu.Unlock()
	if b == nil {
		return fmt.Errorf("no account %s", accountID)
	}
	if err := op.verify(ctx, address, verifyToken); err != nil {
		return err
	}
	op.Mu.Lock()
	defer op.Mu.Unlock()
	b.callback = address
	return nil
}

// subscribe subscribes the app to the account, with another address if the request has one.
func (op *Operator) subscribe(w http.ResponseWriter, r *http.Request, b *business) {
	var in struct {
		Callback    string `json:"override_callback_uri"`
		VerifyToken string `json:"verify_token"`
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		refuseWith(100, "Invalid parameter").write(w)
		return
	}
	if in.Callback != "" {
		if err := op.verify(r.Context(), in.Callback, in.VerifyToken); err != nil {
			refuseWith(2200, "Callback verification failed with the following errors: "+err.Error()).write(w)
			return
		}
	}
	op.Mu.Lock()
	b.subscribed, b.override = true, in.Callback
	op.Mu.Unlock()
	simulation.JSON(w, http.StatusOK, map[string]any{"success": true})
}
