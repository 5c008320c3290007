package export

import "iter"

// Noted calls note before the first row is sent, so that nobody gets a file that is
// not in the audit log. Rows that begin with an error are no file.
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
