package twilio

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// checkTime bounds a Check, because a user waits for it.
const checkTime = 10 * time.Second

// Check asks Twilio whether it accepts the credentials of an account and allows it to read its
// calls. Placing and looking up calls need this access. Check changes nothing at Twilio. Its error
// is a *carrier.Error.
func (a *Adapter) Check(ctx context.Context, account Account) error {
	if account.APIURL == "" {
		account.APIURL = APIURL
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	c := &client{adapter: a, connectionID: uuid.Nil, account: account}
	var page struct{}
	return c.do(ctx, http.MethodGet, "/Calls.json?PageSize=1", nil, &page)
}
