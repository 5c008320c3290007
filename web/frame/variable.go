package frame

import (
	"net/url"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views"
)

// AgentVariables returns the variables in an agent's texts that are not known, with the values of a form:
// variables.NAME.
func AgentVariables(
	script conversation.Script, known conversation.Known, form url.Values,
) []views.TryVariable {
	var list []views.TryVariable
	names := script.Variables()
	if len(script.Languages) > 0 && !slices.Contains(names, "language") { // the call begins in this language
		names = append(names, "language")
	}
	for _, name := range names {
		// A call to somebody has no greeting that knows the last call.
		if known.Value(name) == "" && !strings.HasPrefix(name, "last_call.") {
			list = append(list, views.TryVariable{Name: name, Value: form.Get("variables." + name)})
		}
	}
	return list
}
