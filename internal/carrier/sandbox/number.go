package sandbox

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/dialwright/dialwright/internal/simulation"
)

// ownNumber is a number of an account.
type ownNumber struct{ account, number string }

// numberSettings are the parameters of a number that say what it does when somebody calls it, by the names of its
// resource.
// https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource
var numberSettings = map[string]string{
	"voice_url": "VoiceUrl", "voice_method": "VoiceMethod", "voice_fallback_url": "VoiceFallbackUrl",
	"voice_fallback_method": "VoiceFallbackMethod", "status_callback": "StatusCallback",
	"status_callback_method": "StatusCallbackMethod", "voice_application_sid": "VoiceApplicationSid",
	"trunk_sid": "TrunkSid",
}

// SetNumber sets parameters of a number, such as VoiceUrl, as its owner does at the carrier.
func (n *Network) SetNumber(account, number string, parameters url.Values) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	own := ownNumber{account, number}
	if n.numbers[own] == nil {
		n.numbers[own] = url.Values{}
	}
	for _, name := range numberSettings {
		if parameters.Has(name) {
			n.numbers[own].Set(name, parameters.Get(name))
		}
	}
}

// numberOf returns the parameters of a number, as they are at first if nobody has set them.
func (n *Network) numberOf(account, number string) url.Values {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	all := url.Values{"VoiceMethod": {"POST"}, "VoiceFallbackMethod": {"POST"}, "StatusCallbackMethod": {"POST"}}
	for name, value := range n.numbers[ownNumber{account, number}] {
		all[name] = value
	}
	return all
}

// numberResource is the resource of a number. Its SID is made of its digits.
func (n *Network) numberResource(account, number, name string) map[string]any {
	settings, digits := n.numberOf(account, number), strings.TrimPrefix(number, "+")
	resource := map[string]any{
		"sid": "PN" + strings.Repeat("0", 32-len(digits)) + digits, "account_sid": account, "phone_number": number,
		"friendly_name": name, "capabilities": map[string]bool{"voice": true},
	}
	for field, parameter := range numberSettings {
		resource[field] = settings.Get(parameter)
	}
	return resource
}

// owned reports whether an account has a number: every number but those from which calls are
// refused with 21210.
func owned(number string) bool {
	m := magic.FindStringSubmatch(number)
	return m == nil || m[1] != "43"
}

// listNumbers returns the same numbers for every account. Calls from other numbers are accepted
// too, and an account has each number that is asked for.
func (n *Network) listNumbers(w http.ResponseWriter, r *http.Request) {
	account, numbers := r.PathValue("account"), []any{}
	switch asked := r.URL.Query().Get("PhoneNumber"); {
	case asked == "":
		for i := range 3 {
			name := fmt.Sprintf("Sandbox line %d", i+1)
			numbers = append(numbers, n.numberResource(account, fmt.Sprintf("+1500555900%d", i), name))
		}
	case owned(asked) && e164.MatchString(asked):
		numbers = append(numbers, n.numberResource(account, asked, asked))
	}
	simulation.JSON(w, http.StatusOK, map[string]any{
		"incoming_phone_numbers": numbers, "page": 0, "page_size": 50, "next_page_uri": nil,
	})
}

// updateNumber changes what a number does when somebody calls it.
func (n *Network) updateNumber(w http.ResponseWriter, r *http.Request) {
	account := r.PathValue("account")
	digits, isNumber := strings.CutPrefix(strings.TrimSuffix(r.PathValue("file"), ".json"), "PN")
	number := "+" + strings.TrimLeft(digits, "0")
	if !isNumber || !e164.MatchString(number) || !owned(number) {
		refuse(w, http.StatusNotFound, 20404, "The requested resource was not found")
		return
	}
	if err := r.ParseForm(); err != nil {
		refuse(w, http.StatusBadRequest, 20001, "The body is not a form")
		return
	}
	for _, name := range []string{"VoiceUrl", "VoiceFallbackUrl", "StatusCallback"} {
		address, err := url.Parse(r.PostForm.Get(name))
		if err != nil ||
			r.PostForm.Get(name) != "" && (address.Host == "" || !strings.HasPrefix(address.Scheme, "http")) {
			refuse(w, http.StatusBadRequest, 21502, name+" is not a valid URL")
			return
		}
	}
	n.SetNumber(account, number, r.PostForm)
	simulation.JSON(w, http.StatusOK, n.numberResource(account, number, number))
}
