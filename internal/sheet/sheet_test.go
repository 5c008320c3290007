package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// read returns all rows of a file, with "!" before unreadable rows.
func read(t testing.TB, r io.Reader) (*Reader, []string) {
	t.Helper()
	s, err := Open(r)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for {
		row, err := s.Read()
		if errors.Is(err, io.EOF) {
			return s, rows
		}
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprintf("%d %s", row.Line, strings.Join(row.Cells, " | "))
		if row.Problem != "" {
			said = "!" + said + ": " + row.Problem
		}
		rows = append(rows, said)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		comma,
		encoding string
		rows []string
	}{
		"comma": {
			"phone,name\n1,\"Lovelace, Ada\"\n", ",", "UTF-8", []string{"1 phone | name", "2 1 | Lovelace, Ada"},
		},
		"decimal commas": {
			"phone;due\n1;12,50\n2;7,00\n", ";", "UTF-8", []string{"1 phone | due", "2 1 | 12,50", "3 2 | 7,00"},
		},
		"commas in notes": {"phone;note\n1;a,b,c\n", ";", "UTF-8", []string{"1 phone | note", "2 1 | a,b,c"}},
		"tab":             {"name\tphone\nAda\t1\n", "\t", "UTF-8", []string{"1 name | phone", "2 Ada | 1"}},
		"pipe":            {"phone|name\r\n1|Ada\r\n", "|", "UTF-8", []string{"1 phone | name", "2 1 | Ada"}},
		"one column":      {"+1\n+2", ",", "UTF-8", []string{"1 +1", "2 +2"}},
		"Excel's first line": {
			"sep=;\r\nphone;note\r\n1;a,b\r\n", ";", "UTF-8", []string{"2 phone | note", "3 1 | a,b"},
		},
		"Excel's first line, tab": {"\"sep=\t\"\nphone\tnote\n", "\t", "UTF-8", []string{"2 phone | note"}},
		"a mark": {
			"\uFEFFphone;Name\r\n1;Zoë\r\n", ";", "UTF-8", []string{"1 phone | Name", "2 1 | Zoë"},
		},
		"old Mac": {
			"phone,name\r1,Ada\r\r2,Bo", ",", "UTF-8", []string{"1 phone | name", "2 1 | Ada", "4 2 | Bo"},
		},
		"breaks in cells": {
			"phone,note\n1,\"a\r\nb\"\n2,c\n", ",", "UTF-8", []string{"1 phone | note", "2 1 | a\r\nb", "4 2 | c"},
		},
		"quotes in cells": {
			"a,\"say \"\"hi\"\"\"\n6' 2\",x\n", ",", "UTF-8", []string{`1 a | say "hi"`, `2 6' 2" | x`},
		},
		"blanks around": {" a , \"b\" \n\u00a0c\u200b,\n", ",", "UTF-8", []string{"1 a | b", "2 c | "}},
		"empty lines":   {"\n , \na,b\n\n", ",", "UTF-8", []string{"3 a | b"}},
		"ragged":        {"a,b\n1\n1,2,3\n", ",", "UTF-8", []string{"1 a | b", "2 1", "3 1 | 2 | 3"}},
		"numbers as formulas": {
			"=\"+491\",\"=\"\"+492\"\"\"\n'+493,'00494\n", ",", "UTF-8", []string{"1 +491 | +492", "2 +493 | 00494"},
		},
		"a name is left alone": {"'t Hooft,O'Neill\n", ",", "UTF-8", []string{"1 't Hooft | O'Neill"}},
		"Windows": {
			"phone,name\n1,Zo\xeb \x80\n", ",", "Windows-1252", []string{"1 phone | name", "2 1 | Zoë €"},
		},
		"Windows, late": {
			strings.Repeat("1,a\n", 50_000) + "2,Zo\xeb\n", ",", "Windows-1252",
			append(ones(50_000), "50001 2 | Zoë"),
		},
		"one bad byte": {
			"1,Zoë,Ωμέγα\n2,\xff\n3,é\n", ",", "UTF-8",
			[]string{
				"1 1 | Zoë | Ωμέγα", "!2 2,�: contains unreadable characters. Save the file as “CSV UTF-8”",
				"3 3 | é",
			},
		},
		"a quote never closed": {
			"1,a\n2,\"b\n3,c\n4,d", ",", "UTF-8",
			[]string{"1 1 | a", `!2 2,"b: a quote (") is opened and never closed`, "3 3 | c", "4 4 | d"},
		},
		"a quote closed elsewhere": {
			"1,\"a\n2,\"b\"\n3,c\n", ",", "UTF-8",
			[]string{`!1 1,"a: something stands behind a closing quote (")`, "2 2 | b", "3 3 | c"},
		},
		"too many cells": {
			strings.Repeat(",", MaxCells) + "x\n1,2\n", ",", "UTF-8",
			[]string{"!1 " + strings.Repeat(",", shownLine) + ": has more than 1024 cells", "2 1 | 2"},
		},
		"nothing": {"", ",", "UTF-8", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, rows := read(t, strings.NewReader(c.file))
			if string(s.Delimiter()) != c.comma || s.Encoding() != c.encoding {
				t.Errorf("delimiter %q, encoding %s", s.Delimiter(), s.Encoding())
			}
			if !reflect.DeepEqual(rows, c.rows) {
				t.Errorf("rows %q, want %q", rows, c.rows)
			}
		})
	}
}

func ones(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("%d 1 | a", i+1)
	}
	return rows
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]error{
		"PK\x03\x04\x14\x00\x06\x00":            Workbook,
		"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00":  Workbook,
		"%PDF-1.7\n":                            Binary,
		"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR": Binary,
	} {
		if _, err := Open(strings.NewReader(file)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", file, err, want)
		}
	}
	broken := errors.New("the connection broke")
	if _, err := Open(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a broken source: %v", err)
	}
	s, err := Open(io.MultiReader(strings.NewReader(strings.Repeat("a,b\n", sampleSize)), iotest.ErrReader(broken)))
	for err == nil {
		_, err = s.Read()
	}
	if !errors.Is(err, broken) {
		t.Errorf("a source that breaks: %v", err)
	}
}

// A line of any length is skipped in memory that does not grow.
func TestLongRows(t *testing.T) {
	t.Parallel()
	for name, long := range map[string]string{
		"a line":  strings.Repeat("x", 8<<20) + "\n",
		"a quote": "\"" + strings.Repeat("x", 8<<20) + "\"\n",
		"columns": strings.Repeat(",", 8<<20) + "\n",
	} {
		s, rows := read(t, io.MultiReader(strings.NewReader("a,b\n"), strings.NewReader(long),
			strings.NewReader("c,d\n")))
		if len(rows) != 3 || !strings.HasSuffix(rows[1], "is too long for a row") || rows[2] != "3 c | d" {
			t.Errorf("%s: %d rows, the last %q", name, len(rows), rows[len(rows)-1])
		}
		if cap(s.buf) > 4*MaxRow {
			t.Errorf("%s: %d bytes are held", name, cap(s.buf))
		}
	}
}

// A table is read back unchanged, whatever its content, encoding and delimiter.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	encodings := map[string]struct {
		encoding.Encoding
		mark string
	}{
		"UTF-8":                 {unicode.UTF8, ""},
		"UTF-8 with a mark":     {unicode.UTF8, "\uFEFF"},
		"UTF-16LE with a mark":  {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), ""},
		"UTF-16BE with a mark":  {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), ""},
		"UTF-16LE without mark": {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), ""},
		"UTF-16BE without mark": {unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), ""},
		"Windows-1252":          {charmap.Windows1252, ""},
	}
	words := []string{
		"Ada", "Zoë", "€ 12,50", "a;b", "say \"hi\"", "two\nlines", "x|y", "tab\there", "+4930123456", "", "Łódź",
		"東京", "O'Neill",
	}
	r := rand.New(rand.NewPCG(7, 7))
	for name, enc := range encodings {
		for round := range 40 {
			pick := func() string {
				for {
					word := words[r.IntN(len(words))]
					if _, err := enc.NewEncoder().String(word); err == nil {
						return word
					}
				}
			}
			comma, brk := string(delimiters[r.IntN(len(delimiters))]), []string{"\n", "\r\n"}[r.IntN(2)]
			var file bytes.Buffer
			file.WriteString(enc.mark)
			var want []string
			line := 1
			for i := range 2 + r.IntN(40) {
				cells := []string{fmt.Sprintf("+4930%06d", i), pick(), pick(), pick()}
				want = append(want, fmt.Sprintf("%d %s", line, strings.Join(cells, " | ")))
				for j, cell := range cells {
					line += strings.Count(cell, "\n")
					if strings.ContainsAny(cell, delimiters+"\"\n") || r.IntN(4) == 0 {
						cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
					}
					if j > 0 {
						file.WriteString(comma)
					}
					file.WriteString(cell)
				}
				file.WriteString(brk)
				line++
			}
			encoded, err := enc.NewEncoder().Bytes(file.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			var source io.Reader = bytes.NewReader(encoded)
			if round%4 == 0 {
				source = iotest.OneByteReader(source)
			}
			if _, got := read(t, source); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, parted by %q: %q is read as\n%q, want\n%q", name, comma, encoded, got, want)
			}
		}
	}
}

// For any file, rows come in the order of their lines, no line is invented, and the sizes
// of the reads make no difference.
func FuzzRead(f *testing.F) {
	f.Add([]byte("phone,name\n+1,\"A\"\"da\"\n"))
	f.Add([]byte("sep=|\r\n\"a\r\nb\"|c\r\n"))
	f.Add([]byte("\xff\xfea\x00,\x00b\x00\n\x00"))
	f.Add([]byte("1,\"a\n2,\"b\"\n\xeb"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if s, err := Open(bytes.NewReader(file)); err != nil {
			if _, refused := errors.AsType[Refusal](err); !refused {
				t.Fatal(err)
			}
			return
		} else if s.Delimiter() == 0 {
			t.Fatal("no delimiter")
		}
		_, rows := read(t, bytes.NewReader(file))
		_, slow := read(t, iotest.OneByteReader(bytes.NewReader(file)))
		if !reflect.DeepEqual(rows, slow) {
			t.Fatalf("read at once %q, byte by byte %q", rows, slow)
		}
		last := 0
		for _, row := range rows {
			var line int
			if _, err := fmt.Sscanf(strings.TrimPrefix(row, "!"), "%d", &line); err != nil || line <= last {
				t.Fatalf("row %q after line %d", row, last)
			}
			last = line
		}
		if last > bytes.Count(file, []byte("\n"))+bytes.Count(file, []byte("\r"))+1 {
			t.Fatalf("the file has no line %d", last)
		}
	})
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"First Name": "first_name", "\ufeffPHONE": "phone", " Time-Zone ": "time_zone", "a\nb": "a_b",
		"Téléphone": "téléphone", "__": "",
	} {
		if got := ColumnName(header); got != want {
			t.Errorf("%q is %q, want %q", header, got, want)
		}
	}
	if got := Find([]string{"name", "mobile", "phone"}, NumberColumns); got != 2 {
		t.Errorf("the column of numbers is %d", got)
	}
	for _, name := range NumberColumns {
		if ColumnName(name) != name {
			t.Errorf("%q is never found: it reads %q", name, ColumnName(name))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	var file bytes.Buffer
	file.WriteString("phone_number,name,external_id,note\n")
	for i := range 100_000 {
		fmt.Fprintf(&file, "+4930%07d,Recipient %d,ext-%d,\"a note, with a comma\"\n", i, i, i)
	}
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(bytes.NewReader(file.Bytes()))
		for err == nil {
			_, err = s.Read()
		}
		if !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	}
}
