package carrier

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Listening gives access to the sound of answered calls while they last.
type Listening interface {
	// Listen asks the carrier to send the sound of an answered call, which comes to Host.Hear with the ticket. Whoever
	// knows the ticket may send sound. Errors: ErrUnknownCall for a call that has ended.
	Listen(ctx context.Context, l Listen) error
}

// Listen is a request for the sound of a call.
type Listen struct {
	CallID        uuid.UUID
	CarrierCallID string
	Ticket        string // letters and digits, which nobody can guess
}

// Listener is the part of the Host that receives the sound of calls.
type Listener interface {
	// Hear reads the sound of a call, which the carrier sends because of a Listen. It returns when nobody listens any
	// more or the sound has ended. The adapter then closes the socket, and the call goes on.
	Hear(ctx context.Context, connectionID, callID uuid.UUID, ticket string, sound LiveSound)
}

// LiveSound is the sound of a call while the call lasts. One goroutine reads it.
type LiveSound interface {
	// Next waits for the next piece of sound. Errors: io.EOF when no more comes, and that of ctx.
	Next(ctx context.Context) (Piece, error)
}

// Piece is a short piece of sound of one side of a call. Pieces may be missing, late or sent twice.
type Piece struct {
	Side Side
	At   time.Duration // of its beginning, since the beginning of the sound
	Data []byte        // G.711 µ-law, 8,000 bytes per second
}

// Side is one of the two sides of a call.
type Side uint8

const (
	AgentSide  Side = iota // what the phone receives
	PersonSide             // what comes from the phone
)
