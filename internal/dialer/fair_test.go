package dialer

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/testwait"
)

// A huge campaign that started first does not starve a campaign of ten recipients that
// shares a limit with it. Between two calls of the small campaign there are only a few
// calls of the large one, whichever process dials.
func TestALargeCampaignStarvesNoSmallOne(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]string{
		"lines of the number":             `update phone_number set max_concurrency = 5`,
		"lines of the connection":         `update connection set max_concurrency = 5`,
		"lines of the organization":       `update organization set max_concurrency = 5`,
		"call starts of the number":       `update phone_number set calls_per_second = 50`,
		"call starts of the connection":   `update connection set calls_per_second = 50`,
		"call starts of the organization": `update organization set calls_per_second = 50`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.exec(t, limit)
			_, other, _ := b.process(b.Pool)
			dialers := []*Dialer{b.dialer, other}
			large := b.create(t, fast(b.draft(3000)))
			for len(b.network.up()) < 5 {
				b.dial(t)
			}
			const few = 10
			d := fast(b.draft(0))
			for i := range few {
				d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(5000 + i)})
			}
			small := b.create(t, d)
			b.Advance(time.Second) // both campaigns have the full backlog that may be caught up
			deadline := time.Now().Add(testwait.Limit)
			for i := 0; b.get(t, small.ID).Pending > 0; i++ {
				if time.Now().After(deadline) {
					t.Fatalf("%d of the small campaign still wait", b.get(t, small.ID).Pending)
				}
				if up := b.network.up(); len(up) > 0 { // one slot is free again, whichever campaign used it
					b.tell(t, up[i%len(up)], ends(call.OutcomeCompleted)...)
				}
				b.dialWith(t, dialers[i%2])
			}
			// most is the largest number of the large campaign's calls claimed between
			// two calls of the small one.
			most := value[int](t, b, `
				with claims as (
					select campaign_id = $1 as small,
						count(*) filter (where campaign_id = $1) over (order by created_at, id) as before
					from call where created_at >= $3 and campaign_id in ($1, $2))
				select coalesce(max(n), 0)::int
					from (select count(*) filter (where not small) as n from claims where before < $4
						group by before) g`,
				small.ID, large.ID, small.CreatedAt, few)
			if most > 15 {
				t.Errorf("%d calls of the large campaign between two of the small one", most)
			}
			t.Logf("at most %d calls of the large campaign between two of the small one", most)
		})
	}
}
