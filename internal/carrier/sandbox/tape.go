package sandbox

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"time"
)

// The sound of recordings: 16-bit PCM of telephone quality, the agent in the
// left channel and the recipient in the right one.
const (
	tapeRate  = 8000                  // samples a second
	tapeFrame = 4                     // bytes of one sample of both channels
	tapeHead  = 44                    // bytes before the first sample
	tapeFade  = 15 * time.Millisecond // so that no tone begins or ends with a click
	tapeLoud  = 0.22 * math.MaxInt16  // of a tone; keys have two
	syllable  = 4 * 2 * math.Pi       // tones swell so often a second, times two pi
	agentTone = 392.0                 // hertz
	otherTone = 261.6                 // hertz
)

// keyTones are the two tones of each key, in hertz (ITU-T Q.23).
var keyTones = map[string][2]float64{
	"1": {697, 1209}, "2": {697, 1336}, "3": {697, 1477}, "4": {770, 1209}, "5": {770, 1336}, "6": {770, 1477},
	"7": {852, 1209}, "8": {852, 1336}, "9": {852, 1477}, "*": {941, 1209}, "0": {941, 1336}, "#": {941, 1477},
}

// tape is a recording as a WAV file that is nowhere: each sample follows from
// its place. It is an io.ReadSeeker.
type tape struct {
	rec    *recording
	head   [tapeHead]byte
	frames int64
	at     int64 // the next byte
}

func newTape(rec *recording) *tape {
	t := &tape{rec: rec, frames: frameAt(rec.lasts)}
	size := uint32(t.frames * tapeFrame)
	head := t.head[:0]
	le := binary.LittleEndian
	head = append(head, "RIFF"...)
	head = le.AppendUint32(head, tapeHead-8+size)
	head = append(head, "WAVEfmt "...)
	head = le.AppendUint32(head, 16)
	head = le.AppendUint16(head, 1) // PCM
	head = le.AppendUint16(head, 2) // channels
	head = le.AppendUint32(head, tapeRate)
	head = le.AppendUint32(head, tapeRate*tapeFrame)
	head = le.AppendUint16(head, tapeFrame)
	head = le.AppendUint16(head, 16) // bits
	head = append(head, "data"...)
	le.AppendUint32(head, size)
	return t
}

func frameAt(d time.Duration) int64 { return int64(max(d, 0)) * tapeRate / int64(time.Second) }

func (t *tape) size() int64 { return tapeHead + t.frames*tapeFrame }

func (t *tape) Read(p []byte) (n int, err error) {
	if t.at >= t.size() {
		return 0, io.EOF
	}
	if t.at < tapeHead {
		n = copy(p, t.head[t.at:])
		t.at += int64(n)
		return n, nil
	}
	for n < len(p) && t.at < t.size() {
		var frame [tapeFrame]byte
		left, right := t.sample((t.at - tapeHead) / tapeFrame)
		binary.LittleEndian.PutUint16(frame[:], uint16(left))
		binary.LittleEndian.PutUint16(frame[2:], uint16(right))
		k := copy(p[n:], frame[(t.at-tapeHead)%tapeFrame:])
		n, t.at = n+k, t.at+int64(k)
	}
	return n, nil
}

func (t *tape) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += t.at
	case io.SeekEnd:
		offset += t.size()
	}
	if offset < 0 {
		return 0, errors.New("before the beginning")
	}
	t.at = offset
	return offset, nil
}

// sample is both channels at a place: a tone wherever somebody speaks.
func (t *tape) sample(frame int64) (left, right int16) {
	at := time.Duration(frame) * time.Second / tapeRate
	for _, turn := range t.rec.turns {
		if at < turn.begin || at >= turn.end {
			continue
		}
		if turn.who == Agent {
			left = turn.sound(at)
		} else {
			right = turn.sound(at)
		}
	}
	return left, right
}

// sound is the tone of a turn at a moment within it.
func (h heardTurn) sound(at time.Duration) int16 {
	fade := min(1, float64(min(at-h.begin, h.end-at))/float64(tapeFade))
	wave := func(hertz float64) float64 { return math.Sin(2 * math.Pi * hertz * at.Seconds()) }
	if tones, ok := keyTones[h.digit]; ok {
		return int16(tapeLoud * fade * (wave(tones[0]) + wave(tones[1])) / 2)
	}
	hertz := otherTone
	if h.who == Agent {
		hertz = agentTone
	}
	swell := 0.6 - 0.4*math.Cos(syllable*(at-h.begin).Seconds())
	return int16(tapeLoud * fade * swell * wave(hertz))
}
