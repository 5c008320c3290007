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

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"name", "recipients", "scheduled_at", "phone_number_id", "firstName", "agent_id"}
	for mistaken, want := range map[string]string{
		"recipents": "recipients", "phone_id": "phone_number_id", "phoneNumberId": "phone_number_id",
		"schedule": "scheduled_at", "Name": "name", "first_name": "firstName", "": "", "x": "",
		"agnet_id": "agent_id", "campaign_id": "",
	} {
		if got := Nearest(mistaken, names); got != want {
			t.Errorf("%q: got %q, want %q", mistaken, got, want)
		}
	}
}
