// Package recent provides a map that forgets.
package recent

// most is the number of entries of a generation.
const most = 10_000

// Map forgets entries that were not put for a generation. It has at most twice 10,000 entries. The zero value is empty.
// It is not safe for concurrent use.
type Map[K comparable, V any] struct {
	young, old map[K]V
}

// Get returns the value of a key, if the map still has it.
func (m *Map[K, V]) Get(k K) (V, bool) {
	if v, ok := m.young[k]; ok {
		return v, true
	}
	v, ok := m.old[k]
	return v, ok
}

// Put sets the value of a key, and begins a generation when the last one is full.
func (m *Map[K, V]) Put(k K, v V) {
	if m.young == nil || len(m.young) >= most {
		m.old, m.young = m.young, make(map[K]V)
	}
	m.young[k] = v
}

// Drop forgets a key.
func (m *Map[K, V]) Drop(k K) {
	delete(m.young, k)
	delete(m.old, k)
}
