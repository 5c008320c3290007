package export

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"unicode"
)

func TestCell(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"":                        "",
		"Ada":                     "Ada",
		"+14155550100":            "+14155550100",
		"+447911123456":           "+447911123456",
		"-12.5":                   "-12.5",
		"0":                       "0",
		"2026-11-21T09:30:00Z":    "2026-11-21T09:30:00Z",
		"'quoted'":                "'quoted'",
		`=HYPERLINK("x")`:         `'=HYPERLINK("x")`,
		"+1+cmd|' /C calc'!A0":    "'+1+cmd|' /C calc'!A0",
		"+":                       "'+",
		"-":                       "'-",
		"+1 415 555 0100":         "'+1 415 555 0100",
		"-2+3":                    "'-2+3",
		"1.2.3":                   "1.2.3",
		"-1.2.3":                  "'-1.2.3",
		"@SUM(A1)":                "'@SUM(A1)",
		"\t=1":                    "'\t=1",
		"\r=1":                    "'\r=1",
		"\n=1":                    "'\n=1",
		"  =1":                    "'  =1",
		"＝1+1":                    "'＝1+1",
		"a=1":                     "a=1",
		"Call me at +14155550100": "Call me at +14155550100",
	} {
		if got := Cell(cell); got != want {
			t.Errorf("Cell(%q) is %q, want %q", cell, got, want)
		}
		if got := Text(want); got != cell {
			t.Errorf("Text(%q) is %q, want %q", want, got, cell)
		}
	}
}

// An invisible character does not hide the start of a formula.
func TestNothingUnseenHidesAFormula(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune) {
		if !unicode.In(
			r, unicode.Cf, unicode.Cc, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Mn, unicode.Co,
			unicode.Other_Default_Ignorable_Code_Point,
		) {
			continue
		}
		for _, formula := range []string{"=1+1", "+1-2", "-1+2", "@SUM(A1)", "\u22121+2"} {
			for _, cell := range []string{string(r) + formula, " " + string(r) + string(r) + formula} {
				if got := Cell(cell); got != "'"+cell {
					t.Fatalf("%U: Cell(%q) is %q", r, cell, got)
				}
			}
		}
	}
}

func FuzzCell(f *testing.F) {
	for _, s := range []string{
		"=1", "\u00ad=1", "\u202e@A1", "\u2060\u2212\u0031", "'=1", "+14155550100", "a\u00ad=1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cell := Cell(s)
		if !strings.HasPrefix(s, "'") && Text(cell) != s {
			t.Errorf("Text(Cell(%q)) is %q", s, Text(cell))
		}
		seen := strings.TrimLeftFunc(cell, func(r rune) bool {
			return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z)
		})
		if seen != "" && strings.ContainsRune("=+-@\u2212", []rune(seen)[0]) && !number(cell) {
			t.Errorf("Cell(%q) is %q", s, cell)
		}
	})
}

// serve starts a server that sends a file.
func serve(t *testing.T, f File, failed *error) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		err := Serve(w, f)
		if cut := (*CutError)(nil); errors.As(err, &cut) {
			panic(http.ErrAbortHandler)
		}
		if err != nil {
			*failed = err
			http.Error(w, "no", http.StatusTeapot)
		}
	}))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = nil
	return s
}

func rows(n int, err error) func(yield func([]string, error) bool) {
	return func(yield func([]string, error) bool) {
		row := make([]string, 3)
		for i := range n {
			row[0], row[1], row[2] = fmt.Sprint(i), "+14155550100", "=said \"hello\",\nand more"
			if !yield(row, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	s := serve(t, File{
		Name: "calls.csv", Header: []string{"n", "number", "text"}, Rows: rows(3, nil), Spreadsheet: true,
	}, nil)
	r, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, marked := strings.CutPrefix(string(body), "\ufeff")
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || len(all) != 4 || fmt.Sprint(all[3]) != "[2 +14155550100 '=said \"hello\",\nand more]" {
		t.Errorf("%v: %q", err, text)
	}
	if r.Header.Get("Content-Disposition") != "attachment; filename=calls.csv" ||
		!strings.HasPrefix(r.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("%v", r.Header)
	}
}

// An error before the first byte gives an ordinary answer. A later error breaks the connection.
func TestServeFails(t *testing.T) {
	t.Parallel()
	cause := errors.New("the database is gone")
	var failed error
	s := serve(t, File{Header: []string{"n"}, Rows: rows(0, cause)}, &failed)
	r, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusTeapot || !errors.Is(failed, cause) || r.Header.Get("Content-Disposition") != "" {
		t.Errorf("%d, %v, %v", r.StatusCode, failed, r.Header)
	}

	s = serve(t, File{Header: []string{"n"}, Rows: rows(100_000, cause)}, &failed)
	if r, err = s.Client().Get(s.URL); err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if n, err := io.Copy(io.Discard, r.Body); err == nil || n == 0 {
		t.Errorf("%d bytes look like a whole file", n)
	}
}

// Serve stops reading rows when the client disconnects.
func TestServeStopsWithItsClient(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	endless := func(yield func([]string, error) bool) {
		defer close(ended)
		for yield([]string{strings.Repeat("x", 1000)}, nil) {
		}
	}
	s := serve(t, File{Header: []string{"n"}, Rows: endless}, nil)
	r, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, r.Body, 100_000); err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	<-ended
}

// Memory use does not depend on the number of rows.
func TestServeAllocatesLittle(t *testing.T) {
	discard := &discarder{header: http.Header{}}
	n := 200_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	row := []string{"0199", "+14155550100", "=text"}
	err := Serve(discard, File{Header: []string{"a", "b", "c"}, Rows: func(yield func([]string, error) bool) {
		for range n {
			if !yield(row, nil) {
				return
			}
		}
	}})
	runtime.ReadMemStats(&after)
	if err != nil || discard.bytes < n*20 {
		t.Fatalf("%d bytes, %v", discard.bytes, err)
	}
	if per := (after.TotalAlloc - before.TotalAlloc) / uint64(n); per > 64 {
		t.Errorf("%d bytes are allocated for each row", per)
	}
}

type discarder struct {
	header http.Header
	bytes  int
}

func (d *discarder) Header() http.Header         { return d.header }
func (d *discarder) WriteHeader(int)             {}
func (d *discarder) Flush()                      {}
func (d *discarder) Write(b []byte) (int, error) { d.bytes += len(b); return len(b), nil }
