package call

import (
	"fmt"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier"
)

// Without detection, only what the recipient said or pressed shows that a person answered. Every other turn is of the
// system.
func TestWhatShowsAPersonWithoutDetection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.claim.Detection = carrier.Detection{Mode: carrier.DetectOff}
	for text, test := range map[string]struct {
		role Role
		want AnsweredBy
	}{
		"Hello?":                      {Recipient, Human},
		"Pressed 5":                   {System, Human},
		"Pressed #":                   {System, Human},
		"Note by Ada: Pressed 5":      {System, Unknown},
		"Used the tool record_answer": {System, Unknown},
		"Transfer to Sales":           {System, Unknown},
		"Hi, this is Clara.":          {Agent, Unknown},
	} {
		t.Run(text, func(t *testing.T) {
			c := w.queue("+12025550199")
			w.place(c)
			placed, _, _ := w.network.count()
			id := fmt.Sprintf("CA%03d", placed)
			w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: id})
			w.exec(`insert into call_turn (call_id, index, organization_id, role, text) values ($1, 0, $2, $3, $4)`,
				c.ID, c.OrganizationID, test.role, text)
			w.hadLine(c)
			w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: id, Outcome: carrier.Completed})
			w.exec(`update call set settle_after = clock() where id = $1`, c.ID)
			w.settle()
			if got := w.get(c.ID); got.AnsweredBy != test.want {
				t.Errorf("answered by %q, want %q", got.AnsweredBy, test.want)
			}
		})
	}
}
