package conversation

import (
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/model"
)

// ModelUse is what a conversation used of a language model.
type ModelUse struct {
	ConnectionID uuid.UUID `json:"connection_id"` // of the last answer
	Name         string    `json:"name"`          // as the server gave it; empty: it did not
	Turns        int       `json:"turns"`         // answers
	ToolCalls    int       `json:"tool_calls"`
	InputTokens  int       `json:"input_tokens"`
	CachedTokens int       `json:"cached_input_tokens"` // of InputTokens
	OutputTokens int       `json:"output_tokens"`
	Estimated    bool      `json:"estimated"` // a server did not count tokens, or an answer was dropped
	FellBack     bool      `json:"fell_back"` // no model answered in time, and the agent asked the open questions

	// Connections have the tokens by connection. Calls from before the list was kept have none.
	Connections []ConnectionUse `json:"connections"`
}

// Shown is the use as the API shows it, where no list is null.
func (u *ModelUse) Shown() *ModelUse {
	if u == nil || u.Connections != nil {
		return u
	}
	shown := *u
	shown.Connections = []ConnectionUse{}
	return &shown
}

// ConnectionUse is what a conversation used of one connection.
type ConnectionUse struct {
	ConnectionID uuid.UUID  `json:"connection_id"`
	InputTokens  int        `json:"input_tokens"`
	CachedTokens int        `json:"cached_input_tokens"`
	OutputTokens int        `json:"output_tokens"`
	Estimated    bool       `json:"estimated"`
	Cost         *TokenCost `json:"cost"` // nil: the connection's prices were not known during the call
}

// TokenCost is what tokens cost.
type TokenCost struct {
	Amount   string `json:"amount"` // an exact decimal
	Currency string `json:"currency"`
}

// Used is the tokens of a request to a connection.
type Used struct {
	ConnectionID uuid.UUID   `json:"connection_id"`
	Usage        model.Usage `json:"usage"`
}

// count adds the tokens of a request to what the conversation used.
func (d *Dialog) count(u Used) {
	d.Usage.Add(u.Usage)
	d.Uses = slices.Clone(d.Uses) // the caller's state stays unchanged
	i := slices.IndexFunc(d.Uses, func(o Used) bool { return o.ConnectionID == u.ConnectionID })
	if i < 0 {
		d.Uses = append(d.Uses, u)
		return
	}
	d.Uses[i].Usage.Add(u.Usage)
}

// use is what the conversation used of a model so far; nil: nothing.
func (d *Dialog) use() *ModelUse {
	if d == nil || d.Turns == 0 && d.Usage == (model.Usage{}) && !d.Scripted {
		return nil
	}
	use := &ModelUse{
		ConnectionID: d.ConnectionID,
		Name:         d.Model,
		Turns:        d.Turns,
		ToolCalls:    d.ToolCalls,
		InputTokens:  d.Usage.Input,
		CachedTokens: d.Usage.Cached,
		OutputTokens: d.Usage.Output,
		Estimated:    d.Usage.Estimated,
		FellBack:     d.Scripted,
		Connections:  make([]ConnectionUse, len(d.Uses)),
	}
	for i, u := range d.Uses {
		use.Connections[i] = ConnectionUse{
			ConnectionID: u.ConnectionID,
			InputTokens:  u.Usage.Input,
			CachedTokens: u.Usage.Cached,
			OutputTokens: u.Usage.Output,
			Estimated:    u.Usage.Estimated,
		}
		if amount, known := d.Prices[u.ConnectionID].Of(u.Usage); known {
			use.Connections[i].Cost = &TokenCost{Amount: amount, Currency: d.Prices[u.ConnectionID].Currency}
		}
	}
	return use
}
