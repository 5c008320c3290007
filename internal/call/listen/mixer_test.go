package listen

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

// piece is 20 ms of sound, all of whose bytes are its number.
func piece(side carrier.Side, number int) carrier.Piece {
	return carrier.Piece{
		Side: side, At: time.Duration(number) * 20 * time.Millisecond, Data: bytes.Repeat([]byte{byte(number)}, 160),
	}
}

// mixed returns the numbers of the pieces of a side in the parts, 255 for silence.
func mixed(t *testing.T, parts [][]byte, side carrier.Side) (numbers []int) {
	t.Helper()
	for _, p := range parts {
		if len(p) != 2*partLen {
			t.Fatalf("a part of %d bytes", len(p))
		}
		for i := int(side); i < len(p); i += 2 {
			if n := int(p[i]); len(numbers) == 0 || numbers[len(numbers)-1] != n {
				numbers = append(numbers, n)
			}
		}
	}
	return numbers
}

func TestMixer(t *testing.T) {
	t.Parallel()
	all := func(from, to int) (numbers []int) {
		for n := from; n < to; n++ {
			numbers = append(numbers, n)
		}
		return numbers
	}
	lost := slices.Delete(all(0, 25), 5, 6)
	missing := slices.Replace(all(0, 25), 5, 6, 255)
	for name, test := range map[string]struct {
		agent, person         []int // the pieces, in the order of their arrival
		wantAgent, wantPerson []int
	}{
		"in order":    {all(0, 25), all(0, 25), all(0, 25), all(0, 25)},
		"sent twice":  {slices.Insert(all(0, 25), 7, 6), all(0, 25), all(0, 25), all(0, 25)},
		"lost":        {lost, all(0, 25), missing, all(0, 25)},
		"too late":    {append(slices.Clone(lost), 5), all(0, 25), missing, all(0, 25)},
		"one side":    {all(0, 31), nil, all(0, 25), []int{255}},
		"begins late": {all(150, 175), all(150, 175), all(150, 175), all(150, 175)},
	} {
		var m Mixer
		var parts [][]byte
		for i := range max(len(test.agent), len(test.person)) {
			if i < len(test.agent) {
				parts = append(parts, m.Add(piece(carrier.AgentSide, test.agent[i]))...)
			}
			if i < len(test.person) {
				parts = append(parts, m.Add(piece(carrier.PersonSide, test.person[i]))...)
			}
		}
		for side, want := range map[carrier.Side][]int{
			carrier.AgentSide: test.wantAgent, carrier.PersonSide: test.wantPerson,
		} {
			if got := mixed(t, parts, side); !slices.Equal(got, want) {
				t.Errorf("%s, side %d: %v, want %v", name, side, got, want)
			}
		}
	}
}

// A piece of one side takes the place of nothing else, whatever comes, and nothing is kept for long.
func FuzzMixer(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 20, 0, 20, 0, 200, 1, 1, 1, 255, 255, 3})
	f.Fuzz(func(t *testing.T, in []byte) {
		var m Mixer
		for len(in) >= 4 {
			p := carrier.Piece{
				Side: carrier.Side(in[0] % 3),
				At:   time.Duration(int16(binary.BigEndian.Uint16(in[1:]))) * time.Millisecond,
				Data: bytes.Repeat([]byte{1 + in[0]%3}, int(in[3])),
			}
			in = in[4:]
			for _, part := range m.Add(p) {
				if len(part) != 2*partLen {
					t.Fatalf("a part of %d bytes", len(part))
				}
				for i, b := range part {
					if b != silent && b != 1+byte(i%2) {
						t.Fatalf("byte %d of side %d", b, i%2)
					}
				}
			}
			if longest := max(len(m.sides[0]), len(m.sides[1])); longest >= partLen+slack+maxGap+256 {
				t.Fatalf("%d samples are kept", longest)
			}
		}
	})
}

func TestWave(t *testing.T) {
	t.Parallel()
	var w Wave
	if head := w.Head(); len(head) != 44 || !bytes.HasPrefix(head, []byte("RIFF\xff\xff\xff\xffWAVEfmt ")) {
		t.Errorf("%q", head)
	}
	// A second of sound is so long that a browser, which begins after some thousand bytes, begins soon.
	if n := len(w.Samples(make([]byte, 2*rate))); n < 150_000 {
		t.Errorf("%d bytes per second", n)
	}
	w = Wave{}
	out := w.Samples([]byte{0x80, silent, 0x80, 0x00}) // the agent is loud; the person silent, then loud
	sample := func(n, side int) int16 { return int16(binary.LittleEndian.Uint16(out[4*n+2*side:])) }
	if left, right := sample(times-1, 0), sample(times-1, 1); left != 32124 || right != 0 {
		t.Errorf("the first sample: %d, %d", left, right)
	}
	if left, right := sample(2*times-1, 0), sample(2*times-1, 1); left != 32124 || right != -32124 {
		t.Errorf("the second sample: %d, %d", left, right)
	}
	if middle := sample(times+times/2-1, 1); math.Abs(float64(middle)+32124.0/2) > 1 {
		t.Errorf("between them: %d", middle)
	}
}
