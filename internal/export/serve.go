package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"iter"
	"mime"
	"net/http"
	"time"
)

const (
	// bufferSize is the amount of data that is buffered before it is sent.
	bufferSize = 64 << 10
	// patience is how long a client may take to receive that amount. Nothing else waits for the client: while data is
	// sent, no row is read, and no database connection is in use.
	patience = 30 * time.Second
)

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
}

// CutError is the reason why a file ended early, after its beginning was sent. The caller must also break the
// connection with panic(http.ErrAbortHandler), so that the client does not treat the file as complete.
type CutError struct{ cause error }

func (e *CutError) Error() string { return "the file broke off: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *CutError) Unwrap() error { return e.cause }

// Serve sends a file. Its memory use does not depend on the file's length. It returns an error of the rows before the
// first byte unchanged, so that the caller can answer it. A later error is a CutError.
func Serve(w http.ResponseWriter, f File) error {
	out := &sender{w: w, name: f.Name}
	if f.Spreadsheet {
		out.buffer.WriteString("\ufeff")
	}
	table := csv.NewWriter(&out.buffer)
	table.UseCRLF = true // RFC 4180 §2
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
	name   string
	buffer bytes.Buffer
	begun  bool
}

func (s *sender) send() error {
	if !s.begun {
		s.begun = true
		h := s.w.Header()
		h.Set("Content-Type", "text/csv; charset=utf-8; header=present") // RFC 4180 §3
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": s.name}))
		h.Set("Cache-Control", "no-store")
		s.w.WriteHeader(http.StatusOK)
	}
	out := http.NewResponseController(s.w)
	_ = out.SetWriteDeadline(time.Now().Add(patience)) // some writers in tests do not support it
	if _, err := s.buffer.WriteTo(s.w); err != nil {
		return fmt.Errorf("send a CSV file: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("send a CSV file: %w", err)
	}
	return nil
}

func (s *sender) failed(err error) error {
	if s.begun {
		return &CutError{cause: err}
	}
	return err
}
