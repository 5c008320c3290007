package carrier

import (
	"context"
	"errors"
	"io"
	"time"
)

// Recordings is what a carrier offers for the calls it was asked to record. It
// keeps them; the product only knows their ids.
type Recordings interface {
	// Recording finds the finished recording of a call. ErrNoRecording when there
	// is none, or none yet.
	Recording(ctx context.Context, carrierCallID string) (Recording, error)

	// OpenRecording begins to fetch a recording, or the part of it that a Range
	// of HTTP names; empty means all of it. The caller closes the Body, and ends
	// the fetch with ctx. ErrNoRecording when the carrier does not have it,
	// ErrNoSuchPart when it is shorter.
	OpenRecording(ctx context.Context, id, part string) (*Sound, error)

	// DeleteRecording deletes one for good. One that is gone is no error.
	DeleteRecording(ctx context.Context, id string) error
}

// ErrNoRecording means the carrier answered, and has no such recording.
var ErrNoRecording = errors.New("carrier: no such recording")

// ErrNoSuchPart means that a recording has nothing in the range asked for.
var ErrNoSuchPart = errors.New("carrier: the recording has no such part")

// Recording is a finished recording.
type Recording struct {
	ID       string        // the carrier's, unique within the connection
	Duration time.Duration // whole seconds; 0 when the carrier does not say
}

// Sound is a recording, or a part of one, on its way from the carrier.
type Sound struct {
	Body   io.ReadCloser
	Type   string // "audio/wav"
	Length int64  // of Body; -1 when the carrier does not say
	Part   string // the Content-Range of HTTP when Body is a part; else empty
	Parts  bool   // the carrier serves parts
}
