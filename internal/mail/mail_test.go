package mail_test

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/mail/mailtest"
)

func TestSend(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	s, err := mail.New(mail.Options{Addr: server.Addr, From: "Dialwright <dial@example.com>", TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	m := mail.Message{ID: "1", To: "ada@example.com", Subject: "Webhook disabled: Café", Text: "One line.\n"}
	server.Refuse(true)
	if err := s.Send(t.Context(), m); err == nil || strings.Contains(err.Error(), "ada") ||
		!strings.Contains(err.Error(), "451") {
		t.Errorf("refused: %v", err)
	}
	server.Refuse(false)
	if err := s.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	taken := server.Taken()
	if len(taken) != 1 || taken[0].To != m.To || !strings.Contains(taken[0].Data, "Message-ID: <1@127.0.0.1>") ||
		!strings.Contains(taken[0].Data, "One line.") || !strings.Contains(taken[0].Data, "dial@example.com") {
		t.Errorf("%+v", taken)
	}

	// A server without encryption gets nothing unless the setting permits that.
	if s, err = mail.New(mail.Options{Addr: server.Addr, From: "dial@example.com"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), m); err == nil || len(server.Taken()) != 1 {
		t.Errorf("sent in the clear: %v", err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	if s, err := mail.New(mail.Options{}); s != nil || err != nil {
		t.Errorf("without a server: %v, %v", s, err)
	}
	good := mail.Options{Addr: "smtp.example.com:587", From: "dial@example.com", Username: "dial", Password: "x"}
	if s, err := mail.New(good); s == nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
	for want, change := range map[string]func(*mail.Options){
		"DIALWRIGHT_SMTP_ADDR: must be HOST:PORT":                     func(o *mail.Options) { o.Addr = "smtp" },
		"DIALWRIGHT_SMTP_FROM: must be an email address":              func(o *mail.Options) { o.From = "" },
		"DIALWRIGHT_SMTP_USER and DIALWRIGHT_SMTP_PASSWORD: set both": func(o *mail.Options) { o.Password = "" },
		"DIALWRIGHT_SMTP_TLS: must be starttls, tls or none":          func(o *mail.Options) { o.TLS = "ssl" },
	} {
		bad := good
		change(&bad)
		if _, err := mail.New(bad); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
