package model

import (
	"io"
	"strings"
	"testing"
)

// BenchmarkChatStream reads an answer of 200 tokens from memory, and prints what one token costs.
func BenchmarkChatStream(b *testing.B) {
	const tokens = 200
	text := strings.Repeat(event(contentAm), tokens) + event(stop, usage) + done
	c := &Chat{}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		c.read(b.Context(), io.NopCloser(strings.NewReader(text)), asked, func(Delta, error) bool { n++; return true })
		if n != tokens+1 {
			b.Fatalf("%d deltas", n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tokens, "ns/token")
}
