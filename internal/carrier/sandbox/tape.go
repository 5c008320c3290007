package sandbox

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"time"
)

// Format of recordings: 16-bit PCM of telephone quality, with the agent in the left channel and the
// recipient in the right channel.
const (
	tapeRate  = 8000                  // samples per second
	tapeFrame = 4                     // bytes of one sample of both channels
	tapeHead  = 44                    // bytes before the first sample
	tapeFade  = 15 * time.Millisecond // length of the fade, so that no tone begins or ends with a click
	tapeLoud  = 0.22 * math.MaxInt16  // amplitude of a tone
	syllable  = 4 * 2 * math.Pi       // angular frequency of the swelling of tones: 4 times per second
	agentTone = 392.0                 // hertz
	otherTone = 261.6                 // hertz
)

// newTape returns a recording as a WAV file. The file is never stored, because each sample can be
// computed from its position.
func newTape(rec *recording) io.ReadSeeker {
	size := tapeFrame * (int64(max(rec.lasts, 0)) * tapeRate / int64(time.Second))
	var head bytes.Buffer
	for _, field := range []any{
		[]byte("RIFF"), tapeHead - 8 + uint32(size), []byte("WAVEfmt "), uint32(16), uint16(1 /* PCM */),
		uint16(2 /* channels */),
		uint32(tapeRate), uint32(tapeRate * tapeFrame), uint16(tapeFrame), uint16(16 /* bits */), []byte("data"),
		uint32(size),
	} {
		_ = binary.Write(&head, binary.LittleEndian, field)
	}
	return io.NewSectionReader(tape{head.Bytes(), rec.turns}, 0, tapeHead+size)
}

type tape struct {
	head  []byte
	turns []heardTurn
}

// ReadAt generates the bytes from a position on.
func (t tape) ReadAt(p []byte, at int64) (n int, err error) {
	if at < tapeHead {
		n = copy(p, t.head[at:])
	}
	for n < len(p) {
		offset := at + int64(n) - tapeHead
		var frame [tapeFrame]byte
		left, right := t.sample(offset / tapeFrame)
		binary.LittleEndian.PutUint16(frame[:], uint16(left))
		binary.LittleEndian.PutUint16(frame[2:], uint16(right))
		n += copy(p[n:], frame[offset%tapeFrame:])
	}
	return n, nil
}

// sample returns both channels at a position: a tone while a person speaks.
func (t tape) sample(frame int64) (left, right int16) {
	at := time.Duration(frame) * time.Second / tapeRate
	for _, turn := range t.turns {
		if at < turn.begin || at >= turn.end {
			continue
		}
		if turn.who == Agent {
			left = turn.sound(at, agentTone)
		} else {
			right = turn.sound(at, otherTone)
		}
	}
	return left, right
}

// sound returns the tone of a turn at a moment within it. A key has two tones (ITU-T Q.23).
func (h heardTurn) sound(at time.Duration, hertz float64) int16 {
	loud := tapeLoud * min(1, float64(min(at-h.begin, h.end-at))/float64(tapeFade))
	wave := func(hertz float64) float64 { return math.Sin(2 * math.Pi * hertz * at.Seconds()) }
	if h.digit != "" {
		key := strings.Index("123456789*0#", h.digit)
		row, column := []float64{697, 770, 852, 941}[key/3], []float64{1209, 1336, 1477}[key%3]
		return int16(loud * (wave(row) + wave(column)) / 2)
	}
	return int16(loud * (0.6 - 0.4*math.Cos(syllable*(at-h.begin).Seconds())) * wave(hertz))
}
