package cloud

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

func keys(template Template) string {
	var all []string
	for _, v := range template.Variables() {
		all = append(all, v.Key+":"+string(v.Kind))
	}
	return strings.Join(all, " ")
}

func TestVariables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		template Template
		want     string
	}{
		"none": {Template{Body: "Hello { {1} }"}, ""},
		"body": {Template{Body: "{{2}} and {{1}} and {{ 2 }} and {{10}}"}, "1:text 2:text 10:text"},
		"named": {
			Template{Named: true, Header: Header{"TEXT", "For {{first_name}}"}, Body: "{{day}}, {{first_name}}"},
			"header.first_name:text day:text first_name:text",
		},
		"file": {Template{Header: Header{Format: "VIDEO"}, Body: "{{1}}"}, "header.video:link 1:text"},
		"buttons": {
			Template{
				Body: "x",
				Buttons: []TemplateButton{
					{Type: "QUICK_REPLY"}, {Type: "URL", URL: "https://e.com/{{1}}"},
					{Type: "URL", URL: "https://e.com"}, {Type: "COPY_CODE"},
				},
			},
			"button.1.1:text button.3.code:code",
		},
		"a name of header": {Template{Named: true, Body: "{{header}} {{button}}"}, "header:text button:text"},
	} {
		if got := keys(c.template); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	template := Template{
		Header: Header{Format: "IMAGE"}, Body: "{{2}} {{1}}",
		Buttons: []TemplateButton{
			{Type: "QUICK_REPLY"}, {Type: "URL", URL: "https://e.com/{{1}}"}, {Type: "COPY_CODE"},
		},
	}
	components, err := template.Bind(map[string]string{
		"1": " one\n\tand a     half ", "2": "two", "header.image": "https://e.com/a.jpg", "button.1.1": "x",
		"button.2.code": "SAVE10",
	})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(components)
	const want = `[{"type":"header","parameters":[{"type":"image","image":{"link":"https://e.com/a.jpg"}}]},` +
		`{"type":"body","parameters":[{"type":"text","text":"one and a half"},{"type":"text","text":"two"}]},` +
		`{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"x"}]},` +
		`{"type":"button","sub_type":"copy_code","index":"2","parameters":[{"type":"coupon_code",` +
		`"coupon_code":"SAVE10"}]}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	// Even if the variables have names, the index identifies the variable of a button.
	named := Template{
		Named: true, Body: "{{day}}", Buttons: []TemplateButton{{Type: "URL", URL: "https://e.com/{{1}}"}},
	}
	components, err = named.Bind(map[string]string{"day": "Monday", "button.0.1": "x"})
	if err != nil || components[0].Parameters[0].Name != "day" || components[1].Parameters[0].Name != "" {
		t.Errorf("%+v, %v", components, err)
	}
	if components, err := (Template{Body: "x"}).Bind(nil); err != nil || len(components) != 0 {
		t.Errorf("%v, %v", components, err)
	}

	_, err = template.Bind(map[string]string{
		"1": " \n ", "2": strings.Repeat("ä", maxValue+1), "header.image": "http://e.com/a.jpg", "3": "x",
		"button.1.1": "x", strings.Repeat("k", 100): "y",
	})
	f := fault.As(err)
	if f == nil || f.Kind != fault.Invalid {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, field := range f.Fields {
		got[field.Path] = field.Message
	}
	if !reflect.DeepEqual(got, map[string]string{
		"variables.1":                          "must not be empty",
		"variables.2":                          "at most 1,024 characters",
		"variables.3":                          "the template has no such variable",
		"variables.header.image":               "must be an https address",
		"variables.button.2.code":              "is missing",
		"variables." + strings.Repeat("k", 64): "the template has no such variable",
	}) {
		t.Errorf("%v", got)
	}
}

func TestObstacles(t *testing.T) {
	t.Parallel()
	for want, template := range map[string]Template{
		"": {
			Status: "APPROVED", Header: Header{Format: "DOCUMENT"}, Buttons: []TemplateButton{{Type: "PHONE_NUMBER"}},
		},
		"is paused":           {Status: "PAUSED"},
		"is pending deletion": {Status: "PENDING_DELETION"},
		"is not approved yet": {Status: "IN_APPEAL"},
		"has no status":       {},
		"has a carousel, which Dialwright cannot fill": {Status: "APPROVED", Other: []string{"CAROUSEL"}},
		"has a location in its header, which Dialwright cannot fill": {
			Status: "APPROVED", Header: Header{Format: "LOCATION"},
		},
		"has a flow button, which Dialwright cannot fill": {
			Status: "APPROVED", Buttons: []TemplateButton{{Type: "FLOW"}},
		},
	} {
		if got := template.Obstacle(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	template := Template{
		Header: Header{"TEXT", "For {{1}}"}, Body: "{{1}} meets {{2}} and {{ 3 }}", Footer: "Bye {{1}}",
		Buttons: []TemplateButton{{Type: "URL", Text: "Go", URL: "https://e.com/{{1}}"}},
	}
	got := template.Preview(map[string]string{"1": "A\nB", "2": "{{3}}", "header.1": "Ana", "button.0.1": "x"})
	if !reflect.DeepEqual(got, Preview{
		Header: "For Ana", Body: "A B meets {{3}} and {{3}}", Footer: "Bye {{1}}",
		Buttons: []TemplateButton{{Type: "URL", Text: "Go", URL: "https://e.com/x"}},
	}) {
		t.Errorf("%+v", got)
	}
	if p := (Template{Header: Header{Format: "IMAGE"}}).Preview(nil); !p.Media || p.Header != "image" {
		t.Errorf("%+v", p)
	}
}

// For any template text, the values of all its variables are enough to bind it, and fewer values
// are not.
func FuzzBind(f *testing.F) {
	f.Add("Hello {{1}}", "{{2}} {{1}}", "https://e.com/{{1}}", false)
	f.Add("{{first_name}}", "{{day}}", "", true)
	f.Fuzz(func(t *testing.T, header, body, address string, named bool) {
		template := Template{
			Named: named, Header: Header{headerText, header}, Body: body,
			Buttons: []TemplateButton{{Type: buttonURL, URL: address}},
		}
		values := map[string]string{}
		for _, v := range template.Variables() {
			values[v.Key] = "value"
		}
		components, err := template.Bind(values)
		if err != nil {
			t.Fatalf("%v: %v", values, err)
		}
		given := 0
		for _, c := range components {
			given += len(c.Parameters)
		}
		if given != len(template.Variables()) || given != len(values) {
			t.Errorf("%d values for %d variables", given, len(template.Variables()))
		}
		for key := range values {
			delete(values, key)
			if _, err := template.Bind(values); fault.KindOf(err) != fault.Invalid {
				t.Errorf("without %s: %v", key, err)
			}
			break
		}
	})
}
