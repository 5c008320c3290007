package ui_test

import (
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views/ui"
)

// A wrong number has one wording in forms, however it was read, and no form has words of the API.
func TestWordsOfForms(t *testing.T) {
	t.Parallel()
	_, strict := phone.Parse("555-0100")
	_, dialed := phone.ParseNational("555", "US")
	_, none := phone.ParseNational(" ", "US")
	var zone fault.Problems
	hours.Hours{Timezone: "Nowhere", Windows: hours.Default().Windows}.Validate("hours", &zone)
	var local fault.Problems
	hours.Default().ValidateLocal("hours", &local)
	for want, problems := range map[string][]error{
		"not a valid phone number": {strict, dialed},
		"required":                 {none},
		hours.WrongZone:            {zone.Err(), local.Err()},
	} {
		for _, err := range problems {
			if f := fault.As(err); f == nil {
				err = fault.Invalidf("field", "%s", err)
			}
			shown := ui.ErrorsOf(err)
			if got := shown.For("field") + shown.For("hours.timezone"); got != want || len(shown) != 1 {
				t.Errorf("%v is shown as %v, want %q", err, shown, want)
			}
		}
	}
}
