package model

import (
	"math/big"
	"strings"
)

// Price is what a million tokens cost, as exact decimals. Empty: unknown.
type Price struct {
	Input       string `json:"input,omitempty"`
	CachedInput string `json:"cached_input,omitempty"` // empty: as Input
	Output      string `json:"output,omitempty"`
	Currency    string `json:"currency,omitempty"` // ISO 4217
}

// Of returns what the tokens of an answer cost: an exact decimal in the price's currency. known is false if there are
// tokens whose price is not known, because the other tokens alone would look like the cost.
func (p Price) Of(u Usage) (amount string, known bool) {
	cached := p.CachedInput
	if cached == "" {
		cached = p.Input
	}
	sum, decimals := new(big.Rat), 0
	for _, part := range []struct {
		tokens int
		price  string
	}{{u.Input - u.Cached, p.Input}, {u.Cached, cached}, {u.Output, p.Output}} {
		if part.tokens == 0 {
			continue
		}
		price, ok := new(big.Rat).SetString(part.price)
		if !ok {
			return "", false
		}
		sum.Add(sum, price.Mul(price, big.NewRat(int64(part.tokens), million)))
		_, digits, _ := strings.Cut(part.price, ".")
		decimals = max(decimals, len(digits)+millionDigits)
	}
	if p.Currency == "" {
		return "", false
	}
	return trimmed(sum.FloatString(decimals)), true
}

// A million, and how many decimals an amount divided by it has more.
const (
	million       = 1_000_000
	millionDigits = 6
)

// trimmed removes the zeros at the end of a decimal.
func trimmed(amount string) string {
	if strings.Contains(amount, ".") {
		amount = strings.TrimRight(strings.TrimRight(amount, "0"), ".")
	}
	return amount
}
