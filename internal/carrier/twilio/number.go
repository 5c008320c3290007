package twilio

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier"
)

// These bound how many numbers of an account are read. A longer page may exceed maxAnswer.
const (
	numbersOfPage = 200
	numberPages   = 5
)

// numberList is the part of Twilio's list of numbers that the adapter reads.
// https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource
type numberList struct {
	Numbers []struct {
		PhoneNumber  string `json:"phone_number"`
		FriendlyName string `json:"friendly_name"`
		Capabilities struct {
			Voice bool `json:"voice"`
		} `json:"capabilities"`
	} `json:"incoming_phone_numbers"`
	NextPage string `json:"next_page_uri"` // empty on the last page
}

// Numbers lists the numbers of an account that can place calls, newest first, of at most 1,000
// numbers. Its error is a *carrier.Error.
func (a *Adapter) Numbers(ctx context.Context, account Account) (numbers []carrier.Number, err error) {
	c, query := a.accountClient(account), "PageSize="+strconv.Itoa(numbersOfPage)
	for page, more := 0, true; more && page < numberPages; page++ {
		var list numberList
		if err := c.do(ctx, http.MethodGet, "/IncomingPhoneNumbers.json?"+query, nil, &list); err != nil {
			return nil, err
		}
		for _, n := range list.Numbers {
			if n.Capabilities.Voice {
				numbers = append(numbers, carrier.Number{PhoneNumber: n.PhoneNumber, Name: n.FriendlyName})
			}
		}
		_, query, more = strings.Cut(list.NextPage, "?") // the rest of the address is the same
	}
	return numbers, nil
}
