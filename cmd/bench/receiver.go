package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// receiveCommand makes this program the endpoint of the benchmarks of webhooks.
const receiveCommand = "receive"

// receipt is a request that came in.
type receipt struct {
	EventID uuid.UUID
	At      int64 // Unix nanoseconds
}

// receive answers at once below /ok, 500 below /fail and never below /hang. GET
// /receipts lists what came below /ok since the last time.
func receive(ctx context.Context) error {
	var mu sync.Mutex
	var receipts []receipt
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := time.Now().UnixNano()
		_, _ = io.Copy(io.Discard, r.Body) // a request that broke off has no receipt
		switch {
		case strings.HasPrefix(r.URL.Path, "/ok"):
			id, err := uuid.Parse(r.Header.Get("Webhook-Id"))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			mu.Lock()
			receipts = append(receipts, receipt{id, now})
			mu.Unlock()
		case strings.HasPrefix(r.URL.Path, "/hang"):
			<-r.Context().Done()
		case r.URL.Path == "/receipts":
			mu.Lock()
			all := receipts
			receipts = nil
			mu.Unlock()
			out := bufio.NewWriter(w)
			defer out.Flush() //nolint:errcheck // the client has gone
			for _, line := range all {
				if err := json.NewEncoder(out).Encode(line); err != nil {
					return
				}
			}
		default:
			w.WriteHeader(http.StatusInternalServerError)
		}
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	context.AfterFunc(ctx, func() { srv.Close() })
	fmt.Printf("listens on http://%s\n", listener.Addr())
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// receipts fetches what came in since the last time, and adds it to all, by
// event; duplicates are those that were there.
func receipts(ctx context.Context, receiver *process, all map[uuid.UUID]time.Time) (duplicates int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, receiver.url+"/receipts", nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("ask the receiver: %w", err)
	}
	defer answer.Body.Close()
	lines := json.NewDecoder(answer.Body)
	for {
		var line receipt
		if err := lines.Decode(&line); err == io.EOF {
			return duplicates, nil
		} else if err != nil {
			return duplicates, fmt.Errorf("ask the receiver: %w", err)
		}
		if _, there := all[line.EventID]; there {
			duplicates++
			continue
		}
		all[line.EventID] = time.Unix(0, line.At)
	}
}
