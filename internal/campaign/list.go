package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
)

// Bounds of a recipient list.
const (
	MaxRecipients  = 100_000
	maxName        = 200
	maxExternalID  = 200
	maxBasis       = 200
	chunkRecipient = 2048
)

// RecipientInput is one recipient as a client or a file gives it. Empty fields
// are absent ones.
type RecipientInput struct {
	PhoneNumber string // E.164
	Name        string
	ExternalID  string // unique in the campaign
	Timezone    string // IANA
	Consent     *ConsentInput
	Variables   json.RawMessage // an object of strings
	Metadata    json.RawMessage // an object of strings, numbers and booleans
}

// ConsentInput is on what ground, and since when, a person may be called.
type ConsentInput struct {
	Basis string
	At    *time.Time
}

// entry is a recipient that passed, in as little memory as is simple: a list
// of 100,000 is held while it is being imported.
type entry struct {
	number       phone.Number
	name         string
	externalID   string
	timezone     string
	numberZones  *zoneSet // nil: the number tells nothing reliable
	consentBasis string
	consentAt    *time.Time
	variables    json.RawMessage
	metadata     json.RawMessage
	duplicate    bool // its number stands in the list already
}

// zoneSet is the time zones some recipients share. Sets are interned, so that
// what follows from the zones is computed once per set.
type zoneSet struct{ names []string }

// Recipients is a list being read: Add takes one after the other, and checks
// it, so that a large list is never held twice and nothing of it touches the
// database before all of it is known to be right. The zero value is an empty
// list. It belongs to one goroutine.
type Recipients struct {
	chunks   [][]entry
	count    int // rows seen, good or bad
	problems fault.Problems

	numbers     map[phone.Number]struct{}
	externalIDs map[string]struct{}
	bases       map[string]string
	zones       zoneSets
}

// Len is the number of recipients seen so far, good or bad.
func (l *Recipients) Len() int { return l.count }

// check adds what is wrong with the list.
func (l *Recipients) check(p *fault.Problems) {
	if l == nil || l.count == 0 {
		p.Addf("recipients", "at least one is required")
		return
	}
	if l.count > MaxRecipients {
		p.Addf("recipients", "must have at most %d elements", MaxRecipients)
	}
	p.Merge(&l.problems)
}

// Add reads the next recipient. What is wrong with it is told by Draft.Check,
// as recipients[i].…, i counting the calls of Add from 0.
func (l *Recipients) Add(in RecipientInput) {
	i := l.count
	l.count++
	if i >= MaxRecipients {
		return // Check says how many are too many
	}
	for _, f := range l.add(in) {
		l.problems.Addf(fmt.Sprintf("recipients[%d].%s", i, f.Path), "%s", f.Message)
	}
}

// add takes a recipient into the list, or says what is wrong with it.
func (l *Recipients) add(in RecipientInput) []fault.Field {
	var p problemsAt
	number, err := phone.Parse(in.PhoneNumber)
	switch {
	case in.PhoneNumber == "":
		p.addf("phone_number", "required")
	case err != nil:
		p.addf("phone_number", "%s", err)
	}
	checkText(&p, "name", in.Name, 0, maxName)
	checkText(&p, "external_id", in.ExternalID, 0, maxExternalID)
	if in.Timezone != "" && !hours.KnownZone(in.Timezone) {
		p.addf("timezone", "not an IANA time zone")
	}
	e := entry{
		number: number, name: strings.TrimSpace(in.Name), externalID: in.ExternalID, timezone: in.Timezone,
		variables: object(in.Variables, "variables", false, &p),
		metadata:  object(in.Metadata, "metadata", true, &p),
	}
	if in.Consent != nil {
		checkText(&p, "consent.basis", in.Consent.Basis, 1, maxBasis)
		e.consentBasis, e.consentAt = l.intern(in.Consent.Basis), in.Consent.At
	}
	if l.numbers == nil {
		l.numbers = map[phone.Number]struct{}{}
		l.externalIDs = map[string]struct{}{}
	}
	if in.ExternalID != "" {
		if _, ok := l.externalIDs[in.ExternalID]; ok {
			p.addf("external_id", "used by an earlier recipient of this campaign")
		}
	}
	if len(p.found) > 0 {
		return p.found
	}

	if in.ExternalID != "" {
		l.externalIDs[in.ExternalID] = struct{}{}
	}
	if _, e.duplicate = l.numbers[number]; !e.duplicate {
		l.numbers[number] = struct{}{}
	}
	if names, reliable := phone.Zones(number); reliable {
		e.numberZones = l.zones.intern(names)
	}
	if n := len(l.chunks); n == 0 || len(l.chunks[n-1]) == chunkRecipient {
		l.chunks = append(l.chunks, make([]entry, 0, chunkRecipient))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, e)
	return nil
}

// last is the recipient that was added last.
func (l *Recipients) last() *entry {
	chunk := l.chunks[len(l.chunks)-1]
	return &chunk[len(chunk)-1]
}

// Numbers are the numbers on the list, each once, in no order.
func (l *Recipients) Numbers() []phone.Number { return slices.Collect(maps.Keys(l.numbers)) }

// Duplicates is how many recipients have a number that stands further up.
func (l *Recipients) Duplicates() int {
	n := 0
	for e := range l.each {
		if e.duplicate {
			n++
		}
	}
	return n
}

// intern lets equal texts share their memory.
func (l *Recipients) intern(s string) string {
	if kept, ok := l.bases[s]; ok {
		return kept
	}
	if l.bases == nil {
		l.bases = map[string]string{}
	}
	if len(l.bases) < 1000 {
		l.bases[s] = s
	}
	return s
}

// each walks the list in its order.
func (l *Recipients) each(yield func(*entry) bool) {
	for _, chunk := range l.chunks {
		for i := range chunk {
			if !yield(&chunk[i]) {
				return
			}
		}
	}
}

// zoneSets interns zone sets by their names.
type zoneSets map[string]*zoneSet

func (z *zoneSets) intern(names []string) *zoneSet {
	key := strings.Join(names, "\n")
	if set, ok := (*z)[key]; ok {
		return set
	}
	if *z == nil {
		*z = zoneSets{}
	}
	set := &zoneSet{names: slices.Clone(names)}
	(*z)[key] = set
	return set
}
