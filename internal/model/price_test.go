package model

import (
	"math/big"
	"strconv"
	"testing"
)

func TestPriceOf(t *testing.T) {
	t.Parallel()
	full := Price{Input: "0.40", CachedInput: "0.1", Output: "1.6", Currency: "USD"}
	for _, test := range []struct {
		name  string
		price Price
		usage Usage
		want  string
		known bool
	}{
		{"all kinds", full, Usage{Input: 812, Cached: 640, Output: 24}, "0.0001712", true},
		{"nothing used", full, Usage{}, "0", true},
		{"a million of each", full, Usage{Input: 2_000_000, Cached: 1_000_000, Output: 1_000_000}, "2.1", true},
		{"cached input without its price", Price{Input: "1", Output: "2", Currency: "EUR"},
			Usage{Input: 10, Cached: 4, Output: 1}, "0.000012", true},
		{"free", Price{Input: "0", Output: "0", Currency: "USD"}, Usage{Input: 7, Output: 7}, "0", true},
		{"output without a price", Price{Input: "1", Currency: "USD"}, Usage{Input: 7, Output: 7}, "", false},
		{"no output and no price of it", Price{Input: "1", Currency: "USD"}, Usage{Input: 7}, "0.000007", true},
		{"no price", Price{}, Usage{Input: 7, Output: 7}, "", false},
		{"the smallest price of one token", Price{Input: "0.000001", Currency: "USD"}, Usage{Input: 1},
			"0.000000000001", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, known := test.price.Of(test.usage)
			if got != test.want || known != test.known {
				t.Errorf("Of(%+v) = %q, %t, want %q, %t", test.usage, got, known, test.want, test.known)
			}
		})
	}
}

// The cost of two answers is the sum of their costs, to the last digit.
func FuzzPriceOf(f *testing.F) {
	f.Add(uint32(812), uint32(640), uint32(24), uint32(400_000), uint32(100_000), uint32(1_600_000))
	f.Fuzz(func(t *testing.T, input, cached, output, in, cache, out uint32) {
		decimal := func(micros uint32) string { return big.NewRat(int64(micros), million).FloatString(millionDigits) }
		p := Price{Input: decimal(in), CachedInput: decimal(cache), Output: decimal(out), Currency: "USD"}
		a := Usage{Input: int(input), Cached: int(min(cached, input)), Output: int(output)}
		b := Usage{Input: int(output), Output: int(cached)}
		sum := a
		sum.Add(b)
		amount := func(u Usage) *big.Rat {
			text, known := p.Of(u)
			exact, ok := new(big.Rat).SetString(text)
			if !known || !ok {
				t.Fatalf("Of(%+v) = %s, %s", u, strconv.Quote(text), strconv.FormatBool(known))
			}
			return exact
		}
		if got, want := amount(sum), new(big.Rat).Add(amount(a), amount(b)); got.Cmp(want) != 0 {
			t.Errorf("two answers cost %s, want %s", got, want)
		}
	})
}
