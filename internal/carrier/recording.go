package carrier

import (
	"context"
	"errors"
	"io"
	"time"
)

// Recordings is access to the recordings of a carrier. The carrier keeps them, and the
// product only has their IDs.
type Recordings interface {
	// Recording returns the finished recording of a call. Errors: ErrNoRecording if the
	// call has none yet.
	Recording(ctx context.Context, carrierCallID string) (Recording, error)

	// OpenRecording begins to fetch a recording, or the part that an HTTP Range names. An
	// empty part is the whole recording. The caller closes the Body. The end of ctx ends the
	// fetch. Errors: ErrNoRecording, and ErrNoSuchPart for a recording that is shorter.
	OpenRecording(ctx context.Context, id, part string) (*Sound, error)

	// DeleteRecording deletes a recording. A recording that is gone is no error.
	DeleteRecording(ctx context.Context, id string) error
}

// ErrNoRecording says that the carrier answered and has no such recording.
var ErrNoRecording = errors.New("carrier: no such recording")

// ErrNoSuchPart says that a recording has nothing in the requested range.
var ErrNoSuchPart = errors.New("carrier: the recording has no such part")

// Recording is a finished recording.
type Recording struct {
	ID       string        // unique within the connection
	Duration time.Duration // whole seconds; 0: the carrier does not say
}

// Sound is a recording, or a part of it, that is being fetched from the carrier.
type Sound struct {
	Body   io.ReadCloser
	Type   string // "audio/wav"
	Length int64  // of Body; -1: the carrier does not say
	Part   string // the HTTP Content-Range if Body is a part
	Parts  bool   // the carrier serves parts
}
