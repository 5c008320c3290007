package page

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
)

type row struct {
	at time.Time
	id uuid.UUID
}

func key(r row) (time.Time, uuid.UUID) { return r.at, r.id }

func TestCutTellsWhetherThereIsMore(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_790_000_000_123).UTC()
	rows := []row{{at, uuid.Must(uuid.NewV7())}, {at, uuid.Must(uuid.NewV7())}, {at, uuid.Must(uuid.NewV7())}}

	if l := Cut(Request{Limit: 3}, rows, key); l.HasMore || l.NextCursor != nil || len(l.Data) != 3 {
		t.Errorf("a full last page: %+v", l)
	}
	l := Cut(Request{Limit: 2}, rows, key)
	if !l.HasMore || l.NextCursor == nil || len(l.Data) != 2 {
		t.Fatalf("a page with more to come: %+v", l)
	}
	gotAt, gotID, ok := decode(*l.NextCursor)
	if !ok || !gotAt.Time.Equal(at) || gotID != rows[1].id {
		t.Errorf("cursor %q reads %v %v, want the last row shown", *l.NextCursor, gotAt.Time, gotID)
	}

	empty, err := json.Marshal(Map(Cut(Request{}, nil, key), func(row) int { return 0 }))
	if err != nil || string(empty) != `{"data":[],"has_more":false,"next_cursor":null}` {
		t.Errorf("an empty list is %s, %v", empty, err)
	}
}

// All reads every page, can be run again, and ends with the reader or the first error.
func TestAllReadsToTheEnd(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	next := map[string]string{"": "b", "b": "c"}
	reads, broken := 0, "none"
	read := func(r Request) (List[string], error) {
		reads++
		if r.Cursor == broken {
			return List[string]{}, lost
		}
		list := List[string]{Data: []string{r.Cursor + "1", r.Cursor + "2"}}
		if to, more := next[r.Cursor]; more {
			list.NextCursor = &to
		}
		return list, nil
	}
	convert := func(s string) (string, error) {
		if s == broken {
			return "", lost
		}
		return "<" + s + ">", nil
	}
	all := All(Request{Cursor: "elsewhere"}, read, convert)
	run := func(most int) (got []string, err error) {
		for item, e := range all {
			if err = e; err != nil {
				continue // an iterator that went on after its error would show here
			}
			if got = append(got, item); len(got) == most {
				break
			}
		}
		return got, err
	}
	for range 2 {
		if got, err := run(-1); err != nil || strings.Join(got, "") != "<1><2><b1><b2><c1><c2>" {
			t.Errorf("the whole list: %v, %v", got, err)
		}
	}
	reads = 0
	if got, err := run(2); err != nil || len(got) != 2 || reads != 1 {
		t.Errorf("a reader that stops: %v, %v after %d reads", got, err, reads)
	}
	for at, want := range map[string]string{"c": "<1><2><b1><b2>", "b2": "<1><2><b1>"} {
		broken = at
		if got, err := run(-1); !errors.Is(err, lost) || strings.Join(got, "") != want {
			t.Errorf("an error at %s: %v, %v", at, got, err)
		}
	}
}

func TestArgsRefuseWhatIsMalformed(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]Request{
		"limit: must be between 1 and 1,000":                             {Limit: 1001},
		"cursor: not a valid cursor":                                     {Cursor: "abc"},
		"limit: must be between 1 and 1,000; cursor: not a valid cursor": {Limit: -1, Cursor: "\x00"},
	} {
		err := r.Args(pgx.NamedArgs{})
		if fault.KindOf(err) != fault.Invalid || fault.As(err).Message != want {
			t.Errorf("%+v: %v, want %q", r, err, want)
		}
	}
}

// A time bound must not change the ID of the position in a list that is ordered by ID
// alone.
func TestArgsKeepTheIDOfThePosition(t *testing.T) {
	t.Parallel()
	at, id := time.UnixMilli(1_790_000_000_123).UTC(), uuid.Must(uuid.NewV7())
	for _, before := range []time.Time{{}, at.Add(-time.Hour), at, at.Add(time.Hour)} {
		for cursor, want := range map[string]uuid.UUID{"": uuid.Max, Cursor(at, id): id} {
			args := pgx.NamedArgs{}
			if err := (Request{
				Cursor: cursor, CreatedBefore: before,
			}).Args(args); err != nil || args["page_id"] != want {
				t.Errorf("cursor %q, before %v: %v, %v", cursor, before, args["page_id"], err)
			}
		}
	}
}

// A cursor with a tag is valid only in its own list.
func TestTagsTieACursorToItsList(t *testing.T) {
	t.Parallel()
	tags := func(keys ...string) func([]byte) [][]byte {
		return func(position []byte) (tags [][]byte) {
			for _, key := range keys {
				sum := sha256.Sum256([]byte(key + string(position)))
				tags = append(tags, sum[:TagSize])
			}
			return tags
		}
	}
	at := time.UnixMilli(1_790_000_000_123).UTC()
	rows := []row{{at, uuid.Must(uuid.NewV7())}, {at, uuid.Must(uuid.NewV7())}}
	cursor := *Cut(Request{Limit: 1, Tags: tags("calls")}, rows, key).NextCursor
	args := pgx.NamedArgs{}
	for _, there := range [][]string{{"calls"}, {"new", "calls"}} { // also after the key was changed
		if err := (Request{
			Cursor: cursor, Tags: tags(there...),
		}).Args(args); err != nil || args["page_id"] != rows[0].id {
			t.Errorf("%v: %v at %v", there, err, args["page_id"])
		}
	}
	for what, r := range map[string]Request{
		"another list":        {Cursor: cursor, Tags: tags("campaigns")},
		"a bare position":     {Cursor: Cursor(at, rows[0].id), Tags: tags("calls")},
		"a position altered":  {Cursor: cursor[:20] + "xxxx" + cursor[24:], Tags: tags("calls")},
		"a tag altered":       {Cursor: cursor[:len(cursor)-6] + "AAAAAA", Tags: tags("calls")},
		"a list of bare ones": {Cursor: cursor},
	} {
		if err := r.Args(args); fault.KindOf(err) != fault.Invalid ||
			fault.As(err).Message != "cursor: not a valid cursor" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Any input is either refused as a cursor or is a cursor that the product could have
// made.
func FuzzCursor(f *testing.F) {
	f.Add("")
	f.Add(Cursor(time.UnixMilli(1_790_000_000_123), uuid.Must(uuid.NewV7())))
	f.Add("AAAA\n0000000000000000000000000000") // base64 decoders skip line breaks
	f.Add("__________________________________________")
	f.Fuzz(func(t *testing.T, cursor string) {
		// These tags are too short to match.
		sealed := Request{Cursor: cursor, Tags: func([]byte) [][]byte { return [][]byte{make([]byte, TagSize-1)} }}
		if err := sealed.Args(pgx.NamedArgs{}); err == nil && cursor != "" {
			t.Errorf("%q is taken without a tag", cursor)
		}
		at, id, ok := decode(cursor)
		if !ok || cursor == "" {
			return
		}
		if again := Cursor(at.Time, id); again != cursor {
			t.Errorf("%q reads as %v %v, which is %q", cursor, at.Time, id, again)
		}
	})
}
