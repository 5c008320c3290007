package sandbox

import (
	"cmp"
	"context"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
	"github.com/google/uuid"
)

// routes serves the part of https://www.twilio.com/docs/voice/api/call-resource that the adapter
// uses.
func (n *Network) routes() *http.ServeMux {
	mux := http.NewServeMux()
	const accounts = "/2010-04-01/Accounts/{account}"
	mux.HandleFunc("POST "+accounts+"/Calls.json", n.authorized(n.create))
	mux.HandleFunc("GET "+accounts+"/Calls.json", n.authorized(n.list))
	mux.HandleFunc("GET "+accounts+"/Calls/{file}", n.authorized(n.fetchCall))
	mux.HandleFunc("POST "+accounts+"/Calls/{file}", n.authorized(n.update))
	mux.HandleFunc("POST "+accounts+"/Calls/{file}/Streams.json", n.authorized(n.createStream))
	mux.HandleFunc("GET "+accounts+"/IncomingPhoneNumbers.json", n.authorized(n.listNumbers))
	mux.HandleFunc("POST "+accounts+"/IncomingPhoneNumbers/{file}", n.authorized(n.updateNumber))
	mux.HandleFunc("GET "+accounts+"/OutgoingCallerIds.json", n.authorized(listCallerIDs))
	mux.HandleFunc("GET /2010-04-01/Accounts/{file}", func(w http.ResponseWriter, r *http.Request) {
		r.SetPathValue("account", strings.TrimSuffix(r.PathValue("file"), ".json"))
		n.authorized(n.fetchAccount)(w, r)
	})
	n.recordingRoutes(mux, accounts)
	n.credentialRoutes(mux)
	n.witnessRoutes(mux)
	n.callInRoutes(mux)
	return mux
}

// authorized checks Basic authentication. In the REST interface, the credentials must be those of
// the account in the path. The witness accepts the token of the sandbox from any user.
func (n *Network) authorized(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		account := r.PathValue("account")
		right := subtle.ConstantTimeCompare([]byte(password), []byte(n.token)) == 1
		if account != "" {
			right = n.accepts(account, user, password)
		}
		if !right {
			refuse(w, http.StatusUnauthorized, 20003, "Authenticate")
			return
		}
		h(w, r)
	}
}

// refuse sends an error in Twilio's form.
func refuse(w http.ResponseWriter, status, code int, message string) {
	simulation.JSON(w, status, map[string]any{
		"code": code, "message": message, "status": status,
		"more_info": fmt.Sprintf("https://www.twilio.com/docs/errors/%d", code),
	})
}

// callReason is a valid reason for a call.
// https://www.twilio.com/docs/voice/branded-calling/us-enhanced
var callReason = regexp.MustCompile(`^[ -~]{0,64}$`)

var e164 = regexp.MustCompile(`^\+[1-9]\d{6,14}$`)

// create handles a dial request. It first records the request, then starts the call, and then
// answers, with a delay if one is set.
func (n *Network) create(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		refuse(w, http.StatusBadRequest, 20001, "The body is not a form")
		return
	}
	form := r.PostForm
	d := &Dial{
		From: form.Get("From"), To: form.Get("To"), URL: withoutFragment(form.Get("Url")),
		CallReason: form.Get("CallReason"),
	}
	n.record(d)
	defer n.Answered(r, &n.Counts.Unanswered, &d.AnsweredAt)

	c, refused := n.newCall(r.PathValue("account"), form, d)
	if refused == nil && !n.Start(c.run) {
		refuse(w, http.StatusServiceUnavailable, 20503, "The network is shutting down")
		return
	}
	n.Mu.Lock()
	delay := n.answerDelay
	n.Mu.Unlock()
	n.Hold(r, delay)
	if refused != nil {
		refuse(w, refused.status, refused.code, refused.message)
		return
	}
	simulation.JSON(w, http.StatusCreated, n.resource(c))
}

// newCall checks a dial request as Twilio would. The refusal is nil for a valid request.
func (n *Network) newCall(account string, form url.Values, d *Dial) (*call, *refusal) {
	plan := planFor(d.To)
	refused := plan.refusal
	address, err := url.Parse(d.URL)
	switch {
	case !e164.MatchString(d.To):
		refused = &refusal{http.StatusBadRequest, 21211, "The 'To' number is not a valid phone number."}
	case !e164.MatchString(d.From):
		refused = &refusal{http.StatusBadRequest, 21212, "The 'From' number is not a valid phone number."}
	case !callReason.MatchString(d.CallReason):
		refused = &refusal{
			http.StatusBadRequest, 20001, "CallReason must have at most 64 printable ASCII characters",
		}
	case err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https"):
		refused = &refusal{http.StatusBadRequest, 21205, "Url is not a valid URL"}
	}
	if refused == nil {
		refused = refuseDetection(form)
	}
	n.Mu.Lock()
	defer n.Mu.Unlock()
	if refused != nil {
		d.Refused = strconv.Itoa(refused.code)
		return nil, refused
	}
	id := uuid.New()
	c := &call{
		n:       n,
		dial:    d,
		sid:     "CA" + strings.ReplaceAll(id.String(), "-", ""),
		account: account,
		form:    form,
		plan:    plan,
		created: time.Now(),
		person:  newRecipient(d.To, plan),
	}
	c.ctx, c.cancel = context.WithCancelCause(n.Ctx)
	d.CallSID, d.Status = c.sid, "queued"
	if !plan.vanishes {
		n.calls[c.sid] = c
	}
	n.Counts.Live++
	n.Announce()
	return c, nil
}

func (n *Network) find(w http.ResponseWriter, r *http.Request) *call {
	n.Mu.Lock()
	c := n.calls[strings.TrimSuffix(r.PathValue("file"), ".json")]
	n.Mu.Unlock()
	if c == nil || c.account != r.PathValue("account") {
		refuse(w, http.StatusNotFound, 20404, "The requested resource was not found")
		return nil
	}
	return c
}

func (n *Network) fetchCall(w http.ResponseWriter, r *http.Request) {
	n.Mu.Lock()
	l := n.legs[strings.TrimSuffix(r.PathValue("file"), ".json")]
	n.Mu.Unlock()
	if l != nil && l.c.account == r.PathValue("account") {
		simulation.JSON(w, http.StatusOK, l.resource())
		return
	}
	if c := n.find(w, r); c != nil {
		simulation.JSON(w, http.StatusOK, n.resource(c))
	}
}

// update hangs up. It can't change anything else about a call.
func (n *Network) update(w http.ResponseWriter, r *http.Request) {
	c := n.find(w, r)
	if c == nil {
		return
	}
	wanted := r.FormValue("Status")
	if wanted != "completed" && wanted != "canceled" {
		refuse(w, http.StatusBadRequest, 20001, "Status must be canceled or completed")
		return
	}
	n.Mu.Lock()
	ended, talking := c.dial.EndedAt != nil, c.dial.Status == "in-progress"
	n.Mu.Unlock()
	if ended {
		refuse(w, http.StatusBadRequest, 21220, "Call is not in-progress. Cannot redirect.")
		return
	}
	if wanted == "completed" || !talking {
		c.cancel(errHungUp)
	}
	simulation.JSON(w, http.StatusOK, n.resource(c))
}

// list returns calls, newest first, filtered by To, From, Status and the day of the start
// (StartTime, StartTime>, StartTime<).
func (n *Network) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	size, err := strconv.Atoi(q.Get("PageSize"))
	if err != nil || size < 1 || size > 1000 {
		size = 50
	}
	match := func(name, value string) bool { return !q.Has(name) || q.Get(name) == value }
	found := []any{}
	n.Mu.Lock()
	for i := len(n.dials) - 1; i >= 0 && len(found) < size; i-- {
		d := n.dials[i]
		c := n.calls[d.CallSID]
		if c == nil || c.account != r.PathValue("account") ||
			!match("To", d.To) || !match("From", d.From) || !match("Status", d.Status) || !startedOn(q, c.started) {
			continue
		}
		found = append(found, n.resourceLocked(c))
	}
	n.Mu.Unlock()
	simulation.JSON(w, http.StatusOK, map[string]any{
		"calls": found, "page": 0, "page_size": size, "next_page_uri": nil,
	})
}

// SetAccount changes what every account is: "Full" or "Trial", and "active", "suspended" or
// "closed".
func (n *Network) SetAccount(kind, status string) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	n.accountKind, n.accountStatus = kind, status
}

func (n *Network) fetchAccount(w http.ResponseWriter, r *http.Request) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	simulation.JSON(w, http.StatusOK, map[string]any{
		"sid":    r.PathValue("account"),
		"type":   cmp.Or(n.accountKind, "Full"),
		"status": cmp.Or(n.accountStatus, "active"),
	})
}

// listCallerIDs returns no verified number: an account has its numbers.
func listCallerIDs(w http.ResponseWriter, _ *http.Request) {
	simulation.JSON(w, http.StatusOK, map[string]any{
		"outgoing_caller_ids": []any{}, "page": 0, "page_size": 50, "next_page_uri": nil,
	})
}

func startedOn(q url.Values, started time.Time) bool {
	day := started.UTC().Format(time.DateOnly)
	for name, ok := range map[string]func(string) bool{
		"StartTime":  func(v string) bool { return day == v },
		"StartTime>": func(v string) bool { return day >= v },
		"StartTime<": func(v string) bool { return day <= v },
	} {
		if q.Has(name) && (started.IsZero() || !ok(q.Get(name))) {
			return false
		}
	}
	return true
}

func (n *Network) resource(c *call) map[string]any {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	return n.resourceLocked(c)
}

func (n *Network) resourceLocked(c *call) map[string]any {
	optional := func(t time.Time) any {
		if t.IsZero() {
			return nil
		}
		return t.UTC().Format(time.RFC1123Z)
	}
	res := map[string]any{
		"sid":          c.sid,
		"account_sid":  c.account,
		"api_version":  "2010-04-01",
		"to":           c.dial.To,
		"from":         c.dial.From,
		"status":       c.dial.Status,
		"direction":    c.direction(),
		"date_created": c.created.UTC().Format(time.RFC1123Z),
		"start_time":   optional(c.started),
		"end_time":     nil,
		"duration":     nil,
		"answered_by":  nil,
		"queue_time":   "0",
		"price":        c.priceLocked(callMinute),
		"price_unit":   Currency,
	}
	if c.dial.EndedAt != nil {
		res["end_time"] = c.dial.EndedAt.Format(time.RFC1123Z)
		res["duration"] = strconv.Itoa(c.seconds)
	}
	if c.answeredBy != "" {
		res["answered_by"] = c.answeredBy
	}
	return res
}
