package twilio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	// ticketParameter is the name of a stream's parameter with the ticket. The address of a stream can't have a query.
	ticketParameter = "ticket"
	// soundTime is how long a stream may send nothing. It sends silence too.
	soundTime = 20 * time.Second
)

// Listen starts a stream. It ends when the socket is closed, or with the call.
// https://www.twilio.com/docs/voice/api/stream-resource
func (c *client) Listen(ctx context.Context, l carrier.Listen) error {
	form := url.Values{
		"Url":              {webSocket(c.adapter.hookURL(c.account, c.connectionID, l.CallID, hookSound))},
		"Track":            {"both_tracks"},
		"Parameter1.Name":  {ticketParameter},
		"Parameter1.Value": {l.Ticket},
	}
	err := c.do(ctx, http.MethodPost, "/Calls/"+url.PathEscape(l.CarrierCallID)+"/Streams.json", form, nil)
	if e, ok := errors.AsType[*carrier.Error](err); ok && e.Code == codeNotInProgress {
		err = carrier.ErrUnknownCall
	}
	if err != nil {
		return fmt.Errorf("listen in to call %s: %w", l.CallID, err)
	}
	return nil
}

// webSocket returns the address of a WebSocket.
func webSocket(address string) string {
	if rest, ok := strings.CutPrefix(address, "http"); ok {
		return "ws" + rest
	}
	return address
}

// soundFrame is a message of a stream.
// https://www.twilio.com/docs/voice/media-streams/websocket-messages
type soundFrame struct {
	Event string `json:"event"`
	Start struct {
		Parameters map[string]string `json:"customParameters"`
		Format     struct {
			Encoding string `json:"encoding"`
			Rate     int    `json:"sampleRate"`
			Channels int    `json:"channels"`
		} `json:"mediaFormat"`
	} `json:"start"`
	Media struct {
		Track     string          `json:"track"`
		Timestamp json.RawMessage `json:"timestamp"` // milliseconds since the start, as a string
		Payload   []byte          `json:"payload"`   // in Base64
	} `json:"media"`
}

// sides are the sides of the tracks of a stream, as Twilio sees them.
var sides = map[string]carrier.Side{"inbound": carrier.PersonSide, "outbound": carrier.AgentSide}

// piece returns the sound of a frame. ok is false for a frame without sound.
func (f soundFrame) piece() (p carrier.Piece, ok bool) {
	ms, err := strconv.ParseInt(strings.Trim(string(f.Media.Timestamp), `"`), 10, 32)
	side, known := sides[f.Media.Track]
	if f.Event != "media" || err != nil || ms < 0 || !known {
		return p, false
	}
	return carrier.Piece{Side: side, At: time.Duration(ms) * time.Millisecond, Data: f.Media.Payload}, true
}

// sound is the socket of a stream. It implements carrier.LiveSound.
type sound struct{ conn *websocket.Conn }

func (s sound) Next(ctx context.Context) (carrier.Piece, error) {
	for {
		f, err := s.read(ctx)
		if err != nil || f.Event == "stop" {
			return carrier.Piece{}, errors.Join(io.EOF, ctx.Err())
		}
		if p, ok := f.piece(); ok {
			return p, nil
		}
	}
}

// read reads the next message. A message that is not JSON is returned as an empty one.
func (s sound) read(ctx context.Context) (f soundFrame, err error) {
	ctx, cancel := context.WithTimeout(ctx, soundTime)
	defer cancel()
	_, data, err := s.conn.Read(ctx)
	if err != nil {
		return f, err
	}
	if json.Unmarshal(data, &f) != nil {
		return soundFrame{}, nil
	}
	return f, nil
}

// begin reads up to the start of the stream, and returns its ticket.
func (s sound) begin(ctx context.Context) (ticket string, err error) {
	for {
		switch f, err := s.read(ctx); {
		case err != nil:
			return "", err
		case f.Event == "start":
			if m := f.Start.Format; m.Encoding != "audio/x-mulaw" || m.Rate != 8000 || m.Channels != 1 {
				return "", fmt.Errorf("the sound is %s, %d Hz, %d channels", m.Encoding, m.Rate, m.Channels)
			}
			return f.Start.Parameters[ticketParameter], nil
		}
	}
}

// sound passes the sound of a call to the host.
func (a *Adapter) sound(w http.ResponseWriter, r *http.Request, cb callback) {
	conn, err := accept(w, r)
	if err != nil {
		return // accept has answered
	}
	defer conn.CloseNow()

	if !a.hold() {
		_ = conn.Close(websocket.StatusGoingAway, "")
		return
	}
	defer a.open.Done()
	// The context of the request ends with the hijack. The sound lives as long as its socket, and until the shutdown:
	// whoever still listens then asks for it again, and it comes to another process.
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	defer context.AfterFunc(a.running, cancel)()
	s := sound{conn}
	ticket, err := s.begin(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "twilio stream did not begin", "call", cb.callID, "error", err)
		_ = conn.Close(websocket.StatusPolicyViolation, "start expected")
		return
	}
	a.host.Hear(ctx, cb.connectionID, cb.callID, ticket, s)
	_ = conn.Close(websocket.StatusNormalClosure, "")
}

// hold keeps Shutdown waiting until a.open.Done. It returns false while the process is stopping.
func (a *Adapter) hold() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopping {
		return false
	}
	a.open.Add(1)
	return true
}
