package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/project"
)

// Beside the campaign, an integrator requests calls of their own, and people call the number: recipients who were not
// reached yet, and strangers. Nobody coordinates these with the harm.

const (
	chaosTrafficGap  = 150 * time.Millisecond // average time between two calls of each kind
	chaosTrafficKeys = 8
	chaosRetryGap    = 100 * time.Millisecond
	chaosOutage      = 10 * time.Second       // the network repeats its requests for 15 s
	chaosCancelTime  = 400 * time.Millisecond // from the request of a call that will be canceled to its claim
)

// chaosSingleBlocks are the reserved outcomes of the people who get calls of their own, in turn. The empty one is an
// ordinary number.
var chaosSingleBlocks = []string{"00", "01", "", "02", "10", "11", "03", "07"}

// chaosHabits are what callers do, in turn. Their number is no multiple of that of the kinds of people in callIn, so
// each kind does everything.
var chaosHabits = []string{
	"answers", "presses_9", "drops", "answers", "repeated", "says_stop", "hangs_up", "answers", "asks_why",
	"hangs_up_at_once", "asks_for_person", "asks_for_person_and_leaves", "answers",
}

// chaosTraffic is what happened beside the campaign.
type chaosTraffic struct {
	account string // of the connection at the sandbox
	inbound string // address that the number has at the carrier
	keys    []string
	singles []*chaosSingle
	callers []chaosCaller
	called  map[string]bool // numbers that have called; each calls once
	resumed map[string]bool // recipients who were asked what was open when they called, and have answered it
}

// chaosSingle is a call of its own.
type chaosSingle struct {
	to       string
	ids      []string // in the answers to the requests, which are the same request under one key
	canceled bool     // the API said so
}

// chaosCaller is somebody who calls the number.
type chaosCaller struct{ sid, from, habit string }

// prepareTraffic sets what happens when people call the number.
func (c *chaos) prepareTraffic(connectionID uuid.UUID) {
	_, err := c.app.Projects.SetInbound(c.ctx, c.actor, c.number, project.InboundInput{
		InboundContent: project.InboundContent{Action: project.InboundAgent}, AgentID: c.agent.String(),
	}, nil)

	c.must(err)
	credentials, err := c.app.Projects.Credentials(c.ctx, connectionID)
	c.must(err)
	c.traffic.account, c.traffic.called = credentials.Account, map[string]bool{}
	c.traffic.inbound = twilio.HooksPath + connectionID.String() + "/incoming"
	for i := range chaosTrafficKeys {
		_, key, err := c.accounts.CreateKey(c.ctx, c.actor, account.NewKey{Name: fmt.Sprintf("Calls %d", i)})
		c.must(err)
		c.traffic.keys = append(c.traffic.keys, key)
	}
}

// startTraffic begins the traffic. The returned function waits for its end.
func (c *chaos) startTraffic() (wait func()) {
	var both sync.WaitGroup
	both.Go(func() {
		random, requests := newRandom(c.seed+2), sync.WaitGroup{}
		defer requests.Wait()
		for i := range c.plan.singles {
			single := c.newSingle(i)
			c.traffic.singles = append(c.traffic.singles, single)
			cancelAfter := time.Duration(-1)
			if i%4 == 3 {
				cancelAfter = time.Duration(random.Int64N(2 * int64(chaosCancelTime)))
			}
			requests.Go(func() { c.request(single, i, cancelAfter) })
			c.pauseBy(random, chaosTrafficGap)
		}
	})
	both.Go(func() {
		random := newRandom(c.seed + 3)
		for i := range c.plan.callers {
			c.callIn(i)
			c.pauseBy(random, chaosTrafficGap)
		}
	})
	return both.Wait
}

func (c *chaos) pauseBy(random *rand.Rand, mean time.Duration) {
	select {
	case <-time.After(mean/2 + time.Duration(random.Int64N(int64(mean)))):
	case <-c.ctx.Done():
	}
}

func (c *chaos) newSingle(i int) *chaosSingle {
	if block := chaosSingleBlocks[i%len(chaosSingleBlocks)]; block != "" {
		return &chaosSingle{to: fmt.Sprintf("+15005%s%04d", block, 5000+i)}
	}
	return &chaosSingle{to: fmt.Sprintf("+1312557%04d", i)}
}

// request requests a call of its own, as an integrator does who repeats the request under the same key until it is
// answered. Some requests are made twice at the same time. Afterward, some calls are canceled.
func (c *chaos) request(single *chaosSingle, i int, cancelAfter time.Duration) {
	body := map[string]any{
		"project_id": c.project, "agent_id": c.agent, "phone_number_id": c.number, "to": single.to,
		"voicemail_action": "leave_message", "max_duration_seconds": 3600,
		"retry": map[string]any{
			"max_attempts": chaosMaxAttempts, "delays_minutes": []int{0},
			"on": []string{"busy", "no_answer", "voicemail", "failed"},
		},
	}
	if cancelAfter >= 0 { // the cancellation meets the claim
		body["scheduled_at"] = time.Now().Add(chaosCancelTime)
	}
	single.ids = make([]string, 1+i%2)
	var together sync.WaitGroup
	for j := range single.ids {
		together.Go(func() {
			var made struct{ ID string }
			if c.insist("/calls", fmt.Sprint("single ", i), i, body, &made, http.StatusCreated) != 0 {
				single.ids[j] = made.ID
			}
		})
	}
	together.Wait()
	if cancelAfter < 0 || single.ids[0] == "" {
		return
	}
	time.Sleep(cancelAfter)
	var shown chaosCall
	switch c.insist("/calls/"+single.ids[0]+"/cancel", "", i, nil, &shown, http.StatusOK, http.StatusConflict) {
	case http.StatusOK:
		single.canceled = true
	case http.StatusConflict: // it was placed, or the answer to an earlier request was lost
	}
}

// insist posts a request until its status is one of these, and returns the status. It returns 0 after the end of the
// run, and after a status that no harm explains.
func (c *chaos) insist(path, idempotencyKey string, i int, body, answer any, want ...int) int {
	text, err := json.Marshal(body)
	if err != nil {
		c.t.Error(err)
		return 0
	}
	if body == nil {
		text = nil
	}
	for attempt := 0; c.ctx.Err() == nil; attempt++ {
		status, got := c.post(path, idempotencyKey, c.traffic.keys[(i+attempt)%len(c.traffic.keys)], text)
		switch {
		case slices.Contains(want, status):
			if err := json.Unmarshal(got, answer); status < 300 && err != nil {
				c.t.Errorf("POST %s: %v: %s", path, err, got)
			}
			return status
		case status == 0, status >= 500, status == http.StatusTooManyRequests,
			status == http.StatusConflict: // the same request is being handled
		default:
			c.t.Errorf("POST %s: %d: %s", path, status, got)
			return 0
		}
		time.Sleep(chaosRetryGap)
	}
	return 0
}

// post sends a request to the servers. The status is 0 if there is no answer.
func (c *chaos) post(path, idempotencyKey, key string, body []byte) (status int, answer []byte) {
	req, err := http.NewRequestWithContext(c.ctx, http.MethodPost, c.network.url+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return 0, nil
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", idempotencyKey)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	if answer, err = io.ReadAll(res.Body); err != nil {
		return 0, nil
	}
	return res.StatusCode, answer
}

// callIn lets somebody call the number: in turn a recipient of the campaign between two attempts, a person between two
// attempts of a call of its own, and a stranger.
func (c *chaos) callIn(i int) {
	from := fmt.Sprintf("+1312556%04d", i)
	if i%3 < 2 {
		from = cmp.Or(c.between(i%3 == 1, i%6 == 0), from)
	}
	c.traffic.called[from] = true
	caller := chaosCaller{from: from, habit: chaosHabits[i%len(chaosHabits)]}
	body, err := json.Marshal(sandbox.CallIn{
		Account: c.traffic.account, From: from, To: chaosNumber, Caller: caller.habit,
		VoiceURL: c.network.url + c.traffic.inbound, StatusURL: c.network.url + c.traffic.inbound + "/status",
	})
	if err != nil {
		c.t.Error(err)
		return
	}
	req, err := http.NewRequestWithContext(c.ctx, http.MethodPost, c.sandboxURL+"/sandbox/calls", bytes.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	req.SetBasicAuth("test", c.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Error(err)
		return
	}
	defer res.Body.Close()
	var made struct {
		SID string `json:"call_sid"`
	}
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || made.SID == "" {
		c.t.Errorf("%s does not call: %s, %v", from, res.Status, err)
		return
	}
	caller.sid = made.SID
	c.traffic.callers = append(c.traffic.callers, caller)
}

// between returns the number of somebody who was called and will be called again, and who has not called yet. It waits
// for a recipient of the campaign until the campaign has called everybody, and then chooses one who was not reached. It
// is "" without such a person, and while the database is away unless it is patient: in every run, some recipients call.
func (c *chaos) between(single, patient bool) string {
	called := slices.Collect(maps.Keys(c.traffic.called))
	for c.ctx.Err() == nil {
		var number string
		var over bool
		err := c.pool.QueryRow(c.ctx, `
			select coalesce((
				select r.phone_number from recipient r join campaign c on c.id = r.campaign_id
				where r.status = 'pending' and r.attempts > 0 and (c.kind = 'call') = $1
				  and r.phone_number <> all($2)
				order by r.id desc limit 1), (
				select phone_number from recipient
				where campaign_id = $3 and status = 'failed' and not $1 and phone_number <> all($2)
				  and not exists (select from recipient where campaign_id = $3 and status = 'pending')
				order by id desc limit 1), ''),
			not exists (select from recipient where campaign_id = $3 and status = 'pending')`,
			single, called, c.campaign).Scan(&number, &over)
		if err != nil && !patient || number != "" || over || single {
			return number
		}
		time.Sleep(finishPoll)
	}
	return ""
}

// checkSingles checks that every call of its own was requested once and ended: each of its attempts is a call with a
// final state, of which only the last one reached anybody, and a canceled one was not placed.
func (c *chaos) checkSingles(dials []sandbox.Dial, calls map[string]chaosCall) {
	c.t.Helper()
	byNumber := map[string][]chaosCall{}
	for _, one := range calls {
		if one.Direction == call.Outbound && one.CampaignID == "" {
			byNumber[one.ToNumber] = append(byNumber[one.ToNumber], one)
		}
	}
	dialed := map[string]int{}
	for _, d := range dials {
		dialed[d.To]++
	}
	reached, canceled := 0, 0
	for _, single := range c.traffic.singles {
		first := single.ids[0]
		if slices.ContainsFunc(single.ids, func(id string) bool { return id == "" || id != first }) {
			c.t.Errorf("the call to %s was requested under one key, and is %q", single.to, single.ids)
			continue
		}
		made := 0
		for id := first; id != ""; made++ {
			one, known := calls[id]
			switch {
			case !known:
				c.t.Errorf("call %s to %s is lost", id, single.to)
			case one.Outcome == "" || one.FirstCallID != first || one.ToNumber != single.to:
				c.t.Errorf("call %s to %s is %s: %+v", id, single.to, one.Status, one)
			case one.Outcome == call.OutcomeCompleted && one.NextCallID != "":
				c.t.Errorf("%s was reached in call %s, and called again", single.to, id)
			case one.Outcome == call.OutcomeCompleted:
				reached++
			}
			id = one.NextCallID
		}
		if made != len(byNumber[single.to]) {
			c.t.Errorf("%d calls to %s, of which %d are attempts of one call", len(byNumber[single.to]), single.to,
				made)
		}
		if single.canceled {
			canceled++
			if one := calls[first]; one.EndedReason != call.ReasonCanceledByUser || dialed[single.to] > 0 {
				c.t.Errorf("the canceled call to %s ended as %s and was placed %d times", single.to, one.EndedReason,
					dialed[single.to])
			}
		}
	}
	c.t.Logf("of %d calls of their own, %d reached a person, and %d were canceled in time", len(c.traffic.singles),
		reached, canceled)
	if reached == 0 {
		c.t.Error("no call of its own reached anybody")
	}
}

// checkCallers checks that everybody who called is one call with a final state. Nobody is dialed who talks with us, has
// answered what was open, or has opted out.
func (c *chaos) checkCallers(dials []sandbox.Dial, calls map[string]chaosCall) {
	c.t.Helper()
	stored := map[string][]chaosCall{}
	for _, one := range calls {
		if one.Direction == call.Inbound && one.CarrierCallID != nil {
			stored[*one.CarrierCallID] = append(stored[*one.CarrierCallID], one)
		}
	}
	known := map[string]sandbox.Dial{}
	dialedAfter := func(number string, t time.Time) bool {
		return slices.ContainsFunc(dials, func(d sandbox.Dial) bool {
			return !d.Inbound && d.To == number && d.ReceivedAt.After(t)
		})
	}
	for _, d := range dials {
		known[d.CallSID] = d
	}
	ends := map[call.Reason]int{}
	unheard, moved, optedOut := 0, 0, 0
	for _, caller := range c.traffic.callers {
		d, got := known[caller.sid], stored[caller.sid]
		switch {
		case d.EndedAt == nil:
			c.t.Errorf("the call of %s, who %s, has not ended at the network: %s", caller.from, caller.habit, d.Status)
			continue
		case len(got) == 0 && (d.Unheard || c.outlasted(d.ReceivedAt)): // no server answered in time
			unheard++
			continue
		case len(got) == 0 && d.Status == "no-answer" && c.harmed(d):
			unheard++ // the network repeats no request of a caller who has hung up
			continue
		case len(got) != 1:
			c.t.Errorf("the call of %s, who %s, is stored %d times; the network says %s", caller.from, caller.habit,
				len(got), d.Status)
			continue
		}
		one := got[0]
		ends[one.EndedReason]++
		if one.Outcome == "" {
			c.t.Errorf("the call of %s, who %s, is %s", caller.from, caller.habit, one.Status)
		}
		if d.Status != "failed" {
			c.checkEnd(d, one)
		}
		if d.Sessions > 1 {
			moved++
		}
		told := slices.ContainsFunc(d.Turns, func(turn sandbox.Turn) bool {
			return turn.Who == sandbox.Agent && strings.Contains(turn.Text, "We will not call this number again")
		})
		if told || one.EndedReason == call.ReasonOptedOut {
			optedOut++
			var listed bool
			c.row(`select exists (select from do_not_call where phone_number = $1)`, []any{caller.from}, &listed)
			if !listed || dialedAfter(caller.from, *d.EndedAt) {
				c.t.Errorf("%s opted out in call %s; listed: %t, called after it: %t", caller.from, one.ID, listed,
					dialedAfter(caller.from, *d.EndedAt))
			}
		}
	}
	c.checkResumed(calls, known, dialedAfter)
	var meanwhile int
	c.row(`
		select count(*) from call i join call o using (organization_id, person_number)
		where i.direction = 'inbound' and o.direction = 'outbound' and o.asked_at > i.answered_at
		  and o.asked_at < i.ended_at`, nil, &meanwhile)
	if meanwhile > 0 {
		c.t.Errorf("%d calls to people who talked with us", meanwhile)
	}
	c.t.Logf("%d people called: %v; %d reached no server, %d came back on another line, %d opted out, %d answered "+
		"what a campaign or a call of its own had left open", len(c.traffic.callers), ends, unheard, moved, optedOut,
		len(c.traffic.resumed))
	if ends[call.ReasonCompleted] == 0 || optedOut == 0 || len(c.traffic.resumed) == 0 {
		c.t.Error("the callers did not do what matters")
	}
}

// outlasted reports whether a harm that began or lasted at this time may have lasted longer than the network repeats a
// request.
func (c *chaos) outlasted(at time.Time) bool {
	return slices.ContainsFunc(c.harms, func(h harm) bool {
		return h.to.Sub(h.from) > chaosOutage && h.from.Before(at.Add(chaosOutage)) && h.to.After(at)
	})
}

// checkResumed checks the recipients who have answered what was open: they are completed and were not called again.
func (c *chaos) checkResumed(
	calls map[string]chaosCall, known map[string]sandbox.Dial, dialedAfter func(string, time.Time) bool,
) {
	c.t.Helper()
	c.traffic.resumed = map[string]bool{}
	rows, err := c.pool.Query(c.ctx, `
		select i.id::text, r.id::text, r.status from call i join recipient r on r.id = i.resumes_recipient_id
		where i.direction = 'inbound' and i.ended_reason = 'completed'`)
	c.must(err)
	var id, recipient string
	var status campaign.RecipientStatus
	_, err = pgx.ForEachRow(rows, []any{&id, &recipient, &status}, func() error {
		c.traffic.resumed[recipient] = true
		one := calls[id]
		ended := known[*one.CarrierCallID].EndedAt
		if status != campaign.RecipientCompleted || ended != nil && dialedAfter(one.FromNumber, *ended) {
			c.t.Errorf("%s answered what was open in call %s, and is %s; called after it: %t", one.FromNumber, id,
				status, ended != nil && dialedAfter(one.FromNumber, *ended))
		}
		return nil
	})
	c.must(err)
}
