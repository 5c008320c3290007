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

// decode reads one JSON object into dst, a pointer to a struct whose fields have json
// tags, and adds every fault of the object to problems.
//
// It is strict: unknown fields, wrong types, a name given twice, invalid UTF-8, null characters
// and anything after the object are problems, each named by the path of its value. A field accepts
// null only if its tag says nullable; null then means the same as absent, or in a field that is a
// pointer to a pointer, that the value is removed. The reading of a hostile body is bounded: a
// list ends the reading at the limit of its field, and free-form values have maxFreeform. After a
// problem with a value, decode reads on, so that one answer names all problems. It stops at a list
// that is too long and at malformed JSON: whole is then false, and dst is incomplete. The returned
// error is a fault too (TooLarge, or a body that broke off); the caller then ignores problems.
func decode(body io.Reader, dst any, problems *fault.Problems) (whole bool, err error) {
	// The decoder compares names itself where they are few: in the API's own objects and
	// in stored free-form values. If jsontext compared them everywhere, it would keep a
	// body full of names in memory several times.
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
	errTooMany  = errors.New("a list has too many elements") // the problem is recorded already
)

// decoder keeps its position in the document, to name a problem by its path. It formats
// the path only for a problem.
type decoder struct {
	json     *jsontext.Decoder
	problems *fault.Problems
	path     []step
	text     []byte // the last string, without quotes
	limit    int    // greatest number of elements of the next field
}

// step is one part of a path: a name in an object, or an index if array is set.
type step struct {
	array bool
	name  string
	index int
}

// refuse records a problem with the value at the current path.
func (d *decoder) refuse(format string, args ...any) {
	d.problems.Addf(d.where(), format, args...)
}

// where returns the current path, such as recipients[3].phone_number.
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

// maxNameShown bounds how much of an unknown name an answer repeats.
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
		d.problems.Addf("", notGzip)
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
		return notArrived().Because(err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		d.problems.Addf("", "not valid JSON: it ends too early")
	} else {
		at := strconv.FormatInt(syntax.ByteOffset, 10) // a position, which has no commas
		d.problems.Addf("", "not valid JSON: %s at byte %s", syntax.Err, at)
	}
	return nil
}

// below returns the path of a JSON pointer within the current value. A pointer does not
// distinguish an index from a name of digits. In free-form values the difference does not
// matter.
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
	case reflect.Map:
		if kind != '{' {
			return d.wrongType("an object")
		}
		return d.named(dst)
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

// null records a problem for a null in a field that is not nullable.
func (d *decoder) null() error {
	if err := d.json.SkipValue(); err != nil {
		return err
	}
	d.refuse("must not be null")
	return nil
}

// wrongType records the expected type in place of the next value, and skips that value.
// It returns an error if there is no next value.
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

// string reads a string. s is valid until the next string is read. ok is false if there
// was a problem.
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

// maxFreeform bounds a stored free-form value, in bytes. It is above the limits of
// variables and metadata in any notation.
const maxFreeform = 1 << 20

// freeform stores a value of any shape as it was sent.
func (d *decoder) freeform(dst reflect.Value) error {
	raw, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	if len(raw) > maxFreeform {
		d.refuse("must have at most %d MiB", maxFreeform>>20)
		return nil
	}
	if !raw.IsValid() { // the syntax is valid, so the problem is a name
		_, err := jsontext.NewDecoder(bytes.NewReader(raw)).ReadValue()
		if repeated, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			d.problems.Addf(d.below(repeated.JSONPointer), "given twice")
			return nil
		}
	}
	dst.SetBytes(bytes.Clone(raw))
	return nil
}

// maxElements bounds a list without a limit of its own.
const maxElements = 1000

func (d *decoder) slice(dst reflect.Value) error {
	return d.array(func() error {
		dst.Grow(1)
		dst.SetLen(dst.Len() + 1)
		return d.value(dst.Index(dst.Len() - 1))
	})
}

// array calls element for each element in turn, with the path set. It ends the reading of
// the body at the first element over the limit: the list is refused anyway, and reading
// millions of elements takes seconds.
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

// members calls member with each name of an object, with the path set to its value.
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
	var seen uint64 // bits by index of the field
	return d.members(func(name string) error {
		i, ok := known.index[name]
		switch {
		case !ok:
			d.refuse("unknown field%s", suggestion{name, known.names})
		case seen&(1<<i) != 0:
			d.refuse("given twice")
		default:
			seen |= 1 << i
			if d.json.PeekKind() == 'n' && known.nullable[i] {
				if field := dst.FieldByIndex(known.paths[i]); removable(field.Type()) {
					field.Set(reflect.New(field.Type().Elem()))
				}
				return d.json.SkipValue()
			}
			d.limit = known.limits[i]
			return d.value(dst.FieldByIndex(known.paths[i]))
		}
		return d.json.SkipValue()
	})
}

// removable reports whether null in a field is a request to remove its value: then the field points to nil.
func removable(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Pointer
}

// named reads an object with any names into a map.
func (d *decoder) named(dst reflect.Value) error {
	all := reflect.MakeMap(dst.Type())
	dst.Set(all)
	return d.members(func(name string) error {
		key := reflect.ValueOf(name)
		if all.MapIndex(key).IsValid() {
			d.refuse("given twice")
			return d.json.SkipValue()
		}
		value := reflect.New(dst.Type().Elem()).Elem()
		err := d.value(value)
		all.SetMapIndex(key, value)
		return err
	})
}

// each is a field for a list that is too long for memory. It is called with every element
// in turn. ok is false for an element with a problem, which is only partly read.
type each[T any] func(element *T, ok bool)

// lister is each[T] of any T, as the decoder calls it.
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
