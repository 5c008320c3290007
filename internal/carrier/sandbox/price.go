package sandbox

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// pricing is when the price of a call is known, in network time.
type pricing uint8

const (
	soon      pricing = iota
	lately            // long after the call
	never             //
	corrected         // soon, and doubled later
)

const (
	soonTime      = 3 * time.Minute
	latelyTime    = 40 * time.Minute
	correctedTime = 2 * time.Hour

	// Prices of a started minute, in hundred-thousandths of a dollar.
	callMinute      = 1400
	legMinute       = 1300 // of the other phone of a transferred call
	recordingMinute = 250
)

// Currency is the currency of all prices.
const Currency = "USD"

// CallPrice returns the price of a call with this talk time, as an exact decimal.
func CallPrice(talk time.Duration) string {
	return dollars(callMinute * minutes(int(math.Ceil(talk.Seconds()))))
}

// minutes returns the started minutes of a time in seconds.
func minutes(seconds int) int { return (seconds + 59) / 60 }

func dollars(price int) string { return fmt.Sprintf("%d.%05d", price/100_000, price%100_000) }

// priceLocked returns the price of a call as Twilio prints it: negative, and nil until it is known.
// A call that was not answered never has a price. The caller holds n.Mu.
func (c *call) priceLocked(minute int) any {
	if c.dial.EndedAt == nil || c.answeredAt.IsZero() {
		return nil
	}
	return c.plan.priced(minute*minutes(c.seconds), c.n.ageLocked(*c.dial.EndedAt))
}

// ageLocked returns how long ago a call ended, in network time. The caller holds n.Mu.
func (n *Network) ageLocked(endedAt time.Time) time.Duration {
	return n.Unscaled(time.Since(endedAt)) + n.elapsed
}

// priced returns a price as Twilio prints it, when a call ended some time ago.
func (p plan) priced(price int, since time.Duration) any {
	switch {
	case p.pricing == never, since < soonTime, p.pricing == lately && since < latelyTime:
		return nil
	case p.pricing == corrected && since >= correctedTime:
		price *= 2
	}
	return "-" + dollars(price)
}

// Elapse makes ended calls older, for tests of prices that are known or corrected hours later.
func (n *Network) Elapse(d time.Duration) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	n.elapsed += d
}

// showRecording returns the resource of a recording.
func (n *Network) showRecording(w http.ResponseWriter, r *http.Request) {
	c, rec := n.findRecording(w, r, ".json")
	if rec == nil {
		return
	}
	n.Mu.Lock()
	price := c.priceLocked(recordingMinute)
	n.Mu.Unlock()
	simulation.JSON(w, http.StatusOK, map[string]any{
		"sid": rec.sid, "account_sid": c.account, "call_sid": c.sid, "status": "completed",
		"duration": rec.seconds(), "price": price, "price_unit": Currency,
	})
}
