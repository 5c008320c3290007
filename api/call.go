package api

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/analysis"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/playback"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/page"
)

func (a *api) listCalls(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	pages := q.page()
	f := callFilter(q)
	f.Request = pages
	f.Sort = oneOf(q, "sort", call.Sorts)
	q.problems.Also(f.CheckQuery())
	if err := q.err(); err != nil {
		return err
	}
	list, err := a.Calls.List(r.Context(), organization(r), f)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, page.Map(list, a.Calls.Listed))
}

func (a *api) exportCalls(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	after, before := q.created()
	f := callFilter(q)
	f.CreatedAfter, f.CreatedBefore = after, before
	q.problems.Also(f.CheckQuery())
	if err := q.err(); err != nil {
		return err
	}
	keys, err := a.Calls.ExportedAnswers(r.Context(), organization(r), f)
	if err != nil {
		return err
	}
	return a.sendCSV(w, r, "calls.exported", account.Object{Type: "call"}, export.File{
		Name: "calls.csv", Header: append(slices.Clip(call.ExportHeader), call.AnswerColumns(keys)...),
		Rows: a.Calls.Export(r.Context(), organization(r), f, keys...),
	})
}

// callFilter reads the filters that a list of calls and its export share, except the
// times.
func callFilter(q *query) call.Filter {
	f := call.Filter{
		ProjectID:     q.id("project_id"),
		AgentID:       q.id("agent_id"),
		AgentVersion:  q.integer("agent_version", 1, math.MaxInt32),
		PhoneNumberID: q.id("phone_number_id"),
		Statuses:      anyOf(q, "status", call.Statuses),
		Outcomes:      anyOf(q, "outcome", call.Outcomes),
		Intents:       anyOf(q, "intent", conversation.Intents),
		AnsweredBy:    anyOf(q, "answered_by", call.Answerers),
		PersonNumber:  q.number("phone_number"),
		ExternalID:    q.text("external_id"),
		RecipientID:   q.id("recipient_id"),
		Metadata:      q.pairs("metadata"),
		Answers:       q.pairs("answers"),
		Query:         q.text("q"),
		SaidBy:        oneOf(q, "said_by", call.Speakers),
	}
	f.CampaignID, f.NoCampaign = q.idOrNone("campaign_id")
	f.StartedAfter, f.StartedBefore = q.period("started")
	f.EndedAfter, f.EndedBefore = q.period("ended")
	f.UpdatedAfter, f.UpdatedBefore = q.period("updated")
	if same := q.number("number"); same != "" {
		if f.PersonNumber != "" {
			q.problems.Addf("number", "is the same filter as phone_number: send one of them")
		}
		f.PersonNumber = same
	}
	f.Live = oneOf(q, "live", []onlyTrue{"true"}) != ""
	f.Placed = oneOf(q, "placed", []onlyTrue{"true"}) != ""
	if d := anyOf(q, "direction", call.Directions); len(d) == 1 { // both are no filter
		f.Direction = d[0]
	}
	if called := q.number("to_number"); called != "" {
		if f.PersonNumber != "" || f.Direction == call.Inbound {
			q.problems.Addf("to_number", "is for outbound calls, without phone_number")
		}
		f.PersonNumber, f.Direction = called, call.Outbound
	}
	if s := q.integer("min_duration", 0, maxDuration); s != nil {
		f.MinDuration = time.Duration(*s) * time.Second
	}
	return f
}

// onlyTrue is the value of a filter that is on or absent.
type onlyTrue string

// listCosts answers all sums on one page.
func (a *api) listCosts(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	f := costFilter(q)
	f.GroupBy = page.Only(cmp.Or(oneOf(q, "group_by", call.CostGroups), call.ByMonth))
	if err := q.err(); err != nil {
		return err
	}
	totals, err := a.Calls.Costs(r.Context(), organization(r), f)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, page.Map(page.List[call.CostTotal]{Data: totals}, call.CostTotal.Resource))
}

func (a *api) exportCosts(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	f := costFilter(q)
	if err := q.err(); err != nil {
		return err
	}
	return a.sendCSV(w, r, "costs.exported", account.Object{Type: "call"}, export.File{
		Name: "costs.csv", Header: call.CostExportHeader, Rows: a.Calls.ExportCosts(r.Context(), organization(r), f),
	})
}

// costFilter reads the filters that the sums of costs and their export share.
func costFilter(q *query) call.CostFilter {
	return call.CostFilter{
		From:          q.time("from", parseMonth),
		To:            q.time("to", parseMonth),
		ProjectID:     q.id("project_id"),
		CampaignID:    q.id("campaign_id"),
		AgentID:       q.id("agent_id"),
		PhoneNumberID: q.id("phone_number_id"),
	}
}

func parseMonth(s string) (time.Time, error) {
	t, err := time.Parse(call.MonthLayout, s)
	if err != nil {
		return t, errors.New("must be a month, such as 2026-11")
	}
	return t, nil
}

// maxDuration is a day in seconds, longer than any call.
const maxDuration = 24 * 60 * 60

func (a *api) getCall(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Call")
	if err != nil {
		return err
	}
	c, turns, err := a.Calls.Get(r.Context(), organization(r), id)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, a.Calls.Detail(c, turns))
}

// analyzeCall accepts a request for another analysis. The body is optional.
func (a *api) analyzeCall(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Call")
	if err != nil {
		return err
	}
	var body analysis.Request
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	queued, err := a.Analyses.Again(r.Context(), actor(r), id, body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusAccepted, queued.Resource())
}

// getRecording sends the carrier's recording, or the requested range of it.
func (a *api) getRecording(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Call")
	if err != nil {
		return err
	}
	sound, err := a.Calls.Recording(r.Context(), organization(r), id, r.Header.Get("Range"))
	if errors.Is(err, carrier.ErrNoSuchPart) {
		sendProblem(w, r, http.StatusRequestedRangeNotSatisfiable,
			"Range: the recording is shorter than the requested range")
		return nil
	}
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		_ = sound.Body.Close() // the request needed no byte of the body
		sound.Body = http.NoBody
	} else if err := a.Accounts.NoteHourly(r.Context(), actor(r), "recording.played", account.Object{
		Type: "call", ID: id,
	}); err != nil {
		_ = sound.Body.Close()
		return err
	}
	if err := playback.Serve(w, sound, "call-"+id.String()); err != nil {
		if r.Context().Err() == nil { // a canceled request means that the client has gone
			a.Log.ErrorContext(r.Context(), "recording broke off", "request_id", exchangeOf(r).id, "route", r.Pattern,
				"error", err)
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}
