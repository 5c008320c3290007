package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// AgentVersion is the version of its agent that a campaign follows, whatever is published. With a split, some
// recipients get another version.
type AgentVersion struct {
	Version int           `json:"version"`
	Split   *VersionSplit `json:"split" nullable:"true"`
}

// VersionSplit is a version that some recipients get.
type VersionSplit struct {
	Version int `json:"version"`
	Percent int `json:"percent"` // 1 to 99, of the recipients
}

func (v *AgentVersion) check(p *fault.Problems) {
	if v == nil {
		return
	}
	if v.Version < 1 {
		p.Addf("agent_version.version", "must be the number of a version, from 1")
	}
	if v.Split == nil {
		return
	}
	switch {
	case v.Split.Version < 1:
		p.Addf("agent_version.split.version", "must be the number of a version, from 1")
	case v.Split.Version == v.Version:
		p.Addf("agent_version.split.version", "must be another version")
	}
	if v.Split.Percent < 1 || v.Split.Percent > 99 {
		p.Addf("agent_version.split.percent", "must be between 1 and 99")
	}
}

// UsedAgent is an agent and what of it calls follow.
type UsedAgent struct {
	ID      uuid.UUID
	Draft   bool          // the draft
	Version *AgentVersion // else these versions; nil: the published one at the time of each call
}

// versions reads the versions that the campaign chose, and what its calls follow. Errors: Invalid.
func (u UsedAgent) versions(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, a project.Agent,
) (chosen []project.AgentVersion, followed []project.AgentContent, err error) {
	switch {
	case u.Draft:
		followed = append(followed, a.AgentContent)
	case u.Version == nil:
		followed = append(followed, a.Followed())
	default:
		numbers := map[string]int{"agent_version.version": u.Version.Version}
		if u.Version.Split != nil {
			numbers["agent_version.split.version"] = u.Version.Split.Version
		}
		for _, path := range []string{"agent_version.version", "agent_version.split.version"} {
			number, ok := numbers[path]
			if !ok {
				continue
			}
			v, err := project.VersionOfAgent(ctx, tx, organizationID, a.ID, number)
			if fault.KindOf(err) == fault.NotFound {
				return nil, nil, fault.Invalidf(path, "%s has no version %d", a.Name, number)
			}
			if err != nil {
				return nil, nil, err
			}
			chosen, followed = append(chosen, v), append(followed, v.AgentContent)
		}
	}
	for _, content := range followed {
		if why := project.Unheard(a.Name, content.Language); why != "" {
			return nil, nil, fault.Invalidf("agent_id", "%s", why)
		}
	}
	return chosen, followed, nil
}

// versionArgs adds the columns of a campaign that say which versions it follows.
func (p Parts) versionArgs(v *AgentVersion, args pgx.NamedArgs) pgx.NamedArgs {
	args["agent_version_id"], args["split_version_id"], args["split_percent"] = nil, nil, nil
	if len(p.Versions) > 0 {
		args["agent_version_id"] = p.Versions[0].ID
	}
	if len(p.Versions) > 1 {
		args["split_version_id"], args["split_percent"] = p.Versions[1].ID, v.Split.Percent
	}
	return args
}

// agentVersionColumn is the column of Campaign.AgentVersion, for a query on campaign.
const agentVersionColumn = `case when campaign.agent_version_id is not null then jsonb_build_object(
		'version', (select number from agent_version v where v.id = campaign.agent_version_id),
		'split', case when campaign.split_version_id is not null then jsonb_build_object(
			'version', (select number from agent_version v where v.id = campaign.split_version_id),
			'percent', campaign.split_percent) end) end as agent_version`

// InSplit reports whether a recipient is among the percent of a campaign's recipients who get the other version. It
// is the same for every attempt.
func InSplit(campaignID, recipientID uuid.UUID, percent int) bool {
	sum := sha256.Sum256(append(campaignID[:], recipientID[:]...))
	return binary.BigEndian.Uint64(sum[:])%100 < uint64(percent)
}

// Ref names a campaign.
type Ref struct {
	ID   uuid.UUID
	Name string
}

// maxPinned bounds the campaigns that Pinned reads.
const maxPinned = 100

// Pinned returns the newest campaigns that chose a version of an agent, by the number of the version.
func (s *Service) Pinned(ctx context.Context, organizationID, agentID uuid.UUID) (map[int][]Ref, error) {
	rows, err := s.db.Query(ctx, `
		select v.number, c.id, c.name
		from (
			select id, name, created_at, agent_version_id, split_version_id from campaign
			where organization_id = @organization_id and kind = 'campaign' and agent_id = @agent_id
			  and agent_version_id is not null
			order by created_at desc, id desc
			limit @most) c
		join agent_version v on v.id in (c.agent_version_id, c.split_version_id)
		order by c.created_at desc, c.id desc`,
		pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID, "most": maxPinned})
	if err != nil {
		return nil, fmt.Errorf("read the campaigns of versions: %w", err)
	}
	pinned := map[int][]Ref{}
	var number int
	var c Ref
	if _, err := pgx.ForEachRow(rows, []any{&number, &c.ID, &c.Name}, func() error {
		pinned[number] = append(pinned[number], c)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read the campaigns of versions: %w", err)
	}
	return pinned, nil
}
