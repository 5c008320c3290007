package call

// HoursDecision is why the calling hours allowed a call, as it is stored with the call.
type HoursDecision struct {
	Clocks         []HoursClock `json:"clocks"` // all of them had to be open
	Rules          []string     `json:"rules"`  // regulation.Book.Applied
	CallsIn24Hours int          `json:"calls_in_24_hours"`
}

// HoursClock is a clock that decided about a call.
type HoursClock struct {
	Timezone  string `json:"timezone"`
	Source    string `json:"source"`     // how the time zone was found: recipient, number, project, campaign
	LocalTime string `json:"local_time"` // at the claim, HoursTime
	Start     string `json:"start"`      // of the part of the day that the calling hours and rules allow
	End       string `json:"end"`
}

// HoursTime is the layout of LocalTime: RFC 3339 with the zone's offset, in milliseconds.
const HoursTime = "2006-01-02T15:04:05.000-07:00"

// sqlCallsIn24Hours counts the calls to the number of a claim n in the 24 hours before k.t, as limits on calls to
// one number count them: those that were requested from the carrier or may still be, unless no phone rang.
var sqlCallsIn24Hours = `(
	select count(*) from call d
	where d.organization_id = n.organization_id and d.person_number = n.person_number and d.direction = 'outbound'
	  and d.created_at > k.t - interval '24 hours' - make_interval(secs => @lease)
	  and coalesce(d.asked_at, d.created_at) > k.t - interval '24 hours'
	  and (d.asked_at is not null or d.ended_at is null)
	  and (d.ended_reason = any(` + sqlNotPlaced + `)) is not true)`
