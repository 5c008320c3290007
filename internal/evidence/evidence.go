// Package evidence collects what an organization has stored about one phone number, for complaints and lawsuits.
package evidence

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/wire"
)

// batch is how many rows one statement reads. A slow reader occupies no connection between two batches.
const batch = 200

// Options are the dependencies of the service.
type Options struct {
	Pool         *pgxpool.Pool
	Accounts     *account.Service
	Calls        *call.Service
	Campaigns    *campaign.Service
	FollowUps    *followup.Service
	Messaging    *messaging.Service
	People       *person.Service
	Suppressions *suppression.Service
}

// Service collects evidence. Make it with New. It is safe for concurrent use.
type Service struct{ o Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// File is the evidence about a number. Write reads it while it is written, so its size has no bound in memory.
type File struct {
	s              *Service
	organizationID uuid.UUID
	number         phone.Number
	createdAt      time.Time
	campaigns      map[uuid.UUID]bool // that the file mentions
}

// Read returns what is stored about a number, for a page of the dashboard, whose readers may see each part of it
// elsewhere. Nobody is told.
func (s *Service) Read(organizationID uuid.UUID, number phone.Number) *File {
	return &File{s: s, organizationID: organizationID, number: number, campaigns: map[uuid.UUID]bool{}}
}

// Open opens the evidence about a number. The audit log tells who asked, with the last digits of the number.
// Errors: Invalid "phone_number".
func (s *Service) Open(ctx context.Context, actor account.Actor, phoneNumber string) (*File, error) {
	number, err := phone.Parse(phoneNumber)
	if err != nil {
		return nil, fault.Invalidf("phone_number", "%s", err)
	}
	f := s.Read(actor.OrganizationID, number)
	if err := s.o.Pool.QueryRow(ctx, `select clock()`).Scan(&f.createdAt); err != nil {
		return nil, fmt.Errorf("read the clock: %w", err)
	}
	err = s.o.Accounts.Note(ctx, actor, "evidence.collected", account.Object{Type: "evidence"},
		map[string]any{"ends_in": suppression.LastDigits(number)})
	return f, err
}

// Write writes the file as JSON: the calls, the notes for their agents, their reviews, the entries of lists, the
// entries of the do-not-call list with those that were removed and what the audit log says about both, the follow-ups,
// the messages, the notes of members, and the names of the campaigns. Each is newest first. Rows of erased persons have
// no number, so they are in no file. An error leaves the JSON incomplete.
func (f *File) Write(ctx context.Context, w io.Writer) error {
	listed, removed, err := f.doNotCall(ctx)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 64<<10) // an early error can still be answered
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	sections := []struct {
		name string
		rows iter.Seq2[any, error]
	}{
		{"calls", f.calls(ctx)}, {"call_notes", f.notes(ctx)}, {"call_reviews", f.reviews(ctx)},
		{"recipients", f.recipients(ctx)},
		{"do_not_call", each(listed, suppression.Entry.Resource)},
		{"do_not_call_removed", each(removed, suppression.Removal.Resource)},
		{"do_not_call_log", f.history(ctx, listed, removed)},
		{"follow_ups", f.followUps(ctx)}, {"messages", f.messages(ctx)}, {"notes", f.personNotes(ctx)},
		{"campaigns", f.names(ctx)},
	}
	fmt.Fprintf(b, `{"phone_number":%q,"created_at":%q`, f.number, wire.Time(f.createdAt))
	for _, s := range sections {
		fmt.Fprintf(b, `,%q:[`, s.name)
		first := true
		for row, err := range s.rows {
			if err != nil {
				return fmt.Errorf("collect the %s of a number: %w", s.name, err)
			}
			if !first {
				fmt.Fprint(b, ",") // Flush returns an error of b
			}
			first = false
			if err := e.Encode(row); err != nil {
				return fmt.Errorf("write the %s of a number: %w", s.name, err)
			}
		}
		fmt.Fprint(b, "]")
	}
	fmt.Fprint(b, "}\n")
	return b.Flush()
}

// Contents are the newest rows of a file, each kind newest first.
type Contents struct {
	CreatedAt  time.Time
	Calls      page.List[call.Call]
	Recipients page.List[campaign.Recipient]
	Listed     []suppression.Entry // at most one per channel
	Removed    page.List[suppression.Removal]
	FollowUps  page.List[followup.FollowUp]
	Messages   page.List[messaging.Message]
	Notes      page.List[person.Note]
	Campaigns  map[uuid.UUID]string // the names of those that the rows mention
}

// Newest reads the newest rows of the file, at most most of each kind, as Write does.
func (f *File) Newest(ctx context.Context, most int) (Contents, error) {
	c, r := Contents{CreatedAt: f.createdAt}, page.Request{Batch: most}
	var err error
	if c.Calls, err = f.callList(ctx, r); err != nil {
		return c, err
	}
	if c.Recipients, err = f.recipientList(ctx, r); err != nil {
		return c, err
	}
	if c.Listed, err = f.listed(ctx); err != nil {
		return c, err
	}
	if c.Removed, err = f.removalList(ctx, r); err != nil {
		return c, err
	}
	if c.FollowUps, err = f.followUpList(ctx, r); err != nil {
		return c, err
	}
	if c.Messages, err = f.messageList(ctx, r); err != nil {
		return c, err
	}
	if c.Notes, err = f.personNoteList(ctx, r); err != nil {
		return c, err
	}
	c.Campaigns, err = f.s.o.Campaigns.Names(ctx, f.organizationID, slices.Collect(maps.Keys(f.campaigns)))
	return c, err
}

// Reviews reads the reviews of calls of the file.
func (f *File) Reviews(ctx context.Context, calls []call.Call) (map[uuid.UUID]call.Review, error) {
	return f.s.o.Calls.Reviews(ctx, f.organizationID, page.IDs(calls, func(c call.Call) uuid.UUID { return c.ID }))
}

// NewestCallNotes reads the newest notes for the agents of the calls, at most most.
func (f *File) NewestCallNotes(ctx context.Context, most int) (page.List[call.Note], error) {
	return f.callNoteList(ctx, page.Request{Batch: most})
}

func (f *File) callNoteList(ctx context.Context, r page.Request) (page.List[call.Note], error) {
	return f.s.o.Calls.NotesOf(ctx, f.organizationID, f.number, r)
}

func (f *File) calls(ctx context.Context) iter.Seq2[any, error] {
	return all(ctx, f.callList, func(c call.Call) any { return f.s.o.Calls.Resource(c) })
}

func (f *File) callList(ctx context.Context, r page.Request) (page.List[call.Call], error) {
	list, err := f.s.o.Calls.List(ctx, f.organizationID, call.Filter{Request: r, PersonNumber: f.number.String()})
	for _, c := range list.Data {
		f.mention(c.CampaignID)
	}
	return list, err
}

func (f *File) notes(ctx context.Context) iter.Seq2[any, error] {
	return all(ctx, f.callNoteList, func(n call.Note) any { return n.Resource() })
}

func (f *File) reviews(ctx context.Context) iter.Seq2[any, error] {
	list := func(ctx context.Context, r page.Request) (page.List[call.Review], error) {
		return f.s.o.Calls.ReviewsOf(ctx, f.organizationID, f.number, r)
	}
	return all(ctx, list, func(r call.Review) any { return r.Resource() })
}

func (f *File) recipients(ctx context.Context) iter.Seq2[any, error] {
	return all(ctx, f.recipientList, func(r campaign.Recipient) any { return r.Resource() })
}

func (f *File) recipientList(ctx context.Context, r page.Request) (page.List[campaign.Recipient], error) {
	list, err := f.s.o.Campaigns.RecipientsOf(ctx, f.organizationID, f.number, r)
	for _, row := range list.Data {
		f.mention(&row.CampaignID)
	}
	return list, err
}

func (f *File) followUps(ctx context.Context) iter.Seq2[any, error] {
	return all(ctx, f.followUpList, func(u followup.FollowUp) any { return u.Resource() })
}

func (f *File) followUpList(ctx context.Context, r page.Request) (page.List[followup.FollowUp], error) {
	list, err := f.s.o.FollowUps.List(ctx, f.organizationID, followup.Filter{Page: r, PhoneNumber: f.number.String()})
	for _, u := range list.Data {
		f.mention(u.CampaignID)
	}
	return list, err
}

func (f *File) messages(ctx context.Context) iter.Seq2[any, error] {
	return all(ctx, f.messageList, func(m messaging.Message) any { return m.Resource() })
}

func (f *File) messageList(ctx context.Context, r page.Request) (page.List[messaging.Message], error) {
	list, err := f.s.o.Messaging.List(ctx, f.organizationID, messaging.Filter{Page: r, To: f.number.String()})
	for _, m := range list.Data {
		f.mention(m.CampaignID)
	}
	return list, err
}

func (f *File) personNotes(ctx context.Context) iter.Seq2[any, error] {
	return all(ctx, f.personNoteList, func(n person.Note) any { return n.Resource() })
}

func (f *File) personNoteList(ctx context.Context, r page.Request) (page.List[person.Note], error) {
	return f.s.o.People.Notes(ctx, f.organizationID, f.number, r)
}

func (f *File) mention(campaignID *uuid.UUID) {
	if campaignID != nil {
		f.campaigns[*campaignID] = true
	}
}

// doNotCall reads the entries of the do-not-call list and those that were removed.
func (f *File) doNotCall(ctx context.Context) (listed []suppression.Entry, removed []suppression.Removal, err error) {
	if listed, err = f.listed(ctx); err != nil {
		return nil, nil, err
	}
	same := func(r suppression.Removal) (suppression.Removal, error) { return r, nil }
	list := func(r page.Request) (page.List[suppression.Removal], error) { return f.removalList(ctx, r) }
	for r, err := range page.All(page.Request{Batch: batch}, list, same) {
		if err != nil {
			return nil, nil, err
		}
		removed = append(removed, r)
	}
	return listed, removed, nil
}

// listed reads the entries of the do-not-call list with the number itself, of which there is at most one per channel.
// An entry that an erasure left would tell that the person was here.
func (f *File) listed(ctx context.Context) ([]suppression.Entry, error) {
	list, err := f.s.o.Suppressions.List(ctx, f.organizationID, suppression.Filter{PhoneNumber: f.number})
	return slices.DeleteFunc(list.Data, func(e suppression.Entry) bool { return e.Erased }), err
}

func (f *File) removalList(ctx context.Context, r page.Request) (page.List[suppression.Removal], error) {
	return f.s.o.Suppressions.Removals(ctx, f.organizationID, f.number, r)
}

// LogEntry is what the audit log says about an entry of the do-not-call list.
type LogEntry struct {
	ID          uuid.UUID         `json:"id"`
	Action      string            `json:"action"` // do_not_call.added
	DoNotCallID *uuid.UUID        `json:"do_not_call_id"`
	ActorKind   account.ActorKind `json:"actor_kind"`
	ActorName   string            `json:"actor_name"`
	CreatedAt   wire.Time         `json:"created_at"`
}

func (f *File) history(
	ctx context.Context, listed []suppression.Entry, removed []suppression.Removal,
) iter.Seq2[any, error] {
	ids := make([]uuid.UUID, 0, len(listed)+len(removed))
	for _, e := range listed {
		ids = append(ids, e.ID)
	}
	for _, r := range removed {
		ids = append(ids, r.ID)
	}
	return func(yield func(any, error) bool) {
		for _, id := range ids {
			of := account.EntryFilter{ObjectType: "do_not_call", Object: id}
			for e, err := range f.s.o.Accounts.AllEntries(ctx, f.organizationID, of, page.Request{}) {
				if !yield(LogEntry{
					ID: e.ID, Action: e.Action, DoNotCallID: e.ObjectID, ActorKind: e.ActorKind, ActorName: e.ActorName,
					CreatedAt: wire.Time(e.CreatedAt),
				}, err) || err != nil {
					return
				}
			}
		}
	}
}

// Campaign is a campaign that the file mentions.
type Campaign struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

func (f *File) names(ctx context.Context) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		ids := slices.SortedFunc(maps.Keys(f.campaigns), func(a, b uuid.UUID) int { return slices.Compare(b[:], a[:]) })
		names, err := f.s.o.Campaigns.Names(ctx, f.organizationID, ids)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, id := range ids {
			if !yield(Campaign{id, names[id]}, nil) {
				return
			}
		}
	}
}

// each yields the resources of rows.
func each[T, R any](rows []T, resource func(T) R) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for _, row := range rows {
			if !yield(resource(row), nil) {
				return
			}
		}
	}
}

// all reads a list to its end.
func all[T any](
	ctx context.Context, list func(context.Context, page.Request) (page.List[T], error), resource func(T) any,
) iter.Seq2[any, error] {
	return page.All(page.Request{Batch: batch},
		func(r page.Request) (page.List[T], error) { return list(ctx, r) },
		func(row T) (any, error) { return resource(row), nil })
}
