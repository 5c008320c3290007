package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
)

// formList is a list as a spreadsheet exports it, of another encoding and
// delimiter than ours, every hundredth row wrong.
func formList(rows int) (file []byte, wrong int) {
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

// importByForm uploads a list by the dashboard's form of a campaign, as a browser
// does: the check with its preview, and the campaign itself.
func (s *site) importByForm(ctx context.Context, l *lab, rows int) (checked, created time.Duration, growth int64, err error) {
	file, wrong := formList(rows)
	server, err := l.serve(ctx, s)
	if err != nil {
		return 0, 0, 0, err
	}
	defer server.stop()
	browser, err := signIn(ctx, server.url)
	if err != nil {
		return 0, 0, 0, err
	}
	before, err := peakMemory(server.pid())
	if err != nil {
		return 0, 0, 0, err
	}
	fields := map[string]string{
		"id": uuid.Must(uuid.NewV7()).String(), "name": "By form", "project_id": s.ProjectID.String(), "agent_id": s.AgentID.String(), "phone_number_id": s.PhoneNumberID.String(),
		"scheduled_at": time.Now().UTC().Add(24 * time.Hour).Format("2006-01-02T15:04"), "calling_hours": "always", "retry.max_attempts": "1",
		"retry.delays_minutes": "30", "max_concurrency": "10", "calls_per_second": "1", "voicemail_action": "hang_up", "ring_timeout_seconds": "30",
		"max_duration_seconds": "600", "leave_out": "on", "action": "check",
	}
	page, checked, err := postForm(ctx, browser, server.url+"/campaigns", fields, file, http.StatusOK)
	if err != nil {
		return 0, 0, 0, err
	}
	for _, found := range hiddenField.FindAllStringSubmatch(page, -1) {
		if found[1] == "upload" || found[1] == "rejected" {
			fields[found[1]] = found[2]
		}
	}
	if fields["rejected"] != fmt.Sprint(wrong) {
		return 0, 0, 0, fmt.Errorf("the form says that %q rows are wrong, %d are", fields["rejected"], wrong)
	}
	fields["action"] = "create"
	if _, created, err = postForm(ctx, browser, server.url+"/campaigns", fields, nil, http.StatusSeeOther); err != nil {
		return 0, 0, 0, err
	}
	after, err := peakMemory(server.pid())
	if err != nil {
		return 0, 0, 0, err
	}
	var c campaignAnswer
	err = s.pool.QueryRow(ctx, `select id, total, total - skipped from campaign order by created_at desc limit 1`).Scan(&c.ID, &c.Counters.Total, &c.Counters.Pending)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read the campaign: %w", err)
	}
	return checked, created, after - before, s.checkList(ctx, c, rows-wrong)
}

// postForm sends a form, with a file if there is one, and reads the page.
func postForm(ctx context.Context, browser *http.Client, address string, fields map[string]string, file []byte, status int) (page string, took time.Duration, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			return "", 0, err
		}
	}
	if file != nil {
		part, err := form.CreateFormFile("file", "list.csv")
		if err != nil {
			return "", 0, err
		}
		if _, err := part.Write(file); err != nil {
			return "", 0, err
		}
	}
	if err := form.Close(); err != nil {
		return "", 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, &body)
	if err != nil {
		return "", 0, err
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	began := time.Now()
	answer, err := browser.Do(r)
	if err != nil {
		return "", 0, fmt.Errorf("post %s: %w", r.URL.Path, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	took = time.Since(began)
	if err != nil {
		return "", 0, fmt.Errorf("post %s: %w", r.URL.Path, err)
	}
	if answer.StatusCode != status {
		return "", 0, fmt.Errorf("post %s: %s: %.300s", r.URL.Path, answer.Status, strings.TrimSpace(string(text)))
	}
	return string(text), took, nil
}

// importForms measures the form with lists of both sizes.
func (s *site) importForms(ctx context.Context, l *lab, rounds int) error {
	out := newTable("rows of CSV through the form", "file", "check with preview", "campaign from it", "growth of VmHWM in each run", "aim", "")
	for _, rows := range []int{10_000, 100_000} {
		file, _ := formList(rows)
		var checks, creations, grown []string
		small := true
		for range rounds {
			checked, created, growth, err := s.importByForm(ctx, l, rows)
			if err != nil {
				return err
			}
			checks, creations, grown = append(checks, seconds(checked)), append(creations, seconds(created)), append(grown, mebibytes(growth))
			small = small && growth < importMemory
		}
		out.row(count(rows), mebibytes(int64(len(file))), strings.Join(checks, ", "), strings.Join(creations, ", "), strings.Join(grown, ", "), "< "+mebibytes(importMemory), met(small))
	}
	out.print()
	return nil
}
