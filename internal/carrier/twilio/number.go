package twilio

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"

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

// numberPath is the start of the path of a number.
const numberPath = "/IncomingPhoneNumbers/"

// incomingNumber is the part of Twilio's resource of a number that says what it does when somebody calls it.
// https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource
type incomingNumber struct {
	SID         string `json:"sid"`
	PhoneNumber string `json:"phone_number"`
	carrier.NumberSetUp
}

// NumberMustDo is what a number of a connection must do so that people can call it. The fallback is the same address:
// another application could not take an opt-out.
func (a *Adapter) NumberMustDo(connectionID uuid.UUID, account Account) carrier.NumberSetUp {
	voice, status := a.NumberHooks(connectionID, account)
	return carrier.NumberSetUp{
		VoiceURL: voice, VoiceMethod: http.MethodPost, VoiceFallbackURL: voice, VoiceFallbackMethod: http.MethodPost,
		StatusCallback: status, StatusCallbackMethod: http.MethodPost,
	}
}

// NumberDoes reads what a number does when somebody calls it. Errors: carrier.ErrUnknownNumber, else a *carrier.Error.
func (a *Adapter) NumberDoes(ctx context.Context, account Account, number string) (carrier.NumberSetUp, error) {
	found, err := a.findNumber(ctx, account, number)
	return found.NumberSetUp, err
}

func (a *Adapter) findNumber(ctx context.Context, account Account, number string) (incomingNumber, error) {
	var list struct {
		Numbers []incomingNumber `json:"incoming_phone_numbers"`
	}
	query := "?PageSize=1&PhoneNumber=" + url.QueryEscape(number)
	err := a.accountClient(account).do(ctx, http.MethodGet, "/IncomingPhoneNumbers.json"+query, nil, &list)
	if err != nil {
		return incomingNumber{}, fmt.Errorf("read a number: %w", err)
	}
	for _, n := range list.Numbers {
		if n.PhoneNumber == number {
			return n, nil
		}
	}
	return incomingNumber{}, carrier.ErrUnknownNumber
}

// SetUpNumber sets what a number does when somebody calls it, and returns what it does then. Errors:
// carrier.ErrUnknownNumber, else a *carrier.Error.
func (a *Adapter) SetUpNumber(
	ctx context.Context, account Account, number string, do carrier.NumberSetUp,
) (carrier.NumberSetUp, error) {
	found, err := a.findNumber(ctx, account, number)
	if err != nil {
		return carrier.NumberSetUp{}, err
	}
	form := url.Values{
		"VoiceUrl":             {do.VoiceURL},
		"VoiceMethod":          {do.VoiceMethod},
		"VoiceFallbackUrl":     {do.VoiceFallbackURL},
		"VoiceFallbackMethod":  {do.VoiceFallbackMethod},
		"StatusCallback":       {do.StatusCallback},
		"StatusCallbackMethod": {do.StatusCallbackMethod},
		"VoiceApplicationSid":  {do.VoiceApplicationSID},
		"TrunkSid":             {do.TrunkSID},
	}
	var changed incomingNumber
	path := numberPath + url.PathEscape(found.SID) + ".json"
	if err := a.accountClient(account).do(ctx, http.MethodPost, path, form, &changed); err != nil {
		return carrier.NumberSetUp{}, fmt.Errorf("set up a number: %w", err)
	}
	return changed.NumberSetUp, nil
}
