package intake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
)

// Bounds of a recipient list.
const (
	MaxRecipients  = 100_000
	MaxName        = 200 // characters
	MaxExternalID  = 200
	maxBasis       = 200
	chunkRecipient = 2048
)

// Recipient is a recipient as a client or a file specifies it. Empty fields are absent
// fields. The API decodes its JSON into a Recipient. A field that is nullable in the
// API accepts null as absent.
type Recipient struct {
	PhoneNumber string          `json:"phone_number"` // E.164
	Name        string          `json:"name" nullable:"true"`
	ExternalID  string          `json:"external_id" nullable:"true"` // unique in the campaign
	Timezone    string          `json:"timezone" nullable:"true"`    // IANA
	Consent     *Consent        `json:"consent" nullable:"true"`
	Variables   json.RawMessage `json:"variables"` // an object of strings
	Metadata    json.RawMessage `json:"metadata"`  // an object of strings, numbers and booleans
}

// Consent states the basis on which a person may be called, the date of the
// consent, where it comes from, and until when it holds.
type Consent struct {
	Basis     string     `json:"basis"`
	At        *time.Time `json:"at" nullable:"true"`
	Source    string     `json:"source" nullable:"true"`
	ExpiresAt *time.Time `json:"expires_at" nullable:"true"`
}

// Entry is a valid recipient. Its size is small, because an import has a list of up to
// MaxRecipients in memory.
type Entry struct {
	Number           phone.Number
	Name             string
	ExternalID       string
	Timezone         string
	NumberZones      *ZoneSet // nil: the number does not determine its time zone reliably
	ConsentBasis     string
	ConsentAt        *time.Time
	ConsentSource    string
	ConsentExpiresAt *time.Time
	Variables        json.RawMessage
	Metadata         json.RawMessage
	Duplicate        bool  // its number is in the list or in the campaign already
	Line             int32 // of the file, from 1; 0: the list is no file
}

// Consented reports whether a consent with a date holds at a time.
func Consented(basis string, at, expires *time.Time, now time.Time) bool {
	return basis != "" && at != nil && !at.After(now) && (expires == nil || expires.After(now))
}

// ZoneSet is a set of time zones. Recipients with equal sets share one ZoneSet,
// so that calling times are computed once per set.
type ZoneSet struct{ Names []string }

// List collects and checks recipients one by one, so that a large list is in memory
// only once and reaches the database only if all of it is valid. The zero value is an
// empty list. A List belongs to one goroutine.
type List struct {
	chunks   [][]Entry
	count    int // recipients seen, valid or not
	problems fault.Problems

	numbers     map[phone.Number]struct{}
	externalIDs map[string]struct{}
	bases       map[string]string
	zones       zoneSets

	leftOut     int      // rows of its file that had errors
	numberField string   // of phone numbers in the paths of problems; empty: phone_number
	wanted      []string // Reading.Wanted of its file
}

// ReadOne reads a recipient who is in no list, or returns what is wrong with it. numberField is the path of the number.
func ReadOne(in Recipient, numberField string) (*Entry, *fault.Problems) {
	l := List{numberField: numberField}
	p := l.add(in)
	if p.Len() > 0 {
		return nil, p
	}
	return l.last(), p
}

// LeftOut returns how many rows of its file had errors and are no recipients.
func (l *List) LeftOut() int { return l.leftOut }

// Len returns the number of recipients seen so far, valid or not.
func (l *List) Len() int { return l.count }

// Check records what is wrong with the list. Paths begin with recipients. A nil
// list is empty.
func (l *List) Check(p *fault.Problems) {
	if l == nil || l.count == 0 {
		p.Addf("recipients", "at least one is required")
		return
	}
	if l.count > MaxRecipients {
		p.Addf("recipients", "must have at most %d elements", MaxRecipients)
	}
	p.Merge(&l.problems)
}

// Add reads the next recipient. Check reports what is wrong with it, as
// recipients[i].…, where i counts the calls of Add from 0.
func (l *List) Add(in Recipient) {
	i := l.count
	l.count++
	if i >= MaxRecipients {
		return // Check reports that the list is too long
	}
	if p := l.add(in); p.Len() > 0 {
		l.problems.MergeAt(fmt.Sprintf("recipients[%d].", i), p)
	}
}

// add appends a recipient, or returns what is wrong with it.
func (l *List) add(in Recipient) *fault.Problems {
	var p fault.Problems
	numberField := cmp.Or(l.numberField, "phone_number")
	number, err := phone.Parse(in.PhoneNumber)
	switch {
	case in.PhoneNumber == "":
		p.Addf(numberField, "required")
	case err != nil:
		p.Addf(numberField, "%s", err)
	}
	e := Entry{Number: number, Name: in.Name, ExternalID: in.ExternalID, Timezone: in.Timezone}
	check.Line(&p, "name", &e.Name, MaxName)
	check.Line(&p, "external_id", new(in.ExternalID), MaxExternalID) // the ID is stored unchanged
	if in.Timezone != "" && !hours.KnownZone(in.Timezone) {
		p.Addf("timezone", hours.WrongZone)
	}
	e.Variables = check.Variables(&p, "variables", in.Variables)
	e.Metadata = check.Metadata(&p, "metadata", in.Metadata)
	if in.Consent != nil {
		check.Required(&p, "consent.basis", new(in.Consent.Basis), maxBasis)
		check.Line(&p, "consent.source", &in.Consent.Source, maxBasis)
		e.ConsentBasis, e.ConsentAt = l.intern(in.Consent.Basis), in.Consent.At
		e.ConsentSource, e.ConsentExpiresAt = l.intern(in.Consent.Source), in.Consent.ExpiresAt
	}
	if l.externalIDs == nil {
		l.externalIDs = map[string]struct{}{}
	}
	if in.ExternalID != "" {
		if _, ok := l.externalIDs[in.ExternalID]; ok {
			p.Addf("external_id", "used by an earlier recipient of this campaign")
		}
	}
	if p.Len() > 0 {
		return &p
	}

	if in.ExternalID != "" {
		l.externalIDs[in.ExternalID] = struct{}{}
	}
	l.append(e)
	return &p
}

// append adds a valid recipient.
func (l *List) append(e Entry) {
	if l.numbers == nil {
		l.numbers = map[phone.Number]struct{}{}
	}
	if _, e.Duplicate = l.numbers[e.Number]; !e.Duplicate {
		l.numbers[e.Number] = struct{}{}
	}
	if names, reliable := phone.Zones(e.Number); reliable {
		e.NumberZones = l.zones.intern(names)
	}
	if n := len(l.chunks); n == 0 || len(l.chunks[n-1]) == chunkRecipient {
		l.chunks = append(l.chunks, make([]Entry, 0, chunkRecipient))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, e)
}

// Stored returns an empty list for recipients who were checked before. wanted is as in Reading.
func Stored(wanted []string) *List { return &List{wanted: wanted} }

// AddStored appends a recipient who was checked before.
func (l *List) AddStored(e Entry) {
	l.count++
	l.append(e)
}

// last returns the recipient that was appended last.
func (l *List) last() *Entry {
	chunk := l.chunks[len(l.chunks)-1]
	return &chunk[len(chunk)-1]
}

// Numbers returns each number of the list once, in no order.
func (l *List) Numbers() []phone.Number { return slices.Collect(maps.Keys(l.numbers)) }

// ExternalIDs returns the external IDs of the list, in no order.
func (l *List) ExternalIDs() []string { return slices.Collect(maps.Keys(l.externalIDs)) }

// Duplicates counts the recipients whose number is further up in the list.
func (l *List) Duplicates() int {
	n := 0
	for e := range l.Each {
		if e.Duplicate {
			n++
		}
	}
	return n
}

// intern returns a shared copy of equal texts, which saves memory.
func (l *List) intern(s string) string {
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

// Each yields the valid recipients in the order of the list.
func (l *List) Each(yield func(*Entry) bool) {
	for _, chunk := range l.chunks {
		for i := range chunk {
			if !yield(&chunk[i]) {
				return
			}
		}
	}
}

// zoneSets maps each set of names to its ZoneSet.
type zoneSets map[string]*ZoneSet

func (z *zoneSets) intern(names []string) *ZoneSet {
	key := strings.Join(names, "\n")
	if set, ok := (*z)[key]; ok {
		return set
	}
	if *z == nil {
		*z = zoneSets{}
	}
	set := &ZoneSet{Names: slices.Clone(names)}
	(*z)[key] = set
	return set
}

// HasVariable reports whether any recipient has a value for the variable. The
// variable name is the recipient's name.
func (l *List) HasVariable(variable string) bool {
	quoted := []byte(`"` + variable + `"`)
	for e := range l.Each {
		if variable == "name" && e.Name != "" {
			return true
		}
		if !bytes.Contains(e.Variables, quoted) { // names have plain characters, which JSON never escapes
			continue
		}
		var values map[string]json.RawMessage
		if json.Unmarshal(e.Variables, &values) == nil {
			if _, ok := values[variable]; ok {
				return true
			}
		}
	}
	return false
}
