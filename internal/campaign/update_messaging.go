package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
)

// listed is what the stored recipients of a campaign have.
type listed struct {
	total     int
	variables map[string]bool // names that any recipient has a value for
}

// inTemplates are the fields with which the template of a campaign's messages is checked.
var inTemplates = []string{"agent_id", "agent_version", "phone_number_id", "number_pool_id", "variables"}

// withMessages reads all parts and the source of the messages of a campaign, if a change touches its messages or what
// their template was checked with. done is false if it touches neither. A change with problems is refused later.
// Errors: those of UseParts and useSource.
func (n *newParts) withMessages(
	ctx context.Context, tx pgx.Tx, s *Service, c Campaign, ch Change,
) (done bool, err error) {
	var problems fault.Problems
	d, set := ch.withoutEqualTimes(c).settle(c, s.now(), &problems)
	if problems.Len() > 0 {
		return true, nil
	}
	touched := slices.ContainsFunc(differences(c, d, set), func(field string) bool {
		return field == "messaging" || set.messaging.sends() && slices.Contains(inTemplates, field)
	})
	if !touched {
		return false, nil
	}
	d.checked = set
	if d.listed, err = readListed(ctx, tx, c.OrganizationID, c.ID); err != nil {
		return true, err
	}
	parts, err := UseParts(
		ctx, tx, c.OrganizationID, c.ProjectID, UsedAgent{ID: set.agentID, Version: d.AgentVersion}, set.from)
	if err != nil {
		return true, err
	}
	if n.source, err = useSource(ctx, tx, c.OrganizationID, d, parts); err != nil {
		return true, err
	}
	if err := c.mayCallFrom(ctx, tx, parts); err != nil {
		return true, err
	}
	connection := parts.ConnectionID()
	if n.source != nil {
		if err := s.mayMessage(ctx, tx, c.OrganizationID, connection); err != nil {
			return true, err
		}
	}
	n.sourced, n.versions, n.connectionID = true, parts.Versions, &connection
	return true, nil
}

// readListed reads what the recipients of a campaign have.
func readListed(ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID) (*listed, error) {
	l := listed{variables: map[string]bool{}}
	var named bool
	var names []string
	err := tx.QueryRow(ctx, `
		select count(*), coalesce(bool_or(name <> ''), false),
		       array(select distinct key from recipient, jsonb_object_keys(variables) key
		             where organization_id = $1 and campaign_id = $2)
		from recipient where organization_id = $1 and campaign_id = $2`, organizationID, campaignID).
		Scan(&l.total, &named, &names)
	if err != nil {
		return nil, fmt.Errorf("read the variables of campaign %s: %w", campaignID, err)
	}
	for _, name := range names {
		l.variables[name] = true
	}
	l.variables["name"] = l.variables["name"] || named
	return &l, nil
}
