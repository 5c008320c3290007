package listen

import (
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	rate    = 8000     // samples of a side per second, one byte each
	partLen = rate / 4 // samples of a side in a part
	// slack is how many samples one side may be ahead of the other.
	slack = rate / 10
	// maxGap is how many samples of silence fill a gap. After a longer one, the sound goes on at once.
	maxGap = 2 * rate
	// silent is the µ-law of silence.
	silent = 0xff
)

// Mixer puts the pieces of the two sides in order, by their times, and makes parts of a quarter of a second. What is
// missing is silent. A piece that comes twice or too late is left out.
type Mixer struct {
	sides [2][]byte // what is not in a part yet; both begin at the same time
	from  int64     // the time of their beginning, in samples
}

// Add adds a piece, and returns the parts that are complete, both sides interleaved.
func (m *Mixer) Add(p carrier.Piece) (parts [][]byte) {
	if p.Side > carrier.PersonSide || p.At < 0 {
		return nil
	}
	side, at := &m.sides[p.Side], int64(p.At/time.Millisecond)*rate/1000-m.from
	if ahead := at - int64(max(len(m.sides[0]), len(m.sides[1]))); ahead > maxGap { // at the first piece, too
		m.from += ahead
		at -= ahead
	}
	data := p.Data
	if over := int64(len(*side)) - at; over > 0 { // comes again, or too late
		data = data[min(over, int64(len(data))):]
	} else {
		*side = fill(*side, int(at))
	}
	*side = append(*side, data...)
	for m.complete() {
		parts = append(parts, m.part())
	}
	return parts
}

func (m *Mixer) complete() bool {
	a, b := len(m.sides[0]), len(m.sides[1])
	return min(a, b) >= partLen || max(a, b) >= partLen+slack
}

// part takes the first part.
func (m *Mixer) part() []byte {
	part := make([]byte, 0, 2*partLen)
	for i := range m.sides {
		m.sides[i] = fill(m.sides[i], partLen)
	}
	for i := range partLen {
		part = append(part, m.sides[0][i], m.sides[1][i])
	}
	for i := range m.sides {
		m.sides[i] = append(m.sides[i][:0], m.sides[i][partLen:]...)
	}
	m.from += partLen
	return part
}

// fill adds silence up to a length.
func fill(side []byte, length int) []byte {
	for len(side) < length {
		side = append(side, silent)
	}
	return side
}
