package evaluation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	noField = "the agent collects no field of this key"
	noTool  = "no tool has this name"
)

func keysOf(script conversation.Script) []string {
	all := make([]string, len(script.Questions))
	for i, q := range script.Questions {
		all[i] = q.Key
	}
	return all
}

// checkNames checks that a case names only fields that the draft collects, and tools that agents of the organization
// can have. The draft need not have the tool: an agent can be scripted for a while.
func checkNames(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, draft conversation.Script, c Content, p *fault.Problems,
) error {
	tools, err := postgres.Collect(ctx, tx, pgx.RowTo[string], `
		select name from tool where organization_id = $1 and deactivated_at is null order by name`, organizationID)
	if err != nil {
		return fmt.Errorf("read the names of tools: %w", err)
	}
	answering := append(slices.Clone(tools), string(conversation.SendMessage))
	for _, name := range slices.Sorted(maps.Keys(c.ToolResults)) {
		check.Known(p, "tool_results."+name, name, answering, noTool)
	}
	tools = append(tools, conversation.BuiltInTools()...)
	for i, k := range c.Checks {
		path := fmt.Sprintf("checks[%d].name", i)
		switch k.Kind {
		case ToolCalled, ToolNotCalled:
			check.Known(p, path, k.Name, tools, noTool)
		case FieldEquals, FieldPresent, FieldAbsent:
			check.Known(p, path, k.Name, keysOf(draft), noField)
		}
	}
	return nil
}

// outdated says what a check names that the agent of a run does not have, or is empty. The agent may have changed after
// the check was saved.
func (c Check) outdated(script conversation.Script) string {
	switch c.Kind {
	case ToolCalled, ToolNotCalled:
		tools := script.ToolNames()
		// What the agent was never given it cannot call, unless the name may be an old one.
		if slices.Contains(tools, c.Name) || c.Kind == ToolNotCalled && conversation.Reserved(c.Name) {
			return ""
		}
		return "This version of the agent has no tool " + c.Name + check.Meant(c.Name, tools)
	case FieldEquals, FieldPresent, FieldAbsent:
		if keys := keysOf(script); !slices.Contains(keys, c.Name) {
			return "This version of the agent does not collect the field " + c.Name + check.Meant(c.Name, keys)
		}
	}
	return ""
}
