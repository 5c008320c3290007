package messaging

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/webhook"
)

const lease = 30 * time.Second

// However statuses are repeated and shuffled, the final state is the same, each event is
// emitted once, and only an accepted message counts.
func TestStatusesInAnyOrder(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		news   []Update
		want   Status
		counts bool
		events []webhook.Type
	}{
		{[]Update{UpdateAccepted}, Sent, true, []webhook.Type{webhook.MessageSent}},
		{
			[]Update{UpdateAccepted, UpdateDelivered}, Delivered, true,
			[]webhook.Type{webhook.MessageDelivered, webhook.MessageSent},
		},
		{[]Update{UpdateDelivered}, Delivered, true, []webhook.Type{webhook.MessageDelivered, webhook.MessageSent}},
		{
			[]Update{UpdateAccepted, UpdateDelivered, UpdateRead}, Read, true,
			[]webhook.Type{webhook.MessageDelivered, webhook.MessageRead, webhook.MessageSent},
		},
		{
			[]Update{UpdateAccepted, UpdateRead}, Read, true,
			[]webhook.Type{webhook.MessageDelivered, webhook.MessageRead, webhook.MessageSent},
		},
		{
			[]Update{UpdateRead, UpdateLost}, Read, true,
			[]webhook.Type{webhook.MessageDelivered, webhook.MessageRead, webhook.MessageSent},
		},
		{[]Update{UpdateFailed}, Failed, false, []webhook.Type{webhook.MessageFailed}},
		{[]Update{UpdateFailed, UpdateLost, UpdateWithdrawn}, Failed, false, []webhook.Type{webhook.MessageFailed}},
	} {
		for range 200 {
			s := state{ID: uuid.New(), Status: Queued, DueAt: &began}
			if changed, _ := s.apply(Move{Update: UpdateAdmitted, Lease: lease}, began); !changed ||
				s.Status != Sending || !s.CountedAt.Equal(began.Add(lease)) {
				t.Fatalf("%+v", s)
			}
			s.AskedAt = &began
			all := append(slices.Clone(c.news), c.news[rand.N(len(c.news))], c.news[rand.N(len(c.news))])
			rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			var told []webhook.Type
			now := began
			for _, n := range all {
				now = now.Add(time.Second)
				_, events := s.apply(Move{Update: n, OperatorID: "wamid.1", Code: 1}, now)
				told = append(told, events...)
			}
			slices.Sort(told)
			if s.Status != c.want || (s.CountedAt != nil) != c.counts || !slices.Equal(told, c.events) {
				t.Fatalf("%v: %s, counts %v, told %v", all, s.Status, s.CountedAt, told)
			}
			if s.CountedAt != nil && (s.DeliveredAt != nil && s.CountedAt.Before(*s.DeliveredAt) ||
				s.CountedAt.Before(*s.SentAt)) {
				t.Fatalf("%v: counts as of %v, sent %v, delivered %v", all, s.CountedAt, s.SentAt, s.DeliveredAt)
			}
			if (s.EndedAt != nil) != (s.Status == Failed) || s.LeaseUntil != nil || s.UnknownSince != nil ||
				s.DueAt != nil {
				t.Fatalf("%v: %+v", all, s)
			}
		}
	}
}

// If one device got the message and another did not, it was delivered.
func TestDeliveredBeatsFailed(t *testing.T) {
	t.Parallel()
	for _, order := range [][]Update{
		{UpdateAccepted, UpdateDelivered, UpdateFailed}, {UpdateAccepted, UpdateFailed, UpdateDelivered},
		{UpdateFailed, UpdateRead}, {UpdateRead, UpdateFailed},
	} {
		now := time.Now()
		s := state{Status: Sending, LeaseUntil: &now, CountedAt: &now}
		for _, n := range order {
			s.apply(Move{Update: n}, now)
		}
		if s.Status != Delivered && s.Status != Read || s.CountedAt == nil || s.EndedAt != nil || s.Error != nil {
			t.Errorf("%v: %+v", order, s)
		}
	}
}

// A message that the operator refused for now goes back into the queue and no longer
// counts. A message that may have been sent never goes back.
func TestWhatGoesBack(t *testing.T) {
	t.Parallel()
	now := time.Now()
	sending := func(asked, over bool) state {
		s := state{Status: Queued, DueAt: &now}
		at := now
		if over {
			at = now.Add(-lease)
		}
		s.apply(Move{Update: UpdateAdmitted, Lease: lease}, at)
		if asked {
			s.AskedAt = &now
		}
		return s
	}
	s := sending(true, false)
	if s.apply(Move{Update: UpdateDeferred, Pause: time.Minute, Wait: WaitRetry}, now); s.Status != Queued ||
		s.CountedAt != nil || !s.DueAt.Equal(now.Add(time.Minute)) {
		t.Errorf("%+v", s)
	}
	if s = sending(false, true); true {
		if s.apply(Move{Update: UpdateOverdue}, now); s.Status != Queued || s.CountedAt != nil {
			t.Errorf("nobody asked: %+v", s)
		}
	}
	if s = sending(true, true); true {
		if s.apply(Move{Update: UpdateOverdue}, now); s.Status != Sending || s.UnknownSince == nil ||
			s.CountedAt == nil {
			t.Errorf("somebody asked: %+v", s)
		}
	}
	if s = sending(true, false); true {
		if changed, _ := s.apply(Move{Update: UpdateOverdue}, now); changed {
			t.Errorf("the lease is not over: %+v", s)
		}
	}
}

func TestAlarm(t *testing.T) {
	t.Parallel()
	var a alarm
	var told []webhook.Type
	for _, free := range []int{250, 26, 25, 24, 0, 1, 0, 1, 25, 0, 26, 25, 0, 200, 0} {
		var kinds []webhook.Type
		a, kinds = a.next(250, free)
		told = append(told, kinds...)
	}
	want := []webhook.Type{
		webhook.NumberQuotaLow, webhook.NumberQuotaExhausted, // 25 … 0, then back and forth below a tenth
		webhook.NumberQuotaLow, webhook.NumberQuotaExhausted, // after 26
		webhook.NumberQuotaLow, webhook.NumberQuotaExhausted, // at once
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}
}
