// Package mailtest is an SMTP server for tests.
package mailtest

import (
	"bufio"
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
	taken    []Message
}

// Message is a message that the server has taken.
type Message struct {
	To   string
	Data string // header and text, as sent
}

// New starts a server that takes everything in the clear, until the test ends.
func New(tb testing.TB) *Server {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	s := &Server{Addr: l.Addr().String()}
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

func (s *Server) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	answer := func(text string) { _, _ = fmt.Fprintf(conn, "%s\r\n", text) }
	answer("220 test")
	var m Message
	for in.Scan() {
		verb, rest, _ := strings.Cut(in.Text(), ":")
		switch strings.ToUpper(verb) {
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
