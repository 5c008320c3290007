package export

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"iter"
	"net/http"
)

// bufferSize is the amount of data that is buffered before it is sent.
const bufferSize = 64 << 10

// File is a table for Serve.
type File struct {
	Name   string // file name for the browser, with .csv
	Header []string
	// Rows yields the cells of each row, and may reuse the slice for the next row. It ends at its first error. Serve
	// makes the cells safe.
	Rows iter.Seq2[[]string, error]
	// Spreadsheet adds a byte order mark, which marks the text as UTF-8. Without the mark, Excel assumes another
	// encoding. Programs prefer text without the mark.
	Spreadsheet bool
	Delimiter   rune // 0: a comma
}

// Serve sends a file. Its memory use does not depend on the file's length. It returns an error of the rows before the
// first byte unchanged, so that the caller can answer it. A later error is a CutError.
func Serve(w http.ResponseWriter, f File) error {
	out := &sender{w: w, out: NewWriter(w), name: f.Name}
	if f.Spreadsheet {
		out.buffer.WriteString("\ufeff")
	}
	table := csv.NewWriter(&out.buffer)
	table.UseCRLF = true // RFC 4180 §2
	table.Comma = cmp.Or(f.Delimiter, ',')
	if err := table.Write(f.Header); err != nil {
		return fmt.Errorf("write the header of a CSV file: %w", err)
	}
	safe := make([]string, 0, len(f.Header))
	for row, err := range f.Rows {
		if err != nil {
			return out.failed(err)
		}
		safe = safe[:0]
		for _, cell := range row {
			safe = append(safe, Cell(cell))
		}
		if err := table.Write(safe); err != nil {
			return out.failed(fmt.Errorf("write a row of CSV: %w", err))
		}
		// The CSV writer's own buffer contains up to 4 KiB more.
		if out.buffer.Len() >= bufferSize {
			if err := out.send(); err != nil {
				return out.failed(err)
			}
		}
	}
	table.Flush()
	if err := out.send(); err != nil {
		return out.failed(err)
	}
	return nil
}

type sender struct {
	w      http.ResponseWriter
	out    *Writer
	name   string
	buffer bytes.Buffer
}

func (s *sender) send() error {
	if !s.out.begun {
		h := s.w.Header()
		h.Set("Content-Type", "text/csv; charset=utf-8; header=present") // RFC 4180 §3
		h.Set("Content-Disposition", Attachment(s.name))
		h.Set("Cache-Control", "no-store")
		s.w.WriteHeader(http.StatusOK)
	}
	_, err := s.buffer.WriteTo(s.out)
	return err
}

func (s *sender) failed(err error) error { return s.out.Failed(err) }
