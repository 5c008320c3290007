package calls

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const livePath = "/live"

// liveRows is how many calls the page of live calls lists.
const liveRows = 50

// Live lists the calls that have not ended, and shows the chosen one beside them.
func (s *Server) Live(w http.ResponseWriter, r *http.Request) error {
	return s.renderLive(w, r, http.StatusOK, nil)
}

// renderLive draws the page at the address of a request. refused adds what was wrong with a form of the chosen call.
func (s *Server) renderLive(
	w http.ResponseWriter, r *http.Request, status int, refused func(*views.LiveCall),
) error {
	v, err := s.liveView(r)
	if v.Chosen != nil && refused != nil {
		refused(v.Chosen)
		v.EventsHref = "" // the next change would take the errors away
	}
	if fault.KindOf(err) == fault.Invalid {
		v.Errors, status = ui.ErrorsOf(err), http.StatusUnprocessableEntity
	} else if err != nil {
		return err
	}
	if v.Campaigns, _, err = s.CampaignsAndAgents(r); err != nil {
		return err
	}
	if v.Projects, err = s.ProjectOptions(r); err != nil {
		return err
	}
	return frame.Render(w, r, status, views.LivePage(s.Chrome(r), v))
}

// LiveEvents streams the page of live calls.
func (s *Server) LiveEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "live", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.liveView(r)
		return views.LivePart(s.LiveChrome(r, livePath), v), false, err
	})
}

// liveView reads what changes on the page of live calls.
func (s *Server) liveView(r *http.Request) (views.Live, error) {
	ctx, organization, q := r.Context(), frame.SignedIn(r).Organization.ID, r.URL.Query()
	address := *r.URL
	address.Path = livePath
	v := views.Live{
		ProjectID: q.Get("project_id"), CampaignID: q.Get("campaign_id"), Direction: q.Get("direction"),
		CallID: q.Get("call"), ListHref: frame.WithParams(&address, "call", "", "listening", ""),
		Href: frame.WithParam(&address, "", ""),
	}
	filter := call.Filter{Request: frame.PageOf(r), Direction: call.Direction(v.Direction), Live: true}
	filter.Limit = liveRows
	var p fault.Problems
	filter.ProjectID = frame.OptionalID(&p, "project_id", v.ProjectID)
	filter.CampaignID = frame.OptionalID(&p, "campaign_id", v.CampaignID)
	if err := p.Err(); err != nil {
		return v, err
	}
	list, err := s.Calls.List(ctx, organization, filter)
	if err != nil {
		return v, err
	}
	rows, err := s.CallRows(ctx, organization, list.Data)
	if err != nil {
		return v, err
	}
	last, err := s.Calls.LastWords(ctx, organization, call.IDs(list.Data))
	if err != nil {
		return v, err
	}
	for i, c := range list.Data {
		row := views.LiveRow{
			CallRow: rows[i], Inbound: c.Direction == call.Inbound, Since: c.CreatedAt, Ending: c.HangUpAt != nil,
			Href: frame.WithParams(&address, "call", c.ID.String(), "listening", ""), Chosen: c.ID.String() == v.CallID,
		}
		if at := cmp.Or(c.AnsweredAt, c.RingingAt); at != nil {
			row.Since = *at
		}
		if said, ok := last[c.ID]; ok {
			row.Said, row.Speaker = shortened(said.Text, snippetLength), speaker(c, row.Agent, said.Role)
		}
		v.Rows = append(v.Rows, row)
	}
	// The order is that of the column with the times.
	slices.SortStableFunc(v.Rows, func(a, b views.LiveRow) int { return b.Since.Compare(a.Since) })
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	v.EventsHref = strings.Replace(v.Href, livePath, livePath+"/events", 1)
	if v.CallID == "" {
		return v, nil
	}
	if err := s.chosenCall(r, &v); err != nil {
		return v, err
	}
	v.Chosen.Here = v.Href
	v.Chosen.ListenHref = frame.WithParam(&address, "listening", "yes")
	v.Chosen.StopHref = frame.WithParam(&address, "listening", "")
	return v, nil
}

// AddNote adds a note for the agent of a live call.
func (s *Server) AddNote(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	in := call.NewNote{ID: uuid.MustParse(frame.FormID(r)), CallID: id, Text: r.PostForm.Get("text")}
	_, err = s.Calls.AddNote(r.Context(), s.Pool, s.Actor(r), in)
	if err == nil {
		s.Calls.WakeLine(id)
	} else if fault.KindOf(err) == fault.Conflict { // the form was sent twice, and the first request added this note
		notes, other := s.Calls.Notes(r.Context(), frame.SignedIn(r).Organization.ID, id)
		if other == nil && slices.ContainsFunc(notes, func(n call.Note) bool { return n.ID == in.ID }) {
			err = nil
		}
	}
	return s.Saved(w, r, err, "Note added", joined(r, id), func(e ui.Errors) error {
		return s.liveAgain(w, r, id, func(v *views.LiveCall) { v.Note.Mark, v.Note.Errors = in.ID.String(), e })
	})
}

// liveAgain answers the form of a live call that was refused: with its page, and everything that was typed.
func (s *Server) liveAgain(w http.ResponseWriter, r *http.Request, id uuid.UUID, refused func(*views.LiveCall)) error {
	page := frame.At(r, joined(r, id))
	return s.renderLive(w, page, http.StatusUnprocessableEntity, func(v *views.LiveCall) {
		v.Note.Text, v.Transfer.DestinationID = r.PostForm.Get("text"), r.PostForm.Get("destination_id")
		refused(v)
	})
}

// TransferCall makes the agent of a live call transfer it.
func (s *Server) TransferCall(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	var p fault.Problems
	destination := frame.OptionalID(&p, "destination_id", r.PostForm.Get("destination_id"))
	if destination == nil && p.Len() == 0 {
		p.Addf("destination_id", "choose a destination")
	}
	err = p.Err()
	if err == nil {
		err = s.Calls.TakeOver(r.Context(), s.Actor(r), id, *destination)
	}
	if tooLate(r, err) {
		return s.acted(w, r, err, "", joined(r, id))
	}
	return s.Saved(w, r, err, "Transferring the call", joined(r, id), func(e ui.Errors) error {
		return s.liveAgain(w, r, id, func(v *views.LiveCall) { v.Transfer.Errors = e })
	})
}

// noteMark is the ID of the next note of a person. It is the same until the call has another note, so that the page
// does not change without a reason.
func noteMark(callID, user uuid.UUID, notes int) string {
	return uuid.NewHash(sha256.New(), callID, fmt.Append(nil, user, notes), 7).String()
}

// chosenCall reads the call that is shown beside the list.
func (s *Server) chosenCall(r *http.Request, v *views.Live) error {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	id, err := frame.ParseID(v.CallID, "Call")
	if err != nil {
		return err
	}
	c, turns, err := s.Calls.Get(ctx, organization, id)
	if err != nil {
		return err
	}
	rows, err := s.CallRows(ctx, organization, []call.Call{c})
	if err != nil {
		return err
	}
	notes, err := s.Calls.Notes(ctx, organization, id)
	if err != nil {
		return err
	}
	v.Chosen = &views.LiveCall{
		CallRow: rows[0], Turns: turnsView(c, rows[0].Agent, turns),
		CanEnd: c.EndedAt == nil && c.HangUpAt == nil && c.Status != call.StatusScheduled, Ended: c.EndedAt != nil,
		Note:      views.NoteForm{Mark: noteMark(c.ID, frame.SignedIn(r).User.ID, len(notes))},
		Listening: r.URL.Query().Get("listening") != "" && frame.May(r, account.JoinCalls),
	}
	if v.Chosen.Listening || v.Chosen.CanEnd && frame.May(r, account.JoinCalls) {
		if v.Chosen.CanListen, err = s.Sounds.Audible(ctx, organization, id); err != nil {
			return err
		}
		v.Chosen.Sound = sound(c, v.Chosen.CanListen)
	}
	if v.Chosen.CanEnd && frame.May(r, account.JoinCalls) {
		var transferable bool
		if v.Chosen.CanNote, transferable, err = s.Calls.Takes(ctx, organization, id); err != nil {
			return err
		}
		if transferable {
			if v.Chosen.Destinations, err = s.DestinationOptions(r, &c.ProjectID); err != nil {
				return err
			}
		}
	}
	v.Chosen.Unused = unusedNotes(c, notes)
	return nil
}

// unusedNotes are the notes for the agent of a call that the agent has not spoken with.
func unusedNotes(c call.Call, notes []call.Note) (unused []views.UnusedNote) {
	for _, n := range notes {
		if n.UsedAt != nil || n.Text == "" {
			continue
		}
		state := "Not with the agent yet."
		if c.EndedAt != nil {
			state = "The call ended before the agent could use it."
		} else if n.GivenAt != nil {
			state = "The agent uses it the next time it speaks."
		}
		unused = append(unused, views.UnusedNote{Text: "Note by " + n.Author + ": " + n.Text, State: state})
	}
	return unused
}
