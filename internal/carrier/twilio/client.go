package twilio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// client gives one connection access to the REST API.
// https://www.twilio.com/docs/voice/api/call-resource
type client struct {
	adapter      *Adapter
	connectionID uuid.UUID
	account      Account
}

// maxAnswer bounds how much of an answer is read.
const maxAnswer = 1 << 20

// callResource is the part of Twilio's Call resource that the adapter reads.
type callResource struct {
	SID         string `json:"sid"`
	Status      string `json:"status"`
	To          string `json:"to"`
	From        string `json:"from"`
	AnsweredBy  string `json:"answered_by"`
	Duration    string `json:"duration"` // seconds
	DateCreated string `json:"date_created"`
	StartTime   string `json:"start_time"`
	EndTime     string `json:"end_time"`
}

func (c *client) Place(ctx context.Context, p carrier.Placement) (string, error) {
	hook := func(name string) string {
		return c.adapter.hookURL(c.account, c.connectionID, p.CallID, name) + retryPolicy
	}
	form := url.Values{
		"To":                   {p.To},
		"From":                 {p.From},
		"Url":                  {hook(hookVoice)},
		"Method":               {http.MethodPost},
		"StatusCallback":       {hook(hookStatus)},
		"StatusCallbackMethod": {http.MethodPost},
		"StatusCallbackEvent":  {"initiated", "ringing", "answered", "completed"},
		"Timeout":              {wholeSeconds(p.RingTimeout, 600)},
		"TimeLimit":            {wholeSeconds(p.MaxDuration, 86400)},
	}
	detectMachines(form, p.Detection, hook(hookDetected))
	if p.CallReason != "" {
		form.Set("CallReason", p.CallReason)
	}
	if p.Record {
		form.Set("Record", "true")
		form.Set("RecordingChannels", "dual")
		form.Set("Trim", "do-not-trim") // so that its times agree with the transcript
		form.Set("RecordingStatusCallback", hook(hookRecording))
		form.Set("RecordingStatusCallbackMethod", http.MethodPost)
		form.Set("RecordingStatusCallbackEvent", statusRecorded)
	}
	var call callResource
	if err := c.do(ctx, http.MethodPost, "/Calls.json", form, &call); err != nil {
		return "", fmt.Errorf("place call %s: %w", p.CallID, err)
	}
	if call.SID == "" {
		return "", fmt.Errorf("place call %s: %w", p.CallID, &carrier.Error{
			Kind: carrier.Ambiguous, Code: "no_sid", Reason: "Twilio accepted the call without naming it"})
	}
	return call.SID, nil
}

// detectMachines adds the parameters of machine detection.
// https://www.twilio.com/docs/voice/answering-machine-detection
func detectMachines(form url.Values, d carrier.Detection, hook string) {
	switch d.Mode {
	case carrier.DetectFast:
		form.Set("MachineDetection", "Enable")
	case carrier.DetectBeep:
		form.Set("MachineDetection", "DetectMessageEnd")
	default:
		return
	}
	form.Set("AsyncAmd", "true") // otherwise a person hears silence until machine detection has a result
	form.Set("AsyncAmdStatusCallback", hook)
	form.Set("AsyncAmdStatusCallbackMethod", http.MethodPost)
	for name, value := range map[string]*int{
		"MachineDetectionTimeout":            d.TimeoutSeconds,
		"MachineDetectionSpeechThreshold":    d.SpeechThresholdMS,
		"MachineDetectionSpeechEndThreshold": d.SpeechEndThresholdMS,
		"MachineDetectionSilenceTimeout":     d.SilenceTimeoutMS,
	} {
		if value != nil {
			form.Set(name, strconv.Itoa(*value))
		}
	}
}

func (c *client) Hangup(ctx context.Context, ref carrier.Ref) error {
	sid := ref.CarrierCallID
	if sid == "" {
		found, err := c.find(ctx, ref)
		if err != nil {
			return fmt.Errorf("hang up call %s: %w", ref.CallID, err)
		}
		sid = found.SID
	}
	// "completed" also ends a call that rings. "canceled" would not end a call that is
	// being answered at this moment.
	form := url.Values{"Status": {"completed"}}
	err := c.do(ctx, http.MethodPost, "/Calls/"+url.PathEscape(sid)+".json", form, nil)
	if e, ok := errors.AsType[*carrier.Error](err); ok && e.Code == codeNotInProgress {
		return nil
	}
	if err != nil {
		return fmt.Errorf("hang up call %s: %w", ref.CallID, err)
	}
	return nil
}

func (c *client) Lookup(ctx context.Context, ref carrier.Ref) (carrier.Report, error) {
	var call callResource
	var err error
	if ref.CarrierCallID != "" {
		err = c.do(ctx, http.MethodGet, "/Calls/"+url.PathEscape(ref.CarrierCallID)+".json", nil, &call)
	} else {
		call, err = c.find(ctx, ref)
	}
	if err != nil {
		return carrier.Report{}, fmt.Errorf("look up call %s: %w", ref.CallID, err)
	}
	return call.report()
}

// clockSkew is how much Twilio's clock may be behind the product's clock when a call is identified
// by its time. Twilio's times are whole seconds.
const clockSkew = 5 * time.Second

// find identifies a call whose answer to Place was lost: the first call between its two
// numbers that Twilio created since then and that is not another known call. It does not
// filter by StartTime, which a queued call does not have.
func (c *client) find(ctx context.Context, ref carrier.Ref) (callResource, error) {
	query := url.Values{"To": {ref.To}, "From": {ref.From}, "PageSize": {"50"}}
	var page struct {
		Calls []callResource `json:"calls"`
	}
	if err := c.do(ctx, http.MethodGet, "/Calls.json?"+query.Encode(), nil, &page); err != nil {
		return callResource{}, err
	}
	since := ref.PlacedAfter.Add(-clockSkew).Truncate(time.Second)
	var found callResource
	var foundAt time.Time
	for _, call := range page.Calls {
		created, err := time.Parse(time.RFC1123Z, call.DateCreated)
		if err != nil || created.Before(since) || slices.Contains(ref.NotThese, call.SID) ||
			call.To != ref.To || call.From != ref.From {
			continue
		}
		if foundAt.IsZero() || !created.After(foundAt) { // lists are newest first
			found, foundAt = call, created
		}
	}
	if found.SID == "" {
		return callResource{}, carrier.ErrUnknownCall
	}
	return found, nil
}

// report converts the resource to the report of the contract.
func (r callResource) report() (carrier.Report, error) {
	rep := carrier.Report{
		CarrierCallID: r.SID,
		AnsweredBy:    answeredBy(r.AnsweredBy),
		StartedAt:     parseTime(r.StartTime),
		EndedAt:       parseTime(r.EndTime),
	}
	if n, err := strconv.Atoi(r.Duration); err == nil {
		rep.Duration = time.Duration(n) * time.Second
	}
	switch r.Status {
	case "queued", "initiated":
		rep.Phase = carrier.Waiting
	case "ringing":
		rep.Phase = carrier.Alerts
	case "in-progress":
		rep.Phase = carrier.Talking
	default:
		outcome, over := outcomes[r.Status]
		if !over {
			return carrier.Report{}, fmt.Errorf("look up call: unknown status %q", r.Status)
		}
		rep.Phase, rep.Outcome = carrier.Over, outcome
	}
	return rep, nil
}

// do sends one request and decodes a 2xx answer into out. It never repeats the request. Its
// errors are *carrier.Error and carrier.ErrUnknownCall.
func (c *client) do(ctx context.Context, method, path string, form url.Values, out any) error {
	// Without a connection nothing was sent, so the failure is certain. The hooks run again
	// when net/http changes to a fresh connection, which it does only if nothing was
	// written to the stale connection.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { connected.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(ctx, method, c.address(path), body)
	if err != nil {
		return &carrier.Error{
			Kind: carrier.Unusable, Code: "address", Reason: "the address of the Twilio API is not valid",
		}
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set("Accept", "application/json")
	c.adapter.identify(req)
	c.account.authorize(req)

	res, err := c.adapter.client.Do(req)
	if err != nil {
		return unanswered(err, connected.Load())
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		// The status decides, whatever part of the body could be read.
		if res.StatusCode == http.StatusNotFound && strings.HasPrefix(path, numberPath) {
			return carrier.ErrUnknownNumber
		}
		return refusal(res, answer, strings.HasPrefix(path, "/Calls/") || strings.HasPrefix(path, recordingsPath))
	}
	if err != nil {
		return unanswered(err, true)
	}
	if out == nil || res.StatusCode == http.StatusNoContent {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return &carrier.Error{
			Kind: carrier.Ambiguous, Code: "unreadable", Reason: "Twilio's answer could not be read", Err: err,
		}
	}
	return nil
}

// address returns the address of a resource of the account.
func (c *client) address(path string) string {
	return strings.TrimRight(c.account.APIURL, "/") + "/2010-04-01/Accounts/" + url.PathEscape(c.account.SID) + path
}

// wholeSeconds rounds up to whole seconds, from 1 to limit.
func wholeSeconds(d time.Duration, limit int) string {
	n := int((d + time.Second - 1) / time.Second)
	return strconv.Itoa(min(max(n, 1), limit))
}

// parseTime parses a time in RFC 2822. It returns zero without one.
func parseTime(s string) time.Time {
	t, _ := time.Parse(time.RFC1123Z, s)
	return t
}
