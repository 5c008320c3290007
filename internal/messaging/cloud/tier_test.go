package cloud

import (
	"encoding/json"
	"testing"
)

func TestTiers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		limit     int
		known     bool
		unlimited bool
	}{
		`"TIER_50"`:        {50, true, false},
		`"TIER_250"`:       {250, true, false},
		`"TIER_1K"`:        {1000, true, false},
		`"TIER_2K"`:        {2000, true, false},
		`"TIER_10K"`:       {10000, true, false},
		`"TIER_100K"`:      {100000, true, false},
		`"tier_2k"`:        {2000, true, false},
		`"TIER_UNLIMITED"`: {100000, true, true},
		`"UNLIMITED"`:      {100000, true, true},
		`-1`:               {100000, true, true},
		`"-1"`:             {100000, true, true},
		`250`:              {250, true, false},
		`2000`:             {2000, true, false},
		`2e3`:              {2000, true, false},
		`"2000"`:           {2000, true, false},
		`" 10000 "`:        {10000, true, false},
		`0`:                {0, true, false}, // the operator's number, which is also the safe choice
		`"TIER_5K"`:        {5000, true, false},
		`"TIER_1M"`:        {100000, true, false}, // never above the limit for unlimited
		`999999999`:        {100000, true, false},
		`"UNTIERED"`:       {250, false, false},
		`"TIER_NOT_SET"`:   {250, false, false},
		`"TIER_GOLD"`:      {250, false, false},
		`"TIER_2.5K"`:      {250, false, false},
		`"9999999999999"`:  {250, false, false},
		`-2`:               {250, false, false},
		`1e99`:             {250, false, false},
		`""`:               {250, false, false},
		`null`:             {250, false, false},
		`{"level":"2K"}`:   {250, false, false},
		`[2000]`:           {250, false, false},
		`true`:             {250, false, false},
	} {
		var tier Tier
		if err := json.Unmarshal([]byte(text), &tier); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if tier.Limit() != want.limit || tier.Known() != want.known || tier.Unlimited() != want.unlimited {
			t.Errorf("%s: %d known %t unlimited %t", text, tier.Limit(), tier.Known(), tier.Unlimited())
		}
	}
	if (Tier{}).Limit() != 250 || (Tier{}).Known() {
		t.Error("a limit that was never read is not the lowest")
	}
}

func FuzzTier(f *testing.F) {
	f.Add("TIER_2K")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, s string) {
		tier := ParseTier(s)
		if n := tier.Limit(); n < 0 || n > highestLimit {
			t.Errorf("%q is %d", s, n)
		}
		// A tier that is stored and read back stays the same.
		if again := ParseTier(tier.String()); again != tier {
			t.Errorf("%q is %q, and then %q", s, tier, again)
		}
	})
}
