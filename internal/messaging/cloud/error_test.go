package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/testwait"
)

const secretToken = "EAAGsecretTokenOfASystemUser0123456789"

// answering returns an account that gets the same answer to every request.
func answering(t *testing.T, status int, header http.Header, body string) *Account {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for name := range header {
			w.Header().Set(name, header.Get(name))
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return New(Options{GraphURL: server.URL}).Account(Credentials{
		AccountID: "102290129340398", Token: secretToken, AppSecret: "an app secret",
	})
}

func message() Message {
	return Message{
		NumberID: "106540352242922", To: "+16505551234", Template: "follow_up", Language: "en_US", Reference: "ours",
	}
}

func failing(code, subcode int, message string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":"OAuthException","code":%d,"error_subcode":%d,`+
		`"error_data":{"messaging_product":"whatsapp","details":%q},"fbtrace_id":"Az8or2yhqkZfEZ-_4Qn_Bam"}}`, message,
		code, subcode, message)
}

func TestClasses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  int
		body    string
		class   Class
		code    int
		suspect bool
	}{
		"temporarily down":      {503, failing(2, 0, ""), Retry, 2, false},
		"app limit":             {400, failing(4, 0, ""), Retry, 4, false},
		"account limit":         {400, failing(80007, 0, ""), Retry, 80007, false},
		"throughput":            {429, failing(130429, 0, ""), Retry, 130429, true},
		"something went wrong":  {500, failing(131000, 0, ""), Retry, 131000, false},
		"overloaded":            {500, failing(131016, 0, ""), Retry, 131016, false},
		"maintenance":           {500, failing(131057, 0, ""), Retry, 131057, false},
		"server away":           {503, failing(133004, 0, ""), Retry, 133004, false},
		"number in maintenance": {400, failing(2494100, 0, ""), Retry, 2494100, false},
		"pair":                  {400, failing(131056, 0, ""), RetryRecipient, 131056, false},
		"per-user marketing":    {400, failing(131049, 0, ""), RetryNextDay, 131049, false},
		"experiment":            {400, failing(130472, 0, ""), Permanent, 130472, false},
		"spam":                  {400, failing(131048, 0, ""), StopNumber, 131048, true},
		"misclassified":         {400, failing(131064, 0, ""), StopNumber, 131064, false},
		"policy":                {403, failing(368, 0, ""), StopNumber, 368, false},
		"locked":                {403, failing(131031, 0, ""), StopNumber, 131031, false},
		"country":               {403, failing(130497, 0, ""), StopNumber, 130497, false},
		"payment":               {400, failing(131042, 0, ""), StopNumber, 131042, false},
		"display name":          {400, failing(131037, 0, ""), StopNumber, 131037, false},
		"certificate":           {500, failing(131045, 0, ""), StopNumber, 131045, false},
		"not registered":        {400, failing(133010, 0, ""), StopNumber, 133010, false},
		"number gone":           {400, failing(33, 0, ""), StopNumber, 33, false},
		"no such object":        {400, failing(100, 33, "Unsupported post request."), StopNumber, 100, false},
		"deregistration":        {500, failing(133000, 0, ""), StopNumber, 133000, false},
		"to be verified":        {400, failing(133006, 0, ""), StopNumber, 133006, false},
		"auth":                  {401, failing(0, 0, ""), StopCredentials, 0, false},
		"method":                {500, failing(3, 0, ""), StopCredentials, 3, false},
		"permission":            {403, failing(10, 0, ""), StopCredentials, 10, false},
		"expired":               {401, failing(190, 463, ""), StopCredentials, 190, false},
		"asset":                 {403, failing(200, 0, ""), StopCredentials, 200, false},
		"asset, too":            {403, failing(299, 0, ""), StopCredentials, 299, false},
		"access denied":         {403, failing(131005, 0, ""), StopCredentials, 131005, false},
		"proof": {
			400, failing(100, 0, "Invalid appsecret_proof provided in the API argument"), StopCredentials, 100, false,
		},
		"variable count":           {400, failing(132000, 0, ""), StopTemplate, 132000, false},
		"no template":              {404, failing(132001, 0, ""), StopTemplate, 132001, false},
		"too long":                 {400, failing(132005, 0, ""), StopTemplate, 132005, false},
		"template policy":          {400, failing(132007, 0, ""), StopTemplate, 132007, false},
		"format":                   {400, failing(132012, 0, ""), StopTemplate, 132012, false},
		"paused":                   {400, failing(132015, 0, ""), StopTemplate, 132015, false},
		"disabled":                 {400, failing(132016, 0, ""), StopTemplate, 132016, false},
		"flow":                     {400, failing(132068, 0, ""), StopTemplate, 132068, false},
		"flow throttled":           {400, failing(132069, 0, ""), StopTemplate, 132069, false},
		"category":                 {400, failing(131063, 0, ""), StopTemplate, 131063, false},
		"undeliverable":            {400, failing(131026, 0, ""), Permanent, 131026, false},
		"forbidden recipient":      {400, failing(130403, 0, ""), Permanent, 130403, false},
		"itself":                   {400, failing(131021, 0, ""), Permanent, 131021, false},
		"kind of message":          {400, failing(131051, 0, ""), Permanent, 131051, false},
		"parameter":                {400, failing(100, 0, "Invalid parameter"), Permanent, 100, false},
		"missing":                  {400, failing(131008, 0, ""), Permanent, 131008, false},
		"not valid":                {400, failing(131009, 0, ""), Permanent, 131009, false},
		"window closed":            {400, failing(131047, 0, ""), Permanent, 131047, false},
		"opted out":                {400, failing(131050, 0, ""), OptedOut, 131050, false},
		"not established":          {500, failing(1, 0, ""), Unknown, 1, false},
		"new code":                 {400, failing(139999, 0, "Something new"), Permanent, 139999, false},
		"new code, too much":       {429, failing(139999, 0, ""), Retry, 139999, false},
		"new code, not allowed":    {403, failing(139999, 0, ""), StopCredentials, 139999, false},
		"new code, server":         {500, failing(139999, 0, ""), Unknown, 139999, false},
		"success with an error":    {200, failing(131026, 0, ""), Permanent, 131026, false},
		"bare 500":                 {500, "<html>", Unknown, 0, false},
		"bare 502":                 {502, "", Unknown, 0, false},
		"bare 408":                 {408, "", Unknown, 0, false},
		"bare 429":                 {429, "", Retry, 0, false},
		"proxy's 403":              {403, "<html>Blocked by policy</html>", StopCredentials, 0, false},
		"proxy's 404":              {404, `{"error":"not found"}`, StopCredentials, 0, false},
		"a redirect":               {302, "", StopCredentials, 0, false},
		"an error without a code":  {500, `{"error":{"message":"boom"}}`, Unknown, 0, false},
		"yes, but not JSON":        {200, "<html>", Unknown, 0, false},
		"yes, but cut off":         {200, `{"messages":[{"id":"wam`, Unknown, 0, false},
		"yes, but no message":      {200, `{"messages":[]}`, Unknown, 0, false},
		"yes, but without an id":   {200, `{"messages":[{}]}`, Unknown, 0, false},
		"yes, but of another type": {200, `{"messages":16505551234}`, Unknown, 0, false},
		"endless": {
			200, `{"messages":[{"id":"` + strings.Repeat("x", maxAnswer) + `"}]}`, Unknown, 0, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := answering(t, c.status, nil, c.body).Send(t.Context(), message())
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Class != c.class || e.Code != c.code || e.LimitSuspected() != c.suspect || e.Reason == "" {
				t.Fatalf("%v: %+v", err, e)
			}
			if ClassOf(fmt.Errorf("wrapped: %w", err)) != c.class {
				t.Errorf("the class is lost in wrapping")
			}
			if strings.HasPrefix(c.body, `{"error":{"message":`) && c.code != 0 &&
				e.TraceID != "Az8or2yhqkZfEZ-_4Qn_Bam" {
				t.Errorf("trace id %q", e.TraceID)
			}
		})
	}
	if ClassOf(errors.New("anything else")) != Unknown {
		t.Error("a foreign error is certain")
	}
}

// Meta repeats a malformed token and phone numbers in its messages.
func TestErrorsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	for _, code := range []int{190, 139999} {
		body := failing(code, 0, "Malformed access token "+secretToken+
			" EAAanother and AbCdEf0123456789AbCdEf0123456789AbCdEf0123456789 for +1 650 555 1234, 16505551234")
		account := answering(t, 400, nil, body)
		_, err1 := account.Send(t.Context(), message())
		_, err2 := account.Numbers(t.Context())
		for _, err := range []error{err1, err2} {
			text := fmt.Sprintf("%v %+v", err, errors.Unwrap(err))
			for _, secret := range []string{
				secretToken, "EAA", "AbCdEf", "650", "an app secret", "appsecret_proof=", "127.0.0.1",
			} {
				if strings.Contains(text, secret) {
					t.Errorf("%q is in %s", secret, text)
				}
			}
		}
	}
	// An error without an answer has no secrets either: the error of net/http repeats the address.
	gone := New(Options{GraphURL: "http://nowhere.invalid"}).Account(Credentials{
		AccountID: "1", Token: secretToken, AppSecret: "s",
	})
	_, err := gone.Numbers(t.Context())
	if e, _ := errors.AsType[*Error](err); e == nil || e.Class != Retry ||
		strings.Contains(fmt.Sprint(e.Err), "appsecret_proof") {
		t.Errorf("%v", err)
	}
	// A value of an unexpected type in an answer does not become part of the cause.
	_, err = answering(t, 200, nil, `{"messages":16505551234}`).Send(t.Context(), message())
	if e, _ := errors.AsType[*Error](err); e == nil || strings.Contains(fmt.Sprint(e.Err), "1650") {
		t.Errorf("%v", e.Err)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-7": 0, "soon": 0, "99999999999": maxRetryAfter,
		"99999999999999999999":          0, // not a representable number
		"Sat, 21 Nov 2026 12:01:30 GMT": 90 * time.Second,
		"Sat, 21 Nov 2026 11:00:00 GMT": 0,
		"Sun, 21 Nov 2027 11:00:00 GMT": maxRetryAfter,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
	_, err := answering(t, 429, http.Header{"Retry-After": {"3"}}, failing(130429, 0, "")).Send(t.Context(), message())
	if e, _ := errors.AsType[*Error](err); e == nil || e.RetryAfter != 3*time.Second {
		t.Errorf("%v", err)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	asked := testwait.NewDeadline(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client is gone
		if r.Method == http.MethodGet {
			asked.Pass()
		}
		<-r.Context().Done()
	}))
	defer server.Close()
	// The client's own timeout. On a busy machine it may pass before the connection is made.
	own := New(Options{GraphURL: server.URL, Timeout: 2 * time.Second}).Account(Credentials{AccountID: "1"})
	_, err := own.Send(t.Context(), message())
	for ClassOf(err) == Retry {
		_, err = own.Send(t.Context(), message())
	}
	if e, _ := errors.AsType[*Error](err); e == nil || e.Class != Unknown || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	// The caller's deadline.
	_, err = New(Options{GraphURL: server.URL}).Account(Credentials{AccountID: "1"}).Numbers(asked)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	// Nothing was sent, because there was no connection.
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = New(Options{GraphURL: server.URL}).Account(Credentials{AccountID: "1"}).Send(done, message())
	if ClassOf(err) != Retry {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNeverAsked(t *testing.T) {
	t.Parallel()
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	client := New(Options{GraphURL: server.URL})
	for _, id := range []string{"", "me", "1/2", "..", "1?fields=x", strings.Repeat("1", 33)} {
		account := client.Account(Credentials{AccountID: id, Token: "t"})
		if _, err := account.Numbers(t.Context()); ClassOf(err) != StopCredentials {
			t.Errorf("account %q: %v", id, err)
		}
		m := message()
		m.NumberID = id
		if _, err := account.Send(t.Context(), m); ClassOf(err) != StopNumber {
			t.Errorf("number %q: %v", id, err)
		}
	}
	for _, to := range []string{"", "16505551234", "+1", "+0650555123", "+1650555123400000", "+1650 5551234"} {
		m := message()
		m.To = to
		if _, err := client.Account(Credentials{AccountID: "1"}).Send(t.Context(), m); ClassOf(err) != Permanent {
			t.Errorf("to %q: %v", to, err)
		}
	}
	if asked {
		t.Error("a request was made")
	}
}
