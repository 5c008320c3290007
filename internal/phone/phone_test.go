package phone

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Number{
		"+13125550142":      "+13125550142",
		"+15005010001":      "+15005010001", // the sandbox block
		"+15005559999":      "+15005559999",
		"+493012345678":     "+493012345678",
		"+4917612345678":    "+4917612345678",
		"+390612345678":     "+390612345678",  // a leading zero that is part of the number
		"+4903012345678":    "+493012345678",  // a trunk zero that is not part of the number
		"+5491123456789":    "+5491123456789", // the 9 of Argentine mobiles stays
		"+80012345678":      "+80012345678",
		"+881612345678":     "+881612345678",
		"+1312555014":       "", // too short
		"+131255501423":     "", // too long
		"+5550142":          "", // local only
		"+15550142":         "",
		"13125550142":       "",
		"+1 312 555 0142":   "",
		"+1-312-555-0142":   "",
		" +13125550142":     "",
		"+13125550142\n":    "",
		"++13125550142":     "",
		"+٣١٢٥٥٥٠١٤٢":       "",
		"+1312555014２":      "",
		"+0312555014":       "",
		"+9991234567":       "",
		"+1234567890123456": "",
		"":                  "",
		"+":                 "",
		"911":               "",
		"112":               "",
		"+1911":             "",
		"+112":              "",
		"+49112":            "",
		"+44999":            "",
		"+49116116":         "", // a short number with a country code in front
	} {
		got, err := Parse(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("Parse(%q) = %q, %v; want %q", in, got, err, want)
		}
		if err != nil && !errors.Is(err, ErrInvalid) && in != "" {
			t.Errorf("Parse(%q): %v; every refusal reads the same", in, err)
		}
	}
}

func TestParseNational(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, region string
		want       Number
		err        error
	}{
		{"(312) 555-0142", "US", "+13125550142", nil},
		{"1-312-555-0142", "US", "+13125550142", nil},
		{"312.555.0142", "US", "+13125550142", nil},
		{"030 / 1234 5678", "DE", "+493012345678", nil},
		{"0176–123 456 78", "DE", "+4917612345678", nil},
		{"442079460958", "GB", "+442079460958", nil},
		{"06 12345678", "IT", "+390612345678", nil},
		{"+49 (0)30 12345678", "US", "+493012345678", nil},
		{"0049 30 12345678", "US", "+493012345678", nil},
		{"011 49 30 12345678", "US", "+493012345678", nil},
		{"'+493012345678", "US", "+493012345678", nil},
		{`="+493012345678"`, "US", "+493012345678", nil},
		{"=+493012345678", "US", "+493012345678", nil},
		{"tel:+49-30-12345678", "US", "+493012345678", nil},
		{"TEL://+493012345678", "US", "+493012345678", nil},
		{"\u202a+49\u00a030 12345678\u202c", "US", "+493012345678", nil},
		{"＋４９３０１２３４５６７８", "US", "+493012345678", nil},
		{"13125550142.0", "US", "+13125550142", nil},
		{"4915112345678", "DE", "+4915112345678", nil}, // the + is lost
		{"49 176 12345678", "DE", "+4917612345678", nil},
		{"493012345678", "DE", "+493012345678", nil},
		{"4917612345", "DE", "+494917612345", nil}, // 0491 without its 0
		{"0491 7612345", "DE", "+494917612345", nil},
		{"04915 112345", "DE", "+494915112345", nil},
		{"393331234567", "IT", "+393331234567", nil},
		{"33612345678", "FR", "+33612345678", nil},
		{"13122000000", "US", "+13122000000", nil},
		{"-12345780", "DE", "", ErrComputed},
		{"=-12345780", "DE", "", ErrComputed},
		{"+1 500 501 0001", "DE", "+15005010001", nil},
		{"", "US", "", ErrEmpty},
		{"  ' ", "US", "", ErrEmpty},
		{"4.91771E+12", "DE", "", ErrRounded},
		{"312 555 0142 ext. 12", "US", "", ErrExtension},
		{"312 555 0142 x12", "US", "", ErrExtension},
		{"1-800-FLOWERS", "US", "", ErrLetters},
		{"call me", "US", "", ErrLetters},
		{"911", "US", "", ErrShort},
		{"112", "DE", "", ErrShort},
		{"555 0142", "US", "", ErrImpossible},
		{"+1 312 555 0142 +1 312 555 0143", "US", "", ErrImpossible},
		{"030 123456789 / 0171 456789123", "DE", "", ErrImpossible},
		{"312 555 0142", "", "", ErrRegion},
		{"+1 312 555 0142", "", "+13125550142", nil},
		{strings.Repeat("1 ", 40), "US", "", ErrImpossible},
	} {
		got, err := ParseNational(c.in, c.region)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("ParseNational(%q, %q) = %q, %v; want %q, %v", c.in, c.region, got, err, c.want, c.err)
		}
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	for n, want := range map[Number]string{
		"+13125550142":  "+1 312 555 0142",
		"+15005010001":  "+1 500 501 0001",
		"+493012345678": "+49 30 12345678",
		"+819012345678": "+81 90 1234 5678",
		"+390612345678": "+39 06 1234 5678",
		"+80012345678":  "+800 1234 5678",
		"nonsense":      "nonsense",
		"":              "",
	} {
		if got := Format(n); got != want {
			t.Errorf("Format(%q) = %q, want %q", n, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for n, want := range map[Number]string{
		"+13125550142":  "+1…42",
		"+493012345678": "+49…78",
		"+9":            "",
		"":              "",
	} {
		if got := Mask(n); got != want {
			t.Errorf("Mask(%q) = %q, want %q", n, got, want)
		}
	}
}

func TestZones(t *testing.T) {
	t.Parallel()
	for n, want := range map[Number]string{
		"+13125550142":   "America/Chicago",
		"+12125550142":   "America/New_York",
		"+493012345678":  "Europe/Berlin",
		"+4917612345678": "Europe/Berlin",
		"+97714123456":   "Asia/Katmandu",
		"+351912345678":  "Atlantic/Azores Europe/Lisbon", // a mobile may be anywhere in its country
		"+18005550142":   "",                              // toll-free
		"+15005010001":   "",                              // personal, the sandbox block
		"+447012345678":  "",                              // personal
		"+80012345678":   "",                              // international toll-free
		"+11111111111":   "",
		"":               "",
	} {
		zones, reliable := Zones(n)
		if strings.Join(zones, " ") != want || reliable != (want != "") {
			t.Errorf("Zones(%q) = %q, %t; want %q", n, zones, reliable, want)
		}
	}
}

// Go knows every time zone that a number can have. In an unknown zone, calling hours
// would never begin.
func TestZonesExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for n := range samples(rand.New(rand.NewPCG(1, 2)), 30_000) {
		number, err := Parse(n)
		if err != nil {
			continue
		}
		zones, _ := Zones(number)
		for _, z := range zones {
			if !known[z] {
				if _, err := time.LoadLocation(z); err != nil {
					t.Errorf("%s: %v", number, err)
				}
				known[z] = true
			}
		}
	}
	if len(known) < 100 {
		t.Errorf("the samples reached only %d zones", len(known))
	}
}

// The compiled plans and the library agree on possible numbers, canonical forms and
// reliable time zones.
func TestAgreesWithLibrary(t *testing.T) {
	t.Parallel()
	valid := 0
	for s := range samples(rand.New(rand.NewPCG(3, 4)), 60_000) {
		got, err := Parse(s)
		n, libraryErr := phonenumbers.Parse(s, phonenumbers.UNKNOWN_REGION)
		possible := libraryErr == nil && phonenumbers.IsPossibleNumberWithReason(n) == phonenumbers.IS_POSSIBLE
		if err == nil {
			valid++
			if !possible {
				t.Fatalf("Parse(%q) = %q, which the library finds impossible", s, got)
			}
			if e164 := phonenumbers.Format(n, phonenumbers.E164); e164 != string(got) {
				t.Fatalf("Parse(%q) = %q, the library says %q", s, got, e164)
			}
			if again, err := Parse(string(got)); again != got || err != nil {
				t.Fatalf("Parse(%q) = %q, which parses to %q, %v", s, got, again, err)
			}
			if plain, _ := strings.CutPrefix(strings.ReplaceAll(Format(got), " ", ""), "+"); "+"+plain != string(got) {
				t.Fatalf("Format(%q) = %q", got, Format(got))
			}
			kind := phonenumbers.GetNumberType(n)
			placed := kind == phonenumbers.FIXED_LINE || kind == phonenumbers.MOBILE ||
				kind == phonenumbers.FIXED_LINE_OR_MOBILE
			zones, _ := phonenumbers.GetTimezonesForNumber(n)
			reliable := placed && zones[0] != phonenumbers.UNKNOWN_TIMEZONE
			if _, got := Zones(got); got != reliable {
				t.Fatalf("Zones(%q) reliable = %t, the library says type %v, zones %v", s, got, kind, zones)
			}
			continue
		}
		if possible && len(s) <= 16 && !phonenumbers.IsValidShortNumber(n) {
			e164 := phonenumbers.Format(n, phonenumbers.E164)
			if again, err := phonenumbers.Parse(e164, phonenumbers.UNKNOWN_REGION); err == nil &&
				phonenumbers.Format(again, phonenumbers.E164) == e164 {
				t.Fatalf("Parse(%q) refused what the library finds possible", s)
			}
		}
	}
	if valid < 10_000 {
		t.Errorf("only %d samples were valid: the test says little", valid)
	}
}

// samples yields numbers close to real numbers: example numbers of every country and kind
// with digits changed, added and removed, and random numbers.
func samples(r *rand.Rand, n int) func(yield func(string) bool) {
	var examples []string
	for region := range phonenumbers.GetSupportedRegions() {
		for kind := phonenumbers.FIXED_LINE; kind <= phonenumbers.VOICEMAIL; kind++ {
			if e := phonenumbers.GetExampleNumberForType(region, kind); e != nil {
				examples = append(examples, phonenumbers.Format(e, phonenumbers.E164))
			}
		}
	}
	return func(yield func(string) bool) {
		for _, e := range examples {
			if !yield(e) {
				return
			}
		}
		for range n {
			s := []byte(examples[r.IntN(len(examples))])
			for range r.IntN(4) {
				s[1+r.IntN(len(s)-1)] = byte('0' + r.IntN(10))
			}
			switch r.IntN(6) {
			case 0:
				s = append(s, byte('0'+r.IntN(10)))
			case 1:
				s = s[:len(s)-1]
			case 2: // a digit after the country code, where trunk prefixes are
				at := 2 + r.IntN(3)
				s = append(s[:at], append([]byte{byte('0' + r.IntN(10))}, s[at:]...)...)
			case 3:
				s = fmt.Appendf(nil, "+%d", r.Int64N(1_000_000_000_000_000))
			}
			if !yield(string(s)) {
				return
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"+13125550142", "+4903012345678", "(312) 555-0142", "4.9E+12", "tel:", "'=+", "\u202a1",
	} {
		f.Add(s, "US")
	}
	f.Add("030/123", "DE")
	f.Fuzz(func(t *testing.T, s, region string) {
		if n, err := Parse(s); err == nil {
			if again, err := Parse(string(n)); err != nil || again != n {
				t.Errorf("Parse(%q) = %q is not canonical: %q, %v", s, n, again, err)
			}
			Zones(n)
			Format(n)
		}
		if n, err := ParseNational(s, region); err == nil {
			if again, err := Parse(string(n)); err != nil || again != n {
				t.Errorf("ParseNational(%q, %q) = %q is not canonical: %q, %v", s, region, n, again, err)
			}
		}
		Mask(Number(s))
		Format(Number(s))
		Zones(Number(s))
	})
}

// An import parses up to 100,000 numbers and finds their time zones in one request.
func BenchmarkImport(b *testing.B) {
	var numbers []string
	for i := range 2000 {
		for _, prefix := range []string{
			"+1312555", "+1416555", "+4917612345", "+4479111", "+1500555", "+3361234", "+5511912",
		} {
			numbers = append(numbers, fmt.Sprintf("%s%04d", prefix, i))
		}
	}
	b.Run("Parse", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = Parse(numbers[i%len(numbers)])
		}
	})
	b.Run("Zones", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			Zones(Number(numbers[i%len(numbers)]))
		}
	})
	b.Run("Format", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			Format(Number(numbers[i%len(numbers)]))
		}
	})
	b.Run("ParseNational", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = ParseNational(numbers[i%len(numbers)][2:], "US")
		}
	})
}
