package account

import (
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// Scope is a permission of a key.
type Scope string

const (
	CampaignsRead     Scope = "campaigns:read"
	CampaignsWrite    Scope = "campaigns:write"
	CallsRead         Scope = "calls:read"
	CallsWrite        Scope = "calls:write"    // single calls, analyses of calls
	NumbersRead       Scope = "numbers:read"   // phone numbers, number pools, quota
	NumbersWrite      Scope = "numbers:write"  // phone numbers, number pools
	ProjectsRead      Scope = "projects:read"  // projects, agents, destinations of transfers
	ProjectsWrite     Scope = "projects:write" // projects, destinations of transfers
	AgentsRead        Scope = "agents:read"
	AgentsWrite       Scope = "agents:write"
	ConnectionsRead   Scope = "connections:read"  // connections to carriers and language models, tools
	ConnectionsWrite  Scope = "connections:write" // likewise
	FollowUpsRead     Scope = "follow_ups:read"
	FollowUpsWrite    Scope = "follow_ups:write"
	MessagesRead      Scope = "messages:read"
	MessagesWrite     Scope = "messages:write"
	SuppressionsRead  Scope = "suppressions:read"
	SuppressionsWrite Scope = "suppressions:write"
	EvidenceRead      Scope = "evidence:read" // all that is stored about a number
	WebhooksRead      Scope = "webhooks:read"
	WebhooksWrite     Scope = "webhooks:write"
)

// EveryScope stands for all scopes, including those that later versions add. It is the only scope of its key.
const EveryScope Scope = "all"

// Scopes returns all scopes in the order in which people see them.
func Scopes() []Scope {
	return []Scope{
		CampaignsRead, CampaignsWrite, CallsRead, CallsWrite, NumbersRead, NumbersWrite, ProjectsRead, ProjectsWrite,
		AgentsRead, AgentsWrite,
		ConnectionsRead, ConnectionsWrite, FollowUpsRead, FollowUpsWrite,
		MessagesRead, MessagesWrite, SuppressionsRead, SuppressionsWrite, EvidenceRead, WebhooksRead, WebhooksWrite,
	}
}

// checkScopes sorts scopes and removes duplicates. Nil means EveryScope. An empty list is
// refused, because a key without scopes could do nothing.
func checkScopes(p *fault.Problems, scopes []Scope) []Scope {
	all := Scopes()
	if scopes == nil {
		return []Scope{EveryScope}
	}
	if len(scopes) == 0 {
		p.Addf("scopes", "choose at least one")
	}
	for _, s := range scopes {
		if !slices.Contains(all, s) {
			p.Addf("scopes", "there is no scope %q; the scopes are %s", s, JoinScopes(all))
			break
		}
	}
	return slices.DeleteFunc(all, func(s Scope) bool { return !slices.Contains(scopes, s) })
}

// JoinScopes joins the names of scopes for a sentence.
func JoinScopes(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
