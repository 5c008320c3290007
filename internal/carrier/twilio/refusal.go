package twilio

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

// codeNotInProgress is the answer to an update of a call that has ended.
const codeNotInProgress = "21220"

// meaning is what an error code of Twilio says.
type meaning struct {
	kind    carrier.ErrorKind
	concern carrier.Concern
	reason  string
}

// codes are the errors of Twilio that say more than their HTTP status, or that end a call
// without a message.
// https://www.twilio.com/docs/api/errors
var codes = map[int]meaning{
	// The account or its credentials are wrong, so every call would fail.
	10001: {carrier.Unusable, carrier.ConcernAccount, "the Twilio account is not active"},
	10002: {carrier.Unusable, carrier.ConcernAccount, "a Twilio trial account cannot do this"},
	20003: {carrier.Unusable, carrier.ConcernAccount, "Twilio does not accept the credentials"},
	20005: {carrier.Unusable, carrier.ConcernAccount, "the Twilio account is not active"},
	20404: {carrier.Unusable, carrier.ConcernAccount, "Twilio does not know the account"},
	21203: {carrier.Unusable, carrier.ConcernAccount, "the Twilio account may not make calls"},
	21219: {carrier.Unusable, carrier.ConcernAccount, "a Twilio trial account calls only verified numbers"},

	// Our own address is wrong, which the account can't mend.
	21205: {carrier.Unusable, carrier.ConcernNone, "Twilio does not accept our public address"},
	21609: {carrier.Unusable, carrier.ConcernNone, "Twilio does not accept our public address"},

	// The calling number is wrong, so every call from it would fail.
	21210: {carrier.Unusable, carrier.ConcernCaller, "the calling number is not verified with the Twilio account"},
	21212: {carrier.Unusable, carrier.ConcernCaller, "the calling number is not valid"},
	21213: {carrier.Unusable, carrier.ConcernCaller, "the calling number is missing"},

	// Too many requests. Twilio never processes a request that gets 20429.
	10004: {carrier.Throttled, carrier.ConcernNone, "too many calls at once for the Twilio account"},
	20429: {carrier.Throttled, carrier.ConcernNone, "too many requests to Twilio"},

	// The account may not call the country.
	21215: {carrier.Refused, carrier.ConcernCountry, "the Twilio account may not call this country or region"},
	21408: {carrier.Refused, carrier.ConcernCountry, "the Twilio account may not call this country or region"},

	// The called number is wrong.
	13224: {carrier.Refused, carrier.ConcernRecipient, "the number is not supported or not valid"},
	21211: {carrier.Refused, carrier.ConcernRecipient, "the number is not valid"},
	21214: {carrier.Refused, carrier.ConcernRecipient, "the number cannot be reached"},
	21216: {carrier.Refused, carrier.ConcernRecipient, "the number is on Twilio's block list"},
	21217: {carrier.Refused, carrier.ConcernRecipient, "the number does not appear to be valid"},
	32011: {carrier.Refused, carrier.ConcernRecipient, "the recipient's phone network could not be reached"},
}

// invalidNumber are the codes for numbers that do not exist.
var invalidNumber = []int{13224, 21211, 21217}

// refusal returns the error for an answer other than 2xx. named says that the request was
// about one call or recording of the account.
func refusal(res *http.Response, body []byte, named bool) error {
	var answer struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	_ = json.Unmarshal(body, &answer) // the page of a proxy is not JSON; the status still counts

	e := &carrier.Error{Code: "http_" + strconv.Itoa(res.StatusCode), Reason: readable(answer.Message)}
	if answer.Code != 0 {
		e.Code = strconv.Itoa(answer.Code)
		e.Reason = cmp.Or(e.Reason, reported(e.Code))
	}
	e.Reason = cmp.Or(e.Reason, "Twilio answered with status "+strconv.Itoa(res.StatusCode))
	known, isKnown := codes[answer.Code]
	switch status := res.StatusCode; {
	case status == http.StatusNotFound && named:
		return carrier.ErrUnknownCall
	case status >= 500 || status == http.StatusRequestTimeout:
		// Twilio may have carried out the request before the failure. Its documentation does
		// not exclude that.
		e.Kind = carrier.Ambiguous
		e.Reason = "Twilio failed with status " + strconv.Itoa(status)
	case isKnown:
		e.Kind, e.Concern, e.Reason = known.kind, known.concern, known.reason
		e.InvalidNumber = slices.Contains(invalidNumber, answer.Code)
	case status == http.StatusTooManyRequests:
		e.Kind, e.Reason = carrier.Throttled, "too many requests to Twilio"
	case status == http.StatusUnauthorized && answer.Code == 0:
		e.Kind, e.Concern, e.Reason = carrier.Unusable, carrier.ConcernAccount, codes[20003].reason
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusNotFound:
		e.Kind = carrier.Unusable // in Twilio's own words, because the cause is not known
	case status >= 400:
		e.Kind, e.Concern = carrier.Refused, carrier.ConcernRecipient
	default: // redirects that net/http does not follow, 1xx
		e.Kind, e.Reason = carrier.Unusable, "the address of the Twilio API answered with status "+strconv.Itoa(status)
	}
	if e.Kind == carrier.Throttled {
		if n, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && n > 0 {
			e.RetryAfter = time.Duration(n) * time.Second
		}
	}
	return e
}

// unanswered returns the error for a request without an answer.
func unanswered(err error, connected bool) error {
	// *url.Error would contain the address, with the account and the query.
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	timeout := errors.Is(err, context.DeadlineExceeded)
	if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
		timeout = true
	}
	e := &carrier.Error{
		Kind: carrier.Ambiguous, Code: "network", Reason: "the connection to Twilio broke before it answered",
		Err: err,
	}
	if timeout {
		e.Code, e.Reason = "timeout", "Twilio did not answer in time"
	}
	if !connected {
		e.Kind, e.Reason = carrier.Unusable, "Twilio could not be reached"
	}
	return e
}

var numberLike = regexp.MustCompile(`\+?\d[\d ()-]{4,}\d`)

// readable returns a message of Twilio for users: shortened, without whole phone numbers and SIDs, and
// without its last period, because a code or another sentence follows.
func readable(message string) string {
	message = strings.TrimSuffix(strings.TrimSpace(message), ".")
	message = numberLike.ReplaceAllString(message, "…")
	if runes := []rune(message); len(runes) > 200 {
		message = string(runes[:200]) + "…"
	}
	return message
}

// reported says that Twilio gave a code without words.
func reported(code string) string { return "Twilio reported error " + code }
