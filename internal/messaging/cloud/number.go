package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Info is a business account and its owner.
type Info struct {
	ID          string
	Name        string
	PortfolioID string // of the business that owns the account; "" if WhatsApp reports none
}

// Info reads the account. The numbers of one portfolio share one messaging limit.
func (a *Account) Info(ctx context.Context) (Info, error) {
	var answer struct {
		ID    scalar `json:"id"`
		Name  scalar `json:"name"`
		Owner struct {
			ID scalar `json:"id"`
		} `json:"owner_business_info"`
	}
	path, err := a.path("")
	if err == nil {
		err = a.do(ctx, http.MethodGet, path, url.Values{"fields": {"id,name,owner_business_info"}}, nil, &answer)
	}
	if err == nil && string(answer.ID) != a.cred.AccountID {
		err = unreadable(errors.New("another account than was asked for"))
	}
	if err != nil {
		return Info{}, fmt.Errorf("read a WhatsApp account: %w", err)
	}
	return Info{ID: string(answer.ID), Name: string(answer.Name), PortfolioID: string(answer.Owner.ID)}, nil
}

// Number is a number of a business account. Quality, Status and similar fields have WhatsApp's own
// values, which WhatsApp may extend, or "" without a value.
type Number struct {
	ID          string // WhatsApp's ID, digits; not the phone number
	PhoneNumber string // E.164
	Name        string // registered name; "" without a name
	NameStatus  string // APPROVED, DECLINED, …
	Quality     string // GREEN, YELLOW, RED, UNKNOWN, NA
	Status      string // CONNECTED, PENDING, RESTRICTED, BANNED, …
	Throughput  string // STANDARD (80 messages/s), HIGH
	Platform    string // only CLOUD_API can send
	Coexistence bool   // shared with the phone's app, which allows 20 messages/s
	Tier        Tier
}

// Numbers lists the account's numbers with their messaging limits, without duplicates, in
// WhatsApp's order.
func (a *Account) Numbers(ctx context.Context) ([]Number, error) {
	limitField := "whatsapp_business_manager_messaging_limit"
	if major, _, _ := strings.Cut(strings.TrimPrefix(a.client.version, "v"), "."); before24(major) {
		limitField = "messaging_limit_tier"
	}
	path, err := a.path("/phone_numbers")
	numbers := []Number{}
	known := map[string]bool{}
	if err == nil {
		err = a.list(ctx, path, "id,display_phone_number,verified_name,name_status,quality_rating,status,throughput,"+
			"platform_type,is_on_biz_app,"+limitField, func(item json.RawMessage) error {
			n, err := parseNumber(item)
			if err != nil || known[n.ID] {
				return err // a list that changes while it is read may repeat items
			}
			known[n.ID] = true
			numbers = append(numbers, n)
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list WhatsApp numbers: %w", err)
	}
	return numbers, nil
}

// before24 reports whether a version of the Graph API knows the limit only by its former name. A
// request for a field that does not exist fails.
func before24(major string) bool {
	n, err := strconv.Atoi(major)
	return err == nil && n < 24
}

func parseNumber(item json.RawMessage) (Number, error) {
	var n struct {
		ID           scalar `json:"id"`
		Display      scalar `json:"display_phone_number"`
		VerifiedName scalar `json:"verified_name"`
		NameStatus   scalar `json:"name_status"`
		Quality      scalar `json:"quality_rating"`
		Status       scalar `json:"status"`
		Throughput   struct {
			Level scalar `json:"level"`
		} `json:"throughput"`
		Platform scalar `json:"platform_type"`
		OnBizApp bool   `json:"is_on_biz_app"`
		Limit    *Tier  `json:"whatsapp_business_manager_messaging_limit"`
		OldLimit *Tier  `json:"messaging_limit_tier"`
	}
	if err := decode(item, &n); err != nil {
		return Number{}, err
	}
	if !identifier.MatchString(string(n.ID)) {
		return Number{}, errors.New("a number without an id")
	}
	number := Number{
		ID: string(n.ID), PhoneNumber: e164(string(n.Display)), Name: string(n.VerifiedName),
		NameStatus: string(n.NameStatus),
		Quality:    string(n.Quality), Status: string(n.Status), Throughput: string(n.Throughput.Level),
		Platform: string(n.Platform), Coexistence: n.OnBizApp,
	}
	switch {
	case n.Limit != nil:
		number.Tier = *n.Limit
	case n.OldLimit != nil:
		number.Tier = *n.OldLimit
	}
	return number, nil
}

// Subscribe makes WhatsApp send the account's webhooks to the token's app. With a callback,
// messages and statuses of the account go to the callback and not to the app's own address.
// WhatsApp verifies the callback before it answers, so the server must already be running. Other
// webhooks (limits, templates, the account's state) always go to the app's own address.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/override
func (a *Account) Subscribe(ctx context.Context, callback, verifyToken string) error {
	body := map[string]string{}
	if callback != "" {
		body["override_callback_uri"], body["verify_token"] = callback, verifyToken
	}
	var answer struct {
		Success bool `json:"success"`
	}
	path, err := a.path("/subscribed_apps")
	if err == nil {
		err = a.do(ctx, http.MethodPost, path, nil, body, &answer)
	}
	if err == nil && !answer.Success {
		err = unreadable(errors.New("no success"))
	}
	if err != nil {
		return fmt.Errorf("subscribe to a WhatsApp account: %w", err)
	}
	return nil
}

// path returns a path below the account's path.
func (a *Account) path(below string) (string, error) {
	if !identifier.MatchString(a.cred.AccountID) {
		return "", &Error{Class: StopCredentials, Reason: "the id of the business account is not a number"}
	}
	return "/" + a.cred.AccountID + below, nil
}

// scalar is a text that Meta sends as a string or as a number. null and values of other
// types become "". NUL is removed, because PostgreSQL cannot store it.
type scalar string

func (s *scalar) UnmarshalJSON(text []byte) error {
	switch {
	case len(text) > 0 && text[0] == '"':
		err := json.Unmarshal(text, (*string)(s))
		*s = scalar(storable(string(*s)))
		return err
	case len(text) > 0 && (text[0] == '-' || text[0] >= '0' && text[0] <= '9'):
		*s = scalar(text) // keep the digits, because a float64 would round long IDs
	default:
		*s = ""
	}
	return nil
}

// storable removes characters that PostgreSQL cannot store.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}

// e164 converts "+1 631-555-1234" or "16315551234" to E.164. It returns "" for other texts.
func e164(s string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	if len(digits) < 7 || len(digits) > 15 || digits[0] == '0' {
		return ""
	}
	return "+" + digits
}
