package sheet

import (
	"bytes"
	"strconv"
)

// Problem describes what is wrong with a row to a person who has the file. field is the field that is wrong; empty: the
// reason names it, or it is the row as a whole.
func Problem(line int, field, reason string) string {
	text := "row " + strconv.Itoa(line) + ": " // a position, which has no commas
	if field != "" {
		text += field + ": "
	}
	return text + reason
}

// span is the position of a cell in the text of its row.
type span struct{ start, end int }

// outcome is the result of an attempt to read a row.
type outcome int

const (
	whole      outcome = iota
	incomplete         // the row does not end in the buffer
	open               // a quote is never closed
	surplus            // something follows a closing quote
	tooLong
)

func (o outcome) problem() string {
	switch o {
	case open:
		return `a quote (") is opened and never closed`
	case surplus:
		return `something stands behind a closing quote (")`
	}
	return "is too long for a row"
}

// parser reads one row (RFC 4180): cells separated by comma. Quoted cells may contain
// line breaks and doubled quotes. A quote inside an unquoted cell stands for itself.
type parser struct {
	comma byte
	eof   bool // the buffer is the end of the file
	spans []span
	text  []byte
}

// row reads the row at the start of buf and returns its length.
func (p *parser) row(buf []byte) (int, outcome) {
	for i := 0; ; {
		start := len(p.text)
		// Blanks before a quote are not part of the cell.
		at := i
		for at < len(buf) && buf[at] == ' ' {
			at++
		}
		if at < len(buf) && buf[at] == '"' {
			n, result := p.quoted(buf[at+1:])
			if result != whole {
				return 0, result
			}
			i = at + 1 + n
			for i < len(buf) && buf[i] == ' ' && p.comma != ' ' {
				i++
			}
			if i < len(buf) && buf[i] != p.comma && buf[i] != '\n' && buf[i] != '\r' {
				return 0, surplus
			}
		} else {
			end := i
			for end < len(buf) && buf[end] != p.comma && buf[end] != '\n' && buf[end] != '\r' {
				end++
			}
			p.text = append(p.text, buf[i:end]...)
			i = end
		}
		p.spans = append(p.spans, span{start, len(p.text)})
		if i < len(buf) && buf[i] == p.comma {
			i++
			if i == len(buf) && !p.eof {
				return 0, incomplete
			}
			continue
		}
		end, brk := lineEnd(buf[i:], p.eof)
		if brk == 0 && !(p.eof && i+end == len(buf)) {
			return 0, incomplete
		}
		return i + brk, whole
	}
}

// quoted reads a quoted cell up to its closing quote. buf begins after the opening quote.
func (p *parser) quoted(buf []byte) (int, outcome) {
	for i := 0; ; {
		quote := bytes.IndexByte(buf[i:], '"')
		if quote < 0 || i+quote+1 == len(buf) && !p.eof {
			if p.eof {
				return 0, open
			}
			return 0, incomplete
		}
		p.text = append(p.text, buf[i:i+quote]...)
		i += quote + 1
		if i < len(buf) && buf[i] == '"' {
			p.text = append(p.text, '"')
			i++
			continue
		}
		return i, whole
	}
}

// lineEnd returns the end of the first line of buf, and the length of its line break: \n,
// \r\n or \r. The length is 0 without a line break, or if a \n may follow the \r at the
// end of buf.
func lineEnd(buf []byte, eof bool) (end, brk int) {
	end = bytes.IndexAny(buf, "\r\n")
	switch {
	case end < 0:
		return len(buf), 0
	case buf[end] == '\n':
		return end, 1
	case end+1 < len(buf) && buf[end+1] == '\n':
		return end, 2
	case end+1 == len(buf) && !eof:
		return end, 0
	}
	return end, 1
}

// lines returns how many lines end in text.
func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if bytes.IndexByte(text, '\r') < 0 {
		return n
	}
	return n + bytes.Count(text, []byte("\r")) - bytes.Count(text, []byte("\r\n"))
}
