package main

import (
	"net/http"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
)

// chaosCall is a call in the API.
type chaosCall struct {
	ID            string
	CampaignID    string `json:"campaign_id"`
	RecipientID   string `json:"recipient_id"`
	Direction     call.Direction
	Attempt       int
	FirstCallID   string      `json:"first_call_id"`
	NextCallID    string      `json:"next_call_id"`
	FromNumber    string      `json:"from_number"`
	ToNumber      string      `json:"to_number"`
	Status        call.Status `json:"status"`
	Outcome       call.Outcome
	EndedReason   call.Reason `json:"ended_reason"`
	AnsweredAt    *time.Time  `json:"answered_at"`
	CarrierCallID *string     `json:"carrier_call_id"`
	AgentVersion  int         `json:"agent_version"`
	Analysis      *conversation.Analysis
	Model         *conversation.ModelUse
	Transfer      *call.Transfer
	Transcript    []struct {
		Index int
		Role  call.Role
		Text  string
	}
}

// calls returns all calls with their transcripts, by id.
func (c *chaos) calls() map[string]chaosCall {
	c.t.Helper()
	all := map[string]chaosCall{}
	for cursor := ""; ; {
		var page struct {
			Data       []chaosCall
			NextCursor *string `json:"next_cursor"`
		}
		c.api(http.MethodGet, "/calls?limit=100"+cursor, nil, &page)
		for _, summary := range page.Data {
			var one chaosCall
			c.api(http.MethodGet, "/calls/"+summary.ID, nil, &one)
			all[one.ID] = one
		}
		if page.NextCursor == nil {
			return all
		}
		cursor = "&cursor=" + *page.NextCursor
	}
}

// chaosRecipient is a recipient in the API.
type chaosRecipient struct {
	ID, Status string
	Attempts   int
	LastCallID string `json:"last_call_id"`
	Outcome    call.Outcome
}

// recipients returns the recipients of the campaign.
func (c *chaos) recipients() (all []chaosRecipient) {
	c.t.Helper()
	for cursor := ""; ; {
		var page struct {
			Data       []chaosRecipient
			NextCursor *string `json:"next_cursor"`
		}
		c.api(http.MethodGet, "/campaigns/"+c.campaign+"/recipients?limit=100"+cursor, nil, &page)
		all = append(all, page.Data...)
		if page.NextCursor == nil {
			return all
		}
		cursor = "&cursor=" + *page.NextCursor
	}
}

// checkDials checks that no recipient was dialed more often than allowed or during another call to them. It also
// checks that the API's state of every call agrees with the network's.
func (c *chaos) checkDials(dials []sandbox.Dial, calls map[string]chaosCall) {
	c.t.Helper()
	dialed := map[string]sandbox.Dial{} // by call
	times := map[string]int{}
	last := map[string]sandbox.Dial{}
	for _, d := range dials {
		if d.Inbound {
			continue // see checkCallers
		}
		if times[d.To]++; times[d.To] > chaosMaxAttempts {
			c.t.Errorf("%s was dialed %d times", d.To, times[d.To])
		}
		if before, again := last[d.To]; again && before.Refused == "" &&
			(before.EndedAt == nil || d.ReceivedAt.Before(*before.EndedAt)) {
			c.t.Errorf("%s was dialed while the call before was up", d.To)
		}
		last[d.To] = d

		one, known := callOf(d, calls)
		if !known {
			c.t.Errorf("the server knows no call to %s that was dialed by %s", d.To, d.URL)
			continue
		}
		if _, twice := dialed[one.ID]; twice {
			c.t.Errorf("call %s was dialed twice", one.ID)
		}
		dialed[one.ID] = d
		if one.EndedReason.NotPlaced() {
			c.t.Errorf("call %s was dialed, and the server says %s", one.ID, one.EndedReason)
		}
		c.checkEnd(d, one)
	}
	for id, one := range calls {
		if one.Direction == call.Inbound {
			continue
		}
		if _, ok := dialed[id]; !ok && !one.EndedReason.NotPlaced() && one.EndedReason != call.ReasonCarrierLost {
			c.t.Errorf("call %s ended as %s, and the network has never heard of it", id, one.EndedReason)
		}
	}
}

// checkEnd compares the end of a call on both sides.
func (c *chaos) checkEnd(d sandbox.Dial, one chaosCall) {
	c.t.Helper()
	want := map[string]call.Status{
		"completed": call.Completed, "busy": call.Busy, "no-answer": call.NoAnswer, "canceled": call.Canceled,
	}[d.Status]
	switch {
	case d.Refused != "":
		// A server that was killed before it stored the refusal can't know of it.
		if one.EndedReason != call.ReasonInvalidNumber && (one.EndedReason != call.ReasonCarrierLost || !c.harmed(d)) {
			c.t.Errorf("the network refused call %s, the server says %s", one.ID, one.EndedReason)
		}
	case strings.HasPrefix(d.To, "+1500509"): // never reports back
		if one.EndedReason != call.ReasonCarrierLost {
			c.t.Errorf("nobody knows what became of call %s, the server says %s", one.ID, one.EndedReason)
		}
	case one.Status != want:
		c.t.Errorf("the network says that call %s to %s is %q, the server says %s, %s", one.ID, d.To, d.Status,
			one.Status, one.EndedReason)
	}
}

// checkTransfers checks that nobody was lost between two phones: the API knows how the last transfer of each call
// ended, nobody was connected with a caller who had hung up, and nobody was dialed for a call that knows no transfer.
func (c *chaos) checkTransfers(dials []sandbox.Dial, calls map[string]chaosCall) {
	c.t.Helper()
	transferred, connected := 0, 0
	for _, d := range dials {
		one, known := callOf(d, calls)
		if !known {
			continue // checkDials has already reported the call
		}
		if one.Transfer != nil && one.Transfer.EndedAt == nil {
			c.t.Errorf("call %s has ended, and its transfer is %s", one.ID, one.Transfer.State)
		}
		if len(d.Transfers) == 0 {
			continue
		}
		transferred++
		last := d.Transfers[len(d.Transfers)-1]
		switch {
		case one.Transfer == nil:
			c.t.Errorf("the network dialed %s for call %s, which knows no transfer", last.To, one.ID)
		case last.Connected:
			connected++
			if !one.Transfer.State.Connected() {
				c.t.Errorf("call %s was connected with a person, and its transfer is %s", one.ID, one.Transfer.State)
			}
		}
		for _, t := range d.Transfers {
			if t.Alone {
				c.t.Errorf("a person was connected with nobody in call %s", one.ID)
			}
		}
	}
	c.t.Logf("%d calls were transferred, and %d connected with a person", transferred, connected)
	if connected == 0 {
		c.t.Error("no call was connected with a person")
	}
}

// harmed reports whether a harm ran while the servers handled the call: from the request until some time after its
// end, when everything is stored.
func (c *chaos) harmed(d sandbox.Dial) bool {
	end := d.EndedAt
	if d.Refused != "" { // the call ended with the answer
		end = d.AnsweredAt
	}
	return end == nil || c.disturbed(d.ReceivedAt, end.Add(5*time.Second))
}

// callOf returns the call that a dial was made for. The call's id is in the URL that the network asks for
// instructions. A call of somebody has the network's id.
func callOf(d sandbox.Dial, calls map[string]chaosCall) (chaosCall, bool) {
	if d.Inbound {
		for _, one := range calls {
			if one.CarrierCallID != nil && *one.CarrierCallID == d.CallSID {
				return one, true
			}
		}
		return chaosCall{}, false
	}
	for part := range strings.SplitSeq(d.URL, "/") {
		id, _, _ := strings.Cut(part, "?")
		if one, ok := calls[id]; ok {
			return one, true
		}
	}
	return chaosCall{}, false
}

// checkCounters checks that the campaign's counters agree with its rows.
func (c *chaos) checkCounters(calls map[string]chaosCall, recipients []chaosRecipient) {
	c.t.Helper()
	var shown struct {
		Status   string
		Counters map[string]int
		Calls    struct{ Placed, Answered int }
	}
	c.api(http.MethodGet, "/campaigns/"+c.campaign, nil, &shown)
	counted := map[string]int{
		"total": 0, "pending": 0, "dialing": 0, "in_progress": 0, "completed": 0, "failed": 0, "skipped": 0,
		"canceled": 0, "expired": 0,
	}
	made := map[string]int{} // calls that count as attempts, by recipient
	placed, answered := 0, 0
	for _, one := range calls {
		if one.CampaignID == "" {
			continue
		}
		if !one.EndedReason.NotPlaced() { // otherwise the server was killed between the claim and the request
			made[one.RecipientID]++
			placed++
		}
		if one.AnsweredAt != nil {
			answered++
		}
	}
	for _, r := range recipients {
		counted["total"]++
		counted[r.Status]++
		if r.Attempts != made[r.ID] || r.Attempts > chaosMaxAttempts {
			c.t.Errorf("recipient %s has %d attempts, and %d calls", r.ID, r.Attempts, made[r.ID])
		}
		for _, one := range calls {
			if one.RecipientID == r.ID && one.EndedReason == call.ReasonCarrierLost && one.ID != r.LastCallID &&
				!c.traffic.resumed[r.ID] { // the last call of those who called us and answered is their own
				c.t.Errorf("recipient %s was called again, though nobody knows what became of call %s", r.ID, one.ID)
			}
		}
		if r.Outcome != calls[r.LastCallID].Outcome && !c.traffic.resumed[r.ID] {
			c.t.Errorf("the outcome of recipient %s is %s, that of the last call %s", r.ID, r.Outcome,
				calls[r.LastCallID].Outcome)
		}
	}
	for name, n := range counted {
		if shown.Counters[name] != n {
			c.t.Errorf("the campaign counts %d %s, there are %d", shown.Counters[name], name, n)
		}
	}
	if shown.Status != "completed" || counted["total"] != c.plan.total() || shown.Calls.Placed != placed ||
		shown.Calls.Answered != answered {
		c.t.Errorf("the campaign is %s with %+v; %d calls were placed, %d of them answered", shown.Status, shown.Calls,
			placed, answered)
	}
}

// checkModel checks that a language model held the calls of its version, and no others: it answered in nearly all that
// had a conversation, and some of these went on in another process.
func (c *chaos) checkModel(dials []sandbox.Dial, calls map[string]chaosCall) {
	c.t.Helper()
	talks, fellBack, moved := 0, 0, 0
	for _, d := range dials {
		one, known := callOf(d, calls)
		if !known || one.Model == nil {
			continue
		}
		if one.AgentVersion != modelVersion {
			c.t.Errorf("a model held call %s of version %d", one.ID, one.AgentVersion)
		}
		talks++
		if one.Model.FellBack {
			fellBack++
			if !c.harmed(d) {
				c.t.Errorf("no model answered in call %s, though nothing was harmed", one.ID)
			}
		}
		if d.Sessions > 1 {
			moved++
		}
	}
	c.t.Logf("a model held %d calls, %d of them over several lines; %d went on without it", talks, moved, fellBack)
	if talks < c.plan.total()/20 || fellBack > talks/4 {
		c.t.Errorf("a model held too few calls: %d, and %d went on without it", talks, fellBack)
	}
}

// checkMoments checks that the run has had the situations that it must test.
func (c *chaos) checkMoments(dials []sandbox.Dial) {
	c.t.Helper()
	held, opened := 0, 0
	for _, d := range dials {
		if d.AnsweredAt == nil && !d.Inbound {
			held++
		}
		if d.Sessions > 1 {
			opened++
		}
	}
	handed := c.network.handed()
	c.t.Logf(
		"%d dial requests were held by a server that was killed; %d lines were opened again, %d of all at another "+
			"server",
		held, opened, handed,
	)
	c.t.Logf("the network lost %d callbacks, delayed %d, and delivered %d twice", c.network.lost, c.network.delayed,
		c.network.twice)
	if held < c.plan.held || handed < c.plan.handed {
		c.t.Errorf("the moments that matter were not met")
	}
	if c.plan.adverse && (c.network.lost == 0 || c.network.delayed == 0 || c.network.twice == 0) {
		c.t.Errorf("the network was not adverse")
	}
}

// checkNothingIsLeft checks that no slot, lease or line is still in use.
func (c *chaos) checkNothingIsLeft() {
	c.t.Helper()
	c.await("the prices of calls are told, which come after their ends", func() (told bool) {
		c.row(`select not exists (select from delivery_due)`, nil, &told)
		return told
	})
	for what, sql := range map[string]string{
		"calls that are live":        `select count(*) from call where ended_at is null`,
		"calls that are not settled": `select count(*) from call where settled_at is null`,
		"lines":                      `select count(*) from call_line`,
		"transfers that are open":    `select count(*) from call_transfer where ended_at is null`,
		"recipients who are being dialed": `select count(*) from recipient
			where status in ('pending', 'dialing', 'in_progress')`,
		"deliveries that wait":        `select count(*) from delivery_due`,
		"deliveries that have failed": `select count(*) from delivery where status <> 'succeeded'`,
		"campaigns that are open": `select count(*) from campaign
			where kind = 'campaign' and (ended_at is null or dial_at is not null or status <> 'completed')`,
		"calls that are scheduled": `select count(*) from recipient where next_call_id is not null`,
	} {
		var n int
		if c.row(sql, nil, &n); n > 0 {
			c.t.Errorf("%d %s are left", n, what)
		}
	}
}
