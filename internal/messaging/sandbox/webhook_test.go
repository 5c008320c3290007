package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// app is a server that receives and stores the webhooks of an operator.
type app struct {
	*httptest.Server
	mu  sync.Mutex
	got []change
}

// change is the content of one webhook.
type change struct {
	Account, Field string
	Value          map[string]any
}

func newApp(t *testing.T) *app {
	t.Helper()
	a := &app{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			q := r.URL.Query()
			if q.Get("hub.mode") == "subscribe" && q.Get("hub.verify_token") == "ours" && q.Get("kept") == "1" {
				_, _ = io.WriteString(w, q.Get("hub.challenge"))
			}
			return
		}
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte("the app's secret"))
		mac.Write(body)
		if r.Header.Get("X-Hub-Signature-256") != fmt.Sprintf("sha256=%x", mac.Sum(nil)) {
			t.Errorf("signature %q", r.Header.Get("X-Hub-Signature-256"))
		}
		var in struct {
			Object string
			Entry  []struct {
				ID      string
				Changes []change
			}
		}
		if err := json.Unmarshal(body, &in); err != nil || in.Object != "whatsapp_business_account" {
			t.Errorf("%s: %v", body, err)
			return
		}
		c := in.Entry[0].Changes[0]
		c.Account = in.Entry[0].ID
		a.mu.Lock()
		a.got = append(a.got, c)
		a.mu.Unlock()
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *app) changes() []change {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]change(nil), a.got...)
}

// subscribed returns an operator that sends the webhooks of Account250 to a.
func subscribed(t *testing.T, a *app) *Operator {
	t.Helper()
	op := open(t, Options{Speed: 1e6, AppSecret: "the app's secret"})
	if err := op.SetCallback(t.Context(), Account250, a.URL+"/?kept=1", "ours"); err != nil {
		t.Fatal(err)
	}
	if status, answer := ask(
		t, op, http.MethodPost, "/v26.0/"+Account250+"/subscribed_apps", token, "",
	); status != 200 {
		t.Fatal(answer)
	}
	return op
}

func settled(t *testing.T, op *Operator) {
	t.Helper()
	if _, err := op.Await(t.Context(), func(s State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
}

// The statuses of a message are reported in this order.
func TestStatuses(t *testing.T) {
	t.Parallel()
	for mm, want := range map[string]string{
		"00": "sent delivered read",
		"01": "sent",
		"02": "sent delivered",
		"03": "sent read",
		"04": "delivered read sent read delivered sent",
		"05": "sent delivered failed-131000",
		"06": "sent failed-131026",
		"07": "failed-131049",
		"08": "failed-132015",
		"09": "",
	} {
		a := newApp(t)
		op := subscribed(t, a)
		if code := send(t, op, "15005559"+mm+"0"); code != -1 {
			t.Fatalf("%s: refused with %d", mm, code)
		}
		settled(t, op)
		var told []string
		moment := map[string]int64{}
		for _, c := range a.changes() {
			s := c.Value["statuses"].([]any)[0].(map[string]any)
			status := fmt.Sprint(s["status"])
			moment[status], _ = strconv.ParseInt(fmt.Sprint(s["timestamp"]), 10, 64)
			if e, ok := s["errors"].([]any); ok {
				status += fmt.Sprintf("-%v", e[0].(map[string]any)["code"])
			} else if s["pricing"].(map[string]any)["category"] != "utility" {
				t.Errorf("%s: %v", mm, s["pricing"])
			}
			told = append(told, status)
			sent := op.Sends()[0]
			if c.Account != Account250 || c.Field != "messages" || s["id"] != sent.MessageID ||
				s["biz_opaque_callback_data"] != "ours" ||
				s["recipient_id"] != "15005559"+mm+"0" ||
				c.Value["metadata"].(map[string]any)["phone_number_id"] != Number250 {
				t.Errorf("%s: %+v", mm, c)
			}
		}
		if got := strings.Join(told, " "); got != want {
			t.Errorf("%s: %s, want %s", mm, got, want)
		}
		if got := len(op.Sends()[0].Told); got != len(told) {
			t.Errorf("%s: the witness knows of %d statuses", mm, got)
		}
		// Statuses out of order have the times at which the events happened.
		if mm == "04" && (moment["delivered"] != moment["sent"]+1 || moment["read"] != moment["sent"]+2) {
			t.Errorf("%v", moment)
		}
	}
}

// A recipient answers the message, or stops messages in WhatsApp itself.
func TestAnswersOfRecipients(t *testing.T) {
	t.Parallel()
	for mm, want := range map[string]string{
		"70": "text STOP", "71": "text Is Thursday possible as well?", "72": "button Call me back",
		"73": "preference stop",
	} {
		a := newApp(t)
		op := subscribed(t, a)
		body := strings.Replace(fill("follow_up", `[{"type":"header","parameters":[{"type":"text","text":"Ann"}]},
			{"type":"body","parameters":[{"type":"text","text":"Ann"},{"type":"text","text":"Bo"}]}]`), "16505551234",
			"15005559"+mm+"0", 1)
		if _, answer := ask(t, op, http.MethodPost, "/v26.0/"+Number250+"/messages", token, body); code(answer) != -1 {
			t.Fatal(answer)
		}
		settled(t, op)
		all := a.changes()
		if len(all) != 4 {
			t.Fatalf("%s: %+v", mm, all)
		}
		sent, last := op.Sends()[0], all[3]
		if sent.Text != "Hello Ann, thank you for talking to Bo today. We are here if you have another question." {
			t.Errorf("the recipient reads %q", sent.Text)
		}
		contact := last.Value["contacts"].([]any)[0].(map[string]any)
		var got, from string
		if said, ok := last.Value["messages"].([]any); ok {
			m := said[0].(map[string]any)
			part, _ := m[m["type"].(string)].(map[string]any)
			got, from = fmt.Sprint(m["type"], " ", part["body"], part["text"]), m["from"].(string)
			if m["context"].(map[string]any)["id"] != sent.MessageID {
				t.Errorf("%s: answers %v", mm, m["context"])
			}
		} else {
			p := last.Value["user_preferences"].([]any)[0].(map[string]any)
			got, from = fmt.Sprint("preference ", p["value"]), p["wa_id"].(string)
			if last.Field != "user_preferences" || p["category"] != "marketing_messages" {
				t.Errorf("%s: %+v", mm, last)
			}
		}
		if got = strings.ReplaceAll(got, "<nil>", ""); got != want || from != "15005559"+mm+"0" ||
			contact["wa_id"] != from {
			t.Errorf("%s: %q from %s, want %q", mm, got, from, want)
		}
	}
}

// Messages and statuses go to the override of an account, and other webhooks to the app.
func TestWhereWebhooksGo(t *testing.T) {
	t.Parallel()
	a, other := newApp(t), newApp(t)
	op := subscribed(t, a)
	subscribe := func(form string) (int, map[string]any) {
		return ask(t, op, http.MethodPost, "/v26.0/"+Account250+"/subscribed_apps", token, form)
	}
	for _, bad := range []string{
		`{"override_callback_uri":"` + other.URL + `/?kept=1","verify_token":"wrong"}`,
		`{"override_callback_uri":"ftp://example.com/"}`,
		`{"override_callback_uri":"http:///nowhere"}`,
		`{"override_callback_uri":"` + other.URL + `/?kept=1&x=` + strings.Repeat("x", 200) +
			`","verify_token":"ours"}`,
	} {
		if status, answer := subscribe(bad); status != 400 || code(answer) != 2200 {
			t.Errorf("%s: %d %v", bad, status, answer)
		}
	}
	if status, answer := subscribe(`{"`); status != 400 || code(answer) != 100 {
		t.Errorf("no JSON: %d %v", status, answer)
	}
	if status, answer := subscribe(
		`{"override_callback_uri":"` + other.URL + `/?kept=1","verify_token":"ours"}`,
	); status != 200 || answer["success"] != true {
		t.Fatalf("%d %v", status, answer)
	}
	if err := op.SetQuality(Number250, "RED"); err != nil {
		t.Fatal(err)
	}
	if err := op.Receive(Number250, "+16505551234", "Hello"); err != nil {
		t.Fatal(err)
	}
	if err := op.SetCallback(t.Context(), "9", a.URL+"/?kept=1", "ours"); err == nil {
		t.Error("an account that does not exist has a callback")
	}
	op.Insist(t.Context(), func() (bool, error) { //nolint:errcheck // what is missing fails below
		if len(a.changes())+len(other.changes()) < 2 {
			return true, io.EOF
		}
		return false, nil
	})
	if got := a.changes(); len(got) != 1 || got[0].Field != "phone_number_quality_update" ||
		got[0].Value["event"] != "DOWNGRADE" {
		t.Errorf("the app is told %+v", got)
	}
	if got := other.changes(); len(got) != 1 || got[0].Field != "messages" {
		t.Errorf("the override is told %+v", got)
	}
}

// Tests the answers to requests to send, and whether the operator accepted the messages.
func TestScriptedAnswers(t *testing.T) {
	t.Parallel()
	for mm, want := range map[string]struct {
		status   int
		code     int // -1: no error code
		accepted bool
		wait     string
	}{
		"00": {200, -1, true, ""}, "08": {200, -1, true, ""}, "10": {400, 131026, false, ""},
		"11": {400, 131050, false, ""},
		"12": {400, 131049, false, ""}, "13": {400, 130472, false, ""}, "14": {400, 131009, false, ""},
		"20": {400, 131056, false, ""},
		"21": {429, 130429, false, "1"}, "22": {500, 131016, false, ""}, "23": {429, 80007, false, "1"},
		"24": {500, 131000, false, ""},
		"30": {400, 131048, false, ""}, "31": {403, 131031, false, ""}, "32": {400, 131042, false, ""},
		"33": {400, 133010, false, ""},
		"34": {400, 100, false, ""}, "40": {401, 190, false, ""}, "41": {403, 10, false, ""},
		"42": {403, 131005, false, ""},
		"43": {401, 0, false, ""}, "50": {400, 132000, false, ""}, "51": {404, 132001, false, ""},
		"52": {400, 132015, false, ""},
		"53": {400, 132016, false, ""}, "54": {400, 132012, false, ""}, "60": {500, -1, false, ""},
		"61": {500, -1, true, ""},
		"66": {500, 1, true, ""},
	} {
		op := open(t, Options{Speed: 1e6})
		r := httptest.NewRequest(http.MethodPost, "/v26.0/"+Number250+
			"/messages", strings.NewReader(strings.Replace(fill("heads_up", "[]"), "16505551234", "15005559"+mm+
			"0", 1)))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		op.ServeHTTP(w, r)
		var answer map[string]any
		_ = json.Unmarshal(w.Body.Bytes(), &answer)
		if s := op.Sends()[0]; w.Code != want.status || code(answer) != want.code || s.Accepted != want.accepted ||
			s.Refused != (want.code >= 0 && !want.accepted) || w.Header().Get("Retry-After") != want.wait {
			t.Errorf("%s: %d %s, %+v", mm, w.Code, w.Body, s)
		}
		if state := fmt.Sprint(answer["messages"]); want.status == 200 &&
			strings.Contains(state, "held_for_quality_assessment") != (mm == "08") {
			t.Errorf("%s: %s", mm, state)
		}
	}
	// Some outcomes refuse two requests and accept the third.
	op := open(t, Options{Speed: 1e6})
	for i, want := range []int{131056, 131056, -1, 131056, 131056, -1} {
		if got := send(t, op, "15005559200"); got != want {
			t.Errorf("request %d: %d", i+1, got)
		}
	}
	for range 4 {
		if got := send(t, op, "15005559240"); got != 131000 {
			t.Errorf("refused always: %d", got)
		}
	}
	for mm, taken := range map[string]bool{"62": false, "63": true} {
		func() {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
					t.Errorf("%s: the connection holds", mm)
				}
			}()
			send(t, op, "15005559"+mm+"0")
		}()
		if s := op.Sends(); s[len(s)-1].Accepted != taken {
			t.Errorf("%s: %+v", mm, s[len(s)-1])
		}
	}
}

// The limit counts the distinct recipients of 24 hours, over a portfolio.
func TestLimitCountsRecipients(t *testing.T) {
	t.Parallel()
	op := open(t, Options{Speed: 1e6})
	if err := op.SetTier(Account250, "TIER_50"); err != nil {
		t.Fatal(err)
	}
	op.RefuseBeyond(131048)
	number := func(n int) string { return fmt.Sprintf("1650555%04d", n) }
	for n := range 50 {
		if got := send(t, op, number(n)); got != -1 {
			t.Fatalf("recipient %d: %d", n+1, got)
		}
	}
	for name, c := range map[string]struct {
		to   string
		want int
	}{"another one": {number(50), 131048}, "the first again": {number(0), -1}} {
		if got := send(t, op, c.to); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
	}
	body := strings.Replace(fill("heads_up", "[]"), "16505551234", number(60), 1)
	if _, answer := ask(t, op, http.MethodPost, "/v26.0/"+Number1K+"/messages", token, body); code(answer) != -1 {
		t.Errorf("another portfolio: %v", answer)
	}
	op.Advance(24 * time.Hour)
	if got := send(t, op, number(50)); got != -1 {
		t.Errorf("a day later: %d", got)
	}
	if err := op.SetTier(Account250, "TIER_UNLIMITED"); err != nil {
		t.Fatal(err)
	}
	for n := range 60 {
		if got := send(t, op, number(100+n)); got != -1 {
			t.Fatalf("without a limit: %d", got)
		}
	}
}

func TestReadingAnAccount(t *testing.T) {
	t.Parallel()
	op := open(t, Options{PageSize: 4})
	get := func(path string) map[string]any {
		status, answer := ask(t, op, http.MethodGet, "/v26.0/"+Account1K+path, token, "")
		if status != 200 {
			t.Fatalf("%s: %d %v", path, status, answer)
		}
		return answer
	}
	if got := get("?fields=name,owner_business_info"); got["id"] != Account1K || got["name"] != "Reminders" ||
		got["owner_business_info"].(map[string]any)["id"] != Portfolio1K {
		t.Errorf("%v", got)
	}
	numbers := get(
		"/phone_numbers?fields=verified_name,quality_rating,status,throughput," +
			"whatsapp_business_manager_messaging_limit",
	)["data"].([]any)
	if n := numbers[0].(map[string]any); len(numbers) != 1 || n["id"] != Number1K ||
		n["verified_name"] != "Reminders" || n["quality_rating"] != "GREEN" ||
		n["status"] != "CONNECTED" || n["whatsapp_business_manager_messaging_limit"] != "TIER_1K" ||
		n["throughput"].(map[string]any)["level"] != "STANDARD" {
		t.Errorf("%v", n)
	}
	var names []string
	sizes, after := []int{}, ""
	for more := true; more; {
		page := get("/message_templates?limit=50&fields=name,parameter_format&after=" + after)
		for _, d := range page["data"].([]any) {
			d := d.(map[string]any)
			names = append(names, d["name"].(string))
			if named := d["parameter_format"] == "NAMED"; named != (d["name"] == "appointment") {
				t.Errorf("%v", d)
			}
		}
		sizes = append(sizes, len(page["data"].([]any)))
		paging := page["paging"].(map[string]any)
		after = paging["cursors"].(map[string]any)["after"].(string)
		_, more = paging["next"]
	}
	if len(names) != 9 || fmt.Sprint(sizes) != "[4 4 1]" {
		t.Errorf("%v in pages of %v", names, sizes)
	}
}

func TestTroubles(t *testing.T) {
	t.Parallel()
	op := open(t, Options{})
	for _, c := range []struct {
		trouble Trouble
		status  int
		code    int
	}{
		{Trouble{Kind: Down}, 503, -1},
		{Trouble{Kind: Refusing, Code: 190}, 401, 190},
		{Trouble{Kind: Slow, Delay: time.Millisecond}, 200, -1},
		{Trouble{Kind: None, Delay: time.Hour}, 200, -1},
	} {
		if err := op.SetTrouble("", c.trouble); err != nil {
			t.Fatal(err)
		}
		for _, account := range []string{Account250, Account100K} {
			if status, answer := ask(t, op, http.MethodGet, "/v26.0/"+account, token, ""); status != c.status ||
				code(answer) != c.code {
				t.Errorf("%+v: %d %v", c.trouble, status, answer)
			}
		}
		accepted := op.State().Accepted
		if send(t, op, "16505551234"); (op.State().Accepted > accepted) != (c.status == 200) {
			t.Errorf("%+v: carried out %t", c.trouble, c.status != 200)
		}
	}
}
