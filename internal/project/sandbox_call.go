package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/simulation"
)

// SandboxCall is a call that a simulated person makes to a number of a sandbox connection.
type SandboxCall struct {
	From     string // E.164, or as people of the organization's region write it
	Withheld bool   // the caller withholds the number; From is ignored
	Caller   string // what the person does: one of sandbox.Callers
}

// SandboxNumber returns an active number of a sandbox connection. Errors: NotFound, also for any other connection.
func (s *Service) SandboxNumber(ctx context.Context, organizationID, id uuid.UUID) (PhoneNumber, error) {
	n, err := s.PhoneNumber(ctx, organizationID, id)
	if err == nil && n.Carrier != Sandbox {
		return PhoneNumber{}, fault.NotFoundf("Phone number of the sandbox")
	}
	return n, err
}

// CallInSandbox lets a simulated person call a number of a sandbox connection. Errors: NotFound, Invalid, and Conflict
// if the sandbox refuses the call.
func (s *Service) CallInSandbox(ctx context.Context, actor account.Actor, id uuid.UUID, in SandboxCall) error {
	n, err := s.SandboxNumber(ctx, actor.OrganizationID, id)
	if err != nil {
		return err
	}
	var region string
	err = s.pool.QueryRow(ctx, `select region from organization where id = $1`, actor.OrganizationID).Scan(&region)
	if err != nil {
		return fmt.Errorf("read the region of an organization: %w", err)
	}
	var p fault.Problems
	from := ""
	if !in.Withheld {
		number, err := phone.ParseNational(in.From, region)
		switch from = number.String(); {
		case err != nil:
			p.Addf("from_number", "%s", err)
		case from == n.PhoneNumber.String():
			p.Addf("from_number", "must be another number")
		}
	}
	if !slices.ContainsFunc(sandbox.Callers(), func(o simulation.Outcome) bool { return o.Digits == in.Caller }) {
		p.Addf("caller", "choose what the caller does")
	}
	if err := p.Err(); err != nil {
		return err
	}
	err = s.carriers.CallIn(ctx, n.ConnectionID, sandbox.CallIn{
		From: from, To: n.PhoneNumber.String(), Caller: in.Caller,
	})
	if refused, ok := errors.AsType[*sandbox.RefusedError](err); ok {
		return fault.Conflictf("The sandbox refuses the call: %s", strings.TrimSuffix(refused.Message, "."))
	}
	if err != nil {
		return fmt.Errorf("call a number of the sandbox: %w", err)
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		return account.Record(ctx, tx, actor, "phone_number.called_in_sandbox",
			account.Object{Type: "phone_number", ID: id},
			map[string]any{"phone_number": n.PhoneNumber, "withheld": in.Withheld, "caller": in.Caller})
	})
}
