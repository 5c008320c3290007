package listen

import (
	"bytes"
	"encoding/binary"
	"math"
)

const (
	// waveRate is the rate of what browsers get, in samples per second. A browser begins to play when it has some
	// thousand bytes, so that more bytes per second mean less delay.
	waveRate = 48000
	times    = waveRate / rate
)

// Wave turns the sound of a call into a WAV file without an end: 16 bits, the agent left and the person right.
type Wave struct{ before [2]int16 }

// Head returns the beginning of the file. Its lengths are the longest possible, because the end is not known.
func (Wave) Head() []byte {
	var head bytes.Buffer
	for _, field := range []any{
		[]byte("RIFF"), uint32(math.MaxUint32), []byte("WAVEfmt "), uint32(16), uint16(1 /* PCM */),
		uint16(2 /* channels */), uint32(waveRate), uint32(waveRate * 4), uint16(4), uint16(16 /* bits */),
		[]byte("data"), uint32(math.MaxUint32 - 36),
	} {
		_ = binary.Write(&head, binary.LittleEndian, field) // a buffer takes everything
	}
	return head.Bytes()
}

// Samples returns the samples of sound that Ear.Next returned. What lies between two samples is interpolated.
func (w *Wave) Samples(sound []byte) []byte {
	out := make([]byte, 0, len(sound)/2*times*4)
	for i := 0; i+1 < len(sound); i += 2 {
		next := [2]int16{linear[sound[i]], linear[sound[i+1]]}
		for n := 1; n <= times; n++ {
			for side := range next {
				from, to := int(w.before[side]), int(next[side])
				out = binary.LittleEndian.AppendUint16(out, uint16(int16(from+(to-from)*n/times)))
			}
		}
		w.before = next
	}
	return out
}

// linear are the samples of µ-law (ITU-T G.711).
var linear = func() (table [256]int16) {
	for i := range table {
		u := ^byte(i)
		magnitude := (int16(u&0x0f)<<3+0x84)<<(u>>4&7) - 0x84
		if u&0x80 != 0 {
			magnitude = -magnitude
		}
		table[i] = magnitude
	}
	return table
}()
