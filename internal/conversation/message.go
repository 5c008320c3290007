package conversation

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/model"
)

// MessageTemplate is a WhatsApp template that an agent may send during a call.
type MessageTemplate struct {
	ID        uuid.UUID `json:"id"`
	Key       string    `json:"key"` // as the model names it
	Name      string    `json:"name"`
	Language  string    `json:"language"`
	Number    string    `json:"number"` // that sends, as the operator identifies it
	Text      string    `json:"text"`   // with its variables as {{name}}
	Variables []string  `json:"variables,omitempty"`
}

// MessageArguments are the arguments of send_message.
type MessageArguments struct {
	Template  string            `json:"template"`
	Variables map[string]string `json:"variables"`
}

// madeOfMessages is what messageParameters reads.
func madeOfMessages(s State) (all []string) {
	for _, t := range s.Script.Model.Messages {
		all = append(append(all, t.Key, t.Text, strconv.Itoa(len(t.Variables))), t.Variables...)
	}
	return all
}

func messageParameters(s State) map[string]any {
	var keys, about []string
	variables := map[string]any{}
	for _, t := range s.Script.Model.Messages {
		keys = append(keys, t.Key)
		takes := "no variables"
		if len(t.Variables) > 0 {
			takes = "the variables " + strings.Join(t.Variables, ", ")
		}
		about = append(about, fmt.Sprintf("%s takes %s and says: %s", t.Key, takes, t.Text))
		for _, name := range t.Variables {
			variables[name] = map[string]any{"type": "string"}
		}
	}
	return map[string]any{
		"template": map[string]any{"type": "string", "enum": keys, "description": strings.Join(about, "; ")},
		"variables": map[string]any{
			"type":                 "object",
			"description":          "all variables of the template, and no others",
			"properties":           variables,
			"additionalProperties": false,
		},
	}
}

// maxMessageValue bounds the value of a variable in a message, in characters.
const maxMessageValue = 500

// sendMessage opens a call of send_message.
func sendMessage(s *State, call model.ToolCall) error {
	var a MessageArguments
	if err := arguments([]byte(call.Arguments), &a); err != nil {
		return err
	}
	if s.Phase == Menu {
		return errors.New("nobody has answered yet")
	}
	all := s.Script.Model.Messages
	i := slices.IndexFunc(all, func(t MessageTemplate) bool { return t.Key == a.Template })
	if i < 0 {
		return fmt.Errorf("there is no template %q", limit(a.Template, maxToolName))
	}
	for _, name := range all[i].Variables {
		value := oneLine(a.Variables[name])
		switch {
		case value == "":
			return fmt.Errorf("the variable %q is required", name)
		case limit(value, maxMessageValue) != value:
			return fmt.Errorf("the variable %q must have at most %d characters", name, maxMessageValue)
		}
		a.Variables[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(a.Variables)) {
		if !slices.Contains(all[i].Variables, name) {
			return fmt.Errorf("the template %s has no variable %q", a.Template, limit(name, maxToolName))
		}
	}
	return s.begin(OpenCall{
		Number: s.Dialog.ToolCalls, CallID: call.ID, Tool: call.Name, ToolID: all[i].ID, Arguments: encoded(a),
	})
}
