package phone

import "testing"

func TestCountry(t *testing.T) {
	t.Parallel()
	for number, want := range map[Number]struct{ country, text string }{
		"+493012345678": {"DE", "Germany"},
		"+13125550142":  {"US", "the United States"},
		"+15005410001":  {"US", "the United States"}, // the sandbox block
		"+14165550142":  {"CA", "Canada"},
		"+18095550142":  {"DO", "the Dominican Republic"},
		"+447400123456": {"GB", "the United Kingdom"},
		"+441534123456": {"JE", "Jersey"},
		"+31201234567":  {"NL", "the Netherlands"},
		"+77012345678":  {"KZ", "Kazakhstan"},
		"+79161234567":  {"RU", "Russia"},
		"+870773111632": {"+870", "+870"},
		"no number":     {"", ""},
	} {
		if got := Country(number); got != want.country {
			t.Errorf("%s: %s", number, got)
		} else if text := CountryInText(got); text != want.text {
			t.Errorf("%s: %s", got, text)
		}
	}
}
