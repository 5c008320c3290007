package sandbox

import (
	"encoding/binary"
	"io"
	"testing"
	"time"
)

// A recording is as long as its call, has one channel for each side, and has sound while a side
// speaks.
func TestTape(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	rec := &recording{lasts: 2500*ms + 1, turns: []heardTurn{
		{who: Agent, begin: 100 * ms, end: 900 * ms},
		{who: Recipient, begin: 1000 * ms, end: 1800 * ms},
		{who: Recipient, digit: "9", begin: 2000 * ms, end: 2200 * ms},
	}}
	whole, err := io.ReadAll(newTape(rec))
	if err != nil {
		t.Fatal(err)
	}
	const frames = 20_000 // 2.5 s at 8,000 per second
	le := binary.LittleEndian
	for name, got := range map[string]bool{
		"RIFF":     string(whole[:4]) == "RIFF" && le.Uint32(whole[4:]) == uint32(len(whole))-8,
		"WAVE":     string(whole[8:16]) == "WAVEfmt " && le.Uint32(whole[16:]) == 16,
		"PCM":      le.Uint16(whole[20:]) == 1 && le.Uint16(whole[22:]) == 2,
		"rate":     le.Uint32(whole[24:]) == 8000 && le.Uint32(whole[28:]) == 32_000,
		"sample":   le.Uint16(whole[32:]) == 4 && le.Uint16(whole[34:]) == 16,
		"data":     string(whole[36:40]) == "data" && le.Uint32(whole[40:]) == 4*frames,
		"its size": len(whole) == 44+4*frames,
	} {
		if !got {
			t.Errorf("%s is wrong in %q", name, whole[:44])
		}
	}
	loudest := func(from, to time.Duration, channel int) (most int16) {
		for i := int(from / ms * 8); i < int(to/ms*8); i++ {
			most = max(most, int16(le.Uint16(whole[44+4*i+2*channel:])))
		}
		return most
	}
	for _, c := range []struct {
		from, to    time.Duration
		left, right bool
	}{
		{0, 100 * ms, false, false},
		{100 * ms, 900 * ms, true, false},
		{900 * ms, 1000 * ms, false, false},
		{1000 * ms, 1800 * ms, false, true},
		{1800 * ms, 2000 * ms, false, false},
		{2000 * ms, 2200 * ms, false, true},
		{2200 * ms, 2500 * ms, false, false},
	} {
		left, right := loudest(c.from, c.to, 0), loudest(c.from, c.to, 1)
		if left > 5000 != c.left || right > 5000 != c.right || !c.left && left != 0 || !c.right && right != 0 {
			t.Errorf("from %s: %d and %d", c.from, left, right)
		}
	}
	// No tone begins or ends with a click.
	if l, r := loudest(100*ms, 102*ms, 0), loudest(1798*ms, 1800*ms, 1); l > 500 || r > 1500 {
		t.Errorf("a tone begins with %d and another ends with %d", l, r)
	}
	for _, offset := range []int64{0, 10, 43, 44, 45, 47, 9001} { // some offsets are within a sample
		tape, part := newTape(rec), make([]byte, 50)
		if _, err := tape.Seek(offset, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(tape, part); err != nil || string(part) != string(whole[offset:offset+50]) {
			t.Errorf("from byte %d: %v", offset, err)
		}
	}
	if empty, _ := io.ReadAll(newTape(&recording{lasts: -ms})); len(empty) != 44 {
		t.Errorf("a call without sound has %d bytes", len(empty))
	}
}
