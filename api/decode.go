package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/wire"
)

// decode reads one JSON object into dst, a pointer to a struct whose fields
// carry json tags, and adds to problems what is wrong with it.
//
// It is strict: unknown fields, wrong types, a name given twice, invalid UTF-8,
// null characters and anything after the object are problems, each named by
// the path of its value. A field accepts null only if its tag says nullable;
// null is as good as absent then. What is read of a hostile body is bounded: a list
// ends the reading at the limit of its field, and free-form values have
// maxFreeform. Reading goes on after a problem with a value, so
// that one answer names them all, and stops at a list that is too long and at the first one with the JSON
// itself: then whole is false, and what dst lacks says nothing. The returned
// error is a fault too (TooLarge, or a body that broke off); problems then
// don't matter.
func decode(body io.Reader, dst any, problems *fault.Problems) (whole bool, err error) {
	// Names are compared where they are few: in our own objects, and in free
	// form that is kept. Everywhere else a body of nothing but names would be
	// held in memory several times over.
	d := &decoder{json: jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true)), problems: problems}
	if err = d.value(reflect.ValueOf(dst).Elem()); err == nil {
		if _, err = d.json.ReadToken(); errors.Is(err, io.EOF) {
			return true, nil
		}
		if err == nil {
			err = errTrailing
		}
	}
	return false, d.broken(err)
}

var (
	errTrailing = errors.New("something follows the JSON object")
	errTooMany  = errors.New("a list has too many elements") // which is recorded
)

// decoder holds the place in the document, so that a problem can be named by
// its path; the path is only written out when there is one.
type decoder struct {
	json     *jsontext.Decoder
	problems *fault.Problems
	path     []step
	text     []byte // the last string, unquoted
	limit    int    // of the elements of the field that is read next
}

// step leads to the value of a name in an object or, where array is set, to an
// element of an array.
type step struct {
	array bool
	name  string
	index int
}

// refuse records a problem with the value at the present path.
func (d *decoder) refuse(format string, args ...any) {
	d.problems.Addf(d.where(), format, args...)
}

// where is the present path: recipients[3].phone_number.
func (d *decoder) where() string {
	var b strings.Builder
	for _, s := range d.path {
		writeStep(&b, s)
	}
	return b.String()
}

func writeStep(b *strings.Builder, s step) {
	switch {
	case s.array:
		b.WriteByte('[')
		b.WriteString(strconv.Itoa(s.index))
		b.WriteByte(']')
	case plainName(s.name):
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	default:
		b.WriteByte('[')
		b.WriteString(strconv.Quote(clip(s.name)))
		b.WriteByte(']')
	}
}

// maxNameShown bounds how much of a name a client made up comes back to it.
const maxNameShown = 64

func plainName(s string) bool {
	return s != "" && len(s) <= maxNameShown && strings.IndexFunc(s, func(r rune) bool {
		return !(r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) < 0
}

func clip(s string) string {
	if len(s) <= maxNameShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxNameShown], "") + "…"
}

// broken turns the error that ended the reading into a fault.
func (d *decoder) broken(err error) error {
	if over, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(over.Limit)
	}
	if errors.Is(err, errNoGzip) {
		d.problems.Addf("", "the body is not valid gzip, although its Content-Encoding is gzip")
		return nil
	}
	if errors.Is(err, io.EOF) {
		d.problems.Addf("", "the body is empty: a JSON object is expected")
		return nil
	}
	if errors.Is(err, errTooMany) {
		return nil
	}
	if errors.Is(err, errTrailing) {
		d.problems.Addf("", "not valid JSON: %s", err)
		return nil
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return fault.New(
			fault.Invalid, "The body did not arrive completely or arrived too slowly. Send the request again.",
		).Because(err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		d.problems.Addf("", "not valid JSON: it ends too early")
	} else {
		d.problems.Addf("", "not valid JSON: %s at byte %d", syntax.Err, syntax.ByteOffset)
	}
	return nil
}

// below is the path of a value within the present one, which a JSON pointer
// leads to. Pointers don't tell an index from a name of digits, and in free form
// the one is as good as the other.
func (d *decoder) below(p jsontext.Pointer) string {
	var b strings.Builder
	b.WriteString(d.where())
	for token := range p.Tokens() {
		if i, err := strconv.Atoi(token); err == nil && b.Len() > 0 {
			writeStep(&b, step{array: true, index: i})
		} else {
			writeStep(&b, step{name: token})
		}
	}
	return b.String()
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	freeformType = reflect.TypeFor[json.RawMessage]()
)

// value reads the next value into dst.
func (d *decoder) value(dst reflect.Value) error {
	kind := d.json.PeekKind()
	if kind == 'n' && len(d.path) > 0 {
		return d.null()
	}
	switch dst.Type() {
	case timeType:
		return d.time(dst)
	case freeformType:
		return d.freeform(dst)
	}
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return d.value(dst.Elem())
	case reflect.Struct:
		if kind != '{' {
			return d.wrongType("an object")
		}
		return d.object(dst)
	case reflect.Func:
		if kind != '[' {
			return d.wrongType("an array")
		}
		return dst.Interface().(lister).elements(d)
	case reflect.Slice:
		if kind != '[' {
			return d.wrongType("an array")
		}
		return d.slice(dst)
	case reflect.String:
		s, ok, err := d.string()
		if ok {
			dst.SetString(string(s))
		}
		return err
	case reflect.Bool:
		if kind != 't' && kind != 'f' {
			return d.wrongType("true or false")
		}
		dst.SetBool(kind == 't')
		return d.json.SkipValue()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return d.integer(dst)
	case reflect.Float64:
		return d.number(dst)
	}
	panic("api: a request struct has a field of type " + dst.Type().String())
}

// null refuses a null that has no meaning.
func (d *decoder) null() error {
	if err := d.json.SkipValue(); err != nil {
		return err
	}
	d.refuse("must not be null")
	return nil
}

// wrongType records what was expected instead of the next value, and skips it.
// When there is no next value, the error says why.
func (d *decoder) wrongType(expected string) error {
	if err := d.json.SkipValue(); err != nil {
		return err
	}
	if len(d.path) == 0 {
		d.refuse("the body must be %s", expected)
	} else {
		d.refuse("must be %s", expected)
	}
	return nil
}

// string reads a string, which is only good until the next one is read. ok is
// false when there was a problem.
func (d *decoder) string() (s []byte, ok bool, err error) {
	if d.json.PeekKind() != '"' {
		return nil, false, d.wrongType("a string")
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, false, err
	}
	if d.text, err = jsontext.AppendUnquote(d.text[:0], raw); err != nil {
		return nil, false, err
	}
	if bytes.IndexByte(d.text, 0) >= 0 {
		d.refuse("must not contain a null character")
		return nil, false, nil
	}
	return d.text, true, nil
}

func (d *decoder) time(dst reflect.Value) error {
	s, ok, err := d.string()
	if err != nil || !ok {
		return err
	}
	t, err := wire.ParseTime(string(s))
	if err != nil {
		d.refuse("%s", err)
		return nil
	}
	dst.Set(reflect.ValueOf(t))
	return nil
}

func (d *decoder) integer(dst reflect.Value) error {
	if d.json.PeekKind() != '0' {
		return d.wrongType("an integer")
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if errors.Is(err, strconv.ErrSyntax) { // 10.0 and 1e1 are integers too
		f, ferr := strconv.ParseFloat(string(raw), 64)
		if ferr == nil && f != math.Trunc(f) {
			d.refuse("must be an integer")
			return nil
		}
		if n, err = int64(f), ferr; math.Abs(f) >= 1<<53 {
			err = strconv.ErrRange
		}
	}
	if err != nil || dst.OverflowInt(n) {
		d.refuse("is out of range")
		return nil
	}
	dst.SetInt(n)
	return nil
}

func (d *decoder) number(dst reflect.Value) error {
	if d.json.PeekKind() != '0' {
		return d.wrongType("a number")
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		d.refuse("is out of range")
		return nil
	}
	dst.SetFloat(f)
	return nil
}

// maxFreeform is the longest free-form value that is kept, in bytes: more than
// the rules for variables and metadata let through, however it is written.
const maxFreeform = 1 << 20

// freeform keeps a value of any shape as it was sent.
func (d *decoder) freeform(dst reflect.Value) error {
	raw, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	if len(raw) > maxFreeform {
		d.refuse("must have at most %d MiB", maxFreeform>>20)
		return nil
	}
	if !raw.IsValid() { // it is JSON: only names can be wrong
		_, err := jsontext.NewDecoder(bytes.NewReader(raw)).ReadValue()
		if repeated, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			d.problems.Addf(d.below(repeated.JSONPointer), "given twice")
			return nil
		}
	}
	dst.SetBytes(bytes.Clone(raw))
	return nil
}

// maxElements bounds a list whose field sets no other bound.
const maxElements = 1000

func (d *decoder) slice(dst reflect.Value) error {
	return d.array(func() error {
		dst.Grow(1)
		dst.SetLen(dst.Len() + 1)
		return d.value(dst.Index(dst.Len() - 1))
	})
}

// array calls element with the path at each element in turn. The reading of the
// body ends at the first element over the limit: a longer list is wrong anyway,
// and looking at millions of elements takes seconds.
func (d *decoder) array(element func() error) error {
	if _, err := d.json.ReadToken(); err != nil {
		return err
	}
	limit := d.limit
	d.path = append(d.path, step{array: true})
	for i := 0; d.json.PeekKind() != ']'; i++ {
		if i == limit {
			d.path = d.path[:len(d.path)-1]
			d.refuse("must have at most %d elements", limit)
			return errTooMany
		}
		d.limit = maxElements
		d.path[len(d.path)-1].index = i
		if err := element(); err != nil {
			return err
		}
	}
	d.path = d.path[:len(d.path)-1]
	_, err := d.json.ReadToken()
	return err
}

// members calls member with each name of an object, and the path at its value.
func (d *decoder) members(member func(name string) error) error {
	if _, err := d.json.ReadToken(); err != nil {
		return err
	}
	d.path = append(d.path, step{})
	for d.json.PeekKind() != '}' {
		name, err := d.json.ReadToken()
		if err != nil {
			return err
		}
		s := name.String()
		d.path[len(d.path)-1].name = s
		if err := member(s); err != nil {
			return err
		}
	}
	d.path = d.path[:len(d.path)-1]
	_, err := d.json.ReadToken()
	return err
}

func (d *decoder) object(dst reflect.Value) error {
	known := fieldsOf(dst.Type())
	var seen uint64 // by index
	return d.members(func(name string) error {
		i, ok := known.index[name]
		switch {
		case !ok:
			d.refuse("unknown field, did you mean %s?", suggestion{name, known.names})
		case seen&(1<<i) != 0:
			d.refuse("given twice")
		default:
			seen |= 1 << i
			if d.json.PeekKind() == 'n' && known.nullable[i] {
				return d.json.SkipValue()
			}
			d.limit = known.limits[i]
			return d.value(dst.FieldByIndex(known.paths[i]))
		}
		return d.json.SkipValue()
	})
}

// each is a field for a list too long to hold: it is called with every element
// in turn, ok being false for one that had a problem and is only half read.
type each[T any] func(element *T, ok bool)

// lister is what each[T] is to the decoder, whatever T.
type lister interface{ elements(d *decoder) error }

func (f each[T]) elements(d *decoder) error {
	return d.array(func() error {
		var element T
		before := d.problems.Len()
		if err := d.value(reflect.ValueOf(&element).Elem()); err != nil {
			return err
		}
		f(&element, d.problems.Len() == before)
		return nil
	})
}
