package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// InboundSetUp is what a phone number does at its carrier when somebody calls it, and what it must do so that the calls
// arrive here.
type InboundSetUp struct {
	PhoneNumberID uuid.UUID
	Now, After    carrier.NumberSetUp
}

// Done reports whether calls to the number arrive here.
func (s InboundSetUp) Done() bool { return s.Now == s.After }

// Revision identifies what the number does now.
func (s InboundSetUp) Revision() string {
	text, err := json.Marshal(s.Now)
	if err != nil {
		panic(fmt.Sprintf("the set-up of a number is not JSON: %v", err)) // it has only strings
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// InboundAddresses returns what an active phone number must do at its carrier, without a request to the carrier.
// Errors: NotFound.
func (s *Service) InboundAddresses(ctx context.Context, organizationID, id uuid.UUID) (carrier.NumberSetUp, error) {
	n, err := s.PhoneNumber(ctx, organizationID, id)
	if err != nil {
		return carrier.NumberSetUp{}, err
	}
	return s.carriers.NumberMustDo(ctx, n.ConnectionID)
}

// InboundSetUp asks the carrier what an active phone number does. Errors: NotFound; Conflict if the account does not
// have the number or refuses the request; BadGateway when the carrier gives no answer.
func (s *Service) InboundSetUp(ctx context.Context, organizationID, id uuid.UUID) (InboundSetUp, error) {
	n, err := s.PhoneNumber(ctx, organizationID, id)
	if err != nil {
		return InboundSetUp{}, err
	}
	set := InboundSetUp{PhoneNumberID: id}
	if set.After, err = s.carriers.NumberMustDo(ctx, n.ConnectionID); err != nil {
		return set, fmt.Errorf("find what phone number %s must do: %w", id, err)
	}
	set.Now, err = s.carriers.NumberDoes(ctx, n.ConnectionID, n.PhoneNumber.String())
	return set, setUpProblem(err, "Nothing was changed.")
}

// SetUpInbound sets a phone number up at its carrier, so that the calls to it arrive here. revision is that of the
// set-up that the actor has seen. The carrier has no conditional change, so a change in the moment between our look
// and our request is replaced. Errors: those of InboundSetUp, and Conflict if the number does something else by now.
func (s *Service) SetUpInbound(
	ctx context.Context, actor account.Actor, id uuid.UUID, revision string,
) (InboundSetUp, error) {
	set, err := s.InboundSetUp(ctx, actor.OrganizationID, id)
	switch {
	case err != nil:
		return set, err
	case revision == "":
		return set, fault.Invalidf("revision", "required")
	case revision != set.Revision():
		return set, fault.Conflictf("The number was changed at the carrier since you looked. " +
			"Check the difference again")
	case set.Done():
		return set, nil
	}
	n, err := s.PhoneNumber(ctx, actor.OrganizationID, id)
	if err != nil {
		return set, err
	}
	before := set.Now
	set.Now, err = s.carriers.SetUpNumber(ctx, n.ConnectionID, n.PhoneNumber.String(), set.After)
	if err != nil {
		set.Now = before
		return set, setUpProblem(err, "It may have been changed. Check the difference again.")
	}
	// The number is changed at the carrier, so the entry is written even if the client has gone.
	err = postgres.InTx(context.WithoutCancel(ctx), s.pool, func(tx pgx.Tx) error {
		return account.Record(ctx, tx, actor, "phone_number.set_up", account.Object{Type: "phone_number", ID: id},
			map[string]any{
				"phone_number": n.PhoneNumber, "before": withoutSecrets(before), "after": withoutSecrets(set.Now),
			})
	})
	if err != nil {
		return set, fmt.Errorf("record the set-up of phone number %s: %w", id, err)
	}
	return set, nil
}

// setUpProblem returns what people may know of a carrier's refusal. unsure says what is open if the carrier gave no
// clear answer.
func setUpProblem(err error, unsure string) error {
	problem, ok := errors.AsType[*carrier.Error](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, carrier.ErrUnknownNumber):
		return fault.Conflictf("The carrier account does not have this number. A number that is only verified can " +
			"place calls, but nobody can call it")
	case !ok:
		return fmt.Errorf("set up a phone number: %w", err)
	case problem.Kind == carrier.Refused || problem.Kind == carrier.Unusable && problem.Err == nil:
		return fault.Conflictf("The number could not be set up: %s", problem.Reason)
	}
	return fault.New(fault.BadGateway, "The carrier gave no clear answer: %s. %s", problem.Reason, unsure)
}

// withoutSecrets returns a set-up whose addresses have no passwords and no parameters, which may be secrets.
func withoutSecrets(do carrier.NumberSetUp) carrier.NumberSetUp {
	for _, address := range []*string{&do.VoiceURL, &do.VoiceFallbackURL, &do.StatusCallback} {
		parsed, err := url.Parse(*address)
		if err != nil {
			*address = ""
			continue
		}
		parsed.User, parsed.RawQuery = nil, ""
		*address = parsed.String()
	}
	return do
}
