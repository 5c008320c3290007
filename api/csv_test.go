package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestRecipientsOfACSVFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil, "recipients": people(1),
	})).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id + "/recipients"
	send := func(path, body string, header ...string) *answer {
		t.Helper()
		return n.do("POST", path, body, append([]string{"Content-Type", "text/csv"}, header...)...)
	}

	// The file is one that a European spreadsheet exports, with national numbers of the project's region.
	const list = "Mobile;Name;external_id;Appointment date\r\n" +
		"(312) 200-0010;Ana Müller;a-1;\"Monday; noon\"\r\n\r\n312-200-0011;;;\r\n312-200-0010;;;\r\n"
	first := send(path, list, "Content-Type", "Text/CSV; charset=iso-8859-1", "Idempotency-Key", "a").
		want(http.StatusCreated)
	if counters := fmt.Sprint(first.get("counters", "total"), first.get("counters", "skipped")); counters != "4 1" {
		t.Errorf("total and skipped are %s", counters)
	}
	ana := n.do("GET", path+"?external_id=a-1", nil).data()[0].(map[string]any)
	if ana["phone_number"] != "+13122000010" || ana["name"] != "Ana Müller" ||
		fmt.Sprint(ana["variables"]) != "map[appointment_date:Monday; noon]" {
		t.Errorf("got %v", ana)
	}

	// The same bytes are the same request, compressed or not. Other bytes with the same meaning are not.
	for _, again := range []*answer{
		send(path, list, "Idempotency-Key", "a"),
		send(path, string(packed(t, []byte(list))), "Idempotency-Key", "a", "Content-Encoding", "gzip"),
	} {
		if again.want(http.StatusCreated).body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("repeated: %v", again)
		}
	}
	send(path, list+"\r\n", "Idempotency-Key", "a").
		refused(http.StatusConflict, "Idempotency-Key was used with a different body")

	before := w.rows()
	const number = "phone_number,external_id,timezone,note\n3122000020,b-1,,x\n"
	for body, want := range map[string]string{
		number + "12,,,\n,,,x\n3122000021,b-1,,\n3122000022,,Mars,\n3122000023,,,,y": "" +
			"recipients: row 3: phone_number: not a valid phone number; recipients: row 4: no phone number; " +
			"recipients: row 5: external_id: used by an earlier recipient of this campaign; " +
			"recipients: row 6: timezone: must be a time zone such as America/Chicago; " +
			"recipients: row 7: has 5 cells, but there are 4 columns",
		number + "\n3122000021,a-1,,": "recipients: row 4: external_id: used by a recipient of this campaign",
		"name,city\nAna,Rome\n": "recipients: no column looks like phone numbers. Choose the phone number column, " +
			"or name it phone_number",
		"":                           "recipients: the file has no rows",
		"phone_number\n":             "recipients: the file has no rows",
		"PK\x03\x04\x14\x00\x00\x00": "recipients: this is a spreadsheet file. Save it as CSV and use that file",
	} {
		send(path, body, "Idempotency-Key", "b").refused(http.StatusBadRequest, want)
		w.refill()
	}
	many := send(path, number+strings.Repeat("1,,,\n", 1000)).want(http.StatusBadRequest).get("error").(string)
	if !strings.HasSuffix(many, "row 22: phone_number: not a valid phone number … and 980 more") {
		t.Errorf("got %s", many)
	}
	send(path, "phone_number\n"+strings.Repeat("3122000020\n", 100_001)).
		refused(http.StatusBadRequest, "recipients: at most 100,000 rows")
	send(path, number, "Content-Encoding", "gzip").
		refused(http.StatusBadRequest, "the body is not valid gzip, although its Content-Encoding is gzip")
	send(path, string(packed(t, []byte(number))[:30]), "Content-Encoding", "gzip").
		refused(http.StatusBadRequest, "the body is not valid gzip, although its Content-Encoding is gzip")
	send(path, number, "Content-Encoding", "br").want(http.StatusUnsupportedMediaType)
	long := strings.Repeat("x", maxList)
	send(path, number+long).refused(http.StatusRequestEntityTooLarge, "The body is larger than the limit of 64 MiB")
	send(path, string(packed(t, []byte(number+long))), "Content-Encoding", "gzip").
		refused(http.StatusRequestEntityTooLarge, "The body is larger than the limit of 64 MiB")
	if after := w.rows(); after != before {
		t.Errorf("%d rows, %d before", after, before)
	}
	w.refill()
	send("/campaigns/"+newID().String()+"/recipients", number).refused(http.StatusNotFound, "Campaign not found")
	other := w.newTenant("Other")
	other.do("POST", path, number, "Content-Type", "text/csv").refused(http.StatusNotFound, "Campaign not found")

	// What was refused takes the same key once it is right.
	send(path, number, "Idempotency-Key", "b").want(http.StatusCreated)
	n.do("POST", "/campaigns/"+id+"/cancel", nil).want(http.StatusOK)
	send(path, number, "Idempotency-Key", "c").
		refused(http.StatusConflict, "This campaign is canceled and can no longer take recipients")
}

func TestDoNotCallOfACSVFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	send := func(query, body string, header ...string) *answer {
		t.Helper()
		header = append([]string{"Content-Type", "text/csv"}, header...)
		return n.do("POST", "/do-not-call/batch"+query, body, header...)
	}
	const list = "Name,Phone,Note\nAna,312 200 0010,By letter\nBea,312 200 0011,\nAna,+13122000010,again\n"
	send("", list).want(http.StatusOK).has(t, object{"added": 2.0, "existing": 1.0})
	send("?channel=voice,message", string(packed(t, []byte(list))), "Content-Encoding", "gzip").want(http.StatusOK).
		has(t, object{"added": 2.0, "existing": 4.0})
	entries := n.do("GET", "/do-not-call?phone_number=%2B13122000010", nil).data()
	if len(entries) != 2 {
		t.Fatalf("got %v", entries)
	}
	for _, e := range entries {
		if e := e.(map[string]any); e["note"] != "By letter" || e["source"] != "import" || e["created_by"] != "Test" {
			t.Errorf("got %v", e)
		}
	}
	for body, want := range map[string]string{
		"phone\n3122000020\n12\n\nx,y\n": "entries: row 3: phone_number: not a valid phone number; " +
			"entries: row 5: phone_number: a phone number cannot contain letters",
		"phone,note\n3122000020," + strings.Repeat("x", 501): "entries: row 2: note: must have at most 500 characters",
		"name\nAna": `entries: no column is named phone_number. The only column is "name". Name the column with the ` +
			"phone numbers phone_number, or make it the first column",
		"":               "entries: the file has no rows",
		"phone_number\n": "entries: the file has no rows",
		"phone\n" + strings.Repeat("3122000020\n", 100_001): "entries: must have at most 100,000 rows",
	} {
		send("", body).refused(http.StatusBadRequest, want)
	}
	send("?channel=fax", list).refused(http.StatusBadRequest, `channel: must be one of voice, message, not "fax"`)
	send("?chanel=voice", list).
		refused(http.StatusBadRequest, "chanel: unknown parameter, did you mean channel?")
	n.do("POST", "/do-not-call/batch?channel=message", object{"entries": []object{{"phone_number": "+13122000030"}}}).
		refused(http.StatusBadRequest, "channel: only for a CSV file. Each entry has its own channel")
	if got := w.count(`select count(*) from do_not_call`); got != 4 {
		t.Errorf("%d entries", got)
	}
}
