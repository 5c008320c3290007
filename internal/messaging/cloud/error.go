package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Class is what to do after a failed request or message.
type Class string

const (
	// Unknown: the request may have been carried out. The message counts as sent and is never sent
	// again. A status webhook with its reference may report the outcome. Every error that is not an
	// *Error has this class too.
	Unknown Class = "unknown"

	// Retry: not sent. The same message may be sent later, after RetryAfter if it is set.
	Retry Class = "retry"

	// RetryRecipient: not sent, because this recipient got too many messages in a short time.
	// Messages to other recipients may be sent.
	RetryRecipient Class = "retry_recipient"

	// RetryNextDay: not sent. The message must not be tried again within 24 hours.
	RetryNextDay Class = "retry_next_day"

	// StopNumber: not sent. The next message from this number would fail too. A person must check
	// the business account.
	StopNumber Class = "stop_number"

	// StopCredentials: not sent, because of the connection: the token, its permissions, the app
	// secret, or an address that is not the Cloud API.
	StopCredentials Class = "stop_credentials"

	// StopTemplate: not sent, because of the template or the values of its variables.
	StopTemplate Class = "stop_template"

	// Permanent: not sent. The message must never be tried again. Other messages may be sent.
	Permanent Class = "permanent"

	// OptedOut: Permanent, because the recipient wants no marketing messages from this
	// business.
	OptedOut Class = "opted_out"
)

// Error is why a request failed or, in a Status, why a message failed. Its text and
// Reason contain no phone number and no credentials, and may be shown.
type Error struct {
	Class      Class
	Code       int           // Meta's error code; 0 if Meta sent no code, or the code 0
	Subcode    int           // 0 if Meta sent no subcode
	Status     int           // of HTTP; 0 without an answer
	Reason     string        // what happened, for users
	TraceID    string        // fbtrace_id, which Meta's support asks for
	RetryAfter time.Duration // 0 if Meta sent no delay
	Err        error         // the cause, if any; for the log
}

func (e *Error) Error() string {
	s := e.Reason
	if e.Code != 0 {
		s += " (" + strconv.Itoa(e.Code) + ")"
	} else if e.Status != 0 {
		s += " (HTTP " + strconv.Itoa(e.Status) + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// LimitSuspected reports whether the messaging limit may be the cause. Meta does not document the
// code for an exceeded limit. The limit should be read again.
func (e *Error) LimitSuspected() bool { return e.Code == 131048 || e.Code == 130429 }

// AboutVariables reports whether the template was refused because of the values of this message.
// Other messages with the template may be accepted.
func (e *Error) AboutVariables() bool {
	switch e.Code {
	case 132000, 132005, 132012:
		return true
	}
	return false
}

// ClassOf returns what to do after err.
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return Unknown
}

type meaning struct {
	class  Class
	reason string
}

// codes has the meanings of Meta's error codes. The code decides, not the HTTP status.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
var codes = map[int]meaning{
	1:       {Unknown, "WhatsApp does not know the request, or failed"},
	2:       {Retry, "WhatsApp is temporarily down"},
	4:       {Retry, "too many requests from the app"},
	17:      {Retry, "too many requests from the system user"},
	613:     {Retry, "too many requests"},
	80007:   {Retry, "too many requests for the business account"},
	130429:  {Retry, "too many messages from the number"},
	131000:  {Retry, "WhatsApp failed without saying why"},
	131016:  {Retry, "WhatsApp is overloaded"},
	131057:  {Retry, "the business account is under maintenance"},
	133004:  {Retry, "WhatsApp's server is not available"},
	2494100: {Retry, "the number is under maintenance"},

	131056: {RetryRecipient, "too many messages to this recipient in a short time"},
	131049: {RetryNextDay, "WhatsApp holds back marketing messages to this recipient for now"},

	33:     {StopNumber, "WhatsApp does not know the number that sends"},
	368:    {StopNumber, "the business account is blocked for violating a policy"},
	130497: {StopNumber, "the business account may not message this country"},
	131031: {StopNumber, "the business account is locked"},
	131037: {StopNumber, "the display name of the number is not approved"},
	131042: {StopNumber, "the business account has a problem with its payment"},
	131045: {StopNumber, "the certificate of the number is not valid"},
	131048: {StopNumber, "too many messages from the number were reported as spam, or its limit is reached"},
	131064: {StopNumber, "the business account is limited for misclassified templates"},
	133000: {StopNumber, "the number is not fully taken out of use"},
	133006: {StopNumber, "the number has to be verified"},
	133010: {StopNumber, "the number is not registered with WhatsApp"},

	0:      {StopCredentials, "WhatsApp does not accept the token"},
	3:      {StopCredentials, "the app may not do this"},
	10:     {StopCredentials, "the token lacks a permission"},
	190:    {StopCredentials, "the token is expired or not valid"},
	131005: {StopCredentials, "the token may not use this number or account"},

	131063: {StopTemplate, "the template's category is not allowed here"},
	132000: {StopTemplate, "the template needs another number of variables"},
	132001: {StopTemplate, "the template does not exist in this language, or is not approved"},
	132005: {StopTemplate, "the template's text is too long with these variables"},
	132007: {StopTemplate, "the template violates a policy"},
	132012: {StopTemplate, "the template needs variables of another format"},
	132015: {StopTemplate, "the template is paused"},
	132016: {StopTemplate, "the template is disabled"},
	132068: {StopTemplate, "the template's flow is blocked"},
	132069: {StopTemplate, "the template's flow is throttled"},

	100:    {Permanent, "WhatsApp does not accept a value of the request"},
	130403: {Permanent, "the recipient cannot be messaged"},
	130472: {Permanent, "WhatsApp keeps this recipient out of marketing messages as an experiment"},
	131008: {Permanent, "the message is missing a value"},
	131009: {Permanent, "a value of the message is not valid"},
	131021: {Permanent, "the number cannot message itself"},
	131026: {Permanent, "the message cannot be delivered to this recipient"},
	131047: {Permanent, "the recipient has not written for 24 hours, so only a template can be sent"},
	131051: {Permanent, "WhatsApp does not support this kind of message"},

	131050: {OptedOut, "the recipient has stopped marketing messages from this business"},
}

// meaningOf returns the meaning of a code, and whether the code is known.
func meaningOf(code, subcode int, message string) (meaning, bool) {
	switch {
	case code == 100 && subcode == 33:
		// Meta's message: "Object with ID … does not exist, cannot be loaded due to missing
		// permissions". It is about the number or account in the path.
		return meaning{StopNumber, "WhatsApp does not know the number or account, or the token may not use it"}, true
	case code == 100 && strings.Contains(message, "appsecret_proof"):
		return meaning{StopCredentials, "the app secret does not belong to the token"}, true
	case code >= 200 && code <= 299:
		return meaning{StopCredentials, "the token lacks a permission"}, true
	}
	m, known := codes[code]
	return m, known
}

// failure is an error of Meta in an answer or a status webhook.
type failure struct {
	Code      *int   `json:"code"`
	Subcode   int    `json:"error_subcode"`
	Message   string `json:"message"`
	Title     string `json:"title"` // in webhooks
	ErrorData struct {
		Details string `json:"details"`
	} `json:"error_data"`
	TraceID string `json:"fbtrace_id"`
}

// code returns Meta's code, bounded to the integers that the database can store.
func (f failure) code() int { return max(min(*f.Code, math.MaxInt32), math.MinInt32) }

// words returns the most helpful text of a failure.
func (f failure) words() string {
	for _, s := range []string{f.ErrorData.Details, f.Message, f.Title} {
		if s != "" {
			return s
		}
	}
	return ""
}

// refusal returns nil for a successful answer, and otherwise the error.
func (a *Account) refusal(res *http.Response, body []byte) error {
	var answer struct {
		Error *failure `json:"error"`
	}
	_ = json.Unmarshal(body, &answer) // a proxy's page is not JSON; the status still counts

	e := &Error{Status: res.StatusCode, RetryAfter: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	structured := answer.Error != nil && answer.Error.Code != nil
	good := res.StatusCode >= 200 && res.StatusCode <= 299
	if !structured {
		if good {
			return nil
		}
		e.Class, e.Reason = bare(res.StatusCode)
		return e
	}

	f := answer.Error
	e.Code, e.Subcode, e.TraceID = f.code(), f.Subcode, trace(f.TraceID)
	m, known := meaningOf(e.Code, e.Subcode, f.Message)
	if known {
		e.Class, e.Reason = m.class, m.reason
		return e
	}
	e.Reason = a.readable(f.words())
	switch status := res.StatusCode; {
	case status == http.StatusTooManyRequests:
		e.Class = Retry
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Class = StopCredentials
	case status >= 400 && status < 500 && status != http.StatusRequestTimeout:
		e.Class = Permanent
	default:
		e.Class = Unknown
	}
	return e
}

// bare returns the meaning of an answer without an error of Meta. A server in front of the API may
// have sent it.
func bare(status int) (Class, string) {
	switch {
	case status == http.StatusTooManyRequests:
		return Retry, "too many requests to WhatsApp"
	case status >= 500 || status == http.StatusRequestTimeout:
		// The request may have been carried out before a server behind the front end
		// failed.
		return Unknown, "WhatsApp failed"
	}
	return StopCredentials, "the address of the WhatsApp API does not answer as WhatsApp does"
}

// unanswered returns the error of a request without an answer.
func (a *Account) unanswered(err error, connected bool) error {
	// The text of *url.Error contains the address.
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	timeout := errors.Is(err, context.DeadlineExceeded)
	if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
		timeout = true
	}
	e := &Error{Class: Unknown, Reason: "the connection to WhatsApp broke before it answered", Err: err}
	if timeout {
		e.Reason = "WhatsApp did not answer in time"
	}
	if !connected {
		e.Class, e.Reason = Retry, "WhatsApp could not be reached"
	}
	return e
}

// unreadable returns the error of a successful answer whose body cannot be used.
func unreadable(err error) error {
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// the text of the error repeats the value
		err = errors.New("a value of another type at " + strconv.Quote(mismatch.Field))
	}
	return &Error{Class: Unknown, Status: http.StatusOK, Reason: "WhatsApp's answer could not be read", Err: err}
}

// maxRetryAfter bounds RetryAfter.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads seconds or a date. It returns 0 for other values.
func retryAfter(value string, now time.Time) time.Duration {
	d := time.Duration(0)
	if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
		d = time.Duration(min(max(n, 0), int(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}

var (
	numberLike = regexp.MustCompile(`\+?\d[\d ()-]{4,}\d`)
	tokenLike  = regexp.MustCompile(`EAA[A-Za-z0-9]+|[A-Za-z0-9_|+/=-]{40,}`)
	traceLike  = regexp.MustCompile(`^[A-Za-z0-9_+/=-]{1,64}$`)
)

// readable makes a message of Meta safe to show. Meta repeats malformed tokens and the recipient's
// number in its messages, so readable removes them and shortens the text.
func (a *Account) readable(message string) string {
	if a.cred.Token != "" {
		message = strings.ReplaceAll(message, a.cred.Token, "…")
	}
	return tidy(message)
}

// tidy removes everything that looks like a token or a number, and shortens the text.
func tidy(message string) string {
	message = tokenLike.ReplaceAllString(message, "…")
	message = numberLike.ReplaceAllString(message, "…")
	message = strings.Join(strings.Fields(storable(message)), " ")
	if message == "" {
		return "WhatsApp refused without saying why"
	}
	if runes := []rune(message); len(runes) > 200 {
		message = string(runes[:200]) + "…"
	}
	return message
}

// trace returns a valid fbtrace_id. It keeps other values out of logs.
func trace(id string) string {
	if traceLike.MatchString(id) {
		return id
	}
	return ""
}
