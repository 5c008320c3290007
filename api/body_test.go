package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/campaign/intake"
)

// body returns n's campaign as JSON, with some fields replaced. A nil value leaves its
// field out.
func (n *tenant) body(replaced object) string {
	n.w.t.Helper()
	c := n.campaign()
	for name, v := range replaced {
		if c[name] = v; v == nil {
			delete(c, name)
		}
	}
	encoded, err := json.Marshal(c)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return string(encoded)
}

type object = map[string]any

func TestBadCampaigns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	good := n.body(nil)
	someone := object{"phone_number": "+15005550009"}
	unknown := newID().String()
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	with := func(field, value string) string { return strings.Replace(good, "{", `{"`+field+`": `+value+`, `, 1) }

	for _, c := range []struct{ name, body, want string }{
		{"empty", "", "the body is empty: a JSON object is expected"},
		{"not JSON", "name=Spring", "not valid JSON: invalid character 'a' in literal null (expecting 'u') at byte 1"},
		{"a list", "[]", "the body must be an object"},
		{"cut off", good[:len(good)-1], "not valid JSON: it ends too early"},
		{"two bodies", good + good, "not valid JSON: something follows the JSON object"},
		{
			"nothing in it", "{}",
			"name: required; project_id: required; agent_id: required; phone_number_id: required; recipients: at " +
				"least one is required",
		},
		{"unknown field", with("recipents", "[]"), "recipents: unknown field, did you mean recipients?"},
		{"unknown field of a recipient",
			n.body(object{"recipients": []any{someone, object{"phone_number": "+15005550008", "phone": "1"}}}),
			"recipients[1].phone: unknown field, did you mean phone_number?"},
		{"a field twice", with("name", `"Other"`), "name: given twice"},
		{"wrong type", n.body(object{"max_concurrency": "10"}), "max_concurrency: must be an integer"},
		{"wrong types, and more", n.body(object{
			"name": 7, "recipients": object{}, "retry": object{"on": "busy"}, "ring_timeout_seconds": 1,
		}),
			"name: must be a string; recipients: must be an array; retry.on: must be an array; " +
				"ring_timeout_seconds: must be between 5 and 120"},
		{"wrong types in the list, and more",
			n.body(object{"recipients": []any{7, object{"phone_number": 5}, object{"phone_number": "x"}, someone}}),
			"recipients[0]: must be an object; recipients[1].phone_number: must be a string; " +
				"recipients[2].phone_number: not a valid phone number. Use E.164, such as +13125550142"},
		{"no recipients", n.body(object{"recipients": []any{}}), "recipients: at least one is required"},
		{"null recipients", n.body(object{"recipients": json.RawMessage("null")}), "recipients: must not be null"},
		{"bad number", n.body(object{
			"recipients": []any{someone, someone, someone, object{"phone_number": "555-0100"}},
		}),
			"recipients[3].phone_number: not a valid phone number. Use E.164, such as +13125550142"},
		{
			"emergency number", n.body(object{"recipients": []any{object{"phone_number": "+1911"}}}),
			"recipients[0].phone_number: not a valid phone number. Use E.164, such as +13125550142",
		},
		{"external_id twice", n.body(object{"recipients": []any{
			object{"phone_number": "+15005550001", "external_id": "a"},
			object{"phone_number": "+15005550002", "external_id": "a"}}}),
			"recipients[1].external_id: used by an earlier recipient of this campaign"},
		{
			"past schedule", n.body(object{"scheduled_at": time.Now().Add(-6 * time.Minute)}),
			"scheduled_at: must not be more than 5 minutes in the past",
		},
		{"no time", n.body(object{"scheduled_at": "tomorrow", "expires_at": 5}),
			"expires_at: must be a string; scheduled_at: must be an RFC 3339 time such as 2026-11-21T09:30:00Z"},
		{
			"expires before it starts", n.body(object{"expires_at": time.Now().Add(-time.Hour)}),
			"expires_at: must be after the start",
		},
		{"foreign project", n.body(object{"project_id": other.project}), "project_id: no such project"},
		{"foreign agent", n.body(object{"agent_id": other.agent}), "agent_id: no such agent"},
		{"foreign number", n.body(object{"phone_number_id": other.number}), "phone_number_id: no such phone number"},
		{"unknown project", n.body(object{"project_id": unknown}), "project_id: no such project"},
		{"unknown agent", n.body(object{"agent_id": unknown}), "agent_id: no such agent"},
		{"malformed ids, and more", n.body(object{
			"name": "", "project_id": "x", "agent_id": "y", "phone_number_id": "",
		}),
			"name: required; project_id: no such project; agent_id: no such agent; phone_number_id: required"},
		{"malformed agent", n.body(object{"agent_id": "x"}), "agent_id: no such agent"},
		{"messaging", n.body(object{
			"messaging": object{"external_id": "1", "template": object{"variables": object{"1": 2}}},
		}),
			"messaging.trigger: must be one of before_call, no_answer, after_call, never; messaging.template.name: " +
				"required; " +
				"messaging.template.language: required; messaging.template.variables.1: must be a string"},
		{"messaging of no kind", n.body(object{"messaging": object{"when": "never"}}), ""},
		{"null character", n.body(object{"name": "a\x00b"}), "name: must not contain a null character"},
		{"null character of a recipient",
			n.body(object{"recipients": []any{someone, object{"phone_number": "+15005550008", "external_id": "\x00"}}}),
			"recipients[1].external_id: must not contain a null character"},
		{"raw null byte", strings.Replace(good, "Spring", "Spr\x00ing", 1), ""},
		{"invalid UTF-8", strings.Replace(good, "Spring", "Spr\xffing", 1), ""},
		{"invalid UTF-8 of a recipient", strings.Replace(good, "Ana", "\xc3\x28", 1), ""},
		{"lone surrogate", strings.Replace(good, "Spring", `\ud800`, 1), ""},
		{"byte order mark", "\ufeff" + good, ""},
		{"deep nesting", deep, "not valid JSON: exceeded max depth at byte 10000"},
		{"deep nesting in an unknown field", with("x", deep), ""},
		{"deep nesting in metadata", with("messaging", `null, "metadata": {"a": `+deep+`}`), ""},
		{"deep nesting in messaging", with("messaging", deep), ""},
		{"nested metadata", n.body(object{"metadata": object{"a": object{"b": 1}}}), ""},
		{"null characters in metadata", n.body(object{"metadata": object{"\x00": "\x00"}}), ""},
		{
			"huge number in metadata", n.body(object{"metadata": object{"a": json.RawMessage("1e999999")}}),
			"metadata.a: this number is too large, too small or too long",
		},
		{"metadata that is a list", n.body(object{"metadata": []int{1}}), "metadata: must be an object"},
		{
			"huge integer", n.body(object{"max_concurrency": json.RawMessage("1e30")}),
			"max_concurrency: is out of range",
		},
		{
			"huge rate", n.body(object{"calls_per_second": json.RawMessage("1e400")}),
			"calls_per_second: is out of range",
		},
		{"calling hours", n.body(object{"calling_hours": object{"timezone": "Mars/Base", "windows": []any{}}}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer w.refill()
			before := w.rows()
			a := n.do("POST", "/campaigns", c.body)
			if c.want != "" {
				a.refused(http.StatusBadRequest, c.want)
			}
			a.want(http.StatusBadRequest)
			if after := w.rows(); after != before {
				t.Errorf("%d rows, %d before", after, before)
			}
		})
	}
	n.do("POST", "/campaigns", good, "Content-Type", "text/plain").want(http.StatusCreated)
}

// rows counts all rows that a refused campaign might leave behind.
func (w *world) rows() int {
	w.t.Helper()
	return w.count(`select (select count(*) from campaign) + (select count(*) from recipient) + (select count(*)
		from idempotency_key)
		+ (select count(*) from audit_entry where action like 'campaign%')`)
}

// list returns a body with count recipients. recipient writes the i-th recipient.
func (n *tenant) list(count int, recipient func(i int) string) io.Reader {
	r, w := io.Pipe()
	go func() {
		head := n.body(object{"recipients": nil})
		b := bytes.NewBufferString(head[:len(head)-1] + `,"recipients":[`)
		for i := range count {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(recipient(i))
			if b.Len() > 32<<10 {
				if _, err := b.WriteTo(w); err != nil {
					return // the server stopped reading
				}
			}
		}
		b.WriteString(`]}`)
		_, _ = b.WriteTo(w)
		_ = w.Close() // closing a pipe never fails
	}()
	return r
}

func numbered(i int) string {
	return fmt.Sprintf(`{"phone_number": "+1312%07d", "external_id": "customer-%d"}`, 2_000_000+i, i)
}

// padded returns a recipient of more than a kilobyte.
func padded(int) string {
	return `{"phone_number": "+13122000000", "metadata": {"notes": "` + strings.Repeat("x", 1000) + `"}}`
}

func TestOneBadRecipientOfManyCreatesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	const bad = 49_999
	a := n.do("POST", "/campaigns", n.list(50_000, func(i int) string {
		if i == bad {
			return `{"phone_number": "+1312"}`
		}
		return numbered(i)
	}))
	a.refused(http.StatusBadRequest,
		fmt.Sprintf("recipients[%d].phone_number: not a valid phone number. Use E.164, such as +13125550142", bad))
	if rows := w.rows(); rows != 0 {
		t.Errorf("%d rows are left", rows)
	}
	a = n.do("POST", "/campaigns", n.list(50_000, func(int) string {
		return `{"phone_number": "x", "timezone": "Mars/Base"}`
	})).want(http.StatusBadRequest)
	if !strings.HasSuffix(a.get("error").(string), " … and 99,980 more") || len(a.body) > 3000 {
		t.Errorf("got %s", clipped(a.body))
	}
}

func TestTheLargestList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	a := n.do("POST", "/campaigns", n.list(intake.MaxRecipients, numbered)).want(http.StatusCreated)
	if total := a.get("counters", "total"); total != float64(intake.MaxRecipients) {
		t.Errorf("total is %v", total)
	}
	n.do("POST", "/campaigns", n.list(intake.MaxRecipients+1, numbered)).
		refused(http.StatusBadRequest, "recipients: must have at most 100,000 elements")
}

// repeated returns a body with size bytes of filler, without keeping it in memory.
func repeated(head string, size int64, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(filler{}, size), strings.NewReader(tail))
}

type filler struct{}

func (filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestLargeBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	const tooLarge = "The body is larger than the limit of 64 MiB"

	n.do("POST", "/campaigns", repeated(`{"name": "`, 20<<20, `"}`)).want(http.StatusBadRequest)
	n.do("POST", "/campaigns", repeated(`not JSON`, 20<<20, ``)).want(http.StatusBadRequest)
	n.do("POST", "/campaigns", repeated(`{"`, 20<<20, `": 1}`)).want(http.StatusBadRequest)
	n.do("POST", "/campaigns", repeated(`{"name": "`, 100<<20, `"}`)).
		refused(http.StatusRequestEntityTooLarge, tooLarge)
	n.do("POST", "/campaigns", n.list(intake.MaxRecipients, padded)).refused(http.StatusRequestEntityTooLarge, tooLarge)

	// A body with a Content-Length over the limit is not decoded. The answer still
	// reaches a client that sends everything before it reads.
	long := bytes.NewReader(bytes.Repeat([]byte{' '}, 100<<20))
	n.do("POST", "/campaigns", long).refused(http.StatusRequestEntityTooLarge, tooLarge)
	long.Reset(bytes.Repeat([]byte{' '}, 20<<20))
	w.do("POST", "/campaigns", "", long).refused(http.StatusUnauthorized, "Missing Authorization header")
	if rows := w.rows(); rows != 0 {
		t.Errorf("%d rows are left", rows)
	}
}

// Problems that are visible without the database take no database connection.
func TestABadBodyTakesNoConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	before := w.Pool.Stat().AcquireCount()
	n.do("POST", "/campaigns", n.body(object{"name": ""})).want(http.StatusBadRequest)
	if took := w.Pool.Stat().AcquireCount() - before; took != 1 { // for the key
		t.Errorf("took %d connections", took)
	}
	before = w.Pool.Stat().AcquireCount()
	n.do("GET", "/campaigns/"+newID().String(), nil).want(http.StatusNotFound)
	if took := w.Pool.Stat().AcquireCount() - before; took != 2 {
		t.Errorf("a read took %d connections", took)
	}
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	body := n.body(object{"scheduled_at": time.Now().Add(-4 * time.Minute)})
	first := n.do("POST", "/campaigns", body, "Idempotency-Key", "a").want(http.StatusCreated)
	if first.header.Get("Idempotent-Replayed") != "" {
		t.Error("the first answer is called a replay")
	}

	same := func(what string) {
		t.Helper()
		again := n.do("POST", "/campaigns", body, "Idempotency-Key", "a").want(http.StatusCreated)
		if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: got %v", what, again)
		}
	}
	same("at once")
	n.do("POST", "/campaigns/"+first.get("id").(string)+"/cancel", nil).want(http.StatusOK)
	same("after it changed")

	n.do("POST", "/campaigns", body+" ", "Idempotency-Key", "a").
		refused(http.StatusConflict, "Idempotency-Key was used with a different body")
	n.do("POST", "/campaigns", n.body(object{"name": ""}), "Idempotency-Key", "a").
		refused(http.StatusConflict, "Idempotency-Key was used with a different body")
	n.do("POST", "/campaigns", "{", "Idempotency-Key", "a").want(http.StatusBadRequest)
	n.do("POST", "/campaigns", body, "Idempotency-Key", strings.Repeat("k", 256)).want(http.StatusBadRequest)
	if got := w.count(`select count(*) from campaign`); got != 1 {
		t.Fatalf("%d campaigns", got)
	}

	// Another key, another organization and no key make different requests.
	n.do("POST", "/campaigns", body, "Idempotency-Key", "b").want(http.StatusCreated)
	other.do("POST", "/campaigns", other.body(nil), "Idempotency-Key", "a").want(http.StatusCreated)
	n.do("POST", "/campaigns", body).want(http.StatusCreated)

	// A refusal because of the body is not stored, so the corrected body may use the same
	// key.
	n.do("POST", "/campaigns", n.body(object{"agent_id": other.agent}), "Idempotency-Key", "c").
		refused(http.StatusBadRequest, "agent_id: no such agent")
	n.do("POST", "/campaigns", n.body(nil), "Idempotency-Key", "c").want(http.StatusCreated)
}

// A valid body may name a time that has passed when the body is sent again. The answer is
// still the first answer.
func TestAReplayOutlivesItsSchedule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	now := time.Now()
	body := n.body(object{"scheduled_at": now.Add(time.Minute)})
	first := n.do("POST", "/campaigns", body, "Idempotency-Key", "a").want(http.StatusCreated)
	clock := func() time.Time { return now.Add(time.Hour) }
	w.wire(func(o *app.Options) { o.Now = clock })
	if again := n.do("POST", "/campaigns", body, "Idempotency-Key", "a").want(
		http.StatusCreated,
	); again.body != first.body {
		t.Errorf("got %v", again)
	}
	n.do("POST", "/campaigns", body, "Idempotency-Key", "b").
		refused(http.StatusBadRequest, "scheduled_at: must not be more than 5 minutes in the past")
}
