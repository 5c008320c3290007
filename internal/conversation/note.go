package conversation

import (
	"slices"

	"github.com/google/uuid"

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

// TakesNotes reports whether notes and take-overs can be processed now. Before a person is on the line and after the
// agent has said goodbye, they wait.
func (s State) TakesNotes() bool { return s.Phase == Talking && !s.announces() }

// instruction begins what tells the model a note. The frame says what it means.
const instruction = "Instruction of the operator: "

// noted processes a note. The model is not asked because of it: the note is part of its next request.
func (s *State) noted(in Noted) []Action {
	if !s.TakesNotes() || s.Dialog == nil || in.Number <= s.Notes {
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

// TakenOver is the wish of a member of the organization that the agent transfers the call.
type TakenOver struct {
	Number int // among the notes of the call
	Author string
	// Known are the destination and its fallbacks. The first is the destination.
	Known    []Destination
	Recorded bool // the call is recorded
	// Heard is whether all that the agent said has been played.
	Heard bool
}

func (TakenOver) input() {}

// takenOver breaks off what is being said and transfers the call. Somebody decided so, thus the hours of the
// destination do not matter.
func (s *State) takenOver(in TakenOver) []Action {
	if !s.TakesNotes() || in.Number <= s.Notes {
		return nil
	}
	s.Notes = in.Number
	said := Note{"Transfer requested by " + in.Author}
	if len(in.Known) == 0 {
		return []Action{Note{said.Text + " (not made, because the destination was removed)"}, GaveNote{in.Number}}
	}
	settings := TransferSettings{Recorded: in.Recorded}
	if s.Script.Transfer != nil {
		settings = *s.Script.Transfer
	}
	settings.Known = slices.Clone(settings.Known)
	for _, d := range in.Known {
		if s.destination(d.ID) == nil {
			settings.Known = append(settings.Known, d)
		}
	}
	s.Script.Transfer = &settings
	if d := s.Dialog; d != nil {
		if d.Awaiting {
			s.lost("", uuid.Nil)
		}
		d.Awaiting, d.Cut, d.Rest, d.Open, d.Later = false, false, "", nil, nil
	}
	if !in.Heard {
		s.breakOff()
	}
	d := in.Known[0]
	actions := s.handOver(&d, Handed{Number: s.nextTransfer()})
	return append([]Action{said, GaveNote{in.Number}, Flush{}}, actions...)
}

// breakOff notes that the greeting and the disclosure are dropped if they may not have been played to the end.
func (s *State) breakOff() {
	s.Ungreeted = s.Ungreeted || s.GreetEnd > 0
	s.Undisclosed = s.Undisclosed || s.DiscloseEnd > 0
	if s.Dialog == nil {
		return
	}
	w := s.wording()
	for _, u := range s.Dialog.Unplayed {
		if u.Text == w.Greeting {
			s.Ungreeted = true
		}
		if u.Text == w.Greeting || u.Text == w.Disclosure {
			s.undisclose()
		}
	}
}
