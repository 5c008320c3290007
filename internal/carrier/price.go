package carrier

import "context"

// Prices gives access to what the carrier charges. A carrier knows a price only minutes or hours
// after a call, and may correct it later.
type Prices interface {
	// CallPrice asks what a call cost. Errors: ErrUnknownCall.
	CallPrice(ctx context.Context, carrierCallID string) (Price, error)

	// RecordingPrice asks what a recording cost. Errors: ErrUnknownCall, such as for a deleted one.
	RecordingPrice(ctx context.Context, recordingID string) (Price, error)
}

// Price is what the carrier charged. A charge is positive and a credit is negative.
type Price struct {
	Amount   string // an exact decimal; empty: not known yet
	Currency string // ISO 4217; empty: not known yet
}
