package ui

import (
	"context"
	"io"
)

// Glyph is the content of a 12 by 12 drawing that stands for a state or an outcome.
// States differ by shape first, then by word and color.
type Glyph string

const (
	GlyphCompleted Glyph = `<circle class="paint-completed" cx="6" cy="6" r="6"/><path class="line-paper" d="m3.3 ` +
		`6.2 1.9 1.8 3.5-3.9" fill="none" stroke-width="1.6"/>`
	GlyphRead Glyph = `<rect class="paint-completed" width="12" height="12" rx="2.5"/><path ` +
		`class="line-paper" d="m1.7 6.2 1.6 1.7 3-3.6M5.6 7.3l.7.6 3.2-3.8" fill="none" stroke-width="1.4"/>`
	GlyphNoAnswer  Glyph = `<circle class="line-noanswer" cx="6" cy="6" r="4.8" fill="none" stroke-width="2"/>`
	GlyphVoicemail Glyph = `<g class="line-voicemail" fill="none" stroke-width="1.6"><circle cx="2.7" cy="5.5" ` +
		`r="2.2"/><circle cx="9.3" cy="5.5" r="2.2"/><path d="M2.7 7.7h6.6"/></g>`
	GlyphBusy Glyph = `<rect class="paint-busy" x=".5" y=".5" width="11" height="11" rx="1.5"/><path ` +
		`class="line-paper" d="M4.3 3.3v5.4M7.7 3.3v5.4" stroke-width="1.7"/>`
	GlyphFailed Glyph = `<path class="paint-failed" d="M3.5 0h5L12 3.5v5L8.5 12h-5L0 8.5v-5z"/><path ` +
		`class="line-paper" d="m3.7 3.7 4.6 4.6M8.3 3.7 3.7 8.3" stroke-width="1.7"/>`
	GlyphCanceled Glyph = `<circle class="line-canceled" cx="6" cy="6" r="5.1" fill="none" ` +
		`stroke-width="1.5"/><path class="line-canceled" d="m2.5 9.5 7-7" stroke-width="1.5"/>`
	GlyphInProgress Glyph = `<circle class="dot-live-ring" cx="6" cy="6" r="5.5"/><circle class="dot-live" cx="6" ` +
		`cy="6" r="3.3"/>`
	GlyphDialing Glyph = `<circle class="line-live" cx="6" cy="6" r="4.5" fill="none" stroke-width="1.8" ` +
		`stroke-dasharray="3 2.2"/>`
	GlyphPending Glyph = `<circle class="line-ink" cx="6" cy="6" r="4.6" fill="none" stroke-width="1.3" ` +
		`stroke-dasharray="1.5 1.7"/>`
	GlyphSkipped Glyph = `<path class="line-ink" d="M1.5 6h9M7 2.5 10.5 6 7 9.5" fill="none" stroke-width="1.5"/>`
	GlyphWarning Glyph = `<path class="paint-warn" d="M6 .3 12.2 11.5H-.2z"/><path class="line-paper" d="M6 4v3.5M6 ` +
		`9v1.1" stroke-width="1.6"/>`
	GlyphPaused Glyph = `<circle class="line-ink" cx="6" cy="6" r="5.2" fill="none" stroke-width="1.4"/><path ` +
		`class="line-ink" d="M4.5 4v4M7.5 4v4" stroke-width="1.4"/>`
	GlyphStep Glyph = `<circle class="line-ink" cx="6" cy="6" r="3.2" fill="none" stroke-width="1.5"/>`
)

// Render draws the glyph. An empty glyph draws nothing.
func (g Glyph) Render(_ context.Context, w io.Writer) error {
	if g == "" {
		return nil
	}
	_, err := io.WriteString(w, `<svg class="glyph" viewBox="0 0 12 12" aria-hidden="true">`+string(g)+`</svg>`)
	return err
}
