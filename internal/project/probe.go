package project

import (
	"context"
	"errors"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

// probe has the carrier asked whether it accepts new credentials, before they
// are kept. Invalid says what the carrier said, or that it could not be asked.
func (s *Service) probe(ctx context.Context, kind Kind, account, token string) error {
	if s.Probe == nil || kind != Twilio {
		return nil
	}
	err := s.Probe(ctx, account, token)
	if err == nil {
		return nil
	}
	problem, ok := errors.AsType[*carrier.Error](err)
	switch {
	case !ok:
		return err
	case problem.Kind == carrier.Unusable:
		return fault.Invalidf("token", "%s", problem.Reason)
	}
	return fault.Invalidf("token", "could not be checked: %s", problem.Reason)
}
