// Package mail sends email through the SMTP server of the deployment.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Timeout is how long the delivery of one message to the server may take.
const Timeout = 20 * time.Second

// TLS is how the connection to the server is encrypted.
type TLS string

// The values of TLS.
const (
	StartTLS TLS = "starttls" // the connection begins in the clear and must become encrypted
	Implicit TLS = "tls"      // it is encrypted from the start
	NoTLS    TLS = "none"
)

// Options are the settings of the server.
type Options struct {
	Addr     string // host:port; "": the deployment sends no email
	From     string // the sender's address, with or without a name
	Username string // "": the server asks for none
	Password string
	TLS      TLS // "" means StartTLS
}

// Sender sends email. It is safe for concurrent use. A nil Sender means that the deployment sends none.
type Sender struct {
	host string
	port int
	from string
	o    []gomail.Option
}

// New makes a Sender, or returns nil without an address of a server. Errors name the setting.
func New(o Options) (*Sender, error) {
	if o.Addr == "" {
		return nil, nil //nolint:nilnil // nil is a Sender that sends nothing
	}
	host, port, err := net.SplitHostPort(o.Addr)
	if err != nil || host == "" {
		return nil, errors.New("DIALWRIGHT_SMTP_ADDR: must be HOST:PORT")
	}
	s := &Sender{host: host, from: o.From}
	if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
		return nil, errors.New("DIALWRIGHT_SMTP_ADDR: must be HOST:PORT")
	}
	if err := gomail.NewMsg().From(o.From); err != nil {
		return nil, errors.New("DIALWRIGHT_SMTP_FROM: must be an email address, such as dialwright@example.com")
	}
	if (o.Username == "") != (o.Password == "") {
		return nil, errors.New("DIALWRIGHT_SMTP_USER and DIALWRIGHT_SMTP_PASSWORD: set both or neither")
	}
	s.o = []gomail.Option{gomail.WithTimeout(Timeout)}
	switch o.TLS {
	case "", StartTLS:
		s.o = append(s.o, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case Implicit:
		s.o = append(s.o, gomail.WithSSL())
	case NoTLS:
		s.o = append(s.o, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		return nil, errors.New("DIALWRIGHT_SMTP_TLS: must be starttls, tls or none")
	}
	s.o = append(s.o, gomail.WithPort(s.port))
	if o.Username != "" {
		s.o = append(s.o, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(o.Username),
			gomail.WithPassword(o.Password))
	}
	return s, nil
}

// Message is a plain email to one person.
type Message struct {
	ID      string // of the message, without a host: the same when it is sent again
	To      string
	Subject string
	Text    string
}

// Send hands a message to the server. Errors contain no address of a person, so they can be logged.
func (s *Sender) Send(ctx context.Context, m Message) error {
	msg := gomail.NewMsg()
	if err := msg.From(s.from); err != nil {
		return errors.New("the sender's address is invalid")
	}
	if err := msg.To(m.To); err != nil {
		return errors.New("the recipient's address is invalid")
	}
	msg.SetMessageIDWithValue(m.ID + "@" + s.host)
	msg.SetDate()
	msg.Subject(m.Subject)
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	client, err := gomail.NewClient(s.host, s.o...)
	if err != nil {
		return fmt.Errorf("use the SMTP server: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	err = client.DialAndSendWithContext(ctx, msg)
	if refused, ok := errors.AsType[*gomail.SendError](err); ok {
		// The answer of the server often repeats the address.
		return fmt.Errorf("the SMTP server refused the message: %s, code %d", refused.Reason, refused.ErrorCode())
	}
	if err != nil {
		return fmt.Errorf("reach the SMTP server: %w", err)
	}
	return nil
}
