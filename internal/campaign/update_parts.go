package campaign

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/project"
)

// newParts are what a change makes a campaign use, locked against their removal.
type newParts struct {
	read         *Campaign // before its lock; nil: the change names no part
	versions     []project.AgentVersion
	connectionID *uuid.UUID // nil: it stays
	sourced      bool       // the messages change, or what their template was checked with
	source       *uuid.UUID // the WhatsApp number that sends them; nil: there are none
}

// wanted returns the IDs of the agent, the phone number and the pool after the change. Naming a phone number or a pool
// alone takes the place of the other.
func (ch Change) wanted(c Campaign) (agent, number, pool string) {
	text := func(id *uuid.UUID) string {
		if id == nil {
			return ""
		}
		return id.String()
	}
	agent, number, pool = c.AgentID.String(), text(c.PhoneNumberID), text(c.NumberPoolID)
	if ch.AgentID != nil {
		agent = *ch.AgentID
	}
	named := func(id **string) bool { return id != nil && *id != nil }
	switch {
	case ch.PhoneNumberID != nil:
		number = valueOf(*ch.PhoneNumberID)
	case named(ch.NumberPoolID):
		number = ""
	}
	switch {
	case ch.NumberPoolID != nil:
		pool = valueOf(*ch.NumberPoolID)
	case named(ch.PhoneNumberID):
		pool = ""
	}
	return agent, number, pool
}

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// otherParts lists the fields of wanted that differ from those of a campaign.
func (ch Change) otherParts(c Campaign) (fields []string) {
	agent, number, pool := ch.wanted(c)
	oldAgent, oldNumber, oldPool := Change{}.wanted(c)
	for _, field := range []struct{ name, old, new string }{
		{"agent_id", oldAgent, agent}, {"phone_number_id", oldNumber, number}, {"number_pool_id", oldPool, pool},
	} {
		if field.old != field.new {
			fields = append(fields, field.name)
		}
	}
	return fields
}

// newParts reads the agent, the versions and the source of calls that a change chooses, and keeps them from being
// removed. It comes before the lock of the campaign, because the removal of an agent locks its campaigns after it. A
// part that is refused later is not read. Errors: NotFound, Invalid.
func (s *Service) newParts(
	ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, ch Change,
) (n newParts, err error) {
	if ch.AgentVersion == nil && ch.AgentID == nil && ch.PhoneNumberID == nil && ch.NumberPoolID == nil &&
		ch.Messaging == nil && ch.Variables == nil {
		return n, nil
	}
	c, err := read(ctx, tx, organizationID, id)
	if err != nil {
		return n, err
	}
	n.read = &c
	if c.Status.Terminal() { // refused later, as is a change of a campaign that was used
		return n, nil
	}
	if used, err := used(ctx, tx, organizationID, id); used || err != nil {
		return n, err
	}
	if done, err := n.withMessages(ctx, tx, s, c, ch); done || err != nil {
		return n, err
	}
	var p fault.Problems
	agentText, number, pool := ch.wanted(c)
	agentID := check.ID(&p, "agent_id", "agent", agentText)
	if p.Len() > 0 {
		return n, p.Err()
	}
	if ch.AgentVersion != nil || agentID != c.AgentID {
		version := ch.agentVersion(c)
		if version.check(&p); p.Len() > 0 {
			return n, p.Err()
		}
		agent, err := project.LockAgentForUse(ctx, tx, organizationID, agentID)
		if err != nil {
			return n, err
		}
		n.versions, _, err = UsedAgent{ID: agent.ID, Version: version}.versions(ctx, tx, organizationID, agent)
		if err != nil {
			return n, err
		}
	}
	return n, n.callFrom(ctx, tx, organizationID, c, number, pool)
}

// callFrom reads the phone number or the pool, if it is another one. Settling the change reports that there is none, or
// both.
func (n *newParts) callFrom(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, c Campaign, number, pool string,
) error {
	if _, oldNumber, oldPool := (Change{}).wanted(c); oldNumber == number && oldPool == pool ||
		(number == "") == (pool == "") {
		return nil
	}
	var p fault.Problems
	if pool != "" {
		id := check.ID(&p, "number_pool_id", "number pool", pool)
		if err := p.Err(); err != nil {
			return err
		}
		from, err := project.LockNumberPoolForUse(ctx, tx, organizationID, id)
		if err != nil {
			return err
		}
		n.connectionID = &from.ConnectionID
		return c.mayCallFrom(ctx, tx, Parts{Pool: &from})
	}
	id := check.ID(&p, "phone_number_id", "phone number", number)
	if err := p.Err(); err != nil {
		return err
	}
	from, err := project.LockPhoneNumberForUse(ctx, tx, organizationID, id)
	if err != nil {
		return err
	}
	n.connectionID = &from.ConnectionID
	return c.mayCallFrom(ctx, tx, Parts{Number: from})
}

// mayCallFrom refuses numbers whose connection is not ready for real calls, for a campaign that calls from other ones.
// The start of a draft decides about its numbers. Error: Conflict.
func (c Campaign) mayCallFrom(ctx context.Context, tx pgx.Tx, p Parts) error {
	if c.Status == Drafted || c.callsFrom() == p.callsFrom() {
		return nil
	}
	connection, blocking, err := project.Unready(ctx, tx, c.OrganizationID, p.ConnectionID(), p.NumberIDs()...)
	if err != nil || len(blocking) == 0 {
		return err
	}
	checks := make([]string, len(blocking))
	for i, b := range blocking {
		checks[i] = b.Label()
	}
	field := "phone_number_id"
	if p.Pool != nil {
		field = "number_pool_id"
	}
	var problems fault.Problems
	problems.Addf(field, "connection %s is not ready for real calls: %s. Fix this, or choose another number",
		connection.Name, strings.Join(checks, "; "))
	return conflict(&problems)
}

// agentVersion returns the version after the change. Another agent is followed as it is published, unless the change
// names a version.
func (ch Change) agentVersion(c Campaign) *AgentVersion {
	switch {
	case ch.AgentVersion != nil:
		return *ch.AgentVersion
	case ch.AgentID != nil && *ch.AgentID != c.AgentID.String():
		return nil
	}
	return c.AgentVersion
}

// stillFit refuses the parts if the campaign has got other ones before its lock, or has too many recipients for the
// quota of the new phone number's WhatsApp number. Errors: Conflict, Unprocessable.
func (n newParts) stillFit(old Campaign, set *settings, quota *messaging.Quota) error {
	if n.read == nil {
		return nil
	}
	if old.AgentID != n.read.AgentID || old.callsFrom() != n.read.callsFrom() ||
		(old.Status == Drafted) != (n.read.Status == Drafted) ||
		n.sourced && !(SameJSON(old.Messaging, n.read.Messaging) && SameJSON(old.Variables, n.read.Variables)) {
		return fault.Conflictf("The campaign has just been changed. Try again")
	}
	if quota == nil {
		return nil
	}
	if e := exceeds(old.Total, *quota, set.messaging == nil); e != nil {
		return e.fault()
	}
	return nil
}

// askCarriers asks what a change of the numbers or the messages depends on, because a transaction must not wait for a
// carrier: it has the connection of the new numbers checked if its checks are old, and returns the quota of the
// WhatsApp number from which the campaign then sends. Nil: no quota limits the list.
func (s *Service) askCarriers(
	ctx context.Context, organizationID, campaignID uuid.UUID, ch Change,
) (*messaging.Quota, error) {
	if ch.PhoneNumberID == nil && ch.NumberPoolID == nil && ch.Messaging == nil {
		return nil, nil
	}
	c, err := s.Get(ctx, organizationID, campaignID)
	if err != nil {
		return nil, err
	}
	var p fault.Problems
	_, number, pool := ch.wanted(c)
	set := settings{messaging: c.Messaging}
	if ch.Messaging != nil {
		set.messaging = (*ch.Messaging).settle(&p)
	}
	id, ok := check.ParseID(number)
	other := ch.otherParts(c)
	if c.Status.Terminal() || p.Len() > 0 || number != "" && !ok || // refused later
		len(other) == 0 && SameJSON(set.messaging, c.Messaging) {
		return nil, nil
	}
	if poolID, _ := check.ParseID(pool); c.Status != Drafted {
		from := CallsFrom{PhoneNumberID: id, NumberPoolID: poolID}
		if err := s.checkConnectionOf(ctx, organizationID, from); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(other, "phone_number_id") && SameJSON(set.messaging, c.Messaging) {
		return nil, nil
	}
	own, err := s.ownNumber(ctx, organizationID, id)
	if err != nil {
		return nil, err
	}
	return s.quotaOf(ctx, organizationID, set.chosen(own), set.messaging != nil)
}
