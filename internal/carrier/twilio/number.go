package twilio

import (
	"context"
	"net/http"
	"strconv"

	"github.com/dialwright/dialwright/internal/carrier"
)

// mostNumbers bounds how many numbers of an account are read.
const mostNumbers = 200

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
}

// Numbers lists the numbers of an account that can place calls, newest first and at most
// 200. Its error is a *carrier.Error.
func (a *Adapter) Numbers(ctx context.Context, account Account) ([]carrier.Number, error) {
	var list numberList
	if err := a.accountClient(account).do(
		ctx, http.MethodGet, "/IncomingPhoneNumbers.json?PageSize="+strconv.Itoa(mostNumbers), nil, &list,
	); err != nil {
		return nil, err
	}
	var numbers []carrier.Number
	for _, n := range list.Numbers {
		if n.Capabilities.Voice {
			numbers = append(numbers, carrier.Number{PhoneNumber: n.PhoneNumber, Name: n.FriendlyName})
		}
	}
	return numbers, nil
}
