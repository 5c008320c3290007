package campaign

import (
	"fmt"
	"testing"
	"time"
)

// Only the largest groups of time zones are reported, however many clocks a list has.
func TestFewTimeZonesAreTold(t *testing.T) {
	t.Parallel()
	now := time.Now()
	w := Tally{}
	for i := range 3 * zonesMost {
		w.Wait(WaitCallingHours, ZoneOfRecipient, []string{
			fmt.Sprint("Zone/", i),
		}, i+1, now.Add(time.Duration(i)*time.Minute))
	}
	list := w.List()
	if len(list) != 1 || list[0].Recipients != 3*zonesMost*(3*zonesMost+1)/2 || len(list[0].ByTimeZone) != zonesMost ||
		list[0].ByTimeZone[0].Recipients != 3*zonesMost {
		t.Errorf("%+v", list)
	}
}
