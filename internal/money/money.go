// Package money writes amounts of money for people.
package money

import (
	"math/big"
	"strings"
)

// Decimals returns how many decimals the amounts of a list have, so that they can be compared: two, or
// four if an amount is below 1.
func Decimals(amounts ...string) int {
	one := big.NewRat(1, 1)
	for _, amount := range amounts {
		if exact, ok := new(big.Rat).SetString(amount); ok && exact.Sign() != 0 && exact.Abs(exact).Cmp(one) < 0 {
			return 4
		}
	}
	return 2
}

// ExactDecimals returns how many decimals show every amount of a list exactly, at least two.
func ExactDecimals(amounts ...string) int {
	most := 2
	for _, amount := range amounts {
		_, part, _ := strings.Cut(amount, ".")
		most = max(most, len(part))
	}
	return most
}

// Format writes an exact decimal: "1,183.03 USD" with two decimals.
func Format(amount, currency string, decimals int) string {
	exact, ok := new(big.Rat).SetString(amount)
	if !ok {
		return amount
	}
	sign := ""
	if exact.Sign() < 0 {
		sign = "−"
		exact.Neg(exact)
	}
	whole, part, _ := strings.Cut(exact.FloatString(decimals), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + "." + part + " " + currency
}

// Each divides an exact decimal by a number of things. It is empty without one.
func Each(amount string, n int) string { return Share(amount, 1, n) }

// Share returns the share of an exact decimal that is n of whole. It is empty if whole is 0.
func Share(amount string, n, whole int) string {
	exact, ok := new(big.Rat).SetString(amount)
	if !ok || whole == 0 {
		return ""
	}
	return exact.Mul(exact, big.NewRat(int64(n), int64(whole))).FloatString(10)
}

// Per writes an exact decimal divided by a number of things: "0.0412 USD". Without one, it is a dash.
func Per(amount, currency string, n int) string {
	return Column([]string{Each(amount, n)}, []string{currency})[0]
}

// Column writes the amounts of a column of a table, each in its currency, with the same number of decimals. An amount
// that is empty is a dash.
func Column(amounts, currencies []string) []string {
	decimals, texts := Decimals(amounts...), make([]string, len(amounts))
	for i, amount := range amounts {
		if texts[i] = "–"; amount != "" {
			texts[i] = Format(amount, currencies[i], decimals)
		}
	}
	return texts
}
