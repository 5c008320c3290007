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

// cable is what lies between one process and its database.
type cable struct {
	mu     sync.Mutex
	conns  map[*cableConn]bool
	away   bool   // connections are refused, and those there are were cut
	frozen bool   // what is sent arrives later, and nothing comes back
	mute   string // a command is carried out, and the connection breaks before this answer
}

var errCut = errors.New("the cable is cut")

// cabled gives a service a pool of its own over a cable.
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

// cut is a database that stops: connections break, and new ones are refused.
func (x *cable) cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.away = true
	for c := range x.conns {
		c.Conn.Close()
	}
}

// freeze is a database that does not answer. What it is sent it carries out when
// it goes on.
func (x *cable) freeze() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.frozen = true
}

// loseAnswer is a database that stops when it has committed, and before it says so.
func (x *cable) loseAnswer() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.mute = "SELECT 1"
}

// loseCommit is a database that comes back, and stops when it has committed a transaction.
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
			// The server carries out what it has been sent before it reads the end.
			_ = c.Conn.(*net.UnixConn).CloseWrite()
		}
	}
}

type cableConn struct {
	net.Conn
	cable *cable

	// under cable.mu
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
		return c.Conn.SetReadDeadline(time.Unix(1, 0)) // what waits to read does not wait any more
	}
	return c.Conn.Close()
}
