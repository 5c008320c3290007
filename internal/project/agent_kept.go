package project

import (
	"slices"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
)

// Kept is what the draft of a scripted agent keeps of its model, for the day on which the agent gets a model again. No
// call and no version has it.
type Kept struct {
	Model     conversation.Model         `json:"model"`
	Languages []conversation.Translation `json:"languages,omitempty"`
	// Asks are the translations of questions: the question's key, the language, the text.
	Asks map[string]map[string]string `json:"asks,omitempty"`
	// TranslatedOptions are those of choices: the question's key, the language, the options.
	TranslatedOptions map[string]map[string][]string `json:"translated_options,omitempty"`
	// Says are the translations of what branches say: the question's key, the text, the language, the translation.
	Says map[string]map[string]map[string]string `json:"says,omitempty"`
}

// KeptOf takes the model out of a script. It returns nil for a script without one.
func KeptOf(s conversation.Script) *Kept {
	if s.Model == nil {
		return nil
	}
	k := &Kept{Model: *s.Model, Languages: s.Languages, Asks: map[string]map[string]string{},
		TranslatedOptions: map[string]map[string][]string{}, Says: map[string]map[string]map[string]string{}}
	for _, q := range s.Questions {
		if len(q.Asks) > 0 {
			k.Asks[q.Key] = q.Asks
		}
		if len(q.TranslatedOptions) > 0 {
			k.TranslatedOptions[q.Key] = q.TranslatedOptions
		}
		for _, b := range q.Branches {
			if len(b.Says) == 0 {
				continue
			}
			if k.Says[q.Key] == nil {
				k.Says[q.Key] = map[string]map[string]string{}
			}
			k.Says[q.Key][b.Say] = b.Says
		}
	}
	return k
}

// Into gives a script the model, the languages and the translations. Nil changes nothing.
func (k *Kept) Into(s conversation.Script) conversation.Script {
	if k == nil {
		return s
	}
	model := k.Model
	s.Model, s.Languages, s.Questions = &model, k.Languages, slices.Clone(s.Questions)
	for i := range s.Questions {
		q := &s.Questions[i]
		q.Asks = k.Asks[q.Key]
		for tag, options := range k.TranslatedOptions[q.Key] {
			if len(options) != len(q.Options) { // the choices are no longer the same
				continue
			}
			if q.TranslatedOptions == nil {
				q.TranslatedOptions = map[string][]string{}
			}
			q.TranslatedOptions[tag] = options
		}
		q.Branches = slices.Clone(q.Branches)
		for j := range q.Branches {
			q.Branches[j].Says = k.Says[q.Key][q.Branches[j].Say] // those of a text that changed are lost
		}
	}
	return s
}

// scripted takes the model, the further languages and their translations out of a script.
func scripted(s conversation.Script) conversation.Script {
	s.Model, s.Languages, s.Questions = nil, nil, slices.Clone(s.Questions)
	for i := range s.Questions {
		q := &s.Questions[i]
		q.Asks, q.TranslatedOptions, q.Branches = nil, nil, slices.Clone(q.Branches)
		for j := range q.Branches {
			q.Branches[j].Says = nil
		}
	}
	return s
}

// keep returns what the draft keeps when it gets the settings: for a scripted agent what the settings bring, if it
// could be saved, else the model that the agent has, else what it kept before.
func (a Agent) keep(settings AgentSettings) *Kept {
	if settings.Script.Model != nil {
		return nil
	}
	if k := settings.Kept; k != nil {
		script, p := k.Into(settings.Script), fault.Problems{}
		if script.Validate("", &p); p.Len() == 0 {
			return k
		}
	}
	if k := KeptOf(a.Script); k != nil {
		return k
	}
	return a.Kept
}

// Revision identifies the name and the draft of an agent, as a form shows them.
func (a Agent) Revision() string { return check.Revision(draftFields(a.Name, a.AgentContent)) }

func draftFields(name string, c AgentContent) any {
	return struct {
		Name string `json:"name"`
		AgentContentResource
	}{name, c.Resource()}
}

// content is the draft that an agent gets by the settings.
func (a AgentSettings) content() AgentContent {
	return AgentContent{
		Kind: kindOf(a.Script), Language: a.Script.Language, Speech: a.Speech, Script: a.Script,
		RecordCalls: a.RecordCalls,
	}
}
