// Package mailtest is an SMTP server for tests.
package mailtest

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
)

// Server keeps the messages that it takes.
type Server struct {
	Addr string

	mu       sync.Mutex
	refusing bool
	tls      *tls.Config // nil: in the clear
	starts   bool        // TLS begins with STARTTLS, not with the connection
	password string      // of User; "": nobody signs in
	taken    []Message
}

// Message is a message that the server has taken.
type Message struct {
	To   string
	Data string // header and text, as sent
}

// User signs in at a server with a password.
const User = "dial"

// New starts a server that takes everything in the clear, until the test ends.
func New(tb testing.TB) *Server {
	tb.Helper()
	return start(tb, &Server{})
}

// NewSecure starts a server that takes messages only over TLS, which begins with the connection or with STARTTLS, and
// only from User with this password.
func NewSecure(tb testing.TB, certificate tls.Certificate, implicit bool, password string) *Server {
	tb.Helper()
	return start(tb, &Server{
		tls: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, starts: !implicit,
		password: password,
	})
}

func start(tb testing.TB, s *Server) *Server {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	s.Addr = l.Addr().String()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

// Refuse makes the server refuse recipients, with their address in the answer, or take them again.
func (s *Server) Refuse(refuse bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusing = refuse
}

// Taken returns the messages so far.
func (s *Server) Taken() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message(nil), s.taken...)
}

// admits checks the line AUTH PLAIN.
func (s *Server) admits(line string) bool {
	sent, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(line, "AUTH PLAIN "))
	return err == nil && string(sent) == "\x00"+User+"\x00"+s.password
}

func (s *Server) serve(conn net.Conn) {
	if s.tls != nil && !s.starts {
		conn = tls.Server(conn, s.tls)
	}
	defer func() { conn.Close() }() // the one after STARTTLS
	in := bufio.NewScanner(conn)
	answer := func(text string) { _, _ = fmt.Fprintf(conn, "%s\r\n", text) }
	answer("220 test")
	var m Message
	secure, known := s.tls == nil || !s.starts, s.password == ""
	for in.Scan() {
		verb, rest, _ := strings.Cut(in.Text(), ":")
		verb = strings.ToUpper(verb)
		if verb == "MAIL FROM" && !(secure && known) {
			answer("530 5.7.0 encrypt the connection and sign in")
			continue
		}
		if first, _, _ := strings.Cut(verb, " "); first == "EHLO" || first == "AUTH" {
			verb = first
		}
		switch verb {
		case "EHLO":
			answer("250-test")
			if !secure {
				answer("250-STARTTLS")
			} else if s.password != "" {
				answer("250-AUTH PLAIN")
			}
			answer("250 8BITMIME")
		case "STARTTLS":
			answer("220 go on")
			conn = tls.Server(conn, s.tls)
			in, secure = bufio.NewScanner(conn), true
		case "AUTH":
			if known = s.admits(in.Text()); known {
				answer("235 2.7.0 welcome")
			} else {
				answer("535 5.7.8 wrong password of " + User)
			}
		case "RCPT TO":
			s.mu.Lock()
			refusing := s.refusing
			s.mu.Unlock()
			if refusing {
				answer("451 4.3.0 <" + rest + "> cannot be served now")
				continue
			}
			m.To = strings.Trim(rest, "<> ")
			answer("250 ok")
		case "DATA":
			answer("354 go on")
			var lines []string
			for in.Scan() && in.Text() != "." {
				lines = append(lines, in.Text())
			}
			m.Data = strings.Join(lines, "\n")
			s.mu.Lock()
			s.taken = append(s.taken, m)
			s.mu.Unlock()
			answer("250 taken")
		case "QUIT":
			answer("221 bye")
			return
		default:
			answer("250 ok")
		}
	}
}
