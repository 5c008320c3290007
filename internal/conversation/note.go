package conversation

import (
	"slices"

	"github.com/dialwright/dialwright/internal/model"
)

// Noted is a note for the agent, which a member of the organization added during the call.
type Noted struct {
	Number int // of the note in the call, from 1
	Author string
	Text   string
}

func (Noted) input() {}

// GaveNote reports that the agent knows a note, and will use it the next time that it speaks of its own accord or
// answers.
type GaveNote struct{ Number int }

func (GaveNote) action() {}

// TakesNotes reports whether notes can be processed now. Before a person is on the line and after the agent has said
// goodbye, they wait.
func (s State) TakesNotes() bool { return s.Phase == Talking && s.Dialog != nil }

// instruction begins what tells the model a note. The frame says what it means.
const instruction = "Instruction of the operator: "

// noted processes a note. The model is not asked because of it: the note is part of its next request.
func (s *State) noted(in Noted) []Action {
	if !s.TakesNotes() || in.Number <= s.Notes {
		return nil
	}
	s.Notes = in.Number
	said := "Note by " + in.Author + ": " + in.Text
	if !s.modeled() {
		return []Action{Note{said + " (not used, because the agent goes on without its model)"}}
	}
	s.Dialog.Notes = append(s.Dialog.Notes, in.Text)
	s.Dialog.instruct(in.Text)
	s.Dialog.Untold = true
	return []Action{Note{said}, GaveNote{in.Number}}
}

// instruct tells the model a note. Unlike what is said, notes are never dropped while tools run.
func (d *Dialog) instruct(text string) {
	m := instructed(text)
	if len(d.Open) > 0 {
		d.Later = append(d.Later, m)
		return
	}
	d.History = append(d.History, m)
}

func instructed(text string) model.Message {
	return model.Message{Role: model.User, Text: "[" + instruction + unbracket.Replace(text) + "]"}
}

// forgotten are the notes that are no longer in the history, because it was shortened.
func (d *Dialog) forgotten() (notes []model.Message) {
	for _, text := range d.Notes {
		m := instructed(text)
		if !slices.ContainsFunc(d.History, func(h model.Message) bool { return h.Role == m.Role && h.Text == m.Text }) {
			notes = append(notes, m)
		}
	}
	return notes
}
