package campaign

import (
	"context"
	"slices"

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

// refuseParts adds a problem for each part and for the messages that change although the campaign keeps them. Only a
// draft changes them.
func (ch Change) refuseParts(c Campaign, p *fault.Problems) {
	if c.Status == Drafted {
		return
	}
	for _, field := range ch.otherParts(c) {
		p.Addf(field, "cannot be changed. Create a new campaign")
	}
	var ignored fault.Problems // of messages that are refused anyway
	if ch.Messaging != nil && !SameJSON((*ch.Messaging).settle(&ignored), c.Messaging) {
		p.Addf("messaging", "cannot be changed. Create a new campaign")
	}
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
	if c.Status.Terminal() || c.StartedAt != nil { // refused, if it is a change
		return n, nil
	}
	var p fault.Problems
	if ch.refuseParts(c, &p); p.Len() > 0 {
		return n, nil
	}
	if done, err := n.withMessages(ctx, tx, s, c, ch); done || err != nil {
		return n, err
	}
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
		n.connectionID = &from.ConnectionID
		return err
	}
	id := check.ID(&p, "phone_number_id", "phone number", number)
	if err := p.Err(); err != nil {
		return err
	}
	from, err := project.LockPhoneNumberForUse(ctx, tx, organizationID, id)
	n.connectionID = &from.ConnectionID
	return err
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

// askQuota asks for the quota of the WhatsApp number from which a draft sends after a change of its phone number or its
// messages, because a transaction must not wait for the operator. Nil: no quota limits the list.
func (s *Service) askQuota(
	ctx context.Context, organizationID, campaignID uuid.UUID, ch Change,
) (*messaging.Quota, error) {
	if (ch.PhoneNumberID == nil || *ch.PhoneNumberID == nil) && ch.Messaging == nil {
		return nil, nil
	}
	c, err := s.Get(ctx, organizationID, campaignID)
	if err != nil {
		return nil, err
	}
	var p fault.Problems
	_, number, _ := ch.wanted(c)
	set := settings{messaging: c.Messaging}
	if ch.Messaging != nil {
		set.messaging = (*ch.Messaging).settle(&p)
	}
	id, ok := check.ParseID(number)
	if c.Status != Drafted || p.Len() > 0 || number != "" && !ok || // refused later
		!slices.Contains(ch.otherParts(c), "phone_number_id") && SameJSON(set.messaging, c.Messaging) {
		return nil, nil
	}
	own, err := s.ownNumber(ctx, organizationID, id)
	if err != nil {
		return nil, err
	}
	return s.quotaOf(ctx, organizationID, set.chosen(own), set.messaging != nil)
}
