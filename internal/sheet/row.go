package sheet

import "bytes"

// span is where a cell lies in the text of its row.
type span struct{ start, end int }

// outcome is what became of an attempt to read a row.
type outcome int

const (
	whole      outcome = iota
	incomplete         // the row doesn't end in what was read so far
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

// parser reads one row (RFC 4180): cells parted by comma, quoted ones with
// breaks and doubled quotes in them. A quote within a cell that doesn't begin
// with one stands for itself.
type parser struct {
	comma byte
	eof   bool // nothing follows what is given
	spans []span
	text  []byte
}

// row reads the row that buf begins with, and is how long it is.
func (p *parser) row(buf []byte) (int, outcome) {
	for i := 0; ; {
		start := len(p.text)
		// Blanks before a quote are no part of the cell.
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

// quoted reads a cell behind its opening quote, to its closing one.
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

// lineEnd is where the line that buf begins with ends, and how long its break
// is: \n, \r\n or \r. Without a break, or with a \r of which more has to be
// known, the length is 0.
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

// lines is how many lines end in text.
func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if bytes.IndexByte(text, '\r') < 0 {
		return n
	}
	return n + bytes.Count(text, []byte("\r")) - bytes.Count(text, []byte("\r\n"))
}
