package dialwright

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type reply struct {
	status     int // 0: the connection is cut
	retryAfter string
	body       string
}

type sent struct{ method, url, key, body string }

// against returns a client of a server that gives these answers in turn, and the requests that it gets.
func against(t *testing.T, replies ...reply) (*Client, *[]sent) {
	t.Helper()
	var got []sent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		if len(got) == len(replies) {
			t.Error("a request too many")
			return
		}
		reply := replies[len(got)]
		got = append(got, sent{r.Method, r.URL.String(), r.Header.Get("Idempotency-Key"), string(body)})
		if reply.status == 0 {
			panic(http.ErrAbortHandler)
		}
		if reply.retryAfter != "" {
			w.Header().Set("Retry-After", reply.retryAfter)
		}
		w.Header().Set("X-Request-Id", "r1")
		w.WriteHeader(reply.status)
		_, _ = io.WriteString(w, reply.body)
	}))
	t.Cleanup(server.Close)
	c := New(server.URL+"/", "secret")
	c.MaxWait = time.Millisecond
	// A transport that sends nothing again by itself.
	c.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return c, &got
}

func TestWhatCreatesIsRepeatedWithTheSameKey(t *testing.T) {
	t.Parallel()
	c, got := against(t, reply{}, reply{status: 503}, reply{status: 429, retryAfter: "0"},
		reply{status: 409, retryAfter: "0"}, reply{status: 201, body: `{"id": "c"}`})
	call, err := c.CreateCall(t.Context(), NewCall{AgentID: "a", To: "+15005000091"})
	if err != nil || call.ID != "c" || len(*got) != 5 {
		t.Fatalf("%+v, %v, %d requests", call, err, len(*got))
	}
	for _, r := range *got {
		if r.key == "" || r.key != (*got)[0].key || r.body != (*got)[0].body || r.url != "/api/v1/calls" {
			t.Errorf("sent %+v", r)
		}
	}
	c, got = against(t, reply{status: 201, body: `{}`})
	_, err = c.CreateCall(t.Context(), NewCall{}, WithIdempotencyKey("order 7"))
	if err != nil || (*got)[0].key != "order 7" {
		t.Errorf("%+v, %v", *got, err)
	}
}

func TestAFileIsSentAsItIs(t *testing.T) {
	t.Parallel()
	const file = "phone_number\n+15005000091\n"
	var types []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != file {
			t.Errorf("sent %q, %v", body, err)
		}
		types = append(types, r.Header.Get("Content-Type")+" "+r.URL.String())
		_, _ = io.WriteString(w, `{"id": "c", "added": 1}`)
	}))
	defer server.Close()
	c := New(server.URL, "secret")
	campaign, err := c.AppendRecipientsCSV(t.Context(), "c", []byte(file))
	if err != nil || campaign.ID != "c" {
		t.Errorf("%+v, %v", campaign, err)
	}
	added, err := c.AddManyDoNotCallCSV(t.Context(), &AddManyDoNotCallParams{Channel: []DoNotCallChannel{"voice"}},
		[]byte(file))
	if err != nil || added.Added != 1 {
		t.Errorf("%+v, %v", added, err)
	}
	want := []string{"text/csv /api/v1/campaigns/c/recipients", "text/csv /api/v1/do-not-call/batch?channel=voice"}
	if !slices.Equal(types, want) {
		t.Errorf("sent %q", types)
	}
}

func TestWhatIsNotRepeated(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]reply{
		"a lost connection": {}, "a 503": {status: 503}, "a long wait": {status: 429, retryAfter: "30"},
	} {
		c, got := against(t, first)
		if _, err := c.HangUpCall(t.Context(), "c"); err == nil || len(*got) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(*got))
		}
	}
	c, got := against(t, reply{status: 400, body: `{"error": "limit: too many"}`})
	_, err := c.ListCalls(t.Context(), nil)
	var refused *APIError
	if !errors.As(err, &refused) || refused.Status != 400 || refused.Message != "limit: too many" ||
		refused.RequestID != "r1" || len(*got) != 1 {
		t.Errorf("%v after %d requests", err, len(*got))
	}
	c, got = against(t, reply{status: 500}, reply{status: 502}, reply{status: 500})
	c.Retries = 2
	if _, err := c.GetMe(t.Context()); err == nil || len(*got) != 3 {
		t.Errorf("%v after %d requests", err, len(*got))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, got = against(t)
	if _, err := c.GetMe(ctx); !errors.Is(err, context.Canceled) || len(*got) != 0 {
		t.Errorf("%v after %d requests", err, len(*got))
	}
}

func TestListsAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	c, got := against(t,
		reply{status: 200, body: `{"data": [{"id": "1"}, {"id": "2"}], "has_more": true, "next_cursor": "n"}`},
		reply{status: 200, body: `{"data": [{"id": "3"}], "has_more": false, "next_cursor": null}`}, reply{status: 404})
	params := &ListCallsParams{
		Status: []CallStatus{"completed", "failed"}, Metadata: MetadataFilter{"source": "crm"},
		EndedAfter: Ptr(time.Date(2026, 11, 24, 8, 0, 0, 5, time.UTC)), Limit: Ptr(2),
	}
	ids := ""
	for call, err := range c.AllCalls(t.Context(), params) {
		if err != nil {
			t.Fatal(err)
		}
		ids += call.ID
	}
	const query = "/api/v1/calls?ended_after=2026-11-24T08%3A00%3A00.000000005Z&limit=2&metadata%5Bsource%5D=crm" +
		"&status=completed&status=failed"
	if ids != "123" || (*got)[0].url != query || params.Cursor != nil {
		t.Errorf("%s by %+v", ids, *got)
	}
	for _, err := range c.AllCalls(t.Context(), nil) {
		if !IsNotFound(err) {
			t.Error(err)
		}
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	ok := reply{status: 200, body: `{}`}
	c, got := against(t, ok, ok, ok, reply{status: 204})
	_, err1 := c.UpdateCampaign(t.Context(), "a/b", CampaignChange{Name: Ptr("New")}, WithNull("expires_at"))
	_, err2 := c.UpdateCampaign(t.Context(), "c", CampaignChange{Metadata: &Metadata{}})
	_, err3 := c.PauseCampaign(t.Context(), "c")
	err4 := c.DeleteCampaign(t.Context(), "c")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	for i, want := range []sent{
		{"PATCH", "/api/v1/campaigns/a%2Fb", "", `{"expires_at":null,"name":"New"}`},
		{"PATCH", "/api/v1/campaigns/c", "", `{"metadata":{}}`},
		{"POST", "/api/v1/campaigns/c/pause", "", ""},
		{"DELETE", "/api/v1/campaigns/c", "", ""},
	} {
		if (*got)[i] != want {
			t.Errorf("sent %+v, want %+v", (*got)[i], want)
		}
	}
}

func TestEventsGoOnFromTheirCursor(t *testing.T) {
	t.Parallel()
	c, got := against(t, reply{status: 200, body: `{"data": [], "next_cursor": "1"}`},
		reply{status: 200, body: `{"data": [{"id": "e"}], "next_cursor": "2"}`})
	for list, err := range c.Events(t.Context(), &ListEventsParams{Start: Ptr(ListEventsParamsStart("now"))}) {
		if err != nil || list.NextCursor != "2" {
			t.Fatal(list, err)
		}
		break
	}
	if (*got)[0].url != "/api/v1/events?start=now&wait=20" || (*got)[1].url != "/api/v1/events?cursor=1&wait=20" {
		t.Errorf("%+v", *got)
	}
}

func TestParseWebhook(t *testing.T) {
	t.Parallel()
	secret := func(text string) string { return "whsec_" + base64.StdEncoding.EncodeToString([]byte(text)) }
	own := secret("0123456789abcdef0123456789abcdef")
	signer, err := standardwebhooks.NewWebhook(own)
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"id": "e", "type": "call.completed", "timestamp": "2026-11-24T08:00:00Z", "data": {"id": "c"}}`)
	now := time.Now()
	signature, err := signer.Sign("e", now, body)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	header.Set("webhook-id", "e")
	header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	header.Set("webhook-signature", signature)
	e, err := ParseWebhook(own, header, body)
	if err != nil || e.ID != "e" || e.Type != "call.completed" {
		t.Fatalf("%+v, %v", e, err)
	}
	if call, err := DataAs[CallWithTranscript](e); err != nil || call.ID != "c" {
		t.Errorf("%+v, %v", call, err)
	}
	if _, err := ParseWebhook(secret("another secret, of another hook"), header, body); err == nil {
		t.Error("another secret verifies")
	}
	if _, err := ParseWebhook(own, header, append(body, ' ')); err == nil {
		t.Error("another body verifies")
	}
}

// TestDemo drives a server that DIALWRIGHT_URL and DIALWRIGHT_KEY name: one with the sandbox, such as the demo.
func TestDemo(t *testing.T) {
	url, key := os.Getenv("DIALWRIGHT_URL"), os.Getenv("DIALWRIGHT_KEY")
	if url == "" || key == "" {
		t.Skip("DIALWRIGHT_URL and DIALWRIGHT_KEY name no server")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	c := New(url, key)
	me, err := c.GetMe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the key %s", me.Key.Name)
	one := Ptr(1)
	projects, err1 := c.ListProjects(ctx, &ListProjectsParams{Limit: one})
	agents, err2 := c.ListAgents(ctx, &ListAgentsParams{Limit: one})
	numbers, err3 := c.ListPhoneNumbers(ctx, &ListPhoneNumbersParams{Limit: one})
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	var hours CallingHours
	const always = `{"timezone": "UTC", "windows": [
		{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start": "00:00", "end": "24:00"}]}`
	if err := json.Unmarshal([]byte(always), &hours); err != nil {
		t.Fatal(err)
	}
	campaign, err := c.CreateCampaign(ctx, NewCampaign{
		Name: "By the Go client", ProjectID: projects.Data[0].ID, AgentID: agents.Data[0].ID,
		PhoneNumberID: &numbers.Data[0].ID, CallingHours: &hours,
		Recipients: []NewRecipient{{PhoneNumber: "+15005000091"}, {PhoneNumber: "+15005010092"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for list, err := range c.Events(ctx, &ListEventsParams{Type: []EventType{"campaign.completed"}}) {
		if err != nil {
			t.Fatal(err)
		}
		done := false
		for _, e := range list.Data {
			ended, err := DataAs[Campaign](&e)
			if err != nil {
				t.Fatal(err)
			}
			done = done || ended.ID == campaign.ID
		}
		if done {
			break
		}
	}
	reached := 0
	for r, err := range c.AllRecipients(ctx, campaign.ID, &ListRecipientsParams{Limit: one}) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome == nil {
			t.Errorf("recipient %s has no outcome", r.ID)
		}
		reached++
	}
	if reached != 2 {
		t.Errorf("%d recipients", reached)
	}
	if _, err := c.GetCampaign(ctx, "019aa5f3-2f0d-7c55-8a3e-9d2b1a6c4e10"); !IsNotFound(err) {
		t.Error(err)
	}
}
