package postgres

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/loop"
)

const (
	// notifyGap is the minimum time between two NOTIFYs of one topic.
	notifyGap = 20 * time.Millisecond

	// pingGap is the time between two checks of the connection that listens. Through a pooler, only the checks find out
	// that the server was away.
	pingGap       = 30 * time.Second
	pooledPingGap = time.Second

	// channel is the only NOTIFY channel. The payload contains the sender and the topic.
	channel = "dialwright_wake"
)

// Hub wakes loops that have work to do. It wakes loops of this process directly, and loops of other processes by
// NOTIFY. A wake-up carries no data and may be lost (a restart, a broken connection), so every loop also polls. The
// hub only removes the delay.
type Hub struct {
	pool *pgxpool.Pool // nil in a local hub
	log  *slog.Logger
	self string // marks the NOTIFYs of this hub

	mu      sync.Mutex
	subs    map[string]map[chan struct{}]struct{}
	pending map[string]struct{} // topics to send to other processes
	kick    chan struct{}       // receives when pending has topics

	cancel context.CancelFunc
	done   sync.WaitGroup
}

// HubOptions configure a Hub.
type HubOptions struct {
	Pool *pgxpool.Pool
	Log  *slog.Logger // nil: slog.Default()
}

// NewHub starts a hub with two connections of its own to the pool's server. It connects in the background, reconnects
// automatically, and ends with ctx or Close.
func NewHub(ctx context.Context, o HubOptions) *Hub {
	ctx, cancel := context.WithCancel(ctx)
	h := LocalHub()
	h.pool, h.log, h.cancel = o.Pool, cmp.Or(o.Log, slog.Default()), cancel
	h.done.Go(func() { h.keep(ctx, "listen for wake-ups", h.listen) })
	h.done.Go(func() { h.keep(ctx, "send wake-ups", h.notify) })
	return h
}

// LocalHub makes a hub that wakes only the loops of this process. Other processes find the work by polling. The hub
// has no connections, so Close is not needed.
func LocalHub() *Hub {
	return &Hub{
		self:    uuid.NewString(),
		subs:    map[string]map[chan struct{}]struct{}{},
		pending: map[string]struct{}{},
		kick:    make(chan struct{}, 1),
		cancel:  func() {},
	}
}

// Close ends the hub and waits until its connections are closed. It drops wake-ups that were not yet sent to other
// processes.
func (h *Hub) Close() {
	h.cancel()
	h.done.Wait()
}

// Subscribe returns a channel that receives after a wake-up of topic. The channel buffers one wake-up, so several
// wake-ups before a receive become one. Call cancel when you no longer need the channel. The channel is never closed.
func (h *Hub) Subscribe(topic string) (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.subs[topic] == nil {
		h.subs[topic] = map[chan struct{}]struct{}{}
	}
	h.subs[topic][c] = struct{}{}
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs[topic], c)
		if len(h.subs[topic]) == 0 {
			delete(h.subs, topic)
		}
	}
}

// Wake tells the subscribers of topic in all processes that there is work to do. Call it after the commit, because
// before the commit a subscriber would find nothing. It never blocks and uses no transaction.
func (h *Hub) Wake(topic string) {
	h.mu.Lock()
	h.wakeHere(topic)
	if h.pool != nil {
		h.pending[topic] = struct{}{}
	}
	h.mu.Unlock()
	select {
	case h.kick <- struct{}{}:
	default:
	}
}

// wakeHere wakes this process's subscribers. The caller has h.mu.
func (h *Hub) wakeHere(topic string) {
	for c := range h.subs[topic] {
		select {
		case c <- struct{}{}:
		default: // a wake-up is already pending
		}
	}
}

// keep runs a connection's loop and restarts it when the connection breaks. The pauses grow to one second at most,
// because subscribers depend on the connection.
func (h *Hub) keep(ctx context.Context, what string, run func(context.Context, func()) error) {
	const least, most = 50 * time.Millisecond, time.Second
	var backoff loop.Backoff
	for ctx.Err() == nil {
		err := run(ctx, backoff.Reset)
		if ctx.Err() != nil {
			return
		}
		pause := backoff.Next(least, most)
		h.log.Warn("a connection for wake-ups broke and will be reopened", "what", what, "error", err, "pause", pause)
		loop.Sleep(ctx, loop.Jitter(pause))
	}
}

// listen receives other processes' wake-ups until its connection breaks.
func (h *Hub) listen(ctx context.Context, connected func()) error {
	conn, err := connect(ctx, h.pool)
	if err != nil {
		return err
	}
	defer closeConn(conn)
	begin, gap := "listen "+channel, pingGap
	if pooled(h.pool) {
		// A session of a pooler would listen for whoever has it next. The loops poll.
		begin, gap = "select 1", pooledPingGap
	}
	if _, err := conn.Exec(WithStatementTime(ctx, connectTimeout), begin); err != nil {
		return err
	}
	connected()

	// Wake-ups may have been missed while no connection listened.
	h.mu.Lock()
	for topic := range h.subs {
		h.wakeHere(topic)
	}
	h.mu.Unlock()

	for {
		// A ping finds a connection that died silently.
		wctx, cancel := context.WithTimeout(ctx, gap)
		n, err := conn.WaitForNotification(wctx)
		cancel()
		if err != nil {
			if ctx.Err() != nil || conn.IsClosed() {
				return err
			}
			pctx, cancel := context.WithTimeout(ctx, connectTimeout)
			err := conn.Ping(pctx)
			cancel()
			if err != nil {
				return err
			}
			continue
		}
		sender, topic, ok := strings.Cut(n.Payload, " ")
		if !ok || sender == h.self {
			continue
		}
		h.mu.Lock()
		h.wakeHere(topic)
		h.mu.Unlock()
	}
}

// notify sends the pending topics, then waits for notifyGap. Thus it sends a topic at most once in that time, even if
// the topic is woken more often.
func (h *Hub) notify(ctx context.Context, connected func()) error {
	select { // connect only when there is a topic to send
	case <-ctx.Done():
		return ctx.Err()
	case <-h.kick:
	}
	conn, err := connect(ctx, h.pool)
	if err != nil {
		h.again()
		return err
	}
	defer closeConn(conn)
	connected()
	for {
		h.mu.Lock()
		payloads := make([]string, 0, len(h.pending))
		for topic := range h.pending {
			payloads = append(payloads, h.self+" "+topic)
		}
		clear(h.pending)
		h.mu.Unlock()

		if len(payloads) > 0 {
			sctx, cancel := context.WithTimeout(ctx, connectTimeout)
			_, err := conn.Exec(sctx, `select pg_notify($1, payload) from unnest($2::text[]) payload`, channel,
				payloads)
			cancel()
			if err != nil {
				h.mu.Lock()
				for _, p := range payloads {
					_, topic, _ := strings.Cut(p, " ")
					h.pending[topic] = struct{}{}
				}
				h.mu.Unlock()
				h.again()
				return err
			}
		}
		loop.Sleep(ctx, notifyGap)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.kick:
		}
	}
}

// again signals that topics are still pending.
func (h *Hub) again() {
	select {
	case h.kick <- struct{}{}:
	default:
	}
}
