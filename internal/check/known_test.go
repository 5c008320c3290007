package check

import "testing"

func TestMeant(t *testing.T) {
	t.Parallel()
	fields := []string{"coming", "rating", "remark"}
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"ratings", fields, ". Did you mean rating?"},
		{"Coming", fields, ". Did you mean coming?"},
		{"remrak", fields, ". Did you mean remark?"},
		{"x", fields, ". There are coming, rating and remark"},
		{"price", []string{"coming"}, ". There is coming"},
		{"x", nil, ""},
	} {
		if got := Meant(c.name, c.known); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}
