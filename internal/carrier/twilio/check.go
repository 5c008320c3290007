package twilio

import (
	"context"
	"net/http"
	"time"
)

// checkTime bounds a Check, because a user waits for it.
const checkTime = 10 * time.Second

// Check asks Twilio whether it accepts the credentials of an account and allows it to read its
// calls. Placing and looking up calls need this access. Check changes nothing at Twilio. Its error
// is a *carrier.Error.
func (a *Adapter) Check(ctx context.Context, account Account) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var page struct{}
	return a.accountClient(account).do(ctx, http.MethodGet, "/Calls.json?PageSize=1", nil, &page)
}
