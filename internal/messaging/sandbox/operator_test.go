package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

const token = "a token for tests"

// ask sends an HTTP request to the operator.
func ask(t *testing.T, op *Operator, method, path, bearer string, body string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if strings.Contains(body, "=") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Authorization", "Bearer "+bearer)
	w := httptest.NewRecorder()
	op.ServeHTTP(w, r)
	var answer map[string]any
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	return w.Code, answer
}

// send sends a template without variables, and returns the error code, or -1 if the operator
// accepts the message.
func send(t *testing.T, op *Operator, to string) int {
	t.Helper()
	body := fmt.Sprintf(
		`{"messaging_product":"whatsapp","to":%q,"type":"template","biz_opaque_callback_data":"ours",`+
			`"template":{"name":"heads_up","language":{"code":"en_US"}}}`,
		to,
	)
	_, answer := ask(t, op, http.MethodPost, "/v26.0/"+Number250+"/messages", token, body)
	return code(answer)
}

func code(answer map[string]any) int {
	e, refused := answer["error"].(map[string]any)
	if !refused {
		return -1
	}
	return int(e["code"].(float64))
}

func open(t *testing.T, o Options) *Operator {
	t.Helper()
	o.Token = token
	op := New(o)
	t.Cleanup(op.Close)
	return op
}

func TestAuthorization(t *testing.T) {
	t.Parallel()
	op := open(t, Options{})
	for _, path := range []string{
		"/v26.0/" + Account250, "/v26.0/" + Account250 + "/phone_numbers", "/sandbox/state", "/sandbox/sends",
	} {
		for _, bearer := range []string{"", "x", token + "x"} {
			if status, answer := ask(t, op, http.MethodGet, path, bearer, ""); status != 401 || code(answer) != 190 {
				t.Errorf("%s as %q: %d %v", path, bearer, status, answer)
			}
		}
		if status, _ := ask(t, op, http.MethodGet, path, token, ""); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if status, answer := ask(
		t, op, http.MethodPut, "/sandbox/tier", "x", "account="+Account250+"&tier=TIER_10K",
	); status != 401 || op.accounts[Account250].portfolio.tier != "TIER_250" {
		t.Errorf("%d %v", status, answer)
	}
	for name, o := range map[string]Options{
		"no token":         {},
		"an account twice": {Token: token, World: []Portfolio{{Accounts: []Account{{ID: "1"}, {ID: "1"}}}}},
		"a number twice": {
			Token: token,
			World: []Portfolio{{Accounts: []Account{{ID: "1", Numbers: []Number{{ID: "2"}, {ID: "2"}}}}}},
		},
		"no id": {Token: token, World: []Portfolio{{Accounts: []Account{{}}}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: an operator all the same", name)
				}
			}()
			New(o)
		}()
	}
}

func TestGraphRefusals(t *testing.T) {
	t.Parallel()
	op := open(t, Options{})
	for path, want := range map[string]int{
		"/v26.0/9999":                           100,
		"/v26.0/" + Number250:                   100,
		"/26/" + Account250:                     2500,
		"/v26.0/" + Account250 + "?fields=nope": 100,
		"/v26.0/" + Account250 + "/phone_numbers?fields=id,messaging_limit_tier":                      100,
		"/v23.0/" + Account250 + "/phone_numbers?fields=id,whatsapp_business_manager_messaging_limit": 100,
		"/v26.0/" + Account250 + "/phone_numbers?after=x":                                             100,
	} {
		if status, answer := ask(t, op, http.MethodGet, path, token, ""); status != 400 || code(answer) != want {
			t.Errorf("%s: %d %v", path, status, answer)
		}
	}
	messages := "/v26.0/" + Number250 + "/messages"
	for name, c := range map[string]struct {
		path, body string
		want       int
	}{
		"no number":    {"/v26.0/9999/messages", `{}`, 100},
		"not JSON":     {messages, `to=1`, 100},
		"no product":   {messages, `{"to":"16505551234"}`, 100},
		"no recipient": {messages, `{"messaging_product":"whatsapp","type":"template"}`, 131009},
		"free text":    {messages, `{"messaging_product":"whatsapp","to":"16505551234","type":"text"}`, 131047},
		"to itself":    {messages, `{"messaging_product":"whatsapp","to":"13125550122","type":"template"}`, 131021},
		"no template": {
			messages,
			`{"messaging_product":"whatsapp","to":"16505551234","type":"template","template":{"name":"nope",` +
				`"language":{"code":"de"}}}`,
			132001,
		},
		"not approved": {
			messages,
			`{"messaging_product":"whatsapp","to":"16505551234","type":"template","template":{"name":"survey",` +
				`"language":{"code":"en_US"}}}`,
			132001,
		},
		"paused": {
			messages,
			`{"messaging_product":"whatsapp","to":"16505551234","type":"template","template":{"name":"winter_offer",` +
				`"language":{"code":"en_US"}}}`,
			132015,
		},
		"no variables": {
			messages,
			`{"messaging_product":"whatsapp","to":"16505551234","type":"template","template":{"name":"follow_up",` +
				`"language":{"code":"de"}}}`,
			132000,
		},
		"a line break": {
			messages,
			fill(
				"missed_call",
				`[{"type":"body","parameters":[{"type":"text","text":"a\nb"}]},{"type":"button","sub_type":"url",`+
					`"index":"0","parameters":[{"type":"text","text":"x"}]}]`,
			),
			100,
		},
		"empty": {
			messages,
			fill(
				"missed_call",
				`[{"type":"body","parameters":[{"type":"text","text":""}]},{"type":"button","sub_type":"url",`+
					`"index":"0","parameters":[{"type":"text","text":"x"}]}]`,
			),
			131008,
		},
		"not a text": {
			messages,
			fill(
				"missed_call",
				`[{"type":"body","parameters":[{"type":"image","image":{"link":"x"}}]},{"type":"button",`+
					`"sub_type":"url","index":"0","parameters":[{"type":"text","text":"x"}]}]`,
			),
			132012,
		},
		"too much": {
			messages, fill("heads_up", `[{"type":"body","parameters":[{"type":"text","text":"a"}]}]`), 132000,
		},
		"too many parts": {
			messages, fill("heads_up", `[{"type":"header","parameters":[{"type":"text","text":"a"}]}]`), 132000,
		},
		"no picture": {
			messages, fill("voucher", `[{"type":"body","parameters":[{"type":"text","text":"a"}]}]`), 132012,
		},
		"no code": {
			messages,
			fill(
				"voucher",
				`[{"type":"header","parameters":[{"type":"image","image":{"link":"x"}}]},{"type":"body",`+
					`"parameters":[{"type":"text","text":"a"}]}]`,
			),
			131008,
		},
		"names left out": {
			messages,
			fill(
				"appointment",
				`[{"type":"body","parameters":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text",`+
					`"text":"c"}]}]`,
			),
			100,
		},
		"no such button": {
			messages,
			fill(
				"missed_call",
				`[{"type":"body","parameters":[{"type":"text","text":"a"}]},{"type":"button","sub_type":"copy_code",`+
					`"index":"0","parameters":[{"type":"text","text":"x"}]}]`,
			),
			132000,
		},
		"as it should be": {
			messages,
			fill(
				"missed_call",
				`[{"type":"body","parameters":[{"type":"text","text":"a"}]},{"type":"button","sub_type":"url",`+
					`"index":"0","parameters":[{"type":"text","text":"x"}]}]`,
			),
			-1,
		},
	} {
		if _, answer := ask(t, op, http.MethodPost, c.path, token, c.body); code(answer) != c.want {
			t.Errorf("%s: %v", name, answer)
		}
	}
}

func fill(template, components string) string {
	return fmt.Sprintf(
		`{"messaging_product":"whatsapp","to":"16505551234","type":"template","template":{"name":%q,`+
			`"language":{"code":"en_US"},"components":%s}}`,
		template, components,
	)
}

// Tests the reads and controls that a test in another process uses.
func TestWitnessOverHTTP(t *testing.T) {
	t.Parallel()
	op := open(t, Options{Speed: 1e6})
	if got := []int{
		send(t, op, "16505551234"), send(t, op, "15005559110"), send(t, op, "16505551234"),
	}; got[0] != -1 || got[1] != 131050 || got[2] != -1 {
		t.Fatalf("%v", got)
	}
	if status, state := ask(t, op, http.MethodGet, "/sandbox/state", token, ""); status != 200 ||
		state["requests"] != 3.0 || state["accepted"] != 2.0 || state["unanswered"] != 0.0 {
		t.Errorf("%v", state)
	}
	_, answer := ask(t, op, http.MethodGet, "/sandbox/sends?after=1", token, "")
	sends := answer["sends"].([]any)
	if len(sends) != 2 {
		t.Fatalf("%v", sends)
	}
	refused, accepted := sends[0].(map[string]any), sends[1].(map[string]any)
	if refused["number"] != 2.0 || refused["refused"] != true || refused["code"] != 131050.0 ||
		refused["message_id"] != "" {
		t.Errorf("%v", refused)
	}
	if accepted["accepted"] != true || accepted["recipient"] != "+16505551234" || accepted["reference"] != "ours" ||
		accepted["answered_at"] == nil ||
		accepted["portfolio"] != Portfolio250 || accepted["number_id"] != Number250 || accepted["text"] == "" {
		t.Errorf("%v", accepted)
	}

	at := func() time.Time { s := op.Sends(); return s[len(s)-1].At }
	before := at()
	for _, c := range []struct{ method, path, form string }{
		{http.MethodPost, "/sandbox/advance", "seconds=86400"},
		{http.MethodPut, "/sandbox/tier", "account=" + Account250 + "&tier=TIER_2K"},
		{http.MethodPut, "/sandbox/quality", "number=" + Number250 + "&quality=YELLOW"},
		{http.MethodPut, "/sandbox/template", "account=" + Account1K + "&name=heads_up&language=en_US&status=PAUSED"},
		{
			http.MethodPut, "/sandbox/template-category",
			"account=" + Account250 + "&name=heads_up&language=en_US&category=MARKETING",
		},
		{
			http.MethodPut, "/sandbox/template-category",
			"account=" + Account1K + "&name=heads_up&language=en_US&category=MARKETING&seconds=60",
		},
		{
			http.MethodPut, "/sandbox/template-quality",
			"account=" + Account250 + "&name=heads_up&language=en_US&quality=RED",
		},
		{http.MethodPut, "/sandbox/number-name", "number=" + Number250 + "&name=New&decision=APPROVED"},
		{http.MethodPost, "/sandbox/alert", "account=" + Account250 + "&kind=OBA_REJECTED&severity=WARNING"},
		{http.MethodPut, "/sandbox/trouble", "account=" + Account1K + "&kind=refusing&code=190"},
		{http.MethodPut, "/sandbox/beyond", "code=131048"},
		{http.MethodPost, "/sandbox/inbound", "number=" + Number250 + "&from=%2B16505551234&text=Hello"},
	} {
		if status, answer := ask(t, op, c.method, c.path, token, c.form); status != 204 {
			t.Errorf("%s: %d %v", c.path, status, answer)
		}
	}
	if send(t, op, "16505551234"); at().Sub(before) < 24*time.Hour {
		t.Error("the clock was not put forward")
	}
	op.Mu.Lock()
	if b := op.accounts[Account250]; b.portfolio.tier != "TIER_2K" || b.numbers[0].Quality != "YELLOW" ||
		b.numbers[0].Name != "New" || b.template("heads_up", "en_US").Category != "MARKETING" ||
		b.template("heads_up", "en_US").Quality != "RED" ||
		b.template("heads_up", "en_US").Status != "APPROVED" || b.trouble.Kind != None {
		t.Errorf("%+v", b)
	}
	if b := op.accounts[Account1K]; b.template("heads_up", "en_US").Status != "PAUSED" ||
		b.template("heads_up", "en_US").Category != "UTILITY" || // the change is only announced
		b.trouble != (Trouble{Kind: Refusing, Code: 190}) || op.beyond != 131048 {
		t.Errorf("%+v", b)
	}
	op.Mu.Unlock()
	for _, c := range []struct{ method, path, form string }{
		{http.MethodPost, "/sandbox/advance", "seconds=-1"},
		{http.MethodPut, "/sandbox/tier", "account=9&tier=TIER_2K"},
		{http.MethodPut, "/sandbox/quality", "number=9&quality=RED"},
		{http.MethodPut, "/sandbox/template", "account=" + Account1K + "&name=nope&language=de&status=PAUSED"},
		{http.MethodPut, "/sandbox/template-category", "account=9&name=heads_up&language=en_US&category=MARKETING"},
		{http.MethodPut, "/sandbox/template-category", "account=" + Account1K + "&name=nope&language=de&seconds=x"},
		{http.MethodPut, "/sandbox/template-quality", "account=" + Account1K + "&name=nope&language=de&quality=RED"},
		{http.MethodPut, "/sandbox/number-name", "number=9&decision=APPROVED"},
		{http.MethodPost, "/sandbox/alert", "account=9"},
		{http.MethodPut, "/sandbox/trouble", "kind=sad"},
		{http.MethodPut, "/sandbox/trouble", "kind=slow&ms=x"},
		{http.MethodPut, "/sandbox/trouble", "account=9&kind=slow"},
		{
			http.MethodPut, "/sandbox/callback",
			"account=" + Account1K + "&url=" + url.QueryEscape("http://127.0.0.1:1/"),
		},
		{http.MethodPost, "/sandbox/inbound", "number=9&from=1&text=x"},
	} {
		if status, _ := ask(t, op, c.method, c.path, token, c.form); status != 400 {
			t.Errorf("%s %s: %d", c.path, c.form, status)
		}
	}
}

// The operator forgets the oldest requests, but continues to count.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	op := open(t, Options{Keep: 16, Speed: 1e6})
	for i := range 100 {
		if send(t, op, fmt.Sprintf("1650555%04d", i)) != -1 {
			t.Fatal("refused")
		}
		if n := len(op.Sends()); n > 18 {
			t.Fatalf("%d are remembered", n)
		}
	}
	sends := op.Sends()
	if last := sends[len(sends)-1]; last.Number != 100 || last.Recipient != "+16505550099" || sends[0].Number < 80 ||
		op.State().Accepted != 100 {
		t.Errorf("%+v", sends)
	}
}

// After Close, no request waits and nothing runs.
func TestClose(t *testing.T) {
	t.Parallel()
	op := open(t, Options{})
	server := httptest.NewServer(op)
	defer server.Close()
	done := make(chan error)
	go func() {
		body := `{"messaging_product":"whatsapp","to":"15005559650","type":"template","template":{"name":"heads_up",` +
			`"language":{"code":"en_US"}}}`
		req, _ := http.NewRequest(http.MethodPost, server.URL+"/v26.0/"+Number250+"/messages", strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			res.Body.Close()
		}
		done <- err
	}()
	if _, err := op.Await(t.Context(), func(s State) bool { return s.Accepted == 1 && s.Unanswered == 1 }); err != nil {
		t.Fatal(err)
	}
	op.Close()
	<-done //nolint:errcheck // cut off, or answered before
	if state := op.State(); state.Pending != 0 {
		t.Errorf("%+v", state)
	}
	if op.Start(func() {}) {
		t.Error("something starts after the end")
	}
}

// A recipient always has the same plan. Only numbers of the reserved block have scripted outcomes.
func TestPlans(t *testing.T) {
	t.Parallel()
	for i := range 2000 {
		number := fmt.Sprintf("+1312555%04d", i)
		p := planFor(number)
		if fmt.Sprint(p) != fmt.Sprint(planFor(number)) || p.refused != nil || p.answer != plain ||
			p.reply != nothing || len(p.steps) < 2 || p.steps[1].status != "delivered" {
			t.Fatalf("%s: %+v", number, p)
		}
	}
	for _, ordinary := range []string{"+15005001109", "+15005008119", "+15006009119", "+150050091190", "+25005009119"} {
		if p := planFor(ordinary); p.refused != nil {
			t.Errorf("%s: %+v", ordinary, p)
		}
	}
	// 9mmn selects the outcome of the message, whatever oo selects for the call.
	for _, number := range []string{"+15005009110", "+15005139119", "+15005559114"} {
		if p := planFor(number); p.refused == nil || p.refused.code != 131050 {
			t.Errorf("%s: %+v", number, p)
		}
	}
}

// Outcomes lists exactly the outcomes that exist, with their error codes.
func TestOutcomesAreListed(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, o := range Outcomes() {
		texts[o.Digits] = o.Text
	}
	for i := range 100 {
		mm := fmt.Sprintf("%02d", i)
		p := planFor("+1500555" + "9" + mm + "0")
		exists := mm == "00" || p.refused != nil || p.answer != plain || p.reply != nothing || p.hold > 0 || p.held ||
			p.shuffled || len(p.steps) != 3 || p.steps[2].status != "read"
		text, listed := texts[mm]
		if listed != exists {
			t.Errorf("%s: exists %t, listed %t", mm, exists, listed)
		}
		if p.refused != nil && !strings.Contains(text, fmt.Sprint(p.refused.code)) {
			t.Errorf("%s: %q does not name %d", mm, text, p.refused.code)
		}
	}
}
