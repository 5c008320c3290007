package twilio

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier"
)

// priced is the part of a resource that has its price. Twilio's prices are negative numbers, and
// null until they are known. The unit is known earlier.
type priced struct {
	Price *string `json:"price"`
	Unit  string  `json:"price_unit"`
}

var (
	decimal  = regexp.MustCompile(`^-?\d{1,9}(\.\d{1,12})?$`)
	currency = regexp.MustCompile(`^[A-Z]{3}$`)
)

// CallPrice reads the price of a call. Detection and ConversationRelay are billed too, but Twilio has
// no price of them for a single call.
// https://www.twilio.com/docs/voice/api/call-resource
func (c *client) CallPrice(ctx context.Context, carrierCallID string) (carrier.Price, error) {
	return c.price(ctx, "/Calls/"+url.PathEscape(carrierCallID)+".json")
}

// RecordingPrice reads the price of a recording.
// https://www.twilio.com/docs/voice/api/recording
func (c *client) RecordingPrice(ctx context.Context, recordingID string) (carrier.Price, error) {
	return c.price(ctx, recordingsPath+url.PathEscape(recordingID)+".json")
}

func (c *client) price(ctx context.Context, path string) (carrier.Price, error) {
	var p priced
	if err := c.do(ctx, http.MethodGet, path, nil, &p); err != nil {
		return carrier.Price{}, fmt.Errorf("read a price: %w", err)
	}
	unit := strings.ToUpper(p.Unit)
	if !currency.MatchString(unit) {
		return carrier.Price{}, nil
	}
	return carrier.Price{Amount: p.charge(), Currency: unit}, nil
}

// charge is the price as an amount that was charged. It is empty without a price.
func (p priced) charge() string {
	if p.Price == nil || !decimal.MatchString(*p.Price) {
		return ""
	}
	if charged, ok := strings.CutPrefix(*p.Price, "-"); ok {
		return charged
	}
	if strings.Trim(*p.Price, "0.") == "" {
		return "0"
	}
	return "-" + *p.Price
}
