package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

// order is a request with a field of every type that decode knows.
type order struct {
	Name     string          `json:"name"`
	Count    int             `json:"count"`
	Rate     *float64        `json:"rate"`
	Urgent   *bool           `json:"urgent"`
	At       *time.Time      `json:"at" nullable:"true"`
	Tags     []string        `json:"tags"`
	Hours    *opening        `json:"hours" nullable:"true"`
	Metadata json.RawMessage `json:"metadata"`
	Lines    each[line]      `json:"lines" max:"100000"`
}

type opening struct {
	Windows []struct {
		Days []string `json:"days"`
	} `json:"windows"`
}

type line struct {
	Phone string `json:"phone_number"`
	ID    string `json:"external_id"`
}

// decodeOrder returns the text of the answer to a body, "" for a valid body.
func decodeOrder(body io.Reader) (o order, lines []line, text string) {
	o.Lines = func(l *line, ok bool) {
		if ok {
			lines = append(lines, *l)
		}
	}
	var problems fault.Problems
	_, err := decode(body, &o, &problems)
	if err == nil {
		err = problems.Err()
	}
	if err != nil {
		text = fault.As(err).Message
	}
	return o, lines, text
}

func TestDecodeReadsEveryType(t *testing.T) {
	t.Parallel()
	o, lines, text := decodeOrder(strings.NewReader(`{
		"lines": [{"phone_number": "+15005550006"}, {"external_id": "a\u00e9\ud83d\ude00"}],
		"name": "x", "count": 1e1, "rate": 0.5, "urgent": false, "at": "2026-11-21T11:30:00+02:00",
		"tags": ["a", "b"], "hours": {"windows": [{"days": ["mon"]}, {"days": []}]},
		"metadata": {"id": 12345678901234567890, "deep": [[{}]]}
	}`))
	if text != "" {
		t.Fatal(text)
	}
	if want := []line{{Phone: "+15005550006"}, {ID: "aé😀"}}; !reflect.DeepEqual(lines, want) {
		t.Errorf("lines: %v", lines)
	}
	if o.Name != "x" || o.Count != 10 || *o.Rate != 0.5 || *o.Urgent ||
		!o.At.Equal(time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)) ||
		!reflect.DeepEqual(o.Tags, []string{"a", "b"}) || len(o.Hours.Windows) != 2 ||
		o.Hours.Windows[0].Days[0] != "mon" ||
		string(o.Metadata) != `{"id": 12345678901234567890, "deep": [[{}]]}` {
		t.Errorf("got %+v", o)
	}

	o, _, text = decodeOrder(strings.NewReader(` {"at":null,"hours":null} `))
	if o.Lines = nil; text != "" || !reflect.DeepEqual(o, order{}) {
		t.Errorf("null is not as absent: %q, %+v", text, o)
	}
}

// anyName lists the fields that the body of the test may have.
const anyName = ", must be one of name, count, rate, urgent, at, tags, hours, metadata, lines"

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000)
	for _, c := range []struct{ name, body, want string }{
		{"empty", ``, "the body is empty: a JSON object is expected"},
		{"blank", " \n", "the body is empty: a JSON object is expected"},
		{"not JSON", `name=x`, "not valid JSON: invalid character 'a' in literal null (expecting 'u') at byte 1"},
		{"an array", `[{"name": 1}]`, "the body must be an object"},
		{"a string", `"name"`, "the body must be an object"},
		{"null", `null`, "the body must be an object"},
		{"cut off", `{"name": "x"`, "not valid JSON: it ends too early"},
		{"trailing object", `{} {}`, "not valid JSON: something follows the JSON object"},
		{"trailing rubbish", `{} x`, "not valid JSON: invalid character 'x' at start of value at byte 3"},
		{"trailing comma", `{"name": "x",}`, "not valid JSON: invalid character ',' at start of value at byte 12"},
		{"unknown field", `{"nmae": 1}`, "nmae: unknown field, did you mean name?"},
		{
			"unknown field inside", `{"hours": {"windows": [{"day": {"deep": [1]}}]}}`,
			"hours.windows[0].day: unknown field, did you mean days?",
		},
		{"another case", `{"Name": "x"}`, "Name: unknown field, did you mean name?"},
		{"odd field", `{"a b\u0000": 1}`, `["a b\x00"]: unknown field` + anyName},
		{"empty field", `{"": 1}`, `[""]: unknown field` + anyName},
		{"wrong types", `{"name": 1, "count": "1", "rate": true, "urgent": 0, "at": 5, "tags": {}, "hours": [], ` +
			`"lines": {}}`,
			"name: must be a string; count: must be an integer; rate: must be a number; urgent: must be true or " +
				"false; " +
				"at: must be a string; tags: must be an array; hours: must be an object; lines: must be an array"},
		{"wrong types inside", `{"tags": ["a", 1], "lines": [{}, 7, {"phone_number": null}]}`,
			"tags[1]: must be a string; " +
				"lines[1]: must be an object; lines[2].phone_number: must not be null"},
		{"null where it has no meaning",
			`{"name": null, "count": null, "rate": null, "urgent": null, "tags": null, "metadata": null, "lines": ` +
				`null}`,
			"name: must not be null; count: must not be null; rate: must not be null; urgent: must not be null; " +
				"tags: must not be null; metadata: must not be null; lines: must not be null"},
		{"null inside", `{"tags": ["a", null], "hours": {"windows": [null, {"days": null}]}, "lines": [{}, null]}`,
			"tags[1]: must not be null; hours.windows[0]: must not be null; hours.windows[1].days: must not be " +
				"null; lines[1]: must not be null"},
		{"fraction", `{"count": 1.5}`, "count: must be an integer"},
		{"huge integer", `{"count": 99999999999999999999}`, "count: is out of range"},
		{"huge exponent", `{"count": 1e400, "rate": -1e400}`, "count: is out of range; rate: is out of range"},
		{"no time", `{"at": "tomorrow"}`, "at: must be an RFC 3339 time such as 2026-11-21T09:30:00Z"},
		{"given twice", `{"name": "x", "name": "y"}`, "name: given twice"},
		{"given twice, and more", `{"name": "x", "name": 1, "count": "1", "name": {}}`,
			"name: given twice; count: must be an integer; name: given twice"},
		{"given twice, escaped", `{"name": "x", "n\u0061me": "y"}`, "name: given twice"},
		{
			"given twice in an element", `{"lines": [{}, {"external_id": "1", "external_id": "1"}]}`,
			"lines[1].external_id: given twice",
		},
		{"given twice in free form", `{"metadata": {"a": {"b": 1, "b": 2}}}`, "metadata.a.b: given twice"},
		{"given twice in free form inside", `{"metadata": [{}, {"a b": 1, "a b": 2}], "name": 1}`,
			`metadata[1]["a b"]: given twice; name: must be a string`},
		{"given twice where nothing is kept", `{"x": {"a": 1, "a": 2}}`, "x: unknown field" + anyName},
		{"null character", `{"name": "a\u0000b", "lines": [{"external_id": "\u0000"}]}`,
			`name: must not contain a null character; lines[0].external_id: must not contain a null character`},
		{
			"raw null byte", "{\"name\": \"a\x00\"}",
			`not valid JSON: invalid character '\x00' in string (expecting non-control character) at byte 11`,
		},
		{"invalid UTF-8", "{\"name\": \"a\xff\"}", "not valid JSON: invalid UTF-8 at byte 11"},
		{
			"deep nesting, unknown", `{"x": ` + deep,
			"x: unknown field" + anyName + "; not valid JSON: exceeded max depth at byte 10005",
		},
		{"deep nesting, free form", `{"metadata": ` + deep, "not valid JSON: exceeded max depth at byte 10012"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, _, text := decodeOrder(strings.NewReader(c.body)); text != c.want {
				t.Errorf("got  %q\nwant %q", text, c.want)
			}
			// The problems are the same if the bytes arrive one at a time.
			if _, _, text := decodeOrder(iotest.OneByteReader(strings.NewReader(c.body))); text != c.want {
				t.Errorf("byte by byte: got %q", text)
			}
		})
	}
}

func TestDecodeRefusesALoneSurrogate(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"name": "\ud800"}`, `{"metadata": ["\udc00"]}`} {
		if _, _, text := decodeOrder(
			strings.NewReader(body),
		); !strings.HasPrefix(text, "not valid JSON: invalid surrogate pair") {
			t.Errorf("%s: got %q", body, text)
		}
	}
}

func TestDecodeCountsWhatItDoesNotSpellOut(t *testing.T) {
	t.Parallel()
	_, _, text := decodeOrder(strings.NewReader(`{"tags": [` + strings.Repeat("1,", 50) + `1]}`))
	if strings.Count(text, "must be a string") != 20 ||
		!strings.HasSuffix(text, "tags[19]: must be a string … and 31 more") {
		t.Errorf("got %q", text)
	}
}

func TestDecodeClipsWhatTheClientMadeUp(t *testing.T) {
	t.Parallel()
	_, _, text := decodeOrder(strings.NewReader(`{"` + strings.Repeat("é", 100_000) + `": 1}`))
	if len(text) > 300 {
		t.Errorf("%d bytes came back: %q", len(text), text[:300])
	}
}

func TestDecodeBoundsWhatItKeeps(t *testing.T) {
	t.Parallel()
	full := strings.Repeat(`"a",`, maxElements-1) + `"a"`
	long := strings.Repeat("x", maxFreeform-2)
	o, _, text := decodeOrder(strings.NewReader(`{"tags": [` + full + `], "metadata": "` + long + `"}`))
	if text != "" || len(o.Tags) != maxElements || len(o.Metadata) != maxFreeform {
		t.Errorf("%d elements, %d bytes: %s", len(o.Tags), len(o.Metadata), text)
	}
	o, _, text = decodeOrder(strings.NewReader(`{"metadata": "` + long + `x", "count": 1, "tags": [` + full +
		`, 1, {}]`))
	if text != "metadata: must have at most 1 MiB; tags: must have at most 1,000 elements" ||
		cap(o.Tags) > 2*maxElements || o.Count != 1 {
		t.Errorf("%d elements: %s", len(o.Tags), text)
	}
}

// Whatever the elements are, decode reads no element after the first element over the
// limit.
func TestDecodeStopsAtTheLimitOfAList(t *testing.T) {
	t.Parallel()
	const more = 4 << 20
	for _, c := range []struct {
		field string
		limit int
		said  string
	}{{"tags", maxElements, "1,000"}, {"lines", 100_000, "100,000"}} {
		for _, element := range []string{"0,", "{},", `"a",`, "null,", "[[]],"} {
			body := &countedReader{
				Reader: io.MultiReader(strings.NewReader(`{"`+c.field+`": [`),
					strings.NewReader(strings.Repeat(element, more))),
			}
			looked := 0
			o := order{Lines: func(*line, bool) { looked++ }}
			var problems fault.Problems
			whole, err := decode(body, &o, &problems)
			if whole || err != nil || !strings.Contains(
				problems.Err().Error(), fmt.Sprintf("%s: must have at most %s elements", c.field, c.said),
			) && problems.Len() < c.limit {
				t.Errorf("%s of %s: %t, %v, %v", c.field, element, whole, err, problems.Err())
			}
			if most := 2*c.limit*len(element) + 64<<10; body.read > most || looked > c.limit {
				t.Errorf("%s of %s: %d bytes were read, %d elements looked at", c.field, element, body.read, looked)
			}
		}
	}
}

// countedReader counts the bytes read from it.
type countedReader struct {
	io.Reader
	read int
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.read += n
	return n, err
}

func TestDecodeSpendsNothingOnProblemsItDoesNotSpellOut(t *testing.T) {
	const names = 20_000
	var body bytes.Buffer
	for i := range names {
		fmt.Fprintf(&body, `%c"field_%d": 1`, ",{"[min(1, max(0, 1-i))], i)
	}
	body.WriteByte('}')
	allocations := testing.AllocsPerRun(1, func() { decodeOrder(bytes.NewReader(body.Bytes())) })
	if allocations > 8*names { // for reading a name, its path and the unused arguments
		t.Errorf("%.0f allocations for %d unknown fields", allocations, names)
	}
}

func TestDecodeTellsATooLargeBody(t *testing.T) {
	t.Parallel()
	body := http.MaxBytesReader(httptest.NewRecorder(),
		io.NopCloser(strings.NewReader(`{"name": "`+strings.Repeat("x", 2<<20)+`"}`)), 1<<20)
	var problems fault.Problems
	_, err := decode(body, &struct {
		Name string `json:"name"`
	}{}, &problems)
	if fault.KindOf(err) != fault.TooLarge || fault.As(err).Message != "The body is larger than the limit of 1 MiB" {
		t.Errorf("got %v", err)
	}
	_, err = decode(iotest.TimeoutReader(strings.NewReader(`{"name": "`+strings.Repeat("x", 100_000)+`"}`)), &struct {
		Name string `json:"name"`
	}{}, &problems)
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a body that breaks off: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"name": "x", "lines": [{"phone_number": "+1"}], "metadata": {"a": [1]}}`))
	f.Add([]byte(`{"name": "\ud800", "name": 1e400}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _, text := decodeOrder(bytes.NewReader(body))
		if text != "" {
			return
		}
		// Every decoder accepts the JSON that decode accepts.
		var reread map[string]any
		if err := json.Unmarshal(body, &reread); err != nil {
			t.Errorf("accepted %q, which is not JSON: %v", body, err)
		}
		for name := range reread {
			if _, ok := fieldsOf(reflect.TypeFor[order]()).index[name]; !ok {
				t.Errorf("accepted the unknown field %q", name)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	var body bytes.Buffer
	body.WriteString(`{"lines": [`)
	for i := range 100_000 {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"phone_number": "+1500%07d", "external_id": "customer-%d"}`, i, i)
	}
	body.WriteString(`]}`)
	b.SetBytes(int64(body.Len()))
	for b.Loop() {
		var problems fault.Problems
		o := order{Lines: func(*line, bool) {}}
		if _, err := decode(bytes.NewReader(body.Bytes()), &o, &problems); err != nil || problems.Len() > 0 {
			b.Fatal(err, problems.Err())
		}
	}
}

// The answer to a body that the server cuts off says that it may have arrived too slowly.
func TestBodyThatArrivesTooSlowly(t *testing.T) {
	t.Parallel()
	var problems fault.Problems
	var dst struct {
		Name string `json:"name"`
	}
	_, err := decode(io.MultiReader(strings.NewReader(`{"name": "A`), iotest.ErrReader(os.ErrDeadlineExceeded)), &dst,
		&problems)
	f := fault.As(err)
	if f == nil || f.Kind != fault.Invalid ||
		f.Message != "The body did not arrive completely or arrived too slowly. Send the request again." {
		t.Errorf("%v", err)
	}
}
