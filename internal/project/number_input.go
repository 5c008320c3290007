package project

import (
	"context"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// NumberInput contains the settings of a number that a request of the API sets. A nil field is absent: it has its
// default in a new number and stays in a change.
type NumberInput struct {
	Name                *string   `json:"name"`
	MaxConcurrency      **int     `json:"max_concurrency" nullable:"true"`
	CallsPerSecond      **float64 `json:"calls_per_second" nullable:"true"`
	MessagingExternalID **string  `json:"messaging_external_id" nullable:"true"`
}

// into returns the settings with the fields of the input.
func (in NumberInput) into(s NumberSettings) NumberSettings {
	set(&s.Name, in.Name)
	set(&s.MaxConcurrency, in.MaxConcurrency)
	set(&s.CallsPerSecond, in.CallsPerSecond)
	set(&s.MessagingExternalID, in.MessagingExternalID)
	return s
}

// Check reports what is wrong with the settings, as far as it can be known without the database. Error: Invalid.
func (in NumberInput) Check() error {
	var p fault.Problems
	settings := in.into(NumberSettings{})
	settings.check(&p)
	return p.Err()
}

// NewNumberInput is a number to add, as requested through the API.
type NewNumberInput struct {
	ConnectionID string `json:"connection_id"`
	PhoneNumber  string `json:"phone_number"`
	NumberInput
}

// Check is [NumberInput.Check] for a number to add. Error: Invalid.
func (in NewNumberInput) Check() error {
	_, err := in.connection()
	return err
}

// connection returns the ID of the connection. Errors: those of Check.
func (in NewNumberInput) connection() (uuid.UUID, error) {
	var p fault.Problems
	id := check.ID(&p, "connection_id", "connection", in.ConnectionID)
	if in.PhoneNumber == "" {
		p.Addf("phone_number", "required")
	}
	p.Also(in.NumberInput.Check())
	return id, p.Err()
}

// AddPhoneNumber is [Service.CreatePhoneNumber] for the API. The number can place calls.
func (s *Service) AddPhoneNumber(ctx context.Context, actor account.Actor, in NewNumberInput) (PhoneNumber, error) {
	connectionID, err := in.connection()
	if err != nil {
		return PhoneNumber{}, err
	}
	return s.CreatePhoneNumber(ctx, actor, NewPhoneNumber{
		ConnectionID: connectionID, PhoneNumber: in.PhoneNumber, NumberSettings: in.into(NumberSettings{Voice: true}),
	})
}

// ChangePhoneNumber changes some settings of an active number that can place calls. Unchanged may refuse the change of
// the number as it is then. Errors: those of UpdatePhoneNumber, and that of unchanged.
func (s *Service) ChangePhoneNumber(
	ctx context.Context, actor account.Actor, id uuid.UUID, in NumberInput, unchanged func(PhoneNumber) error,
) (PhoneNumber, error) {
	return s.updatePhoneNumber(ctx, actor, id, func(old PhoneNumber) (NumberSettings, error) {
		if !old.Voice { // the API shows no such number
			return NumberSettings{}, fault.NotFoundf("Phone number")
		}
		if err := unchanged(old); err != nil {
			return NumberSettings{}, err
		}
		return in.into(NumberSettings{
			Name: old.Name, Voice: old.Voice, MaxConcurrency: old.MaxConcurrency, CallsPerSecond: old.CallsPerSecond,
			MessagingExternalID: old.MessagingExternalID,
		}), nil
	})
}
