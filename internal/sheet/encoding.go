package sheet

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sampleSize is how many bytes of a file are read to detect its encoding and delimiter.
const sampleSize = 64 << 10

// decoder converts a file to UTF-8. A file without a byte order mark often starts with
// ASCII or is all ASCII, so the first other character decides between UTF-8 and
// Windows-1252.
type decoder struct {
	in      *bufio.Reader
	decided io.Reader // nil: only ASCII so far
	kind    string
}

func (d *decoder) name() string { return d.kind }

// decode detects the encoding of a file. Its error is a Refusal, or the error of r.
func decode(r io.Reader) (*decoder, error) {
	in := bufio.NewReaderSize(r, sampleSize)
	start, err := in.Peek(sampleSize)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	d := &decoder{in: in, kind: "UTF-8"}
	for mark, refusal := range map[string]Refusal{
		"PK\x03\x04": Workbook, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1": Workbook, // .xlsx and .ods; .xls
		"%PDF-": Binary,
	} {
		if bytes.HasPrefix(start, []byte(mark)) {
			return nil, refusal
		}
	}
	order, sixteen := utf16(start)
	switch {
	case bytes.HasPrefix(start, []byte("\xEF\xBB\xBF")):
		_, _ = in.Discard(3) // the mark is buffered, so Discard succeeds
		d.decided = in
	case sixteen:
		d.kind, d.decided = "UTF-16", transform.NewReader(in, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
	}
	return d, nil
}

// utf16 reports whether a file is UTF-16, and its byte order. Without a byte order mark
// it finds many characters whose high byte is 0: texts of any language contain digits,
// delimiters and line breaks.
func utf16(start []byte) (unicode.Endianness, bool) {
	switch {
	case bytes.HasPrefix(start, []byte{0xFF, 0xFE}):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(start, []byte{0xFE, 0xFF}):
		return unicode.BigEndian, true
	}
	var zeros [2]int
	for i, c := range start {
		if c == 0 {
			zeros[i%2]++
		}
	}
	enough := max(1, len(start)/20)
	switch {
	case zeros[1] >= enough && zeros[1] > 8*zeros[0]:
		return unicode.LittleEndian, true
	case zeros[0] >= enough && zeros[0] > 8*zeros[1]:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.decided != nil {
		return d.decided.Read(p)
	}
	if _, err := d.in.Peek(1); err != nil {
		return 0, err
	}
	buffered, _ := d.in.Peek(min(d.in.Buffered(), len(p)))
	if n := ascii(buffered); n > 0 {
		copy(p, buffered[:n])
		return d.in.Discard(n)
	}
	window, err := d.in.Peek(sampleSize)
	if err != nil && err != io.EOF {
		return 0, err
	}
	d.decided = d.in
	if !mostlyUTF8(window) {
		d.kind, d.decided = "Windows-1252", transform.NewReader(d.in, charmap.Windows1252.NewDecoder())
	}
	return d.decided.Read(p)
}

// ascii returns the number of ASCII bytes that b begins with.
func ascii(b []byte) int {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

// mostlyUTF8 reports whether the non-ASCII bytes are UTF-8 rather than Windows-1252:
// valid characters outnumber invalid bytes. The last character may be cut short.
func mostlyUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			if utf8.FullRune(b) {
				bad++
			}
		case size > 1:
			good++
		}
		b = b[size:]
	}
	return good > bad
}

// valid reports whether text was decoded without loss.
func valid(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError)
}
