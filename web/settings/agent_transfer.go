package settings

import (
	"cmp"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// transferSettings are the transfers of a form. A malformed ID is refused like an unknown ID. A destination that a
// question or a wish for a person names is one of the agent's.
func transferSettings(v views.AgentForm) *conversation.TransferSettings {
	t := &conversation.TransferSettings{}
	named := map[uuid.UUID]bool{}
	add := func(text string) {
		id, _ := check.ParseID(text)
		if text != "" && !named[id] {
			named[id] = true
			t.Destinations = append(t.Destinations, id)
		}
	}
	for _, text := range v.Destinations {
		add(text)
	}
	if v.HumanID != "" {
		id, _ := check.ParseID(v.HumanID)
		t.HumanID = &id
		add(v.HumanID)
	}
	for _, q := range v.Questions {
		for _, b := range q.Branches {
			if id, ok := strings.CutPrefix(b.Then, toDestination); ok {
				add(id)
			}
		}
	}
	if len(t.Destinations) == 0 {
		return nil
	}
	return t
}

// transferNames returns a value of JSON in which the names of destinations replace their IDs.
func transferNames(value any, known []ui.Option) any {
	switch v := value.(type) {
	case string:
		return cmp.Or(labelOf(known, v), v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = transferNames(v[i], known)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name := range v {
			all[name] = transferNames(v[name], known)
		}
		return all
	}
	return value
}
