package ui

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"

	"rsc.io/qr"
)

// QR is a text as a QR code, drawn as SVG. It is black on white in every theme, because
// cameras expect these colors.
type QR struct {
	Text  string
	Label string // its description for screen readers
}

// qrQuiet is the margin around a code, in modules (ISO/IEC 18004 §6.3.8).
const qrQuiet = 4

// Render makes QR a component.
func (q QR) Render(_ context.Context, w io.Writer) error {
	code, err := qr.Encode(q.Text, qr.M)
	if err != nil {
		return fmt.Errorf("draw a QR code: %w", err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			run := 0
			for x+run < code.Size && code.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+qrQuiet, y+qrQuiet, run, run)
				x += run
			}
		}
	}
	size := code.Size + 2*qrQuiet
	_, err = fmt.Fprintf(w, `<svg class="qr" role="img" aria-label="%s" viewBox="0 0 %d %d" `+
		`shape-rendering="crispEdges"><rect width="%d" height="%d" fill="#fff"/><path fill="#000" d="%s"/></svg>`,
		html.EscapeString(q.Label), size, size, size, size, path.String())
	return err
}
