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
	// bufferSize is how much is gathered before it is sent.
	bufferSize = 64 << 10
	// patience is how long a client may take for that much. Nothing else waits
	// for it: no row is read, and no connection to the database is held, while
	// something is being sent.
	patience = 30 * time.Second
)

// File is a table to be sent.
type File struct {
	Name   string // as the browser is to store it, with .csv
	Header []string
	// Rows yields the cells of each row, which it may reuse for the next. It
	// ends at its first error. Cells are made safe here.
	Rows iter.Seq2[[]string, error]
	// Spreadsheet marks the text as UTF-8 by a byte order mark, without which
	// Excel takes it for something else. Programs do better without.
	Spreadsheet bool
}

// CutError is why a file broke off after its beginning was sent. The
// connection must be broken off too, so that nobody takes it for a whole one:
// panic(http.ErrAbortHandler).
type CutError struct{ cause error }

func (e *CutError) Error() string { return "the file broke off: " + e.cause.Error() }

// Unwrap is the cause.
func (e *CutError) Unwrap() error { return e.cause }

// Serve sends a file, in memory that does not depend on its length. An error
// before anything was sent is the rows' own, to be answered as any other;
// later it is a CutError.
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
		// The table's own buffer is 4 KiB ahead of ours.
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
	_ = out.SetWriteDeadline(time.Now().Add(patience)) // not every writer in tests has one
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
