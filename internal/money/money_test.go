package money_test

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/money"
)

// The amounts of a column have the same number of decimals.
func TestColumn(t *testing.T) {
	t.Parallel()
	got := money.Column([]string{"5.18", "0.014", "", money.Each("2.86", 100)}, []string{"USD", "USD", "", "EUR"})
	if want := "5.1800 USD, 0.0140 USD, –, 0.0286 EUR"; strings.Join(got, ", ") != want {
		t.Errorf("the column is %q, want %q", got, want)
	}
	if got := money.Per("5.18", "USD", 2) + money.Per("5.18", "USD", 0); got != "2.59 USD–" {
		t.Errorf("an amount for each of some things is %q", got)
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ amounts, comparable, exact string }{
		{"0", "0.00 USD", "0.00 USD"},
		{"0.0915", "0.0915 USD", "0.0915 USD"},
		{"1183.0275", "1,183.03 USD", "1,183.0275 USD"},
		{"1183.0275 0.0915", "1,183.0275 USD, 0.0915 USD", "1,183.0275 USD, 0.0915 USD"},
		{"0.00004 1", "0.0000 USD, 1.0000 USD", "0.00004 USD, 1.00000 USD"},
		{"1234567.5 0", "1,234,567.50 USD, 0.00 USD", "1,234,567.50 USD, 0.00 USD"},
		{"-0.014 2", "−0.0140 USD, 2.0000 USD", "−0.014 USD, 2.000 USD"},
		{"?", "?", "?"},
	} {
		amounts := strings.Fields(test.amounts)
		list := func(decimals int) string {
			all := make([]string, len(amounts))
			for i, amount := range amounts {
				all[i] = money.Format(amount, "USD", decimals)
			}
			return strings.Join(all, ", ")
		}
		if got := list(money.Decimals(amounts...)); got != test.comparable {
			t.Errorf("%s: %q, want %q", test.amounts, got, test.comparable)
		}
		if got := list(money.ExactDecimals(amounts...)); got != test.exact {
			t.Errorf("%s, exactly: %q, want %q", test.amounts, got, test.exact)
		}
	}
}
