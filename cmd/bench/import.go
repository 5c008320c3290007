package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"
)

const (
	importKeys   = 10
	importMemory = 128 << 20
)

// importLists sends lists of recipients to a server that has just started: through the API and through the form of the
// dashboard. It measures the time until the answer is complete, and the growth of the server's peak memory.
func importLists(ctx context.Context, l *lab) {
	s := l.site(ctx, "bench_import", importKeys)
	section("Importing recipients")
	out := newTable("recipients in one POST", "body", "time of each run", "aim", "",
		"growth of VmHWM in each run", "aim", "")
	for _, size := range []struct {
		recipients int
		within     time.Duration
		memory     int64 // 0 means no aim
	}{{10_000, time.Second, 0}, {100_000, 5 * time.Second, importMemory}} {
		// The calls are not due, so the dialer does nothing during the measurement.
		body := s.campaignBody(list(size.recipients), map[string]any{
			"scheduled_at": time.Now().Add(24 * time.Hour),
			"calling_hours": map[string]any{"timezone": "recipient", "windows": []any{map[string]any{
				"days": []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}, "start": "08:00", "end": "21:00",
			}}},
		})
		var times []time.Duration
		var grown []int64
		l.eachRound(func(int) {
			took, growth := s.importBody(ctx, body, size.recipients)
			times, grown = append(times, took), append(grown, growth)
		})
		aim, verdict := "–", ""
		if size.memory > 0 {
			aim, verdict = "< "+mebibytes(size.memory), met(slices.Max(grown) < size.memory)
		}
		out.row(size.recipients, mebibytes(int64(len(body))), each(times, seconds), "< "+seconds(size.within),
			met(slices.Max(times) < size.within), each(grown, mebibytes), aim, verdict)
		l.duration(fmt.Sprintf("import of %s recipients", count(size.recipients)), median(times))
	}
	out.print("")

	out = newTable("rows of CSV through the form", "file", "check with preview", "campaign from it",
		"growth of VmHWM in each run", "aim", "")
	for _, rows := range []int{10_000, 100_000} {
		file, _ := spreadsheet(rows)
		var checks, creations []time.Duration
		var grown []int64
		l.eachRound(func(int) {
			checked, created, growth := s.importForm(ctx, rows)
			checks, creations, grown = append(checks, checked), append(creations, created), append(grown, growth)
		})
		out.row(rows, mebibytes(int64(len(file))), each(checks, seconds), each(creations, seconds),
			each(grown, mebibytes), "< "+mebibytes(importMemory), met(slices.Max(grown) < importMemory))
		l.duration(fmt.Sprintf("campaign from %s rows of CSV", count(rows)), median(creations))
	}
	out.print("")
}

// importBody creates a campaign through the API.
func (s *site) importBody(ctx context.Context, body []byte, recipients int) (took time.Duration, growth int64) {
	server := s.serve(ctx, s)
	before := peakMemory(server)
	var c campaign
	s.measure(ctx, fmt.Sprintf("import-%d", recipients), 3*time.Second, func() {
		c, took = s.createCampaign(ctx, server, body)
	}, server)
	growth = peakMemory(server) - before
	s.checkRecipients(ctx, c, recipients)
	return took, growth
}

// checkRecipients checks that all recipients are stored, and then deletes them.
func (s *site) checkRecipients(ctx context.Context, c campaign, recipients int) {
	if c.ID == uuid.Nil || c.Counters.Total != recipients || c.Counters.Pending != recipients {
		failf("the answer counts %d recipients, %d of them pending; %d were sent",
			c.Counters.Total, c.Counters.Pending, recipients)
	}
	var stored, numbers int
	s.scan(ctx, `select count(*), count(distinct phone_number) from recipient where campaign_id = $1`,
		[]any{c.ID}, &stored, &numbers)
	if stored != recipients || numbers != recipients {
		failf("%d recipients with %d numbers are stored; %d were sent", stored, numbers, recipients)
	}
	s.exec(ctx, `truncate recipient`)
}

// spreadsheet returns a list as a spreadsheet exports it. Its encoding and delimiter differ from the product's. Every
// hundredth row is wrong.
func spreadsheet(rows int) (file []byte, wrong int) {
	var b bytes.Buffer
	b.WriteString("Mobile;Full name;External ID;City;Note\r\n")
	for i := range rows {
		number := fmt.Sprintf("(312) %03d-%04d", 200+i/10_000, i%10_000)
		if i%100 == 99 {
			number = "4,91E+11"
			wrong++
		}
		fmt.Fprintf(&b, "%s;Zo\xeb Recipient %d;ext-%d;Chicago;\"prefers mornings; ring twice\"\r\n", number, i, i)
	}
	return b.Bytes(), wrong
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)"`)

// importForm uploads a list through the form of a new campaign, as a browser does: it first requests the check with
// its preview, then creates the campaign.
func (s *site) importForm(ctx context.Context, rows int) (checked, created time.Duration, growth int64) {
	file, wrong := spreadsheet(rows)
	server := s.serve(ctx, s)
	browser := signIn(ctx, server)
	before := peakMemory(server)
	fields := map[string]string{
		"id":                   uuid.Must(uuid.NewV7()).String(),
		"name":                 "By form",
		"project_id":           s.ProjectID.String(),
		"agent_id":             s.AgentID.String(),
		"phone_number_id":      s.PhoneNumberID.String(),
		"scheduled_at":         time.Now().UTC().Add(24 * time.Hour).Format("2006-01-02T15:04"),
		"calling_hours":        "always",
		"retry.max_attempts":   "1",
		"retry.delays_minutes": "30",
		"max_concurrency":      "10",
		"calls_per_second":     "1",
		"voicemail_action":     "hang_up",
		"ring_timeout_seconds": "30",
		"max_duration_seconds": "600",
		"leave_out":            "on",
		"action":               "check",
	}
	send := func(file []byte, status int) answer {
		body, kind := multipartForm(fields, file)
		return must(request{
			browser: browser,
			method:  http.MethodPost,
			url:     server.url + "/campaigns",
			kind:    kind,
			body:    body,
			status:  status,
		}.send(ctx))
	}
	preview := send(file, http.StatusOK)
	for _, found := range hiddenField.FindAllStringSubmatch(string(preview.text), -1) {
		if found[1] == "upload" || found[1] == "rejected" {
			fields[found[1]] = found[2]
		}
	}
	if fields["rejected"] != fmt.Sprint(wrong) {
		failf("the form says that %q rows are wrong, %d are", fields["rejected"], wrong)
	}
	fields["action"] = "create"
	created = send(nil, http.StatusSeeOther).took
	growth = peakMemory(server) - before
	var c campaign
	s.scan(ctx, `select id, total, total - skipped from campaign order by created_at desc limit 1`, nil,
		&c.ID, &c.Counters.Total, &c.Counters.Pending)
	s.checkRecipients(ctx, c, rows-wrong)
	return preview.took, created, growth
}

// multipartForm encodes a form, with a file if file is not nil.
func multipartForm(fields map[string]string, file []byte) (body []byte, kind string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		check(w.WriteField(name, value))
	}
	if file != nil {
		must(must(w.CreateFormFile("file", "list.csv")).Write(file))
	}
	check(w.Close())
	return b.Bytes(), w.FormDataContentType()
}
