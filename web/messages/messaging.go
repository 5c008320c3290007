package messages

import (
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const messagingPath = "/messaging"

func (s *Server) Overview(w http.ResponseWriter, r *http.Request) error {
	v, err := s.messagingView(r)
	if err != nil {
		return err
	}
	v.AsTable = r.URL.Query().Get("days") == "table"
	days, err := s.Messaging.History(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return err
	}
	zone := s.Clock(r).Zone
	for _, d := range days {
		y, m, day := d.Date.Date()
		v.Days = append(v.Days, views.MessagingDay{
			Date: time.Date(y, m, day, 12, 0, 0, 0, zone), Delivered: d.Delivered, Sent: d.Sent, Failed: d.Failed,
		})
	}
	return frame.Render(w, r, http.StatusOK, views.MessagingPage(s.Chrome(r), v))
}

// messagingView reads the stored state of the numbers and does not ask WhatsApp: a person
// prefers a page that is slightly out of date to an error.
func (s *Server) messagingView(r *http.Request) (views.Messaging, error) {
	numbers, err := s.WhatsApp.Numbers(r.Context(), frame.SignedIn(r).Organization.ID)
	return views.Messaging{Off: !s.Messaging.On(), Limits: Limits(numbers), EventsHref: messagingPath + "/events"}, err
}

// Limits groups the numbers by their shared limit, in the order of each group's first
// number.
func Limits(numbers []connection.Number) []views.MessagingLimit {
	var limits []views.MessagingLimit
	at := map[uuid.UUID]int{} // scope ID to the index in the result
	for _, n := range numbers {
		i, known := at[n.ScopeID]
		if !known {
			i = len(limits)
			at[n.ScopeID] = i
			limits = append(limits, views.MessagingLimit{
				Shared: n.Shared, Others: n.Others, Tier: n.Tier, Limit: n.Limit, Used: n.Used,
				Frees: frame.OrZero(n.FreesAt),
			})
		}
		limits[i].Planned += n.Planned
		limits[i].Numbers = append(limits[i].Numbers, messagingNumber(n))
	}
	return limits
}

func messagingNumber(n connection.Number) views.MessagingNumber {
	return views.MessagingNumber{
		ID: n.ID.String(), ConnectionID: n.ConnectionID.String(), Connection: n.Connection, ExternalID: n.ExternalID,
		Name: frame.OrNone(n.Name), Phone: frame.OrNone(n.PhoneNumber), Quality: n.Quality, Status: n.Status,
		Paused: frame.OrNone(n.PausedReason), PausedUntil: frame.OrZero(n.PausedUntil),
		Error: frame.OrNone(n.LastError), NameRequested: frame.OrNone(n.NameRequested),
		NameDecision: frame.OrNone(n.NameDecision), NameReason: frame.OrNone(n.NameReason),
	}
}

// NumberTitle names a WhatsApp number on one line.
func NumberTitle(n connection.Number) string {
	title, phone := numberLines(n)
	if phone != "" {
		title += ", " + phone
	}
	return title
}

// numberLines names a WhatsApp number on two lines. phone is "" if the title says it all.
func numberLines(n connection.Number) (title, phone string) {
	phone = ui.Phone(frame.OrNone(n.PhoneNumber))
	if name := frame.OrNone(n.Name); name != "" {
		return name, phone
	}
	if phone != "" {
		return phone, ""
	}
	return n.ExternalID, ""
}

func (s *Server) OverviewEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "messaging", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.messagingView(r)
		return views.MessagingLive(s.LiveChrome(r, messagingPath), v), false, err
	})
}
