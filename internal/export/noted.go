package export

import "iter"

// Noted calls note before the first row is sent, so that the audit log contains every exported file. If the first row
// is an error, no file is sent, and Noted does not call note.
func Noted(rows iter.Seq2[[]string, error], note func() error) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		begun := false
		for row, err := range rows {
			if err == nil && !begun {
				begun, err = true, note()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
		if !begun {
			if err := note(); err != nil {
				yield(nil, err)
			}
		}
	}
}
