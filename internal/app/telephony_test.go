package app

import (
	"testing"

	"github.com/dialwright/dialwright/internal/project"
)

// A connection uses the address of its region, unless the server's settings replace it.
func TestTwilioIsReachedInTheRegionOfTheConnection(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		setting string
		region  project.Region
		want    string
	}{
		{"", project.RegionUS, "https://api.twilio.com"},
		{"", project.RegionIE, "https://api.dublin.ie1.twilio.com"},
		{"", project.RegionAU, "https://api.sydney.au1.twilio.com"},
		{"http://127.0.0.1:1", project.RegionIE, "http://127.0.0.1:1"},
	} {
		p := &telephony{twilioURL: test.setting}
		if got := p.onTwilio(project.Credentials{Region: test.region}).APIURL; got != test.want {
			t.Errorf("%q in %s: %s", test.setting, test.region, got)
		}
	}
}
