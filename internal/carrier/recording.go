package carrier

import (
	"context"
	"errors"
	"io"
	"time"
)

// Recordings gives access to the recordings of a carrier. The carrier stores them, and the product
// has only their IDs.
type Recordings interface {
	// Recording returns the finished recording of a call. Errors: ErrNoRecording if the
	// call has none yet.
	Recording(ctx context.Context, carrierCallID string) (Recording, error)

	// OpenRecording begins to fetch a recording, or the part that an HTTP Range names. An empty
	// part is the whole recording. The caller closes the Body. The fetch ends when ctx ends.
	// Errors: ErrNoRecording, and ErrNoSuchPart for a recording that is shorter.
	OpenRecording(ctx context.Context, id, part string) (*Sound, error)

	// DeleteRecording deletes a recording. If the recording does not exist, it returns no error.
	DeleteRecording(ctx context.Context, id string) error
}

// ErrNoRecording says that the carrier answered and does not have the recording.
var ErrNoRecording = errors.New("carrier: no such recording")

// ErrNoSuchPart says that a recording has nothing in the requested range.
var ErrNoSuchPart = errors.New("carrier: the recording has no such part")

// Recording is a finished recording.
type Recording struct {
	ID       string        // unique within the connection
	Duration time.Duration // whole seconds; 0: not reported
}

// Sound is a recording, or a part of it, that is being fetched from the carrier.
type Sound struct {
	Body   io.ReadCloser
	Type   string // "audio/wav"
	Length int64  // of Body; -1: not reported
	Part   string // the HTTP Content-Range if Body is a part
	Parts  bool   // the carrier serves parts
}
