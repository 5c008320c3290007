package sandbox

import (
	"encoding/binary"
	"io"
	"math"
	"testing"
	"time"
)

// channels returns both channels of a recording, each as large as 1 at most.
func channels(t *testing.T, rec *recording) (left, right []float64) {
	t.Helper()
	whole, err := io.ReadAll(newTape(rec))
	if err != nil {
		t.Fatal(err)
	}
	for at := 44; at < len(whole); at += 4 {
		left = append(left, float64(int16(binary.LittleEndian.Uint16(whole[at:])))/math.MaxInt16)
		right = append(right, float64(int16(binary.LittleEndian.Uint16(whole[at+2:])))/math.MaxInt16)
	}
	return left, right
}

// power returns how much of a frequency sound contains.
func power(sound []float64, hertz float64) float64 {
	var re, im float64
	for i, v := range sound {
		sin, cos := math.Sincos(2 * math.Pi * hertz * float64(i) / 8000)
		re, im = re+v*cos, im+v*sin
	}
	return math.Hypot(re, im) / float64(len(sound))
}

// isTone reports whether sound contains this frequency, and less of its neighbors.
func isTone(sound []float64, hertz float64) bool {
	at := power(sound, hertz)
	return at > 0.02 && at > 1.1*power(sound, hertz-1) && at > 1.1*power(sound, hertz+1)
}

func loudest(sound []float64) (most float64) {
	for _, v := range sound {
		most = max(most, math.Abs(v))
	}
	return most
}

// The keys have the tones of ITU-T Q.23.
func TestTonesOfKeys(t *testing.T) {
	t.Parallel()
	for row, keys := range []string{"123", "456", "789", "*0#"} {
		for column, key := range keys {
			_, sound := channels(t, &recording{lasts: time.Second, turns: []heardTurn{
				{who: Recipient, digit: string(key), end: time.Second},
			}})
			for i, hertz := range []float64{697, 770, 852, 941, 1209, 1336, 1477} {
				if want := i == row || i == 4+column; isTone(sound, hertz) != want {
					t.Errorf("key %c has %.0f Hz: %t", key, hertz, !want)
				}
			}
			if most := loudest(sound); most < 0.2 || most > 0.22 {
				t.Errorf("key %c is as loud as %.3f", key, most)
			}
		}
	}
}

// The sides have different tones. Their loudness swells four times per second.
func TestTonesOfTheSides(t *testing.T) {
	t.Parallel()
	const begin = 400 * time.Millisecond
	left, right := channels(t, &recording{lasts: 2500 * time.Millisecond, turns: []heardTurn{
		{who: Agent, begin: begin, end: begin + time.Second},
		{who: Recipient, begin: begin, end: begin + time.Second},
	}})
	for name, c := range map[string]struct {
		sound []float64
		hertz float64
	}{"the agent": {left, 392}, "the recipient": {right, 261.6}} {
		ms := func(from, to int) []float64 { return c.sound[8*(400+from) : 8*(400+to)] }
		if !isTone(ms(0, 1000), c.hertz) {
			t.Errorf("%s has another tone", name)
		}
		if most := loudest(c.sound); most < 0.21 || most > 0.22 {
			t.Errorf("%s is as loud as %.3f", name, most)
		}
		for quarter := range 4 {
			quiet, loud := loudest(ms(250*quarter+20, 250*quarter+30)), loudest(ms(250*quarter+120, 250*quarter+130))
			if quiet < 0.04 || quiet > 0.07 || loud < 0.21 {
				t.Errorf("%s: from %.3f to %.3f in quarter %d", name, quiet, loud, quarter+1)
			}
		}
		// The tone fades in and out within 15 ms.
		for i, most := range []float64{0, 0.04, 0.08} {
			first, last := loudest(ms(i*5, i*5+5)), loudest(ms(995-i*5, 1000-i*5))
			if min(first, last) < most/3 || max(first, last) > most+0.02 {
				t.Errorf("%s: %.3f after the begin and %.3f before the end, %d ms away", name, first, last, i*5)
			}
		}
	}
}
