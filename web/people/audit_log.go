package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const auditLogPath = "/settings/audit-log"

// bySystem is the filter's value for actions of the product itself.
const bySystem = "system"

// readAuditFilter reads the filters of the list and of its export. Days are days of the
// organization's time zone; the last day is included.
func (s *Server) readAuditFilter(r *http.Request) (v views.AuditLog, f account.EntryFilter, p page.Request) {
	q := r.URL.Query()
	v = views.AuditLog{
		Actor: q.Get("actor"), Action: q.Get("action"), Kind: q.Get("kind"), From: q.Get("from"), To: q.Get("to"),
		Object: q.Get("object"),
	}
	f = account.EntryFilter{Action: v.Action, ObjectType: v.Kind, System: v.Actor == bySystem}
	if id, err := uuid.Parse(v.Actor); err == nil {
		f.Actor = id
	}
	if id, err := uuid.Parse(v.Object); err == nil {
		f.Object = id
	} else {
		v.Object = ""
	}
	p = page.Request{Cursor: q.Get("cursor")}
	zone := s.Clock(r).Zone
	for _, bound := range []struct {
		name, value string
		to          *time.Time
		days        int
	}{{"from", v.From, &p.CreatedAfter, 0}, {"to", v.To, &p.CreatedBefore, 1}} {
		if bound.value == "" {
			continue
		}
		day, err := time.ParseInLocation(time.DateOnly, bound.value, zone)
		if err != nil {
			if v.Errors == nil {
				v.Errors = ui.Errors{}
			}
			v.Errors[bound.name] = "choose a date"
			continue
		}
		*bound.to = day.AddDate(0, 0, bound.days)
	}
	if !p.CreatedAfter.IsZero() {
		p.CreatedAfter = p.CreatedAfter.Add(-time.Millisecond) // the bound is exclusive
	}
	v.Filtered = f != account.EntryFilter{} || v.From != "" || v.To != ""
	return v, f, p
}

func (s *Server) AuditLog(w http.ResponseWriter, r *http.Request) error {
	v, f, p := s.readAuditFilter(r)
	organization := frame.SignedIn(r).Organization.ID
	var list page.List[account.Entry]
	var err error
	if len(v.Errors) == 0 { // an unfiltered list would look like the requested entries
		if list, err = s.Accounts.Entries(r.Context(), organization, f, p); err != nil {
			return err
		}
	}
	for _, e := range list.Data {
		v.Rows = append(v.Rows, auditRow(e))
	}
	if v.Actors, err = s.auditActors(r, organization, v.Actor, list.Data); err != nil {
		return err
	}
	v.Actions = views.AuditActions()
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	v.AllHref = frame.WithParam(r.URL, "object", "")
	u := *r.URL
	u.Path = auditLogPath + "/export"
	v.ExportHref = frame.WithParam(&u, "cursor", "")
	return frame.Render(w, r, http.StatusOK, views.AuditLogPage(s.Chrome(r), v))
}

// auditActors returns the choices of the filter: members, keys, the product itself, and
// the chosen actor, who may have left the organization.
func (s *Server) auditActors(
	r *http.Request, organization uuid.UUID, chosen string, shown []account.Entry,
) ([]ui.Option, error) {
	members, err := s.Accounts.Members(r.Context(), organization)
	if err != nil {
		return nil, err
	}
	inUse := func(ctx context.Context, organization uuid.UUID, p page.Request) (page.List[account.Key], error) {
		return s.Accounts.Keys(ctx, organization, false, p)
	}
	keys, err := page.Collect(r.Context(), organization, inUse)
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	known := map[string]bool{"": true, bySystem: true}
	add := func(id uuid.UUID, label string) {
		if !known[id.String()] {
			known[id.String()] = true
			options = append(options, ui.Option{Value: id.String(), Label: label})
		}
	}
	for _, m := range members {
		add(m.UserID, m.Name)
	}
	for _, k := range keys {
		add(k.ID, "Key “"+k.Name+"”")
	}
	for _, e := range shown {
		if e.ActorID != nil && e.ActorID.String() == chosen {
			add(*e.ActorID, e.ActorName)
		}
	}
	return append(options, ui.Option{Value: bySystem, Label: "Dialwright and its command line"}), nil
}

func auditRow(e account.Entry) views.AuditRow {
	row := views.AuditRow{
		ID: e.ID.String(), At: e.CreatedAt, Actor: e.ActorName, Key: e.ActorKind == account.ByKey,
		Phrase: views.AuditPhrase(e.Action, auditName(e)),
	}
	if n := e.Count(); n > 1 {
		row.Phrase = views.AuditPhraseMany(e.Action, n, e.Data)
	}
	if row.Actor == "" {
		row.Actor = "Somebody"
	}
	if e.Address != nil {
		row.Address = frame.Unmapped(*e.Address)
	}
	return row
}

// auditName returns the name of the changed object, as the entry recorded it.
func auditName(e account.Entry) string {
	for _, field := range []string{"name", "email", "phone_number"} {
		if name, ok := e.Data[field].(string); ok && name != "" {
			if field == "phone_number" {
				return ui.Phone(name)
			}
			return name
		}
	}
	return ""
}

func (s *Server) AuditEntry(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Entry")
	if err != nil {
		return err
	}
	e, before, err := s.Accounts.Entry(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if err != nil {
		return err
	}
	v := views.AuditEntry{
		AuditRow: auditRow(e), Action: e.Action, Kind: e.ObjectType, Changes: views.AuditChanges(e.Data, before),
	}
	if e.ObjectID != nil {
		v.Object = e.ObjectID.String()
	}
	if agent, ok := e.Data["agent_id"].(string); ok {
		v.Agent = agent
	}
	if e.ActorID != nil {
		v.ActorID = e.ActorID.String()
	}
	return frame.Render(w, r, http.StatusOK, views.AuditEntryPage(s.Chrome(r), v))
}

// ExportAuditLog sends the filtered log as CSV. Its memory use does not depend on the
// length of the log.
func (s *Server) ExportAuditLog(w http.ResponseWriter, r *http.Request) error {
	v, f, p := s.readAuditFilter(r)
	if len(v.Errors) > 0 {
		return fault.Invalidf("", "choose dates such as 2026-11-20")
	}
	entries := s.Accounts.AllEntries(r.Context(), frame.SignedIn(r).Organization.ID, f, p)
	err := export.Serve(w, export.File{
		Name: "audit-log.csv",
		Header: []string{
			"id", "at", "actor_kind", "actor_id", "actor_name", "action", "object_type", "object_id", "address",
			"data",
		},
		Rows:        s.Noted(r, "audit_log.exported", account.Object{Type: "audit_log"}, auditCells(entries)),
		Spreadsheet: true,
	})
	if _, cut := errors.AsType[*export.CutError](err); cut {
		s.Log.Warn("export broke off", "request_id", frame.RequestID(r), "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

func auditCells(entries iter.Seq2[account.Entry, error]) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for e, err := range entries {
			if err != nil {
				yield(nil, err)
				return
			}
			data, err := json.Marshal(e.Data)
			if err != nil {
				yield(nil, fmt.Errorf("write an audit entry: %w", err))
				return
			}
			row := []string{
				e.ID.String(), e.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"), string(e.ActorKind),
				export.Optional(e.ActorID), e.ActorName, e.Action, e.ObjectType, export.Optional(e.ObjectID), "",
				string(data),
			}
			if e.Address != nil {
				row[8] = frame.Unmapped(*e.Address)
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
