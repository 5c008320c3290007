package mail_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// certificates of a host that this process trusts, because TestMain named their authority, and of another.
var trusted, other tls.Certificate

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mail")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		file := filepath.Join(dir, "roots.pem")
		var root []byte
		trusted, root = certificate("127.0.0.1")
		other, _ = certificate("127.0.0.1")
		if err := os.WriteFile(file, root, 0o600); err != nil {
			panic(err)
		}
		// It is read once, by the first connection of the process.
		if err := os.Setenv("SSL_CERT_FILE", file); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// certificate makes a certificate of an address, and returns it as PEM too.
func certificate(address string) (tls.Certificate, []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.ParseIP(address)}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// The password crosses only an encrypted connection to a server with a valid certificate.
func TestSendWithSignIn(t *testing.T) {
	t.Parallel()
	for mode, implicit := range map[mail.TLS]bool{mail.StartTLS: false, mail.Implicit: true} {
		server := mailtest.NewSecure(t, trusted, implicit, "secret")
		send := func(o mail.Options) error {
			t.Helper()
			o.From = "dial@example.com"
			s, err := mail.New(o)
			if err != nil {
				t.Fatal(err)
			}
			return s.Send(t.Context(), mail.Message{ID: "1", To: "ada@example.com", Subject: "Hello", Text: "Hello.\n"})
		}
		signed := mail.Options{Addr: server.Addr, Username: mailtest.User, Password: "secret", TLS: mode}
		if err := send(signed); err != nil || len(server.Taken()) != 1 {
			t.Errorf("%s: %v", mode, err)
		}
		wrong := signed
		wrong.Password = "guess"
		if err := send(wrong); err == nil || !strings.Contains(err.Error(), "535") ||
			strings.Contains(err.Error(), "guess") {
			t.Errorf("%s, a wrong password: %v", mode, err)
		}
		if err := send(mail.Options{Addr: server.Addr, TLS: mode}); err == nil {
			t.Errorf("%s: sent without a sign-in", mode)
		}
		foreign := signed
		foreign.Addr = mailtest.NewSecure(t, other, implicit, "secret").Addr
		if err := send(foreign); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s, an unknown certificate: %v", mode, err)
		}
		if n := len(server.Taken()); n != 1 {
			t.Errorf("%s: %d messages", mode, n)
		}
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
