package analysis

import "testing"

// The same words in several turns belong to the turn that the model names. Without a name, or with a wrong one, each
// field has a turn of its own.
func TestTheTurnOfAQuote(t *testing.T) {
	t.Parallel()
	yes := []int{2, 6, 9}
	named := func(n int) *int { return &n }
	for _, test := range []struct {
		name       string
		candidates []int
		named      *int
		taken      []int
		want       int
		found      bool
	}{
		{"named", yes, named(6), nil, 6, true},
		{"named twice", yes, named(6), []int{6}, 6, true},
		{"a turn without the words", yes, named(3), []int{2}, 6, true},
		{"not named", yes, nil, nil, 2, true},
		{"not named, the first is taken", yes, nil, []int{2}, 6, true},
		{"all are taken", []int{2}, nil, []int{2}, 2, true},
		{"nobody said it", nil, named(2), nil, 0, false},
	} {
		taken := map[int]bool{}
		for _, index := range test.taken {
			taken[index] = true
		}
		got, ok := chosenTurn(test.candidates, test.named, taken)
		if got != test.want || ok != test.found {
			t.Errorf("%s: %d, %v", test.name, got, ok)
		}
	}
}
