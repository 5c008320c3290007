package conversation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

// A transfer is announced in the agent's own words, and then the caller of this package ends the line. If nobody takes
// the call, a line is opened again, and Untransferred lets the conversation go on: with the next destination, or with
// the offer of a call by somebody.

// TransferSettings are the people to whom an agent may transfer a call.
type TransferSettings struct {
	// Destinations are those to whom the agent may transfer. A model chooses among them.
	Destinations []uuid.UUID `json:"destinations"`
	// HumanID is who gets a person who asks for a human being, if no model decides. Nil: nobody. The agent then notes
	// the wish and ends the call.
	HumanID *uuid.UUID `json:"human_id,omitempty"`

	// Known is what a call knows of the destinations and their fallbacks. It is set when a call begins.
	Known []Destination `json:"known,omitempty"`
	// Recorded is whether the call is recorded. It is set when a call begins.
	Recorded bool `json:"recorded,omitempty"`
}

// Destination is a destination as a call knows it.
type Destination struct {
	ID         uuid.UUID   `json:"id"`
	Name       string      `json:"name"`
	Mode       string      `json:"mode"`
	Hours      hours.Hours `json:"hours"`
	FallbackID *uuid.UUID  `json:"fallback_id,omitempty"`
	Record     bool        `json:"record,omitempty"`
}

// open reports whether somebody can be reached at a time. Without a time, it is open.
func (d Destination) open(at time.Time) bool {
	schedule, err := d.Hours.In(time.UTC.String())
	return at.IsZero() || err == nil && schedule.Open(at)
}

// WithFallbacks returns a destination, the first one, and its fallbacks. It returns nil if the destination is unknown.
func WithFallbacks(known []Destination, id uuid.UUID) (chain []Destination) {
	for {
		i := slices.IndexFunc(known, func(d Destination) bool { return d.ID == id })
		if i < 0 || slices.ContainsFunc(chain, func(d Destination) bool { return d.ID == id }) {
			return chain
		}
		chain = append(chain, known[i])
		if known[i].FallbackID == nil {
			return chain
		}
		id = *known[i].FallbackID
	}
}

// maxDestinations is how many destinations an agent may have.
const maxDestinations = 20

// validateTransfer checks the destinations.
func (s *Script) validateTransfer(path func(format string, args ...any) string, p *fault.Problems) {
	if s.Transfer == nil {
		return
	}
	all, human := s.Transfer.Destinations, s.Transfer.HumanID
	if len(all) > maxDestinations {
		p.Addf(path("transfer.destinations"), "must be at most %d destinations", maxDestinations)
	}
	for i, id := range all {
		if slices.Contains(all[:i], id) {
			p.Addf(path("transfer.destinations[%d]", i), "must not repeat an earlier one")
		}
	}
	if human != nil && !slices.Contains(all, *human) {
		p.Addf(path("transfer.human_id"), "must be one of the agent's destinations")
	}
}

// Handed is a transfer in the course of a conversation.
type Handed struct {
	Number      int         `json:"number"` // counts the transfers of the call, from 1
	Destination uuid.UUID   `json:"destination"`
	Name        string      `json:"name"`
	Tried       []uuid.UUID `json:"tried,omitempty"` // before it, for the same wish
	Summary     string      `json:"summary,omitempty"`
	Failed      bool        `json:"failed,omitempty"` // nobody took the call, nor did a fallback
}

// Transfer connects the recipient with somebody else, after all queued speech has been played. The caller of this
// package stores it before anything is said.
type Transfer struct {
	Number        int // as in Handed
	DestinationID uuid.UUID
	Destination   string // the name
	Mode          string
	Recorded      bool   // what follows is recorded
	Language      string // BCP 47; of Briefing
	Briefing      string // what the person there hears
}

func (Transfer) action() {}

// Untransferred reports that nobody took the call, and that it is back.
type Untransferred struct{}

func (Untransferred) input() {}

// ToTransfer reports whether the line is to be ended for a transfer when everything has been said.
func (s State) ToTransfer() bool { return s.Phase == Transferring }

// destination returns what the call knows of a destination, or nil.
func (s *State) destination(id uuid.UUID) *Destination {
	if s.Script.Transfer == nil {
		return nil
	}
	i := slices.IndexFunc(s.Script.Transfer.Known, func(d Destination) bool { return d.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Script.Transfer.Known[i]
}

// reachable returns the first destination from id on, along the fallbacks, that is open and was not tried.
func (s *State) reachable(id uuid.UUID, tried []uuid.UUID) *Destination {
	tried = slices.Clone(tried)
	for d := s.destination(id); d != nil; {
		if !slices.Contains(tried, d.ID) && d.open(s.now) {
			return d
		}
		if d.FallbackID == nil || slices.Contains(tried, *d.FallbackID) {
			return nil
		}
		tried = append(tried, d.ID)
		d = s.destination(*d.FallbackID)
	}
	return nil
}

// transfer transfers the call to a destination or its fallbacks. If nobody can be reached, it says so. before is said
// first.
func (s *State) transfer(id uuid.UUID, before ...string) []Action {
	if d := s.reachable(id, nil); d != nil {
		return s.handOver(d, Handed{Number: s.nextTransfer()}, before...)
	}
	name := ""
	if d := s.destination(id); d != nil {
		name = d.Name
	}
	return s.unreached(name)
}

// nextTransfer is the number of the next transfer of the call.
func (s *State) nextTransfer() int {
	if s.Handed == nil {
		return 1
	}
	return s.Handed.Number + 1
}

// handOver announces a transfer.
func (s *State) handOver(d *Destination, h Handed, before ...string) []Action {
	h.Destination, h.Name = d.ID, d.Name
	s.Unreached = false
	s.Handed, s.Phase = &h, Transferring
	lines := s.transferLines()
	says := slices.Concat(s.unheard(), before, []string{named(lines.Transfer, d.Name)})
	switch {
	case d.Record:
		says = append(says, lines.TransferRecorded)
	case s.Script.Transfer.Recorded:
		says = append(says, lines.TransferUnrecorded)
	}
	actions := s.speak(false, says...)
	if s.Dialog != nil {
		s.Dialog.pend(s.Saying, len(s.Dialog.History))
	}
	return append(actions, Transfer{
		Number:        h.Number,
		DestinationID: d.ID,
		Destination:   d.Name,
		Mode:          d.Mode,
		Recorded:      d.Record,
		Language:      s.Script.Language,
		Briefing:      s.briefing(*d, h.Summary),
	})
}

// unheard are the greeting and the disclosure, if the disclosure was not heard yet. They are said before a transfer,
// because nobody says them afterwards.
func (s *State) unheard() (parts []string) {
	if s.modeled() && s.disclosed() || !s.modeled() && !s.Undisclosed {
		return nil
	}
	w := s.wording()
	if s.Ungreeted {
		parts = append(parts, w.Greeting)
	}
	s.Ungreeted, s.Undisclosed = false, false
	if !s.disclosed() {
		s.Disclosed = append(slices.Clip(s.Disclosed), s.Speaking())
	}
	return append(parts, w.Disclosure)
}

// transferLines are the lines of transfers in the language that is spoken.
func (s *State) transferLines() lexicon.Transfers { return lexicon.TransfersIn(baseOf(s.Speaking())) }

// named fills in the name of a destination.
func named(text, destination string) string {
	return Fill(text, map[string]any{"destination": destination})
}

const (
	maxBriefed  = 3   // answers in a briefing
	maxBriefing = 600 // characters of a summary
)

// briefing is what the person at a destination hears: who is calling and what was said. It is in the agent's own
// language, because that is the language of the organization.
func (s *State) briefing(d Destination, summary string) string {
	lines := lexicon.TransfersIn(baseOf(s.Script.Language))
	parts := []string{s.Handover}
	if summary = limit(oneLine(summary), maxBriefing); summary != "" {
		parts = append(parts, ended(summary))
	} else {
		answers := s.Answers
		for _, a := range answers[max(len(answers)-maxBriefed, 0):] {
			if i := s.questionAt(a.Key); i >= 0 && a.Value != nil {
				parts = append(parts, s.Script.Questions[i].Ask, ended(briefed(a)))
			}
		}
	}
	if d.Record {
		parts = append(parts, lines.HandoverRecorded)
	}
	return strings.Join(parts, " ")
}

// briefed is an answer as a person hears it.
func briefed(a Answer) string {
	switch v := a.Value.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return limit(oneLine(v), maxSummaryText)
	}
	return limit(oneLine(a.Text), maxSummaryText)
}

// ended ends a text as a sentence.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// untransferred goes on after a transfer that failed.
func (s *State) untransferred() []Action {
	h := s.Handed
	if s.Phase != Transferring || h == nil {
		return nil
	}
	tried := append(slices.Clone(h.Tried), h.Destination)
	if d := s.reachable(h.Destination, tried); d != nil {
		next := Handed{Number: s.nextTransfer(), Tried: tried, Summary: h.Summary}
		return s.handOver(d, next, named(s.transferLines().TransferFailed, h.Name))
	}
	failed := *h // h is shared with the earlier State
	failed.Failed = true
	s.Handed = &failed
	return s.unreached(h.Name)
}

// unconnected returns the names of the destinations that did not take the call when it was last transferred.
func (s *State) unconnected() []string {
	if s.Handed == nil || !s.Handed.Failed {
		return nil
	}
	var names []string
	for _, id := range s.Handed.Tried {
		if d := s.destination(id); d != nil {
			names = append(names, d.Name)
		}
	}
	return append(names, s.Handed.Name)
}

// unreached says that nobody can be reached, and offers a call by somebody. A model offers it in its own words.
func (s *State) unreached(name string) []Action {
	sorry := named(s.transferLines().TransferFailed, name)
	if s.withheld() {
		return s.unreachable(name, sorry)
	}
	s.offer()
	if s.modeled() {
		s.Phase = Talking
		actions := s.tell(false, sorry)
		s.Dialog.note("Nobody took the call at " + name + ", and the person has heard so. " +
			"Offer that somebody calls back.")
		return append(actions, s.think()...)
	}
	s.Phase, s.Offered = Offering, false
	return s.speak(true, sorry, s.transferLines().OfferCallBack)
}

// unreachable goes on after sorry without an offer, because nobody can call a withheld number.
func (s *State) unreachable(name, sorry string) []Action {
	s.Phase, s.Unreached = Talking, false
	parting := sorry + " " + s.wording().Goodbye
	switch {
	case s.modeled():
		actions := s.tell(false, sorry)
		s.Dialog.note("The transfer to " + name + " failed, and the person has heard so. " + cannotCallBack)
		return append(actions, s.think()...)
	case s.Intent != "":
		return s.goodbye(Ending(s.Intent), parting)
	case s.Question == len(s.Script.Questions):
		return s.goodbye(Completed, parting)
	}
	return s.ask(sorry)
}

// cannotCallBack tells a model why it must not offer a call.
const cannotCallBack = "Their number is withheld, so nobody can call them back. Do not offer it."

// offer begins the offer of a call by somebody.
func (s *State) offer() {
	s.Unreached = true
	if s.Dialog != nil {
		s.Dialog.Accepted, s.Dialog.Answered = false, len(s.Answers)
	}
}

// considers follows what a person makes of a model's offer of a call by somebody. The offer is over when the person
// declines it, or has answered a question since. A call that they want after that is the agent's.
func (s *State) considers(u utterance, said [][]string, in Prompt) {
	d := s.Dialog
	if !s.Unreached || s.Intent == CallBack && s.Promised {
		return
	}
	at, _ := s.tongue().callBackAt(u.words(), in.At)
	yes, understood := s.tongue().yesNo(said)
	switch {
	case len(s.Answers) > d.Answered:
		s.Unreached = false
	case !asks(s.Saying): // the offer has not been spoken
	case at != nil, yes:
		d.Accepted = true
	case understood && !d.Accepted: // a "no" after a "yes" is about the time
		s.Unreached = false
	}
}

// transferring processes an input while the transfer is announced. Only an opt-out, which comes first, stops it.
func (s *State) transferring(in Input) {
	switch in := in.(type) {
	case Prompt:
		if heard, said, _ := s.hears(in); heard != "" {
			s.feel(said)
			if s.Dialog != nil {
				s.Dialog.hear(heard)
			}
		}
	case Digit:
		s.Person = true
	case Played:
		if s.Dialog != nil {
			s.Dialog.played(in.Given, in.Text)
		}
	case Interrupted:
		if s.Dialog != nil {
			s.Dialog.played(in.Given, in.Spoken)
		}
	}
}

// offering processes the answer to the offer of a call.
func (s *State) offering(in Input) []Action {
	switch in := in.(type) {
	case Digit:
		s.Person = true
		switch in.Digit {
		case "1":
			return s.leave(CallBack, utterance{}, Prompt{})
		case "2":
			return s.noCallBack()
		}
		return s.offerAgain()
	case Prompt:
		heard, said, u := s.hears(in)
		if heard == "" {
			return nil
		}
		s.feel(said)
		t := s.tongue()
		at, _ := t.callBackAt(u.words(), in.At)
		yes, understood := t.yesNo(said)
		switch {
		case understood && !yes && at == nil:
			return s.noCallBack()
		case understood, at != nil, t.intents[CallBack].in(u).text != "":
			return s.leave(CallBack, u, in)
		}
		return s.offerAgain()
	case Silence:
		return s.offerAgain()
	case Closed, Untransferred, Played, Interrupted, MachineDetected:
	}
	return nil
}

// offerAgain repeats the offer once.
func (s *State) offerAgain() []Action {
	if s.Offered {
		return s.noCallBack()
	}
	s.Offered = true
	return s.speak(true, s.transferLines().OfferCallBack)
}

// noCallBack goes on without a call by somebody. A person who asked for somebody came to speak to them alone. A person
// who was transferred because of an answer is asked the remaining questions.
func (s *State) noCallBack() []Action {
	if s.Intent != "" {
		return s.goodbye(Ending(s.Intent), s.wording().Goodbye)
	}
	s.Phase, s.Unreached = Talking, false
	return s.proceed(s.lines().MoveOn)
}

// handover is the beginning of a briefing.
func handover(language string, vars map[string]any) string {
	return Fill(lexicon.TransfersIn(baseOf(language)).Handover, vars)
}

// Handover are lines that a person at a destination hears.
type Handover struct {
	Keys       string // which key takes the call, and which declines it
	CallerGone string
}

// HandoverLines returns these lines in a language.
func HandoverLines(language string) Handover {
	lines := lexicon.TransfersIn(baseOf(language))
	return Handover{lines.HandoverKeys, lines.CallerGone}
}

// destinationKeys are the names under which a model chooses destinations, in the order of the settings.
func (s State) destinationKeys() (keys []string, ids []uuid.UUID) {
	if s.Script.Transfer == nil {
		return nil, nil
	}
	for _, id := range s.Script.Transfer.Destinations {
		d := s.destination(id)
		if d == nil {
			continue
		}
		key := d.Name
		for n := 2; slices.Contains(keys, key); n++ {
			key = fmt.Sprintf("%s (%d)", d.Name, n)
		}
		keys, ids = append(keys, key), append(ids, id)
	}
	return keys, ids
}

// madeOfTransfer is what transferParameters reads.
func madeOfTransfer(s State) []string {
	keys, _ := s.destinationKeys()
	return append(keys, s.Script.Language)
}

func transferParameters(s State) map[string]any {
	keys, _ := s.destinationKeys()
	return map[string]any{
		"destination": map[string]any{"type": "string", "enum": keys},
		"summary": map[string]any{
			"type": "string",
			"description": "what the human hears before taking the call: who calls and what was said, in one or two " +
				"sentences, in " + languageName(s.Script.Language),
		},
	}
}

func transferByTool(s *State, text []byte, _ Thought) (effect, error) {
	var a struct{ Destination, Summary string }
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	if s.Phase == Menu {
		return effect{}, errors.New("nobody has answered yet")
	}
	keys, ids := s.destinationKeys()
	i := slices.Index(keys, a.Destination)
	if i < 0 {
		return effect{}, fmt.Errorf("destination must be one of %s", strings.Join(keys, ", "))
	}
	d := s.reachable(ids[i], nil)
	if d == nil && s.withheld() {
		return effect{}, errors.New("nobody can be reached now, and nobody can call a withheld number: do not offer it")
	}
	if d == nil {
		s.offer()
		return effect{result: map[string]any{
			"status": "closed", "reason": "Nobody can be reached there now. Offer that somebody calls back.",
		}}, nil
	}
	if s.Intent == "" {
		s.Intent = WantsHuman
	}
	return effect{
		result:  map[string]any{"status": "transferring"},
		actions: s.handOver(d, Handed{Number: s.nextTransfer(), Summary: a.Summary}),
		silent:  true,
	}, nil
}
