package sandbox

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/simulation"
)

const (
	frameTime   = 20 * time.Millisecond // of sound in a message, in real time
	frameLength = 160                   // samples of a message
	maxTracks   = 4                     // of the streams of a call
)

// tracks are the values of a stream's Track.
var tracks = map[string][]string{
	"inbound_track": {"inbound"}, "": {"inbound"}, "outbound_track": {"outbound"},
	"both_tracks": {"inbound", "outbound"},
}

// createStream starts to send the sound of a call.
// https://www.twilio.com/docs/voice/api/stream-resource
func (n *Network) createStream(w http.ResponseWriter, r *http.Request) {
	c := n.find(w, r)
	if c == nil {
		return
	}
	s := &stream{
		c: c, sid: "MZ" + strings.ReplaceAll(uuid.NewString(), "-", ""), address: r.FormValue("Url"),
		tracks: tracks[r.FormValue("Track")], parameters: map[string]string{},
	}
	for i := 1; ; i++ {
		parameter := fmt.Sprintf("Parameter%d.", i)
		name := r.FormValue(parameter + "Name")
		if name == "" {
			break
		}
		s.parameters[name] = r.FormValue(parameter + "Value")
	}
	address, err := url.Parse(s.address)
	switch {
	case err != nil || address.Scheme != "ws" && address.Scheme != "wss" || address.Host == "" ||
		address.RawQuery != "":
		refuse(w, http.StatusBadRequest, 21205, "Url is not a valid URL")
		return
	case s.tracks == nil:
		refuse(w, http.StatusBadRequest, 20001, "Track is not valid")
		return
	}
	if refused := s.enter(); refused != nil {
		refuse(w, refused.status, refused.code, refused.message)
		return
	}
	if !n.Start(s.run) {
		refuse(w, http.StatusServiceUnavailable, 20503, "The network is shutting down")
		return
	}
	simulation.JSON(w, http.StatusCreated, map[string]any{
		"sid": s.sid, "account_sid": c.account, "call_sid": c.sid, "name": nil, "status": "in-progress",
	})
}

// stream sends the sound of a call. The sound is a tone while somebody speaks, as in a recording. Some messages come
// twice, late or not at all.
type stream struct {
	c            *call
	sid, address string
	tracks       []string
	parameters   map[string]string
	conn         *websocket.Conn
	messages     int
	late         any // a message that is sent after the next ones; nil: none
}

// enter adds the stream to its call.
func (s *stream) enter() *refusal {
	c := s.c
	c.n.Mu.Lock()
	defer c.n.Mu.Unlock()
	open := len(s.tracks)
	for other := range c.streams {
		open += len(other.tracks)
	}
	switch {
	case c.dial.Status != "in-progress" || c.dial.EndedAt != nil:
		return &refusal{http.StatusBadRequest, 21220, "Call is not in-progress. Cannot start a stream."}
	case open > maxTracks:
		return &refusal{http.StatusBadRequest, 20001, "The call has too many streams"}
	}
	if c.streams == nil {
		c.streams = map[*stream]struct{}{}
	}
	c.streams[s] = struct{}{}
	c.n.Counts.Streams++
	c.n.Announce()
	return nil
}

func (s *stream) leave() {
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	delete(s.c.streams, s)
	s.c.n.Counts.Streams--
	s.c.n.Announce()
}

// run opens the socket and sends until the call ends or the other side closes it.
func (s *stream) run() {
	defer s.leave()
	conn, err := s.c.socket(s.address)
	if err != nil {
		s.c.n.Log.Warn("sandbox: a stream was not opened", "call", s.c.sid, "error", err)
		return
	}
	defer conn.CloseNow()
	s.conn = conn
	open := conn.CloseRead(s.c.ctx)
	s.send(map[string]any{"event": "connected", "protocol": "Call", "version": "1.0.0"})
	s.send(map[string]any{"event": "start", "sequenceNumber": "1", "streamSid": s.sid, "start": map[string]any{
		"streamSid": s.sid, "accountSid": s.c.account, "callSid": s.c.sid, "tracks": s.tracks,
		"customParameters": s.parameters,
		"mediaFormat":      map[string]any{"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1},
	}})
	for began, n := time.Now(), 0; open.Err() == nil; n++ {
		at := time.Duration(n) * frameTime
		for _, track := range s.tracks {
			s.play(track, at)
		}
		loop.Sleep(open, time.Until(began.Add(at+frameTime)))
	}
	if s.c.ctx.Err() == nil {
		return // the other side closed the socket
	}
	s.send(map[string]any{"event": "stop", "streamSid": s.sid, "stop": map[string]any{
		"accountSid": s.c.account, "callSid": s.c.sid,
	}})
	_ = conn.Close(websocket.StatusNormalClosure, "")
}

func (s *stream) send(message any) { s.c.n.write(s.conn, message) }

// play sends the sound of a track at a time since the start.
func (s *stream) play(track string, at time.Duration) {
	s.messages++
	message := map[string]any{"event": "media", "streamSid": s.sid, "media": map[string]any{
		"track": track, "chunk": strconv.Itoa(int(at/frameTime) + 1), "timestamp": strconv.Itoa(int(at.Milliseconds())),
		"payload": base64.StdEncoding.EncodeToString(s.c.tone(track)),
	}}
	switch {
	case s.messages%97 == 0: // lost
	case s.messages%61 == 0:
		s.late = message
	default:
		s.send(message)
		if s.messages%53 == 0 {
			s.send(message)
		}
		if s.late != nil && s.messages%61 == 3 {
			s.send(s.late)
			s.late = nil
		}
	}
}

// tone returns what is heard on a track now, in µ-law.
func (c *call) tone(track string) []byte {
	c.n.Mu.Lock()
	speaks := c.speaks[track]
	c.n.Mu.Unlock()
	hertz := agentTone
	if track == "inbound" {
		hertz = otherTone
	}
	out, now := make([]byte, frameLength), time.Now()
	for i := range out {
		var level float64
		if at := now.Add(time.Duration(i) * time.Second / tapeRate); speaks {
			second := float64(at.UnixMicro()%1e9) / 1e6
			level = tapeLoud * (0.6 - 0.4*math.Cos(syllable*second)) * math.Sin(2*math.Pi*hertz*second)
		}
		out[i] = muLaw(int16(level))
	}
	return out
}

// muLaw encodes a sample (ITU-T G.711).
func muLaw(sample int16) byte {
	const bias, most = 0x84, 32635
	level, sign := int(sample), byte(0)
	if level < 0 {
		level, sign = -level, 0x80
	}
	level = min(level, most) + bias
	exponent := byte(7)
	for mask := 0x4000; level&mask == 0 && exponent > 0; mask >>= 1 {
		exponent--
	}
	return ^(sign | exponent<<4 | byte(level>>(exponent+3))&0x0f)
}
