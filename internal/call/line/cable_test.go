package line

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// cable is the connection between one process and its database.
type cable struct {
	mu     sync.Mutex
	conns  map[*cableConn]bool
	away   bool   // new connections are refused, and open connections were cut
	frozen bool   // requests arrive later, and no answers come back
	mute   string // a command is carried out, and the connection breaks before this answer
}

var errCut = errors.New("the cable is cut")

// cabled gives a service a separate pool over a cable.
func (w *world) cabled(s *Service) *cable {
	w.tb.Helper()
	x := &cable{conns: map[*cableConn]bool{}}
	cfg := w.db.Pool.Config()
	dial := cfg.ConnConfig.DialFunc
	cfg.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		x.mu.Lock()
		away := x.away
		x.mu.Unlock()
		if away {
			return nil, errCut
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c := &cableConn{Conn: conn, cable: x}
		x.mu.Lock()
		defer x.mu.Unlock()
		x.conns[c] = true
		return c, nil
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		w.tb.Fatal(err)
	}
	w.tb.Cleanup(func() {
		x.restore()
		pool.Close()
	})
	s.pool, s.turnWriter = pool, &turnWriter{pool: pool}
	s.calls = w.callsAt(Options{Pool: pool, Hub: s.hub, Log: s.log})
	if s == w.lines {
		w.calls = s.calls
	}
	return x
}

// cut simulates a database that stops: connections break, and new connections are refused.
func (x *cable) cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.away = true
	for c := range x.conns {
		c.Conn.Close()
	}
}

// freeze simulates a database that does not answer. It carries out the requests after restore.
func (x *cable) freeze() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.frozen = true
}

// loseAnswer simulates a database that stops between a commit and its answer.
func (x *cable) loseAnswer() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.mute = "SELECT 1"
}

// loseCommit simulates a database that comes back, and stops again after the commit of a
// transaction.
func (x *cable) loseCommit() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.away, x.mute = false, "COMMIT"
}

// restore brings the database back.
func (x *cable) restore() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.away, x.frozen, x.mute = false, false, ""
	for c := range x.conns {
		if len(c.held) == 0 {
			continue
		}
		_, _ = c.Conn.Write(c.held)
		if c.held = nil; c.closed {
			// The server carries out the requests that it has received before it reads the end.
			_ = c.Conn.(*net.UnixConn).CloseWrite()
		}
	}
}

type cableConn struct {
	net.Conn
	cable *cable

	// protected by cable.mu
	held   []byte
	closed bool
}

func (c *cableConn) Write(b []byte) (int, error) {
	c.cable.mu.Lock()
	defer c.cable.mu.Unlock()
	if c.cable.away {
		return 0, errCut
	}
	if c.cable.frozen {
		c.held = append(c.held, b...)
		return len(b), nil
	}
	return c.Conn.Write(b)
}

func (c *cableConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.cable.mu.Lock()
	defer c.cable.mu.Unlock()
	idle := bytes.Contains(b[:n], []byte("Z\x00\x00\x00\x05I"))
	if c.cable.mute != "" && err == nil && idle && bytes.Contains(b[:n], []byte(c.cable.mute)) {
		c.cable.away = true
		c.Conn.Close()
		return 0, errCut
	}
	return n, err
}

func (c *cableConn) Close() error {
	c.cable.mu.Lock()
	defer c.cable.mu.Unlock()
	if c.cable.frozen && len(c.held) > 0 {
		c.closed = true
		return c.Conn.SetReadDeadline(time.Unix(1, 0)) // a pending read ends at once
	}
	return c.Conn.Close()
}
