package conversation

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

func TestKnownVariables(t *testing.T) {
	t.Parallel()
	known := Known{Agent: "Robin", Organization: "Acme", Name: "Ada", PhoneNumber: "+12025550100"}
	for name, want := range map[string]string{
		"agent": "Robin", "agent_name": "Robin", "organization": "Acme", "name": "Ada", "phone_number": "+12025550100",
		"first_name": "Ada", "last_name": "", "city": "", "": "",
	} {
		if got := known.Value(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	all := func(set map[string]any) map[string]any {
		want := map[string]any{
			"agent": "Robin", "agent_name": "Robin", "organization": "Acme", "name": "Ada",
			"phone_number": "+12025550100", "first_name": "Ada",
		}
		maps.Copy(want, set)
		return want
	}
	for _, c := range []struct{ given, want map[string]any }{
		{nil, all(nil)},
		// A given value replaces a built-in value if it can be spoken.
		{map[string]any{"name": "Grace", "agent": 7}, all(map[string]any{
			"name": "Grace", "first_name": "Grace", "agent": 7,
		})},
		{map[string]any{"name": " \n", "agent": nil, "agent_name": "", "phone_number": []any{}}, all(nil)},
		// Every other variable is kept.
		{map[string]any{"city": "", "visits": nil}, all(map[string]any{"city": "", "visits": nil})},
	} {
		if got := known.Variables(c.given); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v gives %v, want %v", c.given, got, c.want)
		}
	}
}

// A value is spoken as it is written, apart from what can't be spoken.
func TestBoundsOfAValue(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"No.": "Ask Dr. No. about it", "Who -": "Ask Dr. Who - about it", "a\xffb": "Ask Dr. ab about it",
		strings.Repeat("é", maxValue):   "Ask Dr. " + strings.Repeat("é", maxValue) + " about it",
		strings.Repeat("é", maxValue+1): "Ask Dr. " + strings.Repeat("é", maxValue) + " about it",
	} {
		if got := Fill("Ask Dr. {{name}} about it", map[string]any{"name": value}); got != want {
			t.Errorf("%q is spoken as %q", value, got)
		}
	}
	name := strings.Repeat("n", 64)
	if got := Fill("{{"+name+"}}{{n"+name+"}}", map[string]any{name: "a", "n" + name: "b"}); got != "an"+name {
		t.Errorf("a name of 64 characters and one of 65: %q", got)
	}
}

// Some words mean no only as a whole clause.
func TestWordsThatMeanNoAlone(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"Never.", "Nothing."} {
		if _, actions := steps(asking(Question{Expect: YesNo}), Prompt{Text: said}); told(actions) !=
			"record false say Bye. hang up completed" {
			t.Errorf("%q: %s", said, told(actions))
		}
	}
	const again = "say Pardon? Six seven?"
	_, actions := steps(asking(Question{Expect: YesNo}), Prompt{Text: "Nothing else matters."})
	if told(actions) != again {
		t.Errorf("a longer clause: %s", told(actions))
	}
}
