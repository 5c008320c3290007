package calls

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
)

func TestHowItStandsWithARecording(t *testing.T) {
	t.Parallel()
	now := time.Now()
	before := func(d time.Duration) *time.Time { return new(now.Add(-d)) }
	for want, c := range map[string]call.Call{
		"":        {Record: true, EndedAt: before(0)},
		"on":      {Record: true, AnsweredAt: before(time.Minute)},
		"awaited": {Record: true, AnsweredAt: before(time.Minute), EndedAt: before(time.Second)},
		"missing": {Record: true, AnsweredAt: before(time.Hour), EndedAt: before(time.Hour)},
		"there":   {Record: true, AnsweredAt: before(time.Hour), RecordingID: new("RE1")},
		"deleted": {
			Record: true, AnsweredAt: before(time.Hour), EndedAt: before(time.Hour), RecordingRemovedAt: before(0),
		},
	} {
		if got := recordingState(c, now); string(got) != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
