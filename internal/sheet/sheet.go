// Package sheet reads tables as spreadsheets export them: text with unknown delimiter and
// encoding, cells that a spreadsheet has damaged, rows of any length. It reads a stream,
// in memory that does not grow with the file.
//
// The callers decide what a column means. ColumnName and NumberColumns help them.
package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds of a row. A larger row is reported and skipped.
const (
	MaxRow   = 256 << 10 // bytes, line breaks in its cells included
	MaxCells = 1024
)

// Refusal is the reason why a file can't be read at all. The texts are safe to show.
type Refusal string

// The reasons for a refusal.
const (
	Workbook Refusal = "this is a spreadsheet file. Save it as CSV and use that file"
	Binary   Refusal = "this is not a text file. Save the list as CSV and use that file"
)

func (r Refusal) Error() string { return string(r) }

// Row is one row of a table.
type Row struct {
	Line    int      // the line of the file where the row begins, from 1
	Cells   []string // trimmed, without Excel's marks; they share memory, so clone a cell to keep it
	Problem string   // why the row can't be read, safe to show; Cells then has the row's first line unparsed
}

// Reader reads a table row by row.
type Reader struct {
	source *decoder
	comma  byte
	buf    []byte // bytes read and not yet returned
	eof    bool
	line   int // the line number at the start of buf
	cells  []string
	spans  []span
	text   []byte
}

// Open detects the encoding and delimiter of a file. Its error is a Refusal, or the error
// of r.
func Open(r io.Reader) (*Reader, error) {
	source, err := decode(r)
	if err != nil {
		return nil, err
	}
	s := &Reader{source: source, line: 1}
	for !s.eof && len(s.buf) < sampleSize {
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
	if bytes.IndexByte(s.buf, 0) >= 0 {
		return nil, Binary
	}
	if comma, n := said(s.buf); n > 0 {
		s.comma, s.buf, s.line = comma, s.buf[n:], 2
	} else {
		s.comma = delimiter(s.buf, s.eof)
	}
	return s, nil
}

// Delimiter returns the separator of the cells of a row.
func (s *Reader) Delimiter() rune { return rune(s.comma) }

// Encoding returns the encoding, judged by the text read so far: "UTF-8", "UTF-16" or
// "Windows-1252".
func (s *Reader) Encoding() string { return s.source.name() }

// Read returns the next row with a cell that is not empty. At the end of the file it
// returns io.EOF. Any other error is the source's. The row is valid until the next call.
func (s *Reader) Read() (Row, error) {
	for {
		row, err := s.next()
		if err != nil {
			return Row{}, err
		}
		for _, cell := range row.Cells {
			if cell != "" {
				return row, nil
			}
		}
	}
}

func (s *Reader) next() (Row, error) {
	for {
		if len(s.buf) == 0 && s.eof {
			return Row{}, io.EOF
		}
		p := parser{comma: s.comma, eof: s.eof, spans: s.spans[:0], text: s.text[:0]}
		n, outcome := p.row(s.buf)
		s.spans, s.text = p.spans, p.text
		if outcome == incomplete {
			if len(s.buf) <= MaxRow {
				if err := s.fill(); err != nil {
					return Row{}, err
				}
				continue
			}
			outcome = tooLong
		} else if outcome == whole && n > MaxRow {
			outcome = tooLong
		}
		row := Row{Line: s.line}
		if outcome == whole {
			row.Cells, row.Problem = s.cut()
			if row.Problem == "" {
				s.pass(n)
				return row, nil
			}
		}
		if row.Problem == "" {
			row.Problem = outcome.problem()
		}
		// Only the first line is skipped, because a quote that is never closed would
		// otherwise swallow all rows after it.
		first, err := s.passLine()
		if err != nil {
			return Row{}, err
		}
		s.cells = append(s.cells[:0], first)
		row.Cells = s.cells
		return row, nil
	}
}

// cut returns the cells of the parsed row.
func (s *Reader) cut() (cells []string, problem string) {
	if len(s.spans) > MaxCells {
		return nil, fmt.Sprintf("has more than %d cells", MaxCells)
	}
	all := string(s.text)
	s.cells = s.cells[:0]
	for _, at := range s.spans {
		s.cells = append(s.cells, mend(all[at.start:at.end]))
	}
	if !valid(all) {
		return nil, "contains unreadable characters. Save the file as “CSV UTF-8”"
	}
	return s.cells, ""
}

// pass skips n bytes.
func (s *Reader) pass(n int) {
	s.line += lines(s.buf[:n])
	s.buf = s.buf[n:]
}

// shownLine is how many bytes of an unreadable line are kept.
const shownLine = 1024

// passLine skips the next line, whatever its length, and returns its beginning.
func (s *Reader) passLine() (string, error) {
	var first []byte
	for {
		end, brk := lineEnd(s.buf, s.eof)
		if keep := min(end, shownLine-len(first)); keep > 0 {
			first = append(first, s.buf[:keep]...)
		}
		if brk > 0 || s.eof {
			s.pass(end + brk)
			return strings.TrimSpace(strings.ToValidUTF8(string(first), "�")), nil
		}
		s.buf = s.buf[end:] // no line ends here
		if err := s.fill(); err != nil {
			return "", err
		}
	}
}

// fill appends more of the file to buf.
func (s *Reader) fill() error {
	const step = 32 << 10
	if cap(s.buf)-len(s.buf) < step {
		grown := make([]byte, len(s.buf), len(s.buf)+max(step, len(s.buf)))
		copy(grown, s.buf)
		s.buf = grown[:len(s.buf):cap(grown)]
	}
	n, err := s.source.Read(s.buf[len(s.buf) : len(s.buf)+step])
	s.buf = s.buf[:len(s.buf)+n]
	if errors.Is(err, io.EOF) {
		s.eof = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	return nil
}
