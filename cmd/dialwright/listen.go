package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

const (
	forwardTime = 15 * time.Second // as long as a webhook's endpoint has

	// listenWait is how long the server waits for an event, within apiTime.
	listenWait = 20 * time.Second

	// listenPace is the least time between two requests. A key may send 60 a minute.
	listenPace = 1100 * time.Millisecond
)

// forwardEvents lists the events of a running server and sends each to a receiver that the server cannot reach, signed
// as a webhook's. It ends with ctx.
func forwardEvents(ctx context.Context, p *process) error {
	if p.APIKey == "" {
		return usageError{errors.New("an API key with the scope webhooks:read is required: --api-key or " +
			"DIALWRIGHT_KEY")}
	}
	f := forwarder{
		p:      p,
		secret: listenSecret(p.APIKey),
		client: &http.Client{
			Timeout:       forwardTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	query := url.Values{"limit": {"100"}, "start": {"now"}}
	for _, t := range p.EventTypes {
		query.Add("type", t)
	}
	server, away := client{url: p.ServerURL, key: p.APIKey}, false
	var backoff loop.Backoff
	for first := true; ctx.Err() == nil; {
		begun := time.Now()
		var page struct {
			Data       []json.RawMessage `json:"data"`
			NextCursor string            `json:"next_cursor"`
		}
		err := server.send(ctx, http.MethodGet, "/events?"+query.Encode(), nil, &page)
		if ctx.Err() != nil {
			break
		}
		if _, gone := errors.AsType[serverError](err); gone && !first {
			if !away {
				fmt.Fprintf(p.stderr, "%v. Trying again until it does.\n", err)
			}
			away = true
			loop.Sleep(ctx, backoff.Next(listenPace, 10*time.Second))
			continue
		}
		if err != nil {
			return err
		}
		if first {
			fmt.Fprintf(p.stdout, "Events of %s are sent to %s from now on. Verify them with the secret\n  %s\n",
				p.ServerURL, p.Forward, "whsec_"+base64.StdEncoding.EncodeToString(f.secret))
			query.Set("wait", strconv.Itoa(int(listenWait/time.Second)))
		}
		if away {
			fmt.Fprintln(p.stderr, "The server answers again.")
		}
		first, away = false, false
		backoff.Reset()
		for _, event := range page.Data {
			f.forward(ctx, event)
		}
		query.Set("cursor", page.NextCursor)
		loop.Sleep(ctx, listenPace-time.Since(begun))
	}
	return nil // Ctrl-C
}

// listenSecret returns the secret that signs what is forwarded. The same key has the same secret, so a receiver keeps
// its setting.
func listenSecret(key string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("dialwright listen"))
	return mac.Sum(nil)
}

// forwarder sends events to a receiver.
type forwarder struct {
	p      *process
	secret []byte
	client *http.Client
}

// forward sends one event, once, and prints what the receiver answers.
func (f *forwarder) forward(ctx context.Context, event []byte) {
	var envelope struct{ ID, Type string }
	_ = json.Unmarshal(event, &envelope) // the server made it
	begun := time.Now()
	answer, err := f.post(ctx, envelope.ID, event)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		answer = strings.TrimSpace(err.Error())
	}
	fmt.Fprintf(f.p.stdout, "%s  %s  %s  %s (%d ms)\n", begun.Format(time.TimeOnly), envelope.Type, envelope.ID, answer,
		time.Since(begun).Milliseconds())
}

// post returns the status of the answer.
func (f *forwarder) post(ctx context.Context, id string, event []byte) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.p.Forward, bytes.NewReader(event))
	if err != nil {
		return "", err
	}
	now := time.Now().Unix()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "dialwright/"+strings.TrimPrefix(version, "v"))
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", strconv.FormatInt(now, 10))
	r.Header.Set("Webhook-Signature", sender.Sign(id, now, event, f.secret))
	answer, err := f.client.Do(r)
	if err != nil {
		if cause, ok := errors.AsType[*url.Error](err); ok {
			err = cause.Err
		}
		return "", err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20)) // so that the connection is used again
	return answer.Status, nil
}
